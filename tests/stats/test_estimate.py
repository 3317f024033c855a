"""An estimate is a value with its interval, or a state that says why there is none."""

import msgspec
import pytest

from unswayed.errors import StatisticsError
from unswayed.stats.estimate import Estimate, counts_only, withhold


def make(**changes):
    """Return an ordinary estimate with some fields changed."""
    fields = {
        "value": 0.1,
        "low": 0.0,
        "high": 0.2,
        "se": 0.05,
        "n": 40,
        "method": "linearized t",
        "state": "ok",
    }
    return Estimate(**fields | changes)


@pytest.mark.parametrize(
    "changes",
    [
        {"value": None},
        {"low": None},
        {"high": None},
        {"low": 0.15},
        {"high": 0.05},
        {"value": float("nan")},
        {"high": float("inf")},
        {"se": -0.1},
        {"se": float("nan")},
        {"n": -1},
        {"n_unread": -1},
        {"level": 1.0},
        {"low": 0.1, "high": 0.1},
        {"state": "empty"},
        {"state": "insufficient"},
        {"state": "undefined", "note": "no variation"},
        {"state": "confounded", "note": "two factors"},
        {"state": "invalid"},
    ],
)
def test_dishonest_estimates_are_refused(changes):
    """A number without doubt, a doubt without reason or a value in a silent state is refused."""
    with pytest.raises(StatisticsError):
        make(**changes)


def test_zero_width_needs_an_explanation():
    """A note makes an interval without width acceptable."""
    assert make(low=0.1, high=0.1, note="all units agree").note


def test_invalid_may_keep_its_number_with_a_reason():
    """An invalid estimate keeps its number beside the reason."""
    assert make(state="invalid", note="20% missing").value == 0.1


@pytest.mark.parametrize("state", ["undefined", "invalid", "confounded"])
def test_states_without_a_readable_value_say_why(state):
    """These states need a note even without numbers."""
    absent = {"value": None, "low": None, "high": None, "se": None}
    with pytest.raises(StatisticsError, match="does not say why"):
        make(**absent, state=state)


def test_replacing_fields_validates_again():
    """A copy with a broken field is refused like a new estimate."""
    with pytest.raises(StatisticsError):
        msgspec.structs.replace(make(), low=0.5)


def test_withhold_keeps_counts_and_drops_numbers():
    """A withheld estimate has its counts and the reason alone."""
    withheld = withhold(make(k=4.0, n_rows=80, n_unread=3), "invalid", "too much missing")
    assert (withheld.value, withheld.low, withheld.high, withheld.se) == (None,) * 4
    assert (withheld.n, withheld.n_rows, withheld.n_unread, withheld.k) == (40, 80, 3, 4.0)
    assert (withheld.state, withheld.note) == ("invalid", "too much missing")


def test_withhold_cannot_say_ok():
    """Withholding a number in state ok is a contradiction."""
    with pytest.raises(StatisticsError, match="cannot be withheld"):
        withhold(make(), "ok", "fine")


def test_an_estimate_survives_json():
    """JSON and back gives the same estimate, nulls included."""
    for estimate in (make(), counts_only(3, 5, 1.0, 2)):
        text = msgspec.json.encode(estimate)
        assert msgspec.json.decode(text, type=Estimate) == estimate
