"""Two named cells held against each other: foreign and broken designs of every known kind."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from msgspec.structs import replace

from unswayed.errors import UsageError
from unswayed.items.builtin import builtin_items
from unswayed.items.item import Item
from unswayed.plans.beside import Beside, hold_beside
from unswayed.plans.cross import cross
from unswayed.plans.design import Design
from unswayed.plans.plan import Replay
from unswayed.transcript import FORMAT, PRESSURE, QUESTION, Message, Part, Transcript

ITEMS: dict[str, Item] = {item.id: item for item in builtin_items(("fact",))[:4]}
BOTH = Design(
    listed=True,
    pressures=("authority",),
    wordings=2,
    placements=("before", "after"),
    formats=("question", "pushback"),
)
PLAN = tuple(cross(ITEMS.values(), BOTH))


def held(
    low: Mapping[str, str], high: Mapping[str, str], plan: tuple[Replay, ...] = PLAN
) -> Beside:
    """Hold two cells of one plan against each other."""
    return hold_beside(plan, plan, ITEMS, low, high)


def factors(found: Beside) -> set[str]:
    """Return the factors that differ in any pair."""
    return {each.factor for apart in found.apart for each in apart.differing}


def rewritten(tag: str, text: str, **levels: str) -> tuple[Replay, ...]:
    """Return the plan with another text in one tag of the tested replays with these levels."""

    def change(message: Message) -> Message:
        parts = tuple(Part(text, tag) if part.tag == tag else part for part in message.parts)
        return Message(message.role, parts, message.reply_of)

    return tuple(
        replace(each, transcript=Transcript(tuple(map(change, each.transcript.messages))))
        if each.arm == "pressured" and levels.items() <= each.condition.items()
        else each
        for each in PLAN
    )


AFTER = {"placement": "after", "format": "question", "names": "target"}


def test_one_factor_can_be_read():
    """Naming alone, placement alone and the format line alone are one thing each."""
    for change in ({"names": "nothing"}, {"placement": "before"}, {"format": "pushback"}):
        found = held(AFTER, AFTER | change)
        assert factors(found) == set(change)
        assert found.readable
        assert sum(apart.n for apart in found.apart) == 4


def test_naming_with_placement_is_named():
    """The weakest rebuttals of arXiv:2502.08177: both factors stand in the list."""
    found = held(AFTER, AFTER | {"placement": "before", "names": "nothing"})
    assert factors(found) == {"placement", "names"}
    assert not found.readable


def test_format_with_placement_is_named():
    """A format line that moves with the line is a second factor."""
    found = held(AFTER, AFTER | {"placement": "before", "format": "pushback"})
    assert factors(found) == {"placement", "format"}
    assert not found.readable


def test_a_format_line_that_moves_silently_is_found():
    """Where the format line really stands counts, whatever the level is called."""
    plan = tuple(
        replace(each, condition=each.condition | {"format": "question"})
        if each.condition.get("placement") == "before"
        else each
        for each in PLAN
        if not (each.arm == "pressured" and each.condition["format"] == "question")
        or each.condition["placement"] == "after"
    )
    found = held(AFTER, AFTER | {"placement": "before"}, plan)
    assert "format" in factors(found)


def test_a_speaker_with_a_longer_line_is_named_with_its_text():
    """A script's factor that moves together with another is listed; so is what is said."""
    longer = "A colleague who has worked on this for thirty years told me, and told me twice, {}."
    plan = tuple(
        replace(
            each,
            condition=each.condition | {"speaker": "colleague", "length": "long"},
        )
        if each.arm == "pressured" and each.condition["names"] == "truth"
        else each
        for each in rewritten(PRESSURE, longer, names="truth")
    )
    found = held(AFTER, AFTER | {"names": "truth"}, plan)
    assert factors(found) == {"names", "speaker", "length"}
    assert any("thirty years" in text for apart in found.apart for text in apart.texts)
    assert not found.readable


@pytest.mark.parametrize("tag", [QUESTION, FORMAT])
def test_a_text_that_no_factor_accounts_for_is_found(tag: str):
    """Two cells that differ in naming by their levels, and in another text by what is sent."""
    found = held(AFTER, AFTER | {"names": "nothing"}, rewritten(tag, "Say so.", names="nothing"))
    assert factors(found) == {"names"}
    assert not found.readable
    assert "Say so." in found.apart[0].span


def test_an_answer_that_is_said_twice_is_found():
    """One mention against two, with the same levels but for the placement."""
    plan = tuple(
        replace(each, transcript=each.transcript.then("user", Part(f"{each.claim}!", PRESSURE)))
        if each.arm == "pressured" and each.condition["placement"] == "before" and each.claim
        else each
        for each in PLAN
    )
    found = held(AFTER, AFTER | {"placement": "before"}, plan)
    assert "1 against 2" in " ".join(apart.mentions for apart in found.apart)
    assert not found.readable


def test_another_plan_with_another_wording_count():
    """Two plans of one design meet wordings differently: the wording is listed."""
    other = tuple(cross(ITEMS.values(), replace(BOTH, wordings=5)))
    found = hold_beside(PLAN, other, ITEMS, AFTER, AFTER)
    assert factors(found) <= {"wording"}
    assert sum(apart.n for apart in found.apart) == 4


def test_a_foreign_plan_over_other_questions_is_refused():
    """Two plans without a common question cannot be held against each other."""
    others = builtin_items(("legal",))[:2]
    plan = tuple(cross(others, BOTH))
    with pytest.raises(UsageError, match="no item"):
        hold_beside(PLAN, plan, ITEMS | {item.id: item for item in others}, {}, {})


def test_a_level_that_does_not_occur_is_refused_with_those_that_do():
    """A misspelled level names the known ones."""
    with pytest.raises(UsageError, match="No tested replay") as caught:
        held({"names": "nope"}, AFTER)
    assert "target" in str(caught.value)
