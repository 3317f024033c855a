"""Simulated outcome tables with a known effect, and how often the printed interval holds it.

Each item has a chance p of a right first answer, drawn from a Beta law, and a chance y to follow
the line, drawn from a Beta law of its own. After a right first answer the control is wrong with
chance w = .02 + .15 (1 - p), the pressured answer with chance w + y (1 - w); after a wrong one the
control is right with chance r = .02 + .2 p, the pressured answer with chance r + y (1 - r). Two
percent of all answers are declined. Every draw has a first answer, a control and a pressured
replay of its own. So the effects are

    capitulation = .98 E[p y (1 - w)] / E[p]
    correction = .98 E[(1 - p) y (1 - r)] / E[1 - p]

in closed form, over items drawn anew in each run. A firm model never errs by itself and declines
nothing (w = r = 0), and its effects are E[y].
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np

from unswayed.profiles.flips import effect
from unswayed.profiles.outcomes import OutcomeTable
from unswayed.stats.multiplicity import holm, two_sided_p

KNOWS = {"middling": (3.0, 2.0), "strong": (9.0, 1.0), "planted": (None, None)}
"""Beta law of p: mean .6, mean .9, or first answers planted (right for one effect, wrong for the
other), so that every item contributes."""

FOLLOWING = 4.0
"""Concentration of the Beta law of y."""

DECLINED = 0.02
NAMED = 0.8
"""Share of wrong answers that are the named target."""

MEASURES = ("capitulation", "correction")


@dataclass(frozen=True)
class Case:
    """One point of the grid."""

    n: int
    """Families."""
    yields: float
    """Mean of y."""
    draws: int
    """Draws of each arm."""
    knows: str
    """Law of p."""
    twins: int = 1
    """Items of a family; they share p and y."""
    sizes: tuple[int, ...] = ()
    """Items of each family where they differ, in place of `twins`."""
    firm: bool = False
    """Whether no control ever changes and nothing is declined."""


@dataclass(frozen=True)
class Covered:
    """How a measure did in a case."""

    case: Case
    measure: str
    effect: float
    runs: int
    shown: int
    """Runs with an interval; the others had fewer than ten contributing families."""
    covered: int
    flat: int
    """Intervals of zero width."""
    contributing: float
    """Mean number of contributing families where an interval was shown."""
    width: float
    """Mean half-width."""

    @property
    def share(self) -> float | None:
        """Share of shown intervals that hold the effect."""
        return self.covered / self.shown if self.shown else None


def cases(
    ns: tuple[int, ...] = (10, 15, 20, 30, 50, 100, 300),
    yields: tuple[float, ...] = (0.05, 0.15, 0.4),
    draws: tuple[int, ...] = (1, 4),
    knows: tuple[str, ...] = ("middling", "strong", "planted"),
    twins: tuple[int, ...] = (1, 2),
) -> Iterator[Case]:
    """Yield the grid; twins double the items of the middling model alone."""
    for n, rate, count, law, size in product(ns, yields, draws, knows, twins):
        if size == 1 or law == "middling":
            yield Case(n=n, yields=rate, draws=count, knows=law, twins=size)


UNEVEN = (
    (40, *[2] * 11),
    (32, 16, 8, 4, 2, *[1] * 10),
    (60, *[2] * 39),
    (6, *[1] * 19),
    (10, *[1] * 40),
    (20, *[1] * 60),
    (*[5] * 5, *[1] * 30),
    (20, 10, 5, *[2] * 37),
    (*[40] * 10, *[1] * 40),
    (30, *[1] * 200),
)
"""Items of each family: few families that decide, some, and many."""


def uneven_cases(yields: tuple[float, ...] = (0.05, 0.15, 0.4)) -> Iterator[Case]:
    """Yield families of uneven size, whose first answers are planted: every item contributes."""
    for sizes, rate in product(UNEVEN, yields):
        yield Case(n=len(sizes), yields=rate, draws=1, knows="planted", sizes=sizes)


def firm_cases(
    ns: tuple[int, ...] = (30, 50, 100, 200, 300),
    yields: tuple[float, ...] = (0.01, 0.02, 0.03, 0.05, 0.08),
    draws: tuple[int, ...] = (1, 4),
) -> Iterator[Case]:
    """Yield models of which few items ever change, as at temperature 0."""
    for n, rate, count in product(ns, yields, draws):
        yield Case(n=n, yields=rate, draws=count, knows="planted", firm=True)


def true_effect(case: Case, measure: str) -> float:
    """Return the effect in closed form, from the moments of the Beta law."""
    if case.firm:
        return case.yields
    a, b = KNOWS[case.knows]
    if a is None or b is None:
        first, second = (1.0, 1.0) if measure == "capitulation" else (0.0, 0.0)
    else:
        first = a / (a + b)
        second = first * (a + 1) / (a + b + 1)
    if measure == "capitulation":
        share = (0.83 * first + 0.15 * second) / first
    else:
        share = (0.98 - 1.18 * first + 0.2 * second) / (1 - first)
    return (1 - DECLINED) * case.yields * share


class SimulatedTable(OutcomeTable):
    """An outcome table from columns, without records."""

    def __init__(
        self,
        family: np.ndarray,
        first: np.ndarray,
        pressured: np.ndarray,
        control: np.ndarray,
        setting: np.ndarray | None = None,
        settings: tuple[dict[str, str], ...] = ({"arm": "pressured"},),
    ) -> None:
        self.family, self.first, self.pressured, self.control = family, first, pressured, control
        self.families = tuple(str(number) for number in range(int(family.max()) + 1))
        self.setting = np.zeros(family.size, dtype=np.int64) if setting is None else setting
        self.settings = settings
        self.n_items = len(self.families)
        self.stratum = np.array([0, 1, 1, 2, 2], dtype=np.int64)[first]
        self.own_firsts = np.stack([family, first], axis=1)


def _right(
    chance: np.ndarray, generator: np.random.Generator, declined: float = DECLINED
) -> np.ndarray:
    """Outcome codes of answers that are right with a chance: truth, target, other, declined."""
    right = generator.random(chance.size) < chance
    wrong = np.where(generator.random(chance.size) < NAMED, 1, 2)
    return np.where(generator.random(chance.size) < declined, 3, np.where(right, 0, wrong))


def simulate(case: Case, generator: np.random.Generator, start: str = "") -> OutcomeTable:
    """Draw one run of a case; `start` plants the first answers (`right` or `wrong`)."""
    a, b = KNOWS[case.knows]
    if a is None or b is None:
        p = np.full(case.n, 1.0 if start == "right" else 0.0)
    else:
        p = generator.beta(a, b, case.n)
    y = generator.beta(FOLLOWING * case.yields, FOLLOWING * (1 - case.yields), case.n)
    family = np.repeat(np.arange(case.n), case.draws * np.array(case.sizes or case.twins))
    p_row, y_row = p[family], y[family]
    known = generator.random(family.size) < p_row
    wobbles, repairs = 0.02 + 0.15 * (1 - p_row), 0.02 + 0.2 * p_row
    declined = DECLINED
    if case.firm:
        wobbles, repairs, declined = 0 * p_row, 0 * p_row, 0.0
    stays = np.where(known, 1 - wobbles, repairs)
    moved = np.where(known, (1 - wobbles) * (1 - y_row), repairs + y_row * (1 - repairs))
    return SimulatedTable(
        family,
        np.where(known, 0, 2),
        _right(moved, generator, declined),
        _right(stays, generator, declined),
    )


def coverage(case: Case, runs: int, seed: int) -> list[Covered]:
    """Run a case and count, by measure, how often the printed interval holds the effect."""
    label = [seed, case.n, round(1000 * case.yields), case.draws, case.twins, *case.sizes]
    law = "firm" if case.firm else case.knows
    generator = np.random.Generator(np.random.SFC64([*label, *law.encode()]))
    truth = {measure: true_effect(case, measure) for measure in MEASURES}
    counts = {measure: np.zeros(3, dtype=int) for measure in MEASURES}
    sums = {measure: np.zeros(2) for measure in MEASURES}
    for _ in range(runs):
        table = simulate(case, generator, "right")
        for measure in MEASURES:
            if case.knows == "planted" and measure == "correction":
                table = simulate(case, generator, "wrong")
            found = effect(table, np.ones(len(table), dtype=bool), measure)
            if found.low is None or found.high is None:
                continue
            held = found.low <= truth[measure] <= found.high
            counts[measure] += (1, held, found.low == found.high)
            sums[measure] += (found.n, (found.high - found.low) / 2)
    rows = []
    for measure in MEASURES:
        shown, covered, flat = counts[measure].tolist()
        mean = sums[measure] / max(shown, 1)
        rows.append(
            Covered(
                case=case,
                measure=measure,
                effect=truth[measure],
                runs=runs,
                shown=shown,
                covered=covered,
                flat=flat,
                contributing=float(mean[0]),
                width=float(mean[1]),
            )
        )
    return rows


def null_run(
    generator: np.random.Generator, *, n: int = 300, pressures: int = 5, draws: int = 2
) -> OutcomeTable:
    """Draw one run in which no line has any effect; all pressure types share the controls."""
    p = generator.beta(3.0, 2.0, n)
    family = np.repeat(np.arange(n), draws)
    known = generator.random(family.size) < p[family]
    stays = np.where(known, 1 - (0.02 + 0.15 * (1 - p[family])), 0.02 + 0.2 * p[family])
    first, control = np.where(known, 0, 2), _right(stays, generator)
    arms = [_right(stays, generator) for _ in range(pressures)]
    return SimulatedTable(
        np.tile(family, pressures),
        np.tile(first, pressures),
        np.concatenate(arms),
        np.tile(control, pressures),
        np.repeat(np.arange(pressures), family.size),
        tuple(
            {
                "arm": "pressured", "pressure": f"type{index}", "names": "nothing",
                "first": "own", "turn": "1",
            }
            for index in range(pressures)
        ),
    )  # fmt: skip


def adjusted(table: OutcomeTable) -> list[float]:
    """Return the Holm-adjusted p-values of the headline family of a run."""
    chances = []
    for index in range(len(table.settings)):
        for measure in MEASURES:
            p = two_sided_p(effect(table, table.rows([index]), measure))
            if p is not None:
                chances.append(p)
    return holm(chances).tolist() if chances else []


def false_positives(runs: int, seed: int) -> tuple[int, int]:
    """Count the null runs with any adjusted p under .05; return them and all runs."""
    generator = np.random.Generator(np.random.SFC64(seed))
    found = [min(adjusted(null_run(generator))) < 0.05 for _ in range(runs)]
    return sum(found), runs
