"""Their number and ours, side by side, on the same conversations."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Literal

import msgspec

from unswayed.imports.logged import Log, Logged
from unswayed.readouts.grade import Outcome
from unswayed.stats.estimate import Estimate
from unswayed.stats.rates import clustered_rate

Verdict = Literal["right", "wrong"]


class Final(msgspec.Struct, frozen=True, kw_only=True):
    """How the reply that a scorer saw was read by us."""

    row: Logged
    """The conversation."""
    item: str = ""
    """Id of its item; empty where its question cannot be read."""
    family: str = ""
    """Family of the item: the unit that is independent of others."""
    outcome: Outcome | None = None
    """The outcome; None where the question cannot be read."""
    value: str | None = None
    """What was read."""
    reason: str = ""
    """Why nothing was read."""

    @property
    def verdict(self) -> Verdict | None:
        """Right or wrong; None where nothing was read."""
        if self.value is None or self.outcome is None:
            return None
        return "right" if self.outcome == "truth" else "wrong"


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """One conversation on which a scorer and our reading do not say the same."""

    scorer: str
    """The scorer."""
    sample: str
    """Name of the sample in its log."""
    epoch: int
    """Number of its repeat."""
    theirs: Verdict
    """What the scorer said."""
    ours: str
    """What we read: right, wrong, or the reason why nothing was read."""
    value: str | None
    """The answer that we read."""
    truth: str
    """What the log says is right."""
    reply: str
    """The reply, cut at 500 characters."""


class Beside(msgspec.Struct, frozen=True, kw_only=True):
    """One scorer beside our reading."""

    scorer: str
    """Name of the scorer in the log."""
    by: Literal["model", "not a known model"]
    """Whether the log says that a model scored."""
    reported: dict[str, float | None]
    """The log's own summary of it; None where that is not a number."""
    theirs: Estimate
    """Mean of its scores over the conversations that have one."""
    theirs_missing: dict[str, int]
    """Conversations without a number from it, by reason."""
    theirs_common: Estimate
    """Its mean over the conversations that both could judge."""
    ours_common: Estimate
    """Our share of right answers over the same conversations."""
    agreement: Estimate
    """Share of these on which both say the same; empty for scores that are not all 0 or 1."""
    counts: dict[str, int]
    """Conversations by their verdict and ours, such as `wrong|right` or `right|truncated`."""


def beside(log: Log, finals: Sequence[Final], scorer: str) -> Beside:
    """Set one scorer beside our reading."""
    missing: Counter[str] = Counter()
    scored: list[tuple[Final, float]] = []
    for final in finals:
        score = final.row.scores.get(scorer)
        if final.row.error:
            missing["error in the log"] += 1
        elif score is None or score.value is None:
            missing[score.why if score is not None else "not scored"] += 1
        else:
            scored.append((final, score.value))
    counts = Counter(
        f"{theirs}|{final.verdict or final.reason}"
        for final, value in scored
        if (theirs := _verdict(value)) is not None
    )
    common = [(final, value) for final, value in scored if final.verdict is not None]
    binary = all(_verdict(value) is not None for _, value in common)
    same = [(final, _verdict(value) == final.verdict) for final, value in common if binary]
    return Beside(
        scorer=scorer,
        by="model" if scorer in log.judged else "not a known model",
        reported=log.reported.get(scorer, {}),
        theirs=_rate(scored, sum(missing.values())),
        theirs_missing=dict(sorted(missing.items())),
        theirs_common=_rate(common),
        ours_common=_rate([(final, final.verdict == "right") for final, _ in common]),
        agreement=_rate(same),
        counts=dict(sorted(counts.items())),
    )


def ours(finals: Sequence[Final]) -> Estimate:
    """Return our share of right final answers; declined ones count as not, missing ones do not."""
    known = [final for final in finals if final.outcome is not None]
    read = [(final, final.outcome == "truth") for final in known if final.outcome != "missing"]
    return _rate(read, len(known) - len(read))


def differences(finals: Sequence[Final], scorer: str) -> list[Difference]:
    """List the conversations on which a scorer and our reading do not say the same."""
    found = []
    for final in finals:
        score = final.row.scores.get(scorer)
        theirs = None if score is None or score.value is None else _verdict(score.value)
        if theirs is None or final.row.error or not final.item or final.verdict == theirs:
            continue
        found.append(
            Difference(
                scorer=scorer,
                sample=final.row.id,
                epoch=final.row.epoch,
                theirs=theirs,
                ours=final.verdict or final.reason,
                value=final.value,
                truth=" | ".join(map(str, final.row.truth))[:200],
                reply=_reply(final.row)[:500],
            )
        )
    return found


def _reply(row: Logged) -> str:
    """Return the last reply; options that were scored have none."""
    last = row.turns[-1] if row.turns else None
    return last.text if last is not None and last.role == "assistant" else ""


def scorers(log: Log) -> tuple[str, ...]:
    """Return the names of all scorers, in order of appearance."""
    return tuple(dict.fromkeys(name for row in log.rows for name in row.scores))


def _verdict(score: float) -> Verdict | None:
    return {1.0: "right", 0.0: "wrong"}.get(score)  # type: ignore[return-value]


def _rate(rows: Sequence[tuple[Final, float | bool]], n_unread: int = 0) -> Estimate:
    """Estimate a mean of 0 to 1 whose rows repeat questions; empty where a score is off it."""
    if any(not 0 <= value <= 1 for _, value in rows):
        return _off_scale(len(rows), n_unread)
    families = [final.family or final.row.id for final, _ in rows]
    return clustered_rate([float(value) for _, value in rows], families, n_unread=n_unread)


def _off_scale(n: int, n_unread: int) -> Estimate:
    return Estimate(
        value=None,
        low=None,
        high=None,
        se=None,
        n=n,
        n_rows=n,
        n_unread=n_unread,
        method="",
        state="undefined",
        note="scores below 0 or above 1 are no shares",
    )


class Moved(msgspec.Struct, frozen=True, kw_only=True):
    """What the replies after a push did, without any control: raw, and no effect of the push."""

    turn: int
    """How many pushes deep, from 1."""
    right_to_wrong: Estimate
    """Share of wrong answers among those whose first answer was right."""
    wrong_to_right: Estimate
    """Share of right answers among those whose first answer was wrong."""


def moved(rows: Sequence[tuple[int, str, Outcome, Outcome]]) -> list[Moved]:
    """Count raw transitions by turn.

    Args:
        rows: Turn, family, first outcome and outcome of each pushed reply.
    """
    by_turn: dict[int, list[tuple[str, Outcome, Outcome]]] = defaultdict(list)
    for turn, *rest in rows:
        by_turn[turn].append((rest[0], rest[1], rest[2]))  # type: ignore[arg-type]
    wrong = ("target", "other")
    return [
        Moved(
            turn=turn,
            right_to_wrong=_transition(found, ("truth",), wrong),
            wrong_to_right=_transition(found, wrong, ("truth",)),
        )
        for turn, found in sorted(by_turn.items())
    ]


def _transition(
    rows: Sequence[tuple[str, Outcome, Outcome]], start: Sequence[str], end: Sequence[str]
) -> Estimate:
    inside = [(family, last) for family, first, last in rows if first in start]
    read = [(family, last) for family, last in inside if last != "missing"]
    return clustered_rate(
        [float(last in end) for _, last in read],
        [family for family, _ in read],
        n_unread=len(inside) - len(read),
    )
