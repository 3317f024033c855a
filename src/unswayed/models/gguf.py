"""Reads GGUF files: metadata, and tensors dequantized to float32.

The format is little-endian: a magic, a version, counts, typed key-value pairs, a table of
tensors, then the tensor data at an aligned offset
(https://github.com/ggml-org/ggml/blob/master/docs/gguf.md).
"""

from __future__ import annotations

import math
import mmap
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from unswayed.errors import ModelError

Floats = NDArray[np.float32]

MAGIC: Final = b"GGUF"
VERSIONS: Final = (2, 3)
DEFAULT_ALIGNMENT: Final = 32
BLOCK: Final = 32
"""Values in one quantized block of every block format read here."""

_SCALARS: Final = {
    0: struct.Struct("<B"),
    1: struct.Struct("<b"),
    2: struct.Struct("<H"),
    3: struct.Struct("<h"),
    4: struct.Struct("<I"),
    5: struct.Struct("<i"),
    6: struct.Struct("<f"),
    7: struct.Struct("<?"),
    10: struct.Struct("<Q"),
    11: struct.Struct("<q"),
    12: struct.Struct("<d"),
}
_STRING: Final = 8
_ARRAY: Final = 9
_U32: Final = _SCALARS[4]
_U64: Final = _SCALARS[10]


class TensorEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One row of a GGUF file's tensor table."""

    shape: tuple[int, ...]
    """Shape in numpy order: the last axis is contiguous."""
    kind: int
    """Number of the tensor's storage type in the format."""
    offset: int
    """First byte, counted from the start of the file."""


class Gguf(msgspec.Struct, frozen=True, kw_only=True):
    """An opened GGUF file."""

    path: Path
    """Where the file is."""
    metadata: dict[str, Any]
    """The key-value pairs, arrays as lists."""
    entries: dict[str, TensorEntry]
    """The tensor table by tensor name."""
    data: mmap.mmap
    """The mapped file."""

    def read(self, key: str) -> Any:  # noqa: ANN401
        """Return one metadata value; a missing key is an error."""
        if key not in self.metadata:
            raise ModelError(
                f"the GGUF file has no metadata {key!r}",
                allowed="a llama-architecture GGUF file with its tokenizer",
                given=str(self.path),
                next_step="fetch the weights again: unswayed model fetch",
            )
        return self.metadata[key]

    def tensor(self, name: str) -> Floats:
        """Return one tensor as a fresh float32 array."""
        entry = self.entries.get(name)
        if entry is None:
            raise _damaged(self.path, f"it has no tensor {name!r}")
        form = FORMS.get(entry.kind)
        if form is None:
            raise ModelError(
                f"tensor {name!r} is stored in a type that is not read here",
                allowed=", ".join(form.name for form in FORMS.values()),
                given=f"type number {entry.kind} in {self.path}",
                next_step="use a GGUF file in one of these types",
            )
        count = math.prod(entry.shape)
        blocks, rest = divmod(count, form.values)
        if rest or entry.offset + blocks * form.layout.itemsize > len(self.data):
            raise _damaged(self.path, f"tensor {name!r} does not fit into the file")
        raw = np.frombuffer(self.data, dtype=form.layout, count=blocks, offset=entry.offset)
        values: Floats = form.decode(raw).reshape(entry.shape)
        return values


class Form(msgspec.Struct, frozen=True, kw_only=True):
    """A storage type of tensors."""

    name: str
    """Name of the type in the format's own words."""
    values: int
    """Values in one stored unit."""
    layout: np.dtype[Any]
    """One stored unit as a numpy type."""
    decode: Callable[[NDArray[Any]], Floats]
    """Turns stored units into float32 values."""


def _decode_float(raw: NDArray[Any]) -> Floats:
    return raw.astype(np.float32)


def _decode_q8_0(raw: NDArray[Any]) -> Floats:
    """Eight-bit blocks: value = scale * q."""
    values: Floats = raw["q"].astype(np.float32)
    values *= raw["scale"].astype(np.float32)[:, None]
    return values


def _decode_q4_0(raw: NDArray[Any]) -> Floats:
    """Four-bit blocks around 8: value = scale * (q - 8)."""
    scale = raw["scale"].astype(np.float32)
    return _spread_nibbles(raw["q"], scale, -8 * scale)


def _decode_q4_1(raw: NDArray[Any]) -> Floats:
    """Four-bit blocks with a minimum: value = scale * q + minimum."""
    return _spread_nibbles(
        raw["q"], raw["scale"].astype(np.float32), raw["minimum"].astype(np.float32)
    )


def _spread_nibbles(packed: NDArray[np.uint8], scale: Floats, shift: Floats) -> Floats:
    """Low nibbles are values 0 to 15 of a block, high nibbles are values 16 to 31."""
    values = np.empty((len(packed), BLOCK), np.float32)
    half = BLOCK // 2
    np.multiply(packed & 15, scale[:, None], out=values[:, :half])
    np.multiply(packed >> 4, scale[:, None], out=values[:, half:])
    values += shift[:, None]
    return values


FORMS: Final[dict[int, Form]] = {
    0: Form(name="F32", values=1, layout=np.dtype("<f4"), decode=_decode_float),
    1: Form(name="F16", values=1, layout=np.dtype("<f2"), decode=_decode_float),
    2: Form(
        name="Q4_0",
        values=BLOCK,
        layout=np.dtype([("scale", "<f2"), ("q", "u1", (16,))]),
        decode=_decode_q4_0,
    ),
    3: Form(
        name="Q4_1",
        values=BLOCK,
        layout=np.dtype([("scale", "<f2"), ("minimum", "<f2"), ("q", "u1", (16,))]),
        decode=_decode_q4_1,
    ),
    8: Form(
        name="Q8_0",
        values=BLOCK,
        layout=np.dtype([("scale", "<f2"), ("q", "i1", (32,))]),
        decode=_decode_q8_0,
    ),
}
"""Every storage type that is read, by its number in the format."""


class _Cursor:
    """Reads values one after another and remembers the place."""

    def __init__(self, data: mmap.mmap) -> None:
        self.data = data
        self.place = 0

    def take(self, form: struct.Struct) -> Any:  # noqa: ANN401
        value = form.unpack_from(self.data, self.place)[0]
        self.place += form.size
        return value

    def take_bytes(self, size: int) -> bytes:
        if self.place + size > len(self.data):
            raise struct.error("a length points past the end of the file")
        taken = self.data[self.place : self.place + size]
        self.place += size
        return taken

    def take_string(self) -> str:
        return self.take_bytes(self.take(_U64)).decode("utf-8")

    def take_value(self, kind: int) -> Any:  # noqa: ANN401
        if kind == _STRING:
            return self.take_string()
        if kind != _ARRAY:
            return self.take(_SCALARS[kind])
        inner, count = self.take(_U32), self.take(_U64)
        if count > len(self.data):
            raise struct.error("an array is longer than the file")
        return [self.take_value(inner) for _ in range(count)]

    def take_entry(self) -> tuple[str, tuple[int, ...], int, int]:
        name = self.take_string()
        sizes = [self.take(_U64) for _ in range(self.take(_U32))]
        return name, tuple(reversed(sizes)), self.take(_U32), self.take(_U64)


def read_gguf(path: Path) -> Gguf:
    """Open a GGUF file and read its metadata and tensor table.

    Args:
        path: The file.

    Returns:
        The opened file; tensors are dequantized when they are asked for.

    Raises:
        ModelError: The file is not GGUF, is truncated or is of an unread version.
    """
    if path.stat().st_size == 0:
        raise _damaged(path, "it is empty")
    with path.open("rb") as stream:
        data = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
    cursor = _Cursor(data)
    if cursor.data[:4] != MAGIC:
        raise _damaged(path, "it does not begin with the GGUF magic")
    cursor.place = 4
    try:
        return _read_tables(path, cursor)
    except (struct.error, UnicodeDecodeError, KeyError) as error:
        raise _damaged(path, f"its tables end or break early ({error})") from error


def _read_tables(path: Path, cursor: _Cursor) -> Gguf:
    version = cursor.take(_U32)
    if version not in VERSIONS:
        raise ModelError(
            "the GGUF file is of a version that is not read here",
            allowed=f"versions {', '.join(map(str, VERSIONS))}",
            given=f"version {version} in {path}",
            next_step="convert the weights again with a current converter",
        )
    n_tensors, n_pairs = cursor.take(_U64), cursor.take(_U64)
    metadata: dict[str, Any] = {}
    for _ in range(n_pairs):
        key = cursor.take_string()
        metadata[key] = cursor.take_value(cursor.take(_U32))
    rows = [cursor.take_entry() for _ in range(n_tensors)]
    alignment = metadata.get("general.alignment", DEFAULT_ALIGNMENT)
    start = -(-cursor.place // alignment) * alignment
    entries = {
        name: TensorEntry(shape=shape, kind=kind, offset=start + offset)
        for name, shape, kind, offset in rows
    }
    return Gguf(path=path, metadata=metadata, entries=entries, data=cursor.data)


def _damaged(path: Path, why: str) -> ModelError:
    return ModelError(
        f"the model file cannot be read: {why}",
        allowed="a complete GGUF file",
        given=str(path),
        next_step="delete it and fetch the weights again: unswayed model fetch",
    )
