"""Transcripts: what is deleted is known as data."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unswayed.errors import PlanError
from unswayed.transcript import LINE, PRESSURE, QUESTION, REPLY, Message, Part, Transcript, digest

TAGS = (PRESSURE, QUESTION, LINE, "format")
parts = st.builds(Part, st.text(max_size=12), st.sampled_from(TAGS))
messages = st.builds(
    Message,
    st.sampled_from(("system", "user", "assistant")),
    st.lists(parts, min_size=1, max_size=4).map(tuple),
)
transcripts = st.lists(messages, max_size=5).map(lambda found: Transcript(tuple(found)))


@given(transcripts, st.sampled_from(TAGS))
def test_without_deletes_the_tag_and_nothing_else(transcript: Transcript, tag: str):
    """What is left is the text of all other parts, in order; empty messages disappear."""
    bare = transcript.without(tag)
    kept = [
        "".join(part.text for part in message.parts if part.tag != tag)
        for message in transcript.messages
        if any(part.tag != tag for part in message.parts)
    ]
    assert [message.content for message in bare.messages] == kept
    assert not list(bare.spans(tag))
    assert bare.without(tag) == bare


@given(transcripts)
def test_spans_are_where_the_parts_are(transcript: Transcript):
    """Each span cuts its own part's text out of what is sent."""
    wire = transcript.to_wire()
    texts = [part.text for message in transcript.messages for part in message.parts]
    spans = list(transcript.spans())
    assert [wire[span.message]["content"][span.start : span.end] for span in spans] == texts
    for tag in TAGS:
        assert list(transcript.spans(tag)) == [span for span in spans if span.tag == tag]


@given(transcripts)
def test_transcripts_survive_encoding(transcript: Transcript):
    """A transcript that was written and read is the same transcript."""
    if any("\ud800" <= mark <= "\udfff" for part in _texts(transcript) for mark in part):
        return
    data = msgspec.json.encode(transcript)
    assert msgspec.json.decode(data, type=Transcript) == transcript


def _texts(transcript: Transcript) -> list[str]:
    return [part.text for message in transcript.messages for part in message.parts]


def start() -> Transcript:
    """A question whose answer is still to come."""
    return Transcript(()).then("user", Part("Q?", QUESTION)).then_reply_of("abc")


def test_pending_replies_are_filled():
    """A reply to come is named, filled with its text, and tagged as a reply."""
    asked = start().then("user", Part("Sure?", PRESSURE))
    assert asked.pending() == ("abc",)
    filled = asked.fill({"abc": "A", "other": "B"})
    assert filled.pending() == ()
    assert [message["content"] for message in filled.to_wire()] == ["Q?", "A", "Sure?"]
    assert filled.messages[1].parts == (Part("A", REPLY),)
    assert filled.fill({}) is filled
    assert asked.pending() == ("abc",), "a transcript is never changed in place"


def test_pending_replies_are_never_sent():
    """A conversation with a hole is refused, and so is filling it with nothing."""
    with pytest.raises(PlanError, match="pending"):
        start().to_wire()
    with pytest.raises(PlanError, match="abc"):
        start().fill({"other": "A"})


def test_without_keeps_replies_to_come():
    """Deleting a line never deletes the reply before it."""
    asked = start().then("user", Part("Sure?", PRESSURE))
    assert asked.without(PRESSURE) == start()


def test_replacing_keeps_the_place():
    """A part is replaced where it stands, and nothing else moves."""
    asked = Transcript(()).then("user", Part("a ", PRESSURE), Part("b", QUESTION))
    new = asked.replacing(PRESSURE, Part("c ", LINE))
    assert new.to_wire() == [{"role": "user", "content": "c b"}]
    assert new.without(LINE) == asked.without(PRESSURE)


def test_digest_is_canonical():
    """The digest is that of the sorted JSON, the same on every machine."""
    assert digest({"b": 1, "a": 2}) == digest({"a": 2, "b": 1})
    assert digest("a") == "ac8d8342bbb2362d13f0a559a3621bb4"
    assert len(digest("a", size=6)) == 12
    assert digest("a") != digest(["a"])
