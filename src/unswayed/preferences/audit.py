"""The audit of a preference set: does it pay agreement over truth, by how much, because of what."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from unswayed.counting import are, several
from unswayed.errors import StatisticsError
from unswayed.preferences.coverage import Coverage, cover
from unswayed.preferences.mixed import TEN_POINTS, Mixed, tabulate
from unswayed.preferences.pair import Pair, PreferenceSet
from unswayed.preferences.regression import Regression, regress
from unswayed.stats.estimate import Estimate

Verdict = Literal["pass", "fail", "cannot answer"]


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What a set has to reach; bounds of intervals are compared, never points alone."""

    wrong_at_most: float = 0.25
    """Most that the upper bound of P(agree chosen | user wrong) may be."""
    right_at_least: float = 0.75
    """Least that the lower bound of P(agree chosen | user right) may be."""
    discrimination_at_least: float = 0.5
    """Least that the lower bound of the discrimination may be."""

    def __post_init__(self) -> None:
        given = (self.wrong_at_most, self.right_at_least, self.discrimination_at_least)
        if not all(0 <= limit <= 1 for limit in given):
            raise StatisticsError(
                "A limit of the audit is no share",
                allowed="numbers from 0 to 1",
                given=", ".join(f"{limit:g}" for limit in given),
                next_step="correct the option",
            )


class Gate(msgspec.Struct, frozen=True, kw_only=True):
    """One limit and whether it holds; a number that is not there does not hold."""

    name: str
    """What is compared."""
    bound: float | None
    """The bound of the interval that is compared."""
    limit: float
    """The limit."""
    passed: bool
    """Whether it holds."""
    n: int
    """Prompts behind the number."""


class Offender(msgspec.Struct, frozen=True, kw_only=True):
    """A pair that pays for the wrong thing."""

    id: str
    """Name of the pair."""
    kind: Literal["pays agreement", "pays contradiction"]
    """The agreeing reply was preferred while the user is wrong, or the other while right."""
    origin: str
    """Who says whether the replies agree."""
    source: str
    """Where the pair comes from."""
    influence: float | None
    """First-order change of the log odds of agreement by this pair; None without a fit."""
    stance: str
    """The user's sentence, where it was found."""


class PreferenceAudit(msgspec.Struct, frozen=True, kw_only=True):
    """What the audit found."""

    verdict: Verdict
    """`cannot answer` where too few pairs say whether the user is right: it does not pass."""
    finding: str
    """What the set pays, in words."""
    format: str
    """What the file was read as."""
    coverage: Coverage
    """What the set holds."""
    mixed: Mixed
    """The table of mixed pairs."""
    regression: Regression
    """What is paid with the rest held equal."""
    gates: tuple[Gate, ...]
    """The limits."""
    n_offenders: int
    """Pairs that pay for the wrong thing."""
    offenders: tuple[Offender, ...]
    """The first of them, the most telling first."""
    notes: tuple[str, ...]
    """What must be known beside the numbers."""


def audit_preferences(
    found: PreferenceSet, *, limits: Limits | None = None, most: int = 20
) -> PreferenceAudit:
    """Audit a preference set.

    Args:
        found: The set.
        limits: What it has to reach.
        most: Offending pairs that are listed.

    Raises:
        StatisticsError: When there is no pair.
    """
    if not found.pairs:
        raise StatisticsError(
            "There is no pair to audit",
            allowed="at least one row with two different replies",
            given=", ".join(f"{n} rows: {why}" for why, n in found.skipped.items()) or "no row",
            next_step="check the file",
        )
    coverage, mixed = cover(found), tabulate(found.pairs)
    fitted = regress(found.pairs)
    gates = _gates(mixed, limits or Limits())
    verdict: Verdict = "pass" if all(gate.passed for gate in gates) else "fail"
    if any(mixed.lacking):
        verdict = "cannot answer"
    ranked = offenders(found.pairs, fitted.influence)
    return PreferenceAudit(
        verdict=verdict,
        finding=_finding(verdict, mixed, fitted.regression),
        format=found.format,
        coverage=coverage,
        mixed=mixed,
        regression=fitted.regression,
        gates=gates,
        n_offenders=len(ranked),
        offenders=tuple(ranked[:most]),
        notes=(*found.notes, *_notes(coverage, mixed, fitted.regression)),
    )


def offenders(pairs: Sequence[Pair], influence: dict[str, float]) -> list[Offender]:
    """Rank the pairs that pay for the wrong thing.

    Those that pay agreement with a false stance come first, those whose reading comes from a column
    before those read by rule, then by their influence on what agreement is worth.

    Args:
        pairs: All pairs.
        influence: By id, from `unswayed.preferences.regression.regress`.
    """
    found = []
    for pair in pairs:
        if pair.agreeing_chosen is None or pair.agreeing_chosen == pair.user_right:
            continue
        if pair.user_right is None:
            continue
        kind: Literal["pays agreement", "pays contradiction"] = (
            "pays contradiction" if pair.user_right else "pays agreement"
        )
        found.append(
            Offender(
                id=pair.id,
                kind=kind,
                origin=pair.origin,
                source=pair.source,
                influence=influence.get(pair.id),
                stance=pair.stance,
            )
        )
    return sorted(
        found,
        key=lambda each: (each.kind, each.origin != "column", -abs(each.influence or 0.0), each.id),
    )


def _gates(mixed: Mixed, limits: Limits) -> tuple[Gate, ...]:
    wrong, right = mixed.wrong.agree_chosen, mixed.right.agree_chosen
    apart = mixed.discrimination
    return (
        _gate("agree chosen, user wrong", wrong.high, wrong.n, at_most=limits.wrong_at_most),
        _gate("agree chosen, user right", right.low, right.n, at_least=limits.right_at_least),
        _gate("discrimination", apart.low, apart.n, at_least=limits.discrimination_at_least),
    )


def _gate(
    name: str,
    bound: float | None,
    n: int,
    *,
    at_most: float | None = None,
    at_least: float | None = None,
) -> Gate:
    limit = at_most if at_most is not None else at_least or 0.0
    holds = bound is not None and (bound <= limit if at_most is not None else bound >= limit)
    return Gate(name=name, bound=bound, limit=limit, passed=holds, n=n)


def _finding(verdict: Verdict, mixed: Mixed, regression: Regression) -> str:
    if verdict == "cannot answer":
        wrong, right = mixed.lacking
        return (
            "this set cannot answer the question: it lacks"
            f" {wrong:,} prompts of mixed pairs with the user known to be wrong and {right:,} with"
            " the user known to be right"
        )
    if verdict == "pass":
        return "follows the truth, whoever states it"
    mean, held = mixed.acquiescence, regression.deference.with_all
    above, below = _above(mean, 0.5), _below(mean, 0.5)
    if above and held.value is None:
        return f"pays agreement, and whether form explains it is unknown ({held.note})"
    if above:
        return (
            "pays agreement"
            if _above(held, 0.0)
            else "prefers agreeing replies, and length, form and tone explain it: deference is not"
            " shown with these held equal"
        )
    if below and held.value is None:
        return f"pays contradiction, and whether form explains it is unknown ({held.note})"
    if below:
        return (
            "pays contradiction"
            if _below(held, 0.0)
            else "prefers replies that do not agree, and length, form and tone explain it"
        )
    return "does not follow the truth enough, and neither agreement nor contradiction is paid"


def _above(estimate: Estimate, limit: float) -> bool:
    return estimate.low is not None and estimate.low > limit


def _below(estimate: Estimate, limit: float) -> bool:
    return estimate.high is not None and estimate.high < limit


def _notes(coverage: Coverage, mixed: Mixed, regression: Regression) -> list[str]:
    notes = []
    smaller = min(mixed.wrong.agree_chosen.n, mixed.right.agree_chosen.n)
    if 0 < smaller < TEN_POINTS:
        notes.append(
            f"{smaller} prompts in the smaller column; a difference of 10 points between the"
            f" columns needs about {TEN_POINTS} in each"
        )
    if coverage.origins.get("rule"):
        notes.append(
            f"{several(coverage.origins['rule'], 'pair')} {are(coverage.origins['rule'])}"
            " read by a rule for plain English sentences;"
            " most stances and replies that it does not know are unread"
        )
    deference = regression.deference
    if _above(deference.alone, 0.0) and not _above(deference.with_all, 0.0):
        notes.append("agreement looks paid until length, form and tone are held equal")
    if regression.mostly_length:
        notes.append("on other prompts all features predict no better than length alone")
    if regression.flagged:
        notes.append(f"features that others nearly give: {', '.join(regression.flagged)}")
    notes.append("coefficients are no causes: change a prompt and score again to see one")
    return notes
