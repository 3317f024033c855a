"""Rewards as verl calls them: `compute_score`, one trajectory at a time.

verl is not imported. The call was recorded from version 0.9.1:
`compute_score(data_source=, solution_str=, ground_truth=, extra_info=, **reward_kwargs)`, which
returns a number or a dict with `score`. Set

    reward.custom_reward_function.path=pkg://unswayed.rewards.verl
    +reward.custom_reward_function.reward_kwargs.unread_score=0.0

verl has no row without a reward, so what an unread completion gets has to be stated. Rewards of a
group cannot be scored one trajectory at a time and are refused; see `verl_groups`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from unswayed.errors import UsageError
from unswayed.rewards.named import RULES, needs_company
from unswayed.rewards.reward import Reward, RewardValue

RECORDED_VERSION = "0.9.1"
"""The version of verl whose call is recorded here and in the tests."""

_REWARDS = {name: Reward(rule) for name, rule in RULES.items() if not needs_company(rule)}


def compute_score(
    *,
    data_source: str,
    solution_str: str | None,
    ground_truth: object,
    extra_info: Mapping[str, Any] | None = None,
    rule: str = "truth_match",
    **reward_kwargs: Any,  # noqa: ANN401 - verl passes whatever the configuration holds
) -> dict[str, float | str]:
    """Score one trajectory; the same keys whatever happens.

    Args:
        data_source: The set that the row comes from; not used, every set is scored alike.
        solution_str: The completion.
        ground_truth: The truth, or an object (also as JSON text) with the columns of the row.
        extra_info: Further columns, such as `answer_form`, `options`, `action`, `first_answer`.
        rule: Name of a reward of single completions.
        **reward_kwargs: `unread_score`, the number for a completion without a reward, is needed;
            others are left out.

    Returns:
        `score`; `measured` (1 or 0), whether the score was measured and not stated; `reason` and
        `answer`, empty where there is none.

    Raises:
        UsageError: `unread_score` is not stated, or there is no such reward of single completions.
    """
    stated = stated_score(reward_kwargs)
    if rule not in _REWARDS:
        raise UsageError(
            f"verl cannot score by {rule!r} one trajectory at a time",
            allowed=", ".join(_REWARDS),
            given=rule,
            next_step="choose a reward of single completions, or the manager of `verl_groups`",
        )
    columns = columns_of(ground_truth, extra_info)
    paid = _REWARDS[rule].explain([solution_str], **{name: [v] for name, v in columns.items()})[0]
    return result_of(paid, stated)


def result_of(paid: RewardValue, unread_score: float) -> dict[str, float | str]:
    """A value as verl takes it: the same keys whatever happened."""
    return {
        "score": unread_score if paid.value is None else float(paid.value),
        "measured": 0.0 if paid.value is None else 1.0,
        "reason": paid.reason or "",
        "answer": paid.answer or "",
    }


def stated_score(reward_kwargs: Mapping[str, Any]) -> float:
    """What a completion without a reward gets, which has to be stated.

    Raises:
        UsageError: It is not.
    """
    stated = reward_kwargs.get("unread_score")
    if isinstance(stated, bool) or not (isinstance(stated, int | float) and math.isfinite(stated)):
        raise UsageError(
            "It is not stated what a completion without a reward gets",
            allowed="unread_score, a finite number; verl cannot leave a row out",
            given=repr(stated),
            next_step="set reward.custom_reward_function.reward_kwargs.unread_score",
        )
    return float(stated)


def columns_of(ground_truth: object, extra_info: Mapping[str, Any] | None) -> dict[str, Any]:
    """The columns of a row, out of its truth and its further fields.

    Raises:
        UsageError: The further fields are no object.
    """
    if extra_info is not None and not isinstance(extra_info, Mapping):
        raise UsageError(
            "The extra_info of a row is no object",
            allowed="an object with the columns of the row, or None",
            given=repr(extra_info)[:60],
            next_step="write the columns answer_form, options and so on as one object",
        )
    columns = {str(name): _plain(value) for name, value in (extra_info or {}).items()}
    truth = _plain(ground_truth)
    if isinstance(truth, str) and truth.lstrip().startswith("{"):
        try:
            truth = json.loads(truth)
        except ValueError:
            return {**columns, "truth": truth}
    if isinstance(truth, Mapping):
        return {**columns, **{str(name): _plain(value) for name, value in truth.items()}}
    return columns if truth is None else {**columns, "truth": truth}


def _plain(value: object) -> object:
    """Arrays, which Parquet rows hold, as lists."""
    convert = getattr(value, "tolist", None)
    return convert() if callable(convert) else value
