"""Batch files: waves, limits, results in any order, and a change of transport in the middle."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
import servers
from cli import background, call, check_error, done, undrawn

from unswayed import batchfiles
from unswayed.line import RunFolder

URL = "https://api.example.com/v1"
MODEL = ("-m", "tester", "--base-url", URL)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A planned run."""
    done("plan", "--n", 4, "--to", tmp_path / "run")
    return tmp_path / "run"


def export(folder: Path, *more: object) -> dict:
    """Export a wave."""
    return done("batch", "export", folder, *MODEL, "--json", *more).json


def answer(
    wave: dict,
    path: Path,
    *,
    fail: set[str] = frozenset(),
    content: str = "Answer: A",
    model: str = "tester",
) -> list[dict]:
    """Write the results of a wave, out of order, as a provider does; return its requests."""
    requests = [
        json.loads(line)
        for file in wave["files"]
        for line in Path(file).read_text("utf-8").splitlines()
    ]
    lines = []
    for request in requests:
        name = request["custom_id"]
        response = {
            "status_code": 200,
            "request_id": "r",
            "body": servers.chat(content, model=model),
        }
        if name in fail:
            response = {"status_code": 500, "body": {"error": {"message": "down"}}}
        lines.append(json.dumps({"id": "b", "custom_id": name, "response": response}))
    random.Random(1).shuffle(lines)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return requests


def cut(path: Path, start: int, end: int | None, to: Path) -> Path:
    """Write some of the lines of a file of results to another."""
    lines = path.read_text("utf-8").splitlines(keepends=True)
    to.write_text("".join(lines[start:end]), encoding="utf-8")
    return to


def planned(folder: Path) -> int:
    """Count the replays of a plan."""
    return sum(1 for _ in RunFolder(folder).replays())


def test_a_run_in_waves_has_the_records_of_a_run_over_http(tmp_path: Path, folder: Path):
    """What waits for replies follows in later waves; in the end both transports agree."""
    seen: set[str] = set()
    for _ in range(8):
        wave = export(folder)
        if not wave["files"]:
            break
        requests = answer(wave, tmp_path / "out.jsonl")
        names = {request["custom_id"] for request in requests}
        assert len(names) == len(requests) == wave["n_requests"]
        assert not names & seen
        seen |= names
        assert {request["url"] for request in requests} == {"/v1/chat/completions"}
        code = call("batch", "import", folder, tmp_path / "out.jsonl").code
        assert code == (0 if len(seen) == planned(folder) else 3)
    assert len(seen) == planned(folder)
    done("read", folder)
    direct = tmp_path / "direct"
    with background(servers.reply("Answer: A")) as server:
        undrawn("run", "-m", "tester", "--base-url", server.url, "--n", 4, "--to", direct)
        bodies = {json.dumps(each.body, sort_keys=True) for each in server.received}
    files = sorted((folder / "batch").glob("*.jsonl"))
    mine = {
        json.dumps(json.loads(line)["body"], sort_keys=True)
        for file in files
        for line in file.read_text("utf-8").splitlines()
    }
    assert mine == bodies
    names = [folder / "answers.choice.jsonl", direct / "answers.choice.jsonl"]
    assert names[0].read_bytes() == names[1].read_bytes()


def test_what_is_out_is_not_exported_or_asked_again(tmp_path: Path, folder: Path):
    """Neither transport doubles a request; a deleted file is given up."""
    wave = export(folder)
    again = export(folder)
    assert (again["n_requests"], again["n_out"]) == (0, wave["n_requests"])
    check_error(call("run", *MODEL, "--to", folder), "out in batch files", "requests-0001.jsonl")
    Path(wave["files"][0]).unlink()
    assert export(folder)["n_requests"] == wave["n_requests"]


def test_failed_results_are_told_and_exported_again(tmp_path: Path, folder: Path):
    """A failure is no completion; importing twice changes nothing."""
    wave = export(folder)
    names = [
        json.loads(line)["custom_id"] for line in Path(wave["files"][0]).read_bytes().splitlines()
    ]
    answer(wave, tmp_path / "out.jsonl", fail=set(names[:2]))
    found = call("batch", "import", folder, tmp_path / "out.jsonl", "--json")
    assert found.code == 3
    assert found.json["failed"] == {"server_error": 2}
    assert found.json["n_stored"] == wave["n_requests"] - 2
    again = call("batch", "import", folder, tmp_path / "out.jsonl", "--json").json
    assert (again["n_stored"], again["n_known"]) == (0, wave["n_requests"] - 2)
    second = export(folder)
    exported = Path(second["files"][0]).read_text("utf-8")
    ids = [name.partition("-")[0] for name in names]
    assert all(name in exported for name in ids[:2])
    assert not any(name in exported for name in ids[2:])


def test_a_part_of_the_results_leaves_the_rest_out(tmp_path: Path, folder: Path):
    """What has no result yet is neither exported nor asked; the other file brings it back."""
    wave = export(folder)
    answer(wave, tmp_path / "all.jsonl")
    part = cut(tmp_path / "all.jsonl", 0, 3, tmp_path / "part.jsonl")
    rest = cut(tmp_path / "all.jsonl", 3, None, tmp_path / "rest.jsonl")
    found = call("batch", "import", folder, part, "--json").json
    assert (found["n_stored"], found["n_missing"]) == (3, wave["n_requests"] - 3)
    assert "no result yet and stays out" in call("batch", "import", folder, part).err
    check_error(call("run", *MODEL, "--to", folder), "out in batch files")
    follow = export(folder)
    assert follow["n_out"] == wave["n_requests"] - 3
    found = call("batch", "import", folder, rest, "--json").json
    assert (found["n_stored"], found["n_missing"]) == (wave["n_requests"] - 3, 0)
    assert export(folder)["n_out"] == follow["n_requests"]


def test_a_failed_result_in_a_second_file_completes_the_first(tmp_path: Path, folder: Path):
    """Output and error file together are all results, also where an earlier wave failed too."""
    for _ in range(2):
        wave = export(folder)
        name = json.loads(Path(wave["files"][0]).read_bytes().splitlines()[0])["custom_id"]
        answer(wave, tmp_path / "all.jsonl", fail={name})
        lines = (tmp_path / "all.jsonl").read_text("utf-8").splitlines(keepends=True)
        for file, failed in (("out.jsonl", False), ("errors.jsonl", True)):
            chosen = [line for line in lines if (name in line) == failed]
            (tmp_path / file).write_text("".join(chosen), encoding="utf-8")
        found = call("batch", "import", folder, tmp_path / "out.jsonl", "--json").json
        assert found["n_missing"] == 1
        found = call("batch", "import", folder, tmp_path / "errors.jsonl", "--json").json
        assert (found["failed"], found["n_missing"]) == ({"server_error": 1}, 0)


def test_results_of_another_folder_with_the_same_plan_are_refused(tmp_path: Path, folder: Path):
    """Ids of replays are the same for every model; results of another run still do not fit."""
    other = tmp_path / "other"
    done("plan", "--n", 4, "--to", other)
    there = done("batch", "export", other, "-m", "b", "--base-url", URL, "--json").json
    export(folder)
    answer(there, tmp_path / "out.jsonl")
    check_error(call("batch", "import", folder, tmp_path / "out.jsonl"), "another run")
    assert RunFolder(folder).open_store(writable=False).n_done() == 0


def test_results_of_a_file_that_was_given_up_still_fit(tmp_path: Path, folder: Path):
    """They were sent from here and paid for; what is known already stays as it is."""
    wave = export(folder)
    answer(wave, tmp_path / "out.jsonl")
    Path(wave["files"][0]).unlink()
    found = call("batch", "import", folder, tmp_path / "out.jsonl", "--json").json
    assert found["n_stored"] == wave["n_requests"]


def test_no_new_file_takes_the_name_of_an_earlier_one(folder: Path, monkeypatch):
    """With the first file given up, a new wave leaves the others, which are out, as they are."""
    monkeypatch.setattr(batchfiles, "MOST_REQUESTS", 3)
    first, *others = map(Path, export(folder)["files"])
    out = [path.read_bytes() for path in others]
    first.unlink()
    new = export(folder)["files"]
    assert [path.read_bytes() for path in others] == out
    assert not {first, *others} & set(map(Path, new))


def test_an_old_file_of_results_closes_no_newer_request(tmp_path: Path, folder: Path):
    """A failure counts once, and only for the file whose token its result carries."""
    for turn in (1, 2):
        wave = export(folder)
        name = json.loads(Path(wave["files"][0]).read_bytes().splitlines()[0])["custom_id"]
        if turn == 1:
            answer(wave, tmp_path / "old.jsonl", fail={name})
            call("batch", "import", folder, tmp_path / "old.jsonl")
    store = RunFolder(folder).open_store(writable=False)
    before = store.n_attempts()
    store.close()
    call("batch", "import", folder, tmp_path / "old.jsonl")
    store = RunFolder(folder).open_store(writable=False)
    assert store.n_attempts() == before
    store.close()
    again = export(folder)
    assert (again["n_requests"], again["n_out"]) == (0, wave["n_requests"])


def test_another_name_in_the_results_is_told(tmp_path: Path, folder: Path):
    """A result that names another model is stored and noted, as a run does in its report."""
    answer(export(folder), tmp_path / "out.jsonl", model="tester-2026")
    told = call("batch", "import", folder, tmp_path / "out.jsonl")
    assert "results say that the model 'tester-2026' answered" in told.err


def test_the_other_transport_goes_on(tmp_path: Path, folder: Path):
    """A wave by batch, the rest over HTTP: one store, nothing asked twice."""
    with background(servers.reply("Answer: A")) as server:
        here = ("-m", "tester", "--base-url", server.url)
        wave = done("batch", "export", folder, *here, "--json").json
        answer(wave, tmp_path / "out.jsonl")
        call("batch", "import", folder, tmp_path / "out.jsonl")
        undrawn("run", *here, "--to", folder)
        assert len(server.received) == planned(folder) - wave["n_requests"]


def test_files_keep_the_limits_of_the_interface(folder: Path, monkeypatch: pytest.MonkeyPatch):
    """No file passes the number of requests or of bytes, and none is lost between two."""
    monkeypatch.setattr(batchfiles, "MOST_REQUESTS", 3)
    wave = export(folder)
    sizes = [len(Path(file).read_bytes().splitlines()) for file in wave["files"]]
    assert max(sizes) <= 3
    assert sum(sizes) == wave["n_requests"]
    for file in wave["files"]:
        Path(file).unlink()
    monkeypatch.setattr(batchfiles, "MOST_BYTES", 2000)
    wave = export(folder)
    assert max(Path(file).stat().st_size for file in wave["files"]) <= 2000
    assert sum(len(Path(f).read_bytes().splitlines()) for f in wave["files"]) == wave["n_requests"]


def test_wrong_files_and_models_are_refused(tmp_path: Path, folder: Path):
    """Results of another run, no results at all, a model without HTTP: one clear error each."""
    export(folder)
    wrong = tmp_path / "wrong.jsonl"
    wrong.write_text('{"custom_id": "0000", "response": null}\n', encoding="utf-8")
    check_error(call("batch", "import", folder, wrong), "another run")
    wrong.write_text("no json\n", encoding="utf-8")
    check_error(call("batch", "import", folder, wrong), "line 1")
    check_error(call("batch", "import", folder, tmp_path / "none.jsonl"), "cannot be read")
    check_error(call("batch", "export", folder, "-m", "scripted:noise"), "over HTTP")
    check_error(call("batch", "export", folder), "No model is named")
    check_error(
        call("batch", "export", folder, "-m", "other", "--base-url", URL), "belongs to another run"
    )


def test_an_empty_reply_ends_its_conversation(tmp_path: Path, folder: Path):
    """What would follow an empty reply is stored as never sent, as over HTTP."""
    answer(export(folder), tmp_path / "out.jsonl", content=" ")
    call("batch", "import", folder, tmp_path / "out.jsonl")
    wave = export(folder)
    assert wave["n_requests"] == 0
    assert wave["n_done"] == planned(folder)


def test_an_expired_request_is_told_by_the_providers_code(tmp_path: Path, folder: Path):
    """`batch_expired` stands in the import and in the status; a byte order mark changes nothing."""
    wave = export(folder)
    requests = answer(wave, tmp_path / "out.jsonl")
    error = {"code": "batch_expired", "message": "The window has passed."}
    odd = {"code": "What? 7", "message": None}
    lines = [
        json.dumps({"custom_id": each["custom_id"], "response": None, "error": told})
        for each, told in zip(requests, (error, error, odd), strict=False)
    ]
    expired = tmp_path / "errors.jsonl"
    expired.write_text("\ufeff" + "\r\n".join(lines), encoding="utf-8")
    found = call("batch", "import", folder, expired, "--json").json
    assert found["failed"] == {"batch_expired": 2, "batch": 1}
    assert "2 batch_expired, 1 batch" in done("status", folder).out
