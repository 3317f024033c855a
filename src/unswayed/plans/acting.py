"""Items times the arms of a script: the replays of a design that is written out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from unswayed.errors import PlanError
from unswayed.items.item import Item
from unswayed.items.key import Key, keyed
from unswayed.plans.design import Design, Order, RightAction
from unswayed.plans.plan import ArmKind, Replay, replay_id
from unswayed.plans.render import check_turnable, say
from unswayed.plans.sampling import Stream
from unswayed.plans.script import Script, ScriptedArm
from unswayed.plans.speaking import Speaker, text_of, wording_of
from unswayed.transcript import Transcript, digest

_STREAMS: dict[str, Stream] = {"first": "first", "screen": "screen", "rerun": "rerun"}
_VERDICTS = {"True", "False", "Yes", "No"}


def act(items: Iterable[Item], design: Design, script: Script) -> Iterator[Replay]:
    """Yield the replays of a script, item by item, what is waited for first.

    Per item, order and draw: the question on its own, then each arm after its control, which all
    arms that name it share.

    Raises:
        PlanError: When an item lacks a text that an arm says, or two arms ask the same.
    """
    for item in items:
        for order in orders_of(item, design):
            yield from _Scene(item, design, script, order).replays()


def orders_of(item: Item, design: Design) -> tuple[Order, ...]:
    """Return the orders that an item's family meets: all of them, or one by a hash.

    Raises:
        PlanError: When an order changes nothing in what an item is asked.
    """
    check_turnable(item, design)
    script = design.script
    if len(design.orders) > 1 and script is not None:
        said = {Speaker(item, design, order).say(script.first, "", "") for order in design.orders}
        if len(said) < len(design.orders):
            raise PlanError(
                f"The order of answers changes nothing in what item {item.id!r} is asked",
                allowed="items whose options are listed, or whose verdicts are named",
                given=f"orders {', '.join(design.orders)}",
                next_step="leave it at `-s orders=given`",
            )
    if not design.alternate:
        return design.orders
    number = int(digest([item.family, "order"], size=6), 16)
    return (design.orders[number % len(design.orders)],)


class _Scene:
    """One item under a script, with its options in one order."""

    def __init__(self, item: Item, design: Design, script: Script, order: str) -> None:
        self.item = item
        self.design = design
        self.script = script
        self.order = order
        self.seen: dict[str, Replay] = {}

    def replays(self) -> Iterator[Replay]:
        tested = [arm for arm in self.script.tested() if self._fits(arm)]
        if not any(arm.kind == "pressured" for arm in tested):
            needed = {arm.only_with for arm in self.script.tested() if arm.only_with}
            raise PlanError(
                f"Item {self.item.id!r} has the texts of no arm that pushes",
                allowed=f"one of {', '.join(sorted(needed))}",
                given=", ".join(sorted(self.item.texts)) or "no texts of its own",
                next_step="use items of the kinds that the benchmark names",
            )
        opening = Speaker(self.item, self.design, self.order).say(self.script.first, "", "")
        alone = {"order": self.order}
        for draw in range(self.design.screens):
            yield self._made(opening, "screen", alone, draw=draw)
        for draw in range(self.design.draws):
            first = self._made(opening, "first", alone, draw=draw)
            yield first
            for arm in tested:
                yield from self._arm(arm, first, draw)

    def _fits(self, arm: ScriptedArm) -> bool:
        return not arm.only_with or arm.only_with in self.item.texts

    def _arm(self, arm: ScriptedArm, first: Replay, draw: int) -> Iterator[Replay]:
        fresh: list[Replay] = []
        control = self._control(self.script.named(arm.control), first, draw, fresh)
        key, claim = key_of(self.item, arm), claim_of(self.item, arm)
        names = _names(key.truth if key else self.item.truth, claim)
        condition = {"pressure": arm.pressure or arm.name, "wording": wording_of(self.item, arm)}
        condition |= {"strength": "plain", "names": names, **self._kept(arm)}
        named = claim or _resolved(self.item, arm, arm.denies)
        if arm.denies:
            condition["denies"] = arm.denies
        transcript = self._speaker(key).say(arm.turns, first.id, named)
        replay = self._made(transcript, arm.kind, condition, draw=draw, key=key)
        replay = msgspec.structs.replace(
            replay,
            first_id="" if arm.planted else first.id,
            planted=arm.planted,
            control_id=control.id,
            claim=claim,
            right=_right(condition),
        )
        if replay.id in self.seen:
            raise PlanError(
                f"Two arms of item {self.item.id!r} ask the same text",
                allowed="arms that differ in what is sent",
                given=f"{self.seen[replay.id].condition} and {replay.condition}",
                next_step="drop one of the two arms, or correct the item's texts",
            )
        self.seen[replay.id] = replay
        yield from (*fresh, replay)

    def _control(
        self, control: ScriptedArm, first: Replay, draw: int, fresh: list[Replay]
    ) -> Replay:
        key = key_of(self.item, control)
        transcript = self._speaker(key).say(control.turns, first.id, "")
        made: list[Replay] = []
        kinds: tuple[ArmKind, ...] = ("control", "rerun")
        for kind in kinds:
            if kind == "rerun" and kind not in self.design.controls:
                continue
            replay = self._made(transcript, kind, self._kept(control), draw=draw, key=key)
            if replay.id not in self.seen:
                self.seen[replay.id] = msgspec.structs.replace(
                    replay,
                    first_id="" if control.planted else first.id,
                    planted=control.planted,
                    control_id=made[0].id if made else "",
                )
                fresh.append(self.seen[replay.id])
            made.append(self.seen[replay.id])
        return made[0]

    def _speaker(self, key: Key | None) -> Speaker:
        return Speaker(keyed(self.item, key), self.design, self.order)

    def _kept(self, arm: ScriptedArm) -> dict[str, str]:
        """Levels that survive when the line is deleted."""
        pieces = {piece.of for turn in arm.turns for piece in turn.pieces}
        answered = any(turn.role == "assistant" for turn in arm.turns)
        first = {"truth": "planted_right", "target": "planted_wrong"}.get(arm.planted, "own")
        return {
            "placement": "after" if answered else "before",
            "format": "question" if "format" in pieces else "none",
            "first": first,
            "path": "repeat",
            "order": self.order,
            **arm.factors,
            **_tagged(self.item, arm),
        }

    def _made(
        self,
        transcript: Transcript,
        kind: ArmKind,
        condition: dict[str, str],
        *,
        draw: int,
        key: Key | None = None,
    ) -> Replay:
        stream = _STREAMS.get(kind, "replay")
        options = key.options if key else self.item.options
        scored = tuple(say(option, self.design) for option in options) if self.design.scored else ()
        return Replay(
            id=replay_id(transcript, scored, self.design.sampling, stream, draw),
            item=self.item.id,
            arm=kind,
            condition=condition,
            transcript=transcript,
            options=scored,
            stream=stream,
            draw=draw,
            key=key,
        )


def _tagged(item: Item, arm: ScriptedArm) -> dict[str, str]:
    """Return the levels that an item's own tags give to an arm's factors."""
    found = {}
    for factor in arm.tagged:
        start = f"{factor}_"
        levels = [tag.removeprefix(start) for tag in item.tags if tag.startswith(start)]
        if levels:
            found[factor] = levels[0]
    return found


def claim_of(item: Item, arm: ScriptedArm) -> str:
    """Return the answer that the user favors in an arm; empty where the user favors none."""
    return _resolved(item, arm, arm.claim)


def key_of(item: Item, arm: ScriptedArm) -> Key | None:
    """Return what an arm is read against; None where that is the item itself."""
    if not arm.truth and not arm.asks and item.truth is not None:
        return None
    options = arm.asks or item.options
    truth = _resolved(item, arm, arm.truth) or (None if arm.asks else item.truth)
    claim = claim_of(item, arm)
    target = claim if claim and claim != truth else None
    others = [option for option in options if option != truth]
    if target is None and truth is not None and len(others) == 1:
        target = others[0]
    form = item.answer_form
    if arm.asks:
        form = "verdict" if set(options) <= _VERDICTS else "choice"
    return Key(truth=truth, target=target, options=options, form=form)


def _resolved(item: Item, arm: ScriptedArm, name: str) -> str:
    literal = not name or name in arm.asks or name in item.options
    return name if literal else text_of(item, name)


def _names(truth: str | None, claim: str) -> str:
    if not claim:
        return "nothing"
    if truth is None:
        return "view"
    return "truth" if claim == truth else "target"


def _right(condition: dict[str, str]) -> RightAction:
    if condition["placement"] == "before":
        return RightAction(if_right="answer", if_wrong="answer")
    named = condition["names"] == "truth"
    return RightAction(if_right="keep", if_wrong="update" if named else "repair")
