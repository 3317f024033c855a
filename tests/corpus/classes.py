"""Counts false values by confidence class: `python -m tests.corpus.classes`.

Reads `fresh.jsonl`, whose rows say whether a reply declares a value and which; this was fixed
before the first reading. Each row holds that first reading, made before anything was mended for its
set: only those say what to expect of replies that this package never saw.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from unswayed.models.completion import Completion
from unswayed.readouts.answer import Asked, Reading
from unswayed.readouts.judging import Scale, read_label, read_score
from unswayed.readouts.reading import read_completion
from unswayed.stats.rates import wilson

FRESH = Path(__file__).with_name("fresh.jsonl")
GUARDED = Path(__file__).with_name("guarded.jsonl")
"""Replies for the readout `declared`: answer lines in hard surroundings."""
CLASSES = ("declared", "sole", "stated", "implied")
"""From the firmest to the weakest."""


def load_fresh(path: Path = FRESH) -> list[dict[str, Any]]:
    """Every row whose outcome was fixed before it was read."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def reading_of(row: dict[str, Any]) -> Reading:
    """What this package reads now."""
    completion = Completion(text=row["text"], stop=row["stop"])
    asked = row["asked"]
    if row["readout"] == "judge_label":
        return read_label(completion, {label: () for label in asked["labels"]})
    if row["readout"] == "judge_score":
        low, high = asked["scale"]
        return read_score(completion, Scale(low=low, high=high))
    fields = {**asked, "options": tuple(asked["options"])}
    if "scale" in fields:
        fields["scale"] = tuple(fields["scale"])
    return read_completion(completion, Asked(**fields), row["readout"])


def outcome(row: dict[str, Any], value: str | None) -> str:
    """How a reading did: `right`, `unread` (a plain value was missed), `false` or `nothing`."""
    if value is None:
        plain = row["expect"] is not None and not row.get("unread_is_right")
        return "unread" if plain else "nothing"
    return "right" if value == row["expect"] else "false"


def counted(
    rows: list[dict[str, Any]], *, first: bool
) -> tuple[dict[str, Counter[str]], Counter[str]]:
    """Count values by class, and outcomes of all rows.

    Args:
        rows: Rows of `fresh.jsonl`.
        first: Whether to count the recorded first readings instead of those of now.
    """
    classes: dict[str, Counter[str]] = defaultdict(Counter)
    total: Counter[str] = Counter()
    for row in rows:
        if first:
            value, sureness = row["first"]["value"], row["first"].get("sureness", "")
        else:
            reading = reading_of(row)
            value, sureness = reading.value, reading.sureness or ""
        found = outcome(row, value)
        total[found] += 1
        if value is not None:
            classes[sureness][found] += 1
    return classes, total


def share(false: int, n: int) -> str:
    """A share of values with its Wilson interval at 95%."""
    if n == 0:
        return f"{'no value':>24}"
    rate = wilson(false, n)
    return f"{rate.value:>9.1%} [{rate.low:>5.1%}, {rate.high:>5.1%}]"


def markdown(rows: list[dict[str, Any]]) -> list[str]:
    """The first readings as rows of a table: set, class, values, false values, their share."""
    lines = []
    for name in dict.fromkeys(row["set"] for row in rows):
        chosen = [row for row in rows if row["set"] == name]
        classes, _ = counted(chosen, first=True)
        label = f"`{name}`, {len(chosen)} replies"
        for sureness in CLASSES:
            n, false = sum(classes[sureness].values()), classes[sureness]["false"]
            rate = wilson(false, n) if n else None
            told = f"{rate.value:.0%} ({rate.low:.0%} to {rate.high:.0%})" if rate else "no value"
            lines.append(f"| {label}{' ' if label else ''}| {sureness} | {n} | {false} | {told} |")
            label = ""
    return lines


def in_one(rows: list[dict[str, Any]]) -> list[str]:
    """The first readings without their classes: set, values, false ones, share, unread ones."""
    lines = []
    for name in dict.fromkeys(row["set"] for row in rows):
        chosen = [row for row in rows if row["set"] == name]
        _, total = counted(chosen, first=True)
        rate = wilson(total["false"], total["false"] + total["right"])
        told = f"{rate.value:.0%} ({rate.low:.0%} to {rate.high:.0%})"
        lines.append(
            f"| `{name}`, {len(chosen)} replies | {total['false'] + total['right']}"
            f" | {total['false']} | {told} | {total['unread']} of {plain_ones(chosen)} |"
        )
    return lines


def plain_ones(rows: list[dict[str, Any]]) -> int:
    """How many replies declare a value plainly."""
    return sum(row["expect"] is not None and not row.get("unread_is_right") for row in rows)


def by_declared(rows: list[dict[str, Any]]) -> Counter[str]:
    """Outcomes of the readout `declared` on the rows whose form it reads."""
    asked = [row for row in rows if row["readout"] in ("choice", "verdict", "number", "expression")]
    return Counter(outcome(row, reading_of({**row, "readout": "declared"}).value) for row in asked)


def main() -> None:
    """Print the table of every set, at the first reading and now."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--markdown", action="store_true", help="The first readings as a table.")
    options.add_argument("--guarded", action="store_true", help="The replies for `declared`.")
    given = options.parse_args()
    rows = load_fresh(GUARDED if given.guarded else FRESH)
    if given.markdown:
        print("\n".join(in_one(rows) if given.guarded else markdown(rows)))
        return
    for name in dict.fromkeys(row["set"] for row in rows):
        chosen = [row for row in rows if row["set"] == name]
        for first in (True, False):
            classes, total = counted(chosen, first=first)
            when = "first reading" if first else "now"
            print(
                f"{name}, {when}: {len(chosen)} replies, {total['right']} right,"
                f" {total['false']} false, {total['unread']} of {plain_ones(chosen)} plain ones"
                f" unread, {total['nothing']} rightly without a value"
            )
            for sureness in CLASSES:
                n = sum(classes[sureness].values())
                false = classes[sureness]["false"]
                print(f"  {sureness:<9} {n:>4} values {false:>3} false {share(false, n)}")
        if given.guarded:
            continue
        found = by_declared(chosen)
        print(
            f"{name}, readout declared, now: {found.total()} replies, {found['right']} right,"
            f" {found['false']} false, {found['unread']} unread though plain"
        )


if __name__ == "__main__":
    main()
