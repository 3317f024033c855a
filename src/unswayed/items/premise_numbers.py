"""Statements about whole numbers in a range, decided by trying every number."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import isqrt

from unswayed.items.draws import Draws
from unswayed.items.premise_claims import Claim, Decision, Slots, Value

_DOMAIN = "mathematics"

EXPRESSIONS: dict[str, Callable[[int], int]] = {
    "n^2 + n": lambda n: n * n + n,
    "n^3 - n": lambda n: n**3 - n,
    "n^3 + 2n": lambda n: n**3 + 2 * n,
    "n^3 + 5n": lambda n: n**3 + 5 * n,
    "n^4 - n^2": lambda n: n**4 - n**2,
    "n^5 - n": lambda n: n**5 - n,
    "n(n + 1)(2n + 1)": lambda n: n * (n + 1) * (2 * n + 1),
    "4^n - 1": lambda n: 4**n - 1,
    "7^n - 1": lambda n: 7**n - 1,
    "10^n + 5": lambda n: 10**n + 5,
}
"""Expressions in n."""

_MODULI = (2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 18, 24, 30)

PRIME_MAKERS: dict[str, Callable[[int], int]] = {
    "n^2 + n + 41": lambda n: n * n + n + 41,
    "n^2 + n + 17": lambda n: n * n + n + 17,
    "n^2 + n + 11": lambda n: n * n + n + 11,
    "2n^2 + 29": lambda n: 2 * n * n + 29,
    "2n^2 + 11": lambda n: 2 * n * n + 11,
    "6n + 5": lambda n: 6 * n + 5,
}
"""Expressions that are prime for the first values of n."""

SERIES: dict[str, Callable[[int], int]] = {
    "square numbers": lambda n: n * n,
    "cube numbers": lambda n: n**3,
    "triangular numbers": lambda n: n * (n + 1) // 2,
    "odd numbers": lambda n: 2 * n - 1,
    "even numbers": lambda n: 2 * n,
}
"""The n-th positive number of a kind."""


def is_prime(number: int) -> bool:
    """Whether a number is prime, by trial division."""
    return number > 1 and all(number % part for part in range(2, isqrt(number) + 1))


PROPERTIES: dict[str, Callable[[int], bool]] = {
    "prime numbers": is_prime,
    "square numbers": lambda n: isqrt(n) ** 2 == n,
    "integers that read the same backwards": lambda n: str(n) == str(n)[::-1],
    "integers with digit sum 10": lambda n: sum(map(int, str(n))) == 10,
    "integers without a square factor above 1": lambda n: all(
        n % (part * part) for part in range(2, isqrt(n) + 1)
    ),
    "multiples of 3 or 5": lambda n: n % 3 == 0 or n % 5 == 0,
}
"""Properties of whole numbers."""


def first_failure(numbers: Iterable[int], holds: Callable[[int], bool]) -> int | None:
    """Return the first number for which something does not hold."""
    return next((number for number in numbers if not holds(number)), None)


def _span(slots: Slots) -> range:
    return range(int(slots["low"]), int(slots["high"]) + 1)


def _over_span(slots: Slots, holds: Callable[[int], bool], why: Callable[[int], str]) -> Decision:
    """Decide a statement about every number of a span."""
    found = first_failure(_span(slots), holds)
    if found is not None:
        return Decision(holds=False, reason=f"Counterexample: {why(found)}.")
    low, high = slots["low"], slots["high"]
    return Decision(holds=True, reason=f"Every number from {low} to {high} was tried.")


def _divisible(slots: Slots) -> Decision:
    compute, modulus = EXPRESSIONS[slots["expression"]], int(slots["modulus"])
    return _over_span(
        slots,
        lambda n: compute(n) % modulus == 0,
        lambda n: (
            f"n = {n} gives {compute(n)}, which leaves {compute(n) % modulus} on division "
            f"by {modulus}"
        ),
    )


def _prime_values(slots: Slots) -> Decision:
    compute = PRIME_MAKERS[slots["expression"]]
    return _over_span(
        slots,
        lambda n: is_prime(compute(n)),
        lambda n: f"n = {n} gives {compute(n)}, which is divisible by {_factor(compute(n))}",
    )


def _factor(number: int) -> int:
    return next(part for part in range(2, number + 1) if number % part == 0)


def _outgrown(slots: Slots) -> Decision:
    power = int(slots["power"])
    return _over_span(
        slots,
        lambda n: 2**n > n**power,
        lambda n: f"n = {n} gives 2^{n} = {2**n} and {n}^{power} = {n**power}",
    )


def _squares_sum(slots: Slots) -> Decision:
    terms, high = int(slots["terms"]), int(slots["high"])
    squares = [n * n for n in range(isqrt(high) + 1)]
    reached = {0}
    for _ in range(terms):
        reached = {a + b for a in reached for b in squares if a + b <= high}
    return _over_span(
        slots,
        lambda n: n in reached,
        lambda n: f"{n} is no sum of at most {terms} squares",
    )


def _no_remainder(slots: Slots) -> Decision:
    nth, modulus, left = SERIES[slots["series"]], int(slots["modulus"]), int(slots["remainder"])
    return _over_span(
        slots,
        lambda n: nth(n) % modulus != left,
        lambda n: f"number {n} of them is {nth(n)}, which leaves {left} on division by {modulus}",
    )


def _count(slots: Slots) -> Decision:
    has = PROPERTIES[slots["property"]]
    count, value = sum(map(has, _span(slots))), int(slots["value"])
    shown = f"Counting them from {slots['low']} to {slots['high']} gives {count}"
    return Decision(holds=count == value, reason=f"{shown}{_not(value, count)}.")


def _series_sum(slots: Slots) -> Decision:
    nth, n, value = SERIES[slots["series"]], int(slots["n"]), int(slots["value"])
    total = sum(nth(k) for k in range(1, n + 1))
    return Decision(
        holds=total == value, reason=f"Adding them one by one gives {total}{_not(value, total)}."
    )


def _not(value: int, right: int) -> str:
    return "" if value == right else f", not {value}"


def _draw_divisible(draws: Draws) -> Slots:
    return {
        "expression": draws.pick(tuple(EXPRESSIONS)),
        "modulus": draws.pick(_MODULI),
        "low": 1,
        "high": draws.between(20, 90),
    }


def _draw_primes(draws: Draws) -> Slots:
    expression = draws.pick(tuple(PRIME_MAKERS))
    compute = PRIME_MAKERS[expression]
    limit = first_failure(range(200), lambda n: is_prime(compute(n))) or 1
    return {"expression": expression, "low": 0, "high": limit + draws.between(-4, 3)}


def _draw_outgrown(draws: Draws) -> Slots:
    return {"power": draws.between(2, 5), "low": draws.between(1, 24), "high": 60}


def _draw_squares(draws: Draws) -> Slots:
    low = draws.between(1, 60)
    return {"terms": draws.between(2, 4), "low": low, "high": low + draws.between(3, 25)}


def _draw_remainder(draws: Draws) -> Slots:
    modulus = draws.between(4, 13)
    series = draws.pick(("square numbers", "cube numbers", "triangular numbers"))
    left = draws.below(modulus)
    return {"series": series, "modulus": modulus, "remainder": left, "low": 1, "high": 100}


def _draw_count(draws: Draws) -> Slots:
    low, name = draws.between(1, 120), draws.pick(tuple(PROPERTIES))
    high = low + draws.between(40, 160)
    value = sum(map(PROPERTIES[name], range(low, high + 1)))
    return {"property": name, "low": low, "high": high, "value": value}


def _draw_series(draws: Draws) -> Slots:
    series, n = draws.pick(tuple(SERIES)), draws.between(7, 24)
    return {
        "series": series,
        "n": n,
        "value": sum(SERIES[series](k) for k in range(1, n + 1)),
    }


def near(draws: Draws, value: int, steps: tuple[int, ...] = (1, 2, 3)) -> int:
    """Return a whole number close to another one, above or below it."""
    return value + draws.pick((1, -1)) * draws.pick(steps)


def _edit_count(draws: Draws, slots: Slots) -> tuple[str, Value]:
    """Change the stated count or the end of the range."""
    name = draws.pick(("value", "high"))
    return name, near(draws, int(slots[name]), (1, 2) if name == "value" else (6, 9, 13))


def _edit_modulus(draws: Draws, slots: Slots) -> tuple[str, Value]:
    return "modulus", draws.pick(_MODULI)


def _edit_remainder(draws: Draws, slots: Slots) -> tuple[str, Value]:
    return "remainder", draws.below(int(slots["modulus"]))


def _edit_series(draws: Draws, slots: Slots) -> tuple[str, Value]:
    name = draws.pick(("value", "n"))
    return name, near(draws, int(slots[name]), (1, 2) if name == "n" else (2, 3, 6, 10))


CLAIMS: tuple[Claim, ...] = (
    Claim(
        name="divisible",
        domain=_DOMAIN,
        pairs=5,
        draw=_draw_divisible,
        edit=_edit_modulus,
        state=lambda s: (
            f"For every integer n from {s['low']} to {s['high']}, the number "
            f"{s['expression']} is divisible by {s['modulus']}."
        ),
        decide=_divisible,
    ),
    Claim(
        name="prime_values",
        domain=_DOMAIN,
        pairs=5,
        draw=_draw_primes,
        edit=lambda draws, s: ("high", max(1, near(draws, int(s["high"]), (1, 2, 3, 4)))),
        state=lambda s: (
            f"For every integer n from {s['low']} to {s['high']}, the number "
            f"{s['expression']} is a prime number."
        ),
        decide=_prime_values,
    ),
    Claim(
        name="outgrown",
        domain=_DOMAIN,
        pairs=3,
        draw=_draw_outgrown,
        edit=lambda draws, s: ("low", max(1, near(draws, int(s["low"]), (1, 2, 3, 4)))),
        state=lambda s: (
            f"For every integer n from {s['low']} to {s['high']}, the number 2^n is "
            f"greater than n^{s['power']}."
        ),
        decide=_outgrown,
    ),
    Claim(
        name="sum_of_squares",
        domain=_DOMAIN,
        pairs=4,
        draw=_draw_squares,
        edit=lambda draws, s: ("terms", draws.between(2, 4)),
        state=lambda s: (
            f"Every integer from {s['low']} to {s['high']} is a sum of at most "
            f"{s['terms']} squares of integers."
        ),
        decide=_squares_sum,
    ),
    Claim(
        name="no_remainder",
        domain=_DOMAIN,
        pairs=5,
        draw=_draw_remainder,
        edit=_edit_remainder,
        state=lambda s: (
            f"None of the first {s['high']} positive {s['series']} leaves the "
            f"remainder {s['remainder']} on division by {s['modulus']}."
        ),
        decide=_no_remainder,
    ),
    Claim(
        name="count",
        domain=_DOMAIN,
        pairs=6,
        draw=_draw_count,
        edit=_edit_count,
        state=lambda s: (
            f"Counted from {s['low']} to {s['high']}, both ends included, the number "
            f"of {s['property']} is exactly {s['value']}."
        ),
        decide=_count,
    ),
    Claim(
        name="series_sum",
        domain=_DOMAIN,
        pairs=5,
        draw=_draw_series,
        edit=_edit_series,
        state=lambda s: f"The sum of the first {s['n']} positive {s['series']} is {s['value']}.",
        decide=_series_sum,
    ),
)
"""The forms of statements about ranges of numbers."""
