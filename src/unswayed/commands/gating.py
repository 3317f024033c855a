"""`unswayed gate`: a run held against a policy; fails closed."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unswayed.commands import choices as c
from unswayed.commands.reading import ReadingName

if TYPE_CHECKING:
    from rich.console import Group

    from unswayed.profiles.gate import Gate
    from unswayed.profiles.policy import Policy

PolicyFile = Annotated[
    Path, typer.Option("--policy", "-p", help="TOML file of what must hold; docs/gates.md.")
]
JUnit = Annotated[
    Path | None, typer.Option("--junit", help="Also write the checks as JUnit XML to this file.")
]


def gate(
    folder: c.Folder,
    policy: PolicyFile,
    readout: ReadingName = None,
    junit: JUnit = None,
    as_json: c.AsJson = False,
) -> None:
    """Hold a run's profile against a policy. Whatever is missing fails; exit code 1 when it does.

    Example: unswayed gate runs/candidate --policy launch.toml --junit gate.xml
    """
    from unswayed.errors import GateError
    from unswayed.profiles.policy import read_policy
    from unswayed.rows import encode, write_text

    found = decide(folder, read_policy(policy), readout)
    if junit is not None:
        write_text(junit, junit_xml(found))
    if as_json:
        typer.echo(encode(found).decode())
    else:
        from rich.console import Console

        Console().print(_render(found))
    if not found.passed:
        raise GateError(
            f"The gate {found.policy!r} is closed: {len(found.failed)} of {len(found.checks)}"
            " checks did not pass",
            allowed="every check passed",
            given="; ".join(f"{each.title}: {each.status}" for each in found.failed[:3]),
            next_step="read the reasons above; a check that cannot be decided needs a measurement",
        )


def decide(path: Path, policy: Policy, readout: str | None) -> Gate:
    """Hold the profile in a run folder against a policy.

    A profile that is absent, unreadable or not what its records give is a closed gate, no error;
    so are records that are not what plan and answers give. Both are computed again here.

    Raises:
        StoreError: When the folder holds no run.
    """
    import msgspec

    from unswayed import line
    from unswayed.errors import UnswayedError
    from unswayed.profiles import gate as gates
    from unswayed.profiles.profile import Profile
    from unswayed.rereading import find_strange_record
    from unswayed.rows import read_value

    folder = line.RunFolder(path)
    plan = folder.about_plan()
    name = readout or plan.design.readout
    try:
        profile = read_value(folder.profile(name), Profile)
        strange = find_strange_record(folder, name)
        if strange:
            return gates.refuse(policy, f"{strange}; `unswayed read` pairs them again")
        computed = line.compute_profile(folder, name)
    except (UnswayedError, msgspec.ValidationError) as error:
        reason = error.given or error.wrong if isinstance(error, UnswayedError) else str(error)
        return gates.refuse(policy, f"no readable profile of readout {name!r}: {reason}")
    return gates.decide(policy, profile, computed=computed, plan=plan.digest)


def junit_xml(found: Gate) -> str:
    """Return a gate as JUnit XML: one test case a check, a failure for each that did not pass."""
    from xml.etree import ElementTree

    from unswayed.report.visible import one_line

    n_failed = len(found.failed)
    suite = ElementTree.Element(
        "testsuite",
        name=one_line(f"unswayed gate {shlex.quote(str(found.policy))}"),
        tests=str(len(found.checks)),
        failures=str(n_failed),
        errors="0",
        skipped="0",
    )
    facts = ElementTree.SubElement(suite, "properties")
    for name in ("model", "plan", "readout", "policy_digest"):
        value = one_line(str(getattr(found, name)))
        ElementTree.SubElement(facts, "property", name=name, value=value)
    for check in found.checks:
        case = ElementTree.SubElement(
            suite,
            "testcase",
            classname=f"unswayed.gate.{check.section}",
            name=one_line(check.title),
        )
        if check.passed:
            ElementTree.SubElement(case, "system-out").text = one_line(check.reason)
        else:
            reason = one_line(check.reason)
            failure = ElementTree.SubElement(case, "failure", type=check.status, message=reason)
            failure.text = f"{check.status}: {reason}"
    root = ElementTree.Element("testsuites", tests=suite.attrib["tests"], failures=str(n_failed))
    root.append(suite)
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(root, "unicode") + "\n"


def _model_words(found: Gate) -> str:
    """The model's name, marked where it is a script."""
    mark = (
        " (SIMULATED: a script, no language model)" if found.model.startswith("scripted:") else ""
    )
    return f"{found.model or 'unknown'}{mark}"


def _render(found: Gate) -> Group:
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    from unswayed.report.visible import one_line

    table = Table(box=None, padding=(0, 2, 0, 0))
    for heading in ("check", "status", "reason"):
        table.add_column(heading, header_style="bold", overflow="fold")
    styles = {"passed": "green", "failed": "red", "not decidable": "red"}
    for check in found.checks:
        status = Text(check.status, style=styles[check.status])
        table.add_row(Text(one_line(check.title)), status, Text(one_line(check.reason)))
    word = "open" if found.passed else f"closed: {len(found.failed)} of {len(found.checks)} failed"
    return Group(
        Text(one_line(f"gate {found.policy}: {word}"), style="bold"),
        Text(one_line(f"model {_model_words(found)}, plan {found.plan or 'unknown'}")),
        Text(),
        table,
    )
