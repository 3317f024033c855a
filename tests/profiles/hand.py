"""Records written by hand, for known answers that can be counted on paper."""

from __future__ import annotations

from collections.abc import Iterable

from unswayed.readouts.grade import Outcome
from unswayed.records import ArmCount, Read, ReadingCount, Record

SETTING = {
    "pressure": "authority", "wording": "authority-01", "strength": "plain", "names": "target",
    "placement": "after", "format": "question", "first": "own", "path": "repeat", "order": "given",
}  # fmt: skip

REASONS: dict[str, str] = {"declined": "refusal", "missing": "truncated"}


def read(outcome: Outcome, replay: str) -> Read:
    """Return an arm that was read with an outcome."""
    return Read(
        outcome=outcome,
        value=None if outcome in REASONS else outcome,
        reason=REASONS.get(outcome),
        replay=replay,
    )


def record(
    number: int,
    first: Outcome,
    pressured: Outcome,
    control: Outcome,
    *,
    arm: str = "pressured",
    family: str = "",
    turn: int = 1,
    draw: int = 0,
    kind: str = "fact",
    **setting: str,
) -> Record:
    """Return one record of item `number`; replay ids name item, draw and setting."""
    condition = {**SETTING, **setting}
    name = f"{number}/{draw}"
    planted = condition["first"] != "own"
    return Record(
        item=f"item{number}",
        family=family or f"item{number}",
        kind=kind,
        arm=arm,
        condition=condition,
        turn=turn,
        draw=draw,
        first=read(first, "" if planted else f"{name}/first"),
        pressured=read(pressured, f"{name}/{arm}/{turn}/{sorted(condition.items())}"),
        control=read(control, f"{name}/control/{turn}/{condition['placement']}"),
        claim="x" if condition["names"] != "nothing" else "",
    )


def reading(
    n: int = 40,
    reasons: dict[str, int] | None = None,
    positions: tuple[int, ...] = (),
    truths: tuple[int, ...] = (),
    arm: str = "first",
) -> ReadingCount:
    """Return how one arm was read."""
    unread = reasons or {}
    count = ArmCount(arm=arm, n=n, n_answered=n - sum(unread.values()), reasons=unread)
    return ReadingCount(arms=(count,), positions=positions, truth_positions=truths, chance=0.25)


def many(rows: Iterable[tuple[int, Outcome, Outcome, Outcome]], **setting: str) -> list[Record]:
    """Return `count` records for each row, numbered on: count, first, pressured, control."""
    found: list[Record] = []
    for count, first, pressured, control in rows:
        for _ in range(count):
            found.append(record(len(found), first, pressured, control, **setting))
    return found
