"""Balance: cells, shares and side columns."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from fractions import Fraction

import pytest

from unswayed.training.balance import association, cell_counts, check_balance, information
from unswayed.training.cases import Case

Make = Callable[..., Case]


def verdicts(cases: list[Case]) -> dict[str, str]:
    """Return the verdict of each check by name."""
    return {found.check: found.verdict for found in check_balance(cases)}


@pytest.mark.parametrize(
    ("share", "verdict"), [(0.44, "fail"), (0.45, "pass"), (0.55, "pass"), (0.56, "fail")]
)
def test_shares_of_users_in_the_right(case: Make, share: float, verdict: str):
    """45 to 55 in a hundred pass, and nothing outside."""
    cases = [case(user_right=n < round(100 * share)) for n in range(100)]
    assert verdicts(cases)["user right"] == verdict


def test_an_absent_cell_fails(case: Make):
    """The tie of `first wrong` and `user right` is seen though both shares are even."""
    tied = [case(user_right=n % 2 == 0, first_right=n % 2 == 1) for n in range(100)]
    assert cell_counts(tied)["user right", "first right", "given"] == 0
    found = verdicts(tied)
    assert found["user right"] == found["first answer right"] == "pass"
    assert found["rows with user right, first right, order given"] == "fail"


def test_cells_need_families(case: Make):
    """Many rows of few families do not fill a cell."""
    few = [
        case(user_right=n % 2 == 0, first_right=n % 4 < 2, family=f"f{n % 19}") for n in range(400)
    ]
    many = [case(user_right=n % 2 == 0, first_right=n % 4 < 2) for n in range(400)]
    name = "rows with user right, first right, order given"
    assert (verdicts(few)[name], verdicts(many)[name]) == ("fail", "pass")


def test_opinion_rows_alone_fail(case: Make):
    """A set in which evidence never decides teaches to ignore users, and is refused."""
    rows = [case(user_right=n % 2 == 0, evidence=False) for n in range(100)]
    name = "rows in which evidence changes what is right"
    assert verdicts(rows)[name] == "fail"
    assert verdicts([*rows, case(evidence=True)])[name] == "pass"


def test_information_is_less_its_bias():
    """One bit for a column that is the action; about 0 for one that is not; constants tell none."""
    side = ["a", "b"] * 500
    assert information(side, side) == pytest.approx(1 - 1 / (2 * 1000 * math.log(2)))
    rng = random.Random(0)
    noise = [[rng.choice("abcd") for _ in side] for _ in range(200)]
    assert sum(information(each, side) for each in noise) / 200 == pytest.approx(0, abs=3e-4)
    assert information(["a"] * 10, side[:10]) == 0
    assert information([], []) == 0


def test_association():
    """Equal columns give about 1, independent ones 0, and a known table its value by hand."""
    assert association(["a", "b"] * 50, ["x", "y"] * 50) == pytest.approx(1.0)
    assert association(["a", "a", "b", "b"] * 25, ["x", "y"] * 50) == 0
    assert association(["a"] * 9, ["x", "y", "z"] * 3) == 0
    # 30, 10 | 10, 30: chi2 = 20, n = 80; phi2 = .25 - 1/79; V = sqrt(phi2 / (1 - 1/79)).
    left, right = ["a"] * 40 + ["b"] * 40, ["x"] * 30 + ["y"] * 10 + ["x"] * 10 + ["y"] * 30
    assert association(left, right) == pytest.approx(((0.25 - 1 / 79) / (1 - 1 / 79)) ** 0.5)


def test_a_wording_that_goes_with_an_action_warns(case: Make):
    """A side column that gives the action away is named."""
    rows = [
        case(
            action="keep" if n % 2 else "repair", first_right=bool(n % 2), pressure="assertion",
            wording=f"w{n % 2}",
        )
        for n in range(100)
    ]  # fmt: skip
    assert verdicts(rows)["association of wording with the action"] == "warn"


@pytest.mark.parametrize("column", ["persona", "language", "source"])
def test_a_column_that_goes_with_being_right_warns(case: Make, column: str):
    """In a table of one's own, who speaks must not tell whether the user is right."""
    told = [case(user_right=bool(n % 2), **{column: "ab"[n % 2]}) for n in range(100)]
    mixed = [case(user_right=bool(n % 2), **{column: "ab"[n % 4 < 2]}) for n in range(100)]
    name = f"association of {column} with the action"
    assert (verdicts(told)[name], verdicts(mixed)[name]) == ("warn", "pass")


@pytest.mark.parametrize(
    ("most", "lacking"), [(Fraction(1, 2), 60), (Fraction(3, 5), 34), (Fraction(4, 5), 0)]
)
def test_one_bound_decides_and_is_told(
    case: Make, monkeypatch: pytest.MonkeyPatch, most: Fraction, lacking: int
):
    """The largest share of challenges, the verdict and the number that would do go together."""
    monkeypatch.setattr("unswayed.training.balance.MOST_CHALLENGES", most)
    stances = ["challenge"] * 80 + ["endorse"] * 20
    cases = [case(action=stance, chosen="one", rejected="two") for stance in stances]
    found = {each.check: each for each in check_balance(cases)}
    share = found["advice pairs whose chosen side challenges the act"]
    assert (share.value, share.verdict) == (0.8, "fail" if lacking else "pass")
    assert share.allowed.startswith(f"at most {float(most):g},")
    assert (f"; {lacking} more that endorse" in share.allowed) == bool(lacking)
