"""How much memory planning, running and reading take, as the number of replays grows.

    python speed/memory.py                      10,000 to 1,000,000 replays; about 10 minutes
    python speed/memory.py --replays 100000     one size

Against the server of `throughput.py`, each size in a process of its own, the highest memory of the
process after each stage: a stage that took less than the one before shows that one's.
"""

from __future__ import annotations

import argparse

from throughput import run_ours, server

A_DRAW = 2400
"""Replays of one draw in the plan of `throughput.py`."""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--replays", type=int, nargs="*", default=[10**4, 10**5, 10**6])
    parser.add_argument("--client", default="aiohttp", choices=["aiohttp", "pyreqwest"])
    parser.add_argument("--concurrency", type=int, default=256)
    given = parser.parse_args()
    print(f"{given.client}, concurrency {given.concurrency}; highest memory in MB after")
    print(f"{'replays':>12}{'planning':>10}{'running':>10}{'reading':>10}{'a CPU second':>14}")
    with server() as address:
        for size in given.replays:
            draws = -(-size // A_DRAW)
            found = run_ours(given.client, address, given.concurrency, draws)
            if "absent" in found:
                print(f"{size:>12,} not measured: {found['absent']}", flush=True)
                continue
            print(
                f"{found['n']:>12,}{found['plan_mb']:>10.0f}{found['run_mb']:>10.0f}"
                f"{found['peak_mb']:>10.0f}{found['n'] / found['cpu_s']:>14,.0f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
