"""The silent split of groups in TRL itself: two processes, two rows each, groups of four."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.skipif(find_spec("trl") is None, reason="TRL is not installed"),
    pytest.mark.heavy,
]

# Each line in one write: two processes share the output.
PROGRAM = """
import json
import os
import sys

from datasets import Dataset
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast
from trl import GRPOConfig, GRPOTrainer

from unswayed.errors import UsageError
from unswayed.rewards.trl import check_arguments, serum, serum_gathered

words = {"<pad>": 0, "<eos>": 1, "true": 2, "false": 3}
inner = Tokenizer(models.WordLevel(words, unk_token="<pad>"))
inner.pre_tokenizer = pre_tokenizers.Whitespace()
reader = PreTrainedTokenizerFast(tokenizer_object=inner, pad_token="<pad>", eos_token="<eos>")
sizes = {"hidden_size": 8, "intermediate_size": 8, "num_hidden_layers": 1}
heads = {"num_attention_heads": 1, "num_key_value_heads": 1, "max_position_embeddings": 64}
marks = {"vocab_size": 4, "pad_token_id": 0, "eos_token_id": 1}
model = LlamaForCausalLM(LlamaConfig(**marks, **sizes, **heads))
arguments = GRPOConfig(
    output_dir=sys.argv[1], num_generations=4, per_device_train_batch_size=2,
    gradient_accumulation_steps=1, max_completion_length=4, max_steps=1, use_cpu=True,
    ddp_backend="gloo", bf16=False, report_to="none", save_strategy="no",
)
try:
    check_arguments(arguments)
except UsageError as error:
    os.write(1, ("REFUSED " + str(error).splitlines()[0] + "\\n").encode())
check_arguments(arguments, gathered=True)
rows = [{"prompt": "true", "group_id": f"g{n}", "group_size": 4} for n in range(8)]
for name, reward in (("REASONS", serum), ("GATHERED", serum_gathered)):
    GRPOTrainer(
        model=model, reward_funcs=reward, args=arguments, train_dataset=Dataset.from_list(rows),
        processing_class=reader,
    ).train()
    told = name + " " + json.dumps(reward.tally.summary()["none_by_reason"])
    os.write(1, (told + "\\n").encode())
"""


def test_half_groups_are_refused_before_and_seen_during_the_run(tmp_path: Path):
    """The check names the rule; with the check ignored, every value is None with the count.

    Gathered over both processes the group is whole, and only its reports are lacking.
    """
    program = tmp_path / "split.py"
    program.write_text(PROGRAM, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "torch.distributed.run", "--nproc_per_node", "2", "--standalone",
         str(program), str(tmp_path / "out")],
        capture_output=True, text=True, env={**os.environ, "HF_HUB_OFFLINE": "1"}, cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.count("REFUSED A process would see parts of groups.") == 2
    assert done.stdout.count('REASONS {"incomplete_group:2/4": 2}') == 2
    assert done.stdout.count('GATHERED {"too_few_read:0/4": 4}') == 2
