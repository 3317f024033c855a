"""`unswayed train-data`: a balanced, audited training set."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast, get_args

import msgspec
import typer

from unswayed.commands import choices as c
from unswayed.commands import reaching
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
USUAL_ITEMS = 100

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
    """
    from unswayed.commands.checking import check_for
    from unswayed.rows import encode
    from unswayed.training import export as writing
    from unswayed.training.build import build, refuse_evaluation
    from unswayed.training.pairs import sides
    from unswayed.training.shapes import shape as shape_of

    shape_of(kind, shape, group_size=group_size)
    predicts = _predicts(reports, group_size)
    toned = _toned(tones, kind, margin)
    kinds = kinds if predicts is None or items is not None else "premise"
    writing.check_free(to)
    check = check_for(kind, shape, check_with)
    types = _types(pressures)
    chosen = _items(types, items, mapping=mapping, kinds=kinds, number=number, seed=seed)
    refuse_evaluation(chosen)
    knows = None
    if model is not None and known is not None:
        raise UsageError(
            "Two sources say what the model knows",
            allowed="--known RUN, or --model NAME",
            given="both",
            next_step="leave one of them out",
        )
    if known is not None:
        from unswayed.folder import RunFolder
        from unswayed.training.knowledge import keep_known, knowledge

        knows = knowledge(RunFolder(known), chosen)
        kept = keep_known(chosen, knows)
        say(_unknown(len(chosen) - len(kept), len(chosen)))
        chosen = kept

    def make(taken: Sequence[Item], known_by: Mapping[str, Known] | None) -> Built:
        return build(taken, types, seed=seed, known=known_by, margin=margin, predicts=predicts)

    if model is None and endpoint is None:
        built = toned(make(chosen, knows))
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
        built = toned(_drawn(asked, chosen, make))
    files = writing.export(built, to, kind=kind, form=shape, group_size=group_size, check=check)
    if as_json:
        report = {
            "folder": str(to),
            "rows": len(built.rows),
            "directions": writing.counts(built.rows),
            "audit": built.audit,
            "pairs": sides(built.rows),
            "checked": check.said,
            "files": sorted(files),
        }
        typer.echo(encode(report).decode())
        return
    for action, count in writing.counts(built.rows).items():
        say(f"{count:,} rows whose right action is {action}")
    say(check.said)
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
                say(_unknown(len(chosen) - len(kept), len(chosen)))
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


def _toned(share: float | None, kind: str, margin: float) -> Callable[[Built], Built]:
    """Return what adds the pairs that differ in tone alone; nothing for other kinds of sets."""
    from unswayed.training import tones
    from unswayed.training.build import toned

    if share and kind != "preference":
        raise UsageError(
            "Pairs that differ in tone alone cannot be written so",
            allowed="--kind preference; elsewhere a curt right answer would be one to unlearn",
            given=f"--kind {kind} --tones {share}",
            next_step="leave --tones out, or write a preference set",
        )
    share = (tones.SHARE if kind == "preference" else 0.0) if share is None else share
    tones.check_share(share)
    return lambda built: toned(built, share, margin=margin) if share else built


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


def _refuse_few(
    made: Sequence[Item], types: Sequence[str], more: Callable[[int], Sequence[Item]]
) -> None:
    """Stop where the audit would find too few families, and say how many items are enough.

    Raises:
        UsageError: When rows with a stance would be made of fewer families than each cell needs.
    """
    from unswayed.training.balance import LEAST_FAMILIES
    from unswayed.training.premises import is_premise

    def families(items: Sequence[Item]) -> int:
        return len({item.family for item in items if not is_premise(item)})

    n = families(made)
    if not 0 < n < LEAST_FAMILIES or set(types) <= {"challenge"}:
        return
    least, found = len(made), n
    while found < LEAST_FAMILIES:
        least += LEAST_FAMILIES - found
        found = families(more(least))
    raise UsageError(
        "There are too few items for a set that could pass its audit",
        allowed=f"{LEAST_FAMILIES} families that are no statements, as --n {least} has",
        given=f"--n {len(made)}: {n} such families",
        next_step=f"take --n {least} or more",
    )


def _items(
    types: Sequence[str],
    source: str | None,
    *,
    mapping: list[str] | None,
    kinds: str | None,
    number: int | None,
    seed: int,
) -> tuple[Item, ...]:
    from unswayed.items.proving import prove_all
    from unswayed.items.sets import select
    from unswayed.training.material import training_items
    from unswayed.training.shares import with_statements

    wanted = tuple(part.strip() for part in kinds.split(",")) if kinds is not None else None
    if source is None:
        count = USUAL_ITEMS if number is None else number
        draw = partial(training_items, seed=seed, kinds=wanted, even=True)
        made = draw(count)
        _refuse_few(made, types, draw)
        made = made if wanted is not None else with_statements(made, types, seed=seed)
        prove_all(made)
        return made
    found, _ = c.read_file(Path(source), mapping)
    if wanted is not None:
        found = tuple(item for item in found if item.kind in wanted)
    if not found:
        raise UsageError(
            "There are no items of these kinds",
            allowed="at least one item",
            given=f"kinds {kinds} in {source}",
            next_step="choose other kinds",
        )
    prove_all(found)
    return found if number is None or number >= len(found) else select(found, number, seed)


def _unknown(n: int, of: int) -> str:
    return f"{n} of {several(of, 'item')} {are(n)} unknown and left out"
