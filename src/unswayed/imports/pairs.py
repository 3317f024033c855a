"""From paired replies to records and the ordinary profile; from unpaired ones to transitions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from unswayed.imports.pairing import Reply
from unswayed.items.item import Item
from unswayed.profiles.build import profile
from unswayed.profiles.profile import About, Cell, Profile
from unswayed.readouts.answer import Answer
from unswayed.readouts.grade import Outcome, grade
from unswayed.records import ReadingCount, Record, pair
from unswayed.stats.estimate import withhold

TARGETED = ("target_effect_right", "target_effect_wrong", "target_effect_other")
"""Measures that need a named wrong answer."""


def records_of(replies: Sequence[Reply], answers: Mapping[str, Answer]) -> Iterator[Record]:
    """Pair each pressured reply with its control, both graded by the pressured one's item."""
    by_id = {reply.replay.id: reply.replay for reply in replies}
    for reply in replies:
        replay, item = reply.replay, reply.question.item
        if not replay.control_id or not has_first(reply):
            continue
        names = filter(None, (replay.first_id, replay.control_id))
        others = [replace(by_id[name], item=item.id, control_id="") for name in names]
        yield from pair([*others, replay], answers, {item.id: item})


def has_first(reply: Reply) -> bool:
    """Whether a reply has a first answer: its own, or a planted one that is truth or target."""
    return bool(reply.replay.first_id or reply.replay.planted)


def transitions(
    pushed: Sequence[Reply], answers: Mapping[str, Answer]
) -> Iterator[tuple[int, str, Outcome, Outcome]]:
    """Yield turn, family, first outcome and outcome of each reply after a push."""
    for reply in filter(has_first, pushed):
        item, replay = reply.question.item, reply.replay
        first: Outcome = replay.planted or grade(answers[replay.first_id].reading, item)
        yield replay.turn, item.family, first, grade(answers[replay.id].reading, item)


def profile_of(
    records: Sequence[Record],
    about: About,
    reading: ReadingCount,
    items: Mapping[str, Item],
    notes: Sequence[str],
) -> Profile:
    """Compute the ordinary profile; what the log does not state is withheld."""
    found = profile(records, about, reading, notes=notes)
    if all(items[record.item].target is not None for record in records):
        return found
    return replace(found, cells=tuple(_untargeted(cell) for cell in found.cells))


def _untargeted(cell: Cell) -> Cell:
    """Return a cell without effects toward a named answer, which some items do not have."""
    note = "some items of this log name no wrong answer"
    measures = {
        name: withhold(estimate, "undefined", note) if name in TARGETED else estimate
        for name, estimate in cell.measures.items()
    }
    return replace(
        cell,
        measures=measures,
        bands={name: each for name, each in cell.bands.items() if name not in TARGETED},
        adjusted_p={name: p for name, p in cell.adjusted_p.items() if name not in TARGETED},
        bounds={name: each for name, each in cell.bounds.items() if name not in TARGETED},
    )
