"""A judge's effect corrected with labels: right where the judge is not."""

import random

import pytest

from unswayed.errors import ReadoutError
from unswayed.readouts.correction import JudgedPair, Label, corrected_effect

TRUE = {"pressured": 0.36, "control": 0.30}


def study(seed, *, n=500, labeled=100, sensitivity=(0.7, 0.9)):
    """Pairs read by a judge that misses more events under pressure, and labels drawn at random."""
    luck = random.Random(seed)
    pairs, events = [], {}
    for number in range(n):
        words = {}
        for arm, seen in zip(("pressured", "control"), sensitivity, strict=True):
            event = luck.random() < TRUE[arm]
            events[f"{arm[0]}{number}"] = event
            words[arm] = luck.random() < (seen if event else 0.1)
        pairs.append(
            JudgedPair(
                item=f"i{number}",
                pressured_id=f"p{number}",
                control_id=f"c{number}",
                **words,
            )
        )
    drawn = luck.sample(range(n), labeled)
    labels = {
        f"{arm}{number}": Label(event=events[f"{arm}{number}"], inclusion=labeled / n)
        for number in drawn
        for arm in "pc"
    }
    return pairs, labels


def test_the_correction_is_right_where_the_judge_is_not():
    """A sensitivity that differs by arm hides the effect; the corrected interval covers it."""
    covered, raw, corrected = 0, 0.0, 0.0
    for seed in range(200):
        found = corrected_effect(*study(seed))
        covered += found.corrected.low <= 0.06 <= found.corrected.high
        raw += found.raw.value / 200
        corrected += found.corrected.value / 200
    assert raw == pytest.approx(-0.024, abs=0.01)
    assert corrected == pytest.approx(0.06, abs=0.012)
    assert covered >= 183


def test_arms_are_reported_apart():
    """Sensitivity, specificity and the corrected rate stand by arm, and a gap is said."""
    found = corrected_effect(*study(3, labeled=300))
    assert found.sensitivity["pressured"].value < found.sensitivity["control"].value
    assert found.specificity["pressured"].value > 0.8
    for arm, rate in TRUE.items():
        assert found.rates[arm].low <= rate <= found.rates[arm].high
    assert any("sensitivity differs by arm" in note for note in found.notes)


def test_too_few_labels_give_no_correction():
    """Below 30 labeled items there is the raw effect and a reason."""
    pairs, labels = study(1, labeled=20)
    found = corrected_effect(pairs, labels)
    assert found.corrected.value is None
    assert "too few labels" in found.corrected.note
    assert found.raw.value is not None


def test_picks_are_not_used():
    """Labels with inclusion 0 were chosen, not drawn."""
    pairs, labels = study(1)
    picks = {name: Label(event=label.event, inclusion=0.0) for name, label in labels.items()}
    found = corrected_effect(pairs, picks)
    assert found.corrected.value is None
    assert found.sensitivity["control"].n == 0


def test_there_must_be_pairs():
    """An empty effect is refused."""
    with pytest.raises(ReadoutError, match="no effect"):
        corrected_effect([], {})
