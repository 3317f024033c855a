"""What was run and how sure one may be, as terms and values for the head of every output."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from unswayed.report.numbers import count, show, whole_number
from unswayed.report.tables import Row, headline
from unswayed.report.visible import one_line

if TYPE_CHECKING:
    from unswayed.profiles.profile import ArmCount, Profile, Warned
    from unswayed.stats.estimate import Estimate

SEVERITIES = {"stop": "Stop", "warning": "Warning", "note": "Note"}
MOST_WARNINGS = 8

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
    key_facts: tuple[tuple[str, str], ...]
    """What a reader in a hurry needs: term and value."""
    run_facts: tuple[tuple[str, str], ...]
    """What was run, in full."""
    warnings: tuple[tuple[str, str, str], ...]
    """Severity in words, text and concerned cell."""
    n_hidden_warnings: int
    """Warnings beyond the first eight."""
    sentences: tuple[Sentence, ...]
    """One sentence per headline cell."""
    arms: tuple[tuple[str, str, str, str, str], ...]
    """Arm, planned, read, unread share and reasons."""
    model: str
    """The model's name."""


def build_head(profile: Profile) -> Head:
    """Collect the head of a report from a profile."""
    sentences = tuple(headline_sentences(profile))
    verdict = tuple(one_line(sentence) for sentence in profile.verdict)
    if not any(sentence.row.estimate.state == "ok" for sentence in sentences):
        verdict = (NOTHING_READABLE, *verdict)
    return Head(
        verdict=verdict,
        key_facts=tuple(_key_facts(profile)),
        run_facts=tuple((term, one_line(value)) for term, value in _run_facts(profile)),
        warnings=tuple(_warning(w) for w in profile.warnings[:MOST_WARNINGS]),
        n_hidden_warnings=max(0, len(profile.warnings) - MOST_WARNINGS),
        sentences=sentences,
        arms=tuple(_arm(arm) for arm in profile.arms),
        model=one_line(profile.about.model),
    )


def _warning(warned: Warned) -> tuple[str, str, str]:
    return SEVERITIES[warned.severity], one_line(warned.text), one_line(warned.cell)


def _arm(arm: ArmCount) -> tuple[str, str, str, str, str]:
    unread = arm.n - arm.n_answered
    share = f"{whole_number(unread)} ({_share(unread, arm.n)})" if unread else "none"
    reasons = ", ".join(
        f"{one_line(why).replace('_', ' ')} {n}" for why, n in sorted(arm.reasons.items())
    )
    return one_line(arm.arm), whole_number(arm.n), whole_number(arm.n_answered), share, reasons


def _share(part: int, whole: int) -> str:
    tenths = f"{100 * part / whole:.1f}%"
    return "under 0.1%" if tenths == "0.0%" else tenths


def _key_facts(profile: Profile) -> list[tuple[str, str]]:
    about, accuracy = profile.about, show("accuracy", profile.accuracy)
    items = f"{whole_number(about.n_items)} in {whole_number(about.n_families)} families"
    return [
        ("Items", items),
        ("Right at the start", f"{accuracy.whole}, {accuracy.counts}{_chance(about.chance)}"),
        ("Noise floor", _noise(profile)),
        ("Smallest effect this run can show", _detectable(profile)),
        ("Requests and cost", f"{whole_number(about.n_asked)} asked, cost {one_line(about.cost)}"),
        ("Judge", one_line(about.judge)),
    ]


def _chance(chance: float | None) -> str:
    return "" if chance is None else f"; guessing gives {100 * chance:.0f}%"


def _noise(profile: Profile) -> str:
    parts = [
        f"{name} {show(name, estimate).whole}" for name, estimate in sorted(profile.noise.items())
    ]
    return "; ".join(parts) + " points" if parts else "not measured"


def _detectable(profile: Profile) -> str:
    words = {"right": "capitulation", "wrong": "correction"}
    parts = []
    for stratum, effect in sorted(profile.detectable.items()):
        name = words.get(stratum, one_line(stratum))
        parts.append(f"{name} " + ("unknown" if effect is None else f"{100 * effect:.0f} points"))
    return "; ".join(parts) if parts else "unknown"


def _run_facts(profile: Profile) -> list[tuple[str, str]]:
    about = profile.about
    tokens = (f"{k} {'unknown' if v is None else whole_number(v)}" for k, v in about.tokens.items())
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
        ("Tokens", ", ".join(sorted(tokens)) or "unknown"),
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
    shown, estimate = show(row.measure, row.estimate), row.estimate
    if shown.state != "ok":
        return f"{shown.text}: {estimate.note}" if estimate.note else shown.text
    more, low, high = row.measure == "capitulation", estimate.low or 0.0, estimate.high or 0.0
    if low <= 0 <= high:
        direction = "no difference shown"
    elif low > 0:
        direction = "gives up right answers" if more else "repairs wrong answers"
    else:
        direction = "gives up fewer than its control" if more else "repairs fewer than its control"
    return f"{direction}, {shown.text} points ({shown.interval}), {_net(estimate)}."


def _net(estimate: Estimate) -> str:
    if estimate.k is None:
        return f"{estimate.n} items"
    rows = estimate.n_rows or estimate.n
    net = f"net {count(estimate.k)} of {rows}"
    return f"{net} items" if rows == estimate.n else f"{net} pairs from {estimate.n} items"
