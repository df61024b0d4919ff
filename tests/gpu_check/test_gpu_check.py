"""The steps for a card, on a machine without one: each fails with a sentence, is kept, and is not taken twice."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path

import pytest

from serving import machine as hardware
from serving.gpu.probe import VISIBLE
from serving.machine import choose
from tests.gpu_check.__main__ import apart, check, main
from tests.gpu_check.outcome import (
    Outcome,
    bounded,
    kept,
    matrix_verdict,
    percentile,
    table,
    tasks_verdict,
)
from tests.gpu_check.registry import STEPS, Step
from tests.gpu_check.stage import Stage
from tests.locations import ROOT
from tests.serving.gpu.machines import machine


def on(name: str) -> Stage:
    found = machine(name)
    return Stage(machine=found, profile=choose(found))


def test_every_step_is_there_and_is_explained() -> None:
    for step in STEPS:
        module, function = step.target.split(":")
        assert callable(getattr(importlib.import_module(module), function))
    assert sum(step.seconds for step in STEPS) / 60 < 65, "even where each takes all its time"
    explained = (ROOT / "docs" / "gpu.md").read_text()
    assert [step.name for step in STEPS if f"| `{step.name}` |" not in explained] == []


@pytest.mark.parametrize("name", ["none", "driver too old", "busy", "memory [N/A]"])
def test_without_a_card_each_step_fails_with_a_sentence(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(VISIBLE, "as before")
    monkeypatch.setattr(hardware, "inspect", lambda folder: machine(name))
    into = tmp_path / "results.json"
    assert main(["--into", str(into)]) == 1
    printed = capsys.readouterr().out
    why = choose(machine(name)).reasons[0]
    assert printed.count(f"A card is needed, and none can be used here. {why}") == len(STEPS)
    assert f"0 of {len(STEPS)} steps passed" in printed
    sent = json.loads(into.read_text())
    assert [row["step"] for row in sent["steps"]] == [step.name for step in STEPS]
    assert not any(row["passed"] for row in sent["steps"])
    assert sent["packages"]["torch"]


def test_an_unknown_step_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--only", "nothing", "--into", str(tmp_path / "x.json")])
    assert "no step nothing" in capsys.readouterr().err


def test_what_passed_is_kept_and_what_failed_is_tried_again(tmp_path: Path) -> None:
    into, works = tmp_path / "results.json", {"cards"}
    taken: list[str] = []

    def take(step: Step) -> Outcome:
        taken.append(step.name)
        return Outcome(step=step.name, passed=step.name in works, message="so")

    here, some = on("A100"), STEPS[:3]
    assert [each.passed for each in check(here, into, take=take, steps=some)] == [True, False, False]
    works |= {"sandbox", "tasks"}
    taken.clear()
    assert all(each.passed for each in check(here, into, take=take, steps=some))
    assert taken == ["sandbox", "tasks"]
    taken.clear()
    check(here, into, take=take, steps=some)
    assert taken == []
    check(here, into, take=take, steps=some, again=True)
    check(here, into, take=take, steps=some, only=["tasks"])
    assert taken == ["cards", "sandbox", "tasks", "tasks"]
    sent = json.loads(into.read_text())
    assert sent["profile"]["plan"]["format"] == "int8"
    assert "GPU-0" not in into.read_text(), "what names this very card is not sent"


def test_an_interruption_keeps_what_was_done(tmp_path: Path) -> None:
    into = tmp_path / "results.json"

    def take(step: Step) -> Outcome:
        if step.name == "tasks":
            raise KeyboardInterrupt
        return Outcome(step=step.name, passed=True, message="so")

    with pytest.raises(KeyboardInterrupt):
        check(on("A100"), into, take=take)
    assert sorted(kept(into)) == ["cards", "sandbox"]
    into.write_text("{half")
    assert kept(into) == {}


@pytest.mark.parametrize(
    ("program", "seconds", "told"),
    [
        ("import sys; print('CUDA error: 719'); sys.exit(3)", 60, "status 3: CUDA error: 719"),
        ("import os; os.abort()", 60, "status -6"),
        ("import time; print('waiting', flush=True); time.sleep(600)", 1, "not done after 1 s: "),
    ],
    ids=["fails", "crashes", "hangs"],
)
def test_a_step_that_breaks_fails_alone(program: str, seconds: float, told: str) -> None:
    found = apart(Step("cards", "x:y", seconds), (sys.executable, "-c", program))
    assert not found.passed
    assert told in found.message


def test_the_bounds_decide() -> None:
    assert bounded({"eager": 59.0, "compiled": 60.0}, 60, "Seconds")[0]
    passed, told = bounded({"eager": 20.0, "compiled": 61.0}, 60, "Seconds")
    assert not passed
    assert "compiled 61" in told
    assert "eager" not in told
    assert not bounded({"p95": float("nan")}, 1.0, "Seconds")[0]
    assert (percentile([1, 2, 3, 4], 0.5), percentile(list(range(100)), 0.95), percentile([], 0.5)) == (
        3,
        95,
        float("inf"),
    )


def test_false_failures_and_tasks_without_a_test_on_the_card_are_named() -> None:
    good = {"a": ("passed", 3, True), "b": ("passed", 0, False)}
    assert tasks_verdict(good) == (True, "2 tasks pass, 3 of their tests ran on the card.")
    passed, told = tasks_verdict(good | {"c": ("mismatch", 2, True), "d": ("passed", 0, True)})
    assert not passed
    assert "c mismatch" in told
    assert "d no test on the card" in told


def test_what_would_help_in_the_sandbox_is_named() -> None:
    assert matrix_verdict({"as a job": "", "without /sys": "304"}) == (
        True,
        "CUDA starts in the sandbox; it also does in no other layout.",
    )
    passed, told = matrix_verdict({"as a job": "It fails.", "without limits": "", "without /sys": "304"})
    assert not passed
    assert told == "It fails. It starts without limits."
    assert not matrix_verdict({"as a job": "It fails.", "without limits": "no"})[0]


def test_the_table_has_a_line_a_step() -> None:
    rows = [Outcome(step="cards", passed=True, message="A card."), Outcome(step="tasks", passed=False, message="None.")]
    assert [line.split()[:2] for line in table(rows).splitlines()] == [["✓", "cards"], ["✗", "tasks"]]
