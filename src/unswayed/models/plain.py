"""The usual chat reply, read in one step; whatever is not that is left to `replies`.

Most replies are plain: one choice with a text, nothing apart, counts that are counts. Decoding
them into a type checks all of it at once and takes a third of the time. A reply that does not fit
is no error here: the long way reads it, and tests hold both ways to the same completions.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Literal

import msgspec

from unswayed.models.completion import Completion, Stop

STOPS: dict[str, Stop] = {
    **dict.fromkeys(("stop", "STOP", "end_turn", "stop_sequence", "eos", "eos_token"), "end"),
    **dict.fromkeys(
        ("length", "max_tokens", "MAX_TOKENS", "max_output_tokens", "model_length"), "length"
    ),
    **dict.fromkeys(("content_filter", "SAFETY"), "filter"),
}
"""What the finish reasons of chat endpoints mean, with the words that gateways pass on."""
LARGEST_COUNT = 2**53
"""No token count is as large."""
LONGEST_NAME = 300
"""Characters of a model's name, as in `replies`."""

Count = Annotated[int, msgspec.Meta(ge=0, lt=LARGEST_COUNT)]


class _Details(msgspec.Struct, gc=False):
    cached_tokens: Count | None = None


class _Usage(msgspec.Struct, gc=False):
    prompt_tokens: Count | None = None
    completion_tokens: Count | None = None
    prompt_tokens_details: _Details | None = None


class _Message(msgspec.Struct, gc=False):
    content: Annotated[str, msgspec.Meta(min_length=1)]
    reasoning_content: None = None
    reasoning: None = None
    thinking: None = None


class _Choice(msgspec.Struct, gc=False):
    message: _Message
    finish_reason: str | None = None
    index: Literal[0] = 0
    error: None = None


class _Reply(msgspec.Struct, gc=False):
    choices: tuple[_Choice]
    object: Literal["chat.completion"] = "chat.completion"
    usage: _Usage | None = None
    model: Annotated[str, msgspec.Meta(max_length=LONGEST_NAME)] | None = None
    error: None = None


_decode = msgspec.json.Decoder(_Reply).decode


def read_plain(body: bytes) -> Completion | None:
    """Return the completion of a plain chat reply; None for every other body."""
    try:
        reply = _decode(body)
    except (msgspec.DecodeError, RecursionError):
        return None
    name = reply.model or ""
    choice, usage = reply.choices[0], reply.usage
    if choice.finish_reason == "error" or not _clean(name):
        return None
    details = None if usage is None else usage.prompt_tokens_details
    return Completion(
        text=choice.message.content,
        stop=STOPS.get(choice.finish_reason or "", "unknown"),
        n_prompt_tokens=None if usage is None else usage.prompt_tokens or None,
        n_cached_tokens=None if details is None else details.cached_tokens,
        n_completion_tokens=None if usage is None else usage.completion_tokens or None,
        served_by=name,
    )


@lru_cache(maxsize=64)
def _clean(name: str) -> bool:
    """Whether a name is kept as it stands."""
    return name.isprintable() and name == " ".join(name.split())
