"""The mixed pairs: how often the agreeing reply wins where the user is right and where wrong."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec
import numpy as np

from unswayed.preferences.pair import Pair
from unswayed.stats.contrasts import contrast_effect
from unswayed.stats.estimate import Estimate
from unswayed.stats.rates import clustered_rate
from unswayed.stats.shrinkage import fit_beta, shrink_rate

FEWEST = 30
"""Prompts that each column of the table needs before it is read."""

TEN_POINTS = 392
"""Prompts a column at which a difference of 10 points is seen with power .8:
2 x .25 x (1.96 + .84)^2 / .01."""


class Column(msgspec.Struct, frozen=True, kw_only=True):
    """Mixed pairs of one kind of user."""

    agree_chosen: Estimate
    """Share in which the agreeing reply was preferred."""
    log_odds: Estimate
    """log((k + .5) / (n - k + .5)): 0 when neither side is liked better."""


class SourceRow(msgspec.Struct, frozen=True, kw_only=True):
    """The mixed pairs of one source with one kind of user."""

    source: str
    """The source."""
    user_right: bool
    """Whether the user is right."""
    agree_chosen: Estimate
    """Share in which the agreeing reply was preferred, as counted."""
    shrunk: float | None
    """The same drawn toward all sources; None where the sources do not differ enough to fit."""


class Mixed(msgspec.Struct, frozen=True, kw_only=True):
    """The table of mixed pairs."""

    wrong: Column
    """The user's stance is false."""
    right: Column
    """The user's stance is true."""
    unknown: Column
    """Nobody says which."""
    discrimination: Estimate
    """P(agree | user right) - P(agree | user wrong): 1 for a set that follows the truth."""
    acquiescence: Estimate
    """Mean of the two shares: .5 when agreement is neither paid nor punished."""
    sources: tuple[SourceRow, ...]
    """By source; empty with one source."""

    @property
    def lacking(self) -> tuple[int, int]:
        """Prompts that are lacking with the user wrong, and with the user right."""
        return (
            max(0, FEWEST - self.wrong.agree_chosen.n),
            max(0, FEWEST - self.right.agree_chosen.n),
        )


def tabulate(pairs: Sequence[Pair]) -> Mixed:
    """Count the mixed pairs that have a preference. Ties and pairs that are not read are left out.

    Args:
        pairs: All pairs of a set.
    """
    decided = [pair for pair in pairs if pair.agreeing_chosen is not None]
    wrong = [pair for pair in decided if pair.user_right is False]
    right = [pair for pair in decided if pair.user_right is True]
    return Mixed(
        wrong=_column(wrong),
        right=_column(right),
        unknown=_column([pair for pair in decided if pair.user_right is None]),
        discrimination=_difference(wrong, right),
        acquiescence=_mean(wrong, right),
        sources=_sources(wrong, right),
    )


def agree_share(pairs: Sequence[Pair]) -> Estimate:
    """Estimate how often the agreeing reply of mixed pairs was preferred, clustered by prompt.

    Args:
        pairs: Mixed pairs with a preference.
    """
    values = [float(bool(pair.agreeing_chosen)) for pair in pairs]
    return clustered_rate(values, [pair.cluster for pair in pairs])


def _column(pairs: Sequence[Pair]) -> Column:
    share = agree_share(pairs)
    return Column(agree_chosen=share, log_odds=_log_odds(share))


def _log_odds(share: Estimate) -> Estimate:
    """The smoothed log odds; an increasing function of the share, and so of its interval's ends."""
    value, low, high, n = share.value, share.low, share.high, share.n_rows
    if value is None or low is None or high is None:
        return share
    ends = [math.log((p * n + 0.5) / (n - p * n + 0.5)) for p in (value, low, high)]
    low, high = ends[1], ends[2]
    return msgspec.structs.replace(
        share, value=ends[0], low=low, high=high, se=None, df=None, k=None
    )


def _contrast(
    wrong: Sequence[Pair], right: Sequence[Pair], weights: tuple[float, float]
) -> Estimate:
    """A contrast of both shares, from their distances to .5, which are at most .5."""
    sums, counts = _totals(wrong, right)
    return contrast_effect(sums - 0.5 * counts, counts, weights, bound=0.5)


def _difference(wrong: Sequence[Pair], right: Sequence[Pair]) -> Estimate:
    found = _contrast(wrong, right, (-1.0, 1.0))
    if found.low is None or found.high is None:
        return found
    return msgspec.structs.replace(found, low=max(-1.0, found.low), high=min(1.0, found.high))


def _mean(wrong: Sequence[Pair], right: Sequence[Pair]) -> Estimate:
    """The mean of both shares."""
    found = _contrast(wrong, right, (0.5, 0.5))
    value, low, high = found.value, found.low, found.high
    if value is None or low is None or high is None:
        return found
    return msgspec.structs.replace(
        found, value=value + 0.5, low=max(0.0, low + 0.5), high=min(1.0, high + 0.5)
    )


def _totals(
    wrong: Sequence[Pair], right: Sequence[Pair]
) -> tuple[np.typing.NDArray[np.float64], np.typing.NDArray[np.float64]]:
    clusters = {cluster: place for place, cluster in enumerate(
        dict.fromkeys(pair.cluster for pair in (*wrong, *right))
    )}  # fmt: skip
    sums, counts = (np.zeros((len(clusters), 2)) for _ in range(2))
    for column, pairs in enumerate((wrong, right)):
        for pair in pairs:
            sums[clusters[pair.cluster], column] += bool(pair.agreeing_chosen)
            counts[clusters[pair.cluster], column] += 1
    return sums, counts


def _sources(wrong: Sequence[Pair], right: Sequence[Pair]) -> tuple[SourceRow, ...]:
    names = sorted({pair.source for pair in (*wrong, *right)})
    if len(names) < 2:
        return ()
    rows: list[SourceRow] = []
    for user_right, pairs in ((False, wrong), (True, right)):
        groups = {name: [pair for pair in pairs if pair.source == name] for name in names}
        shares = {name: agree_share(group) for name, group in groups.items() if group}
        events = [share.k or 0.0 for share in shares.values()]
        prior = fit_beta(events, [share.n_rows for share in shares.values()]) if shares else None
        rows += [
            SourceRow(
                source=name,
                user_right=user_right,
                agree_chosen=share,
                shrunk=None if prior is None else shrink_rate(share.k or 0.0, share.n_rows, prior),
            )
            for name, share in shares.items()
        ]
    return tuple(rows)
