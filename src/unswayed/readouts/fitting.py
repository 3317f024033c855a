"""Whether a readout can read the answers to a question, asked before anything is spent."""

from __future__ import annotations

from unswayed.errors import ReadoutError
from unswayed.readouts.answer import Asked
from unswayed.readouts.equality import check_solver
from unswayed.readouts.formulas import parse_expression
from unswayed.readouts.numerals import number_of
from unswayed.readouts.reading import READOUTS, readout_id


def check_fits(asked: Asked, readout: str, *, truth: str | None = None) -> None:
    """Refuse a readout that cannot read a question.

    Args:
        asked: The question as the readout will know it.
        readout: A name in `READOUTS`.
        truth: What the answer will be graded against; it has to be of the form that is read,
            because a number is never looked for in a solution written as prose.

    Raises:
        ReadoutError: Saying what is lacking.
    """
    readout_id(readout)
    known = READOUTS[readout]
    check_answers(readout)
    if asked.form not in known.forms:
        raise ReadoutError(
            f"it reads no answers of the form {asked.form!r}",
            allowed=", ".join(known.forms),
            given=f"{asked.form}, options {'listed' if asked.listed else 'not listed'}",
            next_step="list the options, take the readout `by_form`, or leave such items out",
        )
    reader = asked.form if readout in ("by_form", "force") else readout
    reader = "choice" if reader == "text" else reader
    if known.needs_scores or reader == "choice":
        _check_options(asked)
    elif reader == "verdict" and len(asked.options) != 2:
        raise ReadoutError(
            "a verdict needs two options",
            allowed="two options, such as True and False",
            given=repr(asked.options),
            next_step="name both verdicts as the item's options",
        )
    elif reader == "number":
        _check_short("number", truth, truth is None or number_of(truth) is not None)
    elif reader == "expression":
        _check_expression(asked, truth)
    elif reader == "score" and asked.scale is None:
        raise ReadoutError(
            "a score needs a stated scale",
            allowed="an item text `scale`, such as `0 to 10`",
            given="none",
            next_step="state the scale, or take the readout `number`",
        )


def check_answers(readout: str) -> None:
    """Refuse a readout whose value answers no question, so that nothing could be graded.

    Raises:
        ReadoutError: Saying where it is read.
    """
    if not READOUTS[readout].answers:
        raise ReadoutError(
            f"the readout {readout!r} reads no answers",
            allowed=", ".join(name for name, each in READOUTS.items() if each.answers),
            given=readout,
            next_step="it is read by itself beside the answers of `are-you-sure`",
        )


def _check_options(asked: Asked) -> None:
    if len(asked.options) < 2:
        raise ReadoutError(
            "there are no options to choose from",
            allowed="at least two options",
            given=repr(asked.options),
            next_step="name the options, or take a readout that needs none",
        )


def _check_expression(asked: Asked, truth: str | None) -> None:
    check_solver()
    for text in (*asked.options, *((truth,) if truth is not None else ())):
        _check_short("expression", text, parse_expression(text) is not None)


def _check_short(form: str, text: str | None, fits: bool) -> None:
    if not fits:
        raise ReadoutError(
            f"its answer is not one {form}",
            allowed=f"a short field that is one {form}, without words around it",
            given=repr(text),
            next_step=f"write the {form} alone; an answer is never guessed from prose",
        )
