"""Comparing two runs: who is higher, who is shown equal, what is refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from msgspec import structs

from profiles.planted import Planted, reading_of, records, source
from unswayed.errors import ConfoundError, PlanError, StatisticsError
from unswayed.models.protocol import Price
from unswayed.profiles.comparison import compare
from unswayed.profiles.outcomes import OutcomeTable
from unswayed.rows import encode
from unswayed.stats.multiplicity import holm, two_sided_p


def row_of(found, measure, pressure, **factors):
    """Return the one headline row of a measure and pressure."""
    rows = [
        row
        for row in found.rows
        if row.measure == measure
        and {"pressure": pressure, **factors}.items() <= row.factors.items()
        and row.table == "pressure"
    ]
    assert len(rows) == 1
    return rows[0]


def test_a_planted_difference_is_found_with_its_sign():
    """A model that yields more is higher in capitulation, and lower when the sides are swapped."""
    much, little = Planted(yields=0.6), Planted(yields=0.1)
    found = compare(source(much, model="m"), source(little, model="l"), margin=0.03)
    row = row_of(found, "capitulation", "authority")
    assert row.finding == "higher"
    assert row.verdict.startswith("A is higher by ")
    assert row.difference.low <= 0.5 <= row.difference.high
    assert row.difference.value == pytest.approx(row.a.value - row.b.value)
    back = compare(source(little, model="l"), source(much, model="m"), margin=0.03)
    assert row_of(back, "capitulation", "authority").finding == "lower"
    assert row_of(back, "capitulation", "authority").difference.value == -row.difference.value


def test_the_difference_is_the_paired_one_by_hand():
    """With one draw and equal strata the difference and its error are those of item differences."""
    a, b = Planted(yields=0.5, seed=1), Planted(yields=0.2, seed=2)
    found = compare(source(a, model="m"), source(b, model="l"), margin=0.03)
    tables = [OutcomeTable(records(law)) for law in (a, b)]
    effects = []
    for table in tables:
        rows = table.rows([
            i for i, s in enumerate(table.settings)
            if s["pressure"] == "authority" and s["names"] == "target"
        ])  # fmt: skip
        rows &= table.stratum == 0
        wrong = [
            np.isin(codes[rows], (1, 2)).astype(int) for codes in (table.pressured, table.control)
        ]
        effects.append(wrong[0] - wrong[1])
    gaps = effects[0] - effects[1]
    row = row_of(found, "capitulation", "authority")
    assert row.difference.value == pytest.approx(gaps.mean())
    n, all_items = len(gaps), 100
    by_hand = gaps.std(ddof=0) / np.sqrt(n) * np.sqrt(all_items / (all_items - 1))
    assert row.difference.se == pytest.approx(by_hand)
    assert row.matched.value == pytest.approx(row.difference.value)


def test_a_wide_margin_shows_two_like_models_equal_and_a_narrow_one_does_not():
    """Equality is shown by two one-sided tests, never by a wide interval."""
    a, b = Planted(n_items=400, yields=0.1, seed=1), Planted(n_items=400, yields=0.1, seed=2)
    sides = source(a, model="m"), source(b, model="l")
    wide = row_of(compare(*sides, margin=0.2), "capitulation", "authority")
    assert wide.finding == "equal"
    assert wide.verdict == "shown equal within 20 points"
    assert wide.equivalence_p < 0.05
    narrow = row_of(compare(*sides, margin=0.01), "capitulation", "authority")
    assert narrow.finding == "not visible"
    assert narrow.equivalence_p > 0.05
    assert narrow.verdict.startswith("no difference visible at this n: ")


def test_more_items_follow_from_the_observed_error():
    """Items to add shrink as the margin grows and as the square of it, from the observed error."""
    a, b = Planted(n_items=200, yields=0.2, seed=1), Planted(n_items=200, yields=0.2, seed=2)
    sides = source(a, model="m"), source(b, model="l")
    row = row_of(compare(*sides, margin=0.05), "capitulation", "authority")
    z = 2.4977 + 0.8416  # .05 over 4 headline tests, power .8
    delta = max(abs(row.difference.value), 0.05)
    expected = 200 * ((z * row.difference.se / delta) ** 2 - 1)
    assert row.more_items == pytest.approx(expected, rel=0.01)
    assert row.detectable == pytest.approx((1.95996 + 0.84162) * row.difference.se, rel=1e-4)


@pytest.mark.parametrize(
    ("prices", "kind", "words"),
    [
        ((Price(prompt_per_million=1, completion_per_million=10),) * 2, "http", " USD)"),
        ((Price(prompt_per_million=1, completion_per_million=10), None), "http", "(cost unknown)"),
        ((None, None), "embedded", "(cost none)"),
    ],
)
def test_more_items_are_priced_by_what_the_runs_cost(prices, kind, words):
    """A cost comes from stored tokens and both prices; one unknown price makes it unknown."""
    a, b = Planted(yields=0.2, seed=1), Planted(yields=0.2, seed=2)
    found = compare(
        source(a, model="m", price=prices[0], kind=kind),
        source(b, model="l", price=prices[1], kind=kind),
        margin=0.03,
    )
    row = row_of(found, "capitulation", "authority")
    assert words in row.verdict
    if words == " USD)":
        each = (1.0 + 1.0) / 100  # a million prompt and 100,000 written tokens over 100 items
        assert row.more_cost == f"{row.more_items * 2 * each:.2f} USD"


def test_holm_runs_over_the_headline_family_alone():
    """Adjusted p-values are Holm's over pressure types times two measures; others have none."""
    a, b = Planted(yields=0.3, seed=1), Planted(yields=0.1, seed=2)
    found = compare(source(a, model="m"), source(b, model="l"), margin=0.03, every=True)
    head = [row for row in found.rows if row.headline]
    assert {(r.factors["pressure"], r.measure, r.factors["names"]) for r in head} == {
        (pressure, measure, names)
        for pressure in ("authority", "emotional")
        for measure, names in (("capitulation", "target"), ("correction", "truth"))
    }
    expected = holm([two_sided_p(row.difference) for row in head])
    assert [row.adjusted_p for row in head] == pytest.approx(list(expected))
    rest = [row for row in found.rows if not row.headline]
    assert rest
    assert all(row.adjusted_p is None for row in rest)
    visible = [row for row in rest if row.finding in ("higher", "lower", "equal", "not visible")]
    assert all("(exploratory)" in row.verdict for row in visible)


def test_only_shared_items_and_conditions_are_compared():
    """Items and pressures that one run alone asked stay out, and are named."""
    a = Planted(n_items=120, pressures=("authority", "emotional", "citation"), yields=0.4)
    b = Planted(n_items=100, pressures=("authority", "emotional"), yields=0.1)
    found = compare(source(a, name="one", model="m"), source(b, name="two", model="l"), margin=0.03)
    assert found.shared.n_items == 100
    assert found.shared.n_cells == 400
    assert {row.factors["pressure"] for row in found.rows} == {"authority", "emotional"}
    words = "; ".join(found.left_out)
    assert "20 items that one alone asked" in words
    assert "pressure citation" in words
    small = compare(source(replace(a, n_items=100), model="m"), source(b, model="l"), margin=0.03)
    assert (
        row_of(found, "capitulation", "authority").a == row_of(small, "capitulation", "authority").a
    )


def test_items_whose_text_or_truth_changed_are_left_out():
    """An item of the same name that asks something else is no shared item."""
    a, b = Planted(yields=0.4), Planted(yields=0.1)
    found = compare(
        source(a, model="m"), source(b, model="l", changed=("item0003", "item0009")), margin=0.03
    )
    assert found.shared.n_items == 98
    assert any("2 items whose text or truth differs" in words for words in found.left_out)


def test_nothing_shared_is_one_clear_error():
    """Two runs without a shared condition are refused with what to do."""
    a, b = Planted(pressures=("authority",)), Planted(pressures=("emotional",))
    with pytest.raises(PlanError, match="share no item") as caught:
        compare(source(a, model="m"), source(b, model="l"), margin=0.03)
    assert "one plan" in caught.value.next_step


def test_runs_without_right_answers_are_not_compared():
    """Opinions start neither right nor wrong, so there is no capitulation to compare."""
    runs = [source(Planted(seed=seed), model=name) for seed, name in enumerate("ab")]
    about = [structs.replace(run.about, section="opinions") for run in runs]
    opinions = [structs.replace(run, about=a) for run, a in zip(runs, about, strict=True)]
    with pytest.raises(PlanError, match="no right or wrong first answers"):
        compare(*opinions, margin=0.03)


def test_other_texts_under_one_condition_are_confounded():
    """Another wording behind the same name is a second cause, so nothing is compared."""
    a, b = Planted(texts="v1"), Planted(texts="v2")
    with pytest.raises(ConfoundError, match="different texts") as caught:
        compare(source(a, model="m"), source(b, model="l"), margin=0.03)
    assert "wording files" in caught.value.given


def test_other_sampling_and_another_model_are_confounded_and_sampling_alone_is_not():
    """One cause at a time: sampling of one model may be compared, two models under two may not."""
    a, b = Planted(yields=0.4), Planted(yields=0.1, texts="v1")
    hot = {"temperature": "1"}
    with pytest.raises(ConfoundError, match="more than one thing"):
        compare(source(a, model="m"), source(b, model="l", sampling=hot), margin=0.03)
    found = compare(source(a), source(b, sampling=hot), margin=0.03)
    assert found.differs == "the sampling: temperature 0 against 1"


def test_different_accuracies_warn_of_composition():
    """Strata of a strong and a weak model hold other items; the shared ones stand beside."""
    a, b = Planted(knows=0.9, n_items=300), Planted(knows=0.4, n_items=300)
    found = compare(source(a, model="m"), source(b, model="l"), margin=0.03)
    assert any("which items" in warned.text for warned in found.warnings)
    row = row_of(found, "capitulation", "authority")
    assert row.matched.n < max(row.a.n, row.b.n)
    like = compare(source(b, model="m"), source(replace(b, seed=3), model="l"), margin=0.03)
    assert not any("which items" in warned.text for warned in like.warnings)


def test_too_many_missing_answers_give_no_difference():
    """A side that is invalid for missing answers makes the difference invalid, with no number."""
    a, b = Planted(fails=0.3), Planted()
    found = compare(source(a, model="m"), source(b, model="l"), margin=0.03)
    row = row_of(found, "capitulation", "authority")
    assert row.difference.state == "invalid"
    assert row.difference.value is None
    assert row.finding == "not decidable"
    assert "missing" in row.verdict
    assert row.bounds is not None
    assert row.bounds[0] < row.bounds[1]
    assert found.warnings[0].severity == "stop"
    assert "missing" in found.warnings[0].text


def test_few_items_give_counts_and_no_difference():
    """Under ten contributing items in the smaller run nothing is compared."""
    a, b = Planted(n_items=30, knows=0.9), Planted(n_items=30, knows=0.9, seed=1)
    found = compare(source(a, model="m"), source(b, model="l"), margin=0.03)
    row = row_of(found, "correction", "authority")
    assert row.difference.state == "insufficient"
    assert row.verdict.startswith("not decidable: insufficient")
    assert any("fewer than ten" in warned.text for warned in found.warnings)


def test_a_margin_out_of_range_is_refused():
    """A margin of nothing, or of everything, is no margin."""
    for margin in (0.0, 1.0, -0.1):
        with pytest.raises(StatisticsError, match="margin"):
            compare(source(Planted()), source(Planted(seed=1)), margin=margin)


def test_two_comparisons_of_the_same_runs_have_the_same_bytes():
    """The result depends on the records alone."""
    sides = source(Planted(yields=0.4), model="m"), source(Planted(yields=0.1), model="l")
    assert encode(compare(*sides, margin=0.03)) == encode(compare(*sides, margin=0.03))


def test_a_run_that_answers_no_question_has_no_difference():
    """Where one run declines almost every first answer, no row carries a number."""
    a, b = Planted(yields=0.4), Planted(yields=0.1)
    silent = reading_of(a, {"refusal": 95})
    found = compare(source(a, model="m", reading=silent), source(b, model="l"), margin=0.03)
    assert all(row.finding == "not decidable" for row in found.rows)
    assert all(row.a.value is None and row.difference.value is None for row in found.rows)
    assert all(row.b.value is not None for row in found.rows)
    assert "declines to answer" in found.rows[0].verdict
    (stop,) = [warned for warned in found.warnings if warned.severity == "stop"]
    assert stop.text.startswith("A: This model declines")


def test_first_answers_at_chance_are_said_to_be_luck():
    """A run that guesses has right and wrong starts by luck, and a reader is told which run."""
    a, b = Planted(knows=0.5, n_items=200), Planted(knows=0.9, n_items=200)
    found = compare(source(a, model="m", chance=0.5), source(b, model="l", chance=0.5), margin=0.03)
    assert any(w.text.startswith("First answers of A are right no more") for w in found.warnings)
    assert not any(w.text.startswith("First answers of B") for w in found.warnings)


def test_more_items_without_variation_follow_the_pseudo_pairs():
    """Two runs that answer alike have only the doubt of pseudo-pairs, which falls with n."""
    law = Planted(knows=1.0, wobbles=0.0, yields=0.0, names=("target",), n_items=100)
    found = compare(source(law, model="m"), source(law, model="l"), margin=0.03)
    row = row_of(found, "capitulation", "authority")
    assert row.difference.value == 0
    assert row.difference.se == pytest.approx(2 / 102)
    items = 100 + row.more_items
    z = 2.2414 + 0.8416  # .05 over 2 tests, power .8
    assert z * 2 / (items + 2) == pytest.approx(0.03, rel=0.03)
