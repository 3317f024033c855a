"""Two cells that somebody names, held against each other: every factor and text that differs."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

import msgspec

from unswayed.errors import UsageError
from unswayed.items.item import Item
from unswayed.plans.audited import Differing
from unswayed.plans.parity import (
    count_mentions,
    differing_texts,
    offending_span,
    place_of_format,
)
from unswayed.plans.plan import Replay
from unswayed.transcript import READOUT


class Apart(msgspec.Struct, frozen=True, kw_only=True):
    """Pairs of replays, one of each cell, that differ in the same factors."""

    differing: tuple[Differing, ...]
    """Every factor that differs, with both levels."""
    n: int
    """Pairs of rendered replays."""
    texts: tuple[str, ...]
    """The first pair of texts that differ, for each part of what is sent."""
    mentions: str
    """How often the line says the answer in both cells, where that differs."""
    span: str
    """The first text that differs though the factor does not account for it; empty for none."""

    @property
    def readable(self) -> bool:
        """Whether one thing alone differs, so that a difference can be read as its effect."""
        return len(self.differing) <= 1 and not self.mentions and not self.span


class Beside(msgspec.Struct, frozen=True, kw_only=True):
    """What two cells have apart."""

    low: dict[str, str]
    """Levels that name one cell."""
    high: dict[str, str]
    """Levels that name the other cell."""
    apart: tuple[Apart, ...]
    """What differs, the most frequent first."""
    n_alone: int
    """Items with a replay in one of the cells alone."""

    @property
    def readable(self) -> bool:
        """Whether a difference of the two cells can be read."""
        return all(each.readable for each in self.apart)


def hold_beside(
    first: Iterable[Replay],
    second: Iterable[Replay],
    items: Mapping[str, Item],
    low: Mapping[str, str],
    high: Mapping[str, str],
) -> Beside:
    """Hold the cells of two partial conditions against each other, item by item.

    Each replay of the first cell stands beside the one of the second that is nearest to it: the
    same item and draw, and the fewest factors that differ.

    Args:
        first: The plan of the first cell.
        second: The plan of the second cell, which may be another one.
        items: Items of both plans by id.
        low: Levels that the first cell has; empty for every tested cell.
        high: Levels that the second cell has.

    Raises:
        UsageError: When a cell is empty, or the two never meet on an item.
    """
    left, right = _of_cell(first, low), _of_cell(second, high)
    shared = [key for key in left if key in right]
    if not shared:
        raise UsageError(
            "The two cells meet on no item",
            allowed="cells with replays of the same items and draws",
            given=f"{_levels(low)} on {len(left)} items, {_levels(high)} on {len(right)} items",
            next_step="name two cells of plans over the same items",
        )
    groups: dict[tuple[Differing, ...], list[tuple[Replay, Replay]]] = defaultdict(list)
    for key in shared:
        for one in left[key]:
            other = min(right[key], key=lambda replay: len(_differing(one, replay)))
            groups[_differing(one, other)].append((one, other))
    found = sorted(groups.items(), key=lambda group: -len(group[1]))
    return Beside(
        low=dict(low),
        high=dict(high),
        apart=tuple(_apart(differing, pairs, items) for differing, pairs in found),
        n_alone=len(left.keys() ^ right.keys()),
    )


def _of_cell(
    replays: Iterable[Replay], levels: Mapping[str, str]
) -> dict[tuple[str, int, int], list[Replay]]:
    found: dict[tuple[str, int, int], list[Replay]] = defaultdict(list)
    seen: dict[str, set[str]] = defaultdict(set)
    for replay in replays:
        named = replay.arm == "line" and levels.get("pressure") == replay.condition["pressure"]
        if replay.arm != "pressured" and not named:
            continue
        for factor, level in replay.condition.items():
            seen[factor].add(level)
        if levels.items() <= replay.condition.items():
            found[replay.item, replay.draw, replay.turn].append(replay)
    if not found:
        known = "; ".join(f"{name}: {', '.join(sorted(each))}" for name, each in seen.items())
        raise UsageError(
            "No tested replay of the plan has these levels",
            allowed=known or "a plan with tested replays",
            given=_levels(levels),
            next_step="name levels that occur, such as names=target,placement=before",
        )
    return found


def _levels(levels: Mapping[str, str]) -> str:
    return ",".join(f"{name}={level}" for name, level in levels.items()) or "every tested cell"


def _differing(low: Replay, high: Replay) -> tuple[Differing, ...]:
    """Factors that differ; the wording of another pressure type is another one by itself."""
    first, second = dict(low.condition), dict(high.condition)
    # Where the format line really stands, whatever the level is called.
    for levels, replay in ((first, low), (second, high)):
        levels["format"] = place_of_format(replay.transcript)
    moved = [
        Differing(factor=name, low=first.get(name, "none"), high=second.get(name, "none"))
        for name in dict.fromkeys((*first, *second))
        if first.get(name) != second.get(name)
    ]
    other_push = any(each.factor == "pressure" for each in moved)
    return tuple(each for each in moved if not (other_push and each.factor == "wording"))


def _apart(
    differing: tuple[Differing, ...],
    pairs: Iterable[tuple[Replay, Replay]],
    items: Mapping[str, Item],
) -> Apart:
    texts: dict[str, str] = {}
    mentions: Counter[str] = Counter()
    renamed = any(each.factor == "names" for each in differing)
    n, span = 0, ""
    for low, high in pairs:
        n += 1
        span = span or _unaccounted(differing, low, high)
        for tag, text in differing_texts(low.transcript, high.transcript).items():
            texts.setdefault(tag, text)
        item = items[low.item]
        answer = low.claim or high.claim or item.target or ""
        counts = [count_mentions(each.transcript, item, answer) for each in (low, high)]
        if counts[0] != counts[1] and not renamed:
            mentions[f"{counts[0]} against {counts[1]}"] += 1
    return Apart(
        differing=differing,
        n=n,
        texts=tuple(f"{tag}: {text}" for tag, text in texts.items()),
        mentions=", ".join(f"{counts} in {k}" for counts, k in mentions.most_common(2)),
        span=span,
    )


def _unaccounted(differing: tuple[Differing, ...], low: Replay, high: Replay) -> str:
    """The first text that differs where no factor does, or outside what its factor may change."""
    if not differing:
        texts = differing_texts(low.transcript, high.transcript)
        return next((f"{tag}: {text}" for tag, text in texts.items()), "")
    (factor, *others) = (each.factor for each in differing)
    if others:
        return ""
    found = offending_span(low.transcript, high.transcript, factor)
    asked = factor == "placement" and found.startswith(f"{READOUT}: ")
    return "" if asked else found
