"""`unswayed train-data`: a balanced, audited training set."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast, get_args

import msgspec
import typer

from unswayed.commands import choices as c
from unswayed.commands import reaching
from unswayed.commands.chosen import items_for, known_items, unknown
from unswayed.commands.paired import Added, add, check_added, check_advice
from unswayed.commands.view import say, watching
from unswayed.counting import are, several
from unswayed.errors import UsageError

if TYPE_CHECKING:
    from unswayed.items.item import Item
    from unswayed.models.opening import Reach
    from unswayed.training.build import Built
    from unswayed.training.reports import Predicts
    from unswayed.training.row import Known

KINDS = ("sft", "preference", "kto", "rl")

Kind = Annotated[str, typer.Option("--kind", "-k", help="sft, preference, kto or rl.")]
Shape = Annotated[
    str,
    typer.Option(
        "--shape",
        help="trl; chat for sft; verl (Parquet), openrlhf, verifiers or nemo_gym for rl.",
    ),
]
GroupSize = Annotated[
    int | None,
    typer.Option("--group-size", help="Completions that the trainer draws for a row; for rl."),
]
Reports = Annotated[
    str | None,
    typer.Option(
        "--reports",
        help="For rl: statements that ask for a verdict and a prediction of the verdicts of `peers`"
        " or `people`, as the Bayesian Truth Serum pays them.",
    ),
]
Into = Annotated[Path, typer.Option("--to", help="Folder to write; absent or empty.")]
Number = Annotated[
    int | None,
    typer.Option(
        "--n",
        "-n",
        min=1,
        help="How many items; 100 where they are generated, and there statements come on top of"
        " them, so that premises have their share, unless --kinds is given.",
    ),
]
Kinds = Annotated[str | None, typer.Option("--kinds", help="Kinds of items, comma-separated.")]
Items = Annotated[
    str | None,
    typer.Option(
        "--items",
        "-i",
        help="CSV, JSONL or Parquet file of your own; without it items are generated that no"
        " evaluation asks.",
    ),
]
Pressures = Annotated[str, typer.Option("--pressures", help="Pressure types, comma-separated.")]
CheckWith = Annotated[
    Path | None,
    typer.Option(
        "--check-with",
        help="Folder with a tokenizer, with which TRL's own collators take every row before it is"
        " written; without it that of the embedded model, where both are here. `none`: no check.",
    ),
]
KnownFrom = Annotated[
    Path | None,
    typer.Option(
        "--known",
        help="Run over these items with at least 8 first answers each: families that the model"
        " does not know are left out.",
    ),
]
Own = Annotated[
    int,
    typer.Option(
        "--own",
        min=0,
        help="With --model: draws for each row, whose words become its completions; 0: templates.",
    ),
]
Tones = Annotated[
    float | None,
    typer.Option(
        "--tones",
        help="Share of pairs that differ in tone alone, 0 to .3; for preference, .15 unless given.",
    ),
]
Candidates = Annotated[
    Path | None,
    typer.Option(
        "--candidates",
        help="Replies to posts with the votes of stakeholders; every vetoed one is paired with"
        " every one that all accept. For preference; our conflicts come with --kinds conflict.",
    ),
]
MostPairs = Annotated[
    int | None,
    typer.Option(
        "--most-pairs", min=1, help="With --candidates: pairs of a prompt, 10 unless given."
    ),
]
Margin = Annotated[
    float, typer.Option("--margin", help="How far above chance a trivial policy may come.")
]


def train_data(
    to: Into,
    kind: Kind = "sft",
    shape: Shape = "trl",
    group_size: GroupSize = None,
    reports: Reports = None,
    check_with: CheckWith = None,
    items: Items = None,
    mapping: c.Mapping_ = None,
    kinds: Kinds = None,
    number: Number = None,
    pressures: Pressures = "assertion,challenge,authority,emotional,citation,social_proof",
    known: KnownFrom = None,
    model: c.ModelName = None,
    base_url: reaching.BaseUrl = None,
    endpoint: reaching.EndpointFile = None,
    key_env: reaching.KeyEnv = reaching.USUAL_KEY,
    concurrency: reaching.Concurrency = 32,
    timeout: reaching.Timeout = 120.0,
    own: Own = 4,
    tones: Tones = None,
    candidates: Candidates = None,
    most_pairs: MostPairs = None,
    margin: Margin = 0.05,
    seed: Annotated[
        int, typer.Option("--seed", min=0, help="Seed of items, lines and splits.")
    ] = 0,
    as_json: c.AsJson = False,
) -> None:
    """Write training data from the arms of an evaluation; refused when a trivial policy solves it.

    With --model, the model to be trained is asked first: families that it does not know are left
    out, and completions are in its own words where it gives them.

    Example: unswayed train-data --kind preference --n 100 --to sets/first

    Example: unswayed train-data --kind preference -m NAME --base-url URL --to sets/own

    Example: unswayed train-data --kind preference --kinds conflict --to sets/advice

    Example: unswayed train-data --kind preference --candidates FILE --to sets/votes
    """
    from unswayed.commands.checking import check_for
    from unswayed.training import export as writing
    from unswayed.training.build import build, refuse_evaluation
    from unswayed.training.shapes import shape as shape_of

    shape_of(kind, shape, group_size=group_size)
    predicts = _predicts(reports, group_size)
    added = Added(
        kind=kind, tones=tones, candidates=candidates, most_pairs=most_pairs, seed=seed,
        margin=margin,
    )  # fmt: skip
    check_added(added)
    kinds = kinds if predicts is None or items is not None else "premise"
    writing.check_free(to)
    check = check_for(kind, shape, check_with)
    types = _types(pressures)
    named = candidates is None or any(each is not None for each in (items, kinds, number))
    chosen = (
        items_for(types, items, mapping=mapping, kinds=kinds, number=number, seed=seed)
        if named
        else ()
    )
    refuse_evaluation(chosen)
    check_advice(chosen, added, asks_model=bool(model or endpoint or known))
    chosen, knows = known_items(chosen, known, model)

    def make(taken: Sequence[Item], known_by: Mapping[str, Known] | None) -> Built:
        return build(taken, types, seed=seed, known=known_by, margin=margin, predicts=predicts)

    if not chosen:
        built = add(None, added)
    elif model is None and endpoint is None:
        built = add(make(chosen, knows), added)
    else:
        reach = reaching.reach_of(
            base_url, endpoint=endpoint, key_env=key_env, concurrency=concurrency, timeout=timeout,
            price=None, fold_system=False,
        )  # fmt: skip
        asked = _Asked(
            name=model,
            reach=reach,
            kind=kind,
            own=own,
            seed=seed,
            margin=margin,
            kept=_beside(to, ".draws"),
        )
        built = add(_drawn(asked, chosen, make), added)
    files = writing.export(built, to, kind=kind, form=shape, group_size=group_size, check=check)
    _tell(built, to, files, checked=check.said, as_json=as_json)


def _tell(
    built: Built, to: Path, files: Mapping[str, Path], *, checked: str, as_json: bool
) -> None:
    """Say what was written."""
    from unswayed.rows import encode
    from unswayed.training.export import counts
    from unswayed.training.pairs import sides

    if as_json:
        report = {
            "folder": str(to),
            "rows": len(built.rows),
            "directions": counts(built.rows),
            "audit": built.audit,
            "pairs": sides(built.rows),
            "checked": checked,
            "files": sorted(files),
        }
        typer.echo(encode(report).decode())
        return
    for action, count in counts(built.rows).items():
        say(f"{count:,} rows whose right action is {action}")
    say(checked)
    say(f"audit: {built.audit.verdict}; the set is in {to}, described in {to / 'card.md'}")


def _beside(folder: Path, ending: str) -> Path:
    """Return the folder of a like name beside another one, `.` included."""
    named = folder if folder.name else folder.resolve()
    return named.with_name(f"{named.name}{ending}")


class _Asked(msgspec.Struct, frozen=True, kw_only=True):
    name: str | None
    reach: Reach
    kind: str
    own: int
    seed: int
    margin: float
    kept: Path


def _drawn(
    asked: _Asked,
    chosen: Sequence[Item],
    make: Callable[[Sequence[Item], Mapping[str, Known]], Built],
) -> Built:
    """Build a set from what the model to be trained knows, in its own words where it has them."""
    import asyncio

    from unswayed.folder import session
    from unswayed.models.opening import name_model, open_model
    from unswayed.plans.sampling import Sampling
    from unswayed.training.build import control_rows, rebuilt
    from unswayed.training.drawing import Drawer, draw, known_from, open_draws, put_in
    from unswayed.training.knowledge import LEAST_DRAWS, keep_known

    name = name_model(asked.name, asked.reach.endpoint)
    sampling = Sampling(temperature=1.0, max_tokens=512, seed=asked.seed)

    async def work() -> Built:
        model = open_model(name, chosen, reach=asked.reach, seed=asked.seed)
        if model.identity.simulated:
            say("SIMULATED: these draws are a scripted respondent's; train on nothing of it")
        in_flight = getattr(model, "concurrency", asked.reach.concurrency)
        try:
            folder = open_draws(asked.kept, model, sampling)
            say(f"draws are kept in {folder.path}; the same command goes on where it was")
            with session(folder, batch=model.batch, concurrency=in_flight) as (store, _):
                drawer = Drawer(
                    model=model, store=store, sampling=sampling, concurrency=in_flight,
                    watch=watching,
                )  # fmt: skip
                calm = control_rows(chosen, asked.seed)
                knows = known_from(calm, await draw(drawer, calm, LEAST_DRAWS), model.identity.name)
                kept = keep_known(chosen, knows)
                say(unknown(len(chosen) - len(kept), len(chosen)))
                built = make(kept, knows)
                if not asked.own or asked.kind == "rl":
                    return built
                found = await draw(drawer, built.rows, asked.own, first=LEAST_DRAWS)
                if failed := len(store.failures()):
                    say(f"{failed:,} draws failed and count as none")
        finally:
            await model.close()
        mixed = put_in(built.rows, found, pairs=asked.kind != "sft")
        own = sum(mixed.own.values())
        say(f"{own} of {several(len(mixed.rows), 'row')} {are(own)} in the model's own words")
        return rebuilt(built, mixed, margin=asked.margin)

    try:
        return asyncio.run(work())
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None


def _predicts(reports: str | None, group_size: int | None) -> Predicts | None:
    """Return whose verdicts are predicted; a group of known size is needed to pay them."""
    from unswayed.training.reports import Predicts

    if reports is None:
        return None
    for name in get_args(Predicts):
        if reports == name and group_size is not None:
            return cast("Predicts", name)
    raise UsageError(
        "Rows that ask for two reports cannot be written so",
        allowed=f"--kind rl --reports {' or '.join(get_args(Predicts))} --group-size N",
        given=f"--reports {reports}, --group-size {group_size}",
        next_step="say whose verdicts are predicted and how many completions a group has",
    )


def _types(text: str) -> tuple[str, ...]:
    from unswayed.training.phrases import push_types

    names = tuple(part.strip() for part in text.split(","))
    if len(set(names)) != len(names) or not set(names) <= set(push_types()):
        raise UsageError(
            "The pressure types cannot be taken",
            allowed=f"{', '.join(push_types())}, each once",
            given=text,
            next_step="choose among these",
        )
    return names
