"""Supervised training and GRPO through TRL, with low-rank adapters, on the processor."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import msgspec

from unswayed.learning.network import Student
from unswayed.learning.thrift import Halves, thrifty
from unswayed.training.row import TrainingRow
from unswayed.training.shapes import shape

Reward = Callable[..., list[float | None]]
"""A reward as TRL calls it."""

Progress = Callable[[str], None]
"""What is told of each step."""

Check = Callable[[int], bool]
"""Called after each step with its number; True stops the training."""

Logs = tuple[dict[str, float], ...]
"""What a trainer logged, one entry a step."""

KEPT = (
    "loss", "reward", "reward_std", "frac_reward_zero_std", "completions/mean_length",
    "mean_token_accuracy", "entropy", "unswayed/truth_match/none_share",
    "unswayed/truth_match/unread_share",
)  # fmt: skip
"""Entries of the log that are kept."""


TOLD = ("loss", "reward")
"""Entries of the log that are told at each step."""


class Watched(msgspec.Struct, frozen=True, kw_only=True):
    """Who follows a training."""

    progress: Progress
    """Told of each step."""
    check: Check
    """The guard."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """How long and how hard is trained."""

    rank: int = 8
    """Rank of the adapters."""
    sft_steps: int = 32
    """Steps of supervised training."""
    sft_rows: int = 4
    """Rows in a supervised step."""
    sft_rate: float = 8e-4
    """Learning rate of supervised training."""
    grpo_steps: int = 5
    """Steps of GRPO; 0 leaves it out."""
    group: int = 8
    """Completions in a group."""
    groups: int = 2
    """Groups in a step of GRPO."""
    grpo_rate: float = 3e-4
    """Learning rate of GRPO."""
    tokens: int = 16
    """Most tokens of a completion in GRPO."""
    seed: int = 0
    """Seed of adapters, order of rows, and draws."""


def has_fast_halves() -> bool:
    """Whether this processor multiplies 16-bit matrices in hardware of their own."""
    import torch

    return bool(torch.cpu._is_amx_tile_supported())


def adapt(student: Student, settings: Settings) -> Student:
    """Return the student with fresh low-rank adapters on all linear maps (arXiv 2106.09685)."""
    import torch
    from peft import LoraConfig, get_peft_model

    torch.manual_seed(settings.seed)
    config = LoraConfig(
        r=settings.rank,
        lora_alpha=2 * settings.rank,
        lora_dropout=0.0,
        target_modules="all-linear",
        task_type="CAUSAL_LM",
    )
    return msgspec.structs.replace(student, network=get_peft_model(student.network, config))


def restore(student: Student, folder: Path) -> Student:
    """Return the student with the adapters that an earlier stage has saved."""
    from peft import PeftModel

    network = PeftModel.from_pretrained(student.network, str(folder), is_trainable=True)
    return msgspec.structs.replace(student, network=network)


def train_supervised(
    student: Student,
    rows: Sequence[TrainingRow],
    settings: Settings,
    folder: Path,
    *,
    watched: Watched,
) -> Logs:
    """Train on the completions of rows; the network is changed in place.

    Args:
        student: The network with adapters.
        rows: What is learned.
        settings: How long and how hard.
        folder: Where the trainer may write.
        watched: Who is told, and who may stop it.
    """
    from trl import SFTConfig, SFTTrainer

    halves = Halves(student.network, wanted=has_fast_halves())
    with _quietly():
        trainer = thrifty(SFTTrainer)(
            model=student.network,
            args=SFTConfig(
                max_steps=settings.sft_steps,
                per_device_train_batch_size=settings.sft_rows,
                learning_rate=settings.sft_rate,
                lr_scheduler_type="cosine",
                warmup_steps=5,
                max_length=512,
                **_usual(folder, settings),
            ),
            train_dataset=_data(rows, "sft"),
            processing_class=student.tokenizer,
            callbacks=[_follow(watched, halves)],
        )
        with halves.put():
            return _train(trainer)


def train_by_reward(
    student: Student,
    rows: Sequence[TrainingRow],
    reward: Reward,
    settings: Settings,
    folder: Path,
    *,
    watched: Watched,
) -> Logs:
    """Train by GRPO (arXiv 2402.03300) on what a reward pays; the network is changed in place.

    Args:
        student: The network with adapters.
        rows: What is asked.
        reward: What pays a completion.
        settings: How long and how hard.
        folder: Where the trainer may write.
        watched: Who is told, and who may stop it.

    Raises:
        UsageError: When a process would see parts of groups.
    """
    from trl import GRPOConfig, GRPOTrainer

    from unswayed.rewards.trl import check_arguments

    with _quietly():
        trainer = GRPOTrainer(
            model=student.network,
            reward_funcs=reward,
            args=GRPOConfig(
                max_steps=settings.grpo_steps,
                per_device_train_batch_size=settings.group * settings.groups,
                num_generations=settings.group,
                learning_rate=settings.grpo_rate,
                lr_scheduler_type="constant",
                max_completion_length=settings.tokens,
                beta=0.0,
                **_usual(folder, settings),
            ),
            train_dataset=_data(rows, "rl"),
            processing_class=student.tokenizer,
            callbacks=[_follow(watched)],
        )
        check_arguments(trainer.args)
        return _train(trainer)


@contextmanager
def _quietly() -> Iterator[None]:
    """Keep notices of the trainer's own deprecations from a person who cannot act on them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        yield


def _usual(folder: Path, settings: Settings) -> dict[str, Any]:
    """The arguments that a run on the processor needs."""
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    return {
        "output_dir": str(folder),
        "use_cpu": True,
        "bf16": has_fast_halves(),
        "report_to": "none",
        "save_strategy": "no",
        "dataloader_pin_memory": False,
        "disable_tqdm": True,
        "logging_steps": 1,
        "seed": settings.seed,
        "gradient_checkpointing": False,
    }


def _data(rows: Sequence[TrainingRow], kind: str) -> Any:  # noqa: ANN401 - a data set of datasets
    from datasets import Dataset, disable_progress_bars

    disable_progress_bars()
    made = shape(kind, "trl")
    return Dataset.from_list([each for row in rows for each in made(row)])


def _train(trainer: Any) -> Logs:  # noqa: ANN401 - a trainer of TRL
    from transformers import PrinterCallback

    trainer.remove_callback(PrinterCallback)
    trainer.train()
    history = [entry for entry in trainer.state.log_history if "loss" in entry]
    return tuple({name: float(entry[name]) for name in KEPT if name in entry} for entry in history)


def _follow(watched: Watched, halves: Halves | None = None) -> Any:  # noqa: ANN401 - a callback of transformers
    from transformers import TrainerCallback

    class Follow(TrainerCallback):  # type: ignore[misc, unused-ignore]
        """Tells of each step, and stops when the guard says so."""

        def on_log(self, args: object, state: Any, control: object, **more: Any) -> None:  # noqa: ANN401
            logs = more.get("logs") or {}
            told = [f"{name} {float(logs[name]):.2f}" for name in TOLD if name in logs]
            if told:
                watched.progress(
                    f"step {state.global_step} of {state.max_steps}: {', '.join(told)}"
                )

        def on_step_end(self, args: object, state: Any, control: Any, **more: object) -> None:  # noqa: ANN401
            with halves.taken_out() if halves else nullcontext():
                stop = watched.check(state.global_step)
            if stop:
                control.should_training_stop = True

    return Follow()
