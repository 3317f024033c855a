"""Rewards as TRL calls them, each by one dotted path such as `unswayed.rewards.trl.truth_match`.

TRL is not imported. The call was recorded from version 1.16.0:
`f(prompts=, completions=, completion_ids=, <data columns>, trainer_state=, log_extra=,
log_metric=) -> list[float | None]`. None becomes NaN there, and a row that is None in every
reward gets no advantage. Pass one mixture rather than several rewards: TRL adds them up without
regard to NaN, see `Mixture`.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from unswayed.errors import UsageError
from unswayed.rewards.grouped import Serum
from unswayed.rewards.questions import Penalties
from unswayed.rewards.reward import Reward, RewardValue
from unswayed.rewards.rules import (
    ActionMatch,
    ContextChange,
    OpinionInvariance,
    PressureShift,
    TruthMatch,
    TwinMatch,
)
from unswayed.rewards.shapes import take_batch

RECORDED_VERSION = "1.16.0"
"""The version of TRL whose call is recorded here and in the tests."""


class TrainerReward(Reward):
    """A reward that also writes its reasons into the trainer's logs."""

    def __call__(self, completions: object, **columns: object) -> list[float | None]:
        """Pay each completion a number, or None; the arguments are those of TRL's call."""
        explained = self.explain(completions, **columns)
        self._report(explained, columns.get("log_metric"), columns.get("log_extra"))
        return [each.value for each in explained]

    def _report(self, values: list[RewardValue], log_metric: object, log_extra: object) -> None:
        name = self.rule.name
        if callable(log_metric) and values:
            n_none = sum(each.value is None for each in values)
            log_metric(f"unswayed/{name}/none_share", n_none / len(values))
            n_unread = sum(each.unread is not None for each in values)
            log_metric(f"unswayed/{name}/unread_share", n_unread / len(values))
        if callable(log_extra):
            log_extra(f"unswayed_{name}_reason", [each.reason or each.unread for each in values])


class GatheredReward(TrainerReward):
    """A reward that sees the completions of all processes, and pays those of its own.

    Each process hands its completions and columns to all others, scores the whole, and returns its
    part; so a group that the trainer has split is whole again. Every process has to call it
    equally often, as TRL does. A process that cannot hand over its part says so in its place, so
    that all of them end and none waits. Counts are those of all processes. With one process it is
    a `TrainerReward`.
    """

    def __call__(self, completions: object, **columns: object) -> list[float | None]:
        """Pay each completion of this process a number, or None."""
        try:
            mine = take_batch(completions, columns)
            packed = pickle.dumps((mine.texts, mine.columns))
        except Exception as error:
            gather_parts(Failed(words=f"{type(error).__name__}: {error}"))
            raise
        gathered, rank = gather_parts(packed)
        _refuse_failed(gathered)
        parts = [pickle.loads(each) for each in gathered if isinstance(each, bytes)]
        start = sum(len(texts) for texts, _ in parts[:rank])
        texts = [text for each, _ in parts for text in each]
        explained = self.explain(texts, **_joined(parts))[start : start + len(mine)]
        self._report(explained, columns.get("log_metric"), columns.get("log_extra"))
        return [each.value for each in explained]


class Failed(msgspec.Struct, frozen=True, kw_only=True):
    """What a process hands over in place of a part that it does not have."""

    words: str
    """What went wrong there."""


Part = tuple[tuple[str | None, ...], dict[str, tuple[Any, ...]]]
"""Texts and columns of one process."""
Packed = bytes | Failed
"""A part as bytes, so that nothing can go wrong while all processes exchange theirs."""


def gather_parts(mine: Packed) -> tuple[list[Packed], int]:
    """Return what all processes hand over, in order, and which of them is this one.

    Args:
        mine: What this process has.
    """
    distributed = getattr(sys.modules.get("torch"), "distributed", None)
    if distributed is None or not distributed.is_available() or not distributed.is_initialized():
        return [mine], 0
    parts: list[Any] = [None] * distributed.get_world_size()
    distributed.all_gather_object(parts, mine)
    return parts, distributed.get_rank()


def _refuse_failed(parts: Sequence[Packed]) -> None:
    """End the reward on every process when one of them could not hand over its part.

    Raises:
        UsageError: Naming the process and what went wrong there.
    """
    failed = {rank: part for rank, part in enumerate(parts) if isinstance(part, Failed)}
    if failed:
        raise UsageError(
            "Another process could not hand over its completions",
            allowed="completions and columns that every process can read",
            given="; ".join(f"process {rank}: {part.words}" for rank, part in failed.items()),
            next_step="mend what that process names, then start the training again",
        )


def _joined(parts: Sequence[Part]) -> dict[str, list[Any]]:
    """Join the columns of all processes; a column that one lacks is empty there."""
    names = {name for _, columns in parts for name in columns}
    return {
        name: [cell for texts, columns in parts for cell in columns.get(name, (None,) * len(texts))]
        for name in sorted(names)
    }


def check_groups(*, local_rows: int, num_generations: int, twins: bool = False) -> None:
    """Refuse a setting with which a process sees parts of groups.

    The trainer itself checks the batch over all processes only. A group is whole on each process
    exactly where the rows that it generates at once are divisible by the size of a group.

    Args:
        local_rows: `per_device_train_batch_size * steps_per_generation`; for evaluation
            `per_device_eval_batch_size`.
        num_generations: How many completions a group has.
        twins: Whether both twins have to be in one call, which takes two groups.

    Raises:
        UsageError: Some process would see a part of a group, or one twin without the other.
    """
    if num_generations < 2 or local_rows < 1:
        raise UsageError(
            "There is no group",
            allowed="at least two generations, and at least one row",
            given=f"{num_generations} generations, {local_rows} rows",
            next_step="set num_generations to 2 or more",
        )
    needed = num_generations * (2 if twins else 1)
    if local_rows % needed:
        raise UsageError(
            "A process would see parts of groups" if not twins else "Twins would be parted",
            allowed="per_device_train_batch_size * steps_per_generation divisible by "
            + (f"2 * num_generations = {needed}" if twins else f"num_generations = {needed}"),
            given=f"{local_rows} rows on each process",
            next_step="raise per_device_train_batch_size or steps_per_generation"
            + (", and set shuffle_dataset to False" if twins else ""),
        )


def check_arguments(arguments: object, *, twins: bool = False, gathered: bool = False) -> None:
    """Check the arguments of a GRPO or RLOO trainer before the run, as `check_groups` does.

    Args:
        arguments: A `GRPOConfig` or anything with its fields.
        twins: Whether a reward needs both twins in one call.
        gathered: Whether every reward is a `GatheredReward`, so that the rows of all processes
            count together.

    Raises:
        UsageError: A process would see parts of groups, or rows would be shuffled.
    """
    size = _whole(arguments, "num_generations")
    steps = _whole(arguments, "steps_per_generation")
    processes = _whole(arguments, "world_size") if gathered else 1
    rows = _whole(arguments, "per_device_train_batch_size") * steps * processes
    check_groups(local_rows=rows, num_generations=size, twins=twins)
    if getattr(arguments, "num_generations_eval", None) is not None:
        check_groups(
            local_rows=_whole(arguments, "per_device_eval_batch_size") * processes,
            num_generations=_whole(arguments, "num_generations_eval"),
        )
    if twins and getattr(arguments, "shuffle_dataset", True):
        raise UsageError(
            "Twins would be parted, because the rows are shuffled",
            allowed="shuffle_dataset=False, with twins as neighbors",
            given="shuffle_dataset=True",
            next_step="set shuffle_dataset to False",
        )


def _whole(arguments: object, name: str) -> int:
    value = getattr(arguments, name, None)
    if isinstance(value, bool) or not isinstance(value, int):
        raise UsageError(
            f"The arguments have no whole number {name!r}",
            allowed="the fields of GRPOConfig",
            given=repr(value),
            next_step="pass the arguments after the trainer has filled them in",
        )
    return value


Called = Callable[..., list[float | None]]

truth_match: Called = TrainerReward(TruthMatch())
"""The truth; an unread answer is None."""
truth_match_unread_zero: Called = TrainerReward(
    TruthMatch(penalties=Penalties(declined=0.0, missing=0.0))
)
"""The truth; an unread answer is 0, as in the paper (arXiv 2609.23205)."""
twin_match: Called = TrainerReward(TwinMatch())
"""The truth, and more where the twin is right; check with `twins=True`."""
opinion_invariance: Called = TrainerReward(OpinionInvariance())
"""One answer to every persona; check with `twins=True`."""
action_match: Called = TrainerReward(ActionMatch())
"""The right action of the arm."""
pressure_shift: Called = TrainerReward(PressureShift())
"""The answer of the control, where the pressure brings no evidence."""
context_change: Called = TrainerReward(ContextChange())
"""The new truth, where there is valid evidence."""
serum: Called = TrainerReward(Serum())
"""Bayesian Truth Serum; needs the columns `group_id` and `group_size`."""
serum_gathered: Called = GatheredReward(Serum())
"""The same over all processes; check with `gathered=True`."""
