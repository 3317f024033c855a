"""The embedded model's chat format: conversations to token ids, and back to text."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, Final

from unswayed.errors import ModelError
from unswayed.models.gguf import Gguf
from unswayed.models.llama import missing_package

Conversation = Sequence[tuple[str, str]]

SYSTEM: Final = "You are a helpful AI assistant named SmolLM, trained by Hugging Face"
"""The system message that the model's own template adds when a conversation has none."""
TEMPLATE_SHA256: Final = "872be49dbb638044ad01b60388f48d469ff2980e5f0dccdc22ec907db54d0788"
"""Digest of the chat template that `ChatFormat` follows."""
ROLES: Final = ("system", "user", "assistant")
_CONTROL: Final = 3
"""Number of control tokens in the format's table of token types."""


class ChatFormat:
    """Tokenizer and turn markers of one model.

    Attributes:
        end: Token id that ends a turn.
    """

    def __init__(self, gguf: Gguf) -> None:
        self.end = int(gguf.read("tokenizer.ggml.eos_token_id"))
        self._control = _control_tokens(gguf)
        self._tokenizer = build_tokenizer(gguf)

    def encode_chat(
        self, conversation: Conversation, add_generation_prompt: bool = True
    ) -> list[int]:
        """Return the token ids of a conversation.

        As in the model's template, a conversation that does not begin with a system message
        gets the default one.

        Args:
            conversation: (role, content) pairs, oldest first.
            add_generation_prompt: Whether the assistant's next turn is opened at the end.
        """
        turns = list(conversation)
        self._check(turns)
        if turns[0][0] != "system":
            turns.insert(0, ("system", SYSTEM))
        text = "".join(f"<|im_start|>{role}\n{content}<|im_end|>\n" for role, content in turns)
        if add_generation_prompt:
            text += "<|im_start|>assistant\n"
        ids: list[int] = self._tokenizer.encode(text, add_special_tokens=False).ids
        return ids

    def encode_option(self, text: str) -> list[int]:
        """Return the token ids of plain text; empty text and control tokens are refused."""
        self._check_text(text)
        ids: list[int] = self._tokenizer.encode(text, add_special_tokens=False).ids
        if not ids:
            raise ModelError(
                "an empty option has no probability",
                allowed="options with at least one token",
                given=repr(text),
                next_step="remove the option or give it a text",
            )
        return ids

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of token ids, control tokens left out."""
        text: str = self._tokenizer.decode(list(ids))
        return text

    def _check(self, turns: Sequence[tuple[str, str]]) -> None:
        if not turns or any(role not in ROLES for role, _ in turns):
            raise ModelError(
                "the conversation cannot be put into chat format",
                allowed=f"at least one turn, roles {', '.join(ROLES)}",
                given=f"roles {[role for role, _ in turns]}",
                next_step="give every turn one of these roles",
            )
        for _, content in turns:
            self._check_text(content)

    def _check_text(self, text: str) -> None:
        for token in self._control:
            if token in text:
                raise ModelError(
                    "the text holds one of the model's control tokens",
                    allowed="text that cannot end or open a turn",
                    given=f"{token!r} in {text[:80]!r}",
                    next_step="rewrite the item without it",
                )


def check_template(gguf: Gguf) -> None:
    """Refuse weights whose chat template is not the one that `ChatFormat` follows."""
    template = gguf.read("tokenizer.chat_template")
    found = hashlib.sha256(template.encode("utf-8")).hexdigest()
    if found != TEMPLATE_SHA256:
        raise ModelError(
            "the weights bring another chat format",
            allowed=f"SmolLM2-135M-Instruct, chat template sha256 {TEMPLATE_SHA256}",
            given=f"sha256 {found} in {gguf.path}",
            next_step="use the published weights: unswayed model fetch",
        )


def build_tokenizer(gguf: Gguf) -> Any:  # noqa: ANN401
    """Build the model's tokenizer from the vocabulary and merges in a GGUF file.

    The file names its pre-tokenizer (smollm) without spelling it out: every digit alone, then
    byte-level splitting without a leading space.
    """
    try:
        from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
    except ImportError as error:
        raise missing_package("tokenizers") from error
    kind = (gguf.read("tokenizer.ggml.model"), gguf.read("tokenizer.ggml.pre"))
    if kind != ("gpt2", "smollm"):
        raise ModelError(
            "the embedded runtime does not know this tokenizer",
            allowed="byte-level BPE (gpt2) with the pre-tokenizer smollm",
            given=f"{kind} in {gguf.path}",
            next_step="use the SmolLM2 weights: unswayed model fetch",
        )
    vocabulary = {text: number for number, text in enumerate(gguf.read("tokenizer.ggml.tokens"))}
    merges = [tuple(merge.split(" ", 1)) for merge in gguf.read("tokenizer.ggml.merges")]
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=merges))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Digits(individual_digits=True),
            pre_tokenizers.ByteLevel(add_prefix_space=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens(
        [AddedToken(text, special=True, normalized=False) for text in _control_tokens(gguf)]
    )
    return tokenizer


def _control_tokens(gguf: Gguf) -> list[str]:
    """Tokens of type 3 (control) in the format's vocabulary table."""
    texts, kinds = gguf.read("tokenizer.ggml.tokens"), gguf.read("tokenizer.ggml.token_type")
    return [text for text, kind in zip(texts, kinds, strict=True) if kind == _CONTROL]
