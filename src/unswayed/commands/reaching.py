"""Options and checks of how a model is reached over HTTP."""

from __future__ import annotations

import math
import os
import re
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from unswayed.errors import UsageError

if TYPE_CHECKING:
    from unswayed.models.opening import Reach
    from unswayed.models.protocol import Price

Value = TypeVar("Value")

USUAL_KEY = "OPENAI_API_KEY"


def _not_beside_file(ctx: typer.Context, param: typer.CallbackParam, value: Value) -> Value:
    """Refuse an option that an endpoint's file states itself and that would change nothing."""
    source = ctx.get_parameter_source(param.name or "")
    given = source is not None and source.name == "COMMANDLINE"
    if given and ctx.params.get("endpoint") is not None:
        option = max(param.opts, key=len)
        raise UsageError(
            f"{option} has no effect beside --endpoint",
            allowed="either --endpoint FILE, which states address, key, limits and role of system"
            " messages, or the options for them",
            given=f"both --endpoint and {option}",
            next_step=f"write `{_FIELDS.get(option, option)}` into the file and leave {option} out",
        )
    return value


_FIELDS = {
    "--base-url": "base_url",
    "--key-env": "key_env",
    "--concurrency": "concurrency",
    "--timeout": "timeout_s",
    "--fold-system": 'system_role = "fold"',
}
"""The field of an endpoint's file that says the same."""

BaseUrl = Annotated[
    str | None,
    typer.Option(
        "--base-url",
        callback=_not_beside_file,
        help="Address of an OpenAI-compatible endpoint, such as .../v1.",
    ),
]
EndpointFile = Annotated[
    Path | None,
    typer.Option("--endpoint", is_eager=True, help="TOML file of an endpoint; docs/endpoints.md."),
]
KeyEnv = Annotated[
    str,
    typer.Option(
        "--key-env",
        callback=_not_beside_file,
        help="Environment variable that holds the key, never the key.",
    ),
]
Concurrency = Annotated[
    int,
    typer.Option("--concurrency", min=1, callback=_not_beside_file, help="Most requests at once."),
]
Timeout = Annotated[
    float,
    typer.Option(
        "--timeout", callback=_not_beside_file, help="Seconds before a request has failed."
    ),
]
PriceOf = Annotated[
    str | None,
    typer.Option("--price", help="Prompt and written price per million tokens, as 0.5,1.5."),
]
FoldSystem = Annotated[
    bool,
    typer.Option(
        "--fold-system",
        callback=_not_beside_file,
        help="The endpoint has no system role: fold it into the user.",
    ),
]


def spoken_command() -> str:
    """The command that runs, as a person can repeat it, its addresses without keys."""
    from unswayed.models.endpoint import public_address

    words, option = [], ""
    for word in sys.argv[1:]:
        name, equals, value = word.partition("=") if word.startswith("--") else (option, "", word)
        address = name.endswith("url") and "://" in value
        shown = public_address(value) if address else value
        words.append(name + equals + shown if word.startswith("--") else shown)
        option = word
    return shlex.join(["unswayed", *words])


def read_price(text: str | None, endpoint: Path | None = None) -> Price | None:
    """Read a price such as `0.5,1.5` or `0.5,1.5,EUR`; without one, that of the endpoint's file.

    Raises:
        UsageError: When it is not two numbers of 0 or more.
    """
    if text is None:
        if endpoint is None:
            return None
        from unswayed.models.endpoint import stated_price

        return stated_price(endpoint)
    from unswayed.models.protocol import Price

    parts = text.split(",")
    try:
        prompt, written = float(parts[0]), float(parts[1])
    except (ValueError, IndexError):
        prompt = written = -1.0
    if len(parts) > 3 or not (0 <= prompt < math.inf and 0 <= written < math.inf):
        raise UsageError(
            "The price cannot be read",
            allowed="two numbers per million tokens, such as 0.5,1.5 or 0.5,1.5,EUR",
            given=text,
            next_step="state prompt price, written price and, if it is not USD, the currency",
        )
    currency = parts[2] if len(parts) == 3 else "USD"
    return Price(prompt_per_million=prompt, completion_per_million=written, currency=currency)


def check_key_variable(name: str) -> None:
    """Refuse a variable that holds no key; what was given is never repeated, it may be the key.

    Raises:
        UsageError: When it is no name of a variable, or was named and is not set.
    """
    wrong = ""
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
        wrong = "The key's variable is no name of an environment variable"
    elif name != USUAL_KEY and name not in os.environ:
        wrong = "The variable that should hold the key is not set"
    if wrong:
        raise UsageError(
            wrong,
            allowed="--key-env NAME, the name of a variable that is set, never the key itself",
            given=f"{len(name)} characters, not shown",
            next_step="put the key into a variable and give its name",
        )


def reach_of(
    base_url: str | None,
    *,
    endpoint: Path | None,
    key_env: str,
    concurrency: int,
    timeout: float,
    price: Price | None,
    fold_system: bool,
) -> Reach:
    """Bundle how a model is reached.

    Raises:
        UsageError: When the key's variable is no name, or was named and is not set.
    """
    check_key_variable(key_env)
    from unswayed.models.opening import Reach

    return Reach(
        base_url=base_url,
        endpoint=endpoint,
        key_env=key_env,
        concurrency=concurrency,
        timeout_s=timeout,
        price=price,
        fold_system=fold_system,
    )
