"""Each fuzz target: what once found something finds nothing any more, and neither do some new inputs."""

from __future__ import annotations

import gc
import json
import os
import resource
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

from tests.fuzz import campaign
from tests.fuzz.journal import row_of
from tests.fuzz.mutate import mutated, mutated_json
from tests.fuzz.registry import TARGETS, opened
from tests.fuzz.target import FoundError, Target
from tests.interviewer.report.sample_session import telling

pytestmark = [
    # Gradio leaves event loops and their sockets to the garbage collector.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore:.*no_silent_downcasting"),
    pytest.mark.filterwarnings("ignore:The copy keyword is deprecated"),
    # Changed code of documents may be such that compiling it warns, and changed numbers such that computing does.
    pytest.mark.filterwarnings("ignore::SyntaxWarning"),
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
]

FEW = {"documents": 8, "frames": 50, "journal": 2, "page": 2}
"""New inputs of each target in every run."""

MINUTES = 1.0
"""Of each target where all tests run; ``make fuzz`` takes longer."""


@contextmanager
def target_of(name: str) -> Iterator[Target]:
    with opened(name) as target:
        yield target
    gc.collect()


@pytest.mark.by_number("knowledge/documents", "serving/sandbox")
@pytest.mark.parametrize("name", TARGETS)
def test_what_was_found_once_and_some_new_inputs_find_nothing(name: str) -> None:
    with target_of(name) as target:
        for path in campaign.regressions(name):
            target.check(path.read_bytes())
        tally = campaign.run(target, seed=1, cases=FEW.get(name, 5))
    assert tally.found == []
    assert sum(tally.outcomes.values()) == FEW.get(name, 5)


@pytest.mark.full
@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", TARGETS)
def test_many_new_inputs_find_nothing(name: str) -> None:
    with target_of(name) as target:
        tally = campaign.run(target, seed=2, seconds=60 * MINUTES)
    assert tally.found == []


def test_a_reader_that_raises_hangs_or_dies_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.fuzz import document_reader

    def raises() -> int:
        raise ZeroDivisionError("of no use")

    def dies() -> int:
        os.kill(os.getpid(), signal.SIGKILL)

    def computes() -> int:
        resource.setrlimit(resource.RLIMIT_CPU, (1, 3))
        while True:
            pass

    def waits() -> int:
        time.sleep(600)
        return 0

    def told(step: Callable[[], int]) -> str:
        monkeypatch.setattr(document_reader, "used", lambda *_: step)
        return document_reader.judged(".md", b"Q1. What?")["wrong"]

    assert "raised ZeroDivisionError" in told(raises)
    assert "died of signal 9" in told(dies)
    assert "takes more than" in told(computes)
    with monkeypatch.context() as short:
        short.setattr(document_reader, "WAITING_S", 0.5)
        assert "waits for more than" in told(waits)
    assert told(lambda: 0) == ""


def test_a_reading_of_the_journal_that_raises_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    with opened("journal") as target:
        data = json.dumps([row_of(event) for event in telling().events]).encode()
        assert target.check(data) == "read"
        monkeypatch.setattr("tests.fuzz.journal.render_json", lambda _: 1 / 0)
        with pytest.raises(FoundError, match="the report as JSON raised ZeroDivisionError"):
            target.check(data)


def test_a_stream_of_frames_that_its_decoder_dies_of_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with opened("frames") as target:
        data = target.make(Random(1))
        assert target.check(data)
    script = tmp_path / "reader.py"
    script.write_text("import os, sys\nsys.stdin.buffer.read(9)\nos.kill(os.getpid(), 11)\n", encoding="utf-8")
    monkeypatch.setattr("serving.sandbox.decoder_process.__file__", str(script))
    with opened("frames") as target, pytest.raises(FoundError, match="the decoder died"):
        target.check(data)


def test_a_seed_always_makes_the_same_inputs() -> None:
    data = bytes(range(256)) * 8
    changed = [mutated(data, Random(seed)) for seed in range(50)]
    assert changed == [mutated(data, Random(seed)) for seed in range(50)]
    assert len(set(changed)) > 40
    values = [repr(mutated_json({"a": [1, {"b": "text"}]}, Random(seed))) for seed in range(50)]
    assert values == [repr(mutated_json({"a": [1, {"b": "text"}]}, Random(seed))) for seed in range(50)]


def test_what_is_kept_is_a_file_named_by_its_content(tmp_path: Path) -> None:
    first = campaign.keep(b"one", tmp_path / "found")
    assert first == campaign.keep(b"one", tmp_path / "found")
    assert first.read_bytes() == b"one"
    assert campaign.keep(b"two", tmp_path / "found") != first
