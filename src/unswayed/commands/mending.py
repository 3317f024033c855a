"""Repaired preference sets, written with what the repair has moved."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from unswayed.commands.view import say
from unswayed.errors import GateError

if TYPE_CHECKING:
    from unswayed.preferences.audit import PreferenceAudit
    from unswayed.preferences.pair import PreferenceSet
    from unswayed.preferences.repairs import Change, Repair
    from unswayed.stats.estimate import Estimate


def mend(found: PreferenceSet, before: PreferenceAudit, how: Repair, path: Path) -> None:
    """Write a repaired set, unless it would be contrarian, and say what it moved.

    Args:
        found: The set as it was read.
        before: Its audit.
        how: The repair.
        path: Where the repaired set is written.
    """
    from unswayed.preferences.audit import audit_preferences
    from unswayed.preferences.repairs import changes, refuse_contrarian, repair, write_pairs

    repaired = repair(found, how)
    after = audit_preferences(repaired)
    refuse_contrarian(before, after)
    count = write_pairs(path, repaired.pairs)
    say(f"{path}: {count:,} pairs after {how}, audit: {after.verdict} ({after.finding})")
    for change in changes(before, after):
        say(f"  {_change(change)}")


def write_weights(found: PreferenceSet, path: Path) -> None:
    """Write a set with weights, and say what they move.

    Args:
        found: The set as it was read.
        path: Where it is written.

    Raises:
        GateError: When one kind of users is not there.
    """
    from unswayed.preferences.weighing import weigh, weighted_changes, write_weighted

    weighting = weigh(found.pairs)
    if weighting is None:
        raise GateError(
            "There is no weight to compute, and nothing was written",
            allowed="mixed pairs of users known to be wrong and of users known to be right",
            given="mixed pairs of one kind, or of none",
            next_step="add the column user_right",
        )
    count = write_weighted(path, found.pairs, weighting)
    side = "right" if weighting.user_right else "wrong"
    reached = "" if weighting.reached else "; an acquiescence of .5 cannot be reached so"
    say(
        f"{path}: {count:,} pairs, of which {weighting.n:,} that pay for the wrong thing with the"
        f" user {side} have weight {weighting.weight:.3f}{reached}"
    )
    for change in weighted_changes(found.pairs, weighting):
        say(f"  {_change(change)}")


def _change(change: Change) -> str:
    return f"{change.name}: {share(change.before)} before, {share(change.after)} after"


def share(estimate: Estimate, unit: str = "prompts") -> str:
    """Return an estimate in percent with its interval and counts, or why there is none.

    Args:
        estimate: The estimate.
        unit: What its n counts.
    """
    value, low, high = estimate.value, estimate.low, estimate.high
    if value is None or low is None or high is None:
        return f"none ({estimate.note or estimate.state}), n {estimate.n:,}"
    of = f"{estimate.n_rows:,} pairs of " if estimate.n_rows != estimate.n else ""
    return f"{100 * value:.1f} % [{100 * low:.1f}, {100 * high:.1f}], {of}{estimate.n:,} {unit}"
