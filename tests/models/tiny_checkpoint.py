"""Writes a tiny random Llama as a transformers folder, for tests without weights."""

from __future__ import annotations

from pathlib import Path
from typing import Any

TEMPLATE = (
    "{% for m in messages %}{% if m['role'] == 'system' and not loop.first %}"
    "{{ raise_exception('system first') }}{% endif %}"
    "{{ m['role'] }}: {{ m['content'] }}<|end|>\n{% endfor %}"
    "{% if add_generation_prompt %}assistant: {% endif %}"
)


def write_checkpoint(folder: Path, **changes: Any) -> Path:
    """Write configuration, random weights and a byte-level tokenizer; return the folder."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    torch.manual_seed(0)
    tokens = ["<|end|>", *sorted(pre_tokenizers.ByteLevel.alphabet())]
    tokenizer = Tokenizer(
        models.BPE(vocab={token: number for number, token in enumerate(tokens)}, merges=[])
    )
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        eos_token="<|end|>",
        pad_token="<|end|>",
        chat_template=TEMPLATE,
    ).save_pretrained(folder)
    sizes = {
        "vocab_size": len(tokens),
        "hidden_size": 32,
        "intermediate_size": 64,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "max_position_embeddings": 2048,
        "initializer_range": 0.3,
        "eos_token_id": 0,
        "bos_token_id": 0,
        "pad_token_id": 0,
    }
    LlamaForCausalLM(LlamaConfig(**{**sizes, **changes})).save_pretrained(folder)
    return folder
