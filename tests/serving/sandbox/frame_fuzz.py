"""Mutated frames through the decoder, the comparison and the verdict.

``python -m tests.serving.sandbox.frame_fuzz --help`` lists the options.

The seeds lie in ``frame_corpus.jsonl``: one stream a line, its frames as ``[head, numbers in hex]``. Stream number N of
a run is drawn by the seed plus N alone. The run prints one JSON document. Its exit status is 1 where something was
found, and tells a signal where this process itself died, of the stream that the file named by ``--keep`` then holds.
"""

from __future__ import annotations

import argparse
import functools
import json
import marshal
import random
import resource
import struct
import sys
import time
import traceback
from collections import Counter
from pathlib import Path
from typing import Any

import torch

from rubric.coding.comparison import compared
from rubric.coding.observations import observations
from rubric.coding.result import CodeResult
from rubric.coding.task import CodingTask
from rubric.coding.value_diff import difference, named, shown
from serving.sandbox.frame_decoder import FrameDecoder
from serving.sandbox.inside.frames import ITEM_SIZES
from serving.sandbox.job import JobTest, WorkerOutcome
from serving.sandbox.report import Report

CORPUS = Path(__file__).with_name("frame_corpus.jsonl")

MEMORY = 4 * 2**30

Frame = tuple[Any, bytes]

DTYPES = sorted({str(each).removeprefix("torch.") for each in vars(torch).values() if isinstance(each, torch.dtype)})
SIDES = (0, 1, 2, 3, -1, 2**26, 2**26 + 1, 2**31, 2**60, 2**63, 10**30, True, 1.0, "2", None, [1])
DIGITS = (
    *("0x0", "-0x1", "0x" + "f" * 1024, "0x1" + "0" * 1024, "0x" + "1" * 5000, "1_0", " 0x1 ", "0xg", "", "12", "0x"),
    *("nan", "-inf", "inf", "0x1p1023", "0x1p99999", "0x1p-99999", "1e5", "0x1.8p+1", "-0x0.0p+0", "infinity", "x"),
)
TEXTS = ("", "seen", "end", "TimeUp", "\ud800", "\x1b[2J\x9b", "\0", "é\u202e", "RankError", "x" * 5000, "type", "line")
KINDS = ("c", "i", "f", "s", "o", "l", "t", "e", "d", "a", "z", "", None, 1)
CONSTANTS = (None, True, False, 0, 1, -1, 1.5, 1e308, 10**400, "text", [], {}, {"a": 1}, [[]], float("nan"))


def corpus() -> list[list[Frame]]:
    """The seeds."""
    lines = CORPUS.read_text(encoding="utf-8").splitlines()
    return [[(head, bytes.fromhex(blobs)) for head, blobs in json.loads(line)["frames"]] for line in lines]


def packed(frames: list[Frame]) -> bytes:
    """A stream."""
    return b"".join(raw(json.dumps(head).encode(), blobs) for head, blobs in frames)


def raw(head: bytes, blobs: bytes) -> bytes:
    """A frame, whatever its head is."""
    return struct.pack(">IQ", len(head), len(blobs)) + head + blobs


def copied(value: Any) -> Any:
    """A copy that shares nothing."""
    return marshal.loads(marshal.dumps(value))


def mutated(draw: random.Random, seeds: list[list[Frame]]) -> bytes:
    """A stream made of a seed by changes to its structure, and now and then to its bytes."""
    try:
        data = packed(_frames_changed(draw, seeds))
    except (RecursionError, ValueError):
        data = raw(b'["l",[' * 5000 + b"]]" * 5000, b"")
    return _bytes_changed(draw, data) if draw.random() < 0.15 else data


def _frames_changed(draw: random.Random, seeds: list[list[Frame]]) -> list[Frame]:
    frames = copied(draw.choice(seeds))
    for _ in range(draw.choice((1, 1, 1, 2, 3, 6))):
        place = draw.randrange(len(frames))
        head, blobs = frames[place]
        match draw.randrange(10):
            case 0:
                other, numbers = draw.choice(draw.choice(seeds))
                frames.insert(place, (copied(other), numbers))
            case 1:
                blobs = draw.choice((b"", blobs[:-1], blobs + blobs, draw.randbytes(64), b"\xff" * len(blobs)))
                frames[place] = (head, blobs)
            case 2 | 3 | 4:
                frames[place] = (_changed(draw, head), blobs)
            case _:
                # So that arrays of another dtype or shape have bytes to be made of.
                frames[place] = (_changed(draw, head), blobs + draw.randbytes(1024))
    return frames


def _nodes(told: Any) -> list[list[Any]]:
    found, parts = [], [told]
    while parts:
        part = parts.pop()
        if isinstance(part, list):
            found.append(part)
            parts += part
    return found


def _changed(draw: random.Random, head: Any) -> Any:
    nodes = _nodes(head)
    if not nodes:
        return draw.choice(CONSTANTS)
    arrays = [node for node in nodes if len(node) == 3 and node[0] == "a" and isinstance(node[2], list)]
    leaves = [node for node in nodes if len(node) == 2 and node[0] in ("i", "f", "s", "o")]
    values = [node for node in nodes if node and isinstance(node[0], str) and node[0] in KINDS]
    node = draw.choice(values if values and draw.random() < 0.85 else nodes)
    match draw.randrange(12):
        case 0 | 1 if arrays:
            draw.choice(arrays)[1] = draw.choice(draw.choice((DTYPES, tuple(ITEM_SIZES))))
        case 2 | 3 if arrays:
            shape = draw.choice(arrays)[2]
            if draw.random() < 0.5:
                shape[:] = draw.choices((0, 1, 2, 3, 4), k=draw.choice((0, 1, 2, 3)))
            elif shape and draw.random() < 0.6:
                shape[draw.randrange(len(shape))] = copied(draw.choice(SIDES))
            else:
                shape += copied(draw.choices(SIDES, k=draw.choice((1, 2, 24, 70))))
        case 4 if leaves and draw.random() < 0.3:
            leaf = draw.choice(leaves)
            leaf[:] = [draw.choice(KINDS), draw.choice(DIGITS + TEXTS)]
        case 4 | 5 if leaves:
            leaf = draw.choice(leaves)
            leaf[1] = draw.choice({"i": DIGITS, "f": DIGITS}.get(leaf[0], TEXTS))
        case 6:
            node[:] = [draw.choice("lte"), [copied(node)]]
            for _ in range(draw.choice((0, 0, 0, 1, 3, 30, 300))):
                node[:] = [draw.choice("ltl"), [list(node)]]
        case 7 if node and draw.random() < 0.3:
            node[draw.randrange(len(node))] = copied(draw.choice(CONSTANTS))
        case 8 if node and draw.random() < 0.3:
            node[draw.randrange(len(node))] = copied(draw.choice(nodes))
        case 9 if draw.random() < 0.3:
            node.insert(draw.randrange(len(node) + 1), copied(draw.choice(nodes)))
        case 10 if node and draw.random() < 0.3:
            del node[draw.randrange(len(node))]
        case 11:
            # One value in another's place.
            node[:] = copied(draw.choice(values or nodes))
        case _:
            other = draw.choice(nodes)
            node[:] = ["d", [[copied(draw.choice(leaves or [other])), copied(node)] for _ in range(2)]]
    return head


def _bytes_changed(draw: random.Random, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(draw.choice((1, 1, 2, 8))):
        place = draw.randrange(len(changed) + 1)
        match draw.randrange(5):
            case 0 if place < len(changed):
                changed[place] = draw.randrange(256)
            case 1:
                changed[place:place] = draw.randbytes(draw.choice((1, 4, 16)))
            case 2:
                del changed[place : place + draw.choice((1, 4, 16))]
            case 3:
                # The lengths of the first frame.
                changed[:12] = struct.pack(">IQ", draw.choice((0, 3, 2**24, 2**32 - 1)), draw.choice((0, 9, 2**63)))
            case _:
                changed = changed[:place]
    return bytes(changed)


TASK = CodingTask(
    starter="",
    solution="def f(x):\n    return x\n",
    tests="def example_sum(t):\n    yield 1, 2\n\n\ndef property_sums(t):\n    yield 1, 2\n\n\n"
    "def speed_with_length(t):\n    yield 1, 2.0\n",
)
RUN = [JobTest(name=name, dtype="float32", seed=1) for name in ("example_sum", "property_sums", "speed_with_length")]
WANTED = (
    *(None, 1, 2.5, "text", [1.0, 2], (1,), {"a": 1}, frozenset({1}), torch.ones(2, 2), torch.zeros(0, 3)),
    *(torch.ones(3, dtype=getattr(torch, name)) for name in ITEM_SIZES),
)


@functools.cache
def expected() -> Any:
    """What our own solution is said to have told."""
    told: list[Any] = []
    for test in RUN:
        key = {"test": test.name, "dtype": test.dtype, "device": test.device}
        seen = [1.0, 2.0] if test.name.startswith("speed") else [torch.ones(2, 2), {"a": [1, 2.5]}]
        told += [{**key, "shown": number + 1, "seen": each} for number, each in enumerate(seen)]
        told.append({**key, "seconds": 0.1})
    return observations(Report(end=WorkerOutcome.DONE, told=tuple(told)))


def check(decoder: FrameDecoder, data: bytes) -> Counter[str]:
    """Has a stream read and judged; counts what became of it.

    Raises:
        AssertionError: a promise is broken.

    """
    before = decoder.pid
    read = decoder.decode(data)
    assert before is None or decoder.pid == before, "the decoder died"
    counted = Counter({str(read.reading): 1})
    for value in read.told:
        shown(value).encode()
        named(value).encode()
        clauses = [difference(want, value) for want in (*WANTED, value)]
        # Only a set or a key that holds no number differs from itself.
        counted["incomparable"] += any("cannot be compared" in clause for clause in clauses)
        for clause in clauses:
            clause.encode()
    for end in (WorkerOutcome.DONE, WorkerOutcome.NO_RESULT):
        result = compared(TASK, RUN, expected(), Report(end=end, told=read.told))
        assert CodeResult.model_validate_json(result.model_dump_json()) == result, "a result that cannot be stored"
        counted[f"verdict {result.status}"] += end is WorkerOutcome.DONE
    return counted


def main(arguments: list[str]) -> int:
    """Runs and prints what was found."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--count", type=int, default=10**9, help="streams")
    parser.add_argument("--seconds", type=float, default=1e9, help="at most")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path, help="where to write each stream before it is read")
    chosen = parser.parse_args(arguments)
    # A frame that makes lists without end must end this process and not the machine's others.
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    seeds, decoder = corpus(), FrameDecoder()
    decoder.warm()
    counted: Counter[str] = Counter()
    found: list[str] = []
    until = time.monotonic() + chosen.seconds
    done = 0
    while done < chosen.count and time.monotonic() < until:
        data = mutated(random.Random(chosen.seed + done), seeds)
        if chosen.keep:
            chosen.keep.write_bytes(data)
        done += 1
        try:
            counted += check(decoder, data)
        except Exception:  # noqa: BLE001 - whatever it is, it is a finding
            found.append(f"seed {chosen.seed + done - 1}: {traceback.format_exc()[-600:]}")
            if len(found) == 20:
                break
    decoder.close()
    print(json.dumps({"streams": done, "found": found, "counted": dict(sorted(counted.items()))}, indent=1))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
