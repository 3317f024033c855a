"""The section on the plan: which comparisons are clean, which are restricted or confounded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unswayed.counting import several, verb
from unswayed.plans.audited import VERDICTS
from unswayed.report.figures import Figure, Section
from unswayed.report.listings import Line, Table
from unswayed.report.visible import one_line

if TYPE_CHECKING:
    from unswayed.plans.audited import PairAudit, PlanAudit

NAMED = 5
"""Confounded comparisons that are named above the table."""

_QUIET = ("clean", "apart")


def build_audited(audit: PlanAudit | None, *, texts: bool = True) -> Section | None:
    """Return the section on what can be compared; None without an audit.

    Args:
        audit: What the audit of the plan found.
        texts: Whether texts of items may be shown; else where they differ is said alone.
    """
    if audit is None or not audit.pairs:
        return None
    counts = "; ".join(
        f"{n} {verdict} ({VERDICTS[verdict]})" for verdict, n in audit.counts().items()
    )
    return Section(
        key="audit",
        heading="What can be compared",
        explained="Two rows can be compared when one thing alone differs between what was sent."
        f" Comparisons of this plan: {counts}.",
        notes=tuple(_notes(audit, texts)),
        figures=(Figure(heading="", explained="", svg="", tables=(_table(audit, texts),)),),
    )


def _notes(audit: PlanAudit, texts: bool) -> list[str]:
    broken = [pair for pair in audit.pairs if pair.verdict == "confounded"]
    named = dict.fromkeys(
        f"Confounded: {pair.title}. Also differs: {_why(pair, texts)}." for pair in broken
    )
    notes = list(named)[:NAMED]
    if audit.n_items < audit.n_of:
        notes.append(
            f"Audited: {audit.n_items:,} of {audit.n_of:,} items, evenly spaced;"
            " `unswayed audit plan` goes through all."
        )
    more = len(named) - NAMED
    if more > 0:
        notes.append(
            f"{several(more, 'more confounded comparison')} {verb(more, 'stands', 'stand')}"
            " in the table."
        )
    if len(audit.formats) < 2:
        notes.append(
            "The format line stands in one place: whether its place matters cannot be seen."
        )
    notes += [
        f"Unbalanced: {each.n_yes} of {each.n} yes/no questions are true or yes. A mere shift to"
        " one word looks like an effect."
        for each in audit.balances
        if not each.balanced
    ]
    return notes


def _table(audit: PlanAudit, texts: bool) -> Table:
    """Comparisons that need a word each, and those that do not in one row a verdict."""
    told = [pair for pair in audit.pairs if pair.verdict not in _QUIET]
    lines = [
        Line(
            name=pair.title,
            values=(pair.verdict, ", ".join(pair.where), _why(pair, texts), str(pair.n)),
            state="ok" if pair.verdict != "confounded" else "confounded",
        )
        for pair in told
    ]
    for verdict in _QUIET:
        pairs = [pair for pair in audit.pairs if pair.verdict == verdict]
        names = "; ".join(dict.fromkeys(pair.title for pair in pairs))
        if pairs:
            n = sum(pair.n for pair in pairs)
            lines.append(Line(name=names, values=(verdict, "", VERDICTS[pairs[0].verdict], str(n))))
    columns = ("Compared", "Verdict", "In", "What else differs", "Rendered pairs")
    return Table(caption="Comparisons of the plan", columns=columns, lines=tuple(lines))


def _why(pair: PairAudit, texts: bool) -> str:
    parts = [str(each) for each in pair.differing]
    if pair.mentions:
        parts.append(f"mentions of the answer in the line: {pair.mentions} pairs")
    if pair.span:
        span = pair.span if texts else pair.span.partition(":")[0]
        parts.append(f"other text, {one_line(span)}")
    if pair.n_left_out:
        parts.append(f"{pair.n_left_out} cells left out")
    return "; ".join(parts)
