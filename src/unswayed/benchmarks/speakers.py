"""Who says it: one answer in the mouth of eight speakers, above the question and elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from unswayed.benchmarks.benchmark import Benchmark
from unswayed.benchmarks.pieces import FORMAT, OPTIONS, QUESTION, STANDS, placed, user
from unswayed.plans.design import Design
from unswayed.plans.sampling import Sampling
from unswayed.plans.script import Piece, Script, ScriptedArm

SPEAKERS = (
    "asker", "stranger", "expert", "institution", "document", "tool", "self", "assistant",
)  # fmt: skip
"""Who is said to have given the answer; their names are equally long, and the words are shared."""

PLACED = ("asker", "expert")
"""Speakers who are also heard at the further places."""

FACTS = {"wrong": "target", "right": "truth"}
"""Claims about a question with a right answer."""

VIEWS = {"for": "persona_for_answer", "against": "persona_against_answer"}
"""Claims about a statement on which no answer is right."""

GIVEN = Piece(of="line", name="asked_given", tag="question")
"""Asks which answer the lines above give."""


def voices(claims: dict[str, str], *ending: Piece, ask_given: bool = False) -> Script:
    """Return the arms: each speaker with each claim, and without one.

    Args:
        claims: Name of each claim, and the answer that it holds.
        *ending: What stands between the question and the end of the turn.
        ask_given: Whether a twin asks for the speaker's own answer.
    """
    arms = [
        ScriptedArm(name="alone", kind="control", turns=placed("above", (), ending)),
        ScriptedArm(name="again", kind="control", turns=placed("answered", (), ending)),
    ]
    for speaker in SPEAKERS:
        for stands in STANDS if speaker in PLACED else STANDS[:1]:
            arms += _said(speaker, stands, claims, ending)
        if ask_given:
            arms += _given(speaker, claims, ending)
    return Script(first=(user(QUESTION, *ending),), arms=tuple(arms))


def _said(
    speaker: str, stands: str, claims: dict[str, str], ending: tuple[Piece, ...]
) -> Iterator[ScriptedArm]:
    for says, answer in {**claims, "nothing": ""}.items():
        levels = {"says": says} if claims is VIEWS else {}
        yield ScriptedArm(
            name=f"{speaker}_{stands}_{says}",
            kind="pressured",
            pressure=speaker,
            control="again" if stands == "answered" else "alone",
            turns=placed(stands, (_line(speaker, stands, named=bool(answer)),), ending),
            factors={"stands": stands, "ask": "own", **levels},
            claim=answer,
        )


def _given(
    speaker: str, claims: dict[str, str], ending: tuple[Piece, ...]
) -> Iterator[ScriptedArm]:
    """Yield the twin in which the speaker's answer is asked for, so that giving it is right."""
    asked = (*ending[:1], GIVEN, *ending[1:]) if OPTIONS in ending else (GIVEN, *ending)
    control = f"{speaker}_given"
    mute = replace(_line(speaker, "above", named=False), tag="line")
    yield ScriptedArm(name=control, kind="control", turns=placed("above", (mute,), asked))
    for says, answer in claims.items():
        yield ScriptedArm(
            name=f"{speaker}_given_{says}",
            kind="pressured",
            pressure=speaker,
            control=control,
            turns=placed("above", (_line(speaker, "above", named=True),), asked),
            factors={"stands": "above", "ask": "attribution", "says": says},
            claim=answer,
            truth=answer,
        )


def _line(speaker: str, stands: str, *, named: bool) -> Piece:
    # In a system message nobody can say `I` for the person who asks.
    voice = "user" if (speaker, stands) == ("asker", "system") else speaker
    bank = f"said_{voice}" if named else f"said_{voice}_unnamed"
    return Piece(of="line", name=bank, tag="pressure", frame="said")


def _written(script: Script) -> Design:
    return Design(
        script=script,
        controls=("deleted", "rerun"),
        orders=("given", "reversed"),
        listed=True,
        readout="choice",
        sampling=Sampling(max_tokens=1024),
    )


def _scored(script: Script) -> Design:
    # Scores repeat exactly, so a second control would be the first one again.
    return Design(
        script=script,
        controls=("deleted",),
        formats=("none",),
        scored=True,
        said="sentence",
        readout="option_logprob",
    )


_FACT_KINDS = ("fact", "science", "arithmetic")
_REFERENCE = (
    "arXiv:2609.37616 (the same claim by user and source), arXiv:2606.16011 (self and other);"
    " speakers, lines, controls and twins are ours"
)

speakers = Benchmark(
    name="speakers",
    version=1,
    describes="Does it matter who says it? A wrong answer and the right one in the mouth of eight"
    " speakers, from the asker to the model itself, in the same words; each speaker also without"
    " an answer; above the question, below it, in a system message and after an own answer.",
    kinds=_FACT_KINDS,
    n_items=60,
    design=_written(voices(FACTS, OPTIONS, FORMAT)),
    section="speakers",
    reference=_REFERENCE,
)

speakers_scored = Benchmark(
    name="speakers-scored",
    version=1,
    describes="The same for models without reliable text: options are scored by log-probability.",
    kinds=_FACT_KINDS,
    n_items=24,
    design=_scored(voices(FACTS)),
    section="speakers",
    reference="the design of `speakers`",
)

opinions_speakers = Benchmark(
    name="opinions-speakers",
    version=1,
    describes="The same speakers on statements on which no answer is right, for and against, with"
    " the twin in which the answer that they gave is asked for.",
    kinds=("opinion",),
    n_items=None,
    design=_written(voices(VIEWS, OPTIONS, FORMAT, ask_given=True)),
    section="opinion_speakers",
    reference=_REFERENCE,
)

opinions_speakers_scored = Benchmark(
    name="opinions-speakers-scored",
    version=1,
    describes="The same for models without reliable text: options are scored by log-probability.",
    kinds=("opinion",),
    n_items=24,
    design=_scored(voices(VIEWS, ask_given=True)),
    section="opinion_speakers",
    reference="the design of `opinions-speakers`",
)
