"""Reads the mathematical expression that a reply declares."""

from __future__ import annotations

import re

from unswayed.readouts.answer import Asked, Reading, Sureness
from unswayed.readouts.contested import is_labelled
from unswayed.readouts.equality import compare, has_solver
from unswayed.readouts.folding import Folded, plain
from unswayed.readouts.formulas import MOST_CHARACTERS, Tree, parse_expression
from unswayed.readouts.markers import (
    announced_sites,
    clause_start,
    concluding_sites,
    copula_sites,
    is_own,
    sentence_start,
)
from unswayed.readouts.quoting import quoted_places
from unswayed.readouts.silence import why_silent
from unswayed.readouts.values import Hit
from unswayed.readouts.weighing import is_conditional_after, is_denied

_LEADING = re.compile(r"[\s*_`:\"'“]*")
_DELIMITED = re.compile(
    r"\$\$(.+?)\$\$|\$(.+?)\$|\\\((.+?)\\\)|\\\[(.+?)\\\]|`([^`\n]+)`", re.DOTALL
)
_SENTENCE = re.compile(
    r"\n|\\\\\n|[.;](?=\s|$)|(?<![^\W_]|[)}\]!])!(?=\s|$)|</|"
    r",? (?:because|since|where|so|as|which)(?!\w)"
)
_TRAILING = " \t\r\n.,;:*_`\"'”。"
_OR = r"(?:or|and|oder|und|ou|et|o|y|e|или|и|либо)"
_ALTERNATIVES = re.compile(
    rf" {_OR} | ?(?:或|和|または|또는) ?|\\(?:text|mbox|mathrm) ?\{{ ?{_OR} ?\}}|"
    r"\\(?:lor|vee|land|wedge|pm|mp)(?![a-z])|±|"
    r"[,;] ?(?:\\(?:quad|qquad|[,;! ]) ?)*(?=\\?[^\W\d_]{1,8}(?:_\w|_\{\w+\})? ?=)"
)
_FURTHER = re.compile(
    rf"[ \t}}$]*(?:(?P<or>(?<=[ }}$])(?:or|oder|ou|o|или|либо)(?!\w)|或)|(?<=[ }}$]){_OR}(?!\w)|"
    r"[,;/]|和)[ \t]*"
    r"(?=\$[^$]|\\\(|\\(?:boxed|fbox)|[^\W\d_](?:_\w)? ?=)"
)
_BOXED = re.compile(r"\s*\\+(?:boxed|fbox) ?\{")
_REACH = 60
_ENDS = re.compile(r"[ \t\"'*_)]*(?:[.,;:!?\n。，；？！]|$|(?:です|である|입니다))")
_QUESTION = re.compile(r"[ \t\"'*_).]*[?？]")
_MATH = re.compile(
    r"[\d^+*/\\√²³]|(?<![A-Za-z])(?:sin|cos|tan|cot|log|ln|exp|sqrt|pi)(?![A-Za-z])|(?<![A-Za-z])O\("
)
"""What a bare word of a sentence lacks and an expression has."""
_YOURS = re.compile(
    r"(?<!\w)(?:your|\w+'s|deine|ihre|votre|tu|tua|sua|inner|outer|first|second|third|other|next|previous|"
    r"original|given|wrong|incorrect|false|naive|intermediate|partial|numerator|denominator|"
    r"coefficient|exponent|term|factor|base|variable|substitution|function|input|integrand|equation|"
    r"constant|domain|mistake|error)(?!\w)(?! (?:of|form|value|derivative of))"
)
"""Words that make a sentence one about somebody's expression, or about a part of the question."""
_CONCLUDES = re.compile(
    r"(?<!\w)(?:therefore|thus|hence|so|finally|in conclusion|consequently|also|folglich|somit|"
    r"daher|"
    r"donc|ainsi|por (?:lo )?tanto|portanto|quindi|pertanto|следовательно|значит)(?!\w)|所以|因此|"
    r"したがって|よって|따라서"
)
_ROUGH = ("~", "≈", "<", ">", "≤", "≥")


class _Nothing:
    """Finds no value: why a reply is silent does not depend on expressions."""

    def match(self, folded: Folded, place: int) -> Hit | None:
        return None

    match_before = match

    def text_of(self, folded: Folded, hit: Hit, place: int) -> Hit | None:
        return None

    def outside(self, folded: Folded, place: int) -> tuple[str, int] | None:
        return None


def read_expression(text: str, asked: Asked, *, cut: bool = False) -> Reading:
    """Read the expression that a text declares last, in plain signs or in LaTeX.

    The expression has to stand after an announcement (such as `Answer:` or a box) or be the whole
    reply. Where the question has options, an expression that is equal to one of them is that
    option, decided symbolically in a process with a time and a memory limit; what cannot be
    decided is a machine error and never a difference.

    Args:
        text: The answer text, without reasoning.
        asked: The options, if any, are the expressions to compare with.
        cut: Whether the text was cut off at a length limit.

    Returns:
        The option as `asked` writes it, else the expression as it was written, or a reason.

    Raises:
        ReadoutError: When SymPy is not installed and a comparison needs it.
    """
    folded = plain(text)
    found = _announced(folded)
    if not found and not cut:
        found = _stated(folded)
    if not found:
        written, span = _stretch(text, 0)
        whole = not text[span[1] :].strip(_TRAILING + "$")
        if whole and not written.startswith(_ROUGH) and parse_expression(written) is not None:
            return _decide(written, span, asked, "sole")
        return why_silent(folded, _Nothing())
    *earlier, (last, span) = found
    several = _ALTERNATIVES.search(last) or _FURTHER.match(text, span[1])
    if several and parse_expression(last) is None:
        return Reading(reason="several_answers", span=span, detail=last[:80])
    sureness = _sureness(text, span)
    reading = _decide(last, span, asked, sureness)
    others = [written for written, _ in earlier if _trimmed(written) != _trimmed(last)]
    if reading.value is None or not others:
        return reading
    first = _decide(others[0], span, asked, sureness).value
    return Reading(
        value=reading.value,
        span=span,
        sureness=sureness,
        first_value=None if first == reading.value else first,
    )


def _sureness(source: str, span: tuple[int, int]) -> Sureness:
    """Whether a label, box or tag holds an expression, or a sentence alone."""
    start, end = span
    before = plain(source[max(0, start - _REACH) : start]).text
    boxed = "\\boxed" in source[start:end] or is_labelled(before, len(before))
    return "declared" if boxed else "stated"


def _announced(folded: Folded) -> list[tuple[str, tuple[int, int]]]:
    """Every announced stretch that is an expression, or names several of them."""
    found: list[tuple[str, tuple[int, int]]] = []
    quoted = quoted_places(folded.text, fences=True)
    source, reached = folded.source, -1
    for site in announced_sites(folded, quoted):
        written, span = _stretch(source, folded.ends[site.at - 1])
        if written.startswith(_ROUGH):
            continue
        after = source[span[1] : span[1] + _REACH].casefold()
        if found and span[0] <= reached:
            continue
        further = _joined(source, span[1], written)
        if further:
            reached = further + _REACH
            rest = source[span[1] : reached].split("\n")[0]
            found.append((f"{written}; {rest}", span))
            continue
        if is_conditional_after(after, 0) or is_denied(after, 0):
            continue
        several = _ALTERNATIVES.search(written)
        if parse_expression(written) is not None or (several and _parts_parse(written)):
            found.append((written, span))
    return found


def _stated(folded: Folded) -> list[tuple[str, tuple[int, int]]]:
    """The expression of a plain sentence, such as `The derivative is $2x$.`, that ends with it.

    Sentences that state different ones cancel each other, unless the last begins with words such
    as `hence`.
    """
    quoted = quoted_places(folded.text, fences=True)
    found: list[tuple[str, tuple[int, int], bool]] = []
    concluded = [(site, True) for site in concluding_sites(folded, quoted)]
    plainly = [(site, False) for site in copula_sites(folded, quoted)]
    for site, concludes in sorted([*concluded, *plainly], key=lambda pair: pair[0].at):
        if "=" in folded.text[site.start : site.at] or site.conditional or not is_own(folded, site):
            continue
        written, span = _stretch(folded.source, folded.ends[site.at - 1])
        after = folded.source[span[1] : span[1] + _REACH].casefold()
        if parse_expression(written) is None or not _ENDS.match(after):
            continue
        if not (_MATH.search(written) or folded.source[span[0] : span[1]] != written):
            continue
        if _joined(folded.source, span[1], written) or _QUESTION.match(after):
            return []
        sentence = folded.text[sentence_start(folded.text, site.at) : site.at]
        if _YOURS.search(folded.text, clause_start(folded.text, site.start), site.at):
            continue
        found.append((written, span, concludes or _CONCLUDES.search(sentence) is not None))
    if not found:
        return []
    last = parse_expression(found[-1][0])
    alike = all(parse_expression(written) == last for written, _, _ in found)
    return [found[-1][:2]] if alike or found[-1][2] else []


def _joined(source: str, end: int, written: str) -> int:
    """Where a further expression starts that is joined to one and differs; 0 for none."""
    tree, further = parse_expression(written), _FURTHER.match(source, end)
    if tree is None or further is None:
        return 0
    boxed = _BOXED.match(source, further.end())
    other = parse_expression(_stretch(source, boxed.end() if boxed else further.end())[0])
    if other is None:
        return further.end() if further["or"] else 0
    same = tree == other or (has_solver() and compare(tree, other) == "equal")
    return 0 if same else further.end()


def _parts_parse(written: str) -> bool:
    parts = [part.strip(" =") for part in _ALTERNATIVES.split(written)]
    return any(parts) and all(not part or parse_expression(part) is not None for part in parts)


def _stretch(source: str, start: int) -> tuple[str, tuple[int, int]]:
    """The written expression that starts at a place of the reply, and where it stands."""
    limit = min(len(source), start + 2 * MOST_CHARACTERS)
    if source[max(0, start - 1) : start] == "{":
        end = _closing_brace(source, start, limit)
        return source[start:end], (start, end)
    leading = _LEADING.match(source, start, limit)
    start = leading.end() if leading else start
    delimited = _DELIMITED.match(source, start, limit)
    if delimited:
        inner = next(part for part in delimited.groups() if part is not None)
        boxed = _BOXED.match(inner)
        if boxed:
            inner = inner[boxed.end() : _closing_brace(inner, boxed.end(), len(inner))]
        return inner, delimited.span()
    stop = _SENTENCE.search(source, start, limit)
    end = stop.start() if stop else limit
    written = source[start:end].rstrip(_TRAILING)
    return written, (start, start + len(written))


def _closing_brace(source: str, start: int, limit: int) -> int:
    depth = 1
    for place in range(start, limit):
        if source[place] in "{}" and source[place - 1] != "\\":
            depth += 1 if source[place] == "{" else -1
            if depth == 0:
                return place
    return limit


def _decide(written: str, span: tuple[int, int], asked: Asked, sureness: Sureness) -> Reading:
    tree = parse_expression(written)
    if tree is None:
        return Reading(reason="no_declaration", span=span, detail=written[:80])
    value = _trimmed(written)
    equal, unsure = _equal_options(tree, asked)
    if len(equal) > 1:
        return Reading(reason="machine_error", candidates=tuple(equal), detail="options are equal")
    if not equal and unsure:
        return Reading(reason="machine_error", detail=f"{unsure}: {value}"[:80])
    return Reading(value=equal[0] if equal else value, span=span, sureness=sureness)


def _equal_options(tree: Tree, asked: Asked) -> tuple[list[str], str]:
    """The options that a tree equals, and why others could not be compared."""
    equal: list[str] = []
    unsure = ""
    for number, option in enumerate(asked.options):
        others = asked.aliases[number] if asked.aliases else ()
        trees = [found for found in map(parse_expression, (option, *others)) if found is not None]
        verdicts = [compare(tree, other) for other in trees]
        if "equal" in verdicts:
            equal.append(option)
        elif "too_long" in verdicts:
            unsure = "the comparison exceeded its time or memory limit"
        elif "undecided" in verdicts:
            unsure = unsure or "equality was not decided"
    return equal, unsure


def _trimmed(written: str) -> str:
    return " ".join(written.strip(_TRAILING + "$").split())
