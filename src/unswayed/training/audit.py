"""The audit of a training set: balance, shortcuts, rows to add, leaks, lengths."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from unswayed.errors import GateError, StatisticsError
from unswayed.stats.estimate import Estimate, counts_only
from unswayed.training.adding import rows_to_add
from unswayed.training.balance import LEAST_SHARE, Finding, bounds, cell_counts, check_balance
from unswayed.training.cases import Case
from unswayed.training.leaks import check_leaks, licences
from unswayed.training.probe import Sample, probe
from unswayed.training.remedies import remedy
from unswayed.training.shortcuts import MARGIN, Shortcut, Verdict, judge, judged, policy_hits
from unswayed.training.unchecked import says_who_is_right, too_few, unchecked

MOST_GAP = 0.05
"""Largest mean log ratio of the lengths of chosen and rejected completions."""

LEAST = 10
"""Fewest families whose mean ratio of lengths is estimated."""

SAME = 1e-12
"""Half a width below which all ratios are the same but for rounding."""


SetVerdict = Literal["pass", "warn", "fail", "cannot answer"]
"""What is said of a whole set."""


class Advice(msgspec.Struct, frozen=True, kw_only=True):
    """Rows that would bring every policy of user and first answer to a limit."""

    limit: float
    """The most that such a policy may reach."""
    rows: dict[str, int]
    """Whole rows to add by cell."""
    total: float
    """Their sum before rounding."""
    note: str = ""
    """Why there is no answer, where there is none."""


class Audit(msgspec.Struct, frozen=True, kw_only=True):
    """What an audit found."""

    verdict: SetVerdict
    """The worst of all checks, `warn` at least where some could not be made, and `cannot answer`
    where no row says who is right; a set with one of the last two may not be exported."""
    n: int
    """Rows."""
    n_families: int
    """Families, the independent units."""
    shortcuts: tuple[Shortcut, ...]
    """What each trivial policy reaches."""
    findings: tuple[Finding, ...]
    """Balance and leaks."""
    advice: tuple[Advice, ...]
    """Rows to add; empty where the cells are balanced."""
    length_gap: Estimate
    """Mean log ratio of the lengths of chosen and rejected completions."""
    licences: dict[str, int]
    """Rows by licence."""
    notes: tuple[str, ...] = ()
    """What could not be checked."""

    def failures(self) -> tuple[str, ...]:
        """Return every failed check in words."""
        policies = [
            f"{each.policy} solves {100 * (each.share.k or 0.0) / each.share.n_rows:.1f} % of"
            f" {each.share.n_rows} rows (allowed {100 * each.limit:.1f} %)"
            + (f", by its {each.note}" if each.note else "")
            for each in self.shortcuts
            if each.verdict == "fail"
        ]
        checks = [
            f"{each.check}: {_number(each.value)}, allowed {each.allowed}"
            + (f" (rows {each.at_fault()})" if each.rows else "")
            for each in self.findings
            if each.verdict == "fail"
        ]
        return (*policies, *checks)

    def remedies(self) -> tuple[str, ...]:
        """Return what to do about every failed check, each once."""
        failed = [each.policy for each in self.shortcuts if each.verdict == "fail"]
        failed += [each.check for each in self.findings if each.verdict == "fail"]
        return tuple(dict.fromkeys(filter(None, map(remedy, failed))))


def _number(value: float | None) -> str:
    return "none" if value is None else f"{value:.3f}"


def audit(cases: Sequence[Case], *, margin: float = MARGIN) -> Audit:
    """Audit a training set.

    Args:
        cases: Its rows.
        margin: How far above chance a trivial policy may come.

    Raises:
        StatisticsError: When there are no rows, or the margin is not from 0 to below 0.5.
    """
    if not cases or not 0 <= margin < 0.5:
        raise StatisticsError(
            "A training set cannot be audited",
            allowed="at least one row, and a margin from 0 to below 0.5",
            given=f"{len(cases)} rows, margin {margin}",
            next_step="check the file and the option --margin",
        )
    hits = policy_hits(cases)
    samples = _samples(cases)
    policies = [*judged(hits, margin=margin), *_probes(samples, margin)]
    gap = length_gap(cases)
    findings = [*check_balance(cases), *_length(gap), *check_leaks(cases)]
    verdicts = {each.verdict for each in policies} | {each.verdict for each in findings}
    notes = (*unchecked(cases), *too_few(hits, _families(samples), gap))
    return Audit(
        verdict=_verdict(cases, verdicts, notes),
        n=len(cases),
        n_families=len({case.family for case in cases}),
        shortcuts=tuple(policies),
        findings=tuple(findings),
        advice=_advice(cases, margin),
        length_gap=gap,
        licences=licences(cases),
        notes=notes,
    )


def _verdict(cases: Sequence[Case], verdicts: set[Verdict], notes: Sequence[str]) -> SetVerdict:
    if "fail" in verdicts:
        return "fail"
    if not says_who_is_right(cases):
        return "cannot answer"
    return "warn" if "warn" in verdicts or notes else "pass"


def refuse_failing(found: Audit) -> None:
    """Stop on an audit that failed, or that could not say what the set teaches.

    Raises:
        GateError: Naming every failed check and the rows to add.
    """
    if found.verdict in ("pass", "warn"):
        return
    if found.verdict == "cannot answer":
        raise GateError(
            "No row of the training set says who is right, and nothing was written",
            allowed="rows with user_right, with a first answer, or with what is right",
            given="; ".join(found.notes),
            next_step="give one of these columns",
        )
    raise GateError(
        "The training set failed its audit, and nothing was written",
        allowed="no trivial policy above its limit, both directions in every cell, no leak",
        given="; ".join(found.failures()),
        next_step="; ".join(filter(None, (advice_words(found), *found.remedies()))),
    )


def advice_words(found: Audit) -> str:
    """Return the rows to add as a sentence; empty where there are none."""
    parts = [
        f"{count} rows with {cell} (limit {each.limit:g})"
        for each in found.advice
        for cell, count in each.rows.items()
    ]
    return f"add {'; '.join(parts)}" if parts else ""


def _samples(cases: Sequence[Case]) -> dict[str, list[Sample]]:
    """What each probe looks at: the line, the columns, or the words of a pair alone."""
    stance = [case for case in cases if case.user_right is not None]
    stood = [case for case in cases if case.kept is not None and case.line and not case.evidence]
    pairs = [case for case in cases if case.chosen and case.rejected and case.family_known]
    return {
        "probe of the line: is the user right": [
            _sample(case, case.line, bool(case.user_right)) for case in stance if case.line
        ],
        "probe of the columns: is the user right": [
            _sample(case, _columns(case), bool(case.user_right)) for case in stance
        ],
        "probe of the line: does the first answer stay": [
            _sample(case, case.line, bool(case.kept)) for case in stood
        ],
        "probe of the words of a pair": [_side(case) for case in pairs],
    }


def _families(samples: Mapping[str, Sequence[Sample]]) -> dict[str, int]:
    """Families of each probe that has samples of both kinds."""
    return {
        name: len({each.family for each in mine})
        for name, mine in samples.items()
        if len({each.label for each in mine}) > 1
    }


def _probes(samples: Mapping[str, Sequence[Sample]], margin: float) -> list[Shortcut]:
    """What a classifier tells from each set of samples."""
    found = []
    for name, mine in samples.items():
        probed = probe(mine)
        if probed is not None:
            note = f"words: {', '.join(probed.top)}" if probed.top else ""
            found.append(judge(name, probed.hits, margin=margin, note=note))
    return found


def _sample(case: Case, text: str, label: bool) -> Sample:
    return Sample(text=text, label=label, family=case.family)


def _columns(case: Case) -> str:
    columns = {"pressure": case.pressure, "kind": case.kind, "tone": case.tone}
    columns |= {"source": case.source, "order": case.order}
    return " ".join(f"{name}={value.replace(' ', '_')}" for name, value in columns.items())


def _side(case: Case) -> Sample:
    """A pair with its sides in an order that the row's id decides."""
    first = sum(map(ord, case.id)) % 2 == 0
    sides = (case.chosen, case.rejected) if first else (case.rejected, case.chosen)
    masked = [_without_answers(text, case) for text in sides]
    return Sample(text=masked[0], other=masked[1], label=first, family=case.family)


def _without_answers(text: str, case: Case) -> str:
    """Hide what the answers are, so that only how they are said is left.

    Where the wrong answer is not known nothing is hidden: one hidden side would give itself away.
    """
    known = {case.answer, case.wrong, *case.options} if case.wrong or case.options else set()
    for answer in sorted(known - {""}, key=lambda name: (-len(name), name)):
        text = text.replace(answer.rstrip("."), "[answer]")
    lines = [line for line in text.splitlines() if not line.startswith("Answer:")]
    return "\n".join(lines)


def length_gap(cases: Sequence[Case]) -> Estimate:
    """Estimate the mean log ratio of the lengths of chosen and rejected completions.

    mean of log(len chosen / len rejected), interval by t with standard errors clustered by family
    (Miller 2024, arXiv 2411.00640). Counts alone below `LEAST` families.

    Args:
        cases: The rows; those without a rejected completion are left out.
    """
    from unswayed.stats.quantiles import two_sided_t
    from unswayed.stats.rates import cluster_se

    pairs = [case for case in cases if case.chosen and case.rejected]
    families = [case.family for case in pairs]
    n = len(set(families))
    shell = counts_only(n, len(pairs))
    if n == 0:
        return shell
    if n < LEAST:
        return msgspec.structs.replace(
            shell, state="insufficient", note=f"{n} of at least {LEAST} families"
        )
    gaps = [math.log(len(case.chosen) / len(case.rejected)) for case in pairs]
    mean, se = sum(gaps) / len(gaps), cluster_se(gaps, families)
    half = two_sided_t(shell.level, n - 1) * se
    return msgspec.structs.replace(
        shell,
        value=mean,
        low=mean - half,
        high=mean + half,
        se=se,
        df=n - 1,
        method="clustered t",
        state="ok",
        note="every pair has the same ratio" if half < SAME else "",
    )


def _length(gap: Estimate) -> list[Finding]:
    if gap.value is None:
        return []
    return [
        Finding(
            check="mean log length ratio of chosen and rejected",
            verdict="pass" if abs(gap.value) <= MOST_GAP else "fail",
            value=gap.value,
            allowed=f"within {MOST_GAP} of 0",
            n=gap.n_rows,
        )
    ]


def _advice(cases: Sequence[Case], margin: float) -> tuple[Advice, ...]:
    counts = cell_counts(cases)
    if sum(counts.values()):
        limits = (0.5 + margin, 0.5)
        return tuple(each for limit in limits if (each := _by_cells(counts, limit)).total > 1e-6)
    known = [case.user_right for case in cases if case.user_right is not None]
    return tuple(each for limit in (0.5 + margin, 0.5) for each in _by_flag(known, limit))


def _by_cells(counts: dict[tuple[str, ...], int], limit: float) -> Advice:
    try:
        found = rows_to_add(counts, bounds(counts, limit), least_share=LEAST_SHARE)
    except StatisticsError as error:
        return Advice(limit=limit, rows={}, total=1.0, note=str(error))
    rows = {f"{', '.join(cell[:2])}, order {cell[2]}": n for cell, n in found.rounded.items()}
    return Advice(limit=limit, rows=rows, total=found.total)


def _by_flag(known: Sequence[bool], limit: float) -> list[Advice]:
    """Rows to add where only the user's being right is known: n (s / limit - 1)."""
    if not known:
        return []
    n, right = len(known), sum(known)
    found = []
    for name, hits in (("user right", n - right), ("user wrong", right)):
        total = max(0.0, hits / limit - n)
        if total > 1e-6:
            found.append(Advice(limit=limit, rows={name: math.ceil(total - 1e-6)}, total=total))
    return found
