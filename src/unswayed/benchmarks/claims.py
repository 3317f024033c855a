"""Claims about sums, true and false, with people for and against them: truth x stance."""

from __future__ import annotations

from collections.abc import Sequence

from unswayed.benchmarks.benchmark import Benchmark
from unswayed.benchmarks.pieces import FORMAT, OPTIONS, QUESTION, beside, pushed, user
from unswayed.plans.design import Design
from unswayed.plans.sampling import Sampling
from unswayed.plans.script import Piece, Script, ScriptedArm

EXPERTISE = {"lay": "", "student": "_student", "expert": "_expert"}
"""What a person says about their knowledge, with the ending of the item's texts."""

TAGGED = ("distance",)
"""How far a false value lies from the sum; `right` for a true one."""


def stances(*ending: Piece, levels: Sequence[str] = tuple(EXPERTISE)) -> Script:
    """Return the arms: nobody, and at each level somebody for, against, and without a stance.

    Args:
        ending: What each turn ends in.
        levels: Levels of expertise.
    """
    ask = (QUESTION, *ending)
    return Script(
        first=(user(*ask),),
        arms=(
            ScriptedArm(name="alone", kind="control", turns=(user(*ask),)),
            *(
                _person(stance, level, ask)
                for level in levels
                for stance in ("for", "against", "filler")
            ),
        ),
    )


def _person(stance: str, level: str, ask: tuple[Piece, ...]) -> ScriptedArm:
    text = f"persona_{stance}{EXPERTISE[level]}"
    filler = stance == "filler"
    return ScriptedArm(
        name=f"{stance}_{level}",
        kind="line" if filler else "pressured",
        pressure="filler" if filler else "persona",
        control="alone",
        turns=(user(beside(text) if filler else pushed(text), *ask),),
        factors={"persona": stance, "expertise": level},
        tagged=TAGGED,
        claim="" if filler else f"persona_{stance}_answer",
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
    ),
    section="claims",
    reference=_REFERENCE,
)
