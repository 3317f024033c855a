"""Statements that may be false: does the model notice when it is asked to prove one, or told so?"""

from __future__ import annotations

from msgspec.structs import replace

from unswayed.benchmarks.benchmark import Benchmark
from unswayed.benchmarks.pieces import FORMAT, QUESTION, beside, pushed, said, user
from unswayed.plans.design import Design, Order
from unswayed.plans.sampling import Sampling
from unswayed.plans.script import Piece, Script, ScriptedArm, Tag, Turn

SCREENS = 8
"""Draws of the question alone that tell what the model knows."""

BOTH_ORDERS: tuple[Order, ...] = ("given", "reversed")
"""True or False, and False or True: families of twins alternate between the two."""

BELIEVERS = ("sure", "author", "contest")
"""Lines of somebody who takes the statement for true."""


ASKED = user(QUESTION, FORMAT)
"""The plain question, with the verdict line."""


def demands(*ending: Piece) -> Script:
    """Return the demand to prove against the request to decide, on both twins of a pair.

    The two requests are a substitution: the one is the pressure, the other stands in its place.

    Args:
        ending: What every turn ends with, such as the format line.
    """
    return Script(
        first=(user(QUESTION, *ending),),
        arms=(
            ScriptedArm(
                name="decide",
                kind="control",
                turns=(user(beside("decide"), *ending),),
                factors={"ask": "decide", "line": "none"},
            ),
            _prove("none", *ending),
            _prove("hint", said("hint", pushes=True), *ending),
            *(_prove(line, said(line, pushes=True), *ending) for line in BELIEVERS),
            *_own_claim(*ending),
            ScriptedArm(
                name="decide_orthogonal",
                kind="line",
                pressure="orthogonal",
                control="decide",
                turns=(user(beside("decide"), said("orthogonal", pushes=False), *ending),),
                factors={"ask": "decide", "line": "orthogonal"},
            ),
        ),
    )


def _prove(line: str, *rest: Piece) -> ScriptedArm:
    return ScriptedArm(
        name="prove" if line == "none" else f"prove_{line}",
        kind="pressured",
        control="decide",
        turns=(user(pushed("request"), *rest),),
        factors={"ask": "prove", "line": line},
        claim="True",
    )


def _own_claim(*ending: Piece) -> tuple[ScriptedArm, ScriptedArm]:
    """The statement as the model's own earlier one, and the same as nobody's."""
    asked = {"ask": "prove", "placement": "before"}
    return (
        ScriptedArm(
            name="nobody",
            kind="control",
            turns=(user(said("unsigned", pushes=False), *_stated("line"), *ending),),
            factors={**asked, "line": "nobody"},
        ),
        ScriptedArm(
            name="own_claim",
            kind="pressured",
            control="nobody",
            turns=(
                user(said("invited", pushes=True)),
                Turn(role="assistant", pieces=_stated("pressure")[:1]),
                user(*_stated("pressure")[1:], *ending),
            ),
            factors={**asked, "line": "own_claim"},
            claim="True",
        ),
    )


def _stated(tag: Tag) -> tuple[Piece, Piece]:
    """The statement, and then the demand to prove it."""
    return (
        Piece(of="text", name="statement", tag=tag),
        Piece(of="text", name="request", tag=tag),
    )


def verdicts_with_lines(*ending: Piece) -> Script:
    """Return the plain question, and the same with a line that affirms or disputes the statement.

    Args:
        ending: What every turn ends with, such as the format line.
    """
    return Script(
        first=(user(QUESTION, *ending),),
        arms=(
            ScriptedArm(
                name="decide",
                kind="control",
                turns=(user(QUESTION, *ending),),
                factors={"ask": "decide", "line": "none"},
            ),
            *(
                ScriptedArm(
                    name=line,
                    kind="pressured",
                    control="decide",
                    turns=(user(QUESTION, said(line, pushes=True), *ending),),
                    factors={"ask": "decide", "line": line},
                    claim=claim,
                )
                for line, claim in (("affirmed", "True"), ("disputed", "False"))
            ),
            ScriptedArm(
                name="orthogonal",
                kind="line",
                control="decide",
                turns=(user(QUESTION, said("orthogonal", pushes=False), *ending),),
                factors={"ask": "decide", "line": "orthogonal"},
            ),
        ),
    )


def _written(script: Script) -> Design:
    return Design(
        script=script,
        controls=("deleted", "rerun"),
        screens=SCREENS,
        orders=BOTH_ORDERS,
        alternate=True,
        readout="verdict",
        sampling=Sampling(max_tokens=2048),
    )


def _scored(script: Script) -> Design:
    return Design(
        script=script,
        controls=("deleted",),
        screens=1,
        orders=BOTH_ORDERS,
        alternate=True,
        scored=True,
        said="sentence",
        formats=("none",),
        readout="option_logprob",
    )


premises = Benchmark(
    name="premises",
    version=1,
    describes="Does the model prove a false statement because it is asked to? The demand to prove"
    " against the request to decide, on a true and a false twin, with a hint and with believers.",
    kinds=("premise",),
    n_items=None,
    design=_written(demands(FORMAT)),
    section="premises",
    reference="arXiv:2510.04721; the controls, the true twins and the items are ours",
)

proofs = Benchmark(
    name="proofs",
    version=1,
    describes="The same without a verdict line in the demands: free proofs, whose four verdicts two"
    " judges read (`unswayed read RUN -j proof_stance --judge-model MODEL`).",
    kinds=("premise",),
    n_items=None,
    design=replace(_written(demands()), script=replace(demands(), first=(ASKED,)), screens=2),
    section="premises",
    reference="arXiv:2510.04721; prompts, controls, the true twins and the items are ours",
)

premises_scored = Benchmark(
    name="premises-scored",
    version=1,
    describes="The same for models without reliable text: True and False are scored by"
    " log-probability after the demand.",
    kinds=("premise",),
    n_items=None,
    design=_scored(demands()),
    section="premises",
    reference="the design of `premises`",
)

twins = Benchmark(
    name="twins",
    version=1,
    describes="Does the model call statements false only when they are? A true and a false twin,"
    " alone and with a line that affirms or disputes the statement.",
    kinds=("premise",),
    n_items=None,
    design=_written(verdicts_with_lines(FORMAT)),
    section="premises",
    reference="arXiv:2609.23205; the lines, their controls and the items are ours",
)

twins_scored = Benchmark(
    name="twins-scored",
    version=1,
    describes="The same for models without reliable text: True and False are scored by"
    " log-probability.",
    kinds=("premise",),
    n_items=None,
    design=_scored(verdicts_with_lines()),
    section="premises",
    reference="the design of `twins`",
)
