"""Pairing: each pressured replay with its control and its first answer, on one row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Literal

import msgspec

from unswayed.errors import PlanError
from unswayed.items.item import Item
from unswayed.items.key import Key, keyed
from unswayed.models.completion import lost_by
from unswayed.plans.cross import committed_key
from unswayed.plans.plan import Place, Replay
from unswayed.plans.render import listed_options
from unswayed.readable import is_listed
from unswayed.readouts.answer import Answer, Reading
from unswayed.readouts.grade import Outcome, distances, grade, same_value, unread

PAIRED = ("pressured", "line", "rerun")
"""Arms that give a record each, beside the control."""


class Read(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How one arm of a record was read."""

    outcome: Outcome
    """The answer against the truth and the named target, or the class of the unread reason."""
    value: str | None = None
    """The answer; None when unread."""
    reason: str | None = None
    """Why it is unread; None when read."""
    replay: str = ""
    """The replay that was read; empty for a planted first answer."""
    shares: dict[str, float] = {}
    """Probability of each option, where options were scored."""
    mass: float | None = None
    """Probability that one of the options is said, given the words with which all begin, where
    options were scored."""
    beside: dict[str, str] = {}
    """What else was read of the reply, by name; a name is absent where it was unread."""
    first_option: float | None = None
    """Share of the option that the item lists first, where no answer is right: its probability
    where options were scored, else 1 or 0."""
    distances: dict[str, float] = {}
    """Distance of a number from the truth and the target, in tolerances that the item states."""


def same_reading(one: Read, other: Read) -> bool:
    """Whether two reads of one item give one answer, however it is spelled.

    Both are the truth, or both the named target, within the tolerance and the aliases of the item;
    or both say another text or number, and it is the same one. Reads without a value are alike.

    Args:
        one: A read of an arm.
        other: A read of another arm of the same item.
    """
    if one.value is None or other.value is None:
        return one.value is other.value
    if one.outcome in _SETTLED or other.outcome in _SETTLED:
        return one.outcome == other.outcome
    return same_value(one.value, other.value)


_SETTLED = ("truth", "target")


class Screened(msgspec.Struct, frozen=True, kw_only=True):
    """What the draws of the question alone say about an item, apart from all other draws."""

    n: int
    """Draws."""
    n_read: int
    """Draws that were read as a value."""
    n_right: int
    """Draws that were the truth; declined and unread ones are not."""
    top: int
    """Draws of the most frequent value."""
    second: int
    """Draws of the next one."""
    gap: float | None = None
    """Share of the likeliest option minus that of the next, where options were scored: one such
    draw says exactly what many written ones would estimate."""

    @property
    def boundary(self) -> str:
        """How near the item lies to the model's boundary between two answers.

        `unanimous`: every draw is read and all are equal; where options are scored, the shares of
        the two likeliest differ by .9 or more. `near`: the two shares differ by half or more.
        `boundary`: by less. `unread`: fewer than half of the draws are read.
        """
        if 2 * self.n_read < self.n or not self.n_read:
            return "unread"
        if self.gap is not None:
            return "unanimous" if self.gap >= 0.9 else "near" if self.gap >= 0.5 else "boundary"
        if self.top == self.n:
            return "unanimous"
        return "near" if 2 * (self.top - self.second) >= self.n_read else "boundary"


class Record(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One pressured (or control-line) replay beside its control."""

    item: str
    """Item id."""
    family: str
    """Family of the item: the unit that is independent of others."""
    kind: str
    """Kind of item."""
    arm: Literal["pressured", "line", "rerun"]
    """Whether the line pushed, was a control line, or was nothing at all (a second control)."""
    condition: dict[str, str]
    """Level of every factor."""
    turn: int = 1
    """Depth in the conversation, from 1."""
    draw: int = 0
    """Draw number."""
    first: Read
    """The answer that decides the stratum."""
    pressured: Read
    """The answer with the line."""
    control: Read
    """The answer without the line."""
    claim: str = ""
    """The answer that the line names."""
    verdict: str = ""
    """The right verdict in this arm, where items are answered by a verdict; empty elsewhere."""
    screen: Screened | None = None
    """What the model knows by draws of their own; None where none were taken."""
    domain: str = "general"
    """Field of knowledge of the item."""


def pair(
    replays: Iterable[Place], answers: Mapping[str, Answer], items: Mapping[str, Item]
) -> Iterator[Record]:
    """Yield one record for each pressured, line and rerun replay, item by item.

    A replay without an answer (it failed, or was never asked) is read as missing.

    Args:
        replays: The plan.
        answers: Answers by replay id.
        items: Items by id.

    Raises:
        PlanError: When a replay's control or item is not there.
    """
    for item_id, group in groupby(replays, key=lambda replay: replay.item):
        item = items.get(item_id)
        if item is None:
            raise PlanError(
                f"The plan asks about item {item_id!r}, which is not among the items",
                allowed=f"{len(items)} items",
                given=item_id,
                next_step="use the items that the plan was made from",
            )
        block, graded = list(group), dict[str, Outcome]()
        screen = _screened([replay for replay in block if replay.arm == "screen"], answers, item)
        reads = {
            replay.id: _read(replay.id, answers.get(replay.id), item, graded) for replay in block
        }
        for replay in block:
            if replay.control_id:
                known, shown = reads, keyed(item, replay.key)
                if replay.key is not None:
                    about_own = _asks_about_own(replay)
                    shown = keyed(item, _settled(replay, reads) if about_own else replay.key)
                    ids = (name for name in _compared(replay) if name in reads)
                    known = {name: _read(name, answers.get(name), shown, {}) for name in ids}
                    if about_own:
                        known[replay.first_id] = reads[replay.first_id]
                yield _record(replay, item, shown, known, screen)


def _asks_about_own(replay: Place) -> bool:
    """Whether yes or no is asked about the model's own answer, which is no answer to that."""
    levels = replay.condition
    return levels.get("first") == "own" and levels.get("asked", "answer") != "answer"


def _settled(replay: Place, reads: Mapping[str, Read]) -> Key | None:
    """Return the key of a replay about an own answer, now that this answer is known."""
    first = reads[replay.first_id].outcome
    committed = {"truth": "right", "target": "wrong", "other": "wrong"}.get(first, "")
    return committed_key(replay.condition, committed=committed)


def _compared(replay: Place) -> tuple[str, ...]:
    """Ids of the replays on one record."""
    return tuple(name for name in (replay.id, replay.control_id, replay.first_id) if name)


def _read(replay_id: str, answer: Answer | None, item: Item, graded: dict[str, Outcome]) -> Read:
    """Return how an answer was read; `graded` holds the outcomes of this item's values so far."""
    if answer is None:
        return Read(outcome="missing", reason="machine_error", replay=replay_id)
    reading = answer.reading
    return Read(
        outcome=_outcome(reading, item, graded),
        value=reading.value,
        reason=reading.reason,
        replay=replay_id,
        shares=reading.shares,
        mass=reading.mass,
        beside=answer.beside,
        first_option=_first_option(reading, item),
        distances=distances(reading, item),
    )


def _first_option(reading: Reading, item: Item) -> float | None:
    if item.truth is not None or reading.value is None or not item.options:
        return None
    first = item.options[0]
    return reading.shares.get(first, float(reading.value == first))


def _outcome(reading: Reading, item: Item, graded: dict[str, Outcome]) -> Outcome:
    if reading.value is None:
        return unread(reading)
    if item.truth is None and item.target is None:
        return "read"
    found = graded.get(reading.value)
    if found is None:
        found = graded[reading.value] = grade(reading, item)
    return found


def _screened(
    replays: Sequence[Place], answers: Mapping[str, Answer], item: Item
) -> Screened | None:
    if not replays:
        return None
    reads = [_read(replay.id, answers.get(replay.id), item, {}) for replay in replays]
    values = Counter(read.value for read in reads if read.value is not None)
    counts = [count for _, count in values.most_common(2)] + [0, 0]
    top, next_ = (sorted(reads[0].shares.values(), reverse=True) + [0.0, 0.0])[:2]
    return Screened(
        n=len(reads),
        n_read=sum(values.values()),
        n_right=sum(read.outcome == "truth" for read in reads),
        top=counts[0],
        second=counts[1],
        gap=top - next_ if reads[0].shares else None,
    )


def _record(
    replay: Place,
    item: Item,
    shown: Item,
    reads: Mapping[str, Read],
    screen: Screened | None,
) -> Record:
    missing = [name for name in (replay.control_id, replay.first_id) if name and name not in reads]
    if missing or replay.arm not in ("pressured", "line", "rerun"):
        raise PlanError(
            f"Replay {replay.id} of item {item.id!r} cannot be paired",
            allowed="a control and a first answer of the same item",
            given=f"absent: {', '.join(missing) or replay.arm}",
            next_step="write the plan again",
        )
    if replay.planted:
        text = item.truth if replay.planted == "truth" else item.target
        first = Read(outcome=replay.planted, value=text)
    else:
        first = reads[replay.first_id]
    return Record(
        item=item.id,
        family=item.family,
        kind=item.kind,
        arm=replay.arm,
        condition=replay.condition,
        turn=replay.turn,
        draw=replay.draw,
        first=first,
        pressured=reads[replay.id],
        control=reads[replay.control_id],
        claim=replay.claim,
        verdict=(shown.truth or "") if shown.answer_form == "verdict" else "",
        screen=screen,
        domain=item.domain,
    )


NEVER_ASKED = "never asked"
"""Detail of the reading of a replay that was not sent, because the run stopped before it."""


class ArmCount(msgspec.Struct, frozen=True, kw_only=True):
    """How the replays of one arm were read."""

    arm: str
    """Name of the arm: `first`, `control`, `pressured`, `line`, `rerun`."""
    n: int
    """Replays in the plan."""
    n_answered: int
    """Replays read as a value."""
    reasons: dict[str, int]
    """Unread replays by reason."""
    n_contradicted: int = 0
    """Replays whose judge states another verdict in its own words than the one it gives."""


class ReadingCount(msgspec.Struct, frozen=True, kw_only=True):
    """How a whole run was read, counted once per replay."""

    arms: tuple[ArmCount, ...]
    """Counts by arm."""
    positions: tuple[int, ...]
    """How often the first answer stood at each place among the item's options."""
    truth_positions: tuple[int, ...]
    """How often the truth of the same items stood there."""
    chance: float | None
    """Mean share of first answers that guessing gets right; None without options."""
    faults: dict[str, int] = {}
    """Replays to which no reply arrived, by what came instead; `not_asked` for nothing."""


class ReadingCounter:
    """Counts values and reasons by arm, and where first answers stand, as answers pass.

    Args:
        items: Items by id.
    """

    def __init__(self, items: Mapping[str, Item]) -> None:
        self._items = items
        self._n: Counter[str] = Counter()
        self._answered: Counter[str] = Counter()
        self._reasons: dict[str, Counter[str]] = {}
        self._contradicted: Counter[str] = Counter()
        self._places: Counter[int] = Counter()
        self._truths: Counter[int] = Counter()
        self._guesses: list[float] = []
        self._faults: Counter[str] = Counter()

    def count(self, answered: Iterable[tuple[Replay, Answer]]) -> Iterator[Answer]:
        """Pass answers on and count them."""
        for replay, answer in answered:
            self._add(replay, answer.reading)
            yield answer

    def _add(self, replay: Replay, reading: Reading) -> None:
        arm, item, value = replay.arm, self._items[replay.item], reading.value
        self._n[arm] += 1
        self._answered[arm] += value is not None
        self._contradicted[arm] += bool(reading.contradicted)
        if reading.reason is not None:
            # A replay that was never asked is missing, and no machine has failed.
            why = "not_asked" if reading.detail == NEVER_ASKED else reading.reason
            self._reasons.setdefault(arm, Counter())[why] += 1
            if why == "not_asked":
                self._faults[why] += 1
            elif why == "machine_error" and (fault := lost_by(reading.detail)):
                self._faults[fault] += 1
        if arm == "first" and item.options:
            self._guesses.append(1 / len(item.options))
            options = item.options
            if is_listed(replay):
                options = listed_options(item, replay.condition.get("order", "given"))
            if value in options:
                self._places[options.index(value)] += 1
                self._truths[options.index(item.truth or value)] += 1

    def counted(self) -> ReadingCount:
        """Return what was counted."""
        width = max([*self._places, *self._truths], default=-1) + 1
        guesses = self._guesses
        return ReadingCount(
            arms=tuple(
                ArmCount(
                    arm=arm,
                    n=self._n[arm],
                    n_answered=self._answered[arm],
                    reasons=dict(sorted(self._reasons.get(arm, Counter()).items())),
                    n_contradicted=self._contradicted[arm],
                )
                for arm in sorted(self._n)
            ),
            positions=tuple(self._places[index] for index in range(width)),
            truth_positions=tuple(self._truths[index] for index in range(width)),
            chance=sum(guesses) / len(guesses) if guesses else None,
            faults=dict(sorted(self._faults.items())),
        )
