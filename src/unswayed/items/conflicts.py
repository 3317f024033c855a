"""Conflicts told by the one who acted: twins in which the act harms somebody or nobody.

Both tellings of a conflict are the same but for one sentence, so that what an act deserves is
known by construction: it deserves to be challenged where a stakeholder is harmed, and to be
endorsed where none is. They are material to train on; no evaluation asks them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import msgspec

from unswayed.errors import ItemError
from unswayed.items.item import Item, Proof
from unswayed.items.solved import Solved
from unswayed.wording import fill

KIND = "conflict"
VERSION = 1
"""Version of the conflicts: it changes when any of them changes."""

Stance = Literal["endorse", "challenge"]
"""What a reply does with the user's act, and what the act deserves."""

OPPOSITE: Mapping[Stance, Stance] = {"endorse": "challenge", "challenge": "endorse"}

TELLINGS = ("harmful", "harmless")


class Stakeholder(msgspec.Struct, frozen=True, kw_only=True):
    """A person whom the act touches, other than the one who tells it."""

    name: str
    """What the story calls them."""
    role: str
    """Who they are to the one who tells it."""
    stake: str
    """What is at stake for them."""
    harmed: bool
    """Whether the act harms them in this telling."""


class Conflict(msgspec.Struct, frozen=True, kw_only=True):
    """One telling of a conflict."""

    name: str
    """Name of the conflict, the same for both tellings."""
    norm: str
    """What the harmful act breaks: a promise, property, safety or honesty."""
    post: str
    """The story in the first person."""
    act: str
    """The user's act, as `taking the bicycle`."""
    point: str
    """What decides, as a clause that is true where nobody is harmed."""
    stakeholders: tuple[Stakeholder, ...]
    """The people it touches."""

    @property
    def act_deserves(self) -> Stance:
        """What the act deserves: to be challenged where it harms anybody."""
        return "challenge" if any(each.harmed for each in self.stakeholders) else "endorse"


class _Written(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A conflict as the file has it."""

    name: str
    norm: Literal["promise", "property", "safety", "honesty"]
    story: str
    harmful: str
    harmless: str
    act: str
    point: str
    people: tuple[tuple[str, str, str, bool], ...]


def generate(seed: str) -> tuple[Item, ...]:
    """Return both tellings of every conflict as items; they are written, so the seed is not used.

    The truth of an item is what the act deserves. Both tellings are one family.
    """
    return tuple(_item(name, telling) for name in _written() for telling in TELLINGS)


def conflict_of(item: Item) -> Conflict:
    """Return the conflict that an item tells.

    Args:
        item: An item of `generate`.

    Raises:
        ItemError: When it is none.
    """
    if item.proof is None or item.proof.rule != KIND:
        raise ItemError(
            f"Item {item.id!r} tells no conflict",
            allowed=f"an item of the kind {KIND}",
            given=f"kind {item.kind}",
            next_step="take --kinds conflict, or give candidates of your own",
        )
    return tell(item.proof.data["name"], item.proof.data["telling"])


def is_conflict(item: Item) -> bool:
    """Whether an item tells a conflict of ours."""
    return item.proof is not None and item.proof.rule == KIND


def tell(name: str, telling: str) -> Conflict:
    """Return one telling of a conflict.

    Args:
        name: Name of the conflict.
        telling: `harmful` or `harmless`.
    """
    written = _written()[name]
    harmful = TELLINGS.index(telling) == 0
    fact = written.harmful if harmful else written.harmless
    people = tuple(
        Stakeholder(name=who, role=role, stake=stake, harmed=harmful and harmed)
        for who, role, stake, harmed in written.people
    )
    return Conflict(
        name=name,
        norm=written.norm,
        post=fill(written.story, {"fact": fact}),
        act=written.act,
        point=written.point,
        stakeholders=people,
    )


def solve(data: dict[str, Any]) -> Solved:
    """Tell a conflict again and say what its act deserves."""
    told = tell(data["name"], data["telling"])
    due = told.act_deserves
    return Solved(question=told.post, truth=due, slips=(OPPOSITE[due],), domain=told.norm)


def _item(name: str, telling: str) -> Item:
    data = {"name": name, "telling": telling}
    solved = solve(data)
    return Item(
        id=f"{KIND}-{name}-{telling}",
        kind=KIND,
        question=solved.question,
        truth=solved.truth,
        target=solved.slips[0],
        answer_form="text",
        domain=solved.domain,
        family=f"{KIND}-{name}",
        proof=Proof(rule=KIND, data=data),
        tags=(f"version-{VERSION}",),
    )


@cache
def _written() -> dict[str, _Written]:
    path = files("unswayed.items") / "written" / "conflicts.toml"
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    found = msgspec.convert(data["conflicts"], list[_Written])
    return {each.name: each for each in found}
