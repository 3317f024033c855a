"""Mathematical expressions as trees: our own small grammar, which can name nothing but numbers.

A text becomes nested tuples of words from closed lists, or nothing. No part of a text is ever
evaluated, looked up or handed to another parser.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from unswayed.readouts.tokens import CLOSERS, OPENERS, Token, Unreadable, tokens_of
from unswayed.readouts.wordlists import words_in

Tree = tuple[Any, ...]
"""A node: its kind, then its parts; kinds are listed in `KINDS`."""

KINDS = (
    "number", "symbol", "constant", "add", "mul", "div", "pow", "neg", "call", "order", "tuple",
    "set",
)  # fmt: skip

MOST_CHARACTERS = 400
"""Longest expression that is read."""

_MOST_DEPTH = 40

FUNCTIONS: dict[str, str] = {
    "sin": "sin", "cos": "cos", "tan": "tan", "cot": "cot", "sec": "sec", "csc": "csc",
    "arcsin": "asin", "arccos": "acos", "arctan": "atan", "asin": "asin", "acos": "acos",
    "atan": "atan", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "exp": "exp", "log": "log",
    "ln": "log", "abs": "abs", "sqrt": "sqrt", "floor": "floor", "ceil": "ceiling", "max": "max",
    "min": "min", "gcd": "gcd", "lcm": "lcm",
}  # fmt: skip
"""Functions by their names in a reply, and what they are called in a tree."""

_CONSTANTS = {
    "pi": "pi", "e": "e", "i": "i", "infty": "inf", "infinity": "inf", "oo": "inf", "inf": "inf",
}  # fmt: skip
_GREEK = frozenset(
    words_in(
        "alpha beta gamma delta epsilon varepsilon zeta eta theta iota kappa lambda mu nu xi rho "
        "sigma tau phi varphi chi psi omega Gamma Delta Lambda Sigma Phi Psi"
    )
)
_ORDERS = {"O": "O", "o": "o", "Theta": "Theta", "Omega": "Omega"}
_NOT_PRODUCTS = frozenset(
    words_in(
        "is to or an as at be by do go he if in it me my no of on so up us we cm mm km kg ml hz pm "
        "am ok vs"
    )
)
_INTERJECTIONS = frozenset(words_in("hi ha ah oh eh uh um hm yo ya ja si id ty gg"))
"""Words that are a product of letters in a formula and none where they are the whole text."""
_UNREAD = frozenset(
    words_in(
        "sum prod int iint iiint oint lim limsup liminf sup to mod bmod pmod vec hat bar overline "
        "partial nabla det mathbb"
    )
)
"""Commands that are no part of the grammar and may stand between two equals signs."""
_DERIVED = re.compile(
    r"\A[\s$]*(?:[A-Za-z](?:'{1,3}|[′″]|\^\{\\prime\})(?:\([A-Za-z]\))?|"
    r"(?:\\[dt]?frac ?\{d(?:\^?\d)?"
    r"[A-Za-z]?\} ?\{d[A-Za-z](?:\^\d)?\}|d[A-Za-z]?/d[A-Za-z])[ ]?(?:\\left)?(?:\[[^\]=]*\]|"
    r"\([^)=]*\)|"
    r"[A-Za-z](?:\([A-Za-z]\))?)?)\s*="
)
"""The name of a derivative on the left side: `f'(x) =`, `dy/dx =`."""
_DIFFERENTIAL = re.compile(r"d[A-Za-z]|[A-Za-z]d[A-Za-z]")


def parse_expression(text: str) -> Tree | None:
    """Return the tree of an expression, or None when the text is not one of the grammar.

    Plain signs and a subset of LaTeX are read: sums, products (written or implied), fractions,
    powers, roots, factorials, absolute values, the functions in `FUNCTIONS`, tuples and sets.
    `e`, `i` and `pi` are the constants. Of `x = 5` the right side is the expression, and
    of `x = 2 + 3 = 5` the last one, where a sum, a limit or the
    like may stand between them; other equations, inequalities and units are not read.

    Args:
        text: The expression, without the words around it.
    """
    if len(text) > MOST_CHARACTERS:
        return None
    try:
        tokens = tokens_of(_DERIVED.sub("y=", text))
        return _sides(tokens)
    except Unreadable:
        return None


def _sides(tokens: list[Token]) -> Tree:
    """The right side of an equation whose left side only names what was asked for."""
    if len(tokens) == 1 and tokens[0][1].lower() in _INTERJECTIONS:
        raise Unreadable
    places = _equals_signs(tokens)
    if places:
        left = tokens[: places[0]]
        if _is_formula(left):
            left = [("word", "y")]
        named = [token for token in left if token[0] in ("word", "command")]
        marks = {value for kind, value in left if kind == "mark"}
        if not named or len(named[0][1]) > 1 + 8 * (named[0][0] == "command"):
            raise Unreadable
        if marks - set("()_="):
            raise Unreadable
        if len(left) > 1 and left[1] not in (("mark", "("), ("mark", "_")):
            raise Unreadable
        for start, stop in pairwise(places):
            if named[0] in tokens[start + 1 : stop]:
                raise Unreadable
            if not _is_formula(tokens[start + 1 : stop]):
                _Parser(tokens[start + 1 : stop]).whole()
        tokens = tokens[places[-1] + 1 :]
    return _Parser(tokens).whole()


def _equals_signs(tokens: list[Token]) -> list[int]:
    """Where equals signs stand that are not inside brackets, as in `sum_{k=1}`."""
    places, depth = [], 0
    for number, (kind, value) in enumerate(tokens):
        depth = max(0, depth + (value in OPENERS) - (value in CLOSERS))
        if (kind, value) == ("mark", "=") and not depth:
            places.append(number)
    return places


def _is_formula(side: list[Token]) -> bool:
    """Whether a side holds a sum, a limit or the like, which the grammar lacks, and no words."""
    commands = {value for kind, value in side if kind == "command"}
    words = [value for kind, value in side if kind == "word" and len(value) > 1]
    known = {*FUNCTIONS, *_CONSTANTS, *_GREEK, "frac", "binom", "sqrt", "cdots", "ldots", "dots"}
    return bool(
        commands & _UNREAD
        and not commands - _UNREAD - known
        and all(word in known or _DIFFERENTIAL.fullmatch(word) for word in words)
        and ("mark", ",") not in side
    )


class _Parser:
    """Recursive descent over the tokens of one expression."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        self.place = 0
        self.depth = 0

    def whole(self) -> Tree:
        if not self.tokens:
            raise Unreadable
        tree = self.sum()
        if self.place != len(self.tokens):
            raise Unreadable
        return tree

    def sum(self) -> Tree:
        self.depth += 1
        if self.depth > _MOST_DEPTH:
            raise Unreadable
        terms = [self.product()]
        while self.sees("+", "-"):
            minus = self.take() == "-"
            term = self.product()
            terms.append(("neg", term) if minus else term)
        self.depth -= 1
        return terms[0] if len(terms) == 1 else ("add", *terms)

    def product(self) -> Tree:
        tree = self.signed()
        while True:
            if self.sees("*"):
                self.take()
                tree = ("mul", tree, self.signed())
            elif self.sees("/"):
                self.take()
                tree = ("div", tree, self.signed())
            elif self.begins_factor():
                tree = self.joined(tree)
            else:
                return tree

    def joined(self, tree: Tree) -> Tree:
        """Two factors side by side; a whole number before a fraction is a mixed number."""
        fraction = self.peek() == ("command", "frac")
        if self.peek()[0] == "number":
            raise Unreadable
        right = self.power()
        numbers = fraction and right[0] == "div" and right[1][0] == right[2][0] == "number"
        if numbers and tree[0] == "number":
            return ("add", tree, right)
        return ("mul", tree, right)

    def signed(self) -> Tree:
        if self.sees("+", "-"):
            self.depth += 1
            if self.depth > _MOST_DEPTH:
                raise Unreadable
            minus = self.take() == "-"
            tree = self.signed()
            self.depth -= 1
            return ("neg", tree) if minus else tree
        return self.power()

    def power(self) -> Tree:
        tree = self.atom()
        while self.sees("!"):
            self.take()
            tree = ("call", "factorial", tree)
        if self.sees("^"):
            self.take()
            tree = ("pow", tree, self.exponent())
        return tree

    def exponent(self) -> Tree:
        self.depth += 1
        if self.depth > _MOST_DEPTH:
            raise Unreadable
        minus = self.sees("+", "-") and self.take() == "-"
        tree = self.power()
        self.depth -= 1
        return ("neg", tree) if minus else tree

    def atom(self) -> Tree:
        kind, value = self.peek()
        if kind == "number":
            self.place += 1
            return ("number", value)
        if kind == "command":
            self.place += 1
            return self.command(value)
        if kind == "word":
            self.place += 1
            return self.word(value)
        return self.bracketed()

    def bracketed(self) -> Tree:
        opener = self.take()
        closer = {"(": ")", "{": "}", "[": "]", "\\{": "\\}", "|": "|"}.get(opener)
        if closer is None:
            raise Unreadable
        parts = [self.sum()]
        while self.sees(",") and opener in ("(", "\\{"):
            self.take()
            parts.append(self.sum())
        self.expect(closer)
        if opener == "|":
            return ("call", "abs", parts[0])
        if opener == "\\{":
            return ("set", *parts)
        return parts[0] if len(parts) == 1 else ("tuple", *parts)

    def command(self, name: str) -> Tree:
        if name in ("frac", "binom"):
            above, below = self.argument(), self.argument()
            return ("div", above, below) if name == "frac" else ("call", "binomial", above, below)
        if name == "sqrt":
            root: Tree | None = None
            if self.sees("["):
                self.take()
                root = self.sum()
                self.expect("]")
            inside = self.argument()
            return ("pow", inside, ("div", ("number", "1"), root or ("number", "2")))
        if name in ("lfloor", "lceil"):
            inside = self.sum()
            if self.peek() != ("command", "r" + name[1:]):
                raise Unreadable
            self.place += 1
            return ("call", "floor" if name == "lfloor" else "ceiling", inside)
        return self.named(name)

    def word(self, name: str) -> Tree:
        if name in FUNCTIONS or name in _CONSTANTS or name in _GREEK or name in _ORDERS:
            return self.named(name)
        if len(name) == 1:
            return self.symbol(name)
        if len(name) > 3 or name.lower() in _NOT_PRODUCTS or (len(name) > 2 and set(name) - _XYZ):
            raise Unreadable
        return ("mul", *(self.named(letter) for letter in name))

    def named(self, name: str) -> Tree:
        if name in _ORDERS and self.sees("("):
            return ("order", _ORDERS[name], self.bracketed())
        if name in FUNCTIONS:
            return self.call(FUNCTIONS[name])
        if name in _CONSTANTS:
            return ("constant", _CONSTANTS[name])
        if len(name) == 1 or name in _GREEK:
            return self.symbol(name)
        raise Unreadable

    def symbol(self, name: str) -> Tree:
        """A symbol with its index, as in `x_1`."""
        if not self.sees("_"):
            return ("symbol", name)
        self.take()
        index = self.argument()
        if index[0] not in ("number", "symbol"):
            raise Unreadable
        return ("symbol", f"{name}_{index[1]}")

    def call(self, name: str) -> Tree:
        base: Tree | None = None
        raised: Tree | None = None
        if self.sees("_") and name == "log":
            self.take()
            base = self.argument()
        if self.sees("^"):
            self.take()
            raised = self.exponent()
        if self.sees("(", "{"):
            inside = self.bracketed()
            parts = inside[1:] if inside[0] == "tuple" else (inside,)
        else:
            parts = (self.bare_argument(),)
        if name == "sqrt":
            tree: Tree = ("pow", parts[0], ("div", ("number", "1"), ("number", "2")))
        else:
            tree = ("call", name, *parts, *((base,) if base is not None else ()))
        return tree if raised is None else ("pow", tree, raised)

    def bare_argument(self) -> Tree:
        """What a function without brackets is applied to: `sin 2x` is the sine of 2x."""
        tree = self.power()
        while self.peek()[0] == "word" and self.peek()[1] not in FUNCTIONS:
            tree = ("mul", tree, self.power())
        return tree

    def argument(self) -> Tree:
        """The argument of a LaTeX command: a group, or one character."""
        kind, value = self.peek()
        if kind == "number" and len(value) > 1 and "." not in value:
            self.tokens = [
                *self.tokens[: self.place],
                ("number", value[0]),
                ("number", value[1:]),
                *self.tokens[self.place + 1 :],
            ]
        return self.atom()

    def begins_factor(self) -> bool:
        kind, value = self.peek()
        if kind == "command":
            return value not in ("rfloor", "rceil")
        return kind in ("number", "word") or (kind == "mark" and value in ("(", "{", "["))

    def peek(self) -> Token:
        return self.tokens[self.place] if self.place < len(self.tokens) else ("end", "")

    def sees(self, *marks: str) -> bool:
        kind, value = self.peek()
        return kind == "mark" and value in marks

    def take(self) -> str:
        kind, value = self.peek()
        if kind != "mark":
            raise Unreadable
        self.place += 1
        return value

    def expect(self, mark: str) -> None:
        if self.take() != mark:
            raise Unreadable


_XYZ = frozenset("xyz")
