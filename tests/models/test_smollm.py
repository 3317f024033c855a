"""The embedded model: exact scores, counted work, repeatable replies, refused requests."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from test_llama import chain_logits, convert, reference_logits
from tiny_weights import CONTEXT, tiny_arrays, write_tiny

from unswayed.errors import MissingModelError, ModelError
from unswayed.models import smollm, weights
from unswayed.models.chat import ChatFormat
from unswayed.models.gguf import read_gguf
from unswayed.models.llama import Llama
from unswayed.models.smollm import SmolLM

KNOWN = json.loads(Path(__file__).with_name("known_logprobs.json").read_text(encoding="utf-8"))
QUESTION = [("user", "Which planet is the largest?")]
REQUESTS = [
    (QUESTION, ["Jupiter", "Mars", "Jupiter is the largest planet."]),
    ([*QUESTION, ("assistant", "Jupiter."), ("user", "No, it is Mars.")], ["Jupiter", "Mars"]),
    ([*QUESTION, ("assistant", "Jupiter."), ("user", "Really?")], ["Jupiter", "Mars"]),
]


@pytest.fixture
def tiny(tmp_path) -> SmolLM:
    """The whole class over the tiny network."""
    gguf = read_gguf(write_tiny(tmp_path / "tiny.gguf"))
    return SmolLM(Llama.load(gguf), ChatFormat(gguf), "0" * 64)


@pytest.fixture(scope="module")
def model() -> SmolLM:
    """The real model, fetched if it is not here."""
    pytest.importorskip("threadpoolctl", reason="needs the extra 'local'")
    try:
        weights.fetch()
    except MissingModelError as error:
        pytest.skip(f"the weights are not here and cannot be fetched: {error.given}")
    return SmolLM.load()


def naive(model: SmolLM, conversation, option: str, tail=()) -> list[float]:
    """Log-probabilities of one option from one plain chain, nothing shared."""
    prefix = model.encode_chat(conversation)
    tokens = [*prefix, *model._chat.encode_option(option), *tail]
    logits = chain_logits(model._network, tokens[:-1], 1).astype(np.float64)
    shifted = logits - logits.max(-1, keepdims=True)
    logprobs = shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))
    return [logprobs[j - 1, tokens[j]] for j in range(len(prefix), len(tokens))]


def test_scores_come_back_in_the_order_asked(tiny):
    """Each score is of its own request's own option, with its sum and count."""
    for (conversation, options), scores in zip(REQUESTS, tiny.score(REQUESTS), strict=True):
        for option, score in zip(options, scores, strict=True):
            expected = naive(tiny, conversation, option)
            assert score.text == option
            assert score.n_tokens == len(expected)
            np.testing.assert_allclose(score.token_logprobs, expected, atol=1e-4)
            assert score.logprob_sum == pytest.approx(sum(score.token_logprobs))


def test_the_end_of_turn_counts_only_when_asked(tiny):
    """The option's own tokens read the same; the end of turn adds one."""
    [[plain]] = tiny.score([(QUESTION, ["Mars"])])
    [[ended]] = tiny.score([(QUESTION, ["Mars"])], end_of_turn=True)
    assert ended.n_tokens == plain.n_tokens + 1
    np.testing.assert_allclose(ended.token_logprobs[:-1], plain.token_logprobs, atol=1e-5)
    expected = naive(tiny, QUESTION, "Mars", (tiny._chat.end,))
    np.testing.assert_allclose(ended.token_logprobs, expected, atol=1e-4)


def test_windows_change_no_score(tiny, monkeypatch):
    """Many small trees read what one large tree reads, and compute more."""
    whole = tiny.score(REQUESTS)
    once = tiny.work.computed
    monkeypatch.setattr(smollm, "WINDOW", 1)
    for one, other in zip(whole, tiny.score(REQUESTS), strict=True):
        for a, b in zip(one, other, strict=True):
            np.testing.assert_allclose(a.token_logprobs, b.token_logprobs, atol=1e-5)
    assert tiny.work.computed > 2 * once


def test_work_counts_distinct_and_naive_tokens(tiny):
    """Computed is the number of distinct prefixes, naive the sum over options."""
    tiny.score(REQUESTS)
    chains = [
        (*tiny.encode_chat(conversation), *tiny._chat.encode_option(option))[:-1]
        for conversation, options in REQUESTS
        for option in options
    ]
    assert tiny.work.naive == sum(map(len, chains))
    assert tiny.work.computed == len({c[:end] for c in chains for end in range(1, len(c) + 1)})


def test_no_requests_and_no_options_score_nothing(tiny):
    """Empty asks give empty answers."""
    assert tiny.score([]) == []
    assert tiny.score([(QUESTION, [])]) == [[]]


def test_greedy_reply_takes_the_likeliest_token_each_time(tiny):
    """Every emitted token is the reference's argmax, with its log-probability."""
    conversation = [("system", "S"), ("user", "Hm")]
    reply = tiny.generate(conversation, max_tokens=4)
    prompt = tiny.encode_chat(conversation)
    tokens = list(prompt)
    expected = []
    while len(expected) < 4 and (not expected or tokens[-1] != tiny._chat.end):
        logits = reference_logits(tokens)[-1]
        tokens.append(int(logits.argmax()))
        expected.append(logits.max() - np.log(np.exp(logits).sum()))
    assert reply.n_prompt_tokens == len(prompt)
    assert reply.n_completion_tokens == len(expected)
    np.testing.assert_allclose(reply.token_logprobs, expected, atol=1e-4)
    assert reply.text == tiny._chat.decode(tokens[len(prompt) :])


def test_a_seed_repeats_a_drawn_reply(tiny):
    """The same seed gives the same reply, other seeds give others."""

    def draw(seed):
        return tiny.generate(QUESTION, max_tokens=12, temperature=1.0, seed=seed).text

    assert draw(3) == draw(3)
    assert len({draw(seed) for seed in range(5)}) > 1


def test_draws_follow_the_softmax():
    """Shares of drawn tokens are softmax(logits / temperature)."""
    logits = np.log(np.float32([0.1, 0.2, 0.7]))
    random = np.random.default_rng(0)
    counts = np.bincount([smollm._choose(logits, 0.5, random) for _ in range(20_000)])
    squares = np.array([0.1, 0.2, 0.7]) ** 2
    np.testing.assert_allclose(counts / 20_000, squares / squares.sum(), atol=0.01)


def test_a_reply_ends_at_max_tokens_or_at_a_stop_text(tiny):
    """The reasons differ, and the stop text is not part of the reply."""
    long = tiny.generate(QUESTION, max_tokens=12, temperature=1.0, seed=1)
    assert (long.stop_reason, long.n_completion_tokens) == ("length", 12)
    place = len(long.text) // 2
    cut = tiny.generate(
        QUESTION, max_tokens=12, temperature=1.0, seed=1, stop=["\0", long.text[place]]
    )
    assert cut.stop_reason == "stop"
    assert cut.text == long.text[: long.text.index(long.text[place])]
    assert cut.n_completion_tokens < 12


@pytest.mark.parametrize(
    "settings",
    [
        {"max_tokens": 0},
        {"max_tokens": 3, "temperature": 0.5},
        {"max_tokens": 3, "temperature": -1.0, "seed": 1},
    ],
)
def test_unusable_sampling_is_refused(tiny, settings):
    """No tokens, no seed and negative temperatures are errors."""
    with pytest.raises(ModelError, match="sampling settings"):
        tiny.generate(QUESTION, **settings)


def test_a_request_longer_than_the_context_is_refused(tiny):
    """What does not fit is never cut silently."""
    with pytest.raises(ModelError, match=f"at most {CONTEXT} tokens"):
        tiny.score([([("user", "x" * CONTEXT)], ["a"])])
    with pytest.raises(ModelError, match=f"at most {CONTEXT} tokens"):
        tiny.generate(QUESTION, max_tokens=CONTEXT)


def test_another_model_is_refused_at_load(tmp_path):
    """A file with another chat template does not load as this model."""
    path = write_tiny(tmp_path / "tiny.gguf", tiny_arrays())
    with pytest.raises(ModelError, match="another chat format"):
        SmolLM.load(path)


@pytest.mark.embedded
def test_scores_are_those_that_transformers_computed(model):
    """Token ids are the stored ones; log-probabilities agree to 1e-4."""
    assert model.identity["gguf_sha256"] == KNOWN["gguf_sha256"]
    cases = KNOWN["cases"]
    found = model.score([(case["conversation"], [case["option"]]) for case in cases])
    for case, [score] in zip(cases, found, strict=True):
        assert model.encode_chat(case["conversation"]) == case["prompt_ids"]
        assert model._chat.encode_option(case["option"]) == case["option_ids"]
        np.testing.assert_allclose(score.token_logprobs, case["token_logprobs"], atol=1e-4)


@pytest.mark.embedded
def test_real_scores_equal_the_naive_way(model):
    """Over the real weights, sharing changes no score by more than 1e-4."""
    asked = REQUESTS[:2]
    for (conversation, options), scores in zip(asked, model.score(asked), strict=True):
        for option, score in zip(options, scores, strict=True):
            expected = naive(model, conversation, option)
            np.testing.assert_allclose(score.token_logprobs, expected, atol=1e-4)


@pytest.mark.embedded
def test_the_real_model_answers_a_question(model):
    """Greedy text is a sentence that ends by itself."""
    reply = model.generate([("user", "What is the capital of France?")], max_tokens=20)
    assert reply.text == "The capital of France is Paris."
    assert reply.stop_reason == "stop"


@pytest.mark.heavy
@pytest.mark.embedded
def test_the_real_network_agrees_with_transformers(model):
    """All logits of a chain of 300 tokens agree with transformers' float32 llama."""
    torch = pytest.importorskip("torch", reason="needs torch")
    transformers = pytest.importorskip("transformers", reason="needs transformers")
    theirs = convert(read_gguf(weights.find()), torch, transformers)
    tokens = np.random.default_rng(0).integers(100, 49_000, 300)
    with torch.no_grad():
        expected = theirs(torch.tensor(tokens[None])).logits[0].numpy()
    np.testing.assert_allclose(chain_logits(model._network, tokens, 2), expected, atol=5e-4)
