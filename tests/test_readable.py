"""Plans whose readout cannot read an item are refused before anything is spent."""

import pytest

from unswayed import line
from unswayed.errors import ReadoutError
from unswayed.folder import RunFolder
from unswayed.items.builtin import builtin_items
from unswayed.items.item import Item
from unswayed.plans.cross import cross
from unswayed.plans.design import Design
from unswayed.readable import asked_of, check_readable, scale_of
from unswayed.readouts import equality
from unswayed.readouts.answer import Asked
from unswayed.wording import format_line

CITY = Item(id="city", kind="k", question="Where?", truth="Oslo", target="Bergen",
            options=("Oslo", "Bergen"))  # fmt: skip
OPEN = Item(id="open", kind="k", question="Where?", truth="Oslo", target="Bergen")
SUM = Item(id="sum", kind="k", question="How many?", truth="7", target="8", answer_form="number")
CLAIM = Item(id="claim", kind="k", question="True?", truth="True", target="False",
             options=("True", "False"), answer_form="verdict")  # fmt: skip
FORMULA = Item(id="formula", kind="k", question="Solve.", truth="x+1", target="x-1",
               answer_form="expression")  # fmt: skip


@pytest.mark.parametrize(
    ("item", "design"),
    [
        (SUM, Design(readout="choice")),
        (SUM, Design(readout="verdict")),
        (CITY, Design(readout="number")),
        (OPEN, Design(readout="choice")),
        (OPEN, Design(readout="by_form")),
        (CLAIM, Design(readout="number")),
        (SUM, Design(readout="score")),
        (CITY, Design(readout="expression")),
    ],
)
def test_a_form_that_cannot_be_read_is_refused(item, design):
    """The error names item, form and readout."""
    with pytest.raises(ReadoutError) as caught:
        check_readable([item], design)
    for word in (item.id, item.answer_form, design.readout):
        assert word in caught.value.wrong


def test_mixed_kinds_are_read_by_form():
    """Options, numbers and verdicts in one plan need no list of options."""
    check_readable([CITY, SUM, CLAIM], Design(readout="by_form"))


def test_listed_options_make_any_form_a_choice():
    """A number item whose options are listed is read by its letters."""
    listed = Item(id="n", kind="k", question="?", truth="7", target="8", options=("7", "8"),
                  answer_form="number")  # fmt: skip
    check_readable([listed, CITY], Design(readout="choice", listed=True))


def test_the_built_in_items_are_readable_without_a_list():
    """Every built-in item can be asked openly."""
    check_readable(builtin_items(), Design(readout="by_form"))


@pytest.mark.parametrize(
    "truth", ["(6 points) It takes 180 days.\nAnswer: 180 days.", "Add 3 and 4 to get 7, then 8"]
)
def test_c027_a_prose_truth_is_rejected_and_not_searched(truth):
    """C027: the truth of a number item is one number."""
    item = Item(id="prose", kind="k", question="?", truth=truth, target="3", answer_form="number")
    with pytest.raises(ReadoutError, match="not one number"):
        check_readable([item], Design(readout="number"))


def test_c027_a_prose_expression_is_rejected(monkeypatch):
    """C027: the same for an expression."""
    monkeypatch.setattr(equality, "has_solver", lambda: True)
    item = Item(id="prose", kind="k", question="?", truth="It is x+1 here", target="x",
                answer_form="expression")  # fmt: skip
    with pytest.raises(ReadoutError, match="not one expression"):
        check_readable([item], Design(readout="expression"))


def test_expressions_need_the_solver_when_planned(monkeypatch):
    """Without the extra a plan is refused, and no answer is ever guessed."""
    monkeypatch.setattr(equality, "has_solver", lambda: False)
    with pytest.raises(ReadoutError, match="SymPy") as caught:
        check_readable([FORMULA], Design(readout="expression"))
    assert "unswayed[math]" in caught.value.next_step


def test_nothing_is_written_when_a_readout_does_not_fit(tmp_path):
    """A refused plan leaves no file behind."""
    folder = RunFolder(tmp_path / "run")
    design = Design(readout="verdict")
    about = line.plan_about([CITY], design, benchmark=None, item_set="own")
    with pytest.raises(ReadoutError, match="city"):
        line.make_plan(folder, [CITY], about)
    assert not folder.plan.exists()


def test_an_expression_is_asked_for():
    """The format line of an expression item asks for an expression."""
    first = next(iter(cross([FORMULA], Design(readout="by_form"))))
    assert format_line("expression").text in first.transcript.messages[-1].content


def test_an_expression_is_compared_with_truth_and_target_in_alphabetical_order():
    """The order does not tell which of them is right."""
    assert asked_of(FORMULA, listed=False).options == ("x+1", "x-1")
    swapped = Item(id="s", kind="k", question="?", truth="x-1", target="x+1",
                   answer_form="expression")  # fmt: skip
    assert asked_of(swapped, listed=False).options == ("x+1", "x-1")


def test_what_is_asked_follows_the_list():
    """Listed options are a choice in the order of the list."""
    asked = asked_of(CITY, listed=True, order="reversed")
    assert asked == Asked(form="choice", options=("Bergen", "Oslo"), listed=True, aliases=((), ()))


@pytest.mark.parametrize(
    ("text", "scale"),
    [
        ("0 to 10", ((0.0, 10.0), False)),
        ("-5 to 5 in whole numbers", ((-5.0, 5.0), True)),
        ("0 to 0.5", ((0.0, 0.5), False)),
    ],
)
def test_a_scale_is_stated_in_the_items_texts(text, scale):
    """Low, high, and whether only whole numbers count."""
    item = Item(id="s", kind="k", question="?", truth="1", target="2", texts={"scale": text})
    assert scale_of(item) == scale


@pytest.mark.parametrize("text", ["10 to 0", "one to ten", "1-10", ""])
def test_a_scale_that_cannot_be_read_is_refused(text):
    """A scale is never guessed."""
    item = Item(id="s", kind="k", question="?", truth="1", target="2", texts={"scale": text})
    with pytest.raises(ReadoutError, match="scale"):
        scale_of(item)
