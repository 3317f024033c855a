"""`unswayed train demo`: what it says before it begins."""

from __future__ import annotations

import pytest

from unswayed.commands.train import say_cost
from unswayed.errors import MissingModelError
from unswayed.learning import network
from unswayed.learning.stages import Plan
from unswayed.learning.trainers import Settings


def test_without_the_packages_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch):
    """Nothing is begun, and the next step is named."""
    monkeypatch.setattr(network, "PACKAGES", ("json", "no_such_trainer"))
    with pytest.raises(MissingModelError, match=r"without no_such_trainer") as caught:
        network.check_installed()
    assert "pip install 'unswayed[local,trl]'" in str(caught.value)
    assert caught.value.exit_code == 2


def test_the_cost_is_said_before():
    """More steps cost more, and leaving GRPO out costs less."""
    usual = say_cost(Plan())
    assert "32 supervised steps, 5 of GRPO, 20 on the one-sided set, 36 held-out items" in usual
    minutes = [
        int(say_cost(Plan(settings=Settings(grpo_steps=steps))).split("about ")[1].split()[0])
        for steps in (0, 30)
    ]
    assert minutes[0] < minutes[1]
