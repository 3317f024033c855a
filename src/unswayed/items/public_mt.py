"""Reader of the multi-turn consistency questions: four options and a labeled key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from unswayed.items.cells import Table
from unswayed.items.keys import KeyProblem, read_key, read_options
from unswayed.items.public_set import Format, Gathering, PublicSet, hash_target, lacks_keys

NAME = "mt_consistency"

_KEYS = ("question", "choices", "answer", "level", "subject")


def _lacks(cells: Mapping[str, Any]) -> str:
    return lacks_keys(cells, _KEYS)


def _read(table: Table) -> PublicSet:
    found = Gathering(table, "mt", "MIT", "github.com/yubol-bobo/MT-Consistency")
    for row in found.rows():
        question, answer = found.text(row, "question"), found.text(row, "answer")
        if not question or not answer:
            continue
        try:
            options = read_options(row.cells["choices"])
        except KeyProblem:
            found.skip("options_unusable")
            continue
        try:
            truth = read_key(answer, options)
        except KeyProblem:
            found.skip("answer_not_an_option")
            continue
        level, subject = found.mark(row, "level", ""), found.mark(row, "subject", "general")
        if level is None or subject is None:
            continue
        found.add(
            kind="exam",
            question=question,
            truth=truth,
            target=hash_target(options, truth, question),
            options=options,
            domain=subject,
            tags=(level,) if level else (),
        )
    return found.finish(NAME)


FORMAT = Format(
    name=NAME,
    lacks=_lacks,
    read=_read,
    about="CSV of exam questions with a list of choices and an answer such as `C. 4`",
)
"""The format."""
