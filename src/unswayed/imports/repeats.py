"""Samples that stand in a log more than once: repeats are kept, copies are refused."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

import msgspec

from unswayed.imports.logged import Log, at_path
from unswayed.imports.source import Source, refuse_log

_SHOWN = 3


def refuse_copies(path: str, rows: Sequence[Any], word: str) -> None:
    """Refuse a file in which a row occurs again with everything that it holds.

    Args:
        path: The file.
        rows: Its rows as they were read.
        word: What a row is called.

    Raises:
        RowError: Naming the first copies.
    """
    first: dict[str, int] = {}
    copies: list[str] = []
    for number, row in enumerate(rows, start=1):
        text = json.dumps(row, sort_keys=True)
        if text in first:
            copies.append(f"{word} {number} is {word} {first[text]}")
        first.setdefault(text, number)
    if copies:
        refuse_log(
            path,
            f"holds {len(copies)} copies of what it held before",
            allowed=f"each {word} once; repeats of one question differ in some field",
            given="; ".join(copies[:_SHOWN]),
            next_step="remove the copies; draws that came out alike are numbered in a field `epoch`"
            + (", as `unswayed import --repeats as-draws` does" if word == "row" else ""),
        )


def number_copies(source: Source, place: str) -> tuple[Source, int]:
    """Number rows that occur again with everything they hold, as draws of one conversation.

    Args:
        source: Rows of chats.
        place: Where a row states its name; a copy without one takes that of its first.

    Returns:
        The source with an `epoch` in each copy, and how many copies there are.
    """
    rows = source.value if isinstance(source.value, list) else source.lines
    first: dict[str, int] = {}
    seen: Counter[str] = Counter()
    numbered: list[Any] = []
    for number, row in enumerate(rows, start=1):
        text = json.dumps(row, sort_keys=True)
        seen[text] += 1
        first.setdefault(text, number)
        if seen[text] > 1 and isinstance(row, dict):
            name = {} if at_path(row, place) is not None else {place: str(first[text])}
            row = {**row, **name, "epoch": seen[text]}
        numbered.append(row)
    n = sum(count - 1 for count in seen.values())
    value = numbered if isinstance(source.value, list) else source.value
    return msgspec.structs.replace(source, value=value, lines=tuple(numbered)), n


def refuse_repeats(path: str, log: Log) -> None:
    """Refuse a log with one sample twice in one epoch, or with two questions under one name.

    Raises:
        RowError: Naming the first such samples.
    """
    names = Counter((row.id, row.epoch) for row in log.rows)
    twice = [f"{name}, epoch {epoch}" for (name, epoch), count in names.items() if count > 1]
    if twice:
        refuse_log(
            path,
            "holds a sample twice",
            allowed="each sample once in each epoch",
            given=repr(twice[:_SHOWN]),
            next_step="have the tool write the log again",
        )
    asked: dict[str, set[str]] = defaultdict(set)
    for row in log.rows:
        if question := row.asked or row.question:
            asked[row.id].add(question)
    mixed = [name for name, questions in asked.items() if len(questions) > 1]
    if mixed:
        refuse_log(
            path,
            "has different questions under one name",
            allowed="one question for each sample; its repeats ask the same",
            given=f"{len(asked[mixed[0]])} questions under {mixed[0]!r}"
            + (f", and {len(mixed) - 1} more such names" if len(mixed) > 1 else ""),
            next_step="give each question a name of its own, or leave the names out",
        )
