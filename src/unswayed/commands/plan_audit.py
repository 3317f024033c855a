"""`unswayed audit plan`: can the cells of this plan be compared?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import tee
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unswayed.commands import choices as c
from unswayed.counting import are, several, verb
from unswayed.errors import EXIT_FAILED_GATE, UsageError

if TYPE_CHECKING:
    from unswayed.benchmarks import Benchmark
    from unswayed.folder import RunFolder
    from unswayed.items.item import Item
    from unswayed.plans.audited import PairAudit, PlanAudit
    from unswayed.plans.beside import Beside
    from unswayed.plans.design import Design
    from unswayed.plans.plan import Replay

    Planned = tuple[Iterable[Replay], dict[str, Item], Design]

PlanFile = Annotated[
    Path | None,
    typer.Argument(help="A plan file, or the folder of a run.", metavar="PLAN", show_default=False),
]
Named = Annotated[
    str | None,
    typer.Option("--benchmark", "-b", help="A benchmark or a published system, by name."),
]
Compare = Annotated[
    list[str] | None,
    typer.Option(
        "--compare",
        help="A cell by its levels, such as names=target,placement=before; give it twice.",
        metavar="CELL",
    ),
]
Against = Annotated[
    Path | None,
    typer.Option("--against", help="Another plan or run, which has the second cell."),
]


def audit_plan(
    plan: PlanFile = None,
    benchmark: Named = None,
    compare: Compare = None,
    against: Against = None,
    to: c.To = None,
    number: c.Number = None,
    settings: c.Settings = None,
    cells: c.Cells = None,
    seed: c.Seed = 0,
    as_json: c.AsJson = False,
) -> None:
    """List for every compared pair of cells what else differs. Exit 1 when one is confounded.

    With --compare, for two cells that you name; with --against, the second one in another plan.

    Example: unswayed audit plan -b syceval
    """
    from unswayed import line
    from unswayed.plans.audit import audit_plan as audit
    from unswayed.rows import encode

    sources = [source for source in (plan, benchmark, to) if source is not None]
    if len(sources) != 1:
        raise UsageError(
            "It is not clear which plan is to be audited",
            allowed="one of a plan file, --benchmark NAME and --to RUN",
            given=", ".join(map(str, sources)) or "none of them",
            next_step="unswayed audit plan -b pushback",
        )
    written = None
    if benchmark is not None:
        name, written = benchmark, _of_benchmark(benchmark, number, settings, cells, seed)
    else:
        path = Path(plan or to or "")
        name = str(_folder(path).path)
    if compare or against is not None:
        _beside(written or _of_folder(path), compare or [], against, as_json=as_json)
        return
    found = audit(*written) if written else line.audit_plan(_folder(path))
    if as_json:
        typer.echo(encode({"plan": name, "counts": found.counts(), "audit": found}).decode())
    else:
        for told in say_audit(name, found):
            typer.echo(told)
    if found.confounded:
        raise typer.Exit(EXIT_FAILED_GATE)


def _of_benchmark(
    name: str,
    number: int | None,
    settings: list[str] | None,
    cells: list[str] | None,
    seed: int,
) -> Planned:
    from unswayed.plans.cross import cross

    declared = _declared(name)
    items, _ = c.choose_items(declared, None, mapping=None, kinds=None, number=number, seed=seed)
    design = c.change_design(declared.design, settings, cells)
    return cross(items, design), {item.id: item for item in items}, design


def _beside(planned: Planned, compare: list[str], against: Path | None, *, as_json: bool) -> None:
    """Hold two named cells against each other. Exit 1 when more than one thing differs."""
    from unswayed.plans.beside import hold_beside
    from unswayed.rows import encode

    replays, items, _ = planned
    wanted = [c.read_pairs(cell.split(","), "--compare") for cell in compare]
    if len(wanted) > 2 or (against is None and len(wanted) != 2):
        raise UsageError(
            "It is not clear which two cells are to be compared",
            allowed="two cells, or --against PLAN with one cell for both plans, two, or none",
            given=f"{len(wanted)} cells" + ("" if against is None else f" and {against}"),
            next_step="unswayed audit plan RUN --compare names=target --compare names=nothing",
        )
    first: Iterable[Replay]
    second: Iterable[Replay]
    first, second = tee(replays)
    if against is not None:
        second, others, _ = _of_folder(against)
        items = {**others, **items}
    low, high = (wanted[0], wanted[-1]) if wanted else ({}, {})
    found = hold_beside(first, second, items, low, high)
    if as_json:
        typer.echo(encode(found).decode())
    else:
        for told in say_beside(found):
            typer.echo(told)
    if not found.readable:
        raise typer.Exit(EXIT_FAILED_GATE)


def _declared(name: str) -> Benchmark:
    from unswayed.benchmarks import BENCHMARKS
    from unswayed.replicas import REPLICAS

    known = BENCHMARKS | {key: replica.benchmark for key, replica in REPLICAS.items()}
    if name not in known:
        raise UsageError(
            "Unknown benchmark or published system",
            allowed=", ".join(known),
            given=name,
            next_step="see `unswayed list benchmarks` and `unswayed replicate`",
        )
    return known[name]


def _folder(path: Path) -> RunFolder:
    from unswayed.folder import RunFolder

    if not path.exists():
        raise UsageError(
            "There is no plan",
            allowed="a plan file or the folder of a run",
            given=str(path),
            next_step="write one: `unswayed plan -b NAME --to FOLDER`",
        )
    return RunFolder(path if path.is_dir() else path.parent)


def _of_folder(path: Path) -> Planned:
    folder = _folder(path)
    design = folder.about_plan().design
    return folder.replays(), folder.read_items(), design


def say_beside(found: Beside) -> Iterator[str]:
    """Yield every factor and every text in which two named cells differ."""
    from unswayed.plans.words import name_setting

    low, high = (name_setting(levels) or "every tested cell" for levels in (found.low, found.high))
    yield f"{low} against {high}"
    for apart in found.apart:
        if apart.readable:
            verdict = "one thing differs" if apart.differing else "no factor differs"
        elif len(apart.differing) > 1:
            verdict = f"CONFOUNDED: {len(apart.differing)} factors differ"
        else:
            verdict = "CONFOUNDED: more differs than the factor says"
        yield f"{verdict} in {apart.n:,} rendered pairs"
        yield from (f"  {each}" for each in apart.differing)
        if apart.mentions:
            yield f"  the answer stands in the line: {apart.mentions} of {apart.n:,} pairs"
        if apart.span:
            yield f"  not accounted for: {apart.span}"
        yield from (f"  other text: {text}" for text in apart.texts)
    if found.n_alone:
        yield (
            f"note: {several(found.n_alone, 'question')}"
            f" {verb(found.n_alone, 'has', 'have')} only one of the two cells and"
            f" {are(found.n_alone)} left out"
        )


def say_audit(name: str, found: PlanAudit) -> Iterator[str]:
    """Yield the lines of an audit: what is confounded first, what is clean in one line."""
    from unswayed.plans.audited import VERDICTS

    counts = ", ".join(f"{n} {verdict}" for verdict, n in found.counts().items())
    yield f"{name}: {found.n_items:,} items, {found.n_cells} tested cells; comparisons: {counts}"
    for verdict, meaning in VERDICTS.items():
        pairs = [pair for pair in found.pairs if pair.verdict == verdict]
        if not pairs:
            continue
        yield f"{verdict}: {meaning}"
        if verdict in ("clean", "apart"):
            yield f"  {'; '.join(dict.fromkeys(pair.title for pair in pairs))}"
            continue
        for pair in pairs:
            yield from (f"  {line}" for line in say_pair(pair))
    if len(found.formats) < 2:
        at = found.formats[0] if found.formats else "none"
        yield (
            f"note: the format line stands in one place ({at}): whether its place matters"
            " cannot be seen; `-s formats=question,pushback` sweeps it where a design is crossed"
        )
    for balance in found.balances:
        share = balance.n_yes / balance.n if balance.n else 0.0
        asked = "questions" if balance.asks == "first" else f"questions of arm {balance.asks!r}"
        state = "balanced" if balance.balanced else "IMBALANCED"
        yield (
            f"{state}: {balance.n_yes:,} of {balance.n:,} yes/no {asked} {are(balance.n_yes)}"
            " true or yes"
            f" ({share:.0%})"
            + ("" if balance.balanced else ": a mere shift to one word looks like an effect")
        )


def say_pair(pair: PairAudit) -> Iterator[str]:
    """Yield a comparison and, below it, everything else that differs."""
    where = f" ({', '.join(pair.where)})" if pair.where else ""
    yield f"{pair.title}{where}: {pair.n:,} rendered pairs"
    if pair.differing:
        yield f"  also differs: {'; '.join(map(str, pair.differing))}"
    if pair.mentions:
        yield f"  the answer stands in the line: {pair.mentions} of {pair.n:,} pairs"
    if pair.span:
        yield f"  other text: {pair.span}"
    if pair.n_left_out:
        yield (
            f"  {several(pair.n_left_out, 'cell')} {verb(pair.n_left_out, 'has', 'have')}"
            f" no partner and {are(pair.n_left_out)} left out"
        )
