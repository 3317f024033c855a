"""Judges corrected by labels of known probability."""

import numpy as np
import pytest

from unswayed.errors import StatisticsError
from unswayed.stats.judged import (
    JudgeQuality,
    correct_rate,
    label_totals,
    predict_powered,
    predict_powered_sets,
    rogan_gladen,
)


def judged_run(rng, n_items=500, rows=4, labeled=50):
    """Return one run of clustered outcomes, a judge that is too generous, and a few labels."""
    rate = rng.beta(1, 4, n_items)
    truth = rng.random((n_items, rows)) < rate[:, None]
    judge = np.where(truth, rng.random(truth.shape) < 0.9, rng.random(truth.shape) < 0.08)
    chance = np.zeros(truth.shape)
    chance[rng.choice(n_items, labeled, replace=False)] = labeled / n_items
    items = np.repeat(np.arange(n_items), rows)
    return judge.ravel(), truth.ravel(), chance.ravel(), items


@pytest.mark.parametrize(("tuning", "least"), [("full", 0.91), ("tuned", 0.90)])
def test_clustered_correction_is_unbiased_and_covered(tuning, least):
    """50 labeled items of 500 remove the judge's bias, and the interval covers."""
    rng, values, hits, raw = np.random.default_rng(0), [], [], []
    for _ in range(300):
        judge, truth, chance, items = judged_run(rng)
        totals = label_totals(judge, truth, chance, items)
        shown = predict_powered(totals, judge.size, tuning=tuning)
        values.append(shown.value)
        raw.append(judge.mean())
        hits.append(shown.low <= 0.2 <= shown.high)
    assert np.mean(raw) - 0.2 > 0.03
    assert np.mean(values) == pytest.approx(0.2, abs=0.006)
    assert np.mean(hits) >= least


def test_an_effect_uses_signs():
    """Pressured minus control rows give the difference of rates, whatever the judge."""
    rng = np.random.default_rng(1)
    n = 2000
    truth = np.concatenate([rng.random(n) < 0.3, rng.random(n) < 0.1])
    judge = truth ^ (rng.random(2 * n) < np.repeat([0.3, 0.05], n))
    items, signs = np.tile(np.arange(n), 2), np.repeat([1, -1], n)
    chosen = np.tile(rng.random(n) < 0.25, 2)
    totals = label_totals(judge, truth, np.where(chosen, 0.25, 0.0), items, signs)
    shown = predict_powered(totals, n)
    assert shown.low <= 0.2 <= shown.high
    assert abs(shown.value - 0.2) < 0.06
    assert shown.note.startswith(f"{chosen[:n].sum()} labeled")


def test_full_labels_give_the_plain_mean():
    """When every row is labeled the judge does not matter."""
    rng = np.random.default_rng(2)
    truth, judge = rng.random(100) < 0.4, rng.random(100) < 0.5
    totals = label_totals(judge, truth, np.ones(100), np.arange(100))
    assert predict_powered(totals, 100).value == pytest.approx(truth.mean())


def test_too_few_labels_give_no_correction():
    """29 labeled items are too few, none at all is no number either."""
    rng = np.random.default_rng(3)
    judge, truth, chance, items = judged_run(rng, labeled=29)
    shown = predict_powered(label_totals(judge, truth, chance, items), judge.size)
    assert (shown.state, shown.value) == ("insufficient", None)
    assert "too few labels" in shown.note
    nothing = predict_powered(label_totals([], [], [], []), 0)
    assert nothing.state == "empty"


@pytest.mark.parametrize(
    ("labeled", "missed", "invented", "share"),
    [(30, 0.4, 0.005, 0.1), (100, 0.3, 0.0, 0.05), (30, 0.3, 0.05, 0.15)],
)
def test_intervals_cover_with_a_cautious_judge(labeled, missed, invented, share):
    """A judge whose few misses a small sample of labels may not hold: 93% are covered or more."""
    held = []
    for seed in range(300):
        rng = np.random.default_rng(seed)
        truth = rng.random(500) < share
        judge = np.where(truth, rng.random(500) >= missed, rng.random(500) < invented)
        chance = np.zeros(500)
        chance[rng.permutation(500)[:labeled]] = labeled / 500
        shown = predict_powered(label_totals(judge, truth, chance, np.arange(500)), 500)
        if shown.state == "ok":
            held.append(shown.low <= share <= shown.high)
    assert len(held) > 250
    assert np.mean(held) >= 0.93


def test_constant_labels_have_no_interval():
    """Labels and judge without variation are undefined, not certain."""
    totals = label_totals(np.ones(40), np.ones(40), np.ones(40), np.arange(40))
    assert predict_powered(totals, 40).state == "undefined"
    assert predict_powered_sets([1] * 5, [1] * 5, [1] * 5).state == "undefined"
    assert predict_powered_sets([1], [0], [1, 0, 1]).state == "insufficient"
    assert predict_powered_sets([], [], [1]).state == "empty"


def test_a_weak_judge_cannot_be_corrected():
    """Sensitivity plus specificity must exceed 1.2."""
    with pytest.raises(StatisticsError, match="too weak"):
        correct_rate(0.5, 0.6, 0.6)
    weak = JudgeQuality(true_positives=6, positives=10, true_negatives=6, negatives=10)
    assert rogan_gladen(50, 100, weak).state == "undefined"
    blind = JudgeQuality(true_positives=0, positives=0, true_negatives=9, negatives=10)
    assert rogan_gladen(50, 100, blind).state == "undefined"
    assert rogan_gladen(0, 0, blind).state == "empty"
    impossible = JudgeQuality(true_positives=11, positives=10, true_negatives=9, negatives=10)
    with pytest.raises(StatisticsError):
        rogan_gladen(5, 10, impossible)


def test_rogan_gladen_is_covered():
    """A planted rate is covered when sensitivity and specificity come from labels."""
    rng, hits = np.random.default_rng(4), []
    for _ in range(400):
        q = 0.2 * 0.85 + 0.8 * 0.1
        quality = JudgeQuality(
            true_positives=int(rng.binomial(60, 0.85)),
            positives=60,
            true_negatives=int(rng.binomial(90, 0.9)),
            negatives=90,
        )
        shown = rogan_gladen(int(rng.binomial(400, q)), 400, quality)
        hits.append(shown.low <= 0.2 <= shown.high)
    assert 0.93 <= np.mean(hits) <= 0.99


@pytest.mark.parametrize("chance", [1.2, -0.1, float("nan")])
def test_inclusion_is_a_probability(chance):
    """Pi lies in 0..1."""
    with pytest.raises(StatisticsError):
        label_totals([1], [1], [chance], [0])


@pytest.mark.parametrize(("k", "n"), [(0, 100), (0, 400), (400, 400)])
def test_a_judge_that_sees_less_than_its_own_errors_gives_no_rate(k, n):
    """No event where labels show 1 false alarm in 5: the rate is undefined, and not an error."""
    quality = JudgeQuality(true_positives=80, positives=100, true_negatives=80, negatives=100)
    found = rogan_gladen(k, n, quality)
    assert (found.state, found.value) == ("undefined", None)
    assert "on the labels give alone" in found.note
