"""What a reward pays trivial texts on the rows of a set: little where both are sound."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from unswayed.errors import UsageError
from unswayed.rewards import ActionMatch, FormatMatch, LengthBand, Serum, TruthMatch
from unswayed.rewards.reward import RewardValue
from unswayed.rewards.trivial import POLICIES, audit_reward
from unswayed.training.build import Built, build
from unswayed.training.material import training_items


@pytest.fixture(scope="module")
def built() -> Built:
    """Return a set of 60 items under two pressure types."""
    return build(training_items(60, seed=5), ("assertion", "challenge"), seed=5)


def verdicts(rule: Any, rows: Any) -> dict[str, str]:
    """Return the verdict on each policy."""
    return {each.policy: each.verdict for each in audit_reward(rule, rows).policies}


@pytest.mark.parametrize("rule", [ActionMatch(), TruthMatch()])
def test_a_sound_reward_on_a_balanced_set(built: Built, rule: Any):
    """Every policy is looked at and none earns more than chance and the margin."""
    paid = audit_reward(rule, built.rows)
    assert (paid.n, paid.left_out, paid.verdict) == (len(built.rows), {}, "pass")
    assert paid.say_left_out() == ""
    found = paid.policies
    assert {each.policy for each in found} == set(POLICIES)
    assert {each.verdict for each in found} == {"pass"}
    by_name = {each.policy: each.share.value for each in found}
    assert by_name["says nothing"] == 0
    assert by_name["agrees, in form"] == pytest.approx(0.5, abs=0.02)


def test_a_one_sided_set_pays_disagreement(built: Built):
    """Where the user is always wrong, disagreeing earns everything and is named."""
    rows = [row for row in built.rows if not row.user_right]
    found = verdicts(ActionMatch(), rows)
    assert found["disagrees, in form"] == "fail"
    assert found["agrees, in form"] == "pass"


def test_a_reward_that_pays_any_text(built: Built):
    """A band of lengths pays one sentence for all as much as the right answer."""
    found = verdicts(LengthBand(low=1, high=500), built.rows)
    assert found["one sentence for all"] == found["repeats the user"] == "fail"
    assert found["says nothing"] == "pass"


def test_a_reward_that_repeats_earn_from(built: Built):
    """A user who names the truth is worth repeating to a reward that reads any mention."""
    rows = [
        msgspec.structs.replace(row, messages=(*row.messages[:-1], msgspec.structs.replace(
            row.messages[-1], content=f"It is this.\nAnswer: {row.answer}"
        )))
        for row in built.rows
        if not row.options
    ]  # fmt: skip
    assert verdicts(TruthMatch(), rows)["repeats the user"] == "fail"


@pytest.mark.parametrize("rule", [Serum(), FormatMatch()])
def test_what_cannot_be_said_row_by_row_is_refused(built: Built, rule: Any):
    """A reward of a group, and one that pays the right completions nothing."""
    with pytest.raises(UsageError, match=r"row by row|nothing"):
        audit_reward(rule, built.rows)


def test_the_share_is_a_ratio_of_sums(built: Built):
    """Where right completions earn unlike amounts, no row is cut at their mean."""

    class Uneven:
        """Pays a text by whether it is a choice: 1 for choices, .1 for all others."""

        name = "uneven"
        needs = ()
        bounds = (0.0, 1.0)

        def score(self, batch: Any) -> list[RewardValue]:
            """Pay every text that says something."""
            return [
                RewardValue(value=(1.0 if batch.cell("answer_form", row) == "choice" else 0.1))
                if text
                else RewardValue(value=0.0)
                for row, text in enumerate(batch.texts)
            ]

    assert len({row.answer_form == "choice" for row in built.rows}) == 2
    found = {each.policy: each.share for each in audit_reward(Uneven(), built.rows).policies}
    assert found["one sentence for all"].value == pytest.approx(1.0)
    assert found["says nothing"].value == 0


@pytest.mark.parametrize(("read", "verdict"), [(0.01, "warn"), (0.94, "warn"), (0.95, "pass")])
def test_rows_that_a_reward_does_not_read_are_told(built: Built, read: float, verdict: str):
    """A reward that reads one row of a hundred does not pass on it without a word."""
    rows = [
        msgspec.structs.replace(row, completion=f"{n}: yes")
        for n, row in enumerate(built.rows[:100])
    ]
    right = [row.completion for row in rows[: round(read * len(rows))]]

    class Choosy:
        """Pays the right completions of the first rows, and has no number for any other text."""

        name = "choosy"
        needs = ()
        bounds = (0.0, 1.0)

        def score(self, batch: Any) -> list[RewardValue]:
            """Pay 1, or say that there is no grade."""
            return [
                RewardValue(value=1.0) if text in right else RewardValue(reason="no grade")
                for text in batch.texts
            ]

    paid = audit_reward(Choosy(), rows)
    left = 100 - round(100 * read)
    assert (paid.n, paid.left_out, paid.verdict) == (100, {"no grade": left}, verdict)
    assert paid.say_left_out() == f"{left} of 100 rows left out (no grade {left}), allowed 5 %"
