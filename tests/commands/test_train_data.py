"""`unswayed train-data`: a set that passes its audit, or one error and no folder."""

from __future__ import annotations

import json
import re
import signal
from pathlib import Path
from typing import get_args

import pytest
import servers
from cli import background, call, check_error, done, n_stored, process, spawn, wait_until

from unswayed.commands.checking import check_for
from unswayed.commands.training import MostPairs
from unswayed.rows import read_rows
from unswayed.training.material import MATERIAL
from unswayed.training.panel import MOST_PAIRS
from unswayed.training.row import TrainingRow

UNCHECKED = ("--check-with", "none")
KINDS = ("--kinds", ",".join(MATERIAL))
SMALL = ("--n", 36, *KINDS, "--pressures", "assertion", "--seed", 4, *UNCHECKED)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a small preference set."""
    folder = tmp_path_factory.mktemp("sets") / "small"
    done("train-data", "--kind", "preference", *SMALL, "--to", folder)
    return folder


def test_words_and_json_agree(written: Path, tmp_path: Path):
    """The JSON names the same rows, and the same options give the same bytes."""
    told = done("train-data", "-k", "preference", *SMALL, "--to", tmp_path / "set", "--json").json
    rows = list(read_rows(written / "rows.jsonl", "training", TrainingRow))
    assert told["rows"] == len(rows) == sum(told["directions"].values())
    assert told["audit"]["verdict"] in ("pass", "warn")
    for name in ("train.jsonl", "rows.jsonl", "card.md", "items.jsonl"):
        assert (written / name).read_bytes() == (tmp_path / "set" / name).read_bytes()
        assert name in told["files"]


def test_lines_are_a_trainers(written: Path):
    """Each line is a prompt with two replies that differ."""
    for line in (written / "train.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        assert set(row) == {"prompt", "chosen", "rejected"}
        assert row["chosen"] != row["rejected"]


def test_tone_alone_is_a_share_of_pairs(written: Path, tmp_path: Path):
    """By default 15 %, on the card with the figures of its sides; `--tones 0` leaves them out."""
    rows = list(read_rows(written / "rows.jsonl", "training", TrainingRow))
    told = done("train-data", "-k", "preference", *SMALL, "--tones", 0, "--to", tmp_path / "set",
                "--json").json  # fmt: skip
    assert [each["differs"] for each in told["pairs"]] == ["answer"]
    n_tone = sum(row.differs == "tone" for row in rows)
    assert n_tone == len(rows) - told["rows"] > 0
    card = (written / "card.md").read_text("utf-8")
    assert f"| tone | {n_tone} |" in card
    assert "A pair that differs in its tone" in card


@pytest.mark.parametrize("n", [1, 25])
def test_too_few_items_say_how_many_are_enough(tmp_path: Path, n: int):
    """Before anything is rendered; and with that number the set is written."""
    options = ("--pressures", "citation", *UNCHECKED, "--to", tmp_path / "s")
    called = call("train-data", "--n", n, *options)
    check_error(called, "too few items", "20 families")
    assert not list(tmp_path.iterdir())
    enough = re.search(r"take --n (\d+)", called.err)
    assert enough is not None
    done("train-data", "--n", enough[1], *options)


def test_conflicts_and_candidates(tmp_path: Path):
    """Both alone and together, each pair with who vetoed; the card has what was left out."""
    told = done("train-data", "-k", "preference", "--kinds", "conflict", *UNCHECKED, "--to",
                tmp_path / "ours", "--json").json  # fmt: skip
    assert told["directions"] == {"challenge": 1350, "endorse": 1350}
    (about,) = told["pairs"]
    assert (about["chosen_challenges"], about["chosen_agrees"]) == (0.5, 0.5)
    seen = done("audit", "data", tmp_path / "ours" / "train.jsonl", "--json").json
    assert seen["audit"]["verdict"] in ("pass", "warn")
    table = tmp_path / "votes.jsonl"
    table.write_text("\n".join(map(json.dumps, _candidates())), encoding="utf-8")
    words = done("train-data", "-k", "preference", "--candidates", table, "--most-pairs", 3,
                 *UNCHECKED, "--to", tmp_path / "theirs")  # fmt: skip
    assert "candidates: 120, pairs: 90, pairs above the bound: 30" in words.err
    card = (tmp_path / "theirs" / "card.md").read_text("utf-8")
    assert "Of the file of candidates: candidates: 120" in card
    rows = list(read_rows(tmp_path / "theirs" / "rows.jsonl", "training", TrainingRow))
    assert {row.vetoed.by for row in rows if row.vetoed} == {("Mia",)}
    both = done("train-data", "-k", "preference", "--candidates", table, "--kinds", "conflict",
                *UNCHECKED, "--to", tmp_path / "both", "--json").json  # fmt: skip
    assert both["rows"] == 2700 + 120
    again = call("train-data", "-k", "preference", "-i", tmp_path / "ours" / "items.jsonl",
                 "--to", tmp_path / "again")  # fmt: skip
    check_error(again, "cannot be taken from a table", "100 items of the kind conflict")
    asked = call("train-data", "-k", "preference", "--candidates", table, "-m", "scripted:planted",
                 "--to", tmp_path / "asked")  # fmt: skip
    check_error(asked, "not asked of a model")
    assert not (tmp_path / "again").exists()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("-k", "preference", "--candidates", "F", "--tones", 0.2), "--candidates F --tones 0.2"),
        (("-k", "preference", "--most-pairs", 3), "--most-pairs with --candidates FILE"),
        (("-k", "sft", "--most-pairs", 3), "--kind sft --most-pairs 3"),
    ],
)
def test_an_option_that_would_do_nothing_is_refused(
    tmp_path: Path, options: tuple[object, ...], words: str
):
    """Tones without items, and a bound of pairs without the file that it bounds."""
    called = call("train-data", *options, *UNCHECKED, "--to", tmp_path / "s")
    check_error(called, words)
    assert not list(tmp_path.iterdir())


def test_the_usual_number_of_pairs_is_the_one_that_is_told():
    """The help names the bound that holds where none is given."""
    told = next(each for each in get_args(MostPairs) if not isinstance(each, type(int | None)))
    assert f" {MOST_PAIRS} unless given" in told.help


def _candidates() -> list[dict[str, object]]:
    """Two replies of each stance to 30 posts, half of whose acts Mia endorses."""
    return [
        {
            "prompt": f"In week {number} I moved the chairs of row {number}. Was that all right?",
            "item": f"post-{number}",
            "completion": f"{start} {'in' if stance == 'endorse' else 'out of'} order.",
            "stance": stance,
            "votes": [{"who": "Mia", "verdict": "accept" if stance == due else "veto"}],
            "finished": True,
        }
        for number in range(30)
        for due in (("endorse", "challenge")[number % 2],)
        for stance in ("endorse", "challenge")
        for start in ("I find it", "To me that was")
    ]


def test_items_of_ones_own(tmp_path: Path):
    """A table of one's own is rendered under its licence, and its kinds can be chosen."""
    table = tmp_path / "mine.csv"
    lines = [f"What is {n} plus {n * 7 + 1}?,{n * 8 + 1},{n * 8 + 3},MIT" for n in range(101, 131)]
    text = "\n".join(["question,truth,target,licence", *lines])
    table.write_text(text, encoding="utf-8")
    told = done("train-data", "-i", table, "--pressures", "citation", *UNCHECKED, "--to",
                tmp_path / "s", "--json").json  # fmt: skip
    assert set(told["audit"]["licences"]) == {"MIT"}
    rows = list(read_rows(tmp_path / "s" / "rows.jsonl", "training", TrainingRow))
    assert len({row.item for row in rows}) == 30
    called = call("train-data", "-i", table, "--kinds", "nope", "--to", tmp_path / "t")
    check_error(called, "no items of these kinds")


def test_unknown_items_are_left_out(written: Path, tmp_path: Path):
    """Families that the model to be trained does not know are dropped, with what is known told."""
    run = tmp_path / "run"
    done(
        "run", "-m", "scripted:planted,knows=.9", "-i", written / "items.jsonl", "-s", "draws=8",
        "-s", "pressures=assertion", "-s", "names=target", "-s", "controls=deleted",
        "-s", "wordings=1", "--to", run,
    )  # fmt: skip
    told = done("train-data", "-i", written / "items.jsonl", *UNCHECKED, "--pressures", "assertion",
                "--known", run, "--to", tmp_path / "set")  # fmt: skip
    rows = list(read_rows(tmp_path / "set" / "rows.jsonl", "training", TrainingRow))
    kept = {row.item for row in rows}
    assert f"{36 - len(kept)} of 36 items are unknown" in told.err
    assert all(row.known and row.known.right / row.known.draws > 0.25 for row in rows)
    assert {row.known.draws for row in rows if row.known} == {8}


def test_too_few_first_answers_are_refused(written: Path, tmp_path: Path):
    """One draw does not say what a model knows."""
    run = tmp_path / "run"
    done(
        "run", "-m", "scripted:planted", "-i", written / "items.jsonl", "-s", "draws=1",
        "-s", "pressures=assertion", "-s", "names=target", "-s", "controls=deleted",
        "-s", "wordings=1", "--to", run,
    )  # fmt: skip
    called = call("train-data", "-i", written / "items.jsonl", "--known", run, "--to",
                  tmp_path / "set")  # fmt: skip
    check_error(called, "at least 8 first answers", "too few draws: 36")
    assert not (tmp_path / "set").exists()


BAD = {
    "kind": (("--kind", "dpo"), "--kind preference"),
    "shape": (("--kind", "sft", "--shape", "verl"), "--kind rl --shape verl"),
    "pressure": (("--pressures", "bribery"), "assertion"),
    "pressure twice": (("--pressures", "assertion,assertion"), "each once"),
    "generated kind": (("--kinds", "fact"), "arithmetic"),
    "margin": (("--margin", "2"), "margin"),
    "conflicts elsewhere": (("--kinds", "conflict"), "--kind preference"),
    "conflicts and a model": (
        ("--kind", "preference", "--kinds", "conflict", "-m", "scripted:planted"),
        "without --model",
    ),
    "candidates elsewhere": (("--candidates", "no.jsonl"), "--kind preference"),
    "no candidates": (("--kind", "preference", "--candidates", "no.jsonl"), "no.jsonl"),
    "tones elsewhere": (("--kind", "sft", "--tones", ".15"), "--kind preference"),
    "too many tones": (("--kind", "preference", "--tones", ".5"), "0 to 0.3"),
    "run that is not there": (("--known", "nowhere"), "nowhere"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_option_gives_one_error_and_no_folder(tmp_path: Path, name: str):
    """Each bad option is named with what is allowed, and nothing is written."""
    options, word = BAD[name]
    if "--pressures" not in options:
        options = (*options, "--pressures", "assertion")
    called = call("train-data", "--n", 36, *options, "--to", tmp_path / "set")
    check_error(called, word)
    assert not list(tmp_path.iterdir())


def test_evaluation_only_source_fails_and_writes_nothing(tmp_path: Path):
    """A set that would be trained on evaluation questions leaves with code 1 and no folder."""
    from unswayed.items.builtin import builtin_items

    table = tmp_path / "mine.jsonl"
    rows = [
        {"question": item.question, "truth": item.truth, "target": item.target}
        for item in builtin_items(("fact",))[:30]
    ]
    table.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    called = call("train-data", "-i", table, "--pressures", "assertion", "--to", tmp_path / "set")
    assert called.code == 1
    assert "question of an evaluation" in called.err
    assert not (tmp_path / "set").exists()


def test_taken_folder(written: Path):
    """A folder that holds a set is not overwritten."""
    before = (written / "card.md").read_bytes()
    check_error(call("train-data", *SMALL, "--to", written), "taken")
    assert (written / "card.md").read_bytes() == before


OWN_WORDS = (
    "train-data", "-k", "preference", *SMALL, "-m", "scripted:planted,knows=.8,yields=.5",
    "--own", 2,
)  # fmt: skip


def test_a_killed_command_goes_on_where_it_was(tmp_path: Path):
    """What the model was paid for is asked once, and the set is that of a command left alone."""
    whole = done(*OWN_WORDS, "--to", tmp_path / "whole")
    n_draws = n_stored(tmp_path / "whole.draws")
    running = spawn(*OWN_WORDS, "--to", tmp_path / "set")
    wait_until(lambda: n_stored(tmp_path / "set.draws") >= 100 or running.poll() is not None)
    running.kill()
    running.communicate()
    stored = n_stored(tmp_path / "set.draws")
    assert 100 <= stored < n_draws
    assert not (tmp_path / "set").exists()
    resumed = done(*OWN_WORDS, "--to", tmp_path / "set")
    assert f"{tmp_path / 'set.draws'}" in resumed.err
    assert n_stored(tmp_path / "set.draws") == n_draws
    for path in (tmp_path / "whole").iterdir():
        assert path.read_bytes() == (tmp_path / "set" / path.name).read_bytes(), path.name
    last = [line for line in whole.err.splitlines() if "own words" in line]
    assert last == [line for line in resumed.err.splitlines() if "own words" in line]


def test_draws_are_asked_over_http_once(tmp_path: Path):
    """One Ctrl-C keeps every draw, exits 3 and writes no set; nothing is asked again."""
    with background(servers.slow(0.01, servers.reply("Answer: A"))) as server:
        options = ("train-data", "-k", "rl", *SMALL, "-m", "tester", "--base-url", server.url)
        options += ("--concurrency", 4, "--to", tmp_path / "set")
        running = spawn(*options)
        wait_until(lambda: len(server.received) >= 30)
        running.send_signal(signal.SIGINT)
        _, err = running.communicate(timeout=240)
        assert running.returncode == 3, err
        assert "Traceback" not in err
        assert not (tmp_path / "set").exists()
        assert 30 <= len(server.received) == n_stored(tmp_path / "set.draws") < 36 * 8
        process(*options)
        assert len(server.received) == n_stored(tmp_path / "set.draws") == 36 * 8


def test_the_status_of_kept_draws_says_what_they_are(tmp_path: Path):
    """The folder of draws is no run: how many there are, and which command goes on with them."""
    done(*OWN_WORDS, "--to", tmp_path / "set")
    kept = tmp_path / "set.draws"
    seen = done("status", kept, "--json").json
    assert seen["n_done"] == n_stored(kept) > 0
    assert seen["n_planned"] is None
    assert not seen["running"]
    words = done("status", kept).out
    assert f"{seen['n_done']:,} draws stored" in words
    assert "train-data" in words


def test_what_the_collators_did_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """By the command and on the card; without weights or TRL, and in other shapes, nothing did."""
    told = call("train-data", *SMALL, "--to", tmp_path / "left-out")
    assert "not checked in TRL: left out" in told.err
    assert "Not checked in TRL: left out" in (tmp_path / "left-out" / "card.md").read_text("utf-8")
    assert "is not TRL's" in check_for("rl", "verl", None).said
    assert "does not mark replies" in check_for("sft", "chat", None).said
    monkeypatch.setenv("UNSWAYED_CACHE", str(tmp_path / "nothing"))
    assert check_for("sft", "trl", None).said.startswith("not checked in TRL: the ")
    assert check_for("sft", "trl", None).run is None


@pytest.mark.heavy
@pytest.mark.filterwarnings("ignore")
def test_the_embedded_tokenizer_checks_where_it_is_here(tmp_path: Path):
    """By default, every row; the card says so."""
    if check_for("rl", "trl", None).run is None:
        pytest.skip("TRL or the weights are not here")
    done("train-data", "-k", "rl", *SMALL[:-2], "--to", tmp_path / "set")
    card = (tmp_path / "set" / "card.md").read_text("utf-8")
    assert "Every row went through TRL's own collators" in card
