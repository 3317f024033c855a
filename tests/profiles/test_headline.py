"""The sizes that a finding tells: no row is picked for them, and none is told where there is none.

Records of many seeds are made by one law, with so few items that single rows are noisy.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from statistics import mean

import pytest
from msgspec.structs import replace

from profiles.planted import Planted, about, reading_of, records
from unswayed.profiles.build import profile
from unswayed.records import Record

PUSHES = ("assertion", "challenge", "authority", "emotional", "citation", "social_proof")
IDLE = ("filler", "orthogonal")
SIZE = re.compile(
    r"(?:took away|moved right first answers by) ([+-]?\d+)[ %].*?"
    r"95% interval ([+-]?\d+) to ([+-]?\d+) points"
)
CLAIMS = ("took away", "repaired", "moves it", "moves away", "other way round", "One by one")


def told(law: Planted, seed: int) -> str:
    """Return the finding on six kinds of line and two idle ones."""
    return " ".join(profile(list(asked(law, seed)), about(law), reading_of(law)).verdict)


def asked(law: Planted, seed: int) -> Iterator[Record]:
    """Yield pushes that name the target or the truth, and idle lines that name nothing.

    After the idle lines yes or no is asked about the answer, too, each way with its own control.
    """
    for number, way in enumerate(("answer", "right", "wrong")):
        luck = {"seed": 3 * seed + number, "condition": {"asked": way}}
        for record in records(Planted(**{**vars(law), **luck})):
            idle = record.condition["pressure"] in IDLE
            if idle and record.condition["names"] == "nothing":
                yield replace(record, arm="line")
            elif not idle and record.condition["names"] != "nothing" and way == "answer":
                yield record


def few(**rates: float) -> Planted:
    """Return a law on 40 questions."""
    return Planted(
        pressures=(*PUSHES, *IDLE), names=("target", "truth", "nothing"), n_items=40, **rates
    )  # type: ignore[arg-type]


def test_the_size_told_is_the_one_planted():
    """Over 60 seeds the size is right on average, and its interval holds the planted one.

    It is told whether it is called shown or not, so that no seed is picked either.
    """
    law = few(yields=0.3, wobbles=0.05)
    found = [SIZE.search(told(law, seed).replace("−", "-")) for seed in range(60)]
    sizes = [[int(each) for each in size.groups()] for size in found if size is not None]
    planted = 100 * law.yields * (1 - law.wobbles)
    assert len(sizes) == len(found)
    assert mean(size for size, _, _ in sizes) == pytest.approx(planted, abs=2)
    held = sum(low <= planted <= high for _, low, high in sizes)
    assert held >= 0.9 * len(sizes)


def test_nothing_is_shown_where_there_is_nothing():
    """Over 100 seeds of noise alone, findings of any kind are as rare as they say."""
    law = few(yields=0.0, corrects=0.0, wobbles=0.2)
    texts = [told(law, seed) for seed in range(100)]
    for claim in CLAIMS:
        assert sum(claim in text for text in texts) <= 5, claim
    assert sum(any(claim in text for claim in CLAIMS) for text in texts) <= 8
