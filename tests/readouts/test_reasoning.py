"""Reasoning set apart from the answer."""

import pytest

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
