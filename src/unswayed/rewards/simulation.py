"""What a group reward pays for yielding, on members whose law is known; no model is needed.

w ~ Beta(6, 2) is the share of people who find a true statement true, and each member's own signal
is "true" with probability w. The user pushes "false". A share `yielding` of the members says so
whatever they think; the others say their signal. A member predicts (6 + signal) / 9 as the share
of "true", its posterior mean for an honest population; calibrated to the group that there is, it
predicts (1 - yielding) times as much. The serum as a reward: arXiv 2608.25267; the
simulation is our design.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from typing import Literal

import msgspec

from unswayed.errors import StatisticsError
from unswayed.rewards.serum import Payment, push_gap, score_bts, score_pts, score_rbts

Prediction = Literal["calibrated", "honest"]
Verdict = Literal["pays for yielding", "pays for honesty", "not shown"]

CELLS = ((0.1, 64), (0.2, 8), (0.2, 64), (0.35, 64), (0.5, 64))
"""Share that yields and size of the group, in the order of the table."""

LEAST_GROUPS = 200
"""Fewer groups leave the mean advantage too uncertain to be shown."""

_PRIOR = (6, 2)
_Z = 1.959964


class Population(msgspec.Struct, frozen=True, kw_only=True):
    """Members of one group, before anything is paid."""

    answers: tuple[bool, ...]
    """What each member says."""
    predictions: tuple[float, ...]
    """The share of "true" that each member predicts."""
    yields: tuple[bool, ...]
    """Whether the member follows the user."""


Scheme = Callable[[Population], list[float]]


class Cell(msgspec.Struct, frozen=True, kw_only=True):
    """What one scheme pays at one share that yields and one size of groups."""

    scheme: str
    """The reward."""
    predictions: Prediction
    """Whether members predict the group that there is, or an honest one."""
    yielding: float
    """Probability that a member yields."""
    size: int
    """Members of a group."""
    n: int
    """Groups with both kinds of members; only they compare."""
    n_drawn: int
    """Groups drawn."""
    advantage: float
    """Mean over groups of honest minus yielding members, in standard deviations of the group."""
    low: float
    """Lower end of its interval of 95 %."""
    high: float
    """Upper end."""
    ahead: float
    """Share of groups in which the honest members are ahead."""
    push_gap: float | None
    """Mean information score of the pushed answer minus the other; None where a scheme has none."""

    @property
    def verdict(self) -> Verdict:
        """What the interval shows."""
        if self.high < 0:
            return "pays for yielding"
        return "pays for honesty" if self.low > 0 else "not shown"


def draw_population(
    rng: random.Random,
    *,
    yielding: float,
    size: int,
    calibration: float,
    names_truth: bool = False,
) -> Population:
    """Draw one group about a true statement.

    Args:
        rng: The source of chance.
        yielding: Probability that a member yields.
        size: Members.
        calibration: 0 for predictions that suit an honest population, 1 for this one; between
            them the share of yielding members is taken to be `calibration * yielding`.
        names_truth: Whether the user pushes "true", so that yielding is right.
    """
    a, b = _PRIOR
    common = rng.betavariate(a, b)
    signals = [rng.random() < common for _ in range(size)]
    yields = tuple(rng.random() < yielding for _ in range(size))
    believed = calibration * yielding
    return Population(
        answers=tuple(names_truth if y else s for s, y in zip(signals, yields, strict=True)),
        predictions=tuple(
            (a + s) / (a + b + 1) * (1 - believed) + believed * names_truth for s in signals
        ),
        yields=yields,
    )


def payments(group: Population) -> list[Payment]:
    """Return the serum's two scores of every member."""
    pairs = [(1 - share, share) for share in group.predictions]
    return score_bts([int(answer) for answer in group.answers], pairs)


def _serum(group: Population) -> list[float]:
    return [each.information + each.prediction for each in payments(group)]


def _prediction(group: Population) -> list[float]:
    return [each.prediction for each in payments(group)]


def _peer(group: Population) -> list[float]:
    return score_pts(group.answers, (0.5, 0.5))


def _majority(group: Population) -> list[float]:
    most = 2 * sum(group.answers) > len(group.answers)
    return [float(answer == most) for answer in group.answers]


def _robust(group: Population) -> list[float]:
    return score_rbts(group.answers, group.predictions)


SCHEMES: dict[tuple[str, Prediction], Scheme] = {
    ("bts", "calibrated"): _serum,
    ("bts", "honest"): _serum,
    ("prediction", "honest"): _prediction,
    ("pts", "calibrated"): _peer,
    ("majority", "calibrated"): _majority,
    ("rbts", "calibrated"): _robust,
}
"""Schemes by name and predictions. `pts` and `majority` read no prediction."""

_WITH_GAP = ("bts",)


def advantage(paid: Sequence[float], yields: Sequence[bool]) -> float | None:
    """Mean reward of honest minus yielding members in standard deviations of the group.

    The standard deviation is the population's, n in the denominator; 0 where all are paid alike.

    Args:
        paid: The rewards of one group.
        yields: Whether each member yields.

    Returns:
        The difference; None in a group with one kind of members.
    """
    honest = [value for value, each in zip(paid, yields, strict=True) if not each]
    following = [value for value, each in zip(paid, yields, strict=True) if each]
    if not honest or not following:
        return None
    mean = math.fsum(paid) / len(paid)
    spread = math.sqrt(math.fsum((value - mean) ** 2 for value in paid) / len(paid))
    if spread < 1e-9:
        return 0.0
    return (math.fsum(honest) / len(honest) - math.fsum(following) / len(following)) / spread


def simulate(
    *, groups: int = 2000, seed: int = 0, cells: Sequence[tuple[float, int]] = CELLS
) -> tuple[Cell, ...]:
    """Simulate every scheme in every cell of the table.

    Every scheme pays the same groups, so that differences between schemes are not chance.

    Args:
        groups: Groups drawn for a cell.
        seed: The same seed gives the same table.
        cells: Share that yields and size of the group of each cell.

    Raises:
        StatisticsError: There are too few groups.
    """
    if groups < LEAST_GROUPS:
        raise StatisticsError(
            "There are too few groups for a simulation",
            allowed=f"at least {LEAST_GROUPS}",
            given=str(groups),
            next_step="raise the number of groups",
        )
    return tuple(
        cell
        for yielding, size in cells
        for cell in _simulate(yielding, size, groups=groups, seed=seed)
    )


def _simulate(yielding: float, size: int, *, groups: int, seed: int) -> list[Cell]:
    drawn: dict[Prediction, list[Population]] = {}
    for predictions in ("calibrated", "honest"):
        rng = random.Random(f"{seed}:{yielding}:{size}")
        drawn[predictions] = [
            draw_population(
                rng, yielding=yielding, size=size, calibration=float(predictions == "calibrated")
            )
            for _ in range(groups)
        ]
    return [
        _cell(name, predictions, drawn[predictions], yielding=yielding)
        for name, predictions in SCHEMES
    ]


def _cell(name: str, predictions: Prediction, groups: list[Population], *, yielding: float) -> Cell:
    pay = SCHEMES[name, predictions]
    found = [advantage(pay(group), group.yields) for group in groups]
    values = [value for value in found if value is not None]
    mean = math.fsum(values) / len(values)
    variance = math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1)
    half = _Z * math.sqrt(variance / len(values))
    return Cell(
        scheme=name,
        predictions=predictions,
        yielding=yielding,
        size=len(groups[0].answers),
        n=len(values),
        n_drawn=len(groups),
        advantage=mean,
        low=mean - half,
        high=mean + half,
        ahead=sum(value > 0 for value in values) / len(values),
        push_gap=_gap(groups) if name in _WITH_GAP else None,
    )


def _gap(groups: Sequence[Population]) -> float | None:
    gaps = [
        push_gap([int(answer) for answer in group.answers], payments(group), pushed=0)
        for group in groups
    ]
    known = [gap for gap in gaps if gap is not None]
    return math.fsum(known) / len(known) if known else None
