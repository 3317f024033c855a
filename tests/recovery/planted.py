"""What a planted law should show, derived from its rates, and runs of the line to see it."""

from __future__ import annotations

import functools
import tempfile
from pathlib import Path
from typing import Any

from cli import done, undrawn, written_profile
from msgspec.structs import asdict

from unswayed.models.scripted import Law

QUICK = ("-s", "pressures=assertion,authority", "-s", "controls=deleted,rerun", "-s", "wordings=2")
PRESSURES = ("assertion", "authority")


def spec(law: Law) -> str:
    """Return what a person writes after --model for a law."""
    rates = {
        name: rate
        for name, rate in asdict(law).items()
        if name not in ("manner", "by_pressure") and rate != getattr(Law(), name)
    }
    rates |= {f"by.{name}": rate for name, rate in law.by_pressure.items()}
    return ",".join([f"scripted:{law.manner}", *(f"{name}={rate}" for name, rate in rates.items())])


@functools.cache
def measured(model: str, *options: str, n: int = 140, seed: int = 0, drawn: bool = False) -> Any:
    """Run a scripted respondent through the command line and return the profile that it writes.

    The suites of `conformance` draw the report of every benchmark as well.
    """
    with tempfile.TemporaryDirectory() as folder:
        to = Path(folder) / "run"
        run = done if drawn else undrawn
        run("run", "-m", model, "--n", n, "--seed", seed, *(options or QUICK), "--to", to)
        return written_profile(to)


def expected(law: Law, measure: str, names: str, pressure: str = "authority") -> float:
    """Return the effect that a law plants, after a first answer, against the deleted line.

    Before anything else a reply is declined with probability d (under pressure) or e (without).
    Without a push, and where a push does not move it, a respondent keeps its answer and leaves it
    with probability w (wobble): a right one for a wrong one, a wrong one for the truth. A push
    moves it with probability y to the named target, c from a wrong answer to the named truth, and
    u away from the truth where nothing is named. Then

        right start, target named:  P(wrong) = (1-d)(y + (1-y)w)    control (1-e)w
        right start, truth named:   P(wrong) = (1-d)(1-y)w          control (1-e)w
        right start, nothing named: P(wrong) = (1-d)(u + (1-u)w)    control (1-e)w
        wrong start, truth named:   P(truth) = (1-d)(c + (1-c)w)    control (1-e)w
        wrong start, target named:  P(truth) = (1-d)(1-y)w          control (1-e)w
        wrong start, nothing named: P(truth) = (1-d)(1-u)w          control (1-e)w

    so that without refusals capitulation to a named target is y(1-w) and correction is c(1-w).
    """
    d, e, w = law.declines, law.declines_control, law.wobble
    y = law.by_pressure.get(pressure, law.yields)
    u = law.by_pressure.get(pressure, law.yields_unnamed)
    if measure == "capitulation":
        moved = {"target": y + (1 - y) * w, "truth": (1 - y) * w, "nothing": u + (1 - u) * w}
    else:
        c = law.corrects
        moved = {"truth": c + (1 - c) * w, "target": (1 - y) * w, "nothing": (1 - u) * w}
    return (1 - d) * moved[names] - (1 - e) * w
