"""What must hold before a plan is run: pairs, controls, spans, and comparisons of one factor."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from unswayed.counting import are, several
from unswayed.errors import ConfoundError, PlanError
from unswayed.plans.design import FACTORS, Arm, Design
from unswayed.plans.plan import Replay
from unswayed.plans.words import name_factor, name_pair
from unswayed.transcript import LINE, PRESSURE, Transcript

CONTRASTS = (
    "names", "placement", "format", "strength", "first", "path", "order", "form", "asked",
)  # fmt: skip
"""Factors whose levels a profile compares."""


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """Whether two levels of a factor can be compared."""

    factor: str
    """The factor."""
    low: str
    """One level."""
    high: str
    """The other level."""
    n_shared: int
    """Settings of all other factors that occur at both levels."""
    n_alone: int
    """Settings that occur at one of the levels only, and stay out of the comparison."""
    moving: tuple[str, ...]
    """Other factors that differ between the levels when nothing is shared."""

    @property
    def confounded(self) -> bool:
        """Whether no setting of the other factors occurs at both levels."""
        return self.n_shared == 0

    def __str__(self) -> str:
        pair = name_pair(self.factor, self.low, self.high)
        if self.confounded:
            return f"{pair} is confounded with {', '.join(map(name_factor, self.moving))}"
        if self.n_alone:
            return f"{pair} is compared on {self.n_shared} shared settings; {self.n_alone} left out"
        return f"{pair} is balanced over {self.n_shared} settings"


def compare_levels(arms: Sequence[Arm]) -> Iterator[Comparison]:
    """Yield, for each factor and pair of its levels, what else differs between them.

    Only pressured arms count: a further control line is compared with the deleted line alone.
    """
    conditions = [arm.condition for arm in arms if arm.kind == "pressured"]
    for factor in CONTRASTS:
        settings: dict[str, set[tuple[tuple[str, str], ...]]] = defaultdict(set)
        for condition in (each for each in conditions if has_level(each, factor)):
            rest = tuple((name, level) for name, level in condition.items() if name != factor)
            settings[condition[factor]].add(rest)
        levels = sorted(settings, key=FACTORS[factor].index)
        for index, low in enumerate(levels):
            for high in levels[index + 1 :]:
                shared = settings[low] & settings[high]
                alone = settings[low] ^ settings[high]
                yield Comparison(
                    factor=factor,
                    low=low,
                    high=high,
                    n_shared=len(shared),
                    n_alone=len(alone),
                    moving=() if shared else _moving(settings[low], settings[high]),
                )


def has_level(condition: Mapping[str, str], factor: str) -> bool:
    """Whether a condition has a level of a factor that can be compared with others.

    Where planted answers have a form, the model's own answer has none that is known beforehand:
    its form is `own`, and it is not compared with planted ones.
    """
    own = condition.get("form") == "own" and factor in ("form", "first")
    return factor in condition and not own


def check_design(design: Design) -> tuple[str, ...]:
    """Refuse a design with a comparison in which more than the declared factor moves.

    Returns:
        Notes on comparisons that are confounded (when the design allows them) or restricted.

    Raises:
        ConfoundError: Naming the levels and the factors that move with them.
    """
    if design.script is not None:
        return ()
    notes: list[str] = []
    restricted: list[Comparison] = []
    for comparison in compare_levels(tuple(design.arms())):
        if comparison.confounded and not design.allow_confounded:
            raise ConfoundError(
                f"A comparison cannot be read: {comparison}",
                allowed="levels that differ in the declared factor alone",
                given=f"{len(design.cells)} cells" if design.cells else "the crossed design",
                next_step="add the missing cells, or set allow_confounded to label the comparison",
            )
        if comparison.confounded:
            notes.append(str(comparison))
        elif comparison.n_alone:
            restricted.append(comparison)
    return (*notes, *_fold(restricted))


def _fold(restricted: Sequence[Comparison]) -> tuple[str, ...]:
    """Say in one note which comparisons leave settings out."""
    if len(restricted) < 2:
        return tuple(map(str, restricted))
    parts = [
        f"{name_pair(each.factor, each.low, each.high)} ({each.n_shared} shared,"
        f" {each.n_alone} left out)"
        for each in restricted
    ]
    return (
        f"{several(len(parts), 'pair')} {are(len(parts))} compared on shared settings alone:"
        f" {'; '.join(parts)}",
    )


def _moving(
    low: set[tuple[tuple[str, str], ...]], high: set[tuple[tuple[str, str], ...]]
) -> tuple[str, ...]:
    """Name the other factors whose levels are not the same on both sides."""

    def levels(settings: set[tuple[tuple[str, str], ...]]) -> dict[str, set[str]]:
        found: dict[str, set[str]] = defaultdict(set)
        for setting in settings:
            for name, level in setting:
                found[name].add(level)
        return found

    left, right = levels(low), levels(high)
    moving = tuple(
        name for name in left if name != "wording" and left[name].isdisjoint(right[name])
    )
    return moving or tuple(name for name in left if left[name] != right[name])


def check_replays(replays: Iterable[Replay]) -> Iterator[Replay]:
    """Pass replays on, and refuse the first that cannot be read against its control.

    Raises:
        PlanError: For an unpaired replay, a control that is the first answer or draws from its
            stream, a repeated id, or a pressured replay that differs from its control in more
            than its line.
    """
    seen: dict[str, Replay] = {}
    item = ""
    for replay in replays:
        if replay.item != item:
            seen, item = {}, replay.item
        if replay.id in seen:
            raise _fail(replay, "its id stands twice in the plan", "write the plan again")
        seen[replay.id] = replay
        for pending in replay.transcript.pending():
            if pending not in seen:
                raise _fail(replay, f"it waits for {pending}, which does not stand before it")
        if replay.arm in ("pressured", "line"):
            _check_pair(replay, seen)
        yield replay


def check_controls(replays: Iterable[Replay]) -> Iterator[Replay]:
    """Pass the replays of a plan that lies in a file on, and refuse a control that is no new draw.

    `check_replays` has gone through them when the plan was written; a plan that was made or changed
    by hand has not.

    Raises:
        PlanError: For a control that is the first answer or a screening draw.
    """
    streams: dict[str, str] = {}
    item = ""
    for replay in replays:
        if replay.item != item:
            streams, item = {}, replay.item
        streams[replay.id] = replay.stream
        if replay.control_id and streams.get(replay.control_id) in ("first", "screen"):
            raise _reused(replay, streams[replay.control_id])
        yield replay


def _reused(replay: Replay, stream: str) -> PlanError:
    what = "a screening draw" if stream == "screen" else "the first answer"
    return _fail(replay, f"its control is {what}", "draw the control anew, as a replay")


def _check_pair(replay: Replay, seen: dict[str, Replay]) -> None:
    control = seen.get(replay.control_id)
    if control is None:
        raise _fail(replay, "it has no control", "plan the same conversation without the line")
    if replay.control_id == replay.first_id or control.stream in ("first", "screen"):
        raise _reused(replay, control.stream)
    if not replay.first_id and not replay.planted:
        raise _fail(replay, "no first answer decides its stratum", "add a first answer")
    if without_lines(replay.transcript) != without_lines(control.transcript):
        raise _fail(
            replay,
            "it differs from its control in more than the line",
            "tag the whole line, with its white space, as `pressure`",
        )


def without_lines(transcript: Transcript) -> list[tuple[str, str]]:
    """Return role and text of each message with pressure and control lines deleted.

    Replies are left out: where the model's own earlier answers stand between turns they belong
    to each conversation.
    """
    bare = transcript.without(PRESSURE).without(LINE)
    return [
        (message.role, "" if message.reply_of else message.content) for message in bare.messages
    ]


def _fail(replay: Replay, wrong: str, next_step: str = "write the plan again") -> PlanError:
    return PlanError(
        f"Replay {replay.id} of item {replay.item!r}: {wrong}",
        allowed="pressured and control replays that differ in the line alone",
        given=f"arm {replay.arm}, condition {replay.condition}",
        next_step=next_step,
    )
