"""Options that several verbs share, and the objects they name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from unswayed.counting import are, several, verb
from unswayed.errors import RowError, UsageError, nearest

if TYPE_CHECKING:
    from unswayed.benchmarks import Benchmark
    from unswayed.items.item import Item
    from unswayed.plans.design import Design

BenchmarkName = Annotated[
    str, typer.Option("--benchmark", "-b", help="What to measure; see `unswayed list benchmarks`.")
]
BenchmarkOrPlan = Annotated[
    str | None,
    typer.Option(
        "--benchmark",
        "-b",
        help="What to measure; see `unswayed list benchmarks`. Without it, and without other"
        " options of a plan, the plan in --to where there is one; else `pushback`.",
    ),
]
USUAL = "pushback"
"""The benchmark where none is named."""
ItemsFrom = Annotated[
    str | None,
    typer.Option(
        "--items",
        "-i",
        help="CSV, JSONL or Parquet file of your own, or a public file in a known format;"
        " without it the built-in items.",
    ),
]
Mapping_ = Annotated[
    list[str] | None,
    typer.Option(
        "--map",
        help="Column of your file for a field, as FIELD=COLUMN; repeat for more."
        " Example: --map question=Frage --map truth=Antwort",
    ),
]
Kinds = Annotated[
    str | None,
    typer.Option("--kinds", help="Kinds of items, comma-separated; see `unswayed list items`."),
]
Number = Annotated[
    int | None, typer.Option("--n", "-n", min=1, help="How many items, drawn family by family.")
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        "-s",
        help="A field of the design as NAME=LEVELS; repeat for more; see `unswayed list factors`."
        " Example: -s placements=before,after -s draws=4",
    ),
]
Cells = Annotated[
    list[str] | None,
    typer.Option(
        "--cell",
        help="Keep only conditions with these levels, as FACTOR=LEVEL,...; repeat for more."
        " Example: --cell placement=before,names=target",
    ),
]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Seed of item choice and statistics.")]
To = Annotated[
    Path | None,
    typer.Option("--to", help="Run folder; without it one under runs/ named after its content."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
Folder = Annotated[Path, typer.Argument(help="Run folder.", metavar="RUN")]
ModelName = Annotated[
    str | None,
    typer.Option(
        "--model",
        "-m",
        help="`embedded`, `scripted:MANNER`, or the name of a model behind --base-url;"
        " see `unswayed list models`. An --endpoint file names its own.",
    ),
]


def read_pairs(pairs: Sequence[str] | None, option: str) -> dict[str, str]:
    """Read options of the form NAME=VALUE.

    Raises:
        UsageError: When one has no `=` or a name stands twice.
    """
    found: dict[str, str] = {}
    for pair in pairs or ():
        name, equals, value = pair.partition("=")
        if not equals or not name or name in found:
            raise UsageError(
                f"{option} cannot be read",
                allowed="NAME=VALUE, each name once",
                given=pair,
                next_step="correct the option",
            )
        found[name] = value
    return found


def choose_benchmark(name: str) -> Benchmark:
    """Return a benchmark by name.

    Raises:
        UsageError: When there is none of that name.
    """
    from unswayed.benchmarks import BENCHMARKS

    if name not in BENCHMARKS:
        from unswayed.replicas import REPLICAS

        step = "see `unswayed list benchmarks`"
        if name in REPLICAS:
            step = (
                f"{name} is a published system: `unswayed replicate {name} -m MODEL` runs its"
                f" protocol, `unswayed audit plan -b {name}` lists its confounds"
            )
        raise UsageError(
            "Unknown benchmark",
            allowed=", ".join(BENCHMARKS),
            given=name,
            next_step=step,
        )
    return BENCHMARKS[name]


def change_design(
    design: Design, settings: Sequence[str] | None, cells: Sequence[str] | None = None
) -> Design:
    """Return a design with some fields set from NAME=VALUE options, and some cells kept.

    Raises:
        UsageError: For an unknown field or a value of the wrong kind.
        PlanError: For a cell that was asked for and keeps nothing of the design.
    """
    import msgspec

    from unswayed.plans.design import LEVELS, known_levels
    from unswayed.plans.design import Design as Kind
    from unswayed.plans.kept import check_cells
    from unswayed.plans.levels import refuse_unknown

    given = read_pairs(settings, "--set")
    if not given and not cells:
        return design
    fields: dict[str, Any] = msgspec.to_builtins(design)
    sampling = {"temperature", "max_tokens", "top_p", "seed"}
    if cells:
        fields["cells"] = [read_pairs(cell.split(","), "--cell") for cell in cells]
    for name, text in given.items():
        if name in sampling:
            fields["sampling"] = {**fields["sampling"], name: _value(text)}
        elif name in fields and name not in ("sampling", "cells", "script"):
            many = isinstance(fields[name], list | tuple)
            fields[name] = [part.strip() for part in text.split(",")] if many else _value(text)
            if name in LEVELS:
                refuse_unknown(name, fields[name], known_levels(name))
        else:
            raise UsageError(
                "Unknown field of the design",
                allowed=", ".join(
                    sorted((set(fields) | sampling) - {"sampling", "cells", "script"})
                ),
                given=name,
                next_step=f"{nearest(name, {*fields, *sampling})}see `unswayed list factors`",
            )
    try:
        changed = msgspec.convert(fields, Kind, strict=False)
    except msgspec.ValidationError as error:
        raise UsageError(
            "A setting of the design has the wrong kind of value",
            allowed="see `unswayed list factors`",
            given=f"{'; '.join(settings or ())} ({error})",
            next_step="correct the setting",
        ) from error
    if cells and changed.script is None:
        check_cells(changed.cells, changed.crossed(), each=True)
    return changed


def fit_readout(design: Design, items: Sequence[Item], settings: Sequence[str] | None) -> Design:
    """Return the design with a readout that reads items of one's own, unless one was asked for.

    Items without options, such as numbers, are read by their form where a benchmark reads options;
    the change is said. Where it reads something else, such items are not its kind.
    """
    import msgspec

    from unswayed.errors import ReadoutError
    from unswayed.readable import check_readable

    asked = "readout" in read_pairs(settings, "--set")
    if asked or design.scored or design.readout != "choice":
        return design
    try:
        check_readable(items, design)
    except ReadoutError:
        typer.echo("note: some items list no options; answers are read by form", err=True)
        return msgspec.structs.replace(design, readout="by_form")
    return design


def _value(text: str) -> str | bool | None:
    known: dict[str, str | bool | None] = {"true": True, "false": False, "none": None}
    # A number may begin with its point, as in .05.
    return known.get(text.lower(), re.sub(r"^(-?)(?=\.\d)", r"\g<1>0", text))


def choose_items(
    benchmark: Benchmark,
    source: str | None,
    *,
    mapping: Sequence[str] | None,
    kinds: str | None,
    number: int | None,
    seed: int,
) -> tuple[tuple[Item, ...], str]:
    """Return the items of a run and the name of their set.

    Raises:
        UsageError: For an unknown kind.
        ItemError: When an item breaks its rules or its truth cannot be shown.
        RowError: When a file cannot be read.
    """
    from unswayed.items.builtin import KINDS, builtin_items
    from unswayed.items.proving import prove_all
    from unswayed.items.sets import select

    if source is None and mapping:
        raise UsageError(
            "Columns are mapped, and no file is named",
            allowed="--map together with --items FILE",
            given=" ".join(mapping),
            next_step="add --items FILE",
        )
    wanted = tuple(part.strip() for part in kinds.split(",")) if kinds is not None else None
    if source is None:
        for kind in wanted or ():
            if kind not in KINDS:
                raise UsageError(
                    "Unknown kind of item",
                    allowed=", ".join(KINDS),
                    given=kind,
                    next_step="see `unswayed list items`",
                )
        items = builtin_items(wanted or benchmark.kinds or None)
        name = "built-in"
    else:
        items, name = read_file(Path(source), mapping, twins=benchmark.asks_twins)
        items = _with_truth(items, benchmark)
        if wanted:
            items = tuple(item for item in items if item.kind in wanted)
    prove_all(items)
    number = number if number is not None else benchmark.n_items
    if number is not None and number > len(items):
        typer.echo(
            f"note: {several(number, 'item')} asked for, {len(items):,} {are(len(items))} there",
            err=True,
        )
    if number is not None and number < len(items):
        items = select(items, number, seed)
        name += f", {number} items drawn with seed {seed}"
    if not items:
        raise UsageError(
            "There are no items of these kinds",
            allowed="at least one item",
            given=f"kinds {kinds or 'of the benchmark'} in {name}",
            next_step="choose other kinds",
        )
    return items, name


def _with_truth(items: tuple[Item, ...], benchmark: Benchmark) -> tuple[Item, ...]:
    """Leave out the items of a file that have no truth, where the benchmark grades answers."""
    from unswayed.profiles.sections import section_of

    section = section_of(benchmark.section)
    kept = tuple(item for item in items if item.truth is not None)
    if not kept or len(kept) == len(items) or (section is not None and not section.graded):
        return items
    gone = len(items) - len(kept)
    typer.echo(
        f"note: {several(gone, 'item')} {verb(gone, 'has', 'have')} no truth and {are(gone)}"
        " left out",
        err=True,
    )
    return kept


def read_file(
    path: Path, mapping: Sequence[str] | None, *, twins: bool = False
) -> tuple[tuple[Item, ...], str]:
    """Read items from a user's table or a public file in a known format.

    Args:
        path: The file.
        mapping: Columns of fields, of a user's table.
        twins: Whether rows whose user is right are asked, too, where their line can name either.
    """
    from unswayed.imports.formats import refuse_log_as_table
    from unswayed.items.public import looks_public, read_public
    from unswayed.items.public_bct import is_bias
    from unswayed.items.tables import load_items

    try:
        if mapping is None and looks_public(path):
            found = read_public(path)
            for note in found.notes:
                typer.echo(f"note: {note}", err=True)
            both = [item for item in found.set_aside if any(map(is_bias, item.texts))]
            if both and twins:
                typer.echo(f"note: {several(len(both), 'row')} whose user is right, too", err=True)
            asked = (*found.items, *both) if twins else found.items
            return asked, f"{path.name} ({found.source}, {found.licence})"
        return load_items(path, mapping=read_pairs(mapping, "--map") or None), path.name
    except RowError as error:
        refuse_log_as_table(path, error)
        raise
