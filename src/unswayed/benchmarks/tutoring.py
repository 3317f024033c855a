"""A tutor in statics: solving trusses, standing by an answer, and checking worked solutions."""

from __future__ import annotations

from collections.abc import Iterator

from unswayed.benchmarks.benchmark import Benchmark
from unswayed.benchmarks.pieces import (
    FORMAT,
    OWN_ANSWER,
    QUESTION,
    READOUT,
    asked,
    planted,
    pushed,
    said,
    user,
)
from unswayed.benchmarks.premises import SCREENS
from unswayed.items.truss_text import SENSE_NAMES
from unswayed.items.truss_work import ERROR_NAMES, NO_ERROR
from unswayed.plans.design import Design
from unswayed.plans.sampling import Sampling
from unswayed.plans.script import Kind, Piece, Script, ScriptedArm, Turn

STARTS: dict[str, Turn] = {
    "own": OWN_ANSWER,
    "right": planted("worked_right"),
    "wrong": planted("worked_wrong"),
    "bare": Turn(role="assistant", pieces=(Piece(of="answer", name="target"),)),
}
"""What stands as the tutor's own answer: its own, a worked solution, or a wrong value alone."""

LINES = {
    **dict.fromkeys(("assertion", "authority"), "pressure"),
    **dict.fromkeys(
        (
            "student_plain",
            "tentative",
            "certain",
            "from_notes",
            "from_assistant",
            "from_book",
            "face_saving",
            "context_switch",
        ),
        "line",
    ),
}
"""Lines that name a force, wrong or true, each with the kind of bank that holds it: the usual
pressures, and a student's result, plain or with one thing added."""

ASIDES = {"reask": "neutral", "orthogonal": "orthogonal", "filler": "small_talk"}
"""Lines that do not push, each with its bank: the question again, a wish about manners, and talk
about as long as a student's line."""

SOLUTIONS = {
    "clean": ("worked_right", "Yes"),
    "error": ("worked_wrong", "No"),
    "other_way": ("worked_other_way", "Yes"),
}
"""Worked solutions that are shown: their text, and whether they are free of errors."""

SHOWN = {
    "unattributed": "",
    "own": "own_work",
    "student": "student_work",
    "textbook": "textbook",
}
"""Whose a solution is said to be, and the bank of the line that says so."""

CLAIMED = {
    "none": ("", ""),
    "right": ("claimed_right", "Yes"),
    "wrong": ("claimed_wrong", "No"),
}
"""What a student claims of a solution: the bank of the line, and the verdict that it favors."""

STEPS = tuple(f"Step {number}" for number in range(1, 8))
"""Answers to where the first error is."""
KINDS = tuple(ERROR_NAMES.values())
"""Answers to what kind of error it is."""
SENSES = tuple(SENSE_NAMES.values())
"""Answers to how a member is loaded."""

_PLANTED = {"right": "truth", "wrong": "target", "bare": "target"}
_SENSED = Piece(of="line", name="sensed", tag="question")


def tutored(
    *ending: Piece, starts: tuple[str, ...] = tuple(STARTS), shown: tuple[str, ...] = tuple(SHOWN)
) -> Script:
    """Return all arms: pushes at an answer, claims of a sense, and worked solutions to check.

    Args:
        ending: What the question ends with, such as the format line.
        starts: What stands as the tutor's own answer.
        shown: Whose solutions are said to be.
    """
    first = user(QUESTION, *ending)
    return Script(
        first=(first,),
        arms=(
            *(arm for start in starts for arm in _answers(start, first)),
            *_opinions_first(first, *ending),
            *_senses(first, *ending),
            *_checks(shown, "assessed", *ending),
            *_searches("locate", "located", "error_at", STEPS, *ending),
            *_searches("kind", "kind", "error_named", KINDS, *ending),
        ),
    )


def _answers(start: str, first: Turn) -> Iterator[ScriptedArm]:
    """After an answer: a student names a force, doubts, shows a step, or says nothing of it."""
    yield _answer(start, first, f"{start}_again", "control")
    sides = {"own": ("target", "truth"), "right": ("target",)}.get(start, ("truth",))
    for line, of in LINES.items() if start == "own" else [("assertion", "pressure")]:
        for claim in sides:
            piece = Piece(of=of, name=line, tag="pressure")  # type: ignore[arg-type]
            yield _answer(start, first, line, "pressured", piece, claim=claim)
    if start != "bare":
        doubt = Piece(of="pressure", name="challenge")
        yield _answer(start, first, "challenge", "pressured", doubt)
    if start == "own":
        for aside, bank in ASIDES.items():
            yield _answer(start, first, aside, "line", said(bank, pushes=False))
    for at, side, claim in (("wrong", "right", "truth"), ("right", "wrong", "target")):
        if at == start:
            notes = (said("by_my_notes", pushes=True), pushed(f"step_{side}"))
            yield _answer(start, first, f"notes_{side}", "pressured", *notes, claim=claim)


def _answer(
    start: str, first: Turn, line: str, kind: Kind, *pieces: Piece, claim: str = ""
) -> ScriptedArm:
    control = kind == "control"
    return ScriptedArm(
        name=line if control else f"{start}_{line}_{claim or 'nothing'}",
        kind=kind,
        pressure="" if control else f"{line}_to_bare" if start == "bare" else line,
        control="" if control else f"{start}_again",
        turns=(first, STARTS[start], user(*pieces, READOUT)),
        planted=_PLANTED.get(start, ""),  # type: ignore[arg-type]
        factors={"task": "answer", "start": start},
        tagged=("members", "sense", "error"),
        claim=claim,
    )


def _opinions_first(first: Turn, *ending: Piece) -> Iterator[ScriptedArm]:
    """Before any answer: the student's result stands beside the question."""
    factors = {"task": "before", "start": "none"}
    tagged = ("members", "sense", "error")
    yield ScriptedArm(name="before", kind="control", turns=(first,), factors=factors, tagged=tagged)
    for line in ("tentative", "certain"):
        for claim in ("target", "truth"):
            yield ScriptedArm(
                name=f"before_{line}_{claim}",
                kind="pressured",
                pressure=line,
                control="before",
                turns=(user(QUESTION, said(line, pushes=True), *ending),),
                factors=factors,
                tagged=tagged,
                claim=claim,
            )
    yield ScriptedArm(
        name="before_filler",
        kind="line",
        pressure="filler",
        control="before",
        turns=(user(QUESTION, said(ASIDES["filler"], pushes=False), *ending),),
        factors=factors,
        tagged=tagged,
    )


def _senses(first: Turn, *ending: Piece) -> Iterator[ScriptedArm]:
    """How is the member loaded, alone and after an answer, with a student who names a sense."""
    for start in ("none", "own"):
        control = f"sense_{start}"
        for name, claim in ((control, ""), ("wrong", "sense_wrong"), ("right", "sense_right")):
            line = (said("student_sense", pushes=True),) if claim else ()
            alone = (user(QUESTION, *line, _SENSED, *ending),)
            after = (first, OWN_ANSWER, user(*line, _SENSED, *ending))
            yield ScriptedArm(
                name=f"{control}_{name}" if claim else control,
                kind="pressured" if claim else "control",
                control=control if claim else "",
                pressure="student_sense" if claim else "",
                turns=alone if start == "none" else after,
                factors={"task": "sense", "start": start},
                tagged=("error",),
                claim=claim,
                truth="sense_right",
                asks=SENSES,
            )


def _checks(shown: tuple[str, ...], bank: str, *ending: Piece) -> Iterator[ScriptedArm]:
    """Is a worked solution free of errors, by whose it is said to be and what is claimed of it."""
    question = Piece(of="line", name=bank, tag="question")
    for solution in SOLUTIONS:
        for whose in shown:
            for claimed in CLAIMED:
                yield _check(solution, whose, claimed, question, *ending)


def _check(solution: str, whose: str, claimed: str, *ending: Piece) -> ScriptedArm:
    text, free = SOLUTIONS[solution]
    bank, verdict = CLAIMED[claimed]
    lines = [said(name, pushes=bool(verdict)) for name in (SHOWN[whose], bank) if name]
    return ScriptedArm(
        name=f"check_{solution}_{whose}_{claimed}",
        kind="pressured" if verdict else "line" if lines else "control",
        control=f"check_{solution}_unattributed_none" if lines else "",
        turns=(user(QUESTION, *_solution(text), *lines, *ending),),
        planted="truth" if free == "Yes" else "target",
        factors={"task": "check", "solution": solution, "shown_as": whose, "claimed": claimed},
        tagged=("error",),
        claim=verdict,
        truth=free,
        asks=("Yes", "No"),
        only_with=text,
    )


def _solution(text: str) -> tuple[Piece, Piece]:
    return Piece(of="line", name="solution", tag="question"), asked(text)


def _searches(
    task: str, bank: str, truth: str, answers: tuple[str, ...], *ending: Piece
) -> Iterator[ScriptedArm]:
    """What is the error, with nothing said and with a student who is sure that there is none."""
    for solution, right in (("error", truth), ("clean", NO_ERROR)):
        control = f"{task}_{solution}"
        for claimed in ("none", "right"):
            line = (said("claimed_right", pushes=True),) if claimed == "right" else ()
            question = Piece(of="line", name=bank, tag="question")
            shown = _solution(SOLUTIONS[solution][0])
            yield ScriptedArm(
                name=f"{control}_claimed_right" if line else control,
                kind="pressured" if line else "control",
                control=control if line else "",
                turns=(user(QUESTION, *shown, *line, question, *ending),),
                planted="target" if solution == "error" else "truth",
                factors={"task": task, "solution": solution, "claimed": claimed},
                tagged=("error", "steps"),
                claim=NO_ERROR if line else "",
                truth=right,
                asks=(NO_ERROR, *answers),
            )


_REFERENCE = "arXiv:2610.38917 (title and summary only); arms, items and readout are ours"

tutoring = Benchmark(
    name="tutoring",
    version=1,
    describes="Does a tutor solve a truss, stand by its answer, and judge a worked solution by its"
    " steps? Wrong and right students, valid and invalid equations, clean, wrong and other ways.",
    kinds=("truss",),
    n_items=None,
    design=Design(
        script=tutored(FORMAT),
        controls=("deleted", "rerun"),
        screens=SCREENS,
        readout="force",
        sampling=Sampling(max_tokens=2048),
    ),
    section="tutoring",
    reference=_REFERENCE,
)

tutoring_free = Benchmark(
    name="tutoring-free",
    version=1,
    describes="What does a tutor say to a worked solution when no verdict is asked for? A judge"
    " that sees neither claim nor author reads whether it is called free of errors"
    " (`unswayed read RUN -j stance --judge-model MODEL`).",
    kinds=("truss",),
    n_items=None,
    design=Design(
        script=Script(
            first=(user(QUESTION, FORMAT),),
            arms=tuple(_checks(("unattributed", "own"), "said_of")),
        ),
        controls=("deleted", "rerun"),
        screens=SCREENS,
        readout="force",
        sampling=Sampling(max_tokens=2048),
    ),
    section="tutoring",
    reference=_REFERENCE,
)

tutoring_scored = Benchmark(
    name="tutoring-scored",
    version=1,
    describes="The same for models without reliable text: forces, verdicts, steps and kinds of"
    " error are scored by log-probability.",
    kinds=("truss",),
    n_items=20,
    # Scores repeat exactly: neither a second control nor more screening draws would say anything.
    design=Design(
        script=tutored(starts=("own", "wrong", "right"), shown=("unattributed", "own")),
        controls=("deleted",),
        screens=1,
        formats=("none",),
        scored=True,
        said="sentence",
        readout="option_logprob",
    ),
    section="tutoring",
    reference=_REFERENCE,
)
