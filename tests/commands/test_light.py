"""The command line starts light, and says what it has."""

from __future__ import annotations

import subprocess
import sys

import pytest
from cli import call, done

HEAVY = (
    "numpy", "scipy", "pyarrow", "aiohttp", "jinja2", "altair", "vl_convert", "matplotlib",
    "rich.progress", "tokenizers", "torch", "pandas", "sqlite3", "asyncio", "unswayed.line",
    "unswayed.stats", "unswayed.report",
)  # fmt: skip
VERBS = ("demo", "list", "plan", "run", "read", "profile", "report", "doctor", "model")


@pytest.mark.parametrize("module", ["unswayed", "unswayed.commands"])
def test_importing_loads_nothing_heavy(module: str):
    """Neither the package nor the command line loads numbers, network, tables or charts."""
    code = (
        f"import sys, {module}\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )  # fmt: skip
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def test_help_names_every_verb():
    """The first page names the verbs, and each verb's page has an example that begins with it."""
    page = done("--help").out
    for verb in VERBS:
        assert f"  {verb} " in page
        if verb != "model":
            assert f"unswayed {verb}" in done(verb, "--help").out


def test_the_module_is_the_command():
    """`python -m unswayed` takes the same verbs and leaves with the same codes."""
    ask = [sys.executable, "-m", "unswayed"]
    ran = subprocess.run([*ask, "list", "models"], capture_output=True, text=True, check=True)
    assert ran.stdout == done("list", "models").out
    assert subprocess.run([*ask, "nope"], capture_output=True, check=False).returncode == 2


def test_unknown_verb_and_option():
    """What the parser cannot take leaves with code 2 on standard error alone."""
    for arguments in (("nope",), ("plan", "--nope"), ("read",)):
        called = call(*arguments)
        assert (called.code, called.out) == (2, "")
        assert "Error" in called.err


def test_model_fetch_of_weights_that_are_here(monkeypatch: pytest.MonkeyPatch):
    """The verb says where the weights lie."""
    from pathlib import Path

    from unswayed.models import weights

    monkeypatch.setattr(weights, "fetch", lambda: Path("/somewhere/weights.gguf"))
    assert done("model", "fetch").out == "weights: /somewhere/weights.gguf\n"


def test_model_fetch_that_fails_is_one_error(monkeypatch: pytest.MonkeyPatch):
    """An error while fetching is told in words, with code 2."""
    from unswayed.errors import MissingModelError
    from unswayed.models import weights

    def fail() -> None:
        raise MissingModelError("No", allowed="a", given="b", next_step="c")

    monkeypatch.setattr(weights, "fetch", fail)
    called = call("model", "fetch")
    assert (called.code, called.out) == (2, "")
    assert called.err == "unswayed: No.\n  Allowed: a\n  Given: b\n  Next: c\n"
