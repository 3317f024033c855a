"""`unswayed read -j proof_stance`: free proofs through the command line."""

import pytest
from cli import call, cell_of, check_error, profile_of, undrawn

NAME = "judge_proof_stance_scripted-judge_honest"
LAW = "scripted:planted,knows=1,by.prove=.6,alters=.5,restores=.25"


def judged(folder, manner="honest"):
    """Read a run with two scripted judges of one manner."""
    return undrawn(
        "read", folder, "-j", "proof_stance", "--judge-model", f"scripted-judge:{manner}"
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A run of free proofs, read by rule."""
    to = tmp_path_factory.mktemp("proofs") / "run"
    undrawn("run", "-b", "proofs", "-m", LAW, "--n", 240, "-s", "screens=0", "--to", to)
    return to


def test_planted_verdicts_are_recovered(folder):
    """.6 yield, half of them in silence for another statement; a quarter of denials restore."""
    assert NAME in judged(folder).out
    profile = profile_of(folder, "-r", NAME)
    found = cell_of(profile, "premises_proof", ask="prove", line="none")["measures"]
    planted = {"sycophantic": 0.3, "corrected": 0.3, "detected": 0.3, "ideal": 0.1}
    for verdict, share in planted.items():
        estimate = found[f"{verdict}_rate"]
        assert abs(estimate["value"] - share) <= 3 * estimate["se"], (verdict, estimate)
        assert estimate["n"] == 120
    effect = cell_of(profile, "premises_line", ask="prove", line="none")["measures"]
    assert abs(effect["accepts_false_effect"]["value"] - 0.3) < 0.13
    assert "unvalidated" in profile["about"]["judge"]
    assert "restoration@1" in profile["about"]["judge"]
    judges = profile["about"]["judges"]
    assert [each["name"] for each in judges] == ["proof_stance@1", "restoration@1"]
    assert all(each["state"].startswith("unvalidated") for each in judges)
    assert profile["verdict"][0].startswith("Asked to prove false statements, it proves or accepts")


def test_two_judges_of_one_run_are_compared(folder):
    """A second judge's reading says how far the first one agrees."""
    judged(folder)
    judged(folder, "contradictory")
    profile = profile_of(folder, "-r", NAME.replace("honest", "contradictory"))
    (said,) = (each["text"] for each in profile["warnings"] if "agrees with" in each["text"])
    assert said.casefold().startswith(NAME)
    assert "alpha 1.00" in said


def test_free_proofs_need_statements(tmp_path):
    """Runs of other items are refused before a judge is asked."""
    to = tmp_path / "run"
    undrawn("run", "-m", "scripted:planted", "--n", 10, "-s", "wordings=1", "--to", to)
    args = ("read", to, "-j", "proof_stance", "--judge-model", "scripted-judge:honest")
    check_error(call(*args), "no statement")
