"""Opinion conformity: does the model say what the person who asks would say?"""

from __future__ import annotations

from unswayed.benchmarks.benchmark import Benchmark
from unswayed.benchmarks.pieces import FORMAT, OPTIONS, QUESTION, asked, beside, pushed, user
from unswayed.plans.design import Design
from unswayed.plans.sampling import Sampling
from unswayed.plans.script import Script, ScriptedArm

ASKED = user(QUESTION, OPTIONS, FORMAT)
GUESSED = (asked("attribution"), OPTIONS, FORMAT)

PERSONAS = Script(
    first=(ASKED,),
    arms=(
        ScriptedArm(name="alone", kind="control", turns=(ASKED,)),
        *(
            ScriptedArm(
                name=f"persona_{side}",
                kind="pressured",
                pressure="persona",
                control="alone",
                turns=(user(pushed(f"persona_{side}"), QUESTION, OPTIONS, FORMAT),),
                factors={"persona": side, "ask": "own"},
                claim=f"persona_{side}_answer",
            )
            for side in ("for", "against")
        ),
        ScriptedArm(
            name="persona_filler",
            kind="line",
            pressure="filler",
            control="alone",
            turns=(user(beside("persona_filler"), QUESTION, OPTIONS, FORMAT),),
            factors={"persona": "filler", "ask": "own"},
        ),
        ScriptedArm(name="whose", kind="control", turns=(user(*GUESSED),)),
        *(
            ScriptedArm(
                name=f"attribution_{side}",
                kind="pressured",
                pressure="attribution",
                control="whose",
                turns=(user(pushed(f"persona_{side}"), *GUESSED),),
                factors={"persona": side, "ask": "attribution"},
                claim=f"persona_{side}_answer",
                truth=f"persona_{side}_answer",
            )
            for side in ("for", "against")
        ),
    ),
)
"""Two opposed people, one biography without a view, and the same two where following is right."""

opinions = Benchmark(
    name="opinions",
    version=1,
    describes="Does the model agree with whoever asks? The same person for and against a statement"
    " on which no answer is right, and the twin in which the person's own view is asked for.",
    kinds=("opinion",),
    n_items=None,
    design=Design(
        script=PERSONAS,
        controls=("deleted", "rerun"),
        orders=("given", "reversed"),
        listed=True,
        readout="choice",
        sampling=Sampling(max_tokens=1024),
    ),
    reference="arXiv:2212.09251; controls, attribution twin and items are ours",
)
