"""What an audit of a plan found: comparisons with their verdicts, and the balance of truths."""

from __future__ import annotations

from collections import Counter
from typing import Literal

import msgspec

from unswayed.plans.words import name_beside, name_factor, name_pair

Verdict = Literal["clean", "warned", "restricted", "apart", "confounded"]

VERDICTS: dict[Verdict, str] = {
    "confounded": "something else changes with what is compared",
    "warned": "the same except for how often an answer is said, or for a few items",
    "restricted": "compared on the settings that both levels have; the others are left out",
    "apart": "never compared with each other, because more than one thing differs",
    "clean": "nothing else differs",
}
"""Verdicts, worst first, in words."""

BALANCED = (0.4, 0.6)
"""Share of items whose right answer is yes (or true) that counts as balanced."""


class Differing(msgspec.Struct, frozen=True, kw_only=True):
    """A factor that differs between two cells beside what is compared."""

    factor: str
    """The factor."""
    low: str
    """Its level in one cell, or `none`."""
    high: str
    """Its level in the other cell, or `none`."""

    def __str__(self) -> str:
        low, high = (name_beside(self.factor, level) for level in (self.low, self.high))
        return f"{name_factor(self.factor)} ({low} against {high})"


class PairAudit(msgspec.Struct, frozen=True, kw_only=True):
    """Pairs of cells that differ in a factor, and were found alike in everything else or not."""

    factor: str
    """What is compared; `line` for a tested arm against its control."""
    low: str
    """One level."""
    high: str
    """The other level."""
    verdict: Verdict
    """Whether the comparison can be read."""
    where: tuple[str, ...]
    """Pressure types or arms in which the comparison stands."""
    differing: tuple[Differing, ...] = ()
    """Every other factor that differs, with both levels."""
    span: str = ""
    """The first text outside the declared span that differs, from one item."""
    mentions: str = ""
    """How often the line says the answer in both cells, where that differs."""
    n: int
    """Pairs of rendered replays compared."""
    n_differing: int = 0
    """Pairs with a text or a count of mentions that differs."""
    n_left_out: int = 0
    """Cells that have no partner at the other level."""

    @property
    def title(self) -> str:
        """What is compared, in words."""
        if self.factor == "line":
            return "line deleted against said"
        return name_pair(self.factor, self.low, self.high)


class Balance(msgspec.Struct, frozen=True, kw_only=True):
    """How the right answers of yes/no or true/false questions are spread."""

    asks: str
    """What is asked: `first` for the items themselves, else the level of the factor `asked`."""
    n: int
    """Questions."""
    n_yes: int
    """Questions whose right answer is yes or true."""

    @property
    def balanced(self) -> bool:
        """Whether a mere shift toward one word cannot pass for an effect."""
        return self.n == 0 or BALANCED[0] <= self.n_yes / self.n <= BALANCED[1]


class PlanAudit(msgspec.Struct, frozen=True, kw_only=True):
    """What an audit of a plan found."""

    n_items: int
    """Items that were audited."""
    n_of: int
    """Items of the plan; more than were audited where a sample was."""
    n_cells: int
    """Cells of the design that are tested."""
    pairs: tuple[PairAudit, ...]
    """Comparisons, worst first."""
    balances: tuple[Balance, ...]
    """Yes/no and true/false questions."""
    formats: tuple[str, ...]
    """Places of the format line that occur."""

    @property
    def confounded(self) -> bool:
        """Whether a comparison that is made cannot be read."""
        return any(pair.verdict == "confounded" for pair in self.pairs)

    def counts(self) -> dict[Verdict, int]:
        """Return how many comparisons have each verdict."""
        found = Counter(pair.verdict for pair in self.pairs)
        return {verdict: found[verdict] for verdict in VERDICTS if found[verdict]}
