"""Every known-answer case, by name: the test id is the name of the case."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from unswayed.stats import (
    agreement,
    bootstrap,
    calibration,
    contrasts,
    discernment,
    factorial,
    judged,
    knowledge,
    multiplicity,
    paired,
    power,
    ranks,
    rates,
    rating_counts,
    ratio,
    shrinkage,
    signal,
    survival,
    wordings,
)

ORACLES = Path(__file__).parents[2] / "../shared/specs/oracles.json"
CASES = (
    {case["name"]: case for case in json.loads(ORACLES.read_text(encoding="utf-8"))}
    if ORACLES.exists()
    else {}
)
CHECKS = {}


def oracle(check):
    """Register a check under the name of its case."""
    CHECKS[check.__name__] = check
    return check


def near(value, expected, tolerance=1e-4):
    """Compare numbers or nested lists of numbers within the tolerance of the cases."""
    np.testing.assert_allclose(
        np.asarray(value, dtype=float), np.asarray(expected, dtype=float), rtol=0, atol=tolerance
    )


def generator(seed=0):
    """Return the seeded generator of the simulated cases."""
    return np.random.Generator(np.random.PCG64(seed))


@pytest.mark.skipif(not CASES, reason="the shared known-answer cases are not beside this checkout")
@pytest.mark.parametrize("name", sorted(CASES))
def test_oracle(name):
    """The case gives its expected numbers."""
    assert name in CHECKS, f"no check for the case {name}"
    CHECKS[name](CASES[name]["input"], CASES[name]["expected"])


@pytest.mark.skipif(not CASES, reason="the shared known-answer cases are not beside this checkout")
def test_every_check_has_a_case():
    """No check stands for a case that does not exist, and all 55 cases are there."""
    assert set(CHECKS) == set(CASES)
    assert len(CASES) == 55


# Headline


def single_draw_effects(rng, runs, n_items, *, reuse_first):
    """Simulate runs of one first answer, one pressured and one control draw without any effect."""
    p = rng.beta(2, 1, (runs, n_items))
    first, pressured, control = (rng.random((3, runs, n_items)) < p).astype(float)
    if reuse_first:
        control = first
    right, wrong = first.sum(axis=1), (1 - first).sum(axis=1)
    capitulation = (first * (control - pressured)).sum(axis=1) / right
    correction = ((1 - first) * (pressured - control)).sum(axis=1) / wrong
    return capitulation, correction


@oracle
def seed_bias_control_reuses_first_answer(given, expected):
    """A control that is the first answer shows an effect of b/(a+b+1) where there is none."""
    cap, cor = single_draw_effects(generator(), 4000, 300, reuse_first=True)
    near([cap.mean(), cor.mean()], [expected["capitulation"], expected["correction"]], 0.01)


@oracle
def seed_unbiased_with_independent_control(given, expected):
    """A fresh control shows none."""
    cap, cor = single_draw_effects(generator(1), 4000, given["n_items"], reuse_first=False)
    near([cap.mean(), cor.mean()], [0, 0], 0.003)
    near(
        [cap.std(), cor.std()],
        [expected["sd_cap_single_run"], expected["sd_cor_single_run"]],
        0.003,
    )


@oracle
def rtm_slope_same_sample_bins(given, expected):
    """Bins of the compared draws show regression to the mean."""
    shown = knowledge.spurious_effect(given["bins"], given["K"], 1.2, 1.2)
    near(shown, expected["spurious_effect"])


@oracle
def empty_stratum_is_missing_not_zero(given, expected):
    """An empty stratum has state empty and n = 0."""
    [row] = given["records"]
    first = [row["first"] == row["truth"]]
    change = [float(row["control"] == row["truth"]) - float(row["pressured"] == row["truth"])]
    right = ratio.linearize_ratio(*ratio.item_totals([0], change, first, 1))
    wrong = ratio.ratio_effect(*ratio.item_totals([0], change, np.logical_not(first), 1))
    assert right is not None
    assert right.value == expected["capitulation"]
    assert right.n_contributing == expected["n_right"]
    assert (wrong.value, wrong.n, wrong.state) == (None, expected["n_wrong"], "empty")


@oracle
def profile_ratio_cluster_se(given, expected):
    """Item totals and linearized standard errors of both headline effects."""
    rows = []
    for item, firsts in enumerate(given["first"]):
        for draw, first in enumerate(firsts):
            arms = (given["pressured"][item][draw], given["control"][item][draw])
            truth = [np.mean([answer == given["truth"] for answer in arm]) for arm in arms]
            rows.append((item, first == given["truth"], truth[0] - truth[1]))
    items, right, gained = (np.array(column) for column in zip(*rows, strict=True))
    cap_totals = ratio.item_totals(items, -gained, right, 4)
    cor_totals = ratio.item_totals(items, gained, ~right, 4)
    near(cap_totals, [[1, 0, 0, -0.5], [2, 1, 0, 2]])
    near(cor_totals, [[0, 0.5, 0.5, 0], [0, 1, 2, 0]])
    cap, cor = ratio.linearize_ratio(*cap_totals), ratio.linearize_ratio(*cor_totals)
    near([cap.value, cap.se], [expected["capitulation"], expected["capitulation_se"]])
    near([cor.value, cor.se], [expected["correction"], expected["correction_se"]])
    assert cap_totals[1].sum() == expected["n_right_draws"]
    assert cor_totals[1].sum() == expected["n_wrong_draws"]


@oracle
def two_sample_item_weighting(given, expected):
    """Draw-weighted and item-weighted effects differ and both are there."""
    counts = np.array([item["n_right"] for item in given["items"]], dtype=float)
    sums = counts * [item["mean_diff"] for item in given["items"]]
    near(ratio.linearize_ratio(sums, counts).value, expected["draw_weighted"])
    equal = ratio.weigh_items_equally(sums, counts)
    near(ratio.linearize_ratio(*equal).value, expected["item_weighted"])


@oracle
def refusals_are_a_third_outcome(given, expected):
    """The overview's capitulation splits into a wrong-answer and a non-answer shift."""
    arms = [np.array(given[arm]) for arm in ("pressured", "control")]
    ones = np.ones(len(arms[0]))

    def shift(outcome):
        difference = outcome(arms[0]).astype(float) - outcome(arms[1])
        return ratio.ratio_effect(difference, ones).value

    near(shift(lambda arm: arm == "B"), expected["wrong_answer_shift"])
    near(shift(lambda arm: arm == "REFUSE"), expected["nonanswer_shift"])
    near(shift(lambda arm: arm != given["truth"]), expected["seed_capitulation"])


@oracle
def excess_flip_abbott(given, expected):
    """Yield rate is the excess over what the control leaves."""
    pressured, control = np.repeat([1.0, 0.0], [40, 60]), np.repeat([1.0, 0.0], [10, 90])
    near(rates.yield_rate(pressured, control, np.ones(100)).value, expected["yield_rate"])
    near(paired.paired_difference(pressured, control).value, expected["risk_difference"])


# Rates and pairs


@oracle
def miller_clustered_se(given, expected):
    """Clustered and naive standard errors of one mean."""
    scores = np.array(given["scores"], dtype=float)
    near(scores.mean(), expected["mean"])
    near(rates.cluster_se(scores, given["clusters"]), expected["clustered_se"])
    iid = ratio.linearize_ratio(scores, np.ones(scores.size)).se
    near(iid, expected["iid_se_ddof1"])


@oracle
def paired_difference_se(given, expected):
    """A paired standard error is smaller than an unpaired one."""
    a, b = np.array(given["A"], dtype=float), np.array(given["B"], dtype=float)
    ones = np.ones(a.size)
    near(paired.paired_difference(a, b).value, expected["diff"])
    near(ratio.linearize_ratio(a - b, ones).se, expected["se_paired"])
    apart = [ratio.linearize_ratio(arm, ones).se for arm in (a, b)]
    near(math.hypot(*apart), expected["se_unpaired"])


@oracle
def mcnemar_exact_midp(given, expected):
    """Exact and mid-p values."""
    test = paired.mcnemar(given["b"], given["c"])
    near([test.exact_p, test.mid_p], [expected["exact_p"], expected["mid_p"]], 1e-8)


@oracle
def bonett_price_ci(given, expected):
    """Laplace-adjusted interval, centered on the adjusted difference."""
    shown = paired.bonett_price(given["b_right_to_wrong"], given["c_wrong_to_right"], given["n"])
    near([shown.low, shown.high], [expected["lo"], expected["hi"]])
    near((shown.low + shown.high) / 2, expected["adj_diff"])


@oracle
def newcombe_paired_ci(given, expected):
    """Hybrid score interval."""
    shown = paired.newcombe(given["a"], given["b"], given["c"], given["d"])
    near([shown.value, shown.low, shown.high], [expected[key] for key in ("diff", "lo", "hi")])


@oracle
def wilson_zero_events(given, expected):
    """Wilson's upper limit without events."""
    shown = rates.wilson(given["x"], given["n"])
    near([shown.low, shown.high], [expected["lo"], expected["hi"]])


@oracle
def shared_control_covariance(given, expected):
    """The control cancels between two pressure types."""
    shown = paired.shared_control(
        given["var_press_a"], given["var_press_b"], given["var_control"], given["n"]
    )
    near([shown.se_a, shown.se_b], [expected["se_each"]] * 2)
    near(shown.se_difference, expected["se_difference_between_types"])
    near(math.hypot(shown.se_a, shown.se_b), expected["naive_se_difference"])
    near(shown.correlation, expected["corr_of_estimates"])


@oracle
def mh_risk_difference(given, expected):
    """Strata agree where pooling reverses the sign."""
    strata = np.array(given["strata_x1_n1_x0_n0"], dtype=float)
    near(rates.mantel_haenszel(*strata.T).value, expected["mh_rd"])
    x1, n1, x0, n0 = strata.sum(axis=0)
    near(rates.mantel_haenszel([x1], [n1], [x0], [n0]).value, expected["pooled_rd"])


# Wordings and factors


@oracle
def template_variance_crossed(given, expected):
    """Variance components, crossed interval and interval for an unseen wording."""
    shown = wordings.cross_variance(given["item_by_template_effects"])
    near(
        [shown.mean, shown.var_wording, shown.var_item, shown.var_residual, shown.se],
        [expected[key] for key in ("mean", "var_template", "var_item", "var_resid", "se_crossed")],
    )
    near([shown.low, shown.high], expected["ci"])
    near([shown.unseen_low, shown.unseen_high], expected["pi_new_template"])


@oracle
def worst_of_templates_winner_curse(given, expected):
    """The worst of equal wordings looks worse than it is."""
    shown = wordings.expected_maximum(given["templates"], given["true"], given["se"])
    near(shown, expected["expected_max"])


@oracle
def factorial_timing_x_naming(given, expected):
    """Main effects and interaction; the confounded difference is refused."""
    means = [
        [given["preemptive_named"], given["preemptive_unnamed"]],
        [given["incontext_named"], given["incontext_unnamed"]],
    ]
    shown = factorial.factorial_contrasts(means, ["timing", "naming"])
    near(
        [shown["timing"], shown["naming"], shown["timing x naming"]],
        [expected[key] for key in ("timing_main", "naming_main", "interaction")],
    )
    near(means[0][0] - means[1][1], expected["confounded_timing"])
    estimate = paired.paired_difference(np.full(50, means[0][0]), np.full(50, means[1][1]))
    cells = ({"timing": "before", "naming": "yes"}, {"timing": "after", "naming": "no"})
    refused = factorial.refuse_confounded(estimate, *cells, "timing")
    assert (refused.state, refused.value) == ("confounded", None)
    assert "naming" in refused.note


# Many cells


@oracle
def holm_bh(given, expected):
    """Holm and Benjamini-Hochberg adjusted p-values."""
    near(multiplicity.holm(given["p"]), expected["holm"])
    near(multiplicity.benjamini_hochberg(given["p"]), expected["bh"])


@oracle
def simultaneous_band_critical_value(given, expected):
    """The bootstrap sup-t of independent cells converges to the normal value."""
    exact = np.quantile(np.abs(generator(2).normal(size=(400_000, 5))).max(axis=1), 0.95)
    near(exact, expected["max_abs_z"], 0.01)
    n, cells = 1000, given["independent_cells"]
    sums = generator(3).integers(-1, 2, (n, cells)).astype(float)
    counts = np.ones((n, cells))
    drawn = bootstrap.weights(n, 8000, 4)
    parts = [ratio.linearize_ratio(sums[:, c], counts[:, c]) for c in range(cells)]
    theta, se = [part.value for part in parts], [part.se for part in parts]
    band = bootstrap.simultaneous_band(
        theta, se, bootstrap.bootstrap_ratios(sums, counts, drawn), given["level"]
    )
    near(band.critical, expected["max_abs_z"], 0.06)
    normal = bootstrap.simultaneous_band(
        np.zeros(cells), np.ones(cells), generator(2).normal(size=(400_000, cells))
    )
    near(normal.critical, expected["max_abs_z"], 0.01)


@oracle
def tost_equivalence(given, expected):
    """Two one-sided tests against a margin."""
    near(multiplicity.tost(given["est"], given["se"], given["margin"]), expected["p"])


@oracle
def bootstrap_se_exact(given, expected):
    """The bootstrap's standard error in the limit, and of many replicates."""
    x = np.array(given["x"], dtype=float)
    near(bootstrap.exact_bootstrap_se(x), expected["se_multinomial"])
    drawn = bootstrap.weights(x.size, 100_000, 5)
    means = bootstrap.bootstrap_ratios(x[:, None], np.ones((x.size, 1)), drawn)
    near(means.std(), expected["se_multinomial"], 0.003)


@oracle
def eb_shrinkage_beta_binomial(given, expected):
    """An empty cell takes the prior mean."""
    prior = shrinkage.BetaPrior(mean=given["prior_mean"], strength=given["prior_strength"])
    near(shrinkage.shrink_rate(given["y"], given["n"], prior), expected["posterior_mean"])


@oracle
def eb_shrinkage_beta_binomial_2(given, expected):
    """A tiny cell moves toward the prior mean."""
    eb_shrinkage_beta_binomial(given, expected)


@oracle
def dersimonian_laird_shrink_and_prediction_interval(given, expected):
    """Heterogeneity, mean, shrunk effects and prediction interval."""
    shown = shrinkage.shrink_effects(given["effects"], given["se"])
    near(
        [shown.q, shown.tau2, shown.mean, shown.se],
        [expected[key] for key in ("Q", "tau2", "mean", "se")],
    )
    near(shown.shrunk, expected["shrunk"])
    near([shown.prediction_low, shown.prediction_high], expected["pi"])


# Ranks


@oracle
def kendall_tau(given, expected):
    """tau-b with its exact p-value."""
    shown = ranks.kendall(given["x"], given["y"])
    near([shown.tau, shown.p], [expected["tau_b"], expected["p_exact"]])
    assert shown.exact


@oracle
def kendall_tau_b_ties(given, expected):
    """tau-b with ties on both sides."""
    near(ranks.kendall_tau_b(given["x"], given["y"]), expected["tau_b"])


@oracle
def kendall_null_range_11_models(given, expected):
    """The range of tau between unrelated rankings."""
    near(ranks.kendall_null_range(given["models"]), expected["null_95pct"], 0.04)
    order = generator(6).permuted(np.tile(np.arange(11.0), (5000, 1)), axis=1)
    drawn = ranks.tau_b_rows(np.tile(np.arange(11.0), (5000, 1)), order)
    near(np.quantile(drawn, [0.025, 0.975]), expected["null_95pct"], 0.04)


@oracle
def kendall_attenuation(given, expected):
    """Noise alone pulls a perfect rank agreement down."""
    rng = generator(7)
    true = rng.normal(0, given["effect_sd"], (3000, given["models"]))
    families = true + rng.normal(0, given["se"], (2, *true.shape))
    drawn = ranks.tau_b_rows(*families)
    near(drawn.mean(), expected["mean_tau"], 0.03)
    near(np.quantile(drawn, [0.025, 0.975]), expected["range95"], 0.04)


# Turns


@oracle
def km_collapse(given, expected):
    """Survival, Greenwood errors and restricted mean."""
    curve = survival.kaplan_meier(given["turn"], given["collapsed"])
    at = [turn - 1 for turn in expected["turns"]]
    near(np.array(curve.survival)[at], expected["S"])
    near(np.array(curve.se)[at], expected["greenwood_se"])
    near(survival.restricted_mean(curve, 5), expected["rmst_5"])


@oracle
def discrete_hazard(given, expected):
    """Hazard of each turn."""
    near(survival.kaplan_meier(given["turn"], given["collapsed"]).hazard, expected["hazard"])


@oracle
def logrank_pressured_vs_control(given, expected):
    """Log-rank with hypergeometric variance."""
    shown = survival.logrank(given["t1"], given["e1"], given["t2"], given["e2"])
    near([shown.chi2, shown.p], [expected["chi2"], expected["p"]])


@oracle
def censoring_bias(given, expected):
    """Kaplan-Meier recovers what naive shares of censored conversations miss."""
    rng, turns = generator(8), given["turns"]
    event = rng.geometric(given["hazard"], 200_000)
    censored = rng.geometric(given["censor_hazard"], 200_000)
    turn = np.minimum(np.minimum(event, censored), turns)
    collapsed = (event <= censored) & (event <= turns)
    curve = survival.kaplan_meier(turn, collapsed)
    near(1 - curve.survival[-1], expected["km"], 0.01)
    near(collapsed.mean(), expected["naive_censored_as_survivors"], 0.01)
    complete = collapsed | ((turn == turns) & (censored >= turns))
    near(collapsed[complete].mean(), expected["complete_case"], 0.01)
    near(survival.any_flip_probability(given["hazard"], turns), expected["true_collapsed"])


@oracle
def noise_only_any_flip(given, expected):
    """Noise alone flips once in a while."""
    shown = [survival.any_flip_probability(given["per_turn_flip"], t) for t in given["turns"]]
    near(shown, expected["p_any"])


@oracle
def persistence(given, expected):
    """Share of yielded chains that stay wrong."""
    after = [[answer == "w" for answer in chain] for chain in given["answers_after"]]
    shown = survival.persistence(given["flip_turn"], after)
    assert (shown.k, shown.n) == (expected["persistent_chains"], expected["flipped_chains"])
    near(shown.value, expected["persistence"])


# Discernment, signal, calibration, knowledge


@oracle
def tau_factor(given, expected):
    """Factor on the baseline spread, and its false movement rate."""
    shown = [discernment.tau_factor(b, alpha=given["alpha"]) for b in given["B"]]
    near(shown, expected["factor"])
    grades = generator(9).normal(size=(100_000, 4))
    base = grades[:, :3]
    beyond = np.abs(grades[:, 3] - base.mean(axis=1)) > base.std(axis=1, ddof=1) * shown[0]
    near(beyond.mean(), given["alpha"], 0.003)


@oracle
def discernment_signed_vs_abs(given, expected):
    """A move against the argument is no responsiveness."""
    means, tau = discernment.movement_thresholds(given["baselines"], alpha=given["alpha"])
    near(tau, expected["tau"])
    moves = discernment.signed_moves(given["new"], means, given["direction"])
    shown = discernment.discern(moves, tau, given["valid"], ["a", "b", "c"])
    near(shown.responsiveness.value, expected["signed_valid"])
    near(shown.compliance.value, expected["signed_invalid"])
    near(shown.responsiveness.value - shown.compliance.value, expected["D_signed"])
    near(shown.any_valid.value - shown.any_invalid.value, expected["D_abs"])


@oracle
def sdt_control(given, expected):
    """Sensitivity and criterion of two rates."""
    shown = signal.detect(given["hit"], given["fa"])
    near([shown.d_prime, shown.criterion], [expected["d_prime"], expected["criterion"]])


@oracle
def sdt_pressured(given, expected):
    """Sensitivity and criterion of two rates under pressure."""
    sdt_control(given, expected)


@oracle
def sdt_loglinear_extreme(given, expected):
    """Log-linear rates keep d' finite."""
    shown = signal.estimate_signal(given["hits"], given["n_true"], given["fas"], given["n_false"])
    near(shown.d_prime.value, expected["d_prime"])
    near(shown.criterion.value, expected["criterion"])


@oracle
def sdt_criterion_looks_like_capitulation(given, expected):
    """One shift of criterion looks like a different capitulation for each mix of items."""
    rng, n = generator(10), 40_000
    noise = math.sqrt(0.5)
    caps, rights = [], []
    for sign in (1, -1):
        item = sign * given["d_prime"] / 2 + rng.normal(0, noise, n)
        draws = item + rng.normal(0, noise, (3, n))
        cuts = np.array([0, given["criterion_shift_to_no"], 0])[:, None]
        right = (draws > cuts) == (sign > 0)
        first, pressured, control = right.astype(float)
        caps.append((first * (control - pressured)).sum())
        rights.append(first.sum())
    near(caps[0] / rights[0], expected["seed_cap_truth_yes"], 0.02)
    near(caps[1] / rights[1], expected["seed_cap_truth_no"], 0.02)
    for share, cap in zip(given["share_yes"], expected["seed_cap"], strict=True):
        mixed = share * caps[0] + (1 - share) * caps[1]
        near(mixed / (share * rights[0] + (1 - share) * rights[1]), cap, 0.02)
    half, cut = given["d_prime"] / 2, given["criterion_shift_to_no"]
    rate = [[0.5 * math.erfc(-(m - c) / math.sqrt(2)) for m in (half, -half)] for c in (0, cut)]
    before, after = (signal.detect(*pair) for pair in rate)
    near(after.d_prime - before.d_prime, expected["true_d_change"])
    near(after.criterion - before.criterion, cut)


@oracle
def balanced_accuracy_gap_identity(given, expected):
    """Without abstention the gap is 2 BA - 1."""
    shown = signal.describe_twins(
        given["P_false_given_false"], given["P_false_given_true"], given["P_true_given_true"]
    )
    near([shown.balanced_accuracy, shown.gap], [expected["balanced_accuracy"], expected["gap"]])
    near(shown.gap, 2 * shown.balanced_accuracy - 1)
    near(shown.undecided_true, 0)


@oracle
def balanced_accuracy_gap_with_abstentions(given, expected):
    """A broken identity shows answers that were neither verdict."""
    shown = signal.describe_twins(
        given["P_false_given_false"], given["P_false_given_true"], given["P_true_given_true"]
    )
    near([shown.balanced_accuracy, shown.gap], [expected["balanced_accuracy"], expected["gap"]])
    near(2 * shown.balanced_accuracy - 1, -0.41)
    near(shown.undecided_true, 0.405)


@oracle
def calibration_small(given, expected):
    """Calibration errors of eight answers."""
    shown = calibration.calibrate(given["conf"], given["correct"], given["edges"])
    near(
        [shown.ece, shown.over, shown.under, shown.signed_gap, shown.brier, shown.ece2_debiased],
        [expected[k] for k in ("ece", "over", "under", "signed", "brier", "ece2_debiased")],
    )


@oracle
def confidence_shift_under_pressure(given, expected):
    """The signed gap grows when pressure makes answers wrong and sure."""
    arms = [(given[arm]["conf"], given[arm]["correct"]) for arm in ("control", "pressured")]
    control, pressured = (calibration.calibrate(*arm) for arm in arms)
    near(control.signed_gap, expected["signed_gap_control"])
    near(pressured.signed_gap, expected["signed_gap_pressured"])
    near(pressured.signed_gap - control.signed_gap, expected["directional_change"])
    repeated = [tuple(np.tile(column, 10) for column in arm) for arm in arms]
    near(calibration.confidence_shift(*repeated).value, expected["directional_change"])


@oracle
def reliability_of_phat(given, expected):
    """Reliability of shares of K draws."""
    shown = [knowledge.expected_reliability(draws, 2, 1) for draws in given["K"]]
    near(shown, expected["reliability"])


# Judges, agreement, power


@oracle
def ppi_mean_lambda1(given, expected):
    """Prediction-powered mean of two sets."""
    shown = judged.predict_powered_sets(
        given["Y"], given["Yhat"], given["Yhat_unlabelled"], level=1 - given["alpha"]
    )
    near([shown.value, shown.se], [expected["estimate"], expected["se"]])
    near([shown.low, shown.high], expected["ci"])


@oracle
def rogan_gladen(given, expected):
    """Rate corrected for a judge's errors."""
    shown = judged.correct_rate(given["apparent"], given["sensitivity"], given["specificity"])
    near(shown, expected["true"])
    quality = judged.JudgeQuality(
        true_positives=90, positives=100, true_negatives=80, negatives=100
    )
    near(judged.rogan_gladen(200, 500, quality).value, expected["true"])


@oracle
def differential_judge_error(given, expected):
    """A judge that misses more under pressure halves the effect."""
    pressured = judged.apparent_rate(given["true_pressured"], given["se_p"], given["sp"])
    control = judged.apparent_rate(given["true_control"], given["se_c"], given["sp"])
    near(pressured - control, expected["apparent_diff"])
    corrected = judged.correct_rate(pressured, given["se_p"], given["sp"])
    corrected -= judged.correct_rate(control, given["se_c"], given["sp"])
    near(corrected, expected["true_diff"])


@oracle
def irr_krippendorff_12_units(given, expected):
    """Alpha by metric, AC1 and AC2 on twelve units."""
    categories = given["categories"]
    table = rating_counts.count_ratings(given["ratings_unit_by_rater"], categories)
    for metric in ("nominal", "ordinal", "interval", "ratio"):
        shown = agreement.krippendorff_alpha(table, categories, metric)
        near(shown, expected[f"alpha_{metric}"])
    shown = agreement.krippendorff_alpha(table, categories, "ordinal (Gwet)")
    near(shown, expected["alpha_ordinal_gwet_weights"])
    near(agreement.gwet_ac(table), expected["gwet_ac1"])
    weighted = agreement.gwet_ac(table, agreement.quadratic_weights(categories))
    near(weighted, expected["gwet_ac2_quadratic"])


@oracle
def irr_kappa_paradox(given, expected):
    """A rare class: high raw agreement, kappa and alpha below 0, AC1 high."""
    pairs = [
        (row, column)
        for row, counts in enumerate(given["table"])
        for column, count in enumerate(counts)
        for _ in range(count)
    ]
    shown = agreement.measure_agreement(pairs, [0, 1])
    near(shown.percent, expected["percent_agreement"])
    near(shown.kappa, expected["cohen_kappa"])
    near(shown.alpha.value, expected["alpha"])
    near(shown.ac.value, expected["gwet_ac1"])


@oracle
def n_items_paired(given, expected):
    """Items by draws, with the floor that draws cannot buy."""
    spread = power.Spread(
        between_items=given["omega2"], pressured=given["sigma2_A"], control=given["sigma2_B"]
    )
    chances = {"alpha": given["alpha"], "power": given["power"]}
    shown = [power.n_items_paired(given["delta"], spread, (k, k), **chances) for k in given["k"]]
    assert shown == expected["n"]
    floor = power.Spread(between_items=given["omega2"], pressured=0, control=0)
    assert power.n_items_paired(given["delta"], floor, **chances) == 126


@oracle
def n_mcnemar(given, expected):
    """Pairs of McNemar's test, and the items that hold them."""
    n = power.n_mcnemar(given["p10"], given["p01"])
    assert n == expected["n"]
    assert power.items_for_stratum(n, 0.8) == 338
    assert power.items_for_stratum(n, 0.2) == 1350


@oracle
def design_effect(given, expected):
    """Inflation by repeats."""
    near(power.design_effect(given["m"], given["icc"]), expected["deff"])
    near(power.effective_rows(given["n_records"], given["m"], given["icc"]), expected["n_eff"])


def test_contrast_of_two_effects_cancels_a_shared_control():
    """Simulated effects that share a control differ with the doubt of the closed form."""
    rng = generator(11)
    n = 2000
    a, b, control = (rng.normal(0, sd, n) for sd in (0.21**0.5, 0.21**0.5, 0.3))
    sums = np.clip(np.stack([a - control, b - control], axis=1) / 10, -1, 1)
    shown = contrasts.contrast_effect(sums, np.ones((n, 2)), [1, -1])
    near(10 * shown.se, math.sqrt(0.42 / n), 0.001)
