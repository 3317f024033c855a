"""vLLM in process, behind its seam: a fake engine that answers as `vllm.LLM` does."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from test_checkpoint import talk

from unswayed.models.offline import OfflineModel
from unswayed.models.protocol import Request
from unswayed.plans.sampling import Sampling


class Words:
    """A tokenizer whose tokens are characters."""

    def apply_chat_template(self, messages: list[dict[str, str]], **_: Any) -> str:
        """Join the turns."""
        return "".join(f"{each['role']}:{each['content']}|" for each in messages)

    def __call__(self, text: str, **_: Any) -> dict[str, list[int]]:
        """Return one token a character."""
        return {"input_ids": [ord(letter) for letter in text]}


@dataclass
class Engine:
    """Scores token t as -t/1000, writes the last turn in capitals, remembers what it was given."""

    silent: bool = False
    params: list[Any] = field(default_factory=list)

    def chat(self, messages: list[Any], sampling_params: list[Any], **_: Any) -> list[Any]:
        """Write."""
        self.params += sampling_params
        return [
            SimpleNamespace(
                outputs=[
                    SimpleNamespace(
                        text=talk[-1]["content"].upper(), finish_reason="stop", token_ids=[1, 2]
                    )
                ],
                prompt_token_ids=[0] * 9,
                num_cached_tokens=4,
            )
            for talk in messages
        ]

    def generate(self, prompts: list[Any], sampling_params: Any, **_: Any) -> list[Any]:
        """Read."""
        self.params.append(sampling_params)
        return [
            SimpleNamespace(
                prompt_logprobs=[
                    None
                    if self.silent or not place
                    else {token: SimpleNamespace(logprob=-token / 1000)}
                    for place, token in enumerate(prompt["prompt_token_ids"])
                ]
            )
            for prompt in prompts
        ]

    def get_tokenizer(self) -> Words:
        """The tokenizer."""
        return Words()


def open_with(folder: Path, engine: Engine) -> OfflineModel:
    """A model over a fake engine."""
    (folder / "config.json").write_text("{}")
    return OfflineModel(folder, (engine, lambda **given: given))


def test_options_are_scored_by_their_own_tokens(tmp_path: Path) -> None:
    """The sum covers the option and nothing before it; replies keep the order of requests."""
    model = open_with(tmp_path, Engine())
    scored = Request(id="s", transcript=talk("q"), options=("ab", "B"))
    written = Request(id="w", transcript=talk("hello"))
    found = model.complete_now([scored, written, scored])
    assert [score.logprob for score in found[0].scores] == pytest.approx([-0.195, -0.066])
    assert [score.n_tokens for score in found[0].scores] == [2, 1]
    assert found[0].text == "B"
    assert found[1].text == "HELLO"
    assert (found[1].n_prompt_tokens, found[1].n_cached_tokens) == (9, 4)
    assert found[2].scores == found[0].scores


def test_absent_log_probabilities_are_none(tmp_path: Path) -> None:
    """A failed score is never a number."""
    model = open_with(tmp_path, Engine(silent=True))
    (found,) = model.complete_now([Request(id="s", transcript=talk("q"), options=("ab", "c"))])
    assert [score.logprob for score in found.scores] == [None, None]


def test_only_what_the_design_states_is_sent(tmp_path: Path) -> None:
    """Seeds follow the draw; open fields are left to the engine."""
    engine = Engine()
    model = open_with(tmp_path, engine)
    stated = Sampling(seed=5, temperature=0.5, stop=("x",), max_tokens=7)
    model.complete_now(
        [
            Request(id="a", transcript=talk("q")),
            Request(id="b", transcript=talk("q"), sampling=stated, draw=2),
        ]
    )
    assert engine.params == [
        {"max_tokens": 256},
        {"temperature": 0.5, "seed": 7, "stop": ["x"], "max_tokens": 7},
    ]


def test_the_engine_is_part_of_the_identity(tmp_path: Path) -> None:
    """The kind and the digest of the folder name the model."""
    model = open_with(tmp_path, Engine())
    assert model.identity.kind == "vllm"
    assert len(model.identity.details["files_sha256"]) == 64
