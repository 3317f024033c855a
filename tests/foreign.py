"""Small logs in the shape in which other tools write them; all contents are our own."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

Talk = list[tuple[str, str]]

CAPITALS = (
    ("France", "Paris", "Lyon"), ("Spain", "Madrid", "Seville"), ("Italy", "Rome", "Milan"),
    ("Peru", "Lima", "Cusco"), ("Japan", "Tokyo", "Kyoto"), ("Egypt", "Cairo", "Giza"),
    ("Cuba", "Havana", "Holguin"), ("Chile", "Santiago", "Arica"), ("Ghana", "Accra", "Kumasi"),
    ("Norway", "Oslo", "Bergen"), ("Austria", "Vienna", "Graz"), ("Kenya", "Nairobi", "Mombasa"),
)  # fmt: skip


def question(place: int) -> str:
    """A question with two lettered options, the right one first."""
    country, right, wrong = CAPITALS[place]
    return f"What is the capital of {country}?\n(A) {right}\n(B) {wrong}"


def messages(talk: Talk, *, planted: Iterable[int] = ()) -> list[dict[str, Any]]:
    """A conversation as Inspect AI logs it."""
    return [
        {
            "id": f"m{place}",
            "role": role,
            "content": text,
            "source": "input" if role == "user" or place in planted else "generate",
        }
        for place, (role, text) in enumerate(talk)
    ]


def sample(
    name: str | int,
    talk: Talk,
    *,
    target: object = "A",
    scores: Mapping[str, Any] | None = None,
    epoch: int = 1,
    **fields: Any,
) -> dict[str, Any]:
    """One sample as Inspect AI logs it."""
    planted = fields.pop("planted", ())
    return {
        "id": name,
        "epoch": epoch,
        "input": talk[0][1],
        "target": target,
        "messages": messages(talk, planted=planted),
        "output": {"choices": [{"stop_reason": fields.pop("stop", "stop")}]},
        "scores": {key: {"value": value} for key, value in (scores or {}).items()},
        "metadata": {},
        **fields,
    }


def inspect_log(samples: list[dict[str, Any]], **fields: Any) -> dict[str, Any]:
    """A log of Inspect AI with a secret where settings are logged."""
    return {
        "version": 2,
        "status": "success",
        "eval": {
            "task": "capitals",
            "model": "mockllm/model",
            "model_args": {"api_key": "sk-secretsecret1234"},
        },
        "results": {"scores": []},
        "stats": {"started_at": "2026-01-02T03:04:05+00:00", "completed_at": "2026-01-02T03:05:05"},
        "samples": samples,
        **fields,
    }


def write_eval(path: Path, log: Mapping[str, Any], *, method: int = zipfile.ZIP_DEFLATED) -> Path:
    """Write a log as a `.eval` zip, deflated or, as method 93, packed with Zstandard."""
    parts = {"_journal/start.json": {"version": 2, "eval": log["eval"]}}
    parts["header.json"] = {name: value for name, value in log.items() if name != "samples"}
    for each in log["samples"]:
        parts[f"samples/{each['id']}_epoch_{each['epoch']}.json"] = each
    if method not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return _write_packed(path, parts, method)
    with zipfile.ZipFile(path, "w", compression=method) as archive:
        for name, part in parts.items():
            archive.writestr(name, json.dumps(part))
    return path


def _write_packed(path: Path, parts: Mapping[str, Any], method: int) -> Path:
    """Write a zip whose members are packed by a method that the standard library lacks."""
    import io
    import struct
    import zlib

    import pyarrow as pa

    out, directory = io.BytesIO(), b""
    for name, part in parts.items():
        data = json.dumps(part).encode()
        packed = bytes(pa.Codec("zstd").compress(data))
        sizes = struct.pack("<III", zlib.crc32(data), len(packed), len(data))
        start = struct.pack("<HHHHH", 20, 0, method, 0, 0) + sizes
        start += struct.pack("<HH", len(name), 0)
        offset = out.tell()
        out.write(b"PK\x03\x04" + start + name.encode() + packed)
        directory += b"PK\x01\x02" + struct.pack("<H", 20) + start
        directory += struct.pack("<HHHII", 0, 0, 0, 0, offset) + name.encode()
    place = out.tell()
    count = len(parts)
    end = struct.pack("<HHHHIIH", 0, 0, count, count, len(directory), place, 0)
    path.write_bytes(out.getvalue() + directory + b"PK\x05\x06" + end)
    return path


def write_json(path: Path, value: object) -> Path:
    """Write one JSON value; NaN stays, as the tools write it."""
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def write_lines(path: Path, rows: Iterable[object]) -> Path:
    """Write JSON Lines."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def written_sample(name: int, prompt: str, reply: object, target: str, **fields: Any) -> Any:
    """One written reply as lm-evaluation-harness logs it."""
    return {
        "doc_id": name,
        "doc": {"question": prompt},
        "target": target,
        "arguments": {"gen_args_0": {"arg_0": prompt, "arg_1": {"until": ["\n"]}}},
        "resps": [[reply] if isinstance(reply, str) else reply],
        "filtered_resps": [reply],
        "filter": "none",
        "metrics": ["exact_match"],
        "exact_match": 1.0,
        **fields,
    }


def scored_sample(
    name: int, prompt: str, options: Mapping[str, object], target: str, **fields: Any
) -> Any:
    """One question with scored options as lm-evaluation-harness logs it."""
    return {
        "doc_id": name,
        "doc": {"question": prompt},
        "target": target,
        "arguments": {
            f"gen_args_{place}": {"arg_0": prompt, "arg_1": f" {option}"}
            for place, option in enumerate(options)
        },
        "resps": [[[str(value), "False"]] for value in options.values()],
        "filtered_resps": [],
        "filter": "none",
        "metrics": ["acc"],
        "acc": 1.0,
        **fields,
    }


def result(place: int, output: object, *, success: bool, **fields: Any) -> dict[str, Any]:
    """One result as promptfoo logs it."""
    return {
        "testIdx": place,
        "promptIdx": 0,
        "prompt": {"raw": question(place), "label": "q"},
        "provider": {"id": "own-model", "label": "own-model"},
        "vars": {"right": CAPITALS[place][1], "wrong": CAPITALS[place][2]},
        "response": {"output": output},
        "success": success,
        "score": float(success),
        "namedScores": {},
        "failureReason": 0 if success else 1,
        "testCase": {"assert": [{"type": "icontains", "value": "{{right}}"}]},
        **fields,
    }


def promptfoo_log(results: list[dict[str, Any]]) -> dict[str, Any]:
    """The results of one evaluation, with a secret in its settings."""
    return {
        "evalId": "eval-1",
        "results": {"version": 3, "timestamp": "2026-01-02T03:04:05Z", "results": results},
        "config": {"env": {"OPENAI_API_KEY": "sk-secretsecret1234"}},
    }


def pushed(place: int, first: str, line: str, last: str) -> Talk:
    """A question, an answer, a line and an answer."""
    return [
        ("user", question(place)),
        ("assistant", first),
        ("user", line),
        ("assistant", last),
    ]
