"""A run by batch files: requests go out as files, results come back as files.

Requests that need an earlier reply follow in a later wave, so a run takes as many waves as its
longest conversation has replies. Store, ids and completions are those of a run over HTTP, and
either transport goes on where the other was.

Each request carries the replay's id and a token drawn for its file, so a result is known to answer
what this folder sent. A file is out until every one of its requests has a result.
"""

from __future__ import annotations

import itertools
import re
import secrets
import shlex
from collections import Counter
from collections.abc import Container, Iterable, Iterator
from pathlib import Path
from typing import IO
from urllib.parse import urlsplit

import msgspec

from unswayed.errors import StoreError
from unswayed.folder import BATCH, BEFORE, RunFolder, now
from unswayed.models.batchresults import completion_of, read_results
from unswayed.models.completion import Completion
from unswayed.models.endpoint import Endpoint, Scoring
from unswayed.models.protocol import Request
from unswayed.models.replies import Asked, shorten
from unswayed.models.store import Store
from unswayed.models.wire import chat_body
from unswayed.plans.plan import Replay
from unswayed.plans.sampling import Sampling
from unswayed.rows import encode, replacing

MOST_REQUESTS = 50_000
"""Requests in one file."""
MOST_BYTES = 200_000_000
"""Bytes in one file."""
TOKEN_BYTES = 6
"""Random bytes that tell the files of all folders apart."""
WRITTEN_AT_ONCE = 1000
"""Completions in one transaction."""

_STATE = "batch file "
_NUMBERED = re.compile(r"requests-(\d+)\.jsonl")


class Wave(msgspec.Struct, frozen=True, kw_only=True):
    """What one export wrote."""

    files: tuple[str, ...]
    """The files, to be sent to the provider."""
    n_requests: int
    """Requests in them."""
    n_waiting: int
    """Replays that need a reply which is not there yet; they follow in a later wave."""
    n_out: int
    """Replays in earlier files whose results have not been imported."""
    n_done: int
    """Replays that have a completion."""


class Imported(msgspec.Struct, frozen=True, kw_only=True):
    """What one import brought."""

    n_stored: int
    """Completions that are new."""
    n_known: int
    """Results of replays that had a completion already; they change nothing."""
    failed: dict[str, int]
    """Results without a completion, by reason."""
    n_missing: int
    """Requests sent together with these that have no result yet; their files stay out."""
    other_models: dict[str, int]
    """Results that name another model than the contract does, by that name."""
    n_open: int
    """Replays of the plan that still have no completion."""


class SentFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file of requests that was exported."""

    name: str
    """Its name in the folder `batch` of the run."""
    token: str
    """Drawn for it; its requests carry it behind the replay's id."""
    failed: frozenset[str] = frozenset()
    """Replays whose result in it is a failure."""
    back: bool = False
    """Whether each of its requests has a result."""


def export_wave(folder: RunFolder, endpoint: Endpoint) -> Wave:
    """Write the requests that can be asked now, in as many files as the limits demand.

    Requests whose files are still out are left alone; delete such a file to give it up.

    Args:
        folder: The run, with its contract.
        endpoint: How requests are shaped; part of the contract.

    Raises:
        StoreError: When the folder is in use or damaged.
    """
    store = folder.open_store(writable=True)
    try:
        away = {name for _, missing in _open_files(folder, store) for name in missing}
        n_out, done = len(away), store.done()
        counts: Counter[str] = Counter()
        requests = _ready(folder, store, done, away, counts)
        files = []
        numbers = itertools.count(_last_number(folder, store) + 1)
        for path, token in _write_files(folder, endpoint, requests, counts, numbers):
            files.append(path)
            _note(store, SentFile(name=path.name, token=token))
        n_done = store.n_done()
    finally:
        store.close()
    return Wave(
        files=tuple(str(path) for path in files),
        n_requests=counts["requests"],
        n_waiting=counts["waiting"],
        n_out=n_out,
        n_done=n_done,
    )


def files_out(folder: RunFolder, store: Store) -> list[Path]:
    """Return the exported files that still exist and lack the result of a request."""
    names = [file.name for file in _sent_files(store) if not file.back]
    return [path for name in sorted(names) if (path := _place(folder) / name).exists()]


def import_results(folder: RunFolder, path: Path) -> Imported:
    """Store the results in a file that a provider gave back; importing it again changes nothing.

    Args:
        folder: The run.
        path: Output or error file of a batch.

    Raises:
        RowError: When a line is no result.
        StoreError: When a result answers nothing that was exported from this folder.
    """
    asked = {replay.id: replay.options for replay in folder.replays()}
    model = folder.read_contract().model
    store = folder.open_store(writable=True)
    try:
        files = {file.token: file for file in _sent_files(store)}
        answers = list(_completions(folder, path, asked, files))
        rows = [(name, completion) for _, name, completion in answers]
        new = [
            (name, reply) for token, name, reply in answers if _is_new(files[token], name, reply)
        ]
        before, session = store.n_done(), store.begin_session(now())
        store.state(f"{BEFORE}{session}", str(before))
        store.state(f"{BATCH}{session}", "1")
        for start in range(0, len(new), WRITTEN_AT_ONCE):
            store.add(new[start : start + WRITTEN_AT_ONCE])
        failures = {token: set[str]() for token, _, _ in answers}
        for token, name, reply in answers:
            if reply.error is not None:
                failures[token].add(name)
        n_missing = _take_back(folder, store, failures)
        n_done = store.n_done()
        store.end_session(session, now())
    finally:
        store.close()
    failed = Counter(
        completion.error.partition(":")[0] for _, completion in rows if completion.error is not None
    )
    others = Counter(
        completion.served_by
        for _, completion in rows
        if completion.served_by not in ("", model.name)
    )
    return Imported(
        n_stored=n_done - before,
        n_known=len(rows) - sum(failed.values()) - (n_done - before),
        failed=dict(failed.most_common()),
        n_missing=n_missing,
        other_models=dict(others.most_common()),
        n_open=len(asked) - n_done,
    )


def count_out(folder: RunFolder, store: Store) -> int:
    """Return how many exported requests have no result yet."""
    return sum(len(missing) for _, missing in _open_files(folder, store))


def _is_new(file: SentFile, name: str, completion: Completion) -> bool:
    """Whether a result says what is not stored yet; the store itself knows completions."""
    return completion.error is None or not (file.back or name in file.failed)


def _take_back(folder: RunFolder, store: Store, failures: dict[str, set[str]]) -> int:
    """Note what failed, by token, and which files are back; count what the others here lack."""
    for file in _sent_files(store):
        if failures.get(file.token):
            failed = file.failed | failures[file.token]
            _note(store, msgspec.structs.replace(file, failed=failed))
    n_missing = 0
    for file, missing in list(_open_files(folder, store)):
        if not missing:
            _note(store, msgspec.structs.replace(file, back=True))
        elif file.token in failures:
            n_missing += len(missing)
    return n_missing


def _open_files(folder: RunFolder, store: Store) -> Iterator[tuple[SentFile, set[str]]]:
    """Yield each file that is not back with the replays that have no result in it."""
    files = [file for file in _sent_files(store) if not file.back]
    done = store.done() if files else set()
    for file in files:
        path = _place(folder) / file.name
        if path.exists():
            sent = set(_ids(path)) - file.failed
            yield file, {name for name in sent if bytes.fromhex(name) not in done}


def refuse_while_out(folder: RunFolder) -> None:
    """Refuse to ask over HTTP what a batch may be answering already.

    Raises:
        StoreError: Naming the files that are out.
    """
    if not _place(folder).exists() or not folder.store.exists():
        return
    store = folder.open_store(writable=False)
    try:
        out = files_out(folder, store)
    finally:
        store.close()
    if out:
        raise StoreError(
            f"Requests of {folder.path} are out in batch files",
            allowed="a run over HTTP once every request of the batch files has its result",
            given=", ".join(path.name for path in out),
            next_step=(
                f"unswayed batch import {shlex.quote(str(folder.path))} FILE; or delete"
                " a file to give it up"
            ),
        )


def _completions(
    folder: RunFolder, path: Path, asked: dict[str, tuple[str, ...]], tokens: Container[str]
) -> Iterator[tuple[str, str, Completion]]:
    """Yield the token of the file, the replay and its completion for each result."""
    stated = folder.read_contract().model.details.get("scoring")
    scoring: Scoring = "top_logprobs" if stated == "top_logprobs" else "none"
    for result in read_results(path):
        name, _, token = result.custom_id.partition("-")
        if name not in asked or token not in tokens:
            raise StoreError(
                f"The file {path} holds results of another run",
                allowed=f"results of requests that were exported from {folder.path}",
                given=f"custom_id {shorten(result.custom_id)}",
                next_step="import it into the folder that its requests were exported from",
            )
        yield token, name, completion_of(result, Asked(options=asked[name], scoring=scoring))


def _ready(
    folder: RunFolder, store: Store, done: set[bytes], away: set[str], counts: Counter[str]
) -> Iterator[Request]:
    """Yield what can be asked now; store what an empty earlier reply makes unaskable."""
    sampling = folder.about_plan().design.sampling
    for replay in folder.replays():
        if replay.id in away or bytes.fromhex(replay.id) in done:
            continue
        pending = replay.transcript.pending()
        replies = {name: reply.text for name, reply in store.get(pending).items()}
        if len(replies) < len(set(pending)):
            counts["waiting"] += 1
        elif not all(text.strip() for text in replies.values()):
            store.add([(replay.id, Completion(text="", stop="unknown", attempts=0))])
        else:
            away.add(replay.id)
            yield _request(replay, sampling, replies)


def _request(replay: Replay, sampling: Sampling, replies: dict[str, str]) -> Request:
    return Request(
        id=replay.id,
        transcript=replay.transcript.fill(replies),
        options=replay.options,
        sampling=sampling.in_stream(replay.stream),
        stream=replay.stream,
        draw=replay.draw,
        item_id=replay.item,
    )


def _write_files(
    folder: RunFolder,
    endpoint: Endpoint,
    requests: Iterable[Request],
    counts: Counter[str],
    numbers: Iterator[int],
) -> Iterator[tuple[Path, str]]:
    """Write files until there are no more requests; yield each, when whole, with its token."""
    url = urlsplit(endpoint.url("chat/completions")).path
    lines = ((request.id, _tail(request, endpoint, url)) for request in requests)
    left = next(lines, None)
    while left is not None:
        token = secrets.token_hex(TOKEN_BYTES)
        path = _place(folder) / f"requests-{next(numbers):04d}.jsonl"
        with replacing(path) as stream:
            left = _fill(stream, token, left, lines)
        counts["requests"] += sum(1 for _ in _ids(path))
        yield path, token


def _last_number(folder: RunFolder, store: Store) -> int:
    """Return the highest number that a file of requests has or had; 0 where there was none."""
    names = [file.name for file in _sent_files(store)]
    names += [path.name for path in _place(folder).glob("*.jsonl")]
    found = [match for name in names if (match := _NUMBERED.fullmatch(name))]
    return max((int(match[1]) for match in found), default=0)


def _fill(
    stream: IO[bytes], token: str, first: tuple[str, bytes], rest: Iterator[tuple[str, bytes]]
) -> tuple[str, bytes] | None:
    """Fill one file; return the request that no longer fits."""
    left: tuple[str, bytes] | None = first
    n, size = 0, 0
    while left is not None and n < MOST_REQUESTS:
        line = b'{"custom_id":"%b-%b",%b' % (left[0].encode(), token.encode(), left[1])
        size += len(line)
        if n and size > MOST_BYTES:
            break
        stream.write(line)
        n += 1
        left = next(rest, None)
    return left


def _tail(request: Request, endpoint: Endpoint, url: str) -> bytes:
    """Return the line of a request, without its brace and `custom_id`."""
    body = msgspec.Raw(chat_body(request, endpoint))
    return encode({"method": "POST", "url": url, "body": body})[1:] + b"\n"


def _sent_files(store: Store) -> list[SentFile]:
    decode = msgspec.json.Decoder(SentFile).decode
    return [decode(told) for name, told in store.facts().items() if name.startswith(_STATE)]


def _note(store: Store, file: SentFile) -> None:
    store.state(f"{_STATE}{file.name}", encode(file).decode())


def _ids(path: Path) -> Iterator[str]:
    """Yield the ids of the replays that a file asks."""
    for result in read_results(path):
        yield result.custom_id.partition("-")[0]


def _place(folder: RunFolder) -> Path:
    return folder.path / "batch"
