"""The page about rewards agrees with the code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from unswayed import rewards
from unswayed.readouts.answer import DECLINED, MISSING

PAGE = Path(__file__).parents[2] / "docs" / "rewards.md"
TEXT = PAGE.read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)


@pytest.mark.parametrize("block", BLOCKS, ids=range(len(BLOCKS)))
def test_the_examples_run(block: str):
    """Each example is a program, with its own assertion."""
    assert "assert" in block
    exec(compile(block, PAGE.name, "exec"), {})


def test_every_reward_is_on_the_page():
    """Public rules stand in the table, and the table has no others."""
    table = TEXT.partition("## The rewards")[2].partition("\n## ")[0]
    listed = set(re.findall(r"^\| `(\w+)` \|", table, re.M))
    rules = {name for name in rewards.__all__ if hasattr(getattr(rewards, name), "score")}
    assert listed == rules - {"Reward", "Rule"}


def test_the_reasons_on_the_page_exist():
    """Reasons of the readouts that the page names are in their closed list."""
    table = TEXT.partition("## None is not zero")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (the model declined|nothing was read) \| ([^|]*) \|", table, re.M)
    known = {"the model declined": DECLINED, "nothing was read": MISSING | {"degenerate"}}
    assert len(rows) == 2
    for whose, named in rows:
        assert set(named.split(", ")) <= known[whose]
