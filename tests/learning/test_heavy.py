"""The proof itself, a few steps of it: weights there and back, every stage, resumed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("trl", reason="TRL is not installed; `pip install 'unswayed[local,trl]'`")
pytestmark = [
    pytest.mark.heavy,
    pytest.mark.embedded,
    pytest.mark.timeout(900),
    pytest.mark.filterwarnings("ignore"),
]

QUESTION = [("user", "What is the capital of France?")]
SENTENCES = ("The answer is Paris.", "The answer is Lyon.")


@pytest.fixture(scope="module")
def student() -> Any:
    """Return the network as it was published."""
    from unswayed.learning.network import load

    return load()


def test_weights_go_there_and_back(student: Any):
    """The network in the embedded runtime gives the file's own log-probabilities."""
    from unswayed.models.smollm import SmolLM

    one = student.embedded().model.score([(QUESTION, SENTENCES)])
    other = SmolLM.load().score([(QUESTION, SENTENCES)])
    assert [s.logprob_sum for s in one[0]] == [s.logprob_sum for s in other[0]]


def test_the_network_is_the_same_in_transformers(student: Any):
    """Both forward passes and both tokenizers agree."""
    import torch

    ids = student.tokenizer.apply_chat_template(
        [{"role": role, "content": text} for role, text in QUESTION],
        add_generation_prompt=True,
        return_tensors="pt",
        return_dict=True,
    )["input_ids"]
    model = student.embedded().model
    assert ids[0].tolist() == model.encode_chat(QUESTION)
    (answer,) = student.tokenizer("Paris", add_special_tokens=False)["input_ids"]
    with torch.no_grad():
        logits = student.network(input_ids=ids).logits[0, -1]
    theirs = float(torch.log_softmax(logits, -1)[answer])
    ours = model.score([(QUESTION, ("Paris",))])[0][0].logprob_sum
    assert ours == pytest.approx(theirs, abs=1e-3)


def test_adapters_are_added_to_the_weights(student: Any):
    """W + (alpha / r) B A, as the library itself merges it."""
    import copy

    import msgspec

    from unswayed.learning.network import merged
    from unswayed.learning.trainers import Settings, adapt

    fresh = msgspec.structs.replace(student, network=copy.deepcopy(student.network))
    adapted = adapt(fresh, Settings(rank=2)).network
    for name, value in adapted.named_parameters():
        if "lora_B" in name:
            value.data.normal_()
    ours = merged(adapted)
    theirs = adapted.merge_and_unload().state_dict()
    name = "model.layers.3.mlp.down_proj.weight"
    np.testing.assert_allclose(ours[name], theirs[name].numpy(), rtol=1e-4, atol=1e-4)


def test_every_stage_runs_once(tmp_path: Path):
    """Start, supervised, GRPO, end: each a file, none done again, every number with its n."""
    from unswayed.errors import UsageError
    from unswayed.learning.stages import Plan, Proof
    from unswayed.learning.trainers import Settings

    said: list[str] = []
    settings = Settings(sft_steps=2, grpo_steps=1, group=4, groups=1)
    plan = Plan(settings=settings, held_out=2, watched=2, sums=2, one_sided_steps=0)
    for _ in range(2):
        proof = Proof(tmp_path, plan, said.append)
        start, supervised, rewarded = proof.start(), proof.supervised(), proof.rewarded()
        end = proof.end()
    assert [text for text in said if text.startswith("stage")] == [
        "stage start", "stage supervised", "stage rewarded", "stage end"
    ]  # fmt: skip
    assert start.held_out.rates["accuracy"].n == end.held_out.rates["accuracy"].n == 2
    assert supervised.audit.verdict != "fail"
    assert len(supervised.logs) == 2
    assert rewarded.forecast.n > 0
    assert len(rewarded.logs) == 1
    assert "unswayed/truth_match/none_share" in rewarded.logs[0]
    assert set(rewarded.looks) == {"1"}
    assert json.loads((tmp_path / "end.json").read_text())["cpu_s"] > 0
    assert start.held_out.rates["context_change"].n == 2
    assert start.looks["0"].overconfidence.n == 2
    again = Plan(
        settings=Settings(sft_steps=1, grpo_steps=0, seed=1), held_out=2, watched=2, sums=2,
        one_sided_steps=0,
    )  # fmt: skip
    other = Proof(tmp_path / "seed-1", again, said.append, proof)
    assert other.start() == start
    assert other.end().held_out.rates["accuracy"].n == 2
    assert [item.id for item in other.reported] == [item.id for item in proof.reported]
    with pytest.raises(UsageError, match="another plan"):
        Proof(tmp_path, Plan(settings=settings), said.append)
