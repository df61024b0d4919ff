"""Frames read in a process that may die: what ends it ends nothing else, and what is read is what was written."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psutil
import pytest
import torch

from rubric.coding.value_diff import difference
from serving.errors import SandboxMissingError
from serving.sandbox import decoder_process
from serving.sandbox.frame_decoder import FrameDecoder, Reading, decoded
from serving.sandbox.inside import frames, wire
from serving.sandbox.inside.frames import ITEM_SIZES
from tests.serving.sandbox.frame_fuzz import CORPUS, DTYPES, check, corpus, packed, raw

VALUE = {"seen": [torch.ones(2, 3), 1, 2.5, "text", None, (True,), frozenset({1})]}
STREAM = wire.encode(VALUE) + wire.encode({"end": True})


@pytest.fixture(scope="module")
def decoder() -> Iterator[FrameDecoder]:
    made = FrameDecoder()
    yield made
    made.close()


def told(*heads: Any, blobs: bytes = b"") -> bytes:
    return packed([(head, blobs) for head in heads])


def test_what_was_told_is_read_as_it_is_here(decoder: FrameDecoder) -> None:
    for data, reading in ((STREAM, Reading.COMPLETE), (STREAM[:-1], Reading.CUT), (b"", Reading.CUT)):
        read, here = decoder.decode(data), decoded(data)
        assert (read.reading, here.reading) == (reading, reading)
        assert difference(list(here.told), list(read.told)) == ""
    assert difference(VALUE, decoder.decode(STREAM).told[0]) == ""


@pytest.mark.parametrize("name", DTYPES)
def test_an_array_of_any_dtype_is_a_tensor_or_is_refused(name: str, decoder: FrameDecoder) -> None:
    decoder.warm()
    before = decoder.pid
    dtype = getattr(torch, name)
    for shape, size in (([2, 2], 4), ([], 1), ([0, 3], 0), ([50], 50)):
        read = decoder.decode(told(["a", name, shape], blobs=b"\7" * size * dtype.itemsize))
        if name in ITEM_SIZES:
            assert dtype.itemsize == ITEM_SIZES[name]
            assert (read.told[0].dtype, list(read.told[0].shape)) == (dtype, shape)
        else:
            assert (read.told, read.reading) == ((), Reading.MALFORMED)
    assert decoder.pid == before


@pytest.mark.parametrize(
    "line", CORPUS.read_text(encoding="utf-8").splitlines(), ids=lambda line: json.loads(line)["what"]
)
def test_a_seed_of_the_corpus_ends_nothing_and_can_be_stored(line: str, decoder: FrameDecoder) -> None:
    decoder.warm()
    found = json.loads(line)["frames"]
    check(decoder, packed([(head, bytes.fromhex(blobs)) for head, blobs in found]))


NONE = ["c", None]


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(told(NONE) * (frames.MOST_FRAMES + 1), id="frames"),
        pytest.param(told(["l", [NONE] * frames.MOST_ITEMS]), id="items of a frame"),
        pytest.param(told(["l", [NONE] * (frames.MOST_ITEMS // 9)]) * 10, id="items of all frames"),
        pytest.param(told(["s", "x" * frames.MOST_HEAD]), id="a head"),
        pytest.param(told(["s", "x" * (frames.MOST_HEAD - 100)]) * 3, id="all heads"),
        pytest.param(told(["e", [["i", hex(number)] for number in range(3000)]]), id="members of a set"),
        pytest.param(told(["d", [[["i", hex(n)], NONE] for n in range(1500)]]) * 4, id="keys of all dictionaries"),
    ],
)
def test_more_than_any_may_tell_is_oversize(data: bytes, decoder: FrameDecoder) -> None:
    read = decoder.decode(data)
    assert read.reading is Reading.OVERSIZE
    assert read.why
    assert len(read.told) <= frames.MOST_FRAMES


def test_what_fills_the_reader_is_oversize_and_ends_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    source = Path(decoder_process.__file__).read_text(encoding="utf-8")
    small = source.replace("MEMORY = 2**30", "MEMORY = 24 * 2**20")
    assert small != source
    with_script(monkeypatch, tmp_path, small)
    made = FrameDecoder()
    made.warm()
    before = made.pid
    assert made.decode(raw(b"[" + b"[]," * 2_000_000 + b"1]", b"")).reading is Reading.OVERSIZE
    assert made.decode(STREAM).reading is Reading.COMPLETE
    assert made.pid == before
    made.close()


@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGSEGV])
def test_a_reader_that_was_killed_is_replaced(sign: signal.Signals, decoder: FrameDecoder) -> None:
    decoder.warm()
    before = decoder.pid
    assert before is not None
    os.kill(before, sign)
    assert decoder.decode(STREAM).reading is Reading.COMPLETE
    assert decoder.pid not in {before, None}


def test_a_reader_that_is_killed_at_work_is_not_held_against_what_it_read(decoder: FrameDecoder) -> None:
    decoder.warm()
    process = psutil.Process(decoder.pid)
    process.suspend()
    with ThreadPoolExecutor(1) as threads:
        reading = threads.submit(decoder.decode, STREAM)
        process.kill()
        assert reading.result(timeout=60).reading is Reading.COMPLETE


def with_script(monkeypatch: pytest.MonkeyPatch, folder: Path, source: str) -> None:
    """Has another program run in the decoder's place."""
    script = folder / "reader.py"
    script.write_text(source, encoding="utf-8")
    monkeypatch.setattr(decoder_process, "__file__", str(script))


def test_what_ends_its_reader_is_malformed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with_script(monkeypatch, tmp_path, "import os, sys\nsys.stdin.buffer.read(9)\nos.kill(os.getpid(), 11)\n")
    made = FrameDecoder()
    assert made.decode(STREAM) == ((), Reading.MALFORMED, "it ends its reader")
    assert caplog.text.count("status -11") == 2
    made.warm()
    with pytest.raises(AssertionError, match="the decoder died"):
        check(made, STREAM)
    monkeypatch.undo()
    assert made.decode(STREAM).reading is Reading.COMPLETE
    made.close()


def test_what_takes_too_long_to_read_is_malformed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with_script(monkeypatch, tmp_path, "import time\nwhile True: time.sleep(60)\n")
    made = FrameDecoder(seconds=0.2)
    # More than fits into a pipe, so that it cannot even be sent.
    for data in (STREAM, STREAM + bytes(10**6)):
        assert made.decode(data) == ((), Reading.MALFORMED, "it takes too long to read")
        assert made.pid is None


def test_without_a_reader_nothing_is_executed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nonexistent/python")
    with pytest.raises(SandboxMissingError, match="cannot be read"):
        FrameDecoder().decode(STREAM)


def test_several_threads_take_turns(decoder: FrameDecoder) -> None:
    streams = [wire.encode(number) + wire.encode({"end": True}) for number in range(40)]
    with ThreadPoolExecutor(8) as threads:
        read = list(threads.map(decoder.decode, streams))
    assert [each.told[0] for each in read] == list(range(40))


def test_no_process_is_left_when_it_is_closed() -> None:
    made = FrameDecoder()
    made.warm()
    first = psutil.Process(made.pid)
    made.close()
    assert not first.is_running()
    made.warm()
    assert made.pid is None
    assert made.decode(STREAM).reading is Reading.COMPLETE
    assert made.pid is None


def test_the_reader_ends_with_whoever_asked() -> None:
    source = (
        "import os\nfrom serving.sandbox.frame_decoder import FrameDecoder\n"
        "made = FrameDecoder()\nmade.warm()\nprint(made.pid, flush=True)\nos._exit(0)\n"
    )
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True, timeout=120)
    left = [process for process in psutil.process_iter() if process.pid == int(done.stdout)]
    assert not psutil.wait_procs(left, timeout=60)[1]


def fuzzed(count: int, seed: int, folder: Path) -> dict[str, Any]:
    """What became of mutated streams, in a process of its own, which a frame must not end either."""
    keep = folder / "stream"
    command = [sys.executable, "-m", "tests.serving.sandbox.frame_fuzz", "--keep", str(keep)]
    done = subprocess.run([*command, "--count", str(count), "--seed", str(seed)], capture_output=True, check=False)
    last = keep.read_bytes().hex()[:20_000] if done.returncode and keep.exists() else ""
    assert done.returncode == 0, (done.returncode, done.stdout.decode(), done.stderr.decode()[-2000:], last)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_mutated_frames_end_nothing(tmp_path: Path) -> None:
    found = fuzzed(2000, 0, tmp_path)
    assert found["streams"] == 2000
    # Otherwise they would say little.
    assert found["counted"]["verdict mismatch"] > 200


@pytest.mark.full
@pytest.mark.timeout(3600)
def test_a_hundred_thousand_mutated_frames_end_nothing(tmp_path: Path) -> None:
    assert fuzzed(100_000, 10**6, tmp_path)["streams"] == 100_000


def test_the_corpus_holds_frames_that_can_be_read_and_frames_that_cannot() -> None:
    readings = [decoded(packed(seed)).reading for seed in corpus()]
    assert {Reading.COMPLETE, Reading.MALFORMED, Reading.CUT} == set(readings)
