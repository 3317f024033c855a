"""Systems: encodings that are named, marks that are tolerated, names every file system takes."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest
from cli import REPOSITORY, done, process, profile_of

from unswayed.folder import RunFolder, default_folder

POOR = {"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


def test_c165_every_text_file_is_opened_with_its_encoding_named():
    """C165: no open, read_text or write_text of the package leaves the encoding to the system."""
    unnamed = []
    for path in sorted((REPOSITORY / "src").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and _opens_text(node):
                unnamed.append(f"{path.name}: {ast.unparse(node)}")
    assert unnamed == []


def _opens_text(call: ast.Call) -> bool:
    """Whether a call opens a file as text: the builtin, or a method of a path."""
    function = call.func
    if isinstance(function, ast.Name):
        opens = function.id == "open"
    else:
        opens = getattr(function, "attr", "") in ("open", "read_text", "write_text", "fdopen")
        owner = getattr(getattr(function, "value", None), "id", "")
        opens = opens and owner != "archive"  # members of archives are bytes
    texts = [node.value for node in ast.walk(call) if isinstance(node, ast.Constant)]
    words = [text for text in texts if isinstance(text, str)]
    binary = any(re.fullmatch(r"[rwax](b\+?|\+b)", word) for word in words)
    named = any(word.lower() in ("utf-8", "utf-8-sig", "ascii") for word in words)
    return opens and not (binary or named)


@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
def test_c165_quotes_and_other_scripts_survive_a_poor_system(tmp_path: Path, encoding: str):
    """C165: on a system whose default is not UTF-8, files stay UTF-8 and no output ends a verb."""
    table = tmp_path / "own.csv"
    table.write_bytes(
        b"\xef\xbb\xbf"
        + "question,truth,target,options\n„Größer”: 五 or 三?,五,三,五|三\n".encode()
    )
    env = {**POOR, "PYTHONIOENCODING": encoding}
    folder = tmp_path / "run"
    ran = process("run", "-m", "scripted:always_yields", "-i", table, "--to", folder, env=env)
    assert ran.code == 0, ran.err
    (item,) = RunFolder(folder).read_items().values()
    assert (item.question, item.truth) == ("„Größer”: 五 or 三?", "五")
    shown = process("profile", folder, env=env)
    assert shown.code == 0, shown.err
    printed = process("profile", folder, "--json", env=env)
    assert json.loads(printed.out) == profile_of(folder)
    assert "„Größer”" in (folder / "report.html").read_text("utf-8")


def test_c165_a_byte_order_mark_is_tolerated_in_every_file_a_person_writes(tmp_path: Path):
    """C165: policies, endpoints and the files of a run folder may begin with a mark."""
    folder = tmp_path / "run"
    done(
        "run", "-m", "scripted:never_yields", "--n", 12, "-s", "pressures=assertion", "--to", folder
    )
    for name in ("plan.jsonl", "items.jsonl", "contract.json"):
        path = folder / name
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    done("read", folder)
    done("profile", folder)
    policy = tmp_path / "p.toml"
    policy.write_bytes(
        b'\xef\xbb\xbfname = "x"\n[[rule]]\ntable = "pressure"\nmeasure = "capitulation"\n'
        b'interval = "point"\nevery = true\nmax = 0.99\n[validity]\nallow_simulated = true\n'
    )
    from cli import call

    assert call("gate", folder, "-p", policy).code in (0, 1)


NAMES = [
    "org/model:free@2026-01-01T10:00", "org/model_free", "org\\model", 'a"b<c>|d?e*', "日本語",
    "..", "CON", "m" * 400, "trailing. ", "",
]  # fmt: skip


def test_c166_any_model_name_gives_a_name_every_file_system_takes():
    """C166: no colon, slash or other forbidden mark; names never collide; the length is bounded."""
    made = {}
    for model in NAMES:
        path = default_folder("pushback", model, "0123456789abcdef")
        assert path.parent == Path("runs")
        assert re.fullmatch(r"[A-Za-z0-9@._-]{1,120}", path.name), path.name
        assert not path.name.endswith((".", " "))
        made[path.name.lower()] = model
    assert len(made) == len(NAMES)


def test_c166_the_name_as_given_comes_back_from_the_folder(tmp_path: Path, monkeypatch):
    """C166: the folder's contract states the model's name, so the safe name need not be undone."""
    import servers
    from cli import background

    monkeypatch.chdir(tmp_path)
    name = "org/model:free@2026-01-01T10:00"
    with background(servers.reply("Answer: A")) as server:
        done(
            "run", "-m", name, "--base-url", server.url, "-s", "pressures=assertion", "--n", 1
        )  # fmt: skip
        assert {received.body["model"] for received in server.received} == {name}
    (folder,) = (tmp_path / "runs").iterdir()
    assert RunFolder(folder).read_contract().model.name == name
    assert profile_of(folder)["about"]["model"] == name
