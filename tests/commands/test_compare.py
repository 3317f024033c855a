"""`unswayed compare` through the command line, on runs of scripted respondents."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from cli import call, check_error, done, undrawn

LAW = "scripted:planted,knows=.7,wobble=.05,corrects=.5,yields={}"


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two respondents on one plan: one yields four times as often."""
    root = tmp_path_factory.mktemp("compared")
    made = []
    for name, yields in (("much", ".4"), ("little", ".1")):
        made.append(root / name)
        undrawn("run", "-m", LAW.format(yields), "--n", 100, "--to", made[-1])
    return made[0], made[1]


def test_the_table_names_the_higher_run_with_both_n(folders, monkeypatch):
    """A person reads the sign, both numbers of items, what differs, and that it is simulated."""
    monkeypatch.setenv("COLUMNS", "160")
    out = done("compare", *folders).out
    assert "A is higher by" in " ".join(out.split())
    assert "yields 0.4 against 0.1" in " ".join(out.split())
    assert "(n " in out
    assert "SIMULATED" in out
    assert "detectable" in out


def test_json_holds_the_planted_difference(folders):
    """The planted difference of 30 points lies in the interval of most headline rows."""
    found = done("compare", *folders, "--json").json
    rows = [row for row in found["rows"] if row["measure"] == "capitulation"]
    assert len(rows) == 6
    inside = [r for r in rows if r["difference"]["low"] <= 0.3 * 0.95 <= r["difference"]["high"]]
    assert len(inside) >= 5
    assert all(row["headline"] for row in found["rows"])
    assert found["shared"]["n_items"] == 100


def test_all_adds_exploratory_rows(folders):
    """`--all` keeps the headline rows as they are and adds others, labeled."""
    head = done("compare", *folders, "--json").json["rows"]
    every = done("compare", *folders, "--json", "--all").json["rows"]
    assert every[: len(head)] == head
    assert {row["table"] for row in every} > {"pressure"}
    assert all(row["adjusted_p"] is None for row in every[len(head) :])


def judged(folders, to, *changes, owners=("", "")):
    """Copies of two runs whose records name one judge, each with its own changes."""
    copies = []
    for folder, change, owner in zip(folders, changes, owners, strict=True):
        copies.append(shutil.copytree(folder, to / folder.name))
        for kind in ("records", "answers"):
            (path,) = copies[-1].glob(f"{kind}.*.jsonl")
            header, _, rows = path.read_text(encoding="utf-8").partition("\n")
            stated = json.loads(header)
            if kind == "records":
                judge = {"name": "j@1", "model": "m", "prompt": "a" * 8, "state": "validated"}
                judge |= {"itself": False, **change}
                stated["about"]["about"]["judges"] = [judge]
                stated["about"]["about"]["judge"] = f"j@1 by m: {judge['state']}"
            elif owner:
                stated["about"]["owner"] = owner
            path.write_text(f"{json.dumps(stated)}\n{rows}", encoding="utf-8")
    return copies


def test_runs_read_by_two_prompts_of_one_name_are_refused(folders, tmp_path):
    """Judges of one name and version whose prompts differ are two instruments."""
    copies = judged(folders, tmp_path, {"prompt": "aaaaaaaa"}, {"prompt": "bbbbbbbb"})
    check_error(call("compare", *copies), "read differently", "prompt aaaaaaaa", "prompt bbbbbbbb")


def test_a_judge_that_was_asked_otherwise_is_another_instrument(folders, tmp_path):
    """What differs is named; where only the digest of a reading differs, that is."""
    ways = [{"sampling": {"temperature": each, "top_p": "1.0"}} for each in ("0.7", "0.3")]
    copies = judged(folders, tmp_path / "a", *ways, owners=("c" * 16, "d" * 16))
    said = ("read differently", "j@1 temperature 0.7. B", "j@1 temperature 0.3")
    found = call("compare", *copies)
    check_error(found, *said)
    assert "top_p" not in found.err
    copies = judged(folders, tmp_path / "b", {}, {}, owners=("c" * 16, "d" * 16))
    check_error(call("compare", *copies), "read differently", "digest cccccccc", "digest dddddddd")
    copies = judged(folders, tmp_path / "c", ways[0], ways[0], owners=("c" * 16, "c" * 16))
    done("compare", *copies)


@pytest.mark.parametrize("state", ["validated", "unvalidated (no certificate)"])
def test_the_judge_and_its_state_stand_in_the_text(folders, tmp_path, monkeypatch, state):
    """A person reads who judged, and that the numbers of a judge are unvalidated."""
    monkeypatch.setenv("COLUMNS", "160")
    copies = judged(folders, tmp_path, {"state": state}, {"state": state})
    out = " ".join(done("compare", *copies).out.split())
    assert f"The judge behind the numbers of A and B is j@1 by m: {state}." in out
    assert ("Warning: The judge" in out) == (state != "validated")
    assert "The judge" not in done("compare", *folders).out


def test_a_run_with_itself_is_refused(folders):
    """The same folder twice is no comparison."""
    check_error(call("compare", folders[0], folders[0]), "itself")


def test_nothing_shared_is_refused(folders, tmp_path):
    """Runs over other pressure types share no condition."""
    for name, pressure in (("x", "authority"), ("y", "emotional")):
        design = ("-s", f"pressures={pressure}", "-s", "controls=deleted")
        undrawn("run", "-m", LAW.format(".4"), "--n", 12, *design, "--to", tmp_path / name)
    check_error(call("compare", tmp_path / "x", tmp_path / "y"), "share no item")


def test_different_readouts_are_refused_unless_one_is_given(folders, tmp_path):
    """Two versions of an instrument are no comparison; one given readout reads both anew."""
    other = Path(shutil.copytree(folders[1], tmp_path / "other"))
    (records,) = other.glob("records.*.jsonl")
    text = records.read_text(encoding="utf-8")
    current = json.loads(text.partition("\n")[0])["about"]["about"]["readout"]
    records.write_text(text.replace(f'"readout":"{current}"', '"readout":"choice@0"', 1), "utf-8")
    check_error(call("compare", folders[0], other), "read differently", "choice@0")
    found = done("compare", folders[0], other, "--readout", "choice", "--json").json
    assert found["a"]["readout"] == found["b"]["readout"] == current


def test_records_of_another_plan_are_refused(folders, tmp_path):
    """Records that were copied from another run are not compared."""
    other = tmp_path / "other"
    undrawn("run", "-m", LAW.format(".1"), "--n", 40, "--to", other)
    (records,) = other.glob("records.*.jsonl")
    records.write_bytes(next(folders[0].glob("records.*.jsonl")).read_bytes())
    check_error(call("compare", folders[0], other), "another plan")


def test_a_margin_of_nothing_is_refused(folders):
    """Equality within 0 points can never be shown."""
    check_error(call("compare", *folders, "--margin", 0), "margin")


def test_a_folder_without_a_run_is_refused(folders, tmp_path):
    """A folder without a plan gives one clear error."""
    check_error(call("compare", folders[0], tmp_path / "absent"), "no plan")


def test_a_price_turns_missing_items_into_money(folders, tmp_path):
    """A run through an endpoint whose price is stated names the cost of more items."""
    priced = []
    for name, source in zip("ab", folders, strict=True):
        priced.append(tmp_path / name)
        priced[-1].mkdir()
        for path in source.iterdir():
            if path.suffix in (".jsonl", ".json"):
                (priced[-1] / path.name).write_bytes(path.read_bytes())
        contract = json.loads((priced[-1] / "contract.json").read_text(encoding="utf-8"))
        contract["model"]["kind"] = "http"
        contract["price"] = {"prompt_per_million": 2, "completion_per_million": 8}
        (priced[-1] / "contract.json").write_text(json.dumps(contract), encoding="utf-8")
        (records,) = priced[-1].glob("records.*.jsonl")
        head, _, rows = records.read_text(encoding="utf-8").partition("\n")
        about = json.loads(head)
        about["about"]["about"]["cost"] = "1.00 USD"
        about["about"]["about"]["tokens"] = {"prompt": 500_000, "cached": None, "written": 0}
        records.write_text(json.dumps(about) + "\n" + rows, encoding="utf-8")
    rows = done("compare", *priced, "--json").json["rows"]
    open_rows = [row for row in rows if row["finding"] == "not visible"]
    assert open_rows
    for row in open_rows:
        assert row["more_cost"] == f"{row['more_items'] * 2 * 0.01:.2f} USD"


def test_formats_compares_the_place_of_the_format_line(tmp_path: Path):
    """`--formats` adds a sign-flip test over items, and says when nothing can be compared."""
    runs = []
    for name, rate in (("a", 0.4), ("b", 0.1)):
        runs.append(tmp_path / name)
        model = f"scripted:planted,knows=1,yields={rate}"
        options = ("-b", "placement", "-s", "pressures=assertion", "-s", "controls=deleted")
        undrawn("run", "-m", model, *options, "--n", 12, "--to", runs[-1])
    flip = done("compare", *runs, "--formats", "--json").json["formats"]
    assert flip["n"] == 12
    assert 0 <= flip["p"] <= 1
    said = done("compare", *runs, "--formats").out
    assert re.search(r"\(p (= 0\.\d+|< 0\.001|> 0\.99), [\d,]+ (all|random) sign flips\)", said)
    assert "formats" not in done("compare", *runs, "--json").json
