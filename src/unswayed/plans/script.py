"""Arms written out turn by turn, for items that bring texts of their own.

A crossed design puts one line into one conversation. A script says what each arm sends: which of
the item's texts, in which turn, and which part of it is the pressure. Its control is another arm
of the script, and the two differ in what is tagged `pressure` or `line` alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

from unswayed.errors import PlanError

Of = Literal["question", "options", "format", "readout", "text", "line", "pressure", "answer"]
Tag = Literal["", "question", "format", "pressure", "line", "reply"]
Kind = Literal["control", "pressured", "line"]


class Piece(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One part of a turn, by where its text comes from."""

    of: Of
    """The item's question, its options, the format line, the readout request, one of the item's
    `texts`, a line of a bank, a pressure line, or a short answer that is planted."""
    name: str = ""
    """Name of the text, of the bank, of the pressure type, or of the answer."""
    tag: Tag = ""
    """What the part is for; empty takes the usual tag of its source."""
    frame: str = ""
    """Banks of one frame have the same sentences in the same order, and an item meets the same one
    of each; empty where the bank is alone."""


class Turn(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One message of an arm."""

    role: Literal["system", "user", "assistant"] = "user"
    """Who speaks."""
    pieces: tuple[Piece, ...] = ()
    """What is said; empty in an assistant's turn for the model's own first answer."""


class ScriptedArm(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One arm of a script."""

    name: str
    """Name of the arm, unique in the script."""
    kind: Kind
    """A control, a pressured arm, or a further control line that is read beside the control."""
    turns: tuple[Turn, ...]
    """What is sent."""
    control: str = ""
    """Name of the arm that is subtracted; empty for a control."""
    pressure: str = ""
    """Level of the factor `pressure`, such as `persona`; the arm's name without one."""
    factors: dict[str, str] = {}
    """Levels of factors of the script's own; a control keeps those that survive deletion."""
    tagged: tuple[str, ...] = ()
    """Factors whose level stands in an item's tags: `distance` is `magnitude` for the tag
    `distance_magnitude`; an item without such a tag has no level of it."""
    claim: str = ""
    """The answer that the user favors: `truth`, `target`, an option, or the item's text that
    holds it."""
    denies: str = ""
    """The answer that the line names and argues against: `truth` or `target`."""
    truth: str = ""
    """The item's text that is right in this arm, where it is not the item's truth."""
    asks: tuple[str, ...] = ()
    """Answers offered in this arm, where they are not the item's options."""
    planted: Literal["", "truth", "target"] = ""
    """Whether the reply that stands before the line is right or wrong; empty for the own one."""
    only_with: str = ""
    """The arm is left out for items without this text."""


class Script(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The arms of a design, written out."""

    first: tuple[Turn, ...]
    """The question on its own: its answer decides the stratum and is never a control."""
    arms: tuple[ScriptedArm, ...]
    """All arms, each after its control."""

    def __post_init__(self) -> None:
        seen: dict[str, ScriptedArm] = {}
        for arm in self.arms:
            _check_arm(arm, seen)
            seen[arm.name] = arm

    def named(self, name: str) -> ScriptedArm:
        """Return the arm of a name."""
        return next(arm for arm in self.arms if arm.name == name)

    def tested(self) -> Iterator[ScriptedArm]:
        """Yield the arms that are compared with a control."""
        return (arm for arm in self.arms if arm.kind != "control")


def _check_arm(arm: ScriptedArm, seen: dict[str, ScriptedArm]) -> None:
    control = seen.get(arm.control)
    if arm.name in seen or not arm.name:
        raise _fail(arm, "its name is empty or stands twice", "a name of its own")
    if (arm.kind == "control") != (not arm.control):
        raise _fail(arm, "a control has no control, and every other arm has one", "a control arm")
    if arm.control and (control is None or control.kind != "control"):
        raise _fail(arm, f"its control {arm.control!r} does not stand before it", "a control arm")
    if control is not None and control.asks != arm.asks:
        raise _fail(arm, "its control offers other answers", "the same answers in both arms")
    for turn in arm.turns:
        if not turn.pieces and turn.role != "assistant":
            raise _fail(arm, "a turn says nothing", "pieces in every turn but the model's own")
        if any(piece.of in _NAMED and not piece.name for piece in turn.pieces):
            raise _fail(arm, "a piece has no name", f"a name for {', '.join(_NAMED)}")


_NAMED = ("text", "line", "pressure", "answer")


def _fail(arm: ScriptedArm, wrong: str, allowed: str) -> PlanError:
    return PlanError(
        f"The scripted arm {arm.name!r} cannot be planned: {wrong}",
        allowed=allowed,
        given=f"kind {arm.kind}, control {arm.control!r}",
        next_step="correct the script",
    )
