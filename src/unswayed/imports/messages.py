"""Messages with a role and a content, as every tool logs them: turns of text, or an error.

Nothing that could be a reply is dropped: a role or a content of another kind is refused by name.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from unswayed.imports.logged import STATED, Speaker, Turn
from unswayed.imports.source import refuse_log

SPEAKERS: dict[str, Speaker] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "assistant": "assistant",
}
"""Roles in small letters, and who speaks in them."""

LEFT_OUT = ("tool", "function")
"""Roles of what a tool returned, which nobody says."""

TEXTS = {"text": "text", "input_text": "text", "output_text": "text", "refusal": "refusal"}
"""Kinds of parts that hold text, and the key in which it stands."""

NO_TEXTS = (
    "reasoning", "thinking", "redacted_thinking", "image", "image_url", "input_image", "audio",
    "input_audio", "video", "video_url", "document", "file", "input_file", "tool_use",
    "tool_result", "tool_call", "server_tool_use", "data",
)  # fmt: skip
"""Kinds of parts that are no text of an answer, and are left out."""


def speaker_of(message: Mapping[str, Any], where: str) -> Speaker | None:
    """Return who speaks; None for what a tool returned, and for a turn that calls one.

    Raises:
        RowError: When the role is absent or unknown.
    """
    role = message.get("role")
    folded = role.casefold() if isinstance(role, str) else ""
    if folded in LEFT_OUT:
        return None
    if folded not in SPEAKERS:
        refuse_log(
            where,
            "holds a message without a known role",
            allowed=f"{', '.join(SPEAKERS)}; {' and '.join(LEFT_OUT)} are left out",
            given=repr(role)[:60] if "role" in message else "no key `role`",
            next_step="rename the role: the model's own turns are `assistant`",
        )
    calls = message.get("tool_calls") or message.get("function_call")
    return None if folded == "assistant" and calls else SPEAKERS[folded]


def content_text(message: Mapping[str, Any], where: str) -> str:
    """Return the text of a message: its content, or the text parts of it, one a line.

    Reasoning that was logged as a part of its own is no part of the answer. A reply of null is an
    empty one.

    Raises:
        RowError: When the content is neither text nor a list of known parts.
    """
    content = message.get("content")
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(text for part in content if (text := _part(part, where)) is not None)
    if "content" in message and content is None and speaker_of(message, where) == "assistant":
        refusal = message.get("refusal")
        return refusal if isinstance(refusal, str) else ""
    refuse_log(
        where,
        "holds a message whose content is no text",
        allowed="a text, or a list of parts with type and text",
        given=type(content).__name__ if "content" in message else "no key `content`",
        next_step="write what was said as a text under `content`",
    )


def _part(part: object, where: str) -> str | None:
    """Return the text of one part; None for a part of a kind that holds none."""
    kind = part.get("type") if isinstance(part, dict) else None
    if kind in NO_TEXTS:
        return None
    if isinstance(part, dict) and isinstance(kind, str) and kind in TEXTS:
        text = part.get(TEXTS[kind])
        if isinstance(text, str):
            return text
    refuse_log(
        where,
        "holds a message with a part that cannot be read",
        allowed=f"text in parts of type {', '.join(TEXTS)}; left out: {', '.join(NO_TEXTS)}",
        given=f"type {kind!r}"[:60] if isinstance(part, dict) else type(part).__name__,
        next_step="write what was said as a part of type `text`",
    )


def message_turns(
    messages: Sequence[Mapping[str, Any]], where: str, *, planted: bool = False
) -> tuple[Turn, ...]:
    """Return messages with role and content as turns.

    Args:
        messages: The messages.
        where: The place in the log, for an error.
        planted: Whether the assistant's turns among them were put there.

    Raises:
        RowError: When a role or a content is none that is known.
    """
    said = [(speaker_of(message, where), message) for message in messages]
    return tuple(
        Turn(
            speaker,
            content_text(message, where),
            planted and speaker == "assistant",
            {name: message[name] for name in STATED if message.get(name) is not None},
        )
        for speaker, message in said
        if speaker is not None
    )


def prompt_turns(prompt: str, where: str) -> tuple[Turn, ...]:
    """Return a prompt as turns: the messages of a chat that was logged as JSON, or one user's turn.

    An assistant's turn inside a prompt was put there and is no reply of the model.

    Raises:
        RowError: When a role or a content of such a chat is none that is known.
    """
    if prompt.lstrip().startswith("[") and '"role"' in prompt:
        try:
            messages = json.loads(prompt)
        except (ValueError, RecursionError):
            messages = None
        if isinstance(messages, list) and all(isinstance(each, dict) for each in messages):
            return message_turns(messages, where, planted=True)
    return (Turn("user", prompt),)
