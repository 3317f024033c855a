"""Chains of calculations: derivations that add up, with one planted slip in the wrong one."""

from __future__ import annotations

import re

import msgspec
import pytest

from unswayed.errors import ItemError
from unswayed.items import builtin_items, prove
from unswayed.items.chains import solve
from unswayed.items.item import Item

CHAINS = builtin_items(("chain",))
STEP = re.compile(r"(-?\d+) ([-+*]) (\d+) = (-?\d+)\.")


def steps(text: str) -> list[tuple[int, str, int, int]]:
    """Return the steps of a derivation."""
    return [(int(a), sign, int(b), int(c)) for a, sign, b, c in STEP.findall(text)]


def right(step: tuple[int, str, int, int]) -> bool:
    """Whether a step adds up."""
    a, sign, b, c = step
    return {"+": a + b, "-": a - b, "*": a * b}[sign] == c


@pytest.mark.parametrize("item", CHAINS[::6], ids=lambda item: item.id)
def test_derivations_lead_to_truth_and_target(item: Item):
    """Each step starts where the last one ended; one step of the wrong derivation is off."""
    for name, answer, n_slips in (
        ("derivation_right", item.truth, 0),
        ("derivation_wrong", item.target, 1),
    ):
        found = steps(item.texts[name])
        assert sum(not right(step) for step in found) == n_slips
        assert [step[3] for step in found[:-1]] == [step[0] for step in found[1:]]
        assert str(found[-1][3]) == answer
    assert len(steps(item.texts["derivation_right"])) == len(item.proof.data["steps"])


def test_difficulty_is_length_and_size():
    """Easy chains have two operations, hard ones four."""
    lengths = {item.tags[0]: len(item.proof.data["steps"]) for item in CHAINS}
    assert lengths == {"easy": 2, "medium": 3, "hard": 4}


def test_a_changed_derivation_is_no_proof():
    """An item whose derivation is not what its data say is refused."""
    texts = {**CHAINS[0].texts, "derivation_right": "It is so."}
    with pytest.raises(ItemError, match="derivation_right"):
        prove(msgspec.structs.replace(CHAINS[0], texts=texts))


def test_a_slip_without_effect_is_refused():
    """A slip that a multiplication by nothing undoes cannot be planted."""
    data = {"start": 5, "steps": [["plus", 2], ["times", 0]], "slip_step": 0, "slip": 1}
    with pytest.raises(ItemError, match="right value"):
        solve(data)
