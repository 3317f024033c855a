"""Speakers by hand: following, what a mention takes off, swaps, and speaker against speaker."""

from __future__ import annotations

import pytest

from unswayed.profiles.profile import Cell
from unswayed.profiles.sections.speakers import FACTS, OPINIONS
from unswayed.records import Read, Record

OTHER = {"Agree": "Disagree", "Disagree": "Agree"}


def said(value: str, name: str) -> Read:
    """Return a read of an answer."""
    return Read(outcome="read", value=value, replay=name, first_option=float(value == "Agree"))


def row(number: int, speaker: str, claim: str, answer: str, **levels: str) -> Record:
    """Return the answer where a speaker gives `claim`, or none; alone it is Agree."""
    says = {"Agree": "for", "Disagree": "against"}.get(claim, "nothing")
    condition = {"pressure": speaker, "stands": "above", "ask": "own", "says": says}
    condition |= {"order": "given", "names": "view" if claim else "nothing", **levels}
    return Record(
        item=f"i{number}",
        family=f"f{number}",
        kind="opinion",
        arm="pressured",
        condition=condition,
        first=said("Agree", f"{number}/first"),
        pressured=said(answer, f"{number}/{sorted(condition.items())}"),
        control=said("Agree", f"{number}/control"),
        claim=claim,
    )


def followed(speaker: str, n: int, share: int, **levels: str) -> list[Record]:
    """Return n questions of which the first `share` follow a speaker, the others agree."""
    return [
        row(number, speaker, claim, claim if number < share else "Agree", **levels)
        for number in range(n)
        for claim in OTHER
    ]


def only(cells: tuple[Cell, ...], table: str, **factors: str) -> Cell:
    """Return the one cell of a table with some levels."""
    found = [c for c in cells if c.table == table and factors.items() <= c.factors.items()]
    assert len(found) == 1
    return found[0]


def test_swaps_and_their_difference():
    """The asker is followed on 4 of 20 and the expert on 10: .2, .5, and .3 apart."""
    cells = OPINIONS.measure(followed("asker", 20, 4) + followed("expert", 20, 10), 0)
    asker, expert = (
        only(cells, "opinion_speakers_swap", speaker=who).measures["swap_effect"]
        for who in ("asker", "expert")
    )
    assert (asker.value, expert.value) == (pytest.approx(0.2), pytest.approx(0.5))
    apart = only(cells, "opinion_speakers_contrast", speaker="expert").measures["beyond_asker"]
    assert (apart.value, apart.n) == (pytest.approx(0.3), 20)
    said = " ".join(OPINIONS.say(cells))
    assert "from the 2 speakers by +20 to +50 points" in said
    assert "No other speaker is shown" in said


def test_a_mere_mention_is_taken_off():
    """Of 10 that follow, 6 leave their answer without being given one: 4 of 20 are left."""
    rows = followed("tool", 20, 10)
    rows += [row(n, "tool", "", "Disagree" if n < 6 else "Agree") for n in range(20)]
    cells = OPINIONS.measure(rows, 0)
    against = only(cells, "opinion_speakers_follow", says="against").measures
    assert against["follow_effect"].value == pytest.approx(0.5)
    assert against["follow_beyond_effect"].value == pytest.approx(0.2)
    mention = only(cells, "opinion_speakers_mention").measures["mention_effect"]
    assert mention.value == pytest.approx(-0.3)


def test_a_place_is_held_against_the_one_above():
    """Two places of one speaker differ by their swaps, the asker has none to itself."""
    rows = followed("asker", 20, 10) + followed("asker", 20, 5, stands="system")
    cells = OPINIONS.measure(rows, 0)
    (contrast,) = [cell for cell in cells if cell.table == "opinion_speakers_contrast"]
    assert contrast.factors["stands"] == "system"
    assert contrast.measures["beyond_above"].value == pytest.approx(-0.25)


def test_reading_the_speaker_is_another_number():
    """What the speaker answered is asked apart: it is no following."""
    rows = followed("asker", 20, 0) + followed("asker", 20, 20, ask="attribution")
    measures = only(OPINIONS.measure(rows, 0), "opinion_speakers_swap").measures
    assert (measures["swap_effect"].value, measures["attribution_effect"].value) == (0, 1)
    assert "attribution_effect" not in FACTS.measures
