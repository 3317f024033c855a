"""Reads preference sets: public shapes, told apart by their columns, refused when unknown."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from unswayed.errors import RowError
from unswayed.items.cells import Problem, Row, is_empty, read_table, refuse
from unswayed.preferences.cells import Cells, refuse_infinities
from unswayed.preferences.pair import Label, Pair, PreferenceSet, Turn
from unswayed.preferences.stances import annotate
from unswayed.transcript import digest

_HH_TURN = re.compile(r"\n\n(Human|Assistant):[ ]?")
_HH_ROLES = {"Human": "user", "Assistant": "assistant"}
_NAMES_WINNER = re.compile(
    r"(?<!\w)@?response[ _]?([12]) (?:is|was) (?:\w+ ){0,3}better\b", re.IGNORECASE
)
_ENOUGH_REASONS = 10

_SAME = "both replies are the same"
_PARTED = "the dialogues differ before the last reply"
_BY_CONSTRUCTION = (
    "the benchmark says that the chosen reply is right, and nothing of whether the user is: without"
    " a column user_right who is right stays unknown. No annotator chose here: score the replies"
    " with a reward model and use `unswayed audit reward-model`"
)


class Format(msgspec.Struct, frozen=True, kw_only=True):
    """One shape of preference data."""

    name: str
    """How it is named in messages."""
    needs: tuple[str, ...]
    """Columns that every row has."""
    fits: Callable[[Mapping[str, Any]], bool]
    """Whether a row with these columns is of this shape."""
    read: Callable[[Cells], Iterator[Pair | str]]
    """The pairs of a row, or why it holds none."""
    sides: tuple[str, str] = ("chosen", "rejected")
    """The columns of the two replies, after which columns of annotations are named."""
    note: str = ""
    """What must be known about it."""


def read_preferences(path: Path) -> PreferenceSet:
    """Read a preference set in any of the known shapes: JSON Lines, JSON, CSV or Parquet.

    Columns `user_right`, `agrees_SIDE` and `warmth_SIDE`, with SIDE the column of a reply, are
    taken before any rule. Other columns are left alone.

    Raises:
        RowError: When the file is of no known shape, or a row lacks what its shape needs.
    """
    table = read_table(path)
    refuse_infinities(table)
    if table.problems:
        refuse(table.path, table.problems, len(table.rows) + len(table.problems))
    form = _format_of(path, table.rows)
    problems: list[Problem] = []
    skipped: Counter[str] = Counter()
    pairs: dict[str, Pair] = {}
    for row in table.rows:
        cells = Cells(row)
        for found in _annotated(form, cells):
            if isinstance(found, str):
                skipped[found] += 1
            else:
                name = f"{found.id}, {row.where}" if found.id in pairs else found.id
                pairs[name] = annotate(msgspec.structs.replace(found, id=name))
        problems += cells.problems
    if problems:
        refuse(table.path, problems, len(table.rows))
    if form.name == "helpsteer3":
        _check_direction(path, table.rows)
    return PreferenceSet(
        format=form.name,
        pairs=tuple(pairs.values()),
        skipped=dict(sorted(skipped.items())),
        notes=(form.note,) if form.note else (),
    )


def _format_of(path: Path, rows: Sequence[Row]) -> Format:
    if rows:
        cells = rows[0].cells
        for form in FORMATS:
            if all(name in cells for name in form.needs) and form.fits(cells):
                return form
    raise RowError(
        f"{path} is no preference set that can be read",
        allowed="; ".join(f"{form.name}: {', '.join(form.needs)}" for form in FORMATS),
        given=", ".join(rows[0].cells) if rows else "no row",
        next_step="rename the columns to prompt, chosen and rejected; docs/preferences.md",
    )


def _annotated(form: Format, cells: Cells) -> Iterator[Pair | str]:
    """The pairs of a row with what its columns say, or why it holds none."""
    right = cells.flag("user_right")
    one, two = (cells.flag(f"agrees_{side}") for side in form.sides)
    warm, cold = (cells.number(f"warmth_{side}") for side in form.sides)
    for found in form.read(cells):
        if cells.problems:
            return
        if isinstance(found, str):
            yield found
        elif not found.first.strip() or not found.second.strip():
            yield "a reply is empty"
        elif found.first == found.second:
            yield _SAME
        else:
            yield msgspec.structs.replace(
                found,
                user_right=right,
                agrees=(one, two),
                origin="none" if one is two is None else "column",
                warmth=(warm, cold),
            )


def _pair(
    cells: Cells, turns: Sequence[Turn], replies: tuple[str, str], label: Label | None, n: int = 0
) -> Pair:
    name = cells.first_of("id", "pair_id", "prompt_id") or cells.row.where
    cluster = cells.first_of("prompt_idx")
    return Pair(
        id=f"{name}/{n}" if n else name,
        turns=tuple(turns),
        first=replies[0],
        second=replies[1],
        label=label,
        source=cells.first_of("source", "subset", "domain"),
        cluster=f"prompt_idx {cluster}" if cluster else digest(tuple(turns)) if turns else name,
    )


def _read_hh(cells: Cells) -> Iterator[Pair | str]:
    """The shared part ends at the last `Assistant:`."""
    parted = [cells.text(name).rpartition("\n\nAssistant:") for name in ("chosen", "rejected")]
    (before, mark, chosen), (other, other_mark, rejected) = parted
    if not mark or not other_mark:
        yield "no `Assistant:` before a last reply"
    elif before != other:
        yield _PARTED
    else:
        parts = _HH_TURN.split(before)
        turns = [
            Turn(role=_HH_ROLES[role], content=text.strip())
            for role, text in zip(parts[1::2], parts[2::2], strict=True)
        ]
        yield _pair(cells, turns, (chosen.strip(), rejected.strip()), "first")


def _read_chosen(cells: Cells) -> Iterator[Pair | str]:
    """Chosen and rejected, with the prompt apart or as the shared start."""
    chosen, rejected = cells.turns("chosen"), cells.turns("rejected")
    prompt = cells.turns("prompt") if cells.has("prompt") else []
    shared = 0
    for one, two in zip(chosen, rejected, strict=False):
        if one != two:
            break
        shared += 1
    if len(chosen) == len(rejected) == shared:
        yield _SAME
    elif len(chosen) != shared + 1 or len(rejected) != shared + 1:
        yield _PARTED
    else:
        turns = chosen[:shared] or prompt
        yield _pair(cells, turns, (chosen[-1].content, rejected[-1].content), _label(cells))


def _label(cells: Cells) -> Label | None:
    """Chosen is preferred, unless the scores say otherwise or one is missing."""
    if not {"score_chosen", "score_rejected"} <= set(cells.row.cells):
        return "first"
    high, low = cells.number("score_chosen"), cells.number("score_rejected")
    if high is None or low is None:
        return None
    return "tie" if high == low else "first" if high > low else "second"


def _read_helpsteer(cells: Cells) -> Iterator[Pair | str]:
    """Below 0 the first response is better, above 0 the second, 0 is a tie."""
    degree = cells.number("overall_preference")
    label: Label | None = None
    if degree is not None:
        label = "tie" if degree == 0 else "first" if degree < 0 else "second"
        if not -3 <= degree <= 3:
            cells.refuse("overall_preference", f"it is {degree:g}", "write a number from -3 to 3")
    replies = (cells.text("response1"), cells.text("response2"))
    yield _pair(cells, cells.turns("context"), replies, label)


def _check_direction(path: Path, rows: Iterable[Row]) -> None:
    """Refuse a file whose reasons name the other winner than its numbers do."""
    votes: Counter[bool] = Counter()
    for row in rows:
        degree = row.cells.get("overall_preference")
        listed = row.cells.get("individual_preference")
        for each in listed if isinstance(listed, list) else ():
            text = str(each.get("reasoning", "")) if isinstance(each, dict) else ""
            named = set(_NAMES_WINNER.findall(text))
            if len(named) == 1 and isinstance(degree, int | float) and degree:
                votes[(degree < 0) == (named == {"1"})] += 1
    if votes[False] >= _ENOUGH_REASONS and votes[False] > votes[True]:
        raise RowError(
            f"The sign of overall_preference in {path} is not the known one",
            allowed="below 0 where the first response is better",
            given=f"{votes[False]} of {votes.total()} reasons name the other response",
            next_step="turn the sign, or check where the file comes from",
        )


def _read_best(cells: Cells) -> Iterator[Pair | str]:
    """Every right reply against every wrong one."""
    if cells.first_of("subset").casefold() == "ties":
        yield "subset Ties, which has several right replies"
        return
    turns, n = cells.turns("prompt"), 0
    good, bad = cells.texts("chosen"), cells.texts("rejected")
    for chosen in good:
        for rejected in bad:
            n += 1
            yield _pair(cells, turns, (chosen, rejected), "first", n)


def _is_hh(cells: Mapping[str, Any]) -> bool:
    text = cells["chosen"]
    return isinstance(text, str) and "prompt" not in cells and text.startswith("\n\nHuman:")


def _are_lists(cells: Mapping[str, Any]) -> bool:
    value = cells["chosen"]
    return isinstance(value, list) and bool(value) and isinstance(value[0], str)


def _has_prompt(cells: Mapping[str, Any]) -> bool:
    """Whether the prompt is there, apart or as the start of two lists of messages."""
    return not is_empty(cells.get("prompt")) or isinstance(cells["chosen"], list)


FORMATS = (
    Format(
        name="helpsteer3",
        needs=("context", "response1", "response2", "overall_preference"),
        fits=lambda cells: True,
        read=_read_helpsteer,
        sides=("response1", "response2"),
    ),
    Format(name="hh-rlhf", needs=("chosen", "rejected"), fits=_is_hh, read=_read_hh),
    Format(
        name="rewardbench2",
        needs=("prompt", "chosen", "rejected", "subset"),
        fits=_are_lists,
        read=_read_best,
        note=_BY_CONSTRUCTION,
    ),
    Format(
        name="rm-bench",
        needs=("prompt", "chosen", "rejected", "domain"),
        fits=_are_lists,
        read=_read_best,
        note=_BY_CONSTRUCTION,
    ),
    Format(
        name="rewardbench",
        needs=("prompt", "chosen", "rejected", "subset"),
        fits=_has_prompt,
        read=_read_chosen,
        note=_BY_CONSTRUCTION,
    ),
    Format(
        name="ultrafeedback-binarized",
        needs=("prompt", "chosen", "rejected", "score_chosen", "score_rejected"),
        fits=_has_prompt,
        read=_read_chosen,
    ),
    Format(
        name="skywork",
        needs=("chosen", "rejected", "source"),
        fits=lambda cells: "prompt" not in cells and isinstance(cells["chosen"], list),
        read=_read_chosen,
    ),
    Format(name="trl", needs=("chosen", "rejected"), fits=_has_prompt, read=_read_chosen),
)
"""The known shapes, the most particular first."""
