"""The section on a log of another tool: its scorer's number beside ours, on the same replies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from unswayed.report.figures import Figure, Section
from unswayed.report.listings import Line, Table
from unswayed.report.numbers import show, whole_number
from unswayed.report.visible import one_line, shorten

if TYPE_CHECKING:
    from unswayed.imports.beside import Beside, Difference
    from unswayed.imports.importing import Imported
    from unswayed.stats.estimate import Estimate

LISTED = 40
"""Conversations on which both differ that stand in the page; the file has all."""

_REPLY = 160
_EXPLAINED = (
    "The log says how often its own scorer found the answer right. Beside that stands what our"
    " readout finds in the same stored replies; no model was asked again. Rows marked 'where both'"
    " compare like with like. No agreement makes either side right: read the replies on which they"
    " differ. Neither number says anything about pressure; the sections below do."
)


def build_imported(found: Imported | None, *, texts: bool = True) -> Section | None:
    """Return the section on both sides of an imported log; None without one.

    Args:
        found: The log as it was read.
        texts: Whether replies of the log may be shown.
    """
    if found is None:
        return None
    ours = found.summary.ours
    figures = [_figure(each, found, texts=texts) for each in found.summary.beside]
    if not figures:
        alone = _table("Our number", [_line(f"ours, readout {found.summary.readout}", ours)])
        figures = [_tables("The log holds no scores: there is no number of theirs.", alone)]
    return Section(
        key="beside",
        heading="Theirs beside ours",
        explained=_EXPLAINED,
        figures=tuple(figures),
    )


def _figure(each: Beside, found: Imported, *, texts: bool) -> Figure:
    name = shorten(one_line(each.scorer), 80)
    judged = " The log says that a model scored." if each.by == "model" else ""
    tables = [_numbers(each, found), _verdicts(each)]
    listed = [one for one in found.differences if one.scorer == each.scorer]
    if listed and texts:
        tables.append(_differences(listed))
    words = f"1 of this scorer is taken as right and 0 as wrong.{judged}"
    return _tables(words, *tables, heading=f"Scorer {name}")


def _tables(explained: str, *tables: Table, heading: str = "") -> Figure:
    return Figure(heading=heading, explained=explained, svg="", tables=tables, opened=True)


def _numbers(each: Beside, found: Imported) -> Table:
    stated = [
        Line(
            name=f"stated in the log: {shorten(one_line(name), 60)}",
            values=("not a number" if value is None else f"{value:.4g}", "", "", ""),
        )
        for name, value in each.reported.items()
    ]
    missing = "; ".join(f"{why} {count}" for why, count in each.theirs_missing.items())
    return _table(
        "Right answers, their number and ours",
        [
            *stated,
            _line("theirs", each.theirs, missing),
            _line(f"ours, readout {found.summary.readout}", found.summary.ours),
            _line("theirs, where both", each.theirs_common),
            _line("ours, where both", each.ours_common),
            _line("the same verdict", each.agreement),
        ],
    )


def _table(caption: str, lines: Sequence[Line]) -> Table:
    columns = ("Side", "Right", "95% interval", "k/n", "Doubts")
    return Table(caption=caption, columns=columns, lines=tuple(lines))


def _line(name: str, estimate: Estimate, doubt: str = "") -> Line:
    shown = show("accuracy", estimate)
    doubts = "; ".join(filter(None, (shown.doubt, one_line(doubt))))
    values = (shown.text, shown.interval, shown.counts, doubts)
    return Line(name=name, values=values, state=shown.state)


def _verdicts(each: Beside) -> Table:
    lines = []
    for pair, count in each.counts.items():
        theirs, _, ours = pair.partition("|")
        same = "yes" if theirs == ours else "no"
        lines.append(Line(name=theirs, values=(one_line(ours), whole_number(count), same)))
    return Table(
        caption="Conversations by both verdicts",
        columns=("Theirs", "Ours", "Conversations", "The same"),
        lines=tuple(lines),
    )


def _differences(listed: Sequence[Difference]) -> Table:
    shown = listed[:LISTED]
    rest = len(listed) - len(shown)
    more = f"; {whole_number(rest)} more stand in differences.jsonl" if rest else ""
    lines = tuple(
        Line(
            name=shorten(one_line(one.sample), 40),
            values=(
                one.theirs,
                one.ours,
                shorten(one_line(one.value or ""), 60),
                shorten(one_line(one.truth), 60),
                shorten(one_line(one.reply), _REPLY),
            ),
        )
        for one in shown
    )
    return Table(
        caption=f"Conversations on which they differ{more}",
        columns=("Sample", "Theirs", "Ours", "We read", "Right", "Reply"),
        lines=lines,
    )
