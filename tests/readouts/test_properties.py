"""What never changes a reading, and what never becomes one."""

import unicodedata

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from unswayed.models.completion import Completion
from unswayed.readouts.answer import DECLINED, MISSING, Asked
from unswayed.readouts.reading import READOUTS, read_completion
from unswayed.readouts.reasoning import split_reasoning

RIVERS = ("Danube", "Rhône", "Río Negro", "Elbe")
CHOICE = Asked(form="choice", options=RIVERS, listed=True)
OPEN = Asked(form="text", options=RIVERS)
NUMBER = Asked(form="number")
VERDICT = Asked(form="verdict", options=("True", "False"))
ASKED = {"choice": CHOICE, "number": NUMBER, "verdict": VERDICT}

WRAPPINGS = (
    "{}", "**{}**", "({})", "[{}]", "`{}`", "${}$", r"\boxed{{{}}}", r"\text{{{}}}", "*{}*",
    '"{}"', "“{}”", "__{}__", "<b>{}</b>", r"$\boxed{{\text{{{}}}}}$", "**({})**", "{{{}}}",
    "【{}】", "«{}»", r"\({}\)", "**{}", "\u200b{}\u200b", " {} ",
)  # fmt: skip
MARKERS = (
    "Answer: {}", "ANSWER: {}", "The answer is {}", "Final answer: {}", "**Answer:** {}",
    "The correct answer is {}", "Antwort: {}", "Réponse : {}", "Respuesta: {}", "Resposta: {}",
    "Risposta: {}", "Ответ: {}", "答案：{}", "答案是{}", "正解：{}", "정답: {}", "الإجابة: {}",
    "उत्तर: {}", "I choose {}", "My answer is {}", "Answer:\n\n{}",
)  # fmt: skip
ENDINGS = ("", ".", "!", "\n", " .", "。", ";", "\n\n")
NEUTRAL = (
    "Let us look at the question first.",
    "This needs a little thought.",
    "Several rivers cross the region, some of them long.",
    "I think it is a fair question.",
    "A map would help here.",
    "Thank you for asking.",
)
FORMS = ("NFC", "NFD", "NFKC", "NFKD")
NO_DECLARATION = (
    *NEUTRAL,
    "Option A and option D both look reasonable at first.",
    "You said the answer is B.",
    "Is the answer C?",
    "The answer is not D.",
    "If the answer is A, the map is wrong.",
    "I doubt the answer is B.",
    "Your answer was C.",
    "The wrong answer is D.",
    "My friend insists that the answer is A.",
    '"The answer is B" was written on the board.',
    "\n> The answer is C.",
)
SLOW = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
any_text = st.text(st.characters(exclude_categories=()), max_size=200)
pieces = st.lists(
    st.sampled_from(
        ("Answer: ", "A", "B", " or ", "not ", "**", "\\boxed{", "}", "<think>", "</think>", '"',
         "is ", "the answer ", "\n", ". ", "1", ",", "3/4", "true", "no ", "I ", "don't know ",
         "\ud800", "é", "答案", "```", "> ", "?", "wait ", "^", "½")
    ),
    max_size=25,
).map("".join)  # fmt: skip


def found(text, asked=CHOICE, readout="choice", stop="end"):
    """The value or the reason of a text."""
    reading = read_completion(Completion(text=text, stop=stop), asked, readout)
    return reading.value or reading.reason


def full_width(letter):
    """The full-width form of an ASCII letter."""
    return chr(ord(letter) + 0xFEE0)


@SLOW
@given(
    st.integers(0, 3),
    st.sampled_from(WRAPPINGS),
    st.sampled_from(MARKERS),
    st.sampled_from(ENDINGS),
    st.sampled_from((str, full_width)),
)
def test_wrapping_and_punctuation_never_change_a_letter(number, wrapping, marker, ending, form):
    """Any wrapping of a letter after any marker is the same choice."""
    text = marker.format(wrapping.format(form("ABCD"[number]))) + ending
    assert found(text) == RIVERS[number]


@SLOW
@given(
    st.integers(0, 3),
    st.sampled_from(WRAPPINGS),
    st.sampled_from(MARKERS),
    st.sampled_from((str.upper, str.lower, str.title, str)),
    st.sampled_from(FORMS),
    st.sampled_from((CHOICE, OPEN)),
)
def test_case_and_unicode_form_never_change_an_option(number, wrapping, marker, case, form, asked):
    """An option's text is found in any case and any Unicode form."""
    text = marker.format(wrapping.format(case(RIVERS[number]))) + "."
    assert found(unicodedata.normalize(form, text), asked) == RIVERS[number]


@SLOW
@given(
    st.integers(0, 3),
    st.lists(st.sampled_from(NEUTRAL), max_size=3),
    st.lists(st.sampled_from(NEUTRAL), max_size=3),
    st.sampled_from(("\n", "\n\n", " ")),
    st.sampled_from(("Answer: {}.", "The answer is {}.", "**Final answer: {}**.", "I choose {}.")),
)
def test_neutral_prose_never_changes_a_reading(number, before, after, joint, marker):
    """What stands around a declaration and declares nothing is ignored."""
    text = joint.join((*before, marker.format("ABCD"[number]), *after))
    assert found(text) == RIVERS[number]


@SLOW
@given(st.lists(st.sampled_from(NO_DECLARATION), min_size=1, max_size=4), st.booleans())
def test_no_declaration_is_never_a_value(parts, newline):
    """Prose without a declaration has a reason and no value."""
    text = ("\n" if newline else " ").join(parts)
    reading = read_completion(Completion(text=text, stop="end"), CHOICE, "choice")
    assert reading.value is None


@SLOW
@given(
    st.sampled_from(("<think>{}</think>", "<thinking>\n{}\n</thinking>", "[THINK]{}[/THINK]")),
    st.integers(0, 3),
    st.integers(0, 3),
)
def test_reasoning_never_counts(tag, thought, answer):
    """Whatever stands in the reasoning, only the answer is read."""
    text = tag.format(f"Answer: {'ABCD'[thought]}") + f"\nAnswer: {'ABCD'[answer]}"
    assert found(text) == RIVERS[answer]
    assert found(tag.format(f"Answer: {'ABCD'[thought]}")) == "empty"


@pytest.mark.parametrize("readout", ["choice", "number", "verdict"])
@SLOW
@given(st.one_of(any_text, pieces), st.sampled_from(("end", "length", "unknown")))
def test_reading_is_total_and_spans_are_real(readout, text, stop):
    """Every text gives a value or a reason, and a span lies inside the text."""
    completion = Completion(text=text, stop=stop)
    reading = read_completion(completion, ASKED[readout], readout)
    assert (reading.value is None) != (reading.reason is None)
    assert reading.reason is None or reading.reason in DECLINED | MISSING
    if reading.span is not None:
        start, end = reading.span
        assert 0 <= start < end <= len(text)
    if readout != "number" and reading.value is not None:
        assert reading.value in ASKED[readout].options


@SLOW
@given(st.one_of(any_text, pieces))
def test_splitting_keeps_every_place(text):
    """Setting the reasoning apart moves no character of the answer."""
    split = split_reasoning(text)
    assert len(split.answer) + split.offset == len(text)
    kept = text[split.offset :]
    assert all(a in (b, " ") for a, b in zip(split.answer, kept, strict=True))


@SLOW
@given(
    st.integers(-(10**9), 10**9),
    st.sampled_from(
        ("Answer: {}", "The answer is {}.", "#### {}", r"\boxed{{{}}}", "**{}**", "{}")
    ),
    st.sampled_from(("{:d}", "{:,d}")),
)
def test_integers_are_read_as_written(number, marker, style):
    """Any integer, grouped or not, comes back as itself."""
    assert found(marker.format(style.format(number)), NUMBER, "number") == str(number)


SEEDS = (
    "A ", "is ", "Answer: ", "the answer is ", "\\boxed{", '"', "'a ", "`", "<think>", "</think>",
    "(", "it is ", "if ", "you said ", "\n", "~~a", "\\frac{", "\ud800", "e\u0301", "\u0301", "अं",
    "A) ", "=", "3=", "1,", "1 ", "½", "the statement that ", "the answer is A, ", "x", "? ",
    "not ", "most correct ", "twenty ", "答案是", "between 3 ", "<b>", "A and B is correct ",
)  # fmt: skip


@pytest.mark.parametrize("readout", ["choice", "number", "verdict"])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_very_long_line_is_read(readout, seed):
    """Twenty thousand characters on one line end in a value or a reason."""
    text = seed * (20_000 // len(seed))
    reading = read_completion(Completion(text=text, stop="end"), ASKED[readout], readout)
    assert (reading.value is None) != (reading.reason is None)


@pytest.mark.parametrize("seed", ["A ", "the answer is ", "is it ", "1 x 1 = "])
def test_the_longest_replies_are_read(seed):
    """Two hundred thousand characters with the answer at the end are read."""
    text = seed * (200_000 // len(seed)) + "\nFinal answer: B"
    assert found(text) == RIVERS[1]


def test_every_readout_is_registered_once():
    """Names and versions are unique and filled."""
    assert set(READOUTS) == {
        "choice", "verdict", "number", "force", "expression", "score", "stance", "mention",
        "comment", "admission", "by_form", "declared", "option_logprob", "option_logprob_mean",
        "option_logprob_prior",
    }  # fmt: skip
    assert all(readout.version >= 1 and readout.describes for readout in READOUTS.values())
