"""The check in TRL itself: what is refused before, and what it finds where TRL is installed."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest

from unswayed.errors import GateError, MissingModelError, UsageError
from unswayed.training.build import Built
from unswayed.training.collating import Check, collator_check
from unswayed.training.export import export

INSTALLED = importlib.util.find_spec("trl") is not None
heavy = [
    pytest.mark.skipif(not INSTALLED, reason="TRL is not installed"),
    pytest.mark.heavy,
    pytest.mark.filterwarnings("ignore"),
]
TEMPLATE = (
    "{% for m in messages %}<|im_start|>{{ m['role'] }}\n"
    "{% if m['role'] == 'assistant' %}{% generation %}{{ m['content'] }}<|im_end|>"
    "{% endgeneration %}{% else %}{{ m['content'] }}<|im_end|>{% endif %}\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def test_other_shapes_and_folders_are_refused(tmp_path: Path):
    """Before anything is imported or written."""
    for form, folder in (("verl", tmp_path), ("trl", tmp_path / "nothing")):
        with pytest.raises(UsageError, match="cannot be checked in TRL"):
            collator_check("rl", form, folder)


@pytest.mark.skipif(INSTALLED, reason="TRL is installed")
def test_without_trl_there_is_one_line_of_help(tmp_path: Path):
    """The extra is named."""
    with pytest.raises(MissingModelError, match=r"unswayed\[trl\]"):
        collator_check("sft", "trl", tmp_path)


def test_nothing_is_written_where_the_check_refuses(built: Built, tmp_path: Path):
    """The folder is absent, and the check saw the files."""

    def refuse(folder: Path) -> None:
        assert json.loads((folder / "train.jsonl").read_text("utf-8").splitlines()[0])
        raise GateError("no", allowed="", given="", next_step="")

    with pytest.raises(GateError):
        export(
            built, tmp_path / "set", kind="sft", form="trl", check=Check(said="refused", run=refuse)
        )
    assert not list(tmp_path.iterdir())


@pytest.fixture(scope="module")
def tokenizer(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Save a small tokenizer of bytes with a template that marks what is trained."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    inner = Tokenizer(models.BPE())
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    inner.decoder = decoders.ByteLevel()
    special = ["<pad>", "<|im_start|>", "<|im_end|>"]
    inner.train_from_iterator(
        [row.completion for row in built.rows],
        trainers.BpeTrainer(
            vocab_size=600,
            special_tokens=special,
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        ),
    )
    made = PreTrainedTokenizerFast(
        tokenizer_object=inner,
        pad_token="<pad>",
        eos_token="<|im_end|>",
        chat_template=TEMPLATE,
    )
    folder = tmp_path_factory.mktemp("tokenizer")
    made.save_pretrained(folder)
    return folder


def written(built: Built, to: Path, kind: str, form: str, tokenizer: Path, **more: Any) -> Path:
    """Write a set that is checked."""
    check = collator_check(kind, form, tokenizer, **more)
    export(built, to, kind=kind, form=form, check=Check(said="checked", run=check))
    assert "Checked." in (to / "card.md").read_text("utf-8")
    return to


SHAPES = [("sft", "trl"), ("sft", "chat"), ("preference", "trl"), ("kto", "trl"), ("rl", "trl")]


class TestInTrl:
    """With TRL's own collators."""

    pytestmark = heavy

    @pytest.mark.parametrize(("kind", "form"), SHAPES)
    def test_our_rows_pass(
        self, built: Built, tokenizer: Path, tmp_path: Path, kind: str, form: str
    ):
        """Every shape for TRL, whole."""
        assert (written(built, tmp_path / "set", kind, form, tokenizer) / "card.md").exists()

    @pytest.mark.parametrize(("kind", "form"), SHAPES)
    def test_rows_that_would_be_cut_are_named(
        self, built: Built, tokenizer: Path, tmp_path: Path, kind: str, form: str
    ):
        """With their number and length, and nothing is written."""
        with pytest.raises(GateError, match="tokens"):
            written(built, tmp_path / "set", kind, form, tokenizer, longest=20)
        assert not list(tmp_path.iterdir())

    def test_a_folder_without_a_readable_tokenizer_is_an_error(self, built: Built, tmp_path: Path):
        """Its reason is named, and nothing is written."""
        folder = tmp_path / "broken"
        folder.mkdir()
        (folder / "tokenizer.json").write_text("{}", encoding="utf-8")
        with pytest.raises(UsageError, match="tokenizer cannot be read"):
            written(built, tmp_path / "set", "sft", "trl", folder)
        assert list(tmp_path.iterdir()) == [folder]

    def test_a_template_without_marks_fails_for_chats(
        self, built: Built, tokenizer: Path, tmp_path: Path
    ):
        """Instead of training on nothing, or on everything."""
        from transformers import AutoTokenizer

        plain = AutoTokenizer.from_pretrained(str(tokenizer))
        plain.chat_template = (
            TEMPLATE.replace("{% generation %}", "")
            .replace("{% endgeneration %}", "")
            .replace("\n{% endfor", " {% endfor")
        )
        plain.save_pretrained(tmp_path / "plain")
        with pytest.raises(GateError, match="TRL would not train"):
            written(built, tmp_path / "set", "sft", "chat", tmp_path / "plain")
        assert not (tmp_path / "set").exists()
