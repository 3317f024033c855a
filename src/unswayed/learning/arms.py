"""The arms of the proof: first answer, what the user names, and whether a reason is shown.

Two first answers times three users times two ways to say it, beside the bare question. The
conversations are those of the scored benchmark; only the user's line is ours. A reason is shown
with the right answer (it holds) and, with both answers exchanged, with the wrong one (it does not).
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import Literal

import msgspec

from unswayed import wording
from unswayed.errors import PlanError
from unswayed.items.item import Item
from unswayed.models.protocol import Request
from unswayed.plans.design import Design
from unswayed.plans.render import Asking, asked_options, opening, planted_reply, push_turn, spoken
from unswayed.training.phrases import Turns, lines, turns
from unswayed.transcript import LINE, PRESSURE, Part, Transcript, digest
from unswayed.wording import fill

First = Literal["none", "right", "wrong"]
Names = Literal["nothing", "truth", "target"]
Shown = Literal["none", "valid", "invalid"]
Context = Literal["same", "changed"]

DESIGN = Design(formats=("none",), scored=True, said="sentence", readout="option_logprob")
"""How every question is asked and answered: no format line, options said as sentences."""


class Arm(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of conversation."""

    first: First
    """The planted answer before the user's turn."""
    names: Names
    """Which answer the user names."""
    shown: Shown = "none"
    """Whether the user gives a reason, and whether it holds."""
    context: Context = "same"
    """Whether the user replaces the question, so that another answer becomes right."""

    @property
    def name(self) -> str:
        """A readable name, such as `right/target/invalid`."""
        name = f"{self.first}/{self.names}/{self.shown}"
        return name if self.context == "same" else f"{name}/{self.context}"

    @property
    def pushes(self) -> bool:
        """Whether a line names an answer and gives no reason."""
        return self.names != "nothing" and self.shown == "none"


CONTROL = Arm(first="none", names="nothing")
"""The bare question."""

CHANGED = Arm(first="right", names="nothing", context="changed")
"""The first answer was right, and the user now asks another question instead."""

_USERS: tuple[tuple[Names, Shown], ...] = (
    ("nothing", "none"), ("target", "none"), ("truth", "none"),
    ("target", "invalid"), ("truth", "valid"),
)  # fmt: skip
_FIRSTS: tuple[First, ...] = ("right", "wrong")

ARMS: tuple[Arm, ...] = (
    CONTROL,
    *(Arm(first=first, names=names, shown=shown) for first in _FIRSTS for names, shown in _USERS),
)
"""All arms that keep the question."""


class Reason(msgspec.Struct, frozen=True, kw_only=True):
    """A reason for an answer: it holds for one and is false for the other."""

    valid: str
    """Why the right answer is right."""
    invalid: str
    """The same with both answers exchanged."""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """An item in an arm."""

    item: Item
    """The item."""
    arm: Arm
    """The arm."""
    pressure: str
    """Pressure type of the line; empty in controls."""
    wording: str
    """Name of the line; empty in the bare question."""
    line: str
    """The user's line; empty in the bare question."""
    claim: str
    """The answer that is named; empty where none is."""
    transcript: Transcript
    """What is sent."""

    @property
    def id(self) -> str:
        """Digest of what is sent."""
        return digest([self.item.id, self.arm.name, self.transcript])

    @property
    def options(self) -> tuple[str, ...]:
        """The sentences that are scored, in the order of the options."""
        return asked_options(self.item, DESIGN)

    def request(self) -> Request:
        """What a model is asked."""
        return Request(
            id=self.id, transcript=self.transcript, options=self.options, item_id=self.item.id
        )


class Lines(msgspec.Struct, frozen=True, kw_only=True):
    """One way to say what an arm needs, for one item and pressure type."""

    wording: str
    """Name of the line."""
    named: str
    """The line with the hole `{claim}`."""
    neutral: str
    """A turn that asks for the same again."""
    reasoned: str
    """A turn with the holes `{reason}` and `{claim}`."""
    changed: str
    """A turn that replaces the question, with the hole `{question}`."""


def ask(
    item: Item, arms: Sequence[Arm], said: Lines, *, pressure: str, reason: Reason | None
) -> Iterator[Asked]:
    """Yield an item in each arm; those that show a reason only where there is one.

    Args:
        item: An item with truth, target and options.
        arms: Which arms.
        said: What the user says.
        pressure: Pressure type of the lines.
        reason: The item's reason.

    Raises:
        PlanError: When the item has no options, truth or target.
    """
    if not item.options or item.truth is None or item.target is None:
        raise PlanError(
            f"Item {item.id!r} cannot be scored",
            allowed="items with options, a truth and a target",
            given=f"kind {item.kind}",
            next_step="leave such items out",
        )
    for arm in arms:
        if arm.shown == "none" or reason is not None:
            yield _asked(item, arm, said, pressure, reason)


def _asked(item: Item, arm: Arm, said: Lines, pressure: str, reason: Reason | None) -> Asked:
    claim = {"truth": item.truth, "target": item.target}.get(arm.names) or ""
    line = ""
    if arm.shown != "none" and reason is not None:
        why = reason.valid if arm.shown == "valid" else reason.invalid
        line = fill(said.reasoned, {"reason": why, "claim": spoken(claim)})
    elif claim:
        line = fill(said.named, {"claim": spoken(claim)})
    elif arm.first != "none":
        line = said.neutral
    pushed = bool(claim)
    return Asked(
        item=item,
        arm=arm,
        pressure=pressure if pushed and arm.shown == "none" else "",
        wording=said.wording if pushed and arm.shown == "none" else "",
        line=line,
        claim=claim,
        transcript=_transcript(item, arm, line, PRESSURE if pushed else LINE),
    )


def ask_instead(item: Item, other: Item, said: Lines, *, arm: Arm = CHANGED) -> Asked:
    """Return a first answer to one item, and then the question of another in its place.

    The other item is what is asked. The first answer stands among its options as the wrong one.

    Args:
        item: The item that is asked and answered at first.
        other: An item whose truth the first one does not list.
        said: What the user says.
        arm: Whether the first answer is right.
    """
    kept = str(item.truth if arm.first == "right" else item.target)
    options = other.options
    if kept not in options:
        options = tuple(kept if each == other.target else each for each in options)
    line = fill(said.changed, {"question": other.question})
    return Asked(
        item=msgspec.structs.replace(other, options=options, target=kept, target_aliases=()),
        arm=arm,
        pressure="",
        wording="",
        line=line,
        claim="",
        transcript=_transcript(item, arm, line, LINE),
    )


def _transcript(item: Item, arm: Arm, line: str, tag: str) -> Transcript:
    where = {"format": "none", "order": "given"}
    form = Asking(item, DESIGN, where)
    if arm.first == "none":
        return opening(form, after=False, last=True)
    asked = opening(form, after=True)
    planted = planted_reply(form, f"planted_{arm.first}")
    before = Transcript((*asked.messages, planted))
    return before.then("user", *push_turn(form, Part(line, tag)))


def evaluation_lines(item: Item, pressure: str, seed: int) -> Lines:
    """Return lines of the evaluation for one item, none of which occurs in training.

    Args:
        item: The item.
        pressure: Pressure type.
        seed: Another seed chooses other lines.
    """
    ids = wording.wordings_of(pressure, placement="after")
    number = int(digest([seed, item.family, pressure], size=6), 16)
    chosen = wording.pressure(ids[number % len(ids)], strength="plain", named=True)
    neutral = [line.text for line in wording.lines("neutral")]
    turned = Turns(neutral=tuple(neutral), changed=tuple(_reasoned()["changed"]))
    return _lines(chosen.id, chosen.text, turned, "evaluation", number)


def training_lines(item: Item, pressure: str, seed: int) -> Lines:
    """Return lines for training, none of which occurs in an evaluation.

    Args:
        item: The item.
        pressure: Pressure type.
        seed: Another seed chooses other lines.
    """
    number = int(digest([seed, item.family, pressure], size=6), 16)
    bank = lines(pressure)
    line = bank[number % len(bank)]
    return _lines(line.id, line.named, turns(), "training", number)


def _lines(name: str, named: str, turned: Turns, use: str, number: int) -> Lines:
    bank = _reasoned()[use]
    return Lines(
        wording=name,
        named=named,
        neutral=turned.neutral[number % len(turned.neutral)],
        reasoned=bank[number % len(bank)],
        changed=turned.changed[number % len(turned.changed)],
    )


@cache
def _reasoned() -> dict[str, list[str]]:
    path = files("unswayed").joinpath("wording", "training", "reasoned.toml")
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    return {name: data[name] for name in ("evaluation", "training", "changed")}
