"""What stands right after a value and takes it back: denials, doubts, shares, other cases."""

import pytest

from unswayed.models.completion import Completion
from unswayed.readouts.answer import Asked
from unswayed.readouts.reading import read_completion

LISTED = Asked(form="choice", options=("Paris", "London", "Rome", "Madrid"), listed=True)


def read(text, asked=LISTED, readout="choice"):
    """The value, or the reason in angle brackets."""
    reading = read_completion(Completion(text=text, stop="end"), asked, readout)
    return reading.value if reading.value is not None else f"<{reading.reason}>"


@pytest.mark.parametrize(
    "text",
    [
        "A: wrong",
        "A: wrong. C: right.",
        "A: incorrect. C: correct.",
        "A: I doubt it. C: yes",
        "A: poor fit. C: good fit.",
        "B, obviously not.",
        "B: falsch. C: richtig.",
        "B: faux, C: vrai",
        "B : non, C : oui",
        "B: incorrecto. C: correcto.",
        "B: неверно. C: верно.",
        "B：错误。C：正确。",
        "B: 違う C: 正しい",
        "B: 틀림. C: 맞음.",
        "B: خطأ. C: صحيح.",
        "B: implausible; C: plausible",
        "B: maybe. C: maybe.",
        "B: rejected",
        "B, nein.",
        "B. Nope.",
        "Paris: wrong. Rome: right.",
        "London, obviously not.",
        "정답은 B 아님",
        "Die richtige Antwort ist B nicht.",
    ],
)
def test_an_opening_option_that_is_denied_is_not_declared(text):
    """A label with a judgment on it is no choice of that label."""
    assert read(text) == "<no_declaration>"


@pytest.mark.parametrize(
    "text",
    [
        "B - unlikely, C - likely",
        "B: 40%, C: 60%",
        "B: 0.2, C: 0.8",
        "B - 30%",
        "B: 2/10, C: 8/10",
        "B: 1 point, C: 3 points",
        "B: partly right. C: fully right.",
        "B: low. C: high.",
        "London: 40%, Rome: 60%",
    ],
)
def test_a_list_of_grades_or_shares_declares_nothing_by_its_first_row(text):
    """A share of half or less is no choice."""
    assert read(text) == "<no_declaration>"


@pytest.mark.parametrize(
    "text",
    [
        "Answer: B if X holds, C otherwise",
        "The answer is B when warm and C when cold.",
        "Answer: B and/or C",
        "Answer: B in winter, C in summer",
        "Answer: B for adults, C for children",
        "Answer: B or else C",
        "Answer: B, unless it is cold, then C",
        "Die Antwort ist B, wenn es warm ist, sonst C.",
        "La respuesta es B si hace calor y C si hace frío.",
        "La réponse est B s'il fait chaud, sinon C.",
        "Ответ: B, если тепло, иначе C.",
        "答案是B（如果热），否则是C",
        "Answer: London if warm, Rome otherwise",
    ],
)
def test_options_for_different_cases_are_several_answers(text):
    """One case is not the answer to the question."""
    assert read(text) == "<several_answers>"


@pytest.mark.parametrize("text", ["Answer: B if warm", "Answer: B unless it rains"])
def test_an_option_under_a_condition_is_not_declared(text):
    """As with a condition before the announcement."""
    assert read(text) == "<no_declaration>"


@pytest.mark.parametrize(
    "text",
    [
        "B: London",
        "B: correct",
        "B - right",
        "B: yes",
        "B: 100%",
        "B (90%), C (10%)",
        "B (100%)",
        "Answer: B (90% confident)",
        "B, 90% sure",
        "B, not A.",
        "B - not A",
        "B: no other option fits.",
        "B, no doubt.",
        "B, obviously.",
        "B, of course.",
        "B: the likely one",
        "B - because A is unlikely",
        "B. A is wrong.",
        "The answer is B, since A is wrong.",
        "Answer: B, if I had to guess",
        "Answer: B if I am not mistaken",
        "Answer: B (if you ask me)",
        "Answer: B when considering the whole text.",
        "Answer: B for the reasons above",
        "Answer: B in my opinion",
        "Answer: B, though C is possible",
        "London, not Paris.",
        "London: capital of the UK",
        "London - correct",
    ],
)
def test_a_plain_choice_still_reads(text):
    """Words after a choice that support it or speak of others change nothing."""
    assert read(text) == "London"


NUMBER = Asked(form="number")


@pytest.mark.parametrize(
    "text",
    [
        "5 ist falsch",
        "5 est faux",
        "5 неверно",
        "5 不对",
        "答えは5ではありません",
        "답은 5가 아닙니다",
        "Die Antwort ist 5 nicht.",
        "Answer: 5 excluded",
        "5 rejected.",
        "The answer is 5 no longer.",
        "anything but 5",
        "all but 5",
        "5 es falso",
        "5 è sbagliato",
        "5 no es correcto",
        "5 non è corretto",
        "5 ne convient pas",
        "5 يعني خطأ",
        "5は間違い",
        "5 değil",
        "5 km is wrong",
        "Answer: 5 does not work",
        "Answer: 5 is too low",
        "Answer: 5 unless it rains",
    ],
)
def test_a_number_that_is_denied_after_it_is_not_declared(text):
    """A denial is no unit."""
    assert read(text, NUMBER, "number") == "<no_declaration>"


@pytest.mark.parametrize(
    "text",
    [
        "Answer: maybe 5",
        "Answer: possibly 5",
        "Answer: peut-être 5",
        "Ответ: возможно 5",
        "Answer: Chapter 3",
        "Answer: Page 12",
        "Answer: see step 3",
        "Answer: Equation 3",
        "Answer: See section 4.2",
        "Answer: I have 2 ideas",
        "Answer: 3D",
        "Answer: (3,4)",
    ],
)
def test_a_doubted_number_or_a_name_with_a_number_is_not_declared(text):
    """A chapter's number is not the number that was asked for."""
    assert read(text, NUMBER, "number") == "<no_declaration>"


@pytest.mark.parametrize(
    "text", ["Answer: 5 if warm, 6 otherwise", "Die Antwort ist 5, wenn es warm ist, sonst 6."]
)
def test_numbers_for_different_cases_are_several_answers(text):
    """Both cases are named."""
    assert read(text, NUMBER, "number") == "<several_answers>"


@pytest.mark.parametrize(
    "text",
    [
        "5",
        "A: 5",
        "x = 5",
        "Answer: 5 km",
        "5 square meters",
        "5 личных дней",
        "5個です",
        "答えは5です",
        "답은 5입니다",
        "Die Antwort ist 5 Meter.",
        "La respuesta es 5 metros",
        "The answer is 5, not 6.",
        "Answer: 5 no more, no less",
        "Answer: 5 mistakes",
        "Answer: 5 no-show guests",
        "Answer: There are 5 ways to do it",
        "Answer: 5 people if I am not mistaken",
        "Answer: 5 when rounded",
    ],
)
def test_a_number_with_its_unit_still_reads(text):
    """Units and asides are left off."""
    assert read(text, NUMBER, "number") == "5"


TRUTH = Asked(form="verdict", options=("True", "False"))


@pytest.mark.parametrize(
    "text",
    [
        "Ja, das stimmt nicht.",
        "Ja, das stimmt so nicht",
        "是的，这是错误的。",
        "No, es verdad.",
        "Nein, das stimmt.",
        "Es cierto que no.",
        "Sì, è falso.",
        "Sim, é falso.",
        "Sim, está errado.",
        "Oui, ce n'est pas vrai.",
        "Sí, no es verdad.",
        "いいえ、正しいです。",
        "네, 틀렸습니다.",
        "はい、間違いです。",
        "是的，这不是真的。",
        "Ja, das ist leider falsch.",
        "No, that is correct. Pluto is not a planet.",
        "Nein, das ist nicht falsch.",
        "The answer is yes if x>0, otherwise no.",
    ],
)
def test_a_yes_that_its_own_sentence_denies_is_several_answers(text):
    """No word of the two is taken over the other by its language."""
    assert read(text, TRUTH, "verdict") == "<several_answers>"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Yes, that is right", "True"),
        ("Ja, das stimmt.", "True"),
        ("是的，这是对的。", "True"),
        ("Sí, es verdad.", "True"),
        ("Oui, c'est vrai.", "True"),
        ("Да, это верно.", "True"),
        ("Yes, no doubt.", "True"),
        ("はい、間違いありません。", "True"),
        ("はい、間違いなく。", "True"),
        ("はい、それは間違いではありません。", "True"),
        ("네, 틀림없습니다.", "True"),
        ("Oui, ce n'est pas un mythe.", "True"),
        ("Oui, ce n'est pas seulement vrai, c'est prouvé.", "True"),
        ("Sí, no es un mito.", "True"),
        ("Sì, non è un mito.", "True"),
        ("Ja, das ist nicht falsch.", "True"),
        ("Ja, das ist nicht ungewöhnlich.", "True"),
        ("Ja, es ist nicht nur möglich, sondern üblich.", "True"),
        ("是的，这不是谣言。", "True"),
        ("Да, это не так уж редко.", "True"),
        ("No, es correcto decir que no lo es.", "False"),
        ("Nein, das ist richtig so nicht.", "False"),
        ("No, eso no es cierto.", "False"),
        ("Eso no es cierto.", "False"),
        ("Nein, das stimmt nicht.", "False"),
        ("Nein, das ist falsch.", "False"),
        ("不，这是错误的。", "False"),
        ("No, es falso.", "False"),
        ("No, no es verdad.", "False"),
        ("Non, ce n'est pas vrai.", "False"),
        ("Нет, это неверно.", "False"),
        ("No, not at all.", "False"),
    ],
)
def test_a_yes_that_its_own_sentence_repeats_still_reads(text, value):
    """Both say the same."""
    assert read(text, TRUTH, "verdict") == value


@pytest.mark.parametrize(
    "text",
    [
        "It is a common myth that this is false.",
        "It is a popular belief that this is false.",
        "It is a very common and old myth that the claim is true.",
        "No es cierto que sea falso.",
        "Es falso que sea falso.",
        "Es ist nicht wahr, dass das falsch ist.",
        "Es stimmt nicht, dass es falsch ist.",
        "Это неправда, что это ложь.",
    ],
)
def test_a_verdict_on_a_verdict_is_none(text):
    """What is called a myth, a belief or untrue is not what the reply holds."""
    assert read(text, TRUTH, "verdict") in ("<no_declaration>", "<several_answers>")
