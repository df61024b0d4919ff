"""What a runner replies is read as what it is, and whatever else comes is told to be none."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serving.errors import BadInputError, ProtocolError
from serving.sandbox.job import WorkerOutcome
from serving.sandbox.remote.protocol import Refusal, plain, read_job, read_reply, version, write_output
from serving.sandbox.report import WorkerOutput
from tests.serving.sandbox.remote.runners import job

OUTPUT = WorkerOutput(WorkerOutcome.DONE, b"\0frames\n\nof \xff any kind", "out\n\u2028\0", "\x1b[1m", 0.25, -4096)


def told(**fields: Any) -> bytes:
    """A reply with other fields."""
    line, frames = write_output(OUTPUT, "walls")
    return json.dumps({**json.loads(line), **fields}).encode() + b"\n" + frames


def test_what_came_out_of_a_worker_comes_back() -> None:
    assert read_reply(b"".join(write_output(OUTPUT, "walls"))) == (OUTPUT, "walls")
    silent = OUTPUT._replace(end=WorkerOutcome.TIMEOUT, frames=b"", held=None)
    assert read_reply(b"".join(write_output(silent, ""))) == (silent, "")


def test_a_job_comes_as_it_was_sent() -> None:
    sent = job("# \u00e4\u2028\n" + "\x01" * 100_000, seconds=7.5, processes=4, token="t")
    assert read_job(sent.model_dump_json().encode()) == sent
    with pytest.raises(BadInputError, match="more time, processes, or tests"):
        read_job(sent.model_copy(update={"seconds": 61.0}).model_dump_json().encode())


@pytest.mark.parametrize(
    "fields",
    [
        *({"end": each} for each in ("no result", "passed", None, 1)),
        *({"frames": each} for each in (-1, 0, 2**40, 21.0, "21")),
        *({"seconds": each} for each in (float("nan"), float("inf"), -1.0, "1")),
        *({"held": each} for each in (2**60, 0.5, "much")),
        *({"printed": each} for each in ("x" * 70_000, None, ["x"])),
        *({"isolation": each} for each in ("a\nb", "\x1b[2J", "x" * 300)),
        {"more": 1},
    ],
)
def test_a_forged_line_is_no_reply(fields: dict[str, Any]) -> None:
    assert read_reply(told())
    with pytest.raises(ProtocolError, match=r"not what a runner replies|bytes that it announced"):
        read_reply(told(**fields))


@pytest.mark.parametrize(
    "data",
    [b"", b"\n", b"null\n", b"1\n", b"[" * 200_000, b"<html>\n", b'{"refused": "never", "why": ""}\n', b"\xff\n"],
)
def test_something_else_is_no_reply(data: bytes) -> None:
    with pytest.raises(ProtocolError):
        read_reply(data)


@given(st.binary(max_size=300))
def test_bytes_are_a_reply_or_are_refused(data: bytes) -> None:
    for each in (data, told() + data, data + told()):
        try:
            read_reply(each)
        except ProtocolError:
            continue


def test_a_reply_that_was_cut_is_none() -> None:
    whole = told()
    for length in range(len(whole)):
        with pytest.raises(ProtocolError):
            read_reply(whole[:length])


def test_a_refusal_says_why_on_one_line() -> None:
    refusal = Refusal(refused="sandbox", why=plain("It is\nnot \x1b[1mthere." + "!" * 1000))
    assert read_reply(refusal.model_dump_json().encode()) == refusal
    assert refusal.why.startswith("It is not  [1mthere.")


def test_the_version_is_that_of_what_workers_run() -> None:
    assert version() == version()
    assert len(version()) == 64
