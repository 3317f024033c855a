"""Rewards of a group in verl: a reward manager that waits for all completions of a prompt.

verl is not imported until scores are put into tensors. The calls were recorded from the source of
version 0.9.1: a manager is made with `config`, `tokenizer`, `compute_score` and two keywords that
are not used here, and `run_single(data)` is awaited once for each trajectory, whose
`non_tensor_batch` holds `uid`, `session_id` and the columns of its row. Set

    reward.num_workers=1
    reward.reward_manager.source=importlib
    reward.reward_manager.name=GroupRewardManager
    reward.reward_manager.module.path=pkg://unswayed.rewards.verl_groups
    +reward.custom_reward_function.reward_kwargs.rule=serum
    +reward.custom_reward_function.reward_kwargs.unread_score=0.0
    +reward.custom_reward_function.reward_kwargs.group_timeout=600

One worker, because each of several would see a part of a group. As many completions in validation
as in training, because a manager is not told which of the two it is in.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from unswayed.errors import UsageError
from unswayed.rewards.cohort import Cohorts, Member
from unswayed.rewards.named import named_rule
from unswayed.rewards.verl import columns_of, result_of, stated_score

RECORDED_VERSION = "0.9.1"
"""The version of verl whose calls are recorded here and in the tests."""

TIMEOUT = 600.0
"""Seconds from a group's first completion to its last, where none are stated."""


class GroupRewardManager:
    """Pays the completions of one prompt together, for `reward.reward_manager`."""

    def __init__(
        self,
        config: Any,  # noqa: ANN401 - verl's own types
        tokenizer: Any,  # noqa: ANN401
        compute_score: object = None,
        reward_router_address: object = None,
        reward_model_tokenizer: object = None,
    ) -> None:
        stated = config.reward.custom_reward_function.get("reward_kwargs") or {}
        _check_workers(config)
        self.tokenizer = tokenizer
        self.size = _group_size(config)
        self.unread_score = stated_score(stated)
        self.cohorts = Cohorts(
            named_rule(str(stated.get("rule", "serum"))),
            timeout=float(stated.get("group_timeout", TIMEOUT)),
        )

    async def run_single(self, data: Any) -> dict[str, Any]:  # noqa: ANN401 - verl's own type
        """Pay one trajectory when its group is whole.

        Args:
            data: The trajectory as verl hands it over; the last of several outputs counts.

        Returns:
            `reward_score`, and `reward_extra_info` with the same keys whatever happens.
        """
        last = data[-1:][0]
        cells = last.non_tensor_batch
        reward_model: Mapping[str, Any] = cells.get("reward_model") or {}
        columns = columns_of(reward_model.get("ground_truth"), cells.get("extra_info"))
        text = await asyncio.to_thread(self._text, last)
        member = Member(completion=text, columns=columns)
        if self.cohorts.waits:
            value = await self.cohorts.pay(
                member,
                group=str(_plain(cells["uid"])),
                size=self.size,
                name=str(_plain(cells["session_id"])),
            )
        else:
            value = self.cohorts.pay_alone(member)
        found = result_of(value, self.unread_score)
        return {"reward_score": found["score"], "reward_extra_info": found}

    @classmethod
    def assemble_rm_scores(cls, data: Any, scores: list[float]) -> Any:  # noqa: ANN401
        """Put scores into the tensor that verl's own managers make."""
        from verl.experimental.reward_loop.reward_manager.base import RewardManagerBase

        return RewardManagerBase.assemble_rm_scores(data, scores)

    def _text(self, last: Any) -> str:  # noqa: ANN401
        ids = last.batch["responses"]
        length = int(last.batch["attention_mask"][-ids.shape[-1] :].sum())
        return str(self.tokenizer.decode(ids[:length], skip_special_tokens=True))


def _check_workers(config: Any) -> None:  # noqa: ANN401
    workers = config.reward.num_workers
    if workers != 1:
        raise UsageError(
            "Each reward worker would see a part of a group",
            allowed="reward.num_workers=1",
            given=repr(workers),
            next_step="set it to 1; scoring waits for groups and takes little time",
        )


def _group_size(config: Any) -> int:  # noqa: ANN401
    rollout = config.actor_rollout_ref.rollout
    sizes = {int(rollout.n), int(rollout.val_kwargs.n)}
    if len(sizes) != 1:
        raise UsageError(
            "Groups of validation have another size than those of training",
            allowed="actor_rollout_ref.rollout.val_kwargs.n equal to rollout.n",
            given=" and ".join(str(size) for size in sorted(sizes)),
            next_step="set both to the same number",
        )
    return sizes.pop()


def _plain(cell: object) -> object:
    """What a cell holds, an array of nothing but it included."""
    item = getattr(cell, "item", None)
    return item() if callable(item) else cell
