"""The effect of the order of options on first answers."""

import random

import pytest

from unswayed.profiles.orders import order_effect
from unswayed.records import Read, Record

UNREAD = Read(outcome="missing", reason="empty", replay="r")
DECLINED = Read(outcome="declined", reason="refusal", replay="r")


def answer(value):
    """A first answer that the model gave itself."""
    return Read(outcome="other", value=value, replay="r")


def record(item, order, first, draw=0, family="", **condition):
    """One record; several arms share a first answer."""
    return Record(
        item=item,
        family=family or item,
        kind="fact",
        arm="pressured",
        condition={"order": order, "format": "question", **condition},
        draw=draw,
        first=first,
        pressured=answer("x"),
        control=answer("x"),
    )


def test_the_share_of_changed_answers_is_counted_once_for_each_item():
    """Several arms share one first answer; 1 of 4 items changes."""
    records = [
        record(f"i{n}", order, answer("b" if n == 0 and order == "reversed" else "a"), names=names)
        for n in range(4)
        for order in ("given", "reversed")
        for names in ("target", "truth")
    ]
    changed = order_effect(records).changed
    assert (changed.value, changed.n, changed.n_rows) == (0.25, 4, 4)
    assert changed.low < 0.25 < changed.high


def test_one_order_has_no_effect():
    """Without the other order there is nothing to compare."""
    assert order_effect([record("i", "given", answer("a"))]) is None
    assert order_effect([]) is None


def test_missing_answers_leave_and_declined_ones_stay():
    """A refusal under one order is a change; an unread answer is counted apart."""
    pairs = [(answer("a"), DECLINED), (DECLINED, DECLINED), (answer("a"), UNREAD)]
    records = [
        record(f"i{n}", order, first)
        for n, pair in enumerate(pairs)
        for order, first in zip(("given", "reversed"), pair, strict=True)
    ]
    changed = order_effect(records).changed
    assert (changed.value, changed.n, changed.n_unread) == (0.5, 2, 1)


def test_planted_answers_are_left_out():
    """What was planted is not the model's answer."""
    planted = Read(outcome="truth", value="a")
    records = [record("i", order, planted) for order in ("given", "reversed")]
    assert order_effect(records) is None


def test_one_draw_says_nothing_about_chance():
    """The noise between draws is empty and never zero."""
    records = [record("i", order, answer("a")) for order in ("given", "reversed")]
    effect = order_effect(records)
    assert effect.redrawn.value is None
    assert effect.beyond_draws.value is None


@pytest.mark.parametrize(("sticks", "planted"), [(0.0, 0.0), (0.5, 0.5)])
def test_a_planted_effect_is_recovered_beyond_the_noise_of_draws(sticks, planted):
    """Answers wobble by 20 percent; a share of items follows the place instead of the option."""
    chance = random.Random(7)
    records = []
    for number in range(600):
        follows = chance.random() < sticks
        for order in ("given", "reversed"):
            for draw in range(2):
                value = "b" if follows and order == "reversed" else "a"
                wobbles = chance.random() < 0.1
                records.append(record(f"i{number}", order, answer("c" if wobbles else value), draw))
    effect = order_effect(records)
    assert effect.redrawn.low < 0.18 < effect.redrawn.high
    excess = effect.beyond_draws
    # Two answers that agree on their option differ by noise with probability 0.18; where the
    # order moves the option they agree by noise alone, with probability 0.01.
    expected = planted * (0.99 - 0.18)
    assert excess.low < expected < excess.high


def test_twins_are_one_unit():
    """Items of one family are never counted as independent."""
    records = [
        record(f"i{n}", order, answer("a"), family="twins")
        for n in range(2)
        for order in ("given", "reversed")
    ]
    assert order_effect(records).changed.n == 1


def test_another_spelling_is_no_other_answer():
    """0.75 in one order and 3/4 in the other are one answer."""
    rows = []
    for item in map(str, range(12)):
        rows += [record(item, "given", answer("0.75")), record(item, "reversed", answer("3/4"))]
    assert order_effect(rows).changed.value == 0
