"""The pages agree with the code: links, verbs, examples, versions."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest
import typer
from pages import rerun, shown

from unswayed import __version__, folder
from unswayed.commands import app
from unswayed.errors import EXIT_FAILED_GATE, EXIT_INCOMPLETE, EXIT_OK, EXIT_USAGE
from unswayed.items.item import Item
from unswayed.plans.design import FACTORS, LINES, Design
from unswayed.plans.plan import Replay
from unswayed.profiles import flips
from unswayed.profiles.profile import Cell, Profile
from unswayed.readouts.answer import DECLINED, MISSING
from unswayed.records import Record
from unswayed.stats.estimate import Estimate, State

REPOSITORY = Path(__file__).parents[1]
PAGES = sorted([*REPOSITORY.glob("*.md"), *REPOSITORY.glob("docs/**/*.md")])
EXAMPLE = REPOSITORY / "examples" / "five_lines.py"
HOSTED = re.compile(r"(?<![\w.~])/(work|tmp|home|root|Users|mnt|opt|usr|var|private)/|[A-Z]:\\\\")


def read(page: Path) -> str:
    """The text of a page."""
    return page.read_text(encoding="utf-8")


def name_of(page: Path) -> str:
    """The page's path for test ids."""
    return page.relative_to(REPOSITORY).as_posix()


def verbs() -> set[str]:
    """Every verb of the command line, those of groups as `model fetch`."""
    command = typer.main.get_command(app)
    found = set(command.commands)
    for name, inner in command.commands.items():
        found |= {f"{name} {verb}" for verb in getattr(inner, "commands", {})}
    return found


def shown_commands(text: str) -> list[str]:
    """What follows `unswayed` where a page shows it as a command."""
    code = re.findall(r"`([^`\n]+)`", text)
    code += [line for line in text.splitlines() if line.startswith("    ")]
    code += re.findall(r"```(?:console|sh)\n(.*?)```", text, re.DOTALL)
    starts = re.compile(
        r"(?:^|[$;&|(]|do|bin/)\s*unswayed ([a-z][a-z-]*(?: [a-z]+)?)", re.MULTILINE
    )
    return [found for part in code for found in starts.findall(part)]


def test_the_example_of_the_readme_is_the_example_that_runs():
    """The block under the mark in README.md is examples/five_lines.py, letter by letter."""
    block = re.search(
        r"<!-- five_lines -->\n```python\n(.*?)```", read(REPOSITORY / "README.md"), re.S
    )
    assert block is not None
    if not EXAMPLE.exists():
        pytest.skip("examples/five_lines.py is not there")
    assert block[1] == EXAMPLE.read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_relative_link_leads_somewhere(page: Path):
    """A link or picture that is no web address is a file or folder of the repository."""
    prose = re.sub(r"```.*?```|`[^`\n]*`", "", read(page), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", prose):
        if not re.match(r"[a-z]+:|#", target):
            assert (page.parent / target.partition("#")[0]).exists(), target


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_verb_that_is_shown_exists(page: Path):
    """`unswayed VERB` on a page is a verb of the command line."""
    known = verbs()
    for verb in shown_commands(read(page)):
        assert {verb, verb.split()[0]} & known, verb


def test_the_readme_lists_every_verb():
    """The table of verbs leaves none out."""
    rows = set(re.findall(r"^\| `unswayed ([a-z -]+)` \|", read(REPOSITORY / "README.md"), re.M))
    groups = {verb.split()[0] for verb in verbs() if " " in verb}
    assert rows == verbs() - groups


def test_every_system_has_its_row():
    """references.md has the rows 01 to 22, once each, with an allowed status."""
    rows = re.findall(r"^\| (\d\d) \|(.*)\|$", read(REPOSITORY / "docs" / "references.md"), re.M)
    assert [number for number, _ in rows] == [f"{number:02}" for number in range(1, 23)]
    for number, row in rows:
        columns = [column.strip() for column in re.split(r"(?<!\\)\|", row)]
        assert len(columns) == 7, number
        assert columns[1] == "none" or re.fullmatch(r"\d{4}\.\d{5}", columns[1]), number
        assert re.match(r"(planned|statistics|reader|partly: \w.*|reproduced)$", columns[6]), number
        assert columns[6] != "reproduced" or columns[5] != "none", number


def test_what_the_ledger_names_exists():
    """Modules and tests that references.md names are in the repository."""
    text = read(REPOSITORY / "docs" / "references.md")
    for path in re.findall(r"`((?:items|stats|benchmarks|plans|profiles)/[\w.]*)`", text):
        assert (REPOSITORY / "src" / "unswayed" / path).exists(), path
    for path in re.findall(r"`pytest (tests/[\w./]+)`", text):
        assert (REPOSITORY / path).exists(), path


def test_the_page_about_the_line_names_what_the_code_has():
    """Factors, levels, controls, reasons, measures and states all stand in docs/line.md."""
    text = read(REPOSITORY / "docs" / "line.md")
    words = {word for levels in FACTORS.values() for word in levels}
    words |= {*FACTORS, *LINES, *DECLINED, *MISSING, *flips.EFFECTS, *get_args(State)}
    words |= {name for name in Design.__struct_fields__ if name.endswith("s") and name != "cells"}
    assert not {word for word in words if not re.search(rf"\b{word}\b", text)}


@pytest.mark.parametrize("kind", [Item, Design, Replay, Record, Estimate, Cell, Profile])
def test_fields_on_the_page_about_the_line_exist(kind: type):
    """The row of a type names fields that the type has."""
    text = read(REPOSITORY / "docs" / "line.md")
    row = re.search(rf"^\| `{kind.__name__}` \|(.*)\|$", text, re.M)
    assert row is not None
    named = set(re.findall(r"`(\w+)`", row[1]))
    assert named <= set(kind.__struct_fields__)


def test_the_files_on_the_page_about_the_line_are_those_of_a_folder():
    """Each file that a run folder knows by name has its row."""
    text = read(REPOSITORY / "docs" / "line.md")
    run = folder.RunFolder(Path("run"))
    fixed = {run.items.name, run.plan.name, run.contract.name, run.store.name}
    made = {part("READOUT").name for part in (run.answers, run.records, run.profile)}
    for name in fixed | {name.replace("READOUT", "<readout>") for name in made}:
        assert f"`{name}`" in text, name


def test_exit_codes_are_those_of_the_errors():
    """The table of exit codes has every code."""
    rows = re.findall(r"^\| (\d) \|", read(REPOSITORY / "docs" / "exit-codes.md"), re.M)
    assert [int(row) for row in rows] == [
        EXIT_OK,
        EXIT_FAILED_GATE,
        EXIT_USAGE,
        EXIT_INCOMPLETE,
    ]


def test_the_changelog_has_this_version():
    """The newest heading of CHANGELOG.md is the package's version."""
    headings = re.findall(r"^## (\S+)", read(REPOSITORY / "CHANGELOG.md"), re.M)
    assert headings[0] == __version__


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_no_page_names_a_place_on_a_machine(page: Path):
    """Folders are given relative to the repository or a run."""
    found = [line for line in read(page).splitlines() if HOSTED.search(line)]
    assert not found


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_scripts_on_a_page_compile(page: Path):
    """Python blocks are programs of this language version."""
    for number, block in enumerate(re.findall(r"```python\n(.*?)```", read(page), re.DOTALL)):
        compile(block, f"{name_of(page)}[{number}]", "exec")


def test_the_picture_is_small():
    """The picture of the report stays under 300 kB."""
    assert (REPOSITORY / "docs" / "pictures" / "report.png").stat().st_size < 300_000


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in PAGES if shown(page)], ids=name_of)
def test_commands_print_what_the_page_shows(page: Path, tmp_path: Path):
    """Every command that a page shows is run again; `python tests/pages.py` renews the outputs."""
    assert rerun(read(page), tmp_path.resolve()).split("\n") == read(page).split("\n")
