"""Unswayed: does a language model move because the evidence moved, or because the user pushed?

    from unswayed import BENCHMARKS, Law, Respondent, builtin_items, measure

`measure` does the whole line; the module `line` has one function for each of its arrows. A name
is loaded when it is first used, so that importing the package stays light.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from unswayed import line as line
    from unswayed.benchmarks import BENCHMARKS as BENCHMARKS
    from unswayed.benchmarks import Benchmark as Benchmark
    from unswayed.errors import UnswayedError as UnswayedError
    from unswayed.folder import RunFolder as RunFolder
    from unswayed.items.builtin import builtin_items as builtin_items
    from unswayed.items.item import Item as Item
    from unswayed.items.public import read_public as read_public
    from unswayed.items.tables import load_items as load_items
    from unswayed.line import measure as measure
    from unswayed.models.endpoint import Endpoint as Endpoint
    from unswayed.models.http import HTTPModel as HTTPModel
    from unswayed.models.opening import Reach as Reach
    from unswayed.models.opening import open_model as open_model
    from unswayed.models.run import Limits as Limits
    from unswayed.models.scripted import Law as Law
    from unswayed.models.scripted import Respondent as Respondent
    from unswayed.plans.cross import cross as cross
    from unswayed.plans.design import Design as Design
    from unswayed.plans.sampling import Sampling as Sampling
    from unswayed.profiles.profile import Profile as Profile
    from unswayed.stats.estimate import Estimate as Estimate

__version__ = "0.1.0"

__all__ = [
    "BENCHMARKS",
    "Benchmark",
    "Design",
    "Endpoint",
    "Estimate",
    "HTTPModel",
    "Item",
    "Law",
    "Limits",
    "Profile",
    "Reach",
    "Respondent",
    "RunFolder",
    "Sampling",
    "UnswayedError",
    "__version__",
    "builtin_items",
    "cross",
    "line",
    "load_items",
    "measure",
    "open_model",
    "read_public",
]

_HOMES = {
    "BENCHMARKS": "benchmarks",
    "Benchmark": "benchmarks",
    "Design": "plans.design",
    "Endpoint": "models.endpoint",
    "Estimate": "stats.estimate",
    "HTTPModel": "models.http",
    "Item": "items.item",
    "Law": "models.scripted",
    "Limits": "models.run",
    "Profile": "profiles.profile",
    "Reach": "models.opening",
    "Respondent": "models.scripted",
    "RunFolder": "folder",
    "Sampling": "plans.sampling",
    "UnswayedError": "errors",
    "builtin_items": "items.builtin",
    "cross": "plans.cross",
    "load_items": "items.tables",
    "measure": "line",
    "open_model": "models.opening",
    "read_public": "items.public",
}


def __getattr__(name: str) -> object:
    if name == "line":
        return import_module("unswayed.line")
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'unswayed' has no attribute {name!r}")
    return getattr(import_module(f"unswayed.{home}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
