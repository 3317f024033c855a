"""Rewards by name, and which of them need their whole group."""

from __future__ import annotations

import pytest

from unswayed.errors import UsageError
from unswayed.rewards import Counterweight, Logged, Mixture, Serum, Term, TruthMatch, trl
from unswayed.rewards.named import RULES, named_rule, needs_company


def test_names_are_the_rules_own():
    """Every name gives the rule that is called so; a path gives one of your own."""
    for name in RULES:
        assert named_rule(name).name == name
    assert named_rule("unswayed.rewards.trl:serum") is trl.serum.rule  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "name", ["nothing", "no.such.module:x", "json:loads", "unswayed.rewards:Serum", "json:nope", ""]
)
def test_what_is_no_reward_is_refused(name: str):
    """Unknown names, places that do not exist, and things that pay nothing."""
    with pytest.raises(UsageError, match="no such reward"):
        named_rule(name)


def test_company():
    """Groups and twins, alone or inside of others; an optional term takes its group along."""
    alone = Term(rule=TruthMatch(), weight=1.0)
    assert {name for name, rule in RULES.items() if needs_company(rule)} == {
        "twin_match", "opinion_invariance", "serum",
    }  # fmt: skip
    assert not needs_company(Mixture(terms=(alone,)))
    assert needs_company(Mixture(terms=(alone, Term(rule=Serum(), weight=1.0))))
    optional = Term(rule=Logged(column="style"), weight=0.1, required=False)
    assert needs_company(Mixture(terms=(alone, optional)))
    assert needs_company(Counterweight(rule=Serum(), penalty=1.0))
    assert not needs_company(Counterweight(rule=TruthMatch(), penalty=1.0))
