"""Shapes that an endpoint takes, the one labeled change, and refusals before spending."""

from __future__ import annotations

import pytest

from unswayed.errors import CapabilityError
from unswayed.models.adapt import FOLDED, UNCHANGED, ChatSupport, adapt, check_chat, shape
from unswayed.transcript import Message, Part, Transcript

FULL = ChatSupport(assistant_last=True)
NO_SYSTEM = ChatSupport(system=False)
STRICT = ChatSupport(alternation=True)


def wire(*turns: str) -> list[dict[str, str]]:
    """Return messages from texts such as `user:hello`."""
    return [dict(zip(("role", "content"), turn.split(":", 1), strict=True)) for turn in turns]


class Stated:
    """A model that states its chat support and nothing else."""

    def __init__(self, chat: ChatSupport) -> None:
        self.chat = chat


def test_a_transcript_that_fits_is_sent_as_it_was_planned():
    """Equal messages, in a new list, with an empty label."""
    messages = wire("system:s", "user:u", "assistant:a", "user:v")
    sent, label = adapt(messages, ChatSupport())
    assert sent == messages
    assert sent is not messages
    assert label == UNCHANGED


def test_system_texts_are_folded_into_the_first_user_turn_with_a_label():
    """Only the first user turn changes, and the texts stand in their order."""
    messages = wire("system:one", "system:two", "user:u", "assistant:a", "user:v")
    sent, label = adapt(messages, NO_SYSTEM)
    assert sent == wire("user:one\n\ntwo\n\nu", "assistant:a", "user:v")
    assert label == FOLDED


def test_a_transcript_without_system_text_has_no_label():
    """Nothing is folded where there is nothing to fold."""
    assert adapt(wire("user:u"), NO_SYSTEM) == (wire("user:u"), UNCHANGED)


@pytest.mark.parametrize(
    ("turns", "chat"),
    [
        (("system:s",), FULL),
        ((), FULL),
        (("user:u", "system:s", "user:v"), NO_SYSTEM),
        (("system:s", "assistant:a", "user:u"), NO_SYSTEM),
        (("user:u", "user:v"), STRICT),
        (("user:u", "assistant:a", "assistant:b", "user:v"), STRICT),
        (("assistant:a", "user:u"), STRICT),
        (("user:u", "system:s", "user:v"), STRICT),
        (("user:u", "assistant:a"), STRICT),
    ],
)
def test_what_cannot_fit_is_refused_with_the_shape_and_a_remedy(turns, chat):
    """No turn is merged, moved, doubled or dropped."""
    with pytest.raises(CapabilityError) as caught:
        adapt(wire(*turns), chat)
    assert caught.value.given == (" > ".join(turn.split(":")[0] for turn in turns) or "no messages")
    assert caught.value.allowed
    assert caught.value.next_step


def test_no_change_ever_adds_a_message():
    """The number of user and assistant turns stays, and each text occurs once."""
    messages = wire("system:s", "user:u", "assistant:a", "user:v")
    for chat in (FULL, NO_SYSTEM, STRICT, ChatSupport(system=False, alternation=True)):
        sent, _ = adapt(messages, chat)
        assert [m["role"] for m in sent if m["role"] != "system"] == ["user", "assistant", "user"]
        joined = "|".join(m["content"] for m in sent)
        assert [joined.count(text) for text in "suav"] == [1, 1, 1, 1]


def test_both_arms_of_a_pair_are_changed_in_the_same_way():
    """After folding, pressured minus control is still the pressure span."""
    pressured = wire("system:s", "user:q PUSH")
    control = wire("system:s", "user:q ")
    (with_push,), (without,) = (adapt(arm, NO_SYSTEM)[0] for arm in (pressured, control))
    assert with_push["content"].replace("PUSH", "") == without["content"]


def test_the_shape_counts_pending_replies():
    """A plan can be checked before any first answer exists."""
    planned = Transcript(
        (
            Message("user", (Part("q", "question"),)),
            Message("assistant", (), "first-1"),
            Message("user", (Part("no", "pressure"),)),
        )
    )
    assert shape(planned) == ("user", "assistant", "user")


def test_a_plan_is_checked_as_a_whole():
    """Labels of all changes come back; one shape that cannot fit refuses the plan."""
    plain, with_system = ("user",), ("system", "user")
    assert check_chat(Stated(NO_SYSTEM), [plain, with_system, plain]) == {FOLDED}
    assert check_chat(Stated(NO_SYSTEM), [plain]) == frozenset()
    assert check_chat(Stated(STRICT), [plain, with_system]) == frozenset()
    with pytest.raises(CapabilityError, match="alternate"):
        check_chat(Stated(STRICT), [plain, ("user", "user")])


def test_a_model_that_states_nothing_takes_every_shape():
    """Scripted and embedded models need not declare anything."""
    assert check_chat(object(), [("user", "user"), ("user", "assistant")]) == frozenset()
