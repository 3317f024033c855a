"""The public names: explicit, sorted, lazy, and enough for the examples."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from cli import REPOSITORY

import unswayed

EXAMPLES = sorted((REPOSITORY / "examples").glob("*.py"))


def test_names_are_explicit_and_sorted():
    """The list is sorted, without repeats, and every name of it can be had."""
    assert unswayed.__all__ == sorted(set(unswayed.__all__))
    assert dir(unswayed) == unswayed.__all__
    for name in unswayed.__all__:
        value = getattr(unswayed, name)
        assert value is getattr(unswayed, name)
        if name not in ("BENCHMARKS", "__version__"):
            assert value.__doc__, name


def test_names_are_those_of_the_list():
    """What is loaded lazily, declared for type checkers and listed are the same names."""
    text = Path(unswayed.__file__).read_text(encoding="utf-8")
    declared = set(re.findall(r"^    from .* import \w+ as (\w+)$", text, re.M))
    assert declared == set(unswayed.__all__) - {"__version__"}
    assert set(unswayed._HOMES) == declared - {"line"}


def test_other_names_are_refused():
    """A name that is not there is no attribute, and says so."""
    with pytest.raises(AttributeError, match="nope"):
        _ = unswayed.nope  # type: ignore[attr-defined]
    with pytest.raises(ImportError, match="nope"):
        exec("from unswayed import nope")


def test_version_is_that_of_the_package():
    """The version of the module is the version that was installed."""
    from importlib.metadata import version

    assert unswayed.__version__ == version("unswayed")


def test_star_import_brings_the_list():
    """Everything listed comes, and nothing else."""
    scope: dict[str, object] = {}
    exec("from unswayed import *", scope)
    assert set(scope) - {"__builtins__"} == set(unswayed.__all__)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_runs(path: Path, tmp_path: Path):
    """Each example runs from start to end in an empty folder, twice, and prints the same."""
    outputs = []
    for _ in range(2):
        ran = subprocess.run(
            [sys.executable, "-W", "error", str(path)],
            cwd=tmp_path,
            env={**os.environ},
            capture_output=True,
            text=True,
            timeout=240,
        )
        assert ran.returncode == 0, ran.stderr
        outputs.append(ran.stdout)
    assert outputs[0] == outputs[1] != ""


def test_five_lines_recover_what_they_plant(tmp_path: Path):
    """The example's interval holds .4 x .95 = .38."""
    (path,) = (path for path in EXAMPLES if path.stem == "five_lines")
    ran = subprocess.run(
        [sys.executable, str(path)], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    value, low, high = (float(text) for text in re.findall(r"\d\.\d\d", ran.stdout))
    assert low <= value <= high
    assert low <= 0.38 <= high
    code = path.read_text(encoding="utf-8").split("import", 1)[1]
    assert len([line for line in code.splitlines()[1:] if line.strip()]) == 5
