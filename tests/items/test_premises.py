"""Tests of twins of statements, decided again by other means than their own."""

import ast
import hashlib
import itertools
import math
import operator
import re
from collections import Counter
from fractions import Fraction

import msgspec
import pytest

from unswayed.errors import ItemError
from unswayed.items import builtin_items, prove_all
from unswayed.items.draws import Draws
from unswayed.items.premise_claims import Claim, Decision, check_pair, draw_pair
from unswayed.items.premise_figures import rounded
from unswayed.items.premises import CLAIMS, VERSION, generate, solve
from unswayed.rows import encode

ITEMS = builtin_items(("premise",))
GENERATED = [item for item in ITEMS if item.review == "generated"]
WRITTEN = [item for item in ITEMS if item.review == "not_expert_verified"]
DIGEST_OF_VERSION_1 = "769dc2642b5ca93513723561bd0d45e6e7f13352d6a7f7f56309113c5ef8fbb5"


def by_form(*names):
    """Return the generated items of some forms."""
    return [item for item in GENERATED if item.proof.data["form"] in names]


def numbers(text):
    """Return the whole numbers of a text."""
    return [int(part) for part in re.findall(r"\d+", text)]


def test_generated_statements_only_change_with_their_version():
    """The statements of the built-in seed are the same on every platform."""
    digest = hashlib.sha256(b"\n".join(map(encode, GENERATED))).hexdigest()
    assert VERSION == 1
    assert digest == DIGEST_OF_VERSION_1


def test_every_field_has_enough_twins():
    """At least 60 pairs of mathematics and 25 of each other field, at least 150 in all."""
    pairs = Counter(item.domain for item in ITEMS if item.truth == "False")
    assert pairs["mathematics"] >= 60
    assert all(pairs[name] >= 25 for name in ("medicine", "law", "finance", "engineering"))
    assert sum(pairs.values()) >= 150
    assert {item.domain for item in WRITTEN} == {"medicine", "law"}


def test_every_form_is_used():
    """Each form of statement gives its pairs."""
    used = Counter(item.proof.data["form"] for item in GENERATED if item.truth == "False")
    assert used == {name: claim.pairs for name, claim in CLAIMS.items()}


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.id)
def test_texts_say_why_and_ask_both_ways(item):
    """False statements carry a refutation and the true twin; both carry a request and a judge."""
    statement = item.texts["statement"]
    assert item.question == item.texts["judge"]
    for name in ("request", "decide", "judge"):
        assert item.texts[name].endswith(statement)
    assert item.texts["request"].startswith("Please ")
    assert ("refutation" in item.texts) == (item.truth == "False")
    assert ("restored" in item.texts) == (item.truth == "False")
    assert ("support" in item.texts) == (item.truth == "True")
    assert item.texts["well_posed"]


def test_the_restored_statement_is_the_true_twin():
    """What a false item restores stands in the set as a true item of its family."""
    true = {item.family: item.texts["statement"] for item in ITEMS if item.truth == "True"}
    for item in ITEMS:
        if item.truth == "False":
            assert item.texts["restored"] == true[item.family]


def test_twins_of_generated_pairs_differ_in_one_slot():
    """The data of twins are equal but for the edited slot."""
    families = {}
    for item in GENERATED:
        families.setdefault(item.family, []).append(item.proof.data)
    for one, other in families.values():
        assert one["form"] == other["form"]
        edited = check_pair(one["slots"], other["slots"])
        assert edited == one["edited"] == other["edited"]


def test_more_than_one_changed_slot_is_refused():
    """Two changes, and none, are errors that name the slots."""
    with pytest.raises(ItemError, match="more than one place") as raised:
        check_pair({"a": 1, "b": 2, "c": 3}, {"a": 2, "b": 2, "c": 4})
    assert "a, c" in str(raised.value)
    with pytest.raises(ItemError, match="do not differ"):
        check_pair({"a": 1}, {"a": 1})


def test_a_thousand_twins_hold():
    """Fourteen seeds give more than 1,000 pairs of mathematics, and each is decided again."""
    pairs = 0
    for seed in range(14):
        items = generate(f"seed-{seed}", domain="mathematics")
        assert prove_all(items) == len(items)
        pairs += len(items) // 2
    assert pairs >= 1000


def test_twins_that_are_both_true_are_refused():
    """A changed slot that leaves the truth alone makes no twin."""
    slots = {"run": 4, "modulus": 24}
    with pytest.raises(ItemError, match="both true or both false"):
        solve({"form": "product_of_run", "slots": slots, "edited": "run", "other": 5})


def test_a_form_without_twins_is_refused():
    """A form whose edits never change the truth is an error, no endless search."""
    dull = Claim(
        name="dull",
        domain="mathematics",
        pairs=1,
        draw=lambda draws: {"n": draws.between(1, 9)},
        edit=lambda draws, slots: ("n", draws.between(1, 9)),
        state=lambda slots: f"{slots['n']} is a number.",
        decide=lambda slots: Decision(holds=True, reason="It is."),
    )
    with pytest.raises(ItemError, match="No pair of the form 'dull'"):
        draw_pair(dull, Draws("x"), set())


@pytest.mark.parametrize("item", by_form("count"), ids=lambda item: item.id)
def test_counts_are_right(item):
    """Counting by a sieve or by strings written here gives the verdict."""
    low, high, *_, value = numbers(item.texts["statement"])
    text = item.texts["statement"]
    span = range(low, high + 1)
    if "prime" in text:
        found = [n for n in span if n > 1 and not any(n % p == 0 for p in range(2, n))]
    elif "square numbers" in text:
        found = [n for n in span if math.isqrt(n) ** 2 == n]
    elif "backwards" in text:
        found = [n for n in span if str(n) == str(n)[::-1]]
    elif "digit sum" in text:
        found = [n for n in span if sum(int(d) for d in str(n)) == 10]
    elif "square factor" in text:
        found = [n for n in span if not any(n % (k * k) == 0 for k in range(2, n + 1))]
    else:
        found = [n for n in span if not n % 3 or not n % 5]
    assert (item.truth == "True") == (len(found) == value)


@pytest.mark.parametrize("item", by_form("divisible", "power_difference"), ids=lambda i: i.id)
def test_divisibility_is_right(item):
    """The expression in the sentence, evaluated here, gives the verdict."""
    text = item.texts["statement"]
    found = re.search(r"the number (.+) is divisible by (\d+)", text)
    formula = re.sub(r"(\d|n|\))(?=[n(])", r"\1*", found[1].replace("^", "**"))
    assert re.fullmatch(r"[\dn+\-*() ]+", formula)
    ends = re.search(r"from (\d+) to (\d+)", text)
    low, high = map(int, ends.groups()) if ends else (1, 400)
    values = [eval(formula, {"n": n}) for n in range(low, high + 1)]
    assert (item.truth == "True") == all(value % int(found[2]) == 0 for value in values)


@pytest.mark.parametrize("item", by_form("prime_values"), ids=lambda item: item.id)
def test_prime_values_are_right(item):
    """Every value of the expression is factored here."""
    text = item.texts["statement"]
    low, high = map(int, re.search(r"from (\d+) to (\d+)", text).groups())
    formula = re.search(r"the number (.+) is a prime", text)[1]
    formula = re.sub(r"(\d)n", r"\1*n", formula.replace("^", "**"))
    values = [eval(formula, {"n": n}) for n in range(low, high + 1)]
    prime = [v > 1 and not any(v % p == 0 for p in range(2, math.isqrt(v) + 1)) for v in values]
    assert (item.truth == "True") == all(prime)


@pytest.mark.parametrize(
    "item", by_form("last_digit", "least_multiple", "divisors"), ids=lambda item: item.id
)
def test_single_values_are_right(item):
    """Powers, multiples and divisors are computed here without the module's own functions."""
    text = item.texts["statement"]
    if "last digit" in text:
        base, power, value = numbers(text)
        right = int(str(base**power)[-1])
    elif "least common" in text:
        a, b, value = numbers(text)
        right = next(n for n in range(max(a, b), a * b + 1) if n % a == 0 and n % b == 0)
    else:
        number, value = numbers(text)
        right = len([k for k in range(1, number + 1) if not number % k])
    assert (item.truth == "True") == (value == right)


def squares_needed(number):
    """Return the least number of squares that add up to a number, by trying all first squares."""
    if math.isqrt(number) ** 2 == number:
        return 1
    return 1 + min(squares_needed(number - k * k) for k in range(1, math.isqrt(number) + 1))


SERIES = {
    "square": lambda n: n * n,
    "cube": lambda n: n * n * n,
    "triangular": lambda n: sum(range(n + 1)),
    "odd": lambda n: 2 * n - 1,
    "even": lambda n: 2 * n,
}


def holds(form, text):
    """Decide a statement from its words, by brute force."""
    found = numbers(text)
    if form in ("series_sum", "no_remainder"):
        name = re.search(r"positive (\w+) numbers", text)[1]
        values = [SERIES[name](n) for n in range(1, found[0] + 1)]
        if form == "series_sum":
            return sum(values) == found[1]
        return not any(value % found[2] == found[1] for value in values)
    if form == "sum_of_squares":
        low, high, terms = found
        return all(squares_needed(n) <= terms for n in range(low, high + 1))
    if form == "outgrown":
        low, high, _, power = found
        return all(2**n > n**power for n in range(low, high + 1))
    if form == "pigeons":
        members, modulus = found
        return len({n % modulus for n in range(members)}) < members
    if form == "prime_like":
        return not any(found[0] % n == 0 for n in range(2, found[0]))
    if form == "product_of_run":
        run, modulus = found
        return all(math.prod(range(n, n + run)) % modulus == 0 for n in range(1, 300))
    if form == "letter_orders":
        word = re.search(r"word ([A-Z]+)", text)[1]
        return len(set(itertools.permutations(word))) == found[0]
    if form == "diagonals":
        return found[0] * (found[0] - 3) == 2 * found[1]
    total, value = found[-2:]
    pairs = itertools.combinations_with_replacement(range(1, total + 1), 2)
    if form == "products":
        return sum(x * y == total for x, y in pairs) == value
    return sum(x * x + y * y == total for x, y in pairs) == value


OTHERS = (
    "series_sum",
    "no_remainder",
    "sum_of_squares",
    "outgrown",
    "pigeons",
    "prime_like",
    "product_of_run",
    "letter_orders",
    "diagonals",
    "products",
    "square_pairs",
)


@pytest.mark.parametrize("item", by_form(*OTHERS), ids=lambda item: item.id)
def test_other_statements_are_right(item):
    """Each is decided from its words alone, by code that shares nothing with the generator."""
    form = item.proof.data["form"]
    assert holds(form, item.texts["statement"]) == (item.truth == "True")


OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: lambda base, power: base ** int(power),
}


def evaluate(node):
    """Work out a formula with exact fractions."""
    if isinstance(node, ast.BinOp):
        return OPERATORS[type(node.op)](evaluate(node.left), evaluate(node.right))
    return Fraction(str(node.value))


@pytest.mark.parametrize(
    "item", [i for i in GENERATED if i.domain in ("finance", "engineering")], ids=lambda i: i.id
)
def test_figures_are_right(item):
    """The formula in the reason, evaluated here, gives the figure that the statement names."""
    reason = item.texts.get("support") or item.texts["refutation"]
    formula, shown = re.fullmatch(r"(.+) = ([\d,.]*\d)(?:, not .+)?\.", reason).groups()
    tree = ast.parse(formula.replace(",", "").replace("^", "**"), mode="eval")
    value = evaluate(tree.body)
    stated = item.proof.data["slots"]["value"]
    assert abs(Fraction(shown.replace(",", "")) - value) <= Fraction(5, 1000)
    assert (item.truth == "True") == (stated == shown)
    assert stated in item.texts["statement"]


def test_figures_that_say_no_rounding_are_exact():
    """A statement without `to the cent` or `to two decimals` names its figure in full."""
    for item in GENERATED:
        if item.domain not in ("finance", "engineering"):
            continue
        text = item.texts["statement"]
        if "to the cent" in text or "to two decimals" in text:
            continue
        formula = (item.texts.get("support") or item.texts["refutation"]).partition(" = ")[0]
        value = evaluate(ast.parse(formula.replace(",", "").replace("^", "**"), mode="eval").body)
        assert (value * 100).denominator == 1, item.id


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(1, 3), "0.33"),
        (Fraction(1, 200), "0.01"),
        (Fraction(123456789, 100), "1,234,567.89"),
    ],
)
def test_rounding_is_half_up(value, text):
    """Half a cent goes up, and thousands are grouped."""
    assert rounded(value) == text


def share_of_longer(items, measure):
    """Return how often the false twin is the longer one, ties shared out."""
    families = {}
    for item in items:
        families.setdefault(item.family, {})[item.truth] = measure(item.texts["statement"])
    wins = sum(
        0.5 if one["False"] == one["True"] else float(one["False"] > one["True"])
        for one in families.values()
    )
    return wins / len(families)


@pytest.mark.parametrize("domain", ["mathematics", "finance", "engineering", "medicine", "law"])
@pytest.mark.parametrize("measure", [len, lambda text: len(text.split())], ids=["signs", "words"])
def test_length_does_not_give_the_false_twin_away(domain, measure):
    """Neither signs nor words tell the false twin from the true one."""
    items = [item for item in ITEMS if item.domain == domain]
    assert 0.4 <= share_of_longer(items, measure) <= 0.6


def words_of(item):
    """Return the words and numbers of a statement."""
    return set(re.findall(r"[a-z]+|\d+(?:[.,]\d+)*", item.texts["statement"].lower()))


def guessed_share(items):
    """Return how often words alone give the verdict, learned on four fifths of the families."""
    families = sorted({item.family for item in items})
    fold = {family: place % 5 for place, family in enumerate(families)}
    right = 0
    for held in range(5):
        seen = {"True": Counter(), "False": Counter()}
        for item in items:
            if fold[item.family] != held:
                seen[item.truth].update(words_of(item))
        n_seen = sum(fold[item.family] != held for item in items) / 2 + 2
        for item in items:
            if fold[item.family] == held:
                score = sum(
                    math.log((seen["True"][word] + 1) / n_seen)
                    - math.log((seen["False"][word] + 1) / n_seen)
                    for word in words_of(item)
                )
                right += (score > 0) == (item.truth == "True")
    return right / len(items)


def test_words_do_not_give_the_verdict_away():
    """A reader of words alone is right in less than 55 % of all; a planted word is found."""
    assert guessed_share(ITEMS) < 0.55
    cued = [
        msgspec.structs.replace(
            item, texts={"statement": item.texts["statement"] + " So" * (item.truth == "True")}
        )
        for item in ITEMS
    ]
    assert guessed_share(cued) > 0.7


def test_review_can_be_added():
    """Written statements say that no expert has read them, generated ones that they are."""
    assert Counter(item.review for item in ITEMS) == {
        "generated": len(GENERATED),
        "not_expert_verified": len(WRITTEN),
    }
    assert all(item.proof.note for item in WRITTEN)


@pytest.mark.parametrize("seed", ["built in", *(f"seed-{number}" for number in range(20))])
def test_a_least_common_multiple_is_of_two_numbers(seed):
    """Nobody is asked for the least common multiple of a number and itself."""
    found = GENERATED if seed == "built in" else generate(seed, domain="mathematics")
    asked = [
        item.proof.data["slots"] for item in found if item.proof.data["form"] == "least_multiple"
    ]
    assert asked
    assert all(slots["a"] != slots["b"] for slots in asked)
