"""What came back: a completion, or a fault that says whether asking again can help."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec

from unswayed.models.completion import Completion, OptionScore, count_lead
from unswayed.models.endpoint import Scoring
from unswayed.models.plain import LARGEST_COUNT, STOPS, read_plain

LARGEST_BODY = 32 * 1024 * 1024
"""Largest reply, in bytes, that is read."""
LONGEST_MESSAGE = 300
"""Characters of a server's message that are kept."""

FaultKind = Literal["retry", "refused", "fatal"]

_RETRIED = frozenset({408, 409, 425, 429})
_FATAL = frozenset({401, 402, 403, 404, 405, 410})
_CONTEXT = re.compile(
    r"context[ _-]?(?:length|window|size)|maximum context|prompt is too long|too many tokens"
    r"|input is too long|exceeds? the (?:model'?s )?(?:max|limit)",
    re.I,
)
_FILTER = re.compile(r"content[ _-]?(?:filter|policy|management)|moderation|flagged", re.I)
_QUOTA = re.compile(r"insufficient[_ ]quota|exceeded your current quota|out of credits", re.I)
_LEAST_LOGPROB = -9000.0
_ROUNDING = 1e-6


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """Why a reply is not a completion."""

    kind: FaultKind
    """`retry`: asking again can help. `refused`: not for this request. `fatal`: for none."""
    slug: str
    """Name of the fault, such as `context_full` or `garbled`."""
    message: str = ""
    """What the server said, shortened."""
    status: int | None = None
    """HTTP status that says so, from the status line or from an error inside a reply."""

    @property
    def text(self) -> str:
        """The fault as it stands in `Completion.error`."""
        return f"{self.slug}: {self.message}" if self.message else self.slug

    def completion(self) -> Completion:
        """Return the completion that records this fault."""
        return Completion(error=self.text, stop="error")


class EchoScore(OptionScore, frozen=True, kw_only=True):
    """The score of one option, before it is known with which tokens the others begin."""

    said: tuple[tuple[str, float], ...]
    """Its tokens and their log-probabilities."""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What a reply answers."""

    options: tuple[str, ...] = ()
    """Options to score; under `echo` the one option that was sent."""
    scoring: Scoring = "none"
    """How they are scored."""

    @property
    def object(self) -> str:
        """What kind of object the reply must be."""
        return "text_completion" if self.options and self.scoring == "echo" else "chat.completion"


def parse_reply(status: int, headers: Mapping[str, str], body: bytes, asked: Asked) -> Completion:
    """Return the completion that a reply holds, or one with `error` set.

    Args:
        status: HTTP status.
        headers: Reply headers with lower-case names.
        body: The whole body.
        asked: What the reply answers.
    """
    found = read_reply(status, headers, body, asked)
    return found.completion() if isinstance(found, Fault) else found


def read_reply(
    status: int, headers: Mapping[str, str], body: bytes, asked: Asked
) -> Completion | Fault:
    """Return the completion that a reply holds, or the fault and whether a retry can help.

    Args:
        status: HTTP status.
        headers: Reply headers with lower-case names.
        body: The whole body.
        asked: What the reply answers.
    """
    if len(body) > LARGEST_BODY:
        return too_large()
    if not 200 <= status < 300:
        return _fault_of_status(status, body)
    kind = headers.get("content-type", "")
    if kind != "application/json" and not _is_text(kind := _media_type(kind)):
        return Fault(kind="retry", slug="wrong_content_type", message=shorten(kind))
    if not asked.options and (plain := read_plain(body)) is not None:
        return plain
    value = _decode(body)
    if not isinstance(value, dict):
        return Fault(kind="retry", slug="garbled", message="the body is not a JSON object")
    if value.get("error") and not value.get("choices"):
        return _fault_of_status(_code(value), body)
    if value.get("object") not in (None, "", asked.object):
        message = f"object is {value['object']!r} and not {asked.object!r}"
        return Fault(kind="refused", slug="wrong_object", message=shorten(message))
    return _read_choice(value, asked)


def _media_type(stated: str) -> str:
    return stated.partition(";")[0].strip().lower()


def _is_text(kind: str) -> bool:
    """Whether a media type may hold a reply; a server may state none."""
    return not kind or "json" in kind or kind == "text/plain"


def too_large() -> Fault:
    """Return the fault of a body that is larger than any honest reply."""
    return Fault(kind="refused", slug="too_large", message=f"more than {LARGEST_BODY} bytes")


def shorten(text: str) -> str:
    """Return the beginning of a text on one line, without what could steer a terminal."""
    line = " ".join(text[: 8 * LONGEST_MESSAGE].split())[:LONGEST_MESSAGE]
    return "".join(sign if sign.isprintable() else "\ufffd" for sign in line)


def _decode(body: bytes) -> object:
    try:
        return msgspec.json.decode(body.removeprefix(b"\xef\xbb\xbf"))
    except (msgspec.DecodeError, RecursionError):
        return None


def _code(value: dict[str, Any]) -> int:
    error = value["error"]
    code = error.get("code") if isinstance(error, dict) else None
    if isinstance(code, str) and code.isdecimal():
        code = int(code[:4])
    return code if isinstance(code, int) and 400 <= code <= 599 else 500


def _fault_of_status(status: int, body: bytes) -> Fault:
    message = server_message(body)
    kind, slug = _kind_of_status(status, message)
    return Fault(kind=kind, slug=slug, message=shorten(f"HTTP {status} {message}"), status=status)


def _kind_of_status(status: int, message: str) -> tuple[FaultKind, str]:
    if status == 429 and _QUOTA.search(message):
        return "fatal", "quota"
    if status in _RETRIED or status >= 500:
        return "retry", "rate_limit" if status == 429 else "server_error"
    if status in (400, 413, 422) and _CONTEXT.search(message):
        return "refused", "context_full"
    if status in (400, 403, 422) and _FILTER.search(message):
        return "refused", "content_filter"
    if status in _FATAL or status < 400:
        return "fatal", "not_served"
    return "refused", "bad_request"


def server_message(body: bytes) -> str:
    """Return what an error body says, from the places where servers put it."""
    value = _decode(body)
    if isinstance(value, dict):
        error = value.get("error", value.get("detail", value))
        if isinstance(error, dict):
            words = [error.get(name) for name in ("code", "type", "message", "metadata")]
            told = [word if isinstance(word, str) else _json(word) for word in words if word]
            return " ".join(told)
        return error if isinstance(error, str) else _json(error)
    return body[: 16 * LONGEST_MESSAGE].decode("utf-8", errors="replace")


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _read_choice(value: dict[str, Any], asked: Asked) -> Completion | Fault:
    choices = value.get("choices")
    if not isinstance(choices, list) or not choices:
        return Fault(kind="retry", slug="empty", message="no choices")
    choice = next((entry for entry in choices if _index(entry) == 0), None)
    if choice is None:
        return Fault(kind="retry", slug="wrong_index", message="no choice has index 0")
    if choice.get("error") or choice.get("finish_reason") == "error":
        return Fault(kind="retry", slug="server_error", message=shorten(_json(choice.get("error"))))
    scores = _read_scores(choice, asked) if asked.options else ()
    if isinstance(scores, Fault):
        return scores
    texts = ("", "") if asked.object == "text_completion" else _read_message(choice)
    if isinstance(texts, Fault):
        return texts
    return _completion(value, choice, texts, scores)


def _index(choice: object) -> object:
    return choice.get("index", 0) if isinstance(choice, dict) else None


def _completion(
    value: dict[str, Any],
    choice: dict[str, Any],
    texts: tuple[str, str],
    scores: tuple[OptionScore, ...],
) -> Completion:
    usage = value.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    # No prompt and no text that was written has 0 tokens: such a count is not stated.
    written = _count(usage.get("completion_tokens"))
    details = usage.get("prompt_tokens_details")
    reason = choice.get("finish_reason")
    served_by = value.get("model")
    return Completion(
        text=texts[0],
        reasoning=texts[1],
        stop=STOPS.get(reason, "unknown") if isinstance(reason, str) else "unknown",
        scores=scores,
        n_prompt_tokens=_count(usage.get("prompt_tokens")) or None,
        n_cached_tokens=_count(details.get("cached_tokens")) if isinstance(details, dict) else None,
        n_completion_tokens=written or (None if any(texts) else written),
        served_by=shorten(served_by) if isinstance(served_by, str) else "",
    )


def _count(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if 0 <= value < LARGEST_COUNT else None


def _read_message(choice: dict[str, Any]) -> tuple[str, str] | Fault:
    message = choice.get("message")
    if not isinstance(message, dict):
        return Fault(kind="retry", slug="empty", message="the choice has no message")
    reasoning = list(_reasoning(message))
    content = message.get("content")
    if isinstance(content, list):
        parts = _read_parts(content)
        if isinstance(parts, Fault):
            return parts
        content = parts[0]
        reasoning += [parts[1]] if parts[1] and parts[1] not in reasoning else []
    refusal = message.get("refusal")
    if not content and isinstance(refusal, str) and refusal:
        content = refusal
    if content is None:
        return _no_content(choice, message, "".join(reasoning))
    if not isinstance(content, str):
        return Fault(kind="refused", slug="wrong_content", message=type(content).__name__)
    return content, "".join(reasoning)


def _no_content(
    choice: dict[str, Any], message: dict[str, Any], reasoning: str
) -> tuple[str, str] | Fault:
    if message.get("tool_calls") or message.get("function_call"):
        return Fault(kind="refused", slug="tool_call", message="the model called a tool")
    if reasoning or choice.get("finish_reason") in ("length", "content_filter"):
        return "", reasoning
    return Fault(kind="refused", slug="empty", message="the content is null")


def _reasoning(message: dict[str, Any]) -> Iterator[str]:
    seen: set[str] = set()
    for name in ("reasoning_content", "reasoning", "thinking"):
        text = _text_of(message.get(name))
        if text and text not in seen:
            seen.add(text)
            yield text


def _read_parts(parts: list[Any]) -> tuple[str, str] | Fault:
    texts: list[str] = []
    reasoning: list[str] = []
    for part in parts:
        kind = part.get("type", "text") if isinstance(part, dict) else "text"
        if kind in ("text", "output_text"):
            texts.append(_text_of(part))
        elif kind == "refusal":
            texts.append(_text_of(part.get("refusal")))
        elif kind in ("reasoning", "thinking", "reasoning_content"):
            reasoning.append(_text_of(part))
        else:
            return Fault(kind="refused", slug="wrong_content", message=shorten(f"part {kind!r}"))
    return "".join(texts), "".join(reasoning)


def _text_of(value: object, depth: int = 0) -> str:
    if isinstance(value, str):
        return value
    if depth > 4:
        return ""
    if isinstance(value, list):
        return "".join(_text_of(entry, depth + 1) for entry in value)
    if isinstance(value, dict):
        names = ("text", "thinking", "reasoning", "reasoning_content", "content", "summary")
        return next((text for name in names if (text := _text_of(value.get(name), depth + 1))), "")
    return ""


def _read_scores(choice: dict[str, Any], asked: Asked) -> tuple[OptionScore, ...] | Fault:
    logprobs = choice.get("logprobs")
    if not isinstance(logprobs, dict):
        return Fault(kind="refused", slug="no_logprobs", message="the reply has none")
    if asked.scoring == "echo":
        return tuple(_echo_score(logprobs, option) for option in asked.options)
    content = logprobs.get("content")
    if not isinstance(content, list) or not content or not isinstance(content[0], dict):
        return Fault(kind="refused", slug="no_logprobs", message="no token has log-probabilities")
    listed = _alternatives(content[0])
    return tuple(
        OptionScore(text=option, logprob=_first_token_score(listed, option), n_tokens=1)
        for option in asked.options
    )


def _alternatives(first: dict[str, Any]) -> dict[str, float]:
    entries = first.get("top_logprobs")
    entries = [*entries, first] if isinstance(entries, list) else [first]
    listed: dict[str, float] = {}
    for entry in entries:
        token = entry.get("token") if isinstance(entry, dict) else None
        value = _logprob(entry.get("logprob")) if isinstance(entry, dict) else None
        if isinstance(token, str) and value is not None:
            listed.setdefault(token, value)
    return listed


def _first_token_score(listed: dict[str, float], option: str) -> float | None:
    if option in listed:
        return listed[option]
    same = [value for token, value in listed.items() if token.strip() == option.strip()]
    return max(same, default=None)


def _echo_score(logprobs: dict[str, Any], option: str) -> OptionScore:
    """Sum the last tokens whose joined text is the option; None when none end there exactly."""
    tokens, values = logprobs.get("tokens"), logprobs.get("token_logprobs")
    unscored = OptionScore(text=option, logprob=None, n_tokens=0)
    if not isinstance(tokens, list) or not isinstance(values, list) or len(tokens) != len(values):
        return unscored
    tail, total = "", 0.0
    for count, (token, value) in enumerate(zip(reversed(tokens), reversed(values), strict=True), 1):
        number = _logprob(value)
        if not isinstance(token, str) or number is None or not option.endswith(token + tail):
            return unscored
        tail, total = token + tail, total + number
        if tail == option:
            own = zip(tokens[-count:], values[-count:], strict=True)
            said = tuple((str(token), min(0.0, float(value))) for token, value in own)
            return EchoScore(text=option, logprob=total, n_tokens=count, said=said)
    return unscored


def with_lead(scores: Sequence[OptionScore]) -> tuple[OptionScore, ...]:
    """Return the scores of all options of a request with what their shared leading tokens have.

    Args:
        scores: The scores, each from a reply of its own.
    """
    echoed = [score for score in scores if isinstance(score, EchoScore)]
    lead = count_lead([[token for token, _ in score.said] for score in echoed])
    return tuple(
        OptionScore(
            text=score.text,
            logprob=score.logprob,
            n_tokens=score.n_tokens,
            lead=sum(value for _, value in score.said[:lead]),
        )
        if isinstance(score, EchoScore)
        else score
        for score in scores
    )


def _logprob(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return min(0.0, float(value)) if _LEAST_LOGPROB < value <= _ROUNDING else None
