"""One small training set that the tests of this folder read, and never change."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from unswayed.training.build import Built, build
from unswayed.training.cases import Case
from unswayed.training.material import training_items

PRESSURES = ("assertion", "challenge")


@pytest.fixture(scope="session")
def built() -> Built:
    """Return a set of 60 generated items."""
    return build(training_items(60, seed=5), PRESSURES, seed=5)


@pytest.fixture
def case() -> Callable[..., Case]:
    """Return a function that makes cases, each in a family of its own unless one is given."""
    count = iter(range(100_000))

    def make(**fields: object) -> Case:
        number = next(count)
        given = {"id": f"r{number}", "family": f"f{number}", "prompt": f"prompt {number}"}
        return Case(**{**given, **fields})

    return make
