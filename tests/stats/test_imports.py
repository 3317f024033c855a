"""The statistics stand on numpy and scipy.special alone."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import unswayed.stats

MODULES = sorted(Path(unswayed.stats.__file__).parent.glob("*.py"))
ALLOWED = ("numpy", "scipy.special", "msgspec", "unswayed.errors", "unswayed.stats")


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_only_arrays_and_errors_are_imported(path):
    """No other part of the package and no heavy library is reached."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        for name in names:
            standard = name.split(".")[0] in sys.stdlib_module_names
            assert standard or name.startswith(ALLOWED), f"{path.name} imports {name}"


def test_importing_every_module_does_not_load_scipy():
    """SciPy waits until a quantile is needed, and scipy.stats is never loaded."""
    names = ", ".join(f"unswayed.stats.{path.stem}" for path in MODULES if path.stem[0] != "_")
    code = (
        f"import sys, {names}\n"
        "assert not any(name.split('.')[0] == 'scipy' for name in sys.modules)\n"
        "import numpy\n"
        "unswayed.stats.ratio.ratio_effect(numpy.ones(40), numpy.ones(40))\n"
        "assert 'scipy.stats' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
