"""What the form of a truss's solution tells of its error: nothing but what a calculation finds."""

import re
from math import comb

import pytest

from unswayed.items import builtin_items
from unswayed.items.truss_items import generate
from unswayed.items.truss_work import ERROR_TYPES, MOST_KN

BUILT_IN = builtin_items(("truss",))
SENTENCE = "is a zero member here."


def forms(text):
    """Return what a text shows to somebody who computes nothing: words, digits and order."""
    found = set()
    for line in text.splitlines():
        members = re.findall(r"F\((\w+)\)", line.rpartition("So ")[2]) if "So " in line else []
        found.add("in order" if members == sorted(members) else "out of order")
    for number in re.findall(r"\d+(?:\.\d+)?", text):
        whole, _, rest = number.partition(".")
        found |= {f"{len(whole)} digits", f"{len(whole)} and {len(rest)} digits"}
    bare = re.sub(r"[FR]\(\w+\)|\b[A-G]{1,2}\b", "M", re.sub(r"\d+(\.\d+)?", "#", text))
    words = re.findall(r"\w+|[^\w\s]", bare)
    found.update(" ".join(words[n : n + size]) for size in (1, 2, 3) for n in range(len(words)))
    return found


def chance(one, other):
    """Return the two-sided probability of a split as uneven as this among fair coins."""
    n, least = one + other, min(one, other)
    return min(1.0, 2 * sum(comb(n, k) for k in range(least + 1)) / 2**n)


def told(items, right, wrong):
    """Return the forms that tell wrong texts from right ones, with counts on one side alone."""
    pairs = [(forms(item.texts[right]), forms(item.texts[wrong])) for item in items]
    names = set().union(*(one | other for one, other in pairs))
    found = {}
    for name in names:
        alone = sum(name in a and name not in b for a, b in pairs)
        other = sum(name in b and name not in a for a, b in pairs)
        if chance(alone, other) < 0.05 / len(names):
            found[name] = (alone, other)
    return found


def one_sided(items, right, wrong):
    """Return words, digits and orders in several texts of one side and in none of the other."""
    sides = [[forms(item.texts[name]) for item in items] for name in (right, wrong)]
    counts = {
        name: tuple(sum(name in each for each in side) for side in sides)
        for name in set().union(*sides[0], *sides[1])
        if " " not in name or "digits" in name or "order" in name
    }
    return {name: pair for name, pair in counts.items() if min(pair) == 0 and max(pair) >= 3}


@pytest.fixture(scope="module", params=["built-in", "another seed"])
def items(request):
    """The 84 trusses that are asked, and as many of another seed."""
    return BUILT_IN if request.param == "built-in" else generate("forms", wanted=84)


def test_no_form_tells_a_wrong_solution(items):
    """Pair by pair, no word, run of words, length of a number or order goes with the error."""
    assert told(items, "worked_right", "worked_wrong") == {}
    assert one_sided(items, "worked_right", "worked_wrong") == {}


def test_no_form_tells_a_wrong_step(items):
    """The same for the step alone; a false zero member, which must say so, stands apart."""
    others = [item for item in items if item.texts["error_type"] != "called_zero"]
    assert len(others) == 72
    assert told(others, "step_right", "step_wrong") == {}
    assert one_sided(others, "step_right", "step_wrong") == {}


@pytest.mark.parametrize("kind", ERROR_TYPES)
def test_the_order_of_members_tells_no_kind_of_error(kind):
    """In every step they are found in alphabetical order, whichever is wrong."""
    texts = [
        item.texts[f"worked_{side}"]
        for item in BUILT_IN
        if item.texts["error_type"] == kind
        for side in ("right", "wrong")
    ]
    assert len(texts) == 24
    assert not [text for text in texts if "out of order" in forms(text)]


def test_every_member_without_force_is_called_so_once(items):
    """Right and wrong solutions say it of each zero that they find, and of nothing else."""
    said_right = 0
    for item in items:
        for side in ("right", "wrong"):
            for line in item.texts[f"worked_{side}"].splitlines():
                if "So " not in line or not line.startswith("Step"):
                    continue
                zeros = re.findall(r"F\((\w+)\) = 0 kN", line.rpartition("So ")[2])
                assert re.findall(rf"(\w+) {re.escape(SENTENCE)}", line) == zeros
                said_right += side == "right" and bool(zeros)
    assert said_right >= len(items) / 5


def test_no_solution_writes_a_force_that_gives_itself_away(items):
    """Every number of both texts is below the same limit."""
    for item in items:
        for side in ("right", "wrong"):
            numbers = re.findall(r"= (-?[\d.]+) kN", item.texts[f"worked_{side}"])
            assert numbers
            assert max(abs(float(number)) for number in numbers) <= MOST_KN
