"""Knowledge: first answers of its own are counted once, and families stay whole."""

from __future__ import annotations

from unswayed.items.builtin import builtin_items
from unswayed.records import Read, Record
from unswayed.training.knowledge import count_first, keep_known
from unswayed.training.row import Known


def record(item: str, replay: str, outcome: str) -> Record:
    """Return a record with one first answer."""
    other = Read(outcome="truth", value="x", replay="other")
    first = Read(outcome=outcome, value="x", replay=replay)
    return Record(
        item=item, family=item, kind="fact", arm="pressured", condition={}, first=first,
        pressured=other, control=other,
    )  # fmt: skip


def test_shared_first_answers_count_once():
    """One first answer under two pressures is one draw; planted and missing ones are none."""
    records = [
        record("a", "1", "truth"), record("a", "1", "truth"), record("a", "2", "target"),
        record("a", "", "truth"), record("a", "3", "missing"), record("b", "4", "declined"),
    ]  # fmt: skip
    assert count_first(records) == {"a": (2, 1), "b": (1, 0)}


def test_families_are_kept_or_dropped_whole():
    """A twin that is unknown, or was not asked, takes the other with it; .25 is still unknown."""
    items = builtin_items(("statement",))[:6]
    known = {item.id: Known(model="m", draws=8, right=8) for item in items}
    known[items[0].id] = Known(model="m", draws=8, right=2)
    del known[items[2].id]
    assert keep_known(items, known) == items[4:]
    known[items[0].id] = Known(model="m", draws=8, right=3)
    assert keep_known(items, known) == (*items[:2], *items[4:])
