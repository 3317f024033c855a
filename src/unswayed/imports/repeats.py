"""Samples that stand in a log more than once: repeats are kept, copies are refused."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from unswayed.imports.logged import Log
from unswayed.imports.source import refuse_log

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
            next_step="remove the copies, or number repeats that are meant in a field `epoch`",
        )


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
