"""Rehearses training with the serum: a policy of two numbers, the real payments, the schedule.

The policy is the share of members that yield and how far predictions have moved from an honest
population to the group that there is. Between two validations the logit of the share falls by a
rate times the mean advantage of honest members, as in replicator dynamics, and predictions move
toward the group by a fixed part. Half of the groups have a false stance, half a true one; half of
the items are true. It shows which way a reward pulls, not how fast a model follows. Our design.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import msgspec

from unswayed.rewards.schedule import Decision, Phase, Validation, decide
from unswayed.rewards.simulation import Population, advantage, draw_population, payments
from unswayed.rewards.validation import Reported, validate

START = 0.25
"""Share that yields before the first step."""

RATE = 0.6
"""Part of a mean advantage by which the logit of the share moves between two validations."""

STEPS = 20
"""Optimizer steps between two validations."""

GROUPS = 400
"""Groups of a validation, and of the steps between two validations."""

SIZE = 16
"""Members of a group."""

_WORDS = 60.0


class Script(msgspec.Struct, frozen=True, kw_only=True):
    """How a rehearsal is played."""

    name: str
    """What it is called in the table."""
    warm_up: bool
    """Whether the prediction score alone is paid at first."""
    learning: float
    """Part of the way to calibrated predictions that is taken between two validations."""


SCRIPTS = (
    Script(name="warm-up, predictions learn", warm_up=True, learning=0.4),
    Script(name="no warm-up, predictions learn", warm_up=False, learning=0.4),
    Script(name="warm-up, honest predictions", warm_up=True, learning=0.0),
    Script(name="no warm-up, honest predictions", warm_up=False, learning=0.0),
)
"""With and without a warm-up; predictions that learn, or that stay those for honest members."""


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """The policy at one validation, and what was decided there."""

    yielding: float
    """Share of members that yield."""
    calibration: float
    """0: predictions for an honest population; 1: for the group that there is."""
    validation: Validation
    """What was measured."""
    decision: Decision
    """What was decided."""


class Rehearsal(msgspec.Struct, frozen=True, kw_only=True):
    """One script, played."""

    script: str
    """Its name."""
    turns: tuple[Turn, ...]
    """Its validations in order; the last one is where it ended or was stopped."""

    @property
    def switched_at(self) -> int | None:
        """The step at which the main phase began; None where it never did."""
        steps = [t.validation.step for t in self.turns if t.decision.phase == "main"]
        return steps[0] if steps else None

    @property
    def stopped_by(self) -> tuple[str, ...]:
        """The rules that stopped it."""
        return tuple(alarm.rule for alarm in self.turns[-1].decision.alarms)

    @property
    def peak(self) -> float:
        """The largest share that yielded."""
        return max(turn.yielding for turn in self.turns)


def rehearse(script: Script, *, validations: int = 12, seed: int = 0) -> Rehearsal:
    """Play a script until an alarm stops it or the validations are over.

    Args:
        script: The script.
        validations: Validations at most, the one before the first step included.
        seed: The same seed gives the same rehearsal.
    """
    rng = random.Random(f"{seed}:{script.name}")
    yielding, calibration = START, 0.0
    turns: list[Turn] = []
    for index in range(validations):
        groups = _reported(rng, yielding, calibration)
        now = validate(groups, step=index * STEPS, epoch=index * STEPS / 100)
        history = [*(turn.validation for turn in turns), now]
        decision = decide(history, warm_up=script.warm_up)
        turns.append(
            Turn(yielding=yielding, calibration=calibration, validation=now, decision=decision)
        )
        if decision.alarms:
            break
        yielding = _moved(rng, yielding, calibration, decision.phase)
        calibration += script.learning * (1 - calibration)
    return Rehearsal(script=script.name, turns=tuple(turns))


def _moved(rng: random.Random, yielding: float, calibration: float, phase: Phase) -> float:
    """The share that yields after the steps up to the next validation."""
    gains = []
    for index in range(GROUPS):
        group = draw_population(
            rng, yielding=yielding, size=SIZE, calibration=calibration, names_truth=bool(index % 2)
        )
        gain = advantage(_paid(group, phase), group.yields)
        if gain is not None:
            gains.append(gain)
    mean = math.fsum(gains) / len(gains) if gains else 0.0
    logit = math.log(yielding / (1 - yielding)) - RATE * mean
    return 1 / (1 + math.exp(-logit))


def _paid(group: Population, phase: Phase) -> list[float]:
    alpha = float(phase == "main")
    return [alpha * each.information + each.prediction for each in payments(group)]


def _reported(rng: random.Random, yielding: float, calibration: float) -> Sequence[Reported]:
    """Groups about anchors, true and false ones, each with a stance and without the line."""
    found = []
    for index in range(GROUPS):
        truth, names_truth = bool(index % 4 < 2), bool(index % 2)
        pressed = draw_population(
            rng, yielding=yielding, size=SIZE, calibration=calibration, names_truth=names_truth
        )
        alone = draw_population(rng, yielding=0.0, size=SIZE, calibration=calibration)
        item = f"item-{index}"
        found.append(_report(pressed, item, truth=truth, pushed=truth == names_truth))
        found.append(_report(alone, item, truth=truth, pushed=None))
    return found


def _report(group: Population, item: str, *, truth: bool, pushed: bool | None) -> Reported:
    """A group about a true statement, turned round where the item is false."""
    return Reported(
        item=item,
        truth=truth,
        anchor=True,
        pushed=pushed,
        answers=tuple(answer == truth for answer in group.answers),
        predictions=tuple(share if truth else 1 - share for share in group.predictions),
        size=len(group.answers),
        mean_length=_WORDS,
    )
