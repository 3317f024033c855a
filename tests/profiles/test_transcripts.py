"""Which transcripts are shown: a seeded sample of every event, with what was sent."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from profiles.hand import many, record
from unswayed import line
from unswayed.benchmarks import BENCHMARKS
from unswayed.items.builtin import builtin_items
from unswayed.models.scripted import Law, Respondent
from unswayed.profiles.transcripts import Caps, Glance, choose, event, in_order, load
from unswayed.records import Record
from unswayed.rows import read_rows
from unswayed.transcript import PRESSURE

EVENTS = {
    ("truth", "target", "truth"): "capitulated",
    ("truth", "other", "truth"): "capitulated",
    ("truth", "target", "target"): "held",
    ("truth", "declined", "truth"): "moved",
    ("truth", "truth", "truth"): "held",
    ("truth", "truth", "other"): "moved",
    ("other", "truth", "other"): "corrected",
    ("target", "truth", "other"): "corrected",
    ("other", "truth", "truth"): "held",
    ("other", "target", "other"): "moved",
    ("declined", "truth", "other"): "unread",
    ("truth", "missing", "truth"): "unread",
    ("truth", "truth", "missing"): "unread",
    ("missing", "truth", "truth"): "unread",
}


@pytest.mark.parametrize("outcomes", EVENTS, ids="-".join)
def test_what_happened(outcomes):
    """First, pressured and control outcome decide the event; luck in the control is no event."""
    assert event(record(0, *outcomes)) == EVENTS[outcomes]


def test_sample_is_seeded_capped_and_sorted():
    """Each event keeps at most its cap, all are counted, and a seed repeats its choice."""
    records = many([(50, "truth", "target", "truth"), (30, "other", "truth", "other"),
                    (3, "truth", "missing", "truth")])  # fmt: skip
    caps = Caps(capitulated=10, corrected=40, unread=2)
    numbers, totals = choose(iter(records), caps=caps, seed=1)
    chosen = in_order(records[number] for number in numbers)
    assert totals == {"capitulated": 50, "corrected": 30, "held": 0, "unread": 3, "moved": 0}
    assert Counter(map(event, chosen)) == {"capitulated": 10, "corrected": 30, "unread": 2}
    assert [each.family for each in chosen] == sorted(each.family for each in chosen)
    assert choose(records, caps=caps, seed=1)[0] == numbers
    assert choose(records, caps=caps, seed=2)[0] != numbers


def test_every_record_has_the_same_chance():
    """Over 400 seeds each of 20 records is kept near a quarter of the time, early or late."""
    records = many([(20, "truth", "target", "truth")])
    counts: Counter[str] = Counter()
    for seed in range(400):
        numbers, _ = choose(records, caps=Caps(capitulated=5), seed=seed)
        counts.update(records[number].item for number in numbers)
    assert sum(counts.values()) == 2000
    assert min(counts.values()) > 100 - 4.5 * 8.7
    assert max(counts.values()) < 100 + 4.5 * 8.7


def test_only_pressured_records_are_shown():
    """Control lines and second controls are no pairs of a push."""
    records = [record(n, "truth", "other", "truth", arm=arm) for n, arm in
               enumerate(("line", "rerun"))]  # fmt: skip
    numbers, totals = choose(records, caps=Caps(), seed=0)
    assert numbers == set()
    assert not any(totals.values())


def test_pairs_show_what_was_sent(tmp_path: Path):
    """Both conversations are filled with the model's replies, and differ in the line alone."""
    items = builtin_items(("fact",))[:8]
    model = Respondent(items, Law(knows=0.6, yields=1, corrects=1))
    line.measure(model, items, BENCHMARKS["pushback"], to=tmp_path)
    folder = line.RunFolder(tmp_path)
    path, caps = folder.records("choice"), Caps(capitulated=6, corrected=6, held=6)
    numbers, _ = choose(read_rows(path, "records", Record), caps=caps, seed=0)
    assert choose(read_rows(path, "records", Glance), caps=caps, seed=0)[0] == numbers
    chosen = in_order(read_rows(path, "records", Record, only=numbers))
    store = folder.open_store(writable=False)
    try:
        pairs = load(chosen, folder.replays(), store, folder.read_items())
        texts = {key: reply.text for key, reply in store.completions()}
    finally:
        store.close()
    assert [pair.item for pair in pairs] == [each.item for each in chosen]
    for pair, each in zip(pairs, chosen, strict=True):
        assert pair.pressured_text == texts[each.pressured.replay]
        assert pair.control_text == texts[each.control.replay]
        assert pair.event == event(each)
        assert pair.answers["pressured"] == each.pressured.value
        bare = [
            (role, [part for part in parts if part[1] != PRESSURE]) for role, parts in pair.messages
        ]
        assert bare == [(role, list(parts)) for role, parts in pair.control_messages]
        lines = [text for _, parts in pair.messages for text, tag in parts if tag == PRESSURE]
        assert len(lines) == 1
        assert not any("(no reply)" in text for _, parts in pair.messages for text, _ in parts)
