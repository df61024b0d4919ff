"""Whether a program does what a coding task asks for: hidden tests, our own solution, and the comparison out here.

Both programs run the same tests under the same secret seed, each in a sandbox of its own, and tell what they saw.
What ours saw is what is expected. The program under test never shares a process with our solution or with the
comparison, so it can only pass by returning the right values for inputs that it did not know.

That holds for values. What a test says of costs ("at most 1 MB") and of calls that the question rules out is measured
in the program's own process: openly changed instruments end the trial as ``tampered`` and a call of what is ruled out
is ``forbidden`` (``serving/sandbox/inside/guard.py``), its text is read for both (``rubric/restrictions.py``), and
memory is looked at from outside too; but a program that sets out to forge such a measurement may succeed.
"""

from __future__ import annotations

import hashlib
import logging
import math
import secrets
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, NamedTuple, Protocol

import numpy as np

from rubric.coding.restrictions import remarks
from rubric.coding.result import CodeResult, CodeStatus, CodeTest, FailingCase, Remark, Timing
from rubric.coding.roofline import least_seconds, peak_bandwidth
from rubric.coding.task import CPU_DTYPES, GPU_DTYPES, CodeTestFunction, CodeTestKind, CodingTask, read_tests
from rubric.coding.value_diff import difference, named, shown
from serving.errors import BadInputError, SandboxMissingError
from serving.sandbox.worker_pool import Job, JobTest, Report, WorkerOutcome

MOST_SOURCE = 100_000
"""Characters a submission may have."""

MOST_CASES = 2
"""Failing cases that are shown."""

TEST_S = 15.0
"""Seconds one test may take."""

MOST_LINE = 10**6
"""Beyond it a line is none of a submission's."""

HIDDEN_BYTES = 256 * 1024 * 1024
"""What a program's process may hold beyond our solution's: modules that it imports are no offense."""

QUICK_S = 0.5
"""Seconds of all tests of a task below which it does not pay to run some of them first."""

_log = logging.getLogger(__name__)


class Runner(Protocol):
    """Runs jobs in a sandbox; ``serving.sandbox.worker_pool.WorkerPool`` is one."""

    @property
    def isolation(self) -> str:
        """What holds the programs."""
        ...

    def unavailable(self, processes: int) -> str:
        """Why a job of so many processes cannot be done here; empty where it can."""
        ...

    def run(self, job: Job) -> Report:
        """What became of a job.

        Raises:
            SandboxMissingError: nothing can be executed.

        """
        ...


_Key = tuple[str, str, str]
"""Test, dtype and device."""


class _Seen(NamedTuple):
    """What a program's tests told.

    Attributes:
        cases: of each test and dtype, what was put in and what came out.
        failed: of each test and dtype that ended in an exception, which.
        used: of each test and dtype, what the question rules out and the program called, with the line.
        seconds: of each test and dtype that came to its end.

    """

    cases: dict[_Key, list[tuple[Any, Any]]]
    failed: dict[_Key, Mapping[str, Any]]
    used: dict[_Key, tuple[str, int]]
    seconds: dict[_Key, float]


class _Prepared(NamedTuple):
    """What our own solution tells, once it has run.

    Attributes:
        seed: of its inputs.
        report: to come.

    """

    seed: int
    report: Future[Report]


class Verifier:
    """Verifies submissions. Safe to use from several threads.

    Args:
        runner: executes.
        devices: ``cpu``, and ``cuda`` where there is one.
        seconds: wall clock each test may take.

    """

    def __init__(self, runner: Runner, devices: Sequence[str] = ("cpu",), seconds: float = TEST_S) -> None:
        self._runner, self._devices, self._seconds = runner, tuple(devices), seconds
        self._ahead = ThreadPoolExecutor(max_workers=1, thread_name_prefix="expected")
        self._guard = threading.Lock()
        self._expected: dict[str, _Prepared] = {}

    def prepare(self, task: CodingTask) -> None:
        """Has our own solution run in the background, so that a submission finds what is expected of it."""
        with self._guard:
            if _key(task) not in self._expected:
                self._expected[_key(task)] = self._started(task, secrets.randbits(48))

    def unavailable(self, task: CodingTask) -> str:
        """Why nothing written for a task can be executed on this machine; empty where it can."""
        return self._runner.unavailable(task.processes)

    def verify(
        self, task: CodingTask, source: str, *, only_examples: bool = False, seed: int | None = None
    ) -> CodeResult:
        """Runs a submission against the tests.

        Args:
            task: what is asked for.
            source: the submission.
            only_examples: run those tests only that the person may see.
            seed: draws the inputs of an earlier result again; fresh and secret where not given.

        Raises:
            BadInputError: the submission is empty or too long, or is no text.

        """
        return self.verify_each(task, [source], only_examples=only_examples, seed=seed)[0]

    def verify_each(
        self, task: CodingTask, sources: Sequence[str], *, only_examples: bool = False, seed: int | None = None
    ) -> list[CodeResult]:
        """Runs several submissions against the same tests with the same inputs; see ``verify``.

        Raises:
            BadInputError: one of them is empty or too long, or is no text.

        """
        for source in sources:
            _check(source)
        try:
            prepared = self._prepared(task, seed)
            run = [test for test in _run(task, self._devices, prepared.seed) if not only_examples or _is_example(test)]
        except Exception:  # noqa: BLE001 - a last resort, as below
            _log.exception("A task could not be prepared.")
            return [self._nothing(_OURS)] * len(sources)
        return [self._verified(task, source, run, prepared, self._seconds) for source in sources]

    def refute_each(self, task: CodingTask, sources: Sequence[str], *, seed: int, seconds: float) -> list[CodeResult]:
        """Whether wrong programs fail: slow hidden tests are run on those alone that pass the examples.

        Args:
            task: what is asked for.
            sources: the programs, nearly all of them expected to fail.
            seed: draws the inputs.
            seconds: wall clock each of their tests may take.

        Raises:
            BadInputError: one of them is empty or too long, or is no text.
            SandboxMissingError: nothing can be executed.

        """
        for source in sources:
            _check(source)
        prepared = self._prepared(task, seed)
        run = _run(task, self._devices, prepared.seed)
        # Another process costs more than quick tests do.
        parts = (True, False) if prepared.report.result().seconds > QUICK_S else (None,)
        stages = [[test for test in run if part in {None, _is_example(test)}] for part in parts]
        stages = [stage for stage in stages if stage]
        return [self._refuted(task, source, stages, prepared, seconds) for source in sources]

    def _refuted(
        self, task: CodingTask, source: str, stages: Sequence[Sequence[JobTest]], prepared: _Prepared, seconds: float
    ) -> CodeResult:
        tests: tuple[CodeTest, ...] = ()
        for stage in stages:
            result = self._verified(task, source, stage, prepared, seconds)
            tests += result.tests
            if result.status is not CodeStatus.PASSED:
                break
        return result.model_copy(update={"tests": tests})

    def _verified(
        self, task: CodingTask, source: str, run: Sequence[JobTest], prepared: _Prepared, seconds: float
    ) -> CodeResult:
        try:
            return self._beside_ours(task, source, run, prepared, seconds)
        except SandboxMissingError as error:
            return self._nothing(str(error))
        except Exception:  # noqa: BLE001 - a last resort
            # Whatever it is, it must neither look like the person's fault nor end what else is going on.
            _log.exception("A submission could not be verified.")
            return self._nothing(_OURS)

    def _beside_ours(
        self, task: CodingTask, source: str, run: Sequence[JobTest], prepared: _Prepared, seconds: float
    ) -> CodeResult:
        # Side by side with our own solution, where that has not run yet.
        report = self._ran(self._job(task, source, run, seconds))
        expected, why = _expected(run, prepared.report.result())
        if why:
            # As on a machine that was far too busy for a moment.
            expected, why = _expected(run, self._started(task, prepared.seed).report.result())
        if why:
            return self._nothing(why)
        return _judged(task, run, expected, report).model_copy(
            update={
                "isolation": self._runner.isolation,
                "device": " and ".join(self._devices),
                "seed": prepared.seed,
                "seconds": report.seconds,
                "printed": report.printed,
                "errors": report.errors,
                "remarks": (*remarks(source, task.forbidden), *_hidden_memory(task, report, prepared.report.result())),
            }
        )

    def close(self) -> None:
        """Stop preparing."""
        self._ahead.shutdown(wait=False, cancel_futures=True)

    def _prepared(self, task: CodingTask, seed: int | None) -> _Prepared:
        """What our own solution tells, under a seed that no submission has met, or under the one given."""
        with self._guard:
            prepared = self._expected.pop(_key(task), None) if seed is None else None
        return prepared or self._started(task, secrets.randbits(48) if seed is None else seed)

    def _started(self, task: CodingTask, seed: int) -> _Prepared:
        job = self._job(task, task.solution, _run(task, self._devices, seed), self._seconds)
        return _Prepared(seed, self._ahead.submit(self._ran, job))

    def _ran(self, job: Job) -> Report:
        """What became of a job, without what did not come from its tests."""
        report = self._runner.run(job)
        own = [told for told in report.told if isinstance(told, dict) and told.get("token") == job.token]
        return report.model_copy(update={"told": tuple(own)})

    @staticmethod
    def _job(task: CodingTask, source: str, run: Sequence[JobTest], seconds: float) -> Job:
        return Job(
            source=source,
            tests=task.tests,
            names=task.names,
            run=tuple(run),
            seconds=seconds,
            processes=task.processes,
            forbidden_names=task.forbidden,
            token=secrets.token_hex(),
        )

    def _nothing(self, why: str) -> CodeResult:
        return CodeResult(status=CodeStatus.SANDBOX_UNAVAILABLE, message=why, device=" and ".join(self._devices))


def _key(task: CodingTask) -> str:
    return hashlib.sha256(f"{task.solution}\0{task.tests}".encode()).hexdigest()


def _check(source: str) -> None:
    if not source.strip():
        raise BadInputError("There is no code to run.")
    if len(source) > MOST_SOURCE:
        raise BadInputError(f"The code has {len(source):,} characters; at most {MOST_SOURCE:,} are run.")
    if "\0" in source:
        raise BadInputError("The code holds a null character, which is no part of any program.")
    try:
        source.encode()
    except UnicodeEncodeError as error:
        line = source.count("\n", 0, error.start) + 1
        raise BadInputError(f"Line {line} of the code holds half a character, which is no text.") from None


def _run(task: CodingTask, devices: Sequence[str], seed: int) -> list[JobTest]:
    """All tests of a task, once a device and dtype, each with a seed of its own."""
    return [
        JobTest(name=test.name, dtype=dtype, device=device, seed=_seed(seed, test.name))
        for device in devices
        for test in read_tests(task.tests)
        # CUDA does not survive a fork, and gloo is the CPU's.
        if device == "cpu" or (test.by_device and not task.processes)
        for dtype in _dtypes(test, device)
    ]


def _dtypes(test: CodeTestFunction, device: str) -> Sequence[str]:
    dtypes = CPU_DTYPES if device == "cpu" else GPU_DTYPES
    return dtypes if test.by_dtype else dtypes[:1]


def _key_of(test: JobTest) -> _Key:
    return test.name, test.dtype, test.device


def _seed(seed: int, name: str) -> int:
    return int.from_bytes(hashlib.sha256(f"{seed} {name}".encode()).digest()[:4])


def _is_example(test: JobTest) -> bool:
    return test.name.startswith(CodeTestKind.EXAMPLE)


def _judged(task: CodingTask, run: Sequence[JobTest], expected: _Seen, report: Report) -> CodeResult:
    """The verdict: what the submission told beside what our own solution told."""
    start = next((told for told in report.told if _says_not_started(told)), None)
    if start is not None:
        return _not_started(start)
    if (tampering := _tampering(report)) is not None:
        return tampering
    got = _seen(report)
    functions = {test.name: test for test in read_tests(task.tests)}
    tests: list[CodeTest] = []
    over = False
    for test in run:
        if functions[test.name].kind is CodeTestKind.SPEED or (
            test.device != "cpu" and _fails(expected, _key_of(test))
        ):
            continue
        result = _one(test, functions[test.name], expected, got, None if over else report.end)
        over = over or _key_of(test) not in got.seconds
        tests.append(result)
    shown_cases = MOST_CASES
    for place, result in enumerate(tests):
        tests[place] = result.model_copy(update={"failing": result.failing[:shown_cases]})
        shown_cases -= len(tests[place].failing)
    bad = next((test for test in tests if test.status is not CodeStatus.PASSED), None)
    status = bad.status if bad else CodeStatus.PASSED
    if not tests:
        status = CodeStatus.NO_RESULT
    timing = tuple(_timings(run, functions, expected, got))
    return CodeResult(status=status, tests=tuple(tests), timing=timing)


def _expected(run: Sequence[JobTest], ours: Report) -> tuple[_Seen, str]:
    """What our own solution saw, and why nothing can be expected by it; empty where it came through."""
    seen = _seen(ours)
    if ours.end is not WorkerOutcome.DONE:
        return seen, "Our own solution did not come through its tests here, so nothing can be verified."
    broken = next((test.name for test in run if test.device == "cpu" and _broken(seen, _key_of(test))), "")
    return seen, broken and f"Our own solution did not come through the test {broken} here; submit again."


def _broken(seen: _Seen, key: _Key) -> bool:
    """Whether a test was not come through. A case may raise, as the task may ask for; a rank that is lost may not."""
    lost = any(_raised(value) and value["type"] == "RankError" for _, value in seen.cases.get(key, []))
    return lost or key in seen.failed or key not in seen.seconds


def _says_not_started(told: Any) -> bool:
    return isinstance(told, dict) and ("import" in told or "lacking" in told)


def _not_started(told: Mapping[str, Any]) -> CodeResult:
    if "lacking" in told:
        lacking = told["lacking"] if isinstance(told["lacking"], list) else []
        names = ", ".join(f"`{name}`" for name in lacking if isinstance(name, str))
        return CodeResult(status=CodeStatus.ERROR, message=f"The code does not define {names[:300]}.")
    failure = told["import"] if isinstance(told["import"], dict) else {}
    late = failure.get("type") == "TimeUp"
    return CodeResult(
        status=CodeStatus.TIMEOUT if late else CodeStatus.ERROR,
        message=_text(failure.get("message")),
        line=_line(failure),
    )


def _hidden_memory(task: CodingTask, theirs: Report, ours: Report) -> Iterator[Remark]:
    """Far more memory than our solution needed, where the task is about memory and the kernel tells."""
    about_memory = any(word in task.tests for word in ("t.peak(", "t.alive(", "tracemalloc"))
    if about_memory and theirs.held is not None and ours.held is not None and theirs.held > ours.held + HIDDEN_BYTES:
        held, least = theirs.held // 1_000_000, max(0, ours.held) // 1_000_000
        yield Remark(line=0, what=f"its process held {held} MB, where our solution's held {least} MB")


def _tampering(report: Report) -> CodeResult | None:
    """What the worker noticed of its instruments; after that nothing it told of costs is to be believed."""
    for told in report.told:
        if isinstance(told, dict) and "tampered" in told:
            return CodeResult(status=CodeStatus.TAMPERED, message=_text(told["tampered"]), line=_line(told))
    return None


_OURS = "This could not be verified: a fault of this program, not of the code. Its log says more; submit again."
_ENDS = {
    WorkerOutcome.TIMEOUT: (CodeStatus.TIMEOUT, "It was still running when the time was up."),
    WorkerOutcome.OVERSIZE: (CodeStatus.OVERSIZE, "It gave back far more than this task can."),
}
_NOT_REACHED = (CodeStatus.NO_RESULT, "It was not reached.")
_DIED = (CodeStatus.NO_RESULT, "The process ended here without a result: it was killed, left, or ran out of memory.")


def _one(test: JobTest, function: CodeTestFunction, expected: _Seen, got: _Seen, end: WorkerOutcome | None) -> CodeTest:
    """One test's result; ``end`` is how the worker ended, ``None`` where an earlier test ended it."""
    key = _key_of(test)
    ours, theirs = expected.cases.get(key, []), got.cases.get(key, [])
    failing = [
        (found, FailingCase(put_in=named(put_in), expected=_outcome(want), got=_outcome(have)))
        for (put_in, want), (_, have) in zip(ours, theirs, strict=False)
        if (found := _difference(want, have))
    ]
    which = [*([test.dtype] if function.by_dtype else []), *([] if test.device == "cpu" else [test.device])]
    named_test = f"{test.name}[{', '.join(which)}]" if which else test.name
    base = CodeTest(
        name=named_test,
        kind=function.kind,
        title=function.title,
        status=CodeStatus.PASSED,
        seconds=got.seconds.get(key, 0.0),
        cases=len(ours),
        failing=tuple(case for _, case in failing),
    )

    def bad(status: CodeStatus, message: str, line: int | None = None) -> CodeTest:
        return base.model_copy(update={"status": status, "message": message, "line": line})

    raised = next((have for _, have in theirs if _raised(have)), None)
    failure = raised if raised is not None else None if failing else got.failed.get(key)
    if failure is not None:
        return bad(_status(failure), _text(failure.get("message")), _line(failure))
    if failing:
        return bad(CodeStatus.MISMATCH, failing[0][0])
    if key in got.used and key not in expected.used:
        name, line = got.used[key]
        return bad(CodeStatus.FORBIDDEN, f"It calls `{name.removeprefix('.')}`, which the question rules out.", line)
    if key not in got.seconds:
        return bad(*(_NOT_REACHED if end is None else _ENDS.get(end, _DIED)))
    if len(theirs) != len(ours):
        return bad(CodeStatus.NO_RESULT, f"{len(theirs)} of {len(ours)} results came back.")
    return base


def _fails(seen: _Seen, key: _Key) -> bool:
    """Whether our own solution fails: a test that is not made for this device says nothing about anybody."""
    return _broken(seen, key) or any(_raised(value) for _, value in seen.cases.get(key, []))


def _difference(want: Any, have: Any) -> str:
    if _raised(have):
        return _text(have["message"]) if not _raised(want) else ""
    return difference(want, have)


def _outcome(value: Any) -> str:
    """What came back, or what was raised instead."""
    return _text(value["message"]) if _raised(value) else shown(value)


def _raised(value: Any) -> bool:
    return isinstance(value, dict) and set(value) == {"type", "message", "line"}


def _status(failure: Mapping[str, Any]) -> CodeStatus:
    return CodeStatus.TIMEOUT if failure.get("type") == "TimeUp" else CodeStatus.ERROR


def _text(value: Any) -> str:
    return value[:600] if isinstance(value, str) else "It failed, and told nothing of why."


def _line(failure: Mapping[str, Any]) -> int | None:
    line = failure.get("line")
    return line if type(line) is int and 0 < line < MOST_LINE else None


def _seen(report: Report) -> _Seen:
    """What was told, by test; what is not in the form of a test's words is left out, so that it counts as missing."""
    seen = _Seen({}, {}, {}, {})
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
        elif _is_duration(told.get("seconds")):
            seen.seconds[key] = told["seconds"]
    return seen


def _is_duration(value: Any) -> bool:
    return isinstance(value, float) and 0 <= value < math.inf


def _used(told: Any) -> tuple[str, int] | None:
    """The first of the calls that a test's words name."""
    first = told[0] if isinstance(told, list) and told else None
    if isinstance(first, list) and len(first) == 2 and isinstance(first[0], str) and isinstance(first[1], int):
        return first[0][:100], max(0, first[1]) or None  # type: ignore[return-value]
    return None


def _timings(
    run: Sequence[JobTest], functions: Mapping[str, CodeTestFunction], expected: _Seen, got: _Seen
) -> Iterator[Timing]:
    for test in run:
        if functions[test.name].kind is not CodeTestKind.SPEED:
            continue
        ours = _measured(expected.cases.get(_key_of(test), []))
        theirs = _measured(got.cases.get(_key_of(test), []))
        sizes = sorted(ours.keys() & theirs.keys())
        if len(sizes) > 1:
            seconds, our_seconds = [theirs[size] for size in sizes], [ours[size] for size in sizes]
            yield Timing(
                title=functions[test.name].title,
                sizes=tuple(sizes),
                seconds=tuple(seconds),
                ours=tuple(our_seconds),
                exponent=_exponent(sizes, seconds),
                our_exponent=_exponent(sizes, our_seconds),
                floor=_floor(sizes, expected.cases.get(_key_of(test), [])),
            )


def _measured(cases: Sequence[tuple[Any, Any]]) -> dict[float, float]:
    told = [(size, seen["seconds"] if _has_floor(seen) else seen) for size, seen in cases]
    pairs = [(size, seconds) for size, seconds in told if isinstance(size, int | float) and _is_duration(seconds)]
    # Beyond a float's reach lie whole numbers that are smaller than infinity.
    return {float(size): seconds for size, seconds in pairs if 0 < size <= sys.float_info.max and seconds > 0}


def _floor(sizes: Sequence[float], ours: Sequence[tuple[Any, Any]]) -> tuple[float, ...]:
    """Least seconds of each size, from what our own solution's run told of the inputs and the device."""
    known = {
        float(size): least_seconds(seen["bytes"], peak_bandwidth(seen["clock_khz"], seen["bus_bits"]))
        for size, seen in ours
        if _has_floor(seen)
    }
    return tuple(known[size] for size in sizes) if known.keys() >= set(sizes) else ()


def _has_floor(seen: Any) -> bool:
    return isinstance(seen, dict) and seen.keys() == {"seconds", "bytes", "clock_khz", "bus_bits"}


def _exponent(sizes: Sequence[float], seconds: Sequence[float]) -> float:
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])
