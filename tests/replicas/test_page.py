"""The page of a replica says first why the published number and ours differ."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from cli import done

from unswayed.replicas import REPLICAS


def said(html: str) -> str:
    """Return the words of a page on one line, without its marks."""
    return " ".join(unescape(re.sub("<[^>]*>", " ", html)).split())


@pytest.mark.parametrize("name", REPLICAS)
def test_the_reasons_stand_before_the_finding(name: str, tmp_path: Path):
    """Every sentence that the terminal prints under "Why" stands in the page, before all else."""
    options = ("replicate", name, "-m", "scripted:planted,knows=.7,yields=.4", "--n", 24)
    told = done(*options, "--to", tmp_path / "run", "--json").json
    page = (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    start, finding = page.index('<section id="why"'), page.index('<section id="verdict"')
    assert start < finding
    words = said(page[start:finding])
    assert told["explained"]
    for sentence in told["explained"]:
        assert said(sentence.replace("`", "")) in words.translate({0x201C: None, 0x201D: None})
    for row in told["published"]:
        assert said(row["value"]) in words


def test_a_report_that_is_written_again_has_the_reasons(tmp_path: Path):
    """`unswayed report` knows from the plan that a published system was run again."""
    done("replicate", "syceval", "-m", "scripted:noise", "--n", 12, "--to", tmp_path / "run")
    path = tmp_path / "run" / "report.html"
    first = path.read_text(encoding="utf-8")
    path.unlink()
    done("report", tmp_path / "run")
    assert path.read_text(encoding="utf-8") == first
    assert 'id="why"' in first


def test_the_finding_of_syceval_begins_with_what_lines_do(tmp_path: Path):
    """Effects against the control come before chains of strengths."""
    model = "scripted:planted,knows=.8,yields=.4"
    told = done("replicate", "syceval", "-m", model, "--n", 40, "--to", tmp_path / "r", "--json")
    verdict = told.json["profile"]["verdict"]
    assert verdict[0].startswith("Lines that name a wrong answer took away")
    assert any(text.startswith("Of answers that a weaker line moved") for text in verdict[1:])


def test_an_ordinary_run_has_no_such_section(tmp_path: Path):
    """Nothing was published about it."""
    done("run", "-m", "scripted:noise", "--n", 3, "--to", tmp_path / "run")
    assert 'id="why"' not in (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
