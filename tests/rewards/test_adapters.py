"""Adapters against RECORDED calls of TRL, verl and verifiers; none of them is installed here.

Where one of them is installed, the last tests compare with what it really has.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import json
import logging
import math
import pickle
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from rewards.shaped import colors
from unswayed.errors import UsageError
from unswayed.rewards import Reward, Serum, TruthMatch, trl, verl
from unswayed.rewards.shapes import take_batch
from unswayed.rewards.trl import GatheredReward, check_arguments, check_groups
from unswayed.rewards.verifiers import group_rubric_function, rubric_function

RED, GREEN = "Answer: A", "Answer: B"
LOST = "Let me think about the walls of this room and what was painted when."
DOTTED = [
    "truth_match",
    "truth_match_unread_zero",
    "twin_match",
    "opinion_invariance",
    "action_match",
    "pressure_shift",
    "context_change",
    "serum",
]


def trl_call(function: Any, completions: list[Any], **columns: list[Any]) -> list[float | None]:
    """The call of TRL 1.16.0 as recorded: keywords only, columns as lists, helpers added."""
    n = len(completions)
    return function(
        prompts=[[{"role": "user", "content": "Red or green?"}]] * n,
        completions=completions,
        completion_ids=[[1, 2, 3]] * n,
        **columns,
        trainer_state=SimpleNamespace(global_step=3),
        log_extra=lambda column, values: None,
        log_metric=lambda name, value: None,
    )


@pytest.mark.parametrize("name", DOTTED)
def test_every_dotted_path_takes_the_recorded_call(name: str):
    """The trainer looks the function up by its path, needs `__name__`, and may pickle it."""
    function = getattr(importlib.import_module("unswayed.rewards.trl"), name)
    assert callable(function)
    assert isinstance(function.__name__, str)
    assert not inspect.iscoroutinefunction(function)
    paid = trl_call(function, [[{"role": "assistant", "content": RED}]] * 4)
    assert len(paid) == 4
    assert len(trl_call(pickle.loads(pickle.dumps(function)), [RED] * 4)) == 4


def test_the_recorded_call_pays_and_abstains():
    """Messages and texts alike; what is unread is None, or 0 by the path that says so."""
    columns = {"truth": ["red"] * 3, **colors(3)}
    columns["answer_form"] = ["choice"] * 3
    for texts in (
        [RED, GREEN, LOST],
        [[{"role": "assistant", "content": t}] for t in (RED, GREEN, LOST)],
    ):
        assert trl_call(trl.truth_match, texts, **columns) == [1.0, 0.0, None]
        assert trl_call(trl.truth_match_unread_zero, texts, **columns) == [1.0, 0.0, 0.0]


def test_the_trainers_logs_get_shares_and_reasons():
    """One number a call for what was not paid and not read; one reason a row."""
    metrics: dict[str, float] = {}
    extras: dict[str, list[str | None]] = {}
    trl.truth_match(
        completions=[RED, LOST],
        truth="red",
        log_metric=metrics.__setitem__,
        log_extra=extras.__setitem__,
        **colors(2),
    )
    assert metrics["unswayed/truth_match/none_share"] == 0.5
    assert metrics["unswayed/truth_match/unread_share"] == 0.5
    assert extras["unswayed_truth_match_reason"] == [None, "no_declaration"]


def test_a_silent_split_is_refused_before_the_run():
    """Two rows on each of two processes with four generations: each would see half a group."""
    with pytest.raises(UsageError, match="parts of groups"):
        check_groups(local_rows=2, num_generations=4)
    check_groups(local_rows=8, num_generations=4, twins=True)
    with pytest.raises(UsageError, match="Twins"):
        check_groups(local_rows=4, num_generations=4, twins=True)
    with pytest.raises(UsageError, match="no group"):
        check_groups(local_rows=4, num_generations=1)


def arguments(**changed: Any) -> SimpleNamespace:
    """The fields of a GRPOConfig that matter here."""
    fields = {
        "per_device_train_batch_size": 2,
        "steps_per_generation": 4,
        "num_generations": 4,
        "per_device_eval_batch_size": 4,
        "num_generations_eval": 4,
        "shuffle_dataset": True,
    }
    return SimpleNamespace(**{**fields, **changed})


def test_gathered_rewards_count_the_rows_of_all_processes():
    """Half a group on each of two processes is a whole one; three rows on each are not."""
    few = {"steps_per_generation": 1, "num_generations_eval": None}
    check_arguments(arguments(**few, world_size=2), gathered=True)
    with pytest.raises(UsageError, match="parts of groups"):
        check_arguments(
            arguments(**few, world_size=2, per_device_train_batch_size=3), gathered=True
        )
    with pytest.raises(UsageError, match="world_size"):
        check_arguments(arguments(**few), gathered=True)


@pytest.mark.parametrize("rank", [0, 1])
def test_each_process_pays_its_own_part_of_a_whole_group(
    monkeypatch: pytest.MonkeyPatch, rank: int
):
    """Two halves of one group, gathered: each gets what the whole would pay it."""
    shares = (80, 60, 50, 70)
    said = [
        f'{{"answer": {"true" if n != 2 else "false"}, "percentage": {share}}}'
        for n, share in enumerate(shares)
    ]
    columns = {"group_id": ["g"] * 2, "group_size": [4] * 2}
    whole = Reward(Serum())(said, group_id="g", group_size=4)
    halves = [take_batch(said[start : start + 2], columns) for start in (0, 2)]
    parts = [pickle.dumps((each.texts, each.columns)) for each in halves]
    monkeypatch.setattr(trl, "gather_parts", lambda mine: (parts, rank))
    reward = GatheredReward(Serum())
    paid = reward(said[2 * rank : 2 * rank + 2], **columns)
    assert paid == whole[2 * rank : 2 * rank + 2]
    assert None not in paid
    assert reward.tally.n == 4


class Exchange:
    """What two processes do with `torch.distributed`, by two threads that wait for each other."""

    def __init__(self) -> None:
        self.meet, self.here = threading.Barrier(2, timeout=20), threading.local()
        self.handed: list[Any] = [None, None]

    def is_available(self) -> bool:
        """It is."""
        return True

    is_initialized = is_available

    def get_world_size(self) -> int:
        """Two."""
        return 2

    def get_rank(self) -> int:
        """Which of them this is."""
        return self.here.rank

    def all_gather_object(self, parts: list[Any], mine: Any) -> None:
        """Wait until both have handed over theirs."""
        self.handed[self.here.rank] = mine
        self.meet.wait()
        parts[:] = self.handed


@pytest.mark.parametrize("broken", [{"truth": ["red"] * 3}, {"truth": [lambda: 0] * 2}])
def test_a_process_that_fails_leaves_no_other_waiting(
    monkeypatch: pytest.MonkeyPatch, broken: dict[str, Any]
):
    """It says so in place of its part and raises its own error; the others end with its words."""
    exchange = Exchange()
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(distributed=exchange))
    told: dict[int, BaseException] = {}

    def call(rank: int, columns: dict[str, Any]) -> None:
        exchange.here.rank = rank
        try:
            GatheredReward(TruthMatch())([RED, GREEN], **{**colors(2), **columns})
        except (
            UsageError,
            AttributeError,
            pickle.PicklingError,
            threading.BrokenBarrierError,
        ) as e:
            told[rank] = e

    calls = [(0, {"truth": ["red"] * 2}), (1, broken)]
    threads = [threading.Thread(target=call, args=each) for each in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not any(isinstance(error, threading.BrokenBarrierError) for error in told.values())
    assert "process 1" in str(told[0])
    assert type(told[1]).__name__ in str(told[0])


def test_one_process_is_gathered_as_it_is():
    """Without a process group, a gathered reward is the plain one."""
    texts = ["\\boxed{true}", "\\boxed{false}"]
    columns = {"answer_form": "verdict", "truth": "true"}
    assert GatheredReward(TruthMatch())(texts, **columns) == [1.0, 0.0]


def test_the_arguments_of_a_trainer_are_checked():
    """Training, evaluation, shuffled twins, and fields that are not filled in."""
    check_arguments(arguments())
    check_arguments(arguments(num_generations_eval=None, per_device_eval_batch_size=3))
    check_arguments(arguments(shuffle_dataset=False), twins=True)
    with pytest.raises(UsageError, match="parts of groups"):
        check_arguments(arguments(steps_per_generation=1))
    with pytest.raises(UsageError, match="parts of groups"):
        check_arguments(arguments(per_device_eval_batch_size=3))
    with pytest.raises(UsageError, match="shuffled"):
        check_arguments(arguments(), twins=True)
    with pytest.raises(UsageError, match="steps_per_generation"):
        check_arguments(arguments(steps_per_generation=None))


def test_half_a_group_is_none_at_run_time_too():
    """With the check left out, every value is None with the count."""
    report = json.dumps({"answer": True, "percentage": 60})
    reward = trl.TrainerReward(Serum())
    explained = reward.explain([report] * 2, group_id="g", group_size=4)
    assert [each.reason for each in explained] == ["incomplete_group:2/4"] * 2


def verl_call(**changed: Any) -> dict[str, float | str]:
    """The call of verl 0.9.1 as recorded: four keywords, and the configuration's own."""
    call: dict[str, Any] = {
        "data_source": "unswayed",
        "solution_str": RED,
        "ground_truth": "red",
        "extra_info": {
            "index": 0,
            "split": "train",
            "answer_form": "choice",
            "options": np.array(["red", "green"], dtype=object),
            "num_turns": None,
            "rollout_reward_scores": {},
        },
        "unread_score": -1.0,
    }
    return verl.compute_score(**{**call, **changed})


def test_verl_gets_the_same_keys_whatever_happens():
    """Good, wrong, unparsed, no text, no truth, an unreadable truth, no data source."""
    calls = [
        verl_call(),
        verl_call(solution_str=GREEN),
        verl_call(solution_str=LOST),
        verl_call(solution_str=None),
        verl_call(ground_truth=None),
        verl_call(ground_truth="mauve"),
        verl_call(data_source="", extra_info=None),
    ]
    assert [call["score"] for call in calls] == [1.0, 0.0, -1.0, -1.0, -1.0, -1.0, -1.0]
    assert [call["measured"] for call in calls] == [1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    assert {tuple(call) for call in calls} == {("score", "measured", "reason", "answer")}
    reasons = [call["reason"] for call in calls[2:6]]
    assert reasons == ["no_declaration", "no_text", "missing_column:truth", "unread_gold"]


def test_the_truth_of_verl_may_hold_the_columns():
    """A dict, or the same as JSON text, gives the row's columns; braces alone are a text."""
    row = {"truth": "red", "action": "keep", "first_answer": "red"}
    for truth in (row, json.dumps(row)):
        assert verl_call(ground_truth=truth, rule="action_match")["score"] == 1.0
    assert verl_call(ground_truth="{red")["reason"] == "unread_gold"


def test_what_an_unread_completion_gets_in_verl_has_to_be_stated():
    """There is no default, and rewards of a group are refused."""
    for wrong in (None, "0", True, math.nan):
        with pytest.raises(UsageError, match="unread_score"):
            verl_call(unread_score=wrong)
    for rule in ("serum", "twin_match", "nothing"):
        with pytest.raises(UsageError, match="one trajectory"):
            verl_call(rule=rule)


def test_the_signature_of_verl_is_the_recorded_one():
    """C188: keywords only, so that no order of arguments can be wrong."""
    parameters = inspect.signature(verl.compute_score).parameters
    assert list(parameters)[:4] == ["data_source", "solution_str", "ground_truth", "extra_info"]
    kinds = {each.kind for each in parameters.values()}
    assert kinds == {inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.VAR_KEYWORD}
    with pytest.raises(TypeError):
        verl.compute_score("s", RED, "red", {})  # type: ignore[misc]


def rubric_call(function: Any, completion: Any, answer: Any, info: Any) -> float:
    """The recorded call for one rollout: everything the rubric has, by keyword."""
    return float(
        function(
            prompt=[{"role": "user", "content": "?"}],
            completion=completion,
            answer=answer,
            state={"trajectory": []},
            info=info,
            task=None,
            parser=object(),
        )
    )


def test_a_rubric_function_pays_one_rollout():
    """C172: the text of the message list is found; what is unread is what was stated."""
    function = rubric_function(TruthMatch(), unread=-1.0)
    info = {"answer_form": "choice", "options": ["red", "green"]}
    said = [{"role": "assistant", "content": "ANSWER: B"}]
    assert function.__name__ == "truth_match"
    assert rubric_call(function, said, "green", info) == 1.0
    assert rubric_call(function, said, "red", json.dumps(info)) == 0.0
    assert rubric_call(function, [{"role": "assistant", "content": LOST}], "red", info) == -1.0
    assert rubric_call(function, said, "", info) == -1.0


def test_a_group_function_is_told_apart_and_pays_the_group():
    """Plural names mark it; the rollouts of the call are the group."""
    function = group_rubric_function(Serum(), unread=-2.0)
    single = rubric_function(TruthMatch(), unread=0.0)
    plural = {"states", "prompts", "completions", "answers", "tasks", "infos"}
    assert plural & set(inspect.signature(function).parameters)
    assert not plural & set(inspect.signature(single).parameters)
    members = [(True, 90), (True, 70), (False, 40), (True, 60)]
    said = [json.dumps({"answer": a, "percentage": p}) for a, p in members]
    call = {"prompts": ["?"] * 4, "answers": [""] * 4, "states": [{}] * 4, "tasks": [None] * 4}
    paid = function(completions=said, infos=[{}] * 4, **call)
    assert paid == pytest.approx([0.092274, 0.178442, -0.405465, 0.134749], abs=1e-6)
    split = function(completions=said, infos=[{"group_size": 8}] * 4, **call)
    assert split == [-2.0] * 4


def test_errors_are_logged_because_the_rubric_counts_them_as_zero(
    caplog: pytest.LogCaptureFixture,
):
    """The rubric swallows exceptions, so they are written down before."""
    function = rubric_function(TruthMatch(), unread=0.0)
    for completion, info in ((7, {}), (RED, "no json")):
        with (
            caplog.at_level(logging.ERROR, logger="unswayed.rewards"),
            pytest.raises(UsageError),
        ):
            rubric_call(function, completion, "red", info)
    assert caplog.text.count("will count this error as 0") == 2
    with pytest.raises(UsageError, match="finite"):
        rubric_function(TruthMatch(), unread=math.nan)


def test_the_adapters_import_no_framework():
    """In a fresh process, rewards and adapters load no framework and no numeric package."""
    heavy = "{'trl', 'verl', 'verifiers', 'torch', 'transformers', 'pandas', 'scipy', 'numpy'}"
    program = (
        "import sys, unswayed.rewards.trl, unswayed.rewards.verl, unswayed.rewards.verifiers;"
        f"print(sorted({heavy} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        encoding="utf-8",
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.skipif(importlib.util.find_spec("trl") is None, reason="TRL is not installed")
def test_the_installed_trl_calls_as_recorded():
    """The trainer's source still calls rewards by these keywords."""
    found = importlib.util.find_spec("trl.trainer.grpo_trainer")
    assert found is not None
    assert found.origin is not None
    source = Path(found.origin).read_text(encoding="utf-8")
    assert "prompts=prompts" in source
    assert "completions=completions" in source
    assert "completion_ids=" in source


@pytest.mark.skipif(importlib.util.find_spec("verl") is None, reason="verl is not installed")
def test_the_installed_verl_calls_as_recorded():
    """Its own default has the four keywords of the recorded call."""
    scores = importlib.import_module("verl.utils.reward_score")
    named = set(inspect.signature(scores.default_compute_score).parameters)
    assert {"data_source", "solution_str", "ground_truth", "extra_info"} <= named
