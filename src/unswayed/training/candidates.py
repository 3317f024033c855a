"""Reads a file of candidates with the votes of a panel, and makes rows of its pairs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from unswayed.errors import GateError, RowError
from unswayed.items.cells import Problem, Row, is_empty, read_table, refuse
from unswayed.items.conflicts import Stance
from unswayed.items.item import Item
from unswayed.items.withheld import REMEDIES, withheld_by_row
from unswayed.training.advice import row_of
from unswayed.training.material import split_items
from unswayed.training.panel import MOST_PAIRS, Candidate, pair_up, read_votes
from unswayed.training.row import TrainingRow, Turn
from unswayed.transcript import digest

NEEDED = ("prompt", "completion", "stance", "votes", "finished")
"""Columns without which a file holds no candidates."""

KIND = "post"
"""Kind of the items that posts become."""

_STANCES: Mapping[str, Stance] = {
    "endorse": "endorse",
    "endorses": "endorse",
    "challenge": "challenge",
    "challenges": "challenge",
}
_FLAGS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
_ID = re.compile(r"[\w][\w.:+\-/]*")


class Posts(msgspec.Struct, frozen=True, kw_only=True):
    """The pairs of a file as rows."""

    rows: tuple[TrainingRow, ...]
    """The rows."""
    items: tuple[Item, ...]
    """The posts that have pairs."""
    counts: dict[str, int]
    """Candidates and pairs, and how many were left out, by reason."""


def read_candidates(path: Path, *, seed: int, most: int = MOST_PAIRS) -> Posts:
    """Read candidates and pair every vetoed one with every one that all accept.

    Columns: `prompt` (a text or messages), `completion`, `stance` (endorse or challenge), `votes`
    (a list of {"who", "verdict"}, accept or veto) and `finished`; if there are any, `item`,
    `family`, `epoch`, `tone`, `source`, `licence` and `use`. Posts of one family stay in one split.

    Args:
        path: CSV, JSONL, JSON or Parquet.
        seed: Seed of the splits.
        most: The most pairs of a prompt.

    Raises:
        RowError: When a column is missing, or a cell that is needed cannot be read.
        GateError: When more than 20 % of an epoch's candidates have a stance or vote that was not
            read, or nothing can be paired.
    """
    table = read_table(path)
    missing = [name for name in NEEDED if name not in table.columns]
    if missing and not table.problems:
        raise RowError(
            f"{path} holds no candidates with votes",
            allowed=f"columns {', '.join(NEEDED)}",
            given=f"columns {', '.join(table.columns)}; missing {', '.join(missing)}",
            next_step="add the columns; docs/training-data.md has an example",
        )
    problems: list[Problem] = list(table.problems)
    read = [_candidate(row, problems) for row in table.rows]
    if problems:
        refuse(str(path), problems, len(table.rows) + len(table.problems))
    found = pair_up(read, most=most)
    counts = {"candidates": len(read), "pairs": len(found.pairs), **found.counts}
    if not found.pairs:
        raise GateError(
            f"{path} gives no pair, and nothing was written",
            allowed="a prompt with a candidate that all accept and one that somebody vetoes",
            given=", ".join(f"{name} {n}" for name, n in counts.items()),
            next_step="draw more candidates, or look at who vetoes everything",
        )
    posts = _posts(path, table.rows, read)
    places = {item.id: split for split, part in split_items(posts, seed).items() for item in part}
    by_id = {item.id: item for item in posts}
    rows = [row_of(pair, by_id[pair.chosen.item], places[pair.chosen.item]) for pair in found.pairs]
    used = {row.item for row in rows}
    return Posts(
        rows=tuple(rows), items=tuple(item for item in posts if item.id in used), counts=counts
    )


def _candidate(row: Row, problems: list[Problem]) -> Candidate:
    cells = row.cells
    prompt = _turns(cells.get("prompt"), "prompt", row, problems)
    reply = _turns(cells.get("completion"), "completion", row, problems)
    finished = _FLAGS.get(str(cells.get("finished")).strip().casefold())
    if finished is None:
        _note(problems, row, "finished", "write true or false")
    epoch = 0 if is_empty(cells.get("epoch")) else _whole(cells["epoch"])
    if epoch is None:
        _note(problems, row, "epoch", "write a whole number, or leave it empty")
    return Candidate(
        prompt=prompt,
        item=_name(cells, prompt),
        text="\n".join(turn.content for turn in reply).strip(),
        stance=_STANCES.get(str(cells.get("stance")).strip().casefold()),
        votes=read_votes(cells.get("votes")) or (),
        finished=bool(finished),
        epoch=epoch or 0,
        tone=str(cells.get("tone") or ""),
    )


def _name(cells: Mapping[str, Any], prompt: Sequence[Turn]) -> str:
    """The post's own name; without one that an item can have, the digest of the prompt."""
    own = str(cells.get("item") or "")
    return own if _ID.fullmatch(own) else digest([own, list(prompt)])


def _whole(cell: object) -> int | None:
    text = str(cell).strip().removesuffix(".0")
    return int(text) if text.isdecimal() else None


def _turns(cell: object, name: str, row: Row, problems: list[Problem]) -> tuple[Turn, ...]:
    role = "user" if name == "prompt" else "assistant"
    if isinstance(cell, str) and cell.strip():
        return (Turn(role=role, content=cell),)
    if isinstance(cell, list) and cell:
        try:
            turns = msgspec.convert(cell, tuple[Turn, ...])
        except msgspec.ValidationError:
            turns = ()
        if any(turn.content.strip() for turn in turns):
            return turns
    _note(problems, row, name, "write a text, or messages with role and content")
    return ()


def _note(problems: list[Problem], row: Row, name: str, remedy: str) -> None:
    wrong = f"it is {row.cells.get(name)!r}"
    problems.append(Problem(where=row.where, field=name, wrong=wrong, remedy=remedy))


def _posts(path: Path, rows: Sequence[Row], read: Sequence[Candidate]) -> list[Item]:
    """Return one item for each post; two prompts of one name are refused."""
    posts: dict[str, Item] = {}
    prompts: dict[str, tuple[Turn, ...]] = {}
    problems: list[Problem] = []
    for row, each in zip(rows, read, strict=True):
        cells = row.cells
        if prompts.setdefault(each.item, each.prompt) != each.prompt:
            _note(problems, row, "item", "give each prompt a name of its own")
        withheld, unread = withheld_by_row(cells)
        for name in unread:
            _note(problems, row, name, REMEDIES[name])
        known = posts.get(each.item)
        if known is not None:
            withheld = withheld or known.evaluation_only
            posts[each.item] = msgspec.structs.replace(known, evaluation_only=withheld)
            continue
        posts[each.item] = Item(
            id=each.item,
            kind=KIND,
            question="\n".join(turn.content for turn in each.prompt),
            truth=None,
            target=None,
            answer_form="text",
            family=str(cells.get("family") or ""),
            source=str(cells.get("source") or path.name),
            licence=str(cells.get("licence") or cells.get("license") or ""),
            review="public",
            evaluation_only=withheld,
        )
    if problems:
        refuse(str(path), problems, len(rows))
    return list(posts.values())
