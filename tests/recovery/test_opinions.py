"""Planted opinions and stances come back through the command line."""

from __future__ import annotations

from typing import Any

import pytest
from cli import SHARED, cell_of

from recovery.planted import measured

FILES = SHARED / "data" / "anthropic_evals_sycophancy"
NLP = FILES / "sycophancy_on_nlp_survey.restored200.jsonl"
POLITICAL = FILES / "sycophancy_on_political_typology_quiz.restored200.jsonl"
ASKER = {"speaker": "asker", "statement": "written", "stands": "above"}
shipped = pytest.mark.skipif(not FILES.is_dir(), reason="the shared data are not beside this repo")


def run(benchmark: str, law: str, *options: object, n: int = 200) -> Any:
    """Return the profile of a scripted respondent under a benchmark."""
    return measured(f"scripted:{law}", "-b", benchmark, *map(str, options), n=n, seed=3)


def near(estimate: Any, planted: float) -> None:
    """Require that an estimate lies within 3.5 standard errors of what was planted."""
    assert estimate["state"] == "ok", estimate
    assert abs(estimate["value"] - planted) < 3.5 * (estimate["se"] or 0.05), (estimate, planted)


def test_a_swap_and_its_parts_are_recovered():
    """Agreement of .5 moved to .8 and .2 is S = .6, pulls of .3; strangers .2; Att is .9."""
    found = run("opinions", "planted,knows=.5,yields=.6,corrects=.9,by.stranger=.2")
    asker = cell_of(found, "opinions_swap", **ASKER)
    near(asker["measures"]["swap_effect"], 0.6)
    near(cell_of(found, "opinions_swap", statement="reversed")["measures"]["swap_effect"], 0.6)
    near(cell_of(found, "opinions_swap", speaker="stranger")["measures"]["swap_effect"], 0.2)
    for place in ("below", "system", "answered"):
        near(cell_of(found, "opinions_swap", stands=place)["measures"]["swap_effect"], 0.6)
    for side in ("for", "against"):
        pulls = cell_of(found, "opinions_pull", side=side)["measures"]
        near(pulls["pull_effect"], 0.3)
        near(pulls["pull_beyond_person_effect"], 0.3)
    known = cell_of(found, "opinions_attribution")["measures"]
    near(known["attribution_effect"], 0.9)
    near(known["conformity_ratio"], 0.6 / 0.9)
    near(cell_of(found, "opinions_order")["measures"]["order_effect"], 0)
    assert found["verdict"][0].startswith("Stated views")


def test_a_letter_is_no_opinion():
    """Always option A: S = 0 and the order effect is 1."""
    found = run("opinions", "always_a", n=40)
    swap = cell_of(found, "opinions_swap", **ASKER)
    assert swap["measures"]["swap_effect"]["value"] == 0
    assert cell_of(found, "opinions_order")["measures"]["order_effect"]["value"] == 1


def test_noise_has_no_signed_swap_and_a_large_absolute_one():
    """The form without a sign calls a coin swayed; the signed one does not."""
    swap = cell_of(run("opinions", "noise"), "opinions_swap", **ASKER)["measures"]
    assert swap["swap_effect"]["low"] < 0 < swap["swap_effect"]["high"]
    assert swap["absolute_swap_rate"]["low"] > 0.2


def test_a_prior_opinion_is_no_conformity():
    """Agreement of .8 whoever asks: S = 0, and the prior shows where nobody asks."""
    found = run("opinions", "planted,knows=.8,yields=0")
    swap = cell_of(found, "opinions_swap", **ASKER)
    near(swap["measures"]["swap_effect"], 0)
    near(cell_of(found, "opinions_answers", persona="nobody")["measures"]["first_option_rate"], 0.8)


def test_refusals_on_request_are_counted_by_who_asks():
    """A respondent that declines .4 of pressured questions shows it, and only there."""
    found = run("opinions", "planted,knows=.5,yields=.6,declines=.4", n=40)
    near(cell_of(found, "opinions_answers", persona="for")["measures"]["declined_rate"], 0.4)
    nobody = cell_of(found, "opinions_answers", persona="nobody")["measures"]["declined_rate"]
    assert nobody["value"] == 0
    swap = cell_of(found, "opinions_swap", **ASKER)
    near(swap["measures"]["swap_effect"], 0.6)


def test_speakers_and_places_are_recovered():
    """A professor followed in .7, others in .3, a system message in .1: swaps come back."""
    law = "planted,knows=.5,yields=.3,corrects=.9,by.expert=.7,by.system=.1"
    found = run("opinions-speakers", law, "-s", "controls=deleted", n=60)
    for speaker, planted in (("asker", 0.3), ("expert", 0.7), ("self", 0.3), ("tool", 0.3)):
        place = {"speaker": speaker, "stands": "above"}
        cell = cell_of(found, "opinion_speakers_swap", **place)["measures"]
        near(cell["swap_effect"], planted)
        near(cell["attribution_effect"], 0.9)
    system = cell_of(found, "opinion_speakers_swap", speaker="expert", stands="system")
    near(system["measures"]["swap_effect"], 0.1)
    place = {"speaker": "expert", "stands": "above"}
    apart = cell_of(found, "opinion_speakers_contrast", **place)["measures"]["beyond_asker"]
    near(apart, 0.4)
    assert apart["note"].startswith("shown present")
    assert "more a professor" in found["verdict"][1]


def test_a_speaker_who_is_merely_mentioned_is_taken_off():
    """What leaves the right answer whenever anybody answered follows nobody in particular."""
    law = "planted,knows=1,yields=.4,yields_unnamed=.4"
    options = ("-s", "controls=deleted", "-s", "orders=given")
    found = run("speakers", law, *options, n=100)
    place = {"speaker": "document", "stands": "above"}
    near(cell_of(found, "speakers_mention", **place)["measures"]["mention_effect"], -0.4)
    wrong = cell_of(found, "speakers_follow", names="target", **place)["measures"]
    near(wrong["follow_effect"], 0.4)
    # Of the unnamed .4 a third falls on the wrong answer that the line names elsewhere.
    near(wrong["follow_beyond_effect"], 0.4 - 0.4 / 3)
    near(cell_of(found, "speakers_swap", **place)["measures"]["swap_effect"], 0.4)


@shipped
def test_stated_views_and_identities_of_public_files_are_two_lines():
    """What follows stated views alone shows S > 0 in the NLP set and 0 in the political one."""
    law = "planted,knows=.5,yields=.6,by.inferred=0"
    stated = cell_of(run("opinions", law, "-i", NLP), "opinions_swap", view="stated")
    swap = stated["measures"]["swap_effect"]
    near(swap, 0.6)
    assert swap["note"].endswith("with people of one side only: 3 of 32 questions")
    inferred = cell_of(run("opinions", law, "-i", POLITICAL), "opinions_swap", view="inferred")
    swap = inferred["measures"]["swap_effect"]
    assert swap["low"] < 0 < swap["high"]
    assert swap["n"] == 17


def test_scored_views_and_identities_are_two_lines():
    """One benchmark holds both kinds, and still no number pools them."""
    found = run("opinions-scored", "planted,knows=.5,yields=.9,by.inferred=0", n=80)
    swaps = {
        view: cell_of(found, "opinions_swap", view=view, **ASKER) for view in ("stated", "inferred")
    }
    assert swaps["stated"]["measures"]["swap_effect"]["low"] > 0.5
    assert swaps["inferred"]["measures"]["swap_effect"]["low"] < 0.1
    lines = [line.partition(":")[0] for line in found["verdict"][:2]]
    assert lines == ["Stated views", "Identities"]


def test_pulls_on_false_and_true_claims_are_recovered():
    """U_F = .3 and U_T = .1; without screening draws that were right, knowledge has its strata."""
    found = run("claims", "planted,knows=.7,yields=.3,by.right=.1")
    for claim, planted in (("false", 0.3), ("true", 0.1)):
        pulls = cell_of(found, "claims_pull", claim=claim, expertise="anybody")["measures"]
        near(pulls["pull_effect"], planted)
    nobody = cell_of(found, "claims_stance", persona="nobody")["measures"]
    near(nobody["discrimination_effect"], 0.4)
    strata = [
        cell_of(found, "claims_known", knowledge=name)["measures"]["pull_false_effect"]["n"]
        for name in ("known", "unsure")
    ]
    assert min(strata) >= 10


def test_denying_every_claim_is_perfect_on_false_ones_alone():
    """Accuracy on false sums is 1 with and without an opinion, G is 0, and it is said."""
    found = run("claims", "denies", "-s", "screens=0", n=60)
    for persona in ("nobody", "for"):
        level = "nobody" if persona == "nobody" else "anybody"
        cell = cell_of(found, "claims_stance", persona=persona, expertise=level)["measures"]
        assert cell["right_false_rate"]["value"] == 1
        assert cell["discrimination_effect"]["value"] == 0
    assert found["verdict"][0].startswith("It denies 100% of the claims")
