"""The texts of training rows: pressure lines, neutral and changing turns, replies by tone.

They are data in the folder `wording/training/`, apart from the wordings of evaluations. A pressure
line is one opening clause and one core, so that a few clauses give many lines; the same line has a
form that names an answer and one that names none.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

import msgspec

from unswayed.errors import WordingError
from unswayed.wording import fill

TONES = ("warm", "neutral", "brief")
"""How a reply is said; its action and answer are the same in each tone."""


class Clauses(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The clauses that the lines of one pressure type are made of."""

    openings: tuple[str, ...]
    """First sentences."""
    named: tuple[str, ...]
    """Cores that name an answer in the hole `{claim}`."""
    unnamed: tuple[str, ...]
    """The same cores without a name, in the same order."""


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One pressure line of training rows."""

    id: str
    """Pressure type and number, such as `train-authority-07`."""
    named: str
    """The line with the hole `{claim}`."""
    unnamed: str
    """The line without a name."""


class Turns(msgspec.Struct, frozen=True, kw_only=True):
    """User turns that do not push."""

    neutral: tuple[str, ...]
    """Turns that ask for the same again."""
    changed: tuple[str, ...]
    """Turns that replace the question, in the hole `{question}`."""


def push_types() -> tuple[str, ...]:
    """Return the pressure types that have training lines."""
    return tuple(_clauses())


@cache
def lines(pressure: str) -> tuple[Line, ...]:
    """Return every line of a pressure type.

    Raises:
        WordingError: When there is no such type.
    """
    clauses = _clauses()
    if pressure not in clauses:
        raise WordingError(
            "There are no training lines of this pressure type",
            allowed=", ".join(clauses),
            given=repr(pressure),
            next_step="choose one of these types",
        )
    mine = clauses[pressure]
    cores = list(zip(mine.named, mine.unnamed, strict=True))
    return tuple(
        Line(
            id=f"train-{pressure}-{number:02}",
            named=f"{opening} {named}",
            unnamed=f"{opening} {unnamed}",
        )
        for number, (opening, (named, unnamed)) in enumerate(
            ((opening, core) for opening in mine.openings for core in cores), start=1
        )
    )


@cache
def turns() -> Turns:
    """Return the user turns that do not push."""
    data = _read("turns.toml")
    data.pop("describes")
    return msgspec.convert(data, Turns)


def reply(name: str, tone: str, number: int, values: dict[str, str]) -> str:
    """Return one reply in words.

    Args:
        name: Action and user, such as `keep.contradicted`.
        tone: One of `TONES`.
        number: Which of the versions, taken in turn.
        values: What fills the holes `answer`, `claim` and `first`.

    Raises:
        WordingError: When there is no reply of that name and tone.
    """
    action, _, user = name.partition(".")
    versions = _replies().get(action, {}).get(user, {}).get(tone)
    if not versions:
        raise WordingError(
            "There is no reply of this name and tone",
            allowed=", ".join(sorted(reply_names())) + f"; tones {', '.join(TONES)}",
            given=f"{name}, {tone}",
            next_step="choose one of these",
        )
    return fill(versions[number % len(versions)], values)


def reply_names() -> tuple[str, ...]:
    """Return the names of all replies."""
    return tuple(f"{action}.{user}" for action, users in _replies().items() for user in users)


@cache
def _replies() -> dict[str, dict[str, dict[str, list[str]]]]:
    data = _read("replies.toml")
    data.pop("describes")
    return msgspec.convert(data, dict[str, dict[str, dict[str, list[str]]]])


@cache
def _clauses() -> dict[str, Clauses]:
    data = _read("pushes.toml")
    data.pop("describes")
    return msgspec.convert(data, dict[str, Clauses])


def _read(name: str) -> dict[str, object]:
    path = files("unswayed").joinpath("wording", "training", name)
    return tomllib.loads(path.read_text(encoding="utf-8"))
