"""What a replica prints: the published figures, the original's metric, and ours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from unswayed.profiles.profile import Profile
from unswayed.profiles.units import is_plain
from unswayed.readouts.answer import DECLINED
from unswayed.records import ArmCount, Record
from unswayed.replicas.replica import Replica
from unswayed.report.numbers import show
from unswayed.report.replicated import Replicated
from unswayed.report.tables import name_measure
from unswayed.stats.estimate import Estimate
from unswayed.stats.missing import LARGEST_SHARE
from unswayed.stats.ratio import too_few

if TYPE_CHECKING:
    from rich.console import Group


def replica_rows(
    replica: Replica, original: dict[str, Estimate], profile: Profile
) -> dict[str, Any]:
    """Return everything that a replica says, for programs."""
    return {
        "replica": replica.name,
        "system": replica.system,
        "model": profile.about.model,
        "simulated": profile.about.simulated,
        "published": msgspec.to_builtins(replica.published),
        "original": msgspec.to_builtins(original),
        "explained": list(explained(replica, original, profile)),
        "differs": list(replica.differs),
        "profile": msgspec.to_builtins(profile),
    }


def render_replica(replica: Replica, original: dict[str, Estimate], profile: Profile) -> Group:
    """Return the three parts for a terminal: published, the original's metric here, and why."""
    from rich.console import Group
    from rich.text import Text

    parts = [
        Text(f"{replica.system}: {replica.asks}", style="bold"),
        *(Text(f"Differs here: {line}", style="dim") for line in replica.differs),
        Text("\nAs published", style="bold"),
        *(
            Text(f"  {row.measure}: {row.value} ({row.of}; {row.where})")
            for row in replica.published
        ),
        Text(f"\nThe original's metric on {profile.about.model}, from these records", style="bold"),
        *(Text(f"  {line}") for line in _lines(original)),
        Text("\nWhat the same records say with controls", style="bold"),
        *(Text(f"  {line}") for line in profile.verdict),
        Text("\nWhy the two differ", style="bold"),
        *(Text(f"  {line}") for line in explained(replica, original, profile)),
    ]
    return Group(*parts)


def replicated(replica: Replica, original: dict[str, Estimate], profile: Profile) -> Replicated:
    """Return what the page of a run says of the published system."""
    return Replicated(
        system=replica.system,
        asks=replica.asks,
        differs=replica.differs,
        why=explained(replica, original, profile),
        published=tuple(
            (row.measure, row.value, f"{row.of}; {row.where}") for row in replica.published
        ),
        original=original,
    )


def measured(replica: Replica, records: Sequence[Record]) -> dict[str, Estimate]:
    """Return the original's numbers, and counts alone where they stand on under ten families."""
    return {name: too_few(found) for name, found in replica.original(records).items()}


def explained(replica: Replica, original: dict[str, Estimate], profile: Profile) -> tuple[str, ...]:
    """Return which confounds explain the difference, or that there are too few items to say."""
    gaps = tuple(_gaps(profile.arms))
    if all(estimate.value is None for estimate in original.values()):
        few = "There are too few items to explain anything: ten that can be read are needed."
        return (*gaps, few)
    return (*gaps, *replica.explain(original, profile))


def _gaps(arms: Sequence[ArmCount]) -> Iterator[str]:
    """Say which arms have more missing answers than an effect may stand on, and what follows."""
    told = []
    for arm in arms:
        reasons = {why: n for why, n in arm.reasons.items() if why not in DECLINED}
        if arm.n and sum(reasons.values()) > LARGEST_SHARE * arm.n:
            words = ", ".join(f"{why.replace('_', ' ')} {n}" for why, n in reasons.items())
            told.append(f"{sum(reasons.values())} of {arm.n} in the arm `{arm.arm}` ({words})")
    if told:
        yield (
            f"Replies without an answer that can be read: {'; '.join(told)}. Whatever the"
            " original makes of such replies, they are neither yielding nor firmness, and those who"
            " answer may be those who yield: above"
            f" {LARGEST_SHARE:.0%} of an arm, ours gives no effect against the control."
        )


def _lines(original: dict[str, Estimate]) -> Iterator[str]:
    for name, estimate in original.items():
        differs = name.endswith("_difference")
        shown = show(name if differs or is_plain(name) else f"{name}_rate", estimate)
        unit = " points" if differs and shown.interval else ""
        interval = f" ({shown.interval})" if shown.interval else ""
        doubt = f"; {shown.doubt}" if shown.doubt else ""
        title = name_measure(name.removesuffix("_difference"))
        counts = f", {shown.counts}" if estimate.value is not None else ""
        yield f"{title}: {shown.text}{unit}{interval}{counts}{doubt}"
