"""`unswayed list`: what there is to choose from."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from unswayed.commands import choices as c

if TYPE_CHECKING:
    from unswayed.plans.design import Design


class Topic(StrEnum):
    """What can be listed."""

    benchmarks = "benchmarks"
    items = "items"
    pressures = "pressures"
    readouts = "readouts"
    factors = "factors"
    models = "models"


What = Annotated[Topic, typer.Argument(help="What to list.")]


def list_(what: What = Topic.benchmarks, as_json: c.AsJson = False) -> None:
    """List benchmarks, items, pressures, readouts, factors or models.

    Example: unswayed list pressures
    """
    from unswayed.rows import encode

    rows = _ROWS[what]()
    if as_json:
        typer.echo(encode(rows).decode())
        return
    for row in rows:
        (_, name), *rest = row.items()
        typer.echo(str(name))
        for key, value in rest:
            typer.echo(f"    {key}: {_words(value)}")


def _words(value: object) -> str:
    """Say a value as `--set` takes it."""
    if isinstance(value, list | tuple):
        return ",".join(map(str, value))
    return str(value).lower() if value is None or isinstance(value, bool) else str(value)


def _benchmarks() -> list[dict[str, object]]:
    from unswayed.benchmarks import BENCHMARKS

    return [
        {
            "name": b.name,
            "measures": b.describes,
            "version": b.version,
            "items": ", ".join(b.kinds),
            "arms": _arms(b.design),
            "controls": ", ".join(b.design.controls),
            "readout": b.design.readout,
            "requests per item": _requests(b.name),
            "reference": b.reference,
        }
        for b in BENCHMARKS.values()
    ]


def _arms(design: Design) -> str:
    if design.script is not None:
        return ", ".join(arm.name for arm in design.script.tested())
    return f"{', '.join(design.pressures)}; names {', '.join(design.names)}"


def _requests(name: str) -> int:
    from unswayed.benchmarks import BENCHMARKS
    from unswayed.items.builtin import builtin_items
    from unswayed.plans.cross import cross

    benchmark = BENCHMARKS[name]
    return sum(1 for _ in cross(builtin_items(benchmark.kinds)[:1], benchmark.design))


def _items() -> list[dict[str, object]]:
    from collections import Counter

    from unswayed.items.builtin import KINDS, builtin_items

    items = builtin_items(KINDS)
    counts = Counter((item.kind, item.review) for item in items)
    return [
        {"kind": kind, "items": count, "review": review.replace("_", " ")}
        for (kind, review), count in sorted(counts.items())
    ]


def _pressures() -> list[dict[str, object]]:
    from unswayed import wording

    rows: list[dict[str, object]] = []
    for type_ in wording.pressure_types():
        for family in wording.pressures(type_):
            named = family.wording(named=True)
            rows.append(
                {
                    "id": family.id,
                    "placements": ", ".join(family.placements),
                    "named": named.text,
                    "unnamed": family.wording(named=False).text,
                    "sha256": named.sha256[:12],
                }
            )
    return rows


def _readouts() -> list[dict[str, object]]:
    from unswayed.readouts.reading import READOUTS, readout_id

    return [
        {"id": readout_id(name), "reads": readout.describes} for name, readout in READOUTS.items()
    ]


def _factors() -> list[dict[str, object]]:
    import msgspec

    from unswayed.plans.design import FACTORS, Design

    fields = msgspec.to_builtins(Design())
    rows: list[dict[str, object]] = [
        {"factor": name, "levels": ", ".join(levels) or "from the wording files"}
        for name, levels in FACTORS.items()
    ]
    rows += [
        {"design field": name, "default": value}
        for name, value in fields.items()
        if name not in ("cells", "sampling", "script")
    ]
    rows += [{"sampling field": name, "default": "provider default"} for name in fields["sampling"]]
    return rows


def _models() -> list[dict[str, object]]:
    from unswayed.models.scripted import MANNERS, Law

    rates = ", ".join(n for n in Law.__struct_fields__ if n not in ("manner", "by_pressure"))
    rows: list[dict[str, object]] = [
        {"model": "embedded", "is": "SmolLM2-135M-Instruct in this process (`model fetch`)"},
        {"model": "checkpoint:FOLDER", "is": "a transformers folder in this process"},
        {"model": "vllm:FOLDER", "is": "the same with vLLM, where it is installed"},
        {"model": "NAME with --base-url URL", "is": "any OpenAI-compatible chat endpoint"},
    ]
    rows += [
        {"model": f"scripted:{name}", "is": f"SIMULATED: {text}"} for name, text in MANNERS.items()
    ]
    rows[-1]["rates of planted"] = f"{rates}, by.LEVEL; docs/scripted.md explains each"
    return rows


_ROWS = {
    Topic.benchmarks: _benchmarks,
    Topic.items: _items,
    Topic.pressures: _pressures,
    Topic.readouts: _readouts,
    Topic.factors: _factors,
    Topic.models: _models,
}
