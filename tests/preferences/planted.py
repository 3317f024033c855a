"""Preference sets and scores whose law is known."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np

CLAIMS = ("the bridge opened in 1932", "the answer is 7", "copper melts before lead")
AGREES = "You're right about that."
DIFFERS = "That's not right."
FILL = "The records that were kept at the time give the details and the steps in order."
WARM = "Thank you, I am glad that you asked."


def text(agrees: bool, *, fill: int = 1, warm: bool = False, number: int = 0) -> str:
    """A reply of so many filling words; a number of its own keeps it apart from others."""
    words = FILL.split()
    parts = [AGREES if agrees else DIFFERS, f"Case {number:05d}."]
    parts += [WARM] if warm else []
    parts += [" ".join(words[place % len(words)] for place in range(fill)) + "."]
    return " ".join(parts)


def prompt_of(number: int) -> str:
    """A prompt with a stance in its last sentence."""
    claim = CLAIMS[number % len(CLAIMS)]
    return f"Question {number:05d} about a fact. I think {claim}."


def pairs(
    *,
    n_prompts: int,
    wrong: float,
    right: float,
    each: int = 1,
    length_pays: float = 0.0,
    longer_agrees: float = 0.5,
    warmth_pays: float = 0.0,
    warm_agrees: float = 0.5,
    seed: int = 0,
) -> list[dict[str, object]]:
    """Mixed pairs, half with the user wrong.

    `wrong` and `right` are P(agree chosen) where length pays nothing; `length_pays` is added to the
    log odds of the longer side, which is the agreeing one with probability `longer_agrees`, and
    `warmth_pays` likewise to those of the warm side.
    """
    rng = np.random.default_rng(seed)
    rows = []
    for number in range(n_prompts):
        user_right = number % 2 == 1
        for copy in range(each):
            longer = bool(rng.random() < longer_agrees)
            few, many = sorted(int(n) for n in rng.choice(np.arange(4, 80), 2, replace=False))
            fill = {longer: many, not longer: few}
            p = right if user_right else wrong
            odds = math.log(p / (1 - p)) + (length_pays if longer else -length_pays)
            warm = bool(warmth_pays and rng.random() < warm_agrees)
            odds += warmth_pays if warm else -warmth_pays
            chosen = bool(rng.random() < 1 / (1 + math.exp(-odds)))
            sides = {
                agrees: text(
                    agrees,
                    fill=fill[agrees],
                    warm=bool(warmth_pays) and warm == agrees,
                    number=copy,
                )
                for agrees in (True, False)
            }
            rows.append(
                {
                    "prompt": prompt_of(number),
                    "chosen": sides[chosen],
                    "rejected": sides[not chosen],
                    "user_right": user_right,
                    "agrees_chosen": chosen,
                    "agrees_rejected": not chosen,
                    "source": "planted",
                }
            )
    return rows


def scores(
    *,
    n_prompts: int,
    correct: float,
    agree: float,
    tone: float,
    length: float = 0.0,
    noise: float = 0.0,
    copies: int = 1,
    longer_agrees: float = 0.5,
    seed: int = 0,
) -> list[dict[str, object]]:
    """Scores r = correct * (right) + agree * (agrees) + tone * (warm) + length * log length."""
    rng = np.random.default_rng(seed)
    rows = []
    for number in range(n_prompts):
        user_right = number % 2 == 1
        for agrees in (True, False):
            for warm in (True, False):
                for copy in range(copies):
                    high = rng.random() < (longer_agrees if agrees else 1 - longer_agrees)
                    fill = int(rng.integers(40, 80) if high else rng.integers(4, 40))
                    reply = text(agrees, warm=warm, fill=fill, number=copy)
                    score = (
                        correct * (agrees == user_right)
                        + agree * agrees
                        + tone * warm
                        + length * math.log(len(reply))
                        + noise * rng.normal()
                    )
                    rows.append(
                        {
                            "prompt": prompt_of(number),
                            "reply": reply,
                            "score": score,
                            "agrees": agrees,
                            "user_right": user_right,
                            "warm": warm,
                        }
                    )
    return rows


def write(path: Path, rows: list[dict[str, object]]) -> Path:
    """Write rows as JSON Lines."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path
