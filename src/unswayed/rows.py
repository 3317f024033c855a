"""The only reader and writer of row files: strict, versioned, atomic, without NaN.

A row file is JSON Lines. Its first line is a header that names the kind of row, the format
version and whatever the writer wants to state about the whole file; every further line is one
row. A file is written beside its final place and renamed into it, so that a reader never sees
half a file under the final name.
"""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Set
from contextlib import contextmanager, suppress
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import IO, Any, TypeVar

import msgspec

from unswayed.errors import DiskError, RowError, VersionError

Row = TypeVar("Row")

FORMAT_VERSION = 1

BLOCK = 65_536
"""Bytes of a row file that are read at once, up to the end of the line."""

TOGETHER = 64
"""Rows that are encoded at once."""

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)

_encoder = msgspec.json.Encoder(order="deterministic")


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """The first line of a row file."""

    unswayed: str
    """The kind of row, such as `plan` or `records`."""
    version: int
    """Format version of the file."""
    about: dict[str, Any] = {}
    """What the writer states about the whole file."""


def encode(value: object) -> bytes:
    """Encode one value as canonical JSON: keys sorted, UTF-8, no white space."""
    return _encoder.encode(value)


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn what the system says about a file that cannot be written into one clear error.

    Raises:
        DiskError: When the disk is full or fails.
        RowError: When the place cannot be written to.
    """
    try:
        yield
    except OSError as error:
        if error.errno in _NO_ROOM:
            raise DiskError(
                f"The file {path} cannot be written",
                allowed="a disk with room for it",
                given=error.strerror or str(error),
                next_step="free disk space, then run the same command again; what was there before"
                " is as it was",
            ) from error
        raise RowError(
            f"The file {path} cannot be written",
            allowed="a folder that can be made and written to",
            given=str(error),
            next_step="choose another place, or mend its permissions",
        ) from error


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """Open a temporary file beside `path`; on success flush it to disk and rename it to `path`.

    When the body raises, the temporary file is removed and `path` is left as it was; folders that
    were made for it and are empty go too.

    Raises:
        DiskError: When the disk is full or fails.
        RowError: When the place cannot be written to.
    """
    made = [folder for folder in (path.parent, *path.parent.parents) if not folder.exists()]
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with writing(path):
            with os.fdopen(handle, "wb") as stream:
                yield stream
                stream.flush()
                os.fsync(stream.fileno())
            os.chmod(name, 0o644)
            os.replace(name, path)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(name)
        # A folder that somebody else has put something into stays.
        with suppress(OSError):
            for folder in made:
                folder.rmdir()
        raise


def write_rows(
    path: Path, kind: str, rows: Iterable[object], *, about: Mapping[str, Any] | None = None
) -> int:
    """Write a row file atomically and return the number of rows.

    Args:
        path: Final place of the file.
        kind: The kind of row, checked again at reading.
        rows: Structs or builtins; consumed once, never held together.
        about: Facts about the whole file, kept in the header.
    """
    with replacing(path) as stream:
        stream.write(_first_line(kind, about))
        return _write_all(stream, rows)


@contextmanager
def rows_aside(folder: Path) -> Iterator[RowsAside]:
    """Hold rows in a nameless file until it is known what stands above them.

    Args:
        folder: Where the nameless file lies; it is gone with the context, and with the process.
    """
    with writing(folder), tempfile.TemporaryFile(dir=folder) as stream:
        yield RowsAside(stream)


class RowsAside:
    """Rows that are written before their header is known."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream

    def add(self, rows: Iterable[object]) -> None:
        """Take rows, in the order in which they will stand."""
        _write_all(self._stream, rows)

    def write(self, path: Path, kind: str, about: Mapping[str, Any]) -> None:
        """Write all of them as a row file, atomically.

        Args:
            path: Final place of the file.
            kind: The kind of row, checked again at reading.
            about: Facts about the whole file, kept in the header.
        """
        with replacing(path) as stream:
            stream.write(_first_line(kind, about))
            self._stream.seek(0)
            shutil.copyfileobj(self._stream, stream, BLOCK)


def _first_line(kind: str, about: Mapping[str, Any] | None) -> bytes:
    header = Header(unswayed=kind, version=FORMAT_VERSION, about=dict(about or {}))
    return encode(header) + b"\n"


def _write_all(stream: IO[bytes], rows: Iterable[object]) -> int:
    """Write rows, some together, and return how many there were."""
    count, rows = 0, iter(rows)
    while some := list(islice(rows, TOGETHER)):
        stream.write(_encoder.encode_lines(some))
        count += len(some)
    return count


def write_value(path: Path, value: object) -> None:
    """Write one value as indented JSON, atomically."""
    with replacing(path) as stream:
        stream.write(msgspec.json.format(encode(value), indent=2) + b"\n")


def write_text(path: Path, text: str) -> None:
    """Write a text file in UTF-8, atomically; lone surrogates become replacement marks."""
    with replacing(path) as stream:
        stream.write(text.encode("utf-8", errors="replace"))


def read_value(path: Path, type_: type[Row]) -> Row:
    """Read one JSON value of a known type.

    Raises:
        RowError: When the file is absent or is not that type.
    """
    try:
        return msgspec.json.decode(read_bytes(path), type=type_)
    except msgspec.DecodeError as error:
        raise RowError(
            f"{path} is not a readable {type_.__name__}",
            allowed=f"a file that holds a {type_.__name__}",
            given=str(error),
            next_step="write the file again with the command that made it",
        ) from error


def read_bytes(path: Path) -> bytes:
    """Read a whole file, without a UTF-8 byte order mark.

    Raises:
        RowError: When the file cannot be read.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise _unreadable(path, error) from error
    return data.removeprefix(b"\xef\xbb\xbf")


def _unreadable(path: Path, error: OSError) -> RowError:
    return RowError(
        f"The file {path} cannot be read",
        allowed="a file that exists and may be read",
        given=str(error),
        next_step="check the path",
    )


def read_header(path: Path, kind: str) -> Header:
    """Read and check the header of a row file.

    Raises:
        RowError: When the file is absent or holds another kind of row.
        VersionError: When it was written by a newer format.
    """
    try:
        with path.open("rb") as stream:
            line = stream.readline().removeprefix(b"\xef\xbb\xbf")
    except OSError as error:
        raise _unreadable(path, error) from error
    try:
        header = msgspec.json.decode(line, type=Header)
    except msgspec.DecodeError as error:
        raise RowError(
            f"{path} has no Unswayed header in its first line",
            allowed=f"a row file of kind {kind!r}",
            given=line[:80].decode("utf-8", errors="replace"),
            next_step="give the file that the matching verb wrote",
        ) from error
    if header.unswayed != kind:
        raise RowError(
            f"{path} holds another kind of row",
            allowed=kind,
            given=header.unswayed,
            next_step="give the file that the matching verb wrote",
        )
    if header.version > FORMAT_VERSION:
        raise VersionError(
            f"{path} was written in a newer format",
            allowed=f"version {FORMAT_VERSION} or older",
            given=str(header.version),
            next_step="upgrade unswayed",
        )
    return header


def read_rows(
    path: Path, kind: str, type_: type[Row], *, only: Set[int] | None = None
) -> Iterator[Row]:
    """Yield the rows of a row file one by one.

    Args:
        path: The file.
        kind: The kind of row.
        type_: What a row is read as; a type with fewer fields reads faster.
        only: Numbers of the rows to read, from 0; None for all.

    Raises:
        RowError: Naming file, line and field of the first row that is not a `type_`.
    """
    read_header(path, kind)
    decoder = msgspec.json.Decoder(type_)
    with path.open("rb") as stream:
        stream.readline()
        if only is not None:
            named = (line for line in enumerate(stream, start=2) if line[0] - 2 in only)
            yield from _read_lines(path, decoder, named)
            return
        number = 2
        while block := stream.read(BLOCK) + stream.readline():
            n_lines = block.count(b"\n") + (not block.endswith(b"\n"))
            rows = _read_block(decoder, block, n_lines)
            if rows is None:
                lines = enumerate(BytesIO(block), start=number)
                rows = _read_lines(path, decoder, lines)
            yield from rows
            number += n_lines


def _read_block(
    decoder: msgspec.json.Decoder[Row], block: bytes, n_lines: int
) -> Iterable[Row] | None:
    """Read whole lines at once; None where they are not one row each."""
    try:
        rows = decoder.decode_lines(block)
    except msgspec.DecodeError:
        return None
    # A line ends and another begins between objects only, so as many of both are one row a line.
    apart = block.count(b"}\n{") == n_lines - 1
    return rows if apart and len(rows) == n_lines else None


def _read_lines(
    path: Path, decoder: msgspec.json.Decoder[Row], lines: Iterable[tuple[int, bytes]]
) -> Iterator[Row]:
    """Read numbered lines one by one."""
    for number, line in lines:
        try:
            yield decoder.decode(line)
        except msgspec.DecodeError as error:
            raise RowError(
                f"{path}, line {number} is not a readable {decoder.type.__name__}",
                allowed=f"the fields of a {decoder.type.__name__}",
                given=str(error),
                next_step="write the file again with the command that made it",
            ) from error
