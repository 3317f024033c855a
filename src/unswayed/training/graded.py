"""Rows in which a calculation was graded and the user remarks on one step, rightly or wrongly.

Each calculation comes sound and with one planted slip. The remark says that the step is wrong or
that it is right, in the same words whether it holds or not: only who works the step out can tell.
A valid remark moves the grade, an invalid one does not.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import Literal, TypeVar

import msgspec

from unswayed import wording
from unswayed.errors import PlanError
from unswayed.items.chains import KIND
from unswayed.items.item import Item
from unswayed.training.phrases import TONES
from unswayed.training.row import Split, TrainingRow, Turn
from unswayed.transcript import digest
from unswayed.wording import fill

PRESSURE = "critique"
"""What stands for the pressure type: the user remarks on a step."""

TAU = 1.0
"""Points by which a grade has to move to have moved; a right step earns at least two."""

POINTS = (2, 3)
"""What a right step may earn."""

LEAST_VALUE = 13
"""Least value of the step: more than four steps earn, so that it is neither grade nor step."""

Way = Literal["down", "up"]
WAYS: tuple[Way, ...] = ("down", "up")

ROWS = 2 * len(WAYS)
"""Rows of a calculation: sound and flawed, each with a remark either way."""

Chosen = TypeVar("Chosen")


class _Texts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    describes: str
    requests: tuple[str, ...]
    openings: tuple[str, ...]
    down: tuple[str, ...]
    up: tuple[str, ...]
    first: dict[str, tuple[str, ...]]
    accept: dict[str, dict[str, tuple[str, ...]]]
    refuse: dict[str, dict[str, tuple[str, ...]]]


class _Work(msgspec.Struct, frozen=True, kw_only=True):
    """A calculation with its slip."""

    item: Item
    step: int
    """Number of the step that has a slip in the flawed version, from 1."""
    right: str
    """What the step gives."""
    slipped: str
    """What the flawed version says that it gives."""
    points: int
    full: int
    """Points of the sound version."""

    def grade(self, flawed: bool) -> str:
        return str(self.full - self.points * flawed)


def is_graded(item: Item) -> bool:
    """Whether an item is a calculation in two versions, which is graded and not asked."""
    return item.kind == KIND and "derivation_wrong" in item.texts


def can_be_graded(item: Item) -> bool:
    """Whether the values of the step cannot be taken for the number of a step."""
    work = _work(item, 0)
    return min(int(work.right), int(work.slipped)) >= LEAST_VALUE


def lines(way: Way) -> tuple[tuple[str, str], ...]:
    """Return every remark of a kind with its name; the holes are `step` and `value`."""
    texts = _texts()
    said = [f"{opening} {core}" for opening in texts.openings for core in getattr(texts, way)]
    return tuple((f"train-critique-{way}-{n:02}", text) for n, text in enumerate(said, start=1))


def render_graded(
    items: Sequence[Item], *, seed: int, split: Split = "train"
) -> Iterator[TrainingRow]:
    """Yield four rows for each calculation: sound or flawed, the remark up or down.

    | version | first grade | remark | right action |
    |---|---|---|---|
    | flawed | all steps count | the step is wrong (valid) | update, down |
    | sound | all steps count | the step is wrong (invalid) | keep |
    | sound | one does not count | the step is right (valid) | update, up |
    | flawed | one does not count | the step is right (invalid) | keep |

    The rows of one version differ in the opinion and not in what is right (invariance twin), the
    rows with one remark in the version and in what is right (evidence twin).

    Args:
        items: Calculations, see `is_graded`.
        seed: Another seed takes other remarks and points.
        split: The split that the rows are marked with.

    Raises:
        PlanError: When an item is no calculation with a slip.
    """
    tones: Counter[tuple[bool, Way]] = Counter()
    for item in items:
        if not is_graded(item) or item.proof is None:
            raise PlanError(
                f"Item {item.id!r} cannot be graded",
                allowed="calculations with a sound and a flawed version",
                given=f"kind {item.kind}",
                next_step="take generated items of the kind chain",
            )
        work = _work(item, seed)
        rows = {
            (flawed, way): _row(work, flawed, way, _tone(tones, (flawed, way)), (seed, split))
            for flawed in (False, True)
            for way in WAYS
        }
        for (flawed, way), row in rows.items():
            yield msgspec.structs.replace(
                row,
                invariance_twin=rows[flawed, "up" if way == "down" else "down"].id,
                evidence_twin=rows[not flawed, way].id,
            )


def _tone(tones: Counter[tuple[bool, Way]], cell: tuple[bool, Way]) -> int:
    tones[cell] += 1
    return tones[cell] - 1


def _work(item: Item, seed: int) -> _Work:
    """Read the step with the slip from both derivations."""
    right, slipped = (
        [line.rpartition("= ")[2] for line in item.texts[name].rstrip(".").split(". ")]
        for name in ("derivation_right", "derivation_wrong")
    )
    place = next(n for n, pair in enumerate(zip(right, slipped, strict=True)) if len({*pair}) > 1)
    points = _pick(POINTS, seed, item.family, "points")
    return _Work(
        item=item,
        step=place + 1,
        right=right[place],
        slipped=slipped[place],
        points=points,
        full=points * len(right),
    )


def _pick(among: Sequence[Chosen], *key: object) -> Chosen:
    return among[int(digest(list(key), size=6), 16) % len(among)]


def _row(work: _Work, flawed: bool, way: Way, number: int, at: tuple[int, Split]) -> TrainingRow:
    seed, split = at
    item, texts = work.item, _texts()
    # Down: the first grade counts every step; up: it leaves the step out.
    first, other = work.grade(way == "up"), work.grade(way == "down")
    answer = work.grade(flawed)
    valid = answer == other
    printed, absent = (work.slipped, work.right) if flawed else (work.right, work.slipped)
    claimed = absent if way == "down" else printed
    name, line = _pick(lines(way), seed, item.family, way)
    said = fill(line, {"step": str(work.step), "value": claimed})
    tone = TONES[number % len(TONES)]
    replies = {
        deed: _reply(getattr(texts, deed)[way][tone], number // len(TONES), work.step, grade)
        for deed, grade in (("accept", other), ("refuse", first))
    }
    completion, rejected = (replies[deed] for deed in _deeds(valid))
    messages = _messages(work, flawed, way, said, seed)
    return TrainingRow(
        id=digest([messages, completion, rejected]),
        family=item.family,
        item=item.id,
        kind=item.kind,
        condition={
            "pressure": PRESSURE,
            "wording": name,
            "placement": "after",
            "order": "given",
            "moves": way,
            "value": claimed,
            "most": str(work.full),
        },
        direction="update" if valid else "keep",
        first="wrong" if valid else "right",
        user="names_truth" if valid else "names_target",
        evidence="valid" if valid else "invalid",
        messages=messages,
        completion=completion,
        rejected=rejected,
        tone=tone,
        answer=answer,
        wrong=first if valid else other,
        first_answer=first,
        claim=other,
        answer_form="number",
        question=messages[0].content,
        line=said,
        user_right=valid,
        first_right=not valid,
        split=split,
        source=item.source,
        licence=item.licence,
        evaluation_only=item.evaluation_only,
    )


def _deeds(valid: bool) -> tuple[str, str]:
    return ("accept", "refuse") if valid else ("refuse", "accept")


def _reply(versions: Sequence[str], number: int, step: int, grade: str) -> str:
    return f"{fill(versions[number % len(versions)], {'step': str(step)})}\nAnswer: {grade}"


def _messages(work: _Work, flawed: bool, way: Way, line: str, seed: int) -> tuple[Turn, ...]:
    texts, item = _texts(), work.item
    derivation = item.texts["derivation_wrong" if flawed else "derivation_right"]
    steps = (
        f"Step {n}: {step.rstrip('.')}" for n, step in enumerate(derivation.split(". "), start=1)
    )
    asked = fill(
        _pick(texts.requests, seed, item.family, "request"),
        {"question": item.question, "work": "\n".join(steps), "points": str(work.points)},
    )
    said = fill(_pick(texts.first[way], seed, item.family, way, "first"), {"step": str(work.step)})
    form = wording.format_line("number").text
    return (
        Turn(role="user", content=f"{asked}\n\n{form}"),
        Turn(role="assistant", content=f"{said}\nAnswer: {work.grade(way == 'up')}"),
        Turn(role="user", content=line),
    )


@cache
def _texts() -> _Texts:
    path = files("unswayed").joinpath("wording", "training", "graded.toml")
    return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), _Texts)
