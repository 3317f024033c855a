"""Plans of a user's own items: a refusal of a wrong family ends with the command that reads it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import msgspec

from unswayed.errors import ItemError, PlanError, ReadoutError

if TYPE_CHECKING:
    from unswayed.benchmarks import Benchmark
    from unswayed.items.item import Item

TRIED = 3
"""Items that are planned with a benchmark to see whether it asks such items."""

SPECIFIC = ("opinions", "tutoring", "premises", "lens")
"""Benchmarks of one family, which are named before those that ask whatever has options."""

NONE_FITS = (
    "no benchmark asks such items as they are: give each a truth and a wrong target, and options"
    " or a number (docs/items.md)"
)


@contextmanager
def told_what_fits(
    items: Sequence[Item], source: str | None, benchmark: Benchmark
) -> Iterator[None]:
    """Say in a refusal of a file of the wrong family which command would read it.

    A refusal of what was set, with items that the benchmark asks as it is declared, stays as it is.

    Args:
        items: The items of the file.
        source: The file; None for built-in items, of which no refusal is changed.
        benchmark: What was to be asked of them.

    Raises:
        PlanError: As it was raised, its next step with the command.
        ReadoutError: Likewise.
        ItemError: Likewise.
    """
    try:
        yield
    except (PlanError, ReadoutError, ItemError) as error:
        if source is None or asks(benchmark, items):
            raise
        raise type(error)(
            error.wrong,
            allowed=error.allowed,
            given=error.given,
            next_step=f"{what_fits(items, source)}; or {error.next_step}",
        ) from error


def what_fits(items: Sequence[Item], source: str) -> str:
    """Return the command that asks the items of a file, or what they need where there is none."""
    from unswayed.benchmarks import BENCHMARKS

    for name in dict.fromkeys((*SPECIFIC, *BENCHMARKS)):
        if asks(BENCHMARKS[name], items):
            return f"ask them with `unswayed run -b {name} -i {shlex.quote(source)} -m MODEL`"
    return NONE_FITS


def asks(benchmark: Benchmark, items: Sequence[Item]) -> bool:
    """Say whether a benchmark asks such items as it is declared."""
    from unswayed.plans.audit import check_compared
    from unswayed.plans.check import check_replays
    from unswayed.plans.cross import cross
    from unswayed.readable import check_keyed, check_readable

    some = items[:TRIED]
    known, design = {item.id: item for item in some}, benchmark.design
    if design.readout == "choice" and not design.scored and not all(i.options for i in some):
        # As the commands do where some items list no options.
        design = msgspec.structs.replace(design, readout="by_form")
    try:
        check_readable(some, design)
        replays = check_keyed(cross(some, design), known, design.readout)
        for _ in check_compared(check_replays(replays), known, design):
            pass
    except (PlanError, ReadoutError, ItemError):
        return False
    return True
