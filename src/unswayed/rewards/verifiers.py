"""Rewards as functions of a `Rubric` of verifiers.

verifiers is not imported. The calls were recorded from the source of its `Rubric`, which is
deprecated in favor of the package's version 1 (there, rewards are methods of a task):
`f(prompt, completion, answer, state, info, task) -> float` for one rollout, and
`f(prompts, completions, answers, states, infos, tasks) -> list[float]` for a group, told apart by
the plural names. An exception in such a function is logged there and becomes 0, and there is no
row without a reward: so what an unread completion gets has to be stated when a function is made.
"""

from __future__ import annotations

import json
import logging
import math
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from unswayed.errors import UnswayedError, UsageError
from unswayed.rewards.reward import Reward, Rule

_LOG = logging.getLogger("unswayed.rewards")


def rubric_function(rule: Rule, *, unread: float) -> Callable[..., float]:
    """Make a function for one rollout out of a rule.

    Columns come from `info` (a dict, or JSON text); `answer` is the truth where `info` has none.

    Args:
        rule: A reward of single completions.
        unread: What a completion without a reward gets.

    Returns:
        A function for `Rubric(funcs=[...])`; its errors are logged before they are raised.
    """
    _check(unread)
    reward = Reward(rule)

    def score(
        completion: object,
        answer: object = None,
        info: object = None,
        **_: Any,  # noqa: ANN401 - the rubric passes everything it has
    ) -> float:
        paid = _paid(reward, [completion], [answer], [info])[0]
        return unread if paid is None else paid

    score.__name__ = rule.name
    return score


def group_rubric_function(rule: Rule, *, unread: float) -> Callable[..., list[float]]:
    """Make a function for a group of rollouts out of a rule.

    The rubric's group is the rollouts of one call: `group_id` and `group_size` are filled in where
    `info` lacks them. A rubric groups the rollouts of one prompt, so twins are not in one call.

    Args:
        rule: Any reward.
        unread: What a completion without a reward gets.

    Returns:
        A function for `Rubric(funcs=[...])`; its errors are logged before they are raised.
    """
    _check(unread)
    reward = Reward(rule)

    def score(
        completions: Sequence[object],
        answers: Sequence[object] | None = None,
        infos: Sequence[object] | None = None,
        **_: Any,  # noqa: ANN401 - the rubric passes everything it has
    ) -> list[float]:
        n = len(completions)
        group = {"group_id": "rollouts", "group_size": n}
        rows = infos or [None] * n
        paid = _paid(reward, completions, answers or [None] * n, rows, group)
        return [unread if each is None else each for each in paid]

    score.__name__ = rule.name
    return score


def _paid(
    reward: Reward,
    completions: Sequence[object],
    answers: Sequence[object],
    infos: Sequence[object],
    shared: Mapping[str, object] = MappingProxyType({}),
) -> list[float | None]:
    try:
        rows = [
            {**shared, **({} if answer in (None, "") else {"truth": answer}), **_mapping(info)}
            for answer, info in zip(answers, infos, strict=True)
        ]
        names = sorted({name for row in rows for name in row})
        columns = {name: [row.get(name) for row in rows] for name in names}
        return reward(list(completions), **columns)
    except UnswayedError:
        _LOG.exception("%s: the rubric will count this error as 0", reward.rule.name)
        raise


def _mapping(info: object) -> dict[str, Any]:
    if isinstance(info, str) and info.strip():
        try:
            info = json.loads(info)
        except ValueError as error:
            raise UsageError(
                "The field `info` of a rollout is no JSON",
                allowed="a dict, or a JSON object as text",
                given=str(info)[:60],
                next_step="write the columns of each row as one JSON object",
            ) from error
    return {str(name): value for name, value in info.items()} if isinstance(info, Mapping) else {}


def _check(unread: float) -> None:
    if not math.isfinite(unread):
        raise UsageError(
            "What a completion without a reward gets is not finite",
            allowed="a finite number",
            given=repr(unread),
            next_step="state a number that a rubric may add up",
        )
