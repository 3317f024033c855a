"""Opinion conformity: does the model say what the person who asks would say?"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from msgspec.structs import replace

from unswayed.benchmarks.benchmark import Benchmark
from unswayed.benchmarks.pieces import (
    FORMAT,
    LEAST_MASS,
    OPTIONS,
    QUESTION,
    STANDS,
    asked,
    beside,
    placed,
    pushed,
    user,
)
from unswayed.plans.design import Design
from unswayed.plans.sampling import Sampling
from unswayed.plans.script import Piece, Script, ScriptedArm

OTHER = {"for": "against", "against": "for"}
"""The two sides, each with the other one."""

TAGGED = ("view", "side")
"""Whether a view is stated or only to be inferred, and the political side of a public item."""

OWN = {"ask": "own", "speaker": "asker", "statement": "written", "stands": "above"}
"""The asker's words above the statement as it is written, and the model's own opinion asked for."""

STRANGER = Piece(of="line", name="stranger", tag="pressure")
"""Says that the words are somebody else's."""


def personas(*ending: Piece, elsewhere: tuple[str, ...] = ()) -> Script:
    """Return the arms, each of whose turns ends in the same pieces.

    Args:
        *ending: What follows the question: options and format line.
        elsewhere: Places beside the one above the question at which the asker's words stand too.
    """
    ask = (QUESTION, *ending)
    reverse = (asked("ask_reversed"), *ending)
    whose = (asked("attribution"), *ending)
    orthogonal = Piece(of="line", name="orthogonal")
    return Script(
        first=(user(*ask),),
        arms=(
            _control("alone", *ask),
            _control("reversed_alone", *reverse),
            # Whose view is asked for needs a person in the lines above: one without a view.
            _control("whose", beside("persona_filler"), *whose),
            _control("whose_row", beside("filler"), *whose),
            *(_opposed(side, "persona", "alone", *ask) for side in OTHER),
            *_elsewhere(elsewhere, ending),
            _line("filler", "persona_filler", beside("persona_filler"), *ask),
            *(_opposed(side, "stranger", "alone", *ask, speaker="stranger") for side in OTHER),
            *(
                _opposed(side, "reversed", "reversed_alone", *reverse, statement="reversed")
                for side in OTHER
            ),
            *(_opposed(side, "attribution", "whose", *whose, ask="attribution") for side in OTHER),
            # Rows of public files have one person each; the rows of a question share its controls.
            _row("persona", "alone", *ask, ask="own"),
            _line("filler", "filler", beside("filler"), *ask),
            _row("attribution", "whose_row", *whose, ask="attribution"),
            *([_line("orthogonal", "", orthogonal, *ask)] if FORMAT in ending else ()),
        ),
    )


def _control(name: str, *pieces: Piece) -> ScriptedArm:
    return ScriptedArm(name=name, kind="control", turns=(user(*pieces),))


def _line(name: str, text: str, *pieces: Piece) -> ScriptedArm:
    """Return what stands in a person's place; a row's filler needs a name of its own."""
    return ScriptedArm(
        name="row_filler" if text == "filler" else name,
        kind="line",
        pressure=name,
        control="alone",
        turns=(user(*pieces),),
        factors={"persona": name, **OWN},
        tagged=TAGGED,
        only_with=text,
    )


def _opposed(side: str, pressure: str, control: str, *pieces: Piece, **levels: str) -> ScriptedArm:
    """Return one of two people who hold opposed views and are otherwise the same."""
    text = f"persona_{side}"
    followed = OTHER[side] if pressure == "reversed" else side
    answer = f"persona_{followed}_answer"
    start = (STRANGER, pushed(text)) if pressure == "stranger" else (pushed(text),)
    return ScriptedArm(
        name=f"{pressure}_{side}",
        kind="pressured",
        pressure=pressure,
        control=control,
        turns=(user(*start, *pieces),),
        factors={"persona": side, **OWN, **levels},
        tagged=TAGGED,
        claim=answer,
        truth=answer if pressure == "attribution" else "",
        # Public files have no statement that is turned round.
        only_with="ask_reversed" if pressure == "reversed" else text,
    )


def _elsewhere(places: tuple[str, ...], ending: tuple[Piece, ...]) -> Iterator[ScriptedArm]:
    """Yield the two people of one question with their words at another place."""
    if "answered" in places:
        yield ScriptedArm(name="again", kind="control", turns=placed("answered", (), ending))
    for stands, side in product(places, OTHER):
        above = _opposed(side, "persona", "again" if stands == "answered" else "alone")
        yield replace(
            above,
            name=f"{above.name}_{stands}",
            turns=placed(stands, (pushed(f"persona_{side}"),), ending),
            factors=above.factors | {"stands": stands},
        )


def _row(pressure: str, control: str, *pieces: Piece, ask: str) -> ScriptedArm:
    """Return the person of one row of a public file."""
    return ScriptedArm(
        name=f"row_{pressure}",
        kind="pressured",
        pressure=pressure,
        control=control,
        turns=(user(pushed("persona"), *pieces),),
        factors={"persona": "row", **OWN, "ask": ask},
        tagged=TAGGED,
        claim="matching",
        truth="matching" if ask == "attribution" else "",
        only_with="persona",
    )


WRITTEN = Design(
    script=personas(OPTIONS, FORMAT, elsewhere=STANDS[1:]),
    controls=("deleted", "rerun"),
    orders=("given", "reversed"),
    listed=True,
    readout="choice",
    sampling=Sampling(max_tokens=1024),
)
SCORED = Design(
    script=personas(OPTIONS, elsewhere=STANDS[1:]),
    controls=("deleted",),
    formats=("none",),
    orders=("given", "reversed"),
    listed=True,
    scored=True,
    said="sentence",
    readout="option_logprob",
    least_mass=LEAST_MASS,
)
_REFERENCE = "arXiv:2212.09251; arXiv:2604.02423 (polarity); controls, twins and items are ours"

opinions = Benchmark(
    name="opinions",
    version=1,
    describes="Does the model agree with whoever asks? The same person for and against a statement"
    " on which no answer is right, a stranger's words, the person's words at other places, the"
    " statement turned round, and the twin in which the person's own view is asked for.",
    kinds=("opinion",),
    n_items=None,
    design=WRITTEN,
    section="opinions",
    reference=_REFERENCE,
)

opinions_identity = Benchmark(
    name="opinions-identity",
    version=1,
    describes="The same with people who say what they are and state no view: does the model guess"
    " a view from an identity, and follow it?",
    kinds=("opinion_identity",),
    n_items=None,
    design=WRITTEN,
    section="opinions",
    reference=_REFERENCE,
)

opinions_scored = Benchmark(
    name="opinions-scored",
    version=1,
    describes="Stated views and identities, as two lines, for models without reliable text: the"
    " options are scored by log-probability.",
    kinds=("opinion", "opinion_identity"),
    n_items=None,
    # Scores repeat exactly, so a second control would be the first one again.
    design=SCORED,
    section="opinions",
    reference=_REFERENCE,
)
