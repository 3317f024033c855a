"""Reading a run with a judge: the same answers and records, read by a second model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from unswayed.commenting import read_comments
from unswayed.errors import ReadoutError
from unswayed.folder import RunFolder, slug
from unswayed.items.item import Item
from unswayed.items.key import keyed
from unswayed.models.completion import Completion
from unswayed.models.usage import Usage
from unswayed.plans.plan import Replay
from unswayed.readable import read_beside
from unswayed.readouts.answer import Answer, Reading
from unswayed.readouts.appointed import Appointed
from unswayed.readouts.asking import answer_reading, matter_of, read_with_judge
from unswayed.readouts.certificate import judge_words
from unswayed.readouts.grade import grade
from unswayed.readouts.human_labels import compare_judges
from unswayed.readouts.judge import find_judge
from unswayed.records import ReadingCount
from unswayed.rereading import (
    Instrument,
    asked_in,
    beside_of,
    stored_completions,
    write_reading,
)
from unswayed.rows import read_rows
from unswayed.stats.estimate import Estimate


def judged_name(appointed: Appointed) -> str:
    """The name under which a judge's answers, records and profile lie beside the others."""
    return f"judge_{appointed.judge.id}_{slug(appointed.model.identity.name)}"


def read_judged(
    folder: RunFolder, appointed: Appointed, *, certificates: Path, concurrency: int = 8
) -> ReadingCount:
    """Read the stored completions of a run with a judge; writes answers and records.

    The model under test is not asked. The judge's completions lie in a store of their own in the
    run folder, so that reading again costs nothing.

    Args:
        folder: The run.
        appointed: Judge and model, from `appoint` with the run's model as the subject.
        certificates: Where certificates lie.
        concurrency: Most requests at once.

    Raises:
        ReadoutError: When the judge's verdicts cannot be graded, or the plan scores options.
        ModelError: For a fault that retrying does not mend; run again to go on.
    """
    judge, about = appointed.judge, folder.about_plan()
    comments = about.section == "comments"
    if not comments and judge.meanings != find_judge("answer_equivalence").meanings:
        raise ReadoutError(
            f"The verdicts of the judge {judge.id!r} cannot be graded as answers",
            allowed="answer_equivalence, or a judge with its verdicts; `positivity` and `stance`"
            " read runs of the benchmark `comments`",
            given=", ".join(judge.meanings),
            next_step="use this judge from Python on texts of your own",
        )
    items, usage = folder.read_items(), Usage()
    pairs = list(stored_completions(folder, usage))
    if any(replay.options for replay, _ in pairs):
        raise ReadoutError(
            "This plan scores options, so there are no replies to judge",
            allowed="plans whose readout reads texts",
            given=about.design.readout,
            next_step="read it with the plan's own readout",
        )
    name = judged_name(appointed)
    store = folder.path / f"{name}.{appointed.owner[:8]}.sqlite"
    if comments:
        readout = about.design.readout
        answers = read_comments(pairs, items, readout, appointed, store, concurrency=concurrency)
    else:
        answers = list(_answers(folder, pairs, items, appointed, store, concurrency=concurrency))
    instrument = Instrument(
        name=name,
        label=judge.name,
        judge=judge_words(judge, appointed.model.identity, certificates, itself=appointed.itself),
        agreements=() if comments else tuple(_agreements(folder, name, answers, items)),
    )
    return write_reading(folder, items, usage, instrument, iter(answers))


def _agreements(
    folder: RunFolder,
    name: str,
    answers: Sequence[tuple[Replay, Answer]],
    items: Mapping[str, Item],
) -> Iterator[str]:
    """Say how far every other judge that has read this run agrees, alpha with AC1 beside it."""
    for path in sorted(folder.path.glob("answers.judge_*.jsonl")):
        if path == folder.answers(name):
            continue
        others = {answer.replay_id: answer for answer in read_rows(path, "answers", Answer)}
        shared = [
            (replay, answer, others[replay.id]) for replay, answer in answers if replay.id in others
        ]
        mine = [
            _verdict(answer, keyed(items[replay.item], replay.key)) for replay, answer, _ in shared
        ]
        theirs = [
            _verdict(other, keyed(items[replay.item], replay.key)) for replay, _, other in shared
        ]
        found = compare_judges(mine, theirs)
        other_name = path.name.removeprefix("answers.").removesuffix(".jsonl")
        yield (
            f"{other_name} agrees with this judge with alpha {_figure(found.alpha)} and AC1"
            f" {_figure(found.ac)} on {found.n_pairable:,} of {len(shared):,} replies"
        )


def _verdict(answer: Answer, item: Item) -> Reading:
    """Return a graded answer as a verdict; what was not answered is no category."""
    outcome = grade(answer.reading, item)
    if outcome in ("declined", "missing"):
        return Reading(reason="machine_error")
    return Reading(value=outcome)


def _figure(estimate: Estimate) -> str:
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return f"undefined ({estimate.note or estimate.state})"
    return f"{estimate.value:.2f} ({estimate.low:.2f} to {estimate.high:.2f})"


def _answers(
    folder: RunFolder,
    pairs: list[tuple[Replay, Completion]],
    items: dict[str, Item],
    appointed: Appointed,
    store: Path,
    *,
    concurrency: int,
) -> Iterator[tuple[Replay, Answer]]:
    beside = beside_of(folder)
    asked = [asked_in(replay, keyed(items[replay.item], replay.key)) for replay, _ in pairs]
    matters = [
        matter_of(items[replay.item], options=known.options if known.listed else ())
        for (replay, _), known in zip(pairs, asked, strict=True)
    ]
    readings = read_with_judge(
        [completion for _, completion in pairs], matters, appointed, store, concurrency=concurrency
    )
    for (replay, completion), reading in zip(pairs, readings, strict=True):
        item = items[replay.item]
        yield (
            replay,
            Answer(
                replay_id=replay.id,
                readout=appointed.judge.name,
                reading=answer_reading(reading, item),
                beside=read_beside(replay, completion, item, beside),
            ),
        )
