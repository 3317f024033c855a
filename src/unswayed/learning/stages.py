"""The stages of the proof: start, supervised training, GRPO, end, and the one-sided set.

Each stage is one file in the folder; what is there is not done again. Settings are chosen on one
part of the built-in items with some pressure types, and reported on the other part with others.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from unswayed.errors import UsageError
from unswayed.items.item import Item
from unswayed.items.sets import select
from unswayed.learning.arms import (
    ARMS,
    CONTROL,
    Arm,
    Asked,
    Reason,
    ask,
    ask_instead,
    evaluation_lines,
    training_lines,
)
from unswayed.learning.forecast import Forecast, difference_chance, forecast
from unswayed.learning.guard import Alarm, watch
from unswayed.learning.material import held_out, partners, reason_of, sums, training_facts
from unswayed.learning.measures import Measured, Seen, known_items, measure, see
from unswayed.learning.network import Student, load
from unswayed.learning.sets import Kind, asked_rows, render_set
from unswayed.learning.trainers import (
    Logs,
    Progress,
    Settings,
    Watched,
    adapt,
    restore,
    train_by_reward,
    train_supervised,
)
from unswayed.models.completion import Completion
from unswayed.models.embedded import EmbeddedModel
from unswayed.models.protocol import Request
from unswayed.plans.sampling import Sampling
from unswayed.rewards.questions import Penalties
from unswayed.rewards.rules import TruthMatch
from unswayed.rewards.trl import TrainerReward
from unswayed.rows import read_value, write_value
from unswayed.training.audit import Audit, audit, refuse_failing
from unswayed.training.cases import case_of
from unswayed.training.row import TrainingRow

TRAINED = ("assertion", "emotional", "challenge")
"""Pressure types of the rows."""

CHOSEN_ON = ("social_proof", "assertion")
"""Pressure types with which settings are chosen and the guard looks."""

REPORTED = ("authority", "citation")
"""Pressure types of the report; neither rows nor guard have them."""

WRITTEN = 3
"""Replies that are written for their length."""

CANDIDATES = 40
"""Rows that are scored to choose those that GRPO can learn from."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What is trained and how it is measured."""

    settings: Settings = Settings()
    """How long and how hard is trained."""
    held_out: int = 36
    """Items of the report."""
    watched: int = 12
    """Items that the guard looks at."""
    every: int = 32
    """Supervised steps between two looks."""
    sums: int = 24
    """Generated sums beside the plain facts."""
    one_sided_steps: int = 20
    """Steps on the set whose users are always wrong; 0 leaves it out."""
    items_seed: int = 0
    """Seed of the generated sums and of the parts of the built-in items; seeds of one proof share
    it, so that all are measured on the same items."""


class Stage(msgspec.Struct, frozen=True, kw_only=True):
    """What one stage has found."""

    name: str
    """Name of the stage."""
    held_out: Measured | None = None
    """Measures on the items of the report; None where they were not asked."""
    looks: dict[str, Measured] = {}
    """Measures on the guard's items, by the step after which they were taken."""
    alarms: tuple[Alarm, ...] = ()
    """Rules that were broken; the stage ended there."""
    logs: Logs = ()
    """What the trainer logged."""
    forecast: Forecast | None = None
    """What groups were forecast to show, before GRPO."""
    audit: Audit | None = None
    """What the audit of the rows found."""
    n_rows: int = 0
    """Rows of the set."""
    known: dict[str, tuple[str, ...]] = {}
    """Items that were answered right at the start, by part."""
    cpu_s: float = 0.0
    """Seconds of processor time."""
    note: str = ""
    """What a reader must know."""


class Proof:
    """The stages in a folder.

    Args:
        folder: Where each stage has its file.
        plan: What is trained.
        progress: Told what goes on.
        first: Another seed of the same proof, whose start is this one's too.

    Raises:
        UsageError: When the folder holds stages of another plan.
        MissingModelError: When weights or packages are not here.
    """

    def __init__(
        self, folder: Path, plan: Plan, progress: Progress, first: Proof | None = None
    ) -> None:
        self.folder = folder
        self.first = first
        self.plan = plan
        self.progress = progress
        _same_plan(folder, plan)
        guard, report = held_out(plan.items_seed)
        self.watched = select(guard, min(plan.watched, len(guard)), plan.items_seed)
        self.reported = select(report, min(plan.held_out, len(report)), plan.items_seed)
        facts, made = training_facts(), sums(plan.sums, plan.items_seed)
        self.material: tuple[tuple[Item, Reason], ...] = (*facts, *made)

    def start(self) -> Stage:
        """Measure the model as it is."""
        if self.first is not None:
            return self.first.start()
        return self._stage("start", self._start)

    def supervised(self) -> Stage:
        """Train on the balanced set."""
        return self._stage("supervised", lambda: self._supervised("balanced", "supervised"))

    def rewarded(self) -> Stage:
        """Train on by GRPO, on rows whose groups will differ."""
        return self._stage("rewarded", self._rewarded)

    def end(self) -> Stage:
        """Measure what came out on the held-out items."""
        return self._stage("end", lambda: self._measured("end", self.last_student()))

    def one_sided(self) -> Stage:
        """Train the model anew on the set that the audit refuses, and measure it."""
        return self._stage("one_sided", self._one_sided)

    def last_student(self) -> Student:
        """Return the network after the last stage of training."""
        for name in ("rewarded", "supervised"):
            if (self.folder / name / "adapter_config.json").exists():
                return restore(load(), self.folder / name)
        return load()

    def set_of(self, kind: Kind) -> tuple[TrainingRow, ...]:
        """Return the rows of a set, in the order in which they are learned."""
        known = self.start().known["training"]
        seed = self.plan.settings.seed
        rows = list(render_set(self.material, TRAINED, kind=kind, known=known, seed=seed))
        random.Random(seed).shuffle(rows)
        return tuple(rows)

    def _stage(self, name: str, do: Callable[[], Stage]) -> Stage:
        path = self.folder / f"{name}.json"
        if path.exists():
            return read_value(path, Stage)
        self.progress(f"stage {name}")
        began = time.process_time()
        stage = msgspec.structs.replace(do(), cpu_s=time.process_time() - began)
        write_value(path, stage)
        return stage

    def _start(self) -> Stage:
        model = load().embedded()
        bare = [
            each
            for item, _ in self.material
            for each in ask(
                item, (CONTROL,), training_lines(item, TRAINED[0], 0),
                pressure=TRAINED[0], reason=None,
            )
        ]  # fmt: skip
        trained = known_items(see(bare, _score(model, bare)))
        seen, written = self._look(model, self.watched, CHOSEN_ON)
        watched = known_items(seen)
        reported, _ = self._look(model, self.reported, REPORTED, write=False)
        known = known_items(reported)
        return Stage(
            name="start",
            held_out=measure(reported, known),
            looks={"0": measure(seen, watched, written=written)},
            known={
                "training": tuple(sorted(trained)),
                "watched": tuple(sorted(watched)),
                "held_out": tuple(sorted(known)),
            },
        )

    def _look(
        self,
        model: EmbeddedModel,
        items: Sequence[Item],
        pressures: Sequence[str],
        *,
        write: bool = True,
    ) -> tuple[tuple[Seen, ...], tuple[Completion, ...]]:
        asked = _evaluated(items, pressures)
        seen = see(asked, _score(model, asked))
        bare = [each for each in asked if each.arm == CONTROL][: WRITTEN if write else 0]
        requests = [
            Request(id=each.id, transcript=each.transcript, sampling=Sampling(max_tokens=48))
            for each in bare
        ]
        return seen, tuple(model.complete_now(requests)) if requests else ()

    def _watched(
        self, student: Student, steps: int, looks: dict[str, Measured], alarms: list[Alarm]
    ) -> Watched:
        """Return what looks at the model every few steps and at the last one."""
        start = self.start()

        def check(step: int) -> bool:
            if step != steps and step % self.plan.every:
                return False
            seen, written = self._look(student.embedded(), self.watched, CHOSEN_ON)
            looks[str(step)] = measure(seen, start.known["watched"], written=written)
            found = watch(start.looks["0"], looks[str(step)])
            alarms.extend(found)
            for alarm in found:
                self.progress(f"guard, step {step}: {alarm.rule}: {alarm.says}")
            return bool(found)

        return Watched(progress=self.progress, check=check)

    def _supervised(self, kind: Kind, name: str) -> Stage:
        rows = self.set_of(kind)
        found = audit([case_of(row) for row in rows])
        settings = self.plan.settings
        if kind == "balanced":
            refuse_failing(found)
        else:
            settings = msgspec.structs.replace(settings, sft_steps=self.plan.one_sided_steps)
        student = adapt(load(), settings)
        looks: dict[str, Measured] = {}
        alarms: list[Alarm] = []
        logs = train_supervised(
            student,
            rows,
            settings,
            self.folder / name,
            watched=self._watched(student, settings.sft_steps, looks, alarms),
        )
        student.network.save_pretrained(str(self.folder / name))
        return Stage(
            name=name,
            looks=looks,
            alarms=tuple(alarms),
            logs=logs,
            audit=found,
            n_rows=len(rows),
        )

    def _rewarded(self) -> Stage:
        if self.supervised().alarms:
            return Stage(name="rewarded", note="left out: the guard ended supervised training")
        settings = self.plan.settings
        student = restore(load(), self.folder / "supervised")
        rows, found = self._with_signal(student)
        if not settings.grpo_steps or not found.worth_it:
            note = "left out: no steps asked" if not settings.grpo_steps else "left out: no signal"
            return Stage(name="rewarded", forecast=found, note=note)
        looks: dict[str, Measured] = {}
        alarms: list[Alarm] = []
        logs = train_by_reward(
            student,
            rows,
            TrainerReward(TruthMatch(penalties=Penalties(declined=0.0, missing=0.0))),
            settings,
            self.folder / "rewarded",
            watched=self._watched(student, settings.grpo_steps, looks, alarms),
        )
        if alarms:
            note = "the guard refused the result; the end is that of supervised training"
        else:
            note = ""
            student.network.save_pretrained(str(self.folder / "rewarded"))
        return Stage(
            name="rewarded",
            looks=looks,
            alarms=tuple(alarms),
            logs=logs,
            forecast=found,
            n_rows=len(rows),
            note=note,
        )

    def _with_signal(self, student: Student) -> tuple[tuple[TrainingRow, ...], Forecast]:
        """Return the rows whose groups will most likely differ, and the forecast for all."""
        known, seed = self.start().known["training"], self.plan.settings.seed
        pairs = list(asked_rows(self.material, TRAINED, known=known, seed=seed))
        random.Random(seed + 1).shuffle(pairs)
        pairs = pairs[:CANDIDATES]
        seen = see([asked for asked, _ in pairs], _score(student.embedded(), [a for a, _ in pairs]))
        size = self.plan.settings.group
        chances = [
            (difference_chance(each.p_truth, size), row)
            for each, (_, row) in zip(seen, pairs, strict=True)
            if each.p_truth is not None
        ]
        found = forecast([each.p_truth for each in seen if each.p_truth is not None], size)
        chances.sort(key=lambda pair: (-pair[0], pair[1].id))
        needed = max(self.plan.settings.grpo_steps * self.plan.settings.groups, 1)
        return tuple(row for _, row in chances[:needed]), found

    def _measured(self, name: str, student: Student) -> Stage:
        start = self.start()
        seen, _ = self._look(student.embedded(), self.reported, REPORTED, write=False)
        return Stage(name=name, held_out=measure(seen, start.known["held_out"]))

    def _one_sided(self) -> Stage:
        if not self.plan.one_sided_steps:
            return Stage(name="one_sided", note="left out: no steps asked")
        trained = self._supervised("one-sided", "one_sided")
        student = restore(load(), self.folder / "one_sided")
        measured = self._measured("one_sided", student)
        return msgspec.structs.replace(trained, held_out=measured.held_out)


def _score(model: EmbeddedModel, asked: Sequence[Asked]) -> list[Completion]:
    """Score conversations, a few items at a time, so that shared prefixes stay together."""
    requests = [each.request() for each in asked]
    return [
        completion
        for start in range(0, len(requests), model.batch)
        for completion in model.complete_now(requests[start : start + model.batch])
    ]


def _evaluated(items: Sequence[Item], pressures: Sequence[str]) -> list[Asked]:
    """Every arm of each item, those in which a line pushes once for each pressure type."""
    others = {item.id: other for item, other in partners(items)}
    found: list[Asked] = []
    for item in items:
        for place, pressure in enumerate(pressures):
            arms: tuple[Arm, ...] = ARMS if place == 0 else tuple(a for a in ARMS if a.pushes)
            said = evaluation_lines(item, pressure, 0)
            found += ask(item, arms, said, pressure=pressure, reason=reason_of(item))
        if item.id in others:
            found.append(
                ask_instead(item, others[item.id], evaluation_lines(item, pressures[0], 0))
            )
    return found


def _same_plan(folder: Path, plan: Plan) -> None:
    path = folder / "plan.json"
    if path.exists() and read_value(path, Plan) != plan:
        raise UsageError(
            f"The folder {folder} holds the stages of another plan",
            allowed="the same settings, or another folder",
            given=f"settings that differ from those in {path}",
            next_step="choose another folder with --to",
        )
    write_value(path, plan)
