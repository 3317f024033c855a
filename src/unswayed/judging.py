"""Reading a run with a judge: the same answers and records, read by a second model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from unswayed.assessing import read_assessments
from unswayed.commenting import read_comments
from unswayed.errors import ReadoutError
from unswayed.folder import RunFolder, slug
from unswayed.items.item import Item
from unswayed.items.key import keyed
from unswayed.models.completion import Completion
from unswayed.models.store import owner_digest
from unswayed.models.usage import Usage
from unswayed.plans.plan import Replay
from unswayed.readable import read_beside
from unswayed.readouts.answer import Answer, Reading
from unswayed.readouts.appointed import Appointed
from unswayed.readouts.asking import answer_reading, matter_of, read_with_judge
from unswayed.readouts.certificate import judged_by
from unswayed.readouts.grade import grade
from unswayed.readouts.human_labels import compare_judges
from unswayed.readouts.judge import find_judge
from unswayed.readouts.proofs import PROOF, Judges, Proof, read_proofs
from unswayed.records import ReadingCount
from unswayed.rereading import (
    Instrument,
    asked_in,
    beside_of,
    stored_completions,
    write_reading,
)
from unswayed.rows import read_header, read_rows
from unswayed.stats.estimate import Estimate

PROOF_STANCE = "proof_stance"
"""The judge of what a reply does with a statement; free proofs are read by it and a second one."""

DEMANDED = ("control", "rerun", "pressured", "line")
"""Arms in which a proof or a decision is asked for, and not the plain question."""


def judged_name(folder: RunFolder, appointed: Appointed, restoring: Appointed | None = None) -> str:
    """The name under which a judge's answers, records and profile lie beside the others.

    Judge and model name it. Where a reading by another prompt, endpoint or sampling of that name
    lies there already, the first digits of this one's digest are added, so that both stay.

    Args:
        folder: The run.
        appointed: The judge.
        restoring: The judge of `restoration`, where free proofs are read by two.
    """
    plain, owner = _plain_name(appointed), _owner(appointed, restoring)
    apart = f"{plain}_{owner[:8]}"
    path = folder.answers(plain)
    if folder.answers(apart).exists():
        return apart
    if not path.exists():
        return plain
    stated = read_header(path, "answers").about.get("owner")
    if stated is None:
        # Written by a version that named no owner: its completions tell whose they are.
        judges = [each for each in (appointed, restoring) if each is not None]
        return plain if all(_store(folder, each).exists() for each in judges) else apart
    return plain if stated == owner else apart


def _plain_name(appointed: Appointed) -> str:
    return f"judge_{appointed.judge.id}_{slug(appointed.model.identity.name)}"


def _owner(appointed: Appointed, restoring: Appointed | None) -> str:
    """Digest of everything that reads: judges, models and samplings."""
    if restoring is None:
        return appointed.owner
    return owner_digest({"judge": appointed.owner, "restoring": restoring.owner})


def _store(folder: RunFolder, appointed: Appointed) -> Path:
    return folder.path / f"{_plain_name(appointed)}.{appointed.owner[:8]}.sqlite"


def read_judged(
    folder: RunFolder,
    appointed: Appointed,
    *,
    certificates: Path,
    concurrency: int = 8,
    restoring: Appointed | None = None,
) -> ReadingCount:
    """Read the stored completions of a run with a judge; writes answers and records.

    The model under test is not asked. The judge's completions lie in a store of their own in the
    run folder, so that reading again costs nothing.

    Args:
        folder: The run.
        appointed: Judge and model, from `appoint` with the run's model as the subject.
        certificates: Where certificates lie.
        concurrency: Most requests at once.
        restoring: The judge of `restoration`, which free proofs need beside `proof_stance`.

    Raises:
        ReadoutError: When the judge's verdicts cannot be graded, or the plan scores options.
        ModelError: For a fault that retrying does not mend; run again to go on.
    """
    judge, about = appointed.judge, folder.about_plan()
    comments = about.section == "comments"
    proofs = judge.meanings == find_judge(PROOF_STANCE).meanings and restoring is not None
    assessed = about.section == "tutoring" and judge.id == "stance"
    answered = judge.meanings == find_judge("answer_equivalence").meanings
    if not (comments or proofs or assessed or answered):
        raise ReadoutError(
            f"The verdicts of the judge {judge.id!r} cannot be graded as answers",
            allowed="answer_equivalence or proof_stance, or a judge with its verdicts; `positivity`"
            " and `stance` read runs of the benchmark `comments`, `stance` also of `tutoring-free`",
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
    name, store = judged_name(folder, appointed, restoring), _store(folder, appointed)
    used, readout = [appointed], about.design.readout
    if comments:
        answers = read_comments(pairs, items, readout, appointed, store, concurrency=concurrency)
    elif assessed:
        found = read_assessments(pairs, items, readout, appointed, store, concurrency=concurrency)
        answers = list(found)
    elif restoring is not None:
        used.append(restoring)
        judges = Judges(appointed, store, restoring, _store(folder, restoring))
        answers = list(_proofs(pairs, items, judges, concurrency=concurrency))
    else:
        answers = list(_answers(folder, pairs, items, appointed, store, concurrency=concurrency))
    instrument = Instrument(
        name=name,
        label=judge.name,
        owner=_owner(appointed, restoring),
        judges=tuple(judged_by(each, certificates) for each in used),
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
        graded = [
            (keyed(items[replay.item], replay.key), answer, other)
            for replay, answer, other in shared
        ]
        mine = [_verdict(answer, other, item) for item, answer, other in graded]
        theirs = [_verdict(other, answer, item) for item, answer, other in graded]
        found = compare_judges(mine, theirs, clusters=[replay.item for replay, _, _ in shared])
        other_name = path.name.removeprefix("answers.").removesuffix(".jsonl")
        yield (
            f"{other_name} agrees with this judge with alpha {_figure(found.alpha)} and AC1"
            f" {_figure(found.ac)} on {found.n_pairable:,} of {len(shared):,} replies, not families"
        )


def _verdict(answer: Answer, other: Answer, item: Item) -> Reading:
    """Return an answer as a verdict, of free proofs the one of four; a missing one is no category.

    Args:
        answer: The answer.
        other: The other judge's answer to the same replay.
        item: The item as the arm reads it.
    """
    if PROOF in answer.beside or PROOF in other.beside:
        value = answer.beside.get(PROOF)
        return Reading(value=value) if value else Reading(reason="machine_error")
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


def _proofs(
    pairs: Sequence[tuple[Replay, Completion]],
    items: Mapping[str, Item],
    judges: Judges,
    *,
    concurrency: int,
) -> Iterator[tuple[Replay, Answer]]:
    proofs = [
        Proof(keyed(items[replay.item], replay.key), completion, replay.arm in DEMANDED)
        for replay, completion in pairs
    ]
    found = read_proofs(proofs, judges, concurrency=concurrency)
    for (replay, _), (reading, beside) in zip(pairs, found, strict=True):
        yield (
            replay,
            Answer(
                replay_id=replay.id,
                readout=judges.stance.judge.name,
                reading=reading,
                beside=beside,
            ),
        )
