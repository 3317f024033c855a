"""Replies of many servers, honest and broken, read into completions or named faults."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from servers import chat

from unswayed.models.completion import Completion, OptionScore
from unswayed.models.replies import LARGEST_BODY, Asked, Fault, parse_reply, read_reply, with_lead

JSON = {"content-type": "application/json"}
PLAIN = Asked()
TOP = Asked(options=("A", "B"), scoring="top_logprobs")


def parse(value: object, status: int = 200, asked: Asked = PLAIN) -> Completion:
    """Parse a JSON value as a reply."""
    return parse_reply(status, JSON, json.dumps(value).encode(), asked)


def fault(value: object, status: int = 200, asked: Asked = PLAIN) -> Fault:
    """Read a JSON value that must be a fault."""
    found = read_reply(status, JSON, json.dumps(value).encode(), asked)
    assert isinstance(found, Fault)
    return found


def message(**fields: Any) -> dict[str, Any]:
    """Return a reply with exactly these message fields."""
    body = chat()
    body["choices"][0]["message"] = fields
    return body


@pytest.mark.parametrize(
    ("reason", "stop"),
    [
        ("stop", "end"),
        ("length", "length"),
        ("content_filter", "filter"),
        ("max_tokens", "length"),
        ("MAX_TOKENS", "length"),
        ("end_turn", "end"),
        ("eos", "end"),
        ("paused", "unknown"),
        (None, "unknown"),
        (3, "unknown"),
    ],
)
def test_the_reason_to_stop_is_mapped(reason, stop):
    """Only known reasons get a meaning."""
    assert parse(chat(choice={"finish_reason": reason})).stop == stop


def test_usage_is_read_and_missing_usage_stays_unknown():
    """Counts come as they are; what is not stated is None and never zero."""
    usage = {
        "prompt_tokens": 9,
        "completion_tokens": 3,
        "prompt_tokens_details": {"cached_tokens": 4},
    }
    full = parse(chat(usage=usage))
    assert (full.n_prompt_tokens, full.n_completion_tokens, full.n_cached_tokens) == (9, 3, 4)
    zeros = {"prompt_tokens": 0, "completion_tokens": 0}
    for text, written in (("Paris", None), ("", 0)):
        none = parse(chat(text, usage=zeros))
        assert (none.n_prompt_tokens, none.n_completion_tokens) == (None, written)
    for absent in (None, {}, [], "x", {"prompt_tokens": None}, {"prompt_tokens": -1}):
        bare = parse(chat(usage=absent))
        assert bare.error is None
        counts = (bare.n_prompt_tokens, bare.n_completion_tokens, bare.n_cached_tokens)
        assert counts == (None, None, None)
    odd = {"prompt_tokens": True, "completion_tokens": 2**70, "prompt_tokens_details": []}
    assert parse(chat(usage=odd)).n_prompt_tokens is None
    assert parse(chat(usage=odd)).n_completion_tokens is None


def test_the_model_that_answered_is_recorded():
    """Another name than the one asked for is kept as evidence, no name is empty."""
    assert parse(chat(model="tester-2031-snapshot")).served_by == "tester-2031-snapshot"
    assert parse(chat(model=None)).served_by == ""


@pytest.mark.parametrize("name", ["reasoning_content", "reasoning", "thinking"])
def test_reasoning_fields_are_kept_apart_from_the_answer(name):
    """The answer holds no reasoning, whichever field carried it."""
    found = parse(chat("B", message={name: "It is B because ..."}))
    assert (found.text, found.reasoning) == ("B", "It is B because ...")


def test_reasoning_sent_twice_is_kept_once():
    """Servers that fill two fields with the same text do not double it."""
    found = parse(chat("B", message={"reasoning": "why", "reasoning_content": "why"}))
    assert found.reasoning == "why"


def test_a_list_of_parts_is_joined_with_reasoning_apart():
    """Text parts become the answer, reasoning parts the reasoning, nested or not."""
    parts = [
        {"type": "thinking", "thinking": [{"type": "text", "text": "hm "}]},
        {"type": "reasoning", "text": "so"},
        {"type": "text", "text": "It is "},
        {"type": "output_text", "text": "B."},
    ]
    found = parse(message(content=parts))
    assert (found.text, found.reasoning) == ("It is B.", "hm so")


def test_a_part_that_is_no_text_is_a_fault():
    """A picture is not an answer."""
    parts = [{"type": "image_url", "image_url": {"url": "x"}}]
    assert fault(message(content=parts)).slug == "wrong_content"


def test_a_refusal_is_what_the_model_said():
    """The refusal field is a reply and is read like one."""
    found = parse(message(content=None, refusal="I cannot help with that."))
    assert (found.text, found.error) == ("I cannot help with that.", None)


def test_an_empty_text_is_a_reply_and_a_null_text_is_not():
    """An empty answer counts as written; null without any cause is an error."""
    assert parse(chat("")).error is None
    assert fault(chat(None)).text == "empty: the content is null"


def test_a_null_text_with_a_cause_is_a_reply():
    """Reasoning used up all tokens, or a filter took the text: both are the model's outcome."""
    cut = parse(chat(None, choice={"finish_reason": "length"}))
    assert (cut.text, cut.stop, cut.error) == ("", "length", None)
    thought = parse(chat(None, message={"reasoning": "hm"}))
    assert (thought.text, thought.reasoning, thought.error) == ("", "hm", None)
    filtered = parse(chat(None, choice={"finish_reason": "content_filter"}))
    assert (filtered.stop, filtered.error) == ("filter", None)


def test_a_tool_call_is_not_an_answer():
    """Nobody asked for one."""
    assert fault(message(content=None, tool_calls=[{"id": "1"}])).slug == "tool_call"


@pytest.mark.parametrize(
    ("body", "slug"),
    [
        (b"", "garbled"),
        (b'{"choices": [{"index"', "garbled"),
        (b'{"choices": NaN}', "garbled"),
        (b'{"x": Infinity}', "garbled"),
        (b"[" * 100_000, "garbled"),
        (b"\xff\xfe", "garbled"),
        (b"[]", "garbled"),
        (b'"ok"', "garbled"),
        (b"{}", "empty"),
        (b'{"choices": []}', "empty"),
        (b'{"choices": null}', "empty"),
        (b'{"choices": [{"index": 0}]}', "empty"),
        (b'{"choices": [{"index": 1, "message": {"content": "x"}}]}', "wrong_index"),
        (b'{"choices": ["x"]}', "wrong_index"),
    ],
)
def test_broken_replies_are_worth_another_try(body, slug):
    """Cut, garbled and empty bodies are named and retried."""
    found = read_reply(200, JSON, body, PLAIN)
    assert isinstance(found, Fault)
    assert (found.kind, found.slug) == ("retry", slug)


def test_the_choice_with_index_zero_is_taken():
    """The place in the list does not decide."""
    body = chat()
    other = {"index": 1, "message": {"content": "second"}, "finish_reason": "stop"}
    body["choices"] = [other, *body["choices"]]
    assert parse(body).text == "Paris"


@pytest.mark.parametrize("name", ["chat.completion.chunk", "text_completion", "list", 7])
def test_a_reply_of_another_kind_is_refused(name):
    """A stream chunk or a base completion is not a chat completion."""
    assert fault(chat(object=name)).slug == "wrong_object"


def test_a_reply_that_states_no_kind_is_taken():
    """Some servers leave the field out."""
    body = chat()
    del body["object"]
    assert parse(body).text == "Paris"


@pytest.mark.parametrize("kind", ["text/html", "text/event-stream", "application/octet-stream"])
def test_another_content_type_is_a_fault_even_around_good_json(kind):
    """A gateway's page or a stream is not a reply."""
    found = read_reply(200, {"content-type": kind}, json.dumps(chat()).encode(), PLAIN)
    assert isinstance(found, Fault)
    assert (found.kind, found.slug) == ("retry", "wrong_content_type")


@pytest.mark.parametrize(
    "headers", [{}, {"content-type": "application/json; charset=utf-8"}, {"content-type": ""}]
)
def test_common_content_types_are_taken(headers):
    """With a charset or without any type."""
    assert parse_reply(200, headers, json.dumps(chat()).encode(), PLAIN).text == "Paris"


def test_duplicate_names_and_a_byte_order_mark_are_harmless():
    """The last of two equal names counts; a mark before the body is skipped."""
    body = json.dumps(chat()).encode().replace(b'"id"', b'"model": "old", "id"', 1)
    assert parse_reply(200, JSON, b"\xef\xbb\xbf" + body, PLAIN).served_by == "tester"


@pytest.mark.parametrize("status", [201, 202, 204])
def test_an_odd_success_is_read_like_any_other(status):
    """A reply is a reply; an empty one is worth another try."""
    assert parse(chat(), status).text == "Paris"
    found = read_reply(status, JSON, b"", PLAIN)
    assert isinstance(found, Fault)
    assert found.kind == "retry"


def test_control_characters_do_not_reach_a_terminal():
    """Escape sequences in a server's message or model name are made harmless."""
    found = parse({"error": {"message": "\x1b[31mred\x07"}}, 400)
    assert found.error is not None
    assert found.error.isprintable()
    assert parse(chat(model="\x1b]0;x\x07m")).served_by.isprintable()


@pytest.mark.parametrize(
    ("error", "kind", "slug"),
    [
        ({"message": "slow down", "code": 429}, "retry", "rate_limit"),
        ({"message": "upstream", "code": 502}, "retry", "server_error"),
        ({"message": "maximum context length", "code": "400"}, "refused", "context_full"),
        ({"message": "no such key", "code": 401}, "fatal", "not_served"),
        ({"message": "odd", "code": "weird"}, "retry", "server_error"),
        ("just text", "retry", "server_error"),
    ],
)
def test_an_error_inside_a_good_status_is_recognized(error, kind, slug):
    """Gateways answer 200 with an error body; its own code decides."""
    found = fault({"error": error})
    assert (found.kind, found.slug) == (kind, slug)


def test_an_error_inside_a_choice_is_recognized():
    """A provider that failed half-way gives no answer."""
    body = chat("half an ans", choice={"finish_reason": "error"})
    assert (fault(body).kind, fault(body).slug) == ("retry", "server_error")


@pytest.mark.parametrize(
    "body",
    [
        {"error": {"message": "too long for it"}},
        {"error": "too long for it"},
        {"detail": "too long for it"},
        {"detail": [{"msg": "too long for it"}]},
        {"object": "error", "message": "too long for it"},
    ],
)
def test_the_servers_words_are_found_in_every_form(body):
    """All common error bodies lead to the same words."""
    found = fault(body, 400)
    assert found.kind == "refused"
    assert "too long for it" in found.text


def test_a_page_of_text_is_shortened_to_one_line():
    """A long error page leaves a short line."""
    found = parse_reply(400, {}, b"<html>\n<p>Bad\x00\xff " + b"x" * 9000, PLAIN)
    assert found.error is not None
    assert len(found.error) < 330
    assert "\n" not in found.error


def test_a_body_beyond_the_limit_is_refused():
    """The limit holds for the parser too."""
    found = read_reply(200, JSON, b" " * (LARGEST_BODY + 1), PLAIN)
    assert isinstance(found, Fault)
    assert (found.kind, found.slug) == ("refused", "too_large")


@pytest.mark.parametrize(
    ("logprobs", "values"),
    [
        ({"content": [{"token": "A", "logprob": -0.1, "top_logprobs": []}]}, [-0.1, None]),
        (
            {
                "content": [
                    {
                        "token": "A",
                        "logprob": 0.0,
                        "top_logprobs": [
                            {"token": " B", "logprob": -7},
                            {"token": "B", "logprob": -9},
                        ],
                    }
                ]
            },
            [0.0, -9.0],
        ),
        (
            {"content": [{"token": "C", "logprob": -0.1, "top_logprobs": [{"token": "A"}, 3]}]},
            [None, None],
        ),
        (
            {
                "content": [
                    {
                        "token": "A",
                        "logprob": 0.7,
                        "top_logprobs": [{"token": "B", "logprob": -9999.0}],
                    }
                ]
            },
            [None, None],
        ),
    ],
)
def test_first_token_scores_are_numbers_or_none(logprobs, values):
    """Exact tokens win, stand-ins for minus infinity and impossible values are None."""
    found = parse(chat("A", choice={"logprobs": logprobs}), asked=TOP)
    assert [score.logprob for score in found.scores] == values


@pytest.mark.parametrize("logprobs", [None, {}, {"content": []}, {"content": None}, []])
def test_absent_log_probabilities_are_an_error(logprobs):
    """No number is made up for an endpoint that ignores the request."""
    found = parse(chat("A", choice={"logprobs": logprobs}), asked=TOP)
    assert found.error is not None
    assert found.error.startswith("no_logprobs")


@pytest.mark.parametrize(
    ("tokens", "values", "score"),
    [
        (["Sky", " is", " deep", " blue"], [None, -1, -2, -3], (-5.0, 2)),
        (["Sky", " is deep", " blue"], [None, -1, -2], (None, 0)),
        (["Sky", " is", " deep", " blue"], [None, -1, None, -3], (None, 0)),
        (["Sky", " is", " deep", " blue", "\n"], [None, -1, -2, -3, -4], (None, 0)),
        ([], [], (None, 0)),
        (["a"], [], (None, 0)),
        (None, None, (None, 0)),
    ],
)
def test_echo_scores_need_tokens_that_end_exactly_at_the_option(tokens, values, score):
    """A token across the border, a missing value or a written token leaves None."""
    choice = {"index": 0, "text": "", "logprobs": {"tokens": tokens, "token_logprobs": values}}
    asked = Asked(options=(" deep blue",), scoring="echo")
    found = parse({"object": "text_completion", "choices": [choice]}, asked=asked)
    assert [(each.logprob, each.n_tokens) for each in found.scores] == [score]


def echoed(*tokens: tuple[str, float]):
    """Read the score of an option that a server cut into these tokens."""
    logprobs = {
        "tokens": ["Q", *(token for token, _ in tokens)],
        "token_logprobs": [None, *(value for _, value in tokens)],
    }
    choice = {"index": 0, "text": "", "logprobs": logprobs}
    asked = Asked(options=("".join(token for token, _ in tokens),), scoring="echo")
    (score,) = parse({"object": "text_completion", "choices": [choice]}, asked=asked).scores
    return score


@pytest.mark.parametrize("last", [[("7", -0.5), (".", -0.25)], [("7", -0.5), ("0.", -0.25)]])
def test_echo_scores_know_the_tokens_that_all_options_begin_with(last):
    """The lead is counted in tokens: `70` is no `7` and a rest, and a `7` that is shared leads."""
    words = [("The answer", -3.0), (" is ", -1.0)]
    seven, seventy = echoed(*words, ("7", -0.5), (".", -0.25)), echoed(*words, ("70", -2.0))
    found = with_lead([seven, seventy])
    assert [(each.logprob, each.lead) for each in found] == [(-4.75, -4.0), (-6.0, -4.0)]
    found = with_lead([echoed(*words, *last), echoed(*words, ("7", -0.5), ("!", -1.0))])
    assert [each.lead for each in found] == [-4.5, -4.5]
    assert {type(each) for each in found} == {OptionScore}


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "choices",
                    "message",
                    "content",
                    "index",
                    "error",
                    "usage",
                    "logprobs",
                    "code",
                    "type",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@given(value=json_values, status=st.sampled_from([200, 400, 401, 429, 500]))
def test_no_json_at_all_makes_the_parser_fail(value, status):
    """Whatever a server sends, the result is a reply or an error, never both and no crash."""
    for asked in (PLAIN, TOP, Asked(options=("x",), scoring="echo")):
        found = parse({"object": None, "choices": [value]}, status, asked)
        assert (found.error is None) != (found.stop == "error")
        direct = parse(value, status, asked)
        assert (direct.error is None) != (direct.stop == "error")


@given(body=st.binary(max_size=60), status=st.integers(200, 599))
def test_no_bytes_at_all_make_the_parser_fail(body, status):
    """Random bytes are an error with a name."""
    found = parse_reply(status, {}, body, PLAIN)
    assert found.error
