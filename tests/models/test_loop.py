"""The event loop of a run: uvloop beside the fast client, and the usual one for all others."""

from __future__ import annotations

import builtins
import importlib.util
from types import SimpleNamespace
from unittest import mock

import pytest

from unswayed.models.endpoint import Endpoint
from unswayed.models.http import HTTPModel
from unswayed.models.loop import loop_for
from unswayed.models.pool import Pool


def model_with(client: str) -> HTTPModel:
    """Return a model that is never asked."""
    return HTTPModel(Endpoint(base_url="http://x/v1", model="m", key_env="", client=client))


@pytest.mark.skipif(importlib.util.find_spec("uvloop") is None, reason="uvloop is absent")
def test_the_fast_client_brings_its_loop():
    """Alone and behind a pool; what sends in another way has the usual one."""
    import uvloop

    fast, usual = model_with("pyreqwest"), model_with("aiohttp")
    assert loop_for(fast) is uvloop.new_event_loop
    assert loop_for(Pool([usual.endpoint, fast.endpoint])) is uvloop.new_event_loop
    for other in (usual, Pool([usual.endpoint]), SimpleNamespace()):
        assert loop_for(other) is None


def test_without_uvloop_the_usual_loop_serves():
    """As on Windows, where there is none."""
    real = builtins.__import__

    def refuse(name: str, *args, **more):
        if name == "uvloop":
            raise ImportError(name)
        return real(name, *args, **more)

    with mock.patch.object(builtins, "__import__", refuse):
        assert loop_for(model_with("pyreqwest")) is None
