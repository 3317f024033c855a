"""The embedded model behind the protocol: option scores and written completions, no server."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from unswayed.errors import UnswayedError
from unswayed.models.completion import Completion, OptionScore, Stop
from unswayed.models.llama import one_blas_thread
from unswayed.models.protocol import Identity, Request
from unswayed.models.smollm import SmolLM

BATCH = 96
"""Requests scored in one call: a few items, enough to share prefixes and to stop soon."""

WORKERS = 2
"""Halves of a batch that are scored at once, each with one BLAS thread."""

WRITTEN_TOKENS = 48
"""Most tokens written when the sampling does not say."""

CAVEAT = (
    "This is a model of 135 million parameters, chosen because it runs anywhere: its numbers show"
    " how the measurement works and say nothing about capable models."
)

_STOPS: dict[str, Stop] = {"stop": "end", "length": "length"}


class EmbeddedModel:
    """SmolLM2-135M-Instruct inside this process.

    Args:
        model: The loaded model; None loads it at the first request.
    """

    batch = BATCH

    def __init__(self, model: SmolLM | None = None) -> None:
        self.model = model if model is not None else SmolLM.load()

    @property
    def identity(self) -> Identity:
        """Digests of weights and chat template, the runtime, and its own sampling defaults."""
        details = dict(self.model.identity)
        name = details.pop("name")
        details["defaults"] = f"temperature 0, max_tokens {WRITTEN_TOKENS}"
        return Identity(name=name, kind="embedded", details={**details, "caveat": CAVEAT})

    async def complete(self, requests: Sequence[Request]) -> Sequence[Completion]:
        """Score options, or write, in a thread of its own, so that the view stays alive."""
        return await asyncio.to_thread(self.complete_now, requests)

    async def close(self) -> None:
        """Nothing to give back."""

    def complete_now(self, requests: Sequence[Request]) -> list[Completion]:
        """Do the same here and now, for callers that have no event loop."""
        scored = [index for index, request in enumerate(requests) if request.options]
        found: dict[int, Completion] = {}
        if scored:
            found |= self._score([(index, requests[index]) for index in scored])
        for index, request in enumerate(requests):
            if not request.options:
                found[index] = self._write(request)
        return [found[index] for index in range(len(requests))]

    def _score(self, requests: Sequence[tuple[int, Request]]) -> dict[int, Completion]:
        started = time.perf_counter()
        work = [(_conversation(request), request.options) for _, request in requests]
        middle = _border([request.item_id for _, request in requests])
        with one_blas_thread(), ThreadPoolExecutor(WORKERS) as pool:
            halves = [half for half in (work[:middle], work[middle:]) if half]
            scores = [score for part in pool.map(self.model.score, halves) for score in part]
        seconds = (time.perf_counter() - started) / len(requests)
        found = {}
        for (index, _), options in zip(requests, scores, strict=True):
            best = max(options, key=lambda option: option.logprob_sum)
            found[index] = Completion(
                text=best.text,
                stop="end",
                scores=tuple(
                    OptionScore(
                        text=option.text,
                        logprob=option.logprob_sum,
                        n_tokens=option.n_tokens,
                        lead=sum(option.token_logprobs[: option.n_lead]),
                    )
                    for option in options
                ),
                latency_s=seconds,
            )
        return found

    def _write(self, request: Request) -> Completion:
        sampling = request.sampling
        started = time.perf_counter()
        temperature = sampling.temperature or 0.0
        seed = None if sampling.seed is None and not temperature else (sampling.seed or 0)
        try:
            reply = self.model.generate(
                _conversation(request),
                max_tokens=sampling.max_tokens or WRITTEN_TOKENS,
                temperature=temperature,
                seed=None if seed is None else seed + request.draw,
                stop=sampling.stop,
            )
        except UnswayedError as error:
            return Completion(error=str(error), stop="error")
        return Completion(
            text=reply.text,
            stop=_STOPS.get(reply.stop_reason, "unknown"),
            n_prompt_tokens=reply.n_prompt_tokens,
            n_completion_tokens=reply.n_completion_tokens,
            latency_s=time.perf_counter() - started,
        )


def _border(items: Sequence[str]) -> int:
    """Return where the second half begins: between two items, so that no prefix is split."""
    middle = len(items) // 2
    while middle < len(items) and middle > 0 and items[middle] == items[middle - 1]:
        middle += 1
    return middle


def _conversation(request: Request) -> list[tuple[str, str]]:
    return [(message["role"], message["content"]) for message in request.transcript.to_wire()]
