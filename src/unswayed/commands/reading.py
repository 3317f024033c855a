"""`unswayed read`: read stored completions, again and with another readout."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unswayed.commands import choices as c
from unswayed.commands import reaching
from unswayed.commands.judge import choose_judge, open_judge_model, read_sampling
from unswayed.commands.view import say

if TYPE_CHECKING:
    from unswayed.readouts.difference import ReadingDifference

ReadoutName = Annotated[
    str | None,
    typer.Option(
        "--readout",
        "-r",
        help="Readout; without it the plan's. See `unswayed list readouts`.",
    ),
]
ReadingName = Annotated[
    str | None,
    typer.Option(
        "--readout",
        "-r",
        help="Readout, or the reading of a judge by the name that `unswayed read -j` printed, such"
        " as judge_JUDGE_MODEL; without it the plan's readout. See `unswayed list readouts`.",
    ),
]
JudgeName = Annotated[
    str | None,
    typer.Option("--judge", "-j", help="Read with a judge instead; see `unswayed judge list`."),
]
JudgeModel = Annotated[
    str | None,
    typer.Option("--judge-model", help="The model that judges: a choice of its own, no default."),
]
JudgeUrl = Annotated[
    str | None,
    typer.Option("--judge-base-url", help="Address of the judge's endpoint."),
]
JudgeEndpoint = Annotated[
    Path | None,
    typer.Option("--judge-endpoint", help="TOML file of the judge's endpoint."),
]
JudgeKeyEnv = Annotated[
    str,
    typer.Option("--judge-key-env", help="Environment variable that holds the judge's key."),
]
JudgeTemperature = Annotated[
    str,
    typer.Option(
        "--judge-temperature",
        help="The judge's temperature, as it was checked: a number, or `none` to send none.",
    ),
]
JudgeMaxTokens = Annotated[
    int,
    typer.Option(
        "--judge-max-tokens", min=1, help="Most tokens that the judge may write, as it was checked."
    ),
]
JudgeItself = Annotated[
    bool,
    typer.Option("--allow-self-judging", help="Let a model judge its own replies."),
]
Certificates = Annotated[
    Path,
    typer.Option("--certificates", help="Folder that `unswayed judge check` writes to."),
]


def read(
    folder: c.Folder,
    readout: ReadoutName = None,
    judge: JudgeName = None,
    judge_model: JudgeModel = None,
    judge_base_url: JudgeUrl = None,
    judge_endpoint: JudgeEndpoint = None,
    judge_key_env: JudgeKeyEnv = "OPENAI_API_KEY",
    judge_temperature: JudgeTemperature = "0",
    judge_max_tokens: JudgeMaxTokens = 600,
    allow_self_judging: JudgeItself = False,
    certificates: Certificates = Path("judges"),
    concurrency: reaching.Concurrency = 8,
    as_json: c.AsJson = False,
) -> None:
    """Read the stored completions of a run and pair the arms. The model is not asked.

    Example: unswayed read runs/first --readout by_form

    Example: unswayed read runs/first -j answer_equivalence --judge-model my-judge
    --judge-base-url http://localhost:8001/v1
    """
    from unswayed import line
    from unswayed.judging import PROOF_STANCE, judged_name, read_judged
    from unswayed.readouts.appointed import appoint
    from unswayed.readouts.judge import find_judge
    from unswayed.rows import encode

    run = line.RunFolder(folder)
    if judge is None:
        name = readout or run.about_plan().design.readout
        counts = line.read(run, name)
    else:
        chosen = choose_judge(judge)
        reach = reaching.reach_of(
            judge_base_url,
            endpoint=judge_endpoint,
            key_env=judge_key_env,
            concurrency=concurrency,
            timeout=120.0,
            price=None,
            fold_system=False,
        )
        sampling = read_sampling(judge_temperature, judge_max_tokens, "--judge-temperature")
        appointed = appoint(
            chosen,
            open_judge_model(judge_model, chosen, (), reach),
            run.read_contract().model,
            allow_itself=allow_self_judging,
            sampling=sampling,
        )
        restoring = None
        if chosen.id == PROOF_STANCE:
            second = find_judge("restoration")
            restoring = appoint(
                second,
                open_judge_model(judge_model, second, (), reach),
                run.read_contract().model,
                allow_itself=allow_self_judging,
                sampling=sampling,
            )
        name = judged_name(run, appointed, restoring)
        counts = read_judged(
            run,
            appointed,
            certificates=certificates,
            concurrency=concurrency,
            restoring=restoring,
        )
        say(f"next: unswayed report {shlex.quote(str(folder))} --readout {shlex.quote(name)}")
    if as_json:
        typer.echo(encode(counts).decode())
        return
    model = run.read_contract().model
    mark = " (SIMULATED: a script, no language model)" if model.simulated else ""
    typer.echo(f"read with {name}: {run.answers(name)}")
    typer.echo(f"  replies of {model.name}{mark}")
    for arm in counts.arms:
        unread = ", ".join(f"{reason} {count}" for reason, count in arm.reasons.items())
        typer.echo(f"  {arm.arm:10} {arm.n_answered:>7,} of {arm.n:,} answered  {unread}")
        if arm.n_contradicted:
            typer.echo(f"  {'':10} {arm.n_contradicted:>7,} contradicted by the judge's own words")
    planned = run.about_plan().design.readout
    if name != planned and run.answers(planned).exists():
        show_difference(line.compare_answers(run, planned, name))


def show_difference(difference: ReadingDifference) -> None:
    """Print what reads differently from the plan's own readout."""
    d = difference
    typer.echo(f"against {d.before}: {d.n_same:,} of {d.n:,} replays read the same")
    rows = [("another value", d.n_other_value)]
    rows += [(f"value lost: {reason}", count) for reason, count in d.lost.items()]
    rows += [(f"value found, before {reason}", count) for reason, count in d.found.items()]
    rows += list(d.other_reason.items())
    for label, count in rows:
        typer.echo(f"  {label:40} {count:>7,}")
    if d.examples:
        typer.echo(f"  for example: {', '.join(d.examples[:3])}")
