"""Run the whole grid and write it as a table.

python -m tests.slow_validity --write docs/validity.md
python -m tests.slow_validity --firm --uneven --write docs/validity.md
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable
from pathlib import Path

from tests.slow_validity.grid import (
    Case,
    Covered,
    cases,
    coverage,
    false_positives,
    firm_cases,
    uneven_cases,
)
from tests.slow_validity.pages import exchange, firm_part, page, uneven_part


def main() -> None:
    """Run and write."""
    parser = argparse.ArgumentParser(prog="python -m tests.slow_validity", description=__doc__)
    parser.add_argument("--write", type=Path, help="Markdown file; without it standard output.")
    parser.add_argument("--runs", type=int, default=5000, help="Runs of each case.")
    parser.add_argument("--null-runs", type=int, default=1000, help="Runs of the null family.")
    parser.add_argument("--part-runs", type=int, default=1000, help="Runs of the two parts below.")
    parser.add_argument("--uneven", action="store_true", help="The part on uneven families alone.")
    parser.add_argument("--firm", action="store_true", help="The part on firm models alone.")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    runs, seed = given.part_runs, given.seed
    every = not given.uneven and not given.firm
    parts = list[str]()
    if every or given.firm:
        parts.append(firm_part(_covered(firm_cases(), runs, seed), runs=runs, seed=seed))
    if every or given.uneven:
        parts.append(uneven_part(_covered(uneven_cases(), runs, seed), runs=runs, seed=seed))
    if every:
        rows = _covered(cases(), given.runs, seed)
        null = false_positives(given.null_runs, seed)
        text = page(rows, null, parts, runs=given.runs, seed=seed)
    elif given.write is None:
        text = "\n".join(parts)
    else:
        text = given.write.read_text(encoding="utf-8")
        for part in parts:
            text = exchange(text, part)
    if given.write is None:
        print(text, end="")
    else:
        given.write.write_text(text, encoding="utf-8")


def _covered(grid: Iterable[Case], runs: int, seed: int) -> list[Covered]:
    started, rows, listed = time.monotonic(), list[Covered](), list(grid)
    for number, case in enumerate(listed, start=1):
        rows += coverage(case, runs, seed)
        if number % 20 == 0:
            spent = time.monotonic() - started
            print(f"{number} of {len(listed)} cases, {spent:.0f} s", file=sys.stderr)
    return rows


if __name__ == "__main__":
    main()
