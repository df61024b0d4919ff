"""What became of a job: as a worker left it, and as it was read."""

from __future__ import annotations

from typing import Any, NamedTuple

from pydantic import ConfigDict

from serving.frozen import FrozenModel
from serving.sandbox.frame_decoder import FrameDecoder, Reading
from serving.sandbox.job import WorkerOutcome


class WorkerOutput(NamedTuple):
    """What came out of a worker, before anything of it is read.

    Attributes:
        end: how the worker ended, as far as that is seen from outside; never ``NO_RESULT``.
        frames: what it told; see ``inside/frames.py``.
        printed, errors: what it wrote to its standard output and error, each cut at a length.
        seconds, held, device_short: as in ``Report``.

    """

    end: WorkerOutcome
    frames: bytes
    printed: str
    errors: str
    seconds: float
    held: int | None
    device_short: bool = False


class Report(FrozenModel):
    """What became of a job.

    Attributes:
        end: how the worker ended.
        told: what it told, in order; data of the program's making, to be believed no further than it can be checked.
        printed, errors: what it wrote to its standard output and error, each cut at a length.
        seconds: wall clock from the job's start to its end.
        held: bytes that its largest process held beyond what a waiting worker holds, as seen from outside until the
            last word came; ``None`` where that is unknown.
        device_short: whether others held so much of the card that the job could not have what it may have.
        isolation: what held the program; empty where that is the runner's to tell.
        machine: which machine it ran on; empty for this one.

    """

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    end: WorkerOutcome
    told: tuple[Any, ...] = ()
    printed: str = ""
    errors: str = ""
    seconds: float = 0.0
    held: int | None = None
    device_short: bool = False
    isolation: str = ""
    machine: str = ""


def report_of(output: WorkerOutput, decoder: FrameDecoder) -> Report:
    """Has what a worker told read.

    Raises:
        SandboxMissingError: it cannot be, since the decoder does not start.

    """
    read = decoder.decode(output.frames)
    told = tuple(value for value in read.told if not (isinstance(value, dict) and value.keys() == {"ready"}))
    end = output.end
    if end is WorkerOutcome.DONE and read.reading is not Reading.COMPLETE:
        end = WorkerOutcome.OVERSIZE if read.reading is Reading.OVERSIZE else WorkerOutcome.NO_RESULT
    return Report(
        end=end,
        told=told,
        printed=output.printed,
        errors=output.errors,
        seconds=output.seconds,
        held=output.held,
        device_short=output.device_short,
    )
