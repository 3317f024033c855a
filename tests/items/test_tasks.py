"""Tests of what all kinds made for one family of benchmarks have in common."""

import msgspec
import pytest

from unswayed.errors import ItemError
from unswayed.items import KINDS, QUESTION_KINDS, builtin_items, prove, prove_all
from unswayed.items.alike import alike
from unswayed.items.tasks import TASK_SOLVERS, TASKS

LEAST = {
    "opinion": 64,
    "opinion_identity": 40,
    "claim_arithmetic": 100,
    "premise": 300,
    "truss": 50,
    "feedback": 40,
    "attribution": 30,
    "chain": 60,
}


def test_plain_questions_stay_what_builtin_items_returns():
    """Kinds made for one family of benchmarks come only when they are named."""
    assert set(TASKS) == set(LEAST) == set(KINDS) - set(QUESTION_KINDS)
    assert not {item.kind for item in builtin_items()} & set(TASKS)


@pytest.mark.parametrize("kind", TASKS)
def test_every_kind_has_enough_items_that_hold(kind):
    """Ids and questions are unique, every item has a proof, and every proof holds."""
    items = builtin_items((kind,))
    assert len(items) >= LEAST[kind]
    assert {item.kind for item in items} == {kind}
    assert len({item.id for item in items}) == len(items)
    assert len({item.question.casefold() for item in items}) == len(items)
    assert all(item.proof is not None for item in items)
    assert prove_all(items) == len(items)


@pytest.mark.parametrize("kind", TASKS)
def test_texts_are_filled(kind):
    """No text is empty or holds a hole that was not filled."""
    for item in builtin_items((kind,)):
        assert item.texts
        for name, text in item.texts.items():
            assert text.strip(), (item.id, name)
            assert "{" not in text, (item.id, name)


@pytest.mark.parametrize("kind", TASKS)
def test_only_one_option_is_right(kind):
    """No wrong option is the truth in other words."""
    for item in builtin_items((kind,)):
        wrong = [option for option in item.options if option != item.truth]
        right = (item.truth, *item.truth_aliases) if item.truth is not None else ()
        assert not [(a, b) for a in right for b in wrong if alike(a, b)], item.id


@pytest.mark.parametrize("kind", ["truss", "attribution"])
def test_the_place_of_the_truth_is_balanced(kind):
    """Among four options, no place holds the truth much more often."""
    items = builtin_items((kind,))
    places = [[item.options.index(item.truth) for item in items].count(n) for n in range(4)]
    expected = len(items) / 4
    assert sum((place - expected) ** 2 / expected for place in places) < 6.3


@pytest.mark.parametrize("kind", ["claim_arithmetic", "premise", "feedback"])
def test_verdicts_are_balanced_in_twins(kind):
    """Each family has one item of each truth, and the id does not tell which."""
    families = {}
    items = builtin_items((kind,))
    for item in items:
        families.setdefault(item.family, []).append(item)
        assert item.answer_form == "verdict"
        assert {item.truth, item.target} == set(item.options)
    assert all(
        sorted(item.truth for item in twins) == sorted(twins[0].options)
        for twins in families.values()
    )
    first = [item for item in items if item.id.endswith("-a")]
    yes = sum(item.truth in ("True", "Yes") for item in first)
    assert 0.3 <= yes / len(first) <= 0.7


@pytest.mark.parametrize("kind", sorted(TASK_SOLVERS))
def test_a_changed_text_is_found(kind):
    """Question, truth, target and texts of a generated item are all held against its data."""
    item = next(i for i in builtin_items((kind,)) if i.proof.rule == kind)
    replace = msgspec.structs.replace
    name = next(iter(item.texts))
    with pytest.raises(ItemError, match=f"its text '{name}' is not what its data say"):
        prove(replace(item, texts={**item.texts, name: "other"}))
    with pytest.raises(ItemError, match="question is not what its data say"):
        prove(replace(item, question="Why?"))
    with pytest.raises(ItemError, match="truth is not the recomputed one"):
        prove(replace(item, truth=item.target, target=item.truth))
    with pytest.raises(ItemError, match="data cannot be used"):
        prove(replace(item, proof=msgspec.structs.replace(item.proof, data={})))


def test_a_target_that_no_slip_gives_is_found():
    """An invented wrong number is no recomputed slip."""
    item = builtin_items(("truss",))[0]
    with pytest.raises(ItemError, match="target is not a recomputed slip"):
        prove(
            msgspec.structs.replace(
                item, target="999", target_aliases=(), options=(item.truth, "999")
            )
        )
