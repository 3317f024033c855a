"""Two runs compared on the same items: each effect, their difference, and what this n can show."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence

import msgspec
from msgspec.structs import replace

from unswayed.errors import StatisticsError
from unswayed.plans.budget import GUESSED_SPREAD
from unswayed.profiles.differing import Difference, accuracies, differences
from unswayed.profiles.manner import respondent_manner
from unswayed.profiles.matching import Shared, Source, match
from unswayed.profiles.profile import About, Warned
from unswayed.stats.estimate import Estimate
from unswayed.stats.multiplicity import equivalence_p, holm, two_sided_p
from unswayed.stats.power import Spread, detectable_effect
from unswayed.stats.quantiles import normal_quantile

ALPHA = 0.05
"""Error rate of the headline family and of each equivalence test."""

POWER = 0.8
"""Chance to see a difference, behind every number of items and every detectable difference."""

FAR_APART = 0.05
"""Difference of first-answer accuracies above which the strata hold visibly other items."""


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """Two runs on the items and conditions that both asked."""

    a: About
    """What the first run was."""
    b: About
    """What the second run was."""
    differs: str
    """What the runs differ in: the one cause that a difference can have."""
    shared: Shared
    """What both runs asked."""
    left_out: tuple[str, ...]
    """What was not compared, in words."""
    margin: float
    """Largest difference that counts as none."""
    accuracy: tuple[Estimate, Estimate, Estimate]
    """Share of right first answers in the first run, in the second, and their difference."""
    warnings: tuple[Warned, ...]
    """What keeps a difference from being read as it stands, worst first."""
    rows: tuple[Difference, ...]
    """The headline rows first, then further ones."""


def compare(a: Source, b: Source, *, margin: float, every: bool = False) -> Comparison:
    """Compare two runs on the items and conditions that both asked.

    Each difference is the first effect minus the second over the same item families,
    `unswayed.stats.contrasts.contrast_effect` with weights +1 and -1, so that what the runs share
    is accounted for. The headline family is every pressure type times capitulation (line names
    the target) and correction (line names the truth) at the last shared turn; Holm over it.

    Args:
        a: The first run.
        b: The second run.
        margin: Largest difference that counts as none, as a share; above 0.
        every: Also compare all other namings, turns, factors and measures, as exploration.

    Raises:
        ConfoundError: When the compared cells differ in more than one thing.
        PlanError: When the runs share nothing.
        StatisticsError: When the margin is not between 0 and 1.
    """
    if not 0 < margin < 1:
        raise StatisticsError(
            "The margin is out of range",
            allowed="more than 0 and less than 100 points",
            given=f"{100 * margin:g} points",
            next_step="state the largest difference that would not matter to you",
        )
    matched = match(a, b)
    manners = (respondent_manner(a.reading), respondent_manner(b.reading))
    rows = sorted(differences(matched, manners, every=every), key=lambda row: not row.headline)
    rows = _adjust(rows)
    size = sum(row.adjusted_p is not None for row in rows)
    rows = [_judge(row, margin, size, (a, b), matched.shared.n_items) for row in rows]
    accuracy = accuracies(matched)
    return Comparison(
        a=a.about,
        b=b.about,
        differs=_differs(a, b),
        shared=matched.shared,
        left_out=matched.left_out,
        margin=margin,
        accuracy=accuracy,
        warnings=tuple(sorted(_warnings(a, b, accuracy, rows), key=_severity)),
        rows=tuple(rows),
    )


def _differs(a: Source, b: Source) -> str:
    if a.model != b.model:
        return f"the model: {_model_words(a, b)}"
    fields = sorted(n for n, v in a.about.sampling.items() if b.about.sampling.get(n) != v)
    if fields:
        parts = [f"{n} {a.about.sampling[n]} against {b.about.sampling.get(n)}" for n in fields]
        return f"the sampling: {', '.join(parts)}"
    return "nothing but the run: the same model asked again"


def _model_words(a: Source, b: Source) -> str:
    """Name two models, by what tells them apart when their names are the same."""
    if a.model.name != b.model.name:
        return f"{a.model.name} against {b.model.name}"
    first = {"endpoint": a.model.endpoint, **a.model.details}
    second = {"endpoint": b.model.endpoint, **b.model.details}
    names = sorted(n for n in {*first, *second} if first.get(n) != second.get(n))
    parts = [f"{n} {first.get(n, 'none')} against {second.get(n, 'none')}" for n in names]
    return f"{a.model.name}, {', '.join(parts)}"


def _adjust(rows: Sequence[Difference]) -> list[Difference]:
    """Holm over the headline rows that have a number."""
    found = list(rows)
    chances = [(i, two_sided_p(row.difference)) for i, row in enumerate(rows) if row.headline]
    members = [(index, p) for index, p in chances if p is not None]
    if not members:
        return found
    adjusted = holm([p for _, p in members])
    for (index, _), p in zip(members, adjusted, strict=True):
        found[index] = replace(found[index], adjusted_p=float(p))
    return found


def _judge(
    row: Difference, margin: float, size: int, sources: tuple[Source, Source], n_items: int
) -> Difference:
    """Add what this n can show, the finding and its words."""
    estimate = row.difference
    equivalence = equivalence_p(estimate, margin)
    if equivalence is None or estimate.value is None or estimate.se is None:
        why = (estimate.note or estimate.state).partition(". ")[0]
        return replace(row, verdict=f"not decidable: {estimate.state} ({why})")
    value, se = estimate.value, estimate.se
    p = two_sided_p(estimate) if row.adjusted_p is None else row.adjusted_p
    row = replace(
        row,
        equivalence_p=equivalence,
        detectable=_both(ALPHA) * se,
        detectable_planned=_planned(estimate.n, sources),
    )
    points = f"{100 * margin:g} points"
    explored = "" if row.headline else " (exploratory)"
    if p is not None and p < ALPHA:
        higher = value > 0
        words = f"A is {'higher' if higher else 'lower'} by {100 * abs(value):.1f} points"
        words += f", shown to be within {points}" if equivalence < ALPHA else ""
        return replace(row, finding="higher" if higher else "lower", verdict=words + explored)
    if equivalence < ALPHA:
        return replace(row, finding="equal", verdict=f"shown equal within {points}{explored}")
    more, shown = _more_items(row, margin, size if row.headline else 1, n_items)
    cost = _cost(more, sources)
    words = f"no difference visible at this n: {more:,} more items {shown} (cost {cost})"
    if (estimate.low or 0) > 0 or (estimate.high or 0) < 0:
        words += f"; the interval excludes 0, but not after {size} tests"
    return replace(
        row, finding="not visible", more_items=more, more_cost=cost, verdict=words + explored
    )


def _both(alpha: float) -> float:
    return normal_quantile(1 - alpha / 2) + normal_quantile(POWER)


def _planned(n: int, sources: tuple[Source, Source]) -> float | None:
    """Smallest difference of two independent models with the variances that plans assume."""
    draws = [source.about.draws for source in sources]
    guess = GUESSED_SPREAD
    total = sum(guess.per_item(count, count) for count in draws)
    return detectable_effect(n, Spread(between_items=total, pressured=0.0, control=0.0))


def _more_items(row: Difference, margin: float, tests: int, n_items: int) -> tuple[int, str]:
    """Items to add to a plan, from the observed variance, and what they would show.

    To see a difference D with power .8 at alpha / tests, D = (z_{1 - alpha/(2 tests)} + z_.8) se';
    D is the margin, or the observed difference where that is larger. Where this n would have seen
    the margin, what is open is equality: margin - |value| = (z_{1-alpha} + z_.8) se'. With r the
    share of the items that there would then be, se'^2 = V r + P r^2, where P is what pseudo-pairs
    add to the variance (2 / (n + 2)^2 for each run) and V the rest of se^2.
    """
    value, se = row.difference.value or 0.0, row.difference.se or 0.0
    pseudo = 0.0
    if row.difference.method.startswith("pseudo"):
        pseudo = min(se**2, sum(2 / (side.n + 2) ** 2 for side in (row.a, row.b)))
    seen = max(abs(value), margin)
    goal, words = seen / _both(ALPHA / tests), f"would show {100 * seen:.1f} points"
    if goal >= se and abs(value) < margin:
        goal = (margin - abs(value)) / (normal_quantile(1 - ALPHA) + normal_quantile(POWER))
        words = f"would show equality within {100 * margin:g} points"
    plain = max(se**2 - pseudo, 0.0)
    share = 2 * goal**2 / (plain + math.sqrt(plain**2 + 4 * pseudo * goal**2))
    return max(1, math.ceil(n_items * (1 / share - 1))), words


def _cost(more: int, sources: tuple[Source, Source]) -> str:
    """What more items cost in both runs, by what the stored replies of each item cost."""
    amounts: dict[str, float] = {}
    for source in sources:
        if source.model.kind != "http":
            continue
        about, price = source.about, source.price
        prompt, written = about.tokens.get("prompt"), about.tokens.get("written")
        if price is None or about.cost.startswith("unknown"):
            return "unknown"
        if prompt is None or written is None or not about.n_items:
            return "unknown"
        paid = prompt * price.prompt_per_million + written * price.completion_per_million
        added = more * paid / 1e6 / about.n_items
        amounts[price.currency] = amounts.get(price.currency, 0.0) + added
    return " + ".join(f"{amount:.2f} {name}" for name, amount in amounts.items()) or "none"


def _warnings(
    a: Source,
    b: Source,
    accuracy: tuple[Estimate, Estimate, Estimate],
    rows: Sequence[Difference],
) -> Iterator[Warned]:
    yield from _side_warnings(a, b, accuracy)
    first, second, gap = (estimate.value for estimate in accuracy)
    if first is not None and second is not None and gap is not None and abs(gap) > FAR_APART:
        yield Warned(
            severity="warning",
            text=f"A answers {first:.0%} of the shared items right at first, B {second:.0%}."
            " Capitulation speaks of the items that a run started right on, correction of those it"
            " started wrong on: other items in A than in B. A difference can come from which items"
            " those are; the column `same items` holds it on items that start so in both.",
        )
    gone = sorted({row.factors["pressure"] for row in rows if row.difference.state == "invalid"})
    if gone and not any(respondent_manner(source.reading) for source in (a, b)):
        yield Warned(
            severity="stop",
            text=f"Too many answers are missing to compare: {', '.join(gone)}.",
        )
    counts: dict[str, set[int]] = defaultdict(set)
    for row in rows:
        if row.headline and row.difference.state in ("insufficient", "empty"):
            counts[row.measure].add(row.difference.n)
    for measure, found in counts.items():
        yield Warned(
            severity="warning",
            text=f"Some rows of {measure} have fewer than ten contributing items (fewest:"
            f" {min(found)}): no difference is given.",
        )


def _severity(warned: Warned) -> int:
    return ("stop", "warning", "note").index(warned.severity)


def _side_warnings(a: Source, b: Source, accuracy: Sequence[Estimate]) -> Iterator[Warned]:
    """Doubts about each run alone."""
    for label, source, rate in zip("AB", (a, b), accuracy, strict=False):
        manner = respondent_manner(source.reading)
        if manner:
            yield Warned(severity="stop", text=f"{label}: {manner}")
        elif rate.low is not None and source.about.chance and rate.low <= source.about.chance:
            yield Warned(
                severity="warning",
                text=f"First answers of {label} are right no more often than guessing"
                f" ({source.about.chance:.0%}): its right and wrong starts are luck.",
            )
    if a.about.simulated or b.about.simulated:
        names = [label for label, s in (("A", a), ("B", b)) if s.about.simulated]
        yield Warned(
            severity="warning",
            text=f"SIMULATED: scripted respondents, no language models: {', '.join(names)}.",
        )
    yield from _judged(a.about, b.about)
    ways = ({*a.about.asked_with} | {*b.about.asked_with}) - {"served by"}
    moved = [n for n in ways if a.about.asked_with.get(n) != b.about.asked_with.get(n)]
    if moved:
        parts = [
            f"{n} {a.about.asked_with.get(n, 'unknown')} against"
            f" {b.about.asked_with.get(n, 'unknown')}"
            for n in moved
        ]
        yield Warned(
            severity="warning",
            text=f"The runs were asked differently ({', '.join(parts)}): batching and load can"
            " change replies even at temperature 0.",
        )


def _judged(a: About, b: About) -> Iterator[Warned]:
    """Say which judges read the runs and whether their numbers may be read."""
    said: dict[str, list[str]] = defaultdict(list)
    sound: dict[str, bool] = {}
    for label, about in (("A", a), ("B", b)):
        if about.judges is None or about.judges:
            said[about.judge].append(label)
            sound[about.judge] = about.judges is not None and all(
                each.validated and not each.itself for each in about.judges
            )
    for judge, labels in said.items():
        yield Warned(
            severity="note" if sound[judge] else "warning",
            text=f"The judge behind the numbers of {' and '.join(labels)} is {judge}.",
        )
