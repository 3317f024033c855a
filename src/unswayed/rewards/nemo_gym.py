"""Rewards as a resources server of NeMo-Gym verifies a rollout.

NeMo-Gym is not imported, and nothing here was run with it: the fields of `verify` were read in the
source of version 0.7.0 and written down in the tests. A server of your own hands the body over:

    class Pressure(SimpleResourcesServer):
        verifier = GymVerifier(named_rule("action_match"))

        async def verify(self, body: BaseVerifyRequest) -> BaseVerifyResponse:
            return BaseVerifyResponse(**await self.verifier.verify(body.model_dump()))

What was not measured is masked (`mask_sample`) and never a reward. A reward of a group waits for
the members that share `_ng_group_id` and `_ng_group_attempt`; it needs one worker.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from unswayed.rewards.cohort import Cohorts, Member
from unswayed.rewards.reward import RewardValue, Rule

RECORDED_VERSION = "0.7.0"
"""The version of NeMo-Gym whose fields are recorded here and in the tests."""

TIMEOUT = 600.0
"""Seconds from a group's first rollout to its last, where none are stated."""

_CUT = {
    "max_output_tokens": "length",
    "max_tokens": "length",
    "content_filter": "content_filter",
}
_THEIRS = frozenset({"responses_create_params", "response", "agent_ref"})


class GymVerifier:
    """Pays rollouts one by one, or together where a rule needs the group.

    Args:
        rule: What pays.
        timeout: Seconds from a group's first rollout until it is given up.
    """

    def __init__(self, rule: Rule, *, timeout: float = TIMEOUT) -> None:
        self.cohorts = Cohorts(rule, timeout=timeout)

    async def verify(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Return the body with `reward`, `mask_sample`, `failure_kind` and `failure_reason`.

        Args:
            body: The request as plain data: our row's columns, `response` and NeMo-Gym's ids.
        """
        value = await self._value(body)
        failed = value.value is None
        return {
            **body,
            "reward": 0.0 if value.value is None else value.value,
            "mask_sample": failed,
            "failure_kind": "not_measured" if failed else None,
            "failure_reason": value.reason,
        }

    async def _value(self, body: Mapping[str, Any]) -> RewardValue:
        text, finish = read_response(body.get("response"))
        columns = {
            name: cell
            for name, cell in body.items()
            if name not in _THEIRS and not name.startswith("_ng_")
        }
        member = Member(completion=text, columns={**columns, "finish_reason": finish})
        if not self.cohorts.waits:
            return self.cohorts.pay_alone(member)
        for name in ("_ng_group_id", "_ng_rollout_index", "group_size"):
            if body.get(name) is None:
                return RewardValue(reason=f"missing_column:{name}")
        return await self.cohorts.pay(
            member,
            group=f"{body['_ng_group_id']}/{body.get('_ng_group_attempt', 0)}",
            size=int(body["group_size"]),
            name=str(body["_ng_rollout_index"]),
        )


def read_response(response: object) -> tuple[str | None, str]:
    """Return the text of a response and why it ended, in the words that rewards read.

    Args:
        response: An object of the Responses API as plain data.

    Returns:
        The text of the last message, None where there is none; `stop`, `length`,
        `content_filter` or `error`. A response that is not completed is never a `stop`.
    """
    if not isinstance(response, Mapping):
        return None, "error"
    texts = [
        "".join(str(part.get("text") or "") for part in item.get("content") or ())
        for item in response.get("output") or ()
        if isinstance(item, Mapping) and item.get("type") == "message"
    ]
    details = response.get("incomplete_details")
    reason = details.get("reason") if isinstance(details, Mapping) else None
    whole = reason is None and response.get("status") in (None, "completed")
    finish = "stop" if whole else _CUT.get(str(reason), "error")
    if response.get("error") is not None or response.get("status") == "failed":
        finish = "error"
    return (texts[-1] if texts else None), finish
