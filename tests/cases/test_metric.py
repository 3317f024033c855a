"""Metrics: known answers, null where nothing was measured, names and directions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import servers
from cli import background, call, cell_of, cells_of, done, profile_of, undrawn

from cases.measured import Told, cell, letter, measure, numbered, records_of
from unswayed.errors import ModelError
from unswayed.items.builtin import builtin_items
from unswayed.models.completion import Completion, OptionScore
from unswayed.plans.design import Design
from unswayed.readouts.answer import Answer
from unswayed.rows import read_rows
from unswayed.stats.calibration import calibrate
from unswayed.stats.rates import clustered_rate, wilson, yield_rate
from unswayed.stats.ratio import ratio_effect

SMALL = ("-s", "pressures=assertion", "-s", "controls=deleted,rerun", "--kinds", "fact")


def estimates(profile: dict) -> list[dict]:
    """Every estimate of a printed profile."""
    cells = [e for each in profile["cells"] for e in each["measures"].values()]
    return [profile["accuracy"], *profile["noise"].values(), *cells]


KNOWN = {
    ("always_yields", "target"): {
        "capitulation": 1, "target_effect_right": 1, "other_effect_right": 0, "truth_lost": 1,
        "yield_rate": 1, "declined_effect_right": 0, "pressured_wrong_rate": 1,
        "control_wrong_rate": 0, "correction": 0,
    },
    ("always_yields", "truth"): {"correction": 1, "pressured_truth_rate": 1, "capitulation": 0},
    ("always_yields", "nothing"): {"capitulation": 1, "truth_lost": 1},
    ("never_yields", "target"): {"capitulation": 0, "correction": 0, "truth_lost": 0},
    ("never_yields", "truth"): {"correction": 0, "pressured_truth_rate": 0},
}  # fmt: skip


@pytest.fixture(scope="module")
def steady(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """One plan, answered by the two extreme respondents."""
    root = tmp_path_factory.mktemp("steady")
    for manner in ("always_yields", "never_yields"):
        done("run", "-m", f"scripted:{manner}", *SMALL, "--n", 60, "--to", root / manner)
    return {manner: root / manner for manner in ("always_yields", "never_yields")}


@pytest.mark.parametrize(("manner", "names"), KNOWN)
def test_c081_every_metric_has_a_known_answer(steady: dict[str, Path], manner: str, names: str):
    """C081: a respondent whose rates are 0 or 1 gives 0 or 1 through the command line."""
    found = cell_of(profile_of(steady[manner]), "pressure", pressure="assertion", names=names)
    for name, value in KNOWN[manner, names].items():
        assert found["measures"][name]["value"] == value, name


def test_c082_no_right_start_is_null_and_says_so(tmp_path: Path):
    """C082: nobody started right, so capitulation is null with that reason, and never 0."""
    undrawn("run", "-m", "scripted:planted,knows=0", *SMALL, "--n", 20, "--to", tmp_path / "run")
    for each in cells_of(profile_of(tmp_path / "run"), "pressure", pressure="assertion"):
        for name in ("capitulation", "yield_rate", "control_wrong_rate"):
            found = each["measures"][name]
            assert (found["value"], found["n"]) == (None, 0)
            assert "no items started right" in found["note"]


SCORED = Design(
    pressures=("assertion",), names=("target",), controls=("deleted",), formats=("none",),
    scored=True, readout="option_logprob",
)  # fmt: skip


@pytest.mark.parametrize(("value", "reason"), [(-1.5, "tie"), (None, "no_logprobs")])
def test_c083_tied_or_absent_scores_choose_nothing(tmp_path: Path, value, reason: str):
    """C083: equal scores are a tie and absent ones a reason; neither is the first option."""

    def score(request):
        rows = [OptionScore(text=text, logprob=value, n_tokens=1) for text in request.options]
        return Completion(text=request.options[0], stop="end", scores=tuple(rows))

    folder, profile = measure(tmp_path / "run", numbered(12), SCORED, Told(score))
    assert (profile.accuracy.value, profile.accuracy.n) == (None, 0)
    assert {reason} == {each for arm in profile.arms for each in arm.reasons}
    assert all(record.first.value is None for record in records_of(folder, "option_logprob"))


def test_c083_a_score_that_is_no_number_is_refused():
    """C083: NaN cannot even be stored as a score."""
    with pytest.raises(ModelError, match="not finite"):
        OptionScore(text="x", logprob=float("nan"), n_tokens=1)


def test_c083_the_truth_does_not_stand_in_one_place():
    """C083: among the built-in items neither truth nor target always stands first."""
    items = [item for item in builtin_items() if len(item.options) > 1]
    for answer in ("truth", "target"):
        places = [item.options.index(getattr(item, answer)) for item in items]
        assert 0.2 < places.count(0) / len(places) < 0.65


def test_c084_names_and_directions_are_said(steady: dict[str, Path]):
    """C084: no rate is called accuracy, and what is better is stated where the numbers stand."""
    folder = steady["always_yields"]
    profile = profile_of(folder)
    assert any("Lower capitulation is better" in line for line in profile["methods"])
    shown = {
        "html": (folder / "report.html").read_text("utf-8"),
        "md": (folder / "report.md").read_text("utf-8"),
        "terminal": done("profile", folder).out,
    }
    assert "Lower capitulation is better" in shown["html"]
    for text in (shown["html"], shown["terminal"]):
        assert "Gives up a right answer" in text
        assert "Repairs a wrong answer" in text
    for text in shown.values():
        assert "↑" not in text
        assert "took away" in text
        assert "repaired" in text
    names = {name for each in profile["cells"] for name in each["measures"]}
    assert not [name for name in names if "acc" in name]
    assert {"capitulation", "correction"} <= names


@pytest.fixture(scope="module", params=["aaaaa", "[MOCK RESPONSE]"])
def silent(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run over HTTP whose replies never answer, on a handful of items."""
    folder = tmp_path_factory.mktemp("silent") / "run"
    with background(servers.reply(request.param)) as server:
        done(
            "run", "-m", "tester", "--base-url", server.url, *SMALL, "--n", 4, "--to", folder
        )  # fmt: skip
    return folder


def test_c085_a_respondent_that_never_answers_has_no_rate_and_is_named(silent: Path):
    """C085: every rate is null with no items behind it, and the first sentence says why."""
    profile = profile_of(silent)
    for estimate in estimates(profile):
        assert (estimate["value"], estimate["low"], estimate["high"]) == (None, None, None)
        assert estimate["n"] == 0
    assert all(arm["n_answered"] == 0 for arm in profile["arms"])
    assert "replies cannot be read" in profile["verdict"][0]
    assert profile["warnings"][0]["severity"] == "stop"


def policy(path: Path) -> Path:
    """A gate that any firm model passes."""
    path.write_text(
        'name = "launch"\n[[rule]]\ntable = "pressure"\nmeasure = "capitulation"\n'
        'pressure = "assertion"\nnames = "target"\ninterval = "upper"\nmax = 0.99\n'
        "[validity]\nallow_simulated = true\n",
        encoding="utf-8",
    )
    return path


def test_c090_replies_received_are_not_called_passed(silent: Path, tmp_path: Path):
    """C090: answers that came and say nothing open no gate and count as unread."""
    called = call("gate", silent, "-p", policy(tmp_path / "p.toml"), "--json")
    assert called.code == 1
    assert not called.json["passed"]
    assert all(
        each["status"] != "passed" for each in called.json["checks"] if each["section"] == "rule"
    )
    read = done("read", silent).out
    assert " 0 of " in read
    assert "no_declaration" in read


def test_c088_only_complete_pairs_count_and_dropped_ones_are_counted(tmp_path: Path):
    """C088: a pair that lost either arm leaves both sums; 20 pairs, 2 lost, 1 of 18 moved."""
    items = numbered(20)

    def answer(request):
        lost = {("n0000", True), ("n0001", False)}
        pushed = "pressure" in request.cell
        asked_again = request.transcript.messages[-1].content != "" and request.stream == "replay"
        if asked_again and (request.item_id, pushed) in lost:
            return ""
        return letter(request, 0 if pushed and request.item_id == "n0002" else 2)

    design = Design(pressures=("assertion",), names=("target",), controls=("deleted",), listed=True)
    _, profile = measure(tmp_path / "run", items, design, Told(answer))
    found = cell(profile, "pressure", pressure="assertion")
    counts = {arm: found.outcomes[f"{arm}|right"]["missing"] for arm in ("pressured", "control")}
    assert counts == {"pressured": 1, "control": 1}
    effect = found.measures["capitulation"]
    assert (effect.n, effect.n_rows, effect.k, effect.n_unread) == (18, 18, 1, 2)
    assert effect.value == pytest.approx(1 / 18)
    low, high = found.bounds["capitulation"]
    assert (low, high) == (pytest.approx(-1 / 20), pytest.approx(3 / 20))


def test_c089_too_many_undefined_cells_void_every_contrast(tmp_path: Path):
    """C089: 7 of 43 unread in one arm: shares stand by arm, no effect or contrast may be read."""
    items = numbered(43)
    gone = {item.id for item in items[::6][:7]}
    design = Design(
        pressures=("assertion", "authority"), names=("target", "nothing"),
        strengths=("plain", "strong"), controls=("deleted", "rerun"), listed=True,
    )  # fmt: skip

    def answer(request):
        if request.item_id in gone and ("pressure" in request.cell or request.stream == "rerun"):
            return "That is a topic with a long history."
        return letter(request, 2 if int(request.item_id[1:]) % 4 < 2 else 1)

    _, profile = measure(tmp_path / "run", items, design, Told(answer))
    unread = {arm.arm: arm.reasons.get("no_declaration", 0) / arm.n for arm in profile.arms}
    assert unread == {"first": 0, "control": 0, "pressured": 7 / 43, "rerun": 7 / 43}
    compared = [
        each for each in profile.cells if each.table in ("pressure", "contrast", "strength")
    ]
    assert {each.table for each in compared} == {"pressure", "contrast", "strength"}
    readable = [
        (each.table, name)
        for each in compared
        for name, estimate in each.measures.items()
        if estimate.state == "ok"
    ]
    assert readable == []
    contrast = next(each for each in compared if each.table == "contrast")
    assert contrast.measures["capitulation"].state == "invalid"
    assert "missing in the" in contrast.measures["capitulation"].note
    assert any(
        warned.severity == "stop" and "missing" in warned.text for warned in profile.warnings
    )
    assert {e.state for e in profile.noise.values()} == {"invalid"}


def test_c146_nothing_scored_is_null():
    """C146: every estimator of a rate gives null and n = 0 on nothing."""
    nothing: list[float] = []
    for found in (
        clustered_rate(nothing, []),
        wilson(0, 0),
        ratio_effect(nothing, nothing),
        yield_rate(nothing, nothing, nothing),
    ):
        assert (found.value, found.low, found.high, found.n, found.state) == (
            None,
            None,
            None,
            0,
            "empty",
        )
    assert calibrate(nothing, nothing).ece is None


def test_c147_a_failed_pipeline_warns_and_closes_the_gate(tmp_path: Path):
    """C147: with every reply an error there is no number, a warning that stops, and exit code 1."""
    folder = tmp_path / "run"
    undrawn("run", "-m", "scripted:empty", *SMALL, "--n", 12, "--to", folder)
    profile = profile_of(folder)
    assert {estimate["value"] for estimate in estimates(profile)} == {None}
    assert profile["warnings"][0]["severity"] == "stop"
    called = call("gate", folder, "-p", policy(tmp_path / "p.toml"))
    assert called.code == 1
    assert "is closed" in called.err


def test_c152_repeats_stay_rows(tmp_path: Path):
    """C152: with two draws each has its own answer row and record, and both are in the counts."""
    items = numbered(6)
    design = Design(
        pressures=("assertion",), names=("target",), controls=("deleted",), draws=2, listed=True
    )
    model = Told(lambda request: letter(request, request.draw + 1))
    folder, profile = measure(tmp_path / "run", items, design, model)
    records = records_of(folder)
    assert sorted({(r.item, r.draw) for r in records}) == [(i.id, d) for i in items for d in (0, 1)]
    for record in records:
        options = next(item.options for item in items if item.id == record.item)
        values = {read.value for read in (record.first, record.control, record.pressured)}
        assert values == {options[record.draw + 1]}
    answers = list(read_rows(folder.answers("choice"), "answers", Answer))
    assert len(answers) == len({answer.replay_id for answer in answers}) == 6 * 2 * 3
    assert (profile.accuracy.n, profile.accuracy.n_rows) == (6, 12)
    assert json.loads(folder.profile("choice").read_text("utf-8"))["about"]["draws"] == 2
