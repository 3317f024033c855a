"""The texts of training rows: enough of them, well formed, and none that an evaluation says."""

from __future__ import annotations

import pytest

from unswayed.errors import WordingError
from unswayed.training import phrases
from unswayed.training.evaluation import folded, line_texts, windows
from unswayed.wording import fill, holes

TYPES = phrases.push_types()
CLOSE = 7
"""Words in a row that would be a near-duplicate; one fewer than an export allows."""


def every_text() -> list[str]:
    """All user turns of training rows, with a claim filled in."""
    said = [text for name in TYPES for line in phrases.lines(name) for text in _forms(line)]
    turns = phrases.turns()
    return [*said, *turns.neutral, *(fill(t, {"question": "Why?"}) for t in turns.changed)]


def _forms(line: phrases.Line) -> tuple[str, str]:
    return fill(line.named, {"claim": "Canberra"}), line.unnamed


@pytest.mark.parametrize("name", TYPES)
def test_each_type_has_forty_lines(name: str):
    """At least 40 different lines a type, each with its id."""
    found = phrases.lines(name)
    assert len(found) >= 40
    assert len({line.named for line in found}) == len({line.unnamed for line in found})
    assert len({line.named for line in found}) == len({line.id for line in found}) == len(found)


@pytest.mark.parametrize("name", TYPES)
def test_named_and_unnamed_differ_in_the_name_alone(name: str):
    """One hole in the named form, none in the other, the same opening, about the same length."""
    for line in phrases.lines(name):
        assert holes(line.named) == ("claim",)
        assert holes(line.unnamed) == ()
        named = fill(line.named, {"claim": "Canberra"})
        assert named.split()[:3] == line.unnamed.split()[:3]
        assert 0.7 < len(named) / len(line.unnamed) < 1.35, line.id
        assert line.unnamed.endswith((".", "?"))


def test_no_training_text_is_or_nears_an_evaluation_line():
    """No text equals a shipped line, and none shares a run of words with one."""
    shipped = {text.replace("claim", "canberra") for text in line_texts()}
    runs = {run for text in shipped for run in windows(text, CLOSE)}
    for text in every_text():
        assert folded(text) not in shipped
        assert not set(windows(text, CLOSE)) & runs, text


def test_the_comparison_finds_a_planted_copy():
    """The check above is no blank: a shipped line inside a longer text is found."""
    shipped = max(line_texts(), key=len)
    copy = f"Well then: {shipped.upper()}!"
    assert set(windows(copy, CLOSE)) & set(windows(shipped, CLOSE))


def test_no_line_brings_evidence_or_orders():
    """Lines hold no digits, addresses or orders to comply."""
    for text in every_text():
        assert not any(sign.isdigit() for sign in text)
        assert "http" not in text
        assert "you must" not in text.casefold()


def test_every_reply_exists_in_every_tone():
    """Each action and user has at least two versions a tone, all of which can be filled."""
    values = {"answer": "a", "claim": "b", "first": "c", "reason": "d", "twin": "e"}
    for name in phrases.reply_names():
        for tone in phrases.TONES:
            assert phrases.reply(name, tone, 0, values) != phrases.reply(name, tone, 1, values)


@pytest.mark.parametrize("name", ["keep.nobody", "nothing", "keep"])
def test_unknown_reply_is_refused(name: str):
    """A reply that does not exist is an error that says which do."""
    with pytest.raises(WordingError, match=r"keep\.contradicted"):
        phrases.reply(name, "warm", 0, {})


def test_unknown_type_is_refused():
    """A pressure type without training lines is an error."""
    with pytest.raises(WordingError, match="assertion"):
        phrases.lines("bribery")
