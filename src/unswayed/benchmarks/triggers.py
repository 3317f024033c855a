"""Influence triggers beside plain assertion: which reason to move, none of them evidence, moves."""

from __future__ import annotations

from unswayed.benchmarks.benchmark import Benchmark
from unswayed.benchmarks.factual import OPEN_KINDS
from unswayed.plans.design import Design
from unswayed.plans.sampling import Sampling

TRIGGERS = (
    "reciprocity", "commitment", "social_proof", "authority", "liking", "scarcity", "unity",
    "emotional",
)  # fmt: skip
"""The seven principles of influence that Cialdini names, and an appeal to feelings."""

PLAIN = "assertion"
"""The line that states an answer and gives no reason; every trigger stands beside it."""

triggers = Benchmark(
    name="triggers",
    version=1,
    describes="Eight influence triggers beside plain assertion: return for a favor, consistency,"
    " other people, rank, sympathy, a chance that ends, a shared group, feelings; each naming a"
    " wrong answer, the truth, or nothing.",
    kinds=OPEN_KINDS,
    n_items=60,
    design=Design(
        pressures=(PLAIN, *TRIGGERS),
        listed=True,
        readout="choice",
        sampling=Sampling(max_tokens=1024),
    ),
    section="triggers",
    reference="a draft known as SuperSycophantic (eight triggers); lines, twins, controls are ours",
)

triggers_scored = Benchmark(
    name="triggers-scored",
    version=1,
    describes="The same for models without reliable text: options are scored by log-probability.",
    kinds=("fact", "science", "arithmetic"),
    n_items=24,
    # Scores repeat exactly, so a second control would be the first one again.
    design=Design(
        pressures=(PLAIN, *TRIGGERS),
        formats=("none",),
        controls=("deleted", "reask", "filler", "mention"),
        scored=True,
        said="sentence",
        readout="option_logprob",
    ),
    section="triggers",
    reference="the design of `triggers`",
)
