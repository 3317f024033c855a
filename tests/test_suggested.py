"""A command that is suggested can be pasted: paths and texts of the user are quoted in it."""

from __future__ import annotations

import ast
import re
import shlex
from pathlib import Path

import pytest

import unswayed
from unswayed.errors import RowError
from unswayed.items.public import read_public

COMMAND = re.compile(r"`[a-z]+ [^`]*`|unswayed [a-z][^`;]*")
"""Any command between backquotes, and ours without them, too."""

OWN_NAMES = {
    ("commands/choices.py", "name"),  # of a benchmark that was found in the list
    ("commands/fitting.py", "name"),  # of a benchmark
    ("models/wal.py", "damage.kept"),  # a number
    ("plans/levels.py", "listed"),  # one of two words that are written there
    ("training/card.py", "__version__"),  # a version in prose
    ("training/card.py", "built.seed"),
}
"""What stands in a command and is no text of a user."""


def put_in(path: Path) -> list[str]:
    """Return what a module puts into a command, as source."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.JoinedStr):
            parts = [part.value if isinstance(part, ast.Constant) else part for part in node.values]
            text = "".join(p if isinstance(p, str) else f"\0{i}\0" for i, p in enumerate(parts))
            for command in COMMAND.findall(text):
                for number in re.findall(r"\0(\d+)\0", command):
                    found.append(parts[int(number)].value)
    return [ast.unparse(each) for each in found if not is_quoted(each)]


def is_quoted(value: ast.expr) -> bool:
    """Whether a value is quoted for a shell, or one of several words that are written here."""
    if isinstance(value, ast.IfExp):
        return isinstance(value.body, ast.Constant) and isinstance(value.orelse, ast.Constant)
    return isinstance(value, ast.Call) and ast.unparse(value.func) in ("shlex.quote", "shlex.join")


def test_what_is_put_into_a_command_is_quoted():
    """Every place in the package; a new one without quotes is found."""
    root = Path(unswayed.__file__).parent
    found = {
        (path.relative_to(root).as_posix(), value)
        for path in root.rglob("*.py")
        for value in put_in(path)
    }
    assert found <= OWN_NAMES


def test_a_path_with_a_space_is_one_word(tmp_path: Path):
    """The suggested import of a table of another family reads the file that was given."""
    path = tmp_path / "results of March.csv"
    path.write_text("solver,solver_id,problem,accuracy\na,b,c,0.5\n", encoding="utf-8")
    with pytest.raises(RowError) as caught:
        read_public(path)
    command = re.search("`(unswayed import .*?)`", caught.value.next_step)
    assert command
    assert shlex.split(command[1]) == ["unswayed", "import", str(path)]
