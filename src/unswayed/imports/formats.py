"""Which tool wrote a file, told by what it holds."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from unswayed.counting import are, several, verb
from unswayed.errors import RowError, UsageError
from unswayed.imports import chat, inspect_log, lm_eval, promptfoo
from unswayed.imports.logged import Log, at_path
from unswayed.imports.numbers_alone import refuse_numbers
from unswayed.imports.repeats import number_copies
from unswayed.imports.source import Source, open_source, refuse_log

FIELDS = (
    "truth", "target", "options", "answer_form", "score", "model", "id", "messages", "first",
    "control", "goal",
)  # fmt: skip
"""What a mapping can name."""

FORMS = ("choice", "number", "verdict", "expression", "text")
"""What `answer_form` can be."""

SUMMARY = "the summary of lm-evaluation-harness; the samples stand in samples_*.jsonl"
"""What is said of the file that stands beside the samples."""


class Format(msgspec.Struct, frozen=True, kw_only=True):
    """One format of logs."""

    name: str
    """How a command names it."""
    describes: str
    """What wrote it, in a few words."""
    recognizes: Callable[[Source], bool]
    """Whether a file is of this format."""
    read: Callable[[Source, Mapping[str, str]], Log]
    """Reads a file of this format."""


FORMATS = tuple(
    Format(name=each.NAME, describes=words, recognizes=each.recognizes, read=each.read)
    for each, words in (
        (inspect_log, "Inspect AI, .eval or JSON"),
        (lm_eval, "lm-evaluation-harness, samples as JSON Lines"),
        (promptfoo, "promptfoo, JSON or JSON Lines"),
        (chat, "chats with `messages`, JSON Lines"),
    )
)
"""The formats, in the order in which they are tried."""


def is_log(path: Path) -> bool:
    """Whether a file is a log of one of the formats; a file that cannot be read is none."""
    try:
        source = open_source(path)
    except RowError:
        return False
    return any(each.recognizes(source) for each in FORMATS)


def refuse_log_as_table(path: Path, error: RowError) -> None:
    """Name the command that reads a log, where one was given as a table of questions.

    Args:
        path: The file.
        error: Why it is no such table.

    Raises:
        RowError: When the file is a log.
    """
    if is_log(path):
        raise RowError(
            f"{path} is a log of replies and no table of questions",
            allowed=error.allowed,
            given=error.given,
            next_step=(
                f"read what was replied with `unswayed import {shlex.quote(str(path))} --to FOLDER`"
            ),
        ) from error


def read_log(
    path: Path, *, name: str | None = None, mapping: Mapping[str, str], as_draws: bool = False
) -> Log:
    """Read a log of any known format.

    Args:
        path: The file.
        name: The format, where it is not to be found out.
        mapping: Where a field stands in a sample, by a dotted path.
        as_draws: Whether rows of chats that are the same in everything are draws, and no copies.

    Raises:
        RowError: When the file is broken, of no known format, or not of the named one.
        UsageError: When the name or the mapping is unknown, or copies of another format than chats
            are to be draws.
    """
    _check(name, mapping)
    source = open_source(path)
    known = [each for each in FORMATS if name in (None, each.name)]
    for each in known:
        if each.recognizes(source):
            return _with_draws(source, each, mapping) if as_draws else each.read(source, mapping)
    given = _looks_like(source)
    if given != SUMMARY:
        refuse_numbers(path, source.value if source.value is not None else source.lines)
    refuse_log(
        path,
        "is of no known format" if name is None else f"is no file of the format {name}",
        allowed="; ".join(f"{each.name} ({each.describes})" for each in known),
        given=given,
        next_step="give the file in which the samples stand, or rename its columns",
    )


def _with_draws(source: Source, known: Format, mapping: Mapping[str, str]) -> Log:
    if known.name != chat.NAME:
        raise UsageError(
            f"Rows of {known.name} that are the same are no draws",
            allowed="--repeats as-draws for chats; this format numbers its repeats itself",
            given=f"{source.path}, {known.describes}",
            next_step="leave --repeats out",
        )
    numbered, n = number_copies(source, mapping.get("id", "id"))
    log = known.read(numbered, mapping)
    if not n:
        return log
    note = (
        f"{several(n, 'row')} {are(n)} the same as an earlier one in everything and"
        f" {verb(n, 'counts as a draw', 'count as draws')} of it"
    )
    return msgspec.structs.replace(log, notes=(*log.notes, note))


def _check(name: str | None, mapping: Mapping[str, str]) -> None:
    names = tuple(each.name for each in FORMATS)
    if name is not None and name not in names:
        raise UsageError(
            f"There is no format {name!r}",
            allowed=", ".join(names),
            given=name,
            next_step="leave --format out to have it found",
        )
    unknown = [field for field in mapping if field not in FIELDS]
    form = mapping.get("answer_form")
    if unknown or (form is not None and form not in FORMS):
        raise UsageError(
            "A mapping names a field or form that does not exist",
            allowed=", ".join(FIELDS) + f"; answer_form is one of {', '.join(FORMS)}",
            given=", ".join(unknown) or str(form),
            next_step="write FIELD=PATH, such as --map target=metadata.wrong",
        )


def _looks_like(source: Source) -> str:
    if source.members is not None:
        return f"a zip of {len(source.members)} files"
    value = source.value if source.value is not None else next(iter(source.lines), None)
    if at_path(value, "config_general") or at_path(value, "configs"):
        return SUMMARY
    if isinstance(value, list):
        value = value[0] if value else None
    if isinstance(value, dict):
        return "fields " + ", ".join(repr(name)[:30] for name in list(value)[:8])
    return type(value).__name__
