"""The probe: a planted word is found and named, and chance stays chance."""

from __future__ import annotations

from unswayed.training.probe import Sample, probe


def test_a_planted_word_is_found_and_named():
    """A word that stands only where the user is right gives the rows away."""
    samples = [
        Sample(
            text=f"I think it is [claim]{' frankly' if n % 2 else ''}, said number {n % 7}",
            label=bool(n % 2),
            family=f"f{n // 4}",
        )
        for n in range(200)
    ]
    found = probe(samples)
    assert found is not None
    assert sum(hit for hit, _, _ in found.hits) == len(samples)
    assert any("frankly" in gram for gram in found.top[:3])


def test_balanced_lines_say_nothing():
    """The same lines with both labels in every family leave the probe without an opinion."""
    samples = [
        Sample(text=f"line {n % 9}", label=label, family=f"f{n}")
        for n in range(60)
        for label in (True, False)
    ]
    found = probe(samples)
    assert found is not None
    assert sum(hit for hit, _, _ in found.hits) == len(samples) / 2


def test_sides_of_pairs_are_told_by_their_difference():
    """A word that stands on the chosen side alone is found whichever side comes first."""
    samples = [
        Sample(
            text="yes indeed" if first else f"no {n % 5}",
            other=f"no {n % 5}" if first else "yes indeed",
            label=first,
            family=f"f{n}",
        )
        for n in range(80)
        for first in (bool(n % 2),)
    ]
    found = probe(samples)
    assert found is not None
    assert sum(hit for hit, _, _ in found.hits) > 0.95 * len(samples)


def test_too_little_is_none():
    """Few families or one label give no probe."""
    few = [Sample(text="a", label=bool(n % 2), family=f"f{n % 5}") for n in range(50)]
    one = [Sample(text="a", label=True, family=f"f{n}") for n in range(50)]
    assert probe(few) is None
    assert probe(one) is None
