"""The folder of an import."""

from __future__ import annotations

from pathlib import Path

import msgspec

from unswayed.errors import StoreError
from unswayed.folder import RecordsAbout, RunFolder
from unswayed.imports.importing import Imported
from unswayed.records import ReadingCount
from unswayed.rows import write_rows, write_value


def write_import(found: Imported, to: Path) -> RunFolder:
    """Write items, replies, answers, differences and, with controls, records and profile.

    Raises:
        StoreError: When the folder holds something already.
    """
    folder = RunFolder(to)
    if to.exists() and any(to.iterdir()):
        raise StoreError(
            f"The folder {to} is not empty",
            allowed="a folder that is absent or empty",
            given=str(to),
            next_step="choose another folder with --to",
        )
    readout = found.summary.readout.partition("@")[0]
    items = {reply.question.item.id: reply.question.item for reply in found.replies}
    facts = {"file": found.summary.file, "sha256": found.summary.sha256}
    write_rows(folder.items, "items", items.values(), about=facts)
    write_rows(
        to / "completions.jsonl",
        "imported completions",
        (
            {
                "sample": reply.sample,
                "epoch": reply.epoch,
                "replay": reply.replay,
                "completion": reply.completion,
            }
            for reply in found.replies
        ),
        about=facts,
    )
    about = {"readout": found.summary.readout, **facts}
    write_rows(folder.answers(readout), "answers", found.answers.values(), about=about)
    write_rows(to / "differences.jsonl", "differences", found.differences, about=facts)
    if found.profile is not None:
        stated = RecordsAbout(
            about=found.profile.about,
            reading=ReadingCount(
                arms=found.profile.arms, positions=(), truth_positions=(), chance=None
            ),
            notes=found.summary.notes,
        )
        write_rows(
            folder.records(readout), "records", found.records, about=msgspec.to_builtins(stated)
        )
        write_value(folder.profile(readout), found.profile)
    write_value(to / "import.json", found.summary)
    return folder
