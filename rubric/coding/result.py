"""What became of a submission, as frozen models. Nothing here executes anything."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from rubric.coding.roofline import is_impossible
from rubric.coding.task import CodeTestKind
from serving.frozen import FrozenModel

ELSEWHERE = "on another machine"
"""The last words of what held a program that did not run on the person's own machine."""


class CodeStatus(StrEnum):
    """What became of a submission, or of one test of it."""

    PASSED = "passed"
    MISMATCH = "mismatch"
    ERROR = "error"
    TIMEOUT = "timeout"
    NO_RESULT = "no_result"
    OVERSIZE = "oversize"
    SANDBOX_UNAVAILABLE = "sandbox_unavailable"
    """Nothing was executed, or what was could not be verified, for reasons that are not the person's."""
    FORBIDDEN = "forbidden"
    """What the question rules out was used."""
    TAMPERED = "tampered"
    """The program changed or went around what it is measured with."""


class FailingCase(FrozenModel):
    """What was put in, what was expected and what came out, each as a person reads it."""

    put_in: str
    expected: str
    got: str


class CodeTest(FrozenModel):
    """One test's result.

    Attributes:
        name: of the function, with the dtype in brackets where there are several.
        kind: what it looks at.
        title: what it looks at, in words.
        status: how it went.
        message: what is wrong, one sentence; empty where it passed.
        line: the line of the submission at which an exception came up; ``None`` where there is none.
        seconds: wall clock; 0 where it was not reached.
        cases: how many inputs were tried.
        failing: some of those that failed.

    """

    name: str
    kind: CodeTestKind
    title: str
    status: CodeStatus
    message: str = ""
    line: int | None = None
    seconds: float = 0.0
    cases: int = 0
    failing: tuple[FailingCase, ...] = ()


class Timing(FrozenModel):
    """How time grows with size: advice, measured inside the sandbox by a clock that the program could turn.

    Attributes:
        title: what was timed.
        sizes: of the inputs.
        seconds: median of each size.
        ours: of our own solution.
        exponent, our_exponent: slope of the logarithms: 1 is linear, 2 is quadratic.
        floor: seconds that reading each input from the device's memory takes at least; empty where that is unknown.

    """

    title: str
    sizes: tuple[float, ...]
    seconds: tuple[float, ...]
    ours: tuple[float, ...]
    exponent: float
    our_exponent: float
    floor: tuple[float, ...] = ()

    @property
    def impossible(self) -> bool:
        """Whether some time is shorter than the memory allows: a turned clock, or inputs that were not read."""
        return any(map(is_impossible, self.seconds, self.floor))


class Remark(FrozenModel):
    """Something that a program's text reaches for and should not; see ``rubric/restrictions.py``.

    Attributes:
        line: of the program.
        what: a phrase that goes on after "line 3", such as "uses `sorted`, which the question rules out".

    """

    line: int
    what: str


class CodeResult(FrozenModel):
    """What became of a submission.

    Attributes:
        status: ``passed`` only where every test was run to its end and agreed; else that of the first that did not.
        message: why nothing could be run, or why the program did not even start; empty otherwise.
        line: the line that the message is about.
        tests: each test's result, in order; empty where none was run.
        printed, errors: what the program wrote to its standard output and error, each cut at a length.
        isolation: what held the program; it ends with ``ELSEWHERE`` where that was on another machine.
        device: where the inputs lay of the tests that say something: ``cpu``, or ``cpu and cuda``.
        timing: advice on speed.
        seed: with it the same inputs can be drawn again.
        seconds: wall clock from submission to verdict.
        remarks: what was found in the program's text, or measured from outside; no part of the status.

    """

    status: CodeStatus
    message: str = ""
    line: int | None = None
    tests: tuple[CodeTest, ...] = ()
    printed: str = ""
    errors: str = ""
    isolation: str = ""
    device: str = "cpu"
    timing: tuple[Timing, ...] = ()
    seed: int = 0
    seconds: float = 0.0
    remarks: tuple[Remark, ...] = ()

    @property
    def strict(self) -> CodeResult:
        """The same as an exam takes it: with a remark it has not passed, and the message says why."""
        if self.status is not CodeStatus.PASSED or not self.remarks:
            return self
        return self.model_copy(update={"status": CodeStatus.FORBIDDEN, "message": told(self.remarks)})

    @property
    def passed(self) -> int:
        """How many tests passed."""
        return sum(test.status is CodeStatus.PASSED for test in self.tests)


def told(remarks: Sequence[Remark]) -> str:
    """Remarks as one sentence; empty where there are none."""
    said = "; ".join(f"line {remark.line} {remark.what}" if remark.line else remark.what for remark in remarks)
    return f"{said[0].upper()}{said[1:]}." if said else ""
