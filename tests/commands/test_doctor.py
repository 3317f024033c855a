"""`unswayed doctor`: what an endpoint can do, in words and in JSON."""

from __future__ import annotations

import re
import signal

import servers
from cli import background, call, check_error, done, spawn, wait_until

from unswayed.commands import view
from unswayed.models.doctor import N_PLANNED


def test_words_and_json_name_the_same_findings():
    """Every finding of the JSON stands in the people's text, and the requests are counted."""
    with background(servers.reply("Paris")) as server:
        told = done("doctor", "-m", "tester", "--base-url", server.url, "--json").json
        asked = len(server.received)
        words = done("doctor", "-m", "tester", "--base-url", server.url).out
    assert told["identity"]["name"] == "tester"
    assert told["n_requests"] == asked
    findings = {name for name, value in told.items() if isinstance(value, dict) and "n" in value}
    assert len(findings) >= 10
    for name in findings:
        assert re.search(rf"^{name.replace('_', ' ')} ", words, re.M)
    for problem in told["problems"]:
        assert f"problem: {problem}" in words


def test_unreachable_endpoint_is_a_problem_in_words():
    """A server that is not there is reported, without a traceback."""
    where = ("-m", "tester", "--base-url", "http://127.0.0.1:9/v1")
    words, told = call("doctor", *where), call("doctor", *where, "--json")
    assert words.code == told.code == 2
    assert "problem: the model cannot be reached" in words.out
    assert told.json["problems"] == ["the model cannot be reached"]
    assert told.json["reachable"]["value"] is False
    assert "Traceback" not in words.err + told.err


def test_bad_options():
    """No model, no address, or an unreadable price is refused before anything is sent."""
    check_error(call("doctor"), "No model is named", "Allowed:")
    check_error(call("doctor", "-m", "tester"), "--base-url", "Allowed:")
    check_error(call("doctor", "-m", "scripted:noise"), "nothing to examine", "Allowed:")
    with background(servers.reply("Paris")) as server:
        where = ("-m", "tester", "--base-url", server.url)
        check_error(call("doctor", *where, "--price", "x"), "0.5,1.5", "Allowed:")
        assert not server.received


def test_a_person_sees_that_it_works_and_how_far_it_is(monkeypatch):
    """What it will ask is said at once, and then how much is done; programs read only findings."""
    monkeypatch.setattr(view, "QUIET_SECONDS", 0.2)
    with background(servers.slow(0.05, servers.reply("Paris"))) as server:
        told = done("doctor", "-m", "tester", "--base-url", server.url, "--json")
    assert told.err.startswith(f"examining tester: {N_PLANNED} small requests\n")
    assert re.search(rf"\b\d+ of {N_PLANNED} done", told.err)
    # Without log-probabilities the swapped order is not asked.
    assert told.json["n_requests"] == N_PLANNED - 1


def test_ctrl_c_ends_it_with_one_error():
    """What is in flight is waited for; no traceback, and the code of a work that is not whole."""
    with background(servers.slow(0.3, servers.reply("Paris"))) as server:
        running = spawn("doctor", "-m", "tester", "--base-url", server.url)
        wait_until(lambda: len(server.received) >= 2)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=240)
    assert running.returncode == 3, err
    assert "The examination was stopped" in err
    assert "Traceback" not in err
    assert out == ""
