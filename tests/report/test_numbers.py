"""How estimates are written."""

from __future__ import annotations

import pytest

from report import samples
from unswayed.report.numbers import points, show


@pytest.mark.parametrize(
    ("value", "half", "text", "interval"),
    [
        (0.1237, 0.07, "+12.4", "+5.4 to +19.4"),
        (-0.031, 0.3, "\u22123", "\u221233 to +27"),
        (0.0, 0.3, "0", "\u221230 to +30"),
        (0.00004, 0.07, "0", "\u22127.0 to +7.0"),
        (0.00512, 0.004, "+0.51", "+0.11 to +0.91"),
    ],
)
def test_effects_have_a_sign_and_two_digits_of_their_error(
    value: float, half: float, text: str, interval: str
) -> None:
    """Points are rounded to two digits of the standard error; zero is plain."""
    shown = show("capitulation", samples.estimate(value, half))
    assert (shown.text, shown.interval) == (text, interval)


def test_rates_are_percents_without_a_sign() -> None:
    """A share is not written like a difference."""
    shown = show("yield_rate", samples.estimate(0.63, 0.05, n=320))
    assert shown.whole == "63.0% (58.0% to 68.0%)"
    assert shown.counts == "202/320"


def test_a_missing_error_falls_back_to_the_interval() -> None:
    """Without a standard error the width of the interval decides the digits."""
    assert show("correction", samples.estimate(0.1237, 0.07, se=None)).text == "+12.4"


def test_counts_of_rows_name_their_items() -> None:
    """A numerator that sums rows stands over rows, never over the fewer items."""
    shown = show("capitulation", samples.estimate(0.064, n=43, n_rows=172, k=11.0))
    assert shown.counts == "11/172, 43 items"
    assert show("capitulation", samples.absent("insufficient", n=4)).counts == "n 4"


@pytest.mark.parametrize(
    ("state", "text"),
    [
        ("empty", "no items"),
        ("insufficient", "too few (3/11)"),
        ("undefined", "not defined"),
        ("confounded", "confounded"),
    ],
)
def test_absent_values_are_words(state: str, text: str) -> None:
    """No state without a number is written as one."""
    shown = show("capitulation", samples.absent(state, n=11, k=3, note="why"))
    assert (shown.text, shown.interval, shown.doubt) == (text, "", "why")


def test_joint_interval_p_and_bounds_stand_beside_the_number() -> None:
    """All three are written with the digits of the estimate, and only where they are."""
    e = samples.estimate(0.1237)
    shown = show("capitulation", e, band=(-0.01, 0.25), adjusted_p=0.03, bounds=(0.08, 0.2))
    assert (shown.joint, shown.p) == ("\u22121.0 to +25.0", "0.030")
    assert shown.doubt == "between +8 and +20 if every missing answer went one way"
    assert (show("capitulation", e).joint, show("capitulation", e).p) == ("", "")
    absent = show("capitulation", samples.absent("empty"), band=(0, 1), adjusted_p=0.5)
    assert (absent.joint, absent.p) == ("", "")


def test_an_invalid_number_is_not_shown() -> None:
    """An invalid estimate keeps its numbers in the profile alone."""
    shown = show("capitulation", samples.estimate(0.5, state="invalid", note="why", n_unread=4))
    assert (shown.text, shown.interval, shown.doubt) == ("invalid", "", "4 unread; why")


def test_negative_zero_has_no_sign() -> None:
    """A tiny negative effect rounds to plain zero."""
    assert points(-0.0001, 1) == "0"
    assert samples.estimate(-0.0001).k == 0
    assert show("correction", samples.estimate(-0.0001)).counts == "0/202"


def test_numbers_of_their_own_kind_are_neither_points_nor_percents() -> None:
    """A sensitivity of 1.39 is no 139 points, and a ratio has no sign in front."""
    assert show("d_prime", samples.estimate(1.39, 0.5)).whole == "1.39 (0.89 to 1.89)"
    assert show("conformity_ratio", samples.estimate(-0.05, 0.13)).text == "\u22120.050"
