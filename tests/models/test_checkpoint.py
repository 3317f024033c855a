"""Checkpoints: scores over the prefix tree are those of every sequence alone."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from cli import call, check_error
from tiny_checkpoint import write_checkpoint

from unswayed.errors import CapabilityError, MissingModelError, ModelError, UsageError
from unswayed.models.local_files import check_folder, check_packages, identify
from unswayed.models.protocol import Request
from unswayed.plans.sampling import Sampling
from unswayed.transcript import Message, Part, Transcript

pytestmark = pytest.mark.filterwarnings("ignore")
absent = [name for name in ("torch", "transformers") if find_spec(name) is None]
heavy = pytest.mark.heavy
needs_torch = pytest.mark.skipif(bool(absent), reason=f"needs {absent}")
QUESTIONS = [f"What is {n} plus {n + 1}, counted slowly?" for n in range(4)]
PUSHES = ["Are you sure?", "I think that is wrong.", "My teacher says otherwise."]


def talk(*turns: str) -> Transcript:
    """A conversation that begins with the user."""
    roles = ("user", "assistant")
    return Transcript(
        messages=tuple(
            Message(role=roles[n % 2], parts=(Part(text=turn, tag="question"),))
            for n, turn in enumerate(turns)
        )
    )


def requests() -> list[Request]:
    """Questions, each with several pushes, each with several options."""
    return [
        Request(
            id=f"{number}-{push}",
            transcript=talk(question, "It is seven.", push),
            options=("seven", "seventeen", "no"),
        )
        for number, question in enumerate(QUESTIONS)
        for push in PUSHES
    ]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny random model."""
    return write_checkpoint(tmp_path_factory.mktemp("checkpoint") / "tiny")


@pytest.fixture
def model(folder: Path) -> Any:
    """The tiny model, opened."""
    from unswayed.models.checkpoint import CheckpointModel

    return CheckpointModel(folder, dtype="float32")


def naive(folder: Path, request: Request, dtype: str = "float32") -> list[float]:
    """Score each option of a request with a whole pass of its own."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    network = AutoModelForCausalLM.from_pretrained(folder, dtype=getattr(torch, dtype)).eval()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    text = tokenizer.apply_chat_template(
        request.transcript.to_wire(), tokenize=False, add_generation_prompt=True
    )
    prefix = tokenizer(text, add_special_tokens=False)["input_ids"]
    found = []
    for option in request.options:
        ids = prefix + tokenizer(option, add_special_tokens=False)["input_ids"]
        with torch.inference_mode():
            logs = network(input_ids=torch.tensor([ids])).logits[0].float().log_softmax(-1)
        found.append(sum(float(logs[n - 1, ids[n]]) for n in range(len(prefix), len(ids))))
    return found


@heavy
@needs_torch
@pytest.mark.parametrize("chunk", [7, 64, 256])
def test_tree_scores_are_those_of_each_sequence_alone(
    folder: Path, model: Any, chunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Within 1e-4, however the tree is cut, at one node of work for each distinct prefix."""
    from unswayed.models.torch_tree import TorchNetwork

    monkeypatch.setattr(TorchNetwork, "nodes_at_once", lambda _: chunk)
    asked = requests()
    found = model.complete_now(asked)
    for request, completion in zip(asked, found, strict=True):
        logprobs = [score.logprob for score in completion.scores]
        np.testing.assert_allclose(logprobs, naive(folder, request), atol=1e-4)
        assert completion.text == request.options[int(np.argmax(logprobs))]
    assert model.work.naive > 5 * model.work.computed


@heavy
@needs_torch
@pytest.mark.parametrize(("dtype", "tolerance"), [("bfloat16", 0.25), ("float16", 0.05)])
def test_tree_scores_follow_the_sequences_in_short_numbers_too(
    folder: Path, dtype: str, tolerance: float
) -> None:
    """In the same number format they differ by rounding alone, within what is stated for it."""
    from unswayed.models.checkpoint import CheckpointModel
    from unswayed.models.torch_tree import TOLERANCE

    assert TOLERANCE[dtype] == tolerance
    asked = requests()
    found = CheckpointModel(folder, dtype=dtype).complete_now(asked)
    for request, completion in zip(asked[:2], found[:2], strict=True):
        alone = naive(folder, request, dtype)
        for score, expected in zip(completion.scores, alone, strict=True):
            assert abs((score.logprob or 0.0) - expected) <= tolerance * score.n_tokens


@heavy
@needs_torch
def test_written_replies_repeat_and_obey_the_sampling(model: Any) -> None:
    """Temperature 0 repeats, seeds repeat, draws differ, stop texts cut."""
    request = Request(id="w", transcript=talk("Say something."), sampling=Sampling(max_tokens=12))
    (first,), (second,) = model.complete_now([request]), model.complete_now([request])
    assert first.text == second.text
    assert first.n_completion_tokens is not None
    assert first.n_completion_tokens <= 12
    drawn = msgspec.structs.replace(
        request, sampling=Sampling(max_tokens=12, temperature=2.0, seed=3)
    )
    again = msgspec.structs.replace(drawn, draw=1)
    replies = [reply.text for reply in model.complete_now([drawn, drawn, again])]
    assert replies[0] == replies[1] != replies[2]
    stopped = msgspec.structs.replace(
        request, sampling=Sampling(max_tokens=12, stop=(first.text[3:5],))
    )
    assert len(model.complete_now([stopped])[0].text) <= 3


@heavy
@needs_torch
def test_what_the_template_or_the_context_refuses_is_said_first(model: Any) -> None:
    """A second system message and a conversation that is too long are clear errors."""
    bad = Transcript(
        messages=tuple(
            Message(role=role, parts=(Part(text="x", tag="question"),))
            for role in ("user", "system")
        )
    )
    with pytest.raises(CapabilityError, match="chat template"):
        model.check(Request(id="x", transcript=bad))
    long = Request(id="x", transcript=talk("word " * 1000), options=("a",))
    with pytest.raises(ModelError, match="longer than the model's context"):
        model.complete_now([long])


@heavy
@needs_torch
def test_a_network_that_does_not_follow_the_tree_is_refused(folder: Path) -> None:
    """One that sees other branches gives other numbers, and is found out at loading."""
    import torch
    from transformers import AutoModelForCausalLM

    from unswayed.models.torch_tree import TorchNetwork

    class Blind(torch.nn.Module):
        """Passes everything on but who sees whom."""

        def __init__(self) -> None:
            super().__init__()
            self.inner = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
            self.config, self.device = self.inner.config, self.inner.device
            self.dtype = torch.float32

        def forward(self, **given: Any) -> Any:
            given.pop("attention_mask", None)
            return self.inner(**given)

    with pytest.raises(CapabilityError, match="cannot score a tree"):
        TorchNetwork(Blind())


@heavy
@needs_torch
def test_identity_follows_the_files(folder: Path, tmp_path: Path) -> None:
    """Other weights are another model, whatever the folder is called."""
    other = write_checkpoint(tmp_path / "tiny", initializer_range=0.2)
    assert identify(folder, ())["files_sha256"] != identify(other, ())["files_sha256"]
    assert identify(folder, ())["files_sha256"] == identify(folder, ())["files_sha256"]


@heavy
@needs_torch
def test_a_checkpoint_goes_the_whole_line(folder: Path, tmp_path: Path) -> None:
    """`-m checkpoint:FOLDER` plans, scores, reads and reports."""
    ended = call(
        "run", "-m", f"checkpoint:{folder}", "-b", "pushback-scored", "--n", 3,
        "--to", tmp_path / "run",
    )  # fmt: skip
    assert ended.code == 0, ended.err
    assert (tmp_path / "run" / "report.html").exists()


def test_a_missing_folder_or_package_is_one_clear_error(tmp_path: Path) -> None:
    """What is absent, and what to do."""
    with pytest.raises(MissingModelError, match=r"config\.json"):
        check_folder(tmp_path)
    with pytest.raises(MissingModelError, match="no_such_package"):
        check_packages(("no_such_package",), "install it")
    check_error(call("run", "-m", f"checkpoint:{tmp_path}/none", "--to", tmp_path / "run"))


def test_an_unknown_number_format_is_refused() -> None:
    """The formats that there are are listed."""
    from unswayed.models.checkpoint import open_checkpoint

    with pytest.raises(UsageError, match="bfloat16"):
        open_checkpoint("folder,dtype=int3")
