"""Measures what a second judge gains: ``python -m tests.benchmarks.judges``. Prints a Markdown table.

Answers to questions of the bank, each as the prompts that a page sends of it, go through one judge and through two,
in an order in which no two neighbors are to the same question. The judges are simulated at their measured pace
(``tests.benchmarks.paced_server``): two real ones would share two cores. As many answers are under way for each judge
as a page sends it. A prompt is a hit where the judge that reads it has read one with the same beginning before.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import numpy as np

from interviewer.cli.container import Container
from rubric.grading.grader import GradeRequest, RubricGrader
from rubric.grading.judges.state_head import StateJudge
from rubric.grading.state_head import load
from rubric.model import Rubric
from rubric.training.labeled_answers import Answer, by_question
from serving.arrays import FloatArray
from serving.llm.judge_servers import JudgeServers
from serving.llm.vllm_server import free_port
from serving.models import catalogue
from tests.benchmarks.bank_answers import read_bank_answers
from tests.benchmarks.load import wait_for
from tests.benchmarks.paced_server import PacedEngine, start_paced

ANSWERS, AT_ONCE = 48, 2
PER_QUESTION = 4


class Throughput(NamedTuple):
    """What some judges did.

    Attributes:
        judges: how many.
        answers_s: answers a second.
        hits: share of the prompts whose beginning the same judge had read before.
        shares: answers of each judge.

    """

    judges: int
    answers_s: float
    hits: float
    shares: tuple[int, ...]


class _Asked:
    """A client that notes what is asked, and gives states at once."""

    def __init__(self) -> None:
        self._engine = PacedEngine(0.0)
        self.prompts: list[tuple[str, ...]] = []

    def states(self, prompts: Sequence[str]) -> FloatArray:
        """See ``StateClient.states``."""
        self.prompts.append(tuple(prompts))
        return np.stack(self._engine.states(prompts, None))


def prompts(container: Container, answers: Sequence[Answer]) -> list[tuple[str, ...]]:
    """What a page asks a judge of some answers: one tuple for each request."""
    asked = _Asked()
    judge = StateJudge(asked, load(), model=catalogue.EMBEDDED.name, digest=catalogue.judge_digest())
    grader = RubricGrader(judge, container.statement_encoder, container.cross_encoder)
    for each in answers:
        grader.grade(GradeRequest(question=each.question, answer=each.text, rubric=Rubric(criteria=each.criteria)))
    return asked.prompts


def interleaved(answers: Sequence[Answer], number: int) -> list[Answer]:
    """The first answers of a body, so many, with those to one question as far apart as can be."""
    some = list(by_question(answers).values())[: -(-number // PER_QUESTION)]
    return [group[turn] for turn in range(PER_QUESTION) for group in some if turn < len(group)][:number]


def hits(read: Sequence[str], beginnings: dict[str, str]) -> int:
    """How many of the prompts that a judge read, given by digest in their order, began as an earlier one did."""
    seen: set[str] = set()
    number = 0
    for digest in read:
        number += beginnings[digest] in seen
        seen.add(beginnings[digest])
    return number


@contextmanager
def paced(folder: Path, pace: float) -> Iterator[tuple[str, Path]]:
    """A simulated judge: its URL, and where it notes what it reads."""
    port = free_port()
    url, noted = f"http://127.0.0.1:{port}", folder / f"read-{port}"
    noted.touch()
    process = start_paced(port, pace, noted)
    try:
        wait_for(url + "/health", process)
        yield url, noted
    finally:
        process.terminate()
        process.wait()


def throughput(requests: Sequence[tuple[str, ...]], judges: int, pace: float = 1.0) -> Throughput:
    """Send all requests through so many judges."""
    beginnings = {
        sha256(prompt.encode()).hexdigest(): prompt.partition("\n\n")[0] for request in requests for prompt in request
    }
    with tempfile.TemporaryDirectory() as folder, ExitStack() as open_ones:
        made = [open_ones.enter_context(paced(Path(folder), pace)) for _ in range(judges)]
        urls = [url for url, _ in made]
        servers = JudgeServers(urls, model="judge", digest=catalogue.judge_digest())
        with closing(servers), ThreadPoolExecutor(AT_ONCE * judges) as pool:
            servers.start()
            begin = time.perf_counter()
            list(pool.map(servers.states, requests))
            seconds = time.perf_counter() - begin
        read = [noted.read_text().split() for _, noted in made]
    return Throughput(
        judges,
        len(requests) / seconds,
        sum(hits(each, beginnings) for each in read) / sum(map(len, read)),
        tuple(map(len, read)),
    )


def lines(found: Sequence[Throughput]) -> Iterator[str]:
    """What was measured, as Markdown."""
    first = found[0]
    yield "| judges | requests a second | times one judge | prompts with a beginning read before | of one judge's |"
    yield "|---|---|---|---|---|"
    for each in found:
        yield (
            f"| {each.judges} | {each.answers_s:.2f} | {each.answers_s / first.answers_s:.2f} | {each.hits:.3f} "
            f"| {each.hits / first.hits:.3f} |"
        )


def main() -> None:
    """Measure one judge and two."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pace", type=float, default=1.0, help="share of the measured time that a judge takes")
    parser.add_argument("--answers", type=int, default=ANSWERS)
    wanted = parser.parse_args()
    container = Container()
    try:
        container.embedding_model()
        requests = prompts(container, interleaved(read_bank_answers(), wanted.answers))
    finally:
        container.close()
    print("\n".join(lines([throughput(requests, judges, wanted.pace) for judges in (1, 2)])))


if __name__ == "__main__":
    main()
