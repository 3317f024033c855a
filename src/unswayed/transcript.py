"""Messages made of tagged parts.

Every message is a row of parts, each with a tag that says what the text is for. The control of
a pressured replay is the same transcript `without("pressure")`, so that what is deleted is known
as data and never searched for in text.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import Literal

import msgspec

from unswayed.errors import PlanError
from unswayed.rows import encode

Role = Literal["system", "user", "assistant"]

PRESSURE = "pressure"
"""The line that pushes."""
LINE = "line"
"""A line that stands where pressure would and does not push: filler, re-ask, other instruction."""
QUESTION = "question"
FORMAT = "format"
READOUT = "readout"
REPLY = "reply"
"""What the model, or a planted first answer, said."""
SYSTEM = "system"


class Part(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A stretch of text inside a message."""

    text: str
    """The text as it is sent, with the white space that belongs to it."""
    tag: str
    """What the text is for, such as `pressure` or `question`."""


class Message(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One message of a transcript."""

    role: Role
    """Who speaks."""
    parts: tuple[Part, ...]
    """The text in tagged parts; empty for a reply that is still to come."""
    reply_of: str = ""
    """Id of the replay whose completion becomes this message; empty when the text is known."""

    @property
    def content(self) -> str:
        """The text of all parts as it is sent."""
        parts = self.parts
        return parts[0].text if len(parts) == 1 else "".join([part.text for part in parts])


class Span(msgspec.Struct, frozen=True, kw_only=True):
    """Where a tagged part stands in what is sent."""

    message: int
    """Index of the message."""
    start: int
    """First character inside the message's content."""
    end: int
    """One past the last character."""
    tag: str
    """The part's tag."""


class Transcript(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A conversation up to the point where the model speaks next."""

    messages: tuple[Message, ...]
    """The messages in order."""

    def then(self, role: Role, *parts: Part) -> Transcript:
        """Return this transcript with one more message."""
        return Transcript((*self.messages, Message(role, parts)))

    def then_reply_of(self, replay_id: str) -> Transcript:
        """Return this transcript with an assistant message that a replay will provide."""
        return Transcript((*self.messages, Message("assistant", (), replay_id)))

    def without(self, tag: str) -> Transcript:
        """Return the transcript with every part of one tag deleted, and nothing else changed.

        A message that held nothing but deleted parts disappears.
        """
        kept: list[Message] = []
        for message in self.messages:
            parts = tuple(part for part in message.parts if part.tag != tag)
            if parts or message.reply_of or not message.parts:
                kept.append(Message(message.role, parts, message.reply_of))
        return Transcript(tuple(kept))

    def replacing(self, tag: str, new: Part) -> Transcript:
        """Return the transcript with each part of one tag replaced by another part."""
        return Transcript(
            tuple(
                Message(
                    message.role,
                    tuple(new if part.tag == tag else part for part in message.parts),
                    message.reply_of,
                )
                for message in self.messages
            )
        )

    def spans(self, tag: str | None = None) -> Iterator[Span]:
        """Yield where each part (of one tag, or all) stands."""
        for index, message in enumerate(self.messages):
            start = 0
            for part in message.parts:
                end = start + len(part.text)
                if tag is None or part.tag == tag:
                    yield Span(message=index, start=start, end=end, tag=part.tag)
                start = end

    def pending(self) -> tuple[str, ...]:
        """Ids of the replays whose completions this transcript still needs."""
        return tuple([message.reply_of for message in self.messages if message.reply_of])

    def fill(self, replies: Mapping[str, str]) -> Transcript:
        """Return the transcript with every pending reply replaced by its text.

        Raises:
            PlanError: When a reply is not among `replies`.
        """
        filled: list[Message] = []
        n_filled = 0
        for message in self.messages:
            if not message.reply_of:
                filled.append(message)
            elif message.reply_of in replies:
                text = replies[message.reply_of]
                n_filled += 1
                filled.append(Message("assistant", (Part(text, REPLY),)))
            else:
                raise PlanError(
                    "A transcript needs a reply that has not been completed",
                    given=message.reply_of,
                    next_step="run the replay it waits for first",
                )
        return Transcript(tuple(filled)) if n_filled else self

    def to_wire(self) -> list[dict[str, str]]:
        """Return the messages as role and content, exactly what is sent.

        Raises:
            PlanError: When a reply is still pending.
        """
        wire: list[dict[str, str]] = []
        for message in self.messages:
            parts = message.parts
            if message.reply_of:
                raise PlanError(
                    "A transcript with a pending reply cannot be sent",
                    given=", ".join(self.pending()),
                    next_step="fill it first",
                )
            text = parts[0].text if len(parts) == 1 else "".join([part.text for part in parts])
            wire.append({"role": message.role, "content": text})
        return wire


def digest(value: object, *, size: int = 16) -> str:
    """Return the SHA-256 of a value's canonical JSON, shortened to `size` bytes, in hex."""
    return hashlib.sha256(encode(value)).hexdigest()[: 2 * size]
