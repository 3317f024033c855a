"""The lines of a batch file: what a provider gives back for each request."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from unswayed.errors import RowError
from unswayed.models.completion import UNUSABLE, Completion
from unswayed.models.replies import Asked, Fault, read_reply, shorten

_CODE = re.compile(r"[a-z][a-z0-9_]{0,40}")
"""What a provider's code for an error looks like, such as `batch_expired`."""


class _Response(msgspec.Struct):
    status_code: int = 0
    body: msgspec.Raw = msgspec.Raw(b"null")


class Result(msgspec.Struct):
    """One line of an output or error file, or of a file of requests."""

    custom_id: str
    """Replay and token, as they were sent."""
    response: _Response | None = None
    """Status and body of a reply."""
    error: dict[str, Any] | None = None
    """Why there is no reply."""


def read_results(path: Path) -> Iterator[Result]:
    """Yield the lines of a batch file.

    Args:
        path: Output or error file of a batch, or a file of requests.

    Raises:
        RowError: When the file cannot be read or a line is no result.
    """
    decode = msgspec.json.Decoder(Result).decode
    try:
        with path.open("rb") as stream:
            for number, line in enumerate(stream, start=1):
                line = line.removeprefix(BOM_UTF8) if number == 1 else line
                if line.strip():
                    yield _decoded(decode, line, path, number)
    except OSError as error:
        raise RowError(
            f"The file {path} cannot be read",
            allowed="the output or error file of a batch",
            given=str(error),
            next_step="check the path",
        ) from error


def _decoded(decode: Any, line: bytes, path: Path, number: int) -> Result:  # noqa: ANN401
    try:
        result: Result = decode(line)
    except msgspec.DecodeError as error:
        raise RowError(
            f"{path}, line {number} is no result of a batch",
            allowed="JSON Lines with custom_id and response or error",
            given=str(error),
            next_step="give the output or error file as the provider wrote it",
        ) from error
    return result


def completion_of(result: Result, asked: Asked) -> Completion:
    """Return the completion that a result holds, or one with `error` set.

    Args:
        result: The result.
        asked: What it answers.
    """
    if result.response is None or result.error:
        error = result.error or {}
        code, message = str(error.get("code") or ""), str(error.get("message") or "")
        if not _CODE.fullmatch(code):
            code, message = "batch", message or code or "no reply"
        elif code not in UNUSABLE and not code.startswith("batch"):
            code = f"batch_{code}"
        return Fault(kind="refused", slug=code, message=shorten(message)).completion()
    found = read_reply(result.response.status_code, {}, bytes(result.response.body), asked)
    return found.completion() if isinstance(found, Fault) else found
