"""Reading a run: stored completions to answers and records, as often as one likes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, zip_longest
from typing import NamedTuple

import msgspec

from unswayed.folder import BATCH, CONCURRENCY, Contract, RecordsAbout, RunFolder
from unswayed.items.item import Item
from unswayed.items.key import Key, keyed
from unswayed.models.completion import Completion
from unswayed.models.usage import Usage
from unswayed.pairing import pair_as_read, pair_stored
from unswayed.plans.plan import Replay
from unswayed.pressing.card import said_of
from unswayed.pressing.planned import cards_of
from unswayed.profiles.profile import About
from unswayed.readable import asked_of, is_listed, read_beside
from unswayed.readouts.answer import Answer, Asked, Reading
from unswayed.readouts.difference import ReadingDifference, compare_readings
from unswayed.readouts.fitting import check_answers
from unswayed.readouts.judged_by import JudgedBy
from unswayed.readouts.reading import read_completion, readout_id
from unswayed.records import NEVER_ASKED, ReadingCount, ReadingCounter, Record
from unswayed.rows import read_header, read_rows, rows_aside, write_rows


class Instrument(msgspec.Struct, frozen=True, kw_only=True):
    """What reads a run."""

    name: str
    """Name of the files that it writes."""
    label: str
    """Name and version that its answers carry."""
    owner: str = ""
    """Digest over everything that reads, where judges do; empty for rules."""
    judges: tuple[JudgedBy, ...] = ()
    """The judges, the models that play them, and whether they are validated; none for rules."""
    agreements: tuple[str, ...] = ()
    """How far other judges of the same run agree with it."""

    @property
    def judge(self) -> str:
        """The judges in words."""
        return " and ".join(each.words for each in self.judges) or "none: answers are read by rule"


def read(folder: RunFolder, readout: str) -> ReadingCount:
    """Read the stored completions with a readout; writes answers and records.

    Reading again with another readout leaves earlier answers where they are and asks nothing.
    One item is held at a time, however large the run is.
    """
    instrument = Instrument(name=readout, label=readout_id(readout))
    check_answers(readout)
    items, usage = folder.read_items(), Usage()
    answers = _answers(folder, items, readout, usage)
    return write_reading(folder, items, usage, instrument, answers)


def write_reading(
    folder: RunFolder,
    items: dict[str, Item],
    usage: Usage,
    instrument: Instrument,
    answers: Iterator[tuple[Replay, Answer]],
) -> ReadingCount:
    """Write answers and the records that pair them as they come; return the counts.

    Args:
        folder: The run.
        items: Items by id.
        usage: What the completions cost, complete once all answers have come.
        instrument: What reads.
        answers: Every replay of the plan with its answer, in the plan's order.
    """
    counter = ReadingCounter(items)
    about_answers = {"readout": instrument.label}
    if instrument.owner:
        about_answers["owner"] = instrument.owner
    with rows_aside(folder.path) as records:
        read = counter.count(pair_as_read(folder, items, answers, records))
        write_rows(folder.answers(instrument.name), "answers", read, about=about_answers)
        counts = counter.counted()
        about = RecordsAbout(
            about=_about(folder, items, instrument, usage),
            reading=counts,
            notes=folder.about_plan().notes,
            agreements=instrument.agreements,
        )
        records.write(folder.records(instrument.name), "records", msgspec.to_builtins(about))
    return counts


def compare_answers(folder: RunFolder, before: str, after: str) -> ReadingDifference:
    """Compare two stored readings of a run, replay by replay."""
    later = read_rows(folder.answers(after), "answers", Answer)
    return compare_readings(
        read_rows(folder.answers(before), "answers", Answer),
        {answer.replay_id: answer for answer in later},
    )


def find_strange_record(folder: RunFolder, readout: str) -> str:
    """Pair the stored answers again, and say where the stored records are not what that gives.

    Nothing is written. Plan, items, contract and answers are taken as they lie in the folder.

    Returns:
        The first difference in words; empty when there is none.

    Raises:
        StoreError: When a file is cut or belongs to another run.
        RowError: When a file is absent or unreadable.
        PlanError: When the plan cannot be paired.
    """
    header = read_header(folder.records(readout), "records").about
    stated = msgspec.convert(header, RecordsAbout)
    items, contract, plan = folder.read_items(), folder.read_contract(), folder.about_plan()
    facts = {
        "plan": (stated.about.plan, plan.digest),
        "plan of the contract": (contract.plan, plan.digest),
        "model": (stated.about.model, contract.model.name),
        "endpoint": (stated.about.endpoint, contract.model.endpoint),
        "simulated": (stated.about.simulated, contract.model.simulated),
        "seed": (stated.about.seed, contract.seed),
        "items": (stated.about.n_items, len(items)),
        "draws": (stated.about.draws, plan.design.draws),
        "section": (stated.about.section, plan.section),
        "pressure": (stated.about.pressure, _pressure(folder, items, plan.design.turns)),
        "margin": (stated.about.margin, plan.design.margin),
        "notes": (stated.notes, plan.notes),
        "counts of answers": (stated.reading, _count_answers(folder, items, readout)),
    }
    for name, (given, known) in facts.items():
        if given != known:
            return f"the header of the records is not that of this run ({name} differs)"
    stored = read_rows(folder.records(readout), "records", Record)
    paired = pair_stored(folder, items, readout)
    for line, (given, known) in enumerate(zip_longest(stored, paired), start=2):
        if given != known:
            return f"line {line} of the records is not what plan and answers give"
    return ""


def _count_answers(folder: RunFolder, items: dict[str, Item], readout: str) -> ReadingCount | None:
    """Count the stored answers; None where they are not those of the plan, one for one."""
    counter = ReadingCounter(items)
    answers = read_rows(folder.answers(readout), "answers", Answer)
    for replay, answer in zip_longest(folder.replays(), answers):
        if replay is None or answer is None or answer.replay_id != replay.id:
            return None
        for _ in counter.count([(replay, answer)]):
            pass
    return counter.counted()


def _answers(
    folder: RunFolder, items: dict[str, Item], readout: str, usage: Usage
) -> Iterator[tuple[Replay, Answer]]:
    name, beside = readout_id(readout), beside_of(folder)
    priors, least_mass = _Priors(), folder.about_plan().design.least_mass
    seen = _Shown()
    for replay, completion in stored_completions(folder, usage):
        prior = priors.take(replay, completion)
        if completion.error is None:
            reading = _read_replay(
                replay, completion, items[replay.item], _Scoring(readout, prior, least_mass, seen)
            )
        else:
            reading = Reading(reason="machine_error", detail=completion.error)
        also = read_beside(replay, completion, items[replay.item], beside)
        yield replay, Answer(replay_id=replay.id, readout=name, reading=reading, beside=also)


def beside_of(folder: RunFolder) -> tuple[str, ...]:
    """Return the readouts that the section of a run's benchmark reads beside the answers."""
    from unswayed.profiles.sections import section_of

    section = section_of(folder.about_plan().section)
    return section.beside if section is not None else ()


class _Priors:
    """The scores under a question without content, for the item that is being read."""

    def __init__(self) -> None:
        self.item = ""
        self.known: dict[tuple[str | None, str | None], Completion] = {}

    def take(self, replay: Replay, completion: Completion) -> Completion | None:
        """Keep the completion of a prior; return the prior of any other replay."""
        if replay.item != self.item:
            self.item, self.known = replay.item, {}
        key = (replay.condition.get("format"), replay.condition.get("order"))
        if replay.arm == "prior":
            self.known[key] = completion
        return self.known.get(key)


def stored_completions(folder: RunFolder, usage: Usage) -> Iterator[tuple[Replay, Completion]]:
    """Yield every replay with its completion, item by item, and count what they cost.

    A replay without a reply has a completion with an error.

    Raises:
        StoreError: When the store is damaged, at the latest after the last replay.
    """
    store = folder.open_store(writable=False)
    try:
        store.check()
        failures = store.failures()
        missing: list[str] = []
        usage.n_asked = store.n_failed_requests()
        for _, group in groupby(folder.replays(), key=lambda replay: replay.item):
            block = list(group)
            completions = store.get(replay.id for replay in block)
            for replay in block:
                completion = completions.get(replay.id)
                if completion is not None:
                    usage.add(completion)
                else:
                    failed = failures.get(replay.id)
                    missing.append(replay.id)
                    error = NEVER_ASKED if failed is None else failed.error or ""
                    completion = Completion(error=error, stop="error")
                yield replay, completion
        store.check_absent(missing)
    finally:
        store.close()


class _Shown:
    """What the replays of the item that is being read show of it, each way made once."""

    def __init__(self) -> None:
        self.item = ""
        self.known: dict[tuple[Key | None, str, bool], Asked] = {}

    def by(self, replay: Replay, item: Item) -> Asked:
        """Return what a replay shows of its item."""
        if replay.item != self.item:
            self.item, self.known = replay.item, {}
        way = (replay.key, replay.condition.get("order", "given"), is_listed(replay))
        asked = self.known.get(way)
        if asked is None:
            asked = self.known[way] = asked_in(replay, keyed(item, replay.key))
        return asked


class _Scoring(NamedTuple):
    """The readout, and what it needs where options are scored."""

    readout: str
    prior: Completion | None
    least_mass: float
    shown: _Shown


def _read_replay(replay: Replay, completion: Completion, item: Item, scoring: _Scoring) -> Reading:
    if not replay.options:
        return read_completion(completion, scoring.shown.by(replay, item), scoring.readout)
    item = keyed(item, replay.key)
    # Scored texts stand in the order of the item's options, said bare or in a sentence.
    asked = Asked(form=item.answer_form, options=replay.options)
    # What a question without content favors is read as it stands.
    unasked = replay.arm == "prior"
    reading = read_completion(
        completion,
        asked,
        "option_logprob" if unasked else scoring.readout,
        prior=scoring.prior,
        least_mass=0.0 if unasked else scoring.least_mass,
    )
    said = dict(zip(replay.options, item.options, strict=True))
    return msgspec.structs.replace(
        reading,
        value=None if reading.value is None else said[reading.value],
        shares={said[text]: share for text, share in reading.shares.items()},
        candidates=tuple(said[text] for text in reading.candidates),
    )


def asked_in(replay: Replay, item: Item) -> Asked:
    """What a replay shows of its item: form, options in the order sent, and letters."""
    return asked_of(item, listed=is_listed(replay), order=replay.condition.get("order", "given"))


def _about(
    folder: RunFolder, items: dict[str, Item], instrument: Instrument, usage: Usage
) -> About:
    plan, contract = folder.about_plan(), folder.read_contract()
    store = folder.open_store(writable=False)
    try:
        sessions, facts = store.sessions(), store.facts()
    finally:
        store.close()
    kinds: dict[str, int] = {}
    for item in items.values():
        kinds[item.kind] = kinds.get(item.kind, 0) + 1
    sampling = msgspec.to_builtins(plan.design.sampling)
    shown = plan.design.listed or plan.design.scored
    guesses = [
        1 / len(item.options)
        for item in items.values()
        if item.options and (shown or item.answer_form == "verdict")
    ]
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
        readout=instrument.label,
        judge=instrument.judge,
        judges=instrument.judges,
        pressure=_pressure(folder, items, plan.design.turns),
        sampling={
            name: "provider default" if value in (None, ()) else str(value)
            for name, value in sampling.items()
        },
        seed=contract.seed,
        started=sessions[0][0] if sessions else "",
        finished=(sessions[-1][1] or "") if sessions else "",
        version=contract.version,
        n_replays=folder.n_replays(),
        n_asked=usage.n_asked,
        cost=_cost(contract, usage),
        tokens=usage.tokens(),
        asked_with={
            "backend": contract.model.kind,
            "batch": _over_sessions(facts, BATCH),
            "concurrency": _over_sessions(facts, CONCURRENCY),
            **({"served by": ", ".join(sorted(usage.served_by))} if usage.served_by else {}),
        },
        section=plan.section,
        margin=plan.design.margin,
        least_mass=plan.design.least_mass,
        caveat=contract.model.details.get("caveat", ""),
        chance=sum(guesses) / len(guesses) if guesses else None,
    )


def _pressure(folder: RunFolder, items: dict[str, Item], turns: int) -> str:
    """Say what the score card of the lines found, where conversations hold several."""
    return said_of(cards_of(folder.replays(), items, turns)) if turns > 1 else ""


def _over_sessions(facts: dict[str, str], name: str) -> str:
    """Return the different values of a fact over all sessions."""
    values = {value for fact, value in facts.items() if fact.startswith(name)}
    return ", ".join(sorted(values, key=int))


def _cost(contract: Contract, usage: Usage) -> str:
    if contract.model.kind != "http":
        return "none (runs in this process)"
    if contract.price is None:
        return "unknown (no price given)"
    tokens = usage.tokens()
    if tokens["prompt"] is None or tokens["written"] is None:
        return f"unknown ({usage.n_unstated} replies without token usage)"
    price = contract.price
    paid = (
        tokens["prompt"] * price.prompt_per_million
        + tokens["written"] * price.completion_per_million
    )
    return f"{paid / 1e6:.2f} {price.currency}"
