"""Scores any parser on the corpus: `python -m tests.corpus.run --parser module:function`."""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

TEXTS = Path(__file__).with_name("texts.jsonl")
Parser = Callable[[dict[str, Any]], str | None]


def load_rows(path: Path = TEXTS) -> list[dict[str, Any]]:
    """Every row of the corpus."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def read_with_unswayed(row: dict[str, Any]) -> str:
    """The reading of this package: a value, or a reason in angle brackets."""
    from unswayed.models.completion import Completion
    from unswayed.readouts.answer import Asked
    from unswayed.readouts.reading import read_completion

    fields = dict(row["asked"])
    fields["options"] = tuple(fields.get("options", ()))
    if "scale" in fields:
        fields["scale"] = tuple(fields["scale"])
    fields["aliases"] = tuple(tuple(names) for names in fields.get("aliases", ()))
    completion = Completion(text=row["text"], stop=row["stop"])
    reading = read_completion(completion, Asked(**fields), row["readout"])
    return reading.value if reading.value is not None else f"<{reading.reason}>"


def read_declared_alone(row: dict[str, Any]) -> str:
    """The reading of this package by its readout `declared`, which reads no sentences."""
    return read_with_unswayed({**row, "readout": "declared"})


def told(expected: dict[str, str]) -> str:
    """A value, or a reason in angle brackets."""
    return expected.get("value", f"<{expected.get('reason')}>")


def judge(row: dict[str, Any], found: str | None) -> str:
    """How a parser did on one row: `right`, `unread`, `wrong_reason`, `wrong_value` or `invented`.

    A parser without reasons may return None for every row that has no value.
    """
    expected = row["expect"].get("value")
    is_reason = found is None or (found.startswith("<") and found.endswith(">"))
    if expected is not None:
        if is_reason:
            return "unread"
        return "right" if found == expected else "wrong_value"
    if not is_reason:
        return "invented"
    return "right" if found in (None, f"<{row['expect']['reason']}>") else "wrong_reason"


def score(parser: Parser, rows: list[dict[str, Any]]) -> dict[str, list[tuple[str, str | None]]]:
    """The ids of all rows by how the parser did on them."""
    outcomes: dict[str, list[tuple[str, str | None]]] = defaultdict(list)
    for row in rows:
        found = parser(row)
        outcomes[judge(row, found)].append((row["id"], found))
    return dict(outcomes)


def find_parser(name: str) -> Parser:
    """Return the function that `module:function` names.

    Raises:
        ImportError: When the module cannot be imported.
        LookupError: When the name is no `module:function`, or there is no such function.
    """
    allowed = "allowed is module:function, importable from here; put its folder on PYTHONPATH"
    module, _, function = name.partition(":")
    if not module or not function:
        raise LookupError(f"the parser {name!r} is no name of a function; {allowed}")
    try:
        found = getattr(importlib.import_module(module), function, None)
    except ImportError as error:
        raise ImportError(f"the parser {name!r} cannot be imported ({error}); {allowed}") from error
    if not callable(found):
        raise LookupError(f"the module {module!r} has no function {function!r}; {allowed}")
    parser: Parser = found
    return parser


def main() -> None:
    """Score the named parser and print its faults."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--parser", default="tests.corpus.run:read_with_unswayed")
    options.add_argument("--texts", type=Path, default=TEXTS)
    options.add_argument("--readouts", nargs="*", help="Only rows of these; without it all.")
    given = options.parse_args()
    try:
        parser = find_parser(given.parser)
    except (ImportError, LookupError) as error:
        options.error(str(error))
    rows = load_rows(given.texts)
    if given.readouts:
        rows = [row for row in rows if row["readout"] in given.readouts]
        if not rows:
            options.error(f"no row of {given.texts} is for one of {', '.join(given.readouts)}")
    outcomes = score(parser, rows)
    for outcome, places in sorted(outcomes.items()):
        print(f"{outcome}: {len(places)} of {len(rows)}")
    for kind in ("fresh", *sorted({row["kind"] for row in rows} - {"fresh"})):
        chosen = {row["id"] for row in rows if row["kind"] == kind}
        right = sum(name in chosen for name, _ in outcomes.get("right", ()))
        if right < len(chosen):
            print(f"  {kind}: {right} of {len(chosen)} right")
    for outcome in ("invented", "wrong_value", "unread", "wrong_reason"):
        for name, found in outcomes.get(outcome, ()):
            print(f"  {outcome:<12} {name:<18} {found!r}")


if __name__ == "__main__":
    try:
        main()
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever reads the report has seen enough; what is left of it has nowhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
