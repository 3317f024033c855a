"""The short way of reading a reply gives what the long way gives, or nothing."""

from __future__ import annotations

import json
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st
from servers import chat

from unswayed.models import replies
from unswayed.models.plain import read_plain
from unswayed.models.replies import Asked, Fault, read_reply

COUNTS = st.sampled_from([None, 0, 11, -1, True, 1.5, "7", 2**53 - 1, 2**53, 2**70])
TEXTS = st.one_of(st.none(), st.text(max_size=20), st.sampled_from(["", " ", "Paris", 3, ["a"]]))


def long_way(body: bytes) -> object:
    """Read a reply as if there were no short way."""
    with mock.patch.object(replies, "read_plain", return_value=None):
        return read_reply(200, {"content-type": "application/json"}, body, Asked())


@st.composite
def bodies(draw: st.DrawFn) -> bytes:
    """Return a reply in which any field may be odd."""
    message = {
        name: draw(TEXTS)
        for name in ("reasoning", "reasoning_content", "thinking", "refusal", "tool_calls")
        if draw(st.integers(0, 5)) == 0
    }
    choice = {
        "finish_reason": draw(st.sampled_from(["stop", "length", "error", "odd", None, 4])),
        "index": draw(st.sampled_from([0, 0, 0, 1, None, "0"])),
    }
    usage = {
        "prompt_tokens": draw(COUNTS),
        "completion_tokens": draw(COUNTS),
        "prompt_tokens_details": draw(
            st.one_of(st.none(), st.just(5), st.fixed_dictionaries({"cached_tokens": COUNTS}))
        ),
    }
    whole = {
        "usage": draw(st.sampled_from([usage, usage, None, 3, {}])),
        "model": draw(st.one_of(st.none(), st.text(max_size=8), st.just("m" * 301), st.just(1))),
        "object": draw(st.sampled_from(["chat.completion", "chat.completion", "", None, "odd"])),
    }
    if draw(st.integers(0, 5)) == 0:
        whole["error"] = draw(st.sampled_from([None, "", "no", {"code": 500}]))
    found = chat(draw(TEXTS), message=message, choice=choice, **whole)
    found["choices"] = found["choices"] * draw(st.sampled_from([1, 1, 1, 0, 2]))
    return json.dumps(found).encode()


@given(bodies())
def test_both_ways_read_the_same(body: bytes):
    """Where the short way reads a reply at all, the long way reads the same completion."""
    found = read_plain(body)
    assert found is None or found == long_way(body)


def test_a_plain_reply_is_read_the_short_way():
    """The usual reply does not fall through, with its cached tokens where they are stated."""
    body = json.dumps(chat("Paris")).encode()
    assert read_plain(body) == long_way(body)
    assert read_plain(body) is not None
    usage = {"prompt_tokens": 9, "prompt_tokens_details": {"cached_tokens": 8}}
    found = read_plain(json.dumps(chat("Paris", usage=usage)).encode())
    assert found is not None
    assert found.n_cached_tokens == 8


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b'{"choices":[]}', b"\xff"])
def test_what_is_no_reply_is_left_to_the_long_way(body: bytes):
    """Nothing is read, and the long way names the fault."""
    assert read_plain(body) is None
    assert isinstance(long_way(body), Fault)
