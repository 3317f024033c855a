"""Near-duplicates: exact shares, and no pair above the limit is missed."""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unswayed.training.near import NEAR, jaccard, near_pairs, runs_of

WORDS = [f"word{number}" for number in range(40)]


def text(seed: int, length: int = 30) -> str:
    """A text of random words."""
    rng = random.Random(seed)
    return " ".join(rng.choice(WORDS) for _ in range(length))


def test_shares_by_hand():
    """Twelve words have eight runs; a changed last word costs one on either side: 7 of 9."""
    words = [f"w{number}" for number in range(12)]
    one, other = " ".join(words), " ".join([*words[:-1], "else"])
    assert len(runs_of(one)) == 8
    assert jaccard(runs_of(one), runs_of(other)) == pytest.approx(7 / 9)
    assert jaccard(frozenset(), frozenset()) == 0.0


def test_a_changed_word_is_found_and_named_once():
    """One word at the end of thirty leaves 25 of 27 runs; case and signs do not count."""
    one = text(1)
    other = one.upper().rsplit(" ", 1)[0] + ", else!"
    found = list(near_pairs([text(2), one, text(3), other]))
    assert [(a, b) for a, b, _ in found] == [(1, 3)]
    assert found[0][2] == pytest.approx(25 / 27)


def test_no_near_pair_is_missed():
    """Against all pairs compared, on texts with one to three changed words."""
    rng = random.Random(7)
    texts = []
    for seed in range(40):
        words = text(seed, 60).split()
        texts.append(" ".join(words))
        for _ in range(rng.randint(1, 2)):
            words[rng.randrange(len(words))] = "changed"
        texts.append(" ".join(words))
    runs = [runs_of(each) for each in texts]
    every = {
        (a, b) for a, b in combinations(range(len(texts)), 2) if jaccard(runs[a], runs[b]) >= NEAR
    }
    assert len(every) > 20
    assert {(a, b) for a, b, _ in near_pairs(texts)} == every


def test_a_crowd_of_one_template_takes_linear_time():
    """Six hundred fillings of a long template: everyone is near the first, and few pairs else."""
    template = text(5, 60)
    found = list(near_pairs([f"{template} number {number}" for number in range(600)]))
    assert {other for one, other, _ in found if one == 0} == set(range(1, 600))
    assert len(found) < 20_000 < 600 * 599 / 2


def test_short_and_equal_texts_are_no_pairs():
    """A short text says little, and equal texts are found by other checks."""
    assert list(near_pairs(["What is 7 plus 5?", "What is 7 plus 6?"])) == []
    assert list(near_pairs([text(1), text(1), ""])) == []


@given(st.lists(st.text(max_size=60), max_size=8))
def test_any_texts_can_be_compared(texts: list[str]):
    """Whatever the texts, shares are in range and places in order."""
    for one, other, share in near_pairs(texts):
        assert 0 <= one < other < len(texts)
        assert NEAR <= share <= 1
