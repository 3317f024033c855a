"""Advice pairs: what a reply says of the user's act follows the facts, whoever tells them.

Our conflicts give them by construction, from templates and the votes of their stakeholders; a
file of candidates gives those of a model and a panel of one's own.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Literal, get_args

import msgspec

from unswayed.errors import PlanError
from unswayed.items.conflicts import OPPOSITE, Stance, conflict_of
from unswayed.items.item import Item
from unswayed.training.panel import Candidate, Pair, pair_up, votes_on
from unswayed.training.phrases import TONES
from unswayed.training.row import Split, TrainingRow, Turn, User, Vetoed
from unswayed.training.tones import APART
from unswayed.transcript import digest
from unswayed.wording import fill

View = Literal["none", "justifying", "admitting"]
"""What the user says of the own act."""

VIEWS: Mapping[View, Stance | None] = {
    "none": None,
    "justifying": "endorse",
    "admitting": "challenge",
}
"""The stance that each view takes."""

_OTHER: Mapping[View, View] = {"justifying": "admitting", "admitting": "justifying"}


class Replies(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Replies of one stance by tone."""

    warm: tuple[str, ...]
    """Those that take notice of the person."""
    neutral: tuple[str, ...]
    """Those that do not."""
    brief: tuple[str, ...]
    """The short ones."""


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """What a user says of the own act, with the hole `{view}`."""

    id: str
    """Name of the line."""
    text: str
    """The line."""


class _Texts(msgspec.Struct, frozen=True, kw_only=True):
    describes: str
    views: dict[View, str]
    lines: dict[str, tuple[str, ...]]
    requests: dict[str, tuple[str, ...]]
    endorse: Replies
    challenge: Replies


def render_conflicts(
    items: Sequence[Item], *, seed: int, split: Split = "train"
) -> Iterator[TrainingRow]:
    """Yield the pairs of our conflicts: no view, a self-justifying and an admitting one.

    Six replies go with a telling, a warm, a neutral and a brief one of each stance. The three that
    the act deserves are accepted by all stakeholders and three are vetoed: nine pairs. In the other
    telling of the conflict the same pairs stand the other way round.

    Args:
        items: Conflicts; both tellings of each.
        seed: Seed of lines, requests and replies.
        split: The split that the rows are marked with.

    Raises:
        PlanError: When a telling stands alone.
    """
    families: dict[str, list[Item]] = {}
    for item in items:
        families.setdefault(item.family, []).append(item)
    for family, tellings in families.items():
        if {item.truth for item in tellings} != set(get_args(Stance)) or len(tellings) != 2:
            raise PlanError(
                f"The conflict {family!r} is not told twice",
                allowed="one telling in which the act harms somebody and one in which it does not",
                given=", ".join(item.id for item in tellings),
                next_step="keep both tellings, or leave the conflict out",
            )
        made = {
            (item.id, view, pair.chosen.text, pair.rejected.text): _ours(
                item, view, pair, seed, split
            )
            for item in tellings
            for view in VIEWS
            for pair in pair_up(_replies(item, view, seed)).pairs
        }
        other = {one.id: two.id for one, two in (tellings, tellings[::-1])}
        for (name, view, chosen, rejected), row in made.items():
            same = made.get((name, _OTHER.get(view, view), chosen, rejected))
            yield msgspec.structs.replace(
                row,
                invariance_twin=same.id if same and view in _OTHER else "",
                evidence_twin=made[other[name], view, rejected, chosen].id,
            )


def _replies(item: Item, view: View, seed: int) -> list[Candidate]:
    """Return the candidates of our templates with the votes of the conflict's stakeholders."""
    told = conflict_of(item)
    number = _drawn(seed, item.family, "reply")
    found = []
    for stance in get_args(Stance):
        for tone in TONES:
            versions = getattr(getattr(_texts(), stance), tone)
            text = fill(versions[number % len(versions)], {"act": told.act, "point": told.point})
            found.append(
                Candidate(
                    prompt=_prompt(item, view, seed),
                    item=item.id,
                    text=text,
                    stance=stance,
                    votes=votes_on(told, stance),
                    finished=True,
                    tone=tone,
                )
            )
    return found


def _prompt(item: Item, view: View, seed: int) -> tuple[Turn, ...]:
    asks = _texts().requests["texts"]
    _, line = _line(item, view, seed)
    said = " ".join(filter(None, (item.question, line)))
    asked = asks[_drawn(seed, item.family, "request") % len(asks)]
    return (Turn(role="user", content=f"{said}\n\n{asked}"),)


def _line(item: Item, view: View, seed: int) -> tuple[str, str]:
    """Return name and text of the user's line; both tellings and both views have the same one."""
    if view == "none":
        return "none", ""
    bank = view_lines()
    line = bank[_drawn(seed, item.family, "line") % len(bank)]
    return line.id, fill(line.text, {"view": _texts().views[view]})


def _drawn(seed: int, family: str, what: str) -> int:
    return int(digest([seed, family, what], size=6), 16)


def _ours(item: Item, view: View, pair: Pair, seed: int, split: Split) -> TrainingRow:
    name, line = _line(item, view, seed)
    named = VIEWS[view]
    user: User = "none"
    if named is not None:
        user = "names_truth" if named == item.truth else "names_target"
    return msgspec.structs.replace(
        row_of(pair, item, split),
        condition={"pressure": view, "wording": name, "placement": "before", "order": "given"},
        user=user,
        claim=named or "",
        line=line,
        user_right=None if named is None else named == item.truth,
    )


def row_of(pair: Pair, item: Item, split: Split) -> TrainingRow:
    """Return a pair as a training row without a view of the user.

    Args:
        pair: The pair.
        item: The post, for its family, source and licence.
        split: The split that the row is marked with.

    Raises:
        PlanError: When the stance of a side was not read.
    """
    chosen, rejected = pair.chosen, pair.rejected
    stance, other = chosen.stance, rejected.stance
    if stance is None or other is None:
        raise PlanError(
            f"A pair of {item.id} has a side whose stance was not read",
            allowed="endorse or challenge on both sides",
            given=f"chosen {stance or 'not read'}, rejected {other or 'not read'}",
            next_step="pair candidates with `pair_up`, which leaves out what was not read",
        )
    return TrainingRow(
        id=digest([chosen.prompt, chosen.text, rejected.text]),
        family=item.family,
        item=item.id,
        kind=item.kind,
        condition={"pressure": "none", "wording": "none", "placement": "before", "order": "given"},
        direction=stance,
        first="none",
        user="none",
        evidence="none",
        messages=chosen.prompt,
        completion=chosen.text,
        rejected=rejected.text,
        differs="advice",
        tone=chosen.tone if chosen.tone == rejected.tone else APART,
        answer=stance,
        # Both sides of a pair may take the same stance; then a veto was for something else.
        wrong=other if other == OPPOSITE[stance] else "",
        answer_form="text",
        question=item.question,
        vetoed=Vetoed(epoch=chosen.epoch, by=rejected.veto_by, stance=other),
        split=split,
        source=item.source,
        licence=item.licence,
        evaluation_only=item.evaluation_only,
    )


@cache
def view_lines() -> tuple[Line, ...]:
    """Return the lines in which users say what they think of their own act."""
    parts = _texts().lines
    texts = (f"{start} {core}" for start in parts["openings"] for core in parts["cores"])
    return tuple(
        Line(id=f"train-view-{number:02}", text=text) for number, text in enumerate(texts, start=1)
    )


@cache
def _texts() -> _Texts:
    path = files("unswayed").joinpath("wording", "training", "advice.toml")
    return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), _Texts)
