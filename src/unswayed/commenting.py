"""Reading the comments of a run with a judge: their tone, two by two, or whether a flaw is named.

Nothing is graded: what the judge says stands beside the plan's own reading of each comment.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from unswayed.errors import ReadoutError
from unswayed.items.item import Item
from unswayed.items.key import keyed
from unswayed.models.completion import Completion
from unswayed.plans.plan import Replay
from unswayed.profiles.sections.comments import FLAW, LISTED, SWAPPED
from unswayed.readable import asked_of
from unswayed.readouts.answer import Answer
from unswayed.readouts.appointed import Appointed
from unswayed.readouts.asking import read_with_judge
from unswayed.readouts.judge import Matter
from unswayed.readouts.reading import read_completion
from unswayed.readouts.tones import compare_tones

JUDGES = ("positivity", "stance")
"""Judges that read comments: which of two is the more positive one, and whether one agrees that
the text has its flaw."""

Pairs = Sequence[tuple[Replay, Completion]]
Said = dict[str, dict[str, str]]


def read_comments(
    pairs: Pairs,
    items: Mapping[str, Item],
    readout: str,
    appointed: Appointed,
    store: Path,
    *,
    concurrency: int = 8,
) -> list[tuple[Replay, Answer]]:
    """Read the comments of a run with a judge.

    Args:
        pairs: The replays of the run with their completions.
        items: Items by id.
        readout: The plan's own readout, whose readings stay.
        appointed: Judge and model.
        store: The judge's own file.
        concurrency: Most requests at once.

    Raises:
        ReadoutError: For a judge that reads no comments, or items whose flaw is not known.
        ModelError: For a fault that retrying does not mend; run again to go on.
    """
    judge = appointed.judge
    if judge.swaps == "replies":
        said = _tones(pairs, appointed, store, concurrency)
    elif judge.id == "stance":
        said = _flaws(pairs, items, appointed, store, concurrency)
    else:
        raise ReadoutError(
            f"The judge {judge.id!r} reads no comments",
            allowed=", ".join(JUDGES),
            given=judge.id,
            next_step="choose one of them",
        )
    return [
        (replay, _answer(replay, completion, items, readout, judge.name, said))
        for replay, completion in pairs
    ]


def _answer(
    replay: Replay,
    completion: Completion,
    items: Mapping[str, Item],
    readout: str,
    label: str,
    said: Said,
) -> Answer:
    asked = asked_of(keyed(items[replay.item], replay.key), listed=False)
    reading = read_completion(completion, asked, readout)
    found = said.get(replay.id, {})
    return Answer(replay_id=replay.id, readout=label, reading=reading, beside=found)


def _tones(pairs: Pairs, appointed: Appointed, store: Path, concurrency: int) -> Said:
    """Compare every comment with that of its control, in both orders."""
    by_id = {replay.id: completion for replay, completion in pairs}
    tested = [replay for replay, _ in pairs if replay.control_id]
    compared = compare_tones(
        [(by_id[replay.id], by_id[replay.control_id]) for replay in tested],
        appointed,
        store,
        concurrency=concurrency,
    )
    said: Said = {}
    for replay, found in zip(tested, compared, strict=True):
        both = {LISTED: found.listed, SWAPPED: found.swapped}
        said[replay.id] = {name: value for name, value in both.items() if value is not None}
    return said


def _flaws(
    pairs: Pairs, items: Mapping[str, Item], appointed: Appointed, store: Path, concurrency: int
) -> Said:
    """Ask of every comment whether it agrees that the text has its known flaw."""
    lacking = next((id for id, item in items.items() if "flaw" not in item.texts), "")
    if lacking:
        raise ReadoutError(
            f"The flaw of item {lacking!r} is not known, so nothing can be said of its naming",
            allowed="items with the text `flaw`",
            given=", ".join(sorted(items[lacking].texts)) or "no texts of its own",
            next_step="use the built-in texts, or read the tone with `positivity`",
        )
    asked = [(replay, completion) for replay, completion in pairs if replay.arm != "first"]
    readings = read_with_judge(
        [completion for _, completion in asked],
        [Matter(claim=f"The text has this flaw: {items[r.item].texts['flaw']}") for r, _ in asked],
        appointed,
        store,
        concurrency=concurrency,
    )
    return {
        replay.id: {FLAW: "named" if reading.value == "agrees" else "not named"}
        for (replay, _), reading in zip(asked, readings, strict=True)
        if reading.value is not None
    }
