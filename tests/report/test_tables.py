"""Which cells a table shows, in which order and under which name."""

from __future__ import annotations

import msgspec
import pytest

from report import samples
from unswayed.plans.words import name_level
from unswayed.profiles.sections import SECTIONS
from unswayed.profiles.units import is_plain, is_rate
from unswayed.report.details import build_details
from unswayed.report.measures import ADDED
from unswayed.report.sections import build_sections
from unswayed.report.tables import headline, name_measure, rows_of, select_cells


def everything() -> samples.Profile:
    """Return a profile in which every push names a target, the truth and nothing."""
    cells = [
        samples.pressure_cell(pressure, names, 0.1, turn=turn)
        for pressure in ("citation", "assertion", "filler")
        for names in (("nothing",) if pressure == "filler" else ("nothing", "target", "truth"))
        for turn in ("1", "2", "10")
    ]
    return samples.normal(cells=tuple(cells))


def test_the_headline_shows_the_last_turn_in_groups() -> None:
    """Named pushes come first, unnamed ones next, lines that do not push last."""
    rows = headline(everything(), "capitulation")
    assert [(row.label, row.group) for row in rows] == [
        ("assertion", "names a wrong answer"),
        ("citation", "names a wrong answer"),
        ("assertion", "names no answer"),
        ("citation", "names no answer"),
        ("small talk", "no push"),
    ]
    assert [row.group for row in headline(everything(), "correction")][0] == (
        "names the right answer"
    )


def test_names_say_only_what_varies() -> None:
    """A factor with one level is not repeated in every row."""
    rows = headline(samples.normal(), "capitulation")
    assert [row.name for row in rows[:2]] == ["assertion", "challenge"]
    cells = select_cells(samples.normal(), "turn")
    assert "turn 10" in {row.detail for row in rows_of(cells, ("capitulation",))}


def test_levels_of_scripts_have_words() -> None:
    """Nobody reads `known yes` or `line none`."""
    assert name_level("known", "mixed") == "known in part"
    assert name_level("start", "right") == "right solution shown"
    assert name_level("line", "none") == "no line"
    assert name_level("evidence", "an equation from notes") == "an equation from notes"


def test_unknown_levels_keep_their_own_words() -> None:
    """Strange factors and levels are shown and not guessed at."""
    assert name_level("mood", "very_sad") == "mood very sad"
    assert name_level("pressure", "{0}") == "{0}"


def test_sections_without_data_are_left_out() -> None:
    """A profile without cells has no section."""
    assert build_sections(samples.normal(cells=())) == []
    keys = [section.key for section in build_sections(samples.normal())]
    assert keys == ["effects", "plane", "turns", "factors", "wordings"]


def test_turns_come_from_the_pressure_table_too() -> None:
    """Several turns of the pressure table make curves, one figure for each naming."""
    turns = build_details(everything())[0]
    assert turns is not None
    assert [figure.heading for figure in turns.figures] == [
        "The push names a wrong answer",
        "The push names no answer",
        "Correction by turn",
    ]
    captions = [table.caption for table in turns.figures[0].tables]
    assert captions == ["Capitulation by turn", "Wrong answers by turn"]


def test_turns_are_split_by_path_where_the_profile_splits_them() -> None:
    """Repeated and escalating pushes have a panel each."""
    cells = [
        samples.pressure_cell("assertion", "target", 0.1, table="path", turn=turn, path=path)
        for turn in ("1", "2")
        for path in ("repeat", "escalate")
    ]
    turns = build_details(samples.normal(cells=tuple(cells)))[0]
    assert turns is not None
    assert ">assertion, repeated<" in turns.figures[0].svg
    assert ">assertion, escalating<" in turns.figures[0].svg
    names = [line.name for line in turns.figures[0].tables[0].lines]
    assert "assertion, escalating, turn 2" in names


def test_a_mention_stands_with_the_lines_that_do_not_push() -> None:
    """It is labeled, explained once, and absent where the plan has none."""
    profile = samples.normal()
    row = next(row for row in headline(profile, "capitulation") if row.label == "mere mention")
    assert row.control_line
    assert row.name == "mere mention, no push"
    effects = build_sections(profile)[0]
    assert any("only mentions the wrong answer" in note for note in effects.notes)
    cells = tuple(c for c in profile.cells if c.factors.get("pressure") != "mention")
    effects = build_sections(samples.normal(cells=cells))[0]
    assert not any("mention" in note for note in effects.notes)


def test_the_number_of_pushes_in_the_joint_interval_is_stated() -> None:
    """Ten rows have a band; a table has its columns only where there are bands."""
    effects = build_sections(samples.normal())[0]
    assert "holds for all 10 pushes" in effects.notes[0]
    assert "Joint 95% interval" in effects.figures[0].tables[0].columns
    bare = tuple(msgspec.structs.replace(c, bands={}) for c in samples.normal().cells)
    effects = build_sections(samples.normal(cells=bare))[0]
    assert effects.notes[0] == "The line through each mark is its 95% interval."
    assert "Joint 95% interval" not in effects.figures[0].tables[0].columns


def test_wordings_like_these_stand_beside_these_wordings() -> None:
    """All four numbers of a push are in the table, a worst one without enough items as counts."""
    wordings = build_details(samples.normal())[2]
    assert wordings is not None
    figure = wordings.figures[0]
    assert figure.tables[0].columns == (
        "Push", "These wordings", "Wordings like these", "One unseen wording", "Worst wording",
        "k/n",
    )  # fmt: skip
    first, _, third = figure.tables[0].lines
    assert first.values[:4] == (
        "+12.4 (+5.4 to +19.4)", "+12.4 (+0.4 to +24.4)", "+12.4 (−3.6 to +28.4)",
        "+20.4 (+5.4 to +35.4)",
    )  # fmt: skip
    assert third.values[3] == "too few (4/7)"
    assert "not measured" not in first.values


def test_contrasts_are_listed_with_both_levels() -> None:
    """A compared pair of levels says which is subtracted from which."""
    cell = samples.Cell(
        table="contrast",
        factors={"factor": "placement", "low": "before", "high": "after", "pressure": "citation"},
        measures={
            "capitulation": samples.estimate(
                0.2, note="neither shown present nor absent within ±3 points"
            )
        },
        outcomes={},
    )
    factors = build_details(samples.normal(cells=(cell,)))[1]
    assert factors is not None
    line = factors.figures[-1].tables[0].lines[0]
    assert line.name == "citation, after an answer minus before an answer"
    assert line.values[-1] == "neither shown present nor absent within ±3 points"


def test_strips_without_two_readable_parts_have_no_chart() -> None:
    """Wordings with too few items are listed with their counts alone."""
    cells = samples.pressure_cells() + [
        msgspec.structs.replace(
            cell, measures={"capitulation": samples.absent("insufficient", n=4, k=1)}
        )
        for cell in samples.wording_cells()
    ]
    wordings = build_details(samples.normal(cells=tuple(cells)))[2]
    assert wordings is not None
    assert wordings.figures[0].svg == ""
    assert wordings.figures[0].tables[0].lines[0].values[0] == "too few (1/4)"


@pytest.mark.parametrize("name", SECTIONS)
def test_measures_of_a_section_are_named_and_explained_in_words(name: str) -> None:
    """Each has a short name of its own, and one plain sentence without a formula."""
    measures = SECTIONS[name].measures
    names = [name_measure(measure) for measure in measures]
    assert len(set(names)) == len(names)
    assert measures.keys() <= ADDED.keys() | {"capitulation", "correction"}
    assert all(len(words) <= 45 and ": " not in words for words in names)
    for measure, meaning in measures.items():
        assert not set("|=*/_`") & set(meaning)
        assert " minus " not in meaning
        assert not meaning.endswith(".")
        if not is_rate(measure) and not is_plain(measure):
            assert meaning.startswith("above 0, ")


def test_every_name_of_a_section_s_measure_is_used() -> None:
    """No measure is named that no section explains."""
    assert ADDED.keys() <= {m for section in SECTIONS.values() for m in section.measures}
