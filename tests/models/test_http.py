"""The network client against a server with scripted faults."""

from __future__ import annotations

import asyncio
import email.utils
import gzip
import json
import pickle
import random
from contextlib import asynccontextmanager

import msgspec
import pytest
from servers import (
    KEY,
    QuickClock,
    answering,
    chat,
    drip,
    huge,
    raw,
    reply,
    reset,
    serve,
    slow,
    status,
)

from unswayed.errors import CapabilityError, ModelError, UsageError
from unswayed.models.endpoint import (
    Endpoint,
    public_address,
    read_endpoint,
    read_price,
    stated_price,
)
from unswayed.models.http import HTTPModel
from unswayed.models.protocol import Model, Request, Sampling
from unswayed.models.replies import LARGEST_BODY
from unswayed.models.wire import PROVIDER_DEFAULT, describe_sampling
from unswayed.transcript import Part, Transcript

HELLO = Transcript(()).then("user", Part("Capital of France?", "question"))
ENVIRON = {"TEST_KEY": KEY}


def ask(number: int = 0, transcript: Transcript = HELLO, **changes) -> Request:
    """Return a request."""
    return Request(id=f"r{number}", transcript=transcript, **changes)


@asynccontextmanager
async def client(*behaviors, environ=ENVIRON, wire_log=None, **changes):
    """Run a server and a client that points at it."""
    async with serve(*behaviors) as server:
        model = HTTPModel(
            server.endpoint(**changes),
            clock=QuickClock(),
            rng=random.Random(7),
            wire_log=wire_log,
            environ=environ,
        )
        try:
            yield server, model
        finally:
            await model.close()


def one(*behaviors, request: Request | None = None, **changes):
    """Complete one request; return the completion, the server and the model."""

    async def run():
        async with client(*behaviors, **changes) as (server, model):
            (completion,) = await model.complete([request or ask()])
            return completion, server, model

    return asyncio.run(run())


def test_a_good_reply_becomes_a_completion():
    """Text, stop, usage and name arrive, and the model follows the protocol."""
    completion, server, model = one()
    assert isinstance(model, Model)
    assert (completion.text, completion.stop, completion.error) == ("Paris", "end", None)
    assert (completion.n_prompt_tokens, completion.n_completion_tokens) == (11, 3)
    assert (completion.served_by, completion.attempts) == ("tester", 1)
    assert completion.n_cached_tokens is None
    assert server.received[0].path == "/v1/chat/completions"
    assert server.received[0].headers["authorization"] == f"Bearer {KEY}"


def test_what_is_sent_is_the_planned_transcript_byte_for_byte():
    """Odd characters survive, no message is doubled, and nothing unasked is in the body."""
    odd = 'Zwölf "quotes" \\ \u2028 \x00 {hole} 🙂\r\n end '
    planned = HELLO.then("assistant", Part("Lyon.", "reply")).then(
        "user", Part(odd, "pressure"), Part("So?", "line")
    )
    _, server, _ = one(request=ask(transcript=planned))
    assert server.received[0].body == {"model": "tester", "messages": planned.to_wire()}


def test_sampling_fields_are_sent_only_when_set():
    """Unset fields stay out and are recorded as the provider's default; the draw moves the seed."""
    sampling = Sampling(temperature=0.0, max_tokens=5, seed=40, stop=("\n",))
    _, server, _ = one(request=ask(sampling=sampling, draw=2))
    body = server.received[0].body
    del body["messages"], body["model"]
    assert body == {"temperature": 0.0, "max_tokens": 5, "seed": 42, "stop": ["\n"]}
    assert describe_sampling(Sampling(temperature=0.0)) == {
        "temperature": "0.0",
        "max_tokens": PROVIDER_DEFAULT,
        "top_p": PROVIDER_DEFAULT,
        "seed": PROVIDER_DEFAULT,
        "stop": PROVIDER_DEFAULT,
    }


@pytest.mark.parametrize(
    "fault",
    [
        status(500),
        status(503),
        status(408),
        status(409),
        status(429),
        raw(b'{"choices": [{"mess'),
        raw(b'{"choices": NaN}'),
        raw(b"<html>gateway</html>", content_type="text/html"),
        raw(json.dumps(chat(choices=[])).encode()),
        raw(b"not gzip", headers={"Content-Encoding": "gzip"}),
        reset(),
    ],
    ids=["500", "503", "408", "409", "429", "cut", "nan", "html", "empty", "badgzip", "reset"],
)
def test_a_passing_fault_is_tried_again(fault):
    """Each fault that another try can mend costs one attempt and leaves no trace in the text."""
    completion, server, _ = one(fault, reply("Rome"))
    assert (completion.text, completion.error, completion.attempts) == ("Rome", None, 2)
    assert len(server.received) == 2
    assert server.received[0].raw == server.received[1].raw


@pytest.mark.parametrize("behavior", [slow(3.0), drip(0.02)], ids=["slow", "drip"])
def test_a_server_that_takes_too_long_is_left(behavior):
    """The time limit holds for the whole reply, and for a drip of single bytes."""
    completion, server, _ = one(behavior, timeout_s=0.15, max_attempts=2)
    assert completion.error == "timeout: 0.15 s"
    assert completion.stop == "error"
    assert (completion.attempts, len(server.received)) == (2, 2)


def test_attempts_are_bounded_and_waits_are_jittered():
    """A server that never recovers gives an error completion after the stated attempts."""

    async def run():
        async with client(status(500, "down"), max_attempts=5) as (server, model):
            (completion,) = await model.complete([ask()])
            return completion, server, model._clock.slept

    completion, server, slept = asyncio.run(run())
    assert completion.error == "server_error: HTTP 500 down"
    assert completion.attempts == len(server.received) == 5
    assert len(slept) == 4
    assert all(wait <= 0.5 * 2**index for index, wait in enumerate(slept))
    assert len(set(slept)) == 4


def test_the_budget_of_a_request_ends_its_attempts():
    """Waits count against the seconds that one request may take."""
    behavior = status(503, headers={"Retry-After": "50"})
    completion, server, _ = one(behavior, budget_s=120.0, max_attempts=50)
    assert completion.error is not None
    assert len(server.received) == 3


@pytest.mark.parametrize("form", ["seconds", "date", "milliseconds", "reset"])
def test_the_wait_that_a_server_asks_for_is_kept(form):
    """Seconds, dates and reset headers all hold the next attempt back by at least that long."""
    headers = {
        "seconds": {"Retry-After": "17"},
        "date": {"Retry-After": email.utils.formatdate(1_700_000_017, usegmt=True)},
        "milliseconds": {"retry-after-ms": "17000"},
        "reset": {"x-ratelimit-reset-requests": "17s", "x-ratelimit-remaining-requests": "0"},
    }[form]

    async def run():
        async with client(status(429, headers=headers), reply()) as (_, model):
            (completion,) = await model.complete([ask()])
            return completion, model._clock.now(), model.rate_limit_headers

    completion, waited, seen = asyncio.run(run())
    assert completion.attempts == 2
    assert 17.0 <= waited <= 17.6
    assert seen == {name.lower() for name in headers}


@pytest.mark.parametrize(
    "fault",
    [
        status(429, headers={"Retry-After": "86400"}),
        status(503, headers={"Retry-After": "121"}),
        status(429, "You exceeded your current quota", code="insufficient_quota"),
    ],
)
def test_a_used_up_quota_ends_the_run_instead_of_waiting(fault):
    """A wait beyond the limit raises at once, without a sleep, and says how to go on."""

    async def run():
        async with client(fault) as (server, model):
            with pytest.raises(ModelError, match="resume the run") as caught:
                await model.complete([ask()])
            return server, model._clock.slept, caught.value

    server, slept, _ = asyncio.run(run())
    assert len(server.received) == 1
    assert slept == []


@pytest.mark.parametrize("code", [301, 401, 402, 403, 404])
def test_faults_that_no_retry_mends_end_the_run_without_the_key(code):
    """The error names the variable and never the key, even if the server echoes the key."""
    fault = status(code, f"Incorrect API key provided: {KEY} (Bearer {KEY})")

    async def run():
        async with client(fault) as (server, model):
            with pytest.raises(ModelError) as caught:
                await model.complete([ask()])
            return server, caught.value

    server, error = asyncio.run(run())
    assert len(server.received) == 1
    assert KEY not in str(error) + repr(error) + repr(error.__context__) + repr(error.__cause__)
    assert code not in (401, 403) or "TEST_KEY" in error.next_step


def test_a_redirect_is_not_followed():
    """The key is not carried to another address."""

    async def run():
        away = status(307, headers={"Location": "/elsewhere"})
        async with client(away, reply()) as (server, model):
            with pytest.raises(ModelError, match="redirects are not followed"):
                await model.complete([ask()])
            return [each.path for each in server.received]

    assert asyncio.run(run()) == ["/v1/chat/completions"]


def test_a_wait_holds_the_other_requests_too():
    """After one refusal with a wait, a new request is sent only when it is over."""

    async def run():
        async with client(status(429, headers={"Retry-After": "40"}), reply()) as (_, model):
            first = asyncio.create_task(model.complete([ask(0)]))
            while not model.rate_limit_headers:
                await asyncio.sleep(0.001)
            model._clock.time = 3.0
            held = await model._limiter.enter()
            model._limiter.leave()
            await first
            return held

    assert asyncio.run(run()) >= 40.0


@pytest.mark.parametrize(("reset", "entered"), [("9s", 9.0), ("3h", 0.0)])
def test_a_good_reply_that_uses_up_the_allowance_holds_the_next_request(reset, entered):
    """A short wait is kept in advance; a long one is left to the refusal that follows."""
    headers = {"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": reset}

    async def run():
        async with client(reply(headers=headers)) as (_, model):
            await model.complete([ask()])
            return await model._limiter.enter()

    assert asyncio.run(run()) == entered


def test_an_absent_key_is_named_when_the_server_wants_one():
    """Without the variable no header is sent, and a 401 says that it is not set."""

    async def run():
        async with client(status(401), environ={}) as (server, model):
            with pytest.raises(ModelError, match="TEST_KEY is not set"):
                await model.complete([ask()])
            return server

    assert "authorization" not in asyncio.run(run()).received[0].headers


@pytest.mark.parametrize(
    ("fault", "slug"),
    [
        (status(400, "This model's maximum context length is 8192 tokens"), "context_full"),
        (status(400, "blocked by our content policy", code="content_filter"), "content_filter"),
        (status(403, "Your input was flagged", metadata={"reasons": []}), "content_filter"),
        (status(400, "temperature is not supported"), "bad_request"),
        (status(422, "unprocessable"), "bad_request"),
    ],
)
def test_a_refused_request_is_an_error_completion_after_one_attempt(fault, slug):
    """Faults of this one request are recorded with the server's words and not retried."""
    completion, server, _ = one(fault)
    assert completion.error is not None
    assert completion.error.startswith(f"{slug}: HTTP ")
    assert (completion.text, completion.stop, len(server.received)) == ("", "error", 1)


def test_a_long_message_with_the_key_is_shortened_and_scrubbed():
    """Neither the whole key nor its beginning remains where the message is cut."""
    completion, _, _ = one(status(400, "x" * 275 + KEY + "y" * 900))
    assert completion.error is not None
    assert len(completion.error) < 330
    assert KEY[:8] not in completion.error


def test_a_key_in_disguise_is_found():
    """Escaped letters in a reply, and keys that the server masks, are hidden as well."""
    escaped = f"\\u{ord(KEY[0]):04x}{KEY[1:]}"
    body = json.dumps(chat("KEY!")).replace("KEY!", f"it is {escaped}").encode()
    completion, _, _ = one(raw(body))
    assert completion.text == "it is [key]"
    completion, _, _ = one(status(400, "wrong key sk-live-****wxyz given"))
    assert completion.error == "bad_request: HTTP 400 wrong key [key] given"


def test_identical_refusals_are_counted_for_the_engine():
    """The counter goes up with each identical refusal, whatever its request number, and resets."""
    faults = [status(400, f"bad field, request req_{number}") for number in range(3)]

    async def run():
        async with client(*faults, reply(), status(400, "other")) as (_, model):
            counts = []
            for number in range(5):
                await model.complete([ask(number)])
                counts.append(model.same_refusals)
            return counts

    assert asyncio.run(run()) == [1, 2, 3, 0, 1]


@pytest.mark.parametrize(("announced", "most"), [(True, 16 * 2**20), (False, 46 * 2**20)])
def test_a_huge_body_is_refused_without_reading_it_all(announced, most):
    """Fifty megabytes end in an error; an announced size is refused before reading."""
    sent: list[int] = []
    completion, server, _ = one(huge(50 * 2**20, sent, announced=announced))
    assert sum(sent) < most
    assert completion.error == f"too_large: more than {LARGEST_BODY} bytes"
    assert len(server.received) == 1


def test_a_small_body_that_unpacks_to_a_huge_one_is_refused():
    """The limit holds for the unpacked size."""
    packed = gzip.compress(b" " * (LARGEST_BODY + 10))
    completion, _, _ = one(raw(packed, headers={"Content-Encoding": "gzip"}))
    assert completion.error is not None
    assert completion.error.startswith("too_large")


def test_no_server_at_all_ends_the_run():
    """When nothing ever answered, the error says so instead of filling a run with failures."""
    endpoint = Endpoint(base_url="http://127.0.0.1:9/v1", model="m", key_env="", max_attempts=2)

    async def run():
        model = HTTPModel(endpoint, clock=QuickClock(), environ={})
        try:
            with pytest.raises(ModelError, match="No server answers"):
                await model.complete([ask()])
        finally:
            await model.close()

    asyncio.run(run())


def test_the_key_is_nowhere():
    """The key is in no repr, identity, encoded endpoint, error, completion, log or pickle."""
    echo = chat(f"your key is {KEY}", message={"reasoning": KEY}, model=KEY)
    log: list[tuple[object, ...]] = []

    async def run():
        behaviors = (raw(json.dumps(echo).encode()), status(400, KEY))
        async with client(*behaviors, wire_log=lambda *row: log.append(row)) as (server, model):
            produced = [*await model.complete([ask(1)]), *await model.complete([ask(2)])]
            with pytest.raises(UsageError):
                pickle.dumps(model)
            return [
                *(msgspec.json.encode(completion).decode() for completion in produced),
                repr(produced),
                repr(model),
                repr(vars(model)),
                str(model.identity),
                msgspec.json.encode(model.endpoint).decode(),
                repr(log),
            ]

    produced = asyncio.run(run())
    assert not [text for text in produced if KEY in text]
    assert "your key is [key]" in produced[0]
    assert [row[:3] for row in log] == [("r1", 1, 200), ("r2", 1, 400)]
    assert all(len(row) == 4 and isinstance(row[3], float) for row in log)


def test_a_short_placeholder_key_does_not_change_replies():
    """Local servers take keys such as EMPTY; a reply that uses the word stays whole."""
    completion, server, _ = one(reply("The set is EMPTY."), environ={"TEST_KEY": "EMPTY"})
    assert completion.text == "The set is EMPTY."
    assert server.received[0].headers["authorization"] == "Bearer EMPTY"


def test_a_key_that_cannot_be_a_header_is_refused_unseen():
    """A pasted file is refused with the variable's name and without its content."""
    with pytest.raises(ModelError, match="TEST_KEY") as caught:
        HTTPModel(
            Endpoint(base_url="http://h/v1", model="m", key_env="TEST_KEY"),
            environ={"TEST_KEY": f"{KEY}\nOTHER=1"},
        )
    assert KEY not in str(caught.value)


@pytest.mark.parametrize(
    "address",
    [
        "https://user:hunter2-long@host/v1",
        "https://host/v1?api_key=hunter2-long",
        "https://host/v1?x-api-key=hunter2-long",
        "https://host/v1?access_token=hunter2-long",
        "ftp://host/v1",
        "host/v1",
    ],
)
def test_secrets_in_the_address_are_refused_with_a_remedy(address):
    """A key belongs into the environment; the message does not repeat it."""
    with pytest.raises(UsageError) as caught:
        Endpoint(base_url=address, model="m")
    assert "hunter2" not in str(caught.value)
    assert "key_env" in caught.value.next_step or "web address" in caught.value.wrong


def test_the_key_inside_the_settings_is_refused():
    """The value of the variable may not stand in the address or the body either."""
    settings = [{"base_url": f"http://h/{KEY}"}, {"extra_body": {"note": KEY}}, {"model": KEY}]
    for changes in settings:
        fields = {"base_url": "http://h", "model": "m", "key_env": "TEST_KEY", **changes}
        with pytest.raises(UsageError) as caught:
            HTTPModel(Endpoint(**fields), environ=ENVIRON)
        assert KEY not in str(caught.value)


def test_identity_has_no_query_and_names_what_changes_replies():
    """The version query is used on the wire and left out of the identity; settings are in it."""
    endpoint = Endpoint(
        base_url="https://host/v1/chat/completions?api-version=3",
        model="m",
        system_role="fold",
        extra_body={"reasoning_effort": "low"},
    )
    assert endpoint.url("chat/completions") == "https://host/v1/chat/completions?api-version=3"
    assert endpoint.identity.endpoint == "https://host/v1"
    assert endpoint.identity.details == {
        "system_role": "system folded into first user turn",
        "extra_body": '{"reasoning_effort":"low"}',
    }
    assert public_address("http://a:b@h:1/v1?k=v#f") == "http://h:1/v1"


@pytest.mark.parametrize(
    "extra",
    [{"messages": []}, {"temperature": 1}, {"api_key": "x"}, {"provider": [{"Api-Key": "x"}]}],
)
def test_extra_fields_cannot_change_the_plan_or_hold_a_key(extra):
    """What comes from the plan is set in the plan."""
    with pytest.raises(UsageError):
        Endpoint(base_url="http://h/v1", model="m", extra_body=extra)


def test_extra_fields_that_only_sound_like_keys_are_sent():
    """A cache key or a schema with a field called key is no secret."""
    extra = {"prompt_cache_key": "k", "response_format": {"properties": {"key": {}}}}
    _, server, _ = one(extra_body=extra)
    assert server.received[0].body.items() >= extra.items()


class HastyClock(QuickClock):
    """A clock on which a second takes a hundredth."""

    def now(self):
        """Return hundred seconds for each."""
        return asyncio.get_running_loop().time() * 100

    async def sleep(self, seconds):
        """Wait a hundredth."""
        await asyncio.sleep(seconds / 100)


def test_an_allowance_of_tokens_is_kept_by_spacing_and_not_by_refusals():
    """Ten tokens a second, 14 a request: what remains is stated, and hardly one is refused."""
    seen = {"left": 280.0, "at": None, "refused": 0}

    def answer(asked):
        now = asyncio.get_running_loop().time() * 100
        seen["left"] = min(280.0, seen["left"] + 10 * (now - (seen["at"] or now)))
        seen["at"] = now
        if seen["left"] < 14:
            seen["refused"] += 1
            return status(429, "tokens")
        seen["left"] -= 14
        headers = {
            "x-ratelimit-remaining-tokens": f"{seen['left']:.0f}",
            "x-ratelimit-reset-tokens": f"{(280 - seen['left']) / 10:.3f}s",
        }
        return reply(headers=headers)

    async def run():
        async with serve(answering(answer)) as server:
            endpoint = server.endpoint(concurrency=64)
            model = HTTPModel(endpoint, clock=HastyClock(), rng=random.Random(2), environ=ENVIRON)
            done = await model.complete([ask(n) for n in range(120)])
            await model.close()
            return done

    assert {each.text for each in asyncio.run(run())} == {"Paris"}
    assert seen["refused"] <= 12


def test_load_settles_at_what_the_server_takes():
    """A server that refuses all but a few at a time gets every request answered in the end."""
    holder = []

    def answer(asked):
        return status(429, "busy") if holder[0].in_flight > 6 else slow(0.003)

    async def run():
        async with serve(answering(answer)) as server:
            holder.append(server)
            model = HTTPModel(
                server.endpoint(concurrency=64),
                clock=HastyClock(),
                rng=random.Random(2),
                environ=ENVIRON,
            )
            done = await model.complete([ask(n) for n in range(300)])
            await model.close()
            return server, done

    server, done = asyncio.run(run())
    assert {each.text for each in done} == {"Paris"}
    assert sum(each.attempts for each in done) == len(server.received) < 450
    assert server.most_in_flight < 40


def test_a_second_event_loop_is_refused_with_a_remedy():
    """Connections of one loop are not used in another."""

    async def first():
        async with serve() as server:
            model = HTTPModel(server.endpoint(), environ=ENVIRON)
            await model.complete([ask()])
            return model

    async def second(model):
        with pytest.raises(UsageError, match="two event loops"):
            await model.complete([ask()])
        await model.close()

    asyncio.run(second(asyncio.run(first())))


def test_a_system_text_is_folded_with_a_label_or_sent_as_such():
    """Folding shows in the identity and on the wire; without it the system message is sent."""
    planned = (
        Transcript(())
        .then("system", Part("Be brief.", "system"))
        .then("user", Part("Capital?", "question"))
    )
    _, server, model = one(request=ask(transcript=planned), system_role="fold")
    assert server.received[0].body["messages"] == [
        {"role": "user", "content": "Be brief.\n\nCapital?"}
    ]
    assert model.identity.details["system_role"] == "system folded into first user turn"
    _, server, model = one(request=ask(transcript=planned))
    assert server.received[0].body["messages"] == planned.to_wire()
    assert model.identity.details == {}


def test_a_shape_the_endpoint_cannot_take_is_refused_before_spending():
    """One unfit request in a call means that none of the call is sent."""
    doubled = HELLO.then("user", Part("Are you sure?", "pressure"))

    async def run():
        async with client(alternation=True) as (server, model):
            with pytest.raises(CapabilityError, match="alternate"):
                await model.complete([ask(0), ask(1, doubled)])
            return server

    assert asyncio.run(run()).received == []


def test_completions_keep_the_order_of_requests():
    """Replies that arrive late still land on their own request."""

    def answer(asked):
        number = int(asked["messages"][0]["content"])
        return slow(0.05 * (3 - number), reply(f"answer {number}"))

    async def run():
        async with client(answering(answer)) as (_, model):
            texts = [Transcript(()).then("user", Part(str(n), "question")) for n in range(3)]
            return await model.complete([ask(n, text) for n, text in enumerate(texts)])

    assert [each.text for each in asyncio.run(run())] == ["answer 0", "answer 1", "answer 2"]


def test_requests_in_flight_stay_within_the_bound():
    """However many are asked at once, the server never sees more than allowed."""

    async def run():
        async with client(slow(0.005), concurrency=5) as (server, model):
            done = await model.complete([ask(number) for number in range(60)])
            return server, done

    server, done = asyncio.run(run())
    assert len(done) == 60
    assert server.most_in_flight == 5


def test_cancelling_gives_every_place_back():
    """After a cancelled call the client still works and nothing is in flight."""
    stuck = [True]

    async def run():
        behavior = answering(lambda asked: slow(60.0) if stuck[0] else reply("later"))
        async with client(behavior) as (server, model):
            task = asyncio.create_task(model.complete([ask(n) for n in range(12)]))
            while server.in_flight < 8:
                await asyncio.sleep(0.005)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert model._limiter.in_flight == 0
            stuck[0] = False
            return await model.complete([ask(n) for n in range(12)])

    assert {each.text for each in asyncio.run(run())} == {"later"}


def test_a_fault_that_ends_the_run_stops_the_other_requests():
    """With a bad key the waiting requests are not sent one after another."""

    async def run():
        async with client(status(401), slow(0.05), concurrency=2) as (server, model):
            with pytest.raises(ModelError):
                await model.complete([ask(n) for n in range(50)])
            return len(server.received)

    assert asyncio.run(run()) <= 4


def test_a_lone_surrogate_is_an_error_and_not_a_crash():
    """Text that is not valid Unicode cannot be sent and says so."""
    broken = Transcript(()).then("user", Part("bad \ud800", "question"))
    completion, server, _ = one(request=ask(transcript=broken))
    assert completion.error == "bad_text: lone surrogate"
    assert server.received == []


def test_options_are_refused_by_a_plain_chat_endpoint_before_spending():
    """The refusal names the readout to use instead."""

    async def run():
        async with client() as (server, model):
            with pytest.raises(CapabilityError, match="readout of the written text"):
                await model.complete([ask(options=("A", "B"))])
            return server

    assert asyncio.run(run()).received == []


def test_options_are_scored_from_the_first_token_where_offered():
    """Listed options get their log-probability, others None; one token is asked for."""
    top = [{"token": "A", "logprob": -0.2}, {"token": " B", "logprob": -2.5}]
    content = [{"token": "A", "logprob": -0.2, "top_logprobs": top}]
    behavior = reply("A", choice={"logprobs": {"content": content}})
    request = ask(options=("A", "B", "C"))
    completion, server, model = one(behavior, request=request, scoring="top_logprobs")
    assert [(each.text, each.logprob) for each in completion.scores] == [
        ("A", -0.2),
        ("B", -2.5),
        ("C", None),
    ]
    body = server.received[0].body
    assert (body["logprobs"], body["top_logprobs"], body["max_tokens"]) == (True, 20, 1)
    assert model.identity.details == {"scoring": "top_logprobs"}


def test_options_are_scored_by_echo_for_a_base_model():
    """Each option is sent behind the prompt, and only its own tokens are summed."""

    def answer(asked):
        option = asked["prompt"].removeprefix("Sky is")
        tokens = ["<s>", "Sky", " is", *({" deep blue": [" deep", " blue"]}.get(option, [option]))]
        values = [None, -9.0, -1.0, *([-0.5] * (len(tokens) - 3))]
        logprobs = {"tokens": tokens, "token_logprobs": values}
        choice = {"index": 0, "text": asked["prompt"], "logprobs": logprobs}
        return {"object": "text_completion", "choices": [choice], "usage": {"prompt_tokens": 4}}

    text = Transcript(()).then("user", Part("Sky is", "question"))
    request = ask(transcript=text, options=(" deep blue", " red"))
    completion, server, _ = one(answering(answer), request=request, scoring="echo")
    assert [(each.logprob, each.n_tokens) for each in completion.scores] == [(-1.0, 2), (-0.5, 1)]
    assert (completion.n_prompt_tokens, completion.n_completion_tokens) == (8, None)
    assert completion.attempts == 2
    assert [each.path for each in server.received] == ["/v1/completions"] * 2


def test_echoed_options_share_a_lead_of_whole_tokens():
    """A text that both begin with ends inside a token of one: the lead is the same for both."""
    cuts = {
        " The answer is 7.": [" The", " answer", " is", " 7", "."],
        " The answer is 70.": [" The", " answer", " is", " 70", "."],
    }

    def answer(asked):
        tokens = ["Sum?", *cuts[asked["prompt"].removeprefix("Sum?")]]
        logprobs = {"tokens": tokens, "token_logprobs": [None, *([-0.5] * 5)]}
        choice = {"index": 0, "text": asked["prompt"], "logprobs": logprobs}
        return {"object": "text_completion", "choices": [choice]}

    text = Transcript(()).then("user", Part("Sum?", "question"))
    request = ask(transcript=text, options=tuple(cuts))
    completion, _, _ = one(answering(answer), request=request, scoring="echo")
    assert [(each.logprob, each.lead) for each in completion.scores] == [(-2.5, -1.5)] * 2


def test_echo_without_an_echo_is_an_error_and_never_a_zero():
    """A server that returns log-probabilities of written tokens only has scored no option."""
    logprobs = {"tokens": ["\n"], "token_logprobs": [0.0]}
    choice = {"index": 0, "text": "\n", "logprobs": logprobs}
    body = json.dumps({"object": "text_completion", "choices": [choice]}).encode()
    completion, _, _ = one(raw(body), request=ask(options=(" a", " b")), scoring="echo")
    assert completion.error == "no_logprobs: the prompt was not echoed"
    assert completion.scores == ()


def test_the_price_of_a_file_of_endpoints_is_one(tmp_path):
    """It is read from one endpoint or several that agree; different ones and NaN are refused."""
    path = tmp_path / "endpoints.toml"
    entry = (
        '[[endpoints]]\nbase_url = "http://h{}/v1"\nmodel = "m"\n'
        "[endpoints.price]\nprompt_per_million = {}\ncompletion_per_million = 2.0\n"
    )
    path.write_text(entry.format(1, 1.0) + entry.format(2, 1.0), encoding="utf-8")
    price = stated_price(path)
    assert price is not None
    assert price.prompt_per_million == 1.0
    for second in ("3.0", "nan"):
        path.write_text(entry.format(1, 1.0) + entry.format(2, second), encoding="utf-8")
        with pytest.raises(UsageError, match="different prices"):
            stated_price(path)
    path.write_text(entry.format(1, -1.0), encoding="utf-8")
    with pytest.raises(UsageError, match="below 0"):
        stated_price(path)
    path.write_text('base_url = "http://h"\nmodel = "m"\n', encoding="utf-8")
    assert stated_price(path) is None


def test_endpoint_and_price_files_are_read(tmp_path):
    """A TOML file gives the endpoint with its price; a wrong field is named."""
    path = tmp_path / "endpoint.toml"
    path.write_text(
        'base_url = "http://127.0.0.1:8000/v1"\nmodel = "m"\nkey_env = ""\n'
        "[price]\nprompt_per_million = 0.5\ncompletion_per_million = 1.5\n",
        encoding="utf-8",
    )
    endpoint = read_endpoint(path)
    assert endpoint.price is not None
    assert endpoint.price.completion_per_million == 1.5
    path.write_text("prompt_per_million = 1.0\ncompletion_per_million = 2.0\n", encoding="utf-8")
    assert read_price(path).currency == "USD"
    path.write_text('base_url = "http://h"\nmodel = "m"\nkey = "x"\n', encoding="utf-8")
    with pytest.raises(UsageError, match="key"):
        read_endpoint(path)
    path.write_text("prompt_per_million = nan\ncompletion_per_million = 2.0\n", encoding="utf-8")
    with pytest.raises(UsageError):
        read_price(path)
