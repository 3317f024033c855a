"""Large runs: rows are streamed, and a page holds a stated part of the transcripts."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable

import pytest

from cases.measured import Told, ask, letter, numbered, plan
from unswayed import line
from unswayed.plans.design import Design
from unswayed.profiles.transcripts import Caps


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[int, line.RunFolder]:
    """The same items asked 2 and 12 times."""
    made = {}
    for draws in (2, 12):
        design = Design(
            pressures=("assertion",), names=("target", "truth"), controls=("deleted",),
            listed=True, draws=draws,
        )  # fmt: skip
        made[draws] = plan(tmp_path_factory.mktemp(f"draws{draws}") / "run", numbered(40), design)
        long = "\n\nThat follows from comparing them one by one."

        def answer(request, tail: str = long):
            option = 0 if "pressure" in request.cell and request.draw % 2 else 2
            return f"{letter(request, option)}{tail}"

        ask(made[draws], Told(answer))
    return made


def peak(work: Callable[[], object]) -> int:
    """Most bytes that were held at once."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_c153_reading_and_summing_up_hold_no_run_in_memory(runs: dict[int, line.RunFolder]):
    """C153: six times the rows need less than four times the memory, and little of it."""
    for folder in runs.values():
        line.read(folder, "choice")
        line.profile(folder, "choice")
    for work, most in ((line.read, 8e6), (line.profile, 24e6)):
        small, large = (peak(lambda f=runs[d], w=work: w(f, "choice")) for d in (2, 12))
        assert large < 4 * small, work
        assert large < most, work
    rows = sum(1 for _ in runs[12].replays())
    assert rows == 40 * 12 * 4


def test_c154_a_page_does_not_grow_with_the_run(runs: dict[int, line.RunFolder]):
    """C154: the page holds a capped draw of pairs and says of how many; all stay in the folder.

    The case asks for links to paged transcripts. Here the page itself is bounded, which keeps it
    one file that can be sent; every reply is in the store and every pair in the records.
    """
    sizes = {}
    for draws, folder in runs.items():
        line.read(folder, "choice")
        line.profile(folder, "choice")
        sizes[draws] = line.report(folder, "choice")["html"].stat().st_size
    most = sum(getattr(Caps(), name) for name in Caps.__struct_fields__)
    assert most <= 500
    assert sizes[12] < 1.6 * sizes[2]
    assert sizes[12] < 4_000_000
    text = (runs[12].path / "report.html").read_text("utf-8")
    n_moved = 40 * 6
    assert str(n_moved) in text or f"{n_moved:,}" in text
