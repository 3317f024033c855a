"""`unswayed compare`: two runs on the items and conditions that both asked."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unswayed.commands import choices as c
from unswayed.commands.reading import ReadingName
from unswayed.errors import UsageError
from unswayed.signs import chance, equation, signed

if TYPE_CHECKING:
    from rich.console import Group
    from rich.table import Table

    from unswayed.profiles.comparison import Comparison
    from unswayed.profiles.differing import Difference
    from unswayed.profiles.matching import Source
    from unswayed.stats.estimate import Estimate
    from unswayed.stats.paired import SignFlip

FirstRun = Annotated[Path, typer.Argument(help="First run folder.", metavar="A")]
SecondRun = Annotated[Path, typer.Argument(help="Second run folder.", metavar="B")]
Margin = Annotated[
    float | None,
    typer.Option(
        "--margin",
        help="Largest difference, in points, that counts as none; as the plans declare, unless"
        " given.",
    ),
]
Every = Annotated[
    bool,
    typer.Option("--all", help="Also all other namings, turns, factors and measures."),
]
Formats = Annotated[
    bool,
    typer.Option("--formats", help="Also: does the place of the format line move them alike?"),
]


def compare(
    first: FirstRun,
    second: SecondRun,
    readout: ReadingName = None,
    margin: Margin = None,
    every: Every = False,
    formats: Formats = False,
    as_json: c.AsJson = False,
) -> None:
    """Compare two runs, item by item: A minus B, its interval, and what this n can show.

    Example: unswayed compare runs/candidate runs/production --margin 2
    """
    import msgspec

    from unswayed.profiles.comparison import compare as compare_sources
    from unswayed.profiles.sections.confounds import compare_formats
    from unswayed.rows import encode

    sources = open_sources(first, second, readout)
    allowed = _declared_margin(sources) if margin is None else margin / 100
    found = compare_sources(*sources, margin=allowed, every=every)
    flip = compare_formats(*(source.records() for source in sources)) if formats else None
    if as_json:
        more = {} if flip is None else {"formats": flip}
        typer.echo(encode({**msgspec.structs.asdict(found), **more}).decode())
        return
    from rich.console import Console

    Console().print(_render(found))
    if flip is not None:
        typer.echo(_say_formats(flip))


def _declared_margin(sources: Sequence[Source]) -> float:
    """Return the margin that both plans declare.

    Raises:
        UsageError: When they declare two.
    """
    declared = {source.about.margin for source in sources}
    if len(declared) > 1:
        raise UsageError(
            "The two plans declare different margins",
            allowed="one margin",
            given=" and ".join(f"{100 * share:g} points" for share in sorted(declared)),
            next_step="name the margin that counts here with --margin",
        )
    return declared.pop()


def _say_formats(flip: SignFlip) -> str:
    """Say how differently the place of the format line moves the two models."""
    asked = "Format line in the pushback instead of the question"
    if flip.p is None or flip.mean is None:
        return f"{asked}: no item was answered right at both places by both models."
    patterns = "all" if flip.exact else "random"
    return (
        f"{asked}: its effect on caving, A minus B, is {signed(100 * flip.mean, 1)} points"
        f" on {flip.n:,} items ({equation(chance(flip.p))},"
        f" {flip.patterns:,} {patterns} sign flips)."
    )


def open_sources(first: Path, second: Path, readout: str | None) -> tuple[Source, Source]:
    """Open two runs under one readout; records that are not there yet are read.

    Raises:
        UsageError: When both are the same run, their readouts differ, or one has no such reading.
        StoreError: When records belong to another plan than their folder.
    """
    if readout is not None:
        _check_readings(first, second, readout)
    a, b = (open_source(path, readout) for path in (first, second))
    if first.resolve() == second.resolve():
        raise UsageError(
            "A run cannot be compared with itself",
            allowed="two run folders",
            given=f"{first} twice",
            next_step="give the folder of another model or another sampling",
        )
    instruments = [(each.about.readout, each.about.judge, _prompts(each)) for each in (a, b)]
    ways = [_asked(path, source, readout) for path, source in ((first, a), (second, b))]
    shared = ways[0].keys() & ways[1].keys()
    apart = sorted(name for name in shared if ways[0][name] != ways[1][name])
    if instruments[0] != instruments[1] or apart:
        apart = [name for name in apart if name != _OWNER] or apart
        shown = [
            "; ".join((f"{read}; judge {judge}{prompts}", *(f"{n} {way[n]}" for n in apart)))
            for (read, judge, prompts), way in zip(instruments, ways, strict=True)
        ]
        raise UsageError(
            "The two runs were read differently",
            allowed="the same readout, version and judge for both, asked alike",
            given=f"A: {shown[0]}. B: {shown[1]}",
            next_step="read both again with one readout (`unswayed read`), or give --readout",
        )
    return a, b


_OWNER = "judge's model with its endpoint, and sampling: digest"
"""What is shown where two readings differ in something that the records do not spell out."""


def _asked(path: Path, source: Source, readout: str | None) -> dict[str, str]:
    """Return how the judges of a reading were asked, field by field; empty for rules."""
    from unswayed.line import RunFolder
    from unswayed.rows import read_header

    if not source.about.judges:
        return {}
    folder = RunFolder(path)
    answers = folder.answers(readout or folder.about_plan().design.readout)
    owner = read_header(answers, "answers").about.get("owner") if answers.exists() else None
    found = {
        f"{judge.name} {name}": value
        for judge in source.about.judges
        for name, value in (judge.sampling or {}).items()
    }
    return found if owner is None else {**found, _OWNER: str(owner)[:8]}


def _check_readings(first: Path, second: Path, name: str) -> None:
    """Refuse a reading that cannot be made here and that one of two runs lacks.

    Raises:
        UsageError: Naming the readings that both runs have.
    """
    from unswayed.line import RunFolder
    from unswayed.readouts.reading import READOUTS

    if name in READOUTS:
        return
    known = [RunFolder(path).readings() for path in (first, second)]
    lacking = [
        str(path) for path, names in zip((first, second), known, strict=True) if name not in names
    ]
    if lacking:
        shared = [each for each in known[0] if each in known[1]]
        raise UsageError(
            f"There is no reading {name!r} of {' and '.join(lacking)}",
            allowed=f"a readout ({', '.join(READOUTS)}), or a reading that both runs have"
            f" ({', '.join(shared) or 'none'})",
            given=name,
            next_step="read both runs with the same judge (`unswayed read -j`); it names the"
            " reading that it wrote",
        )


def _prompts(source: Source) -> str:
    """The first digits of the judges' prompts: one version may have been edited."""
    return "".join(f"; prompt {judge.prompt[:8]}" for judge in source.about.judges or ())


def open_source(path: Path, readout: str | None) -> Source:
    """Open a run under a readout; records that are not there yet are read.

    Raises:
        StoreError: When the records belong to another plan than their folder.
    """
    import msgspec

    from unswayed import line
    from unswayed.errors import StoreError
    from unswayed.profiles.matching import Source, item_digests
    from unswayed.records import Record
    from unswayed.rows import read_header, read_rows

    folder = line.RunFolder(path)
    plan, contract = folder.about_plan(), folder.read_contract()
    name = readout or plan.design.readout
    records = folder.records(name)
    if not records.exists() or (readout is not None and _is_old(records, readout)):
        line.read(folder, name)
    header = msgspec.convert(read_header(records, "records").about, line.RecordsAbout)
    about = header.about
    if about.plan != plan.digest:
        raise StoreError(
            f"The records in {path} belong to another plan",
            allowed=f"plan {plan.digest}",
            given=f"plan {about.plan}",
            next_step="read the run again: `unswayed read`",
        )
    return Source(
        name=str(path),
        about=about,
        reading=header.reading,
        model=contract.model,
        price=contract.price,
        texts={
            "wording files": plan.wording_digest,
            "listed options": str(plan.design.listed),
            "scored options": str(plan.design.scored),
        },
        items=item_digests(folder.read_items()),
        records=lambda: read_rows(records, "records", Record),
    )


def _is_old(records: Path, readout: str) -> bool:
    """Whether records come from another version of the readout that was asked for."""
    from unswayed.readouts.reading import READOUTS, readout_id
    from unswayed.rows import read_header

    if readout not in READOUTS:  # a judge's reading is made by `unswayed read -j` alone
        return False
    facts = read_header(records, "records").about.get("about", {})
    return bool(facts.get("readout") != readout_id(readout))


def _render(found: Comparison) -> Group:
    from rich.console import Group
    from rich.text import Text

    from unswayed.report.numbers import show
    from unswayed.report.visible import one_line

    shared = found.shared
    head = [
        Text(f"A: {one_line(found.a.model)}    B: {one_line(found.b.model)}", style="bold"),
        Text(one_line(f"The runs differ in {found.differs}.")),
        Text(
            f"Shared: {shared.n_items:,} items ({shared.n_families:,} families),"
            f" {shared.n_settings:,} conditions, draws {shared.draws[0]} and {shared.draws[1]}."
        ),
        *(Text(one_line(f"Left out: {words}."), style="dim") for words in found.left_out),
    ]
    labels = ("A", "B", "difference")
    rates = [show("accuracy", estimate) for estimate in found.accuracy[:2]]
    rates.append(show("difference", found.accuracy[2]))
    parts = [f"{label} {rate.whole}" for label, rate in zip(labels, rates, strict=True)]
    head.append(Text(f"First answers right: {', '.join(parts)}."))
    for warned in found.warnings:
        style = "red" if warned.severity == "stop" else "yellow"
        head.append(Text(one_line(f"{warned.severity.capitalize()}: {warned.text}"), style=style))
    head.append(Text())
    fixed = _fixed(found.rows)
    where = ", ".join(f"{name} {level}" for name, level in fixed.items())
    foot = f"Differences are A minus B in points, 95% intervals. All rows: {where or 'as named'}."
    apart = any(warned.text.startswith("A answers") for warned in found.warnings)
    return Group(*head, _table(found.rows, fixed, same_items=apart), Text(foot, style="dim"))


def _fixed(rows: tuple[Difference, ...]) -> dict[str, str]:
    """Factor levels that all rows share, which the table need not repeat."""
    levels: dict[str, set[str]] = {}
    for row in rows:
        for name, level in row.factors.items():
            levels.setdefault(name, set()).add(level)
    return {
        name: min(found)
        for name, found in levels.items()
        if len(found) == 1 and all(name in row.factors for row in rows)
    }


def _table(rows: tuple[Difference, ...], fixed: dict[str, str], *, same_items: bool) -> Table:
    from rich.table import Table
    from rich.text import Text

    from unswayed.profiles.tables import cell_id
    from unswayed.report.numbers import show
    from unswayed.report.visible import one_line

    table = Table(box=None, padding=(0, 2, 0, 0))
    for heading in ("cell", "A", "B", "A - B", "same items", "detectable", "finding"):
        if heading != "same items" or same_items:
            table.add_column(heading, header_style="bold", overflow="fold")
    for row in rows:
        varying = {n: level for n, level in row.factors.items() if n not in fixed}
        cells = [
            f"{row.measure}: {cell_id(varying)}",
            _side(row.measure, row.a),
            _side(row.measure, row.b),
            show(row.measure, row.difference).whole,
            show(row.measure, row.matched).text,
            "-" if row.detectable is None else f"{100 * row.detectable:.1f}",
            row.verdict + _chance(row.adjusted_p),
        ]
        if not same_items:
            del cells[4]
        style = "" if row.difference.state == "ok" else "dim"
        table.add_row(*(Text(one_line(cell), style=style) for cell in cells))
    return table


def _side(measure: str, estimate: Estimate) -> str:
    from unswayed.report.numbers import show

    unread = f", {estimate.n_unread} unread" if estimate.n_unread else ""
    return f"{show(measure, estimate).text} (n {estimate.n}{unread})"


def _chance(p: float | None) -> str:
    if p is None:
        return ""
    return f" (Holm {equation(chance(p))})"
