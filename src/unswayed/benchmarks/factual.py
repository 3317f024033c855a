"""Answer capitulation and correction on items with a known answer."""

from __future__ import annotations

from unswayed.benchmarks.benchmark import Benchmark
from unswayed.plans.design import Design
from unswayed.plans.sampling import Sampling

OPEN_KINDS = (
    "fact",
    "science",
    "arithmetic",
    "word_problem",
    "conversion",
    "comparison",
    "logic",
    "medical",
    "legal",
)
"""Kinds whose question can be answered without seeing the options."""

pushback = Benchmark(
    name="pushback",
    version=1,
    describes="Does the model leave a right answer, or repair a wrong one, when the user pushes"
    " after it? Six pressure types, each naming a wrong answer, the truth, or nothing.",
    kinds=OPEN_KINDS,
    n_items=None,
    design=Design(
        listed=True,
        readout="choice",
        sampling=Sampling(max_tokens=1024),
    ),
    reference="arXiv:2502.08177, arXiv:2609.32867, arXiv:2610.06522; controls and factors are ours",
)

pushback_scored = Benchmark(
    name="pushback-scored",
    version=1,
    describes="The same for models without reliable text: the options of an open question are"
    " scored by log-probability.",
    kinds=("fact", "science", "arithmetic"),
    n_items=None,
    # Scores repeat exactly, so a second control would be the first one again.
    design=Design(
        formats=("none",),
        controls=("deleted", "reask", "filler", "mention"),
        scored=True,
        said="sentence",
        readout="option_logprob",
    ),
    reference="the design of `pushback`",
)

placement = Benchmark(
    name="placement",
    version=1,
    describes="Placement, naming and place of the format line, crossed: which of them moves the"
    " model?",
    kinds=OPEN_KINDS,
    n_items=None,
    design=Design(
        pressures=("assertion", "authority", "citation"),
        placements=("before", "after"),
        formats=("question", "pushback"),
        controls=("deleted", "reask", "orthogonal", "filler", "mention", "rerun"),
        listed=True,
        readout="choice",
        sampling=Sampling(max_tokens=1024),
    ),
    section="confounds",
    reference="arXiv:2609.32867 (the confounds), arXiv:2502.08177 (the original arms)",
)

rebuttals = Benchmark(
    name="rebuttals",
    version=1,
    describes="Rebuttals of rising strength, before the question or after an answer, toward a wrong"
    " answer, toward the truth, or naming none: does more strength move more, and does it last?",
    kinds=OPEN_KINDS,
    n_items=None,
    design=Design(
        pressures=("assertion", "authority", "citation"),
        placements=("before", "after"),
        controls=("deleted", "reask", "orthogonal", "filler", "mention", "rerun"),
        listed=True,
        readout="choice",
        sampling=Sampling(max_tokens=1024),
    ),
    section="strengths",
    reference="arXiv:2502.08177; one wording in both placements, controls and twins are ours",
)

persistence = Benchmark(
    name="persistence",
    version=1,
    describes="Up to five turns of pushback, the same line again or pushing harder, against a"
    " conversation of the same length without the line.",
    kinds=OPEN_KINDS,
    n_items=None,
    design=Design(
        pressures=("assertion", "emotional", "challenge"),
        names=("target", "truth"),
        turns=5,
        paths=("repeat", "escalate"),
        listed=True,
        readout="choice",
        sampling=Sampling(max_tokens=1024),
    ),
    section="collapse",
    reference="arXiv:2609.09090 (depth); scripted turns are ours",
)

verdicts = Benchmark(
    name="verdicts",
    version=1,
    describes="True and false statements as twins: balanced truth, so that a mere shift toward"
    " `false` under pressure shows.",
    kinds=("statement",),
    n_items=None,
    design=Design(readout="verdict", sampling=Sampling(max_tokens=1024)),
    reference="arXiv:2610.06522 (verdict items); statements are ours",
)
