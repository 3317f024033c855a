"""Chat format: the template's turns, single digits, and texts that are refused."""

from __future__ import annotations

import pytest
from tiny_weights import CONTROL, TOKENS, write_tiny

from unswayed.errors import ModelError
from unswayed.models.chat import SYSTEM, ChatFormat, check_template
from unswayed.models.gguf import read_gguf


@pytest.fixture(scope="module")
def gguf(tmp_path_factory):
    """The tiny model's file."""
    return read_gguf(write_tiny(tmp_path_factory.mktemp("tiny") / "tiny.gguf"))


@pytest.fixture(scope="module")
def chat(gguf) -> ChatFormat:
    """The tiny model's chat format."""
    return ChatFormat(gguf)


def spell(ids) -> str:
    """Join token texts, spaces and newlines as people write them."""
    return "".join(TOKENS[i] for i in ids).replace("Ġ", " ").replace("Ċ", "\n")


def test_a_conversation_without_system_gets_the_default_one(chat):
    """The template's default system message comes first; the assistant's turn is opened."""
    assert spell(chat.encode_chat([("user", "Is it?"), ("assistant", "No.")])) == (
        f"<|im_start|>system\n{SYSTEM}<|im_end|>\n<|im_start|>user\nIs it?<|im_end|>\n"
        "<|im_start|>assistant\nNo.<|im_end|>\n<|im_start|>assistant\n"
    )


def test_a_given_system_message_replaces_the_default(chat):
    """A conversation's own system message stands alone."""
    text = spell(chat.encode_chat([("system", "Be brief."), ("user", "Hm")], False))
    assert text == "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nHm<|im_end|>\n"


def test_digits_stand_alone_and_merges_apply(chat):
    """The merge of 1 and 2 never happens, that of a, n does."""
    assert [TOKENS[i] for i in chat.encode_option("an 12 the")] == ["an", "Ġ", "1", "2", "Ġthe"]


@pytest.mark.parametrize("text", ["naïve 東京 😀", " leading", "a\n\nb", "x  y "])
def test_text_survives_the_round_trip(chat, text):
    """Bytes outside the merges are kept exactly."""
    assert chat.decode(chat.encode_option(text)) == text


def test_control_tokens_are_left_out_of_decoded_text(chat):
    """An end of turn is not text."""
    assert chat.decode([*chat.encode_option("ab"), chat.end]) == "ab"


@pytest.mark.parametrize("token", CONTROL)
def test_a_text_cannot_open_or_end_a_turn(chat, token):
    """Control tokens inside content or options are refused."""
    with pytest.raises(ModelError, match="control tokens"):
        chat.encode_chat([("user", f"a{token}b")])
    with pytest.raises(ModelError, match="control tokens"):
        chat.encode_option(token)


def test_unusable_conversations_and_options_are_refused(chat):
    """No turns, unknown roles and empty options raise."""
    with pytest.raises(ModelError, match="at least one turn"):
        chat.encode_chat([])
    with pytest.raises(ModelError, match="tool"):
        chat.encode_chat([("tool", "x")])
    with pytest.raises(ModelError, match="empty option"):
        chat.encode_option("")


def test_another_template_or_tokenizer_is_refused(gguf, tmp_path):
    """Weights with another format are not read with this one."""
    with pytest.raises(ModelError, match="chat format"):
        check_template(gguf)
    other = write_tiny(tmp_path / "m.gguf", tokenizer__ggml__pre="llama-bpe")
    with pytest.raises(ModelError, match="llama-bpe"):
        ChatFormat(read_gguf(other))
