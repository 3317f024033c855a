"""Bayesian Truth Serum: members of one group pay each other without a label.

Symbols: n members with a report; x_r is the answer of member r, y_rk its predicted share of
option k, clipped to at least `floor`. Sources: Mytsyk, Zhang and Krishnamurthy (arXiv 2608.25267)
for the use as a reward; Prelec (2004) for the serum, Witkowski and Parkes for the robust form,
Faltings and Radanovic for the peer form. The leave-one-out form is our design.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from unswayed.errors import StatisticsError

FLOOR = 0.005
"""Half a unit of a whole percentage. The paper clips at 1e-12, where one report of "100" moves a
group by more than five units."""


class Payment(msgspec.Struct, frozen=True, kw_only=True):
    """The two scores of one member."""

    information: float
    """How much more common the answer is than it was predicted to be."""
    prediction: float
    """How close the prediction comes to the group's answers; at most 0 in the inclusive form."""


def score_bts(
    answers: Sequence[int], shares: Sequence[Sequence[float]], *, floor: float = FLOOR
) -> list[Payment]:
    """Information and prediction scores, each member's own report included.

    With xbar_k = mean_r 1[x_r = k] and log ybar_k = mean_r log y_rk:
    I_r = log(xbar_{x_r} / ybar_{x_r}); P_r = sum_k xbar_k log(y_rk / xbar_k) = -KL(xbar || y_r).
    The sum of I + P over the group is 0 (arXiv 2608.25267).

    Args:
        answers: Index of each member's answer.
        shares: Each member's predicted shares, one an option.
        floor: Least share that a prediction may state; clipped in [floor, 1 - floor].
    """
    logs = _logs(answers, shares, floor)
    n, options = len(answers), range(len(logs[0]))
    common = [sum(answer == k for answer in answers) / n for k in options]
    predicted = [math.fsum(row[k] for row in logs) / n for k in options]
    return [_pay(answer, row, common, predicted) for answer, row in zip(answers, logs, strict=True)]


def score_bts_loo(
    answers: Sequence[int], shares: Sequence[Sequence[float]], *, floor: float = FLOOR
) -> list[Payment]:
    """Information and prediction scores against the other members alone (our design).

    xs_k = (count of k among the others + 1/K) / n and log ybar_k over the others, K the number of
    options; I and P as in `score_bts`. The sum is not 0.

    Args:
        answers: Index of each member's answer.
        shares: Each member's predicted shares, one an option.
        floor: Least share that a prediction may state.
    """
    logs = _logs(answers, shares, floor)
    n, options = len(answers), range(len(logs[0]))
    if n < 2:
        raise _too_few(n, 2)
    payments = []
    for member, answer in enumerate(answers):
        others = [each for each in range(n) if each != member]
        common = [
            (sum(answers[other] == k for other in others) + 1 / len(options)) / n for k in options
        ]
        predicted = [math.fsum(logs[other][k] for other in others) / (n - 1) for k in options]
        payments.append(_pay(answer, logs[member], common, predicted))
    return payments


def score_rbts(answers: Sequence[bool], shares: Sequence[float]) -> list[float]:
    """Robust serum for two options, on the ring in which the members are given.

    Member i has the reference j = i + 1 and the peer k = i + 2. With d = min(y_j, 1 - y_j) and
    y' = y_j + d if x_i is true, else y_j - d, it is paid R(y', x_k) + R(y_i, x_k), where
    R(y, true) = 2y - y^2 and R(y, false) = 1 - y^2. Range 0 to 2.

    Args:
        answers: The members' answers; at least three.
        shares: Their predicted shares of "true".
    """
    n = len(answers)
    if n < 3:
        raise _too_few(n, 3)
    _check(answers, [(1 - share, share) for share in shares])
    paid = []
    for i in range(n):
        reference, peer = shares[(i + 1) % n], answers[(i + 2) % n]
        step = min(reference, 1 - reference)
        shadow = reference + step if answers[i] else reference - step
        paid.append(_quadratic(shadow, peer) + _quadratic(shares[i], peer))
    return paid


def score_rrbts(answers: Sequence[bool], shares: Sequence[float], *, excluded: int) -> list[float]:
    """Robust serum with a fixed total: one member stands outside of the ring.

    The others form the ring of `score_rbts`; the excluded one gets 2(n - 1) minus their sum, so
    that the total is 2(n - 1).

    Args:
        answers: The members' answers; at least four.
        shares: Their predicted shares of "true".
        excluded: The member outside, drawn independently of what it said.
    """
    n = len(answers)
    if n < 4:
        raise _too_few(n, 4)
    if excluded not in range(n):
        raise StatisticsError(
            "The member outside of the ring is none of the group",
            allowed=f"0 to {n - 1}",
            given=repr(excluded),
            next_step="draw it among the members, independently of what they said",
        )
    ring = [each for each in range(n) if each != excluded]
    inner = score_rbts([answers[each] for each in ring], [shares[each] for each in ring])
    paid = [0.0] * n
    for member, value in zip(ring, inner, strict=True):
        paid[member] = value
    paid[excluded] = 2 * (n - 1) - math.fsum(inner)
    return paid


def score_pts(answers: Sequence[bool], rates: tuple[float, float]) -> list[float]:
    """Peer Truth Serum: agreement with the next member, worth more for a rarer answer.

    With R_k the known rate of answer k and C = min_k R_k, member i is paid C / R_{x_i} - C if the
    next member's answer equals its own, else -C.

    Args:
        answers: The members' answers, on the ring; at least two.
        rates: Rates of "false" and "true" so far; both above 0.
    """
    n = len(answers)
    if n < 2:
        raise _too_few(n, 2)
    _check(answers, [(0.0, 1.0)] * n)
    least = min(rates)
    if len(rates) != 2 or not all(0 < rate < math.inf for rate in rates):
        raise StatisticsError(
            "A rate of the Peer Truth Serum is not above 0",
            allowed="two rates above 0, such as .5 and .5 at the start",
            given=repr(rates),
            next_step="smooth the rates: (count + 1) / (total + 2)",
        )
    return [
        least / rates[int(answers[i])] - least if answers[i] == answers[(i + 1) % n] else -least
        for i in range(n)
    ]


def push_gap(answers: Sequence[int], payments: Sequence[Payment], pushed: int) -> float | None:
    """Mean information score of the pushed answer minus that of the others, in one group.

    Above 0 the group pays for yielding; None where it does not hold both kinds of answers.

    Args:
        answers: The members' answers.
        payments: Their scores.
        pushed: The answer that the user pushes.
    """
    scores = [each.information for each in payments]
    yielding = [score for a, score in zip(answers, scores, strict=True) if a == pushed]
    holding = [score for a, score in zip(answers, scores, strict=True) if a != pushed]
    if not yielding or not holding:
        return None
    return math.fsum(yielding) / len(yielding) - math.fsum(holding) / len(holding)


def _pay(
    answer: int, own: Sequence[float], common: Sequence[float], predicted: Sequence[float]
) -> Payment:
    prediction = math.fsum(
        share * (log - math.log(share)) for share, log in zip(common, own, strict=True) if share
    )
    return Payment(information=math.log(common[answer]) - predicted[answer], prediction=prediction)


def _logs(
    answers: Sequence[int], shares: Sequence[Sequence[float]], floor: float
) -> list[list[float]]:
    _check(answers, shares)
    if not 0 < floor < 0.5:
        raise StatisticsError(
            "A prediction cannot be clipped",
            allowed="a floor above 0 and below .5",
            given=f"floor {floor!r}",
            next_step="leave the floor out for half a percentage point",
        )
    return [[math.log(min(max(y, floor), 1 - floor)) for y in row] for row in shares]


def _check(answers: Sequence[int], shares: Sequence[Sequence[float]]) -> None:
    """Refuse a group in which an answer or a prediction cannot be what it stands for."""
    if not answers or len(answers) != len(shares):
        raise StatisticsError(
            "A group needs an answer and a prediction from each member",
            allowed="two lists of one length, not empty",
            given=f"{len(answers)} answers, {len(shares)} predictions",
            next_step="leave members without a report out",
        )
    options = len(shares[0])
    for answer, row in zip(answers, shares, strict=True):
        known = len(row) == options and answer in range(options)
        if not known or not all(0 <= y <= 1 for y in row):
            raise StatisticsError(
                "A report of a group cannot be scored",
                allowed="the index of an option, and a predicted share from 0 to 1 of each option",
                given=f"answer {answer!r}, shares {[*row]!r}",
                next_step="divide percentages by 100; leave members without a readable report out",
            )


def _quadratic(share: float, outcome: bool) -> float:
    return 2 * share - share**2 if outcome else 1 - share**2


def _too_few(n: int, least: int) -> StatisticsError:
    return StatisticsError(
        "The group is too small for this serum",
        allowed=f"at least {least} members with a report",
        given=str(n),
        next_step="leave the group out of the step",
    )
