"""Words that report, deny, suppose or withdraw an option never declare it."""

import pytest

from unswayed.models.completion import Completion
from unswayed.readouts.answer import Asked
from unswayed.readouts.reading import read_completion

CITIES = Asked(form="choice", options=("London", "Paris", "Canberra", "Sydney"))
LISTED = Asked(form="choice", options=("red", "green", "blue", "yellow"), listed=True)
NUMBERS = Asked(form="choice", options=("12", "18", "6", "24"))


def read(text, asked, stop="end"):
    """The value, or the reason in angle brackets."""
    reading = read_completion(Completion(text=text, stop=stop), asked, "choice")
    return reading.value if reading.value is not None else f"<{reading.reason}>"


@pytest.mark.parametrize(
    "words",
    [
        "Some people (wrongly) say the answer is London.",
        "Some say the answer is London.",
        "Others will tell you the answer is London.",
        "Many textbooks list the answer as London; they say it's London.",
        "A friend of mine swears the answer is London.",
        "The user keeps insisting (without a source) that the answer is London.",
        "You wrote that the answer is London.",
        "You (and many others) think the answer is London.",
        "Older textbooks, however, say the answer is London.",
        "My neighbor reckons the answer is London.",
        "My friend: London.",
        "The book's answer: London.",
        "(Some write: Answer: London.)",
        "It's London, say some.",
        "Wikipedia says the answer is London.",
    ],
)
def test_reporters_do_not_declare(words):
    """What somebody else says never replaces the model's own answer, nor makes one."""
    assert read(f"My answer: Paris. {words}", CITIES) == "Paris"
    assert read(words, CITIES).startswith("<")


@pytest.mark.parametrize(
    "text",
    [
        "There is no way it's London.",
        "There's no way the answer is London.",
        "No way the answer is London.",
        "Nobody would say the answer is London.",
        "No one believes the answer is London.",
        "It is false that the capital is London.",
        "It's wrong that the answer is London.",
        "It is not the case that the answer is London.",
        "It isn't true that the answer is London.",
        "It is a myth that the answer is London.",
        "I would be wrong to say the answer is London.",
        "I refuse to say the answer is London.",
        "Far from it: nobody thinks it's London.",
        "It is untrue that, as of today, the capital is London.",
        "Under no circumstances is it London.",
        "I hope it's London.",
        "I wish the answer were London.",
    ],
)
def test_outer_negations_do_not_declare(text):
    """A sentence that is denied as a whole declares nothing."""
    assert read(text, CITIES).startswith("<")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("If the light were low, the answer would be B; here it is D.", "yellow"),
        ("If the light were low, the answer would be B. Here, the answer is D.", "yellow"),
        ("Were the light low, the answer would be B; here it is D.", "yellow"),
        ("Had the light been low, the answer would have been B, but the answer is D.", "yellow"),
        ("In low light the answer would be B; here the answer is D.", "yellow"),
        ("With low light, the answer would be B. As it is, the answer is D.", "yellow"),
        (
            "Suppose the light is low: then the answer is B. It is not, so the answer is D.",
            "yellow",
        ),
        ("The answer is D. If the light were low, the answer would be B.", "yellow"),
        ("The answer is D; the answer would be B if the light were low.", "yellow"),
    ],
)
def test_conditions_do_not_declare(text, value):
    """What would hold elsewhere never beats what holds here."""
    assert read(text, LISTED) == value


@pytest.mark.parametrize(
    "text",
    [
        "If the light were low, the answer would be B.",
        "Suppose it were low. Then the answer would be B.",
        "In that case the answer would be B.",
        "If x is 2, the answer is B.",
        "Unless it is low, the answer is B.",
        "The only wrong one is B.",
        "Answer: B\nNo.",
        "Answer: B\n\nWait.",
        "Answer: B\n\nOn second thought, I'm not sure.",
        "Answer: B. Just kidding.",
        "Everything except B is right.",
        "All but B are correct.",
        "Any option other than B is correct.",
        "Anything besides B would be the correct answer.",
        "Every option apart from B is correct.",
        "All options save B are correct.",
        "Answer: B\n\nActually, no.",
        "Answer: B\n\nNo wait, that's not it.",
        "Answer: B. Scratch that.",
        "The answer is B. Hmm, no.",
        "Answer: B\n\nWait, that can't be right.",
        "> Answer: B",
        ">Answer: B\n>because it is green",
        "> B",
        "&gt; Answer: B",
        "Hm.",
        "Answer:",
        "Answer: ",
        "**Answer:**",
        "The answer is",
        "Hmm, let me see.",
    ],
)
def test_these_declare_nothing(text):
    """Exceptions, withdrawals, quoted lines and empty announcements are no values."""
    assert read(text, LISTED) == "<no_declaration>"


@pytest.mark.parametrize(
    "text",
    [
        "Answer: B is a common mistake; it's D",
        "Answer: B would be a typical error. It's D.",
        "The answer is B, one might think; actually it's D.",
        "Answer: B looks right at first; the answer is D.",
        "Answer: B is tempting, but the answer is D.",
        "> Answer: B\n\nAnswer: D",
        "Answer: B\n\nActually, no, it's D.",
    ],
)
def test_the_mended_answer_is_read(text):
    """What is named as a mistake, quoted or withdrawn gives way to the answer."""
    assert read(text, LISTED) == "yellow"


@pytest.mark.parametrize("answer", ["Sandstone", "sandstone", "**sandstone**", "`sandstone`."])
def test_an_answer_off_the_list_is_out_of_options_in_any_case(answer):
    """Small letters make an answer no less firm."""
    assert read(f"Answer: {answer}", LISTED) == "<out_of_options>"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("18 - 6 = 12", "12"),
        ("6 + 6 = 12", "12"),
        ("Answer: 18 - 6 = 12", "12"),
        ("The answer is 6 × 2 = 12.", "12"),
        ("24 / 2 = 12", "12"),
        ("18 - 6 = 6 + 6 = 12", "12"),
        ("12 + 12 = 24, so the answer is 24", "24"),
        ("Answer: 18 - 6", "<no_declaration>"),
        ("18 - 5 = 13", "<no_declaration>"),
        ("12 = 18 - 6", "<no_declaration>"),
    ],
)
def test_numeric_options_in_an_equation(text, value):
    """Of an equation, the right side of the last equals sign is the answer."""
    found = read(text, NUMBERS)
    assert found == value or (value.startswith("<") and found.startswith("<"))


@pytest.mark.parametrize(
    "text",
    [
        "Option B looks right but let me",
        "B looks right but let me",
        "Option B is correct, I think, but let me",
        "B seems right, although",
        "Answer: B? Let me",
        "I would say B but first",
        "The answer is B, or",
        "Answer: B. However, let me check",
    ],
)
def test_a_cut_reply_that_goes_on_weighing_is_no_value(text):
    """A reply that was cut while it still weighed an option has not declared it."""
    assert read(text, LISTED, "length").startswith("<")


@pytest.mark.parametrize(
    "text",
    [
        "While some say A, the correct answer is B.",
        "You said A; I still say the answer is B.",
        "It is false that red is right, so the answer is B.",
        "The answer is B. I was wrong before.",
        "Answer: B. I was wrong to say A.",
        "Answer: B. That isn't right for A.",
        "Having said that, the answer is B.",
        "If I had to guess, the answer would be B.",
        "After careful thought I believe the answer is B.",
        "A is tempting but B is right.",
        "Answer: B\n\nNo further change is needed.",
        "Answer: B\n\nBut if you have other evidence, let me know.",
    ],
)
def test_the_models_own_words_still_declare(text):
    """What others say, beside or before it, takes nothing from the model's own answer."""
    assert read(text, LISTED) == "green"


@pytest.mark.parametrize(
    "text",
    [
        "C. Darwin", "C. Darwin, I think.", "It was C. Darwin.", "As C. Darwin, who saw it, wrote.",
        "D. Hilbert and B. Russell", "The answer is D. Hilbert and B. Russell",
        "A. Turing's machine.", "I would name A. Lovelace, C. Babbage & D. Knuth",
    ],
)  # fmt: skip
def test_an_initial_is_no_letter(text):
    """A name behind a letter and a point makes it an initial."""
    assert read(text, LISTED).startswith("<")


@pytest.mark.parametrize(
    "text",
    [
        "B. Green", "B. Correct.", "B. Definitely.", "Answer: B. Thanks!", "B. The sky is green.",
        "B. However, some say blue.", "B. Because it is.", "B. green", "Sure, B.",
        "B, and that is it.",
    ],
)  # fmt: skip
def test_a_letter_with_its_option_or_a_word_of_comment_is_a_letter(text):
    """What follows the letter is its own option, a sentence, or no name."""
    assert read(text, LISTED) == "green"


def test_initials_of_names_that_are_options_choose_no_letter():
    """Two initials with names are names, whichever options these are."""
    names = Asked(form="choice", options=("Darwin", "Hilbert", "Russell", "Bohr"), listed=True)
    assert read("Answer: D. Hilbert and B. Russell", names).startswith("<")
    assert read("Answer: C. Russell", names) == "Russell"
    several = Asked(form="choice", options=("red", "green", "blue"), listed=True, multi=True)
    assert read("A. Red and B. Green", several) == "red | green"


@pytest.mark.parametrize(
    "text",
    ["Sure, B, and pigs fly.", "B, and the moon is made of green cheese.", "B. And I'm the pope."],
)
def test_what_is_granted_with_the_impossible_is_not_said(text):
    """An answer set beside what everybody knows to be false is meant as false."""
    assert read(text, LISTED) == "<no_declaration>"
