"""The profile on a terminal: what was found, with a column for doubts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from unswayed.report.facts import build_head, say_unread
from unswayed.report.figures import EXPLAINED, SIMULATED
from unswayed.report.tables import (
    headline,
    measures_of,
    name_measure,
    rows_of,
    select_cells,
)

if TYPE_CHECKING:
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    from unswayed.profiles.profile import Profile
    from unswayed.report.tables import Row


def render_terminal(profile: Profile) -> Group:
    """Return the head and the headline tables for a terminal.

    Args:
        profile: All numbers.

    Returns:
        A renderable whose texts are taken literally, never as markup.
    """
    from rich.console import Group
    from rich.text import Text

    head = build_head(profile)
    parts: list[Text | Table] = [Text(head.model, style="bold")]
    if profile.about.simulated:
        parts.append(Text(SIMULATED, style="bold red"))
    for index, sentence in enumerate(head.verdict):
        parts.append(Text(sentence, style="bold" if index == 0 else ""))
    parts.append(Text())
    facts = (*head.sizes, *head.key_facts, ("Unread answers", say_unread(head)))
    parts += [Text(f"{term}: {value}", style="dim") for term, value in facts]
    parts.append(Text(f"Cannot show: {head.limits}", style="dim"))
    for severity, text, cell in (*head.doubts, *head.warnings):
        where = f" ({cell})" if cell else ""
        style = "red" if severity == "Stop" else "yellow"
        parts.append(Text(f"{severity}: {text}{where}", style=style))
    parts += _added(profile)
    parts += [
        table for measure in ("capitulation", "correction") for table in _tables(profile, measure)
    ]
    return Group(*parts)


def _added(profile: Profile) -> list[Table | Text]:
    """Return the tables of the section that the benchmark adds."""
    from rich.text import Text

    from unswayed.profiles.sections import section_of

    section = section_of(profile.about.section)
    if section is None:
        return []
    parts: list[Table | Text] = [Text(), Text(section.asks, style="italic")]
    for table, about in section.tables.items():
        cells = select_cells(profile, table)
        rows = rows_of(cells, measures_of(cells))
        if rows:
            heading = about.partition(": ")[0]
            parts += [Text(), _grid(heading, rows, named=True)]
    return parts


def _tables(profile: Profile, measure: str) -> list[Table | Text]:
    from rich.text import Text

    rows = headline(profile, measure)
    if not rows:
        return []
    return [Text(), Text(EXPLAINED[measure], style="italic"), _grid(name_measure(measure), rows)]


def _grid(heading: str, rows: Sequence[Row], *, named: bool = False) -> Table:
    """Return estimates as a table; `named` adds a column with the name of each measure."""
    from rich.table import Table
    from rich.text import Text

    from unswayed.report.visible import one_line

    table = Table(title_justify="left", box=None, padding=(0, 2, 0, 0))
    joint = any(row.shown.joint for row in rows)
    more = ("joint 95% interval", "p, adjusted") if joint else ()
    columns = (heading, *(["measure"] if named else []), "points", "95% interval", *more)
    for column in (*columns, "k/n", "doubts"):
        right = column in ("points", "k/n")
        table.add_column(column, justify="right" if right else "left", header_style="bold")
    for row in rows:
        shown = row.shown
        style = "" if shown.state == "ok" else "dim"
        certain = (shown.joint, shown.p) if joint else ()
        name = (row.name, *([name_measure(row.measure)] if named else []))
        values = (*name, shown.text, shown.interval, *certain, shown.counts, shown.doubt)
        table.add_row(*(Text(one_line(value), style=style) for value in values))
    return table
