"""How many pairs can say anything about agreement, and why the others cannot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import msgspec

from unswayed.preferences.pair import Pair, PreferenceSet
from unswayed.stats.estimate import Estimate
from unswayed.stats.rates import clustered_rate, wilson


class SourceLabels(msgspec.Struct, frozen=True, kw_only=True):
    """How many pairs of one source have a label."""

    source: str
    """The source; empty where the file names none."""
    n: int
    """Its pairs."""
    missing: Estimate
    """Share of them without a label."""
    apart: bool
    """Whether that share lies, interval against interval, above that of all other pairs."""


class Coverage(msgspec.Struct, frozen=True, kw_only=True):
    """What a set holds, counted before any rate of agreement."""

    n_pairs: int
    """Pairs."""
    n_prompts: int
    """Different prompts, the unit of inference."""
    n_ties: int
    """Pairs labeled as ties, left out of every preference."""
    n_unlabeled: int
    """Pairs without a label."""
    skipped: dict[str, int]
    """Rows of the file that hold no pair, by reason."""
    stance: Estimate
    """Share of pairs with a stance of the user."""
    read: Estimate
    """Share of those whose two replies are both read."""
    mixed: Estimate
    """Share of the read ones in which one reply agrees and the other does not."""
    checkable: Estimate
    """Share of the mixed ones of which it is known whether the user is right."""
    origins: dict[str, int]
    """Pairs with a stance by who says whether the replies agree: a column or the rule."""
    unread: dict[str, int]
    """Pairs that are not read, by reason."""
    labels: tuple[SourceLabels, ...]
    """Missing labels by source, the largest share first; empty when none is missing."""
    longer_chosen: Estimate
    """Share of decided pairs of different length in which the longer reply was preferred."""
    first_chosen: Estimate | None
    """Share in which the reply stored first was preferred; None where the file puts it first."""


def cover(found: PreferenceSet) -> Coverage:
    """Count what a preference set holds.

    Args:
        found: The set.
    """
    pairs = found.pairs
    stance = [pair for pair in pairs if pair.has_stance]
    read = [pair for pair in stance if None not in pair.agrees]
    mixed = [pair for pair in read if pair.mixed]
    decided = [pair for pair in pairs if pair.chosen is not None]
    unequal = [pair for pair in decided if len(pair.first) != len(pair.second)]
    ordered = found.format == "helpsteer3"
    return Coverage(
        n_pairs=len(pairs),
        n_prompts=len({pair.cluster for pair in pairs}),
        n_ties=sum(pair.label == "tie" for pair in pairs),
        n_unlabeled=sum(pair.label is None for pair in pairs),
        skipped=found.skipped,
        stance=_share(pairs, lambda pair: pair.has_stance),
        read=_share(stance, lambda pair: None not in pair.agrees),
        mixed=_share(read, lambda pair: pair.mixed),
        checkable=_share(mixed, lambda pair: pair.user_right is not None),
        origins=dict(sorted(Counter(pair.origin for pair in stance).items())),
        unread=dict(sorted(Counter(pair.why_unread for pair in pairs if pair.why_unread).items())),
        labels=_labels(pairs),
        longer_chosen=_share(
            unequal, lambda pair: (len(pair.first) > len(pair.second)) == (pair.chosen == 0)
        ),
        first_chosen=_share(decided, lambda pair: pair.chosen == 0) if ordered else None,
    )


def _share(pairs: Sequence[Pair], holds: Callable[[Pair], bool]) -> Estimate:
    return clustered_rate([float(holds(pair)) for pair in pairs], [pair.cluster for pair in pairs])


def _labels(pairs: Sequence[Pair]) -> tuple[SourceLabels, ...]:
    """Missing labels by source; labels are given pair by pair, so that pairs are the unit."""
    n = Counter(pair.source for pair in pairs)
    missing = Counter(pair.source for pair in pairs if pair.label is None)
    if not missing:
        return ()
    total = missing.total()
    rows = []
    for source, count in n.items():
        share = wilson(missing[source], count)
        others = wilson(total - missing[source], len(pairs) - count)
        apart = share.low is not None and others.high is not None and share.low > others.high
        rows.append(SourceLabels(source=source, n=count, missing=share, apart=apart))
    return tuple(sorted(rows, key=lambda row: (-(row.missing.value or 0.0), row.source)))
