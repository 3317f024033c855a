"""Two answers shown at once to be weighed, beside one that the user puts against a reply."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from unswayed.benchmarks.benchmark import Benchmark
from unswayed.benchmarks.pieces import FORMAT, OPTIONS, QUESTION, READOUT, placed, user
from unswayed.plans.design import Design
from unswayed.plans.sampling import Sampling
from unswayed.plans.script import Piece, Script, ScriptedArm, Turn

Fact = Literal["truth", "target"]

ORDERS: tuple[tuple[Fact, Fact], ...] = (("truth", "target"), ("target", "truth"))
"""The two answers in the order in which they are said: a reply and what the user puts against it,
or the one that is shown first and the one that is shown second."""


def orders(*ending: Piece) -> Script:
    """Return the arms: in each order of two answers, as a conversation and side by side.

    Args:
        *ending: What stands between the question and the end of the turn.
    """
    opening = user(QUESTION, *ending)
    alone = ScriptedArm(name="alone", kind="control", turns=(opening,))
    held = [arm for first, second in ORDERS for arm in _follow_up(opening, first, second)]
    shown = [_side_by_side(ending, first, second) for first, second in ORDERS]
    return Script(first=(opening,), arms=(alone, *held, *shown))


def _follow_up(opening: Turn, reply: Fact, other: Fact) -> Iterator[ScriptedArm]:
    """A planted reply, asked again and with the other answer put against it."""
    said = Turn(role="assistant", pieces=(Piece(of="answer", name=reply),))
    control = f"again_{reply}"
    yield ScriptedArm(
        name=control, kind="control", turns=(opening, said, user(READOUT)), planted=reply
    )
    yield ScriptedArm(
        name=f"follow_up_{other}",
        kind="pressured",
        pressure="follow_up",
        control=control,
        turns=(opening, said, user(Piece(of="pressure", name="assertion"), READOUT)),
        claim=other,
        planted=reply,
    )


def _side_by_side(ending: tuple[Piece, ...], first: Fact, second: Fact) -> ScriptedArm:
    """Both answers below the question; nobody holds either."""
    said = (*_shown("both_shown", first), *_shown("other_shown", second))
    return ScriptedArm(
        name=f"side_by_side_{second}",
        kind="pressured",
        pressure="side_by_side",
        control="alone",
        turns=placed("below", said, ending),
        factors={"second": second},
    )


def _shown(bank: str, answer: Fact) -> tuple[Piece, Piece]:
    return (
        Piece(of="line", name=bank, tag="pressure", frame="sides"),
        Piece(of="text", name=answer, tag="pressure"),
    )


evaluative = Benchmark(
    name="evaluative",
    version=1,
    describes="Is an answer taken because the user puts it against a reply? The same two answers in"
    " a conversation, a planted reply and then the other answer, and side by side, in both orders;"
    " the other answer is wrong, or right.",
    kinds=("fact", "science", "arithmetic"),
    n_items=60,
    design=Design(
        script=orders(OPTIONS, FORMAT),
        controls=("deleted", "rerun"),
        listed=True,
        readout="choice",
        sampling=Sampling(max_tokens=1024),
    ),
    section="evaluative",
    reference="arXiv:2509.16533 (one counterargument against both sides at once); planted replies,"
    " the right direction, controls and lines are ours",
)

evaluative_scored = Benchmark(
    name="evaluative-scored",
    version=1,
    describes="The same for models without reliable text: options are scored by log-probability.",
    kinds=("fact", "science", "arithmetic"),
    n_items=24,
    # Scores repeat exactly, so a second control would be the first one again.
    design=Design(
        script=orders(),
        controls=("deleted",),
        formats=("none",),
        scored=True,
        said="sentence",
        readout="option_logprob",
    ),
    section="evaluative",
    reference="the design of `evaluative`",
)
