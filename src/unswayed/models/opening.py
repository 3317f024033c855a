"""From what a person writes after `--model` to a model."""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import msgspec

from unswayed.errors import UsageError
from unswayed.items.item import Item
from unswayed.models.law import LEVELS, MANNERS, Law, Manner
from unswayed.models.protocol import Model, Price
from unswayed.models.scripted import Respondent
from unswayed.wording import pressure_types

if TYPE_CHECKING:
    from unswayed.models.endpoint import Endpoint

EMBEDDED = "embedded"

SPELLINGS = (
    "`embedded`, `checkpoint:FOLDER`, `vllm:FOLDER`, `scripted:MANNER` with rates such as"
    " `scripted:planted,knows=.8,yields=.3`,"
    " or the name of a model behind --base-url"
)


class Reach(msgspec.Struct, frozen=True, kw_only=True):
    """How to reach a model over HTTP."""

    base_url: str | None = None
    """Address of an OpenAI-compatible endpoint; None for models inside this process."""
    endpoint: Path | None = None
    """TOML file with every field of an endpoint; the fields below are then not used."""
    key_env: str = "OPENAI_API_KEY"
    """Name of the environment variable that holds the key."""
    concurrency: int = 32
    """Most requests in flight."""
    timeout_s: float = 120.0
    """Seconds after which a request counts as failed."""
    price: Price | None = None
    """Price, for estimates and limits."""
    fold_system: bool = False
    """Put system messages into the first user turn, for endpoints without a system role."""
    log: Path | None = None
    """File to which every attempt is added; None for no log."""


def name_model(spec: str | None, endpoint: Path | None) -> str:
    """Return the name of a model: the one that was given, or the one that a file states.

    Args:
        spec: What was given after `--model`; None for nothing.
        endpoint: TOML file of one endpoint, or of several that serve one model.

    Raises:
        UsageError: When neither names one.
    """
    if spec is None and endpoint is not None:
        from unswayed.models.endpoint import read_endpoints

        names = sorted({each.model for each in read_endpoints(endpoint)})
        if len(names) == 1:
            return names[0]
        raise UsageError(
            f"The endpoints of {endpoint} name different models",
            allowed="one model in the file, or --model NAME",
            given=", ".join(names),
            next_step="name the model with --model",
        )
    if spec is None:
        raise UsageError(
            "No model is named",
            allowed="--model embedded, --model scripted:MANNER, a name with --base-url,"
            " or --endpoint FILE",
            given="nothing",
            next_step="see `unswayed list models`",
        )
    return spec


def open_model(spec: str, items: Iterable[Item], *, reach: Reach, seed: int = 0) -> Model:
    """Open the model that a specification names.

    Args:
        spec: `embedded`, `checkpoint:FOLDER[,dtype=...]`, `vllm:FOLDER`,
            `scripted:MANNER[,rate=value...]`, or a model name behind `base_url`.
        items: Items of the plan, whose key a scripted respondent holds.
        reach: How to reach a model over HTTP.
        seed: Seed of a scripted respondent.

    Raises:
        UsageError: When the specification cannot be read.
        ModelError: When the model is not there.
    """
    if spec.startswith("scripted:"):
        return Respondent(items, read_law(spec.removeprefix("scripted:")), seed=seed)
    if spec == EMBEDDED:
        from unswayed.models.embedded import EmbeddedModel

        return EmbeddedModel()
    if spec.startswith("checkpoint:"):
        from unswayed.models.checkpoint import open_checkpoint

        return open_checkpoint(spec.removeprefix("checkpoint:"))
    if spec.startswith("vllm:"):
        from unswayed.models.offline import OfflineModel

        return OfflineModel(Path(spec.removeprefix("vllm:")))
    if reach.endpoint is not None:
        return _open_listed(spec, reach.endpoint, reach.log)
    if reach.base_url is None:
        raise UsageError(
            f"It is not said where the model {spec!r} is",
            allowed=SPELLINGS,
            given=f"--model {spec} without --base-url",
            next_step="add --base-url http://HOST:PORT/v1 or --endpoint FILE",
        )
    from unswayed.models.endpoint import Endpoint

    endpoint = Endpoint(
        base_url=reach.base_url,
        model=spec,
        key_env=reach.key_env,
        timeout_s=reach.timeout_s,
        concurrency=reach.concurrency,
        price=reach.price,
        system_role="fold" if reach.fold_system else "yes",
    )
    return _over_http([endpoint], reach.log)


def _open_listed(spec: str, path: Path, log: Path | None) -> Model:
    """Open the endpoint of a file, or the several that it lists, under the name that was asked."""
    from unswayed.models.endpoint import read_endpoints

    return _over_http(
        [msgspec.structs.replace(each, model=spec) for each in read_endpoints(path)], log
    )


def _over_http(endpoints: list[Endpoint], log: Path | None) -> Model:
    """Open one endpoint, or several as one model, with a log of attempts where one is wanted."""
    from unswayed.models.attempts import AttemptLog
    from unswayed.models.http import HTTPModel
    from unswayed.models.pool import Pool

    note = None if log is None else AttemptLog(log).of
    if len(endpoints) > 1:
        return Pool(endpoints, wire_log=note)
    (endpoint,) = endpoints
    return HTTPModel(endpoint, wire_log=note and note(endpoint.identity.endpoint))


def read_law(text: str) -> Law:
    """Read a law such as `planted,knows=.8,yields=.3,by.authority=.5`.

    Raises:
        UsageError: For an unknown manner or rate, or a rate that is no number.
    """
    manner, *rates = [part.strip() for part in text.split(",")]
    if manner not in get_args(Manner):
        raise UsageError(
            "Unknown scripted respondent",
            allowed=", ".join(MANNERS),
            given=manner or "nothing",
            next_step="see `unswayed list models`",
        )
    values: dict[str, float] = {}
    by_pressure: dict[str, float] = {}
    known = set(Law.__struct_fields__) - {"manner", "by_pressure"}
    pressures = {f"by.{name}" for name in (*pressure_types(), *LEVELS)}
    for rate in rates:
        name, _, number = rate.partition("=")
        try:
            value = float(number)
        except ValueError:
            value = float("nan")
        if name not in known | pressures or not math.isfinite(value):
            raise UsageError(
                "A rate of the scripted respondent cannot be read",
                allowed=", ".join(
                    f"{each}=NUMBER" for each in [*sorted(known), *sorted(pressures)]
                ),
                given=rate,
                next_step="correct the rate; docs/scripted.md explains each",
            )
        if name.startswith("by."):
            by_pressure[name.removeprefix("by.")] = value
        else:
            values[name] = value
    return msgspec.convert({"manner": manner, "by_pressure": by_pressure, **values}, Law)
