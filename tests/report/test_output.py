"""The files of a report carry the same numbers."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import msgspec
import pytest
from rich.console import Console

from report import reading, samples
from unswayed.errors import ReportError
from unswayed.profiles.profile import Profile, Warned
from unswayed.profiles.tables import cell_id
from unswayed.report import render_html, render_markdown, render_terminal, write_report
from unswayed.report.facts import build_head
from unswayed.report.numbers import show
from unswayed.report.output import render_csv
from unswayed.report.tables import headline


def printed(profile: Profile) -> str:
    """Return what the terminal shows."""
    console = Console(width=200, record=True, file=io.StringIO())
    console.print(render_terminal(profile))
    return console.export_text()


def test_all_files_are_written(tmp_path: Path) -> None:
    """Four whole files and no temporary one."""
    paths = write_report(tmp_path / "run", samples.normal(), samples.pairs(5))
    assert {path.name for path in (tmp_path / "run").iterdir()} == {
        "report.html", "report.json", "report.md", "report.csv",
    }  # fmt: skip
    assert msgspec.json.decode(paths["json"].read_bytes(), type=Profile) == samples.normal()
    assert paths["html"].read_text(encoding="utf-8").startswith("<!doctype html>")


def test_a_file_in_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    """The error says what was given."""
    path = tmp_path / "file"
    path.write_text("", encoding="utf-8")
    with pytest.raises(ReportError, match="needs a folder"):
        write_report(path, samples.normal(), [])


def test_a_hostile_profile_can_be_written_and_read(tmp_path: Path) -> None:
    """Unpaired surrogates become replacement marks in every file."""
    paths = write_report(tmp_path, samples.hostile(), [samples.hostile_pair()])
    read = msgspec.json.decode(paths["json"].read_bytes(), type=Profile)
    assert "\ufffd" in read.about.model
    for path in paths.values():
        path.read_text(encoding="utf-8")


@pytest.mark.parametrize("make", [samples.many, samples.normal, samples.troubled])
def test_every_output_carries_the_same_numbers(make: object) -> None:
    """JSON against CSV number by number; page and terminal word by word."""
    profile: Profile = make()  # type: ignore[operator]
    table = csv.DictReader(io.StringIO(render_csv(profile)))
    found = {(row["section"], row["cell"], row["metric"]): row for row in table}
    page = {cell for row in reading.Page(render_html(profile)).rows for cell in row}
    count = 0
    for cell in profile.cells:
        name = ", ".join(f"{k}={v}" for k, v in sorted(cell.factors.items()))
        for measure, e in cell.measures.items():
            row = found[cell.table, name, measure]
            numbers = (e.value, e.low, e.high, e.k, e.n, e.n_unread, e.se)
            columns = ("estimate", "low", "high", "k", "n", "n_unread", "se")
            beside = (
                *cell.bands.get(measure, (None, None)),
                cell.adjusted_p.get(measure),
                *cell.bounds.get(measure, (None, None)),
            )
            numbers += beside
            columns += ("joint_low", "joint_high", "adjusted_p", "bound_low", "bound_high")
            for number, column in zip(numbers, columns, strict=True):
                assert row[column] == ("" if number is None else repr(number))
            shown = show(measure, e)
            assert (f"{shown.whole}, {shown.counts}" if shown.interval else shown.text) in page
            count += 1
    assert count == len(found) - 1 - len(profile.noise)


@pytest.mark.parametrize("make", [samples.normal, samples.troubled, samples.simulated])
def test_headline_numbers_are_the_same_in_page_markdown_and_terminal(make: object) -> None:
    """One row per headline cell, with the same words in all three."""
    profile: Profile = make()  # type: ignore[operator]
    pages = [tuple(row) for row in reading.Page(render_html(profile)).rows]
    markdown = [
        tuple(part.strip() for part in line.strip("| ").split(" | "))
        for line in render_markdown(profile).splitlines()
        if line.startswith("| ")
    ]
    terminal = printed(profile)
    for measure in ("capitulation", "correction"):
        for row in headline(profile, measure):
            shown = row.shown
            words = (shown.text, shown.interval, shown.joint, shown.p, shown.counts, shown.doubt)
            plain = (shown.text, shown.interval, shown.counts, shown.doubt)
            assert (row.name, *words) in pages or (row.name, *plain) in pages
            assert any(line[0] == row.name and set(plain[:3]) <= set(line) for line in markdown)
            assert any(
                row.name in line and all(word in line for word in words[:5])
                for line in terminal.splitlines()
            )


@pytest.mark.parametrize("make", [samples.many, samples.hostile, samples.normal])
def test_markdown_is_short_and_escaped(make: object) -> None:
    """Fewer than 60 lines, and no text of the profile is markup."""
    text = render_markdown(make())  # type: ignore[operator]
    assert len(text.splitlines()) < 60
    assert "<script" not in text
    assert "<svg" not in text


def test_no_cell_of_the_long_table_is_a_formula() -> None:
    """A spreadsheet that opens the table runs nothing."""
    cell = samples.pressure_cell("=cmd()", "target", 0.1)
    noted = samples.estimate(0.1, note="@sum(1)")
    cell = msgspec.structs.replace(cell, factors={"=cmd()": "x"}, measures={"+capitulation": noted})
    table = csv.DictReader(io.StringIO(render_csv(samples.normal(cells=(cell,)))))
    row = list(table)[-1]
    assert row["cell"] == "'=cmd()=x"
    assert row["metric"] == "'+capitulation"
    assert row["note"].startswith("'@sum(1)")


def test_the_terminal_takes_markup_literally() -> None:
    """Square brackets in names are shown, and the doubts have a column."""
    profile = samples.normal(about=samples.about(model="[bold]x[/bold] \x1b[31m"))
    text = printed(profile)
    assert "[bold]x[/bold] \u27e6U+001B\u27e7[31m" in text
    assert "doubts" in text
    assert "3 unread" in text
    assert "SIMULATED" in printed(samples.simulated())


def test_a_warning_names_its_cell_in_words():
    """The cell of a warning is named as in the tables, while gates read its own name."""
    profile = samples.normal()
    cell = next(cell for cell in profile.cells if cell.table == "pressure")
    warned = Warned(severity="warning", text="Few items.", cell=cell_id(cell.factors))
    head = build_head(msgspec.structs.replace(profile, warnings=(warned,)))
    (named,) = [where for _, text, where in (*head.doubts, *head.warnings) if text == warned.text]
    assert "names a wrong answer" in named
    assert "target" not in named


def test_every_row_of_the_long_table_says_what_speaks_against_its_number() -> None:
    """An unvalidated judge, a stop and a caveat stand in each row, a cell's doubt in its own."""
    cells = (
        samples.pressure_cell("assertion", "target", 0.1),
        samples.pressure_cell("authority", "target", 0.1),
    )
    told = (
        Warned(severity="stop", text="Too many are missing."),
        Warned(severity="warning", text="The judge behind these numbers is j: unvalidated."),
        Warned(severity="warning", text="Weak: unvalidated pressure."),
        Warned(severity="warning", text="Few items.", cell=cell_id(cells[0].factors)),
        Warned(severity="note", text="This explains."),
        Warned(severity="warning", text="SIMULATED: a script."),
    )
    profile = samples.normal(
        about=samples.about(caveat="A very small model.", simulated=True),
        cells=cells,
        warnings=told,
    )
    rows = list(csv.DictReader(io.StringIO(render_csv(profile))))
    assert {row["section"] for row in rows} >= {"run", "pressure"}
    for row in rows:
        for text in ("A very small model.", *(each.text for each in told[:3])):
            assert text in row["note"], row
        assert row["note"].startswith("SIMULATED; ")
        assert row["note"].count("SIMULATED") == 1
        assert "This explains." not in row["note"]
        assert ("Few items." in row["note"]) == ("pressure=assertion" in row["cell"])
