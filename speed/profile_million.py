"""How long a profile of a million records takes, beside resampling data frames.

    python speed/profile_million.py                    arrays, and frames with pyarrow
    python speed/profile_million.py --records 100000   also records.jsonl to profile and report

1,000 items x 8 models x 5 pressures x 5 wordings x 5 depths. Timed after load: sufficient
statistics by item and cell (200 cells, capitulation and correction), standard errors, 2,000
bootstrap replicates of every cell, and a simultaneous band; twice with one seed, whose bytes must
be the same. Beside it, in the same run, the way that data frames suggest: draw items, take their
rows, group and sum, once for each replicate (a few are timed and the rest extrapolated).

pandas is used when it can be imported (it is no dependency); pyarrow always.
"""

from __future__ import annotations

import argparse
import cProfile
import hashlib
import os
import pstats
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from unswayed.profiles.profile import Pair
from unswayed.profiles.transcripts import event
from unswayed.records import Record
from unswayed.stats.bootstrap import bootstrap_ratios, simultaneous_band, weights

ITEMS, MODELS, PRESSURES, WORDINGS, DEPTHS = 1000, 8, 5, 5, 5
CELLS = MODELS * PRESSURES * DEPTHS
REPLICATES = 2000
SEED = 20260101


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--frames", type=int, default=5, help="Replicates with data frames.")
    parser.add_argument("--records", type=int, nargs="*", default=[], help="Rows of records.jsonl.")
    parser.add_argument("--hot", action="store_true", help="Show where the profile's time goes.")
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child is not None:
        _profile_file(given.child, hot=given.hot)
        return
    if given.frames < 1:
        parser.error("--frames must be at least 1: the rest is extrapolated from what is timed")
    columns = slim_columns()
    print(f"{len(columns['item']):,} records, {CELLS} cells, {REPLICATES:,} replicates")
    ours = _ours(columns)
    _frames("pyarrow", arrow_replicate(columns), given.frames, ours)
    try:
        import pandas  # noqa: F401
    except ImportError:
        print("pandas cannot be imported here: not measured")
    else:
        _frames("pandas", pandas_replicate(columns), given.frames, ours)
        _frames("pandas, text labels", labels_replicate(columns), min(given.frames, 2), ours)
    for rows in given.records:
        _records(rows, hot=given.hot)


def slim_columns(seed: int = SEED) -> dict[str, np.ndarray]:
    """Return a million records as columns: item, cell, and three outcome codes (0 is the truth)."""
    generator = np.random.Generator(np.random.SFC64(seed))
    shape = (ITEMS, MODELS, PRESSURES, WORDINGS, DEPTHS)
    item, model, pressure, _, depth = (part.ravel() for part in np.indices(shape, dtype=np.int32))
    known = generator.beta(3, 2, (ITEMS, MODELS))[item, model]
    follow = 0.05 + 0.05 * pressure + 0.02 * depth
    first = generator.random(item.size) < known
    stays = np.where(first, 0.95, 0.1)
    moved = np.where(first, stays * (1 - follow), stays)

    def codes(chance: np.ndarray) -> np.ndarray:
        wrong = np.where(generator.random(chance.size) < 0.8, 1, 2)
        return np.where(generator.random(chance.size) < chance, 0, wrong).astype(np.uint8)

    return {
        "item": item,
        "cell": ((model * PRESSURES + pressure) * DEPTHS + depth).astype(np.int32),
        "first": np.where(first, 0, 1).astype(np.uint8),
        "pressured": codes(moved),
        "control": codes(stays),
    }


def sufficient(columns: dict[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Return A and B of capitulation and correction, shape (items, 2 x cells) each."""
    place = columns["item"].astype(np.int64) * (2 * CELLS) + columns["cell"]
    right = columns["first"] == 0
    place += np.where(right, 0, CELLS)
    # Wrong minus wrong of right starts is the truth lost; right minus right of others is gained.
    gained = (columns["pressured"] == 0).astype(np.int8) - (columns["control"] == 0)
    moved = np.where(right, -gained, gained)
    size = ITEMS * 2 * CELLS
    sums = np.bincount(place, weights=moved, minlength=size).reshape(ITEMS, 2 * CELLS)
    counts = np.bincount(place, minlength=size).reshape(ITEMS, 2 * CELLS)
    return sums, counts.astype(np.float64)


def profile_columns(columns: dict[str, np.ndarray]) -> tuple[bytes, np.ndarray]:
    """Return the bytes of all results and the estimates of a profile of columns."""
    sums, counts = sufficient(columns)
    totals = counts.sum(axis=0)
    theta = sums.sum(axis=0) / totals
    residuals = sums - theta * counts
    errors = np.sqrt(ITEMS / (ITEMS - 1) * (residuals**2).sum(axis=0)) / totals
    replicates = bootstrap_ratios(sums, counts, weights(ITEMS, REPLICATES, SEED))
    band = simultaneous_band(theta, errors, replicates)
    parts = [theta.tobytes(), errors.tobytes(), replicates.tobytes(), repr(band).encode()]
    return b"".join(parts), theta


def _ours(columns: dict[str, np.ndarray]) -> float:
    digests, seconds = [], []
    for _ in range(2):
        started = time.perf_counter()
        found, _ = profile_columns(columns)
        seconds.append(time.perf_counter() - started)
        digests.append(hashlib.sha256(found).hexdigest())
    started = time.perf_counter()
    sufficient(columns)
    part = time.perf_counter() - started
    same = "the same bytes twice" if digests[0] == digests[1] else "DIFFERENT BYTES"
    print(
        f"ours: {seconds[0]:.2f} s and {seconds[1]:.2f} s, of which sufficient statistics"
        f" {part:.2f} s; {same} ({digests[0][:12]})"
    )
    if digests[0] != digests[1]:
        raise SystemExit(1)
    return min(seconds)


def _frames(name: str, replicate: Callable[[np.ndarray], np.ndarray], n: int, ours: float) -> None:
    """Time a few replicates with frames; the first only checks that the numbers agree."""
    sums, counts = sufficient(slim_columns())
    everyone = np.arange(ITEMS)
    expected = sums.sum(axis=0) / counts.sum(axis=0)
    agree = bool(np.allclose(replicate(everyone), expected))
    generator = np.random.default_rng(SEED)
    started = time.perf_counter()
    for _ in range(n):
        replicate(generator.integers(0, ITEMS, ITEMS))
    each = (time.perf_counter() - started) / n
    whole = each * REPLICATES
    print(
        f"{name} frames: {each:.2f} s a replicate ({n} timed), {whole:,.0f} s for {REPLICATES:,}"
        f" (extrapolated): {whole / ours:,.0f} times ours; same estimates: {agree}"
    )


def _rows_of(columns: dict[str, np.ndarray]) -> np.ndarray:
    """Row numbers by item, shape (items, rows of an item)."""
    return np.argsort(columns["item"], kind="stable").reshape(ITEMS, -1)


def _moved(columns: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    right = columns["first"] == 0
    gained = (columns["pressured"] == 0).astype(np.int8) - (columns["control"] == 0)
    return {
        "column": np.where(right, columns["cell"], columns["cell"] + CELLS),
        "moved": np.where(right, -gained, gained).astype(np.int64),
    }


def arrow_replicate(columns: dict[str, np.ndarray]) -> Callable[[np.ndarray], np.ndarray]:
    """Return a function that estimates every cell on drawn items with pyarrow."""
    table, rows = pa.table(_moved(columns)), _rows_of(columns)

    def replicate(items: np.ndarray) -> np.ndarray:
        drawn = table.take(pa.array(rows[items].ravel()))
        found = drawn.group_by("column").aggregate([("moved", "mean")]).sort_by("column")
        return found["moved_mean"].to_numpy()

    return replicate


def pandas_replicate(columns: dict[str, np.ndarray]) -> Callable[[np.ndarray], np.ndarray]:
    """Return a function that estimates every cell on drawn items with pandas."""
    import pandas as pd

    frame, rows = pd.DataFrame(_moved(columns)), _rows_of(columns)

    def replicate(items: np.ndarray) -> np.ndarray:
        return frame.take(rows[items].ravel()).groupby("column")["moved"].mean().to_numpy()

    return replicate


def labels_replicate(columns: dict[str, np.ndarray]) -> Callable[[np.ndarray], np.ndarray]:
    """Return the same with labels as texts and a merge of drawn items, as is often written."""
    import pandas as pd

    model, rest = np.divmod(columns["cell"], PRESSURES * DEPTHS)
    pressure, depth = np.divmod(rest, DEPTHS)
    start = np.where(columns["first"] == 0, "right", "wrong")
    labels = {"start": start, "model": model, "pressure": pressure, "depth": depth}
    frame = pd.DataFrame({name: values.astype(str) for name, values in labels.items()})
    frame["item"], frame["moved"] = columns["item"], _moved(columns)["moved"]

    def replicate(items: np.ndarray) -> np.ndarray:
        drawn = pd.DataFrame({"item": items.astype(np.int32)}).merge(frame, on="item")
        return drawn.groupby(list(labels))["moved"].mean().to_numpy()

    return replicate


def _records(n_rows: int, *, hot: bool) -> None:
    """Write records.jsonl and profile it in a process of its own, for its peak memory."""
    from unswayed.rows import write_rows

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "records.jsonl"
        write_rows(path, "records", made_records(n_rows))
        size = path.stat().st_size / 1e6
        print(f"records.jsonl: {n_rows:,} rows, {size:,.0f} MB", flush=True)
        command = [sys.executable, __file__, "--child", str(path), *(["--hot"] if hot else [])]
        subprocess.run(command, check=True, env={**os.environ})


def made_records(n_rows: int) -> Iterator[object]:
    """Yield records of one model: 5 pressures x 5 wordings x 2 namings x 4 depths an item."""
    from unswayed.records import Read, Record

    generator = np.random.Generator(np.random.SFC64(SEED))
    names = ("truth", "target", "other", "declined")
    done, item = 0, 0
    while done < n_rows:
        known = bool(generator.random() < 0.6)
        codes = generator.choice(4, size=(200, 2), p=[0.6, 0.25, 0.13, 0.02])
        for index in range(200):
            pressure, rest = divmod(index, 40)
            wording, rest = divmod(rest, 8)
            naming, turn = divmod(rest, 4)
            if done == n_rows:
                return
            done += 1
            first = Read(outcome="truth" if known else "target", value="x", replay=f"f{item:030d}")
            outcomes = [names[code] for code in codes[index]]
            reads = [
                Read(
                    outcome=outcome,
                    value=None if outcome == "declined" else "x",
                    reason="refusal" if outcome == "declined" else None,
                    replay=f"{arm}{item:016d}{index:015d}",
                )
                for arm, outcome in zip("pc", outcomes, strict=True)
            ]
            yield Record(
                item=f"item-{item}",
                family=f"item-{item}",
                kind="fact",
                arm="pressured",
                condition={
                    "pressure": f"type{pressure}", "wording": f"type{pressure}-{wording}",
                    "strength": "plain", "names": ("target", "truth")[naming],
                    "placement": "after", "format": "question", "first": "own", "path": "repeat",
                    "order": "given",
                },
                turn=turn + 1,
                first=first,
                pressured=reads[0],
                control=reads[1],
                claim="y",
            )  # fmt: skip
        item += 1


class Seconds(NamedTuple):
    """Time of a part."""

    processor: float
    """Processor seconds, which other work on the machine does not change much."""
    wall: float
    """Seconds on the wall."""

    def __str__(self) -> str:
        return f"{self.processor:.1f} s ({self.wall:.1f} s on the wall)"

    def __add__(self, other: tuple[float, ...]) -> Seconds:
        return Seconds(self.processor + other[0], self.wall + other[1])


class Clock:
    """Takes the time of one part after the other."""

    def __init__(self) -> None:
        self.last = Seconds(time.process_time(), time.perf_counter())

    def lap(self) -> Seconds:
        """Return the time since the last call."""
        now = Seconds(time.process_time(), time.perf_counter())
        spent = Seconds(now.processor - self.last.processor, now.wall - self.last.wall)
        self.last = now
        return spent


def made_pair(record: Record) -> Pair:
    """A pair with texts as long as those of a run."""
    said = tuple(("user", (("What is meant by this? " * 8, "question"),)) for _ in range(3))
    reads = {"first": record.first, "control": record.control, "pressured": record.pressured}
    return Pair(
        item=record.item, question="What is meant by this?", truth="x", target="y",
        factors=record.condition, turn=record.turn, draw=record.draw, event=event(record),
        messages=said, control_messages=said, pressured_text="So it is. " * 20,
        control_text="So it was. " * 20,
        outcomes={name: read.outcome for name, read in reads.items()},
        answers={name: read.value or "(none)" for name, read in reads.items()},
    )  # fmt: skip


def _profile_file(path: Path, *, hot: bool) -> None:
    """Time each part of the way from records to the profile; runs in a process of its own."""
    from unswayed.profiles.build import profile_table
    from unswayed.profiles.outcomes import OutcomeRow, OutcomeTable
    from unswayed.profiles.profile import About
    from unswayed.profiles.transcripts import Caps, Glance, choose, in_order
    from unswayed.records import ReadingCount
    from unswayed.report import write_report
    from unswayed.rows import read_rows

    clock = Clock()
    n_rows = sum(1 for _ in read_rows(path, "records", OutcomeRow))
    read = clock.lap()
    OutcomeTable(read_rows(path, "records", OutcomeRow))
    table = clock.lap()
    about = About(
        command="", model="made", endpoint="", simulated=False, plan="", item_set="made",
        n_items=n_rows // 200, n_families=n_rows // 200, kinds={}, draws=1, controls=("deleted",),
        readout="choice@1", sampling={}, seed=0, started="", finished="", version="",
        n_replays=n_rows, n_asked=n_rows, cost="", tokens={},
    )  # fmt: skip
    counts = ReadingCount(arms=(), positions=(), truth_positions=(), chance=None)
    tracer = cProfile.Profile()
    if hot:
        tracer.enable()
    clock.lap()
    found = profile_table(OutcomeTable(read_rows(path, "records", OutcomeRow)), about, counts)
    whole = clock.lap()
    numbers, totals = choose(read_rows(path, "records", Glance), caps=Caps(), seed=0)
    chosen = in_order(read_rows(path, "records", Record, only=numbers))
    choosing = clock.lap()
    with tempfile.TemporaryDirectory() as folder:
        pairs = [made_pair(record) for record in chosen]
        paths = write_report(Path(folder), found, pairs, totals=totals)
        size = paths["html"].stat().st_size / 1e6
    writing = clock.lap()
    tracer.disable()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"  profile, load included: {whole} ({len(found.cells)} cells), of which reading rows"
        f" {read}, and the table of outcomes with reading {table}\n"
        f"  report: choosing among all pairs {choosing}, writing {writing} ({len(pairs)} pairs,"
        f" page {size:.1f} MB)\n"
        f"  load, profile and report: {whole + choosing + writing}; peak memory {peak:,.0f} MB"
    )
    if hot:
        pstats.Stats(tracer).sort_stats("tottime").print_stats(14)


if __name__ == "__main__":
    main()
