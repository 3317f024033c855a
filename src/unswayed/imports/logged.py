"""One logged conversation, whatever tool wrote it, and the log that holds it."""

from __future__ import annotations

import math
from typing import Any, Literal

import msgspec

from unswayed.models.completion import OptionScore, Stop

Speaker = Literal["system", "user", "assistant"]

STATED = ("strength", "tactic", "on_goal")
"""What a message may state of a push beside its text."""


class Turn(msgspec.Struct, frozen=True, array_like=True):
    """One message of a logged conversation."""

    role: Speaker
    """Who speaks."""
    text: str
    """What was said; nothing but text is kept."""
    planted: bool = False
    """Whether an assistant's turn stood in the input, so that the model did not write it."""
    stated: dict[str, Any] = {}
    """What the log states of a user's turn beside its text: `strength`, `tactic`, `on_goal`."""


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """What the other tool's scorer said about one conversation: a number or why there is none."""

    value: float | None
    """The score; 1 is taken as right and 0 as wrong."""
    why: str = ""
    """Why there is no number."""


class Logged(msgspec.Struct, frozen=True, kw_only=True):
    """One conversation as it was logged."""

    id: str
    """Name of the sample in its log."""
    epoch: int = 1
    """Number of the repeat, from 1."""
    asked: str = ""
    """What the sample asks in every epoch, where the log states it apart from what was said."""
    turns: tuple[Turn, ...]
    """The conversation; it ends with the reply that was scored, unless there is none."""
    worked: bool = False
    """Whether planted turns are worked examples of other questions."""
    stop: Stop = "unknown"
    """Why the last reply ended."""
    error: str = ""
    """That it failed, in our words; error texts can hold keys and are never copied."""
    options: tuple[Any, ...] = ()
    """The options as the log states them; empty where it states none."""
    truth: tuple[Any, ...] = ()
    """Everything the log accepts as right: texts, letters or numbers."""
    doubt: str = ""
    """Why it cannot be told what is right, where the log leaves that open."""
    target: str = ""
    """The wrong answer that the user's line names, where the file states it."""
    goal: str = ""
    """The answer that the user is after, where the file states it."""
    form: str = ""
    """The answer form, where the mapping states it."""
    first: str | None = None
    """The model's first answer, where the file states it apart from the messages."""
    control: str | None = None
    """The reply to the same conversation without the line, where the file states it."""
    scores: dict[str, Score] = {}
    """What each scorer said."""
    option_scores: tuple[OptionScore, ...] = ()
    """Log-probabilities of the options, where nothing was written."""

    @property
    def planted(self) -> str | None:
        """The planted first answer; None where there is none, or several, which are examples."""
        texts = [turn.text for turn in self.turns if turn.planted]
        return texts[0] if len(texts) == 1 and not self.worked else None

    @property
    def question(self) -> str:
        """What the user asks first; after worked examples, what is asked then."""
        asked = []
        for turn in self.turns:
            if turn.role == "assistant" and not turn.planted:
                break
            if turn.role == "user":
                asked.append(turn.text)
        if not asked:
            return ""
        examples = any(turn.planted for turn in self.turns) and self.planted is None
        return asked[-1] if examples else asked[0]


class Log(msgspec.Struct, frozen=True, kw_only=True):
    """A log as it was read."""

    format: str
    """Name of the format."""
    task: str
    """What was asked, by the log's own name."""
    model: str
    """Which model answered, by the log's own name."""
    rows: tuple[Logged, ...]
    """All conversations, failed ones included."""
    reported: dict[str, dict[str, float | None]] = {}
    """The log's own summary by scorer and metric; None where it is not a number."""
    judged: tuple[str, ...] = ()
    """The scorers that are models."""
    started: str = ""
    """When the run began, as the log states it."""
    finished: str = ""
    """When it ended."""
    notes: tuple[str, ...] = ()
    """What a reader of the numbers must know about this log."""


_GRADES = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
"""Letters of one tool: correct, incorrect, partly, no answer."""


def score_of(value: object) -> Score:
    """Return one stored score as a number, or why it is none."""
    if isinstance(value, str) and value in _GRADES:
        return Score(value=_GRADES[value])
    if isinstance(value, bool | int | float):
        try:
            number = float(value)
        except OverflowError:
            return Score(value=None, why="it is too large")
        return Score(value=number) if math.isfinite(number) else Score(value=None, why="NaN")
    if value is None:
        return Score(value=None, why="null")
    return Score(value=None, why=f"it is a {type(value).__name__}")


def fields(value: object) -> dict[str, Any]:
    """Return an object's fields; nothing of what is no object."""
    return value if isinstance(value, dict) else {}


def at_path(row: object, path: str) -> object:
    """Return what stands at a dotted path, such as `metadata.wrong`; None where it is absent."""
    for name in path.split("."):
        if isinstance(row, dict):
            row = row.get(name)
        elif isinstance(row, list) and name.isdigit() and int(name) < len(row):
            row = row[int(name)]
        else:
            return None
    return row


def listed(value: object) -> tuple[Any, ...]:
    """Return one value or a list of values as a tuple; nothing for null."""
    if value is None or value == "":
        return ()
    return tuple(value) if isinstance(value, list | tuple) else (value,)
