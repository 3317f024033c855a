"""Factors and their levels in words, for everything that people read."""

from __future__ import annotations

from collections.abc import Mapping

_WORDS = {
    ("names", "target"): "names a wrong answer",
    ("names", "truth"): "names the right answer",
    ("names", "nothing"): "names no answer",
    ("names", "not told"): "not told what it names",
    ("placement", "before"): "before an answer",
    ("placement", "after"): "after an answer",
    ("format", "system"): "format line in system message",
    ("format", "question"): "format line in question",
    ("format", "pushback"): "format line in pushback",
    ("format", "none"): "no format line",
    ("first", "own"): "own first answer",
    ("first", "planted_right"): "planted right answer",
    ("first", "planted_wrong"): "planted wrong answer",
    ("form", "own"): "as given",
    ("form", "bare"): "bare value",
    ("form", "derivation"): "work shown",
    ("asked", "answer"): "asked for an answer",
    ("asked", "right"): "asked whether right",
    ("asked", "wrong"): "asked whether wrong",
    ("committed", "own"): "own answer",
    ("committed", "right"): "right",
    ("committed", "wrong"): "wrong",
    ("boundary", "unanimous"): "unanimous",
    ("boundary", "near"): "near it",
    ("boundary", "boundary"): "at it",
    ("boundary", "unread"): "mostly unread",
    ("path", "repeat"): "repeated",
    ("path", "escalate"): "escalating",
    ("pressure", "filler"): "small talk",
    ("persona", "for"): "person for it",
    ("persona", "against"): "person against it",
    ("persona", "filler"): "person without a view",
    ("persona", "orthogonal"): "other request",
    ("expertise", "anybody"): "any expertise",
    ("expertise", "unsaid"): "no person",
    ("expertise", "nobody"): "no person",
    ("distance", "right"): "true",
    ("view", "stated"): "stated views",
    ("view", "inferred"): "identities",
    ("side", "for"): "person for it",
    ("side", "against"): "person against it",
    ("speaker", "asker"): "said by the asker",
    ("speaker", "stranger"): "said by a stranger",
    ("speaker", "expert"): "said by a professor",
    ("speaker", "institution"): "said by an institute",
    ("speaker", "document"): "said by a handbook",
    ("speaker", "tool"): "said by a search tool",
    ("speaker", "self"): "said by the model itself",
    ("speaker", "assistant"): "said by another AI",
    ("pressure", "asker"): "the asker",
    ("pressure", "stranger"): "a stranger",
    ("pressure", "expert"): "a professor",
    ("pressure", "institution"): "an institute",
    ("pressure", "document"): "a handbook",
    ("pressure", "tool"): "a search tool",
    ("pressure", "self"): "the model itself",
    ("pressure", "assistant"): "another AI",
    ("pressure", "as_question"): "put as a question",
    ("pressure", "as_statement"): "stated as a fact",
    ("pressure", "as_belief"): "as the asker's belief",
    ("pressure", "as_conviction"): "as the asker's conviction",
    ("pressure", "as_user_belief"): "as a user's belief",
    ("pressure", "as_user_conviction"): "as a user's conviction",
    ("pressure", "follow_up"): "put against a reply",
    ("pressure", "side_by_side"): "both answers at once",
    ("stands", "above"): "above the question",
    ("stands", "below"): "below the question",
    ("stands", "system"): "in a system message",
    ("stands", "answered"): "after an own answer",
    ("says", "wrong"): "gives a wrong answer",
    ("says", "right"): "gives the right answer",
    ("says", "for"): "is for it",
    ("says", "against"): "is against it",
    ("says", "nothing"): "gives no answer",
    ("says", "denied"): "denies an answer",
    ("statement", "written"): "as written",
    ("statement", "reversed"): "turned round",
    ("then", "adopts"): "then adopts it",
    ("then", "keeps off"): "then keeps off",
    ("pressure", "reask"): "asked again",
    ("pressure", "orthogonal"): "other request",
    ("pressure", "mention"): "mere mention",
    ("pressure", "notes_right"): "right step from notes",
    ("pressure", "notes_wrong"): "wrong step from notes",
    ("start", "own_right"): "its own, right",
    ("start", "own_wrong"): "its own, wrong",
    ("start", "own"): "own answer",
    ("start", "right"): "right solution shown",
    ("start", "wrong"): "wrong solution shown",
    ("start", "bare"): "wrong value shown",
    ("start", "none"): "before any answer",
    ("pressure", "assertion_to_bare"): "assertion, bare value",
    ("pressure", "student_plain"): "student's result",
    ("pressure", "tentative"): "tentative student",
    ("pressure", "certain"): "sure student",
    ("pressure", "from_notes"): "from notes",
    ("pressure", "from_assistant"): "from a teaching assistant",
    ("pressure", "from_book"): "from a textbook",
    ("pressure", "face_saving"): "face to save",
    ("pressure", "context_switch"): "next task builds on it",
    ("pressure", "student_sense"): "student names a sense",
    ("error", "sense"): "flipped sense",
    ("error", "sine_cosine_swap"): "sine and cosine swapped",
    ("error", "missed_member"): "member missed",
    ("error", "moment_arm"): "wrong moment arm",
    ("error", "called_zero"): "false zero member",
    ("error", "unit_slip"): "slip of units",
    ("error", "arithmetic"): "slip in arithmetic",
    ("known", "yes"): "known",
    ("known", "no"): "not known",
    ("known", "mixed"): "known in part",
    ("ask", "decide"): "asked to decide",
    ("ask", "prove"): "asked to prove",
    ("line", "none"): "no line",
    ("line", "orthogonal"): "other request",
    ("line", "hint"): "a hint",
    ("line", "sure"): "a sure user",
    ("line", "author"): "an expert",
    ("line", "contest"): "a contest",
    ("line", "own_claim"): "its own earlier claim",
    ("line", "nobody"): "nobody's claim",
    ("claimed", "none"): "nothing claimed",
    ("shown_as", "own"): "student's own",
    ("shown_as", "textbook"): "a textbook's",
    ("shown_as", "student"): "another student's",
    ("shown_as", "unattributed"): "no author named",
    ("says", "named"): "names an answer",
    ("says", "unnamed"): "names no answer",
}
_PHRASES = {
    "pressure": "{}",
    "wording": "{}",
    "kind": "{}",
    "names": "names {}",
    "strength": "{} wording",
    "contrast": "{}",
    "persona": "{}",
    "expertise": "{}",
    "claim": "{} claims",
    "distance": "{}",
    "knowledge": "{}",
    "view": "{}",
    "side": "{}",
    "speaker": "said by {}",
    "statement": "{} statement",
    "evidence": "{}",
    "step": "{}",
    "direction": "moved {}",
    "error": "{}",
    "members": "{} members",
    "tolerance": "tolerance {}",
}
_FACTORS = {
    "names": "what the line names",
    "format": "place of the format line",
    "first": "answer before the line",
    "form": "form of that answer",
    "asked": "what is asked",
    "path": "later turns",
    "order": "order of options",
}
"""Factors whose name alone does not say what they are."""

_SHORT = {
    ("names", "target"): "a wrong answer",
    ("names", "truth"): "the right answer",
    ("names", "view"): "a view",
    ("names", "nothing"): "no answer",
    ("names", "not told"): "not told",
    ("format", "system"): "in system message",
    ("format", "question"): "in question",
    ("format", "pushback"): "in pushback",
    ("format", "none"): "no instruction",
    ("strength", "mild"): "mild",
    ("strength", "plain"): "plain",
    ("strength", "strong"): "strong",
}
"""Levels beside the words for their factor, which need not be said again."""


def name_level(factor: str, level: str) -> str:
    """Return the words for one level of a factor."""
    known = _WORDS.get((factor, level))
    if known:
        return known
    words = level if factor in ("wording", "kind") else level.replace("_", " ")
    return _PHRASES.get(factor, factor.replace("_", " ") + " {}").replace("{}", words)


def name_factor(factor: str) -> str:
    """Return the words for a factor."""
    return _FACTORS.get(factor, factor.replace("_", " "))


def name_beside(factor: str, level: str) -> str:
    """Return the words for one level beside those for its factor."""
    short = _SHORT.get((factor, level)) or _WORDS.get((factor, level))
    return short or (level if factor in ("wording", "kind") else level.replace("_", " "))


def name_pair(factor: str, low: str, high: str) -> str:
    """Return two levels of a factor in words, such as `placement: before against after`."""
    return f"{name_factor(factor)}: {name_beside(factor, low)} against {name_beside(factor, high)}"


def name_setting(factors: Mapping[str, str]) -> str:
    """Return the levels of a cell in words, such as `authority, names a wrong answer, turn 1`."""
    return ", ".join(name_level(factor, level) for factor, level in factors.items())
