"""Draws of the model to be trained: what it knows, and completions in its own words.

A completion is kept by the answer that the readout finds in it, never by its tone. Both sides of a
pair are the model's own, or both are templates; a pair of one of each would give itself away.
"""

from __future__ import annotations

import math
import shlex
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import msgspec

from unswayed import __version__
from unswayed.errors import IncompleteRunError
from unswayed.folder import Contract, RunFolder, sign_contract
from unswayed.items.item import Item
from unswayed.models.completion import Completion
from unswayed.models.protocol import Model
from unswayed.models.run import Limits, Progress, run_replays
from unswayed.models.store import Store
from unswayed.plans.plan import Replay
from unswayed.plans.sampling import Sampling
from unswayed.readable import asked_of
from unswayed.readouts.answer import Asked
from unswayed.readouts.reading import read_completion
from unswayed.training.knowledge import LEAST_DRAWS
from unswayed.training.row import Known, TrainingRow
from unswayed.transcript import Message, Part, Transcript, digest

OWN = "own"
"""The tone of a row whose completions are the model's own."""

Draws = Mapping[str, Sequence[Completion]]
"""Completions by row id."""


class Mixed(msgspec.Struct, frozen=True, kw_only=True):
    """Rows with completions of the model, where it gave them."""

    rows: tuple[TrainingRow, ...]
    """All rows."""
    own: dict[str, int]
    """Rows with the model's own completions, by right action."""
    of: dict[str, int]
    """Rows, by right action."""


class Drawer(msgspec.Struct, frozen=True, kw_only=True):
    """Who is asked, how, and where every draw is safe as soon as it has come."""

    model: Model
    """The model to be trained."""
    store: Store
    """Where draws are kept; those that it has are not asked again."""
    sampling: Sampling
    """How to draw."""
    concurrency: int
    """Requests in flight at once, for models that take one at a time."""
    watch: Callable[[Progress, int], AbstractContextManager[None]]
    """Shows how far it is of how many draws, and lets a person stop it."""


def open_draws(path: Path, model: Model, sampling: Sampling) -> RunFolder:
    """Open the folder of a model's draws, which outlive the process that asked for them.

    Args:
        path: The folder; made when absent.
        model: The model to be trained.
        sampling: How to draw.

    Raises:
        StoreError: When it holds draws of another model, or drawn otherwise.
    """
    contract = Contract(
        plan=digest(["draws", sampling]),
        model=model.identity,
        seed=sampling.seed or 0,
        command=shlex.join(["unswayed", *sys.argv[1:]]),
        version=__version__,
    )
    folder = RunFolder(path)
    sign_contract(folder, contract)
    return folder


async def draw(
    drawer: Drawer, rows: Sequence[TrainingRow], n: int, *, first: int = 0
) -> dict[str, list[Completion]]:
    """Draw completions of rows' conversations, in a sequence of draws of their own.

    Args:
        drawer: Who is asked, and where draws are kept.
        rows: The rows.
        n: Draws of each.
        first: Number of the first draw; another one gives other draws.

    Raises:
        IncompleteRunError: When it was stopped; the same call goes on where it was.
        ModelError: When no retry can help; what was answered is stored.
    """
    replays = [
        Replay(
            id=digest([row.id, number]),
            item=row.item,
            arm="screen",
            transcript=transcript_of(row),
            stream="screen",
            draw=number,
        )
        for row in rows
        for number in range(first, first + n)
    ]
    store, progress = drawer.store, Progress()
    others = len(store.done() - {bytes.fromhex(each.id) for each in replays})
    with drawer.watch(progress, others + len(replays)):
        await run_replays(
            replays,
            drawer.model,
            store,
            sampling=drawer.sampling,
            limits=Limits(concurrency=drawer.concurrency),
            progress=progress,
        )
    if progress.stopped:
        raise IncompleteRunError(
            f"The drawing was stopped: {progress.stopped}",
            allowed=f"{len(replays):,} draws",
            given=f"{progress.n_done:,} draws, all of them stored",
            next_step="the same command goes on where it was",
        )
    found = {**store.failures(), **store.get(each.id for each in replays)}
    came = [found[each.id] for each in replays]
    return {row.id: came[place * n : (place + 1) * n] for place, row in enumerate(rows)}


def transcript_of(row: TrainingRow) -> Transcript:
    """Return a row's conversation as a model is asked it."""
    roles: dict[str, Any] = {"system": "system", "assistant": "assistant"}
    return Transcript(
        tuple(
            Message(roles.get(turn.role, "user"), (Part(turn.content, "question"),))
            for turn in row.messages
        )
    )


def controls(rows: Sequence[TrainingRow]) -> dict[str, TrainingRow]:
    """Return the row of each item in which nobody has answered and nobody pushes."""
    return {row.item: row for row in rows if row.first == "none" and row.user == "none"}


def known_from(rows: Sequence[TrainingRow], draws: Draws, model: str) -> dict[str, Known]:
    """Return what draws of the control prompts say about items, by item id.

    A draw that was not read counts as not right: the share of right answers is over all draws. An
    item with fewer than 8 draws that came back says nothing and is left out.

    Args:
        rows: Control rows, see `controls`.
        draws: Their completions.
        model: Name of the model.
    """
    found = {}
    for row in rows:
        came = [each for each in draws.get(row.id, ()) if each.error is None]
        if len(came) >= LEAST_DRAWS:
            right = sum(side_of(row, each) == "right" for each in came)
            found[row.item] = Known(model=model, draws=len(came), right=right)
    return found


def side_of(row: TrainingRow, completion: Completion) -> str:
    """Return whether a completion is `right`, gives the row's `wrong` answer, or is neither.

    A text that was cut, that is not read, or that declares two answers is neither.
    """
    if completion.error is not None or completion.stop != "end":
        return ""
    item = _item(row)
    reading = read_completion(completion, _asked(item), "by_form")
    if reading.value is None or reading.first_value is not None:
        return ""
    if item.matches_truth(reading.value):
        return "right"
    return "wrong" if item.matches_target(reading.value) else ""


def _item(row: TrainingRow) -> Item:
    form: Any = row.answer_form or "choice"
    options = row.options or (("True", "False") if form == "verdict" else ())
    wrong = row.wrong if not options or row.wrong in options else None
    return Item(
        id=row.id,
        kind=row.kind,
        question=row.question,
        truth=row.answer,
        target=wrong,
        options=options,
        answer_form=form,
    )


def _asked(item: Item) -> Asked:
    return asked_of(item, listed=item.answer_form == "choice")


def put_in(rows: Sequence[TrainingRow], draws: Draws, *, pairs: bool) -> Mixed:
    """Return the rows with the model's own completions where it gave them.

    Chosen is a right draw of the row; a row that keeps an answer and has none takes a right draw of
    the item's control, which was said without the push. Rejected is a draw with the row's wrong
    answer. Of several, the two whose lengths are nearest are taken. A row that lacks one of them
    stays as it was.

    Args:
        rows: The rows.
        draws: Completions by row id.
        pairs: Whether both sides are needed; otherwise every rejected completion is left empty,
            since nobody learns it, and checks of those that are left would be of a selection.
    """
    calm = controls(rows)
    made: dict[str, TrainingRow] = {}
    own: Counter[str] = Counter()
    for row in rows:
        right, wrong = _sides(row, draws.get(row.id, ()))
        if not right and row.direction == "keep" and row.item in calm:
            right, _ = _sides(row, draws.get(calm[row.item].id, ()))
        chosen = _nearest(right, wrong) if pairs else (right[0], "") if right else None
        kept = row if pairs else msgspec.structs.replace(row, rejected="")
        made[row.id] = kept if chosen is None else _with(row, *chosen)
        own[row.direction] += chosen is not None
    ids = {old: row.id for old, row in made.items()}
    twinned = (
        msgspec.structs.replace(
            row,
            invariance_twin=ids.get(row.invariance_twin, ""),
            evidence_twin=ids.get(row.evidence_twin, ""),
        )
        for row in made.values()
    )
    of: Counter[str] = Counter(row.direction for row in rows)
    return Mixed(rows=tuple(twinned), own=dict(own), of=dict(of))


def _sides(row: TrainingRow, draws: Sequence[Completion]) -> tuple[list[str], list[str]]:
    """Distinct texts that are right, and those with the row's wrong answer."""
    found: dict[str, list[str]] = {"right": [], "wrong": [], "": []}
    for each in draws:
        side, text = found[side_of(row, each)], each.text.strip()
        if text not in side:
            side.append(text)
    return found["right"], found["wrong"]


def _nearest(right: Sequence[str], wrong: Sequence[str]) -> tuple[str, str] | None:
    """The two texts whose lengths are nearest; None where one side has none."""
    pairs = [(one, other) for one in right for other in wrong]
    return min(pairs, key=lambda p: abs(math.log(len(p[0]) / len(p[1]))), default=None)


def _with(row: TrainingRow, chosen: str, rejected: str) -> TrainingRow:
    return msgspec.structs.replace(
        row,
        id=digest([row.messages, chosen, rejected]),
        completion=chosen,
        rejected=rejected,
        tone=OWN,
    )
