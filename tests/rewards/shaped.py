"""The forms in which trainers pass one completion, and rows that the tests share."""

from __future__ import annotations

from typing import Any

import numpy as np

from unswayed.rewards import Batch, Penalties, take_batch


class Spoken:
    """A message as an object with attributes, as some clients return them."""

    def __init__(self, content: str | None) -> None:
        self.role = "assistant"
        self.content = content


def forms_of(texts: list[str]) -> dict[str, Any]:
    """The same completions in every form."""
    messages = [[{"role": "assistant", "content": text}] for text in texts]
    array = np.empty(len(texts), dtype=object)
    array[:] = texts
    nested = np.empty(len(texts), dtype=object)
    nested[:] = messages
    turns = [
        [
            {"role": "assistant", "content": "Let me look."},
            {"role": "tool", "content": "42"},
            {"role": "assistant", "content": [{"type": "text", "text": text}]},
        ]
        for text in texts
    ]
    return {
        "texts": texts,
        "tuple": tuple(texts),
        "array": array,
        "string array": np.array(texts),
        "messages": messages,
        "message": [{"role": "assistant", "content": text} for text in texts],
        "bare message": [{"content": text} for text in texts],
        "array of messages": nested,
        "several turns": turns,
        "objects": [[Spoken(text)] for text in texts],
    }


STATEMENT = {"answer_form": "verdict", "truth": "true"}
COLORS = {"answer_form": "choice", "options": ["red", "green", "blue"]}
ZERO = Penalties(declined=0.0, missing=0.0)


def batch_of(texts: list[str | None], **columns: Any) -> Batch:
    """A batch of texts; a column that is no list holds for every row."""
    return take_batch(texts, columns)


def colors(n: int) -> dict[str, Any]:
    """Columns of a color question for n completions."""
    return {"answer_form": "choice", "options": [COLORS["options"]] * n}
