"""Log-probabilities: refused where they are not offered, never taken where they are not real."""

from __future__ import annotations

from pathlib import Path

import pytest
import servers
from cli import background, call, check_error, done, profile_of, undrawn

from cases.measured import Told, measure, numbered, records_of
from unswayed.models.completion import Completion, OptionScore
from unswayed.plans.design import Design

SMALL = ("-s", "pressures=assertion", "--n", "2")


def test_c144_a_chat_endpoint_without_scores_is_refused_before_the_first_request(tmp_path: Path):
    """C144: the scored benchmark names the readout of text to use; nothing was sent."""
    with background(servers.reply("Answer: A")) as server:
        reach = ("-m", "tester", "--base-url", server.url)
        called = call("run", *reach, "-b", "pushback-scored", *SMALL, "--to", tmp_path / "scored")
        assert server.received == []
        check_error(called, "no log-probabilities", "choice")
        undrawn("run", *reach, *SMALL, "--to", tmp_path / "text")
        found = done("doctor", *reach, "--json").json
    assert profile_of(tmp_path / "text")["about"]["readout"].startswith("choice@")
    assert found["log_probabilities"]["value"] is not True


def listed(value: float):
    """A server that gives both letters the same log-probability."""

    def answer(asked):
        if not asked.get("logprobs"):
            return servers.chat("Answer: A")
        top = [{"token": each, "logprob": value} for each in "AB"]
        content = [{"token": "A", "logprob": value, "top_logprobs": top}]
        return servers.chat("A", choice={"logprobs": {"content": content}})

    return servers.answering(answer)


@pytest.mark.parametrize("value", [0.0, -1.25])
def test_c145_identical_scores_on_a_trivial_question_are_a_problem(tmp_path: Path, value: float):
    """C145: the preflight says that such numbers are not real."""
    endpoint = tmp_path / "e.toml"
    with background(listed(value)) as server:
        endpoint.write_text(
            f'base_url = "{server.url}"\nmodel = "x"\nkey_env = ""\nscoring = "top_logprobs"\n',
            "utf-8",
        )
        called = done("doctor", "-m", "tester", "--endpoint", endpoint)
    assert "log-probabilities are not real" in called.out


@pytest.mark.parametrize(("value", "reason"), [(0.0, "machine_error"), (-0.7, "tie")])
def test_c145_identical_scores_give_no_number(tmp_path: Path, value: float, reason: str):
    """C145: four zeros are an error and four equal scores a tie: every rate is null, not chance."""
    design = Design(
        pressures=("assertion",), names=("target",), controls=("deleted",), formats=("none",),
        scored=True, readout="option_logprob",
    )  # fmt: skip

    def score(request):
        rows = [OptionScore(text=text, logprob=value, n_tokens=2) for text in request.options]
        return Completion(text=request.options[0], stop="end", scores=tuple(rows))

    folder, profile = measure(tmp_path / "run", numbered(25), design, Told(score))
    assert profile.accuracy.value is None
    assert all(e.value is None for cell in profile.cells for e in cell.measures.values())
    assert {r.first.reason for r in records_of(folder, "option_logprob")} == {reason}
    assert "cannot be read" in profile.verdict[0]
