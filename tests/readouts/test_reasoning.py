"""Reasoning set apart from the answer."""

import pytest

from unswayed.models.completion import Completion
from unswayed.readouts.answer import Asked
from unswayed.readouts.reading import read_completion
from unswayed.readouts.reasoning import REASONING_TAGS, split_reasoning


@pytest.mark.parametrize("tag", REASONING_TAGS, ids=lambda tag: tag.opens)
def test_every_known_tag_is_set_apart(tag):
    """Opened and closed, the reasoning leaves the answer."""
    split = split_reasoning(f"{tag.opens}first{tag.closes}second")
    assert (split.answer, split.reasoning, split.closed) == ("second", "first", True)


@pytest.mark.parametrize("tag", REASONING_TAGS, ids=lambda tag: tag.opens)
def test_an_unclosed_tag_swallows_the_rest(tag):
    """A reply that ended while thinking has no answer."""
    split = split_reasoning(f"{tag.opens.upper()}first")
    assert not split.closed
    assert not split.answer.strip()


@pytest.mark.parametrize(
    ("text", "answer", "closed"),
    [
        ("a</think>b", "b", True),
        ("<think>a</think>b<think>c</think>d", "b" + " " * 16 + "d", True),
        ("<think>a</think>b</think>", "b" + " " * 8, True),
        ("Use the `<think>` tag.", "Use the `<think>` tag.", True),
        ("The </think> tag", " tag", True),
        ("plain", "plain", True),
        ("analysisHmm.assistantfinalB", "B", True),
        ("analysis of it", "analysis of it", True),
        ("<|channel|>analysis<|message|>a", "", False),
        ("<|channel|>final<|message|>b", "b", True),
    ],
)
def test_odd_blocks(text, answer, closed):
    """Lone closers, several blocks, channels and mentions."""
    split = split_reasoning(text)
    assert split.closed is closed
    assert split.answer.strip() == answer.strip()


def test_no_tags_means_no_reasoning():
    """With an empty tag set only channels are known."""
    assert split_reasoning("<think>a</think>b", ()).answer == "<think>a</think>b"


@pytest.mark.parametrize(
    "text", ["**Thinking** about it, the answer is B.", "**My thoughts:** The answer is B."]
)
def test_a_heading_ends_its_line(text):
    """Bold words with which a sentence begins head no reasoning."""
    split = split_reasoning(text)
    assert (split.answer, split.closed) == (text, True)


@pytest.mark.parametrize(
    "head", ["**Thinking**", "**My thoughts:** ", "## Thinking", "*Thoughts*:"]
)
def test_a_heading_on_its_own_line_opens_reasoning(head):
    """What stands under it is no answer."""
    assert not split_reasoning(f"{head}\nThe answer is B.").closed


ANSWERS = {
    "**Thinking:** C looks good. The answer is C.\n\n**Answer:** {}": True,
    "**Thinking**: The answer is C. Or is it? **Final answer:** {}": True,
    "**Reasoning**\nAnswer: C, at first sight.\n**Answer:** {}": True,
    "**Analysis**\nAnswer: C maybe. Answer: D\n**Answer** {}": True,
    "## Reasoning\nThe answer is C.\n\n## Answer\n{}": True,
    "1. **Thought process:** Answer: C.\n2. **Verdict:** {}": True,
    "### Scratchpad\nAnswer: C\n### Final answer\n{}": True,
    "Analysis: The answer is C.\nAnswer: {}": True,
    "Let us see.\n\n__Step-by-step reasoning:__ The answer is C.\n\n__Conclusion:__ {}": True,
    "Thinking: The answer is C.\nFinal answer: {}": True,
    "**Reasoning:** The answer is C. {}": False,
    "Thinking: The answer is C, no: {}": False,
    "**Reasoning** of this kind leads to C.\n**Answer:** {}": False,
    "My reasoning: the answer is C.\nSo it is {}": False,
}
"""Replies with a hole for their answer, and whether a heading parts it from the reasoning."""


@pytest.mark.parametrize("shape", ANSWERS)
def test_a_section_of_reasoning_ends_at_the_heading_of_an_answer(shape: str):
    """What stands between the two headings is no answer; without the second all of it is."""
    split = split_reasoning(shape.format("B"))
    assert split.closed
    assert ("C" not in split.answer.replace("Conclusion", "")) is ANSWERS[shape]
    assert split.answer.rstrip().endswith("B")


@pytest.mark.parametrize("shape", [shape for shape, parted in ANSWERS.items() if parted])
def test_letters_in_a_section_of_reasoning_never_count(shape: str):
    """The answer alone is read; where it declares nothing, nothing is read from its reasoning."""
    asked = Asked(form="choice", options=("red", "green", "blue", "yellow"), listed=True)
    for answer, value in (("B", "green"), ("I would rather not say.", None)):
        text = shape.format(answer)
        reading = read_completion(Completion(text=text, stop="end"), asked, "choice")
        assert (reading.value, reading.first_value) == (value, None)
        if reading.span is not None and value is not None:
            assert text[slice(*reading.span)].strip(" *:.") == "B"
