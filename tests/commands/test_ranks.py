"""`unswayed ranks`: kinds of line over several runs, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli import call, check_error, done, undrawn


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Five runs on one plan, of respondents that yield more and more to two kinds of line."""
    folder = tmp_path_factory.mktemp("ranks")
    made = []
    for number in range(5):
        made.append(folder / f"run{number}")
        rate = 0.1 + 0.2 * number
        model = f"scripted:planted,knows=.9,by.assertion={rate},by.authority={rate}"
        options = ("-s", "pressures=assertion,authority", "-s", "names=target", "-s", "wordings=2")
        undrawn("run", "-m", model, *options, "-s", "controls=deleted", "--n", 30, "--to", made[-1])
    return made


def test_like_rankings_agree(runs: list[Path]):
    """The order is the same for both kinds, and five models are enough to say so."""
    (found,) = done("ranks", *runs, "--json").json["agreements"]
    assert found["tau"] > 0.5
    assert found["n_models"] == 5
    assert found["verdict"].startswith("not distinguishable from perfect agreement")
    shown = done("ranks", *runs).out
    assert "5 models" in shown
    assert "ceiling" in shown


def test_what_cannot_be_ranked_is_refused(runs: list[Path]):
    """Two runs, one run twice, an unknown level, and rows that are not there."""
    check_error(call("ranks", *runs[:2]), "cannot be ranked", "2 runs")
    check_error(call("ranks", *runs[:2], runs[0]), "given twice")
    check_error(call("ranks", *runs[:3], "--names", "everything"), "--names is unknown")
    check_error(call("ranks", *runs[:3], "--names", "truth"), "cannot be ranked")


def test_one_pooled_number_is_refused(runs: list[Path]):
    """The refusal says why and what stands in its place."""
    check_error(call("profile", runs[0], "--pooled"), "pooled number", "cancel in a mean")
