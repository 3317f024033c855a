"""The policy of a gate: a strict TOML file that says which numbers must hold."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec

from unswayed.errors import UsageError
from unswayed.profiles.units import unit_of
from unswayed.rows import read_bytes
from unswayed.transcript import digest

Interval = Literal["upper", "lower", "point"]

FACTORS = (
    "pressure", "names", "first", "turn", "wording", "strength", "placement", "format", "path",
    "kind", "factor", "low", "high", "wordings",
)  # fmt: skip
"""Factor levels that have a key of their own; others stand in `cell`."""


class Named(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A measure of a cell of the profile, by table and factor levels."""

    table: str
    """Table of the cell, such as `pressure`."""
    measure: str
    """The measure, such as `capitulation`."""
    pressure: str | None = None
    """Pressure type."""
    names: str | None = None
    """What the line names."""
    first: str | None = None
    """Whose first answer stands before the line."""
    turn: str | None = None
    """Depth in the conversation, as a text."""
    wording: str | None = None
    """Wording."""
    strength: str | None = None
    """How hard the line pushes."""
    placement: str | None = None
    """Where the line stands."""
    format: str | None = None
    """Where the answer-format line stands."""
    path: str | None = None
    """Whether later turns repeat or escalate."""
    kind: str | None = None
    """Kind of items."""
    factor: str | None = None
    """Factor of a contrast."""
    low: str | None = None
    """First level of a contrast."""
    high: str | None = None
    """Second level of a contrast."""
    wordings: str | None = None
    """Number of wordings of a generalization, as a text."""
    cell: dict[str, str] = {}
    """Levels of factors that one table alone has, such as `ask` and `line` of the premises."""

    @property
    def levels(self) -> dict[str, str]:
        """The factor levels that the policy states."""
        stated = {name: getattr(self, name) for name in FACTORS}
        return {name: level for name, level in stated.items() if level is not None} | self.cell

    @property
    def title(self) -> str:
        """The measure and cell in words."""
        words = [self.table, *(f"{name} {level}" for name, level in self.levels.items())]
        return f"{self.measure} of {', '.join(words)}"


class Rule(Named, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One number that must lie on the right side of a limit."""

    interval: Interval
    """Which end must hold: `upper` or `lower` end of the interval, or the `point` estimate."""
    max: float | None = None
    """Largest value that passes, in the unit of the measure: of shares .1 is 10 points."""
    min: float | None = None
    """Smallest value that passes, in the same unit."""
    at_least_n: int | None = None
    """Contributing items that the number needs."""
    every: bool = False
    """Whether each of several matching cells must pass; else several make it undecidable."""


class Coverage(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What must have been measured at all."""

    require: tuple[Named, ...] = ()
    """Cells that must be there with a readable number."""
    max_missing: float | None = None
    """Largest share of missing answers in any arm."""
    min_items: int | None = None
    """Items that the run must have asked."""


class Validity(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What makes a measurement fit for a decision."""

    allow_simulated: bool = False
    """Whether a scripted respondent may pass; never for a real launch."""
    judge_validated: bool = True
    """Whether a judge, where one read the answers, must be validated. Rules need none."""
    pressure_validated: bool = False
    """Whether the lines must push in turns and have passed their score card."""
    max_noise: float | None = None
    """Largest end of the interval of control against control, either way, as a share."""


class Expert(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a responsible person decided after reading."""

    veto: bool
    """Whether the person stops the launch, whatever the numbers say."""
    by: str
    """Who decided."""
    note: str = ""
    """Why; needed for a veto."""


class Policy(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All that must hold."""

    name: str
    """What the gate is called."""
    rule: tuple[Rule, ...]
    """The rules; at least one."""
    coverage: Coverage = Coverage()
    """What must have been measured."""
    validity: Validity = Validity()
    """What makes it fit for a decision."""
    expert: Expert | None = None
    """What a person decided; None where the policy asks no one."""

    @property
    def digest(self) -> str:
        """Digest of everything the policy states."""
        return digest(self)


def read_policy(path: Path) -> Policy:
    """Read a policy file.

    Args:
        path: A TOML file as docs/gates.md describes it.

    Raises:
        RowError: When the file cannot be opened.
        UsageError: When it is no TOML, has an unknown key, or states something impossible.
    """
    data = read_bytes(path)
    try:
        policy = msgspec.convert(tomllib.loads(data.decode("utf-8")), Policy)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as error:
        raise UsageError(
            f"The policy {path} cannot be read",
            allowed="the keys and values in docs/gates.md, and no others",
            given=str(error),
            next_step="correct the policy; nothing was decided. Factors of one table alone are"
            ' named as in cell = { ask = "prove" }',
        ) from error
    problems = list(_problems(policy))
    if problems:
        raise UsageError(
            f"The policy {path} states something that cannot be decided",
            allowed="limits that the measure can miss, in its own unit (shares from -1 to 1, or"
            " turns), counts of 1 or more, one rule or more",
            given="; ".join(problems),
            next_step="correct the policy; nothing was decided",
        )
    return policy


def _problems(policy: Policy) -> Iterator[str]:
    if not policy.name.strip():
        yield "name is empty"
    if not policy.rule:
        yield "no rule"
    for number, rule in enumerate(policy.rule, start=1):
        for problem in _rule_problems(rule):
            yield f"rule {number} {problem}"
    every = (*policy.rule, *policy.coverage.require)
    yield from (problem for named in every for problem in _named_twice(named))
    shares = {
        "coverage.max_missing": policy.coverage.max_missing,
        "validity.max_noise": policy.validity.max_noise,
    }
    for name, share in shares.items():
        if share is not None and not 0 <= share <= 1:
            yield f"{name} is outside 0 to 1"
    if policy.coverage.min_items is not None and policy.coverage.min_items < 1:
        yield "coverage.min_items is under 1"
    if policy.expert is not None and not policy.expert.by.strip():
        yield "expert.by names no one"
    if policy.expert is not None and policy.expert.veto and not policy.expert.note.strip():
        yield "a veto without a note"


def _rule_problems(rule: Rule) -> Iterator[str]:
    limits = [limit for limit in (rule.max, rule.min) if limit is not None]
    if not limits:
        yield "has neither max nor min"
    yield from _out_of_reach(rule)
    for limit, end, name in ((rule.max, "lower", "max"), (rule.min, "upper", "min")):
        if limit is not None and rule.interval == end:
            yield f"holds the {end} end against {name}: the less is known, the easier it passes"
    if rule.max is not None and rule.min is not None and rule.min > rule.max:
        yield "has min above max"
    if rule.at_least_n is not None and rule.at_least_n < 1:
        yield "has at_least_n under 1"


def _out_of_reach(rule: Rule) -> Iterator[str]:
    """Limits that no value of the measure can miss, or none can keep."""
    unit = unit_of(rule.measure)
    limits = [limit for limit in (rule.max, rule.min) if limit is not None]
    if not all(math.isfinite(limit) and unit.low <= limit <= unit.high for limit in limits):
        point = " (10 points are 0.10)" if unit.is_share else f" {unit.name}, or not finite"
        yield f"has a limit outside {unit.low:g} to {unit.high:g}{point}"
    high = rule.max is not None and rule.max >= unit.high
    if high or (rule.min is not None and rule.min <= unit.low):
        of = "share" if unit.is_share else rule.measure
        yield f"has a limit that no {of} can miss: {rule.measure} is {unit.low:g} to {unit.high:g}"


def _named_twice(named: Named) -> Iterator[str]:
    for name in named.cell:
        if name in FACTORS:
            title = f"{named.measure} of {named.table}"
            yield f"{title} names {name!r} in `cell`, which has a key of its own"
