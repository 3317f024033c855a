"""The embedded model: SmolLM2-135M-Instruct, scored and sampled in this process.

Plain and synchronous. A conversation is a sequence of (role, content) pairs; options are
scored exactly, over the prefix tree of everything that is asked in one call.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec
import numpy as np

from unswayed.errors import ModelError
from unswayed.models.chat import TEMPLATE_SHA256, ChatFormat, Conversation, check_template
from unswayed.models.completion import count_lead
from unswayed.models.gguf import Floats, read_gguf
from unswayed.models.llama import Llama, Memory, log_sum_exp, one_blas_thread
from unswayed.models.nodes import Ids
from unswayed.models.trees import Scored, score_tree
from unswayed.models.weights import SMOLLM2, digest, find

RUNTIME: Final = "numpy-llama/1"
"""Name of this forward pass; the number rises when a change could move a reading."""
PIECE: Final = 256
"""Prompt tokens computed at once before generation."""
WINDOW: Final = 400_000
"""Request tokens merged into one tree; bounds memory, not results."""


class OptionScore(msgspec.Struct, frozen=True, kw_only=True):
    """How likely one option's text is as the assistant's next words."""

    text: str
    """The option."""
    logprob_sum: float
    """Sum of the token log-probabilities, natural logarithm."""
    n_tokens: int
    """Tokens in the sum."""
    token_logprobs: tuple[float, ...]
    """Log-probability of each token given everything before it."""
    n_lead: int
    """Leading tokens that all options of the request share."""


class Generated(msgspec.Struct, frozen=True, kw_only=True):
    """One generated reply."""

    text: str
    """The reply, without the end-of-turn token and without the stop text."""
    n_prompt_tokens: int
    """Tokens of the conversation in chat format."""
    n_completion_tokens: int
    """Tokens that the model emitted, the end-of-turn token among them."""
    stop_reason: str
    """stop (end of turn or stop text) or length (max_tokens was reached)."""
    token_logprobs: tuple[float, ...]
    """Log-probability of each emitted token at temperature 1, whatever it was drawn at."""


class Work(msgspec.Struct, kw_only=True):
    """Tokens that went through the network while scoring, since the model was loaded."""

    computed: int = 0
    """Distinct prefixes that were computed."""
    naive: int = 0
    """Prefixes that scoring each option of each request alone would have computed."""


class SmolLM:
    """The embedded model.

    Attributes:
        work: Tokens computed, beside the tokens of the naive way.
    """

    def __init__(self, network: Llama, chat: ChatFormat, sha256: str) -> None:
        self.work = Work()
        self._network = network
        self._chat = chat
        self._sha256 = sha256

    @classmethod
    def load(cls, path: Path | None = None) -> SmolLM:
        """Load the weights into memory: about a second and 0.6 GB.

        Args:
            path: A GGUF file of this model; None finds the fetched or installed one.

        Raises:
            MissingModelError: There are no weights here, or the extra `local` is missing.
            ModelError: The file is damaged or is another model.
        """
        place, sha256 = (find(), SMOLLM2.sha256) if path is None else (path, digest(path))
        gguf = read_gguf(place)
        check_template(gguf)
        return cls(Llama.load(gguf), ChatFormat(gguf), sha256)

    @property
    def identity(self) -> dict[str, str]:
        """Everything that names what answered: weights, tokenizer, template, runtime."""
        return {
            "name": "SmolLM2-135M-Instruct",
            "gguf_sha256": self._sha256,
            "tokenizer": "byte-level BPE from the GGUF, every digit its own token",
            "chat_template_sha256": TEMPLATE_SHA256,
            "runtime": f"{RUNTIME} numpy {np.__version__} float32",
        }

    def encode_chat(
        self, conversation: Conversation, add_generation_prompt: bool = True
    ) -> list[int]:
        """Return the token ids of a conversation in the model's own chat format.

        Args:
            conversation: (role, content) pairs, oldest first.
            add_generation_prompt: Whether the assistant's next turn is opened at the end.
        """
        return self._chat.encode_chat(conversation, add_generation_prompt)

    def score(
        self,
        requests: Sequence[tuple[Conversation, Sequence[str]]],
        *,
        end_of_turn: bool = False,
    ) -> list[list[OptionScore]]:
        """Return log p(option | conversation) for every option of every request, exactly.

        All requests of a call share one prefix tree, so a question, a first answer or a
        pressure that many requests begin with is computed once. Neighbors that share a
        prefix should stand together.

        Args:
            requests: (conversation, options) pairs.
            end_of_turn: Whether the end-of-turn token counts as the option's last token.

        Returns:
            For each request, one score per option, in the order given.
        """
        tail = (self._chat.end,) if end_of_turn else ()
        scores: list[list[OptionScore]] = []
        with one_blas_thread():
            for window in self._windows(requests, tail):
                self._score_window(window, scores)
        return scores

    def generate(
        self,
        conversation: Conversation,
        *,
        max_tokens: int,
        temperature: float = 0.0,
        seed: int | None = None,
        stop: Sequence[str] = (),
    ) -> Generated:
        """Return the assistant's next turn.

        Args:
            conversation: (role, content) pairs, oldest first.
            max_tokens: Most tokens to emit, at least 1.
            temperature: 0 takes the likeliest token; above 0 draws from softmax(logits / t).
            seed: Seed of the draws; required above temperature 0, so that a reply repeats.
            stop: Texts that end the reply; they are not part of it.
        """
        if max_tokens < 1 or temperature < 0 or (temperature > 0 and seed is None):
            raise ModelError(
                "the sampling settings cannot be used",
                allowed="max_tokens >= 1, temperature >= 0, and a seed above temperature 0",
                given=f"max_tokens={max_tokens}, temperature={temperature}, seed={seed}",
                next_step="set the field that breaks the rule",
            )
        prompt = self.encode_chat(conversation)
        self._check_length(len(prompt) + max_tokens - 1)
        random = np.random.default_rng(seed) if temperature else None
        emitted: list[int] = []
        logprobs: list[float] = []
        text, reason = "", "length"
        with one_blas_thread():
            for token, logprob in self._emit(prompt, max_tokens, temperature, random):
                emitted.append(token)
                logprobs.append(logprob)
                if token == self._chat.end:
                    reason = "stop"
                    break
                text, ended = _cut(self._chat.decode(emitted), stop)
                if ended:
                    reason = "stop"
                    break
        return Generated(
            text=text,
            n_prompt_tokens=len(prompt),
            n_completion_tokens=len(emitted),
            stop_reason=reason,
            token_logprobs=tuple(logprobs),
        )

    def _windows(
        self, requests: Sequence[tuple[Conversation, Sequence[str]]], tail: tuple[int, ...]
    ) -> Iterator[list[list[tuple[str, Scored]]]]:
        """Encode requests and group them so that one tree stays in bounded memory."""
        window: list[list[tuple[str, Scored]]] = []
        size = 0
        for conversation, options in requests:
            prefix = tuple(self.encode_chat(conversation))
            encoded = []
            for option in options:
                tokens = (*prefix, *self._chat.encode_option(option), *tail)
                self._check_length(len(tokens) - 1)
                encoded.append((option, Scored(tokens=tokens, start=len(prefix))))
                size += len(tokens) - 1
            window.append(encoded)
            if size >= WINDOW:
                yield window
                window, size = [], 0
        yield window

    def _score_window(
        self, window: list[list[tuple[str, Scored]]], scores: list[list[OptionScore]]
    ) -> None:
        flat = [scored for encoded in window for _, scored in encoded]
        found, computed = score_tree(self._network, flat)
        self.work.computed += computed
        self.work.naive += sum(len(scored.tokens) - 1 for scored in flat)
        remaining = iter(found)
        for encoded in window:
            lead = count_lead([scored.tokens[scored.start :] for _, scored in encoded])
            scores.append([_total(option, next(remaining), lead) for option, _ in encoded])

    def _emit(
        self,
        prompt: list[int],
        max_tokens: int,
        temperature: float,
        random: np.random.Generator | None,
    ) -> Iterator[tuple[int, float]]:
        """Yield at most max_tokens pairs (token, log-probability), one forward step each."""
        memory = Memory(self._network.shape, len(prompt) + max_tokens)
        state = self._read_prompt(memory, prompt)
        for left in reversed(range(max_tokens)):
            logits = self._network.logits(state)[0]
            token = _choose(logits, temperature, random)
            yield token, float(logits[token] - log_sum_exp(logits))
            if left:
                state = self._extend(memory, [token])

    def _read_prompt(self, memory: Memory, prompt: list[int]) -> Floats:
        for start in range(0, len(prompt), PIECE):
            state = self._extend(memory, prompt[start : start + PIECE])
        return state[-1:]

    def _extend(self, memory: Memory, tokens: list[int]) -> Floats:
        """Add a chain of tokens to the end of the memory."""
        depths: Ids = np.arange(memory.length, memory.length + len(tokens))
        visible = np.arange(memory.length + len(tokens)) <= depths[:, None]
        return self._network.advance(memory, np.array(tokens, np.int64), depths, visible)

    def _check_length(self, n_tokens: int) -> None:
        if n_tokens > self._network.shape.context:
            raise ModelError(
                "the request is longer than the model's context",
                allowed=f"at most {self._network.shape.context} tokens",
                given=f"{n_tokens} tokens",
                next_step="shorten the conversation or max_tokens",
            )


def _choose(logits: Floats, temperature: float, random: np.random.Generator | None) -> int:
    if random is None:
        return int(np.argmax(logits))
    scaled = logits.astype(np.float64) / temperature
    weights = np.cumsum(np.exp(scaled - scaled.max()))
    return int(np.searchsorted(weights, random.random() * weights[-1], side="right"))


def _cut(text: str, stop: Sequence[str]) -> tuple[str, bool]:
    """Cut a text before the first stop text in it, and say whether there was one."""
    places = [place for place in (text.find(end) for end in stop if end) if place >= 0]
    return (text[: min(places)], True) if places else (text, False)


def _total(option: str, logprobs: Floats, n_lead: int) -> OptionScore:
    values = tuple(float(value) for value in logprobs)
    return OptionScore(
        text=option,
        logprob_sum=sum(values),
        n_tokens=len(values),
        token_logprobs=values,
        n_lead=n_lead,
    )
