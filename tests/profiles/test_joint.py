"""What holds for several cells together: family, missing pairs, unseen wordings."""

from __future__ import annotations

import random
from itertools import product

import msgspec
import pytest

from profiles.hand import record
from unswayed.profiles.joint import FAMILY
from unswayed.profiles.outcomes import OutcomeTable
from unswayed.profiles.profile import Cell
from unswayed.profiles.tables import cells
from unswayed.records import Record

PRESSURES = ("authority", "assertion", "emotional")
NAMES = ("target", "truth", "nothing")


def family(
    moved: float, n: int = 60, missing: float = 0.0, seed: int = 1, wordings: int = 3
) -> list[Record]:
    """Return records of three pressure types; a push moves an answer with one probability."""
    luck = random.Random(seed)
    found = []
    for number, pressure, names in product(range(n), PRESSURES, NAMES):
        first = "truth" if number % 2 else "other"
        control = first if luck.random() > 0.1 else "target"
        pushed = {"target": "target", "truth": "truth", "nothing": control}[names]
        pressured = pushed if luck.random() < moved else control
        if luck.random() < missing:
            pressured = "missing"
        found.append(
            record(
                number, first, pressured, control, pressure=pressure, names=names,
                wording=f"{pressure}-{number % wordings}",
            )
        )  # fmt: skip
    return found


def found_in(records: list[Record], table: str, seed: int = 0) -> list[Cell]:
    """Return the cells of one table."""
    return [
        cell for cell in cells(OutcomeTable(records), seed=seed, margin=0.03) if cell.table == table
    ]


def test_family_is_pressure_types_by_both_measures():
    """Only capitulation to a named answer and correction to the truth have a joint interval."""
    for cell in found_in(family(0.5), "pressure"):
        wanted = {measure for measure, names in FAMILY.items() if cell.factors["names"] == names[0]}
        assert set(cell.bands) == set(cell.adjusted_p) == wanted
        for measure in wanted:
            low, high = cell.bands[measure]
            estimate = cell.measures[measure]
            assert low <= estimate.low <= estimate.value <= estimate.high <= high
            assert 0 <= cell.adjusted_p[measure] <= 1


@pytest.mark.parametrize("moved", [0.0, 1.0])
@pytest.mark.parametrize("n", [24, 80])
def test_joint_intervals_of_rows_without_variation_are_wider_than_their_own(moved, n):
    """Where every item agrees the joint interval widens too, and stays within -1 to 1."""
    records = [
        msgspec.structs.replace(each, control=each.first, pressured=each.first)
        if moved == 0
        else msgspec.structs.replace(
            each,
            control=each.first,
            pressured=each.first if each.condition["names"] == "nothing" else each.pressured,
        )
        for each in family(moved, n=n)
    ]
    seen = 0
    for cell in found_in(records, "pressure"):
        for measure, (low, high) in cell.bands.items():
            estimate = cell.measures[measure]
            assert estimate.method.startswith("pseudo-pair")
            assert -1 <= low <= estimate.low < estimate.high <= high <= 1
            assert high - low > 1.2 * (estimate.high - estimate.low) or max(high, -low) == 1
            if moved == 1:
                assert min(abs(low), abs(high)) < min(abs(estimate.low), abs(estimate.high)) - 0.01
            seen += 1
    assert seen == 6


def test_adjusted_chances_are_holms():
    """The smallest chance of six is multiplied by six, and they never fall below one another."""
    from unswayed.stats.multiplicity import two_sided_p

    members = [
        (two_sided_p(cell.measures[measure]), cell.adjusted_p[measure])
        for cell in found_in(family(0.15, n=80), "pressure")
        for measure in cell.adjusted_p
    ]
    members.sort()
    assert len(members) == 6
    raw, adjusted = zip(*members, strict=True)
    running = 0.0
    for place, (chance, got) in enumerate(zip(raw, adjusted, strict=True)):
        running = max(running, min(1.0, (6 - place) * chance))
        assert got == pytest.approx(running)


def test_same_seed_same_bands():
    """Bands are made from seeded weights: the same seed gives the same, another nearly so."""
    records = family(0.4)

    def bands(seed: int):
        return [cell.bands for cell in found_in(records, "pressure", seed)]

    assert bands(3) == bands(3)
    assert bands(3) != bands(4)


def test_missing_pairs_are_bounded_or_refuse():
    """With few missing pairs an effect has bounds that hold it; with many it has no number."""
    few, many = family(0.4, n=200, missing=0.03), family(0.4, n=200, missing=0.3)
    for cell in found_in(few, "pressure"):
        for measure in FAMILY:
            estimate = cell.measures[measure]
            if estimate.state == "ok" and estimate.n_unread:
                low, high = cell.bounds[measure]
                assert low <= estimate.value <= high
                assert high - low == pytest.approx(
                    2 * estimate.n_unread / (estimate.n_rows + estimate.n_unread)
                )
    for table in ("pressure", "generalization", "contrast"):
        for cell in found_in(many, table):
            for measure, estimate in cell.measures.items():
                assert estimate.state in ("invalid", "insufficient", "empty"), (table, measure)
                assert estimate.value is None


def test_nothing_missing_has_no_bounds():
    """Bounds stand only where pairs are missing."""
    assert not any(cell.bounds for cell in cells(OutcomeTable(family(0.3)), seed=0, margin=0.03))


def test_the_worst_wording_of_corrections_repairs_least():
    """Five wordings repair from 10% to 90% of wrong answers: the worst of them is near 10%."""
    rows = [
        record(
            number, "other", "truth" if (7 * number) % 10 < 2 * place + 1 else "other", "other",
            names="truth", wording=f"authority-{place}",
        )
        for place in range(5)
        for number in range(100)
    ]  # fmt: skip
    (cell,) = found_in(rows, "generalization")
    worst, these = (cell.measures[f"correction_{name}"] for name in ("worst", "these"))
    assert these.value == pytest.approx(0.5)
    assert worst.value == pytest.approx(0.1, abs=0.05)
    assert worst.low < worst.value < worst.high < these.value


def test_wordings_like_these_are_less_certain():
    """The interval for unseen wordings is never the narrower one, and the worst is cross-fit."""
    for cell in found_in(family(0.4, n=120, wordings=5), "generalization"):
        assert cell.factors["wordings"] == "5"
        for measure in FAMILY:
            if f"{measure}_these" not in cell.measures:
                continue
            these = cell.measures[f"{measure}_these"]
            like = cell.measures[f"{measure}_like_these"]
            if "ok" == these.state == like.state:
                assert like.high - like.low >= these.high - these.low - 1e-9
                unseen = cell.measures[f"{measure}_unseen"]
                assert unseen.high - unseen.low >= like.high - like.low
                assert -1 <= unseen.low <= unseen.high <= 1
            assert f"{measure}_worst" in cell.measures
