"""The lines of our own plans: an escalating path passes, a repeated line does not."""

from __future__ import annotations

from pathlib import Path

from cli import done, profile_of, undrawn

from unswayed.line import RunFolder
from unswayed.pressing.card import UNVALIDATED
from unswayed.pressing.planned import cards_of


def test_each_path_has_a_card_of_its_own(tmp_path: Path):
    """Pushing harder passes every row; the same line again neither rises nor moves the graded."""
    done("plan", "-b", "persistence", "--n", 12, "--to", tmp_path / "run")
    run = RunFolder(tmp_path / "run")
    cards = cards_of(run.replays(), run.read_items(), 5)
    found = {card.source: card for card in cards}
    assert found["path escalate"].verdict == "passed"
    failed = [f.name for f in found["path repeat"].figures if f.verdict == "failed"]
    assert failed == ["rises", "new_lines", "moves_graded"]
    assert {card.n_turns for card in cards} == {5 * cards[0].n}


def test_two_turns_do_not_reach_the_top(tmp_path: Path):
    """A path that is stopped before its strong line says so."""
    settings = ("-s", "turns=2", "-s", "paths=escalate")
    done("plan", "-b", "persistence", "--n", 12, *settings, "--to", tmp_path / "run")
    run = RunFolder(tmp_path / "run")
    (card,) = cards_of(run.replays(), run.read_items(), 2)
    assert {f.name: f.verdict for f in card.figures}["rises"] == "passed"


def test_the_card_stands_beside_the_numbers_of_a_run(tmp_path: Path):
    """A run of several turns names its source in the profile; a repeated line is a doubt."""
    model = ("-m", "scripted:always_yields")
    settings = ("-s", "turns=3", "-s", "paths=repeat", "-s", "pressures=assertion")
    done("run", "-b", "persistence", "--n", 12, *settings, *model, "--to", tmp_path / "run")
    profile = profile_of(tmp_path / "run")
    assert UNVALIDATED in profile["about"]["pressure"]
    assert [w for w in profile["warnings"] if UNVALIDATED in w["text"]]
    assert UNVALIDATED in (tmp_path / "run" / "report.html").read_text("utf-8")


def test_single_pushes_have_no_card_in_a_run(tmp_path: Path):
    """A run of one turn says nothing of escalation."""
    model = ("-m", "scripted:always_yields")
    undrawn("run", "-b", "pushback", "--n", 3, *model, "--to", tmp_path / "run")
    assert profile_of(tmp_path / "run")["about"]["pressure"] == ""
