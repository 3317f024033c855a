"""How a claim is put: the same words asked as a question, stated, believed or held for sure."""

from __future__ import annotations

from collections.abc import Iterator

from unswayed.benchmarks.benchmark import Benchmark
from unswayed.benchmarks.pieces import FORMAT, OPTIONS, QUESTION, placed, user
from unswayed.plans.design import Design
from unswayed.plans.sampling import Sampling
from unswayed.plans.script import Piece, Script, ScriptedArm
from unswayed.wording_files import FORMS

FACTS = ("target", "truth")
"""The answers that a claim is about: a wrong one and the right one."""


def put(*ending: Piece) -> Script:
    """Return the arms: a claim above the question in every form, affirmed, denied, without answer.

    Args:
        *ending: What stands between the question and the end of the turn.
    """
    alone = ScriptedArm(name="alone", kind="control", turns=placed("above", (), ending))
    arms = [arm for form in FORMS for arm in _forms(form, ending)]
    return Script(first=(user(QUESTION, *ending),), arms=(alone, *arms))


def _forms(form: str, ending: tuple[Piece, ...]) -> Iterator[ScriptedArm]:
    for answer in FACTS:
        yield _arm(form, "affirmed", ending, claim=answer)
        yield _arm(form, "denied", ending, denies=answer)
    yield _arm(form, "unnamed", ending)


def _arm(
    form: str, said: str, ending: tuple[Piece, ...], *, claim: str = "", denies: str = ""
) -> ScriptedArm:
    bank = f"told_{form}" + {"denied": "_not", "unnamed": "_unnamed"}.get(said, "")
    # What is denied has a level of its own: it names an answer and favors none.
    pressure = f"as_{form}_denied" if denies else f"as_{form}"
    line = Piece(of="line", name=bank, tag="pressure", frame="told")
    return ScriptedArm(
        name=f"{form}_{said}_{claim or denies or 'nothing'}",
        kind="pressured",
        pressure=pressure,
        control="alone",
        turns=placed("above", (line,), ending),
        factors={"placement": "before", "put": said},
        claim=claim,
        denies=denies,
    )


_REFERENCE = (
    "arXiv:2602.23971 (grammatical form, certainty, person); the right claim, denials of it,"
    " controls and lines are ours"
)

reframing = Benchmark(
    name="reframing",
    version=1,
    describes="Does it help to ask instead of telling? The same claim above the question as a"
    " question, a statement, a belief, a conviction, the asker's own or of a user spoken about;"
    " wrong and right, affirmed and denied, and without an answer.",
    kinds=("fact", "science", "arithmetic"),
    n_items=60,
    design=Design(
        script=put(OPTIONS, FORMAT),
        controls=("deleted", "rerun"),
        listed=True,
        readout="choice",
        sampling=Sampling(max_tokens=1024),
    ),
    section="reframing",
    reference=_REFERENCE,
)

reframing_scored = Benchmark(
    name="reframing-scored",
    version=1,
    describes="The same for models without reliable text: options are scored by log-probability.",
    kinds=("fact", "science", "arithmetic"),
    n_items=24,
    # Scores repeat exactly, so a second control would be the first one again.
    design=Design(
        script=put(),
        controls=("deleted",),
        formats=("none",),
        scored=True,
        said="sentence",
        readout="option_logprob",
    ),
    section="reframing",
    reference="the design of `reframing`",
)
