"""Steps about the driver and the sandbox: no model is needed."""

from __future__ import annotations

import time

from knowledge.bank.parser import load_bank
from rubric.coding.task import read_tests
from rubric.coding.verifier import Verifier
from serving.gpu import nvidia_smi, nvml, usage
from serving.sandbox.gpu_access import MEMORY, GpuAccess, access
from serving.sandbox.gpu_probe import tried
from serving.sandbox.job import Job, JobTest, WorkerOutcome
from serving.sandbox.worker_pool import WorkerPool
from tests.gpu_check.outcome import Outcome, matrix_verdict, tasks_verdict
from tests.gpu_check.stage import Stage

HOG = """
import torch
def solve():
    torch.cuda.set_per_process_memory_fraction(1.0)
    held = []
    while True:
        held.append(torch.ones(2**28, device="cuda"))
"""
ENDLESS = """
import torch
def solve():
    torch.cuda._sleep(2**62)
    torch.cuda.synchronize()
"""
TESTS = "def example_one(t):\n    yield 1, solve()\n"


def given(here: Stage) -> GpuAccess:
    """What a job would get of the card, were it for code alone."""
    room = here.gpu.free or here.gpu.memory or MEMORY
    return access(here.gpu, min(MEMORY, room))


def cards(here: Stage) -> Outcome:
    """The driver tells the same through its library and its program."""
    library, program = nvml.read(), nvidia_smi.read()
    told = {
        name: [str(gpu.uuid) for gpu in found.gpus] if found else []
        for name, found in (("library", library), ("program", program))
    }
    same = not told["program"] or sorted(told["library"]) == sorted(told["program"])
    message = f"{here.gpu}, driver {here.gpu.driver}."
    if not same:
        message += " The driver's library and nvidia-smi name other cards."
    return Outcome(step="cards", passed=same, message=message, figures={key: len(value) for key, value in told.items()})


def sandbox(here: Stage) -> Outcome:
    """CUDA's first steps in the sandbox, as a job takes them and with one thing changed."""
    whole = given(here)
    layouts = {
        "as a job": (whole, True),
        "without limits and filters": (whole, False),
        "without /sys": (whole.model_copy(update={"reads": ()}), True),
        "with all of /sys": (whole.model_copy(update={"reads": ("/sys",)}), True),
        "with all of /sys and without limits": (whole.model_copy(update={"reads": ("/sys",)}), False),
    }
    trials = {name: tried(layout, limited=limited) for name, (layout, limited) in layouts.items()}
    passed, message = matrix_verdict({name: trial.trouble for name, trial in trials.items()})
    figures = {name: trial.model_dump(mode="json") for name, trial in trials.items()}
    return Outcome(step="sandbox", passed=passed, message=message, figures=figures)


def tasks(here: Stage) -> Outcome:
    """All tasks of the bank, our own solutions as submissions, on the processor and the card."""
    results = {}
    with WorkerPool(2, gpu=given(here)) as workers:
        verifier = Verifier(workers, ("cpu", "cuda"))
        for question in load_bank():
            if question.task is None:
                continue
            found = verifier.verify(question.task, question.task.solution)
            ran = sum("cuda" in test.name for test in found.tests)
            can = not question.task.processes and any(test.by_device for test in read_tests(question.task.tests))
            results[question.id] = (found.status.value, ran, can)
        verifier.close()
    passed, message = tasks_verdict(results)
    return Outcome(step="tasks", passed=passed, message=message, figures=results)


def kills(here: Stage) -> Outcome:
    """Jobs that take all memory or never end are ended, and the card is as it was."""
    mine = given(here)
    before = usage.free(mine.visible)
    ends, seconds = {}, {}
    with WorkerPool(0, gpu=mine) as workers:
        for name, source in (("hog", HOG), ("endless kernel", ENDLESS)):
            run = (JobTest(name="example_one", dtype="float32", seed=1, device="cuda"),) * 20
            job = Job(source=source, tests=TESTS, names=("solve",), run=run, seconds=5.0)
            begun = time.monotonic()
            ends[name] = workers.run(job).end
            seconds[name] = round(time.monotonic() - begun, 1)
    after = usage.free(mine.visible)
    still = tried(mine).trouble
    left = before is not None and after is not None and before - after > 500_000_000
    # A hog may be stopped by the card's own limit, which is an exception and no kill.
    passed = ends["endless kernel"] is WorkerOutcome.TIMEOUT and not still and not left
    told = ", ".join(f"{name}: {end.value} after {seconds[name]:g} s" for name, end in ends.items())
    rest = still or ("Memory of the card was not given back." if left else "The card works afterwards.")
    return Outcome(step="kills", passed=passed, message=f"{told}. {rest}", figures={"seconds": seconds})
