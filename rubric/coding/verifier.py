"""Whether a program does what a coding task asks for: hidden tests, our own solution, and the comparison out here.

Both programs run the same tests under the same secret seed, each in a sandbox of its own, and tell what they saw.
What ours saw is what is expected. The program under test never shares a process with our solution or with the
comparison, so it can only pass by returning the right values for inputs that it did not know.

That holds for values. What a test says of costs ("at most 1 MB") and of calls that the question rules out is measured
in the program's own process: openly changed instruments end the trial as ``tampered`` and a call of what is ruled out
is ``forbidden`` (``serving/sandbox/inside/guard.py``), its text is read for both (``rubric/coding/restrictions.py``),
and memory is looked at from outside too; but a program that sets out to forge such a measurement may succeed.
"""

from __future__ import annotations

import hashlib
import logging
import secrets
import threading
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import NamedTuple, Protocol

from rubric.coding.restrictions import remarks
from rubric.coding.result import CodeResult, CodeStatus, CodeTest
from rubric.coding.task import CPU_DTYPES, GPU_DTYPES, CodeTestFunction, CodeTestKind, CodingTask, read_tests
from serving import metrics, traces
from serving.errors import BadInputError, SandboxMissingError
from serving.sandbox.worker_pool import Job, JobTest, Report

MOST_SOURCE = 100_000
"""Characters a submission may have."""

TEST_S = 15.0
"""Seconds one test may take."""

QUICK_S = 0.5
"""Seconds of all tests of a task below which it does not pay to run some of them first."""

_OURS = "This could not be verified: a fault of this program, not of the code. Its log says more; submit again."

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
        ahead: how many of our own solutions are run at once.

    """

    def __init__(
        self, runner: Runner, devices: Sequence[str] = ("cpu",), seconds: float = TEST_S, *, ahead: int = 1
    ) -> None:
        self._runner, self._devices, self._seconds = runner, tuple(devices), seconds
        self._ahead = ThreadPoolExecutor(max_workers=ahead, thread_name_prefix="expected")
        self._guard = threading.Lock()
        self._expected: dict[str, _Prepared] = {}

    def prepare(self, task: CodingTask) -> None:
        """Has our own solution run in the background, so that a submission finds what is expected of it."""
        with self._guard:
            if _key(task) not in self._expected:
                self._expected[_key(task)] = self._started(task, secrets.randbits(48))

    def leave_card(self) -> None:
        """Run no further tests on a card; those that are being run go on."""
        self._devices = ("cpu",)

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
        with metrics.CODE_S.time(), traces.span("code.verify", {"code.examples_only": only_examples}) as verifying:
            result = self.verify_each(task, [source], only_examples=only_examples, seed=seed)[0]
            verifying.set("code.status", str(result.status))
            verifying.set("code.tests", len(result.tests))
            return result

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
        # Brings torch along: seconds that the page's start would wait for.
        from rubric.coding.comparison import compared, expected_of, hidden_memory  # noqa: PLC0415

        # Side by side with our own solution, where that has not run yet.
        report = self._ran(self._job(task, source, run, seconds))
        expected, why = expected_of(run, prepared.report.result())
        if why:
            # As on a machine that was far too busy for a moment.
            expected, why = expected_of(run, self._started(task, prepared.seed).report.result())
        if why:
            return self._nothing(why)
        return compared(task, run, expected, report).model_copy(
            update={
                "isolation": self._runner.isolation,
                "seed": prepared.seed,
                "seconds": report.seconds,
                "printed": report.printed,
                "errors": report.errors,
                "remarks": (*remarks(source, task.forbidden), *hidden_memory(task, report, prepared.report.result())),
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
        return _Prepared(seed, self._ahead.submit(self._ran, job, traces.here()))

    def _ran(self, job: Job, place: traces.Place | None = None) -> Report:
        """What became of a job, without what did not come from its tests."""
        ours = {"code.tests": len(job.run), "code.ours": place is not None}
        with traces.back_at(place or traces.here()), traces.span("sandbox.run", ours) as running:
            report = self._runner.run(job)
            running.set("sandbox.isolation", self._runner.isolation)
            running.set("code.seconds", report.seconds)
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
        return CodeResult(status=CodeStatus.SANDBOX_UNAVAILABLE, message=why)


def _key(task: CodingTask) -> str:
    return hashlib.sha256(f"{task.solution}\0{task.tests}".encode()).hexdigest()


def _check(source: str) -> None:
    if not source.strip():
        raise BadInputError("There is no code to run.")
    if len(source) > MOST_SOURCE:
        raise BadInputError(f"The code has {len(source):,} characters; at most {MOST_SOURCE:,} are run.")
    if "\0" in source:
        raise BadInputError("The code holds a null character, which no program may have.")
    try:
        source.encode()
    except UnicodeEncodeError as error:
        line = source.count("\n", 0, error.start) + 1
        raise BadInputError(f"Line {line} of the code holds half a character, which is not text.") from None


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


def _seed(seed: int, name: str) -> int:
    return int.from_bytes(hashlib.sha256(f"{seed} {name}".encode()).digest()[:4])


def _is_example(test: JobTest) -> bool:
    return test.name.startswith(CodeTestKind.EXAMPLE)
