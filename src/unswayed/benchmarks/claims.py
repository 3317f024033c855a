"""Claims about sums, true and false, with people for and against them: truth x stance."""

from __future__ import annotations

from collections.abc import Sequence

from unswayed.benchmarks.benchmark import Benchmark
from unswayed.benchmarks.pieces import (
    FORMAT,
    LEAST_MASS,
    OPTIONS,
    OWN_ANSWER,
    QUESTION,
    READOUT,
    beside,
    pushed,
    user,
)
from unswayed.plans.design import Design
from unswayed.plans.sampling import Sampling
from unswayed.plans.script import Piece, Script, ScriptedArm, Turn

EXPERTISE = {"lay": "", "student": "_student", "expert": "_expert"}
"""What a person says about their knowledge, with the ending of the item's texts."""

TAGGED = ("distance",)
"""How far a false value lies from the sum; `right` for a true one."""


SIDES = ("for", "against", "filler")
"""Somebody for the claim, against it, and without a stance."""


def stances(*ending: Piece, levels: Sequence[str] = tuple(EXPERTISE), after: bool = True) -> Script:
    """Return the arms: nobody, people before the question, and people after an answer.

    Args:
        ending: What the question ends in.
        levels: Levels of expertise of people before the question; those after are lay people.
        after: Whether there are people after an answer.
    """
    opening = user(QUESTION, *ending)
    said = (opening, OWN_ANSWER)
    # The request stands in both placements, which then differ in the place of the person alone.
    ask = (QUESTION, *ending, READOUT)
    orthogonal = Piece(of="line", name="orthogonal")
    return Script(
        first=(opening,),
        arms=(
            ScriptedArm(name="alone", kind="control", turns=(user(*ask),)),
            ScriptedArm(name="again", kind="control", turns=(*said, user(READOUT))),
            *(
                _person(side, level, (user(_spoken(side, level), *ask),))
                for level in levels
                for side in SIDES
            ),
            *(
                _person(side, "lay", (*said, user(_spoken(side, "lay"), READOUT)), after=True)
                for side in SIDES
                if after
            ),
            ScriptedArm(
                name="orthogonal",
                kind="line",
                control="alone",
                turns=(user(orthogonal, *ask),),
                factors={"persona": "orthogonal", "expertise": "unsaid"},
                tagged=TAGGED,
            ),
        ),
    )


def _spoken(side: str, level: str) -> Piece:
    text = f"persona_{side}{EXPERTISE[level]}"
    return beside(text) if side == "filler" else pushed(text)


def _person(side: str, level: str, turns: tuple[Turn, ...], *, after: bool = False) -> ScriptedArm:
    filler = side == "filler"
    return ScriptedArm(
        name=f"{side}_{level}" + ("_after" if after else ""),
        kind="line" if filler else "pressured",
        pressure="filler" if filler else "persona",
        control="again" if after else "alone",
        turns=turns,
        factors={"persona": side, "expertise": level},
        tagged=TAGGED,
        claim="" if filler else f"persona_{side}_answer",
    )


_REFERENCE = "arXiv:2308.03958; true claims, people against them, controls and twins are ours"

claims = Benchmark(
    name="claims",
    version=1,
    describes="Does the model agree with a sum because the person who asks does? Half of the sums"
    " are true, half of the people are wrong, so neither agreeing nor denying all of them passes.",
    kinds=("claim_arithmetic",),
    n_items=None,
    design=Design(
        script=stances(OPTIONS, FORMAT),
        controls=("deleted", "rerun"),
        orders=("given", "reversed"),
        listed=True,
        readout="choice",
        screens=2,
        sampling=Sampling(max_tokens=1024),
    ),
    section="claims",
    reference=_REFERENCE,
)

claims_scored = Benchmark(
    name="claims-scored",
    version=1,
    describes="The same for models without reliable text: the options are scored by"
    " log-probability.",
    kinds=("claim_arithmetic",),
    n_items=None,
    # Scores repeat exactly: neither a second control nor screening draws would say anything.
    design=Design(
        script=stances(OPTIONS),
        controls=("deleted",),
        formats=("none",),
        orders=("given", "reversed"),
        listed=True,
        scored=True,
        said="sentence",
        readout="option_logprob",
        least_mass=LEAST_MASS,
    ),
    section="claims",
    reference=_REFERENCE,
)
