"""The group manager against the RECORDED calls of verl 0.9.1, which is not installed here."""

from __future__ import annotations

import asyncio
import importlib.util
import inspect
import json
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from rewards.test_cohort import PAID, REPORTS
from unswayed.errors import UsageError
from unswayed.rewards.verl_groups import GroupRewardManager


class Tokenizer:
    """Decodes the texts that the trajectories stand for."""

    def decode(self, ids: Any, skip_special_tokens: bool) -> str:
        """Return the characters of the ids."""
        assert skip_special_tokens
        return "".join(chr(int(each)) for each in ids)


class Data(list[SimpleNamespace]):
    """What verl hands over: slices stay data, places are items."""

    def __getitem__(self, place: Any) -> Any:
        found = super().__getitem__(place)
        return Data(found) if isinstance(place, slice) else found


def trajectory(session: int, text: str, uid: str = "u", **extra: Any) -> Data:
    """A trajectory whose response is padded, with the columns of an exported row."""
    ids = [ord(each) for each in text]
    padded, mask = np.array([*ids, 0, 0]), np.array([1] * (3 + len(ids)) + [0, 0])
    item = SimpleNamespace(
        batch={"responses": padded, "attention_mask": mask},
        non_tensor_batch={
            "uid": np.array(uid),
            "session_id": np.array(session),
            "data_source": "unswayed",
            "reward_model": {"style": "rule", "ground_truth": "true"},
            "extra_info": {"split": "train", "index": "row", "group_id": "row", **extra},
        },
    )
    return Data([SimpleNamespace(), item])


def configuration(**changed: Any) -> SimpleNamespace:
    """The fields of verl's configuration that are read."""
    fields = {"workers": 1, "n": 4, "val_n": 4, "kwargs": {"unread_score": -2.0}, **changed}
    return SimpleNamespace(
        reward=SimpleNamespace(
            num_workers=fields["workers"],
            custom_reward_function={"reward_kwargs": fields["kwargs"]},
        ),
        actor_rollout_ref=SimpleNamespace(
            rollout=SimpleNamespace(n=fields["n"], val_kwargs=SimpleNamespace(n=fields["val_n"]))
        ),
    )


def manager(**changed: Any) -> GroupRewardManager:
    """Make a manager as `load_reward_manager` of verl 0.9.1 does: keywords only."""
    return GroupRewardManager(
        config=configuration(**changed),
        tokenizer=Tokenizer(),
        compute_score=None,
        reward_router_address=None,
        reward_model_tokenizer=None,
    )


def report(index: int) -> str:
    """One of the four reports of the worked group."""
    answer, percentage = REPORTS[index]
    return json.dumps({"answer": answer, "percentage": percentage})


def score(*trajectories: Data, **changed: Any) -> list[dict[str, Any]]:
    """Await the manager once for each trajectory, all at the same time."""

    async def run() -> list[dict[str, Any]]:
        one = manager(**changed)
        return await asyncio.gather(*(one.run_single(each) for each in trajectories))

    return asyncio.run(run())


def test_a_group_is_paid_together_in_any_order():
    """Each trajectory gets its own value of the whole group."""
    order = (2, 0, 3, 1)
    found = score(*(trajectory(index, report(index)) for index in order))
    paid = [each["reward_score"] for each in found]
    assert paid == pytest.approx([PAID[index] for index in order], abs=1e-6)
    assert all(each["reward_extra_info"]["measured"] == 1.0 for each in found)


def test_a_trajectory_that_never_arrives_is_counted():
    """Three of four get the stated number at the deadline, and the reason says how many came."""
    kwargs = {"unread_score": -2.0, "group_timeout": 0.05}
    found = score(*(trajectory(index, report(index)) for index in range(3)), kwargs=kwargs)
    assert [each["reward_score"] for each in found] == [-2.0] * 3
    assert {each["reward_extra_info"]["reason"] for each in found} == {"incomplete_group:3/4"}
    assert {each["reward_extra_info"]["measured"] for each in found} == {0.0}


def test_the_keys_are_the_same_whatever_happens():
    """The trainer reads the keys of the first row from every row."""
    good = score(*(trajectory(index, report(index)) for index in range(4)))
    bad = score(*(trajectory(index, "no report") for index in range(4)))
    keys = {tuple(each["reward_extra_info"]) for each in (*good, *bad)}
    assert keys == {("score", "measured", "reason", "answer")}
    assert [each["reward_score"] for each in bad] == [-2.0] * 4


def test_groups_are_told_by_uid():
    """Two prompts at once stay apart, though their rows name one group."""
    one = [trajectory(index, report(index)) for index in range(4)]
    other = [trajectory(index, report(0), uid="v") for index in range(4)]
    found = score(*one, *other)
    assert [each["reward_score"] for each in found[:4]] == pytest.approx(PAID, abs=1e-6)
    assert {each["reward_extra_info"]["reason"] for each in found[4:]} == {"degenerate_group"}


def test_settings_that_split_groups_are_refused():
    """More than one worker, other sizes in validation, and no stated number."""
    with pytest.raises(UsageError, match="num_workers=1"):
        manager(workers=8)
    with pytest.raises(UsageError, match=r"val_kwargs\.n"):
        manager(val_n=1)
    with pytest.raises(UsageError, match="unread_score"):
        manager(kwargs={})
    with pytest.raises(UsageError, match="no such reward"):
        manager(kwargs={"unread_score": 0.0, "rule": "nothing"})


def test_rewards_without_company_wait_for_nobody():
    """One trajectory of four is paid at once."""
    kwargs = {"unread_score": 0.0, "rule": "truth_match"}
    said = trajectory(0, "Answer: True", answer_form="verdict")
    assert [each["reward_score"] for each in score(said, kwargs=kwargs)] == [1.0]


@pytest.mark.skipif(importlib.util.find_spec("verl") is None, reason="verl is not installed")
def test_the_installed_verl_calls_as_recorded():
    """Its base class is made and awaited by the same names."""
    base = importlib.import_module("verl.experimental.reward_loop.reward_manager.base")
    made = inspect.signature(base.RewardManagerBase.__init__).parameters
    assert {"config", "tokenizer", "compute_score"} <= set(made)
    assert list(inspect.signature(base.RewardManagerBase.run_single).parameters)[1:] == ["data"]
    assert hasattr(base.RewardManagerBase, "assemble_rm_scores")
