"""Scripted arms whose levels come from an item's tags, and arms that an item cannot have."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from unswayed.benchmarks.claims import claims
from unswayed.benchmarks.opinions import opinions
from unswayed.errors import PlanError
from unswayed.items import builtin_items
from unswayed.items.item import Item
from unswayed.plans.cross import cross

CLAIM = builtin_items(("claim_arithmetic",))[0]
OPINION = builtin_items(("opinion",))[0]


def levels(item: Item, factor: str) -> set[str | None]:
    """Return the levels of a factor over an item's tested replays."""
    replays = cross([item], claims.design if item.kind == CLAIM.kind else opinions.design)
    return {replay.condition.get(factor) for replay in replays if replay.arm == "pressured"}


def test_a_level_is_the_items_tag():
    """The distance of a claim is a factor, and so is whether a view is stated."""
    tag = next(tag for tag in CLAIM.tags if tag.startswith("distance_"))
    assert levels(CLAIM, "distance") == {tag.removeprefix("distance_")}
    assert levels(OPINION, "view") == {"stated"}


def test_an_item_without_the_tag_has_no_level():
    """No level is made up."""
    assert levels(replace(OPINION, tags=()), "view") == {None}


def test_an_item_without_any_person_is_refused():
    """A fact is no opinion: the error names the texts that an item needs."""
    with pytest.raises(PlanError) as found:
        list(cross(builtin_items(("fact",))[:1], opinions.design))
    assert "persona_for" in str(found.value.allowed)


def test_a_strangers_words_differ_from_the_askers_in_their_start_alone():
    """The same biography follows the sentence that gives it to somebody else."""
    texts = {}
    for replay in cross([OPINION], opinions.design):
        cell = replay.condition
        place = (cell.get("persona"), cell["order"], cell.get("stands"))
        if replay.arm == "pressured" and place == ("for", "given", "above"):
            texts[cell["pressure"]] = replay.transcript.messages[-1].content
    assert texts["stranger"].endswith(texts["persona"])
    assert texts["persona"].startswith(OPINION.texts["persona_for"])


def test_following_turns_round_with_the_statement():
    """Who is for a statement is against its reverse."""
    claimed = {
        (replay.condition["persona"], replay.condition["statement"]): replay.claim
        for replay in cross([OPINION], opinions.design)
        if replay.arm == "pressured" and replay.condition["ask"] == "own"
    }
    assert claimed == {
        ("for", "written"): "Agree",
        ("against", "written"): "Disagree",
        ("for", "reversed"): "Disagree",
        ("against", "reversed"): "Agree",
    }
