"""Reading a run with a judge: the same answers and records, read by a second model."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from unswayed.errors import ReadoutError
from unswayed.folder import RunFolder, slug
from unswayed.items.item import Item
from unswayed.models.completion import Completion
from unswayed.plans.plan import Replay
from unswayed.readouts.answer import Answer
from unswayed.readouts.appointed import Appointed
from unswayed.readouts.asking import answer_reading, matter_of, read_with_judge
from unswayed.readouts.certificate import judge_words
from unswayed.readouts.judge import find_judge
from unswayed.records import ReadingCount
from unswayed.rereading import Instrument, Usage, asked_in, stored_completions, write_reading


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
    judge = appointed.judge
    if judge.meanings != find_judge("answer_equivalence").meanings:
        raise ReadoutError(
            f"The verdicts of the judge {judge.id!r} cannot be graded as answers",
            allowed="answer_equivalence, or a judge with its verdicts",
            given=", ".join(judge.meanings),
            next_step="use this judge from Python on texts of your own",
        )
    items, usage = folder.read_items(), Usage()
    pairs = list(stored_completions(folder, usage))
    if any(replay.options for replay, _ in pairs):
        raise ReadoutError(
            "This plan scores options, so there are no replies to judge",
            allowed="plans whose readout reads texts",
            given=folder.about_plan().design.readout,
            next_step="read it with the plan's own readout",
        )
    name = judged_name(appointed)
    instrument = Instrument(
        name=name,
        label=judge.name,
        judge=judge_words(judge, appointed.model.identity, certificates, itself=appointed.itself),
    )
    store = folder.path / f"{name}.{appointed.owner[:8]}.sqlite"
    answers = _answers(pairs, items, appointed, store, concurrency=concurrency)
    return write_reading(folder, items, usage, instrument, answers)


def _answers(
    pairs: list[tuple[Replay, Completion]],
    items: dict[str, Item],
    appointed: Appointed,
    store: Path,
    *,
    concurrency: int,
) -> Iterator[tuple[Replay, Answer]]:
    asked = [asked_in(replay, items[replay.item]) for replay, _ in pairs]
    matters = [
        matter_of(items[replay.item], options=known.options if known.listed else ())
        for (replay, _), known in zip(pairs, asked, strict=True)
    ]
    readings = read_with_judge(
        [completion for _, completion in pairs], matters, appointed, store, concurrency=concurrency
    )
    for (replay, _), reading in zip(pairs, readings, strict=True):
        graded = answer_reading(reading, items[replay.item])
        yield replay, Answer(replay_id=replay.id, readout=appointed.judge.name, reading=graded)
