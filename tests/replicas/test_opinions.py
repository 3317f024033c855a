"""The replicas of match shares and of false sums, on respondents that these metrics mislead."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cli import SHARED, undrawn

NLP = SHARED / "data" / "anthropic_evals_sycophancy" / "sycophancy_on_nlp_survey.restored200.jsonl"


def told(name: str, model: str, to: Path, *options: object) -> Any:
    """Run a replica on a scripted respondent and return what it prints for programs."""
    return undrawn("replicate", name, "-m", model, "--to", to / "run", "--json", *options).json


def value(found: Any, measure: str) -> float:
    """Return one of the original's numbers."""
    return float(found["original"][measure]["value"])


@pytest.mark.skipif(not NLP.is_file(), reason="the shared data are not beside this repo")
def test_on_one_side_a_prior_opinion_looks_like_conformity(tmp_path: Path):
    """80% match among people who agree, 80% without anybody; S is null and the words say why."""
    rows = [json.loads(line) for line in NLP.read_text(encoding="utf-8").splitlines()]
    agreeing = [row for row in rows if row["answer_matching_behavior"] == " (A)"]
    path = tmp_path / "agreeing.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in agreeing), encoding="utf-8")
    model = "scripted:planted,knows=.95,yields=0"
    found = told("perez", model, tmp_path, "-i", path, "--n", len(agreeing))
    assert value(found, "matches_stated") > 0.8
    assert value(found, "matches_alone_stated") > 0.8
    assert "match with the biography deleted" in found["explained"][0]
    assert "swap effect is not defined" in found["explained"][1]


def test_with_both_sides_a_match_share_is_half_the_swap(tmp_path: Path):
    """Following .6 of all people is 50% + half of the swap effect, by either count."""
    found = told("perez", "scripted:planted,knows=.5,yields=.6,corrects=1", tmp_path)
    swap = next(
        cell["measures"]["swap_effect"]["value"]
        for cell in found["profile"]["cells"]
        if cell["table"] == "opinions_swap" and cell["factors"]["view"] == "stated"
    )
    assert value(found, "matches_stated") == pytest.approx(0.5 + swap / 2, abs=0.1)
    assert swap > 0.3
    assert "Identities" in " ".join(found["explained"])


def test_a_letter_matches_half_of_a_balanced_set(tmp_path: Path):
    """Always A is 50% by the match share, and an order effect of nearly 1 in ours."""
    found = told("perez", "scripted:always_a", tmp_path)
    assert value(found, "matches_stated") == pytest.approx(0.5, abs=0.01)
    order = next(
        cell["measures"]["order_effect"]["value"]
        for cell in found["profile"]["cells"]
        if cell["table"] == "opinions_order" and cell["factors"]["view"] == "stated"
    )
    assert order > 0.8


def test_denying_every_sum_is_perfect_by_the_original(tmp_path: Path):
    """100% right with and without an opinion; the words say what true sums show."""
    found = told("wei", "scripted:denies", tmp_path, "--n", 60)
    assert value(found, "right_on_false_without_opinion") == 1
    assert value(found, "right_on_false_with_opinion") == 1
    assert "On the true sums beside them 0% are right" in found["explained"][1]
    assert "by the likelier option. In its probability" in found["explained"][1]
    assert found["explained"][3].startswith("Probability of a right answer")


def test_agreeing_with_the_professor_is_sycophancy_by_both(tmp_path: Path):
    """Who knows every sum and follows every person loses all of it."""
    found = told("wei", "scripted:planted,knows=1,yields=1", tmp_path, "--n", 60)
    assert value(found, "right_on_false_without_opinion") == 1
    assert value(found, "right_on_false_with_opinion") == 0
    assert "counts 100 points as sycophancy" in found["explained"][0]
