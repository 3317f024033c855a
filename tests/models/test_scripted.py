"""Scripted respondents: what they do is exactly what their law says."""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from unswayed.errors import ModelError, UsageError
from unswayed.items.item import Item
from unswayed.models.protocol import Model, Request
from unswayed.models.scripted import GARBLED, MANNERS, REFUSAL, Law, Respondent
from unswayed.plans.cross import cross
from unswayed.plans.design import Design
from unswayed.plans.plan import Replay
from unswayed.plans.render import LETTERS, listed_options

OPTIONS = ("Oslo", "Bergen", "Rome", "Paris")
ITEMS = tuple(
    Item(
        id=f"item-{number}",
        kind="fact",
        question=f"Question {number}?",
        options=OPTIONS[number % 4 :] + OPTIONS[: number % 4],
        truth="Oslo",
        target="Rome",
    )
    for number in range(300)
)
DESIGN = Design(pressures=("authority",), wordings=2, listed=True)


@dataclass
class Asked:
    """One replay and what was answered to it."""

    replay: Replay
    said: str
    prior: str


def converse(respondent: Respondent, design: Design = DESIGN) -> Iterator[Asked]:
    """Ask a whole plan in order, each conversation with the respondent's own replies in it."""
    replies: dict[str, str] = {}
    for replay in cross(respondent.items.values(), design):
        pending = replay.transcript.pending()
        if any(not replies[name] for name in pending):
            continue
        request = Request(
            id=replay.id,
            transcript=replay.transcript.fill(replies),
            options=replay.options,
            item_id=replay.item,
            cell=replay.condition,
        )
        text = respondent.answer(request).text
        replies[replay.id] = text
        item = respondent.items[replay.item]
        yield Asked(
            replay, option(item, text), option(item, replies[pending[-1]]) if pending else ""
        )


def option(item: Item, text: str) -> str:
    """Return the option that a reply picks, or the reply itself."""
    letter = text.removeprefix("Answer: ")
    return item.options[LETTERS.index(letter)] if len(letter) == 1 else letter


def share(
    asked: Iterator[Asked], said: str, *, names: str = "", prior: str = "", arm: str
) -> float:
    """Return how often something was said in a cell, given the answer before."""
    cell = [
        each
        for each in asked
        if each.replay.arm == arm
        and (not names or each.replay.condition["names"] == names)
        and (not prior or each.prior == prior)
    ]
    assert len(cell) >= 60
    return sum(each.said == said for each in cell) / len(cell)


def near(rate: float, n: int = 60) -> object:
    """Four standard deviations around a planted rate."""
    return pytest.approx(rate, abs=4 * math.sqrt(max(rate * (1 - rate), 0.01) / n))


def test_planted_rates_are_followed_cell_by_cell():
    """Knowledge, wobble, yielding, correction and refusal appear where the law puts them."""
    law = Law(knows=0.5, wobble=0.2, yields=0.4, corrects=0.7, yields_unnamed=0.3)
    asked = list(converse(Respondent(ITEMS, law)))
    assert share(asked, "Oslo", arm="first") == near(0.5, 300)
    assert share(asked, "Oslo", arm="control", prior="Oslo") == near(0.8, 140)
    assert share(asked, "Oslo", arm="line", prior="Oslo") == near(0.8, 140)
    target = {"arm": "pressured", "names": "target", "prior": "Oslo"}
    assert share(asked, "Rome", **target) == near(0.4 + 0.6 * 0.2 / 3, 140)
    nothing = {"arm": "pressured", "names": "nothing", "prior": "Oslo"}
    assert share(asked, "Oslo", **nothing) == near(0.7 * 0.8, 140)
    for prior in ("Bergen", "Paris", "Rome"):
        wrong = [each for each in asked if each.prior == prior and each.replay.arm == "pressured"]
        told = [each for each in wrong if each.replay.condition["names"] == "truth"]
        moved = sum(each.said == "Oslo" for each in told) / len(told)
        assert moved == near(0.7 + 0.3 * 0.2, len(told))


def test_refusals_and_garbled_replies():
    """Refusals depend on the arm, garbled replies on none."""
    law = Law(declines=0.5, declines_control=0.1, garbled=0.2)
    asked = list(converse(Respondent(ITEMS, law)))
    for arm, declines in (("pressured", 0.5), ("control", 0.1), ("line", 0.1), ("first", 0.1)):
        assert share(asked, GARBLED, arm=arm) == near(0.2, 300)
        assert share(asked, REFUSAL, arm=arm) == near(0.8 * declines, 300)


def test_rates_by_pressure_and_before_the_question():
    """A type's own rate replaces the common one, and the factor scales it before the question."""
    law = Law(knows=1, yields=0.1, by_pressure={"authority": 0.8}, before=0.5)
    design = Design(
        pressures=("authority", "assertion"),
        wordings=1,
        names=("target",),
        placements=("before", "after"),
        listed=True,
    )
    counts: Counter[tuple[str, str, bool]] = Counter()
    for each in converse(Respondent(ITEMS, law), design):
        if each.replay.arm == "pressured":
            cell = each.replay.condition
            counts[cell["pressure"], cell["placement"], each.said == "Rome"] += 1
    for pressure, placement, rate in (
        ("authority", "after", 0.8),
        ("authority", "before", 0.4),
        ("assertion", "after", 0.1),
        ("assertion", "before", 0.05),
    ):
        yes, no = counts[pressure, placement, True], counts[pressure, placement, False]
        assert yes + no == 300
        assert yes / 300 == near(rate, 300)


def test_spread_keeps_the_mean_and_adds_variance():
    """Knowledge differs between items by the two points of the law, with the same mean."""
    even = Respondent(ITEMS, Law(knows=0.6))
    uneven = Respondent(ITEMS, Law(knows=0.6, spread=0.4))
    assert {even.knowledge(item) for item in ITEMS} == {0.6}
    rates = [uneven.knowledge(item) for item in ITEMS]
    deviation = math.sqrt(0.4 * 0.6 * 0.4)
    assert {round(rate, 6) for rate in rates} == {
        round(0.6 - deviation, 6), round(0.6 + deviation, 6),
    }  # fmt: skip
    assert sum(rates) / 300 == pytest.approx(0.6, abs=4 * deviation / math.sqrt(300))


def test_manners():
    """Each manner does what its line in the list says."""
    said = {name: list(converse(Respondent(ITEMS[:40], Law(manner=name)))) for name in MANNERS}
    pushed = {
        name: [each for each in asked if each.replay.arm == "pressured"]
        for name, asked in said.items()
    }
    for each in pushed["always_yields"]:
        claim = each.replay.claim
        assert each.said == claim if claim else each.said != each.prior
    assert all(each.said == each.prior for each in pushed["never_yields"])
    for each in pushed["contrarian"]:
        claim = each.replay.claim
        assert each.said != claim
        assert each.said == each.prior or each.prior == claim
    for each in said["always_a"]:
        assert each.said == ITEMS[int(each.replay.item[5:])].options[0]
    assert {each.said for each in said["refuses"]} == {REFUSAL}
    assert {each.replay.arm for each in said["empty"]} == {"first"}
    assert {each.said for each in said["empty"]} == {""}
    assert set(Counter(each.said for each in said["noise"])) == set(OPTIONS)


def test_the_same_request_gets_the_same_reply_and_luck_is_not_shared():
    """A seed fixes every reply; another seed, or another request, has luck of its own."""
    law = Law(knows=0.5, wobble=0.5, yields=0.5)
    texts = [[each.said for each in converse(Respondent(ITEMS, law, seed=s))] for s in (1, 1, 2)]
    assert texts[0] == texts[1] != texts[2]
    agreed = sum(a == b for a, b in zip(texts[0], texts[2], strict=True)) / len(texts[0])
    assert agreed < 0.7
    control = {each.replay.item: each for each in converse(Respondent(ITEMS, law)) if
               each.replay.arm == "control"}  # fmt: skip
    rerun = {each.replay.item: each for each in converse(Respondent(ITEMS, law)) if
             each.replay.arm == "rerun"}  # fmt: skip
    both = [
        (control[name].said == "Oslo", rerun[name].said == "Oslo")
        for name in control
        if control[name].prior == "Oslo"
    ]
    kept = sum(a for a, _ in both) / len(both)
    together = sum(a and b for a, b in both) / len(both)
    assert together == near(kept * kept, len(both))


def test_options_in_another_order_are_answered_by_their_own_letter():
    """Where the listed options are reversed, the letter is that of the listing."""
    design = Design(
        pressures=("authority",), wordings=1, names=("target",), listed=True,
        orders=("given", "reversed"),
    )  # fmt: skip
    respondent = Respondent(ITEMS[:40], Law(knows=1, yields=1))
    seen = Counter()
    replies: dict[str, str] = {}
    for replay in cross(ITEMS[:40], design):
        request = Request(
            id=replay.id,
            transcript=replay.transcript.fill(replies),
            item_id=replay.item,
            cell=replay.condition,
        )
        text = replies[replay.id] = respondent.answer(request).text
        item = respondent.items[replay.item]
        order = replay.condition["order"]
        listed = item.options[::-1] if order == "reversed" else item.options
        wanted = "Rome" if replay.arm == "pressured" else "Oslo"
        assert text == f"Answer: {LETTERS[listed.index(wanted)]}", (replay.arm, order)
        seen[order, replay.arm] += 1
    assert seen["reversed", "pressured"] == seen["given", "pressured"] == 40


def test_scored_options():
    """The chosen option scores best, every score is a log-probability, a refusal scores none."""
    design = Design(
        pressures=("authority",), wordings=1, names=("target",), scored=True,
        formats=("none",), readout="option_logprob",
    )  # fmt: skip
    respondent = Respondent(ITEMS[:20], Law(knows=1, yields=1))
    replies: dict[str, str] = {}
    for replay in cross(ITEMS[:20], design):
        request = Request(
            id=replay.id,
            transcript=replay.transcript.fill(replies),
            options=replay.options,
            item_id=replay.item,
            cell=replay.condition,
        )
        completion = respondent.answer(request)
        replies[replay.id] = completion.text
        assert [score.text for score in completion.scores] == list(replay.options)
        assert all(score.logprob < 0 for score in completion.scores)
        best = max(completion.scores, key=lambda score: score.logprob)
        assert ("Rome" if replay.arm == "pressured" else "Oslo") in best.text
        assert completion.text == best.text
        refusing = Respondent(ITEMS[:20], Law(manner="refuses")).answer(request)
        assert all(score.logprob is None for score in refusing.scores)
        assert refusing.text == ""


def test_it_is_a_model_with_an_identity():
    """It fits the protocol, and every rate that changes a reply is in its identity."""
    law = Law(knows=0.5, by_pressure={"authority": 0.2})
    respondent = Respondent(ITEMS[:1], law, seed=4)
    assert isinstance(respondent, Model)
    identity = respondent.identity
    assert (identity.name, identity.kind, identity.simulated) == (
        "scripted:planted",
        "scripted",
        True,
    )
    assert identity.details["knows"] == "0.5"
    assert identity.details["by_pressure.authority"] == "0.2"
    assert identity.details["seed"] == "4"
    assert set(Law.__struct_fields__) - {"manner", "by_pressure"} <= set(identity.details)
    replay = next(iter(cross(ITEMS[:1], DESIGN)))
    request = Request(id=replay.id, transcript=replay.transcript, item_id="item-0")
    (completion,) = asyncio.run(respondent.complete([request]))
    assert completion == respondent.answer(request)
    assert respondent.n_asked == 2
    asyncio.run(respondent.close())


def test_unknown_item_is_refused():
    """Without the key of an item there is no answer to it."""
    replay = next(iter(cross(ITEMS[:1], DESIGN)))
    request = Request(id=replay.id, transcript=replay.transcript, item_id="other")
    with pytest.raises(ModelError, match="no key"):
        Respondent(ITEMS[:1], Law()).answer(request)


@pytest.mark.parametrize(
    "rates", [{"knows": 1.1}, {"yields": -0.1}, {"before": 2.0}, {"by_pressure": {"x": 7.0}},
              {"wobble": math.nan}],
)  # fmt: skip
def test_rates_are_probabilities(rates: dict):
    """A rate outside 0 to 1 is refused by name."""
    with pytest.raises(UsageError, match="no probability"):
        Law(**rates)


def test_levels_of_other_factors_can_have_a_rate():
    """The last level of an arm that has a rate decides: order against pressure type."""
    law = Law(knows=1, yields=0, by_pressure={"authority": 1, "right": 0})
    respondent = Respondent(ITEMS, law)
    moved = Counter()
    for replay in cross(ITEMS[:40], DESIGN):
        if replay.arm == "pressured" and replay.condition["names"] == "target":
            for extra in ({}, {"distance": "right"}):
                request = Request(
                    id=replay.id,
                    transcript=replay.transcript,
                    item_id=replay.item,
                    cell={**replay.condition, **extra},
                )
                said = respondent.answer(request).text
                option = respondent.items[replay.item].options[LETTERS.index(said[-1])]
                moved[bool(extra)] += option == "Rome"
    assert moved[False] > 0
    assert moved[True] == 0


@pytest.mark.parametrize(("manner", "said"), [("agrees", "True"), ("denies", "False")])
def test_one_answer_to_everything_is_by_meaning_and_not_by_place(manner: str, said: str):
    """Agreeing and denying name the same option in either order."""
    item = Item(
        id="claim",
        kind="statement",
        question="Is this true?",
        options=("True", "False"),
        truth="True",
        target="False",
        answer_form="verdict",
    )
    respondent = Respondent([item], Law(manner=manner))
    for order in ("given", "reversed"):
        design = Design(pressures=("authority",), wordings=1, listed=True, orders=(order,))
        replay = next(iter(cross([item], design)))
        request = Request(
            id=replay.id,
            transcript=replay.transcript,
            item_id="claim",
            cell=replay.condition,
        )
        letter = respondent.answer(request).text[-1]
        assert listed_options(item, order)[LETTERS.index(letter)] == said
