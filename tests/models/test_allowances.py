"""Waits that servers ask for, and what their headers say of what is left."""

from __future__ import annotations

import email.utils

import pytest

from unswayed.models.allowances import asked_wait, limit_headers, spacing, spent_wait

NOW = 1_700_000_000.0


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "12"}, 12.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": email.utils.formatdate(NOW + 90, usegmt=True)}, 90.0),
        ({"retry-after": email.utils.formatdate(NOW - 90, usegmt=True)}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "1e9"}, None),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"x-ratelimit-reset-requests": "6m0s"}, 360.0),
        ({"x-ratelimit-reset-tokens": "20ms"}, 0.02),
        ({"x-ratelimit-reset-requests": "1h2m3.5s"}, 3723.5),
        ({"x-ratelimit-reset": "1700000030"}, 30.0),
        ({"x-ratelimit-reset": "1700000030000"}, 30.0),
        ({"x-ratelimit-reset": "2023-11-14T22:13:50+00:00"}, 30.0),
        ({"x-ratelimit-reset": "whenever"}, None),
        (
            {
                "x-ratelimit-reset-requests": "50s",
                "x-ratelimit-remaining-requests": "7",
                "x-ratelimit-reset-tokens": "4s",
                "x-ratelimit-remaining-tokens": "0",
            },
            4.0,
        ),
        ({"x-ratelimit-reset-requests": "50s", "x-ratelimit-remaining-requests": "7"}, None),
    ],
)
def test_waits_are_read_from_every_form(headers, seconds):
    """Seconds, dates, milliseconds, durations and moments; nonsense states no wait."""
    found = asked_wait(headers, NOW)
    assert found == (None if seconds is None else pytest.approx(seconds))


def test_a_used_up_allowance_is_seen_on_a_good_reply():
    """Only an allowance at zero holds the next request back."""
    used_up = {"x-ratelimit-reset-requests": "3s", "x-ratelimit-remaining-requests": "0"}
    left = {"x-ratelimit-reset-requests": "3s", "x-ratelimit-remaining-requests": "1"}
    assert spent_wait(used_up, NOW) == 3.0
    assert spent_wait(left, NOW) is None
    assert spent_wait({"x-ratelimit-reset-requests": "3s"}, NOW) is None


def test_rate_limit_headers_are_recognized_by_name():
    """Names are kept, other headers are not."""
    headers = {"x-ratelimit-limit-requests": "9", "retry-after": "1", "date": "x"}
    assert limit_headers(tuple(headers)) == {"x-ratelimit-limit-requests", "retry-after"}


@pytest.mark.parametrize(
    ("allowances", "seconds"),
    [
        ({}, 0.0),
        ({"requests": ("30s", 60)}, 0.5),
        ({"tokens": ("30s", 6_000)}, 0.5),
        ({"requests": ("1s", 100), "tokens": ("10s", 1_000)}, 1.0),
        ({"requests": ("0s", 60)}, 0.0),
        ({"requests": ("30s", 0)}, 0.0),
        ({"tokens": ("20s", 30)}, 20.0),
        ({"requests": ("soon", 60)}, 0.0),
        ({"requests": ("30s", "many")}, 0.0),
    ],
)
def test_starts_are_spaced_by_what_is_left(allowances, seconds):
    """A request of 100 tokens: what remains is spread over the time to its refill."""
    headers = {}
    for name, (reset, remaining) in allowances.items():
        headers[f"x-ratelimit-reset-{name}"] = reset
        headers[f"x-ratelimit-remaining-{name}"] = str(remaining)
    assert spacing(headers, 100, NOW) == pytest.approx(seconds)


def test_tokens_that_are_not_stated_space_nothing():
    """Without the size of a request only the allowance of requests counts."""
    headers = {"x-ratelimit-reset-tokens": "30s", "x-ratelimit-remaining-tokens": "10"}
    assert spacing(headers, 0, NOW) == 0.0
