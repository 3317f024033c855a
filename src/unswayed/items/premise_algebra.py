"""Statements of arithmetic, divisibility and counting, decided exactly."""

from __future__ import annotations

from math import factorial, gcd, lcm

from unswayed.items.draws import Draws
from unswayed.items.premise_claims import Claim, Decision, Slots, Value
from unswayed.items.premise_numbers import first_failure, is_prime, near

_DOMAIN = "mathematics"
_PRIMES = (7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59)
_WORDS = ("LEVEL", "BANANA", "LETTER", "PEPPER", "COFFEE", "SUMMER", "TATTOO", "NOON", "BALLOON")


def _valued(slots: Slots, right: int, how: str) -> Decision:
    """Decide a statement that names one value."""
    value = int(slots["value"])
    tail = "" if value == right else f", not {value}"
    return Decision(holds=value == right, reason=f"{how} gives {right}{tail}.")


def divisors(number: int) -> int:
    """Count the positive divisors of a number."""
    return sum(number % part == 0 for part in range(1, number + 1))


def products(number: int) -> int:
    """Count the pairs x <= y of positive integers with the product `number`."""
    return sum(number % x == 0 and x * x <= number for x in range(1, number + 1))


def square_pairs(number: int) -> int:
    """Count the pairs x <= y of positive integers whose squares add up to `number`."""
    top = range(1, int(number**0.5) + 2)
    return sum(x <= y and x * x + y * y == number for x in top for y in top)


def diagonals(sides: int) -> int:
    """Count the diagonals of a convex polygon by listing pairs of corners."""
    corners = range(sides)
    return sum(1 < b - a < sides - 1 for a in corners for b in corners if a < b)


def orders(word: str) -> int:
    """Count the different orders of the letters of a word."""
    count = factorial(len(word))
    for letter in set(word):
        count //= factorial(word.count(letter))
    return count


def _last_digit(slots: Slots) -> Decision:
    base, power = int(slots["base"]), int(slots["power"])
    return _valued(slots, pow(base, power, 10), "Multiplying out modulo 10")


def _least_multiple(slots: Slots) -> Decision:
    a, b = int(slots["a"]), int(slots["b"])
    return _valued(slots, lcm(a, b), f"Dividing {a} times {b} by {gcd(a, b)}")


def _product_of_run(slots: Slots) -> Decision:
    run, modulus = int(slots["run"]), int(slots["modulus"])
    if factorial(run) % modulus == 0:
        reason = f"Any such product is divisible by {run}! = {factorial(run)}."
        return Decision(holds=True, reason=reason)
    reason = f"Counterexample: the numbers from 1 to {run} give {factorial(run)}."
    return Decision(holds=False, reason=reason)


def _prime_like(slots: Slots) -> Decision:
    m = int(slots["modulus"])
    for a in range(1, m):
        for b in range(a, m):
            if a * b % m == 0:
                reason = f"Counterexample: {a} times {b} is {a * b}, and neither is divisible."
                return Decision(holds=False, reason=reason)
    return Decision(holds=True, reason=f"All pairs of remainders modulo {m} were tried.")


def _power_difference(slots: Slots) -> Decision:
    power, modulus = int(slots["power"]), int(slots["modulus"])
    bad = first_failure(range(modulus), lambda n: (n**power - n) % modulus == 0)
    if bad is None:
        reason = f"All remainders modulo {modulus} were tried."
        return Decision(holds=True, reason=reason)
    reason = f"Counterexample: n = {bad} gives {bad**power - bad}."
    return Decision(holds=False, reason=reason)


def _pigeons(slots: Slots) -> Decision:
    members, modulus = int(slots["members"]), int(slots["modulus"])
    if members > modulus:
        reason = f"There are only {modulus} remainders, so two of the integers share one."
        return Decision(holds=True, reason=reason)
    shown = ", ".join(map(str, range(members)))
    return Decision(holds=False, reason=f"Counterexample: {shown}.")


def _draw_last_digit(draws: Draws) -> Slots:
    base, power = draws.pick((2, 3, 4, 7, 8, 9, 12, 13, 17, 18)), draws.between(11, 99)
    return {"base": base, "power": power, "value": pow(base, power, 10)}


def _edit_last_digit(draws: Draws, slots: Slots) -> tuple[str, Value]:
    if draws.below(2):
        return "power", near(draws, int(slots["power"]), (1, 2, 3))
    cycle = [pow(int(slots["base"]), power, 10) for power in range(1, 5)]
    return "value", draws.pick(cycle)


def _draw_multiple(draws: Draws) -> Slots:
    shared = draws.pick((2, 3, 4, 6, 8, 9))
    first, second = draws.between(2, 11), draws.between(2, 11)
    if second == first:  # the least common multiple of a number and itself asks nothing
        second = first + 1 if first < 11 else 2
    a, b = shared * first, shared * second
    return {"a": a, "b": b, "value": lcm(a, b)}


def _edit_multiple(draws: Draws, slots: Slots) -> tuple[str, Value]:
    a, b = int(slots["a"]), int(slots["b"])
    return "value", draws.pick((a * b, lcm(a, b) * 2, lcm(a, b) // 2, lcm(a, b) + a))


def _draw_divisors(draws: Draws) -> Slots:
    number = draws.pick((12, 18, 20)) * draws.between(2, 19)
    return {"number": number, "value": divisors(number)}


def _edit_counted(draws: Draws, slots: Slots) -> tuple[str, Value]:
    return "value", max(1, near(draws, int(slots["value"]), (1, 2)))


def _edit_divisors(draws: Draws, slots: Slots) -> tuple[str, Value]:
    if draws.below(2):
        return _edit_counted(draws, slots)
    return "number", draws.pick((12, 18, 20)) * draws.between(2, 19)


def _draw_products(draws: Draws) -> Slots:
    number = draws.pick((6, 10, 12)) * draws.between(3, 40)
    return {"number": number, "value": products(number)}


def _draw_square_pairs(draws: Draws) -> Slots:
    number = draws.pick((50, 65, 85, 125, 130, 145, 170, 185, 200, 205, 221, 250, 265, 325, 425))
    return {"number": number, "value": square_pairs(number)}


def _draw_polygon(draws: Draws) -> Slots:
    sides = draws.between(6, 21)
    return {"sides": sides, "value": diagonals(sides)}


def _edit_polygon(draws: Draws, slots: Slots) -> tuple[str, Value]:
    sides = int(slots["sides"])
    if draws.below(2):
        return "sides", near(draws, sides, (1, 2))
    return "value", draws.pick((sides * (sides - 1) // 2, sides * (sides - 2) // 2 + 1))


def _draw_orders(draws: Draws) -> Slots:
    word = draws.pick(_WORDS)
    return {"word": word, "value": orders(word)}


def _edit_orders(draws: Draws, slots: Slots) -> tuple[str, Value]:
    word = str(slots["word"])
    if draws.below(2):
        return "word", draws.pick(_WORDS)
    return "value", draws.pick((orders(word) * 2, orders(word) // 2))


def _draw_run(draws: Draws) -> Slots:
    return {"run": draws.between(3, 6), "modulus": draws.pick((4, 6, 8, 12, 20, 24, 48, 120, 240))}


def _draw_power(draws: Draws) -> Slots:
    return {"power": draws.pick((2, 3, 4, 5, 6, 7)), "modulus": draws.between(2, 15)}


def _draw_pigeons(draws: Draws) -> Slots:
    modulus = draws.between(5, 40)
    return {"members": modulus + draws.between(-1, 2), "modulus": modulus}


CLAIMS: tuple[Claim, ...] = (
    Claim(
        name="last_digit",
        domain=_DOMAIN,
        pairs=4,
        draw=_draw_last_digit,
        edit=_edit_last_digit,
        state=lambda s: f"The last digit of {s['base']}^{s['power']} is {s['value']}.",
        decide=_last_digit,
    ),
    Claim(
        name="least_multiple",
        domain=_DOMAIN,
        pairs=4,
        draw=_draw_multiple,
        edit=_edit_multiple,
        state=lambda s: f"The least common multiple of {s['a']} and {s['b']} is {s['value']}.",
        decide=_least_multiple,
    ),
    Claim(
        name="divisors",
        domain=_DOMAIN,
        pairs=4,
        draw=_draw_divisors,
        edit=_edit_divisors,
        state=lambda s: f"The number {s['number']} has exactly {s['value']} positive divisors.",
        decide=lambda s: _valued(s, divisors(int(s["number"])), "Trying every divisor"),
    ),
    Claim(
        name="products",
        domain=_DOMAIN,
        pairs=4,
        draw=_draw_products,
        edit=_edit_counted,
        state=lambda s: (
            "The number of pairs (x, y) of positive integers with x <= y and "
            f"xy = {s['number']} is exactly {s['value']}."
        ),
        decide=lambda s: _valued(s, products(int(s["number"])), "Trying every x"),
    ),
    Claim(
        name="square_pairs",
        domain=_DOMAIN,
        pairs=4,
        draw=_draw_square_pairs,
        edit=_edit_counted,
        state=lambda s: (
            "The number of pairs (x, y) of positive integers with x <= y and "
            f"x^2 + y^2 = {s['number']} is exactly {s['value']}."
        ),
        decide=lambda s: _valued(s, square_pairs(int(s["number"])), "Trying every pair"),
    ),
    Claim(
        name="diagonals",
        domain=_DOMAIN,
        pairs=4,
        draw=_draw_polygon,
        edit=_edit_polygon,
        state=lambda s: (
            f"A convex polygon with {s['sides']} sides has exactly {s['value']} diagonals."
        ),
        decide=lambda s: _valued(s, diagonals(int(s["sides"])), "Listing pairs of corners"),
    ),
    Claim(
        name="letter_orders",
        domain=_DOMAIN,
        pairs=4,
        draw=_draw_orders,
        edit=_edit_orders,
        state=lambda s: (
            f"The letters of the word {s['word']} can be arranged in exactly "
            f"{s['value']} different orders."
        ),
        decide=lambda s: _valued(s, orders(str(s["word"])), "Counting equal letters once"),
    ),
    Claim(
        name="product_of_run",
        domain=_DOMAIN,
        pairs=4,
        draw=_draw_run,
        edit=lambda draws, s: ("run", draws.between(3, 6)),
        state=lambda s: (
            f"The product of any {s['run']} consecutive positive integers is divisible "
            f"by {s['modulus']}."
        ),
        decide=_product_of_run,
    ),
    Claim(
        name="prime_like",
        domain=_DOMAIN,
        pairs=3,
        draw=lambda draws: {"modulus": draws.between(7, 60)},
        edit=lambda draws, s: (
            "modulus",
            near(draws, int(s["modulus"]), (2, 4))
            if is_prime(int(s["modulus"]))
            else draws.pick(_PRIMES),
        ),
        state=lambda s: (
            "Whenever the product of two positive integers is divisible by "
            f"{s['modulus']}, at least one of the two is divisible by {s['modulus']}."
        ),
        decide=_prime_like,
    ),
    Claim(
        name="power_difference",
        domain=_DOMAIN,
        pairs=4,
        draw=_draw_power,
        edit=lambda draws, s: ("modulus", draws.between(2, 15)),
        state=lambda s: (
            f"For every positive integer n, the number n^{s['power']} - n is divisible "
            f"by {s['modulus']}."
        ),
        decide=_power_difference,
    ),
    Claim(
        name="pigeons",
        domain=_DOMAIN,
        pairs=3,
        draw=_draw_pigeons,
        edit=lambda draws, s: ("members", near(draws, int(s["members"]), (1, 2))),
        state=lambda s: (
            f"Among any {s['members']} different integers there are two whose "
            f"difference is divisible by {s['modulus']}."
        ),
        decide=_pigeons,
    ),
)
"""The forms of statements of arithmetic and counting."""
