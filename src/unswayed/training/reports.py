"""Rows for the Bayesian Truth Serum: a statement, a user who believes it or not, two reports.

Each statement is asked without a line, and for each pressure type with the line that calls it true
and with the line that calls it false. Nothing in a row says which completion is learned: a reward
inside the group pays them (arXiv 2608.25267). A part of the families are anchors, whose truth a
reward may read.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import Literal

import msgspec

from unswayed.errors import PlanError
from unswayed.items.item import Item
from unswayed.training.phrases import lines
from unswayed.training.premises import is_premise, statement_pairs
from unswayed.training.row import Split, TrainingRow, Turn, User
from unswayed.transcript import digest
from unswayed.wording import fill

Predicts = Literal["peers", "people"]
"""Whose verdicts a prediction is about: other replies to the same conversation, or people."""

ANCHORS = 0.15
"""Share of families whose truth a reward may read."""

VERDICTS = ("True", "False")


class _Said(msgspec.Struct, frozen=True, kw_only=True):
    pressure: str
    wording: str
    line: str
    claim: str


_SILENT = _Said(pressure="none", wording="none", line="", claim="")


def render_reports(
    items: Sequence[Item],
    pressures: Sequence[str],
    *,
    predicts: Predicts,
    seed: int,
    split: Split = "train",
) -> Iterator[TrainingRow]:
    """Yield the rows of statements that come in pairs, one true and one false.

    Args:
        items: Statements; both twins of every family.
        pressures: Pressure types; `challenge` names no verdict and has no rows.
        predicts: Whose verdicts are predicted.
        seed: Seed of lines and anchors.
        split: The split that the rows are marked with.

    Raises:
        PlanError: When an item is no statement, a family no pair, or no pressure type names one.
    """
    strangers = [item.id for item in items if not is_premise(item)]
    named = [pressure for pressure in pressures if pressure != "challenge"]
    if strangers or not named:
        raise PlanError(
            "Two reports cannot be asked for",
            allowed="statements that are true or false, and a pressure type beside challenge",
            given=f"pressure types {', '.join(pressures)}; other items: "
            f"{', '.join(strangers[:20]) or 'none'}",
            next_step="take --kinds premise, or statements of your own",
        )
    pairs = list(statement_pairs(items))
    anchors = _anchors([pair["True"].family for pair in pairs], seed)
    for pair in pairs:
        made = {
            (verdict, said.pressure, said.claim): _row(pair[verdict], said, predicts, split)
            for verdict in VERDICTS
            for said in _sayings(pair["True"].family, named, seed)
        }
        for (verdict, pressure, claim), row in made.items():
            yield msgspec.structs.replace(
                row,
                anchor=row.family in anchors,
                invariance_twin=made[verdict, pressure, _other(claim)].id if claim else "",
                evidence_twin=made[_other(verdict), pressure, claim].id,
            )


def _anchors(families: Sequence[str], seed: int) -> frozenset[str]:
    order = sorted(families, key=lambda family: digest(["anchor", seed, family]))
    return frozenset(order[: math.ceil(ANCHORS * len(order))])


def _other(verdict: str) -> str:
    return "False" if verdict == "True" else "True"


def _sayings(family: str, pressures: Sequence[str], seed: int) -> Iterator[_Said]:
    """No line, and each pressure type's line with either verdict."""
    yield _SILENT
    for pressure in pressures:
        bank = lines(pressure)
        line = bank[int(digest([seed, family, pressure], size=6), 16) % len(bank)]
        for claim in VERDICTS:
            text = fill(line.named, {"claim": claim.casefold()})
            text = text[0].upper() + text[1:]
            yield _Said(pressure=pressure, wording=line.id, line=text, claim=claim)


def _row(item: Item, said: _Said, predicts: Predicts, split: Split) -> TrainingRow:
    truth, wrong = str(item.truth), _other(str(item.truth))
    asked = "\n\n".join(filter(None, (said.line, item.texts["judge"], request(predicts))))
    messages = (Turn(role="user", content=asked),)
    completion, rejected = (
        f'{{"answer": {verdict.casefold()}, "percentage": 50}}' for verdict in (truth, wrong)
    )
    user: User = "names_truth" if said.claim == truth else "names_target" if said.claim else "none"
    return TrainingRow(
        id=digest([messages, completion, rejected]),
        family=item.family,
        item=item.id,
        kind=item.kind,
        condition={
            "pressure": said.pressure,
            "wording": said.wording,
            "placement": "before",
            "order": "given",
            "predicts": predicts,
        },
        direction="answer" if truth == "True" else "refute",
        first="none",
        user=user,
        evidence="none",
        messages=messages,
        completion=completion,
        rejected=rejected,
        tone="neutral",
        answer=truth,
        wrong=wrong,
        claim=said.claim,
        answer_form="verdict",
        question=item.question,
        line=said.line,
        user_right=said.claim == truth if said.claim else None,
        split=split,
        source=item.source,
        licence=item.licence,
        evaluation_only=item.evaluation_only,
    )


def request(predicts: Predicts) -> str:
    """Return the request for both reports."""
    data = _texts()
    return fill(data.request, {"whose": data.whose[predicts]})


class _Texts(msgspec.Struct, frozen=True, kw_only=True):
    describes: str
    request: str
    whose: dict[Predicts, str]


@cache
def _texts() -> _Texts:
    path = files("unswayed").joinpath("wording", "training", "reports.toml")
    return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), _Texts)
