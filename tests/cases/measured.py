"""The whole line in this process: a model of the test's own, a real run folder, real files.

folder, profile = measure(tmp_path / "run", items, design, Told(lambda request: "Answer: A"))
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from unswayed import line
from unswayed.items.item import Item
from unswayed.models.completion import Completion
from unswayed.models.protocol import Identity, Model, Request
from unswayed.models.run import Limits, Progress
from unswayed.models.scripted import Law, Respondent
from unswayed.plans.design import Design
from unswayed.profiles.profile import Profile
from unswayed.records import Record
from unswayed.rows import read_rows

SHARED = Path(__file__).parents[2] / ".." / "shared"
BARE = Design(
    pressures=("assertion",), names=("target", "truth"), controls=("deleted",), listed=True
)
"""The smallest design in which both directions are pushed."""

Answering = Callable[[Request], "Completion | str"]


class Told:
    """A model that answers as a function of the test says, and writes down what it was asked."""

    batch = 1

    def __init__(self, answer: Answering, *, name: str = "told") -> None:
        self.answer = answer
        self.name = name
        self.asked: list[Request] = []

    @property
    def identity(self) -> Identity:
        """A model inside this process."""
        return Identity(name=self.name, kind="embedded")

    async def complete(self, requests: Sequence[Request]) -> Sequence[Completion]:
        """Answer each request."""
        self.asked += requests
        said = [self.answer(request) for request in requests]
        return [Completion(text=s, stop="end") if isinstance(s, str) else s for s in said]

    async def close(self) -> None:
        """Nothing to close."""


def ask(folder: line.RunFolder, model: Model, limits: Limits | None = None) -> Progress:
    """Sign the contract and ask what is open."""
    contract = line.Contract(
        plan=folder.about_plan().digest, model=model.identity, seed=0, command="test", version="0"
    )
    line.sign_contract(folder, contract)
    return line.run(folder, model, limits or Limits(), Progress())


def plan(path: Path, items: Sequence[Item], design: Design) -> line.RunFolder:
    """Write items and plan."""
    folder = line.RunFolder(path)
    about = line.plan_about(items, design, benchmark=None, item_set="test")
    line.make_plan(folder, items, about)
    return folder


def measure(
    path: Path, items: Sequence[Item], design: Design, model: Model
) -> tuple[line.RunFolder, Profile]:
    """Plan, ask, read and profile."""
    folder = plan(path, items, design)
    ask(folder, model)
    line.read(folder, design.readout)
    return folder, line.profile(folder, design.readout)


def records_of(folder: line.RunFolder, readout: str = "choice") -> list[Record]:
    """Return the records on disk."""
    return list(read_rows(folder.records(readout), "records", Record))


def numbered(count: int, *, start: int = 0) -> tuple[Item, ...]:
    """Return items of their own families: which of three neighbors is the largest."""
    found = []
    for n in range(start, start + count):
        options = tuple(str(10 * n + step) for step in (2, 5, 8))
        found.append(
            Item(
                id=f"n{n:04d}", kind="test", question=f"Set {n}: which number is the largest?",
                truth=options[2], target=options[0], options=options,
            )
        )  # fmt: skip
    return tuple(found)


def lawful(items: Sequence[Item], **rates: Any) -> Respondent:
    """Return a scripted respondent with planted rates."""
    return Respondent(items, Law(**rates))


def letter(request: Request, option: int) -> str:
    """Say one of the listed options."""
    return f"Answer: {'ABCDEFGH'[option]}"


def cell(profile: Profile, table: str, **factors: str) -> Any:
    """Return the one cell of a table with these levels."""
    found = [
        each
        for each in profile.cells
        if each.table == table and factors.items() <= each.factors.items()
    ]
    assert len(found) == 1, f"{len(found)} cells of {table} with {factors}"
    return found[0]


def cases() -> list[dict[str, Any]]:
    """Return the shared cases; empty when they are not beside the repository."""
    path = SHARED / "cases" / "cases.jsonl"
    if not path.exists():
        return []
    return [json.loads(row) for row in path.read_text(encoding="utf-8").splitlines() if row]
