"""Other clients against the same server; run by `throughput.py`, with the peers' own Python.

    python speed/contenders.py NAME ADDRESS CONCURRENCY REQUESTS

Prints one line of JSON: requests, processor seconds of this process, seconds, peak memory in MB;
or why the client cannot be measured. Imports and start-up are not counted.
"""

from __future__ import annotations

import asyncio
import json
import os
import resource
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable

QUESTION = "What is the capital of Australia? " * 12
MESSAGES = [{"role": "user", "content": QUESTION}]


def cpu() -> float:
    """Processor seconds of this process."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def measured(count: int, work: Callable[[], object]) -> dict[str, float]:
    """Do the work and say what it took."""
    before, start = cpu(), time.monotonic()
    work()
    return {
        "n": count,
        "cpu_s": cpu() - before,
        "wall_s": time.monotonic() - start,
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


async def side_by_side(once: Callable[[], Awaitable[object]], workers: int, count: int) -> None:
    """Call `once` so many times, by so many workers."""
    left = iter(range(count))

    async def work() -> None:
        for _ in left:
            await once()

    await asyncio.gather(*(work() for _ in range(workers)))


def raw_aiohttp(url: str, workers: int, count: int) -> dict[str, float]:
    """POST and read, nothing else."""
    import aiohttp

    body = json.dumps({"model": "local", "messages": MESSAGES}).encode()

    async def run() -> None:
        connector = aiohttp.TCPConnector(limit=0)
        headers = {"Content-Type": "application/json"}
        async with aiohttp.ClientSession(connector=connector, headers=headers) as session:

            async def once() -> None:
                async with session.post(f"{url}/chat/completions", data=body) as reply:
                    await reply.read()

            await side_by_side(once, workers, count)

    return measured(count, lambda: asyncio.run(run()))


def raw_pyreqwest(url: str, workers: int, count: int) -> dict[str, float]:
    """POST and read with the client that is written in Rust, nothing else."""
    from pyreqwest.client import ClientBuilder

    body = json.dumps({"model": "local", "messages": MESSAGES}).encode()

    async def run() -> None:
        headers = {"Content-Type": "application/json"}
        async with ClientBuilder().default_headers(headers).build() as client:

            async def once() -> None:
                reply = await client.post(f"{url}/chat/completions").body_bytes(body).build().send()
                await reply.bytes()

            await side_by_side(once, workers, count)

    return measured(count, lambda: asyncio.run(run()))


def openai_sdk(url: str, workers: int, count: int) -> dict[str, float]:
    """The SDK's asynchronous client."""
    import openai

    async def run() -> None:
        client = openai.AsyncOpenAI(base_url=url, api_key="none", max_retries=5)
        async with client:

            async def once() -> None:
                await client.chat.completions.create(model="local", messages=MESSAGES)

            await side_by_side(once, workers, count)

    return measured(count, lambda: asyncio.run(run()))


def lm_eval_api(url: str, workers: int, count: int) -> dict[str, float]:
    """The harness's API layer alone, without an evaluation around it."""
    from lm_eval.api.instance import Instance
    from lm_eval.models.openai_completions import LocalChatCompletion

    model = LocalChatCompletion(
        base_url=f"{url}/chat/completions", model="local", num_concurrent=workers, eos_string="x"
    )
    context = model.apply_chat_template(MESSAGES)
    requests = [
        Instance(
            request_type="generate_until",
            doc={},
            arguments=(context, {"until": [], "max_gen_toks": 16}),
            idx=number,
        )
        for number in range(count)
    ]
    return measured(count, lambda: model.generate_until(requests, disable_tqdm=True))


def inspect_many(url: str, workers: int, count: int) -> dict[str, float]:
    """Twenty generates for each sample."""
    return _inspect(url, workers, count, per_sample=20)


def inspect_one(url: str, workers: int, count: int) -> dict[str, float]:
    """One replay for each sample."""
    return _inspect(url, workers, count, per_sample=1)


def _inspect(url: str, workers: int, count: int, *, per_sample: int) -> dict[str, float]:
    from inspect_ai import Task, eval
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import ChatMessageUser, get_model
    from inspect_ai.scorer import match
    from inspect_ai.solver import solver

    os.environ |= {"LOCAL_API_KEY": "none", "LOCAL_BASE_URL": url}

    @solver
    def replays():
        async def solve(state, generate):
            model = get_model()
            asked = [model.generate([ChatMessageUser(content=QUESTION)]) for _ in range(per_sample)]
            state.output = (await asyncio.gather(*asked))[-1]
            return state

        return solve

    def evaluate(number: int, logs: str) -> None:
        samples = [Sample(input=QUESTION, target="A") for _ in range(number)]
        eval(
            Task(dataset=MemoryDataset(samples), solver=replays(), scorer=match()),
            model="openai-api/local/local",
            max_connections=workers,
            max_samples=max(workers // per_sample, 1),
            display="none",
            log_dir=logs,
        )

    with tempfile.TemporaryDirectory() as logs:
        evaluate(2, logs)  # what is paid once for a process is not counted
        return measured(count, lambda: evaluate(count // per_sample, logs))


CONTENDERS = {
    "aiohttp": raw_aiohttp,
    "pyreqwest": raw_pyreqwest,
    "openai": openai_sdk,
    "lm_eval": lm_eval_api,
    "inspect_many": inspect_many,
    "inspect_one": inspect_one,
}


if __name__ == "__main__":
    name, address, concurrency, requests = sys.argv[1:]
    try:
        found = CONTENDERS[name](address, int(concurrency), int(requests))
    except ImportError as error:
        found = {"absent": str(error)}
    print(json.dumps(found), flush=True)
