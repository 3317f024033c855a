"""Rewards as verifiers 0.4.0 takes them: a taskset of our rows, and an environment for groups.

verifiers is imported here, so this module needs it. Its loader takes top-level modules alone: write
one of your own, say `pressure_set.py`, and name it with `--env.taskset.id pressure_set`:

    from unswayed.rewards.taskset import GroupEnv, PressureTaskset

    __all__ = ["PressureTaskset"]  # and "GroupEnv" for rewards of a group

Tasks are the lines of a file that `--shape verifiers` has written. verifiers has no row without a
reward, so what an unread completion gets has to be stated; the metric `measured` tells them apart.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from unswayed.errors import UsageError
from unswayed.items.cells import Problem, read_table, refuse
from unswayed.rewards.named import named_rule, needs_company
from unswayed.rewards.reward import Reward, RewardValue

try:
    import verifiers.v1 as vf
except ImportError as error:
    raise ImportError("unswayed.rewards.taskset needs `pip install verifiers==0.4.0`") from error

RECORDED_VERSION = "0.4.0"
"""The version of verifiers that this was written for and run with."""

_OWN = ("group_id", "item_id", "answer_form", "truth", "target", "named_target", "user_right",
        "first_right", "meta_json")  # fmt: skip


class PressureData(vf.TaskData):  # type: ignore[misc]
    """One of our rows: the conversation, and the columns that rewards read."""

    group_id: str
    item_id: str = ""
    answer_form: str = ""
    truth: str = ""
    target: str = ""
    named_target: str = ""
    user_right: bool | None = None
    first_right: bool | None = None
    meta_json: str = "{}"
    group_size: int | None = None


class PressureTaskConfig(vf.TaskConfig):  # type: ignore[misc]
    """Which reward, and what an unread completion gets."""

    rule: str = "truth_match"
    unread_score: float | None = None


class PressureTask(vf.Task[PressureData, vf.State, PressureTaskConfig]):  # type: ignore[misc]
    """A conversation whose next reply is paid."""

    @vf.reward(weight=1.0)  # type: ignore[untyped-decorator]
    async def paid(self, trace: Any) -> float:  # noqa: ANN401 - verifiers' own type
        """The reward of one reply; rewards of a group need `GroupEnv`."""
        rule = named_rule(self.config.rule)
        if needs_company(rule):
            raise UsageError(
                f"{rule.name!r} pays a reply by its group",
                allowed="an environment that draws the whole group",
                given="one reply",
                next_step="export GroupEnv beside the taskset",
            )
        value = Reward(rule).explain([_said(trace)], **_columns([self.data], [trace]))[0]
        trace.record_metric("measured", float(value.value is not None))
        return _stated(self.config) if value.value is None else value.value


class PressureTasksetConfig(vf.TasksetConfig):  # type: ignore[misc]
    """Where the rows are."""

    file: Path = Path("train.jsonl")
    task: PressureTaskConfig = PressureTaskConfig()


class PressureTaskset(vf.Taskset[PressureTask, PressureTasksetConfig]):  # type: ignore[misc]
    """The rows of a file that `unswayed train-data --kind rl --shape verifiers` has written."""

    def load(self) -> Iterator[PressureTask]:
        """Yield a task for each line.

        Raises:
            RowError: Naming file and line of a row that is no task of ours; nothing is yielded.
        """
        _stated(self.config.task)
        table = read_table(self.config.file)
        problems = list(table.problems)
        found = []
        for row in table.rows:
            try:
                found.append(PressureData(**row.cells))
            except (TypeError, ValueError) as error:
                wrong = f"it is no task of ours ({str(error)[:200]})"
                remedy = "write the file again with `unswayed train-data --shape verifiers`"
                problems.append(Problem(where=row.where, wrong=wrong, remedy=remedy))
        if problems:
            refuse(table.path, problems, len(table.rows) + len(table.problems))
        yield from (PressureTask(data, self.config.task) for data in found)


class GroupEnvConfig(vf.EnvConfig):  # type: ignore[misc]
    """How many replies one group has."""

    agent: vf.AgentConfig = vf.AgentConfig()
    n: int = 8


class GroupEnv(vf.Env[GroupEnvConfig]):  # type: ignore[misc]
    """Draws a whole group of replies to one conversation and pays them by each other."""

    async def run(self, task: Any, agents: Any) -> None:  # noqa: ANN401 - verifiers' own types
        """Draw the replies; the task's own reward is left to `finalize`."""
        async with asyncio.TaskGroup() as group:
            for _ in range(self.config.n):
                group.create_task(agents.agent.run(task.defer_scoring()))

    async def finalize(self, task: Any, episode: Any) -> None:  # noqa: ANN401
        """Pay the group; a reply that is missing makes all of it unmeasured."""
        rule = named_rule(task.config.rule)
        for trace, value in zip(
            episode.traces, pay_group(rule.name, task, episode.traces, self.config.n), strict=True
        ):
            measured = value.value is not None
            trace.record_metric("measured", float(measured))
            trace.record_reward(rule.name, value.value if measured else _stated(task.config))


def pay_group(rule: str, task: Any, traces: list[Any], size: int) -> list[RewardValue]:  # noqa: ANN401
    """Pay the replies of one group.

    Args:
        rule: Name of the reward.
        task: The task that all of them answer.
        traces: One for each reply that there is.
        size: How many replies a whole group has.
    """
    columns = _columns([task.data] * len(traces), traces)
    columns |= {"group_size": size, "completion_id": [trace.id for trace in traces]}
    return Reward(named_rule(rule)).explain([_said(trace) for trace in traces], **columns)


def _said(trace: Any) -> str | None:  # noqa: ANN401
    """The last reply; None where the rollout has failed."""
    return None if trace.errors or not trace.assistant_messages else str(trace.last_reply)


def _columns(rows: list[PressureData], traces: list[Any]) -> dict[str, Any]:
    columns: dict[str, Any] = {name: [getattr(row, name) for row in rows] for name in _OWN}
    columns["finish_reason"] = ["length" if trace.is_truncated else "stop" for trace in traces]
    return columns


def _stated(config: PressureTaskConfig) -> float:
    if config.unread_score is None or not math.isfinite(config.unread_score):
        raise UsageError(
            "It is not stated what a completion without a reward gets",
            allowed="unread_score, a finite number; verifiers has no row without a reward",
            given="nothing" if config.unread_score is None else str(config.unread_score),
            next_step="set --env.taskset.task.unread-score",
        )
    return config.unread_score
