"""`unswayed report`: the files that it names, from the records, redacted on demand."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

from cli import done, profile_of

from unswayed.line import RunFolder


def test_every_named_file_is_there(copied: Callable[[], Path]):
    """One absolute path a line, each of a file that was just written."""
    folder = copied()
    for path in folder.glob("report.*"):
        path.unlink()
    called = done("report", folder)
    paths = [Path(line) for line in called.out.splitlines()]
    assert {path.suffix for path in paths} == {".html", ".json", ".md", ".csv"}
    assert all(path.is_absolute() and path.stat().st_size > 0 for path in paths)
    assert called.err == ""


def test_files_hold_the_profile(copied: Callable[[], Path]):
    """The JSON is the profile, and every row of the CSV is one of its estimates."""
    folder = copied()
    done("report", folder)
    profile = profile_of(folder)
    assert json.loads((folder / "report.json").read_text(encoding="utf-8")) == profile
    with (folder / "report.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    values = {
        round(measure["value"], 6)
        for cell in profile["cells"]
        for measure in cell["measures"].values()
        if measure["value"] is not None
    }
    told = {round(float(row["estimate"]), 6) for row in rows if row["estimate"]}
    assert len(told) > 10
    assert told <= values | {
        round(each["value"], 6)
        for each in (profile["accuracy"], *profile["noise"].values())
        if each["value"] is not None
    }
    text = (folder / "report.md").read_text(encoding="utf-8")
    for sentence in profile["verdict"]:
        assert sentence in text


def test_redacted_and_without_transcripts(copied: Callable[[], Path]):
    """No question of the items is in the page of either, and in the full page some are."""
    folder = copied()
    questions = [item.question for item in RunFolder(folder).read_items().values()]

    def shown() -> int:
        page = (folder / "report.html").read_text(encoding="utf-8")
        return sum(question in page for question in questions if "'" not in question)

    done("report", folder)
    assert shown() > 0
    done("report", folder, "--redact")
    assert shown() == 0
    done("report", folder, "--no-transcripts")
    assert shown() == 0


def test_report_without_records_reads_first(copied: Callable[[], Path]):
    """A run that was never read is read on the way."""
    folder = copied()
    (folder / "records.choice.jsonl").unlink()
    (folder / "profile.choice.json").unlink()
    done("report", folder)
    assert (folder / "records.choice.jsonl").exists()
