"""Whether two mathematical expressions are equal, decided in a child process with limits."""

from __future__ import annotations

import atexit
import importlib.util
import json
import subprocess
import sys
import threading
from functools import lru_cache
from queue import Empty, SimpleQueue
from typing import Literal

from unswayed.errors import ReadoutError
from unswayed.readouts.formulas import Tree

Equality = Literal["equal", "different", "undecided", "too_long"]
"""What was found; `too_long` means that the process was ended at its time or memory limit."""

LIMIT_S = 5.0
"""Seconds for one decision, after SymPy was imported."""

_START_S = 60.0


def has_solver() -> bool:
    """Whether SymPy is installed; it is not imported."""
    return importlib.util.find_spec("sympy") is not None


def check_solver() -> None:
    """Refuse to compare expressions without SymPy.

    Raises:
        ReadoutError: When SymPy is not installed.
    """
    if not has_solver():
        raise ReadoutError(
            "Expressions are compared with SymPy, which is not installed",
            allowed="the extra `math`",
            given="an installation without SymPy",
            next_step="run `pip install 'unswayed[math]'`",
        )


@lru_cache(maxsize=4096)
def compare(left: Tree, right: Tree) -> Equality:
    """Decide whether two trees are the same expression.

    Args:
        left: A tree from `parse_expression`.
        right: Another one.

    Returns:
        The verdict; symbols stand for any complex number, and decimals are exact.

    Raises:
        ReadoutError: When SymPy is not installed.
    """
    if left == right:
        return "equal"
    check_solver()
    return _SOLVER.decide(left, right)


class Solver:
    """One child process, started when needed and ended when it exceeds its limits.

    Args:
        limit_s: Seconds for one decision.
    """

    def __init__(self, limit_s: float) -> None:
        self.limit_s = limit_s
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._reader: threading.Thread | None = None
        self._lines: SimpleQueue[str] = SimpleQueue()
        atexit.register(self.close)

    def decide(self, left: Tree, right: Tree) -> Equality:
        """Ask the process; a process that takes too long or dies is replaced next time."""
        with self._lock:
            if self._process is None and self._ask([["number", "1"]] * 2, _START_S) is None:
                self._end()
                return "too_long"
            line = self._ask([left, right], self.limit_s)
            if line is None:
                self._end()
                return "too_long"
        verdict = json.loads(line)
        return "undecided" if verdict is None else "equal" if verdict else "different"

    def _ask(self, question: list[object], limit_s: float) -> str | None:
        process = self._process or self._start()
        assert process.stdin is not None, "the process was started with a pipe"
        try:
            process.stdin.write(json.dumps(question) + "\n")
            process.stdin.flush()
            return self._lines.get(timeout=limit_s) or None
        except (BrokenPipeError, Empty):
            return None

    def _start(self) -> subprocess.Popen[str]:
        code = (
            f"import sys; sys.path[:] = {sys.path!r}; import sympy\n"
            "from unswayed.readouts.solving import serve; serve()"
        )
        self._process = subprocess.Popen(
            [sys.executable, "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
        )
        self._lines = SimpleQueue()
        self._reader = threading.Thread(
            target=_pass_on, args=(self._process, self._lines), daemon=True
        )
        self._reader.start()
        return self._process

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        if self._reader is not None:
            self._reader.join()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()

    def close(self) -> None:
        """End the process."""
        with self._lock:
            self._end()


def _pass_on(process: subprocess.Popen[str], lines: SimpleQueue[str]) -> None:
    """Pass the process's lines on; an empty line says that it has ended."""
    assert process.stdout is not None, "the process was started with a pipe"
    for line in process.stdout:
        # A line that was cut off when the process ended is no answer.
        lines.put(line if line.endswith("\n") else "")
    lines.put("")


_SOLVER = Solver(LIMIT_S)
