"""Imports point only upward in the list of layers, those for type checking included."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import unswayed

ROOT = Path(unswayed.__file__).parent

LAYERS = (
    "errors", "signs", "counting", "templates", "rows", "wording_files", "wording", "transcript",
    "stats", "items", "plans", "models", "readouts", "readable", "dialogues", "pressing", "records",
    "profiles", "folder", "pairing", "rereading", "looking", "batchfiles", "status",
    "distributed", "imports", "assessing", "commenting", "judging", "training", "rewards",
    "learning", "preferences", "grading", "report", "benchmarks", "replicas", "line", "commands",
    "__main__",
)  # fmt: skip
"""A module imports from its own layer and from those before it."""

MODULES = sorted(ROOT.rglob("*.py"))


def name_of(path: Path) -> str:
    """Return the dotted name of a module inside the package."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


NAMES = {name_of(path) for path in MODULES}


def imported(path: Path) -> Iterator[tuple[int, str]]:
    """Yield line and module, inside the package, of every import, wherever it stands."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.partition(".")[0] == "unswayed":
                    yield node.lineno, alias.name.partition(".")[2]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}:{node.lineno} imports relative to itself"
            package, _, module = (node.module or "").partition(".")
            if package != "unswayed":
                continue
            for alias in node.names:
                inner = f"{module}.{alias.name}".strip(".")
                yield node.lineno, inner if inner in NAMES else module


def test_every_module_has_a_layer():
    """Nothing stands beside the list."""
    top = {name.partition(".")[0] for name in NAMES} - {""}
    assert top <= set(LAYERS), top - set(LAYERS)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: name_of(path) or "unswayed")
def test_imports_point_upward(path: Path):
    """No module reaches into a layer below its own."""
    mine = name_of(path).partition(".")[0]
    for line, module in imported(path):
        theirs = module.partition(".")[0]
        if mine == "":
            continue
        if theirs == "":
            assert module == "", "only constants come from the package itself"
            continue
        assert LAYERS.index(theirs) <= LAYERS.index(mine), (
            f"{path.relative_to(ROOT)}:{line}: {mine} imports {theirs}, which stands below it"
        )


def test_no_circles_inside_a_layer():
    """Modules import each other in one direction."""
    graph = {
        name_of(path): {module for _, module in imported(path) if module in NAMES} - {""}
        for path in MODULES
    }
    packages = {name_of(path) for path in MODULES if path.name == "__init__.py"}
    done: set[str] = set()

    def visit(name: str, trail: tuple[str, ...]) -> None:
        assert name not in trail, " -> ".join((*trail[trail.index(name) :], name))
        if name in done:
            return
        for each in sorted(graph[name]):
            if each not in packages or each == name:
                visit(each, (*trail, name))
        done.add(name)

    for name in sorted(graph):
        visit(name, ())


def test_modules_are_small():
    """No module is longer than 400 lines."""
    long = {
        name_of(path): count
        for path in MODULES
        if (count := len(path.read_text(encoding="utf-8").splitlines())) > 400
    }
    assert not long
