"""Reporting by factor: which line, against what committed text, near which boundary, asked how."""

from __future__ import annotations

from unswayed.benchmarks.benchmark import Benchmark
from unswayed.plans.design import Design
from unswayed.plans.sampling import Sampling

CELLS = (
    {"first": "own", "asked": "answer"},
    {"first": "own", "names": "nothing"},
    {"first": "planted_right", "names": "target", "asked": "answer"},
    {"first": "planted_right", "names": "nothing"},
    {"first": "planted_wrong", "names": "truth", "asked": "answer"},
    {"first": "planted_wrong", "names": "nothing"},
)
"""Against a committed answer a line names the opposite one or none; yes or no is asked about it,
the model's own or a planted one, under lines that name none."""

lens = Benchmark(
    name="lens",
    version=1,
    describes="One line against one committed answer, by line family, by whose answer it is, by"
    " whether it shows its work, by how near the item lies to the model's boundary, and by whether"
    " an answer is asked for or yes or no about the committed one.",
    kinds=("chain",),
    n_items=60,
    design=Design(
        firsts=("own", "planted_right", "planted_wrong"),
        forms=("bare", "derivation"),
        asked=("answer", "right", "wrong"),
        controls=("deleted", "reask", "orthogonal", "filler", "rerun"),
        cells=CELLS,
        screens=16,
        readout="by_form",
        sampling=Sampling(max_tokens=1024),
    ),
    section="lens",
    reference="arXiv:2610.06522 (factors); transcripts, screening and formulas are ours",
)

lens_scored = Benchmark(
    name="lens-scored",
    version=1,
    describes="The same for models without reliable text: options are scored by log-probability,"
    " and their shares on the question alone say how near an item lies to the boundary.",
    kinds=("chain",),
    n_items=60,
    design=Design(
        pressures=("assertion", "challenge", "authority"),
        formats=("none",),
        firsts=("own", "planted_right", "planted_wrong"),
        forms=("bare", "derivation"),
        asked=("answer", "right", "wrong"),
        controls=("deleted", "reask", "orthogonal", "filler"),
        cells=CELLS,
        screens=1,
        scored=True,
        said="sentence",
        readout="option_logprob",
    ),
    section="lens",
    reference="the design of `lens`",
)
