"""Writes the table of planted rates into docs/scripted.md, from the docstrings of `Law`.

python tests/scripted_page.py           # rewrites the tables between the marks
pytest tests/models/test_scripted_page.py   # says whether they are what the code states
"""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path

from unswayed.models import law

PAGE = Path(__file__).parents[1] / "docs" / "scripted.md"


def explained() -> dict[str, str]:
    """Return every field of `Law` with its docstring in one line."""
    (body,) = [
        node.body
        for node in ast.parse(inspect.getsource(law)).body
        if isinstance(node, ast.ClassDef) and node.name == "Law"
    ]
    found = {}
    for field, said in zip(body, body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(said, ast.Expr):
            assert isinstance(field.target, ast.Name)
            assert isinstance(said.value, ast.Constant)
            words = " ".join(str(said.value.value).split())
            found[field.target.id] = words.replace("`by_pressure`", "`by.LEVEL`")
    return found


def tables() -> dict[str, str]:
    """Return the tables of the page by the name of their mark."""
    plain = law.Law()
    rates = ["| rate | without it | what it plants |", "|---|---|---|"]
    for name, words in explained().items():
        if name not in ("manner", "by_pressure"):
            rates.append(f"| `{name}` | {getattr(plain, name):g} | {words} |")
    rates.append(f"| `by.LEVEL` | | {explained()['by_pressure']} |")
    manners = ["| `-m` | what it does |", "|---|---|"]
    manners += [f"| `scripted:{name}` | {words} |" for name, words in law.MANNERS.items()]
    levels = ", ".join(f"`{level}`" for level in law.LEVELS)
    return {"rates": "\n".join(rates), "manners": "\n".join(manners), "levels": levels}


def filled(text: str) -> str:
    """Return the page with its tables replaced by those of the code."""
    for name, table in tables().items():
        start, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
        pattern = re.compile(f"{re.escape(start)}.*?{re.escape(end)}", re.DOTALL)
        assert len(pattern.findall(text)) == 1, name
        text = pattern.sub(lambda _, a=start, t=table, z=end: f"{a}\n{t}\n{z}", text)
    return text


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
