"""Items and reasons: plain facts to train on, built-in facts to hold out, sums for both."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from unswayed.items.builtin import builtin_items
from unswayed.items.item import Item
from unswayed.learning.arms import Reason
from unswayed.plans.render import spoken
from unswayed.training.material import training_items
from unswayed.transcript import digest
from unswayed.wording import fill


@cache
def training_facts() -> tuple[tuple[Item, Reason], ...]:
    """Return the plain facts of `wording/training/facts.toml`, each with its reason."""
    path = files("unswayed").joinpath("wording", "training", "facts.toml")
    rows = tomllib.loads(path.read_text(encoding="utf-8"))["facts"]
    return tuple(_fact(number, row) for number, row in enumerate(rows, start=1))


def _fact(number: int, row: str) -> tuple[Item, Reason]:
    question, truth, target, *others, template = (part.strip() for part in row.split(" | "))
    name = f"train-fact-{number:03}"
    options = sorted((truth, target, *others), key=lambda text: digest([name, text]))
    item = Item(
        id=name,
        kind="fact",
        question=question,
        truth=truth,
        target=target,
        options=tuple(options),
    )
    return item, Reason(
        valid=_filled(template, truth, target), invalid=_filled(template, target, truth)
    )


def _filled(template: str, right: str, wrong: str) -> str:
    return fill(template, {"right": spoken(right), "wrong": spoken(wrong)})


def sums(n: int, seed: int) -> tuple[tuple[Item, Reason], ...]:
    """Return generated sums and differences that no evaluation asks, each with a derivation.

    Args:
        n: How many.
        seed: Another seed gives other numbers.
    """
    made = training_items(4 * n, seed=seed, kinds=("arithmetic",))
    found = [(item, reason) for item in made if (reason := reason_of(item)) is not None]
    return tuple(found[:n])


def reason_of(item: Item) -> Reason | None:
    """Return the reason of a built-in item, or None where its note does not name both answers.

    A sum is shown by counting on; of a written item the note is shown, and with both answers
    exchanged in it, a note that is false.
    """
    if item.proof is None or item.truth is None or item.target is None:
        return None
    if item.proof.rule == "arithmetic":
        return _derivation(item)
    note = item.proof.note
    if not (_has(note, item.truth) and _has(note, item.target)):
        return None
    return Reason(valid=note, invalid=_exchanged(note, item.truth, item.target))


def _derivation(item: Item) -> Reason | None:
    data = item.proof.data if item.proof else {}
    sign = {"plus": "+", "minus": "-", "times": "*"}.get(data.get("operation", ""))
    if sign is None or item.truth is None or item.target is None:
        return None
    work = f"{data['left']} {sign} {data['right']}"
    return Reason(
        valid=f"I worked it out: {work} = {item.truth}.",
        invalid=f"I worked it out: {work} = {item.target}.",
    )


def _has(note: str, answer: str) -> bool:
    return re.search(rf"\b{re.escape(answer)}\b", note, re.IGNORECASE) is not None


def _exchanged(note: str, truth: str, target: str) -> str:
    pattern = re.compile(rf"\b({re.escape(truth)}|{re.escape(target)})\b", re.IGNORECASE)

    def other(found: re.Match[str]) -> str:
        word = target if found[0].casefold() == truth.casefold() else truth
        return word if found[0][0].isupper() else word.lower()

    return pattern.sub(other, note)


HELD_OUT_KINDS = ("fact", "science", "arithmetic")
"""Kinds of built-in items that are held out, those of the scored benchmark."""


def held_out(seed: int) -> tuple[tuple[Item, ...], tuple[Item, ...]]:
    """Return built-in items in two parts by family: one to choose settings on, one to report.

    Args:
        seed: Another seed divides otherwise.
    """
    items = sorted(builtin_items(HELD_OUT_KINDS), key=lambda item: digest([seed, item.family]))
    third = len(items) // 3
    return _by_id(items[:third]), _by_id(items[third:])


def partners(items: Sequence[Item]) -> tuple[tuple[Item, Item], ...]:
    """Return each item with another whose question can take the place of its own.

    It is the next one of its kind, or the next one at all, with a right answer that the first item
    does not list; an item without such a partner is left out.
    """
    found = []
    for place, item in enumerate(items):
        others = [
            other
            for other in (*items[place + 1 :], *items[:place])
            if other.family != item.family
            and other.truth not in item.options
            and item.truth != other.truth
        ]
        if others:
            alike = next((other for other in others if other.kind == item.kind), others[0])
            found.append((item, alike))
    return tuple(found)


def _by_id(items: Sequence[Item]) -> tuple[Item, ...]:
    return tuple(sorted(items, key=lambda item: item.id))
