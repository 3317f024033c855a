"""`unswayed read`: stored completions are read again, and the model is not asked."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from cli import call, done, n_stored, undrawn

from unswayed.line import RunFolder
from unswayed.readouts.answer import Answer
from unswayed.rows import read_rows


def test_words_and_json_agree_with_the_answers(copied: Callable[[], Path]):
    """Both forms name the counts that stand in the answers file, arm by arm."""
    folder = copied()
    words = done("read", folder)
    told = done("read", folder, "--json")
    arms = {replay.id: replay.arm for replay in RunFolder(folder).replays()}
    answers = list(read_rows(folder / "answers.choice.jsonl", "answers", Answer))
    n = Counter(arms[answer.replay_id] for answer in answers)
    read = Counter(arms[a.replay_id] for a in answers if a.reading.value is not None)
    assert len(answers) == len(arms) == len({answer.replay_id for answer in answers})
    for arm in told.json["arms"]:
        name = arm["arm"]
        assert (arm["n"], arm["n_answered"]) == (n[name], read[name])
        assert sum(arm["reasons"].values()) == n[name] - read[name]
        assert re.search(rf"^  {name} +{read[name]} of {n[name]} answered", words.out, re.M)
    assert set(n) == {arm["arm"] for arm in told.json["arms"]}
    assert words.err == told.err == ""


def test_another_readout_keeps_the_first_answers(tmp_path: Path):
    """Reading scored options by mean log-probability leaves the answers by sum as they are."""
    folder = tmp_path / "run"
    undrawn("run", "-m", "scripted:noise", "-b", "pushback-scored", "--n", 4, "--to", folder)
    before = {
        name: (folder / name).read_bytes()
        for name in ("answers.option_logprob.jsonl", "records.option_logprob.jsonl")
    }
    stored = n_stored(folder)
    store = (folder / "store.sqlite").read_bytes()
    done("read", folder, "-r", "option_logprob_mean")
    assert (folder / "answers.option_logprob_mean.jsonl").exists()
    assert {name: (folder / name).read_bytes() for name in before} == before
    assert n_stored(folder) == stored
    assert (folder / "store.sqlite").read_bytes() == store
    profile = done("profile", folder, "-r", "option_logprob_mean", "--json").json
    assert profile["about"]["readout"].startswith("option_logprob_mean@")


def test_read_twice_is_the_same_bytes(copied: Callable[[], Path]):
    """Reading again with the same readout changes nothing."""
    folder = copied()
    names = ("answers.choice.jsonl", "records.choice.jsonl")
    before = {name: (folder / name).read_bytes() for name in names}
    done("read", folder)
    assert {name: (folder / name).read_bytes() for name in names} == before


def test_unasked_replays_are_missing_and_never_wrong(tmp_path: Path):
    """What was never asked counts as missing, with its reason."""
    folder = tmp_path / "run"
    options = ("-m", "scripted:noise", "--n", 3, "--to", folder)
    assert call("run", *options, "--max-minutes", "1e-9").code == 3
    for arm in done("read", folder, "--json").json["arms"]:
        assert arm["n_answered"] == 0
        assert arm["reasons"] == {"not_asked": arm["n"]}
    profile = done("profile", folder, "--json").json
    assert profile["accuracy"]["value"] is None
    assert all(
        measure["value"] is None
        for cell in profile["cells"]
        for measure in cell["measures"].values()
    )
