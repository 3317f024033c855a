"""Items times arms: the one function that writes replays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from statistics import median

import msgspec

from unswayed import wording
from unswayed.errors import PlanError
from unswayed.items.item import Item
from unswayed.items.key import Key, keyed
from unswayed.plans.acting import act
from unswayed.plans.design import ESCALATION, LINES, PRIOR_READOUT, SURVIVING, Arm, Design
from unswayed.plans.plan import ArmKind, Replay, replay_id
from unswayed.plans.render import (
    DERIVATIONS,
    LETTERS,
    Asking,
    asked_options,
    check_turnable,
    line_part,
    opening,
    planted_reply,
    push_turn,
    spoken,
)
from unswayed.plans.sampling import Stream
from unswayed.transcript import Part, Transcript, digest


def cross(items: Iterable[Item], design: Design) -> Iterator[Replay]:
    """Yield the replays of every item, item by item, what is waited for first.

    Per item and draw: the first answer (per place of the format line), the control of each
    conversation, and for each arm of the design the same conversation with its line. A control
    is shared by all arms whose line, once deleted, leaves the same text. A readout that corrects
    for the prior of the options has them scored once more, under a question without content.
    Replays of one item are neighbors, so that shared prefixes go out together.

    Raises:
        PlanError: When an item lacks what the design needs, or two arms ask the same text.
    """
    if design.script is not None:
        yield from act(items, design, design.script)
        return
    arms = tuple(design.arms())
    if not arms:
        raise PlanError(
            "The design has no pressured arm",
            allowed="cells that match at least one condition",
            given=f"{len(design.cells)} cells",
            next_step="loosen `cells`",
        )
    for item in items:
        _check_item(item, design)
        yield from _Crossing(item, design, _arms_of(item, design, arms)).replays()


def _arms_of(item: Item, design: Design, arms: Sequence[Arm]) -> list[Arm]:
    """Keep the wordings that this item's family meets: a run of neighbors in a fixed order."""
    chosen: dict[str, set[str]] = {}
    start = int(digest(item.family, size=6), 16)
    for pressure in design.pressures:
        ids = design.wording_ids(pressure)
        count = min(design.wordings_per_item, len(ids))
        chosen[pressure] = {ids[(start + step) % len(ids)] for step in range(count)}
    return [
        arm
        for arm in arms
        if arm.kind == "line" or arm.condition["wording"] in chosen[arm.condition["pressure"]]
    ]


class _Crossing:
    """The replays of one item under a design."""

    def __init__(self, item: Item, design: Design, arms: Sequence[Arm]) -> None:
        self.item = item
        self.design = design
        self.arms = arms
        self.options = asked_options(item, design)
        self.seen: dict[str, Replay] = {}

    def replays(self) -> Iterator[Replay]:
        if self.design.readout == PRIOR_READOUT:
            yield from self._priors()
        yield from self._screens()
        for draw in range(self.design.draws):
            for arm in self.arms:
                yield from self._arm(arm, draw)

    def _priors(self) -> Iterator[Replay]:
        """The options under a question without content, for each place of the format line."""
        bare = msgspec.structs.replace(self.item, question=wording.content_free_question().text)
        for where, order in product(self.design.formats, self.design.orders):
            condition: dict[str, str] = {"format": where, "order": order}
            asked = opening(Asking(bare, self.design, condition), after=False, last=True)
            fresh: list[Replay] = []
            self._add(self._replay("prior", condition, asked, draw=0, stream="screen"), fresh)
            yield from fresh

    def _screens(self) -> Iterator[Replay]:
        """The question alone, in a sequence of draws that no effect is estimated from."""
        condition: dict[str, str] = {
            "format": self.design.formats[0],
            "order": self.design.orders[0],
        }
        asked = opening(Asking(self.item, self.design, condition), after=True)
        for draw in range(self.design.screens):
            yield self._replay("screen", condition, asked, draw=draw, stream="screen")

    def _arm(self, arm: Arm, draw: int) -> Iterator[Replay]:
        fresh: list[Replay] = []
        first_id, start = self._start(arm.condition, draw, fresh)
        base = {name: arm.condition[name] for name in SURVIVING if name in arm.condition}
        pushed, kept = start, start
        for turn in range(1, self.design.turns + 1):
            control = self._control(base, kept, first_id, draw, turn, fresh)
            text, claim = self._line(arm, turn)
            replay = self._replay(
                arm.kind,
                arm.condition,
                self._turn(pushed, arm.condition, line_part(text, arm)),
                draw=draw,
                turn=turn,
            )
            replay = msgspec.structs.replace(
                replay,
                first_id=first_id,
                planted=_planted(arm.condition),
                control_id=control.id,
                claim=claim,
                right=arm.right,
            )
            self._add(replay, fresh)
            pushed = replay.transcript.then_reply_of(replay.id)
            kept = control.transcript.then_reply_of(control.id)
        yield from fresh

    def _start(
        self, condition: dict[str, str], draw: int, fresh: list[Replay]
    ) -> tuple[str, Transcript | None]:
        """The conversation before the line: None where the line stands before the question."""
        form = Asking(self.item, self.design, condition)
        question = opening(form, after=condition["placement"] == "after")
        if condition["first"] != "own":
            planted = planted_reply(form, condition["first"])
            return "", Transcript((*question.messages, planted))
        first = self._replay(
            "first",
            {"format": condition["format"], "order": condition["order"]},
            question,
            draw=draw,
            stream="first",
        )
        first = self._add(first, fresh)
        if condition["placement"] == "before":
            return first.id, None
        return first.id, question.then_reply_of(first.id)

    def _control(
        self,
        base: dict[str, str],
        kept: Transcript | None,
        first_id: str,
        draw: int,
        turn: int,
        fresh: list[Replay],
    ) -> Replay:
        transcript = self._turn(kept, base, None)
        made: list[Replay] = []
        for arm, stream in (("control", "replay"), ("rerun", "rerun")):
            if arm == "rerun" and "rerun" not in self.design.controls:
                continue
            replay = self._replay(arm, base, transcript, draw=draw, turn=turn, stream=stream)
            made.append(
                self._add(
                    msgspec.structs.replace(
                        replay,
                        first_id=first_id,
                        planted=_planted(base),
                        control_id=made[0].id if made else "",
                    ),
                    fresh,
                )
            )
        return made[0]

    def _turn(
        self, before: Transcript | None, condition: dict[str, str], line: Part | None
    ) -> Transcript:
        form = Asking(self.item, self.design, condition)
        if before is None:
            return opening(form, after=False, line=line, last=True)
        return before.then("user", *push_turn(form, line))

    def _line(self, arm: Arm, turn: int) -> tuple[str, str]:
        condition = arm.condition
        if condition["pressure"] in LINES:
            claim = self.item.target if condition["names"] == "target" else ""
            return self._line_text(condition["pressure"], turn), claim or ""
        strength = ESCALATION[turn - 1] if condition["path"] == "escalate" else ""
        claim = {"target": self.item.target, "truth": self.item.truth}.get(condition["names"])
        line = wording.pressure(
            condition["wording"],
            strength=strength or condition["strength"],
            named=claim is not None,
        )
        return line.fill(claim=spoken(claim or "")), claim or ""

    def _line_text(self, kind: str, turn: int) -> str:
        number = int(digest([self.item.family, turn], size=6), 16)
        if kind == "filler":
            return wording.filler(self._usual_length, f"{self.item.id}/{turn}")
        bank = wording.lines({"reask": "neutral"}.get(kind, kind))
        return bank[number % len(bank)].fill(claim=spoken(self.item.target or ""))

    @cached_property
    def _usual_length(self) -> int:
        """Median length of the named lines this item meets, in characters."""
        claim = spoken(self.item.target or self.item.truth or "")
        lengths = [
            len(
                wording.pressure(
                    arm.condition["wording"], strength=arm.condition["strength"], named=True
                ).fill(claim=claim)
            )
            for arm in self.arms
            if arm.kind == "pressured"
        ]
        return round(median(lengths))

    def _replay(
        self,
        arm: str,
        condition: dict[str, str],
        transcript: Transcript,
        *,
        draw: int,
        turn: int = 1,
        stream: str = "replay",
    ) -> Replay:
        sampling, options = self.design.sampling, self.options
        key = committed_key(condition)
        if key is not None:
            options = asked_options(keyed(self.item, key), self.design)
        return Replay(
            id=replay_id(transcript, options, sampling, stream, draw),
            item=self.item.id,
            arm=_ARM[arm],
            condition=condition,
            transcript=transcript,
            options=options,
            stream=_STREAM[stream],
            draw=draw,
            turn=turn,
            key=key,
        )

    def _add(self, replay: Replay, fresh: list[Replay]) -> Replay:
        known = self.seen.get(replay.id)
        if known is None:
            self.seen[replay.id] = replay
            fresh.append(replay)
            return replay
        if replay.arm in ("pressured", "line"):
            raise PlanError(
                f"Two cells of item {self.item.id!r} ask the same text",
                allowed="lines that differ between conditions",
                given=f"{known.condition} and {replay.condition}",
                next_step="drop one of the two levels or write another wording",
            )
        return known


_ARM: dict[str, ArmKind] = {
    "prior": "prior", "screen": "screen", "first": "first", "control": "control", "rerun": "rerun",
    "pressured": "pressured", "line": "line",
}  # fmt: skip
_STREAM: dict[str, Stream] = {
    "first": "first", "replay": "replay", "rerun": "rerun", "screen": "screen",
}  # fmt: skip


def _planted(condition: dict[str, str]) -> str:
    return {"planted_right": "truth", "planted_wrong": "target"}.get(condition["first"], "")


def committed_key(condition: Mapping[str, str], *, committed: str = "") -> Key | None:
    """Return what is right where the last turn asks about an answer before it; None elsewhere.

    Yes is right when a right answer is asked to be right, or a wrong one to be wrong. Of an own
    answer that is not known before it is given, and neither is then called right.

    Args:
        condition: Levels of the condition.
        committed: `right` or `wrong` where an own answer is known; a planted one says it itself.
    """
    asked = condition.get("asked", "answer")
    if asked == "answer":
        return None
    if condition["first"] != "own":
        committed = condition["first"].removeprefix("planted_")
    truth, target = ("Yes", "No") if committed == asked else ("No", "Yes")
    if not committed:
        return Key(options=("Yes", "No"), form="verdict")
    return Key(truth=truth, target=target, options=("Yes", "No"), form="verdict")


def _check_item(item: Item, design: Design) -> None:
    needs = []
    if "derivation" in design.forms and design.firsts != ("own",):
        needs += [f"text {name!r}" for name in DERIVATIONS.values() if name not in item.texts]
    if item.truth is None:
        needs.append("truth")
    if item.target is None:
        needs.append("target")
    if design.scored and not item.options:
        needs.append("options")
    if design.listed and len(item.options) > len(LETTERS):
        raise PlanError(
            f"Item {item.id!r} has more options than letters",
            allowed=f"at most {len(LETTERS)} options where they are listed",
            given=f"{len(item.options)} options",
            next_step="list fewer options, or score them with `-s listed=false`",
        )
    check_turnable(item, design)
    if needs:
        raise PlanError(
            f"Item {item.id!r} has no {' and no '.join(needs)}, which this design needs",
            allowed="items with a truth and a fixed target, and options where they are scored",
            given=f"kind {item.kind}",
            next_step="leave such items out, or use a benchmark made for them",
        )
