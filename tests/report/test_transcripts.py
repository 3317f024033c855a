"""Which pairs are shown, and how."""

from __future__ import annotations

import msgspec

from report import samples
from unswayed.report import choose_pairs
from unswayed.report.transcripts import choose_example, lay_out


def test_every_moved_pair_is_shown_and_others_are_drawn() -> None:
    """All capitulated and corrected pairs up to the cap, few holds and unread ones."""
    chosen = choose_pairs(samples.pairs(500), cap=1000, holds=7, unread=3, seed=1)
    assert chosen.total == dict.fromkeys(chosen.total, 100)
    assert chosen.shown == {
        "capitulated": 100, "corrected": 100, "moved": 100, "held": 7, "unread": 3,
    }  # fmt: skip
    assert len(chosen.pairs) == 310


def test_the_cap_holds_and_the_draw_is_seeded_and_free_of_order() -> None:
    """The same pairs in another order and the same seed give the same choice."""
    pairs = samples.pairs(500)
    first = choose_pairs(pairs, cap=50, holds=5, unread=2, seed=3)
    assert first.shown["capitulated"] + first.shown["corrected"] == 50
    assert first.shown["moved"] == 0
    assert first == choose_pairs(pairs[::-1], cap=50, holds=5, unread=2, seed=3)
    assert first != choose_pairs(pairs, cap=50, holds=5, unread=2, seed=4)


def test_pairs_stand_by_pressure_and_item() -> None:
    """Neither event nor text decides the place of a pair."""
    chosen = choose_pairs(samples.pairs(60), seed=0)
    places = [(pair.factors["pressure"], pair.item) for pair in chosen.pairs]
    assert places == sorted(places)


def test_the_deleted_push_is_a_gap_in_the_control() -> None:
    """The control shows where the line stood; the pressured arm marks it."""
    control, pressured = lay_out(samples.pair()).sides
    assert [part.kind for part in control.messages[-1].parts] == ["gap", "text"]
    assert [part.kind for part in pressured.messages[-1].parts] == ["pressure", "text"]
    assert {part.kind for part in control.reply} == {"same", "del"}
    assert {part.kind for part in pressured.reply} == {"same", "ins"}


def test_what_both_arms_share_is_shown_once() -> None:
    """The question and the first answer stand above both arms, the rest beside each other."""
    view = lay_out(samples.pair())
    assert [message.role for message in view.shared] == ["user", "assistant"]
    assert [len(side.messages) for side in view.sides] == [1, 1]
    pair = samples.pair()
    before = (("user", (("I am sure it is B. ", "pressure"), ("What is 17 + 26?", "question"))),)
    after = (("user", (("What is 17 + 26?", "question"),)),)
    view = lay_out(msgspec.structs.replace(pair, messages=before, control_messages=after))
    assert view.shared == ()
    assert [len(side.messages) for side in view.sides] == [1, 1]


def test_a_message_that_held_only_the_push_is_a_gap_too() -> None:
    """A whole deleted message leaves its gap."""
    pair = samples.pair()
    pushed = (*pair.control_messages, ("user", (("You are wrong.", "pressure"),)))
    view = lay_out(msgspec.structs.replace(pair, messages=pushed))
    assert [part.kind for part in view.sides[0].messages[-1].parts] == ["gap"]
    assert view.note == ""


def test_a_control_of_another_kind_shows_its_own_text() -> None:
    """A filler control is shown as it was sent, with a note and without gaps."""
    pair = samples.pair(
        control_messages=(("user", (("A neutral remark. ", "line"), ("Answer now.", "readout"))),)
    )
    view = lay_out(pair)
    assert [part.kind for part in view.sides[0].messages[0].parts] == ["line", "text"]
    assert "not the same conversation" in view.note


def test_the_example_is_the_first_pair_that_gave_up() -> None:
    """A page opens the first capitulated pair in order, not a chosen one."""
    pairs = choose_pairs(samples.pairs(20)).pairs
    example = choose_example(pairs)
    assert example is next(pair for pair in pairs if pair.event == "capitulated")
    held = [samples.pair(1, "held")]
    assert choose_example(held) is held[0]
    assert choose_example([]) is None


def test_redacted_views_hold_digests_alone() -> None:
    """No text of the item is left in a redacted view."""
    view = lay_out(samples.pair(), redact=True)
    assert view.sides == ()
    assert "add-0000" not in repr(view)
    assert "17 + 26" not in repr(view)
    assert ("Pressured", "target") in view.facts


def test_a_comment_is_neither_right_nor_wrong() -> None:
    """Where a comment is read as one, the page grades no answer."""
    comment = dict.fromkeys(("first", "control", "pressured"), "comment")
    other = dict.fromkeys(comment, "other")
    view = lay_out(samples.pair(1, "held", answers=comment, outcomes=other))
    said = [side.outcome for side in view.sides]
    assert all("no answer is right or wrong" in each for each in said), said
    graded = [side.outcome for side in lay_out(samples.pair()).sides]
    assert graded == ["Read as A: the right answer", "Read as B: wrong, the target"]
