"""An effect read by a judge, corrected with human labels that were drawn at random."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from unswayed.errors import ReadoutError
from unswayed.readouts.certificate import ARM_GAP
from unswayed.stats.estimate import Estimate
from unswayed.stats.judged import (
    JudgeQuality,
    LabelTotals,
    label_totals,
    predict_powered,
    rogan_gladen,
)
from unswayed.stats.rates import wilson
from unswayed.stats.ratio import ratio_effect

Arm = Literal["pressured", "control"]


class JudgedPair(msgspec.Struct, frozen=True, kw_only=True):
    """One pressured replay and its control, both read by a judge."""

    item: str
    """The item, the unit of inference."""
    pressured_id: str
    """Id of the pressured replay, under which its label stands."""
    control_id: str
    """Id of the control, under which its label stands."""
    pressured: bool
    """Whether the judge sees the event, such as a wrong answer, in the pressured replay."""
    control: bool
    """Whether the judge sees it in the control."""


class Label(msgspec.Struct, frozen=True, kw_only=True):
    """A human's word about one replay."""

    event: bool
    """Whether the event is there."""
    inclusion: float
    """The known probability with which the replay was drawn for labeling; 0 for picks."""


class CorrectedEffect(msgspec.Struct, frozen=True, kw_only=True):
    """An effect as the judge sees it, and as the labels correct it."""

    raw: Estimate
    """Pressured minus control as the judge reads them."""
    corrected: Estimate
    """The same, made unbiased by the labels; without a number below 30 labeled items."""
    rates: dict[str, Estimate]
    """By arm: the rate behind the judge's rate (Rogan-Gladen), where labels allow it."""
    sensitivity: dict[str, Estimate]
    """By arm: share of the labeled events that the judge sees."""
    specificity: dict[str, Estimate]
    """By arm: share of the labeled non-events that the judge lets pass."""
    notes: tuple[str, ...]
    """What must stand beside the numbers."""


def corrected_effect(pairs: Sequence[JudgedPair], labels: Mapping[str, Label]) -> CorrectedEffect:
    """Correct a judge's effect with human labels drawn with known probability.

    The corrected effect is the clustered prediction-powered estimate of
    `unswayed.stats.judged.predict_powered` (arXiv 2301.09633, 2311.01453) with signs +1 for
    pressured and -1 for control rows; it is unbiased whatever the judge. Each arm's rate beside it
    is that of Rogan and Gladen (1978) with sensitivity and specificity of its own arm, because a
    judge whose sensitivity differs by arm makes or hides effects. Labels with inclusion 0 were
    picked, not drawn, and are not used.

    Args:
        pairs: Pairs in which the judge has read both replays.
        labels: Labels by replay id.

    Raises:
        ReadoutError: When there is no pair.
    """
    if not pairs:
        raise ReadoutError(
            "There is no effect to correct",
            allowed="at least one pair that the judge has read",
            given="none",
            next_step="read the run with the judge first",
        )
    numbers = {item: n for n, item in enumerate(dict.fromkeys(pair.item for pair in pairs))}
    sums, counts = [0.0] * len(numbers), [0.0] * len(numbers)
    for pair in pairs:
        sums[numbers[pair.item]] += float(pair.pressured) - float(pair.control)
        counts[numbers[pair.item]] += 1
    qualities: dict[str, JudgeQuality] = {arm: _quality(_rows(pairs, arm), labels) for arm in _ARMS}
    sensitivity = {arm: wilson(q.true_positives, q.positives) for arm, q in qualities.items()}
    specificity = {arm: wilson(q.true_negatives, q.negatives) for arm, q in qualities.items()}
    return CorrectedEffect(
        raw=ratio_effect(sums, counts),
        corrected=predict_powered(_totals(pairs, labels, numbers), len(pairs)),
        rates={arm: _rate(_rows(pairs, arm), qualities[arm]) for arm in _ARMS},
        sensitivity=sensitivity,
        specificity=specificity,
        notes=(*_gap("sensitivity", sensitivity), *_gap("specificity", specificity)),
    )


_ARMS: tuple[Arm, ...] = ("pressured", "control")


def _rows(pairs: Sequence[JudgedPair], arm: Arm) -> dict[str, bool]:
    """The judge's word on each replay of an arm; a control that serves many pairs counts once."""
    if arm == "pressured":
        return {pair.pressured_id: pair.pressured for pair in pairs}
    return {pair.control_id: pair.control for pair in pairs}


def _quality(rows: Mapping[str, bool], labels: Mapping[str, Label]) -> JudgeQuality:
    drawn = [
        (judged, labels[name].event)
        for name, judged in rows.items()
        if name in labels and labels[name].inclusion > 0
    ]
    return JudgeQuality(
        true_positives=sum(judged and event for judged, event in drawn),
        positives=sum(event for _, event in drawn),
        true_negatives=sum(not judged and not event for judged, event in drawn),
        negatives=sum(not event for _, event in drawn),
    )


def _rate(rows: Mapping[str, bool], quality: JudgeQuality) -> Estimate:
    return rogan_gladen(sum(rows.values()), len(rows), quality)


def _totals(
    pairs: Sequence[JudgedPair], labels: Mapping[str, Label], numbers: Mapping[str, int]
) -> LabelTotals:
    judged: list[float] = []
    events: list[float] = []
    inclusion: list[float] = []
    items: list[int] = []
    signs: list[float] = []
    for pair in pairs:
        for name, word, sign in (
            (pair.pressured_id, pair.pressured, 1.0),
            (pair.control_id, pair.control, -1.0),
        ):
            label = labels.get(name)
            judged.append(float(word))
            events.append(float(label.event) if label is not None else 0.0)
            inclusion.append(label.inclusion if label is not None else 0.0)
            items.append(numbers[pair.item])
            signs.append(sign)
    return label_totals(judged, events, inclusion, items, signs)


def _gap(name: str, by_arm: Mapping[str, Estimate]) -> tuple[str, ...]:
    first, second = (by_arm[arm].value for arm in _ARMS)
    if first is None or second is None or abs(first - second) <= ARM_GAP:
        return ()
    return (f"the judge's {name} differs by arm: pressured {first:.2f}, control {second:.2f}",)
