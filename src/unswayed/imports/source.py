"""The bytes of a log: a zip of JSON files, one JSON value, or JSON Lines, whole or refused."""

from __future__ import annotations

import json
import zipfile
import zlib
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import IO, Any, NoReturn

import msgspec

from unswayed.errors import RowError
from unswayed.imports.numbers_alone import NEEDED, refuse_table
from unswayed.rows import read_bytes

STORED, DEFLATED, ZSTD = 0, 8, 93
"""Compression methods of a zip's members that are read."""

LARGEST_MEMBER = 2**30
"""Bytes of one unpacked file inside a zip; more is refused before it is unpacked."""

_ZIP = b"PK\x03\x04"
_LOCAL_HEADER = 30


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """What a file holds, before it is known which tool wrote it."""

    path: str
    """Where it was read from."""
    members: dict[str, Callable[[], Any]] | None = None
    """The JSON files of a zip by name, each read when it is asked for; None for other files."""
    value: Any = None
    """The one JSON value of the file; None for a zip and for several lines."""
    lines: tuple[Any, ...] = ()
    """The JSON values of a file with one on each line."""


def open_source(path: Path) -> Source:
    """Read a file as a zip of JSON, as JSON or as JSON Lines, by what it holds.

    Raises:
        RowError: When the file is absent, cut off, or none of these.
    """
    data = read_bytes(path)
    if not data.strip():
        refuse_log(path, "is empty", given="no bytes")
    if data.startswith(_ZIP) or path.suffix == ".eval":
        return Source(path=str(path), members=_members(path))
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        refuse_log(path, "is neither a zip nor text in UTF-8", given=str(error))
    refuse_table(path, text)
    first, _, rest = text.strip().partition("\n")
    if rest and _is_json(first):
        lines = enumerate(text.split("\n"), start=1)
        return Source(
            path=str(path),
            lines=tuple(load(line, f"{path}, line {n}") for n, line in lines if line.strip()),
        )
    value = load(text, str(path))
    # One whole object on one line is JSON and JSON Lines at once.
    return Source(path=str(path), value=value, lines=(value,) if isinstance(value, dict) else ())


def load(text: str | bytes, where: str) -> Any:  # noqa: ANN401
    """Read one JSON value; NaN, which some tools write, stays a NaN.

    Raises:
        RowError: When it is no whole JSON.
    """
    try:
        value = json.loads(text)
        halves = b"\\ud" if isinstance(text, bytes) else "\\ud"
        return whole(value) if halves in text.lower() else value  # type: ignore[operator]
    except (ValueError, RecursionError) as error:
        refuse_log(where, "is no whole JSON", given=str(error))


def whole(value: Any) -> Any:  # noqa: ANN401
    """Return a value in which halves of surrogate pairs, which no file can hold, are `?`."""
    if isinstance(value, str):
        return value.encode("utf-8", errors="replace").decode("utf-8")
    if isinstance(value, dict):
        return {whole(name): whole(inner) for name, inner in value.items()}
    return [whole(inner) for inner in value] if isinstance(value, list) else value


def refuse_log(
    where: object, wrong: str, *, allowed: str = "", given: str = "", next_step: str = ""
) -> NoReturn:
    """Raise the one error for a log that cannot be read.

    Raises:
        RowError: Always.
    """
    raise RowError(
        f"{where} {wrong}",
        allowed=allowed or NEEDED,
        given=given,
        next_step=next_step or "copy the file again, or have the tool write it again",
    )


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _members(path: Path) -> dict[str, Callable[[], Any]]:
    try:
        with zipfile.ZipFile(path) as archive:
            infos = archive.infolist()
    except (zipfile.BadZipFile, OSError, ValueError) as error:
        refuse_log(path, "is no whole zip file", given=str(error))
    return {info.filename: partial(_read_member, path, info) for info in infos}


def _read_member(path: Path, info: zipfile.ZipInfo) -> Any:  # noqa: ANN401
    """Read one JSON file of a zip, packed by any of the methods that Inspect AI writes."""
    where = f"{path}, {info.filename!r}"
    if info.file_size > LARGEST_MEMBER:
        refuse_log(where, "is too large", allowed=f"{LARGEST_MEMBER:,} bytes", given=str(info))
    unpack = _UNPACK.get(info.compress_type)
    if unpack is None or info.flag_bits & 1:
        refuse_log(
            where,
            "is packed in a way that cannot be read",
            allowed="stored, deflated or Zstandard, without a password",
            given=f"method {info.compress_type}",
            next_step="write the log as JSON: inspect log convert --to json",
        )
    try:
        with path.open("rb") as stream:
            data = unpack(_packed(stream, info), info.file_size)
    except (OSError, zlib.error, ValueError) as error:
        refuse_log(where, "cannot be unpacked", given=str(error))
    if len(data) != info.file_size or zlib.crc32(data) != info.CRC:
        refuse_log(where, "is damaged", allowed="bytes that fit their check sum", given="others")
    return load(data, where)


def _packed(stream: IO[bytes], info: zipfile.ZipInfo) -> bytes:
    """Return the packed bytes of a member, which stand behind a local header of their own."""
    stream.seek(info.header_offset)
    header = stream.read(_LOCAL_HEADER)
    if len(header) < _LOCAL_HEADER or not header.startswith(_ZIP):
        raise ValueError("no file begins where the zip says it does")
    skipped = int.from_bytes(header[26:28], "little") + int.from_bytes(header[28:30], "little")
    stream.seek(skipped, 1)
    return stream.read(info.compress_size)


def _zstd(data: bytes, size: int) -> bytes:
    import pyarrow as pa

    with pa.CompressedInputStream(pa.BufferReader(data), "zstd") as stream:
        unpacked: bytes = stream.read(size + 1)
    return unpacked


def _inflate(data: bytes, size: int) -> bytes:
    return zlib.decompressobj(-zlib.MAX_WBITS).decompress(data, size + 1)


_UNPACK: Mapping[int, Callable[[bytes, int], bytes]] = {
    STORED: lambda data, _size: data,
    DEFLATED: _inflate,
    ZSTD: _zstd,
}
