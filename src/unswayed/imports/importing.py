"""From a log of another tool to answers, pairs and two numbers side by side."""

from __future__ import annotations

import hashlib
import shlex
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from unswayed import __version__
from unswayed.errors import RowError
from unswayed.imports.beside import (
    Beside,
    Difference,
    Final,
    Moved,
    beside,
    differences,
    moved,
    ours,
    scorers,
)
from unswayed.imports.formats import read_log
from unswayed.imports.logged import Log, Logged
from unswayed.imports.noted import control_notes, notes
from unswayed.imports.pairing import Reply, named_in, pair_controls, replies_of, stated_control
from unswayed.imports.pairs import profile_of, records_of, transitions
from unswayed.imports.pushing import card_of, several_pushes
from unswayed.imports.questions import Question, UnreadableError, question_of
from unswayed.imports.repeats import refuse_repeats
from unswayed.pressing.card import PressureCard
from unswayed.profiles.profile import About, Profile
from unswayed.readouts.answer import Answer
from unswayed.readouts.grade import grade
from unswayed.readouts.reading import readout_id
from unswayed.records import ArmCount, ReadingCount, ReadingCounter, Record
from unswayed.rows import read_bytes
from unswayed.stats.estimate import Estimate

CAVEAT = (
    "Imported from a log: lines and controls were chosen by whoever ran it, and controls were found"
    " by their text."
)
"""What stands beside every profile of an import."""

SHOWN_LINES = 3
"""The most lines that are named."""


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """What an import found: the numbers of both sides, and what is missing."""

    file: str
    """Name of the file."""
    sha256: str
    """Digest of its bytes."""
    format: str
    """The format that was found."""
    task: str
    """The log's own name of what was asked."""
    model: str
    """The log's own name of the model."""
    readout: str
    """The readout that read the replies, with its version; empty when there was nothing to read."""
    n: int
    """Conversations in the log."""
    n_samples: int
    """Different samples among them."""
    epochs: int
    """Most repeats of one sample."""
    n_failed: int
    """Conversations that the log says ended in an error: missing, never wrong."""
    unreadable: dict[str, int]
    """Conversations whose question no rule can read, by reason."""
    arms: tuple[ArmCount, ...]
    """How the replies of each role were read."""
    ours: Estimate
    """Our share of right final answers."""
    beside: tuple[Beside, ...]
    """Each scorer beside our reading."""
    n_differences: dict[str, int]
    """Conversations on which a scorer and our reading differ, by scorer."""
    n_pushed: int
    """Replies after a push."""
    n_paired: int
    """Those of them that have a control."""
    push_lines: dict[str, int]
    """What the user says after a first answer, and how often; the log calls none of it a push."""
    control_lines: dict[str, int]
    """What the user says in the controls, and how often."""
    control_notes: tuple[str, ...]
    """What controls do besides asking again, and so take off every number with them subtracted."""
    moved: tuple[Moved, ...]
    """Raw transitions after a push; no effect, for nothing is subtracted."""
    pressure: PressureCard | None
    """Score card of the user's pushes; None where no conversation holds several."""
    notes: tuple[str, ...]
    """What a reader of these numbers must know."""


class Imported(msgspec.Struct, frozen=True, kw_only=True):
    """A log that was read: its summary, and everything that is written."""

    summary: Summary
    """The numbers."""
    replies: tuple[Reply, ...]
    """All replies that our readouts can read."""
    answers: dict[str, Answer]
    """What was read in each, by the reply's id."""
    differences: tuple[Difference, ...]
    """Where a scorer and our reading do not say the same."""
    records: tuple[Record, ...]
    """Pressured replies with their controls."""
    profile: Profile | None
    """The ordinary profile; None without a single control."""


def import_log(
    path: Path,
    *,
    format_name: str | None = None,
    mapping: Mapping[str, str] | None = None,
    as_draws: bool = False,
) -> Imported:
    """Read a log of another tool with our readouts; nothing is written and no model is asked.

    Args:
        path: The log.
        format_name: The format, where it is not to be found out.
        mapping: Where a field stands in a sample, by a dotted path; `score` names one scorer.
        as_draws: Whether rows of chats that are the same in everything are draws, and no copies.

    Raises:
        RowError: When the log is broken, unfinished, or holds nothing that a rule can read.
        UsageError: When format or mapping are unknown.
    """
    places = dict(mapping or {})
    log = read_log(path, name=format_name, mapping=places, as_draws=as_draws)
    refuse_repeats(str(path), log)
    names = _chosen(path, log, places)
    replies, reasons = _replies(log, path.name)
    if not replies:
        raise RowError(
            f"{path} holds no question that a rule can read",
            allowed="options with a right one, a number, true or false, or a truth and a target",
            given="; ".join(f"{count} x {why}" for why, count in reasons.items()),
            next_step="say where truth, options or target stand, such as"
            " --map truth=metadata.answer",
        )
    answers = {
        reply.replay.id: Answer(
            replay_id=reply.replay.id,
            readout=readout_id(reply.question.readout),
            reading=reply.question.read(reply.completion),
        )
        for reply in replies
    }
    finals = _finals(log, replies, answers)
    records = tuple(records_of(replies, answers))
    reading = _count(replies, answers)
    found = tuple(each for name in names for each in differences(finals, name))
    pushed = [reply for reply in replies if reply.replay.arm == "pressured"]
    paired = [reply for reply in pushed if reply.replay.control_id]
    by_id = {reply.replay.id: reply for reply in replies}
    subtracted = [by_id[reply.replay.control_id].line for reply in paired]
    card = card_of(log, replies, path.name)
    summary = Summary(
        file=path.name,
        sha256=hashlib.sha256(read_bytes(path)).hexdigest(),
        format=log.format,
        task=log.task,
        model=log.model,
        readout=next(iter(answers.values())).readout,
        n=len(log.rows),
        n_samples=len({row.id for row in log.rows}),
        epochs=max(Counter(row.id for row in log.rows).values()),
        n_failed=sum(bool(row.error) for row in log.rows),
        unreadable=dict(reasons.most_common()),
        arms=reading.arms,
        ours=ours(finals),
        beside=tuple(beside(log, finals, name) for name in names),
        n_differences={name: sum(each.scorer == name for each in found) for name in names},
        n_pushed=len(pushed),
        n_paired=len(paired),
        push_lines=_common(reply.line for reply in pushed),
        control_lines=_common(subtracted),
        control_notes=tuple(control_notes(subtracted)),
        moved=tuple(moved(list(transitions(pushed, answers)))),
        pressure=card if several_pushes(card) else None,
        notes=tuple(notes(log, names, replies, len(paired))),
    )
    return Imported(
        summary=summary,
        replies=tuple(replies),
        answers=answers,
        differences=found,
        records=records,
        profile=_profile(summary, log, replies, records, reading) if records else None,
    )


def read_pushes(path: Path, *, mapping: Mapping[str, str] | None = None) -> PressureCard | None:
    """Score what the user of a log says after first answers; None where nobody goes on.

    Questions that no rule can read are no error here: their turns can state what they argue for.

    Raises:
        RowError: When the log or a message of it is broken.
        UsageError: When the mapping is unknown.
    """
    log = read_log(path, name=None, mapping=dict(mapping or {}))
    refuse_repeats(str(path), log)
    replies, _ = _replies(log, path.name)
    return card_of(log, replies, path.name)


def _chosen(path: Path, log: Log, mapping: Mapping[str, str]) -> tuple[str, ...]:
    names = scorers(log)
    wanted = mapping.get("score")
    if wanted is None:
        return names
    if wanted not in names:
        raise RowError(
            f"{path} has no scorer {wanted!r}",
            allowed=", ".join(map(repr, names)) or "none: nothing was scored",
            given=repr(wanted),
            next_step="choose one of these with --map score=NAME",
        )
    return (wanted,)


def _replies(log: Log, source: str) -> tuple[list[Reply], Counter[str]]:
    """Return the replies of all readable conversations, and why the others are not."""
    reasons: Counter[str] = Counter()
    asked: list[tuple[Logged, Question]] = []
    for row in log.rows:
        try:
            asked.append((row, question_of(row, source)))
        except UnreadableError as reason:
            reasons[str(reason)] += 1
    found: list[Reply] = []
    for row, question in _named(asked):
        found += stated_control(row, replies_of(row, question))
    return pair_controls(found), reasons


def _named(asked: Sequence[tuple[Logged, Question]]) -> Iterator[tuple[Logged, Question]]:
    """Name the wrong answer of each question: the only one that its conversations name, or its own.

    A conversation without a line has the target of its twins with one, so that both are one item.
    """
    claims = [named_in(row, question) for row, question in asked]
    by_item: dict[str, set[str]] = defaultdict(set)
    for (_, question), claim in zip(asked, claims, strict=True):
        if claim is not None:
            by_item[question.item.id].add(claim)
    for (row, question), claim in zip(asked, claims, strict=True):
        known = by_item[question.item.id]
        yield row, question.naming(next(iter(known)) if len(known) == 1 else claim)


def _finals(log: Log, replies: Sequence[Reply], answers: Mapping[str, Answer]) -> list[Final]:
    """Return how the reply that the scorers saw was read, for every conversation of the log."""
    last = {(reply.sample, reply.epoch): reply for reply in replies if reply.is_scored}
    return [_final(row, last.get((row.id, row.epoch)), answers) for row in log.rows]


def _final(row: Logged, reply: Reply | None, answers: Mapping[str, Answer]) -> Final:
    if reply is None:
        return Final(row=row, reason="the question cannot be read")
    reading, item = answers[reply.replay.id].reading, reply.question.item
    return Final(
        row=row,
        item=item.id,
        family=item.family,
        outcome=grade(reading, item),
        value=reading.value,
        reason=reading.reason or "",
    )


def _count(replies: Sequence[Reply], answers: Mapping[str, Answer]) -> ReadingCount:
    counter = ReadingCounter({reply.question.item.id: reply.question.item for reply in replies})
    for _ in counter.count((reply.replay, answers[reply.replay.id]) for reply in replies):
        pass
    return counter.counted()


def _common(lines: Iterable[str]) -> dict[str, int]:
    """Return the most common lines; an empty one stands in no turn of its own."""
    counted = Counter(line or "(no turn of its own)" for line in lines)
    return dict(counted.most_common(SHOWN_LINES))


def _profile(
    summary: Summary,
    log: Log,
    replies: Sequence[Reply],
    records: Sequence[Record],
    reading: ReadingCount,
) -> Profile:
    """Compute the ordinary profile of the pairs."""
    items = {reply.question.item.id: reply.question.item for reply in replies}
    about = About(
        command=f"unswayed import {shlex.quote(summary.file)}",
        model=summary.model or "an unnamed model",
        endpoint="",
        simulated=False,
        plan=summary.sha256[:32],
        item_set=summary.file,
        n_items=len(items),
        n_families=len({item.family for item in items.values()}),
        kinds=dict(Counter(item.kind for item in items.values())),
        draws=summary.epochs,
        controls=("deleted",),
        readout=summary.readout,
        sampling={},
        seed=0,
        started=log.started,
        finished=log.finished,
        version=__version__,
        n_replays=len(replies),
        n_asked=0,
        cost="unknown (imported)",
        tokens={},
        chance=reading.chance,
        caveat=" ".join(
            (CAVEAT, *(f"{note[:1].upper()}{note[1:]}." for note in summary.control_notes))
        ),
        judges=(),
        pressure="" if summary.pressure is None else summary.pressure.words(),
    )
    return profile_of(records, about, reading, items, summary.notes)
