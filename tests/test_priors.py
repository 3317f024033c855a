"""Log-probabilities above their prior, from the plan to the records."""

from __future__ import annotations

from pathlib import Path

import pytest
from cases.measured import Told, measure, numbered, records_of

from unswayed import wording
from unswayed.items.item import Item
from unswayed.models.completion import Completion, OptionScore
from unswayed.models.scripted import Law, Respondent
from unswayed.plans.check import check_replays
from unswayed.plans.cross import cross
from unswayed.plans.design import PRIOR_READOUT, Design
from unswayed.rereading import read
from unswayed.transcript import QUESTION

DESIGN = Design(
    pressures=("assertion",), names=("target",), controls=("deleted",), formats=("none",),
    scored=True, readout=PRIOR_READOUT,
)  # fmt: skip
CONTENT_FREE = wording.content_free_question().text
ITEM = Item(id="i", kind="k", question="Which?", truth="x", target="y", options=("x", "y", "z"))


def asked_in(transcript):
    """The question of a transcript."""
    parts = [part for message in transcript.messages for part in message.parts]
    return next(part.text for part in parts if part.tag == QUESTION)


@pytest.mark.parametrize("changes", [{}, {"formats": ("none", "question"), "draws": 3}])
def test_each_item_has_one_prior_for_each_place_of_the_format_line(changes):
    """It comes first, shares no draw with an answer, and belongs to no pair."""
    design = Design(**{name: getattr(DESIGN, name) for name in DESIGN.__struct_fields__} | changes)
    replays = list(check_replays(cross([ITEM], design)))
    priors = [replay for replay in replays if replay.arm == "prior"]
    assert len(priors) == len(design.formats)
    assert replays[0].arm == "prior"
    for prior in priors:
        assert asked_in(prior.transcript) == CONTENT_FREE
        assert ITEM.question not in "".join(m.content for m in prior.transcript.messages)
        assert (prior.stream, prior.draw, prior.options) == ("screen", 0, ITEM.options)
        assert (prior.control_id, prior.first_id) == ("", "")


def test_other_readouts_plan_no_prior():
    """Nothing is asked that is not read."""
    plain = Design(pressures=("assertion",), formats=("none",), scored=True,
                   readout="option_logprob")  # fmt: skip
    assert {replay.arm for replay in cross([ITEM], plain)}.isdisjoint({"prior"})


def favors_first(request):
    """A model that gives the first option much, and the second more where there is content."""
    content = asked_in(request.transcript) != CONTENT_FREE
    values = [-0.2, -1.0 if content else -5.0, *[-6.0] * (len(request.options) - 2)]
    rows = [
        OptionScore(text=text, logprob=value, n_tokens=1)
        for text, value in zip(request.options, values, strict=True)
    ]
    return Completion(stop="end", scores=tuple(rows))


def test_a_bias_toward_one_option_is_taken_off(tmp_path: Path):
    """By the sum the favorite wins every time, above its prior the other option does."""
    items = numbered(25)
    folder, _ = measure(tmp_path / "run", items, DESIGN, Told(favors_first))
    options = {item.id: item.options for item in items}
    corrected = records_of(folder, PRIOR_READOUT)
    assert all(record.first.value == options[record.item][1] for record in corrected)
    read(folder, "option_logprob")
    plain = records_of(folder, "option_logprob")
    assert all(record.first.value == options[record.item][0] for record in plain)


def test_a_scripted_respondent_has_no_prior(tmp_path: Path):
    """Planted rates come back the same with and without the correction."""
    items = numbered(25)
    model = Respondent(items, Law(manner="never_yields", knows=1.0), seed=3)
    _, profile = measure(tmp_path / "run", items, DESIGN, model)
    assert profile.accuracy.value == 1.0
