"""Pairs that differ in tone alone, and pairs in which a kind tone goes with the wrong answer.

The first kind teaches to take notice of the person; alone it would let a rule that reads tone pick
the chosen side in .5 + t / 2 of all pairs at a share t. As many pairs of the second kind, with the
right answer said curtly and the wrong one kindly, bring that rule back to chance, and say that a
kind tone is no reason to be followed.
"""

from __future__ import annotations

import math
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Literal

import msgspec

from unswayed.errors import UsageError
from unswayed.training.row import TrainingRow, User
from unswayed.transcript import digest

SHARE = 0.15
"""Planned share of pairs that differ in tone alone."""

APART = "apart"
"""The tone of a row whose sides are not said alike."""

PLAIN = ("neutral", "brief")
"""Tones to which a first sentence gives another tone."""

Manner = Literal["kind", "curt"]

STANCES: dict[User, str] = {
    "none": "calm",
    "neutral": "calm",
    "challenge": "doubted",
    "names_target": "named",
    "names_truth": "named",
    "new_question": "changed",
}
"""Which first sentences go with what the user does."""


class Openings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """First sentences for one thing that a user does; the two of a number are as long."""

    kind: tuple[str, ...]
    """Those that take notice of the person."""
    curt: tuple[str, ...]
    """Those that do not."""


def with_tones(
    rows: Sequence[TrainingRow], *, seed: int, share: float = SHARE
) -> tuple[TrainingRow, ...]:
    """Return the rows with pairs that differ in tone alone as a share of all of them.

    A pair takes its prompt, its right answer and its reason from a row of plain tone; twins come
    together. Rows in which the user asks again or replaces the question give none: there are more
    of them after a right first answer than after a wrong one. As many other plain rows get a curt
    first sentence before the right answer and a kind one before the wrong answer. Where there are
    too few plain rows, the share is smaller.

    Args:
        rows: The rows of a set.
        seed: Another seed chooses other rows and sentences.
        share: Share of all rows that differ in tone alone, from 0 to .3.

    Raises:
        UsageError: When the share is outside of that.
    """
    check_share(share)
    by_id = {row.id: row for row in rows}
    units = [unit for unit in _units(rows, by_id) if not any(map(_is_second_turn, unit))]
    n_plain = sum(len(unit) for unit in units if all(map(_is_plain, unit)))
    # Half of the plain rows at most, so that as many are left for the other kind.
    wanted = min(math.ceil(share / (1 - share) * len(rows)), n_plain // 2)
    chosen: list[TrainingRow] = []
    for unit in _in_turn(units, ("tone", seed)):
        if len(chosen) + len(unit) <= wanted:
            chosen += unit
    taken = {row.id for row in chosen}
    turn = _in_turn([(row,) for row in rows], ("crossed", seed))
    crossed = [row for (row,) in turn if row.id not in taken][: len(chosen)]
    changed = {row.id: _crossed(row, seed) for row in crossed}
    pairs = {row.id: _in_tone(row, seed) for row in chosen}
    names = {old: row.id for old, row in changed.items()}
    whole = [_twinned(changed.get(row.id, row), names) for row in rows]
    # A twin of a tone pair is the tone pair of the twin, or, where there is none, the twin itself.
    told = names | {old: row.id for old, row in pairs.items()}
    return (*whole, *(_twinned(row, told) for row in pairs.values()))


def check_share(share: float) -> None:
    """Refuse a share that no set can have.

    Raises:
        UsageError: When it is not from 0 to .3.
    """
    if not 0 <= share <= 0.3:
        raise UsageError(
            "Pairs that differ in tone alone cannot have that share",
            allowed="0 to 0.3",
            given=str(share),
            next_step=f"give --tones between these, such as {SHARE}",
        )


def _is_plain(row: TrainingRow) -> bool:
    return row.differs == "answer" and row.tone in PLAIN


def _is_second_turn(row: TrainingRow) -> bool:
    return row.user in ("neutral", "new_question")


def _units(
    rows: Iterable[TrainingRow], by_id: Mapping[str, TrainingRow]
) -> Iterable[tuple[TrainingRow, ...]]:
    """Yield each row once, together with all its twins."""
    seen: set[str] = set()
    for row in rows:
        unit: dict[str, TrainingRow] = {}
        waiting = [row.id]
        while waiting:
            name = waiting.pop()
            if name in by_id and name not in unit:
                unit[name] = by_id[name]
                waiting += [unit[name].invariance_twin, unit[name].evidence_twin]
        if row.id not in seen:
            yield tuple(unit.values())
        seen.update(unit)


def _in_turn(
    units: Sequence[tuple[TrainingRow, ...]], salt: tuple[str, int]
) -> list[tuple[TrainingRow, ...]]:
    """Order the plain units so that any beginning of the list has each kind of row in its share.

    The share is that among all units: where few of a kind are plain, they come early.
    """
    groups: dict[str, list[tuple[TrainingRow, ...]]] = defaultdict(list)
    for unit in units:
        kinds = sorted(f"{row.direction}/{row.first}/{row.user}" for row in unit)
        groups[f"{kinds}/{unit[0].condition.get('pressure', '')}"].append(unit)
    places = []
    for name, group in groups.items():
        plain = [unit for unit in group if all(map(_is_plain, unit))]
        order = sorted(plain, key=lambda unit: digest([*salt, unit[0].id]))
        places += [((n + 0.5) / len(group), name, unit) for n, unit in enumerate(order)]
    return [unit for _, _, unit in sorted(places, key=lambda place: place[:2])]


def _in_tone(row: TrainingRow, seed: int) -> TrainingRow:
    """Say the right answer kindly and curtly."""
    sides = (_opened(row, "kind", seed, row.completion), _opened(row, "curt", seed, row.completion))
    return _said(msgspec.structs.replace(row, differs="tone", wrong=""), *sides)


def _crossed(row: TrainingRow, seed: int) -> TrainingRow:
    """Say the right answer curtly and the wrong one kindly."""
    sides = (_opened(row, "curt", seed, row.completion), _opened(row, "kind", seed, row.rejected))
    return _said(row, *sides)


def _said(row: TrainingRow, chosen: str, rejected: str) -> TrainingRow:
    return msgspec.structs.replace(
        row,
        id=digest([row.messages, chosen, rejected]),
        completion=chosen,
        rejected=rejected,
        tone=APART,
    )


def _twinned(row: TrainingRow, names: Mapping[str, str]) -> TrainingRow:
    return msgspec.structs.replace(
        row,
        invariance_twin=names.get(row.invariance_twin, row.invariance_twin),
        evidence_twin=names.get(row.evidence_twin, row.evidence_twin),
    )


def _opened(row: TrainingRow, manner: Manner, seed: int, text: str) -> str:
    bank = getattr(openings()[STANCES[row.user]], manner)
    return f"{bank[int(digest([seed, row.id], size=6), 16) % len(bank)]} {text}"


@cache
def openings() -> dict[str, Openings]:
    """Return the first sentences by what the user does."""
    path = files("unswayed").joinpath("wording", "training", "openings.toml")
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    data.pop("describes")
    return msgspec.convert(data, dict[str, Openings])
