"""What is sent: request bodies that hold the planned transcript and nothing that was not asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from unswayed.errors import CapabilityError
from unswayed.models.adapt import adapt
from unswayed.models.endpoint import Endpoint, Scoring
from unswayed.models.protocol import Request, Sampling
from unswayed.transcript import Transcript

PROVIDER_DEFAULT = "provider default"
"""Recorded for a sampling field that is not sent."""
LONGEST_OPTION = 8
"""Longest option, in characters, that is taken to be one token."""


def describe_sampling(sampling: Sampling) -> dict[str, str]:
    """Return every sampling field as text; one that is not sent is the provider's default."""
    fields = msgspec.structs.asdict(sampling)
    fields["stop"] = list(sampling.stop) or None
    return {
        name: PROVIDER_DEFAULT if value is None else msgspec.json.encode(value).decode()
        for name, value in fields.items()
    }


def chat_body(request: Request, endpoint: Endpoint) -> bytes:
    """Return the body of a chat request; the messages are the transcript's, adapted with a label.

    Whether the endpoint takes the transcript at all has been checked before.
    """
    messages = request.transcript.to_wire()
    if endpoint.system_role == "fold":
        messages, _ = adapt(messages, endpoint.chat)
    body: dict[str, Any] = {"model": endpoint.model, "messages": messages}
    _add_sampling(body, request, endpoint)
    if request.options:
        body.update({"logprobs": True, "top_logprobs": endpoint.n_alternatives})
        body[endpoint.max_tokens_field] = 1
    body.update(endpoint.extra_body)
    return msgspec.json.encode(body)


def echo_body(request: Request, option: str, endpoint: Endpoint) -> bytes:
    """Return the body that asks a base model to echo the prompt with one option behind it."""
    body: dict[str, Any] = {
        "model": endpoint.model,
        "prompt": request.transcript.messages[0].content + option,
        "max_tokens": 0,
        "echo": True,
        "logprobs": 1,
    }
    body.update(endpoint.extra_body)
    return msgspec.json.encode(body)


def check_scoring(scoring: Scoring, transcript: Transcript, options: Sequence[str]) -> None:
    """Refuse option scoring that an endpoint cannot do honestly.

    Raises:
        CapabilityError: Before anything is sent, with the readout to use instead.
    """
    if not options:
        return
    if scoring == "none":
        raise CapabilityError(
            "This chat endpoint gives no log-probabilities of options",
            allowed="endpoints with scoring = 'echo' or 'top_logprobs', or an embedded model",
            given="scoring = 'none'",
            next_step="use a readout of the written text, such as choice, for this endpoint",
        )
    if scoring == "echo":
        _check_echo(transcript)
    else:
        _check_one_token(options)


def _check_echo(transcript: Transcript) -> None:
    roles = [message.role for message in transcript.messages]
    if roles != ["user"]:
        raise CapabilityError(
            "Options can be scored by echo after a single text only",
            allowed="a transcript of one user turn, sent as the base model's prompt",
            given=" > ".join(roles) or "no messages",
            next_step="use a readout of the written text, such as choice, for conversations",
        )


def _check_one_token(options: Sequence[str]) -> None:
    words = [option.strip() for option in options]
    single = all(word.isalnum() and len(word) <= LONGEST_OPTION for word in words)
    if not single or len(set(words)) != len(words):
        raise CapabilityError(
            "These options cannot be scored from the first token's alternatives",
            allowed=f"different single words of at most {LONGEST_OPTION} letters, as A or True",
            given=", ".join(repr(option) for option in options[:6]),
            next_step="ask with letters, or use a readout of the written text, such as choice",
        )


def _add_sampling(body: dict[str, Any], request: Request, endpoint: Endpoint) -> None:
    sampling = request.sampling
    if sampling.temperature is not None:
        body["temperature"] = sampling.temperature
    if sampling.max_tokens is not None:
        body[endpoint.max_tokens_field] = sampling.max_tokens
    if sampling.top_p is not None:
        body["top_p"] = sampling.top_p
    if sampling.seed is not None:
        body["seed"] = sampling.seed + request.draw
    if sampling.stop:
        body["stop"] = list(sampling.stop)
