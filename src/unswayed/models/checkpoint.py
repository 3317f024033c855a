"""A transformers folder behind the protocol: option scores over a prefix tree, and replies."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from unswayed.errors import CapabilityError, UsageError
from unswayed.models.completion import Completion, OptionScore, count_lead
from unswayed.models.local_files import check_folder, check_packages, identify
from unswayed.models.protocol import Identity, Request
from unswayed.models.smollm import Work
from unswayed.models.trees import Scored, score_tree

if TYPE_CHECKING:
    from unswayed.models.torch_tree import TorchNetwork

PACKAGES: Final = ("torch", "transformers")
INSTALL: Final = "pip install 'unswayed[checkpoints]'"

DTYPES: Final = ("float32", "bfloat16", "float16")
"""Number formats; the usual one is bfloat16 on a graphics processor and float32 elsewhere."""

BATCH: Final = 256
"""Requests scored over one tree; the nodes computed at once are chosen by memory."""

WRITTEN_TOKENS: Final = 256
"""Most tokens written when the sampling does not say."""


def open_checkpoint(text: str) -> CheckpointModel:
    """Open what stands after `checkpoint:`, such as `models/tiny,dtype=bfloat16`.

    Raises:
        UsageError: For an unknown number format.
        MissingModelError: When the folder or a package is not there.
    """
    folder, comma, dtype = text.partition(",dtype=")
    if comma and dtype not in DTYPES:
        raise UsageError(
            "Unknown number format of a checkpoint",
            allowed=", ".join(DTYPES),
            given=dtype,
            next_step="leave it out for the usual one",
        )
    return CheckpointModel(Path(folder), dtype=dtype)


class CheckpointModel:
    """A causal language model of transformers; its weights are loaded at the first request.

    Args:
        folder: Where configuration, weights and tokenizer are.
        dtype: Number format; empty for the usual one of the processor.

    Attributes:
        work: Tokens computed, beside the tokens of the naive way.
    """

    batch = BATCH

    def __init__(self, folder: Path, *, dtype: str = "") -> None:
        check_packages(PACKAGES, INSTALL)
        check_folder(folder)
        from transformers import AutoTokenizer

        from unswayed.models.torch_tree import usual_dtype

        self.work = Work()
        self._folder = folder
        self._dtype = dtype or usual_dtype()
        self._tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        details = identify(folder, PACKAGES)
        details["dtype"] = self._dtype
        details["defaults"] = f"temperature 0, max_tokens {WRITTEN_TOKENS}"
        name = folder.resolve().name
        self._identity = Identity(name=name, kind="checkpoint", details=details)
        self._network: TorchNetwork | None = None

    @property
    def identity(self) -> Identity:
        """Digest of all files, versions of the packages, number format, sampling defaults."""
        return self._identity

    def check(self, request: Request) -> None:
        """Refuse a shape of conversation that the chat template refuses.

        Raises:
            CapabilityError: With what the template says.
        """
        roles = [{"role": each.role, "content": "x"} for each in request.transcript.messages]
        encode_chat(self._tokenizer, roles)

    async def complete(self, requests: Sequence[Request]) -> Sequence[Completion]:
        """Score options, or write, in a thread of its own, so that the view stays alive."""
        return await asyncio.to_thread(self.complete_now, requests)

    async def close(self) -> None:
        """Nothing to give back; the weights live as long as the model."""

    def complete_now(self, requests: Sequence[Request]) -> list[Completion]:
        """Do the same here and now, for callers that have no event loop."""
        scored = [request for request in requests if request.options]
        scores = iter(self._score(scored) if scored else [])
        return [next(scores) if each.options else self._write(each) for each in requests]

    def _load(self) -> TorchNetwork:
        if self._network is None:
            from unswayed.models.torch_tree import TorchNetwork

            self._network = TorchNetwork.load(self._folder, self._dtype)
        return self._network

    def _score(self, requests: Sequence[Request]) -> list[Completion]:
        started = time.perf_counter()
        network = self._load()
        asked: list[Scored] = []
        leads: list[int] = []
        for request in requests:
            prefix = tuple(encode_chat(self._tokenizer, request.transcript.to_wire()))
            said = [encode_option(self._tokenizer, option) for option in request.options]
            asked += [Scored(tokens=(*prefix, *ids), start=len(prefix)) for ids in said]
            leads.append(count_lead(said))
        network.check_length(max(len(scored.tokens) for scored in asked))
        found, computed = score_tree(network, asked, chunk=network.nodes_at_once())
        self.work.computed += computed
        self.work.naive += sum(len(scored.tokens) - 1 for scored in asked)
        seconds = (time.perf_counter() - started) / len(requests)
        totals = iter(found)
        return [
            scored_completion(
                [
                    OptionScore(
                        text=text,
                        logprob=float(values.sum()),
                        n_tokens=len(values),
                        lead=float(values[:lead].sum()),
                    )
                    for text, values in zip(request.options, totals, strict=False)
                ],
                seconds,
            )
            for request, lead in zip(requests, leads, strict=True)
        ]

    def _write(self, request: Request) -> Completion:
        started = time.perf_counter()
        network, sampling = self._load(), request.sampling
        prompt = encode_chat(self._tokenizer, request.transcript.to_wire())
        most = sampling.max_tokens or WRITTEN_TOKENS
        network.check_length(len(prompt) + most)
        ends = _ends(self._tokenizer, network)
        written = network.write(prompt, sampling, draw=request.draw, most=most, ends=ends)
        ended = bool(written) and written[-1] in ends
        text = self._tokenizer.decode(written[:-1] if ended else written, skip_special_tokens=True)
        text, cut = cut_at(text, sampling.stop)
        return Completion(
            text=text,
            stop="end" if ended or cut else "length",
            n_prompt_tokens=len(prompt),
            n_completion_tokens=len(written),
            latency_s=time.perf_counter() - started,
        )


def _ends(tokenizer: Any, network: TorchNetwork) -> list[int]:  # noqa: ANN401
    """Return the tokens that end a turn: the tokenizer's, and those the model itself names."""
    stated = network.network.generation_config.eos_token_id
    listed = stated if isinstance(stated, list) else [stated]
    return sorted({each for each in (*listed, tokenizer.eos_token_id) if each is not None})


def scored_completion(scores: Sequence[OptionScore], seconds: float) -> Completion:
    """Return the completion of a request whose options were scored.

    Its text is the likeliest option, and empty where a score is missing.
    """
    known = [(score.logprob, score.text) for score in scores if score.logprob is not None]
    text = max(known)[1] if len(known) == len(scores) else ""
    return Completion(text=text, stop="end", scores=tuple(scores), latency_s=seconds)


def encode_chat(tokenizer: Any, messages: list[dict[str, str]]) -> list[int]:  # noqa: ANN401
    """Return the token ids of a conversation with the assistant's next turn opened.

    Raises:
        CapabilityError: When the folder has no chat template, or it refuses the conversation.
    """
    from jinja2 import TemplateError

    try:
        text = tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
    except (TemplateError, ValueError) as error:
        roles = ", ".join(message["role"] for message in messages)
        raise CapabilityError(
            "The model's chat template does not take this conversation",
            allowed="a folder whose tokenizer has a chat template for these roles",
            given=f"{roles}: {error}",
            next_step="choose a design without a system message, or another model",
        ) from error
    ids: list[int] = tokenizer(text, add_special_tokens=False)["input_ids"]
    return ids


def encode_option(tokenizer: Any, option: str) -> list[int]:  # noqa: ANN401
    """Return the token ids of an option's text.

    Raises:
        CapabilityError: When it has none.
    """
    ids: list[int] = tokenizer(option, add_special_tokens=False)["input_ids"]
    if not ids:
        raise CapabilityError(
            "An option has no tokens and cannot be scored",
            allowed="options with text",
            given=repr(option),
            next_step="correct the item",
        )
    return ids


def cut_at(text: str, stops: Sequence[str]) -> tuple[str, bool]:
    """Cut a text before the first stop text in it, and say whether there was one."""
    places = [place for place in (text.find(stop) for stop in stops if stop) if place >= 0]
    return (text[: min(places)], True) if places else (text, False)
