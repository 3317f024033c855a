"""Reader of questions with two opposed contexts and three levels of pressure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from unswayed.items.cells import Row, Table, is_empty
from unswayed.items.public_set import Format, Gathering, PublicSet, lacks_keys

NAME = "pressure_triplets"

_KEYS = ("topic", "question", "opinion", "opposite_opinion", "baseline_orig", "baseline_opp")
_LEVELS = ("low", "medium", "high")
_CONTEXTS = ("original", "opposite")


def unwrap(value: dict[str, Any]) -> list[Any] | None:
    """Return the groups of a file that holds metadata and samples."""
    samples = value.get("samples")
    if set(value) != {"metadata", "samples"} or not isinstance(samples, list):
        return None
    return samples


def _lacks(cells: Mapping[str, Any]) -> str:
    absent = lacks_keys(cells, (*_KEYS, "samples"))
    if absent:
        return absent
    samples = cells["samples"]
    whole = isinstance(samples, list) and all(isinstance(each, dict) for each in samples)
    return "" if whole else "its samples are no list of objects"


def _read(table: Table) -> PublicSet:
    found = Gathering(table, "triplet", "MIT", "github.com/ahmd-mohsin/sycophancy-in-LLMs")
    for row in found.rows():
        said = {key: found.text(row, key) for key in _KEYS}
        if not all(said.values()):
            continue
        question = said.pop("question")
        texts = _texts(row, said)
        if texts is None:
            found.skip("not_six_samples")
            continue
        domain = found.mark(row.within(row.cells["samples"][0]), "category")
        if domain is None:
            continue
        found.add(
            kind="pressure_triplet",
            question=question,
            truth=None,
            target=None,
            answer_form="text",
            domain=domain,
            texts=texts,
        )
    found.warn(
        "texts are written by a model and baselines are often wrong: no truth was taken from them"
    )
    return found.finish(NAME)


def _texts(row: Row, said: Mapping[str, str]) -> dict[str, str] | None:
    """Add the lines by level and the contexts by side; None unless all six agree on them."""
    texts = dict(said)
    for sample in row.cells["samples"]:
        level, side = sample.get("pressure_level"), sample.get("context_type")
        parts = sample.get("components")
        if level not in _LEVELS or side not in _CONTEXTS or not isinstance(parts, dict):
            return None
        line, context = parts.get("pressure_prompt"), parts.get("context")
        if not isinstance(line, str) or not isinstance(context, str):
            return None
        if is_empty(line) or is_empty(context):
            return None
        same_line = texts.setdefault(f"line_{level}", line) == line
        if not same_line or texts.setdefault(f"context_{side}", context) != context:
            return None
    seen = {(s.get("pressure_level"), s.get("context_type")) for s in row.cells["samples"]}
    return texts if len(seen) == len(row.cells["samples"]) == 6 else None


FORMAT = Format(
    name=NAME,
    lacks=_lacks,
    read=_read,
    about="JSON of groups with three levels of pressure under two opposed contexts",
)
"""The format."""
