"""Runs what the pages show, and pastes what it printed.

    python tests/pages.py          # rewrites README.md and docs/*.md in place
    pytest tests/test_docs.py      # the slow part says which page is stale

A line that begins with four spaces and `$ ` is a command; a backslash at its end goes on in the
next line. The indented lines under it are its output. A code block whose first line is `# NAME.EXT`
is a file that later commands find beside them. Folder names are given relative to where the page
ran. A page whose commands break is left as it was.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

REPOSITORY = Path(__file__).parents[1]
PROMPT = "    $ "
PAGES = [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").glob("*.md"))]
NOT_RUN = ("demo", "make ", "pip ", "-m embedded")
"""Commands that take minutes, or install something."""


def shown(page: Path) -> bool:
    """Whether a page shows a command with its output."""
    return PROMPT in page.read_text(encoding="utf-8")


def rerun(text: str, folder: Path) -> str:
    """Return a page with every output replaced by what its command prints in a folder."""
    write_files(text, folder)
    lines, out, place = text.split("\n"), [], 0
    while place < len(lines):
        line = lines[place]
        out.append(line)
        place += 1
        if not line.startswith(PROMPT):
            continue
        command = line.removeprefix(PROMPT)
        while command.endswith("\\"):
            out.append(lines[place])
            command = command.removesuffix("\\") + lines[place].strip()
            place += 1
        if any(word in command for word in NOT_RUN):
            continue
        while place < len(lines) and re.match(r"    (?!\$ )", lines[place]):
            place += 1
        out += printed(command, folder)
    return "\n".join(out)


def write_files(text: str, folder: Path) -> None:
    """Write the files that a page shows, and the example of the README."""
    for name, content in re.findall(r"```(?:python|csv|toml)\n# (\S+)\n(.*?)```", text, re.DOTALL):
        (folder / name).write_text(content, encoding="utf-8")
    shutil.copy(REPOSITORY / "examples" / "five_lines.py", folder)


def printed(command: str, folder: Path) -> list[str]:
    """Run a command and return its output, indented, with a dot for an empty line."""
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env={**os.environ, "PATH": path, "COLUMNS": "96", "NO_COLOR": "1", "LC_ALL": "C.UTF-8"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    text = done.stdout.decode("utf-8").replace(f"{folder}/", "").rstrip()
    if "Traceback" in text or (done.returncode and not text):
        raise RuntimeError(f"{command}: exit code {done.returncode}\n{text}")
    return [f"    {line.rstrip() or '.'}" for line in text.split("\n")] if text else []


def main() -> None:
    """Rewrite every page that shows a command."""
    for page in filter(shown, PAGES):
        with tempfile.TemporaryDirectory() as folder:
            text = rerun(page.read_text(encoding="utf-8"), Path(folder).resolve())
        if "Traceback (most recent call last)" in text:
            sys.exit(f"{page.name}: a command broke; the page is left as it was")
        page.write_text(text, encoding="utf-8")
        print(page.relative_to(REPOSITORY))


if __name__ == "__main__":
    main()
