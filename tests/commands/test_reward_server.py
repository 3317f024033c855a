"""`unswayed reward-server`: what it refuses, and one that is started, asked and ended."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from cli import call, check_error

from unswayed.commands.serving import TOKEN


def test_what_is_refused(monkeypatch: pytest.MonkeyPatch):
    """Before anything is served, with exit code 2 and what to do; a token is never shown."""
    monkeypatch.delenv(TOKEN, raising=False)
    check_error(call("reward-server", "--reward", "nothing"), "no such reward")
    check_error(call("reward-server", "-r", "serum", "--host", "0.0.0.0"), "without a token")
    monkeypatch.setenv(TOKEN, "secret")
    refused = call("reward-server", "-r", "serum")
    check_error(refused, "too short")
    assert "secret" not in refused.err + refused.out


@pytest.mark.skipif(sys.platform == "win32", reason="signals end it")
def test_it_serves_until_it_is_ended(tmp_path: Path):
    """On a free port, with the token of the environment; it says its address and leaves with 0."""
    token = "tk-0123456789abcdef"
    program = "from unswayed.commands import main; main()"
    command = [sys.executable, "-c", program, "reward-server", "-r", "truth_match", "--port", "0"]
    process = subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, cwd=tmp_path, env={**os.environ, TOKEN: token}
    )
    try:
        assert process.stderr is not None
        first = process.stderr.readline()
        address = re.search(r"http://127\.0\.0\.1:\d+", first)
        assert address is not None, first
        body = {"completion": "Answer: B", "columns": {"options": ["a", "b"], "truth": "b"}}
        request = urllib.request.Request(
            f"{address[0]}/reward",
            data=json.dumps(body).encode(),
            headers={"Content-Type": "application/json", "Authorization": f"Bearer {token}"},
        )
        with urllib.request.urlopen(request, timeout=120) as got:
            assert json.load(got)["value"] == 1.0
        process.send_signal(signal.SIGTERM)
        rest = process.communicate(timeout=120)[1]
        assert process.returncode == 0
        assert rest.endswith("stopped\n")
        assert token not in first + rest
        assert not list(tmp_path.iterdir())
    finally:
        process.kill()
        process.wait()
