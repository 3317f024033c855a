"""A model folder on this machine: what is in it, and which packages it needs."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from unswayed.errors import MissingModelError
from unswayed.transcript import digest

_KINDS = (".safetensors", ".bin", ".json", ".model", ".jinja", ".txt")
"""Endings of files that can change a reply: weights, configuration, tokenizer, template."""


def check_folder(folder: Path) -> None:
    """Refuse what is no model folder.

    Raises:
        MissingModelError: When there is no configuration in it.
    """
    if not (folder / "config.json").is_file():
        raise MissingModelError(
            "There is no model in the folder",
            allowed="a folder with config.json, weights and a tokenizer, as transformers saves it",
            given=str(folder),
            next_step="name the folder itself; nothing is downloaded here",
        )


def check_packages(packages: Sequence[str], install: str) -> None:
    """Refuse to begin without the packages of a runtime.

    Raises:
        MissingModelError: Naming the first absent one.
    """
    for package in packages:
        if find_spec(package) is None:
            raise MissingModelError(
                f"the model needs the package {package!r}",
                allowed=", ".join(packages),
                given="an environment without it",
                next_step=install,
            )


def identify(folder: Path, packages: Sequence[str]) -> dict[str, str]:
    """Return what names a model folder and its runtime: a digest of all files, and versions."""
    parts = {}
    for path in sorted(path for path in folder.iterdir() if path.suffix in _KINDS):
        with path.open("rb") as stream:
            parts[path.name] = hashlib.file_digest(stream, "sha256").hexdigest()
    runtime = " ".join(f"{package} {version(package)}" for package in packages)
    return {"files_sha256": digest(parts, size=32), "runtime": runtime}
