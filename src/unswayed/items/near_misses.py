"""Files of other families that are likely to be given by mistake: what they are, what to do."""

from __future__ import annotations

import shlex

import msgspec

from unswayed.errors import RowError
from unswayed.items import public_sycophancy_eval
from unswayed.items.cells import Table


class NearMiss(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of file that gives no items, known by its columns."""

    columns: frozenset[str]
    """Columns that all of its files have."""
    about: str
    """What the file is, after `FILE has the columns of`."""
    next_step: str
    """What to do instead."""


_IMPORT = (
    "it holds no questions to ask; see what it says with `unswayed import FILE`, or in Python "
    "with read_results"
)
_JUDGED = "it holds replies and their scores and no questions with answers"
_OWN = "questions of its kind become items when each has a truth and a wrong target that you add"


def _kind(columns: str, about: str, next_step: str) -> NearMiss:
    return NearMiss(columns=frozenset(columns.split()), about=about, next_step=next_step)


NEAR_MISSES: tuple[NearMiss, ...] = (
    _kind(
        "question answer_matching_behavior answer_not_matching_behavior",
        "a model-written evaluation of another trait than sycophancy",
        "evaluations of other traits share these keys and are no sycophancy sets, and their "
        "matching answer is no truth: use the nlp_survey, philpapers2020 or "
        "political_typology_quiz file",
    ),
    _kind(
        "judge solver solver_id problem true_grade",
        "a table of results of BrokenMath, a verdict for each solution of a false statement",
        f"{_IMPORT}, or give the BrokenMath file of problems",
    ),
    _kind(
        "solver solver_id problem accuracy",
        "a table of results of BrokenMath, how many solutions of a true problem are right",
        f"{_IMPORT}, or give the BrokenMath file of problems",
    ),
    _kind(
        "belief command truth_orthogonal n_ic",
        "the summary of flips by model and domain of Tracing Sycophancy",
        _IMPORT,
    ),
    _kind(
        "model pickside_results_file mirror_results_file whosaid_results_file",
        "the summary of a run of syco-bench, one row for each model",
        "give its questions, such as questions_pickside.csv or questions_mirror.csv",
    ),
    _kind(
        "response1 response2 judge1_scores judge2_scores",
        "the output of a run of syco-bench, replies with the scores of judges",
        f"{_JUDGED}: give its questions, questions_pickside.csv or questions_mirror.csv",
    ),
    _kind(
        "response_self response_friend judge_scores_self judge_scores_friend",
        "the output of a run of syco-bench, replies on whose statement it is",
        f"{_JUDGED}: give its questions, questions_whosaid.csv",
    ),
    _kind(
        "query memories failure_type",
        "a file of PersistBench, requests with memories of a user that should not bend the reply",
        "its rows have no right answer to hold a reply against, so nothing here measures them: "
        "use `-b opinions`, whose own items have people who state a view",
    ),
    _kind(
        "id task dialogue question memory evaluation",
        "a file of MemSyco-Bench, dialogues with memories",
        f"its answers lie inside of `evaluation` and are not read: {_OWN}",
    ),
    _kind(
        "model question_type turn judgement rationale",
        "a table of a judge's verdicts on turns of SYCON-Bench dialogues",
        _JUDGED + ": give a file of questions",
    ),
    _kind(
        "Response_1 Response_2 Response_3 Response_4 Response_5",
        "the output of a run of SYCON-Bench, replies by turn",
        _JUDGED + ": give a file of questions",
    ),
    _kind(
        "Question Pushback_1 Pushback_2",
        "the file of pushback of SYCON-Bench on false presuppositions",
        f"its questions have no answer in the file: {_OWN}",
    ),
    _kind(
        "bias_type stereotype question question2",
        "the file of ethical queries of SYCON-Bench, one stereotype pressed over several turns",
        f"its column `target` names a group of people and no wrong answer: {_OWN}",
    ),
    _kind(
        "prompt is_asshole ytanta",
        "a file of ELEPHANT, posts with the verdict of a forum",
        "a verdict of a forum is no truth: use `-b comments` or `-b opinions`, with own items",
    ),
    _kind(
        "prompt human emotional_validation_human",
        "a file of ELEPHANT, open requests for advice with the scores of human replies",
        "its requests have no right answer: use `-b comments` or `-b opinions`, with own items",
    ),
    _kind(
        "prompt_id category prompts",
        "the file of prompts of Spiral-Bench, which a second model continues as the user",
        "its dialogues have no right answers and no fixed turns: give a file of questions",
    ),
    _kind(
        "scenario_id condition turn_idx assistant_reply",
        "the audit sheet of SUP, replies to be marked by people",
        _JUDGED + ": give a file of questions",
    ),
)
"""Kinds of files, the first that fits counts."""

_SYCOPHANCY_EVAL = ({"prompt", "base"}, {"base", "metadata"})
"""Columns of which either pair is that of SycophancyEval."""


def near_miss(table: Table) -> RowError | None:
    """Return what a table of another family is and what to do; None for an unknown table.

    To be asked where no format fits and no mapping is given, before any mapping is suggested.

    Args:
        table: The table; its columns decide.
    """
    columns = set(table.columns)
    for known in NEAR_MISSES:
        if known.columns <= columns:
            return RowError(
                f"{table.path} has the columns of {known.about}; it gives no items",
                given=f"the columns {', '.join(table.columns)}",
                next_step=known.next_step.replace("FILE", shlex.quote(str(table.path)), 1),
            )
    if table.rows and any(pair <= columns for pair in _SYCOPHANCY_EVAL):
        cells = table.rows[0].cells
        return RowError(
            f"{table.path} has columns of SycophancyEval and is none of its four files",
            allowed="the answer, are_you_sure, feedback or mimicry file as it was published",
            given="row 1, which is "
            + "; ".join(
                f"no {known.name.removeprefix('sycophancy_eval_')} row, as {known.lacks(cells)}"
                for known in public_sycophancy_eval.FORMATS
            ),
            next_step="give one of the four files; other keys of this source are not documented",
        )
    return None
