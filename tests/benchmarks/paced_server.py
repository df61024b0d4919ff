"""Stands in for the judge's model: the routes of our own server at the measured pace, with states that say nothing.

``python -m tests.benchmarks.paced_server PORT [PACE [FILE]]``; a pace of 0.1 takes a tenth of the time, and each prompt
that was read is a line of FILE: its digest. One prompt at a time, as two cores do them; the first of a question takes
longer than those that share its beginning. The pace gives a turn of 2.2 s for five criteria, as
an earlier judge took. States are made of the prompt's digest, so the same prompt gets the same marks; of a sentence
that may stand beside an answer they say that it is a part of it, as it is wherever there is no server yet. Told to
stop, it finishes the answers that it has begun, as a judge does.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from interviewer.cli.commands.judge import DRAIN_S
from interviewer.understanding.request_head import NOTHING, sentence_prompt, states_head
from rubric.grading.state_head import load
from serving.arrays import FloatArray
from serving.llm.state_server import serve
from serving.models import catalogue
from tests.locations import ROOT

FIRST_S, NEXT_S = 0.86, 0.33
_REMEMBERED = 1_000
_CLEARLY = 1_000.0
"""What the state of a sentence adds for the class that it speaks for: more than all words together can."""


class PacedEngine:
    """Gives states at a fixed pace.

    Args:
        pace: share of the measured time that it takes.
        noted: where each prompt that was read is noted; nowhere if left out.

    """

    def __init__(self, pace: float = 1.0, noted: Path | None = None) -> None:
        self._pace, self._noted = pace, noted
        state = load().state
        self._mean, self._scale = state.mean, state.scale
        self._part_of_an_answer = _speaks_for(NOTHING)
        self._read: dict[tuple[str | None, str], None] = {}

    def states(self, prompts: Sequence[str], salt: str | None) -> list[FloatArray]:
        """See ``StateEngine.states``."""
        return [self._state(prompt, salt) for prompt in prompts]

    def _state(self, prompt: str, salt: str | None) -> FloatArray:
        shared = salt, prompt.partition("\n\n")[0]
        time.sleep(self._pace * (NEXT_S if shared in self._read else FIRST_S))
        self._read[shared] = None
        while len(self._read) > _REMEMBERED:
            self._read.pop(next(iter(self._read)))
        digest = hashlib.sha256(prompt.encode())
        if self._noted is not None:
            with self._noted.open("a") as file:
                file.write(f"{digest.hexdigest()}\n")
        if prompt.startswith(sentence_prompt("").partition('"')[0]):
            return self._part_of_an_answer
        random = np.random.default_rng(int.from_bytes(digest.digest()[:8], "big"))
        state: FloatArray = (self._mean + self._scale * random.standard_normal(self._mean.shape)).astype(np.float32)
        return state


def _speaks_for(name: str) -> FloatArray:
    """The shortest state that the head for sentences takes for one class only, [hidden]."""
    head = states_head()
    weights = head.weights[: len(load().state.mean)].astype(np.float64)
    wanted = np.where(np.array(head.names) == name, _CLEARLY, 0.0) - head.bias
    state: FloatArray = np.linalg.lstsq(weights.T, wanted, rcond=1e-4)[0].astype(np.float32)
    return state


def start_paced(port: int, pace: float, noted: Path | None = None) -> subprocess.Popen[bytes]:
    """Start one in a process of its own; see ``serve_paced``."""
    told = [] if noted is None else [str(noted)]
    return subprocess.Popen([sys.executable, "-m", __name__, str(port), str(pace), *told], cwd=ROOT)


def serve_paced(port: int, pace: float = 1.0, noted: Path | None = None) -> None:
    """Serve until this process is told to end."""
    names = ("judge", catalogue.judge_digest())
    with ThreadPoolExecutor(1) as thread:
        serve(PacedEngine(pace, noted), names, "", thread, host="127.0.0.1", port=port, drain_s=DRAIN_S)


if __name__ == "__main__":
    serve_paced(int(sys.argv[1]), *map(float, sys.argv[2:3]), *map(Path, sys.argv[3:4]))
