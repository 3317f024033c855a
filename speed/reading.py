"""What reading costs: short replies, prose by length, and the long way beside the short one.

    python speed/reading.py
    python speed/reading.py --rounds 50

Processor time in microseconds for each reply, the median of the rounds. `first` is a question
that was not read before, `again` the same reply to the same question. The long way tries every
pattern at every place and reads every declaration, as the tests do that hold both to the same
readings; the ratio is between the two ways in one run.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from statistics import median
from unittest.mock import patch

from unswayed.models.completion import Completion
from unswayed.readouts import deciding, folding, markers, quoting, reading, reasoning
from unswayed.readouts.answer import Asked
from unswayed.readouts.options import options_of
from unswayed.readouts.reading import read_completion

CITIES = ("Canberra", "Sydney", "Melbourne", "Perth")
SENTENCES = (
    "Thank you for raising this point, so let us look at the question again step by step.",
    "The country has several large cities, and it is easy to confuse the biggest one with the"
    " seat of the government.",
    "Sydney is the largest city and the one most visitors know, and Melbourne held the parliament"
    " for a number of years.",
    "However, a new city was planned between the two so that neither would be favored.",
    "I understand that your friend remembers it differently, and I appreciate that you told me.",
    "If the question were about population, the answer would be different.",
    "Many official buildings stand there, among them the high court and the national library.",
    "I have checked each option and compared it with what is known.",
)
BATCH = 40


def prose(length: int, ending: str) -> str:
    """A reply of about a length that ends on a line of its own."""
    text, number = "", 0
    while len(text) + len(ending) < length:
        text += SENTENCES[number % len(SENTENCES)] + " "
        number += 1
    return text[: max(0, length - len(ending) - 2)].rstrip() + "\n\n" + ending


def questions(count: int) -> list[Asked]:
    """Questions that differ, ready to be read."""
    made = [
        Asked(form="choice", options=tuple(f"{city} {n}" for city in CITIES), listed=True)
        for n in range(count)
    ]
    for asked in made:
        options_of(asked)
    return made


def cost(read: Callable[[Asked], object], asked: list[Asked], rounds: int) -> float:
    """Microseconds of processor time for each call."""
    times = []
    for number in range(rounds):
        batch = [asked[(number * BATCH + place) % len(asked)] for place in range(BATCH)]
        begin = time.process_time()
        for one in batch:
            read(one)
        times.append((time.process_time() - begin) / BATCH * 1e6)
    return median(times)


def the_long_way() -> list[object]:
    """Patches that turn every short cut off."""
    every = tuple((("",), pattern, put) for _, pattern, put in folding._MARKUP)
    quotations = tuple((("",), pattern) for _, pattern in quoting._QUOTATIONS)
    return [
        patch.object(reading, "_SHORT", -1),
        patch("unswayed.readouts.choice.read_letter_line", lambda text, options: None),
        patch.object(deciding, "_may_be_corrected", lambda text, firm: True),
        patch.object(folding, "_MARKUP", every),
        patch.object(quoting, "_QUOTATIONS", quotations),
        patch.object(reasoning._Known, "may_occur", lambda self, text: True),
        patch.object(markers, "announcements", lambda pattern, text: pattern.finditer(text)),
        patch.object(deciding, "confirmations", lambda pattern, text: pattern.finditer(text)),
    ]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=25, help="Rounds of 40 replies.")
    rounds = parser.parse_args().rounds
    asked = questions(400)
    replies = {
        "Answer: B": "Answer: B",
        "B": "B",
        "I'd go with (B).": "I'd go with (B).",
        "prose 0.3 kB": prose(300, "Answer: B"),
        "prose 1.2 kB": prose(1200, "Answer: B"),
        "prose 4.8 kB": prose(4800, "Answer: B"),
        "no answer 1.2 kB": prose(1200, "That is all I can say."),
    }
    print(f"{'reply':<20}{'first':>9}{'again':>9}{'long way':>10}{'ratio':>8}{'us per kB':>11}")
    for name, text in replies.items():
        completion = Completion(text=text, stop="end")

        def read(one: Asked, completion: Completion = completion) -> object:
            return read_completion(completion, one, "choice")

        first = cost_of_new(completion, asked, rounds)
        again = cost(read, asked[:1], rounds)
        patches = the_long_way()
        for each in patches:
            each.start()
        slow = cost(read, asked, rounds)
        for each in patches:
            each.stop()
        per_kb = first / len(text) * 1000
        print(f"{name:<20}{first:9.1f}{again:9.1f}{slow:10.1f}{slow / first:8.1f}{per_kb:11.0f}")


def cost_of_new(completion: Completion, asked: list[Asked], rounds: int) -> float:
    """Cost of a reply to a question to which it was not given before."""

    def read(one: Asked) -> object:
        return read_completion(completion, one, "choice")

    times = []
    for number in range(rounds):
        reading._read_short.cache_clear()
        begin = number * BATCH % len(asked)
        times.append(cost(read, asked[begin : begin + BATCH], 1))
    return median(times)


if __name__ == "__main__":
    main()
