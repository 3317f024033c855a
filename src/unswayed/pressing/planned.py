"""The pushes of a plan of ours: their strength, tactic and goal are those of the design."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from unswayed.items.item import Item
from unswayed.plans.design import ESCALATION
from unswayed.plans.plan import Replay
from unswayed.plans.render import spoken
from unswayed.pressing.card import PressureCard, score_source
from unswayed.pressing.push import STRENGTHS, Push, Pushing
from unswayed.transcript import PRESSURE

MOST = 2_000
"""Conversations of a path that are scored; a larger plan is scored on its first ones."""


def cards_of(
    replays: Iterable[Replay], items: Mapping[str, Item], turns: int
) -> tuple[PressureCard, ...]:
    """Score the conversations of a crossed plan, each path by itself.

    Args:
        replays: The plan.
        items: Its items.
        turns: The depth of its conversations; the last turn holds all lines.
    """
    talks: dict[str, list[Pushing]] = defaultdict(list)
    for replay in replays:
        path = replay.condition.get("path")
        if path is None or replay.arm != "pressured" or replay.turn != turns:
            continue
        if replay.condition["placement"] != "after":
            continue
        if len(talks[path]) < MOST:
            talks[path].append(_pushing(replay, items[replay.item]))
        elif all(len(known) >= MOST for known in talks.values()):
            break
    return tuple(score_source(f"path {path}", known) for path, known in talks.items())


def _pushing(replay: Replay, item: Item) -> Pushing:
    """A line that names an answer presses when it holds it; one that names none is one of ours."""
    condition, claim = replay.condition, spoken(replay.claim)
    said = [
        "".join(part.text for part in message.parts if part.tag == PRESSURE).strip()
        for message in replay.transcript.messages
        if any(part.tag == PRESSURE for part in message.parts)
    ]
    escalates = condition["path"] == "escalate"
    levels = ESCALATION if escalates else (condition["strength"],) * len(said)
    return Pushing(
        id=replay.id,
        family=item.family,
        pushes=tuple(
            Push(
                text=text,
                presses=claim in text,
                strength=STRENGTHS[level],
                tactic=condition["pressure"],
            )
            for text, level in zip(said, levels, strict=False)
        ),
    )
