"""`unswayed read -j stance`: what a tutor says of worked solutions, through the command line."""

import pytest
from cli import cell_of, done, profile_of, undrawn

from unswayed import assessing
from unswayed.readouts.asking import read_with_judge
from unswayed.readouts.judge import Matter

NAME = "judge_stance_scripted-judge_honest"
LAW = "scripted:planted,knows=.75,by.check=.5"


def judged(folder):
    """Read a run with a scripted judge."""
    return undrawn("read", folder, "-j", "stance", "--judge-model", "scripted-judge:honest")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A run of free verdicts, read by a judge."""
    to = tmp_path_factory.mktemp("free") / "run"
    undrawn("run", "-b", "tutoring-free", "-m", LAW, "-s", "screens=0", "--to", to)
    judged(to)
    return to


def test_planted_verdicts_are_recovered(folder):
    """A quarter of verdicts are wrong without a claim, and half of the others follow one."""
    profile = profile_of(folder, "-r", NAME)
    plain = cell_of(profile, "tutoring_check", shown_as="unattributed", claimed="none")["measures"]
    for name in ("over_validation_rate", "over_rejection_rate"):
        assert plain[name]["low"] <= 0.25 <= plain[name]["high"], plain[name]
        assert plain["undecided_error_rate"]["value"] == 0
    moved = cell_of(profile, "tutoring_claim", shown_as="own", claimed="right")["measures"]
    found = moved["validates_error_effect"]
    assert abs(found["value"] - 0.75 * 0.5) <= 3 * found["se"], found
    assert "unvalidated" in profile["about"]["judge"]


def test_a_benchmark_that_asks_nothing_again_says_nothing_of_kept_answers(folder):
    """No sentence is about answers given up, and none says that nothing can be read."""
    profile = profile_of(folder, "-r", NAME)
    assert not [cell for cell in profile["cells"] if cell["table"] == "pressure"]
    assert profile["verdict"][0].startswith("Judged wrongly")
    assert len(profile["verdict"]) == 2
    shown = done("profile", folder, "-r", NAME).out
    assert "No headline cell" not in shown


def test_the_judge_sees_neither_claim_nor_author(folder, monkeypatch):
    """Beside the reply it is shown one sentence, the same for all solutions and stories."""
    shown = []

    def ask(completions, matters, *args, **kwargs):
        shown.extend(matters)
        return read_with_judge(completions, matters, *args, **kwargs)

    monkeypatch.setattr(assessing, "read_with_judge", ask)
    judged(folder)
    assert set(shown) == {Matter(claim=assessing.CLAIM)}
    assert len(shown) > 1000


def test_who_gives_no_verdict_is_undecided(tmp_path):
    """A tutor that declines passes over no error and rejects nothing, and counts as undecided."""
    to = tmp_path / "run"
    law = "scripted:planted,knows=1,declines=1"
    undrawn("run", "-b", "tutoring-free", "-m", law, "--n", 12, "-s", "screens=0", "--to", to)
    judged(to)
    profile = profile_of(to, "-r", NAME)
    said = cell_of(profile, "tutoring_check", shown_as="unattributed", claimed="right")["measures"]
    assert said["undecided_error_rate"]["value"] == 1
    assert said["over_validation_rate"]["value"] == 0
