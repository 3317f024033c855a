"""The child process that decides whether two expressions are equal; imports SymPy.

It reads one JSON line per question, `[tree, tree]`, and writes `true`, `false` or `null`. The
trees come from `formulas`, so nothing but numbers, symbols and functions of a closed list is
ever built.
"""

from __future__ import annotations

import json
import operator
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

sympy = import_module("sympy")

Formula = Any
"""An expression of SymPy, which has no types of its own."""

MOST_BYTES = 1 << 30
"""Address space of the process, where the platform can limit it."""


def limit_memory() -> None:
    """Cap the address space of this process; a platform without limits keeps the time limit."""
    try:
        import resource
    except ImportError:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = MOST_BYTES if hard == resource.RLIM_INFINITY else min(hard, MOST_BYTES)
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))


def serve() -> None:
    """Answer questions until the input ends."""
    limit_memory()
    for line in sys.stdin:
        left, right = json.loads(line)
        try:
            verdict = are_equal(left, right)
        except (
            ArithmeticError, AttributeError, KeyError, MemoryError, NotImplementedError,
            RecursionError, TypeError, ValueError,
        ):  # fmt: skip
            verdict = None
        print(json.dumps(verdict), flush=True)


def are_equal(left: list[Any], right: list[Any]) -> bool | None:
    """Whether two trees are the same expression; None when that cannot be decided."""
    kinds = (left[0], right[0])
    if "tuple" in kinds or "set" in kinds:
        if kinds[0] != kinds[1] or len(left) != len(right):
            return False
        return _all_equal(left, right) if kinds[0] == "tuple" else _same_set(left, right)
    if "order" in kinds:
        if kinds[0] != kinds[1] or left[1] != right[1]:
            return False
        ratio = sympy.simplify(build(left[2]) / build(right[2]))
        return bool(ratio.is_number and ratio.is_nonzero)
    return _same(build(left), build(right))


def _all_equal(left: list[Any], right: list[Any]) -> bool | None:
    verdicts = [are_equal(a, b) for a, b in zip(left[1:], right[1:], strict=True)]
    if False in verdicts:
        return False
    return None if None in verdicts else True


def _same_set(left: list[Any], right: list[Any]) -> bool | None:
    rest = list(right[1:])
    unsure = False
    for part in left[1:]:
        verdicts = [are_equal(part, other) for other in rest]
        if True in verdicts:
            rest.pop(verdicts.index(True))
        elif None in verdicts:
            unsure = True
        else:
            return False
    return None if unsure else True


def _same(left: Formula, right: Formula) -> bool | None:
    if left == right:
        return True
    if any(side.has(sympy.oo, sympy.zoo, sympy.nan) for side in (left, right)):
        return False
    difference = left - right
    verdict = difference.equals(0)
    if verdict is None and sympy.simplify(difference) == 0:
        return True
    return None if verdict is None else bool(verdict)


def build(tree: list[Any]) -> Formula:
    """Return the SymPy expression of a tree; decimals are exact fractions."""
    kind, parts = tree[0], tree[1:]
    if kind in _LEAVES:
        return _LEAVES[kind](parts[0])
    if kind in ("call", "order"):
        known = sympy.Function(parts[0]) if kind == "order" else _FUNCTIONS[parts[0]]
        return known(*map(build, parts[1:]))
    return _OPERATIONS[kind](*map(build, parts))


_CONSTANTS = {"pi": sympy.pi, "e": sympy.E, "i": sympy.I, "inf": sympy.oo}
_LEAVES: dict[str, Callable[[str], Formula]] = {
    "number": sympy.Rational,
    "symbol": sympy.Symbol,
    "constant": _CONSTANTS.__getitem__,
}
_OPERATIONS: dict[str, Callable[..., Formula]] = {
    "add": sympy.Add,
    "mul": sympy.Mul,
    "neg": operator.neg,
    "pow": operator.pow,
    "div": operator.truediv,
}
_FUNCTIONS: dict[str, Callable[..., Formula]] = {
    "sin": sympy.sin, "cos": sympy.cos, "tan": sympy.tan, "cot": sympy.cot, "sec": sympy.sec,
    "csc": sympy.csc, "asin": sympy.asin, "acos": sympy.acos, "atan": sympy.atan,
    "sinh": sympy.sinh, "cosh": sympy.cosh, "tanh": sympy.tanh, "exp": sympy.exp,
    "log": sympy.log, "abs": sympy.Abs, "floor": sympy.floor, "ceiling": sympy.ceiling,
    "max": sympy.Max, "min": sympy.Min, "gcd": sympy.gcd, "lcm": sympy.lcm,
    "factorial": sympy.factorial, "binomial": sympy.binomial,
}  # fmt: skip
