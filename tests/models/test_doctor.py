"""Examinations of servers that are honest, limited, odd or absent."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import msgspec
import pytest
from servers import KEY, QuickClock, Server, answering, chat, raw, reply, serve, slow, status

from unswayed.errors import ModelError
from unswayed.models.completion import Completion, OptionScore
from unswayed.models.doctor import (
    MOST_REQUESTS,
    N_PARALLEL,
    N_REPEATS,
    Diagnosis,
    Finding,
    cost_of,
    examine,
)
from unswayed.models.http import HTTPModel
from unswayed.models.protocol import Identity, Price

PRICE = Price(prompt_per_million=2.0, completion_per_million=10.0)


def scored(**values: float) -> dict[str, Any]:
    """Return a reply with the log-probabilities of its letters."""
    top = [{"token": letter, "logprob": value} for letter, value in values.items()]
    content = [{**top[0], "top_logprobs": top}]
    return chat(top[0]["token"], choice={"logprobs": {"content": content}})


def number_in(asked: dict[str, Any]) -> int:
    """Return the number that a request at once asks for."""
    return int(asked["messages"][0]["content"].split()[-1].rstrip("."))


def good(asked: dict[str, Any]) -> dict[str, Any]:
    """Answer as a capable and honest endpoint would."""
    roles = [message["role"] for message in asked["messages"]]
    if asked.get("logprobs"):
        right = "A" if "A) red" in asked["messages"][0]["content"] else "B"
        return scored(**{letter: -0.01 if letter == right else -4.5 for letter in "AB"})
    if asked.get("max_tokens") == 16:
        return chat(f"{number_in(asked)}.")
    if asked.get("max_tokens") == 1:
        return chat("R", choice={"finish_reason": "length"})
    return chat("Blue. MARIGOLD" if roles[0] == "system" else "A river runs.")


def examined(
    answer: Any, *, price: Price | None = None, **changes: Any
) -> tuple[Diagnosis, Server]:
    """Examine a model behind a server that answers this way."""

    async def run():
        behavior = answering(answer) if answer.__name__ != "behave" else answer
        async with serve(behavior) as server:
            model = HTTPModel(
                server.endpoint(**changes),
                clock=QuickClock(),
                rng=random.Random(1),
                environ={"TEST_KEY": KEY},
            )
            try:
                return await examine(model, price=price), server
            finally:
                await model.close()

    return asyncio.run(run())


def except_for(**faults: Any):
    """Return `good` with other answers where a probe is recognized by its name."""

    def kind(asked: dict[str, Any]) -> str:
        roles = tuple(message["role"] for message in asked["messages"])
        if asked.get("logprobs"):
            return "logprobs"
        named = {("system", "user"): "system", ("user", "user"): "twice"}
        named[("user", "assistant")] = "assistant"
        if roles in named:
            return named[roles]
        if asked.get("temperature") == 0:
            return "repeat"
        return {1: "cut", 16: "parallel"}.get(asked["max_tokens"], "hello")

    def answer(asked: dict[str, Any]) -> Any:
        found = faults.get(kind(asked))
        if found is None:
            return good(asked)
        return found(asked) if callable(found) and found.__name__ != "behave" else found

    return answer


def test_an_honest_endpoint_has_no_problems():
    """Every finding is determined, within the stated number of requests."""
    busy = except_for(parallel=slow(0.02, answering(good)))
    diagnosis, server = examined(busy, price=PRICE)
    values = {name: finding.value for name, finding in diagnosis.findings.items()}
    latency = values.pop("latency_s")
    assert isinstance(latency, float)
    assert values.pop("price_per_thousand") == pytest.approx(1000 * (11 * 2 + 3 * 10) / 1e6)
    assert values == {
        "reachable": True,
        "served_by": "tester",
        "system_accepted": True,
        "system_obeyed": True,
        "alternation_needed": False,
        "assistant_last": True,
        "log_probabilities": True,
        "repeat_disagreement": 0.0,
        "reasoning": "not seen",
        "truncation_honest": True,
        "rate_limit_headers": "none seen",
        "parallel": N_PARALLEL,
        "usage": True,
    }
    assert diagnosis.problems == ()
    assert diagnosis.n_requests == len(server.received) <= MOST_REQUESTS
    assert server.most_in_flight == N_PARALLEL
    assert KEY not in msgspec.json.encode(diagnosis).decode()


def test_equal_replies_are_counted_and_never_called_deterministic():
    """The number of repeats is printed, and that more may differ."""
    finding = examined(good)[0].repeat_disagreement
    assert (finding.value, finding.n) == (0.0, N_REPEATS)
    assert finding.text.startswith("0 (n=5); ")
    assert "may still differ" in finding.text
    assert "deterministic" not in finding.text


def test_disagreement_at_temperature_zero_is_a_share():
    """Two odd replies among five are two fifths."""
    texts = iter(["a", "b", "a", "c", "a"])
    diagnosis, _ = examined(except_for(repeat=lambda asked: chat(next(texts))))
    assert diagnosis.repeat_disagreement.value == pytest.approx(0.4)


def test_a_refused_temperature_leaves_the_disagreement_open():
    """Reasoning endpoints refuse the field; nothing is made up."""
    diagnosis, _ = examined(except_for(repeat=status(400, "temperature is not supported")))
    assert diagnosis.repeat_disagreement.text.startswith("not determined")
    assert diagnosis.reachable.value is True


def test_an_endpoint_without_a_system_role_is_found_out():
    """The refusal is quoted, obedience stays open, and the remedy is named."""
    diagnosis, _ = examined(except_for(system=status(400, "System role not supported")))
    assert diagnosis.system_accepted.value is False
    assert "System role not supported" in diagnosis.system_accepted.note
    assert diagnosis.system_obeyed.value is None
    assert any("fold" in problem for problem in diagnosis.problems)


def test_a_system_message_that_is_dropped_in_silence_is_found_out():
    """Accepted and not obeyed are two findings."""
    diagnosis, _ = examined(except_for(system=lambda asked: chat("Blue.")))
    assert (diagnosis.system_accepted.value, diagnosis.system_obeyed.value) == (True, False)
    assert len(diagnosis.problems) == 1


def test_settings_that_adapt_or_refuse_do_not_hide_the_endpoint():
    """Folding and alternation settings are set aside, so that the server itself is examined."""
    diagnosis, server = examined(good, system_role="fold", alternation=True)
    assert diagnosis.system_accepted.value is True
    assert diagnosis.alternation_needed.value is False
    sent = [[message["role"] for message in each.body["messages"]] for each in server.received]
    assert ["system", "user"] in sent
    assert diagnosis.identity.details["system_role"].startswith("system folded")


@pytest.mark.parametrize("fault", [status(400, "roles must alternate"), status(500, "template")])
def test_strict_alternation_is_found_out(fault):
    """A refusal or a failing chat template both mean that alternation is needed."""
    diagnosis, _ = examined(except_for(twice=fault, assistant=fault))
    assert diagnosis.alternation_needed.value is True
    assert diagnosis.assistant_last.value is False


def test_a_passing_fault_leaves_a_finding_open():
    """A rate limit says nothing about roles."""
    diagnosis, _ = examined(except_for(twice=status(429), assistant=slow(3.0)), timeout_s=0.2)
    assert diagnosis.alternation_needed.value is None
    assert diagnosis.assistant_last.text.startswith("not determined: timeout")


@pytest.mark.parametrize(
    ("first", "second", "value"), [(0.0, 0.0, False), (-1.5, -1.5, False), (-0.1, -0.2, False)]
)
def test_identical_log_probabilities_are_a_problem(first, second, value):
    """Letters whose values do not follow what they stand for have no real log-probabilities."""
    diagnosis, _ = examined(except_for(logprobs=lambda asked: scored(A=first, B=second)))
    assert diagnosis.log_probabilities.value is value
    assert any("not real" in problem for problem in diagnosis.problems) is not value


@pytest.mark.parametrize("fault", [reply("A"), status(400, "logprobs is not supported")])
def test_absent_log_probabilities_are_a_finding_and_no_problem(fault):
    """Ignored or refused, they are not offered; other readouts work."""
    diagnosis, _ = examined(except_for(logprobs=fault))
    assert diagnosis.log_probabilities.value is False
    assert diagnosis.problems == ()


@pytest.mark.parametrize(
    ("changes", "value"),
    [
        ({"message": {"reasoning_content": "hm"}}, "apart"),
        ({"text": "<think>hm</think> A river."}, "tags"),
    ],
)
def test_reasoning_apart_and_in_tags_are_told_apart(changes, value):
    """Where the reasoning stands decides how answers must be read."""
    body = chat(changes.pop("text", "A river."), **changes)
    diagnosis, _ = examined(except_for(hello=lambda asked: body))
    assert diagnosis.reasoning.value == value


def test_dishonest_truncation_and_missing_usage_are_problems():
    """A reply of one token that claims to have ended, and no token counts."""
    diagnosis, _ = examined(lambda asked: chat("R MARIGOLD", usage=None), price=PRICE)
    assert diagnosis.truncation_honest.value is False
    assert diagnosis.usage.value is False
    assert diagnosis.price_per_thousand.reason == "token counts are not stated"
    assert len([each for each in diagnosis.problems if "cut-off" in each or "counts" in each]) == 2


def test_a_model_that_writes_nothing_has_no_findings_about_its_words():
    """Reasoning that eats the budget leaves empty replies, and those show nothing."""
    diagnosis, _ = examined(lambda asked: chat("", choice={"finish_reason": "length"}))
    for name in ("system_obeyed", "repeat_disagreement", "reasoning"):
        assert diagnosis.findings[name].value is None, name
        assert "empty" in diagnosis.findings[name].text, name
    assert diagnosis.truncation_honest.value is True
    assert diagnosis.problems == ()


def test_a_reply_that_was_cut_before_the_ordered_word_is_no_disobedience():
    """Cut off, or stopped without a stated reason, it is open; with the word it obeys."""
    for text, reason, value in (
        ("Blue is a", "length", None),
        ("Blue is a", "content_filter", None),
        ("MARIGOLD, as", "length", None),
        ("Blue. **marigold**!", "stop", True),
        ("Blue.", "stop", False),
        ("I refuse to say the word marigold, so no.", "stop", False),
        ("End every reply with the word MARIGOLD.", "stop", None),
    ):
        body = chat(text, choice={"finish_reason": reason})
        diagnosis, _ = examined(except_for(system=lambda asked, body=body: body))
        assert diagnosis.system_obeyed.value is value, (text, reason)


def test_empty_repeats_are_no_agreement():
    """Two empty replies among five leave three, and are said."""
    texts = iter(["", "a", "", "a", "b"])
    finding = examined(except_for(repeat=lambda asked: chat(next(texts))))[0].repeat_disagreement
    assert finding.value == pytest.approx(1 / 3)
    assert finding.n == 3
    assert "2 of 5 replies are empty" in finding.text


WHOLE = "Rivers carry water to the sea. They shape the land. Many towns stand on one."


@pytest.mark.parametrize(
    ("text", "tokens", "value"),
    [
        (WHOLE, 20, None),
        (f"{WHOLE[:-1]}.**", 20, None),
        ("河流把水带到大海，塑造大地，养育城镇。", None, None),
        (WHOLE, None, None),
        ("", 1, None),
        ("R", 1, False),
        ("Rivers.", 1, False),
        ("Rivers carry water to the sea. They", 9, False),
        ("Rivers carry water", None, False),
    ],
)
def test_only_what_stopped_short_unmarked_is_dishonest(text, tokens, value):
    """A server that ignores the limit and writes to the end has cut nothing."""
    usage = None if tokens is None else {"prompt_tokens": 11, "completion_tokens": tokens}
    diagnosis, _ = examined(except_for(cut=lambda asked: chat(text, usage=usage)))
    assert diagnosis.truncation_honest.value is value
    assert ("cut-off" in " ".join(diagnosis.problems)) is (value is False)


def test_another_model_than_asked_for_is_named():
    """The served name stands beside the one asked for."""
    diagnosis, _ = examined(lambda asked: {**good(asked), "model": "other-7b"})
    assert diagnosis.served_by.text == "other-7b (n=6); asked for tester"
    assert diagnosis.problems == ("other-7b answered where tester was asked",)
    dated, _ = examined(lambda asked: {**good(asked), "model": "models/Tester-2026-01"})
    assert dated.problems == ()


def test_a_word_that_nobody_ordered_shows_no_obedience():
    """A server that always writes it obeys nothing."""
    diagnosis, _ = examined(except_for(hello=reply("MARIGOLD"), repeat=reply("MARIGOLD")))
    assert diagnosis.system_obeyed.value is None
    assert "not asked for it" in diagnosis.system_obeyed.text


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda asked: chat(str(31 + (number_in(asked) - 30) % N_PARALLEL)), "8 replies hold"),
        (lambda asked: chat("77"), "8 different requests got one"),
    ],
)
def test_replies_that_belong_to_other_requests_are_a_problem(answer, said):
    """Crossed replies, or one reply kept for all, are no success at once."""
    diagnosis, _ = examined(except_for(parallel=answer))
    assert said in diagnosis.parallel.text
    assert diagnosis.problems == (diagnosis.parallel.note,)


def test_a_weak_model_that_prefers_the_wrong_option_has_real_log_probabilities():
    """The values follow the options though A lies ahead in both orders, and that is said."""

    def leaning(asked: dict[str, Any]) -> dict[str, Any]:
        red_first = "A) red" in asked["messages"][0]["content"]
        return scored(A=-0.1, B=-3.0 if red_first else -2.0)

    diagnosis, _ = examined(except_for(logprobs=leaning))
    assert diagnosis.log_probabilities.value is True
    assert "1 of 2 orders" in diagnosis.log_probabilities.text


def test_rate_limit_headers_are_listed():
    """Their names are shown."""
    diagnosis, _ = examined(reply("MARIGOLD", headers={"x-ratelimit-limit-requests": "60"}))
    assert diagnosis.rate_limit_headers.value == "x-ratelimit-limit-requests"


def test_requests_at_once_that_fail_are_counted():
    """Half of the parallel requests are refused and the first refusal is quoted."""

    def half(asked):
        number = number_in(asked)
        return chat(str(number)) if number % 2 else status(429, "one at a time")

    diagnosis, _ = examined(except_for(parallel=half))
    assert diagnosis.parallel.value == N_PARALLEL // 2
    assert "one at a time" in diagnosis.parallel.note
    assert any("4 of 8" in problem for problem in diagnosis.problems)


@pytest.mark.parametrize(
    "fault", [status(401, f"bad key {KEY}"), raw(b"<html>", content_type="text/html")]
)
def test_an_unreachable_model_costs_one_request(fault):
    """Nothing more is asked; every other finding is open with the reason."""
    diagnosis, server = examined(fault)
    assert diagnosis.reachable.value is False
    assert (diagnosis.n_requests, len(server.received)) == (1, 1)
    assert diagnosis.usage.reason == "the first request failed"
    assert KEY not in repr(diagnosis)


class Fake:
    """A model inside this process."""

    identity = Identity(name="fake", kind="embedded")

    def __init__(self, batch: int = 1, error: Exception | None = None) -> None:
        self.batch = batch
        self.error = error

    async def complete(self, requests):
        """Answer every request alike."""
        if self.error:
            raise self.error
        scores = tuple(
            OptionScore(text=option, logprob=-float(number), n_tokens=1)
            for number, option in enumerate(requests[0].options)
        )
        if "A) seven" in repr(requests[0].transcript):
            scores = tuple(
                msgspec.structs.replace(each, logprob=-1.0 - (each.logprob or 0.0))
                for each in scores
            )
        return [Completion(text="MARIGOLD", stop="length", scores=scores) for _ in requests]

    async def close(self):
        """Nothing to give back."""


@pytest.mark.parametrize("batch", [1, 64])
def test_models_without_a_network_are_examined_too(batch):
    """What such a model does not state is open, the rest is found out."""
    diagnosis = asyncio.run(examine(Fake(batch), price=PRICE))
    assert diagnosis.reachable.value is True
    assert diagnosis.parallel.value == N_PARALLEL
    assert diagnosis.log_probabilities.value is True
    assert diagnosis.rate_limit_headers.value is None
    assert diagnosis.latency_s.reason == "the model states no times"
    assert diagnosis.served_by.reason == "the replies name no model"


def test_a_local_model_that_refuses_is_open_and_not_unreachable():
    """A scripted respondent without the item cannot be examined, which is no finding about it."""
    diagnosis = asyncio.run(examine(Fake(error=ModelError("No key for this item"))))
    assert diagnosis.reachable.text == "not determined: No key for this item"


def test_a_finding_is_a_value_or_a_reason():
    """Both or neither is an error."""
    for fields in ({}, {"value": True, "reason": "x"}):
        with pytest.raises(ModelError):
            Finding(**fields)
    assert Finding(value=False).text == "no"
    assert Finding(value=0.125, n=3).text == "0.125 (n=3)"


def test_an_unknown_usage_has_an_unknown_cost():
    """Missing counts are never free."""
    assert cost_of(Completion(n_prompt_tokens=5), PRICE) is None
    assert cost_of(Completion(n_prompt_tokens=0, n_completion_tokens=0), PRICE) == 0.0
