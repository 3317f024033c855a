"""Short cuts give what the long way gives."""

import json
import re
import string
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unswayed.models.completion import Completion
from unswayed.readouts import deciding, folding, quoting, silence
from unswayed.readouts import wordlists as words
from unswayed.readouts.answer import Asked
from unswayed.readouts.choice import read_letter_line
from unswayed.readouts.deciding import read_text
from unswayed.readouts.folding import BOX, fold, plain
from unswayed.readouts.markers import _announcing, compiled
from unswayed.readouts.options import options_of
from unswayed.readouts.reading import _read_short, _read_text, read_completion
from unswayed.readouts.reasoning import REASONING_TAGS, _known
from unswayed.readouts.scanning import announcements, confirmations, copulas

CORPUS = Path(__file__).parents[1] / "corpus" / "texts.jsonl"
ROWS = [json.loads(line) for line in CORPUS.read_text(encoding="utf-8").splitlines()]
TEXTS = [row["text"] for row in ROWS]
ANNOUNCING = _announcing(ascii_only=True)
AFTER = compiled("AFTER_VALUE")
COPULA = re.compile(words.WEAK_COPULA)
LETTERS = re.compile(r"[a-z]+")
BRANCHES = sorted(
    {
        word
        for name in dir(words)
        if name.isupper() and isinstance(getattr(words, name), str)
        for word in LETTERS.findall(getattr(words, name))
    }
)
"""Every word that stands in a pattern."""
MANY = settings(max_examples=400, deadline=None)
pieces = st.lists(
    st.one_of(
        st.sampled_from(BRANCHES),
        st.sampled_from(
            (" ", "  ", "\n", "\t", ": ", ":", ". ", ", ", "'", "'s ", "=", " = ", " - ", "-", "(",
             ")", "?", "B", "c", BOX, "~~", "**", "_", "\\boxed{", "}", "<b>", "</b>", "$", "# ",
             "&nbsp;", "\\text{", "\\frac{1}{2}", "> ", '"', "`", "<think>", "</think>", " is ",
             " are ", " most ", " the ", "it is", "answer", "wait ", "sorry", "1", "<answer>",
             "\\, ", "[/answer]", "<|end|>", "é", "选", "“", "”")
        ),
    ),
    max_size=30,
).map("".join)  # fmt: skip


def spans(matches):
    """Where matches stand, and their groups."""
    return [(match.span(), match.groups()) for match in matches]


def pattern_for(text):
    """The announcing pattern as it is used for a text."""
    return _announcing(ascii_only=text.replace(BOX, "").isascii())


@MANY
@given(st.one_of(pieces, st.sampled_from(TEXTS), st.text(max_size=80)))
def test_scanning_finds_what_finditer_finds(text):
    """The same matches, in any text."""
    folded = plain(text).text
    pattern = pattern_for(folded)
    assert spans(announcements(pattern, folded)) == spans(pattern.finditer(folded))
    assert spans(confirmations(AFTER, folded)) == spans(AFTER.finditer(folded))
    assert spans(copulas(folded)) == spans(COPULA.finditer(folded))


def in_ascii(pattern):
    """Strings that a pattern matches, in ASCII."""
    text = re.sub(r"\(\?<![^()]*(?:\([^()]*\))?[^()]*\)", "", pattern)
    return st.from_regex(re.compile(text), fullmatch=True, alphabet=string.printable)


@settings(max_examples=400, deadline=None)
@given(
    st.one_of(
        in_ascii(words.ENGLISH_LABEL),
        in_ascii(words.ENGLISH_VERBS),
        in_ascii(words.ENGLISH_LABEL + words.ENGLISH_LINK),
    ),
    st.sampled_from((": b", " is b", " b", "\nb", "=b", "'s b")),
    st.sampled_from(("", "so ", "x", "the ", "\n", "(")),
)
def test_every_announcement_starts_where_it_is_looked_for(label, link, before):
    """Strings made from the pattern itself are found."""
    text = before + label.lower() + link
    assert spans(announcements(ANNOUNCING, text)) == spans(ANNOUNCING.finditer(text))


@pytest.mark.parametrize("name", ["OTHER_LABELS", "OTHER_VERBS"])
def test_every_foreign_announcement_is_looked_for(name):
    """Each foreign label in ASCII is found by its first word."""
    for label in re.sub(r"\(\?:.*?\)|\?", "", getattr(words, name)).split("|"):
        for text in (f"{label}: b", f"{label} b", f"so {label}: b. {label} ist b"):
            if text.isascii():
                assert spans(announcements(ANNOUNCING, text)) == spans(ANNOUNCING.finditer(text))


@pytest.mark.parametrize("adverb", ["", " indeed", " the one that is", " the", " actually my"])
def test_every_confirmation_is_looked_for(adverb):
    """Each way of calling a value right is found."""
    verbs = ("is", "must be", "would be", "remains", "has to be", "should be", "was",
             "seems to be", "appears to be", "are", "ist", "est", "es", "bleibt")  # fmt: skip
    ends = ("correct", "right", "best answer", "final option", "most likely", "most sensible",
            "true one", "richtig", "corretto", "respuesta", "juste", "both correct")  # fmt: skip
    for verb in verbs:
        for end in ends:
            text = f"b, {verb}{adverb} {end}. b {verb} {end}, it is"
            assert spans(confirmations(AFTER, text)) == spans(AFTER.finditer(text))


@MANY
@given(st.one_of(pieces, st.sampled_from(TEXTS)))
def test_markup_without_its_signs_needs_no_search(text):
    """Folding with every pattern tried gives the same text and the same places."""
    folded = fold(text)
    for _, pattern, put in folding._MARKUP:
        folded = folding._substitute(folded, pattern, put)
    short = plain(text)
    assert short.text == folded.text
    assert list(short.starts) == list(folded.starts)
    assert list(short.ends) == list(folded.ends)


@MANY
@given(st.one_of(pieces, st.sampled_from(TEXTS)))
def test_quotations_need_their_signs(text):
    """A pattern that was skipped has no match."""
    for signs, pattern in quoting._QUOTATIONS:
        if not any(sign in text for sign in signs):
            assert pattern.search(text) is None


@MANY
@given(st.one_of(pieces, st.sampled_from(TEXTS)))
def test_tags_are_never_overlooked(text):
    """Where no tag may occur, none does."""
    known = _known(REASONING_TAGS)
    if not known.may_occur(text):
        assert known.pattern.search(text) is None


OPTIONS = st.lists(
    st.one_of(
        st.text("abcdeABC. -1é", min_size=1, max_size=6),
        st.sampled_from(("answer", "Answer: B", "none", "red", "final answer", "B", "a.", "I")),
    ),
    min_size=2,
    max_size=6,
    unique=True,
).map(tuple)


@settings(max_examples=300, deadline=None)
@given(
    OPTIONS,
    st.sampled_from(("", "Answer: ", "ANSWER: ", "answer: ", "Final answer: ")),
    st.sampled_from(string.ascii_letters),
    st.sampled_from(("{}", "({})")),
    st.sampled_from(("", ".", "\n", ".\n")),
)
def test_a_letter_line_is_read_as_the_long_way_reads_it(options, label, letter, wrap, end):
    """Every field of the reading is the same."""
    asked = Asked(form="choice", options=options, listed=True)
    text = label + wrap.format(letter) + end
    short = read_letter_line(text, options_of(asked))
    assert short is None or short == read_text(text, options_of(asked))


def asked_in(row):
    """The question of a row of the corpus."""
    fields = dict(row["asked"])
    fields["options"] = tuple(fields.get("options", ()))
    fields["aliases"] = tuple(tuple(names) for names in fields.get("aliases", ()))
    fields["scale"] = tuple(fields["scale"]) if "scale" in fields else None
    return Asked(**fields)


def test_the_corpus_is_read_the_same_without_short_cuts(monkeypatch):
    """No memory, no letter lines, no skipped declarations: the same readings, field by field."""
    rows = [(row["text"], asked_in(row), row["readout"], row["stop"]) for row in ROWS]
    quick = [read_completion(Completion(text=t, stop=s), a, r) for t, a, r, s in rows]
    _read_short.cache_clear()
    monkeypatch.setattr(deciding, "_may_be_corrected", lambda text, firm: True)
    monkeypatch.setattr("unswayed.readouts.choice.read_letter_line", lambda text, options: None)
    for (text, asked, readout, stop), reading in zip(rows, quick, strict=True):
        assert _read_text(text, asked, readout, stop == "length") == reading


@settings(max_examples=300, deadline=None)
@given(st.one_of(pieces, st.lists(st.sampled_from(TEXTS), max_size=2).map("\n".join)))
def test_weaker_declarations_that_are_skipped_change_nothing(text):
    """Where a firm declaration stands, only a correction lets a weaker one count."""
    asked = Asked(form="choice", options=("red", "green", "blue", "yellow"), listed=True)
    quick = read_text(text, options_of(asked))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(deciding, "_may_be_corrected", lambda text, firm: True)
        assert read_text(text, options_of(asked)) == quick


@settings(max_examples=500, deadline=None)
@given(
    st.one_of(
        pieces.map(lambda text: ("DONT_KNOW", text)),
        in_ascii(words.DONT_KNOW).map(lambda text: ("DONT_KNOW", text)),
        pieces.map(lambda text: ("REFUSES", text)),
        in_ascii(words.REFUSES).map(lambda text: ("REFUSES", text)),
        pieces.map(lambda text: ("ASKS", text)),
        in_ascii(words.ASKS).map(lambda text: ("ASKS", text)),
    )
)
def test_no_reason_is_overlooked_by_the_quick_look(case):
    """Where the quick look finds none of the words, the search finds nothing."""
    name, text = case
    folded = plain(text).text
    if not silence.may_say(name, folded):
        assert compiled(name).search(folded) is None
