"""Factors and levels in words: nothing that people read shows a raw level name."""

from __future__ import annotations

import pytest

from unswayed.plans.audited import Differing
from unswayed.plans.check import compare_levels
from unswayed.plans.design import FACTORS, Design
from unswayed.plans.words import name_level, name_pair, name_setting


@pytest.mark.parametrize("factor", FACTORS)
def test_no_level_keeps_an_underscore(factor: str):
    """Every level of every factor has words without underscores, alone and in a pair."""
    for level in FACTORS[factor] or ("social_proof", "planted_kind"):
        assert "_" not in name_pair(factor, level, level) or factor == "wording"
        assert "_" not in name_level(factor, level) or factor == "wording"


def test_a_pair_says_its_factor_once():
    """The factor stands before its two levels, and not again in each of them."""
    assert name_pair("names", "target", "nothing") == (
        "what the line names: a wrong answer against no answer"
    )
    assert str(Differing(factor="format", low="question", high="none")) == (
        "place of the format line (in question against no instruction)"
    )


def test_a_setting_reads_as_a_list():
    """The levels of a cell stand in its order."""
    setting = {"pressure": "social_proof", "names": "target", "first": "planted_right"}
    assert name_setting(setting) == "social proof, names a wrong answer, planted right answer"


def test_comparisons_of_a_design_are_in_words():
    """Notes on restricted and confounded comparisons name levels as the report does."""
    design = Design(
        listed=True,
        cells=({"names": "target", "placement": "after"}, {"names": "nothing"}),
        names=("target", "nothing"),
        placements=("before", "after"),
    )
    said = " ".join(map(str, compare_levels(tuple(design.arms()))))
    assert "what the line names: a wrong answer against no answer is compared on" in said


@pytest.mark.parametrize("level", [*FACTORS["format"]])
def test_a_place_of_the_format_line_says_what_stands_there(level: str):
    """A row that is labelled by the level alone names the format line; a pair names it once."""
    assert "format line" in name_level("format", level)
    assert name_pair("format", level, level).count("format line") == 1
