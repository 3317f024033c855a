"""One row is shown, two rows are shown."""

import ast
import re
from itertools import pairwise
from pathlib import Path

import pytest

import unswayed
from unswayed.counting import are, several, verb


@pytest.mark.parametrize(
    ("n", "said"), [(0, "0 rows are"), (1, "1 row is"), (2, "2 rows are"), (1200, "1,200 rows are")]
)
def test_noun_and_verb_follow_the_number(n: int, said: str):
    """None and several take the plural."""
    assert f"{several(n, 'row')} {are(n)}" == said


def test_another_verb_follows_the_number():
    """None and several take the plural."""
    assert [verb(n, "has", "have") for n in (0, 1, 2)] == ["have", "has", "have"]


def test_a_noun_with_its_own_plural():
    """The plural is given where it is not made with an s."""
    assert several(2, "family", "families") == "2 families"
    assert several(1, "family", "families") == "1 family"


COUNTED = re.compile(r" (?!of |when )(?:[a-z]+ ){0,3}?[a-z]+s (?:are|were|have|lie|stand|hold) ")
"""A plural noun with its verb, right after a number that is put in."""

NEVER_ONE = {
    ("profiles/doubts.py", "MISSING_SHARE"),  # a share in percent, before "effects"
    ("profiles/ranking.py", "found.n_models"),  # two models at least have a ranking
    ("report/figures.py", "n"),  # "of n rows", where n exceeds what is drawn
}


def test_no_sentence_says_one_rows_are():
    """A number before a plural and its verb may be one: `several` and `verb` follow it."""
    root = Path(unswayed.__file__).parent
    found = {
        (path.relative_to(root).as_posix(), ast.unparse(number.value))
        for path in root.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.JoinedStr)
        for number, text in pairwise(node.values)
        if isinstance(number, ast.FormattedValue)
        and isinstance(text, ast.Constant)
        and COUNTED.match(str(text.value))
    }
    assert found == NEVER_ONE
