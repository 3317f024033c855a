"""Asks a reward model behind an endpoint for the scores that an audit needs.

Two shapes of requests are known, both of vLLM and servers like it, read in its documentation:
`pooling` sends the conversation to `POST /pooling` and reads one number; `score` sends prompt and
reply as two texts to `POST /score`, as models that compare two texts take them.
"""

from __future__ import annotations

import asyncio
import math
import os
import random
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from unswayed.errors import ModelError, RowError, UsageError
from unswayed.items.cells import Problem, Row, read_table, refuse
from unswayed.models.endpoint import Endpoint
from unswayed.models.keys import Key
from unswayed.models.limits import Clock, backoff
from unswayed.models.seam import Transport
from unswayed.models.transport import open_transport
from unswayed.preferences.cells import Cells
from unswayed.preferences.pair import Turn
from unswayed.preferences.scores import NEEDS
from unswayed.rows import encode, replacing
from unswayed.transcript import digest

AskShape = Literal["pooling", "score"]
"""How a server is asked."""

CHUNK = 256
"""Replies after which what has come is written down."""

_AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_FATAL = frozenset({401, 402, 403, 404, 405})


class Unscored(msgspec.Struct, frozen=True, kw_only=True):
    """A reply that got no score."""

    reason: str
    """Why, as the server says or as its reply reads."""


class RewardModel:
    """A reward model behind an endpoint; use it within one event loop.

    Args:
        endpoint: Where it is; of its fields address, name, key, time-out, attempts, requests at
            once and further fields of the body count.
        shape: How it is asked.
        environ: Where the key is looked up; the process environment by default.
        clock: Time; tests give one that does not wait.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        shape: AskShape = "pooling",
        *,
        environ: Mapping[str, str] | None = None,
        clock: Clock | None = None,
    ) -> None:
        self.endpoint = endpoint
        self.shape = shape
        found = os.environ if environ is None else environ
        self._key = Key.from_environment(endpoint.key_env, found)
        self._clock = clock or Clock()
        self._rng = random.Random(0)

    async def score(self, pairs: Sequence[tuple[list[Turn], str]]) -> list[float | Unscored]:
        """Score replies side by side, in order.

        Args:
            pairs: Prompt and reply of each.

        Raises:
            ModelError: When no retry can help: bad key, unknown address, no server.
        """
        headers = self._key.headers(self.endpoint.key_header)
        transport = open_transport(self.endpoint.client, headers, self.endpoint.timeout_s)
        places = asyncio.Semaphore(self.endpoint.concurrency)

        async def one(prompt: list[Turn], reply: str) -> float | Unscored:
            async with places:
                return await self._ask(transport, self._body(prompt, reply))

        tasks = [asyncio.ensure_future(one(prompt, reply)) for prompt, reply in pairs]
        try:
            return list(await asyncio.gather(*tasks))
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await transport.close()

    def _body(self, prompt: list[Turn], reply: str) -> bytes:
        turns = [{"role": turn.role, "content": turn.content} for turn in prompt]
        asked: dict[str, Any]
        if self.shape == "pooling":
            asked = {"messages": [*turns, {"role": "assistant", "content": reply}]}
        else:
            asked = {"text_1": "\n\n".join(turn["content"] for turn in turns), "text_2": reply}
        return encode({**self.endpoint.extra_body, "model": self.endpoint.model, **asked})

    async def _ask(self, transport: Transport, body: bytes) -> float | Unscored:
        fault = ""
        for attempt in range(1, self.endpoint.max_attempts + 1):
            if attempt > 1:
                await self._clock.sleep(backoff(attempt - 1, self._rng))
            try:
                reply = await transport.post(self.endpoint.url(self.shape), body)
            except TimeoutError:
                fault = f"no reply within {self.endpoint.timeout_s:g} s"
                continue
            except ConnectionError as error:
                fault = f"connection: {error}"
                continue
            text = self._key.scrub((reply.body or b"")[:400].decode("utf-8", errors="replace"))
            if reply.status == 200:
                return read_score_reply(reply.body or b"", self.shape)
            fault = f"status {reply.status}: {text}"
            if reply.status in _FATAL or 300 <= reply.status < 400:
                raise self._refused(fault)
            if reply.status not in _AGAIN:
                return Unscored(reason=fault)
        if fault.startswith("connection"):
            raise self._refused(fault)
        return Unscored(reason=fault)

    def _refused(self, fault: str) -> ModelError:
        return ModelError(
            "The reward model cannot be asked",
            allowed=f"a server that answers POST {self.endpoint.url(self.shape)}",
            given=fault,
            next_step="check --base-url (vLLM: without /v1), --ask, the model's name and the key",
        )


def read_score_reply(body: bytes, shape: AskShape) -> float | Unscored:
    """Read the one number of a reply.

    Args:
        body: The body of a reply with status 200.
        shape: How the server was asked.

    Returns:
        A finite number, or why there is none: a model that gives one value for each token, several
        classes or NaN has no score of a reply.
    """
    try:
        found = msgspec.json.decode(body)
        entry = found["data"][0]
        value = entry["data"] if shape == "pooling" else entry["score"]
    except (msgspec.DecodeError, KeyError, IndexError, TypeError):
        return Unscored(reason="the reply is not of the shape that was asked for")
    while isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, list):
        return Unscored(reason=f"{len(value)} values where one number is needed")
    if isinstance(value, int) and abs(value) > sys.float_info.max:
        return Unscored(reason="an integer beyond 1.8e308 is no finite number")
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return Unscored(reason=f"{value!r} is no finite number")
    return float(value)


class Scoring(msgspec.Struct, frozen=True, kw_only=True):
    """What scoring a file has come to."""

    n: int
    """Rows."""
    n_asked: int
    """Replies that were asked about now; equal ones are asked once."""
    n_kept: int
    """Scored rows that were in the file already and are not in the one that is scored now."""
    reasons: dict[str, int]
    """Rows without a score, by reason."""


async def score_file(
    path: Path, to: Path, model: RewardModel, told: Callable[[str], None]
) -> Scoring:
    """Score the replies of a file and write it anew, with the column `score`.

    What `to` already holds is not asked again, and no scored row of it is dropped: rows that are
    not in `path` stay at its end. What has come is written after every 256 replies, with the model
    and how it was asked in `score_model` and `score_ask`. A reply without a score stays in the file
    without one, with the reason in `unscored`.

    Args:
        path: Rows with `prompt`, `reply`, `agrees` and `user_right`.
        to: JSON Lines to write.
        model: The reward model.
        told: Told how far it is.

    Raises:
        RowError: When a column is missing or a cell cannot be read.
        UsageError: When `to` has scores of another model, or that were asked for otherwise.
        ModelError: When no retry can help.
    """
    rows, pairs = _read(path)
    wanted = {_name(pair): pair for pair in pairs}
    asked = {"score_model": model.endpoint.model, "score_ask": model.shape}
    before = _scored_before(to, asked)
    known: dict[str, float | Unscored] = {name: float(row["score"]) for name, row in before}
    kept = [row for name, row in before if name not in wanted]
    made = [{**row.cells, **asked} for row in rows]
    open_ = [name for name in wanted if name not in known]
    for start in range(0, len(open_), CHUNK):
        part = open_[start : start + CHUNK]
        found = await model.score([wanted[name] for name in part])
        known.update(zip(part, found, strict=True))
        _write(to, made, [known.get(_name(pair)) for pair in pairs], kept)
        told(f"{min(start + CHUNK, len(open_)):,} of {len(open_):,} replies asked")
    scores = [known[_name(pair)] for pair in pairs]
    _write(to, made, scores, kept)
    reasons: dict[str, int] = {}
    for each in scores:
        if isinstance(each, Unscored):
            reasons[each.reason] = reasons.get(each.reason, 0) + 1
    return Scoring(n=len(rows), n_asked=len(open_), n_kept=len(kept), reasons=reasons)


def _scored_before(to: Path, asked: Mapping[str, str]) -> list[tuple[str, Mapping[str, Any]]]:
    """The scored rows that a file has, by the name of their reply; all must be asked for so."""
    if not to.exists():
        return []
    named: list[tuple[str, Mapping[str, Any]]] = [
        (_name(pair), row.cells)
        for row, pair in zip(*_read(to), strict=True)
        if row.cells.get("score") is not None
    ]
    for _, cells in named:
        told = {name: cells.get(name) for name in asked}
        if told != asked:
            raise UsageError(
                f"{to} has scores of another model, or that were asked for otherwise",
                allowed=f"scores of {asked['score_model']} with --ask {asked['score_ask']}",
                given=f"score_model {told['score_model']}, score_ask {told['score_ask']}",
                next_step="name another file with --to: one for each model and way of asking",
            )
    return named


def _name(pair: tuple[list[Turn], str]) -> str:
    return digest([tuple(pair[0]), pair[1]])


def _read(path: Path) -> tuple[Sequence[Row], list[tuple[list[Turn], str]]]:
    table = read_table(path)
    needed = [name for name in NEEDS if name != "score"]
    missing = [name for name in needed if name not in table.columns]
    if missing or not table.rows:
        raise RowError(
            f"{path} is no file of replies",
            allowed=f"at least one row with {', '.join(needed)}",
            given=f"no column {', '.join(missing)}" if missing else "no row",
            next_step="write one row for each reply with these columns; docs/preferences.md",
        )
    problems: list[Problem] = list(table.problems)
    pairs = []
    for row in table.rows:
        cells = Cells(row)
        pairs.append((cells.turns("prompt"), cells.text("reply")))
        problems += cells.problems
    if problems:
        refuse(table.path, problems, len(table.rows) + len(table.problems))
    return table.rows, pairs


def _write(
    to: Path,
    rows: Sequence[Mapping[str, Any]],
    scores: Sequence[float | Unscored | None],
    kept: Sequence[Mapping[str, Any]],
) -> None:
    with replacing(to) as stream:
        for row, score in zip(rows, scores, strict=True):
            cells = {name: cell for name, cell in row.items() if name != "unscored"}
            cells["score"] = score if isinstance(score, float) else None
            if isinstance(score, Unscored):
                cells["unscored"] = score.reason
            stream.write(encode(cells) + b"\n")
        for row in kept:
            stream.write(encode(row) + b"\n")
