"""`unswayed reward-server`: a reward for trainers that score one completion at a time."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING, Annotated

import typer

from unswayed.commands.view import say
from unswayed.errors import UsageError

if TYPE_CHECKING:
    from aiohttp import web

TOKEN = "UNSWAYED_REWARD_TOKEN"
"""Environment variable with the token that requests have to show."""

Name = Annotated[
    str, typer.Option("--reward", "-r", help="Name of a reward, or package.module:attribute.")
]
Host = Annotated[str, typer.Option("--host", help="Address; others than local ones need a token.")]
Port = Annotated[int, typer.Option("--port", min=0, max=65535, help="Port; 0 takes a free one.")]
Timeout = Annotated[
    float, typer.Option("--timeout", min=0.1, help="Seconds from a group's first member on.")
]
UnreadScore = Annotated[
    float | None,
    typer.Option("--unread-score", help="What OpenRLHF gets for a completion without a reward."),
]


def reward_server(
    reward: Name,
    host: Host = "127.0.0.1",
    port: Port = 8077,
    timeout: Timeout = 120.0,
    unread_score: UnreadScore = None,
) -> None:
    """Serve a reward over HTTP; rewards of a group wait until all its members have arrived.

    A token in the environment variable UNSWAYED_REWARD_TOKEN is asked of every request.

    Example: unswayed reward-server --reward truth_match --unread-score 0
    """
    import asyncio

    from unswayed.rewards.named import named_rule
    from unswayed.rewards.server import check_address, reward_app

    token = os.environ.get(TOKEN, "")
    check_address(host, token)
    rule = named_rule(reward)
    app = reward_app(rule, timeout=timeout, token=token, unread_score=unread_score)
    guarded = f"asks for the token in {TOKEN}" if token else f"no token in {TOKEN}, none asked"
    asyncio.run(_serve(app, host, port, f"{rule.name}, {guarded}"))


async def _serve(app: web.Application, host: str, port: int, about: str) -> None:
    import asyncio

    from aiohttp import web

    runner = web.AppRunner(app, access_log=None, handler_cancellation=True)
    await runner.setup()
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    try:
        try:
            await web.TCPSite(runner, host, port, shutdown_timeout=1.0).start()
        except OSError as error:
            raise UsageError(
                f"{host}:{port} cannot be served",
                allowed="an address of this machine and a free port",
                given=str(error),
                next_step="choose another port with --port",
            ) from error
        say(f"http://{host}:{runner.addresses[0][1]} pays {about}; Ctrl-C ends it")
        await stop.wait()
    finally:
        await runner.cleanup()
    say("stopped")
