"""vLLM inside this process: whole batches of conversations, for machines with a graphics processor.

The engine object is a seam: `chat`, `generate` and `get_tokenizer`, as `vllm.LLM` has them.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, Protocol

from unswayed.models.checkpoint import encode_chat, encode_option, scored_completion
from unswayed.models.completion import Completion, OptionScore, Stop, count_lead
from unswayed.models.local_files import check_folder, check_packages, identify
from unswayed.models.protocol import Identity, Request

PACKAGES: Final = ("vllm",)
BATCH: Final = 1024
"""Requests handed over at once; vLLM forms its own batches of them."""

WRITTEN_TOKENS: Final = 256
"""Most tokens written when the sampling does not say."""

_STOPS: dict[str | None, Stop] = {"stop": "end", "length": "length"}


class Offline(Protocol):
    """What is used of an offline engine."""

    def chat(self, messages: Any, sampling_params: Any, *, use_tqdm: bool) -> list[Any]:  # noqa: ANN401
        """Write the next turn of each conversation."""
        ...

    def generate(self, prompts: Any, sampling_params: Any, *, use_tqdm: bool) -> list[Any]:  # noqa: ANN401
        """Read prompts given as token ids."""
        ...

    def get_tokenizer(self) -> Any:  # noqa: ANN401
        """Return the tokenizer, as transformers has it."""
        ...


class OfflineModel:
    """A model folder in vLLM; its weights are loaded at the first request.

    Args:
        folder: Where configuration, weights and tokenizer are.
        engine: A loaded engine with its parameter class; None loads vLLM.
    """

    batch = BATCH

    def __init__(self, folder: Path, engine: tuple[Offline, Any] | None = None) -> None:
        packages = PACKAGES if engine is None else ()
        check_packages(packages, "install vLLM beside unswayed, on a machine that it runs on")
        check_folder(folder)
        self._folder = folder
        self._engine = engine
        details = identify(folder, packages)
        details["defaults"] = f"max_tokens {WRITTEN_TOKENS}"
        self._identity = Identity(name=folder.resolve().name, kind="vllm", details=details)

    @property
    def identity(self) -> Identity:
        """Digest of all files, version of vLLM, sampling defaults."""
        return self._identity

    async def complete(self, requests: Sequence[Request]) -> Sequence[Completion]:
        """Score options, or write, in a thread of its own, so that the view stays alive."""
        return await asyncio.to_thread(self.complete_now, requests)

    async def close(self) -> None:
        """Nothing to give back; the engine lives as long as the model."""

    def complete_now(self, requests: Sequence[Request]) -> list[Completion]:
        """Do the same here and now, for callers that have no event loop."""
        scored = [request for request in requests if request.options]
        written = [request for request in requests if not request.options]
        scores = iter(self._score(scored) if scored else [])
        replies = iter(self._write(written) if written else [])
        return [next(scores) if request.options else next(replies) for request in requests]

    def _load(self) -> tuple[Offline, Any]:
        if self._engine is None:
            from vllm import LLM, SamplingParams

            self._engine = LLM(model=str(self._folder), enable_prefix_caching=True), SamplingParams
        return self._engine

    def _write(self, requests: Sequence[Request]) -> list[Completion]:
        started = time.perf_counter()
        engine, params = self._load()
        replies = engine.chat(
            [request.transcript.to_wire() for request in requests],
            [params(**_sampling(request)) for request in requests],
            use_tqdm=False,
        )
        seconds = (time.perf_counter() - started) / len(requests)
        return [_written(reply, seconds) for reply in replies]

    def _score(self, requests: Sequence[Request]) -> list[Completion]:
        started = time.perf_counter()
        engine, params = self._load()
        tokenizer = engine.get_tokenizer()
        prompts: list[tuple[list[int], int, int]] = []
        for request in requests:
            prefix = encode_chat(tokenizer, request.transcript.to_wire())
            said = [encode_option(tokenizer, option) for option in request.options]
            lead = count_lead(said)
            prompts += [([*prefix, *ids], len(prefix), lead) for ids in said]
        replies = engine.generate(
            [{"prompt_token_ids": ids} for ids, _, _ in prompts],
            params(max_tokens=1, temperature=0.0, prompt_logprobs=0),
            use_tqdm=False,
        )
        seconds = (time.perf_counter() - started) / len(requests)
        totals = iter(
            [_prompt_score(reply, *prompt) for reply, prompt in zip(replies, prompts, strict=True)]
        )
        return [
            scored_completion(
                [
                    OptionScore(text=text, logprob=logprob, n_tokens=count, lead=lead)
                    for text, (logprob, count, lead) in zip(request.options, totals, strict=False)
                ],
                seconds,
            )
            for request in requests
        ]


def _sampling(request: Request) -> dict[str, object]:
    """Return what is said of a reply; what the design leaves open is left to vLLM."""
    sampling = request.sampling
    stated = {
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "seed": None if sampling.seed is None else sampling.seed + request.draw,
        "stop": list(sampling.stop) or None,
    }
    said: dict[str, object] = {name: value for name, value in stated.items() if value is not None}
    return {**said, "max_tokens": sampling.max_tokens or WRITTEN_TOKENS}


def _written(reply: Any, seconds: float) -> Completion:  # noqa: ANN401
    output = reply.outputs[0]
    return Completion(
        text=output.text,
        stop=_STOPS.get(output.finish_reason, "unknown"),
        n_prompt_tokens=len(reply.prompt_token_ids),
        n_cached_tokens=reply.num_cached_tokens,
        n_completion_tokens=len(output.token_ids),
        latency_s=seconds,
    )


def _prompt_score(
    reply: Any,  # noqa: ANN401
    ids: Sequence[int],
    start: int,
    lead: int,
) -> tuple[float | None, int, float]:
    """Return the sum of an option's log-probabilities, its tokens, and the sum over its lead.

    The sum is None where a log-probability is not given.
    """
    found = [
        (reply.prompt_logprobs[place] or {}).get(ids[place]) for place in range(start, len(ids))
    ]
    given = [float(each.logprob) for each in found if each is not None]
    if len(given) < len(found):
        return None, len(found), 0.0
    return sum(given), len(found), sum(given[:lead])
