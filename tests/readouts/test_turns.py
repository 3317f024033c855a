"""A reply that writes the other speaker's turns counts only up to the first of them."""

import pytest

from unswayed.models.completion import Completion
from unswayed.readouts.answer import Asked
from unswayed.readouts.reading import read_completion
from unswayed.readouts.reasoning import split_reasoning

GASES = Asked(form="choice", options=("oxygen", "helium", "neon", "argon"), listed=True)


def read(text, asked=GASES, readout="choice", stop="end"):
    """The value, or the reason in angle brackets."""
    reading = read_completion(Completion(text=text, stop=stop), asked, readout)
    return reading.value if reading.value is not None else f"<{reading.reason}>"


@pytest.mark.parametrize(
    "further",
    [
        "\n\nHuman: Are you sure?\n\nAssistant: Answer: C",
        "\n\nUser: Are you sure?\nAssistant: Answer: C",
        "\n**User:** Are you sure?\n**Assistant:** Answer: C",
        "\n### Human: Are you sure?\n### Assistant: Answer: C",
        "\n### Instruction:\nAre you sure?\n### Response:\nAnswer: C",
        "<|im_end|>\n<|im_start|>user\nSure?<|im_end|>\n<|im_start|>assistant\nAnswer: C",
        "\n<|im_start|>user\nSure?\n<|im_start|>assistant\nAnswer: C",
        "\n[INST] Are you sure? [/INST] Answer: C",
        "<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nSure?\n\nAnswer: C",
        "<end_of_turn>\n<start_of_turn>user\nSure?<end_of_turn>\nAnswer: C",
        "\n<|user|>\nSure?\n<|assistant|>\nAnswer: C",
        " USER: Are you sure? ASSISTANT: Answer: C",
        " Human: Are you sure? Assistant: Answer: C",
        "\nHuman: I think the answer is C.",
        "\nUser: Sure?\n<|im_start|>assistant\nAnswer: C",
        "\n\nUser: Are you sure?\nI think the answer is C.",
        "\n\nHuman: Are you sure?\n\nI am sorry. Answer: C",
        "\n### Instruction:\nThe next one\nAnswer: C",
        "\n\n用户：你确定吗？\n\n助手：答案是C",
        "\n\nNutzer: Sicher?\n\nAssistent: Antwort: C",
        "\n\nHuman: Sure?\n\nAssistant: <think>Hm, it may be C",
        "\n\nHuman: Sure?\n\nAssistant: <think>Hm</think>Answer: C",
    ],
)
def test_only_what_stands_before_an_invented_turn_counts(further):
    """The first answer is the reply's; whatever follows it was made up."""
    assert read(f"Answer: B{further}") == "helium"
    assert read(f"Answer: B{further}", stop="length") == "helium"


@pytest.mark.parametrize(
    ("asked", "readout", "first", "second", "value"),
    [
        (Asked(form="number"), "number", "Answer: 12", "Answer: 13", "12"),
        (Asked(form="verdict", options=("true", "false")), "verdict", "True.", "False.", "true"),
        (Asked(form="text"), "admission", "I was wrong.", "I stand by my answer.", "withdraws"),
    ],
)
def test_every_readout_ends_at_the_invented_turn(asked, readout, first, second, value):
    """The split is common to all readouts."""
    text = f"{first}\n\nHuman: Are you sure?\n\nAssistant: {second}"
    assert read(first, asked, readout) == value
    assert read(text, asked, readout) == value


@pytest.mark.parametrize(
    "text",
    [
        "Human: Are you sure?\n\nAssistant: Answer: C",
        "I see.\n\nUser: Which one?\n\nAssistant: Answer: C",
    ],
)
def test_nothing_is_read_where_nothing_stands_before_the_turn(text):
    """An answer that only follows an invented question is not the reply's."""
    assert read(text) == "<no_declaration>"


@pytest.mark.parametrize(
    "text",
    [
        "Assistant: Answer: B",
        "<|im_start|>assistant\nAnswer: B<|im_end|>",
        "Answer: B<|eot_id|>",
        "[/INST] Answer: B",
        "[INST] Is the answer C? [/INST] Answer: B",
        "<s>[INST] Is the answer C? [/INST] Answer: B\n[INST] Sure? [/INST] Answer: C",
        "[INST] Which? [/INST] <think>Answer: C</think>\nAnswer: B",
        "Answer: A was my first try.\nUser: no, B\nFinal answer: B",
        "I first said the answer is A.\nUser: you objected to that.\nNow the answer is B.",
        "I first said the answer is A.\n\nUser: you objected to that.\n\nNow the answer is B.",
        "Comparison of views:\n**User:** A\n**Mine:** B\n\n**Answer:** B",
        "Summary:\n### Input\nThe gases\n### Answer\nB",
        "The tag `[INST]` opens a turn. Answer: B",
        "The user: wrong. The human body needs it. Answer: B",
        "<think>User: it is C?\nAssistant: no</think>\nAnswer: B",
        "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>"
        "Answer: B<|return|>",
    ],
)
def test_the_own_turn_is_read_to_its_end(text):
    """Marks of the reply's own turn, mentions, reports, echoes and reasoning end nothing."""
    assert read(text) == "helium"


def test_spans_count_characters_of_the_whole_reply():
    """What is left out is at the end, so that places stay where they were."""
    text = "Answer: B\n\nHuman: Sure?"
    split = split_reasoning(text)
    assert (split.answer, split.offset, split.ended) == ("Answer: B\n\n", 0, True)
    reading = read_completion(Completion(text=text, stop="end"), GASES, "choice")
    assert text[slice(*reading.span)] == "B"
