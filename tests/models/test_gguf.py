"""GGUF files: metadata, dequantized tensors, and files that are refused."""

from __future__ import annotations

import struct

import numpy as np
import pytest
from tiny_weights import write_gguf, write_tiny

from unswayed.errors import ModelError
from unswayed.models.gguf import read_gguf


def half(value: float) -> bytes:
    """A half-precision number."""
    return np.float16(value).tobytes()


def write_one(path, kind, shape, raw):
    """Write a file of one tensor `t`."""
    return write_gguf(path, {"general.name": "one"}, {"t": (shape, kind, raw)})


def test_metadata_of_every_used_type_is_read(tmp_path):
    """Texts, integers, floats, truth values and lists come back as written."""
    pairs = {"a": "Ünï", "b": 7, "c": 0.5, "d": True, "e": ["x", ""], "f": [1, -2]}
    gguf = read_gguf(write_gguf(tmp_path / "m.gguf", pairs, {}))
    assert gguf.metadata == pairs


@pytest.mark.parametrize("alignment", [32, 64])
def test_float_tensors_keep_values_and_shape(tmp_path, alignment):
    """The first axis written last is the first axis of the array, at any alignment."""
    one = np.arange(6, dtype="<f4").reshape(2, 3)
    two = np.array([0.5, -2.0], "<f2")
    tensors = {"one": (one.shape, 0, one.tobytes()), "two": (two.shape, 1, two.tobytes())}
    pairs = {"general.alignment": alignment}
    gguf = read_gguf(write_gguf(tmp_path / "m.gguf", pairs, tensors, alignment))
    np.testing.assert_array_equal(gguf.tensor("one"), one)
    np.testing.assert_array_equal(gguf.tensor("two"), np.float32([0.5, -2.0]))
    assert gguf.tensor("two").dtype == np.float32


def test_q8_0_is_scale_times_integer(tmp_path):
    """A block of eight-bit values is its scale times each signed integer."""
    integers = np.arange(-16, 16, dtype=np.int8)
    path = write_one(tmp_path / "m.gguf", 8, (1, 32), half(0.25) + integers.tobytes())
    np.testing.assert_array_equal(read_gguf(path).tensor("t"), integers[None] * np.float32(0.25))


@pytest.mark.parametrize(
    ("kind", "head", "expected"),
    [(2, half(0.5), lambda q: 0.5 * (q - 8)), (3, half(0.5) + half(-3), lambda q: 0.5 * q - 3)],
    ids=["Q4_0", "Q4_1"],
)
def test_four_bit_blocks_hold_low_nibbles_first(tmp_path, kind, head, expected):
    """Values 0-15 are the low nibbles and values 16-31 the high ones."""
    low, high = np.arange(16), np.arange(16)[::-1]
    packed = (low | high << 4).astype(np.uint8).tobytes()
    path = write_one(tmp_path / "m.gguf", kind, (2, 32), (head + packed) * 2)
    values = expected(np.concatenate([low, high]))
    np.testing.assert_array_equal(read_gguf(path).tensor("t"), np.float32([values, values]))


def test_an_unread_tensor_type_is_named(tmp_path):
    """A type that is not decoded raises with the types that are."""
    gguf = read_gguf(write_one(tmp_path / "m.gguf", 12, (1, 256), b"\0" * 144))
    with pytest.raises(ModelError, match=r"(?s)Q8_0.*type number 12"):
        gguf.tensor("t")


def read_all(path):
    """Open a file and dequantize every tensor."""
    gguf = read_gguf(path)
    return [gguf.tensor(name) for name in gguf.entries]


@pytest.mark.parametrize("kept", [0, 3, 20, 100, 2_000, -40])
def test_a_truncated_file_is_refused(tmp_path, kept):
    """Wherever the file ends early, the error names the file and the remedy."""
    path = write_tiny(tmp_path / "m.gguf")
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(ModelError, match=r"(?s)m\.gguf.*unswayed model fetch"):
        read_all(path)


def test_another_format_and_another_version_are_refused(tmp_path):
    """A wrong magic and a future version are told apart."""
    path = tmp_path / "m.gguf"
    path.write_bytes(b"PK\3\4" + bytes(60))
    with pytest.raises(ModelError, match="magic"):
        read_gguf(path)
    path.write_bytes(struct.pack("<4sIQQ", b"GGUF", 9, 0, 0))
    with pytest.raises(ModelError, match="version 9"):
        read_gguf(path)


def test_missing_keys_and_tensors_are_errors(tmp_path):
    """Nothing that is not in the file reads as a value."""
    gguf = read_gguf(write_one(tmp_path / "m.gguf", 0, (1,), bytes(4)))
    with pytest.raises(ModelError, match="llama.block_count"):
        gguf.read("llama.block_count")
    with pytest.raises(ModelError, match="no tensor 'u'"):
        gguf.tensor("u")
