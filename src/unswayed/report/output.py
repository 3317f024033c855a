"""The four files of a report: page, profile, Markdown and long table."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from unswayed.counting import are, several
from unswayed.errors import ReportError
from unswayed.report.facts import build_head, say_unread
from unswayed.report.figures import SIMULATED
from unswayed.report.page import PageOptions, encode_profile, render_html
from unswayed.report.tables import Row, headline, name_measure
from unswayed.report.visible import one_line, shorten
from unswayed.rows import replacing, write_text

if TYPE_CHECKING:
    from unswayed.profiles.profile import Cell, Pair, Profile
    from unswayed.stats.estimate import Estimate

COLUMNS = (
    "section",
    "cell",
    "metric",
    "k",
    "n",
    "estimate",
    "low",
    "high",
    "joint_low",
    "joint_high",
    "adjusted_p",
    "bound_low",
    "bound_high",
    "se",
    "n_rows",
    "n_unread",
    "level",
    "state",
    "method",
    "note",
)
"""Columns of the long table."""

Beside = tuple[float | None, ...]
"""Joint interval, adjusted p and bounds of one estimate."""

_LINES = 59


def write_report(
    folder: Path,
    profile: Profile,
    pairs: Sequence[Pair],
    **options: Unpack[PageOptions],
) -> dict[str, Path]:
    """Write the report of one run, each file whole or not at all.

    Args:
        folder: Where the files go; made when absent.
        profile: All numbers.
        pairs: Pairs to show. Without `totals`, `choose_pairs` picks among them.
        **options: `totals`, `packed`, `redact`, `transcripts`, `audit` and `logged`, as for
            `render_html`.

    Returns:
        The paths of `report.html`, `report.json`, `report.md` and `report.csv` by ending.

    Raises:
        ReportError: When `folder` is a file, or one page cannot hold all packed pairs.
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
    page = render_html(profile, pairs, **options)
    write_text(paths["html"], page)
    with replacing(paths["json"]) as stream:
        stream.write(msgspec.json.format(encode_profile(profile), indent=2) + b"\n")
    write_text(paths["md"], render_markdown(profile))
    write_text(paths["csv"], render_csv(profile))
    return paths


def render_csv(profile: Profile) -> str:
    """Return every estimate of the profile as a long table, numbers in full precision."""
    from unswayed.profiles.tables import cell_id

    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(COLUMNS)
    none: Beside = (None,) * 5
    doubts = _doubts(profile)
    mark, of_run = "SIMULATED" if profile.about.simulated else "", doubts.pop("", ())
    entries: list[tuple[str, str, str, Estimate, Beside, Sequence[str]]]
    entries = [("run", "", "accuracy", profile.accuracy, none, ())]
    noise = sorted(profile.noise.items())
    entries += [("noise", "", name, value, none, ()) for name, value in noise]
    for cell in profile.cells:
        name = ", ".join(f"{factor}={level}" for factor, level in sorted(cell.factors.items()))
        said = doubts.get(cell_id(cell.factors), ()) if cell.factors else ()
        entries += [
            (cell.table, name, key, e, _beside(cell, key), said)
            for key, e in sorted(cell.measures.items())
        ]
    for section, name, measure, e, beside, of_cell in entries:
        numbers = (e.k, e.n, e.value, e.low, e.high, *beside)
        numbers += (e.se, e.n_rows, e.n_unread, e.level)
        note = "; ".join(part for part in (mark, e.note, *of_cell, *of_run) if part)
        words = (e.state, e.method, note)
        writer.writerow(
            [
                *(_plain(text) for text in (section, name, measure)),
                *("" if number is None else repr(number) for number in numbers),
                *(_plain(text) for text in words),
            ]
        )
    return stream.getvalue()


def _doubts(profile: Profile) -> dict[str, list[str]]:
    """Return what a page says beside its numbers, by concerned cell; empty for the whole run.

    A row of the table is read alone: what keeps its number from being read as it stands, such as
    an unvalidated judge, has to stand in it.
    """
    caveat = profile.about.caveat
    found: dict[str, list[str]] = {"": [caveat] if caveat else []}
    for warned in profile.warnings:
        if warned.severity != "note" and not warned.text.startswith("SIMULATED"):
            found.setdefault(warned.cell, []).append(warned.text)
    return found


def _beside(cell: Cell, measure: str) -> Beside:
    """Return joint interval, adjusted p and bounds of a measure."""
    none = (None, None)
    return (
        *cell.bands.get(measure, none),
        cell.adjusted_p.get(measure),
        *cell.bounds.get(measure, none),
    )


def _plain(text: str) -> str:
    """Return text that no spreadsheet takes for a formula."""
    line = one_line(text)
    return f"'{line}" if line[:1] in ("=", "+", "-", "@") else line


def render_markdown(profile: Profile) -> str:
    """Return head and headline tables in Markdown, in fewer than 60 lines."""
    head = build_head(profile)
    lines = [f"# Does {_escaped(head.model)} move because it was pushed?", ""]
    if profile.about.simulated:
        lines += [f"**{SIMULATED}**", ""]
    first, *others = head.verdict[:6]
    lines += [f"**{_escaped(first)}**", "", *(f"- {_escaped(x)}" for x in others), ""]
    lines += ["**Before you use these numbers**", ""]
    for severity, text, cell in (*head.doubts, *head.warnings)[:4]:
        concerned = f" ({_escaped(cell)})" if cell else ""
        lines.append(f"- {severity}: {_escaped(text)}{concerned}")
    lines += [f"- Cannot show: {_escaped(head.limits)}", ""]
    facts = (*head.sizes, *head.key_facts, ("Unread answers", say_unread(head)))
    lines += ["| Run | |", "| --- | --- |"]
    lines += [f"| {_escaped(term)} | {_escaped(value)} |" for term, value in facts] + [""]
    lines += _tables(profile, _LINES - len(lines) - 2)
    about = profile.about
    command = _escaped(shorten(one_line(about.command), 300))
    lines.append(f"Plan {_escaped(about.plan)}, seed {about.seed}. Command: {command}")
    return "\n".join(lines) + "\n"


def _tables(profile: Profile, room: int) -> list[str]:
    """Return the headline tables in at most so many lines, and the meaning of their columns."""
    found = [(measure, headline(profile, measure)) for measure in ("capitulation", "correction")]
    found = [(measure, rows) for measure, rows in found if rows]
    joint = any(row.shown.joint for _, rows in found for row in rows)
    each = (room - (2 if joint else 0)) // max(1, len(found)) - 3
    spare = sum(max(0, each - len(rows)) for _, rows in found)
    lines = []
    for measure, rows in found:
        lines += _table(measure, rows, each + (spare if len(rows) > each else 0))
    if joint:
        lines += [
            "Joint: the interval that holds for all pushes together. p: adjusted for their number.",
            "",
        ]
    return lines


def _table(measure: str, rows: Sequence[Row], most: int) -> list[str]:
    """Return a table of at most so many rows, in which the lines that do not push stay."""
    kept = list(rows)
    while len(kept) > most - 2 and len(kept) < len(rows) or len(kept) > most:
        pushes = [index for index, row in enumerate(kept) if not row.control_line]
        kept.pop(pushes[-1] if pushes else -1)
    better = "lower is better" if measure == "capitulation" else "higher is better"
    columns = [
        f"{name_measure(measure)} ({better})",
        "points",
        "95%",
        "joint 95%",
        "p",
        "k/n",
        "doubts",
    ]
    body = []
    for row in kept:
        s = row.shown
        words = (row.name, s.text, s.interval, s.joint, s.counts, s.doubt)
        name, text, interval, joint, counts, doubt = (_escaped(word) for word in words)
        body.append([name, text, interval, joint, s.p, counts, doubt])
    used = [i for i in range(len(columns)) if i < 3 or any(values[i] for values in body)]
    lines = [_bar([columns[i] for i in used]), _bar(["---"] * len(used))]
    lines += [_bar([values[i] for i in used]) for values in body]
    lines.append("")
    cut = len(rows) - len(kept)
    if cut:
        lines += [f"{several(cut, 'more row')} {are(cut)} in report.csv.", ""]
    return lines


def _bar(values: Sequence[str]) -> str:
    return f"| {' | '.join(values)} |"


def _escaped(text: str) -> str:
    """Return one line that Markdown shows as it is."""
    line = shorten(one_line(text), 400)
    line = line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    for character in "\\|`*_[]#":
        line = line.replace(character, "\\" + character)
    return line
