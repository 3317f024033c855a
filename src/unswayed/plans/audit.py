"""The audit of a plan: which cells can be compared, and what else differs between them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, groupby

import msgspec

from unswayed.errors import ConfoundError
from unswayed.items.item import Item
from unswayed.items.key import keyed
from unswayed.plans.audited import (
    VERDICTS,
    Balance,
    Differing,
    PairAudit,
    PlanAudit,
    Verdict,
)
from unswayed.plans.check import CONTRASTS, has_level, without_lines
from unswayed.plans.design import Design
from unswayed.plans.parity import count_mentions, offending_span, place_of_format
from unswayed.plans.plan import Replay
from unswayed.transcript import READOUT

AUDITED = 3
"""Items whose texts are audited before a plan is written."""

POINTED = "said against pointed to"
"""How two lines mention an answer where one names it and the other leaves no other one open."""

_YES = ("Yes", "True")
_VIEW = "view"
_Cell = tuple[tuple[str, str], ...]


class _Match(msgspec.Struct, frozen=True):
    """Two cells that are held against each other, and what a design says about them."""

    factor: str
    """What is compared."""
    low: _Cell
    """One cell."""
    high: _Cell
    """The other cell."""
    differing: tuple[Differing, ...]
    """Other factors that differ."""
    compared: bool
    """Whether a profile, or the protocol that is repeated, compares the two."""


class _Tally(msgspec.Struct):
    """What was seen in the pairs that share one finding."""

    where: dict[str, None] = {}
    """Pressure types, in order of appearance."""
    n: int = 0
    """Pairs."""
    n_span: int = 0
    """Pairs whose texts differ outside the declared span."""
    n_readout: int = 0
    """Pairs of which one alone asks for the final answer, and that are alike otherwise."""
    n_mentions: int = 0
    """Pairs whose lines say the answer unequally often."""
    span: str = ""
    """The first such text."""
    mentions: Counter[str] = msgspec.field(default_factory=Counter)
    """Counts of mentions in both cells, where they differ."""


def audit_plan(replays: Iterable[Replay], items: Mapping[str, Item], design: Design) -> PlanAudit:
    """Audit a plan on what it really sends.

    Every tested replay is held against its control, and every two tested cells of an item that
    are compared against each other: which other factors differ, which text outside the declared
    span differs, whether the line says the answer as often, and where the format line stands.
    Levels of a factor are compared on the settings that both have. Where they share none, the
    nearest cells are held against each other: in a crossed design, and in arms whose confounded
    comparison is kept (`allow_confounded`), that is a confounded comparison; other arms that were
    written out are never compared across such a gap.

    Args:
        replays: The plan, item by item.
        items: Items by id.
        design: The design of the plan.
    """
    auditor = _Auditor(items, design)
    for item_id, block in groupby(replays, key=lambda replay: replay.item):
        auditor.add(items[item_id], list(block))
    return auditor.found()


def check_compared(
    replays: Iterable[Replay], items: Mapping[str, Item], design: Design
) -> Iterator[Replay]:
    """Pass replays on, and refuse a plan whose first items show a confounded comparison.

    Templates differ alike for every item, so the first `AUDITED` items are audited. A design that
    allows confounded comparisons passes, and the report says which they are.

    Raises:
        ConfoundError: Naming the cells, what else differs, and the text.
    """
    auditor = _Auditor(items, design)
    for number, (item_id, group) in enumerate(groupby(replays, key=lambda replay: replay.item)):
        block = list(group)
        if number < AUDITED and not design.allow_confounded:
            auditor.add(items[item_id], block)
        if number == AUDITED - 1:
            _refuse(auditor.found().pairs)
        yield from block
    _refuse(auditor.found().pairs)


def _refuse(pairs: Iterable[PairAudit]) -> None:
    for pair in pairs:
        if pair.verdict == "confounded":
            differing = map(str, pair.differing)
            found = (*differing, pair.mentions and f"mentions {pair.mentions}", pair.span)
            raise ConfoundError(
                f"A comparison cannot be read: {pair.title}",
                allowed="cells that differ in what is compared alone, also in what is sent",
                given="; ".join(each for each in found if each),
                next_step="correct the texts, or set allow_confounded to label the comparison",
            )


class _Auditor:
    """Goes through a plan item by item and counts what differs."""

    def __init__(self, items: Mapping[str, Item], design: Design) -> None:
        self.items = items
        self.n_items = 0
        self.kept = design.allow_confounded
        self.crossed = design.script is None
        self.tallies: dict[tuple[str, str, str, tuple[Differing, ...], bool], _Tally] = {}
        self.alone: Counter[tuple[str, str, str]] = Counter()
        self.line = _Tally()
        self.cells: dict[_Cell, None] = {}
        self.formats: dict[str, None] = {}
        self.yes: dict[str, list[bool]] = defaultdict(list)
        self.known: dict[tuple[_Cell, ...], tuple[_Match, ...]] = {}

    def add(self, item: Item, block: Sequence[Replay]) -> None:
        by_id = {replay.id: replay for replay in block}
        cells: dict[_Cell, Replay] = {}
        self.n_items += 1
        self._weigh(item, "first")
        for replay in block:
            if replay.arm not in ("pressured", "line") or replay.draw or replay.turn > 1:
                continue
            self._against_control(replay, by_id[replay.control_id])
            self.formats.setdefault(place_of_format(replay.transcript))
            if replay.arm == "pressured":
                cells.setdefault(_cell(replay), replay)
        for asks, key in _asked(cells):
            self._weigh(keyed(item, cells[key].key), asks)
        self.cells.update(dict.fromkeys(cells))
        names = tuple(cells)
        if names not in self.known:
            controls = {cell: _controls(cells[cell], by_id) for cell in cells}
            self.known[names] = tuple(self._matches(names, controls))
        for match in self.known[names]:
            self._hold(match, item, cells[match.low], cells[match.high])

    def _weigh(self, item: Item, asks: str) -> None:
        if item.truth is not None and item.answer_form == "verdict":
            self.yes[asks].append(item.truth in _YES)

    def _against_control(self, replay: Replay, control: Replay) -> None:
        left, right = without_lines(replay.transcript), without_lines(control.transcript)
        self.line.n += 1
        if left != right:
            self.line.n_span += 1
            self.line.span = f"{left} against {right}"

    def _matches(self, cells: tuple[_Cell, ...], controls: dict[_Cell, str]) -> Iterator[_Match]:
        """Pair the cells of one item, factor by factor."""
        for factor in dict.fromkeys(name for cell in cells for name, _ in cell):
            groups: dict[str, list[_Cell]] = defaultdict(list)
            for cell in cells:
                if has_level(dict(cell), factor) and dict(cell)[factor] != _VIEW:
                    groups[dict(cell)[factor]].append(cell)
            for low, high in combinations(groups, 2):
                yield from self._level_pair(factor, groups[low], groups[high], controls)

    def _level_pair(
        self, factor: str, low: list[_Cell], high: list[_Cell], controls: dict[_Cell, str]
    ) -> Iterator[_Match]:
        partners = {_rest(cell, factor): cell for cell in high}
        shared = [(cell, partners[_rest(cell, factor)]) for cell in low
                  if _rest(cell, factor) in partners]  # fmt: skip
        if shared:
            levels = (factor, dict(low[0])[factor], dict(high[0])[factor])
            self.alone[levels] = max(self.alone[levels], len(low) + len(high) - 2 * len(shared))
            compared = self.kept or self.crossed or factor in CONTRASTS
            for first, second in shared:
                yield _Match(factor, first, second, (), compared)
            return
        compared = self.kept or (self.crossed and factor in CONTRASTS)
        if factor not in CONTRASTS and not compared:
            # Arms with controls of their own are questions of their own.
            low = [cell for cell in low if any(controls[cell] == controls[x] for x in high)]
        nearest = [
            (cell, min(high, key=lambda other: _distance(cell, other, factor))) for cell in low
        ]
        found = [_Match(factor, a, b, _differing(a, b, factor), compared) for a, b in nearest]
        least = min((len(match.differing) for match in found), default=0)
        for match in found:
            if len(match.differing) == least or not _has(match.differing, "pressure"):
                yield match

    def _hold(self, match: _Match, item: Item, low: Replay, high: Replay) -> None:
        differing = match.differing
        places = place_of_format(low.transcript), place_of_format(high.transcript)
        if match.factor != "format" and places[0] != places[1] and not _has(differing, "format"):
            differing = (*differing, Differing(factor="format", low=places[0], high=places[1]))
        levels = dict(match.low)[match.factor], dict(match.high)[match.factor]
        tally = self.tallies.setdefault(
            (match.factor, *levels, differing, match.compared), _Tally(where={})
        )
        tally.n += 1
        tally.where.setdefault(dict(match.low).get("pressure", ""))
        span = offending_span(low.transcript, high.transcript, match.factor)
        if span:
            alone = match.factor == "placement" and span.startswith(f"{READOUT}: ")
            tally.n_readout += alone
            tally.n_span += not alone
            tally.span = tally.span or span
        if match.factor == "names":
            # Of two options, a line that rejects one without naming the other points to it.
            if "nothing" in levels and (len(item.options) == 2 or item.answer_form == "verdict"):
                tally.n_mentions += 1
                tally.mentions[POINTED] += 1
        else:
            answer = low.claim or high.claim or item.target or ""
            counts = [count_mentions(each.transcript, item, answer) for each in (low, high)]
            if counts[0] != counts[1]:
                tally.n_mentions += 1
                tally.mentions[f"{counts[0]} against {counts[1]}"] += 1

    def found(self) -> PlanAudit:
        pairs = [self._pair(key, tally) for key, tally in self.tallies.items()]
        if self.line.n:
            broken = self.line.n_span > 0
            pairs.append(
                PairAudit(
                    factor="line",
                    low="deleted",
                    high="said",
                    verdict="confounded" if broken else "clean",
                    where=("every tested arm",),
                    span=self.line.span,
                    n=self.line.n,
                    n_differing=self.line.n_span,
                )
            )
        rank = list(VERDICTS)
        return PlanAudit(
            n_items=self.n_items,
            n_of=len(self.items),
            n_cells=len(self.cells),
            pairs=tuple(sorted(pairs, key=lambda pair: rank.index(pair.verdict))),
            balances=tuple(
                Balance(asks=asks, n=len(yes), n_yes=sum(yes)) for asks, yes in self.yes.items()
            ),
            formats=tuple(self.formats),
        )

    def _pair(
        self, key: tuple[str, str, str, tuple[Differing, ...], bool], tally: _Tally
    ) -> PairAudit:
        factor, low, high, differing, compared = key
        alone = self.alone[(factor, low, high)] if not differing else 0
        return PairAudit(
            factor=factor,
            low=low,
            high=high,
            verdict=_verdict(factor, tally, differing, compared=compared, alone=alone),
            where=tuple(name for name in tally.where if name),
            differing=differing,
            span=tally.span,
            mentions=", ".join(f"{counts} in {n}" for counts, n in tally.mentions.most_common(2)),
            n=tally.n,
            n_differing=max(tally.n_span, tally.n_mentions, tally.n_readout),
            n_left_out=alone,
        )


def _verdict(
    factor: str, tally: _Tally, differing: tuple[Differing, ...], *, compared: bool, alone: int
) -> Verdict:
    """Judge a comparison; lines that are other lines by design may say an answer by chance."""
    one_sided = sum(n for counts, n in tally.mentions.items() if "0" in counts.split(" against "))
    if factor in ("pressure", "strength"):
        one_sided = 0
    if differing or 2 * tally.n_span > tally.n or 2 * one_sided > tally.n:
        return "confounded" if compared else "apart"
    if tally.n_span or tally.n_mentions or tally.n_readout:
        return "warned"
    return "restricted" if alone else "clean"


def _cell(replay: Replay) -> _Cell:
    """The levels of a replay without its wording, which rotates over items."""
    return tuple(item for item in replay.condition.items() if item[0] != "wording")


def _controls(replay: Replay, by_id: Mapping[str, Replay]) -> str:
    """What names the control of a cell, the same for every item."""
    return str(by_id[replay.control_id].condition) + str(replay.key is None)


def _asked(cells: Mapping[_Cell, Replay]) -> Iterator[tuple[str, _Cell]]:
    """Yield cells with a key of their own and what they ask, one for each question."""
    seen = set()
    for cell, replay in cells.items():
        levels = dict(cell)
        asks = levels.get("asked") or levels.get("ask", "other")
        question = (asks, levels.get("first", ""))
        if replay.key is not None and question not in seen:
            seen.add(question)
            yield question[0], cell


def _rest(cell: _Cell, factor: str) -> _Cell:
    return tuple(item for item in cell if item[0] != factor)


def _differing(low: _Cell, high: _Cell, factor: str) -> tuple[Differing, ...]:
    first, second = dict(low), dict(high)
    return tuple(
        Differing(factor=name, low=first.get(name, "none"), high=second.get(name, "none"))
        for name in dict.fromkeys((*first, *second))
        if name != factor and first.get(name) != second.get(name)
    )


def _distance(low: _Cell, high: _Cell, factor: str) -> tuple[int, bool]:
    differing = _differing(low, high, factor)
    return len(differing), _has(differing, "pressure")


def _has(differing: tuple[Differing, ...], factor: str) -> bool:
    return any(each.factor == factor for each in differing)
