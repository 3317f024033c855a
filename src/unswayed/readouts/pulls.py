"""What moves a judge's scale: tone and length, which must not, and the verdict, which must.

The audit of graders of Isley et al. (arXiv 2609.26579) with a verdict effect as positive control,
which is our design: without it a judge that reads nothing passes as steady.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
import numpy as np

from unswayed.readouts.anchors import Anchor
from unswayed.readouts.judge import Judge
from unswayed.stats.contrasts import contrast_effect
from unswayed.stats.estimate import Estimate, counts_only
from unswayed.stats.multiplicity import show_equivalence
from unswayed.stats.paired import paired_difference

MARGIN = 0.05
"""Largest effect of tone or length that counts as none, as a share of the scale's range."""


class Pull(msgspec.Struct, frozen=True, kw_only=True):
    """How far one thing moves a judge, in units of its scale's range."""

    what: str
    """What differs between the two sides, such as `warm less cold`."""
    estimate: Estimate
    """Mean movement over the known replies."""
    finding: str
    """`shown absent`, `shown present` or `not shown`, at the margin."""


class Pulls(msgspec.Struct, frozen=True, kw_only=True):
    """The audit of a scale: T, L and V, and what they say together."""

    margin: float
    """Largest effect that counts as none."""
    tone: Pull
    """T: one hand-written rewrite less the other, at the same verdict."""
    length: Pull | None
    """L: the lengthened reply less the plain one; None where length may count."""
    verdict: Pull
    """V: known replies above the middle of the scale less those below it, over both rewrites."""
    confound: float | None
    """T / V; None where the interval of V reaches 0."""
    finding: str
    """What the audit shows, in words."""


def pulls_of(
    judge: Judge, known: Sequence[Anchor], passes: Mapping[str, Sequence[str | None]]
) -> Pulls | None:
    """Return what moves a judge's scale; None for a judge without one or without two rewrites.

    T = mean_i [g_i(one rewrite) - g_i(other)], L = mean_i [g_i(longer) - g_i(plain)],
    V = mean g over replies known to lie above the middle - mean g over those below, with g the mean
    over both rewrites. All are divided by the range (arXiv 2609.26579). An exact judge whose known
    replies fill the scale evenly has V below 1, because they do not all lie at its ends.

    Args:
        judge: The judge.
        known: Its known replies.
        passes: Verdicts by kind of rewrite, `plain` among them, in the order of the replies.
    """
    if not judge.scale or len(judge.invariant) < 2:
        return None
    one, other = judge.invariant[:2]
    scored = {kind: [_worth(judge, value) for value in values] for kind, values in passes.items()}
    tone = _pull(f"{one} less {other}", _difference(scored[one], scored[other]))
    length = None
    if "longer" in judge.reshaped:
        length = _pull("longer less plain", _difference(scored["longer"], scored["plain"]))
    verdict = _pull(
        "above the middle less below", _verdict(judge, known, scored[one], scored[other])
    )
    apart = verdict.estimate.low is not None and verdict.estimate.low > 0
    confound = None
    if apart and tone.estimate.value is not None and verdict.estimate.value:
        confound = tone.estimate.value / verdict.estimate.value
    return Pulls(
        margin=MARGIN,
        tone=tone,
        length=length,
        verdict=verdict,
        confound=confound,
        finding=_finding(tone, length, verdict),
    )


def _finding(tone: Pull, length: Pull | None, verdict: Pull) -> str:
    low = verdict.estimate.low
    others = [("tone", tone), *([("length", length)] if length else [])]
    faults = [f"it moves with {name}" for name, pull in others if pull.finding == "shown present"]
    if low is None or low <= MARGIN:
        faults.append("it is not shown to move with the verdict")
    if faults:
        return f"fails: {', and '.join(faults)}"
    unsure = [name for name, pull in others if pull.finding == "not shown"]
    if unsure:
        return f"moves with the verdict; {' and '.join(unsure)} not shown inside the margin"
    return "passes: it moves with the verdict and with nothing else"


def _worth(judge: Judge, value: str | None) -> float | None:
    """A rating as a share of the range; None where it is none."""
    if value not in judge.ratings or value is None:
        return None
    steps = [int(rating) for rating in judge.ratings]
    return (int(value) - min(steps)) / (max(steps) - min(steps))


def _difference(first: Sequence[float | None], second: Sequence[float | None]) -> Estimate:
    pairs = [(a, b) for a, b in zip(first, second, strict=True) if a is not None and b is not None]
    lost = len(first) - len(pairs)
    if not pairs:
        return counts_only(n_unread=lost)
    return paired_difference([a for a, _ in pairs], [b for _, b in pairs], n_unread=lost)


def _verdict(
    judge: Judge,
    known: Sequence[Anchor],
    first: Sequence[float | None],
    second: Sequence[float | None],
) -> Estimate:
    rows, lost = [], 0
    for anchor, a, b in zip(known, first, second, strict=True):
        truth = _worth(judge, anchor.verdict)
        if truth is None or truth == 0.5:
            continue
        if a is None or b is None:
            lost += 1
            continue
        rows.append((truth > 0.5, (a + b) / 2))
    if not rows:
        return counts_only(n_unread=lost)
    high = np.array([above for above, _ in rows], dtype=np.float64)
    counts = np.stack([high, 1 - high], axis=1)
    sums = counts * np.array([[worth] for _, worth in rows])
    return contrast_effect(sums, counts, [1, -1], n_unread=lost)


def _pull(what: str, estimate: Estimate) -> Pull:
    return Pull(what=what, estimate=estimate, finding=show_equivalence(estimate, MARGIN))
