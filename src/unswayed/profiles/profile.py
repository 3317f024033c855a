"""The profile: a table of named estimates with everything a reader needs to doubt them."""

from __future__ import annotations

from typing import Literal

import msgspec

from unswayed.readouts.judged_by import JudgedBy
from unswayed.records import ArmCount
from unswayed.stats.estimate import Estimate

__all__ = ["About", "ArmCount", "Cell", "Pair", "Profile", "Severity", "Warned"]

Severity = Literal["stop", "warning", "note"]


class Cell(msgspec.Struct, frozen=True, kw_only=True):
    """The measures of one cell of the design."""

    table: str
    """Which table the cell belongs to: `pressure`, `wording`, `placement`, `strength`, ..."""
    factors: dict[str, str]
    """Factor levels that define the cell, such as pressure `authority` and names `target`."""
    measures: dict[str, Estimate]
    """Estimates by name: `capitulation`, `correction`, `target_effect`, ... as in docs/line.md."""
    bands: dict[str, tuple[float, float]] = {}
    """Simultaneous intervals of the headline measures, over all rows of the headline family."""
    adjusted_p: dict[str, float] = {}
    """Holm-adjusted p-values of the headline measures, over the headline family."""
    bounds: dict[str, tuple[float, float]] = {}
    """An effect with every missing pair sent each way; only where pairs are missing."""
    outcomes: dict[str, dict[str, int]]
    """Counts of the four outcomes by arm and starting state.

    Keys such as `pressured|right`; values count `truth`, `target`, `other`, `declined`,
    `missing`.
    """


class Warned(msgspec.Struct, frozen=True, kw_only=True):
    """A doubt that stands beside the numbers."""

    severity: Severity
    """`stop` makes the cell invalid for gates, `warning` must be read, `note` explains."""
    text: str
    """One sentence for people."""
    cell: str = ""
    """The cell it concerns; empty for the whole run."""


class Pair(msgspec.Struct, frozen=True, kw_only=True):
    """One item seen twice: the replay without and with the pressure line."""

    item: str
    """Item id."""
    question: str
    """The question."""
    truth: str
    """The right answer."""
    target: str
    """The wrong answer that a naming line names."""
    factors: dict[str, str]
    """Levels of the condition."""
    turn: int
    """Depth in the conversation, from 1."""
    draw: int
    """Draw number."""
    event: Literal["capitulated", "corrected", "held", "unread", "moved"]
    """What happened between control and pressured replay."""
    messages: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    """What was sent in the pressured arm: role, then parts as (text, tag)."""
    control_messages: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    """What was sent in the control arm."""
    pressured_text: str
    """What came back in the pressured arm."""
    control_text: str
    """What came back in the control arm."""
    outcomes: dict[str, str]
    """Outcome of `first`, `control` and `pressured`."""
    answers: dict[str, str]
    """Value read in each arm, or the reason in parentheses."""


class About(msgspec.Struct, frozen=True, kw_only=True):
    """What was run."""

    command: str
    """Command line."""
    model: str
    """Model name."""
    endpoint: str
    """Where it was reached; empty inside the process."""
    simulated: bool
    """Whether the model is a scripted respondent."""
    plan: str
    """Digest of the plan."""
    item_set: str
    """Name of the item set."""
    n_items: int
    """Items asked."""
    n_families: int
    """Independent families of items."""
    kinds: dict[str, int]
    """Items by kind."""
    draws: int
    """Draws per arm."""
    controls: tuple[str, ...]
    """Kinds of control in the plan."""
    readout: str
    """Readout and version that the numbers come from."""
    sampling: dict[str, str]
    """Sampling fields as sent; `provider default` where none was sent."""
    seed: int
    """Seed of plan and statistics."""
    started: str
    """Start of the run, ISO 8601 in UTC."""
    finished: str
    """End of the run, ISO 8601 in UTC."""
    version: str
    """Version of the toolkit."""
    n_replays: int
    """Replays in the plan."""
    n_asked: int
    """Requests that the model was asked, over all sessions of the run."""
    cost: str
    """Cost in words: an amount, `none (local model)` or `unknown (no price given)`."""
    tokens: dict[str, int | None]
    """Prompt, cached and written tokens; None where the endpoint does not say."""
    asked_with: dict[str, str] = {}
    """Backend, requests in a call (`batch`) and most requests at once (`concurrency`), over all
    sessions; batching can change replies even at temperature 0."""
    caveat: str = ""
    """What every reader must know about this model; empty when there is nothing."""
    chance: float | None = None
    """Share of first answers that guessing would get right; None without options."""
    margin: float = 0.03
    """Largest difference that counts as none in an equivalence verdict, as the plan declares it."""
    least_mass: float = 0.0
    """Where options are scored: their probability together below which an answer is unread."""
    section: str = ""
    """The section that the benchmark adds to the profile; empty for none."""
    judge: str = "none: answers are read by rule"
    """The judges behind the numbers and whether they are validated, in words for people."""
    judges: tuple[JudgedBy, ...] | None = None
    """The same for programs, one entry a judge; empty for rules, None where it was not recorded."""
    pressure: str = ""
    """What the score card of a source of several pushes found; empty for single pushes."""


class Profile(msgspec.Struct, frozen=True, kw_only=True):
    """All numbers of a run. The report is a view of this."""

    about: About
    """What was run."""
    verdict: tuple[str, ...]
    """The finding in up to five plain sentences, first sentence first."""
    warnings: tuple[Warned, ...]
    """Doubts, worst first."""
    arms: tuple[ArmCount, ...]
    """How each arm was read."""
    accuracy: Estimate
    """Share of first answers that are the truth."""
    noise: dict[str, Estimate]
    """Control against a second control: `capitulation` and `correction` of nothing at all."""
    detectable: dict[str, float | None]
    """Smallest effect that this n shows with power .8, by stratum (`right`, `wrong`)."""
    cells: tuple[Cell, ...]
    """All tables."""
    methods: tuple[str, ...]
    """Estimators, exclusions and deviations, one sentence each."""
    not_measured: tuple[str, ...]
    """Sections without data."""
