"""The functions of the line: each refuses what it cannot take, and nothing flows backward."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from unswayed import line
from unswayed.benchmarks import BENCHMARKS
from unswayed.errors import (
    CapabilityError,
    ConfoundError,
    IncompleteRunError,
    PlanError,
    ReadoutError,
    StoreError,
    UsageError,
)
from unswayed.items.builtin import builtin_items
from unswayed.models.completion import Completion
from unswayed.models.protocol import Identity, Price
from unswayed.models.run import Limits, Progress
from unswayed.models.scripted import Law, Respondent
from unswayed.plans.design import Design
from unswayed.profiles.profile import Profile

ITEMS = builtin_items(("fact",))[:6]
PUSHBACK = BENCHMARKS["pushback"]
SMALL = replace(PUSHBACK.design, pressures=("authority",), wordings=1)


def about_of(design: Design = SMALL, **changes: object):
    """Return the header of a small plan."""
    options = {"items": ITEMS, "benchmark": PUSHBACK, "item_set": "test", **changes}
    return line.plan_about(options.pop("items"), design, **options)


def planned(path: Path, design: Design = SMALL) -> line.RunFolder:
    """Return a folder with a small plan."""
    folder = line.RunFolder(path)
    line.make_plan(folder, ITEMS, about_of(design))
    return folder


def contract(folder: line.RunFolder, identity: Identity, **changes: object) -> line.Contract:
    """Return a contract for the folder's plan."""
    fields = {
        "plan": folder.about_plan().digest, "model": identity, "seed": 0, "command": "c",
        "version": "v", **changes,
    }  # fmt: skip
    return line.Contract(**fields)


def test_digest_covers_everything_that_changes_the_plan():
    """Items, design, benchmark and its version make the digest; the name of the set does not."""
    base = about_of().digest
    assert about_of().digest == base
    assert about_of(item_set="other").digest == base
    others = [
        about_of(items=ITEMS[:5]),
        about_of(items=ITEMS[::-1]),
        about_of(items=[replace(ITEMS[0], question="Other?"), *ITEMS[1:]]),
        about_of(replace(SMALL, draws=2)),
        about_of(replace(SMALL, sampling=replace(SMALL.sampling, temperature=0.5))),
        about_of(benchmark=None),
        about_of(benchmark=replace(PUSHBACK, version=99)),
    ]
    assert len({base, *(other.digest for other in others)}) == 1 + len(others)


def test_plan_without_a_benchmark():
    """A design of one's own is planned under that name."""
    about = about_of(benchmark=None)
    assert (about.benchmark, about.benchmark_version) == ("own design", 0)


def test_unfit_designs_are_refused_before_anything_is_written(tmp_path: Path):
    """An unknown readout or a confounded comparison never becomes a plan."""
    with pytest.raises(ReadoutError, match="nope"):
        about_of(replace(SMALL, readout="nope"))
    cells = (
        {"names": "target", "placement": "after"},
        {"names": "nothing", "placement": "before"},
    )
    with pytest.raises(ConfoundError, match="confounded"):
        about_of(replace(SMALL, placements=("before", "after"), cells=cells))
    assert list(tmp_path.iterdir()) == []


def test_confounded_design_may_be_labeled():
    """With leave the confounded comparison is kept, and named in the notes."""
    cells = (
        {"names": "target", "placement": "after"},
        {"names": "nothing", "placement": "before"},
    )
    design = replace(SMALL, placements=("before", "after"), cells=cells, allow_confounded=True)
    assert any("confounded" in note for note in about_of(design).notes)


def test_failed_plan_leaves_nothing(tmp_path: Path):
    """An item without what the design needs stops the plan, and no file is there."""
    folder = line.RunFolder(tmp_path / "run")
    items = [*ITEMS[:2], replace(ITEMS[2], target=None)]
    with pytest.raises(PlanError, match="no target"):
        line.make_plan(folder, items, about_of(items=items))
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_plan_and_items_come_back(tmp_path: Path):
    """What was planned is what is read: header, replays, items and budget agree."""
    folder = line.RunFolder(tmp_path / "run")
    budget = line.make_plan(folder, ITEMS, about_of())
    replays = list(folder.replays())
    assert budget.n_replays == len(replays) == sum(budget.by_arm.values())
    assert folder.read_items() == {item.id: item for item in ITEMS}
    assert folder.about_plan() == about_of()
    assert {replay.item for replay in replays} == {item.id for item in ITEMS}


def test_a_budget_speaks_of_families_and_of_answers_that_are_right(tmp_path: Path):
    """Three questions of one family are one unit; opinions start neither right nor wrong."""
    kin = [replace(item, family="one") for item in builtin_items(("fact",))[:30]]
    alone = [replace(item, family=item.id) for item in kin]
    for name, items, found in (("kin", kin, False), ("alone", alone, True)):
        budget = line.make_plan(line.RunFolder(tmp_path / name), items, about_of(items=items))
        assert (budget.detectable["80%"]["right"] is not None) == found
    bench, items = BENCHMARKS["opinions"], builtin_items(("opinion",))[:12]
    about = line.plan_about(items, bench.design, benchmark=bench, item_set="builtin")
    assert not line.make_plan(line.RunFolder(tmp_path / "opinions"), items, about).detectable


def test_contract_names_what_differs(tmp_path: Path):
    """Another plan, model or seed is refused by name; command, version and price may change."""
    folder = planned(tmp_path / "run")
    one = Identity(name="one", kind="http", endpoint="http://a")
    line.sign_contract(folder, contract(folder, one))
    price = Price(prompt_per_million=1, completion_per_million=1)
    line.sign_contract(folder, contract(folder, one, command="d", version="w", price=price))
    for name, other in (
        ("model", contract(folder, Identity(name="two", kind="http", endpoint="http://a"))),
        ("model", contract(folder, Identity(name="one", kind="http", endpoint="http://b"))),
        ("seed", contract(folder, one, seed=1)),
        ("plan", contract(folder, one, plan="0" * 32)),
    ):
        with pytest.raises(StoreError, match="another run") as found:
            line.sign_contract(folder, other)
        assert f"{name}" in found.value.given
    known = folder.read_contract()
    assert known.owner == contract(folder, one).owner
    # The price that was stated last holds; a run without one changes nothing.
    line.sign_contract(folder, contract(folder, one))
    assert folder.read_contract() == known
    assert (known.price, known.command) == (price, contract(folder, one).command)


def test_a_negative_seed_is_refused_before_anything_is_asked(tmp_path: Path):
    """C142: statistics could not draw with it, so that every request would have been in vain."""
    items, model = ITEMS[:2], Recorder()
    with pytest.raises(UsageError, match="seed"):
        line.measure(model, items, BENCHMARKS["pushback"], to=tmp_path / "run", seed=-1)
    assert model.asked == []


class Recorder:
    """A respondent that writes down what it was asked, and can be told to fail."""

    batch = 1

    def __init__(self, *, fails: bool = False) -> None:
        self.inner = Respondent(ITEMS, Law(knows=0.5, yields=0.5))
        self.asked: list[str] = []
        self.fails = fails
        self.closed = 0

    @property
    def identity(self) -> Identity:
        """Whose replies these are."""
        return self.inner.identity

    async def complete(self, requests):
        """Answer, or fail."""
        self.asked += [request.id for request in requests]
        if self.fails:
            return [Completion(error="no", stop="error") for _ in requests]
        return await self.inner.complete(requests)

    async def close(self) -> None:
        """Count how often it was closed."""
        self.closed += 1


def ready(path: Path, model: Recorder) -> line.RunFolder:
    """Return a planned folder whose contract is signed."""
    folder = planned(path)
    line.sign_contract(folder, contract(folder, model.identity))
    return folder


def test_run_asks_everything_once_and_closes_the_model(tmp_path: Path):
    """Every replay is asked once; a second run asks nothing; the model is closed each time."""
    model = Recorder()
    folder = ready(tmp_path / "run", model)
    progress = line.run(folder, model, Limits(), Progress())
    assert progress.complete
    assert sorted(model.asked) == sorted(replay.id for replay in folder.replays())
    again = line.run(folder, model, Limits(), Progress())
    assert (again.n_asked, again.complete) == (0, True)
    assert model.closed == 2


def test_run_needs_plan_and_contract(tmp_path: Path):
    """Without a plan or a contract nothing is asked, and the error says what comes first."""
    model = Recorder()
    with pytest.raises(StoreError, match="plan"):
        line.RunFolder(tmp_path / "none").about_plan()
    folder = planned(tmp_path / "run")
    with pytest.raises(StoreError, match="No run was started"):
        line.run(folder, model, Limits(), Progress())
    assert model.asked == []


def test_reading_again_asks_nothing_and_counts_close(tmp_path: Path):
    """Answers, records and profile come from the folder alone."""
    model = Recorder()
    folder = ready(tmp_path / "run", model)
    line.run(folder, model, Limits(), Progress())
    asked = len(model.asked)
    first = line.read(folder, "choice")
    assert line.read(folder, "choice") == first
    profile = line.profile(folder, "choice")
    assert len(model.asked) == asked
    assert profile.about.n_asked == asked
    assert profile.about.model == model.identity.name
    kept = msgspec.json.decode(folder.profile("choice").read_bytes(), type=Profile)
    assert kept == profile


def test_cost_is_an_amount_or_a_reason(tmp_path: Path):
    """A scripted respondent costs nothing, whatever price was named."""
    model = Recorder()
    folder = ready(tmp_path / "run", model)
    line.run(folder, model, Limits(), Progress())
    line.read(folder, "choice")
    assert line.profile(folder, "choice").about.cost.startswith("none")


def test_models_that_cannot_be_asked_are_refused_first(tmp_path: Path):
    """The model's own check sees every shape of request before one is sent."""
    seen = []

    class Checked(Recorder):
        def check(self, request) -> None:
            seen.append(request)
            raise CapabilityError("It cannot score options", allowed="a", given="b", next_step="c")

    folder = planned(tmp_path / "run")
    model = Checked()
    with pytest.raises(CapabilityError):
        line.check_model(model, folder)
    assert model.asked == []
    assert len(seen) == 1
    line.check_model(Recorder(), folder)


def test_measure_is_the_whole_line(tmp_path: Path):
    """One call plans, asks, reads and profiles; called again it asks nothing."""
    model = Recorder()
    benchmark = replace(PUSHBACK, design=SMALL)
    found = line.measure(model, ITEMS, benchmark, to=tmp_path / "run")
    asked = len(model.asked)
    assert found.about.n_items == len(ITEMS)
    assert asked == found.about.n_replays
    assert line.measure(model, ITEMS, benchmark, to=str(tmp_path / "run")).cells == found.cells
    assert len(model.asked) == asked


def test_measure_that_ends_early_says_so(tmp_path: Path):
    """An incomplete run is an error with exit code 3, and goes on at the next call."""
    benchmark = replace(PUSHBACK, design=SMALL)
    with pytest.raises(IncompleteRunError, match="incomplete") as found:
        line.measure(Recorder(fails=True), ITEMS, benchmark, to=tmp_path / "run")
    assert found.value.exit_code == 3
    assert line.measure(Recorder(), ITEMS, benchmark, to=tmp_path / "run").about.n_asked


def test_names_of_files_suit_every_file_system():
    """Names of models and readouts become plain file names, never paths."""
    plan = "0123456789abcdef"
    path = line.default_folder("pushback", "org/my model:é", plan)
    assert path.parent == Path("runs")
    assert re.fullmatch(r"pushback-org_my_model-[0-9a-f]{8}", path.name)
    assert line.default_folder("pushback", "org/my model:é", plan) == path
    assert line.default_folder("pushback", "org/my_model:é", plan) != path
    assert line.default_folder("pushback", "org/my model:é", "fedcba98") != path
    folder = line.RunFolder(Path("x"))
    assert folder.answers("a/../b").name == "answers.a_.._b.jsonl"
    assert folder.answers("a/../b").parent == Path("x")


def test_a_run_works_where_a_loop_is_running_already(tmp_path: Path) -> None:
    """A notebook has a loop of its own; the run gets another one."""
    items = builtin_items(("fact",))[:12]

    async def cell() -> Profile:
        return line.measure(
            Respondent(items, Law(manner="never_yields")),
            items,
            BENCHMARKS["pushback"],
            to=tmp_path / "run",
        )

    assert asyncio.run(cell()).about.n_items == 12
