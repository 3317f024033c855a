"""The written files in TRL's own trainers: every row through the collator, then two steps."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from unswayed.training.build import Built, build, toned
from unswayed.training.export import export
from unswayed.training.material import training_items

pytest.importorskip("trl", reason="TRL is not installed; the files are checked by their columns")
pytestmark = [pytest.mark.heavy, pytest.mark.filterwarnings("ignore")]

SPECIAL = ["<pad>", "<|im_start|>", "<|im_end|>"]
TEMPLATE = (
    "{% for m in messages %}<|im_start|>{{ m['role'] }}\n"
    "{% if m['role'] == 'assistant' %}{% generation %}{{ m['content'] }}<|im_end|>"
    "{% endgeneration %}{% else %}{{ m['content'] }}<|im_end|>{% endif %}\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
LONGEST = 1024


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is fetched."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")


@pytest.fixture(scope="module")
def tokenizer(built: Built) -> Any:
    """Return a small tokenizer, trained on the set, whose chat template marks what is trained."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    inner = Tokenizer(models.BPE())
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    inner.decoder = decoders.ByteLevel()
    texts = [text for row in built.rows for text in (row.completion, row.messages[0].content)]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    inner.train_from_iterator(
        texts,
        trainers.BpeTrainer(vocab_size=800, special_tokens=SPECIAL, initial_alphabet=alphabet),
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=inner,
        pad_token="<pad>",
        eos_token="<|im_end|>",
        chat_template=TEMPLATE,
    )


def tiny(tokenizer: Any) -> Any:
    """Return a model of one layer with random weights."""
    from transformers import LlamaConfig, LlamaForCausalLM

    return LlamaForCausalLM(
        LlamaConfig(
            vocab_size=len(tokenizer), hidden_size=32, intermediate_size=64, num_hidden_layers=1,
            num_attention_heads=2, num_key_value_heads=2, max_position_embeddings=LONGEST,
            pad_token_id=tokenizer.pad_token_id, eos_token_id=tokenizer.eos_token_id,
        )
    )  # fmt: skip


def read(built: Built, folder: Path, kind: str, form: str = "trl") -> Any:
    """Write a set and load its training split as a user would."""
    from datasets import load_dataset

    export(built, folder / "set", kind=kind, form=form)
    file = str(folder / "set" / "train.jsonl")
    return load_dataset("json", data_files=file, split="train", cache_dir=str(folder / "cache"))


def usual(folder: Path) -> dict[str, Any]:
    """Return the arguments of two steps on the processor."""
    return {
        "output_dir": str(folder / "out"), "max_steps": 2, "per_device_train_batch_size": 4,
        "use_cpu": True, "bf16": False, "report_to": "none", "save_strategy": "no",
    }  # fmt: skip


@pytest.mark.parametrize("form", ["trl", "chat"])
def test_sft(built: Built, tokenizer: Any, tmp_path: Path, form: str):
    """Every row has trained tokens: the completion's and no more; none is cut."""
    from trl import SFTConfig, SFTTrainer

    data = read(built, tmp_path, "sft", form)
    more = {"assistant_only_loss": True} if form == "chat" else {}
    trainer = SFTTrainer(
        model=tiny(tokenizer),
        args=SFTConfig(max_length=LONGEST, **usual(tmp_path), **more),
        train_dataset=data,
        processing_class=tokenizer,
    )
    rows = [row for row in built.rows if row.split == "train"]
    assert len(trainer.train_dataset) == len(rows)
    said = 0
    for index, row in enumerate(rows):
        labels = trainer.data_collator([trainer.train_dataset[index]])["labels"][0]
        text = tokenizer.decode(labels[labels != -100]).strip()
        # TRL does not read weights: in a chat it trains on planted first answers as well.
        said += text.startswith(row.completion)
        assert row.completion in text
        assert len(labels) < LONGEST
    assert said == len(rows) or form == "chat"
    trainer.train()


def test_preference(built: Built, tokenizer: Any, tmp_path: Path):
    """Chosen and rejected share a prompt and differ in every row."""
    from trl import DPOConfig, DPOTrainer

    trainer = DPOTrainer(
        model=tiny(tokenizer),
        ref_model=tiny(tokenizer),
        args=DPOConfig(max_length=LONGEST, **usual(tmp_path)),
        train_dataset=read(built, tmp_path, "preference"),
        processing_class=tokenizer,
    )
    assert len(trainer.train_dataset) == sum(row.split == "train" for row in built.rows)
    for row in trainer.train_dataset:
        assert row["chosen_ids"] != row["rejected_ids"]
        assert len(row["prompt_ids"]) + len(row["chosen_ids"]) < LONGEST
    trainer.train()


def test_votes_as_pairs_with_both_terms(tokenizer: Any, tmp_path: Path):
    """Advice pairs keep their columns and train by DPO with half a term of SFT on chosen."""
    from trl import DPOConfig, DPOTrainer

    items = training_items(100, seed=2, kinds=("conflict",))
    advised = build(items, ("assertion",), seed=2)
    data = read(advised, tmp_path, "preference")
    votes = {"item", "epoch", "veto_by", "stance_chosen", "stance_rejected"}
    assert set(data.column_names) == {"prompt", "chosen", "rejected"} | votes
    assert set(data["stance_chosen"]) == {"endorse", "challenge"}
    trainer = DPOTrainer(
        model=tiny(tokenizer),
        ref_model=tiny(tokenizer),
        args=DPOConfig(
            max_length=LONGEST, loss_type=["sigmoid", "sft"], loss_weights=[1.0, 0.5], beta=0.1,
            logging_steps=1, **usual(tmp_path),
        ),
        train_dataset=data,
        processing_class=tokenizer,
    )  # fmt: skip
    assert len(trainer.train_dataset) == sum(row.split == "train" for row in advised.rows)
    trainer.train()
    losses = [entry["loss"] for entry in trainer.state.log_history if "loss" in entry]
    assert len(losses) == 2
    # A fresh pair of equal models gives ln 2; what is above it is half of the second term.
    assert all(loss > 0.7 for loss in losses)


def test_reward_model_takes_both_kinds_of_pairs(built: Built, tokenizer: Any, tmp_path: Path):
    """Pairs of tone and of advice go through the trainer of reward models."""
    from transformers import LlamaConfig, LlamaForSequenceClassification
    from trl import RewardConfig, RewardTrainer

    judge = LlamaForSequenceClassification(
        LlamaConfig(
            vocab_size=len(tokenizer), hidden_size=32, intermediate_size=64, num_hidden_layers=1,
            num_attention_heads=2, num_key_value_heads=2, max_position_embeddings=LONGEST,
            pad_token_id=tokenizer.pad_token_id, eos_token_id=tokenizer.eos_token_id, num_labels=1,
        )
    )  # fmt: skip
    conflicts = build(training_items(100, seed=2, kinds=("conflict",)), (), seed=2)
    both = msgspec.structs.replace(conflicts, rows=(*toned(built, 0.15).rows, *conflicts.rows))
    data = read(both, tmp_path, "preference")
    trainer = RewardTrainer(
        model=judge,
        args=RewardConfig(max_length=LONGEST, **usual(tmp_path)),
        train_dataset=data,
        processing_class=tokenizer,
    )
    assert len(trainer.train_dataset) == len(data)
    trainer.train()


def test_kto(built: Built, tokenizer: Any, tmp_path: Path):
    """Both labels arrive."""
    from trl import KTOConfig, KTOTrainer

    trainer = KTOTrainer(
        model=tiny(tokenizer),
        ref_model=tiny(tokenizer),
        args=KTOConfig(max_length=LONGEST, **usual(tmp_path)),
        train_dataset=read(built, tmp_path, "kto"),
        processing_class=tokenizer,
    )
    assert set(trainer.train_dataset["label"]) == {True, False}
    trainer.train()


def test_rl(built: Built, tokenizer: Any, tmp_path: Path):
    """The reward function gets every column, one value for each completion."""
    from trl import GRPOConfig, GRPOTrainer

    by_id = {row.id: row for row in built.rows}
    seen = []

    def reward(completions: list[Any], **columns: Any) -> list[float]:
        for group, truth, meta in zip(
            columns["group_id"], columns["truth"], columns["meta_json"], strict=True
        ):
            assert by_id[group].answer == truth
            assert json.loads(meta)["family"] == by_id[group].family
        seen.append(len(completions))
        return [float(len(said[0]["content"])) for said in completions]

    trainer = GRPOTrainer(
        model=tiny(tokenizer),
        reward_funcs=reward,
        args=GRPOConfig(max_completion_length=8, num_generations=4, **usual(tmp_path)),
        train_dataset=read(built, tmp_path, "rl"),
        processing_class=tokenizer,
    )
    trainer.train()
    assert seen
    assert all(count % 4 == 0 for count in seen)


def test_rewards_of_ours_pay_inside_grpo(built: Built, tokenizer: Any, tmp_path: Path):
    """A reward by its path and a mixture run in the trainer and write into its logs."""
    from trl import GRPOConfig, GRPOTrainer

    from unswayed.rewards import FormatMatch, Mixture, Penalties, Term, TruthMatch
    from unswayed.rewards.trl import TrainerReward, check_arguments, truth_match

    paid: list[list[float | None]] = []

    class Noted(TrainerReward):
        """A reward that keeps what it paid."""

        def __call__(self, completions: object, **columns: object) -> list[float | None]:
            paid.append(super().__call__(completions, **columns))
            return paid[-1]

    zero = Penalties(declined=0.0, missing=0.0)
    mixture = Mixture(
        terms=(
            Term(rule=TruthMatch(penalties=zero), weight=1.0, kind="primary"),
            Term(rule=FormatMatch(), weight=0.1, kind="other"),
        )
    )
    trainer = GRPOTrainer(
        model=tiny(tokenizer),
        reward_funcs=[truth_match, Noted(mixture)],
        args=GRPOConfig(max_completion_length=8, num_generations=4, **usual(tmp_path)),
        train_dataset=read(built, tmp_path, "rl"),
        processing_class=tokenizer,
    )
    check_arguments(trainer.args)
    trainer.train()
    assert paid
    assert all(value is not None for values in paid for value in values)
    logged = {name for entry in trainer.state.log_history for name in entry}
    assert "unswayed/truth_match/none_share" in logged
