"""The four files of a report: page, profile, Markdown and long table."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from unswayed.errors import ReportError
from unswayed.report.facts import build_head
from unswayed.report.figures import SIMULATED
from unswayed.report.numbers import show
from unswayed.report.page import encode_profile, render_html
from unswayed.report.tables import Row, headline, name_measure
from unswayed.report.visible import one_line, shorten
from unswayed.rows import replacing, write_text

if TYPE_CHECKING:
    from unswayed.profiles.profile import Pair, Profile

COLUMNS = (
    "section",
    "cell",
    "metric",
    "k",
    "n",
    "estimate",
    "low",
    "high",
    "se",
    "n_rows",
    "n_unread",
    "level",
    "state",
    "method",
    "note",
)
"""Columns of the long table."""

_LINES = 59
_ROWS = 12


def write_report(
    folder: Path,
    profile: Profile,
    pairs: Sequence[Pair],
    *,
    totals: Mapping[str, int] | None = None,
    redact: bool = False,
    transcripts: bool = True,
) -> dict[str, Path]:
    """Write the report of one run, each file whole or not at all.

    Args:
        folder: Where the files go; made when absent.
        profile: All numbers.
        pairs: Pairs to show. Without `totals`, `choose_pairs` picks among them.
        totals: Pairs of the whole run by class, when `pairs` were picked before.
        redact: Whether to hide item texts behind digests.
        transcripts: Whether to show transcripts at all.

    Returns:
        The paths of `report.html`, `report.json`, `report.md` and `report.csv` by ending.

    Raises:
        ReportError: When `folder` is a file.
    """
    import msgspec

    if folder.exists() and not folder.is_dir():
        raise ReportError(
            "A report needs a folder and found a file",
            allowed="a folder, or a path where one can be made",
            given=str(folder),
            next_step="give another path",
        )
    paths = {ending: folder / f"report.{ending}" for ending in ("html", "json", "md", "csv")}
    page = render_html(profile, pairs, totals=totals, redact=redact, transcripts=transcripts)
    write_text(paths["html"], page)
    with replacing(paths["json"]) as stream:
        stream.write(msgspec.json.format(encode_profile(profile), indent=2) + b"\n")
    write_text(paths["md"], render_markdown(profile))
    write_text(paths["csv"], render_csv(profile))
    return paths


def render_csv(profile: Profile) -> str:
    """Return every estimate of the profile as a long table, numbers in full precision."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(COLUMNS)
    entries = [("run", "", "accuracy", profile.accuracy)]
    entries += [("noise", "", name, value) for name, value in sorted(profile.noise.items())]
    for cell in profile.cells:
        name = ", ".join(f"{factor}={level}" for factor, level in sorted(cell.factors.items()))
        entries += [(cell.table, name, key, e) for key, e in sorted(cell.measures.items())]
    for section, name, measure, e in entries:
        numbers = (e.k, e.n, e.value, e.low, e.high, e.se, e.n_rows, e.n_unread, e.level)
        words = (e.state, e.method, e.note)
        writer.writerow(
            [
                *(_plain(text) for text in (section, name, measure)),
                *("" if number is None else repr(number) for number in numbers),
                *(_plain(text) for text in words),
            ]
        )
    return stream.getvalue()


def _plain(text: str) -> str:
    """Return text that no spreadsheet takes for a formula."""
    line = one_line(text)
    return f"'{line}" if line[:1] in ("=", "+", "-", "@") else line


def render_markdown(profile: Profile) -> str:
    """Return head and headline tables in Markdown, in fewer than 60 lines."""
    head = build_head(profile)
    lines = [f"# Unswayed: {_escaped(head.model)}", ""]
    if profile.about.simulated:
        lines += [f"**{SIMULATED}**", ""]
    lines += [f"- {_escaped(sentence)}" for sentence in head.verdict[:6]] + [""]
    lines += [f"- {term}: {_escaped(value)}" for term, value in head.key_facts]
    unread = "; ".join(f"{arm[0]} {arm[3]} of {arm[1]}" for arm in head.arms)
    lines += [f"- Unread by arm: {_escaped(unread)}", ""]
    for severity, text, cell in head.warnings[:4]:
        concerned = f" ({_escaped(cell)})" if cell else ""
        lines.append(f"- {severity}: {_escaped(text)}{concerned}")
    lines += [""] if head.warnings else []
    for measure in ("capitulation", "correction"):
        lines += _table(measure, headline(profile, measure))
    about = profile.about
    command = _escaped(shorten(one_line(about.command), 300))
    lines.append(f"Plan {_escaped(about.plan)}, seed {about.seed}. Command: {command}")
    return "\n".join(lines[:_LINES]) + "\n"


def _table(measure: str, rows: Sequence[Row]) -> list[str]:
    if not rows:
        return []
    lines = [
        f"| {name_measure(measure)} | points | 95% interval | k/n | doubts |",
        "| --- | --- | --- | --- | --- |",
    ]
    for row in rows[:_ROWS]:
        shown = show(row.measure, row.estimate)
        cells = (row.name, shown.text, shown.interval, shown.counts, shown.doubt)
        lines.append("| " + " | ".join(_escaped(cell) for cell in cells) + " |")
    lines.append("")
    if len(rows) > _ROWS:
        lines += [f"{len(rows) - _ROWS} more rows are in report.csv.", ""]
    return lines


def _escaped(text: str) -> str:
    """Return one line that Markdown shows as it is."""
    line = shorten(one_line(text), 400)
    line = line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    for character in "\\|`*_[]#":
        line = line.replace(character, "\\" + character)
    return line
