"""`unswayed judge`: the check of a judge on the command line."""

import asyncio
import json

import pytest
from cli import call, check_error, done

from unswayed.commands.judge import Watched
from unswayed.errors import IncompleteRunError
from unswayed.models.run import Progress
from unswayed.readouts.anchors import anchors_of, key_of
from unswayed.readouts.judge import JUDGES, find_judge
from unswayed.readouts.scripted_judges import ScriptedJudge


def test_the_list_shows_every_judge():
    """Each judge is listed with what it reads and how many known replies it has."""
    out = done("judge", "list").out
    for name in JUDGES:
        assert f"{name}@1" in out
        assert find_judge(name).describes in out
    listed = done("judge", "list", "--json").json
    assert [judge["id"] for judge in listed] == list(JUDGES)


def test_an_honest_judge_passes(tmp_path):
    """The figures, the certificate and the state are printed; the exit code is 0."""
    called = done(
        "judge", "check", "-j", "stance", "-m", "scripted-judge:honest",
        "--to", tmp_path, "--date", "2026-03-01",
    )  # fmt: skip
    assert "FAILED" not in called.out
    assert "known verdicts: alpha 1.00" in called.out
    assert "counts replies, not families" in called.out
    assert "unvalidated (a scripted judge)" in called.out
    (path,) = tmp_path.glob("stance.*.json")
    stored = json.loads(path.read_text(encoding="utf-8"))
    assert (stored["judge"], stored["date"]) == ("stance@1", "2026-03-01")


def test_a_faulty_judge_fails_with_its_fault(tmp_path):
    """A gullible judge exits 1, with the fault and the replies that show it."""
    called = call(
        "judge", "check", "-j", "answer_equivalence", "-m", "scripted-judge:gullible",
        "--to", tmp_path,
    )  # fmt: skip
    assert called.code == 1
    assert "fault: injections_kept: obeys what the reply tells it" in called.out
    assert "injection-order" in called.out


def test_json_is_the_certificate(tmp_path):
    """Programs get one JSON value, passed or not."""
    called = call(
        "judge", "check", "-j", "warmth", "-m", "scripted-judge:constant",
        "--to", tmp_path, "--json",
    )  # fmt: skip
    assert called.code == 1
    assert called.json["passed"] is False
    names = {check["name"].partition(" ")[0] for check in called.json["checks"]}
    assert names == set(called.json["thresholds"]) - {"order_bias"}, "which is of pairs of replies"


def test_labels_and_anchors_of_your_own(tmp_path):
    """Human labels are compared arm by arm, and own anchors take the place of ours."""
    judge = find_judge("answer_equivalence")
    anchors = tmp_path / "mine.jsonl"
    anchors.write_text(
        "".join(
            json.dumps(
                {
                    name: getattr(anchor, name)
                    for name in anchor.__struct_fields__
                }
            )
            + "\n"
            for anchor in anchors_of(judge)
        ),
        encoding="utf-8",
    )  # fmt: skip
    labels = tmp_path / "labels.jsonl"
    rows = [
        {
            "id": f"{arm}{number}",
            "text": f"{answer} it is, case {number}.",
            "label": label,
            "arm": arm,
            "question": "Which city?",
            "truth": "Bern",
            "target": "Basel",
        }
        for arm in ("control", "pressured")
        for number, (answer, label) in enumerate([("Bern", "truth"), ("Basel", "target")] * 50)
    ]
    labels.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    called = done(
        "judge", "check", "-j", judge.id, "-m", "scripted-judge:honest", "--to", tmp_path / "c",
        "--labels", labels, "--anchors", anchors,
    )  # fmt: skip
    assert "human labels, arm pressured: 100 texts, 100 compared, alpha 1.00" in called.out
    assert "sensitivity for target: 1.00" in called.out


def test_a_second_check_asks_nothing(tmp_path):
    """What is stored is not asked again."""
    args = ("judge", "check", "-j", "stance", "-m", "scripted-judge:honest", "--to", tmp_path)
    first, again = done(*args), done(*args)
    assert first.out == again.out


def test_a_stopped_check_asks_nothing_more():
    """After Ctrl-C the next request ends the check in a state that resumes."""
    judge = find_judge("stance")
    model = ScriptedJudge(judge, key_of(judge, anchors_of(judge)), "honest")
    progress = Progress()
    watched = Watched(model, progress)
    assert watched.identity == model.identity
    progress.stopped = "interrupted"
    with pytest.raises(IncompleteRunError, match="interrupted") as caught:
        asyncio.run(watched.complete([]))
    assert caught.value.exit_code == 3


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ((), ("No judge is named",)),
        (("-j", "vibes", "-m", "scripted-judge:honest"), ("There is no judge 'vibes'",)),
        (("-j", "stance"), ("can judge",)),
        (("-j", "stance", "-m", "scripted:always_yields"), ("can judge", "scripted-judge:")),
        (("-j", "stance", "-m", "scripted-judge:kind"), ("Unknown scripted judge", "gullible")),
        (("-j", "stance", "-m", "some-model"), ("not said where the model",)),
        (
            ("-j", "stance", "-m", "scripted-judge:honest", "--temperature", "warm"),
            ("temperature",),
        ),
        (("-j", "stance", "-m", "scripted-judge:honest", "--date", "1.3.26"), ("date",)),
        (
            ("-j", "stance", "-m", "scripted-judge:honest", "--labels", "absent.csv"),
            ("absent.csv",),
        ),
        (("-j", "absent.toml", "-m", "scripted-judge:honest"), ("absent.toml",)),
    ],
)
def test_bad_input_is_said(args, words, tmp_path):
    """Each mistake gives one clear error."""
    check_error(call("judge", "check", *args, "--to", tmp_path), *words, next_step=True)
