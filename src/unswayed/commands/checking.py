"""Which check by TRL's own collators a training set gets before it is written, and what is said."""

from __future__ import annotations

import tempfile
from importlib.util import find_spec
from pathlib import Path

from unswayed.training.collating import Check, collator_check

NO_CHECK = Path("none")
"""What `--check-with` takes to leave the check out."""


def check_for(kind: str, shape: str, tokenizer: Path | None) -> Check:
    """Return the check of a set: with a given tokenizer, else with the embedded model's.

    Args:
        kind: `sft`, `preference`, `kto` or `rl`.
        shape: The shape of its files.
        tokenizer: Folder with a tokenizer; `none` for no check; None for the usual one.

    Raises:
        UsageError: A tokenizer is given and the shape is not TRL's, or there is no such folder.
        MissingModelError: A tokenizer is given and TRL is not installed.
    """
    if tokenizer == NO_CHECK:
        return Check(said="not checked in TRL: left out by --check-with none")
    if tokenizer is not None:
        return Check(
            said=f"every row went through TRL's own collators, with the tokenizer in {tokenizer}",
            run=collator_check(kind, shape, tokenizer),
        )
    why = _why_not(shape)
    if why:
        return Check(said=f"not checked in TRL: {why}")

    def run(folder: Path) -> None:
        from unswayed.learning.network import wrap_tokenizer
        from unswayed.models.gguf import read_gguf
        from unswayed.models.weights import find

        with tempfile.TemporaryDirectory() as place:
            wrap_tokenizer(read_gguf(find())).save_pretrained(place)
            collator_check(kind, shape, Path(place))(folder)

    return Check(
        said="every row went through TRL's own collators, with the embedded model's tokenizer",
        run=run,
    )


def _why_not(shape: str) -> str:
    from unswayed.errors import MissingModelError
    from unswayed.models.weights import find

    if shape == "chat":
        return "the embedded model's template does not mark replies; give --check-with TOKENIZER"
    if shape != "trl":
        return f"the shape {shape} is not TRL's"
    if find_spec("trl") is None:
        return "the extra `trl` is not installed"
    try:
        find()
    except MissingModelError:
        return "the embedded model is not fetched, and no --check-with TOKENIZER is given"
    return ""
