"""Run the whole grid and write it as a table.

python -m tests.slow_validity --write docs/validity.md
python -m tests.slow_validity --uneven
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from tests.slow_validity.grid import Covered, cases, coverage, false_positives, uneven_cases
from tests.slow_validity.pages import page, uneven_part


def main() -> None:
    """Run and write."""
    parser = argparse.ArgumentParser(prog="python -m tests.slow_validity", description=__doc__)
    parser.add_argument("--write", type=Path, help="Markdown file; without it standard output.")
    parser.add_argument("--runs", type=int, default=5000, help="Runs of each case.")
    parser.add_argument("--null-runs", type=int, default=1000, help="Runs of the null family.")
    parser.add_argument("--uneven-runs", type=int, default=1000, help="Runs of uneven families.")
    parser.add_argument("--uneven", action="store_true", help="Print the part on these alone.")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    apart = [
        row for case in uneven_cases() for row in coverage(case, given.uneven_runs, given.seed)
    ]
    uneven = uneven_part(apart, runs=given.uneven_runs, seed=given.seed)
    if given.uneven:
        print(uneven, end="")
        return
    started, rows = time.monotonic(), list[Covered]()
    grid = list(cases())
    for number, case in enumerate(grid, start=1):
        rows += coverage(case, given.runs, given.seed)
        if number % 20 == 0:
            spent = time.monotonic() - started
            print(f"{number} of {len(grid)} cases, {spent:.0f} s", file=sys.stderr)
    null = false_positives(given.null_runs, given.seed)
    text = page(rows, null, uneven, runs=given.runs, seed=given.seed)
    if given.write is None:
        print(text, end="")
    else:
        given.write.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
