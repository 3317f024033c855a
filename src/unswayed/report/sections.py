"""The page's main sections: what each push does, and whether the model moves for a reason."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from unswayed.plans.design import LINES
from unswayed.plans.words import name_level
from unswayed.report.added import build_added
from unswayed.report.details import build_details
from unswayed.report.drawing import plain_settings
from unswayed.report.figures import (
    EXPLAINED,
    SIMULATED,
    Figure,
    Section,
    describe,
    say_cut,
    title,
)
from unswayed.report.forest import ROWS_DRAWN, choose_domain, draw_forest
from unswayed.report.listings import tabulate
from unswayed.report.plane import draw_plane
from unswayed.report.tables import (
    Row,
    headline,
    headline_cells,
    identify,
    last_turn,
    name_measure,
    rows_of,
    select_cells,
)

if TYPE_CHECKING:
    from unswayed.profiles.profile import Profile


def build_sections(profile: Profile) -> list[Section]:
    """Return the sections that have data, in order."""
    with plain_settings():
        built = (build_added(profile), _effects(profile), _plane(profile), *build_details(profile))
    return [section for section in built if section is not None]


def _effects(profile: Profile) -> Section | None:
    found = {measure: headline(profile, measure) for measure in ("capitulation", "correction")}
    every = [row for rows in found.values() for row in rows]
    bands = [row.band for row in every if row.band is not None]
    domain = choose_domain([row.estimate for row in every], bands)
    figures = []
    for measure, rows in found.items():
        if not rows:
            continue
        heading = f"{name_measure(measure)} by kind of push"
        svg = draw_forest(
            rows,
            domain,
            key=f"chart-{measure}",
            title=title(profile, heading),
            description=describe(profile, rows, f"{heading}, in points with the 95% interval:"),
        )
        figures.append(
            Figure(
                heading=name_measure(measure),
                explained=EXPLAINED[measure] + say_cut(len(rows), ROWS_DRAWN),
                svg=svg,
                tables=(tabulate(heading, rows),),
            )
        )
    if not figures:
        return None
    return Section(
        key="effects",
        heading="What each kind of push does",
        explained="Every number is a difference: answers after the push minus answers in the same "
        f"conversation without it. Zero means that the push changed nothing.{_say_turn(profile)}",
        notes=(*_say_intervals(len(bands)), *_say_mention(every)),
        figures=tuple(figures),
    )


def _say_intervals(n: int) -> list[str]:
    """Say what the lines through the marks are, and what p is where there is one."""
    if not n:
        return ["The line through each mark is its 95% interval."]
    return [
        "Thick line: the 95% interval of that row alone. Thin line: the joint interval, which "
        f"holds for all {n} pushes that have one; use it when you pick a push out of the list.",
        "p, in the tables: how often chance alone would show a difference this large if the push "
        f"did nothing, adjusted for looking at {n} of them.",
    ]


def _say_mention(rows: Sequence[Row]) -> list[str]:
    """Explain the line that names a wrong answer without claiming it, where there is one."""
    mention = name_level("pressure", "mention")
    if not any(row.control_line and row.label == mention for row in rows):
        return []
    return [
        "Mere mention: a line that only mentions the wrong answer, claiming nothing. A model that "
        "moves for it as it does for a push copies what it reads."
    ]


def _say_turn(profile: Profile) -> str:
    cells = select_cells(profile, "pressure")
    if len({cell.factors.get("turn") for cell in cells}) < 2:
        return ""
    return f" These are the effects at the last turn, turn {last_turn(cells)[0].factors['turn']}."


def _plane(profile: Profile) -> Section | None:
    groups = {
        "The push names an answer": pair_rows(profile, "target", "truth"),
        "The push names no answer": pair_rows(profile, "nothing", "nothing"),
    }
    groups = {heading: points for heading, points in groups.items() if points}
    if not groups:
        return None
    domain = choose_domain([r.estimate for ps in groups.values() for _, *both in ps for r in both])
    mark = f"{SIMULATED} " if profile.about.simulated else ""
    figures = []
    for number, (heading, points) in enumerate(groups.items()):
        words = "; ".join(
            f"{name}: capitulation {x.shown.whole}, correction {y.shown.whole}"
            for name, x, y in points
        )
        svg = draw_plane(
            points,
            domain,
            key=f"chart-plane-{number}",
            title=title(profile, f"Capitulation and correction. {heading}"),
            description=f"{mark}Capitulation runs to the right, correction upward. {words}.",
        )
        rows = [row for _, *both in points for row in both]
        tables = (tabulate(f"Both effects. {heading}", rows),)
        figures.append(Figure(heading=heading, explained="", svg=svg, tables=tables))
    return Section(
        key="plane",
        heading="Does it move for the right reason?",
        explained="Right is worse: more right answers given up. Up is better: more wrong answers "
        "repaired. A model that weighs evidence stands at the upper left; one that follows every "
        "push stands at the upper right.",
        figures=tuple(figures),
    )


def pair_rows(profile: Profile, across: str, upward: str) -> list[tuple[str, Row, Row]]:
    """Return name, capitulation and correction of each push that has both numbers."""
    found: dict[str, dict[tuple[tuple[str, str], ...], Row]] = {}
    for measure, names in (("capitulation", across), ("correction", upward)):
        cells = [
            cell
            for cell in headline_cells(select_cells(profile, "pressure"), measure)
            if cell.factors.get("names", "nothing") == names
            and cell.factors.get("pressure") not in LINES
        ]
        rows = rows_of(cells, (measure,))
        found[measure] = {identify(c): row for c, row in zip(cells, rows, strict=True)}
    return [
        (row.name, row, found["correction"][identity])
        for identity, row in found["capitulation"].items()
        if identity in found["correction"]
        and row.estimate.state == found["correction"][identity].estimate.state == "ok"
    ]
