"""Trivial policies: what each of them reaches on rows whose answer is known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import ClassVar

import pytest

from unswayed.readouts.tone_words import count_tones
from unswayed.training.cases import Case
from unswayed.training.shortcuts import Shortcut, judge, rows_missing, shortcuts

Make = Callable[..., Case]


def shares(cases: list[Case]) -> dict[str, Shortcut]:
    """Return what each policy reaches, by name."""
    return {found.policy: found for found in shortcuts(cases)}


def test_agreeing_and_keeping(case: Make):
    """Shares of agree and disagree, keep and switch add up to one, and count only known rows."""
    cases = [case(user_right=n < 30, kept=n < 80) for n in range(100)] + [case() for _ in range(9)]
    found = shares(cases)
    got = {name: found[name].share.k for name in ("always agree", "always disagree")}
    assert got == {"always agree": 30, "always disagree": 70}
    assert (found["keep first"].share.k, found["switch first"].share.k) == (80, 20)
    assert found["keep first"].share.n_rows == 100
    assert found["always disagree"].verdict == "fail"
    assert found["always agree"].verdict == "pass"


def test_positions_and_lengths(case: Make):
    """The truth at B of four and always the longest option is seen by both policies."""
    options = ("aa", "bbbb", "cc", "dd")
    found = shares([case(options=options, answer="bbbb") for _ in range(40)])
    assert found["always option B"].share.value == 1
    assert found["longest option"].share.value == 1
    assert found["always option B"].limit == pytest.approx(0.30)
    assert found["last option"].share.value == 0
    ties = shares([case(options=("aa", "bb"), answer="bb") for _ in range(40)])
    assert ties["longest option"].share.value == 0.5


def test_the_answer_that_is_mentioned_last(case: Make):
    """A user who is always right names the right answer last; whole words and numbers count."""
    told = [case(prompt="I got 5. It is 35.", answer="35", wrong="5") for _ in range(40)]
    found = shares(told)
    assert (found["last mentioned"].share.value, found["first mentioned"].share.value) == (1, 0)
    assert found["last mentioned"].verdict == "fail"
    assert found["last mentioned"].chance == 0.5
    silent = shares([case(prompt="It is 357.", answer="35", wrong="57") for _ in range(40)])
    assert "last mentioned" not in silent


def test_the_option_that_is_mentioned_first(case: Make):
    """Without a known wrong answer every option counts, with the chance of one."""
    options = ("red", "green", "blue")
    told = [case(prompt="Blue? Red?", answer="blue", options=options) for _ in range(40)]
    found = shares(told)
    assert found["first mentioned"].share.value == 1
    assert found["first mentioned"].chance == pytest.approx(1 / 3)


def test_words_of_pairs(case: Make):
    """A set whose chosen side always apologizes, praises or is longer is solved by that."""
    pairs = [case(chosen="Sorry, that is a great idea, thanks.", rejected="No.")] * 12
    found = shares(pairs)
    for name in ("longer", "apology first", "praise words"):
        assert found[f"pair: {name}"].share.value == 1
    assert found["pair: shorter"].share.value == 0
    assert found["pair: disagreeing words"].share.value == 0
    turned = shares([case(chosen="No.", rejected="Sorry, that is a great idea, thanks.")] * 12)
    for name in ("shorter", "no apology first", "fewer praise words", "disagreeing words"):
        assert turned[f"pair: {name}"].share.value == 1


@pytest.mark.parametrize("caves", ["You're right, it is 5.", "I stand corrected: 5.", "Yes, 5."])
def test_agreeing_words_give_a_set_away(case: Make, caves: str):
    """C063: whoever is right, the side with fewer words of agreement, or with more, is chosen."""
    firm = shares([case(chosen="It is 4, as I said.", rejected=caves) for _ in range(40)])
    assert firm["pair: fewer agreeing words"].share.value == 1
    assert firm["pair: fewer agreeing words"].verdict == "fail"
    soft = shares([case(chosen=caves, rejected="It is 4, as I said.") for _ in range(40)])
    assert soft["pair: agreeing words"].verdict == "fail"


def test_verdicts_have_a_chance_of_one_half(case: Make):
    """Always saying false solves a set of false statements."""
    found = shares([case(answer="False", options=("True", "False")) for _ in range(60)])
    assert found["always false"].share.value == 1
    assert "always no" not in found


def test_wording_table_needs_other_families(case: Make):
    """A line that always goes with a user in the right is learned from other families."""
    cases = [case(wording=f"w{n % 2}", user_right=n % 2 == 0) for n in range(40)]
    assert shares(cases)["wording table"].share.value == 1
    even = [case(wording="w", user_right=n % 2 == 0, family=f"g{n // 2}") for n in range(40)]
    assert shares(even)["wording table"].share.value == 0.5


def test_verdict_needs_the_lower_end(case: Make):
    """A point above the limit with a wide interval warns; a narrow one fails."""
    few = judge("p", [(1.0, 0.5, f"f{n}") for n in range(7)] + [(0.0, 0.5, f"g{n}") for n in "abc"])
    many = judge("p", [(float(n % 10 < 7), 0.5, f"f{n}") for n in range(1000)])
    assert (few.verdict, many.verdict) == ("warn", "fail")


def test_one_large_family_is_no_pass():
    """Where one family has most rows there is no interval, and a point above the limit warns."""
    hits = [(1.0, 0.5, "large")] * 60 + [(float(n % 2), 0.5, f"f{n}") for n in range(40)]
    found = judge("p", hits)
    assert (found.share.state, found.verdict) == ("insufficient", "warn")
    assert found.missing > 0


@pytest.mark.parametrize(
    ("hits", "n", "limit", "missing"),
    [(143, 150, 0.55, 110), (143, 150, 0.5, 136), (810, 1000, 0.5, 620), (5, 10, 0.5, 0)],
)
def test_rows_missing(hits: int, n: int, limit: float, missing: int):
    """The count is n (s / limit - 1), rounded up, never below 0."""
    assert rows_missing(hits / n, n, limit) == missing


def test_a_false_twin_that_is_one_word_longer_is_told_by_length(case: Make):
    """A planted word decides every pair; twins of one length decide none."""
    for word, share in (("", 0.5), (" clearly", 1.0)):
        cases = [
            case(family=f"f{number}", prompt=text, answer=answer)
            for number in range(40)
            for text, answer in (
                (f"Does {number} times 2 give {2 * number}?", "True"),
                (f"Does {number} times 2{word} give {2 * number + 1}?", "False"),
            )
        ]
        found = {each.policy: each for each in shortcuts(cases)}
        shorter = found["twins: the shorter statement is true"]
        assert shorter.share.value == share
        assert shorter.verdict == ("fail" if word else "pass")


def test_a_text_is_counted_once_for_more_and_for_fewer(case: Make, monkeypatch: pytest.MonkeyPatch):
    """Both signs use one count, however many pairs a text stands in, and mirror each other."""
    seen: Counter[str] = Counter()

    def counting(text: str) -> Counter[str]:
        """Count as before, and keep what was counted."""
        seen[text] += 1
        return count_tones(text)

    class Marks:
        """A pattern that keeps what it was asked of."""

        asked: ClassVar[Counter[str]] = Counter()

        def findall(self, text: str) -> list[str]:
            """Return the stars of a text."""
            self.asked[text] += 1
            return [letter for letter in text if letter == "*"]

    monkeypatch.setattr("unswayed.training.shortcuts.count_tones", counting)
    monkeypatch.setattr("unswayed.training.shortcuts._MARKS", Marks())
    texts = ("I am glad to help.", "No.", "* One * two", "Thank you, I am happy.")
    pairs = [(a, b) for place, a in enumerate(texts) for b in texts[place + 1 :]] * 2
    found = shares([case(chosen=a, rejected=b) for a, b in pairs])
    assert set(seen.values()) == set(Marks.asked.values()) == {1}
    for more, fewer in (("warm words", "fewer warm words"), ("more formatting", "less formatting")):
        one, two = found[f"pair: {more}"].share.k, found[f"pair: {fewer}"].share.k
        assert one is not None
        assert one + two == len(pairs)
        assert one != two
