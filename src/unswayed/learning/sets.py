"""The two training sets of the proof: balanced, and with users who are always wrong."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Literal

import msgspec

from unswayed.items.item import Item
from unswayed.learning.arms import (
    ARMS,
    CHANGED,
    CONTROL,
    DESIGN,
    Arm,
    Asked,
    Reason,
    ask,
    ask_instead,
    training_lines,
)
from unswayed.learning.material import partners
from unswayed.plans.design import Action
from unswayed.plans.render import say
from unswayed.training.row import Start, TrainingRow, Turn, User
from unswayed.transcript import digest

Kind = Literal["balanced", "one-sided"]

ONE_SIDED = tuple(arm for arm in ARMS if arm.first == "right" and arm.names == "target")
"""What a set against capitulation alone holds: the user is always wrong."""

ALL_CHANGED = (CHANGED, msgspec.structs.replace(CHANGED, first="wrong"))
"""The user asks another question instead, after a right first answer and after a wrong one."""

EVIDENCE_ONLY = tuple(arm for arm in ARMS if arm.shown == "valid")
"""What can be learned about an item that the model does not know: to follow a reason that holds."""


MOST_NEW = 0.6
"""Most items that the model does not know, as a share of those that it knows: with more of them the
user would be right in too many rows."""


def render_set(
    material: Sequence[tuple[Item, Reason]],
    pressures: Sequence[str],
    *,
    kind: Kind,
    known: Collection[str],
    seed: int,
) -> tuple[TrainingRow, ...]:
    """Return the rows of a set.

    Args:
        material: Items with their reasons.
        pressures: Pressure types.
        kind: Which set.
        known: Ids of items that the model answers right by itself.
        seed: Seed of the lines.
    """
    held = [each for each in material if each[0].id in known]
    new = [each for each in material if each[0].id not in known][: int(MOST_NEW * len(held))]
    arms: dict[str, Sequence[Arm]] = {}
    for item, _ in held:
        arms[item.id] = ONE_SIDED if kind == "one-sided" else ARMS
    for item, _ in new:
        arms[item.id] = () if kind == "one-sided" else EVIDENCE_ONLY
    changed = {} if kind == "one-sided" else _changed(material, known)
    return tuple(
        row
        for item, reason in material
        for _, row in _rows(
            (item, reason, changed.get(item.id)), arms.get(item.id, ()), pressures, seed
        )
    )


def asked_rows(
    material: Sequence[tuple[Item, Reason]],
    pressures: Sequence[str],
    *,
    known: Collection[str],
    seed: int,
) -> Iterator[tuple[Asked, TrainingRow]]:
    """Yield the conversations of the balanced set over known items, each with its row.

    Args:
        material: Items with their reasons.
        pressures: Pressure types.
        known: Ids of items that the model answers right by itself.
        seed: Seed of the lines.
    """
    changed = _changed(material, known)
    for item, reason in material:
        if item.id in known:
            yield from _rows((item, reason, changed.get(item.id)), ARMS, pressures, seed)


def _changed(material: Sequence[tuple[Item, Reason]], known: Collection[str]) -> dict[str, Item]:
    """Return for each known item another known one, whose question can take its place."""
    held = [item for item, _ in material if item.id in known]
    return {item.id: other for item, other in partners(held)}


def _rows(
    one: tuple[Item, Reason, Item | None], arms: Sequence[Arm], pressures: Sequence[str], seed: int
) -> Iterator[tuple[Asked, TrainingRow]]:
    item, reason, other = one
    asked = list(_asked(item, reason, arms, pressures, seed))
    if other is not None:
        said = training_lines(item, pressures[0], seed)
        asked += [ask_instead(item, other, said, arm=arm) for arm in ALL_CHANGED]
    mine = [(each, _row(each)) for each in asked]
    ids = {(each.pressure, each.arm): row.id for each, row in mine}
    for each, row in mine:
        yield each, _twinned(row, each, ids)


def _asked(
    item: Item, reason: Reason, arms: Sequence[Arm], pressures: Sequence[str], seed: int
) -> Iterator[Asked]:
    """Yield every arm once, and those in which a line pushes once for each pressure type."""
    for place, pressure in enumerate(pressures):
        chosen = arms if place == 0 else [arm for arm in arms if arm.pushes]
        yield from ask(
            item, chosen, training_lines(item, pressure, seed), pressure=pressure, reason=reason
        )


def _row(asked: Asked) -> TrainingRow:
    item, arm = asked.item, asked.arm
    truth, target = str(item.truth), str(item.target)
    messages = tuple(Turn(**message) for message in asked.transcript.to_wire())
    completion, rejected = say(truth, DESIGN), say(target, DESIGN)
    users: dict[str, User] = {"truth": "names_truth", "target": "names_target"}
    starts: dict[str, Start] = {"right": "right", "wrong": "wrong", "none": "none"}
    changed = arm.context == "changed"
    neutral: User = "none" if arm == CONTROL else "new_question" if changed else "neutral"
    first = {"right": truth, "wrong": target}.get(arm.first, "")
    return TrainingRow(
        id=digest([messages, completion, rejected]),
        family=item.family,
        item=item.id,
        kind=item.kind,
        condition={
            "pressure": asked.pressure or ("reason" if arm.shown != "none" else "none"),
            "wording": asked.wording or "none",
            "placement": "after" if arm.first != "none" else "before",
            "order": "given",
            "names": arm.names,
            "shown": arm.shown,
        },
        direction=_action(arm),
        first=starts[arm.first],
        user=users.get(arm.names, neutral),
        evidence="valid" if arm.shown == "valid" or changed else "none",
        messages=messages,
        completion=completion,
        rejected=rejected,
        tone="neutral",
        answer=truth,
        wrong=target,
        first_answer=target if changed else first,
        claim=asked.claim,
        options=item.options,
        question=item.question,
        line=asked.line,
        user_right={"target": False, "truth": True}.get(arm.names),
        first_right={"right": True, "wrong": False}.get(arm.first),
        source=item.source,
        licence=item.licence,
        evaluation_only=item.evaluation_only,
    )


def _action(arm: Arm) -> Action:
    if arm.first == "none":
        return "answer"
    if arm.context == "changed":
        return "update"
    if arm.first == "right":
        return "keep"
    return "update" if arm.names == "truth" else "repair"


def _twinned(row: TrainingRow, asked: Asked, ids: dict[tuple[str, Arm], str]) -> TrainingRow:
    """Return a row with the ids of its twins.

    The user names the other answer there; or keeps the question, where it is changed here.
    """
    arm = asked.arm
    if arm.context == "changed":
        kept = ids["", Arm(first=arm.first, names="nothing")]
        return msgspec.structs.replace(row, evidence_twin=kept)
    others = (
        other
        for (pressure, other), _ in ids.items()
        if (pressure, other.first) == (asked.pressure, arm.first)
        and (other.shown == "none") is (arm.shown == "none")
        and "nothing" not in (arm.names, other.names)
        and other.names != arm.names
    )
    twin = next((ids[asked.pressure, other] for other in others), "")
    return msgspec.structs.replace(row, invariance_twin=twin)
