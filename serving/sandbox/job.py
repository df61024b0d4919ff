"""What a worker is to do, and how it may end."""

from __future__ import annotations

from enum import StrEnum

from serving.frozen import FrozenModel

LONGEST_S = 60.0
"""Seconds a job may take, whatever its tests may take one by one; the slowest of the bank needs seven."""


class JobTest(FrozenModel):
    """One test to run.

    Attributes:
        name: of the function.
        dtype: of its inputs, ``float32`` for example.
        seed: of its inputs.
        device: where its inputs lie, ``cpu`` or ``cuda``.

    """

    name: str
    dtype: str
    seed: int
    device: str = "cpu"


class Job(FrozenModel):
    """A program and the tests to run on it.

    Attributes:
        source: the program.
        tests: source of the tests.
        names: what the program must define; the tests find it under these names.
        run: which tests, in order.
        seconds: wall clock each test may take.
        processes: how many the tests start beside their own; 0 means that nobody can start any.
        forbidden_names: what the program may not call; see ``inside/guard.py``.
        token: stands in everything that the tests tell; what the program writes itself has to guess it.

    """

    source: str
    tests: str
    names: tuple[str, ...]
    run: tuple[JobTest, ...]
    seconds: float = 10.0
    processes: int = 0
    forbidden_names: tuple[str, ...] = ()
    token: str = ""

    @property
    def on_gpu(self) -> bool:
        """Whether some of its inputs lie on a card."""
        return any(test.device != "cpu" for test in self.run)

    @property
    def longest(self) -> float:
        """Seconds after which it is ended from outside, whatever it does with its own clock."""
        return min((self.seconds + 0.5) * (len(self.run) + 1), max(LONGEST_S, self.seconds + 0.5))


class WorkerOutcome(StrEnum):
    """How a worker ended."""

    DONE = "done"
    TIMEOUT = "timeout"
    NO_RESULT = "no result"
    """It died, or told something that is no frame."""
    OVERSIZE = "oversize"
    DEVICE_MEMORY = "device memory"
    """It held more of the card's memory than it may."""
