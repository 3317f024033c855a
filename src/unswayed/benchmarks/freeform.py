"""Free-form behaviors: guesses beside a question, doubt after it, feedback, and attribution."""

from __future__ import annotations

from unswayed.benchmarks.benchmark import Benchmark
from unswayed.benchmarks.factual import OPEN_KINDS
from unswayed.benchmarks.pieces import (
    FORMAT,
    OPTIONS,
    QUESTION,
    asked,
    beside,
    pushed,
    said,
    user,
)
from unswayed.plans.design import Design
from unswayed.plans.sampling import Sampling
from unswayed.plans.script import Script, ScriptedArm

ASKED = user(QUESTION, OPTIONS, FORMAT)
_SOURCE = "arXiv:2310.13548"


def _aside(name: str, bank: str, *, claim: str = "", denies: str = "") -> ScriptedArm:
    """An aside before the question; one that names and favors nothing is a control line."""
    pushes = bool(claim or denies)
    return ScriptedArm(
        name=name,
        kind="pressured" if pushes else "line",
        pressure=name,
        control="alone",
        turns=(user(said(bank, pushes=pushes), QUESTION, OPTIONS, FORMAT),),
        claim=claim,
        denies=denies,
    )


SIDES = {"wrong": "target", "right": "truth"}
"""Which answer of the item a user of either side names."""

STANDS = ("above", "amid", "below", "last")
"""Where a row's line stands: above the question, its options, the format line, or below all."""


def _of_row(side: str, stands: str) -> ScriptedArm:
    """The line of a row of a public file, where it stands there, naming one of two answers."""
    text = f"bias_{side}_{stands}"
    asked = [QUESTION, OPTIONS, FORMAT]
    asked.insert(STANDS.index(stands), pushed(text))
    return ScriptedArm(
        name=f"row_{side}_{stands}",
        kind="pressured",
        pressure=f"row_{side}",
        control="alone",
        turns=(user(*asked),),
        claim=SIDES[side],
        only_with=text,
    )


SUGGESTIONS = Script(
    first=(ASKED,),
    arms=(
        ScriptedArm(name="alone", kind="control", turns=(ASKED,)),
        _aside("guess_wrong", "guess", claim="target"),
        _aside("guess_right", "guess", claim="truth"),
        _aside("doubt_right", "doubt", denies="truth"),
        _aside("doubt_wrong", "doubt", denies="target"),
        _aside("unsure", "unsure"),
        _aside("orthogonal", "orthogonal"),
        # Lines that rows of a public file bring, each of either answer where the row allows it.
        *(_of_row(side, stands) for stands in STANDS for side in SIDES),
    ),
)
"""An unsure aside that asserts or denies, the truth or a wrong answer: two of four are right."""

suggestions = Benchmark(
    name="suggestions",
    version=2,
    describes="Does an unsure aside before the question move the answer? It guesses or rules out,"
    " the truth or a wrong answer; in two of the four the user is right.",
    kinds=OPEN_KINDS,
    n_items=None,
    design=Design(
        script=SUGGESTIONS,
        controls=("deleted", "rerun"),
        listed=True,
        readout="choice",
        sampling=Sampling(max_tokens=1024),
    ),
    asks_twins=True,
    section="suggestions",
    reference=f"{_SOURCE} (three of the arms); the fourth, the controls and all items are ours",
)

are_you_sure = Benchmark(
    name="are-you-sure",
    version=1,
    describes="A challenge that names nothing, the truth or a wrong answer, after the model's own"
    " answer or a planted one: does it leave a right answer, and repair a wrong one? Does it call"
    " the answer a mistake?",
    kinds=OPEN_KINDS,
    n_items=None,
    design=Design(
        pressures=("challenge",),
        firsts=("own", "planted_right", "planted_wrong"),
        controls=("deleted", "reask", "orthogonal", "filler", "mention", "rerun"),
        listed=True,
        readout="choice",
        sampling=Sampling(max_tokens=1024),
    ),
    section="admissions",
    reference=f"{_SOURCE}, arXiv:2311.08596; controls and planted twins are ours",
)

JUDGED = user(QUESTION, FORMAT)
STANDINGS = {"liked": "No", "wrote": "No", "disliked": "Yes", "found": "", "plain_note": ""}
"""How the user stands to a text, and what that favors: whether it holds a mistake."""

FEEDBACK = Script(
    first=(JUDGED,),
    arms=(
        ScriptedArm(name="alone", kind="control", turns=(JUDGED,)),
        *(
            ScriptedArm(
                name=name,
                kind="pressured" if favors else "line",
                pressure=name,
                control="alone",
                turns=(user(said(name, pushes=bool(favors)), QUESTION, FORMAT),),
                claim=favors,
            )
            for name, favors in STANDINGS.items()
        ),
    ),
)
"""One text, flawed and repaired, with a person who likes it, dislikes it, or wrote it."""

feedback = Benchmark(
    name="feedback",
    version=1,
    describes="Is a flaw still named when the user likes the text or wrote it, and is none invented"
    " when the user dislikes it? Every text comes flawed and repaired.",
    kinds=("feedback",),
    n_items=None,
    design=Design(
        script=FEEDBACK,
        controls=("deleted", "rerun"),
        readout="verdict",
        sampling=Sampling(max_tokens=1024),
    ),
    section="feedback",
    reference=f"{_SOURCE} (the five arms); repaired twins, controls and texts are ours",
)

_REQUEST = asked("request")
_COMMENT = {"asks": "comment"}

COMMENTS = Script(
    first=(user(_REQUEST),),
    arms=(
        ScriptedArm(name="alone", kind="control", turns=(user(_REQUEST),), factors=_COMMENT),
        *(
            ScriptedArm(
                name=name,
                kind="pressured" if favors else "line",
                pressure=name,
                control="alone",
                turns=(user(said(name, pushes=bool(favors)), _REQUEST),),
                factors=_COMMENT,
            )
            for name, favors in STANDINGS.items()
        ),
    ),
)
"""A request for a comment, with the same people: nothing is asked that has a right answer."""

comments = Benchmark(
    name="comments",
    version=1,
    describes="Does the tone of a free comment follow how the user stands to a text? Pairs of"
    " comments are compared by a judge in both orders, and the naming of the flaw is read apart.",
    kinds=("feedback",),
    n_items=None,
    design=Design(
        script=COMMENTS,
        controls=("deleted", "rerun"),
        readout="comment",
        sampling=Sampling(max_tokens=1024),
    ),
    section="comments",
    reference=f"{_SOURCE} (comments, five arms, positivity); repaired twins, a second draw as the"
    " noise floor, naming of the flaw and texts are ours",
)

MIMICRY = Script(
    first=(user(QUESTION),),
    arms=(
        ScriptedArm(name="unnamed", kind="control", turns=(user(beside("request")),)),
        ScriptedArm(
            name="named_wrong",
            kind="pressured",
            control="unnamed",
            turns=(user(pushed("request_wrong")),),
            claim="target",
        ),
        ScriptedArm(
            name="named_right",
            kind="pressured",
            control="unnamed",
            turns=(user(pushed("request_right")),),
            claim="truth",
        ),
    ),
)
"""The same request about a poem: without a poet, with a wrong one, and with the right one."""

mimicry = Benchmark(
    name="mimicry",
    version=1,
    describes="Does a text about a poem repeat the wrong poet that the request named? Its twin"
    " names the right one, and the question alone tells whether the model knows.",
    kinds=("attribution",),
    n_items=None,
    design=Design(
        script=MIMICRY,
        controls=("deleted", "rerun"),
        readout="mention",
        sampling=Sampling(max_tokens=400),
    ),
    section="mimicry",
    reference=f"{_SOURCE} (the wrong poet); controls, the right poet and the poems' list are ours",
)
