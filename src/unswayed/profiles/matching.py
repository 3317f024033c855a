"""Two runs brought together: the items and conditions that both asked, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

import msgspec

from unswayed.errors import ConfoundError, PlanError
from unswayed.items.item import Item
from unswayed.models.protocol import Identity, Price
from unswayed.profiles.outcomes import OutcomeTable
from unswayed.profiles.profile import About
from unswayed.profiles.sections import Section, section_of
from unswayed.records import ReadingCount, Record
from unswayed.transcript import digest


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """One run as a comparison reads it."""

    name: str
    """What the run is called in messages: its folder."""
    about: About
    """What was run."""
    reading: ReadingCount
    """How each arm was read."""
    model: Identity
    """Which model answered."""
    price: Price | None
    """Price of the model, None when none was stated."""
    texts: dict[str, str]
    """Whatever decides the text of a condition: digest of the wording files, listed, scored."""
    items: dict[str, str]
    """Digest of what each item asks and how it is graded, by item id; see `item_digests`."""
    records: Callable[[], Iterable[Record]]
    """Opens the records anew at each call."""


class Shared(msgspec.Struct, frozen=True, kw_only=True):
    """What two runs have in common."""

    n_items: int
    """Items that both runs asked alike."""
    n_families: int
    """Independent families of those items."""
    n_settings: int
    """Conditions and turns that both runs asked."""
    n_cells: int
    """Pairs of an item with a condition and turn that both runs asked."""
    draws: tuple[int, int]
    """Draws per arm of the first and of the second run."""


class Matched(msgspec.Struct, frozen=True, kw_only=True):
    """The outcomes of two runs on what they share."""

    a: OutcomeTable
    """Outcomes of the first run."""
    b: OutcomeTable
    """Outcomes of the second run."""
    families: tuple[str, ...]
    """Independent families, in the order of every total by family."""
    shared: Shared
    """What both runs asked."""
    left_out: tuple[str, ...]
    """What one run asked and the other did not, in words."""


def item_digests(items: Mapping[str, Item]) -> dict[str, str]:
    """Return, by item id, the digest of everything that changes what is asked or how it is graded.

    Labels, sources, licences and reviews are not part of it; of an item's texts those are by which
    a reply is graded or judged, such as a tolerance.
    """
    return {
        name: digest(
            [item.question, item.truth, item.target, item.options, item.answer_form]
            + [item.family, item.truth_aliases, item.target_aliases]
            + [item.texts.get(text) for text in _GRADING]
        )
        for name, item in items.items()
    }


_GRADING = ("tolerance", "target_tolerance", "statement", "restored")
"""Texts of an item that decide how a reply to it is graded, or what a judge is asked of it."""


def match(a: Source, b: Source) -> Matched:
    """Keep the records whose item, condition and turn occur in both runs.

    Replays are named after everything that is asked, so two runs that asked the same hold the same
    replay ids; where they do not, a wording, a format line or an option list differs.

    Args:
        a: The first run.
        b: The second run.

    Raises:
        ConfoundError: When the compared cells differ in more than the model, or more than the
            sampling.
        PlanError: When nothing is shared, or no first answer is right or wrong.
    """
    section = section_of(a.about.section)
    if section is not None and not section.graded:
        raise PlanError(
            "The two runs have no right or wrong first answers, so nothing can be compared",
            allowed="runs whose first answers are graded",
            given=f"the section {section.name!r} in {a.name} and {b.name}",
            next_step="set the tables of the two reports side by side",
        )
    alike = _check_sampling(a, b)
    same = {name for name, value in a.items.items() if b.items.get(name) == value}
    keys = _Keys(same, section)
    first, second = keys.read(a), keys.read(b)
    if alike:
        keys.check_texts(first, second, a, b)
    cells = {key >> 16 for key in first} & {key >> 16 for key in second}
    if not cells:
        raise PlanError(
            "The two runs share no item under the same condition",
            allowed="at least one item with the same text, condition and turn in both",
            given=f"{len(a.items)} and {len(b.items)} items, {len(same)} of them alike;"
            f" conditions alike: {len(keys.settings_of(first) & keys.settings_of(second))}",
            next_step="run both models on one plan: `unswayed plan`, then `run --to` twice",
        )
    tables = [OutcomeTable(keys.keep(source, cells)) for source in (a, b)]
    families = tuple(sorted({*tables[0].families, *tables[1].families}))
    return Matched(
        a=tables[0],
        b=tables[1],
        families=families,
        shared=Shared(
            n_items=len({cell >> 20 for cell in cells}),
            n_families=len(families),
            n_settings=len({cell & 0xFFFFF for cell in cells}),
            n_cells=len(cells),
            draws=(a.about.draws, b.about.draws),
        ),
        left_out=tuple(_left_out(a, b, keys, (first, second), cells)),
    )


def _check_sampling(a: Source, b: Source) -> bool:
    """Whether both runs drew alike; refuse runs of two models that did not.

    With other sampling fields every replay has another id, so the texts are then compared by what
    decides them.
    """
    fields = {*a.about.sampling, *b.about.sampling}
    moved = sorted(n for n in fields if a.about.sampling.get(n) != b.about.sampling.get(n))
    if not moved:
        return True
    texts = sorted(name for name in {*a.texts, *b.texts} if a.texts.get(name) != b.texts.get(name))
    if a.model != b.model or texts:
        also = ["the model"] if a.model != b.model else []
        raise ConfoundError(
            "The two runs differ in more than one thing, so no difference has one cause",
            allowed="another model, or other sampling, and nothing else",
            given=f"sampling differs in {', '.join(moved)}; also: {', '.join(also + texts)}",
            next_step="run both with the same sampling fields and wording files",
        )
    return False


class _Keys:
    """Numbers for item, setting and draw, shared by both runs: item, 20 bits, 16 bits."""

    def __init__(self, items: Iterable[str], section: Section | None) -> None:
        self.items = {name: index for index, name in enumerate(sorted(items))}
        self.section = section
        self.settings: dict[tuple[tuple[str, str], ...], int] = {}

    def read(self, source: Source) -> dict[int, int]:
        """Return the replay (by the hash of its id) of each shared item, setting and draw."""
        found: dict[int, int] = {}
        for record in source.records():
            key = self._key(record)
            if key is not None:
                found[key << 16 | record.draw] = hash(record.pressured.replay)
        return found

    def keep(self, source: Source, cells: set[int]) -> Iterator[Record]:
        """Yield the records of shared cells."""
        for record in source.records():
            if self._key(record) in cells:
                yield record

    def settings_of(self, keys: Iterable[int]) -> set[int]:
        """Return the settings that occur."""
        return {key >> 16 & 0xFFFFF for key in keys}

    def words(self, setting: int) -> dict[str, str]:
        """Return the factor levels of a setting."""
        return dict(next(key for key, number in self.settings.items() if number == setting))

    def check_texts(
        self, first: Mapping[int, int], second: Mapping[int, int], a: Source, b: Source
    ) -> None:
        """Refuse two runs that sent different texts under one name."""
        moved = [key for key, name in first.items() if second.get(key, name) != name]
        if not moved:
            return
        settings = sorted(self.settings_of(moved))
        texts = sorted(n for n in {*a.texts, *b.texts} if a.texts.get(n) != b.texts.get(n))
        examples = ["/".join(self.words(setting).values()) for setting in settings[:3]]
        raise ConfoundError(
            "The two runs sent different texts under the same condition",
            allowed="the same wording, format line and options in every compared cell",
            given=f"{len(moved)} replays in {len(settings)} conditions differ,"
            f" such as {'; '.join(examples)}"
            + (f"; different: {', '.join(texts)}" if texts else ""),
            next_step="run both models on one plan",
        )

    def _key(self, record: Record) -> int | None:
        item = self.items.get(record.item)
        if item is None or record.arm == "rerun":
            return None
        if self.section is not None and not self.section.asks_again(record):
            return None
        levels = (*sorted(record.condition.items()), ("turn", str(record.turn)))
        return item << 20 | self.settings.setdefault(levels, len(self.settings))


def _left_out(
    a: Source, b: Source, keys: _Keys, asked: tuple[Mapping[int, int], ...], cells: set[int]
) -> Iterator[str]:
    kept = {cell & 0xFFFFF for cell in cells}
    both = a.items.keys() & b.items.keys()
    changed = [name for name in both if a.items[name] != b.items[name]]
    if changed:
        yield f"{len(changed)} items whose text or truth differs, such as {min(changed)}"
    for source, mine in zip((a, b), asked, strict=True):
        alone = len(source.items.keys() - both)
        if alone:
            yield f"{alone} items that {source.name} alone asked"
        extra = keys.settings_of(mine) - kept
        if extra:
            where = _levels(keys, extra, kept)
            yield f"{len(extra)} conditions that {source.name} alone asked{where}"
        loose = sum(key >> 16 not in cells for key in mine) - sum(
            (key >> 16 & 0xFFFFF) in extra for key in mine
        )
        if loose:
            yield f"{loose} replays of {source.name} whose item met another condition there"


def _levels(keys: _Keys, extra: set[int], kept: set[int]) -> str:
    """Name the factor levels that occur among left-out settings alone."""
    names: dict[tuple[tuple[str, str], ...], int] = keys.settings
    inside = {pair for key, number in names.items() if number in kept for pair in key}
    outside = {pair for key, number in names.items() if number in extra for pair in key}
    only = sorted(outside - inside)
    shown = ", ".join(f"{factor} {level}" for factor, level in only[:4])
    return f" ({shown}{', ...' if len(only) > 4 else ''})" if only else ""
