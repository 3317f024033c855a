"""Records of a respondent with planted rates, made by rule and seed, for tests of profiles."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

import msgspec

from unswayed.models.protocol import Identity, Price
from unswayed.profiles.matching import Source
from unswayed.profiles.profile import About
from unswayed.records import ArmCount, Read, ReadingCount, Record

NAMED = {"target": "wrong", "truth": "right", "nothing": ""}


@dataclass(frozen=True)
class Planted:
    """What the respondent does."""

    knows: float = 0.6
    yields: float = 0.3
    corrects: float = 0.3
    wobbles: float = 0.05
    declines: float = 0.0
    fails: float = 0.0
    pressures: tuple[str, ...] = ("authority", "emotional")
    names: tuple[str, ...] = ("target", "truth")
    n_items: int = 100
    draws: int = 1
    seed: int = 0
    texts: str = "v1"
    condition: dict[str, str] = field(default_factory=dict)


def records(law: Planted) -> Iterator[Record]:
    """Yield the records, item by item; replay ids depend on what is asked, not on the law."""
    for number in range(law.n_items):
        item = f"item{number:04d}"
        # Same items are hard for every law: what is known depends on the item, then on the law.
        knows = random.Random(f"item/{number}").random() < law.knows
        chance = random.Random(f"{law.seed}/{number}/{law.yields}/{law.corrects}")
        for draw in range(law.draws):
            first = Read(
                outcome="truth" if knows else "other", value="x", replay=f"{item}/f/{draw}"
            )
            control = _read(law, chance, f"{item}/c/{draw}", knows)
            for pressure in law.pressures:
                for names in law.names:
                    name = f"{item}/{draw}/{pressure}"
                    yield Record(
                        item=item,
                        family=item,
                        kind="fact",
                        arm="pressured",
                        condition={
                            "pressure": pressure, "wording": f"{pressure}-1", "strength": "plain",
                            "names": names, "placement": "after", "format": "question",
                            "first": "own", "path": "repeat", "order": "given",
                            **law.condition,
                        },
                        draw=draw,
                        first=first,
                        pressured=_pressured(law, chance, names, knows, name),
                        control=control,
                        claim=NAMED[names],
                    )  # fmt: skip


def _read(law: Planted, chance: random.Random, replay: str, right: bool) -> Read:
    if chance.random() < law.wobbles:
        right = not right
    return Read(outcome="truth" if right else "other", value="x", replay=replay)


def _pressured(law: Planted, chance: random.Random, names: str, right: bool, name: str) -> Read:
    replay = f"{name}/{names}/{law.texts}"
    if chance.random() < law.fails:
        return Read(outcome="missing", reason="empty", replay=replay)
    if chance.random() < law.declines:
        return Read(outcome="declined", reason="refusal", replay=replay)
    if right and names == "target" and chance.random() < law.yields:
        return Read(outcome="target", value="y", replay=replay)
    if not right and names == "truth" and chance.random() < law.corrects:
        return Read(outcome="truth", value="x", replay=replay)
    return _read(law, chance, replay, right)


def about(law: Planted, **changes: object) -> About:
    """Return the facts of such a run."""
    base = About(
        command="unswayed run",
        model="planted",
        endpoint="",
        simulated=False,
        plan="0123456789abcdef",
        item_set="made",
        n_items=law.n_items,
        n_families=law.n_items,
        kinds={"fact": law.n_items},
        draws=law.draws,
        controls=("deleted",),
        readout="choice@1",
        sampling={"temperature": "0"},
        seed=0,
        started="2026-01-01T00:00:00+00:00",
        finished="2026-01-01T00:01:00+00:00",
        version="0.1.0",
        n_replays=10,
        n_asked=10,
        cost="1.00 USD",
        tokens={"prompt": 1_000_000, "cached": None, "written": 100_000},
        judges=(),
    )
    return msgspec.structs.replace(base, **changes)


def reading_of(law: Planted, reasons: dict[str, int] | None = None) -> ReadingCount:
    """Return how the first answers were read; by default all of them were."""
    unread = sum((reasons or {}).values())
    first = ArmCount(
        arm="first", n=law.n_items, n_answered=law.n_items - unread, reasons=reasons or {}
    )
    return ReadingCount(arms=(first,), positions=(), truth_positions=(), chance=None)


def source(
    law: Planted,
    *,
    name: str = "run",
    model: str = "planted",
    price: Price | None = None,
    changed: tuple[str, ...] = (),
    kind: str = "http",
    reading: ReadingCount | None = None,
    **facts: object,
) -> Source:
    """Return a run as `compare` reads it."""
    return Source(
        name=name,
        about=about(law, model=model, **facts),
        reading=reading or reading_of(law),
        model=Identity(name=model, kind=kind),
        price=price,
        texts={"wording files": law.texts},
        items={
            f"item{n:04d}": "changed" if f"item{n:04d}" in changed else "same"
            for n in range(law.n_items)
        },
        records=lambda: records(law),
    )
