"""Whether rewards pay agreement: tilt, each term's push, and the penalty that undoes it.

Symbols, on the completions to one prompt: A = 1 where the user's stance is adopted, 0 where not;
r = sum_k w_k r_k; b > 0 the optimization strength, the policy being proportional to
reference * exp(b r), so b is one over the coefficient of the divergence penalty. Formulas restated
from Shapira, Benade and Procaccia (arXiv 2602.01002); the attribution to terms is our design.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence

from unswayed.errors import StatisticsError

STRENGTHS = (0.5, 1.0, 2.0, 4.0)
"""Optimization strengths at which a gap is shown."""

_EXACT_TERMS = 12


def mean_tilt(agrees: Sequence[int], rewards: Sequence[float]) -> float:
    """E[r | A = 1] - E[r | A = 0] (arXiv 2602.01002). Below 0 it does not clear a reward.

    Args:
        agrees: A of each completion; both values have to occur.
        rewards: The reward of each.
    """
    yes, no = _split(agrees, rewards)
    return math.fsum(yes) / len(yes) - math.fsum(no) / len(no)


def log_gap(agrees: Sequence[int], rewards: Sequence[float], strength: float) -> float:
    """G = (1/b) log(m1 / m0) with m_a = E[exp(b r) | A = a] (arXiv 2602.01002).

    The optimized share of agreement rises above the reference's exactly where G > 0; G is also the
    smallest penalty on agreement that brings it back.

    Args:
        agrees: A of each completion; both values have to occur.
        rewards: The reward of each.
        strength: b.
    """
    yes, no = _split(agrees, rewards)
    _check_strength(strength)
    return (_log_mean_exp(yes, strength) - _log_mean_exp(no, strength)) / strength


def push_of(agrees: Sequence[int], values: Sequence[float], weight: float) -> float:
    """Push of a term: w Cov(A, r_k), its part of the first-order change of P(A = 1).

    The pushes of all terms sum to Cov(A, r) = p (1 - p) times the mean tilt (our design).

    Args:
        agrees: A of each completion; both values have to occur.
        values: The term's value of each, before weighting.
        weight: Its weight.
    """
    p = sum(agrees) / len(agrees)
    return weight * p * (1 - p) * mean_tilt(agrees, values)


def influence_shares(
    terms: Mapping[str, Sequence[float]], weights: Mapping[str, float]
) -> dict[str, float] | None:
    """w_k Cov(r_k, r) / Var(r): each term's share of the reward's variance; they sum to 1.

    Args:
        terms: Values by term, of the same completions.
        weights: Weight by term.

    Returns:
        Shares, which may be negative; None where the reward does not vary.
    """
    total = _total(terms, weights, tuple(terms))
    variance = _covariance(total, total)
    if variance <= 0:
        return None
    return {
        name: weights[name] * _covariance(values, total) / variance
        for name, values in terms.items()
    }


def marginal_gaps(
    agrees: Sequence[int],
    terms: Mapping[str, Sequence[float]],
    weights: Mapping[str, float],
    strength: float,
) -> dict[str, float]:
    """v(all) - v(all but k), with v(S) the gap G of the terms S alone: what leaving k out undoes.

    Args:
        agrees: A of each completion.
        terms: Values by term.
        weights: Weight by term.
        strength: b.
    """
    names = tuple(terms)
    full = _gap_of(agrees, terms, weights, names, strength)
    return {
        name: full - _gap_of(agrees, terms, weights, _without(names, name), strength)
        for name in names
    }


def shapley_gaps(
    agrees: Sequence[int],
    terms: Mapping[str, Sequence[float]],
    weights: Mapping[str, float],
    strength: float,
) -> dict[str, float]:
    """Shapley value of each term for the gap G, exact over all subsets; they sum to v(all).

    Args:
        agrees: A of each completion.
        terms: Values by term, at most twelve.
        weights: Weight by term.
        strength: b.
    """
    names = tuple(terms)
    n = len(names)
    if n > _EXACT_TERMS:
        raise StatisticsError(
            "There are too many terms for exact Shapley values",
            allowed=f"at most {_EXACT_TERMS} terms",
            given=str(n),
            next_step="use marginal_gaps, or sum related terms first",
        )
    gaps = {
        subset: _gap_of(agrees, terms, weights, subset, strength)
        for size in range(n + 1)
        for subset in itertools.combinations(names, size)
    }
    values = dict.fromkeys(names, 0.0)
    for subset, gap in gaps.items():
        for name in names:
            if name in subset:
                before = gaps[_without(subset, name)]
                share = 1 / (n * math.comb(n - 1, len(subset) - 1))
                values[name] += share * (gap - before)
    return values


def optimized_share(share: float, gap: float, strength: float, penalty: float = 0.0) -> float:
    """P_b(A = 1) = p m1 / (p m1 + (1 - p) m0), the reward of agreement lowered by a penalty.

    Args:
        share: p, the reference's share of agreement.
        gap: G at this strength.
        strength: b.
        penalty: lambda, subtracted from the reward of agreement (arXiv 2602.01002).
    """
    _check_strength(strength)
    _check_finite("A gap or a penalty", (gap, penalty))
    if not 0 <= share <= 1:
        raise StatisticsError(
            "A share of agreement is out of range",
            allowed="0 to 1",
            given=repr(share),
            next_step="divide the completions that agree by all of the prompt",
        )
    if share in (0.0, 1.0):
        return share
    odds = math.log(share / (1 - share)) + strength * (gap - penalty)
    return 1 / (1 + math.exp(-odds)) if odds > 0 else math.exp(odds) / (1 + math.exp(odds))


def counterweight_of(
    shares: Sequence[float], gaps: Sequence[float], strength: float
) -> tuple[float, float]:
    """The smallest penalties on agreement that undo the tilt: for the mean, and for every prompt.

    lambda_mean: the least lambda >= 0 with mean_x P_b(A = 1) <= mean_x p, by bisection (our
    design). lambda_max: max_x max(0, G(x)) (arXiv 2602.01002).

    Args:
        shares: p of each prompt on which agreeing is wrong.
        gaps: G of each.
        strength: b.

    Returns:
        lambda_mean and lambda_max.
    """
    if not shares or len(shares) != len(gaps):
        raise StatisticsError(
            "A counterweight needs a share and a gap from each prompt",
            allowed="two lists of one length, not empty",
            given=f"{len(shares)} shares, {len(gaps)} gaps",
            next_step="give prompts on which agreeing is wrong, with both kinds of completions",
        )
    aim = math.fsum(shares) / len(shares)
    most = max(0.0, *gaps) if len(gaps) > 1 else max(0.0, gaps[0])

    def mean_share(penalty: float) -> float:
        pairs = zip(shares, gaps, strict=True)
        return math.fsum(optimized_share(p, g, strength, penalty) for p, g in pairs) / len(gaps)

    low, high = 0.0, most
    if mean_share(0.0) <= aim:
        return 0.0, most
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if mean_share(middle) > aim else (low, middle)
    return high, most


def _gap_of(
    agrees: Sequence[int],
    terms: Mapping[str, Sequence[float]],
    weights: Mapping[str, float],
    names: tuple[str, ...],
    strength: float,
) -> float:
    return log_gap(agrees, _total(terms, weights, names), strength) if names else 0.0


def _total(
    terms: Mapping[str, Sequence[float]], weights: Mapping[str, float], names: tuple[str, ...]
) -> list[float]:
    for name in names:
        _check_finite(f"A value or the weight of the term {name!r}", (weights[name], *terms[name]))
    columns = [[weights[name] * value for value in terms[name]] for name in names]
    return [math.fsum(row) for row in zip(*columns, strict=True)]


def _without(names: tuple[str, ...], name: str) -> tuple[str, ...]:
    return tuple(each for each in names if each != name)


def _split(agrees: Sequence[int], rewards: Sequence[float]) -> tuple[list[float], list[float]]:
    if len(agrees) != len(rewards) or any(agree not in (0, 1) for agree in agrees):
        raise StatisticsError(
            "Completions and their agreement do not match",
            allowed="1 where the user's stance is adopted, 0 where not, one for each reward",
            given=f"{len(agrees)} entries for {len(rewards)} rewards: {[*agrees]!r}"[:80],
            next_step="label each completion, and leave out those that cannot be labelled",
        )
    _check_finite("A reward", rewards)
    pairs = list(zip(agrees, rewards, strict=True))
    yes = [reward for agree, reward in pairs if agree]
    no = [reward for agree, reward in pairs if not agree]
    if not yes or not no:
        raise StatisticsError(
            "A tilt needs completions that agree and completions that do not",
            allowed="at least one of each for a prompt",
            given=f"{len(yes)} that agree, {len(no)} that do not",
            next_step="steer some completions, or leave the prompt out and count it",
        )
    return yes, no


def _check_finite(what: str, values: Sequence[float]) -> None:
    for value in values:
        if not isinstance(value, int | float) or not math.isfinite(value):
            raise StatisticsError(
                f"{what} is no finite number",
                allowed="finite numbers",
                given=repr(value),
                next_step="leave completions without a reward out, and count them",
            )


def _check_strength(strength: float) -> None:
    if not 0 < strength < math.inf:
        raise StatisticsError(
            "The optimization strength is not above 0",
            allowed="a finite number above 0: one over the weight of the divergence penalty",
            given=repr(strength),
            next_step=f"use one of {', '.join(f'{each:g}' for each in STRENGTHS)}",
        )


def _log_mean_exp(rewards: Sequence[float], strength: float) -> float:
    top = max(strength * reward for reward in rewards)
    total = math.fsum(math.exp(strength * reward - top) for reward in rewards)
    return top + math.log(total / len(rewards))


def _covariance(one: Sequence[float], other: Sequence[float]) -> float:
    n = len(one)
    mean_one, mean_other = math.fsum(one) / n, math.fsum(other) / n
    return math.fsum((a - mean_one) * (b - mean_other) for a, b in zip(one, other, strict=True)) / n
