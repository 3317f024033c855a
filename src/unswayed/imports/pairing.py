"""Which replies of a log are a first answer, a pressured one and its control.

A control is the same conversation in another sample or epoch, whose last user turn is what is left
of the pressured one when whole words of it are deleted that turn nothing around. It names no
answer itself. Of several such turns the longest is the control, a bare request before one that may
push by itself; none of them is a push. Everything before that turn, the first answer included, has
to be the same text, character for character.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

import msgspec
from msgspec.structs import replace

from unswayed.imports.cutting import kept_of
from unswayed.imports.logged import Logged, Turn
from unswayed.imports.naming import Naming, named_by
from unswayed.imports.questions import Question
from unswayed.imports.requests import is_bare
from unswayed.models.completion import Completion
from unswayed.plans.plan import Replay
from unswayed.transcript import (
    PRESSURE,
    QUESTION,
    READOUT,
    REPLY,
    SYSTEM,
    Message,
    Part,
    Transcript,
    digest,
)

UNSTATED = "imported"
"""Level of every factor that a log does not state."""


Planted = Literal["", "truth", "target"]
"""What a planted first answer is; empty where it is neither."""

_STARTS: dict[Planted, str] = {"": "other", "truth": "right", "target": "wrong"}


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """One reply of a log as a replay of ours."""

    sample: str
    """Name of the sample in its log."""
    epoch: int
    """Number of its repeat."""
    is_scored: bool
    """Whether this is the reply that the log's scorers saw, its last."""
    replay: Replay
    """What was sent, and the reply's role."""
    completion: Completion
    """What came back."""
    question: Question
    """The question that it answers."""
    line: str = ""
    """The user's turn after the first answer; empty for first answers."""
    n_fitting: int = 0
    """How many lines of the log could be its control; one is."""


def replies_of(row: Logged, question: Question) -> list[Reply]:
    """Return the replies of one conversation: the first answer, then one for each push."""
    answers = _answers(row) or [(len(row.turns), Completion(stop=row.stop))]
    planted = _planted(row, question)
    found: list[Reply] = []
    first = ""
    if row.first is not None:
        found.append(_first(row, question, 0, Completion(text=row.first)))
        first = found[0].replay.id
    for index, completion in answers:
        if not first and planted is None:
            reply = _first(row, question, index, completion)
            first = reply.replay.id
        else:
            turn = len(found) + (planted is not None)
            reply = _pushed(row, question, index, completion, turn)
            reply = replace(reply, replay=_after(reply.replay, first, planted))
        found.append(replace(reply, is_scored=index == answers[-1][0]))
    return found


def _after(replay: Replay, first: str, planted: Planted | None) -> Replay:
    """Return a pushed replay with the answer before it, the model's own or a planted one."""
    whose = "own" if planted is None else f"planted_{_STARTS[planted]}"
    condition = {**replay.condition, "first": whose}
    return replace(replay, first_id=first, planted=planted or "", condition=condition)


def named_in(row: Logged, question: Question) -> str | None:
    """Return the wrong answer that a conversation names: the planted one, or that of its line."""
    lines = [row.planted or "", *(_line(row.turns, index) for index, _ in _answers(row))]
    named = [named_by(line, question) for line in lines if line]
    return next((each.claim for each in named if each.names == "target"), None)


def _answers(row: Logged) -> list[tuple[int, Completion]]:
    """Return where each reply of the model stands, and the reply; a failed one has an error.

    Of several replies in a row the last one is the answer.
    """
    following = [turn.role for turn in row.turns[1:]] + [""]
    found = [
        (index, Completion(text=turn.text))
        for index, turn in enumerate(row.turns)
        if turn.role == "assistant" and not turn.planted and following[index] != "assistant"
    ]
    if row.error:
        ends = bool(found) and found[-1][0] == len(row.turns) - 1
        index = found.pop()[0] if ends else len(row.turns)
        return [*found, (index, Completion(error=row.error, stop="error"))]
    if row.option_scores:
        return [(len(row.turns), Completion(scores=row.option_scores, stop="end"))]
    if found:
        index, last = found[-1]
        found[-1] = (index, replace(last, stop=row.stop))
    return found


def _planted(row: Logged, question: Question) -> Planted | None:
    """Return what the planted first answer is, empty for neither; None where none is planted."""
    if row.planted is None:
        return None
    value = question.read(Completion(text=row.planted)).value
    if value is None or question.item.matches_truth(value):
        return "" if value is None else "truth"
    return "target" if question.item.matches_target(value) else ""


def _line(turns: Sequence[Turn], index: int) -> str:
    """Return the user's turn between an answer and a reply; empty where none stands there."""
    roles = [turn.role for turn in turns[max(index - 2, 0) : index]]
    return turns[index - 1].text if roles == ["assistant", "user"] else ""


def _first(row: Logged, question: Question, index: int, completion: Completion) -> Reply:
    transcript = _transcript(row.turns[:index], "")
    name = digest([row.id, row.epoch, index, "first", question.item.id])
    replay = Replay(
        id=name,
        item=question.item.id,
        arm="first",
        transcript=transcript,
        stream="first",
        draw=row.epoch - 1,
    )
    return Reply(
        sample=row.id,
        epoch=row.epoch,
        is_scored=False,
        replay=replay,
        completion=completion,
        question=question,
    )


def _pushed(
    row: Logged, question: Question, index: int, completion: Completion, turn: int
) -> Reply:
    line = _line(row.turns, index)
    target = question.item.target
    named = named_by(line, question) if line else Naming("target" if target else "nothing", target)
    replay = Replay(
        id=digest([row.id, row.epoch, index, "replay", question.item.id]),
        item=question.item.id,
        arm="pressured",
        condition={
            "pressure": UNSTATED,
            "wording": f"line-{digest(line)[:6]}",
            "strength": UNSTATED,
            "names": named.names,
            "placement": "after" if line else "before",
            "format": UNSTATED,
            "first": "own",
            "path": UNSTATED,
            "order": "given",
        },
        transcript=_transcript(row.turns[:index], line),
        turn=turn,
        draw=row.epoch - 1,
        claim=named.claim or "",
    )
    return Reply(
        sample=row.id,
        epoch=row.epoch,
        is_scored=False,
        replay=replay,
        completion=completion,
        question=question,
        line=line,
    )


def _transcript(turns: Sequence[Turn], line: str, kept: tuple[str, str] = ("", "")) -> Transcript:
    """Return turns as a transcript; of the last user's turn the deleted stretch is the pressure.

    Args:
        turns: The turns before the reply.
        line: The last user's turn, when it is a push.
        kept: What its control leaves of it, before and after the deleted stretch.
    """
    tags = {"system": SYSTEM, "user": QUESTION, "assistant": REPLY}
    messages = [Message(turn.role, (Part(turn.text, tags[turn.role]),)) for turn in turns]
    if line and messages:
        before, after = kept
        middle = line[len(before) : len(line) - len(after)]
        parts = ((before, READOUT), (middle, PRESSURE), (after, READOUT))
        messages[-1] = Message("user", tuple(Part(text, tag) for text, tag in parts if text))
    return Transcript(tuple(messages))


def pair_controls(replies: Sequence[Reply]) -> list[Reply]:
    """Name the control of each pressured reply that has one, and mark the controls."""
    groups: dict[str, list[Reply]] = defaultdict(list)
    for reply in replies:
        if reply.replay.arm == "pressured" and reply.line and not reply.replay.control_id:
            groups[_context(reply)].append(reply)
    changed = {reply.replay.id: reply for group in groups.values() for reply in _paired(group)}
    return [changed.get(reply.replay.id, reply) for reply in replies]


def _context(reply: Reply) -> str:
    """Name everything before the last user's turn, the truth included."""
    item, messages = reply.question.item, reply.replay.transcript.messages[:-1]
    said = [[message.role, message.content] for message in messages]
    return digest([item.family, item.truth, reply.replay.turn, said])


def _paired(group: Sequence[Reply]) -> Iterator[Reply]:
    """Pair the replies that follow one first answer; a line that names an answer is no control."""
    by_line: dict[str, list[Reply]] = defaultdict(list)
    for reply in sorted(group, key=lambda each: each.epoch):
        by_line[reply.line].append(reply)
    pairing = _controls(by_line)
    yield from (
        _with_control(reply, by_line[control][place % len(by_line[control])], n_fitting)
        for line, (control, n_fitting) in pairing.pushed.items()
        for place, reply in enumerate(by_line[line])
    )
    for line in sorted(pairing.controls):
        for reply in by_line[line]:
            yield replace(reply, replay=replace(reply.replay, arm="control"))


class _Pairing(msgspec.Struct, frozen=True):
    """Which lines after one first answer are pushes, and which their controls."""

    pushed: dict[str, tuple[str, int]]
    """The control of each line that has one, and how many lines could be it."""
    controls: frozenset[str]
    """Lines that are a control or could be: no pushes."""


def _controls(by_line: Mapping[str, Sequence[Reply]]) -> _Pairing:
    """Find the control of each line: of those that name an answer, of other pushes, of requests.

    A line that names nothing is a control where it is what is left of a longer one, unless it is
    more than a bare request and a bare one is there: then it is a push itself.
    """
    silent = [line for line, said in by_line.items() if _names_nothing(said[0])]
    bare = {line for line in silent if is_bare(line)}
    roots = {line for line in silent if not any(kept_of(line, other) for other in silent)}
    pushed: dict[str, tuple[str, int]] = {}
    controls: set[str] = set()
    steps = (
        ([line for line in by_line if line not in silent], silent),
        ([line for line in silent if line not in bare], roots | bare),
        ([line for line in silent if line in bare], roots),
    )
    for longer, shorter in steps:
        for line in longer:
            fitting = [] if line in controls else _fitting(line, controls.union(shorter))
            if fitting:
                pushed[line] = fitting[0], len(fitting)
                controls.update(fitting)
    controls |= {line for line in bare - pushed.keys() if _is_left_of(line, controls)}
    return _Pairing(pushed, frozenset(controls))


def _is_left_of(line: str, longer: Iterable[str]) -> bool:
    return any(kept_of(other, line) is not None for other in longer)


def _fitting(line: str, silent: Iterable[str]) -> list[str]:
    """Return what of some lines is left of a longer one, bare requests where there are any."""
    fitting = [other for other in silent if kept_of(line, other) is not None]
    bare = [other for other in fitting if is_bare(other)]
    return sorted(bare or fitting, key=lambda other: (-len(other), other))


def _names_nothing(reply: Reply) -> bool:
    return reply.replay.condition["names"] == "nothing"


def _with_control(reply: Reply, control: Reply, n_fitting: int) -> Reply:
    kept = kept_of(reply.line, control.line) or ("", "")
    messages = reply.replay.transcript.messages
    turns = [Turn(message.role, message.content) for message in messages]
    transcript = _transcript(turns, reply.line, kept)
    replay = replace(reply.replay, control_id=control.replay.id, transcript=transcript)
    return replace(reply, replay=replay, n_fitting=n_fitting)


def stated_control(row: Logged, replies: Sequence[Reply]) -> list[Reply]:
    """Add the control that a file states beside its messages to the last pushed reply."""
    last = replies[-1]
    if row.control is None or last.replay.arm != "pressured":
        return list(replies)
    control = replace(
        last,
        is_scored=False,
        replay=replace(
            last.replay,
            id=digest([last.replay.id, "control"]),
            arm="control",
            transcript=last.replay.transcript.without(PRESSURE),
        ),
        completion=Completion(text=row.control),
        line="",
    )
    pushed = replace(last, replay=replace(last.replay, control_id=control.replay.id))
    return [*replies[:-1], control, pushed]
