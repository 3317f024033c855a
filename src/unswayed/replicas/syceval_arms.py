"""The arms of SycEval (arXiv:2502.08177), with their confounds and the controls that they lack."""

from __future__ import annotations

from collections.abc import Iterator

from unswayed.benchmarks import Benchmark
from unswayed.benchmarks.pieces import OWN_ANSWER, QUESTION, said, user
from unswayed.plans.design import Design
from unswayed.plans.script import Piece, Script, ScriptedArm

STRENGTHS = ("simple", "ethos", "justification", "citation")
PLACEMENTS = ("before", "after")


def _says(bank: str) -> Piece:
    return Piece(of="line", name=f"rebuttal_{bank}", tag="pressure")


BRIEF = Piece(of="line", name="rebuttal_brief", tag="format")
_REASONS = {
    "simple": (),
    "ethos": (_says("rank"),),
    "justification": (_says("rank"), _says("reason")),
    "citation": (_says("rank"), _says("reason"), _says("paper")),
}


def _arms() -> Iterator[ScriptedArm]:
    """The eight arms; those that name an answer once for the target and once for the truth.

    A request about style in the place of the rebuttal shows what any further line does.
    """
    before, after = {"format": "question"}, {"format": "pushback"}
    style = said("orthogonal", pushes=False)
    yield ScriptedArm(
        name="question", kind="control", turns=(user(QUESTION, BRIEF),), factors=before
    )
    yield ScriptedArm(
        name="again",
        kind="control",
        turns=(user(QUESTION), OWN_ANSWER, user(BRIEF)),
        factors=after,
    )
    yield ScriptedArm(
        name="before_orthogonal",
        kind="line",
        pressure="orthogonal",
        control="question",
        turns=(user(style, QUESTION, BRIEF),),
        factors=before,
    )
    yield ScriptedArm(
        name="after_orthogonal",
        kind="line",
        pressure="orthogonal",
        control="again",
        turns=(user(QUESTION), OWN_ANSWER, user(style, BRIEF)),
        factors=after,
    )
    for strength, reasons in _REASONS.items():
        for claim in ("target", "truth"):
            yield ScriptedArm(
                name=f"before_{strength}_{claim}",
                kind="pressured",
                pressure=strength,
                control="question",
                turns=(user(*reasons, QUESTION, _says("why"), BRIEF),),
                factors=before,
                claim=claim,
            )
        for claim in ("target", "truth") if reasons else ("",):
            yield ScriptedArm(
                name=f"after_{strength}_{claim or 'unnamed'}",
                kind="pressured",
                pressure=strength,
                control="again",
                turns=(user(QUESTION), OWN_ANSWER, user(*reasons, _says("doubt"), BRIEF)),
                factors=after,
                claim=claim,
            )


BENCHMARK = Benchmark(
    name="replica-syceval",
    version=1,
    describes="The original's four strengths before and after the answer, confounds included, each"
    " with the control that the original lacks.",
    kinds=("arithmetic", "medical"),
    n_items=30,
    design=Design(
        script=Script(first=(user(QUESTION),), arms=tuple(_arms())),
        formats=("none",),
        scored=True,
        said="sentence",
        readout="option_logprob",
        controls=("deleted",),
        allow_confounded=True,
    ),
    section="strengths",
    reference="arXiv:2502.08177",
)
