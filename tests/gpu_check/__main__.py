"""Takes the steps that need a card: ``python -m tests.gpu_check [--only NAME,NAME] [--again] [--into FILE]``.

Each step runs in a process of its own, so that one that crashes or hangs has failed and the others go on. What passed
is kept, so that the command goes on where it was broken off; what failed is tried again. Ends with a table and the file
to send, and with status 1 where a step failed.
"""

from __future__ import annotations

import argparse
import importlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from serving.errors import InterviewerError
from tests.gpu_check.outcome import Outcome, keep, kept, table
from tests.gpu_check.registry import STEPS, Step
from tests.gpu_check.stage import Stage, stage
from tests.locations import ROOT

RESULTS = ROOT / "build" / "gpu-check.json"


def taken(step: Step, here: Stage) -> Outcome:
    """Take a step here and now."""
    module, name = step.target.split(":")
    function: Callable[[Stage], Outcome] = getattr(importlib.import_module(module), name)
    begun = time.monotonic()
    try:
        found = function(here)
    except InterviewerError as error:
        found = Outcome(step=step.name, passed=False, message=str(error))
    return found.model_copy(update={"seconds": round(time.monotonic() - begun, 1)})


def apart(step: Step, command: Sequence[str] = (sys.executable, "-m", "tests.gpu_check")) -> Outcome:
    """Take a step in a process of its own, and end it when its time is up."""
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder) / "step.json"
        process = subprocess.Popen(
            [*command, "--step", step.name, "--into", str(told)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
        try:
            said, _ = process.communicate(timeout=step.seconds)
            why = f"It ended with status {process.returncode}"
        except subprocess.TimeoutExpired:
            process.kill()
            said, _ = process.communicate()
            why = f"It was not done after {step.seconds:g} s"
        found = kept(told).get(step.name)
    if found is not None:
        return found
    last = next((line.strip() for line in reversed(said.splitlines()) if line.strip()), "it said nothing")
    seconds = round(time.monotonic() - begun, 1)
    return Outcome(step=step.name, passed=False, message=f"{why}: {last[:300]}", seconds=seconds)


def check(
    here: Stage,
    into: Path,
    *,
    only: Sequence[str] = (),
    again: bool = False,
    take: Callable[[Step], Outcome] = apart,
    steps: Sequence[Step] = STEPS,
) -> list[Outcome]:
    """Take the steps that have not passed yet, keeping each outcome as soon as it is known.

    Args:
        here: the machine.
        into: where outcomes are kept.
        only: names of the steps to take; all where empty.
        again: whether those that passed are taken again too.
        take: takes one step.
        steps: all there are.

    """
    before = kept(into)
    found = dict(before)
    for step in steps:
        if only and step.name not in only:
            continue
        if not again and not only and step.name in before and before[step.name].passed:
            continue
        print(f"… {step.name}", flush=True)
        found[step.name] = Outcome(step=step.name, passed=False, message=here.lacking) if here.lacking else take(step)
        keep(into, [found[each.name] for each in steps if each.name in found], here.about())
    return [found[step.name] for step in steps if step.name in found]


def main(arguments: Sequence[str] | None = None) -> int:
    """Take the steps and print what came of them."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--only", default="", help="names of steps, with commas: " + ", ".join(s.name for s in STEPS))
    ask.add_argument("--again", action="store_true", help="those that passed as well")
    ask.add_argument("--into", type=Path, default=RESULTS, help="the file to send")
    ask.add_argument("--step", help=argparse.SUPPRESS)
    given = ask.parse_args(arguments)
    here = stage()
    named = {step.name: step for step in STEPS}
    only = [name for name in given.only.split(",") if name]
    if unknown := [name for name in only if name not in named]:
        ask.error(f"there is no step {unknown[0]}")
    if given.step:
        keep(given.into, [taken(named[given.step], here)], {})
        return 0
    outcomes = check(here, given.into, only=only, again=given.again)
    print(table(outcomes))
    print(f"\n{sum(each.passed for each in outcomes)} of {len(STEPS)} steps passed. The file to send: {given.into}")
    return 0 if len(outcomes) == len(STEPS) and all(each.passed for each in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
