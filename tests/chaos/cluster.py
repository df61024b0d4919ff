"""Kills a process of a whole cluster each minute, PostgreSQL too: ``python -m tests.chaos.cluster``. Prints tables.

PostgreSQL, two workers, two pages, and HAProxy as ``make cluster`` starts them, and two simulated judges
(``tests.benchmarks.paced_server``), started again like the rest. At a fifth of its time a simulated judge takes 1.5 s
for an answer of today, both readings, as a real one does; at all of it, 7.7 s. Fifty people hold interviews over HTTP,
then the same people hold the same ones with nothing killed. Ends with status 1 where an answer that was acknowledged is
lost, mixed up, or marked twice, or where a mark is another one than in the undisturbed interviews.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import httpx
import numpy as np
import psutil

from interviewer.session.events import Event
from interviewer.storage.postgres_journal import PostgresJournal
from interviewer.web.health.routes import READY
from serving.errors import InterviewerError
from serving.llm.vllm_server import free_port
from tests.benchmarks.bank_answers import read_bank_answers
from tests.benchmarks.load import wait_for
from tests.benchmarks.paced_server import start_paced
from tests.chaos.people import Person, begin, hold, people, stored_wrongly, waits
from tests.chaos.script import is_marked, marks
from tests.chaos.stage import until
from tests.cluster_command import TOLD, line, parts_of, started_cluster

START_S, MARKED_S = 600.0, 600.0
VICTIMS = ("page 1", "page 2", "worker 1", "worker 2", "judge 1", "judge 2", "PostgreSQL")


class Kill(NamedTuple):
    """One process that was killed.

    Attributes:
        victim: which.
        at_s: seconds after the beginning.
        back_s: seconds until a new visitor gets a page that can store answers.

    """

    victim: str
    at_s: float
    back_s: float


class Judges:
    """Simulated judges at fixed addresses, started again when they end.

    Args:
        number: how many.
        pace: share of the measured time that they take.

    """

    def __init__(self, number: int, pace: float) -> None:
        self._ports, self._pace = [free_port() for _ in range(number)], pace
        self.processes = [self._started(port) for port in self._ports]
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        for url, process in zip(self.urls, self.processes, strict=True):
            wait_for(url + "/health", process)
        self._thread.start()

    @property
    def urls(self) -> list[str]:
        """Where they answer."""
        return [f"http://127.0.0.1:{port}" for port in self._ports]

    def close(self) -> None:
        """End them."""
        self._over.set()
        self._thread.join()
        for process in self.processes:
            process.kill()
            process.wait()

    def _started(self, port: int) -> subprocess.Popen[bytes]:
        return start_paced(port, self._pace)

    def _watch(self) -> None:
        while not self._over.wait(0.2):
            for place, process in enumerate(self.processes):
                if process.poll() is not None:
                    self.processes[place] = self._started(self._ports[place])


class Cluster:
    """A cluster as ``make cluster`` starts it, with workers.

    Args:
        folder: for everything.
        judges: addresses of judges.

    """

    def __init__(self, folder: Path, judges: Sequence[str]) -> None:
        urls = [part for url in judges for part in ("--judge-url", url)]
        self._process, self.url = started_cluster(folder, "--workers", "2", *urls, patience_s=START_S)
        self.told = folder / TOLD

    def part(self, name: str) -> psutil.Process | None:
        """A page, a worker, or PostgreSQL, if it runs."""
        kind, _, number = name.partition(" ")
        word = {"page": "serve", "worker": "worker"}.get(kind, "postgres")
        found = sorted(parts_of(self._process, word), key=line)
        place = int(number) - 1 if number else 0
        return found[place] if place < len(found) else None

    def database(self) -> str:
        """The URL of the database."""
        page = self.part("page 1")
        if page is None:
            raise SystemExit("No page runs.")
        return str(page.environ()["INTERVIEWER_DATABASE"])

    def close(self) -> None:
        """End it, as Ctrl-C does."""
        self._process.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(120)
        self._process.kill()


@contextmanager
def running(judges: int, pace: float) -> Iterator[tuple[Cluster, Judges]]:
    """A cluster and its judges in a folder of their own."""
    folder = Path(tempfile.mkdtemp(prefix="cluster-"))
    made = Judges(judges, pace)
    try:
        cluster = Cluster(folder, made.urls)
        try:
            yield cluster, made
        finally:
            cluster.close()
    finally:
        made.close()
        shutil.rmtree(folder, ignore_errors=True)


class Killer:
    """Kills one process after the other, each some seconds after the one before; a context.

    Args:
        cluster, judges: what is killed.
        every_s: seconds between two kills.
        seed: of the order. Everything comes once before anything comes again.

    """

    def __init__(self, cluster: Cluster, judges: Judges, every_s: float, seed: int) -> None:
        self._cluster, self._judges, self._every_s = cluster, judges, every_s
        self._chance, self._over = random.Random(seed), threading.Event()
        self._thread = threading.Thread(target=self._work, daemon=True)
        self.kills: list[Kill] = []

    def __enter__(self) -> Killer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _work(self) -> None:
        begin_s, left = time.monotonic(), list[str]()
        while not self._over.wait(self._every_s):
            left = left or self._chance.sample(VICTIMS, len(VICTIMS))
            victim = left.pop()
            if self._killed(victim):
                at = time.monotonic()
                until(self._is_back, "a page that can store answers", START_S)
                self.kills.append(Kill(victim, at - begin_s, time.monotonic() - at))

    def _killed(self, victim: str) -> bool:
        if victim.startswith("judge"):
            self._judges.processes[int(victim[-1]) - 1].kill()
            return True
        process = self._cluster.part(victim)
        with suppress(psutil.NoSuchProcess):
            if process is not None:
                process.kill()
                return True
        return False

    def _is_back(self) -> bool:
        with suppress(httpx.HTTPError):
            return httpx.get(self._cluster.url + READY, timeout=5.0, trust_env=False).is_success
        return False


async def all_hold(persons: Sequence[Person], url: str, think_s: tuple[float, float], arrive_s: float) -> list[str]:
    """Have everybody hold their interview; who did not get on, a sentence each."""
    held = (hold(person, url, think_s, arrive_s) for person in persons)
    found = await asyncio.gather(*held, return_exceptions=True)
    return [f"{type(each).__name__}: {each}" for each in found if each is not None]


def events_of(cluster: Cluster, persons: Sequence[Person]) -> dict[int, tuple[Event, ...]]:
    """All events of everybody, as soon as every answer has its mark."""
    end = time.monotonic() + MARKED_S
    while True:
        with suppress(InterviewerError), PostgresJournal(cluster.database()) as journal:
            found = {person.number: journal.events(person.session) for person in persons}
            if all(map(is_marked, found.values())) or time.monotonic() > end:
                return found
        time.sleep(1.0)


def main() -> int:
    """Hold the interviews twice and compare."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--candidates", type=int, default=50)
    ask.add_argument("--questions", type=int, default=6)
    ask.add_argument("--think", type=float, nargs=2, default=(50.0, 110.0), metavar="SECONDS")
    ask.add_argument("--every", type=float, default=60.0, help="seconds between two kills")
    ask.add_argument("--pace", type=float, default=0.2, help="share of its time that a simulated judge takes")
    ask.add_argument("--seed", type=int, default=1)
    given = ask.parse_args()
    answers = read_bank_answers()
    persons, again = (people(answers, given.candidates, given.questions) for _ in range(2))
    least, most = given.think
    with running(2, given.pace) as (cluster, judges):
        with PostgresJournal(cluster.database()) as journal:
            begin(journal, persons)
            begin(journal, again)
        begun = time.monotonic()
        with Killer(cluster, judges, given.every, given.seed) as killer:
            wrong = asyncio.run(all_hold(persons, cluster.url, (least, most), min(most, 30.0)))
        seconds = time.monotonic() - begun
        disturbed = events_of(cluster, persons)
        print(f"{given.candidates} people, {seconds:.0f} s, {len(killer.kills)} kills.", flush=True)
        wrong += asyncio.run(all_hold(again, cluster.url, (0.0, most / 10), 5.0))
        undisturbed = events_of(cluster, again)
        restarts = [line for line in cluster.told.read_text().splitlines() if "started again" in line]
    for person, other in zip(persons, again, strict=True):
        wrong += stored_wrongly(person, disturbed[person.number])
        if marks(disturbed[person.number]) != marks(undisturbed[other.number]):
            wrong.append(f"person {person.number}: the marks are others than in the undisturbed interview")
    print("\n".join(told(killer.kills, persons, disturbed)))
    print(f"{len(restarts)} parts were started again. {len(wrong)} things went wrong.")
    print("\n".join(wrong[:40]))
    return 1 if wrong else 0


def told(kills: Sequence[Kill], persons: Sequence[Person], events: dict[int, tuple[Event, ...]]) -> Iterator[str]:
    """What was measured, as Markdown."""
    yield "| killed | after s | a page that can store answers, after s |"
    yield "|---|---|---|"
    yield from (f"| {kill.victim} | {kill.at_s:.0f} | {kill.back_s:.1f} |" for kill in kills)
    outages = [seconds for person in persons for seconds in person.outages]
    marked = [seconds for person in persons for seconds in waits(events[person.number])]
    yield ""
    yield f"{sum(len(person.acknowledged) for person in persons)} answers were acknowledged."
    if outages:
        back = f"{np.median(outages):.1f} s (median), {max(outages):.1f} s at most"
        yield f"{len(outages)} times a person lost the page, and was back after {back}."
    if marked:
        late, middle = sum(seconds > 60 for seconds in marked), np.median(marked)
        yield f"Marks came after {middle:.1f} s (median), {max(marked):.1f} s at most; {late} after more than 60 s."
    notes = [note for person in persons for note in person.told]
    yield f"{len(notes)} times a person was told that it did not work: {', '.join(sorted(set(notes)))[:400]}"


if __name__ == "__main__":
    sys.exit(main())
