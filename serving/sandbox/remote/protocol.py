"""What a page and a runner say to each other: pure.

A job is JSON. A reply is a stream: a line break now and then while the job waits or is done, then one line of JSON,
then the frames that the worker told, as it wrote them.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import platform
from importlib.metadata import version as version_of
from typing import Literal

from pydantic import Field, ValidationError

from serving.errors import BadInputError, ProtocolError
from serving.frozen import FrozenModel
from serving.sandbox.inside.frames import LONGEST
from serving.sandbox.job import Job, WorkerOutcome
from serving.sandbox.report import WorkerOutput
from serving.sandbox.worker_pool import INSIDE, MOST_PRINTED

KEY_VARIABLE = "INTERVIEWER_RUNNER_KEY"
"""Environment variable with the key of runners, where they want one."""

VERSION_HEADER = "x-sandbox-version"
"""Of a request: what the page's own workers would run."""

REFUSED_HEADER = "x-runner-refused"
"""Of a reply with status 503: why, ``stopping`` or ``busy``."""

BEAT = b"\n"
BEAT_S = 2.0
"""Seconds between two signs of life of a runner."""

QUEUE_S = 60.0
"""Seconds that a job waits at a runner until it is begun."""

MOST_JOB = 2 * 2**20
"""Bytes of a job: the longest submission, each character of six bytes, and the tests."""

MOST_TESTS = 200
MOST_PROCESSES = 16
MOST_TEST_S = 60.0

_MOST_FRAMES = LONGEST + 2**20
_MOST_HEADER = 16 * MOST_PRINTED
MOST_REPLY = _MOST_FRAMES + _MOST_HEADER
"""Bytes of a reply, signs of life left out."""

_WITHOUT_CONTROLS = r"^[^\x00-\x1f\x7f-\x9f]*$"


class Header(FrozenModel):
    """What a runner says of a worker's output; ``WorkerOutput`` says what the fields mean."""

    end: Literal["done", "timeout", "oversize", "device memory"]
    frames: int = Field(ge=0, le=_MOST_FRAMES)
    printed: str = Field(max_length=MOST_PRINTED)
    errors: str = Field(max_length=MOST_PRINTED)
    seconds: float = Field(ge=0, le=3600)
    held: int | None = Field(ge=-(2**50), le=2**50)
    isolation: str = Field(max_length=200, pattern=_WITHOUT_CONTROLS)


class Refusal(FrozenModel):
    """Why a runner did not do a job that it had taken.

    Attributes:
        refused: "busy": nothing was free in time; "sandbox": it cannot execute such a job.
        why: one sentence.

    """

    refused: Literal["busy", "sandbox"]
    why: str = Field(max_length=600, pattern=_WITHOUT_CONTROLS)


class About(FrozenModel):
    """What a runner says of itself to whoever has its key.

    Attributes:
        version: what its workers run.
        isolation: what holds the programs.
        not_executed: why no code is executed there; empty where it is.
        not_several: the same of code that starts processes.

    """

    version: str = Field(max_length=64)
    isolation: str = Field(max_length=200, pattern=_WITHOUT_CONTROLS)
    not_executed: str = Field(max_length=600, pattern=_WITHOUT_CONTROLS)
    not_several: str = Field(max_length=600, pattern=_WITHOUT_CONTROLS)


def key() -> str:
    """The key that the environment names; empty where there is none."""
    return os.environ.get(KEY_VARIABLE, "").strip()


@functools.cache
def version() -> str:
    """A digest of what workers of this program run inside of the sandbox, and of the versions of its libraries."""
    code = hashlib.sha256(f"{platform.python_version_tuple()[:2]} {version_of('torch')} {version_of('numpy')}".encode())
    for path in sorted(INSIDE.glob("*.py")):
        code.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return code.hexdigest()


def read_job(body: bytes) -> Job:
    """A job out of a request.

    Raises:
        BadInputError: it is none, or asks for more than any job of a page.

    """
    try:
        job = Job.model_validate_json(body)
    except ValidationError as error:
        raise BadInputError(f"This is no job: {error.error_count()} fields are not as they must be.") from error
    if not 0 < job.seconds <= MOST_TEST_S or not 0 <= job.processes <= MOST_PROCESSES or len(job.run) > MOST_TESTS:
        raise BadInputError("The job asks for more time, processes, or tests than a runner gives.")
    if job.on_gpu:
        raise BadInputError("Runners execute code on processors only.")
    return job


def write_output(output: WorkerOutput, isolation: str) -> tuple[bytes, bytes]:
    """What came out of a worker, as a runner hands it back: the line and the frames."""
    header = Header(
        end=output.end.value,  # type: ignore[arg-type] # no worker is seen from outside to give no result
        frames=len(output.frames),
        printed=output.printed,
        errors=output.errors,
        seconds=output.seconds,
        held=output.held,
        isolation=isolation,
    )
    return header.model_dump_json().encode() + b"\n", output.frames


def read_reply(data: bytes) -> tuple[WorkerOutput, str] | Refusal:
    """What a runner handed back, with what held the program there.

    Args:
        data: all of it, without the signs of life before it.

    Raises:
        ProtocolError: it is no reply.

    """
    line, _, frames = data.partition(b"\n")
    try:
        if "refused" in json.loads(line):
            return Refusal.model_validate_json(line, strict=True)
        header = Header.model_validate_json(line, strict=True)
    except (ValueError, TypeError, RecursionError) as error:
        raise ProtocolError("What it replied is not what a runner replies.") from error
    if len(frames) != header.frames:
        raise ProtocolError(f"Of {header.frames} bytes that it announced, {len(frames)} came.")
    output = WorkerOutput(WorkerOutcome(header.end), frames, header.printed, header.errors, header.seconds, header.held)
    return output, header.isolation


def plain(sentence: str) -> str:
    """A sentence of this machine as it can be told: without control characters, and of bounded length."""
    return "".join(each if each.isprintable() else " " for each in sentence)[:600]
