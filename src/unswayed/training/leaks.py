"""What must never be exported: canaries, evaluation texts, forbidden sources, mixed splits."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

from unswayed.items.item import canonical
from unswayed.items.withheld import is_withheld
from unswayed.training.balance import Finding
from unswayed.training.cases import Case
from unswayed.training.evaluation import (
    ITEM_WINDOW,
    WINDOW,
    folded,
    line_texts,
    line_windows,
    question_windows,
    questions,
    shared_texts,
    windows,
    written_questions,
)
from unswayed.training.near import near_pairs
from unswayed.training.shortcuts import Verdict

CANARY = "unswayed training set, not for evaluation; GUID 7d1c52be-" + "40f3-4b8e-9a61-c0e5a1f77d20"
"""The string that cards of our sets carry, stored in two parts so that this file holds none."""

MOST_SHOWN = 20
"""Row ids that a finding names."""

_GUID = re.compile(
    r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|canary\W+(guid|string)",
    re.IGNORECASE,
)
_FORBIDDEN = re.compile(r"\b(nd|noderivatives|no licence|no license|unlicensed|none)\b", re.I)
_UNSTATED = ("", "not stated", "unknown")
_LIMITED = re.compile(r"\b(nc|sa|noncommercial|gpl[\w.-]*)\b|-nc|-sa", re.IGNORECASE)

Rows = tuple[str, ...]


def check_leaks(cases: Sequence[Case]) -> tuple[Finding, ...]:
    """Return the checks that stop an export; each names the rows at fault."""
    checks: tuple[tuple[str, str, Verdict, Callable[[Sequence[Case]], Iterator[str]]], ...] = (
        ("canary in a row", "none", "fail", _canaries),
        ("source for evaluation only", "none", "fail", _evaluation_only),
        ("licence forbids changed copies, or says that there is none", "none", "fail", _forbidden),
        ("no licence stated", "none", "warn", _unlicensed),
        ("licence with conditions (NC, SA)", "named on the card", "warn", _limited),
        ("family in two splits", "none", "fail", _mixed_families),
        ("same prompt in two splits", "none", "fail", _mixed_prompts),
        ("nearly the same question in two splits", "none", "warn", _near_splits),
        ("question of an evaluation", "none", "fail", _asked),
        ("nearly a question of an evaluation", "none", "fail", _nearly_asked),
        ("line of an evaluation", "none", "fail", _said),
        ("the same row twice", "none", "fail", _repeated),
        ("the same prompt with two right answers", "none", "fail", _conflicting),
        ("chosen equals rejected", "none", "fail", _identical),
    )
    found = []
    item_of = {case.id: case.item for case in cases}
    for name, allowed, severity, rule in checks:
        rows = sorted(set(rule(cases)))
        shown = tuple(rows[:MOST_SHOWN])
        found.append(
            Finding(
                check=name,
                verdict=severity if rows else "pass",
                value=len(rows) / len(cases) if cases else None,
                allowed=allowed,
                n=len(rows),
                rows=shown,
                items=tuple(item_of[row] for row in shown),
            )
        )
    return tuple(found)


def _canaries(cases: Sequence[Case]) -> Iterator[str]:
    return (case.id for case in cases if _GUID.search(case.text))


def _evaluation_only(cases: Sequence[Case]) -> Iterator[str]:
    return (case.id for case in cases if case.evaluation_only or is_withheld(case.source))


def _forbidden(cases: Sequence[Case]) -> Iterator[str]:
    return (case.id for case in cases if case.licence and _FORBIDDEN.search(case.licence))


def _unlicensed(cases: Sequence[Case]) -> Iterator[str]:
    return (case.id for case in cases if canonical(case.licence) in _UNSTATED)


def _limited(cases: Sequence[Case]) -> Iterator[str]:
    return (case.id for case in cases if _LIMITED.search(case.licence))


def _mixed_families(cases: Sequence[Case]) -> Iterator[str]:
    return _mixed(cases, lambda case: case.family)


def _mixed_prompts(cases: Sequence[Case]) -> Iterator[str]:
    return _mixed(cases, lambda case: folded(case.prompt))


def _mixed(cases: Sequence[Case], key: Callable[[Case], str]) -> Iterator[str]:
    splits: dict[str, set[str]] = defaultdict(set)
    for case in cases:
        if case.split and key(case):
            splits[key(case)].add(case.split)
    return (case.id for case in cases if len(splits[key(case)]) > 1)


def _near_splits(cases: Sequence[Case]) -> Iterator[str]:
    """Rows of two families whose questions share four fifths of their runs of words."""
    split = [case for case in cases if case.split]
    for one, other, _ in near_pairs([_question(case) for case in split]):
        first, second = split[one], split[other]
        if first.split != second.split and first.family != second.family:
            yield from (first.id, second.id)


def _nearly_asked(cases: Sequence[Case]) -> Iterator[str]:
    """Rows whose question is a written built-in question but for a few words."""
    written = written_questions()
    asked = {folded(text) for text in written}
    texts = [*written, *(_question(case) for case in cases)]
    near = {other for one, other, _ in near_pairs(texts) if one < len(written) <= other}
    found = {folded(texts[place]) for place in near} - asked
    return (case.id for case in cases if folded(_question(case)) in found)


def _question(case: Case) -> str:
    return case.question or _bare(case.prompt)


def _asked(cases: Sequence[Case]) -> Iterator[str]:
    """Rows that ask a built-in question, or share a long run of words with a written one."""
    asked, runs = questions(), question_windows()
    whole = {folded(question) for question in asked}
    for case in cases:
        known = canonical(case.question) in asked or folded(case.question) in whole
        if known or any(run in runs for run in windows(_bare(case.prompt), ITEM_WINDOW)):
            yield case.id


def _said(cases: Sequence[Case]) -> Iterator[str]:
    """Rows in which the user says an evaluation's line."""
    texts, runs = set(line_texts()), line_windows()
    for case in cases:
        lines = [case.line] if case.line else _bare(case.prompt).splitlines()
        if any(folded(line) in texts for line in lines) or any(
            run in runs for line in lines for run in windows(line, WINDOW)
        ):
            yield case.id


def _bare(prompt: str) -> str:
    for text in shared_texts():
        prompt = prompt.replace(text, " ")
    return prompt


def _repeated(cases: Sequence[Case]) -> Iterator[str]:
    seen: set[tuple[str, str, str]] = set()
    for case in cases:
        key = (folded(case.prompt), case.chosen, case.rejected)
        if key in seen:
            yield case.id
        seen.add(key)


def _conflicting(cases: Sequence[Case]) -> Iterator[str]:
    answers: dict[str, set[str]] = defaultdict(set)
    for case in cases:
        if case.answer:
            answers[folded(case.prompt)].add(canonical(case.answer))
    return (case.id for case in cases if len(answers[folded(case.prompt)]) > 1)


def _identical(cases: Sequence[Case]) -> Iterator[str]:
    return (case.id for case in cases if case.chosen and case.chosen == case.rejected)


def licences(cases: Sequence[Case]) -> dict[str, int]:
    """Return the number of rows by licence."""
    counts: dict[str, int] = {}
    for case in cases:
        name = case.licence or _UNSTATED[1]
        counts[name] = counts.get(name, 0) + 1
    return dict(sorted(counts.items()))
