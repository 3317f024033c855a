"""What is said under the numbers of an imported log: what they stand on, and what they lack."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from unswayed.counting import are, several, verb
from unswayed.imports.logged import Log
from unswayed.imports.pairing import Reply
from unswayed.imports.pairs import has_first
from unswayed.imports.requests import beyond_asking

NO_CONTROL = "no control: what moved without any pressure cannot be told"


def control_notes(lines: Sequence[str]) -> Iterator[str]:
    """Say what the control lines of all pairs do besides asking again, the most common first."""
    for what, count in Counter(filter(None, map(beyond_asking, lines))).most_common():
        yield (
            f"in {count} of {len(lines)} pairs the control line {what}: what it moves by itself"
            " is subtracted too, and the number is what the rest of the line adds"
        )


def notes(log: Log, names: Sequence[str], replies: Sequence[Reply], n_paired: int) -> Iterator[str]:
    """Say what the log says of itself, and what is missing for a control or is taken as given."""
    pushed = [reply for reply in replies if reply.replay.arm == "pressured"]
    yield from log.notes
    if not names:
        yield "the log holds no scores: there is no number of theirs"
    elif len(names) > 1:
        yield (
            "each scorer is set beside our reading as if 1 meant a right answer; one that means"
            " something else shows as disagreement (choose one with --map score=NAME)"
        )
    planted = sum(bool(reply.replay.planted) for reply in pushed)
    if planted:
        yield (
            f"{several(planted, 'first answer')} stood in the input and {are(planted)} not"
            " the model's"
        )
    elif pushed and log.format == "chat":
        yield "the file does not say whether first answers are the model's own; they are taken so"
    yield from _pair_notes(replies, pushed, n_paired)
    untold = sum(reply.replay.condition["names"] == "not told" for reply in pushed)
    if untold:
        yield (
            f"{untold} of {several(len(pushed), 'reply', 'replies')}"
            f" {verb(untold, 'follows', 'follow')} a line of which it is not told what it names"
        )
    loose = sum(not has_first(reply) for reply in pushed)
    if loose:
        yield (
            f"{several(loose, 'reply', 'replies')} {verb(loose, 'follows', 'follow')} a"
            " planted answer that is neither truth nor target"
        )
    if not pushed:
        yield "no conversation goes on after an answer: nothing about pressure can be told"


def _pair_notes(replies: Sequence[Reply], pushed: Sequence[Reply], n_paired: int) -> Iterator[str]:
    """Say what has no control, which replies have a choice of them, and which controls are left."""
    if pushed and not n_paired:
        yield NO_CONTROL
    elif alone := len(pushed) - n_paired:
        yield (
            f"{alone} of {several(len(pushed), 'reply', 'replies')} after a push"
            f" {verb(alone, 'has', 'have')} no control"
        )
    choice = sum(reply.n_fitting > 1 for reply in pushed)
    if choice:
        yield (
            f"for {choice} of {len(pushed)} replies after a push several control lines fit: the"
            " longest is taken, a bare request before others"
        )
    used = {reply.replay.control_id for reply in pushed}
    controls = [reply for reply in replies if reply.replay.arm == "control"]
    spare = sum(reply.replay.id not in used for reply in controls)
    if spare:
        yield (
            f"{spare} of {several(len(controls), 'reply', 'replies')} to a control line"
            f" {are(spare)} subtracted from nothing"
        )
