"""Agreement of raters at the edges: swapped axes, no variation, missing ratings."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from unswayed.errors import StatisticsError
from unswayed.stats import agreement
from unswayed.stats.agreement import (
    cohen_kappa,
    gwet_ac,
    krippendorff_alpha,
    measure_agreement,
    quadratic_weights,
)
from unswayed.stats.rating_counts import class_agreement, count_ratings, percent_agreement

RATERS = [[1, 1, 2], [1, 1, None], [None, 1, 2]]
RATINGS = st.lists(st.lists(st.sampled_from([1, 2, 3, None]), min_size=3, max_size=3), max_size=12)


def test_units_are_rows():
    """Rows are units: the same table with swapped axes reads -.2."""
    units = list(zip(*RATERS, strict=True))
    assert krippendorff_alpha(count_ratings(units, [1, 2]), [1, 2]) == pytest.approx(1)
    assert krippendorff_alpha(count_ratings(RATERS, [1, 2]), [1, 2]) == pytest.approx(-0.2)


def test_no_variation_is_undefined_with_raw_agreement():
    """All-equal ratings have no alpha; the raw agreement stands in the note."""
    shown = measure_agreement([[1, 1]] * 20, [1, 2])
    assert (shown.alpha.state, shown.alpha.value) == ("undefined", None)
    assert "raw 100%" in shown.alpha.note
    assert shown.percent == 1
    assert shown.kappa is None
    assert shown.ac.value == shown.ac.high == 1
    assert 0.5 < shown.ac.low < 0.9


def test_few_units_and_no_pairs():
    """Nine units print counts, single ratings are empty, missing is no category."""
    few = measure_agreement([[1, 2]] * 9, [1, 2])
    assert few.alpha.state == "insufficient"
    single = measure_agreement([[1, None]] * 20, [1, 2])
    assert (single.alpha.state, single.percent, single.n_pairable) == ("empty", None, 0)
    assert single.n_missing == 20
    assert measure_agreement([], [1, 2]).ac.state == "empty"


def test_a_category_apart_is_as_far_from_all_others_as_the_ends_are():
    """By hand: apart from 1 and 3 at the distance of 1 from 3, whatever the ordinal distances."""
    units = [[1, 1], [2, 3], [3, 3], [1, 4]]
    table = count_ratings(units, [1, 2, 3, 4])
    # Marginals 3, 1, 3, 1. Ordinal steps 1.5, 3.5, 5.5: squares 4 (1-2), 4 (2-3), 16 (1-3).
    apart = 16
    pairs = [(3 * 1, 4), (1 * 3, 4), (3 * 3, 16), (7 * 1, apart)]
    expected = 2 * sum(n * distance for n, distance in pairs) / (8 - 1)
    alpha = krippendorff_alpha(table, [1, 2, 3, 4], "ordinal", n_apart=1)
    assert alpha == pytest.approx(1 - 2 * (4 + apart) / expected)
    assert alpha != krippendorff_alpha(table, [1, 2, 3, 4], "ordinal")


def test_interval_lies_around_the_value():
    """Planted agreement of 80% gives an interval that holds alpha."""
    rng = np.random.default_rng(1)
    truth = rng.integers(1, 4, 80)
    raters = [np.where(rng.random(80) < 0.8, truth, rng.integers(1, 4, 80)) for _ in range(3)]
    units = np.stack(raters, axis=1).tolist()
    shown = measure_agreement(units, [1, 2, 3], metric="ordinal")
    assert 0.3 < shown.alpha.low < shown.alpha.value < shown.alpha.high < 1
    assert shown.kappa is None
    assert "ordinal" in shown.alpha.method


@given(RATINGS)
def test_measures_stay_in_range(ratings):
    """Agreement never exceeds 1 and class agreement is a share."""
    table = count_ratings(ratings, [1, 2, 3])
    for value in (krippendorff_alpha(table, [1, 2, 3]), gwet_ac(table)):
        assert value is None or value <= 1 + 1e-9
    for value in (*class_agreement(table), percent_agreement(table)):
        assert value is None or -1e-9 <= value <= 1 + 1e-9


def test_total_disagreement_is_said_as_such():
    """Two raters who never agree have an interval with a width, and no word of agreement."""
    shown = measure_agreement([[0, 1]] * 40, [0, 1])
    assert shown.percent == 0
    assert shown.alpha.low < shown.alpha.high
    assert shown.alpha.high < -0.5
    assert shown.ac.low == -1
    assert "no disagreement" not in shown.alpha.note


@pytest.mark.parametrize(
    ("n", "agreed", "share"), [(12, 0.9, 0.5), (30, 0.95, 0.3), (50, 0.97, 0.2), (30, 0.7, 0.5)]
)
def test_intervals_cover_where_few_units_disagree(n, agreed, share):
    """Over 200 planted tables at least 92% of the intervals hold the truth."""

    def draw(generator, size):
        first = generator.random(size) < share
        return first, np.where(generator.random(size) < agreed, first, ~first)

    first, second = draw(np.random.default_rng(0), 200_000)
    differ = float((first != second).mean())
    marginal = (float(first.mean()) + float(second.mean())) / 2
    chance = 2 * marginal * (1 - marginal)
    truth = {"alpha": 1 - differ / chance, "ac": (1 - differ - chance) / (1 - chance)}
    held = {name: [] for name in truth}
    for seed in range(200):
        shown = measure_agreement(
            np.stack(draw(np.random.default_rng(seed), n), axis=1).astype(int).tolist(), [0, 1]
        )
        for name, value in truth.items():
            found = getattr(shown, name)
            if found.state == "ok":
                held[name].append(found.low <= value <= found.high)
                assert found.low < found.high
    assert all(np.mean(each) >= 0.92 for each in held.values())


def test_units_of_one_item_count_as_one():
    """Ten copies of each of 12 units add nothing; nine items are too few however many units."""
    units = [[0, 0], [1, 1], [0, 1], [1, 0]] * 3
    alone = measure_agreement(units, [0, 1])
    copied = measure_agreement(units * 10, [0, 1], clusters=[str(n) for n in range(12)] * 10)
    width = alone.ac.high - alone.ac.low
    assert copied.ac.high - copied.ac.low == pytest.approx(width, rel=0.25)
    naive = measure_agreement(units * 10, [0, 1])
    assert naive.ac.high - naive.ac.low < 0.5 * width
    few = measure_agreement(units[:9] * 10, [0, 1], clusters=[str(n) for n in range(9)] * 10)
    assert few.ac.state == "insufficient"
    with pytest.raises(StatisticsError, match="differ in number"):
        measure_agreement(units, [0, 1], clusters=["a"])


def test_more_categories_apart_than_there_are_is_refused():
    """Five apart of two categories is no scale."""
    with pytest.raises(StatisticsError, match="lie apart"):
        measure_agreement([[1, 2]] * 12, [1, 2], n_apart=5)


def test_class_agreement_of_a_rare_class():
    """A rare class shows its own low agreement."""
    table = count_ratings([[0, 0]] * 18 + [[0, 1], [1, 0]], [0, 1])
    common, rare = class_agreement(table)
    assert common == pytest.approx(36 / 38)
    assert rare == 0
    assert class_agreement(count_ratings([[0, 0]], [0, 1]))[1] is None


def test_kappa_of_common_units():
    """Units that one rater missed are left out; none in common has no kappa."""
    assert cohen_kappa([1, 2, 1, 2, None], [1, 2, 1, 1, 2]) == pytest.approx(0.5)
    assert cohen_kappa([None], [1]) is None
    with pytest.raises(StatisticsError):
        cohen_kappa([1], [1, 2])


@pytest.mark.parametrize(
    ("ratings", "categories"),
    [([[1, 5]], [1, 2]), ([[1, 2]], [1, 1]), ([[1, 2]], [1, float("nan")])],
)
def test_unknown_ratings_and_doubled_categories_are_refused(ratings, categories):
    """A label outside the categories is an error, not a new category."""
    with pytest.raises(StatisticsError):
        count_ratings(ratings, categories)


def test_ragged_units_and_negative_ratios_are_refused():
    """Every rater has a column, and a ratio scale has no negative values."""
    with pytest.raises(StatisticsError):
        measure_agreement([[1, 2], [1]], [1, 2])
    with pytest.raises(StatisticsError):
        krippendorff_alpha(count_ratings([[-1, 2]], [-1, 2]), [-1, 2], "ratio")
    with pytest.raises(StatisticsError):
        quadratic_weights([3])


def test_a_rating_that_is_no_number_is_no_category():
    """NaN is refused by kappa; None is a missing rating."""
    with pytest.raises(StatisticsError, match="not finite"):
        cohen_kappa([float("nan"), 1.0], [1.0, 1.0])
    assert cohen_kappa([None, None], [1.0, 2.0]) is None


def test_a_single_category_has_no_ac():
    """One category cannot show agreement beyond chance."""
    assert gwet_ac(count_ratings([[1, 1]], [1])) is None


def test_a_common_category_is_told_beside_alpha():
    """C207: one unit of 11 apart gives alpha 0; its note has the prevalence and raw agreement."""
    rare = measure_agreement([[3, 3]] * 10 + [[3, 1]], [1, 2, 3])
    assert rare.alpha.value == pytest.approx(0)
    assert rare.alpha.low < 0 < rare.alpha.high
    assert "95% of the ratings are of one category" in rare.alpha.note
    assert "raw agreement 91%" in rare.alpha.note
    assert measure_agreement([[1, 1], [3, 3]] * 10 + [[3, 1]], [1, 2, 3]).alpha.note == ""


def test_a_note_on_prevalence_stands_beside_another_note(monkeypatch):
    """What else is to be said of alpha is not lost where one category is most ratings."""
    plain = agreement._estimate

    def noted(*given):
        """Return the estimate with a note of its own."""
        return replace(plain(*given), note="one rater left early")

    monkeypatch.setattr(agreement, "_estimate", noted)
    rare = measure_agreement([[3, 3]] * 10 + [[3, 1]], [1, 2, 3])
    assert rare.alpha.note.startswith("one rater left early; 95% of the ratings")
    even = measure_agreement([[1, 1], [3, 3]] * 10 + [[3, 1]], [1, 2, 3])
    assert even.alpha.note == "one rater left early"


@pytest.mark.parametrize("rating", ["block", "", [1]])
def test_a_rating_that_is_no_number_is_refused(rating):
    """C204: a label where a number belongs is named with its unit, among ratings and categories."""
    with pytest.raises(StatisticsError, match="no number") as refused:
        measure_agreement([[1, 1], [1, rating]], [1, 2])
    assert "unit 1" in str(refused.value)
    with pytest.raises(StatisticsError, match="no number"):
        count_ratings([[1, 1]], [1, rating])
