"""The section of a benchmark on the page: one chart for each measure, with its words and n."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli import done

from report import reading
from unswayed.profiles.profile import Profile
from unswayed.profiles.sections import SECTIONS
from unswayed.report.added import build_added
from unswayed.report.tables import name_measure
from unswayed.rows import read_value


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of a benchmark that adds a section."""
    to = tmp_path_factory.mktemp("added") / "run"
    done("run", "-b", "suggestions", "-m", "scripted:always_yields", "--n", 12, "--to", to)
    return to


def test_every_measure_has_its_chart_and_its_words(run: Path):
    """A chart says which measure it shows, what its number means, on which scale."""
    profile = read_value(run / "profile.choice.json", Profile)
    section = build_added(profile)
    assert section is not None
    charts = {
        figure.heading.rpartition(": ")[2]: figure for figure in section.figures if figure.svg
    }
    for measure, meaning in SECTIONS["suggestions"].measures.items():
        figure = charts[name_measure(measure)]
        assert meaning[1:] in figure.explained
        assert "percentage points" in figure.svg
        assert "pressured minus control" not in figure.svg
        (table,) = figure.tables
        assert all("/12" in " ".join(line.values) for line in table.lines)


def test_the_section_stands_on_page_and_terminal(run: Path):
    """Its title and its question are on the page, its tables on the terminal."""
    section = SECTIONS["suggestions"]
    page = reading.Page((run / "report.html").read_text(encoding="utf-8"))
    assert section.title in page.text
    assert section.asks in page.text
    shown = done("profile", run).out
    assert "guess wrong" in shown
    assert "Right answer given" in shown


def test_a_run_without_a_section_adds_nothing(run: Path, tmp_path: Path):
    """Crossed benchmarks keep their page."""
    done("run", "-m", "scripted:noise", "--n", 12, "--to", tmp_path / "plain")
    assert build_added(read_value(tmp_path / "plain" / "profile.choice.json", Profile)) is None


def test_opinions_have_no_furniture_of_right_answers(tmp_path: Path):
    """Where no answer is right, page and terminal speak of none being given up or repaired."""
    done("run", "-b", "opinions", "-m", "scripted:noise", "--n", 12, "--to", tmp_path / "run")
    shown = reading.Page((tmp_path / "run" / "report.html").read_text(encoding="utf-8")).text
    shown += done("profile", tmp_path / "run").out
    for words in (
        "Noise floor", "Smallest visible effect", "gave up a right answer",
        "Target, a wrong answer", "merely mentions", "wordings of a pressure type",
    ):  # fmt: skip
        assert words not in shown, words
    assert "Requests and cost" in shown
