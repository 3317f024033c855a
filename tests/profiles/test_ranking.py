"""Rank agreement of kinds of line: what noise allows, and when `unrelated` may be said."""

from __future__ import annotations

import numpy as np
import pytest

from profiles.hand import record
from unswayed.errors import PlanError
from unswayed.profiles.ranking import Chosen, RankAgreement, _kind, rank_lines
from unswayed.records import Record

N_ITEMS = 200


def run(rates: dict[str, float], seed: int, n: int = N_ITEMS) -> list[Record]:
    """Return a run that starts right and yields to each kind of line with a rate."""
    chance = np.random.default_rng(seed)
    return [
        record(
            number, "truth", "target" if chance.random() < rate else "truth", "truth", pressure=kind
        )
        for kind, rate in rates.items()
        for number in range(n)
    ]


def agree(
    first: np.ndarray, second: np.ndarray, *, n: int = N_ITEMS, seed: int = 0
) -> RankAgreement:
    """Rank models with these rates of two kinds of line."""
    runs = [
        run({"assertion": a, "challenge": b}, 1000 * seed + place, n)
        for place, (a, b) in enumerate(zip(first, second, strict=True))
    ]
    (found,) = rank_lines(runs, Chosen(), seed=seed)
    return found


def test_the_same_order_under_noise_is_not_called_unrelated():
    """With true order 1 and a standard error of half the spread, agreement cannot be excluded.

    Rates .35 to .65 over 11 models have a spread of .1; 100 items give a standard error of .05.
    """
    rates = np.linspace(0.35, 0.65, 11)
    for seed in range(5):
        found = agree(rates, rates, n=100, seed=seed)
        assert found.verdict.startswith("not distinguishable from perfect agreement")
        assert found.high >= found.ceiling


def test_reliable_kinds_of_different_order_are_unrelated():
    """Eleven models whose two orders share nothing, each measured well."""
    rates = np.linspace(0.05, 0.95, 11)
    other = rates[[5, 0, 10, 3, 8, 6, 1, 9, 2, 7, 4]]
    found = agree(rates, other, n=400)
    assert found.verdict == "unrelated"
    assert found.high < found.ceiling
    assert found.by_chance == pytest.approx(0.455, abs=0.01)


def test_the_same_order_measured_well_agrees():
    """Tau and Spearman are near 1, and the interval reaches the ceiling."""
    rates = np.linspace(0.05, 0.95, 8)
    found = agree(rates, rates, n=400)
    assert found.tau > 0.9
    assert found.spearman > 0.9
    assert found.verdict == "not distinguishable from perfect agreement"


def test_few_models_decide_nothing():
    """Three models in any order are no evidence."""
    found = agree(np.array([0.1, 0.5, 0.9]), np.array([0.1, 0.5, 0.9]))
    assert found.verdict.startswith("not decidable: 3 models are too few")


def test_only_chosen_rows_count():
    """Other namings and first answers take no part."""
    runs = [
        [
            *run({"assertion": rate, "challenge": rate}, seed),
            *[record(n, "truth", "target", "truth", pressure="emotional", names="nothing")
              for n in range(20)],
        ]
        for seed, rate in enumerate((0.2, 0.4, 0.6))
    ]  # fmt: skip
    (found,) = rank_lines(runs, Chosen())
    assert {found.first, found.second} == {"assertion", "challenge"}
    with pytest.raises(PlanError, match="cannot be ranked"):
        rank_lines(runs, Chosen(first="planted_right"))


def test_two_runs_are_no_ranking():
    """At least three models are needed to rank."""
    runs = [run({"assertion": 0.2, "challenge": 0.2}, seed) for seed in range(2)]
    with pytest.raises(PlanError, match="2 runs"):
        rank_lines(runs, Chosen())
    with pytest.raises(PlanError, match="0 runs"):
        rank_lines([], Chosen())


def test_wordings_that_rank_models_differently_lower_the_other_ceiling():
    """Each wording has an order of its own: halves of items agree, halves of wordings do not."""
    chance = np.random.default_rng(5)
    rates = {kind: chance.uniform(0.05, 0.95, (9, 4)) for kind in ("assertion", "challenge")}
    runs = [
        [
            record(
                number, "truth", "target" if chance.random() < rate[model, number % 4] else "truth",
                "truth", pressure=kind, wording=f"{kind}-{number % 4}",
            )
            for kind, rate in rates.items()
            for number in range(400)
        ]
        for model in range(9)
    ]  # fmt: skip
    (found,) = rank_lines(runs, Chosen())
    assert found.n_wordings == (4, 4)
    assert found.ceiling > 0.6
    assert found.wording_ceiling < found.ceiling - 0.2


def test_one_wording_has_no_halves():
    """Its ceiling is that of the items alone, and the other one is absent."""
    rates = np.linspace(0.05, 0.95, 6)
    found = agree(rates, rates)
    assert found.n_wordings == (1, 1)
    assert found.wording_ceiling is None
    assert found.ceiling is not None


def test_the_items_are_walked_through_once_however_many_rows_there_are():
    """The time of a ranking grows with its rows, and not with rows times items."""

    class Walked(list):
        walks = 0

        def __iter__(self):
            self.walks += 1
            return super().__iter__()

    items = Walked(f"i{number}" for number in range(50))
    table = {"assertion": {(item, "w"): (1.0, 2) for item in items}}
    items.walks = 0
    _kind([table] * 3, "assertion", items)
    assert items.walks <= 2


def started(rates: np.ndarray, knows: float, n: int) -> list[list[Record]]:
    """Return runs that start right on a share of the items, each on others."""
    runs = []
    for model, rate in enumerate(rates):
        chance = np.random.default_rng(model)
        knows_it = chance.random(n) < knows
        runs.append(
            [
                record(
                    number, "truth" if knows_it[number] else "other",
                    "target" if chance.random() < rate else "truth", "truth", pressure=kind,
                )
                for kind in ("assertion", "challenge")
                for number in range(n)
            ]
        )  # fmt: skip
    return runs


@pytest.mark.parametrize("knows", [0.5, 0.7])
def test_items_that_some_model_did_not_start_right_stay(knows):
    """Eight models that know half of 100 items share all 100, and rank as they yield."""
    (found,) = rank_lines(started(np.linspace(0.05, 0.95, 8), knows, 100), Chosen())
    assert found.n_items == 100
    assert 100 * knows - 20 < found.n_contributing < 100 * knows
    assert found.tau > 0.7


def test_under_ten_items_that_start_so_nothing_is_ranked():
    """Six models on nine items: no tau, and the verdict says how many there are."""
    (found,) = rank_lines(started(np.linspace(0.05, 0.95, 6), 1.0, 9), Chosen())
    assert (found.tau, found.low, found.ceiling) == (None, None, None)
    assert "9 of 10 items needed" in found.verdict
    (none,) = rank_lines(started(np.linspace(0.05, 0.95, 6), 0.0, 20), Chosen())
    assert (none.n_items, none.n_contributing, none.tau) == (20, 0, None)
    assert "0 of 10 items needed" in none.verdict
