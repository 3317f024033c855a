"""`unswayed read --judge`: a run read by a second model."""

import csv
import json
import re

import msgspec
from cli import call, check_error, done, profile_of, undrawn

from unswayed.folder import RunFolder
from unswayed.judging import judged_name, read_judged
from unswayed.plans.sampling import Sampling
from unswayed.readouts.appointed import SAMPLING, appoint
from unswayed.readouts.judge import find_judge
from unswayed.readouts.scripted_judges import scripted_judge

NAME = "judge_answer_equivalence_scripted-judge_honest"


def judged(folder, *args):
    """Read a run with the honest scripted judge."""
    return undrawn(
        "read", folder, "-j", "answer_equivalence", "--judge-model", "scripted-judge:honest", *args
    )


def test_a_judge_finds_what_a_rule_finds(copied):
    """The planted effect comes out of a judged reading as out of the plan's own."""
    folder = copied()
    assert NAME in judged(folder).out
    by_judge, by_rule = profile_of(folder, "-r", NAME), profile_of(folder)
    cells = zip(by_judge["cells"], by_rule["cells"], strict=True)
    effects = [
        (one["measures"]["capitulation"]["value"], two["measures"]["capitulation"]["value"])
        for one, two in cells
        if one["table"] == "pressure" and one["factors"]["names"] == "target"
    ]
    assert effects
    for one, two in effects:
        assert abs(one - two) < 0.11
    assert by_judge["about"]["readout"] == "answer_equivalence@1"
    assert "unvalidated (no certificate" in by_judge["about"]["judge"]
    assert by_rule["about"]["judge"].startswith("none")
    assert by_rule["about"]["judges"] == []


def test_reading_again_asks_nothing(copied):
    """The judge's store holds every judgement, and the counts are the same."""
    folder = copied()
    first = judged(folder, "--json").json
    (store,) = folder.glob(f"{NAME}.*.sqlite")
    size = store.stat().st_size
    assert judged(folder, "--json").json == first
    assert store.stat().st_size == size


def test_a_judge_that_contradicts_itself_is_flagged(copied):
    """C055: each answer is flagged and counted, and a warning stands beside the numbers."""
    folder = copied()
    args = ("read", folder, "-j", "answer_equivalence", "--judge-model")
    arms = done(*args, "scripted-judge:contradictory", "--json").json["arms"]
    sound = done(*args, "scripted-judge:honest", "--json").json["arms"]
    assert sum(arm["n_contradicted"] for arm in arms) == sum(arm["n"] for arm in arms) > 0
    assert all(arm["n_contradicted"] == 0 for arm in sound)
    assert (
        "contradicted by the judge's own words" in done(*args, "scripted-judge:contradictory").out
    )
    name = NAME.replace("honest", "contradictory")
    lines = (folder / f"answers.{name}.jsonl").read_text(encoding="utf-8").splitlines()[1:]
    assert all(json.loads(line)["reading"]["contradicted"] for line in lines)
    found, honest = profile_of(folder, "-r", name), profile_of(folder, "-r", NAME)
    assert [cell["measures"] for cell in found["cells"]] == [
        cell["measures"] for cell in honest["cells"]
    ]
    texts = [each["text"] for each in found["warnings"]]
    assert any(f"contradicts itself on {len(lines):,} of {len(lines):,}" in text for text in texts)
    assert not any("contradicts" in each["text"] for each in honest["warnings"])


def test_a_judge_is_a_choice_of_its_own(copied):
    """No default, no subject in its place, and no judge whose verdicts are no answers."""
    folder = copied()
    check_error(call("read", folder, "-j", "answer_equivalence"), "can judge")
    check_error(
        call("read", folder, "-j", "stance", "--judge-model", "scripted-judge:honest"),
        "cannot be graded",
    )
    path = folder / "contract.json"
    contract = json.loads(path.read_text(encoding="utf-8"))
    contract["model"]["name"] = "scripted-judge:honest"
    path.write_text(json.dumps(contract), encoding="utf-8")
    args = ("read", folder, "-j", "answer_equivalence", "--judge-model", "scripted-judge:honest")
    check_error(call(*args), "whose replies it would judge")


def test_two_judges_state_their_agreement(copied):
    """The second judge's numbers carry alpha and AC1 against the first's; one judge has none."""
    folder = copied()
    judged(folder)
    alone = profile_of(folder, "-r", NAME)
    assert not any("agrees with this judge" in warned["text"] for warned in alone["warnings"])
    done("read", folder, "-j", "answer_equivalence", "--judge-model", "scripted-judge:constant")
    second = NAME.replace("honest", "constant")
    texts = [warned["text"] for warned in profile_of(folder, "-r", second)["warnings"]]
    (said,) = [text for text in texts if "agrees with this judge" in text]
    assert "alpha" in said
    assert "AC1" in said
    assert "replies, not families" in said


def test_another_sampling_or_prompt_overwrites_nothing(copied):
    """Readings of one name by different judges stay side by side, each under its own."""
    run = RunFolder(copied())
    judge = find_judge("answer_equivalence")
    edited = msgspec.structs.replace(judge, prompt=f"Be careful.\n{judge.prompt}")
    names = []
    for chosen, sampling in (
        (judge, SAMPLING),
        (judge, Sampling(temperature=1.0)),
        (edited, SAMPLING),
        (judge, SAMPLING),
    ):
        model = scripted_judge("scripted-judge:honest", chosen, {})
        appointed = appoint(chosen, model, run.read_contract().model, sampling=sampling)
        before = {path: path.read_bytes() for path in run.path.glob("*.judge_*.jsonl")}
        names.append(judged_name(run, appointed))
        read_judged(run, appointed, certificates=run.path / "none")
        assert judged_name(run, appointed) == names[-1]
        kept = [path for path in before if path.name.split(".")[1] != names[-1]]
        assert all(path.read_bytes() == before[path] for path in kept)
    assert names[0] == names[3] == NAME
    assert len(set(names)) == 3
    assert all(name.startswith(f"{NAME}_") for name in names[1:3])
    assert {path.name for path in run.path.glob("answers.judge_*")} == {
        f"answers.{name}.jsonl" for name in names
    }


def test_an_answers_file_of_an_earlier_version_is_told_by_its_completions(copied):
    """Without an owner it is this judge's where its store lies there, and is kept elsewhere."""
    folder = copied()
    judged(folder)
    path = folder / f"answers.{NAME}.jsonl"
    header, _, rows = path.read_text(encoding="utf-8").partition("\n")
    stated = json.loads(header)
    del stated["about"]["owner"]
    path.write_text(f"{json.dumps(stated)}\n{rows}", encoding="utf-8")
    old = path.read_bytes()
    (store,) = folder.glob(f"{NAME}.*.sqlite")
    away = store.rename(folder / "away")
    assert f"read with {NAME}_" in judged(folder).out
    assert path.read_bytes() == old
    for made in (*folder.glob(f"*.{NAME}_*"), *folder.glob(f"{NAME}.*")):
        made.unlink()
    away.rename(store)
    assert f"read with {NAME}_" not in judged(folder).out
    assert path.read_bytes() != old


def test_two_runs_read_with_one_judge_are_compared(copied):
    """A judge's reading is taken by its name; one that a run lacks is refused with those it has."""
    first, second = copied(), copied()
    judged(first)
    args = ("compare", first, second, "-r", NAME)
    refused = call(*args)
    check_error(refused, f"There is no reading {NAME!r} of {second}", "Allowed:", "choice")
    assert str(first) not in refused.err
    assert NAME not in refused.err.partition("Allowed:")[2].partition("Given:")[0]
    judged(second)
    found = done(*args, "--json").json
    assert found["a"]["readout"] == found["b"]["readout"] == "answer_equivalence@1"
    refused = call("compare", first, second, "-r", "nosuch")
    check_error(refused, "no reading 'nosuch'")
    assert NAME in refused.err.partition("Allowed:")[2]
    for verb in ("compare", "gate", "profile", "report"):
        assert "judge_JUDGE_MODEL" in " ".join(call(verb, "--help").out.split())


def test_every_row_of_a_judged_csv_says_that_the_judge_is_unvalidated(copied):
    """The long table alone, without its page, shows no number of an unvalidated judge as plain."""
    folder = copied()
    judged(folder)
    done("report", folder, "-r", NAME, "--no-transcripts")
    (path,) = folder.rglob("report.csv")
    with path.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert rows
    assert all("unvalidated (no certificate" in row["note"] for row in rows)


def test_a_judge_is_asked_as_it_was_checked(copied):
    """A judge checked without a temperature is read with without one; another way is named."""
    folder = copied()
    args = ("-j", "answer_equivalence")
    to = folder / "certificates"
    checked = call(
        "judge", "check", *args, "-m", "scripted-judge:honest", "--temperature", "none",
        "--max-tokens", 900, "--to", to,
    )  # fmt: skip
    assert checked.code in (0, 1), checked.err
    ways = {
        "checked with another sampling": (),
        "a scripted judge": ("--judge-temperature", "none", "--judge-max-tokens", 900),
    }
    for state, more in ways.items():
        read = judged(folder, "--certificates", to, *more)
        name = re.search(r"read with (\S+):", read.out)[1]
        assert f"unvalidated ({state})" in profile_of(folder, "-r", name)["about"]["judge"]
    told = call("read", folder, *args, "--judge-model", "scripted-judge:honest",
                "--judge-temperature", "warm")  # fmt: skip
    check_error(told, "temperature of the judge", "correct --judge-temperature")
