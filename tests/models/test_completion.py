"""What a completion says of scored options, and of the fault with which none came."""

import ast
import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from unswayed import models
from unswayed.models import replies
from unswayed.models.batchresults import Result, completion_of
from unswayed.models.completion import NO_REPLY, UNUSABLE, count_lead, lost_by
from unswayed.models.replies import Asked, FaultKind
from unswayed.models.surplus import SURPLUS

NAMED = {"SURPLUS": {SURPLUS}, "code": {"batch"}, "slug": set()}
"""Faults behind a name: `code` is a batch's own, `slug` what `_kind_of_status` gives."""


def texts_in(tree: ast.AST) -> set[str]:
    """Return the texts that stand in a piece of source."""
    return {n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and type(n.value) is str}


def slugs() -> Iterator[str]:
    """Yield the name of every fault that a model states, from the source."""
    for path in Path(next(iter(models.__path__))).glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            stated = isinstance(node, ast.keyword) and node.arg == "slug"
            if stated or (isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "slug"):
                yield from texts_in(node.value)
                for name in (n.id for n in ast.walk(node.value) if isinstance(n, ast.Name)):
                    if name not in ("error", "isinstance", "SurplusError"):
                        yield from NAMED[name]
    tree = ast.parse(inspect.getsource(replies._kind_of_status))
    returned = (texts_in(node) for node in ast.walk(tree) if isinstance(node, ast.Return))
    yield from set().union(*returned) - set(get_args(FaultKind))


def test_every_fault_is_said_to_lose_a_reply_or_not():
    """A new fault has to be put into one of the two lists, and none stays that is never stated."""
    assert not NO_REPLY & UNUSABLE
    assert set(slugs()) == NO_REPLY | UNUSABLE


@pytest.mark.parametrize("code", ["batch_expired", "server_overloaded", "What? 7", None])
def test_a_request_that_its_batch_lost_has_no_reply(code: str | None):
    """Whatever the provider calls it; the model is not told as one that cannot be read."""
    result = Result(custom_id="1", error={"code": code, "message": "The window: passed."})
    found = completion_of(result, Asked())
    assert found.error is not None
    assert lost_by(found.error) == found.error.partition(":")[0]
    filtered = Result(custom_id="1", error={"code": "content_filter", "message": "No."})
    assert lost_by(completion_of(filtered, Asked()).error or "") == ""


@pytest.mark.parametrize(
    ("options", "n"),
    [
        (([1, 2, 3], [1, 2, 4]), 2),
        (([1, 2], [1, 2, 4]), 1),
        (([1], [1, 2]), 0),
        (([5, 2], [1, 2]), 0),
        (([1, 2, 3], [1, 2, 3]), 2),
    ],
)
def test_the_lead_is_what_all_options_share_and_never_a_whole_option(options, n):
    """An option that another one continues keeps its last token as its own."""
    assert count_lead(options) == n
