"""Writes a tiny GGUF file in the embedded model's architecture, for tests without weights."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
from tokenizers import pre_tokenizers

LAYERS, WIDTH, HEADS, KV_HEADS, HIDDEN, CONTEXT = 2, 32, 4, 2, 64, 400
CONTROL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
MERGES = ["t h", "th e", "Ġ the", "a n", "1 2"]
TOKENS = [
    *CONTROL,
    *sorted(pre_tokenizers.ByteLevel.alphabet()),
    *[merge.replace(" ", "") for merge in MERGES],
]
TEMPLATE = "not the real template"


def pack_string(text: str) -> bytes:
    """A length and the bytes of a text."""
    raw = text.encode("utf-8")
    return struct.pack("<Q", len(raw)) + raw


def pack_value(value: object) -> bytes:
    """A type number and a value, as in the format's key-value pairs."""
    match value:
        case bool():
            return struct.pack("<I?", 7, value)
        case int():
            return struct.pack("<II", 4, value)
        case float():
            return struct.pack("<If", 6, value)
        case str():
            return struct.pack("<I", 8) + pack_string(value)
        case list() if isinstance(value[0], str):
            head = struct.pack("<IIQ", 9, 8, len(value))
            return head + b"".join(map(pack_string, value))
        case list():
            return struct.pack(f"<IIQ{len(value)}i", 9, 5, len(value), *value)
    raise TypeError(type(value))


def write_gguf(path: Path, pairs: dict, tensors: dict, alignment: int = 32) -> Path:
    """Write key-value pairs and tensors (shape in numpy order, type number, raw bytes)."""
    table, data = b"", b""
    for name, (shape, kind, raw) in tensors.items():
        data += b"\0" * (-len(data) % alignment)
        sizes = struct.pack(f"<I{len(shape)}Q", len(shape), *reversed(shape))
        table += pack_string(name) + sizes + struct.pack("<IQ", kind, len(data))
        data += raw
    head = struct.pack("<4sIQQ", b"GGUF", 3, len(tensors), len(pairs))
    head += b"".join(pack_string(key) + pack_value(value) for key, value in pairs.items())
    head += table
    path.write_bytes(head + b"\0" * (-len(head) % alignment) + data)
    return path


def tiny_pairs() -> dict:
    """Metadata of the tiny model."""
    return {
        "general.architecture": "llama",
        "llama.block_count": LAYERS,
        "llama.context_length": CONTEXT,
        "llama.embedding_length": WIDTH,
        "llama.feed_forward_length": HIDDEN,
        "llama.attention.head_count": HEADS,
        "llama.attention.head_count_kv": KV_HEADS,
        "llama.rope.freq_base": 1000.0,
        "llama.attention.layer_norm_rms_epsilon": 1e-5,
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": "smollm",
        "tokenizer.ggml.tokens": TOKENS,
        "tokenizer.ggml.token_type": [3] * len(CONTROL) + [1] * (len(TOKENS) - len(CONTROL)),
        "tokenizer.ggml.merges": MERGES,
        "tokenizer.ggml.eos_token_id": 2,
        "tokenizer.chat_template": TEMPLATE,
    }


def tiny_arrays(seed: int = 0) -> dict[str, np.ndarray]:
    """Random float32 weights of the tiny model by tensor name."""
    random = np.random.default_rng(seed)
    head = WIDTH // HEADS
    shapes = {"token_embd": (len(TOKENS), WIDTH), "output_norm": (WIDTH,)}
    for number in range(LAYERS):
        parts = {
            "attn_norm": (WIDTH,),
            "attn_q": (WIDTH, WIDTH),
            "attn_k": (KV_HEADS * head, WIDTH),
            "attn_v": (KV_HEADS * head, WIDTH),
            "attn_output": (WIDTH, WIDTH),
            "ffn_norm": (WIDTH,),
            "ffn_gate": (HIDDEN, WIDTH),
            "ffn_up": (HIDDEN, WIDTH),
            "ffn_down": (WIDTH, HIDDEN),
        }
        shapes |= {f"blk.{number}.{name}": shape for name, shape in parts.items()}
    return {
        f"{name}.weight": random.normal(0, 0.4, shape).astype("<f4")
        for name, shape in shapes.items()
    }


def write_tiny(path: Path, arrays: dict[str, np.ndarray] | None = None, **pairs: object) -> Path:
    """Write the tiny model as float32; keyword `a__b` replaces the metadata `a.b`."""
    changed = {key.replace("__", "."): value for key, value in pairs.items()}
    tensors = {
        name: (array.shape, 0, array.tobytes())
        for name, array in (tiny_arrays() if arrays is None else arrays).items()
    }
    return write_gguf(path, tiny_pairs() | changed, tensors)
