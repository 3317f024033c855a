"""NeMo-Gym: rollouts as its server hands them over, recorded from the source of 0.7.0."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from unswayed.rewards import ActionMatch, Serum
from unswayed.rewards.nemo_gym import GymVerifier, read_response
from unswayed.training.build import build
from unswayed.training.material import training_items
from unswayed.training.shapes import shape


def response(text: str | None, **changes: Any) -> dict[str, Any]:
    """Return a response as the Responses API has it: reasoning first, then a message."""
    said = [] if text is None else [{"type": "output_text", "text": text, "annotations": []}]
    message = {"type": "message", "role": "assistant", "status": "completed", "content": said}
    output = [{"type": "reasoning", "summary": []}, *([message] if said else [])]
    whole = {"id": "r", "object": "response", "output": output, "error": None}
    return {**whole, "incomplete_details": None, **changes}


def rollout(text: str | None, row: dict[str, Any], index: int = 0, **changes: Any) -> Any:
    """Return the body of one rollout of an exported row."""
    ids = {"_ng_group_id": "g", "_ng_group_attempt": 1, "_ng_rollout_index": index}
    return {**row, **ids, "response": response(text, **changes)}


def verified(rule: Any, *bodies: dict[str, Any], timeout: float = 5.0) -> list[dict[str, Any]]:
    """Verify bodies side by side."""

    async def work() -> list[dict[str, Any]]:
        verifier = GymVerifier(rule, timeout=timeout)
        return await asyncio.gather(*(verifier.verify(body) for body in bodies))

    return asyncio.run(work())


def test_an_exported_row_is_paid():
    """The right completion earns 1 and the rejected one 0; the body comes back with both."""
    built = build(training_items(30, seed=0), ("assertion",), seed=0)
    row = next(row for row in built.rows if row.direction == "keep")
    (shaped,) = shape("rl", "nemo_gym")(row)
    right, wrong, cut, lost = verified(
        ActionMatch(),
        rollout(row.completion, shaped),
        rollout(row.rejected, shaped),
        rollout("Hm", shaped, incomplete_details={"reason": "max_output_tokens"}),
        rollout(None, shaped, status="failed"),
    )
    assert (right["reward"], right["mask_sample"], right["failure_reason"]) == (1.0, False, None)
    assert (wrong["reward"], wrong["mask_sample"]) == (0.0, False)
    assert right["truth"] == row.answer
    assert (cut["mask_sample"], cut["failure_reason"]) == (True, "truncated")
    assert (lost["mask_sample"], lost["failure_reason"]) == (True, "no_text")


def test_a_group_is_paid_together_and_a_part_of_it_is_masked():
    """Four rollouts of one group are paid at once; three of four are masked at the deadline."""
    row = {"group_size": 4, "truth": "true", "responses_create_params": {"input": []}}
    said = [
        json.dumps({"answer": n != 2, "percentage": share})
        for n, share in enumerate((80, 60, 50, 70))
    ]
    bodies = [rollout(text, row, index) for index, text in enumerate(said)]
    paid = verified(Serum(), *bodies)
    assert not any(each["mask_sample"] for each in paid)
    assert len({each["reward"] for each in paid}) > 1
    part = verified(Serum(), *bodies[:3], timeout=0.05)
    assert [each["failure_reason"] for each in part] == ["incomplete_group:3/4"] * 3
    assert all(each["mask_sample"] for each in part)


def test_without_ids_a_group_is_masked():
    """A reward of a group needs group, index and size; never a guess."""
    for name in ("_ng_group_id", "_ng_rollout_index", "group_size"):
        body = {**rollout("x", {"group_size": 2}), name: None}
        (found,) = verified(Serum(), body)
        assert found["failure_reason"] == f"missing_column:{name}"


def test_what_is_no_response_has_no_text():
    """An absent response, one without a message, and one that failed."""
    assert read_response(None) == (None, "error")
    assert read_response(response(None)) == (None, "stop")
    assert read_response(response("a", error={"code": "x"})) == ("a", "error")
    assert read_response(response("a")) == ("a", "stop")


@pytest.mark.parametrize(
    ("changes", "finish"),
    [
        ({"status": "completed"}, "stop"),
        ({"status": "incomplete"}, "error"),
        ({"status": "cancelled"}, "error"),
        ({"status": "in_progress"}, "error"),
        ({"status": "incomplete", "incomplete_details": {"reason": "max_tokens"}}, "length"),
        ({"status": "incomplete", "incomplete_details": {"reason": "content_filter"}},
         "content_filter"),
    ],
)  # fmt: skip
def test_what_is_not_completed_is_no_stop(changes: dict[str, Any], finish: str):
    """A status other than completed is a cut where the reason says so, and else an error."""
    assert read_response(response("a", **changes)) == ("a", finish)
