"""How many replays a second of processor time gives, beside other clients, against one server.

    python speed/throughput.py                                     ours alone
    python speed/throughput.py --peers /path/to/venv/bin/python    the others too, in this run
    python speed/throughput.py --table                             what 10^4 to 10^7 replays cost

The server is local and answers at once (`local_server.py`), so that only the client is measured:
processor seconds of its process, server not included. Ours goes the whole way: the plan is read
from its file, every reply checked and stored durably, every answer read and paired. The others
send and receive; Inspect also writes its log. A peer that cannot be imported is listed as absent.

A second of processor time is not always the same work: on shared cores the same loop has been seen
to take half as long again from one minute to the next. So a fixed piece of Python is timed before
and after each of our runs, and its range is printed; compare numbers where that is alike.
Peers: inspect_ai, "lm_eval[api]", openai, aiohttp, pyreqwest, in a virtual environment of their
own. The two raw clients post and read and do nothing else: no client that uses them can be faster.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
OURS = {"unswayed": "aiohttp", "unswayed, fast client": "pyreqwest"}
PEERS = {
    "raw aiohttp": ("aiohttp", 20_000),
    "raw pyreqwest": ("pyreqwest", 20_000),
    "openai SDK": ("openai", 1_500),
    "lm-evaluation-harness, API layer": ("lm_eval", 6_000),
    "Inspect, 20 generates a sample": ("inspect_many", 600),
    "Inspect, one replay a sample": ("inspect_one", 300),
}
"""Label, name in `contenders.py`, and how many requests give a steady number."""
SIZES = (10**4, 10**5, 10**6, 10**7)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--peers", type=Path, help="Python of an environment with the peers.")
    parser.add_argument("--concurrency", type=int, nargs="*", default=[64, 256, 1024])
    parser.add_argument("--draws", type=int, default=8, help="Draws of 100 items; 2,400 replays.")
    parser.add_argument("--rounds", type=int, default=1, help="Rounds; the best of each counts.")
    parser.add_argument("--table", action="store_true", help="Print what studies cost.")
    parser.add_argument("--price", default="0.15,0.6", help="Of a million tokens, for --table.")
    parser.add_argument("--child", nargs=4, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        client, address, concurrency, draws = given.child
        print(json.dumps(ours(client, address, int(concurrency), int(draws))), flush=True)
        return
    with server() as address:
        if given.table:
            prompt, written = map(float, given.price.split(","))
            print_table(run_ours("aiohttp", address, 256, given.draws), (prompt, written))
            return
        for concurrency in given.concurrency:
            compare(address, concurrency, given)


@contextmanager
def server() -> Iterator[str]:
    """Run the local server in a process of its own."""
    process = subprocess.Popen(
        [sys.executable, HERE / "local_server.py"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield f"http://127.0.0.1:{int(process.stdout.readline())}/v1"
    finally:
        process.stdin.close()
        process.wait()
        process.stdout.close()


def compare(address: str, concurrency: int, given: argparse.Namespace) -> None:
    """Measure everything at one concurrency and print one line for each."""
    found: dict[str, dict] = {}
    marked: dict[str, list[float]] = {}
    for _ in range(given.rounds):
        for label, client in OURS.items():
            result = run_ours(client, address, concurrency, given.draws)
            marked.setdefault(label, []).extend(result.get("yardstick_ms", []))
            keep(found, label, result)
        for label, (name, count) in PEERS.items():
            keep(found, label, run_peer(given.peers, name, address, concurrency, count))
    mine = found["unswayed"]
    print(f"\nconcurrency {concurrency}, {mine['n']:,} replays, best of {given.rounds}")
    print(f"{'':34}{'per CPU second':>15}{'ours to it':>12}{'peak MB':>9}")
    for label, result in found.items():
        if "absent" in result:
            print(f"{label:34}absent: {result['absent']}")
            continue
        ratio = f"{rate(mine) / rate(result):.2f}"
        print(f"{label:34}{rate(result):>15,.0f}{ratio:>12}{result['peak_mb']:>9.0f}")
    marks = sorted(mark for label in OURS for mark in marked.get(label, []))
    if marks:
        print(f"the fixed piece of Python took {marks[0]:.0f} to {marks[-1]:.0f} ms")
    print(
        f"unswayed alone: {mine['run_us']:.0f} us to ask and store a replay,"
        f" {mine['read_us']:.0f} us to read and pair it; start-up and a first small plan took"
        f" {mine['first_s']:.1f} s and are not counted"
    )


def keep(found: dict[str, dict], label: str, result: dict) -> None:
    """Keep the better of two rounds."""
    known = found.get(label)
    if known is None or "absent" in known or ("cpu_s" in result and rate(result) > rate(known)):
        found[label] = result


def rate(result: dict) -> float:
    """Replays for each second of processor time."""
    return result["n"] / result["cpu_s"]


def run_ours(client: str, address: str, concurrency: int, draws: int) -> dict:
    """Run our line in a process of its own."""
    command = [sys.executable, __file__, "--child", client, address, str(concurrency), str(draws)]
    return _last_line(command)


def run_peer(python: Path | None, name: str, address: str, concurrency: int, count: int) -> dict:
    """Run another client with the Python of the peers."""
    if python is None:
        return {"absent": "no --peers given"}
    count -= count % concurrency if count > concurrency else 0
    command = [str(python), str(HERE / "contenders.py"), name, address]
    return _last_line([*command, str(concurrency), str(count)])


def _last_line(command: list[str]) -> dict:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if not lines:
        sys.stderr.write(done.stderr)
        how = f"ended with {done.returncode}"
        return {"absent": (done.stderr.strip().splitlines() or [how])[-1]}
    return json.loads(lines[-1])


def ours(client: str, address: str, concurrency: int, draws: int) -> dict:
    """Plan, then ask, store, read and pair; all but the plan is counted.

    As with the others, imports and start-up are not counted: a small plan goes the whole way first.
    """
    from unswayed.errors import MissingModelError
    from unswayed.items.builtin import builtin_items
    from unswayed.models.endpoint import Endpoint

    endpoint = Endpoint(
        base_url=address, model="local", key_env="", concurrency=concurrency, client=client
    )
    items = builtin_items(("fact", "science"))[:100]
    try:
        first = whole_way(endpoint, items[:4], draws=1)
    except MissingModelError as error:
        return {"absent": error.wrong}
    found = whole_way(endpoint, items, draws)
    return found if "absent" in found else {**found, "first_s": first["cpu_s"]}


def whole_way(endpoint: Any, items: Sequence[Any], draws: int) -> dict:
    """Take items the whole way in a folder of their own, and measure each step."""
    from unswayed import line
    from unswayed.models.http import HTTPModel
    from unswayed.models.run import Limits, Progress
    from unswayed.plans.design import Design
    from unswayed.plans.sampling import Sampling

    model = HTTPModel(endpoint)
    sampling = Sampling(temperature=1.0, max_tokens=256)
    design = Design(listed=True, readout="choice", draws=draws, sampling=sampling)
    with tempfile.TemporaryDirectory() as name:
        folder = line.RunFolder(Path(name) / "run")
        about = line.plan_about(items, design, benchmark=None, item_set="built in")
        before = _cpu()
        budget = line.make_plan(folder, items, about)
        planned, plan_mb = _cpu(), _peak_mb()
        contract = line.Contract(
            plan=about.digest, model=model.identity, seed=0, command="", version=""
        )
        line.sign_contract(folder, contract)
        marks = [_yardstick_ms()]
        start, asked = time.monotonic(), _cpu()
        progress = line.run(folder, model, Limits(concurrency=endpoint.concurrency), Progress())
        stored, wall, run_mb = _cpu(), time.monotonic() - start, _peak_mb()
        line.read(folder, "choice")
        read = _cpu()
        marks.append(_yardstick_ms())
        if not progress.complete:
            return {"absent": f"not complete: {progress}"}
        n, tokens = progress.n_done, budget.prompt_tokens[1]
        disk = sum(path.stat().st_size for path in folder.path.iterdir())
    return {
        "n": n,
        "cpu_s": read - asked,
        "wall_s": wall,
        "yardstick_ms": marks,
        "plan_mb": plan_mb,
        "run_mb": run_mb,
        "peak_mb": _peak_mb(),
        "plan_us": 1e6 * (planned - before) / n,
        "run_us": 1e6 * (stored - asked) / n,
        "read_us": 1e6 * (read - stored) / n,
        "disk_bytes": disk / n,
        "prompt_tokens": tokens / n,
        "distinct_tokens": budget.distinct_tokens[1] / n,
        "reply_tokens": budget.reply_tokens[1] / n,
    }


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def _yardstick_ms() -> float:
    """Time a fixed piece of Python, to see how fast the processor is at this moment."""
    before = time.process_time()
    sum(len(str(number)) for number in range(300_000))
    return 1000 * (time.process_time() - before)


def _peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def print_table(one: dict, price: tuple[float, float]) -> None:
    """Print what studies of several sizes cost, from the rates of one measured run."""
    print(
        f"a run of {one['n']:,} replays at concurrency 256 with the usual client, for each replay:"
        f" {one['plan_us']:.0f} us to plan, {one['run_us']:.0f} us to ask and store,"
        f" {one['read_us']:.0f} us to read; {one['disk_bytes']:,.0f} bytes on disk,"
        f" {one['prompt_tokens']:.0f} prompt tokens ({one['distinct_tokens']:.0f} distinct),"
        f" {one['reply_tokens']:.0f} written; peak {one['peak_mb']:.0f} MB\n"
    )
    print(
        f"| replays | prompt tokens | distinct | written | at {price[0]:g} and {price[1]:g} a"
        " million | processor time | disk | at 100 a second | at 1,000 a second |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    each = one["plan_us"] + one["run_us"] + one["read_us"]
    for size in SIZES:
        sent, distinct, written = (
            one[name] * size / 1e6 for name in ("prompt_tokens", "distinct_tokens", "reply_tokens")
        )
        cells = (
            f"{size:,}",
            f"{sent:,.1f} M",
            f"{distinct:,.1f} M",
            f"{written:,.1f} M",
            f"{sent * price[0] + written * price[1]:,.2f}",
            f"{each * size / 6e7:,.1f} min",
            f"{one['disk_bytes'] * size / 1e9:,.2f} GB",
            f"{size / 100 / 3600:,.2f} h",
            f"{size / 1000 / 3600:,.2f} h",
        )
        print(f"| {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
