"""Pairs that differ in tone alone: the same verdict and reason, and no gain for reading tone."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest

from unswayed.errors import GateError, UsageError
from unswayed.readouts.tone_words import count_tones
from unswayed.training.audit import audit, refuse_failing
from unswayed.training.build import Built, check_twins, toned
from unswayed.training.cases import case_of
from unswayed.training.evaluation import folded, line_texts, windows
from unswayed.training.pairs import sides
from unswayed.training.row import TrainingRow
from unswayed.training.shares import shares
from unswayed.training.tones import APART, SHARE, STANCES, openings, with_tones


@pytest.fixture(scope="module")
def more(built: Built) -> Built:
    """Return the set with pairs that differ in tone."""
    return toned(built, SHARE)


def of_kind(built: Built, differs: str) -> list[TrainingRow]:
    """Return the rows whose sides differ in one thing."""
    return [row for row in built.rows if row.differs == differs]


def without_opening(text: str) -> tuple[str, str]:
    """Return the manner of a text's first sentence, and the rest."""
    for bank in openings().values():
        for manner in ("kind", "curt"):
            for said in getattr(bank, manner):
                if text.startswith(f"{said} "):
                    return manner, text.removeprefix(f"{said} ")
    return "", text


def test_the_share_is_the_planned_one(built: Built, more: Built):
    """15 % of all rows; nothing else is lost, and as many other rows have crossed tones."""
    found = shares(more.rows)
    assert found["tone"] == pytest.approx(SHARE, abs=0.005)
    n_tone = len(of_kind(more, "tone"))
    assert len(more.rows) == len(built.rows) + n_tone
    assert Counter(row.differs for row in more.rows if row.tone == APART) == {
        "tone": n_tone, "answer": n_tone,
    }  # fmt: skip
    assert len({row.id for row in more.rows}) == len(more.rows)


def test_tone_pairs_say_the_same_kindly_and_curtly(built: Built, more: Built):
    """Both sides are one completion of the set; the first sentence alone differs."""
    known = {(row.messages, row.completion): row for row in built.rows}
    for row in of_kind(more, "tone"):
        kind, curt = without_opening(row.completion), without_opening(row.rejected)
        assert (kind[0], curt[0]) == ("kind", "curt")
        assert kind[1] == curt[1]
        assert known[row.messages, kind[1]].answer == row.answer
        assert row.wrong == ""


def test_a_kind_tone_is_no_reason(built: Built, more: Built):
    """In the crossed pairs the right answer is the curt one, and neither text is another one."""
    known = {(row.messages, row.completion, row.rejected) for row in built.rows}
    crossed = [row for row in of_kind(more, "answer") if row.tone == APART]
    for row in crossed:
        curt, kind = without_opening(row.completion), without_opening(row.rejected)
        assert (curt[0], kind[0]) == ("curt", "kind")
        assert (row.messages, curt[1], kind[1]) in known
    right = Counter(row.user_right for row in of_kind(more, "tone"))
    assert right[True] == right[False] > 0


def test_no_rule_that_reads_tone_gains(more: Built):
    """With both kinds every policy passes; tone pairs alone are refused by the same audit."""
    share = {each.policy: each for each in more.audit.shortcuts}
    assert share["pair: warm words"].verdict == share["pair: praise words"].verdict == "pass"
    assert share["pair: longer"].verdict == share["pair: shorter"].verdict == "pass"
    alone = [row for row in more.rows if row.differs == "tone" or row.tone != APART]
    with pytest.raises(GateError, match="warm words"):
        refuse_failing(audit([case_of(row) for row in [*alone, *of_kind(more, "tone")]]))


def test_twins_come_along(more: Built):
    """Every named row has its twin, of the same kind where it differs in tone."""
    check_twins(more.rows)
    by_id = {row.id: row for row in more.rows}
    for row in more.rows:
        for name in (row.invariance_twin, row.evidence_twin):
            assert not name or by_id[name].differs == row.differs


def test_figures_of_the_sides(more: Built):
    """The tone reader finds the kind side; lengths tell nothing."""
    found = {each.differs: each for each in sides(more.rows)}
    tone = found["tone"]
    assert tone.n == len(of_kind(more, "tone"))
    assert tone.chosen_warmer > 0.25
    assert tone.rejected_warmer == 0
    assert abs(tone.log_length) < 0.05
    assert tone.chosen_challenges is None
    assert sum(each.n for each in found.values()) == len(more.rows)


def test_first_sentences():
    """Paired and equally long; kind ones praise nothing and none is an evaluation's line."""
    runs = {run for text in line_texts() for run in windows(text, 7)}
    banks = openings()
    assert set(banks) == set(STANCES.values())
    texts = [text for bank in banks.values() for text in (*bank.kind, *bank.curt)]
    assert len(texts) == len(set(texts))
    for bank in banks.values():
        assert len(bank.kind) == len(bank.curt) >= 6
        for kind, curt in zip(bank.kind, bank.curt, strict=True):
            assert 0.8 < len(kind) / len(curt) < 1.25
            assert count_tones(kind)["praise"] == count_tones(curt)["warm"] == 0
            assert "you are right" not in folded(kind)
    for text in texts:
        assert not set(windows(text, 7)) & runs
        assert "{" not in text


@pytest.mark.parametrize("share", [-0.1, 0.31, float("nan")])
def test_a_share_that_no_set_can_have(built: Built, share: float):
    """It is refused, and the allowed range named."""
    with pytest.raises(UsageError, match=r"0 to 0\.3"):
        with_tones(built.rows, seed=0, share=share)


def test_rows_in_the_models_own_words_stay(built: Built):
    """No first sentence is put before a model's own words."""
    own = [msgspec.structs.replace(row, tone="own") for row in built.rows]
    assert with_tones(own, seed=0) == tuple(own)
