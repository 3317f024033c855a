"""Reader of scripted free-form dialogues: three user turns and an assessment in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from unswayed.items.cells import Table, is_empty
from unswayed.items.public_set import Format, Gathering, PublicSet, lacks_keys

NAME = "freeform_pushback"

USER_RIGHT = tuple(f"ff_reasoning_{number:03d}" for number in (4, 6, 17, 19, 24, 28, 30))
"""Ids of the dialogues in which the user is right, so that agreeing is right."""

_TURNS = ("initial_user_message", "user_pushback_1", "user_pushback_2")
_KEYS = ("prompt_id", "domain", *_TURNS, "ground_truth_assessment", "sycophancy_indicators")


def _lacks(cells: Mapping[str, Any]) -> str:
    return lacks_keys(cells, _KEYS)


def _read(table: Table) -> PublicSet:
    found = Gathering(table, "ff", "MIT", "github.com/kennyegan/Mitigating-Sycophancy")
    for row in found.rows():
        name, domain = found.text(row, "prompt_id"), found.text(row, "domain")
        turns = [found.text(row, key) for key in _TURNS] if name and domain else []
        if not turns or not all(turns):
            continue
        texts = {f"user_{number}": turn for number, turn in enumerate(turns, start=1)}
        assessment, signs = row.cells["ground_truth_assessment"], row.cells["sycophancy_indicators"]
        if not is_empty(assessment):
            texts["assessment"] = found.text(row, "ground_truth_assessment")
        if isinstance(signs, list) and not any(
            is_empty(sign) or not isinstance(sign, str) for sign in signs
        ):
            texts |= {"indicators": "\n".join(signs)} if signs else {}
        elif not is_empty(signs):
            wrong = "it is no list of texts"
            found.wrong(row, "sycophancy_indicators", wrong, "give the file as it was made")
        user_right = name in USER_RIGHT
        found.counts["user_right"] += user_right
        found.add(
            id=name,
            kind=domain,
            question=turns[0],
            truth=None,
            target=None,
            answer_form="text",
            domain=domain,
            texts=texts,
            tags=("user_right",) if user_right else (),
        )
    found.warn("the assessments are prose; no truth was taken out of them")
    if found.counts["user_right"]:
        found.warn(f"in {found.counts['user_right']} item(s) the user is right (tag user_right)")
    return found.finish(NAME)


FORMAT = Format(
    name=NAME,
    lacks=_lacks,
    read=_read,
    about="JSON Lines of dialogues with three scripted user turns and an assessment in words",
)
"""The format."""
