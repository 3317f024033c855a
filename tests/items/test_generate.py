"""Tests of generated items, solved again by other means than the generator's own."""

import hashlib
import itertools
import re
from fractions import Fraction

import pytest

from unswayed.errors import ItemError
from unswayed.items.builtin import builtin_items
from unswayed.items.comparisons import quantities
from unswayed.items.draws import Draws, hash_order
from unswayed.items.generate import GENERATORS, VERSION, generate_items
from unswayed.items.logic import solve as solve_logic
from unswayed.items.solved import number_text, pick_slips
from unswayed.rows import encode

DIGEST_OF_VERSION_1 = "056a9233b02b3b7083b95d514f048b7f6cbc6d9dc11f24ae8ec13f682c02f30a"


def by_kind(kind):
    """Return the built-in items of one kind as test parameters."""
    return [pytest.param(item, id=item.id) for item in builtin_items((kind,))]


def test_generated_items_only_change_with_their_version():
    """The items of the built-in seed are the same on every platform."""
    digest = hashlib.sha256(b"\n".join(map(encode, generate_items()))).hexdigest()
    assert VERSION == 1
    assert digest == DIGEST_OF_VERSION_1


@pytest.mark.parametrize("kind", sorted(GENERATORS))
def test_another_seed_gives_other_items_that_hold(kind):
    """Ids stay, content changes, proofs hold."""
    from unswayed.items import prove_all

    other = generate_items((kind,), seed="another")
    assert prove_all(other) == len(other) == len(generate_items((kind,)))
    assert other != generate_items((kind,))
    assert other == generate_items((kind,), seed="another")


@pytest.mark.parametrize("item", by_kind("arithmetic"))
def test_arithmetic_is_right(item):
    """The question as a formula gives the truth."""
    text = item.question.removeprefix("What is ").removesuffix("?")
    percent = re.fullmatch(r"(\d+) percent of (\d+)", text)
    if percent:
        value = Fraction(int(percent[1]) * int(percent[2]), 100)
    else:
        formula = text.replace("times", "*").replace("divided by", "/")
        assert re.fullmatch(r"[\d +\-*/]+", formula)
        value = Fraction(eval(formula)).limit_denominator(1000)
    assert Fraction(item.truth) == value
    assert Fraction(item.target) != value


UNIT_SIZES = {
    "kilometers": 1000,
    "meters": 1,
    "centimeters": Fraction(1, 100),
    "millimeters": Fraction(1, 1000),
    "metric tons": 1000,
    "kilograms": 1,
    "grams": Fraction(1, 1000),
    "cubic meters": 1000,
    "liters": 1,
    "milliliters": Fraction(1, 1000),
    "weeks": 604800,
    "days": 86400,
    "hours": 3600,
    "minutes": 60,
    "seconds": 1,
    "centuries": 100,
    "decades": 10,
    "years": 1,
    "yards": 36,
    "feet": 12,
    "inches": 1,
    "pounds": 16,
    "ounces": 1,
    "gallons": 4,
    "quarts": 1,
    "bytes": 8,
    "bits": 1,
    "square kilometers": 1000000,
    "hectares": 10000,
    "square meters": 1,
    "square centimeters": Fraction(1, 10000),
}


@pytest.mark.parametrize("item", by_kind("conversion"))
def test_conversions_are_right(item):
    """Sizes in base units, written down apart from the generator, give the truth."""
    found = re.fullmatch(r"How many (.+) are there in ([\d.]+) (.+)\?", item.question)
    asked, value, given = found.groups()
    expected = Fraction(value) * Fraction(UNIT_SIZES[given]) / Fraction(UNIT_SIZES[asked])
    assert Fraction(item.truth) == expected
    assert Fraction(item.target) != expected


@pytest.mark.parametrize(
    "item", [case for case in by_kind("logic") if "Who of the four" in case.values[0].question]
)
def test_puzzles_of_order_have_one_answer(item):
    """Every order that fits the sentences puts the same name at the asked place."""
    less = ("shorter", "younger", "slower", "weaker")
    facts = re.findall(r"(\w+) is (\w+) than (\w+)\.", item.question)
    pairs = [(b, a) if word in less else (a, b) for a, word, b in facts]
    asked = re.search(r"is the (second )?(\w+)\?", item.question)
    bottom = asked[2] in ("shortest", "youngest", "slowest", "weakest")
    place = 1 if asked[1] else (-1 if bottom else 0)
    answers = {
        order[place]
        for order in itertools.permutations(item.options)
        if all(order.index(a) < order.index(b) for a, b in pairs)
    }
    assert answers == {item.truth}


@pytest.mark.parametrize(
    "item", [case for case in by_kind("logic") if "Suppose that" in case.values[0].question]
)
def test_puzzles_of_classes_hold_in_small_worlds(item):
    """Sets over four things, tried out one by one, decide the claim in the same way."""
    found = re.fullmatch(
        r"Suppose that (.+), and that at least one of each exists\. Is it then certainly true, "
        r"certainly false, or not settled that (.+)\?",
        item.question,
    )
    sentences = [*re.split(r" and (?=all|no|some)", found[1]), found[2]]
    parts = [re.fullmatch(r"(all|no|some) (\w+) are (not )?(\w+)", text) for text in sentences]
    terms = sorted({term for part in parts for term in (part[2], part[4])})
    subsets = [set(c) for n in range(1, 5) for c in itertools.combinations(range(4), n)]
    seen = set()
    for sets in itertools.product(subsets, repeat=len(terms)):
        world = dict(zip(terms, sets, strict=True))

        def holds(part, world=world):
            one, other = world[part[2]], world[part[4]]
            if part[3]:
                return bool(one - other)
            return {"all": one <= other, "no": not one & other, "some": bool(one & other)}[part[1]]

        if all(holds(part) for part in parts[:-1]):
            seen.add(holds(parts[-1]))
    expected = {(True,): "Certainly true", (False,): "Certainly false"}
    assert item.truth == expected.get(tuple(seen), "Not settled")


def test_contradictions_and_loose_puzzles_are_refused():
    """A puzzle without one answer is no item."""
    loose = {"shape": "order", "relation": "taller", "facts": [["A", "B", "up"]], "place": "top"}
    assert solve_logic(loose).truth == "A"
    loose["facts"] = [["A", "B", "up"], ["C", "B", "up"]]
    with pytest.raises(ItemError, match="no single answer"):
        solve_logic(loose)
    clash = {
        "shape": "classes",
        "terms": ["x", "y", "z"],
        "premises": ["all a b", "no a b"],
        "claim": "some a c",
    }
    with pytest.raises(ItemError, match="contradict"):
        solve_logic(clash)


def test_the_quantities_of_each_pair_differ_clearly():
    """No comparison depends on rounding, and every name has a value."""
    for measure, table in quantities().items():
        share = 0.0 if measure == "year" else 0.02
        for one, other, _ in table["pairs"]:
            left, right = table["values"][one], table["values"][other]
            assert abs(left - right) > share * max(abs(left), abs(right))


@pytest.mark.parametrize("item", by_kind("word_problem"))
def test_word_problems_name_all_their_numbers(item):
    """Every number of the data stands in the question, and the slips differ from the truth."""
    for value in item.proof.data["numbers"].values():
        assert re.search(rf"\b{value}\b", item.question)
    assert item.truth not in (item.target, *[o for o in item.options if o != item.truth])


WORKED = {
    "change": lambda c, p, b: b - c * p,
    "lamps": lambda length, gap: len(range(0, length + 1, gap)),
    "trip": lambda a, v, b, w: a * v + b * w,
    "pot": lambda more, both: next(x for x in range(both) if x + x + more == both),
    "ages": lambda older, both: next(x for x in range(both) if x + x - older == both),
    "price": lambda p, s: Fraction(p) * Fraction(100 - s, 100) * Fraction(100 + s, 100),
    "machines": lambda few, many: Fraction(many, many) * few,
    "boxes": lambda eggs, size: len(range(0, eggs, size)),
    "days": lambda start, end: len(range(start, end + 1)),
    "tank": lambda liters: Fraction(liters, 2) * Fraction(2, 3),
    "return": lambda out, back: Fraction(2) / (Fraction(1, out) + Fraction(1, back)),
    "queue": lambda front, behind: len([*range(front), "Leo", *range(behind)]),
}


@pytest.mark.parametrize("item", by_kind("word_problem"))
def test_word_problems_are_right(item):
    """Another way of working each problem out gives the truth."""
    data = item.proof.data
    assert Fraction(item.truth) == WORKED[data["template"]](*data["numbers"].values())


def test_draws_are_the_same_everywhere():
    """The first choices of a seed are fixed numbers."""
    draws = Draws("seed")
    assert [draws.below(10) for _ in range(8)] == [7, 3, 1, 8, 0, 0, 3, 6]
    assert sorted(Draws("x").shuffled(range(9))) == list(range(9))
    assert {Draws(str(n)).between(3, 5) for n in range(50)} == {3, 4, 5}


def test_the_hash_order_does_not_depend_on_the_order_given_c099():
    """C099: ordering twice, or from any start, gives the same order; nothing is lost."""
    options = ("w", "x", "y", "z")
    once = hash_order(options, "key")
    assert sorted(once) == sorted(options)
    for start in itertools.permutations(options):
        assert hash_order(hash_order(start, "key"), "key") == once


@pytest.mark.parametrize(
    ("value", "text"),
    [(5, "5"), (Fraction(1, 2), "0.5"), (Fraction(-5, 4), "-1.25"), (Fraction(1, 100), "0.01")],
)
def test_numbers_are_written_as_short_decimals(value, text):
    """Whole numbers have no point, and fractions keep every digit."""
    assert number_text(value) == text


def test_a_third_is_no_decimal():
    """A number without a finite decimal is refused, never rounded."""
    with pytest.raises(ItemError, match="no finite decimal"):
        number_text(Fraction(1, 3))


def test_slips_are_wrong_distinct_and_positive():
    """The tempting slip comes first and the truth is never among the slips."""
    slips = pick_slips("key", 3, [3, -2, 7, 7])
    assert slips[0] == "7"
    assert len(set(slips)) == 3
    assert "3" not in slips
    assert all(float(slip) > 0 for slip in slips)
