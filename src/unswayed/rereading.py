"""Reading a run: stored completions to answers and records, as often as one likes."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from unswayed.folder import Contract, RecordsAbout, RunFolder
from unswayed.items.item import Item
from unswayed.models.completion import Completion
from unswayed.plans.plan import Replay
from unswayed.plans.render import OPTIONS, listed_options
from unswayed.profiles.profile import About
from unswayed.readouts.answer import Answer, Asked, Reading
from unswayed.readouts.difference import ReadingDifference, compare_readings
from unswayed.readouts.reading import read_completion, readout_id
from unswayed.records import ReadingCount, count_readings, pair
from unswayed.rows import read_rows, write_rows


class Usage(msgspec.Struct, kw_only=True):
    """What the stored completions say about their cost."""

    n_asked: int = 0
    """Requests that were sent."""
    prompt: int | None = None
    """Prompt tokens; None when no reply stated them."""
    cached: int | None = None
    """Prompt tokens read from the endpoint's cache."""
    written: int | None = None
    """Written tokens."""
    n_unstated: int = 0
    """Replies without usage fields."""

    def add(self, completion: Completion) -> None:
        """Count one completion."""
        self.n_asked += completion.attempts > 0
        self.n_unstated += completion.n_prompt_tokens is None
        for name, value in (
            ("prompt", completion.n_prompt_tokens),
            ("cached", completion.n_cached_tokens),
            ("written", completion.n_completion_tokens),
        ):
            if value is not None:
                setattr(self, name, (getattr(self, name) or 0) + value)


def read(folder: RunFolder, readout: str) -> ReadingCount:
    """Read the stored completions with a readout; writes answers and records.

    Reading again with another readout leaves earlier answers where they are and asks nothing.
    """
    items = folder.read_items()
    usage = Usage()
    answers = dict(_answers(folder, items, readout, usage))
    write_rows(
        folder.answers(readout),
        "answers",
        answers.values(),
        about={"readout": readout_id(readout)},
    )
    counts = count_readings(folder.replays(), answers, items)
    about = RecordsAbout(
        about=_about(folder, items, readout, usage),
        reading=counts,
        notes=folder.about_plan().notes,
    )
    write_rows(
        folder.records(readout),
        "records",
        pair(folder.replays(), answers, items),
        about=msgspec.to_builtins(about),
    )
    return counts


def compare_answers(folder: RunFolder, before: str, after: str) -> ReadingDifference:
    """Compare two stored readings of a run, replay by replay."""
    later = read_rows(folder.answers(after), "answers", Answer)
    return compare_readings(
        read_rows(folder.answers(before), "answers", Answer),
        {answer.replay_id: answer for answer in later},
    )


def _answers(
    folder: RunFolder, items: dict[str, Item], readout: str, usage: Usage
) -> Iterator[tuple[str, Answer]]:
    name = readout_id(readout)
    store = folder.open_store(writable=False)
    try:
        completions = dict(store.completions())
        failures = store.failures()
        usage.n_asked = len(failures)
    finally:
        store.close()
    for replay in folder.replays():
        completion = completions.get(replay.id)
        if completion is not None:
            usage.add(completion)
            reading = _read_replay(replay, completion, items[replay.item], readout)
        elif replay.id in failures:
            reading = Reading(reason="machine_error", detail=failures[replay.id].error or "")
        else:
            reading = Reading(reason="machine_error", detail="never asked")
        yield replay.id, Answer(replay_id=replay.id, readout=name, reading=reading)


def _read_replay(replay: Replay, completion: Completion, item: Item, readout: str) -> Reading:
    if not replay.options:
        return read_completion(completion, _asked(replay, item), readout)
    # Scored texts stand in the order of the item's options, said bare or in a sentence.
    asked = Asked(form=item.answer_form, options=replay.options)
    reading = read_completion(completion, asked, readout)
    said = dict(zip(replay.options, item.options, strict=True))
    return msgspec.structs.replace(
        reading,
        value=None if reading.value is None else said[reading.value],
        candidates=tuple(said[text] for text in reading.candidates),
    )


def _asked(replay: Replay, item: Item) -> Asked:
    listed = any(
        part.tag == OPTIONS for message in replay.transcript.messages for part in message.parts
    )
    options = listed_options(item, replay.condition.get("order", "given"))
    aliases = []
    for option in options:
        truth, target = option == item.truth, option == item.target
        aliases.append(item.truth_aliases if truth else item.target_aliases if target else ())
    return Asked(
        form="choice" if listed else item.answer_form,
        options=options,
        listed=listed,
        aliases=tuple(aliases),
    )


def _about(folder: RunFolder, items: dict[str, Item], readout: str, usage: Usage) -> About:
    plan, contract = folder.about_plan(), folder.read_contract()
    store = folder.open_store(writable=False)
    try:
        sessions = store.sessions()
    finally:
        store.close()
    kinds: dict[str, int] = {}
    for item in items.values():
        kinds[item.kind] = kinds.get(item.kind, 0) + 1
    sampling = msgspec.to_builtins(plan.design.sampling)
    options = {item.id: len(item.options) for item in items.values() if item.options}
    return About(
        command=contract.command,
        model=contract.model.name,
        endpoint=contract.model.endpoint,
        simulated=contract.model.simulated,
        plan=plan.digest,
        item_set=plan.item_set,
        n_items=len(items),
        n_families=len({item.family for item in items.values()}),
        kinds=kinds,
        draws=plan.design.draws,
        controls=plan.design.controls,
        readout=readout_id(readout),
        sampling={
            name: "provider default" if value in (None, ()) else str(value)
            for name, value in sampling.items()
        },
        seed=contract.seed,
        started=sessions[0][0] if sessions else "",
        finished=(sessions[-1][1] or "") if sessions else "",
        version=contract.version,
        n_replays=sum(1 for _ in folder.replays()),
        n_asked=usage.n_asked,
        cost=_cost(contract, usage),
        tokens={"prompt": usage.prompt, "cached": usage.cached, "written": usage.written},
        caveat=contract.model.details.get("caveat", ""),
        chance=sum(1 / n for n in options.values()) / len(options) if options else None,
    )


def _cost(contract: Contract, usage: Usage) -> str:
    if contract.model.kind != "http":
        return "none (runs in this process)"
    if contract.price is None:
        return "unknown (no price given)"
    if usage.prompt is None or usage.written is None or usage.n_unstated:
        return f"unknown ({usage.n_unstated} replies without token usage)"
    price = contract.price
    paid = usage.prompt * price.prompt_per_million + usage.written * price.completion_per_million
    return f"{paid / 1e6:.2f} {price.currency}"
