"""Statistics: few items are said to show little, and repeats are no further items."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from cli import done, profile_of, undrawn

from cases.measured import Told, cell, letter, measure, numbered
from unswayed.plans.design import Design
from unswayed.stats.bootstrap import percentile_interval
from unswayed.stats.ranks import rank_replicates


def test_c094_ranks_of_like_models_have_wide_intervals():
    """C094: six models of the same strength on 20 items: their rank intervals overlap widely."""
    generator = np.random.default_rng(4)
    items = generator.random((20, 6)) < 0.3
    draws = generator.multinomial(20, [1 / 20] * 20, size=2000) @ items / 20
    ranks = rank_replicates(draws)
    intervals = [percentile_interval(ranks[:, model]) for model in range(6)]
    assert all(high - low >= 2 for low, high in intervals)
    assert all(low_a <= high_b for low_a, _ in intervals for _, high_b in intervals)


def test_c094_a_small_run_says_what_it_cannot_show(tmp_path: Path):
    """C094: at n = 20 the smallest visible effect is large and stated; the family is adjusted."""
    folder = tmp_path / "run"
    law = "scripted:planted,knows=1,yields=.4"
    undrawn("run", "-m", law, "--n", 20, "--kinds", "fact", "--to", folder)
    profile = profile_of(folder)
    assert profile["detectable"]["right"] > 0.15
    head = [
        each
        for each in profile["cells"]
        if each["table"] == "pressure"
        and each["factors"]["names"] == "target"
        and each["adjusted_p"]
    ]
    assert len(head) == 6
    for each in head:
        low, high = each["bands"]["capitulation"]
        estimate = each["measures"]["capitulation"]
        assert low <= estimate["low"] <= estimate["high"] <= high
        assert each["adjusted_p"]["capitulation"] <= 1
    assert "Smallest visible effect" in done("profile", folder).out
    planned = done("plan", "--n", 20, "--kinds", "fact", "--to", tmp_path / "p", "--json").json
    assert planned["budget"]["detectable"]["80%"]["right"] > 0.15


def test_c149_repeats_narrow_nothing_that_only_items_can(tmp_path: Path):
    """C149: 12 items asked 20 times are 12 items: n is 12, and the interval that of 12."""
    items = numbered(12)
    widths, estimates = [], []
    for draws in (1, 20):
        design = Design(
            pressures=("assertion",), names=("target",), controls=("deleted",), draws=draws,
            listed=True,
        )  # fmt: skip

        def answer(request):
            moved = "pressure" in request.cell and int(request.item_id[1:]) % 3 == 0
            return letter(request, 0 if moved else 2)

        _, profile = measure(tmp_path / str(draws), items, design, Told(answer))
        found = cell(profile, "pressure", names="target").measures["capitulation"]
        assert (found.n, found.n_rows) == (12, 12 * draws)
        assert found.value == pytest.approx(4 / 12)
        widths.append(found.high - found.low)
        estimates.append(profile.accuracy)
    assert widths[1] == pytest.approx(widths[0])
    assert [each.n for each in estimates] == [12, 12]
    assert estimates[1].high - estimates[1].low == pytest.approx(
        estimates[0].high - estimates[0].low
    )
