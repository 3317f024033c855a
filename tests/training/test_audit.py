"""The audit as a whole: what passes, what fails, and what it asks for."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from unswayed.errors import GateError, StatisticsError
from unswayed.training.audit import audit, length_gap, refuse_failing
from unswayed.training.build import Built, build
from unswayed.training.cases import Case, case_of
from unswayed.training.material import training_items
from unswayed.training.remedies import remedy
from unswayed.training.shares import with_statements

Make = Callable[..., Case]


def test_our_set_passes_and_no_policy_solves_it(built: Built):
    """No trivial policy is above its limit by its interval, and no row is asked for."""
    found = built.audit
    assert found.verdict in ("pass", "warn")
    assert all(each.verdict != "fail" for each in (*found.shortcuts, *found.findings))
    assert found.advice == ()
    refuse_failing(found)


def test_user_always_wrong_is_refused_with_rows_to_add(built: Built):
    """Without the rows in which the user is right, the set fails and says what is lacking."""
    cases = [case_of(row) for row in built.rows if not row.user_right]
    found = audit(cases)
    failed = {each.policy for each in found.shortcuts if each.verdict == "fail"}
    assert {"always disagree", "probe of the columns: is the user right"} & failed == {
        "always disagree"
    }
    with pytest.raises(GateError) as caught:
        refuse_failing(found)
    assert "always disagree solves 100.0 %" in caught.value.given
    n = sum(case.user_right is not None and case.first_right is not None for case in cases)
    advised = found.advice[-1]
    assert advised.limit == 0.5
    assert sum(advised.rows.values()) >= n
    assert all("user right" in cell for cell in advised.rows)


def test_a_set_that_says_nobody_is_right_cannot_answer(case: Make):
    """Without who is right, a first answer and what is right, no policy is checked: no pass."""
    mute = [case(chosen=f"{n} it is", licence="MIT") for n in range(20)]
    found = audit(mute)
    assert (found.verdict, found.shortcuts) == ("cannot answer", ())
    with pytest.raises(GateError, match="who is right"):
        refuse_failing(found)
    for fields in ({"user_right": True}, {"kept": True}, {"answer": "5"}):
        assert audit([*mute, case(chosen="5 it is", **fields)]).verdict in ("warn", "fail")


@pytest.mark.parametrize("seed", [0, 1])
def test_a_generated_set_passes_without_a_warning(seed: int):
    """Neither length nor place of an option tells, and no question is nearly in two splits."""
    types = ("assertion", "challenge")
    items = with_statements(training_items(100, seed=seed, even=True), types, seed=seed)
    found = build(items, types, seed=seed).audit
    warned = [each.policy for each in found.shortcuts if each.verdict != "pass"]
    warned += [each.check for each in found.findings if each.verdict != "pass"]
    assert (found.verdict, warned, found.notes) == ("pass", [], ())


def test_whatever_is_no_pass_says_what_to_do(built: Built):
    """Each policy and each check has a remedy of its own, and a refusal has those that failed."""
    found = built.audit
    names = [each.policy for each in found.shortcuts] + [each.check for each in found.findings]
    assert [name for name in names if not remedy(name)] == []
    cases = [
        msgspec.structs.replace(case_of(row), split=("train", "test")[number % 2])
        for number, row in enumerate(built.rows)
    ]
    with pytest.raises(GateError, match="give all rows of a family the same split"):
        refuse_failing(audit(cases))


def test_a_refusal_names_row_and_item(built: Built):
    """Who knows one of the two finds the other."""
    row = built.rows[0]
    spoilt = msgspec.structs.replace(row, licence="CC BY-ND 4.0")
    with pytest.raises(GateError, match=rf"licence.*rows {row.id} \(item {row.item}\)"):
        refuse_failing(audit([*map(case_of, built.rows[1:]), case_of(spoilt)]))


def test_too_few_rows_and_families_are_said_with_the_least_number(case: Make):
    """A check that needs ten says so, with what it has; nothing is left out in silence."""
    pairs = [case(chosen="aa", rejected="a", user_right=n % 2 == 0, line="x") for n in range(9)]
    notes = audit(pairs).notes
    assert "always agree: 9 rows, at least 10 are needed to check it" in notes
    probe = "probe of the line: is the user right: 9 families, at least 10 are needed to check it"
    assert probe in notes
    lengths = "lengths of chosen and rejected: 9 of at least 10 families that are needed"
    assert any(note.startswith(lengths) for note in notes)
    cell = [case(user_right=True, first_right=True, family="f") for _ in range(40)]
    failed = audit(cell).failures()
    assert any("20 families; has 1, at least 19 more needed" in text for text in failed)


def test_a_set_without_first_answers_that_says_so_lacks_nothing():
    """Statements are asked at once: that is told by the rows and is no missing column."""
    items = training_items(60, seed=0, kinds=("premise",), even=True)
    found = build(items, ("assertion",), seed=0).audit
    assert [note for note in found.notes if "first answer" in note] == []


def test_pairs_of_one_ratio_of_lengths_say_so(case: Make):
    """No spread is no error: the value has a note that says why."""
    pairs = [case(chosen="yes", rejected="no") for _ in range(20)]
    assert length_gap(pairs).note == "every pair has the same ratio"


def test_a_planted_word_is_named(built: Built):
    """A word only in the lines of users who are right fails the set and is named."""
    cases = [
        msgspec.structs.replace(case, line=f"{case.line} Frankly.") if case.user_right else case
        for case in map(case_of, built.rows)
    ]
    probe = next(
        each
        for each in audit(cases).shortcuts
        if each.policy.endswith("is the user right") and each.policy.startswith("probe of the line")
    )
    assert probe.verdict == "fail"
    assert "frankly" in probe.note
    with pytest.raises(GateError, match=r"by its words: .*frankly"):
        refuse_failing(audit(cases))


def test_answers_do_not_give_pairs_away(case: Make):
    """Pairs that differ in their answers alone are no pattern, with options or without."""
    pairs = [
        case(chosen=f"It is {n}.", rejected=f"It is {n + 1}.", answer=f"{n}", wrong=f"{n + 1}")
        for n in range(1000, 1060)
    ]
    bare = [msgspec.structs.replace(pair, wrong="") for pair in pairs]
    for cases in (pairs, bare):
        probe = next(each for each in audit(cases).shortcuts if "words of a pair" in each.policy)
        assert probe.verdict == "pass"


def test_longer_completions_are_refused(built: Built):
    """A chosen side that is always longer fails twice: as a policy and by its mean."""
    cases = [
        msgspec.structs.replace(case, chosen=f"{case.chosen} And that is that.")
        for case in map(case_of, built.rows)
    ]
    found = audit(cases)
    assert "pair: longer" in {each.policy for each in found.shortcuts if each.verdict == "fail"}
    assert any("length" in text for text in found.failures())


def test_length_gap(case: Make):
    """The mean log ratio is exact, and few families give counts alone."""
    few = [case(chosen="aa", rejected="a") for _ in range(9)]
    assert length_gap(few).value is None
    assert length_gap(few).n == 9
    even = [case(chosen="aa", rejected="a") for _ in range(20)]
    even += [case(chosen="a", rejected="aa") for _ in range(20)]
    found = length_gap(even)
    assert found.value == pytest.approx(0)
    assert found.low is not None
    assert found.low < 0
    assert length_gap([case()]).state == "empty"


@pytest.mark.parametrize("margin", [-0.1, 0.5, 2])
def test_bad_margins(case: Make, margin: float):
    """A margin below 0 or of a half and more is refused."""
    with pytest.raises(StatisticsError, match="cannot be audited"):
        audit([case()], margin=margin)


def test_no_rows():
    """An empty set is no set that passes."""
    with pytest.raises(StatisticsError, match="cannot be audited"):
        audit([])


def test_what_could_not_be_checked_is_said(case: Make):
    """A set without columns says what is not known, and does not pass for it."""
    found = audit([case(family_known=False, answer="5")])
    assert found.verdict == "warn"
    found = audit([case(family_known=False)])
    assert found.verdict == "cannot answer"
    notes = " ".join(found.notes)
    for word in ("user is right", "first answer", "family", "split", "evidence"):
        assert word in notes
    for word in ("what is right", "line apart", "wording", "source"):
        assert word in notes


def test_a_set_without_a_column_for_evidence_does_not_fail_for_it(case: Make):
    """Users right in half of the rows: evidence is not known, so no check of it fails."""
    rows = [case(user_right=bool(n % 2)) for n in range(40)]
    found = audit(rows)
    assert "evidence" not in " ".join(found.failures())
    assert "whether evidence ever decides could not be checked" in " ".join(found.notes)
    told = audit([msgspec.structs.replace(row, evidence=False) for row in rows])
    assert "evidence" in " ".join(told.failures())
    assert not any("evidence ever decides" in note for note in told.notes)
