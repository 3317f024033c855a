"""Where a network model is and how it is asked; holds the name of the key, never the key."""

from __future__ import annotations

import math
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar
from urllib.parse import parse_qsl, urlsplit, urlunsplit

import msgspec

from unswayed.errors import UsageError
from unswayed.models.adapt import FOLDED, ChatSupport
from unswayed.models.keys import holds_a_secret, names_a_secret
from unswayed.models.protocol import Identity, Price
from unswayed.rows import encode, read_bytes

Kind = TypeVar("Kind")
Scoring = Literal["none", "echo", "top_logprobs"]
ClientName = Literal["aiohttp", "pyreqwest"]

OWN_FIELDS = frozenset(
    ("model", "messages", "prompt", "n", "stream", "temperature", "max_tokens")
    + ("max_completion_tokens", "top_p", "seed", "stop", "logprobs", "top_logprobs", "echo")
)
"""Body fields that come from the plan and that `extra_body` may not set."""


class Endpoint(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An OpenAI-compatible chat endpoint."""

    base_url: str
    """Address up to and without `/chat/completions`, such as `http://127.0.0.1:8000/v1`."""
    model: str
    """Model name as the endpoint knows it."""
    key_env: str = "OPENAI_API_KEY"
    """Name of the environment variable that holds the key; empty for servers without one."""
    key_header: str = "Authorization"
    """Header that carries the key; `Authorization` sends it as a bearer token."""
    timeout_s: float = 120.0
    """Seconds from sending a request to its last byte."""
    max_attempts: int = 6
    """Most times one request is sent."""
    budget_s: float = 900.0
    """Most seconds one request may take with all its attempts and the waits between them."""
    longest_wait_s: float = 120.0
    """A server that asks for a longer wait than this ends the run, which can be resumed."""
    concurrency: int = 32
    """Most requests in flight; the client starts lower and finds its place below this."""
    extra_body: dict[str, Any] = {}
    """More fields of the request body; part of the model's identity."""
    price: Price | None = None
    """What tokens cost, if known."""
    system_role: Literal["yes", "fold"] = "yes"
    """`fold` puts a leading system text in front of the first user turn, and says so."""
    alternation: bool = False
    """Whether the endpoint demands that user and assistant turns alternate."""
    assistant_last: bool = False
    """Whether the endpoint continues a transcript that ends with the assistant's words."""
    scoring: Scoring = "none"
    """How options are scored: not at all, by echoed prompts, or by the first token's alternatives.

    `echo` is for base models behind `/completions`.
    """
    n_alternatives: int = 20
    """Alternatives of the first token that are asked for; some servers allow fewer."""
    max_tokens_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    """Name under which the endpoint takes the most tokens to write."""
    weight: float = 1.0
    """Share of the items that this endpoint gets where a file lists several."""
    requests_per_minute: float | None = None
    """Most requests started in a minute; None leaves it to what the server says."""
    client: ClientName = "aiohttp"
    """Which HTTP client sends: the usual one, or `pyreqwest` (the extra `fast`)."""

    def __post_init__(self) -> None:
        _check_address(self.base_url)
        for name in (
            "timeout_s",
            "max_attempts",
            "budget_s",
            "longest_wait_s",
            "concurrency",
            "n_alternatives",
            "weight",
            "requests_per_minute",
        ):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise UsageError(
                    f"An endpoint's {name} must be positive", given=str(getattr(self, name))
                )
        taken = sorted(OWN_FIELDS & set(self.extra_body))
        if taken:
            raise UsageError(
                "An endpoint's extra_body sets fields that come from the plan",
                allowed="fields other than " + ", ".join(sorted(OWN_FIELDS)),
                given=", ".join(taken),
                next_step="set sampling in the plan",
            )
        if holds_a_secret(self.extra_body):
            raise UsageError(
                "An endpoint's extra_body seems to hold a key",
                allowed="a key in an environment variable",
                next_step="remove it from extra_body and name its variable in key_env",
            )

    @property
    def chat(self) -> ChatSupport:
        """What shapes of conversation the endpoint takes."""
        return ChatSupport(
            system=self.system_role == "yes",
            alternation=self.alternation,
            assistant_last=self.assistant_last,
        )

    @property
    def identity(self) -> Identity:
        """What makes it this model: name, address without secrets, and what changes replies."""
        details: dict[str, str] = {}
        if self.system_role == "fold":
            details["system_role"] = FOLDED
        if self.extra_body:
            details["extra_body"] = encode(self.extra_body).decode()
        if self.scoring != "none":
            details["scoring"] = self.scoring
        return Identity(
            name=self.model, kind="http", endpoint=public_address(self.base_url), details=details
        )

    def url(self, path: str) -> str:
        """Return the address of one of the endpoint's paths, such as `chat/completions`."""
        parts = urlsplit(self.base_url)
        place = f"{_base(parts.path)}/{path}"
        return urlunsplit((parts.scheme, parts.netloc, place, parts.query, ""))


class Endpoints(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Several endpoints that serve the same model."""

    endpoints: Annotated[tuple[Endpoint, ...], msgspec.Meta(min_length=1)]
    """The endpoints, each with its weight."""


def public_address(address: str) -> str:
    """Return an address without user name, password, query or fragment."""
    parts = urlsplit(address)
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, _base(parts.path), "", ""))


def read_endpoint(path: Path) -> Endpoint:
    """Read an endpoint from a TOML file.

    Raises:
        UsageError: When the file is not a valid endpoint.
    """
    return _read_toml(path, Endpoint)


def read_endpoints(path: Path) -> list[Endpoint]:
    """Read one endpoint, or several that serve the same model, from a TOML file.

    Raises:
        UsageError: When the file holds no valid endpoint.
    """
    with suppress(msgspec.DecodeError, UnicodeDecodeError):
        if "endpoints" in msgspec.toml.decode(read_bytes(path)):
            return list(_read_toml(path, Endpoints).endpoints)
    return [read_endpoint(path)]


def read_price(path: Path) -> Price:
    """Read a price from a TOML file.

    Raises:
        UsageError: When the file is not a valid price.
    """
    price = _read_toml(path, Price)
    if not (price.prompt_per_million >= 0 and price.completion_per_million >= 0):
        raise UsageError(f"{path} holds a negative price", allowed="prices of zero or more")
    return price


def stated_price(path: Path) -> Price | None:
    """Return the price that a file of endpoints states, or None where it states none.

    Raises:
        UsageError: When its endpoints state different prices, or one that is no price.
    """
    prices = {each.price for each in read_endpoints(path)}
    if len(prices) > 1:
        raise UsageError(
            f"The endpoints of {path} state different prices",
            allowed="one price for all, so that the cost of a run can be told",
            given="; ".join(str(price) for price in prices),
            next_step="state the same [price] in each, or give --price",
        )
    (price,) = prices
    if price and not (
        0 <= price.prompt_per_million < math.inf and 0 <= price.completion_per_million < math.inf
    ):
        raise UsageError(f"{path} holds a price below 0", allowed="finite prices of zero or more")
    return price


def _read_toml(path: Path, kind: type[Kind]) -> Kind:
    try:
        return msgspec.toml.decode(read_bytes(path), type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        wrong = f"{path} is not a readable {kind.__name__.lower()} file"
        given = str(error)
    raise UsageError(wrong, given=given, next_step="compare it with docs/endpoints.md")


def _base(path: str) -> str:
    return path.rstrip("/").removesuffix("/chat/completions")


def _check_address(address: str) -> None:
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError(
            "An endpoint's base_url is not a web address",
            allowed="http:// or https://, a host and a path such as /v1",
            given=public_address(address),
        )
    names = [name for name, _ in parse_qsl(parts.query, keep_blank_values=True)]
    if "@" in parts.netloc or any(names_a_secret(name) for name in names):
        raise UsageError(
            "An endpoint's base_url holds a key or password",
            allowed="an address without secrets, and a key in an environment variable",
            given=public_address(address),
            next_step="remove it from the address, put it into an environment variable "
            "and name that variable in key_env",
        )
