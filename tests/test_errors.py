"""Every error answers four questions and survives a process boundary."""

from __future__ import annotations

import inspect
import pickle
import re

import pytest

from unswayed import errors
from unswayed.errors import UnswayedError

KINDS = [
    value
    for value in vars(errors).values()
    if inspect.isclass(value) and issubclass(value, UnswayedError)
]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_message_in_order(kind: type[UnswayedError]):
    """Wrong, allowed, given, next: in this order, one line each, one full stop."""
    error = kind("It is wrong.", allowed="a", given="b", next_step="c")
    assert str(error) == "It is wrong.\n  Allowed: a\n  Given: b\n  Next: c"
    assert str(kind("It is wrong")) == "It is wrong."


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_survives_pickling(kind: type[UnswayedError]):
    """An error from another process is the same error."""
    error = kind("It is wrong", allowed="a", given="b", next_step="c")
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is kind
    assert str(again) == str(error)
    assert (again.wrong, again.allowed, again.given, again.next_step) == (
        "It is wrong", "a", "b", "c",
    )  # fmt: skip


def test_exit_codes():
    """1 is a failed gate, 3 an incomplete run, everything else 2."""
    codes = {kind.__name__: kind.exit_code for kind in KINDS}
    assert codes.pop("GateError") == errors.EXIT_FAILED_GATE == 1
    assert codes.pop("DiskError") == codes.pop("IncompleteRunError") == errors.EXIT_INCOMPLETE == 3
    assert set(codes.values()) == {errors.EXIT_USAGE} == {2}


def test_docstring_holds_the_tree():
    """The tree at the top of the file names every error under its parent."""
    lines = re.findall(r"^    ([│├└─ ]*)(\w+Error)", errors.__doc__ or "", re.M)
    path: list[str] = []
    found = {}
    for indent, name in lines:
        depth = len(indent) // 4
        path[depth:] = [name]
        found[name] = path[depth - 1] if depth else None
    assert found == {
        kind.__name__: kind.__base__.__name__ if kind is not UnswayedError else None
        for kind in KINDS
    }
