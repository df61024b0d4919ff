"""What a program's tests told: a report read test by test, with nothing in it believed that has not the right form."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from serving.sandbox.job import JobTest
from serving.sandbox.report import Report

MOST_LINE = 10**6
"""Beyond it a line is none of a submission's."""

Key = tuple[str, str, str]
"""Test, dtype and device."""


class Observations(NamedTuple):
    """What a program's tests told.

    Attributes:
        cases: of each test and dtype, what was put in and what came out.
        failed: of each test and dtype that ended in an exception, which.
        used: of each test and dtype, what the question rules out and the program called, with the line.
        seconds: of each test and dtype that came to its end.

    """

    cases: dict[Key, list[tuple[Any, Any]]]
    failed: dict[Key, Mapping[str, Any]]
    used: dict[Key, tuple[str, int]]
    seconds: dict[Key, float]


def key_of(test: JobTest) -> Key:
    """What a test is known by."""
    return test.name, test.dtype, test.device


def observations(report: Report) -> Observations:
    """What was told, by test; what is not in the form of a test's words is left out, so that it counts as missing."""
    seen = Observations({}, {}, {}, {})
    for told in report.told:
        if not isinstance(told, dict):
            continue
        test, dtype, device = (told.get(name) for name in ("test", "dtype", "device"))
        if not (isinstance(test, str) and isinstance(dtype, str) and isinstance(device, str)):
            continue
        key = test, dtype, device
        if "seen" in told:
            seen.cases.setdefault(key, []).append((told.get("shown"), told["seen"]))
        elif isinstance(told.get("failed"), dict):
            seen.failed[key] = told["failed"]
        elif used := _used(told.get("used")):
            seen.used[key] = used
        elif is_duration(told.get("seconds")):
            seen.seconds[key] = told["seconds"]
    return seen


def is_duration(value: Any) -> bool:
    """Whether a value can be a number of seconds."""
    return isinstance(value, float) and 0 <= value < math.inf


def _used(told: Any) -> tuple[str, int] | None:
    """The first of the calls that a test's words name."""
    first = told[0] if isinstance(told, list) and told else None
    if isinstance(first, list) and len(first) == 2 and isinstance(first[0], str) and isinstance(first[1], int):
        return first[0][:100], max(0, first[1]) or None  # type: ignore[return-value]
    return None


def is_broken(seen: Observations, key: Key) -> bool:
    """Whether a test was not come through. A case may raise, as the task may ask for; a rank that is lost may not."""
    lost = any(has_raised(value) and value["type"] == "RankError" for _, value in seen.cases.get(key, []))
    return lost or key in seen.failed or key not in seen.seconds


def has_raised(value: Any) -> bool:
    """Whether an outcome is an exception rather than a value."""
    return isinstance(value, dict) and set(value) == {"type", "message", "line"}


def message_of(value: Any) -> str:
    """A message, cut to 600 characters; a sentence of ours where there is none."""
    return value[:600] if isinstance(value, str) else "It failed without a message."


def line_of(failure: Mapping[str, Any]) -> int | None:
    """The line of the submission at which it failed, where that can be one."""
    line = failure.get("line")
    return line if type(line) is int and 0 < line < MOST_LINE else None
