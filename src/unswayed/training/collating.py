"""Runs TRL's own preparation and collators over every row that was written, without training.

What a trainer makes of a row depends on the tokenizer and its chat template, which the rows do not
know. TRL, transformers and datasets are imported here alone; a model of one tiny layer stands in
for the one to be trained, so that no weights are needed.
"""

from __future__ import annotations

import json
import logging
import os
import tempfile
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec

from unswayed.counting import are, several
from unswayed.errors import GateError, MissingModelError, UsageError

LONGEST = 2048
"""Tokens that a row may have."""

MOST_NAMED = 10
"""Rows that a refusal names."""

FORMS = ("trl", "chat")
"""Shapes that TRL takes."""


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """What is done with the files of a set before they get their place."""

    said: str
    """What is said of it, on the card and by the command."""
    run: Callable[[Path], None] | None = None
    """Called with the folder, and raises where a row is no good; None where nothing is checked."""


UNCHECKED = Check(said="not checked in TRL")
"""No check."""

Rows = list[dict[str, Any]]
Problems = Iterator[tuple[int, str]]


def collator_check(
    kind: str, form: str, tokenizer: Path, *, longest: int = LONGEST
) -> Callable[[Path], None]:
    """Return a check of a folder that `export` has filled, or refuse before anything is written.

    Every row needs tokens that are trained on, no more than `longest` tokens, a prompt that is the
    beginning of prompt and completion together, and, in pairs, two sides that differ as tokens.

    Args:
        kind: `sft`, `preference`, `kto` or `rl`.
        form: `trl` or `chat`.
        tokenizer: Folder with the tokenizer of the model to be trained.
        longest: Tokens that a row may have.

    Raises:
        UsageError: The shape is not TRL's, or there is no such folder.
        MissingModelError: TRL is not installed.
    """
    if form not in FORMS or not tokenizer.is_dir():
        raise UsageError(
            "The rows cannot be checked in TRL",
            allowed="--shape trl or chat, and a folder with a tokenizer",
            given=f"--shape {form} and {tokenizer}",
            next_step="save the tokenizer of your model into a folder",
        )
    if find_spec("trl") is None:
        raise MissingModelError(
            "TRL is not installed",
            allowed="the extra `trl`",
            given="no package trl",
            next_step="pip install 'unswayed[trl]'",
        )
    return lambda folder: _check(folder, kind, form, tokenizer, longest)


def _check(folder: Path, kind: str, form: str, tokenizer: Path, longest: int) -> None:
    with _offline():
        from transformers import AutoTokenizer

        try:
            reader = AutoTokenizer.from_pretrained(str(tokenizer), local_files_only=True)
        except (KeyError, ValueError, TypeError, OSError) as error:
            raise UsageError(
                "The tokenizer cannot be read",
                allowed="a folder that the tokenizer of a model was saved into",
                given=f"{tokenizer}: {type(error).__name__}: {str(error)[:200]}",
                next_step="save it again with its save_pretrained",
            ) from error
        for file in sorted(folder.glob("*.jsonl")):
            if file.stem in ("train", "validation", "test"):
                rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
                try:
                    problems = list(_PROBLEMS[kind](rows, reader, longest))
                except (ValueError, RuntimeError) as error:
                    raise _refusal(file.name, str(error)) from error
                if problems:
                    named = "; ".join(f"row {row}: {what}" for row, what in problems[:MOST_NAMED])
                    raise _refusal(file.name, f"{len(problems)} of {len(rows)}: {named}")


def _refusal(name: str, given: str) -> GateError:
    return GateError(
        f"TRL would not train on {name} as it is meant",
        allowed="trained tokens in every row, and none that is cut",
        given=given[:2000],
        next_step="use another chat template or shorter items, name your own model's tokenizer with"
        " --check-with, or leave the check out with --check-with none",
    )


def _sft(rows: Rows, reader: Any, longest: int) -> Problems:  # noqa: ANN401 - a tokenizer
    from trl import SFTConfig, SFTTrainer

    chat = "messages" in rows[0]
    more = {"assistant_only_loss": True} if chat else {}
    trainer = _trainer(SFTTrainer, SFTConfig, rows, reader, **more)
    for index, row in enumerate(rows):
        labels = trainer.data_collator([trainer.train_dataset[index]])["labels"][0]
        if not int((labels != -100).sum()):
            yield index, "no token is trained on"
        if len(labels) > longest:
            yield index, f"{len(labels)} tokens"
        if not chat and not _continues(reader, row["prompt"], row["completion"]):
            yield index, "the prompt is not the beginning of the whole"


def _preference(rows: Rows, reader: Any, longest: int) -> Problems:  # noqa: ANN401
    from trl import DPOConfig, DPOTrainer

    trainer = _trainer(DPOTrainer, DPOConfig, rows, reader, paired=True)
    for index, made in enumerate(trainer.train_dataset):
        if made["chosen_ids"] == made["rejected_ids"]:
            yield index, "both sides are the same tokens"
        sides = [len(made["prompt_ids"]) + len(made[f"{s}_ids"]) for s in ("chosen", "rejected")]
        if max(sides) > longest:
            yield index, f"{max(sides)} tokens"


def _kto(rows: Rows, reader: Any, longest: int) -> Problems:  # noqa: ANN401
    from trl import KTOConfig, KTOTrainer

    trainer = _trainer(KTOTrainer, KTOConfig, rows, reader, paired=True)
    gone = len(rows) - len(trainer.train_dataset)
    if gone:
        yield 0, f"{several(gone, 'row')} {are(gone)} left out"
    yield from _lengths(rows, reader, longest)


def _rl(rows: Rows, reader: Any, longest: int) -> Problems:  # noqa: ANN401
    yield from _lengths(rows, reader, longest)


def _lengths(rows: Rows, reader: Any, longest: int) -> Problems:  # noqa: ANN401
    for index, row in enumerate(rows):
        count = len(_ids(reader, [*row["prompt"], *row.get("completion", [])]))
        if count > longest:
            yield index, f"{count} tokens"


_PROBLEMS: Mapping[str, Callable[[Rows, Any, int], Problems]] = {
    "sft": _sft,
    "preference": _preference,
    "kto": _kto,
    "rl": _rl,
}


def _continues(reader: Any, prompt: Rows, completion: Rows) -> bool:  # noqa: ANN401
    start = _ids(reader, prompt, add_generation_prompt=True)
    return _ids(reader, [*prompt, *completion])[: len(start)] == start


def _ids(reader: Any, messages: Sequence[Any], **more: bool) -> list[int]:  # noqa: ANN401
    return list(reader.apply_chat_template(messages, return_dict=True, **more)["input_ids"])


def _trainer(
    kind: Any,  # noqa: ANN401 - a class of TRL
    settings: Any,  # noqa: ANN401
    rows: Rows,
    reader: Any,  # noqa: ANN401
    *,
    paired: bool = False,
    **more: bool,
) -> Any:  # noqa: ANN401
    """A trainer that has prepared the rows for a model of one tiny layer, and will not train."""
    from datasets import Dataset, disable_progress_bars
    from transformers import LlamaConfig, LlamaForCausalLM

    disable_progress_bars()
    if reader.pad_token is None:
        reader.pad_token = reader.eos_token
    tiny = LlamaConfig(
        vocab_size=len(reader), hidden_size=8, intermediate_size=8, num_hidden_layers=1,
        num_attention_heads=1, num_key_value_heads=1, pad_token_id=reader.pad_token_id,
        bos_token_id=reader.bos_token_id, eos_token_id=reader.eos_token_id,
    )  # fmt: skip
    reference = {"ref_model": LlamaForCausalLM(tiny)} if paired else {}
    with tempfile.TemporaryDirectory() as folder:
        return kind(
            model=LlamaForCausalLM(tiny),
            args=settings(
                output_dir=folder, max_length=None, use_cpu=True, bf16=False, report_to="none",
                save_strategy="no", **more,
            ),
            train_dataset=Dataset.from_list(rows),
            processing_class=reader,
            **reference,
        )  # fmt: skip


@contextmanager
def _offline() -> Iterator[None]:
    """Nothing is fetched, and the trainers' own words stay quiet."""
    before = os.environ.get("HF_HUB_OFFLINE")
    os.environ["HF_HUB_OFFLINE"] = "1"
    levels = {name: logging.getLogger(name).level for name in ("transformers", "trl", "datasets")}
    for name in levels:
        logging.getLogger(name).setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            # TRL's own use of transformers is none of the user's business.
            warnings.simplefilter("ignore", FutureWarning)
            yield
    finally:
        for name, level in levels.items():
            logging.getLogger(name).setLevel(level)
        if before is None:
            del os.environ["HF_HUB_OFFLINE"]
        else:
            os.environ["HF_HUB_OFFLINE"] = before
