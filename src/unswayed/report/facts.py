"""What was run and how sure one may be, as terms and values for the head of every output."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from unswayed.plans.words import name_setting
from unswayed.readouts.answer import DECLINED
from unswayed.report.numbers import count, show, whole_number
from unswayed.report.tables import Row, headline
from unswayed.report.visible import one_line
from unswayed.signs import equation

if TYPE_CHECKING:
    from unswayed.profiles.profile import ArmCount, Profile
    from unswayed.stats.estimate import Estimate

SEVERITIES = {"stop": "Stop", "warning": "Warning", "note": "Note"}
MOST_WARNINGS = 8
TOP_DOUBTS = 2
"""Doubts that stand beside the finding; the others follow below."""

_QUOTED = re.compile("`([^`]*)`")

ARMS = {
    "prior": "question without content",
    "first": "first answer",
    "line": "lines that do not push",
    "rerun": "control asked again",
}
"""Words for arms whose name does not say what they are."""

NOTHING_READABLE = (
    "No headline cell has a number that may be read. The counts below say what was seen; they "
    "support no conclusion."
)


class Sentence(msgspec.Struct, frozen=True, kw_only=True):
    """A headline cell in words."""

    name: str
    """The push; what it names is the heading of its group."""
    finding: str
    """Direction, estimate, interval and counts."""
    row: Row
    """The cell and measure behind it."""


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """The head of a report."""

    verdict: tuple[str, ...]
    """The finding, first sentence first."""
    doubts: tuple[tuple[str, str, str], ...]
    """The doubts that a reader in a hurry needs, as severity, text and concerned cell."""
    limits: str
    """What the run cannot show, in one line."""
    sizes: tuple[tuple[str, str], ...]
    """Items and accuracy: term and value."""
    key_facts: tuple[tuple[str, str], ...]
    """What else a reader needs beside the finding: term and value."""
    run_facts: tuple[tuple[str, str], ...]
    """What was run, in full."""
    warnings: tuple[tuple[str, str, str], ...]
    """Further warnings: severity in words, text and concerned cell."""
    n_hidden_warnings: int
    """Warnings beyond the first eight."""
    sentences: tuple[Sentence, ...]
    """One sentence per headline cell."""
    arms: tuple[tuple[str, ...], ...]
    """Arm, planned, read, declined, missing and reasons."""
    model: str
    """The model's name."""


def build_head(profile: Profile) -> Head:
    """Collect the head of a report from a profile."""
    sentences = tuple(headline_sentences(profile))
    caveat = profile.about.caveat
    verdict = tuple(one_line(sentence) for sentence in profile.verdict if sentence != caveat)
    readable = any(sentence.row.estimate.state == "ok" for sentence in sentences)
    asked_again = bool(sentences) or not profile.cells
    if is_graded(profile) and asked_again and not readable:
        verdict = (NOTHING_READABLE, *verdict)
    doubts, rest = _split_warnings(profile)
    room = MOST_WARNINGS - len(doubts)
    return Head(
        verdict=verdict,
        doubts=doubts,
        limits=_limits(profile),
        sizes=tuple(_sizes(profile)),
        key_facts=tuple(_key_facts(profile)),
        run_facts=tuple((term, one_line(value)) for term, value in _run_facts(profile)),
        warnings=rest[:room],
        n_hidden_warnings=max(0, len(rest) - room),
        sentences=sentences,
        arms=tuple(_arm(arm) for arm in profile.arms),
        model=one_line(profile.about.model),
    )


def _split_warnings(profile: Profile) -> tuple[tuple[tuple[str, str, str], ...], ...]:
    """Return the most important doubts, the model's caveat among them, and the other warnings.

    The page says SIMULATED in a place of its own, so that the warning is not repeated.
    """
    from unswayed.profiles.tables import cell_id

    about = profile.about
    words = {cell_id(cell.factors): name_setting(cell.factors) for cell in profile.cells}
    listed = [
        (
            SEVERITIES[w.severity],
            _QUOTED.sub("\u201c\\1\u201d", one_line(w.text)),
            one_line(words.get(w.cell, w.cell)),
        )
        for w in profile.warnings
        if not (about.simulated and w.text.startswith("SIMULATED"))
    ]
    if about.caveat:
        place = sum(severity == "Stop" for severity, *_ in listed)
        listed.insert(place, ("About this model", one_line(about.caveat), ""))
    return tuple(listed[:TOP_DOUBTS]), tuple(listed[TOP_DOUBTS:])


def _limits(profile: Profile) -> str:
    """Say what this run cannot show, whatever its numbers are."""
    cells = [cell.factors for cell in profile.cells if cell.table == "pressure"]
    turns = max((int(t) for f in cells if (t := f.get("turn", "")).isdecimal()), default=1)
    pushes = "one push" if turns == 1 else f"{turns} pushes"
    text = (
        "what the model does on questions unlike these, after more than "
        f"{pushes}, or with real users; nor why it moves."
    )
    if is_graded(profile) and all(f.get("pressure") != "mention" for f in cells):
        text += " Nor whether it copies any answer it reads: no line here merely mentions one."
    return text


def _arm(arm: ArmCount) -> tuple[str, ...]:
    declined = sum(n for reason, n in arm.reasons.items() if reason in DECLINED)
    missing = arm.n - arm.n_answered - declined
    reasons = ", ".join(
        f"{one_line(why).replace('_', ' ')} {n}" for why, n in sorted(arm.reasons.items())
    )
    return (
        ARMS.get(arm.arm, one_line(arm.arm)),
        whole_number(arm.n),
        whole_number(arm.n_answered),
        _part(declined, arm.n),
        _part(missing, arm.n),
        reasons,
    )


def _part(part: int, whole: int) -> str:
    if not part or not whole:
        return "none"
    tenths = f"{100 * part / whole:.1f}%"
    return f"{whole_number(part)} ({'under 0.1%' if tenths == '0.0%' else tenths})"


def say_unread(head: Head) -> str:
    """Say in one line how many answers each arm declined or lacks."""
    parts = [
        f"{arm} {' and '.join(words)} of {n}"
        for arm, n, _, declined, missing, _ in head.arms
        if (
            words := [
                f"{share} {name}"
                for share, name in ((declined, "declined"), (missing, "missing"))
                if share != "none"
            ]
        )
    ]
    return "; ".join(parts) if parts else "none in any arm"


def is_graded(profile: Profile) -> bool:
    """Say whether an answer is right: where none is, nothing starts right or wrong."""
    from unswayed.profiles.sections import section_of

    section = section_of(profile.about.section)
    return section is None or section.graded


def _sizes(profile: Profile) -> list[tuple[str, str]]:
    about, accuracy = profile.about, show("accuracy", profile.accuracy)
    n, families = whole_number(about.n_items), whole_number(about.n_families)
    items = f"{n}, each its own family" if n == families else f"{n} in {families} families"
    start = f"{accuracy.whole}, {accuracy.counts}{_chance(about.chance)}"
    return [("Questions", items), *([("Right at the start", start)] if is_graded(profile) else [])]


def _key_facts(profile: Profile) -> list[tuple[str, str]]:
    about = profile.about
    # Both are about right answers given up or repaired: where none is right there is neither.
    of_right_answers = [
        ("Noise floor", _noise(profile)),
        ("Smallest visible effect", _detectable(profile)),
    ]
    return [
        *(of_right_answers if is_graded(profile) else []),
        ("Requests and cost", f"{whole_number(about.n_asked)} asked, cost {one_line(about.cost)}"),
        ("Judge", one_line(about.judge)),
        *([("Source of pressure", one_line(about.pressure))] if about.pressure else []),
    ]


def _chance(chance: float | None) -> str:
    return "" if chance is None else f"; guessing gives {100 * chance:.0f}%"


def _noise(profile: Profile) -> str:
    parts = [
        f"{name} {show(name, estimate).whole}" for name, estimate in sorted(profile.noise.items())
    ]
    return f"control asked twice: {'; '.join(parts)} points" if parts else "not measured"


def _detectable(profile: Profile) -> str:
    words = {"right": "capitulation", "wrong": "correction"}
    parts = []
    for stratum, effect in sorted(profile.detectable.items()):
        name = words.get(stratum, one_line(stratum))
        parts.append(f"{name} " + ("unknown" if effect is None else f"{100 * effect:.0f} points"))
    return "; ".join(parts) if parts else "unknown"


def _run_facts(profile: Profile) -> list[tuple[str, str]]:
    about = profile.about
    counts = sorted(about.tokens.items())
    tokens = [f"{k} {'unknown' if v is None else whole_number(v)}" for k, v in counts]
    prompt, cached = about.tokens.get("prompt"), about.tokens.get("cached")
    if prompt and cached is not None:
        tokens.append(f"that is {cached / prompt:.0%} of the prompt from the server's cache")
    return [
        ("Command", about.command),
        ("Model", about.model + (" (a script: SIMULATED)" if about.simulated else "")),
        ("Endpoint", about.endpoint or "inside this process"),
        ("Item set", about.item_set),
        ("Kinds of item", ", ".join(f"{k} {n}" for k, n in sorted(about.kinds.items()))),
        ("Draws per arm", str(about.draws)),
        ("Controls", ", ".join(about.controls)),
        ("Readout", about.readout),
        ("Sampling", ", ".join(f"{k} {v}" for k, v in sorted(about.sampling.items()))),
        ("Replays in the plan", whole_number(about.n_replays)),
        ("Tokens", ", ".join(tokens) or "unknown"),
        ("Plan", about.plan),
        ("Seed", str(about.seed)),
        ("Started", about.started),
        ("Finished", about.finished),
        ("Unswayed", f"version {about.version}"),
    ]


def headline_sentences(profile: Profile) -> list[Sentence]:
    """Return one sentence per headline cell: direction, estimate, interval and counts."""
    return [
        Sentence(
            name=", ".join(x for x in (row.label, row.detail) if x), finding=_finding(row), row=row
        )
        for measure in ("capitulation", "correction")
        for row in headline(profile, measure)
    ]


def _finding(row: Row) -> str:
    shown, estimate = row.shown, row.estimate
    if shown.state != "ok":
        return f"{shown.text}: {estimate.note}" if estimate.note else shown.text
    more, low, high = row.measure == "capitulation", estimate.low or 0.0, estimate.high or 0.0
    if low <= 0 <= high:
        direction = "no difference shown"
    elif low > 0:
        direction = "gives up right answers" if more else "repairs wrong answers"
    else:
        direction = "gives up fewer than its control" if more else "repairs fewer than its control"
    certain = f", {equation(shown.p)}" if shown.p else ""
    return f"{direction}, {shown.text} points ({shown.interval}){certain}, {_net(estimate)}."


def _net(estimate: Estimate) -> str:
    if estimate.k is None:
        return f"{estimate.n} items"
    rows = estimate.n_rows or estimate.n
    net = f"net {count(estimate.k)} of {rows}"
    return f"{net} items" if rows == estimate.n else f"{net} pairs from {estimate.n} items"
