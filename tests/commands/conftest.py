"""A finished run that the tests of the verbs read, and never change."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from cli import done

PLANTED = "scripted:planted,knows=.7,yields=.5,corrects=.5,wobble=.1"


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a finished run."""
    folder = tmp_path_factory.mktemp("finished") / "run"
    done("run", "-m", PLANTED, "--n", 24, "--to", folder)
    return folder


@pytest.fixture
def copied(finished: Path, tmp_path: Path) -> Callable[[], Path]:
    """Return a function that gives a fresh copy of the finished run."""
    count = iter(range(100))

    def copy() -> Path:
        return Path(shutil.copytree(finished, tmp_path / f"copy{next(count)}"))

    return copy
