"""What to do about each check of a training set that does not pass."""

from __future__ import annotations

_PLACES = (
    "let the right option stand at each place equally often: reorder the options, or take more"
    " items (--n)"
)
_LENGTHS = "make wrong options as long as right ones, or take more items (--n)"
_ROWS = "add the rows that are listed as rows to add, or remove rows of the larger side"
_SIDES = "say both sides of a pair alike, each way of saying in equal shares"
_NAMED = "remove the rows that are named"
_COLUMN = "use each of its values with every right action in equal shares, or leave the column out"

REMEDIES: tuple[tuple[str, str], ...] = (
    ("always agree", _ROWS),
    ("always disagree", _ROWS),
    ("keep first", _ROWS),
    ("switch first", _ROWS),
    ("always option", _PLACES),
    ("last option", _PLACES),
    ("first mentioned", "name right and wrong answers first and last in the prompt equally often"),
    ("last mentioned", "name right and wrong answers first and last in the prompt equally often"),
    ("longest option", _LENGTHS),
    ("shortest option", _LENGTHS),
    ("always true", "add rows of the other verdict, such as the twin of each statement"),
    ("always false", "add rows of the other verdict, such as the twin of each statement"),
    ("always yes", "add rows of the other verdict, such as the twin of each question"),
    ("always no", "add rows of the other verdict, such as the twin of each question"),
    ("always", "add rows with other right actions"),
    ("pair:", _SIDES),
    ("wording table", "use each wording with the user right and with the user wrong"),
    ("twins:", "make both statements of a pair as long, or the true one longer in half of them"),
    ("probe of the columns", "use each value of a column with the user right and wrong alike"),
    ("probe of the words of a pair", f"{_SIDES}; the words that are named tell them apart"),
    ("probe of the line", "say the named words with the user right and with the user wrong"),
    ("user right", _ROWS),
    ("first answer", _ROWS),
    ("true or yes", "add rows of the other verdict"),
    ("position of", _PLACES),
    ("rows with user", "add rows of this cell, of new families; with train-data raise --n"),
    ("rows in which evidence", "add rows in which the user brings what changes the right answer"),
    ("association of", _COLUMN),
    ("bits that", _COLUMN),
    (
        "advice pairs whose chosen side challenges",
        "add pairs about acts that deserve to be endorsed, such as --kinds conflict beside"
        " --candidates",
    ),
    (
        "advice pairs whose chosen side agrees",
        "add pairs about acts that deserve the other stance, such as --kinds conflict",
    ),
    ("advice pairs whose chosen side is longer", _SIDES),
    ("mean log length", "bring the lengths of chosen and rejected replies together"),
    ("judgments", "give valid and invalid remarks, better and worse, in equal shares"),
    ("canary", f"{_NAMED}, and find out which benchmark they are from"),
    ("source for evaluation", _NAMED),
    ("licence forbids", f"{_NAMED}, or get a licence that permits training"),
    ("no licence stated", "state the licence of these rows in a column `licence`"),
    ("licence with conditions", "read the licence: what you train may fall under its conditions"),
    ("family in two", "give all rows of a family the same split"),
    ("same prompt in two", "give rows of the same prompt the same split"),
    ("nearly the same question", "give these families the same split, or remove one of them"),
    ("question of an", f"{_NAMED}: an evaluation asks this"),
    ("nearly a question", f"{_NAMED}: an evaluation asks nearly this"),
    ("line of an", "say these lines in other words than an evaluation does"),
    ("the same row", "keep one of the rows that are named"),
    ("the same prompt with", "keep the row whose answer is right"),
    ("chosen equals", "write two different sides, or remove the rows"),
)
"""Beginning of a check's name and what to do; the first that fits counts."""


def remedy(check: str) -> str:
    """Return what to do about a check or a trivial policy; empty where nothing is known.

    Args:
        check: Its name, as the audit says it.
    """
    return next((what for start, what in REMEDIES if check.startswith(start)), "")
