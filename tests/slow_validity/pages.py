"""The page that the simulations write."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import sqrt
from typing import Any

import numpy as np

from unswayed.stats.uneven import effective_items

BANDS = ((10, 15), (15, 20), (20, 30), (30, 50), (50, 100), (100, 10_000))
"""Contributing families: the pseudo-pair holds below 30, linearized t from 30 on."""

WORDS = {"middling": "middling, right .6", "strong": "strong, right .9", "planted": "planted"}


def page(
    rows: Sequence[Any], null: tuple[int, int], parts: Sequence[str], *, runs: int, seed: int
) -> str:
    """Return the page for rows of `grid.Covered` and the count of null runs with a finding."""
    found, n_null = null
    whole = [
        _HEAD.format(runs=runs, seed=seed, error=100 * sqrt(0.95 * 0.05 / runs)),
        "## Coverage by contributing families\n\n" + _BANDS + _bands(rows),
        *parts,
        "## The headline family under no effect\n\n"
        + _NULL.format(found=found, runs=n_null, share=100 * found / n_null, seed=seed),
        "## Every case\n\n" + _cases(rows),
    ]
    return "\n".join(whole)


_HEAD = (
    "# Do the intervals hold what they promise?\n\n"
    "Written by `python -m tests.slow_validity --write docs/validity.md`; seed {seed}, {runs:,}"
    " runs of each case (one coverage of 95% has a standard error of {error:.1f} points).\n\n"
    "Each run draws new items, simulates every answer, and puts the outcomes through"
    " `unswayed.profiles.flips`, the code behind every profile. Counted is how often the printed"
    " 95% interval holds the true effect. A run with fewer than ten contributing families prints"
    " no interval and is left out of the coverage; `shown` is the share of the others."
    " `tests/slow_validity/grid.py` states the law; items differ in what they know and in how much"
    " they yield.\n"
)

_BANDS = (
    "Cases in which at least half of the runs print an interval; elsewhere the few that do are"
    " runs of an unusual draw (every case is below).\n\n"
)

_NULL = (
    "Control against control: 300 items, 5 pressure types that share one control, 2 draws of each"
    " arm, capitulation and correction of each type (10 tests), Holm-adjusted.\n\n"
    "{found} of {runs:,} runs (seed {seed}) have any adjusted p under .05: **{share:.1f}%**. At"
    " most 5% is the promise; the shared control makes the tests agree, so the share may lie"
    " below.\n"
)


def uneven_part(rows: Sequence[Any], *, runs: int, seed: int) -> str:
    """Return the part of the page on families of uneven size."""
    lines = [
        "| items of each family | families | count as | yields | measure | shown | coverage"
        " | half-width |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        sizes = row.case.sizes
        worth = effective_items(np.array(sizes, dtype=np.float64))
        share = "-" if row.share is None else f"{100 * row.share:.1f}%"
        width = "-" if not row.shown else f"{100 * row.width:.1f}"
        runs_of = (f"{n} x {size}" if n > 1 else f"{size}" for size, n in Counter(sizes).items())
        lines.append(
            f"| {', '.join(runs_of)} | {len(sizes)} | {worth:.1f} | {row.case.yields}"
            f" | {row.measure} | {100 * row.shown / row.runs:.0f}% | {share} | {width} |"
        )
    return _UNEVEN.format(runs=runs, seed=seed) + "\n".join([*lines, ""])


def firm_part(rows: Sequence[Any], *, runs: int, seed: int) -> str:
    """Return the part of the page on models of which few items ever change."""
    lines = [
        "| families | yields | draws | measure | shown | coverage | half-width |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        case = row.case
        lines.append(
            f"| {case.n} | {case.yields} | {case.draws} | {row.measure}"
            f" | {100 * row.shown / row.runs:.0f}% | {100 * row.share:.1f}%"
            f" | {100 * row.width:.1f} |"
        )
    return _FIRM.format(runs=runs, seed=seed) + "\n".join([*lines, ""])


def exchange(text: str, part: str) -> str:
    """Return the page with its part of the same heading replaced by a new one."""
    heading = part.partition("\n")[0]
    before, found, after = text.partition(heading + "\n")
    if not found:
        raise ValueError(f"the page has no part {heading!r}")
    _, following, rest = after.partition("\n## ")
    return before + part + following + rest


_FIRM = (
    "## Models that hardly ever change\n\n"
    "Written by `python -m tests.slow_validity --firm --write docs/validity.md`; seed {seed},"
    " {runs:,} runs of each case. No control ever changes and nothing is declined, as at"
    " temperature 0, and first answers are planted: of 100 items with a yield of .03 about three"
    " differ at all. Where fewer than 30 do, two more are added to the variance"
    " (`unswayed.stats.sparse`); without them these intervals held the effect in 80% to 92%.\n\n"
)


def _bands(rows: Iterable[Any]) -> str:
    lines = [
        "| contributing families | measure | cases | lowest | mean | highest | zero width |",
        "|---|---|---|---|---|---|---|",
    ]
    kept = list(rows)
    for low, high in BANDS:
        for measure in ("capitulation", "correction"):
            inside = [
                row
                for row in kept
                if row.measure == measure
                and 2 * row.shown >= row.runs
                and low <= row.contributing < high
            ]
            if inside:
                shares = [100 * row.share for row in inside]
                name = f"{low} and more" if high == BANDS[-1][1] else f"{low} to {high - 1}"
                lines.append(
                    f"| {name} | {measure} | {len(inside)} | {min(shares):.1f}%"
                    f" | {sum(shares) / len(shares):.1f}% | {max(shares):.1f}%"
                    f" | {sum(row.flat for row in inside)} |"
                )
    return "\n".join([*lines, ""])


_UNEVEN = (
    "## Families of uneven size\n\n"
    "Written by `python -m tests.slow_validity --uneven --write docs/validity.md`; seed {seed},"
    " {runs:,} runs of each case. First answers are planted, so every item contributes. Families"
    " far apart in size count as `unswayed.stats.uneven.effective_items` says: where that is under"
    " ten, no run prints an interval.\n\n"
)


def _cases(rows: Iterable[Any]) -> str:
    lines = [
        "| families | twins | model | yields | draws | measure | true effect | contributing"
        " | shown | coverage | half-width |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        case = row.case
        share = "-" if row.share is None else f"{100 * row.share:.1f}%"
        width = "-" if not row.shown else f"{100 * row.width:.1f}"
        inside = "-" if not row.shown else f"{row.contributing:.0f}"
        lines.append(
            f"| {case.n} | {'yes' if case.twins > 1 else 'no'} | {WORDS[case.knows]}"
            f" | {case.yields} | {case.draws} | {row.measure} | {100 * row.effect:+.1f}"
            f" | {inside} | {100 * row.shown / row.runs:.0f}% | {share} | {width} |"
        )
    return "\n".join([*lines, ""])
