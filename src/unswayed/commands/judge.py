"""`unswayed judge`: try a judge before its numbers count."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unswayed.commands import choices as c
from unswayed.commands import reaching
from unswayed.commands.view import say, watching
from unswayed.errors import EXIT_FAILED_GATE, EXIT_OK, IncompleteRunError, UsageError

if TYPE_CHECKING:
    from unswayed.models.completion import Completion
    from unswayed.models.opening import Reach
    from unswayed.models.protocol import Identity, Model, Request
    from unswayed.models.run import Progress
    from unswayed.plans.sampling import Sampling
    from unswayed.readouts.anchors import Anchor
    from unswayed.readouts.appointed import Appointed
    from unswayed.readouts.certificate import Certificate, HumanLabels
    from unswayed.readouts.human_labels import LabeledText
    from unswayed.readouts.judge import Judge
    from unswayed.readouts.pulls import Pulls
    from unswayed.stats.estimate import Estimate

app = typer.Typer(help="Judges: list them, and check one before use.", no_args_is_help=True)

UNITS = "counts replies, not families"
"""What stands beside agreement: several replies to one question are several units of it."""

JudgeName = Annotated[
    str | None,
    typer.Option("--judge", "-j", help="Judge by name, or the path of your own judge's TOML file."),
]
Certificates = Annotated[
    Path, typer.Option("--to", help="Folder of the certificates, beside the judge's store.")
]
Labels = Annotated[
    Path | None,
    typer.Option("--labels", help="Human labels, CSV or JSONL: id, text, label, and maybe arm."),
]
Anchors = Annotated[
    Path | None,
    typer.Option("--anchors", help="Known replies of your own, JSONL; docs/judges.md."),
]
Day = Annotated[
    str | None, typer.Option("--date", help="Day that the certificate states; today unless given.")
]
Temperature = Annotated[
    str, typer.Option("--temperature", help="A number, or `none` for the provider's default.")
]
MaxTokens = Annotated[
    int, typer.Option("--max-tokens", min=1, help="Most tokens that the judge may write.")
]


@app.callback()
def judge() -> None:
    """Judges: list them, and check one before use."""


@app.command("list")
def list_(as_json: c.AsJson = False) -> None:
    """List the judges that come with the package.

    Example: unswayed judge list
    """
    from unswayed.readouts.anchors import anchors_of
    from unswayed.readouts.judge import JUDGES, find_judge
    from unswayed.rows import encode

    judges = [find_judge(name) for name in JUDGES]
    if as_json:
        typer.echo(encode(judges).decode())
        return
    for each in judges:
        typer.echo(each.name)
        typer.echo(f"    reads: {each.describes}")
        typer.echo(f"    verdicts: {', '.join(each.meanings)}")
        typer.echo(f"    known replies: {len(anchors_of(each))}")
        typer.echo(f"    sha256: {each.sha256[:12]}")


@app.command("check")
def check(
    judge: JudgeName = None,
    model: c.ModelName = None,
    to: Certificates = Path("judges"),
    labels: Labels = None,
    anchors: Anchors = None,
    date: Day = None,
    temperature: Temperature = "0",
    max_tokens: MaxTokens = 600,
    base_url: reaching.BaseUrl = None,
    endpoint: reaching.EndpointFile = None,
    key_env: reaching.KeyEnv = "OPENAI_API_KEY",
    concurrency: reaching.Concurrency = 8,
    timeout: reaching.Timeout = 120.0,
    as_json: c.AsJson = False,
) -> int:
    """Try a judge: known replies, order, rewrites, empty replies, injections, repeats, labels.

    Example: unswayed judge check -j stance -m my-model --base-url http://localhost:8000/v1

    Example: unswayed judge check -j stance -m scripted-judge:gullible
    """
    from unswayed.readouts.anchors import anchors_of
    from unswayed.readouts.appointed import Appointed
    from unswayed.readouts.certificate import write_certificate
    from unswayed.readouts.human_labels import read_labels
    from unswayed.rows import encode

    chosen = choose_judge(judge)
    known = anchors_of(chosen, anchors)
    labeled = read_labels(labels, chosen) if labels is not None else ()
    reach = reaching.reach_of(
        base_url,
        endpoint=endpoint,
        key_env=key_env,
        concurrency=concurrency,
        timeout=timeout,
        price=None,
        fold_system=False,
    )
    appointed = Appointed(
        judge=chosen,
        model=open_judge_model(model, chosen, known, reach),
        itself=False,
        sampling=read_sampling(temperature, max_tokens),
    )
    say(f"checking {chosen.name} by {appointed.model.identity.name}; certificates are in {to}")
    found = _try(appointed, to, known, labeled, day=_day(date), concurrency=concurrency)
    path = write_certificate(found, chosen, to)
    if as_json:
        fault = found.human.fault if found.human is not None else None
        whole = {**_plain(found), "passed": found.passed, "human_fault": fault}
        typer.echo(encode(whole).decode())
    else:
        _show(found, appointed, to)
        typer.echo(f"certificate: {path}")
    return EXIT_OK if found.passed else EXIT_FAILED_GATE


def choose_judge(name: str | None) -> Judge:
    """Return a judge by name, or from the TOML file of a path.

    Raises:
        UsageError: When none is named.
    """
    from unswayed.readouts.judge import JUDGES, find_judge, load_judge

    if name is None:
        raise UsageError(
            "No judge is named",
            allowed=f"--judge with one of {', '.join(JUDGES)}, or the path of a TOML file",
            given="nothing",
            next_step="see `unswayed judge list`",
        )
    return load_judge(Path(name)) if name.endswith(".toml") else find_judge(name)


def open_judge_model(
    spec: str | None, judge: Judge, anchors: tuple[Anchor, ...], reach: Reach
) -> Model:
    """Open the model that plays a judge; there is no default, and no subject takes its place.

    Raises:
        UsageError: When none is named, or a scripted respondent is.
    """
    from unswayed.models.opening import open_model
    from unswayed.readouts.anchors import key_of
    from unswayed.readouts.scripted_judges import PREFIX, scripted_judge

    if spec is None or spec.startswith("scripted:"):
        raise UsageError(
            "No model is named that can judge",
            allowed="a name with --base-url, `embedded`, or scripted-judge:MANNER",
            given=spec or "nothing",
            next_step="name the judge's model apart from the model under test",
        )
    if spec.startswith(PREFIX):
        return scripted_judge(spec, judge, key_of(judge, anchors))
    return open_model(spec, (), reach=reach)


def read_sampling(temperature: str, max_tokens: int, option: str = "--temperature") -> Sampling:
    """Read how a judge is asked.

    Raises:
        UsageError: When the temperature is neither a number nor `none`.
    """
    from unswayed.plans.sampling import Sampling

    if temperature.strip().lower() == "none":
        return Sampling(max_tokens=max_tokens)
    try:
        value = float(temperature)
    except ValueError as error:
        raise UsageError(
            "The temperature of the judge cannot be read",
            allowed="a number, or `none` for the provider's default",
            given=temperature,
            next_step=f"correct {option}",
        ) from error
    return Sampling(temperature=value, max_tokens=max_tokens)


def _day(text: str | None) -> str:
    if text is None:
        return datetime.now(UTC).date().isoformat()
    try:
        return datetime.strptime(text, "%Y-%m-%d").date().isoformat()
    except ValueError as error:
        raise UsageError(
            "The date cannot be read",
            allowed="YYYY-MM-DD",
            given=text,
            next_step="correct --date",
        ) from error


def _try(
    appointed: Appointed,
    folder: Path,
    known: tuple[Anchor, ...],
    labeled: Sequence[LabeledText],
    *,
    day: str,
    concurrency: int,
) -> Certificate:
    import asyncio

    import msgspec

    from unswayed.models.run import Progress
    from unswayed.readouts.anchors import NOTHING, injections
    from unswayed.readouts.certify import certify

    progress = Progress()
    passes = 3 + len(appointed.judge.invariant) + len(appointed.judge.reshaped)
    total = passes * len(known) + len(NOTHING) + len(injections()) + len(labeled)
    store = appointed.open_store(folder / f"{appointed.judge.id}.{appointed.owner[:10]}.sqlite")
    watched = msgspec.structs.replace(appointed, model=Watched(appointed.model, progress))

    async def work() -> Certificate:
        try:
            return await certify(
                watched,
                store,
                date=day,
                anchors=known,
                labels=labeled,
                concurrency=concurrency,
            )
        finally:
            await appointed.model.close()

    try:
        with watching(progress, total):
            return asyncio.run(work())
    finally:
        store.close()


class Watched:
    """A model whose requests are counted for the progress view, and that Ctrl-C ends.

    Args:
        model: The model.
        progress: What is counted.
    """

    def __init__(self, model: Model, progress: Progress) -> None:
        self.model, self.progress = model, progress
        self.batch = model.batch

    @property
    def identity(self) -> Identity:
        """The model's own."""
        return self.model.identity

    async def complete(self, requests: Sequence[Request]) -> Sequence[Completion]:
        """Complete requests, unless the check is to stop."""
        if self.progress.stopped:
            raise IncompleteRunError(
                f"The check was stopped: {self.progress.stopped}",
                next_step="run the same command again; what was answered is stored",
            )
        completions = await self.model.complete(requests)
        self.progress.n_asked += len(completions)
        self.progress.n_done += len(completions)
        self.progress.n_failed += sum(each.error is not None for each in completions)
        return completions

    async def close(self) -> None:
        """Close the model."""
        await self.model.close()


def _plain(found: Certificate) -> dict[str, object]:
    import msgspec

    return dict(msgspec.to_builtins(found))


def _show(found: Certificate, appointed: Appointed, folder: Path) -> None:
    from unswayed.readouts.certificate import judged_by

    for each in found.checks:
        state = "ok" if each.passed else "FAILED"
        typer.echo(f"{state:7} {each.name:32} {_number(each.estimate)}")
        for case in each.cases[:5] if not each.passed else ():
            typer.echo(f"            {case}")
    alpha, ac = found.agreement.alpha, found.agreement.ac
    typer.echo(f"known verdicts: alpha {_number(alpha)}; AC1 {_number(ac)}; {UNITS}")
    _show_prevalence(alpha)
    if found.pulls is not None:
        _show_pulls(found.pulls)
    if found.human is not None:
        _show_human(found.human)
    retried = f"{found.n_retried} of {found.n_judged} judgements needed a second try"
    typer.echo(retried)
    for fault in found.faults:
        typer.echo(f"fault: {fault}")
    typer.echo(judged_by(appointed, folder).words)


def _show_pulls(found: Pulls) -> None:
    rows = {"tone": found.tone, "length": found.length, "verdict": found.verdict}
    for name, pull in rows.items():
        if pull is not None:
            typer.echo(f"moved by {name:8} {pull.what:28} {_number(pull.estimate)}: {pull.finding}")
    ratio = "none" if found.confound is None else f"{found.confound:.2f}"
    typer.echo(f"tone over verdict: {ratio}; in units of the range, margin {found.margin:g}")
    typer.echo(f"the scale: {found.finding}")


def _show_human(human: HumanLabels) -> None:
    for arm, found in human.arms.items():
        alpha, ac = found.agreement.alpha, found.agreement.ac
        typer.echo(
            f"human labels, arm {arm}: {found.n} texts, {found.n_read} compared,"
            f" alpha {_number(alpha)}; AC1 {_number(ac)}; {UNITS}"
        )
        _show_prevalence(alpha)
        for verdict, estimate in found.sensitivity.items():
            typer.echo(f"    sensitivity for {verdict}: {_number(estimate)}")
    for note in human.notes:
        typer.echo(f"note: {note}")


def _show_prevalence(alpha: Estimate) -> None:
    if alpha.value is not None and alpha.note:
        typer.echo(f"    alpha: {alpha.note}")


def _number(estimate: Estimate) -> str:
    if estimate.value is None:
        return f"none ({estimate.note or estimate.state}), n {estimate.n}"
    return (
        f"{estimate.value:.2f} [{estimate.low or 0:.2f}, {estimate.high or 0:.2f}], n {estimate.n}"
        + (f", {estimate.n_unread} unread" if estimate.n_unread else "")
    )
