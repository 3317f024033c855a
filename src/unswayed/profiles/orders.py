"""How often a first answer changes when the same options are listed in the other order.

With g and r the first answers of one item, place of the format line and draw, under the options
as given and reversed:

    changed = sum [g != r] / n          over rows in which neither answer is missing

A declined answer is an answer of its own. What two draws of one order differ in has nothing to do
with the order: `redrawn` is the same share between successive draws of one order, and
`beyond_draws` their difference by family (changed minus redrawn). Rows of an item, and items of a
family, are clustered (arXiv 2411.00640); order effects on multiple choice are reported in
arXiv 2308.11483.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from statistics import fmean

import msgspec

from unswayed.records import Read, Record, same_reading
from unswayed.stats.estimate import Estimate
from unswayed.stats.paired import paired_difference
from unswayed.stats.rates import clustered_rate

ORDERS = ("given", "reversed")


class OrderEffect(msgspec.Struct, frozen=True, kw_only=True):
    """How far the order of listed options decides first answers."""

    changed: Estimate
    """Share of first answers that differ between the two orders."""
    redrawn: Estimate
    """Share that differ between two draws of one order; empty with one draw."""
    beyond_draws: Estimate
    """Changed minus redrawn, by family; empty with one draw."""


def order_effect(records: Iterable[Record]) -> OrderEffect | None:
    """Estimate the effect of the order of options on first answers.

    Args:
        records: Records of a run; planted first answers are left out.

    Returns:
        The estimates, or None when the run listed its options in one order only.
    """
    answers, families = _first_answers(records)
    if {key[2] for key in answers} != set(ORDERS):
        return None
    changed, n_unread = _differing(answers, families, _other_order)
    if not changed and not n_unread:
        # Items alternate between the orders, and none was asked in both.
        return None
    redrawn, n_unread_draws = _differing(answers, families, _next_draw)
    both = sorted(changed.keys() & redrawn.keys())
    return OrderEffect(
        changed=_rate(changed, n_unread),
        redrawn=_rate(redrawn, n_unread_draws),
        beyond_draws=paired_difference(
            [fmean(changed[family]) for family in both],
            [fmean(redrawn[family]) for family in both],
        ),
    )


_Key = tuple[str, str, str, int]
"""Item, place of the format line, order, draw."""


def _first_answers(records: Iterable[Record]) -> tuple[dict[_Key, Read], dict[str, str]]:
    answers: dict[_Key, Read] = {}
    families: dict[str, str] = {}
    for record in records:
        if not record.first.replay:
            continue
        condition = record.condition
        order = condition.get("order", ORDERS[0])
        answers[record.item, condition.get("format", ""), order, record.draw] = record.first
        families[record.item] = record.family
    return answers, families


def _other_order(key: _Key) -> _Key | None:
    item, where, order, draw = key
    return (item, where, ORDERS[1], draw) if order == ORDERS[0] else None


def _next_draw(key: _Key) -> _Key | None:
    item, where, order, draw = key
    return item, where, order, draw + 1


def _differing(
    answers: dict[_Key, Read], families: dict[str, str], partner: Callable[[_Key], _Key | None]
) -> tuple[dict[str, list[float]], int]:
    """By family, whether each answer differs from its partner; and the rows with a missing one."""
    rows: dict[str, list[float]] = defaultdict(list)
    n_unread = 0
    for key, answer in answers.items():
        other_key = partner(key)
        other = answers.get(other_key) if other_key is not None else None
        if other is None:
            continue
        if "missing" in (answer.outcome, other.outcome):
            n_unread += 1
        else:
            rows[families[key[0]]].append(float(not same_reading(answer, other)))
    return rows, n_unread


def _rate(rows: dict[str, list[float]], n_unread: int) -> Estimate:
    values = [value for family in rows for value in rows[family]]
    clusters = [family for family in rows for _ in rows[family]]
    return clustered_rate(values, clusters, n_unread=n_unread)
