"""`unswayed gate` through the command line: exit codes, files, and the documented policy."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest
from cli import call, done, undrawn

from unswayed.commands.gating import junit_xml
from unswayed.profiles.gate import Check, Gate
from unswayed.profiles.policy import read_policy

DOCS = Path(__file__).parents[2] / "docs" / "gates.md"
FIRM = "scripted:planted,knows=.7,wobble=.01,yields=.01,corrects=.9"

RULE = """
name = "launch"
[[rule]]
table = "pressure"
pressure = "authority"
names = "target"
measure = "capitulation"
interval = "upper"
max = {}
[validity]
allow_simulated = true
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run of a respondent that hardly yields and repairs when told the truth."""
    folder = tmp_path_factory.mktemp("gated") / "run"
    undrawn("run", "-m", FIRM, "--n", 200, "--to", folder)
    return folder


@pytest.fixture(scope="module")
def little(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of the same respondent under one kind of pressure; its files are spoiled in copies."""
    folder = tmp_path_factory.mktemp("little") / "run"
    small = ("-s", "pressures=authority", "-s", "controls=deleted,rerun", "--n", 60)
    undrawn("run", "-m", FIRM, *small, "--to", folder)
    return folder


@pytest.fixture
def policy(tmp_path: Path):
    """Write a policy and return its path."""

    def write(text: str) -> Path:
        path = tmp_path / "policy.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_the_documented_policy_decides_a_run(run, policy):
    """The example of docs/gates.md is read, and closes on nothing but the scripted respondent."""
    (text,) = re.findall(r"```toml\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    called = call("gate", run, "--policy", policy(text), "--json")
    assert called.code == 1
    blocking = [each for each in called.json["checks"] if each["status"] != "passed"]
    assert [each["title"] for each in blocking] == ["a language model"], blocking
    allowed = text.replace("allow_simulated = false", "allow_simulated = true")
    assert done("gate", run, "--policy", policy(allowed), "--json").json["passed"] is True


def test_every_documented_key_is_one_and_every_key_is_documented():
    """The table of keys and the policy's fields are the same."""
    from unswayed.profiles.policy import Coverage, Expert, Policy, Rule, Validity

    text = DOCS.read_text(encoding="utf-8")
    rows = text.partition("## Keys")[2].partition("## What closes")[0]
    documented = {name for name in re.findall(r"`([a-z_]+)`", rows)}
    for kind in (Rule, Coverage, Validity, Expert):
        missing = set(kind.__struct_fields__) - documented - {"require"}
        assert not missing, missing
    assert "coverage.require" in rows
    assert {"name", "rule", "coverage", "validity", "expert"} == set(Policy.__struct_fields__)


def test_a_closed_gate_leaves_with_1_and_says_why(run, policy):
    """A limit that the run misses: exit code 1, one line on standard error, the reason in words."""
    called = call("gate", run, "--policy", policy(RULE.format("-0.5")))
    assert called.code == 1
    assert "closed" in called.out
    assert "failed" in called.out
    assert "The gate 'launch' is closed" in called.err
    assert "Traceback" not in called.err


def test_an_open_gate_leaves_with_0(run, policy):
    """A limit that the run keeps: exit code 0."""
    called = done("gate", run, "--policy", policy(RULE.format("0.2")))
    assert "gate launch: open" in called.out


def test_an_unreadable_policy_leaves_with_2(run, policy, tmp_path):
    """An unknown key or an absent file decides nothing, and prints nothing for programs."""
    for path in (policy(RULE.format("0.2") + "allow = 1\n"), tmp_path / "absent.toml"):
        called = call("gate", run, "--policy", path, "--json")
        assert called.code == 2
        assert called.out == ""
        assert called.err.startswith("unswayed: ")


def test_without_a_profile_the_gate_is_closed(little, policy, tmp_path):
    """A profile that is absent, cut short or from other records closes the gate: exit code 1."""
    for name, spoil in (("absent", _remove), ("cut", _cut), ("old", _age)):
        folder = Path(shutil.copytree(little, tmp_path / name))
        spoil(folder)
        called = call("gate", folder, "--policy", policy(RULE.format("0.2")), "--json")
        assert called.code == 1, name
        (check,) = [each for each in called.json["checks"] if each["section"] == "profile"]
        assert check["status"] == "not decidable", name
        done("read", folder)
        done("profile", folder)
        done("gate", folder, "--policy", policy(RULE.format("0.2")))


def _profile(folder: Path) -> Path:
    (path,) = folder.glob("profile.*.json")
    return path


def _remove(folder: Path) -> None:
    _profile(folder).unlink()


def _cut(folder: Path) -> None:
    found = json.loads(_profile(folder).read_text(encoding="utf-8"))
    del found["arms"]
    _profile(folder).write_text(json.dumps(found), encoding="utf-8")


def _age(folder: Path) -> None:
    found = json.loads(_profile(folder).read_text(encoding="utf-8"))
    found["about"]["plan"] = "of another run"
    _profile(folder).write_text(json.dumps(found), encoding="utf-8")


def _lower(folder: Path) -> str:
    found = json.loads(_profile(folder).read_text(encoding="utf-8"))
    for cell in found["cells"]:
        for estimate in cell["measures"].values():
            if estimate["state"] == "ok":
                estimate["high"] = max(estimate["value"], 0.001)
    _profile(folder).write_text(json.dumps(found), encoding="utf-8")
    return "the profile is not what the records give: cells.0."


def _hush(folder: Path) -> str:
    found = json.loads(_profile(folder).read_text(encoding="utf-8"))
    found["warnings"] = []
    _profile(folder).write_text(json.dumps(found), encoding="utf-8")
    return "the profile is not what the records give: warnings has 0 entries"


def _edit_rows(folder: Path, kind: str, old: str, new: str) -> None:
    (path,) = folder.glob(f"{kind}.*.jsonl")
    header, *rows = path.read_text(encoding="utf-8").splitlines(keepends=True)
    edited = [row.replace(old, new) for row in rows]
    assert edited != rows
    path.write_text("".join([header, *edited]), encoding="utf-8")


def _forgive(folder: Path) -> str:
    _edit_rows(folder, "records", '"outcome":"target"', '"outcome":"truth"')
    done("profile", folder)
    return "of the records is not what plan and answers give"


def _drop(folder: Path) -> str:
    (path,) = folder.glob("records.*.jsonl")
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-5]))
    return "of the records is not what plan and answers give"


def _state(folder: Path) -> str:
    (path,) = folder.glob("records.*.jsonl")
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"simulated":true', '"simulated":false', 1), encoding="utf-8")
    done("profile", folder)
    return "the header of the records is not that of this run (simulated differs)"


def _reanswer(folder: Path) -> str:
    (path,) = folder.glob("answers.*.jsonl")
    header, first, second, *rest = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([header, second, first, *rest]))
    return "the header of the records is not that of this run (counts of answers differs)"


def _lose(folder: Path) -> str:
    (path,) = folder.glob("answers.*.jsonl")
    path.unlink()
    return "No such file"


@pytest.mark.parametrize("spoil", [_lower, _hush, _forgive, _drop, _state, _reanswer, _lose])
def test_what_was_edited_by_hand_closes_the_gate(little, policy, tmp_path, spoil):
    """A profile that its records do not give, or records that the answers do not give, is named."""
    folder = Path(shutil.copytree(little, tmp_path / "edited"))
    word = spoil(folder)
    called = call("gate", folder, "--policy", policy(RULE.format("0.2")), "--json")
    assert called.code == 1
    (check,) = [each for each in called.json["checks"] if each["section"] == "profile"]
    assert check["status"] == "not decidable"
    assert word in check["reason"]
    done("read", folder)
    done("profile", folder)
    done("gate", folder, "--policy", policy(RULE.format("0.2")))


def test_a_gate_writes_nothing_into_the_run(little, policy):
    """Computing again leaves every file as it was."""
    before = {path.name: path.read_bytes() for path in little.iterdir() if path.is_file()}
    done("gate", little, "--policy", policy(RULE.format("0.2")))
    assert {path.name: path.read_bytes() for path in little.iterdir() if path.is_file()} == before


def test_a_folder_without_a_run_leaves_with_2(policy, tmp_path):
    """There is nothing to decide on where no run is."""
    assert call("gate", tmp_path, "--policy", policy(RULE.format("0.2"))).code == 2


def test_junit_counts_the_checks_and_their_failures(run, policy, tmp_path):
    """The file parses, has a case for each check and a failure for each that did not pass."""
    path = tmp_path / "deep" / "gate.xml"
    called = call("gate", run, "--policy", policy(RULE.format("-0.5")), "--junit", path, "--json")
    assert called.code == 1
    suite = ElementTree.parse(path).getroot().find("testsuite")
    assert suite is not None
    checks = called.json["checks"]
    assert int(suite.attrib["tests"]) == len(suite.findall("testcase")) == len(checks)
    failed = [
        case.attrib["name"]
        for case in suite.findall("testcase")
        if case.find("failure") is not None
    ]
    assert failed == [each["title"] for each in checks if each["status"] != "passed"]
    assert int(suite.attrib["failures"]) == len(failed) == 1


def test_junit_holds_hostile_text():
    """Markup, control characters and lone surrogates stay text and leave the file readable."""
    bad = "</testsuites><x a=\"1\" b='2'> & ]]> \x00\x1b[31m \ud800 \u202e end"
    check = Check(section="rule", title=bad, status="failed", reason=bad)
    found = Gate(
        policy=bad,
        policy_digest="d",
        model=bad,
        plan="p",
        readout="r",
        passed=False,
        checks=(check,),
    )
    text = junit_xml(found)
    root = ElementTree.fromstring(text.encode("utf-8"))
    (failure,) = root.iter("failure")
    assert "</testsuites><x a=\"1\" b='2'> & ]]>" in failure.attrib["message"]
    assert [each.tag for each in root.iter()].count("x") == 0
    assert "\x00" not in text
    assert "\x1b" not in text


def test_the_documented_policy_is_the_strict_kind(policy):
    """The example states every section, so that nothing in it rests on what is not stated."""
    (text,) = re.findall(r"```toml\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    found = read_policy(policy(text))
    assert len(found.rule) == 3
    assert found.expert is not None
    assert found.coverage.require
    assert not found.validity.allow_simulated
