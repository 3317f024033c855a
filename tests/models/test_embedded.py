"""The embedded model behind the protocol, over a network small enough for every test run."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tiny_weights import write_tiny

from unswayed.models.chat import ChatFormat
from unswayed.models.embedded import WRITTEN_TOKENS, EmbeddedModel
from unswayed.models.gguf import read_gguf
from unswayed.models.llama import Llama
from unswayed.models.protocol import Model, Request
from unswayed.models.smollm import SmolLM
from unswayed.plans.sampling import Sampling
from unswayed.transcript import Part, Transcript

QUESTION = Transcript(()).then("user", Part("Which planet is the largest?", "question"))
OPTIONS = ("Jupiter", "Mars", "Venus")


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> EmbeddedModel:
    """The adapter over the tiny network."""
    pytest.importorskip("threadpoolctl", reason="needs the extra 'local'")
    path: Path = tmp_path_factory.mktemp("tiny") / "tiny.gguf"
    gguf = read_gguf(write_tiny(path))
    return EmbeddedModel(SmolLM(Llama.load(gguf), ChatFormat(gguf), "0" * 64))


def ask(number: int, *, scored: bool, sampling: Sampling = Sampling(), draw: int = 0) -> Request:
    """Return one request, whose question depends on its number."""
    transcript = QUESTION.then("assistant", Part("Mars", "reply")).then(
        "user", Part(f"Are you sure, for the {number}th time?", "pressure")
    )
    return Request(
        id=f"{number:032x}",
        transcript=transcript,
        options=OPTIONS if scored else (),
        sampling=sampling,
        draw=draw,
    )


def complete(model: EmbeddedModel, *requests: Request):
    """Ask requests together."""
    return asyncio.run(model.complete(requests))


def test_it_is_a_model_with_an_identity(model: EmbeddedModel):
    """Digests of weights and format make it this model, and its caveat goes with it."""
    assert isinstance(model, Model)
    assert model.batch > 1
    identity = model.identity
    assert (identity.kind, identity.simulated, identity.endpoint) == ("embedded", False, "")
    assert "0" * 64 in identity.details.values()
    assert "135 million" in identity.details["caveat"]
    asyncio.run(model.close())


def test_scored_and_written_requests_come_back_in_order(model: EmbeddedModel):
    """A mixed batch gives each request its own completion, in the order asked."""
    requests = [ask(n, scored=n % 2 == 0, sampling=Sampling(max_tokens=3)) for n in range(6)]
    together = complete(model, *requests)
    assert len(together) == 6
    for request, completion in zip(requests, together, strict=True):
        assert bool(completion.scores) == bool(request.options)
        (alone,) = complete(model, request)
        assert alone.text == completion.text
        for one, other in zip(alone.scores, completion.scores, strict=True):
            assert one.text == other.text
            assert one.logprob == pytest.approx(other.logprob, abs=1e-4)


def test_scores_are_of_the_options_asked(model: EmbeddedModel):
    """Every option has a log-probability, and the text is the likeliest one."""
    (completion,) = complete(model, ask(1, scored=True))
    assert tuple(score.text for score in completion.scores) == OPTIONS
    assert all(score.logprob < 0 and score.n_tokens > 0 for score in completion.scores)
    assert completion.text == max(completion.scores, key=lambda score: score.logprob).text
    assert (completion.stop, completion.error, completion.attempts) == ("end", None, 1)


def test_written_replies_are_bounded_and_marked(model: EmbeddedModel):
    """A reply that was cut says so, and its tokens are counted."""
    (completion,) = complete(model, ask(1, scored=False, sampling=Sampling(max_tokens=4)))
    assert completion.n_completion_tokens <= 4
    assert completion.n_prompt_tokens > 0
    assert completion.stop == ("length" if completion.n_completion_tokens == 4 else "end")
    (usual,) = complete(model, ask(1, scored=False))
    assert usual.n_completion_tokens <= WRITTEN_TOKENS


def test_draws_differ_and_repeat(model: EmbeddedModel):
    """Without temperature every draw is the same; with it draws differ and each one repeats."""

    def texts(sampling: Sampling) -> list[str]:
        requests = [ask(1, scored=False, sampling=sampling, draw=draw) for draw in range(4)]
        return [completion.text for completion in complete(model, *requests)]

    assert len(set(texts(Sampling(max_tokens=6)))) == 1
    warm = Sampling(max_tokens=6, temperature=2.0, seed=5)
    assert len(set(texts(warm))) > 1
    assert texts(warm) == texts(warm)
    assert texts(warm) != texts(Sampling(max_tokens=6, temperature=2.0, seed=50))


def test_a_request_that_does_not_fit_fails_alone(model: EmbeddedModel):
    """A conversation longer than the context is a failed completion, and the others succeed."""
    long = Transcript(()).then("user", Part("word " * 5000, "question"))
    short = Sampling(max_tokens=2)
    too_long = Request(id="f" * 32, transcript=long, sampling=short)
    bad, good = complete(model, too_long, ask(1, scored=False, sampling=short))
    assert bad.error
    assert (bad.text, bad.stop) == ("", "error")
    assert good.error is None
