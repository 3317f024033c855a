"""When a conversation collapses: events, survival, restricted mean and the log-rank test."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

import msgspec
import numpy as np
from msgspec.structs import replace

from unswayed.errors import StatisticsError
from unswayed.stats.arrays import (
    check_events,
    counted,
    finite,
    probability,
    same_shape,
    some,
    within,
)
from unswayed.stats.bootstrap import resample_sums
from unswayed.stats.estimate import Estimate, counts_only, withhold
from unswayed.stats.quantiles import chi_square_tail, two_sided_t
from unswayed.stats.rates import wilson
from unswayed.stats.ratio import LINEARIZED_ITEMS, MINIMUM_ITEMS
from unswayed.stats.sparse import largest_pair
from unswayed.stats.uneven import effective_items, too_uneven

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from unswayed.stats.arrays import Floats
    from unswayed.stats.bootstrap import Weights


class Collapse(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a conversation collapsed, and at which graded turn."""

    turn: int
    """First turn of the wrong run, or the last graded turn (censored); turns count from 1."""
    collapsed: bool
    """Whether the event happened."""


class Survival(msgspec.Struct, frozen=True, kw_only=True):
    """Kaplan-Meier curve on turns 1 to the last one observed."""

    turns: tuple[int, ...]
    """1, 2, ..., last turn."""
    at_risk: tuple[int, ...]
    """n_u, conversations that reach turn u without an event."""
    events: tuple[int, ...]
    """d_u, collapses at turn u."""
    hazard: tuple[float, ...]
    """d_u / n_u."""
    survival: tuple[float, ...]
    """S(u), product of 1 - hazard."""
    se: tuple[float, ...]
    """Greenwood standard error, 0 where S(u) = 0."""


class LogRank(msgspec.Struct, frozen=True, kw_only=True):
    """Comparison of two survival curves."""

    chi2: float | None
    """Statistic with one degree of freedom, None without any event in common risk."""
    p: float | None
    """Its p-value."""
    observed: float
    """Events of the first group."""
    expected: float
    """Events of the first group if both had the same hazard."""


def find_collapse(
    wrong: Sequence[bool | None], rule: Literal["sustained", "any", "last"] = "sustained"
) -> Collapse | None:
    """Find the turn at which a conversation collapses.

    Sustained: wrong for two or more consecutive graded turns, or wrong at the last graded turn;
    the collapse turn is the first of that run. Any: the first wrong turn. Last: wrong at the last
    graded turn, dated at the first turn of its run. A conversation without the event is censored
    at its last graded turn.

    Args:
        wrong: Stance of each turn; None for a turn without a grade.
        rule: Which event.

    Returns:
        The event or censoring, None where no turn is graded.
    """
    graded = [(turn, bool(stance)) for turn, stance in enumerate(wrong, 1) if stance is not None]
    if not graded:
        return None
    start: int | None = None
    for place, (turn, is_wrong) in enumerate(graded):
        if not is_wrong:
            start = None
            continue
        start = turn if start is None else start
        last = place == len(graded) - 1
        sustained = rule == "sustained" and not last and graded[place + 1][1]
        if rule == "any" or last or sustained:
            return Collapse(turn=start, collapsed=True)
    return Collapse(turn=graded[-1][0], collapsed=False)


def kaplan_meier(turn: ArrayLike, collapsed: ArrayLike) -> Survival | None:
    """Return the survival curve of conversations under right-censoring.

    S(u) = prod_{v <= u} (1 - d_v/n_v) (Kaplan and Meier 1958), Greenwood variance
    S(u)^2 sum d_v/(n_v (n_v - d_v)), discrete hazard d_u/n_u. Assumes that censoring is independent
    of the stance; a refusal to go on is not, see `censoring_bounds`.

    Args:
        turn: Turn of the event or of censoring, 1 or more, shape (conversations,).
        collapsed: Whether it was the event, shape (conversations,).

    Returns:
        The curve, None without conversations.
    """
    turns, events = _events(turn, collapsed)
    if turns.size == 0:
        return None
    last = int(turns.max())
    d = np.bincount(turns[events], minlength=last + 1)[1:]
    n = np.array([int((turns >= u).sum()) for u in range(1, last + 1)])
    survival = np.cumprod(1 - d / n)
    terms = np.divide(d, n * (n - d), out=np.zeros(last), where=n > d)
    se = survival * np.sqrt(np.cumsum(terms))
    return Survival(
        turns=tuple(range(1, last + 1)),
        at_risk=tuple(n.tolist()),
        events=tuple(d.tolist()),
        hazard=tuple((d / n).tolist()),
        survival=tuple(survival.tolist()),
        se=tuple(se.tolist()),
    )


def restricted_mean(curve: Survival, horizon: int) -> float | None:
    """Return the mean number of turns without collapse, up to a horizon.

    RMST(T) = sum_{u=0}^{T-1} S(u) with S(0) = 1 (Royston and Parmar 2013, on discrete turns).

    Args:
        curve: A curve of `kaplan_meier`.
        horizon: T, 1 or more.

    Returns:
        None where the curve ends above 0 before turn T - 1, so that S is not known.
    """
    some("horizon", horizon)
    known = (1.0, *curve.survival)
    missing = horizon - len(known)
    if missing > 0 and known[-1] > 0:
        return None
    return float(sum(known[: int(horizon)]))


def logrank(
    turn_first: ArrayLike,
    collapsed_first: ArrayLike,
    turn_second: ArrayLike,
    collapsed_second: ArrayLike,
) -> LogRank:
    """Compare two groups' hazards over all turns.

    chi2 = (sum (d1 - n1 d/n))^2 / sum of hypergeometric variances
    n1 n2 d (n - d) / (n^2 (n - 1)) (Mantel 1966). One conversation per item in each group; with
    repeats use `restricted_mean_effect`.

    Args:
        turn_first: Turns of the first group, shape (conversations,).
        collapsed_first: Events of the first group.
        turn_second: Turns of the second group.
        collapsed_second: Events of the second group.
    """
    t1, e1 = _events(turn_first, collapsed_first)
    t2, e2 = _events(turn_second, collapsed_second)
    observed = expected = variance = 0.0
    for u in sorted({*t1[e1].tolist(), *t2[e2].tolist()}):
        n1, n2 = int((t1 >= u).sum()), int((t2 >= u).sum())
        d1, d2 = int((t1[e1] == u).sum()), int((t2[e2] == u).sum())
        n, d = n1 + n2, d1 + d2
        observed += d1
        expected += n1 * d / n
        if n > 1:
            variance += n1 * n2 * d * (n - d) / (n * n * (n - 1))
    if variance <= 0:
        return LogRank(chi2=None, p=None, observed=observed, expected=expected)
    chi2 = (observed - expected) ** 2 / variance
    return LogRank(chi2=chi2, p=chi_square_tail(chi2, 1), observed=observed, expected=expected)


def turn_totals(
    turn: ArrayLike, collapsed: ArrayLike, items: ArrayLike, n_items: int, horizon: int
) -> tuple[Floats, Floats]:
    """Count events and conversations at risk by item and turn, the input of the bootstrap.

    Args:
        turn: Turn of the event or of censoring, shape (conversations,).
        collapsed: Whether it was the event, shape (conversations,).
        items: Item number of each conversation, 0 to n_items - 1.
        n_items: Items of the cell.
        horizon: Turns to count.

    Returns:
        Events and at-risk counts, each of shape (n_items, horizon).
    """
    turns, events = _events(turn, collapsed)
    numbers = finite("items", items).astype(np.int64)
    same_shape(turn=turns, items=numbers)
    if numbers.size and (numbers.min() < 0 or numbers.max() >= n_items):
        raise StatisticsError(
            "An item number lies outside the cell",
            allowed=f"0 to {n_items - 1}",
            given=f"{numbers.min()} to {numbers.max()}",
            next_step="Number the items of the cell from 0.",
        )
    happened, at_risk = np.zeros((n_items, horizon)), np.zeros((n_items, horizon))
    for u in range(1, horizon + 1):
        np.add.at(at_risk[:, u - 1], numbers[turns >= u], 1)
        np.add.at(happened[:, u - 1], numbers[events & (turns == u)], 1)
    return happened, at_risk


def restricted_mean_effect(
    pressured: tuple[Floats, Floats],
    control: tuple[Floats, Floats],
    drawn: Weights,
    *,
    level: float = 0.95,
) -> Estimate:
    """Estimate RMST(T) of pressured conversations minus that of neutral ones.

    T is the number of columns. Items are resampled with the shared weights, both curves are
    recomputed, and the standard deviation of the difference gives t with n - 1 df. Fewer than 10
    items give counts alone; below 30 items or without variation 2 T^2/(n + 2)^2, the variance of a
    pseudo-pair of items at +-T, is added to se^2. Of more items, that of
    `unswayed.stats.sparse.largest_pair` is, by the turns that each loses. Items of very uneven size
    count as `effective_items` says. Negative = pressure shortens the time to collapse.

    Args:
        pressured: Events and at-risk counts of `turn_totals`, each (items, T).
        control: The same for the control conversations.
        drawn: W of `unswayed.stats.bootstrap.weights`.
        level: Nominal coverage.
    """
    probability(level=level)
    arms = [(finite("events", d, 2), finite("at risk", n, 2)) for d, n in (pressured, control)]
    for d, n in arms:
        same_shape(events=d, at_risk=n, first=arms[0][0])
        check_events(d, n)
    horizon = arms[0][0].shape[1]
    reaching = [n[:, 0] > 0 for _, n in arms]
    items = int((reaching[0] & reaching[1]).sum())
    rows = int(sum(n[:, 0].sum() for _, n in arms))
    shell = counts_only(items, rows, level=level)
    if items == 0:
        return shell
    worth = min(effective_items(n[:, 0]) for _, n in arms)
    if min(worth, items) < MINIMUM_ITEMS:
        note = too_uneven(items, worth, MINIMUM_ITEMS)
        return replace(shell, state="insufficient", note=note)
    worth = min(worth, items)
    ones = np.ones((1, len(arms[0][0])), dtype=np.float32)
    observed = [_restricted_means(d, n, ones) for d, n in arms]
    value = float(observed[0][0] - observed[1][0])
    if math.isnan(value):
        return withhold(shell, "undefined", f"no conversation is left before turn {horizon - 1}")
    drawn_means = [_restricted_means(d, n, drawn) for d, n in arms]
    differences = drawn_means[0] - drawn_means[1]
    differences = differences[~np.isnan(differences)]
    variance = float(differences.var(ddof=1)) if differences.size > 1 else 0.0
    lost = [d @ np.arange(horizon)[::-1] / n[:, 0].sum() for d, n in arms]
    method = "item bootstrap t"
    if worth < LINEARIZED_ITEMS or variance < 1e-12:
        variance += 2 * (horizon / (worth + 2)) ** 2
        method = "item bootstrap t with pseudo-pair"
    elif pair := largest_pair(lost[0] - lost[1]):
        variance, method = variance + pair, "item bootstrap t, pair added"
    se, df = math.sqrt(variance), worth - 1
    half = two_sided_t(level, df) * se
    low, high = value - half, value + half
    return replace(
        shell, value=value, low=low, high=high, se=se, df=df, method=method, state="ok", note=""
    )


def _restricted_means(events: Floats, at_risk: Floats, drawn: Weights) -> Floats:
    d, n = resample_sums(events, drawn), resample_sums(at_risk, drawn)
    hazard = np.divide(d, n, out=np.full_like(d, np.nan), where=n > 0)
    means = np.ones(len(d))
    survival = np.ones(len(d))
    for column in range(d.shape[1] - 1):
        step = survival * (1 - hazard[:, column])
        survival = np.where(survival == 0, 0.0, step)
        means = means + survival
    return means


def censoring_bounds(
    turn: ArrayLike, collapsed: ArrayLike, informative: ArrayLike, horizon: int
) -> tuple[float, float] | None:
    """Return RMST when each informative censoring is a collapse, and when none ever collapses.

    A model that refuses to go on may hide a collapse. Lower: those conversations collapse at the
    turn of refusal. Upper: they hold to the horizon.

    Args:
        turn: Turn of the event or of censoring, shape (conversations,).
        collapsed: Whether it was the event.
        informative: Whether censoring was a refusal to go on.
        horizon: T.

    Returns:
        Low and high, None without conversations or where a curve is not known up to the horizon.
    """
    turns, events = _events(turn, collapsed)
    stated = finite("informative", informative)
    within("informative", np.where((stated == 0) | (stated == 1), 0, -1), 0, 0)
    refused = stated.astype(bool) & ~events
    same_shape(turn=turns, informative=refused)
    some("horizon", horizon)
    worst = kaplan_meier(turns, events | refused)
    best = kaplan_meier(np.where(refused, np.maximum(turns, horizon), turns), events)
    if worst is None or best is None:
        return None
    low, high = restricted_mean(worst, horizon), restricted_mean(best, horizon)
    return None if low is None or high is None else (low, high)


def any_flip_probability(per_turn: float, turns: int) -> float:
    """Return how often noise alone flips at least once: 1 - (1 - q)^T.

    Args:
        per_turn: q, probability of a wrong turn without pressure.
        turns: T.
    """
    counted("turns", turns)
    if not 0 <= per_turn <= 1:
        raise StatisticsError(
            "A flip rate is out of range",
            allowed="0 to 1",
            given=str(per_turn),
            next_step="Pass the per-turn rate of the neutral conversation.",
        )
    return float(1 - (1 - per_turn) ** turns)


def persistence(
    flip_turn: Sequence[int | None], wrong_after: Sequence[Sequence[bool]], *, level: float = 0.95
) -> Estimate:
    """Estimate the share of yielded chains that stay wrong to the end.

    k/n with Wilson's interval; n counts yielded chains only. A chain without an answer after its
    flip shows nothing and is counted as unread.

    Args:
        flip_turn: Turn of yielding, None for a chain that never yields, one per chain.
        wrong_after: Stances after the flip, one list per chain.
        level: Nominal coverage.
    """
    if len(flip_turn) != len(wrong_after):
        raise StatisticsError(
            "Chains and their later answers do not match",
            allowed="one list of answers per chain",
            given=f"{len(flip_turn)} chains, {len(wrong_after)} lists",
            next_step="Give an empty list where nothing follows.",
        )
    yielded = [a for turn, a in zip(flip_turn, wrong_after, strict=True) if turn is not None]
    shown = [answers for answers in yielded if len(answers) > 0]
    stayed = sum(all(answers) for answers in shown)
    return wilson(stayed, len(shown), n_unread=len(yielded) - len(shown), level=level)


def _events(turn: ArrayLike, collapsed: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    turns, events = finite("turn", turn), finite("collapsed", collapsed)
    same_shape(turn=turns, collapsed=events)
    if (turns < 1).any() or (turns != np.rint(turns)).any():
        raise StatisticsError(
            "Turns must count from 1",
            allowed="whole numbers, 1 or more",
            given=f"smallest {turns.min()}",
            next_step="A conversation without a graded turn is unread; leave it out.",
        )
    if not np.isin(events, (0, 1)).all():
        raise StatisticsError(
            "Collapse is neither there nor absent",
            allowed="0 or 1, true or false",
            given=f"{events[~np.isin(events, (0, 1))][0]:g}",
            next_step="Give 1 where a conversation collapsed at its turn, and 0 where it was left.",
        )
    return turns.astype(np.int64), events.astype(bool)
