"""Holds many interviews at once through the page's own HTTP interface: ``make load-bench ARGS="--candidates 50"``.

The page is the real one, started by ``app.py serve`` in a home of its own. The judge's model server is simulated at
its measured pace (``tests.benchmarks.paced_server``), or the real one with ``--real``. Every candidate thinks, answers
with a word nobody else uses, and polls once a second meanwhile, as an open page does. Nobody speaks.

``--memory 10`` samples the page's memory every ten seconds and tells its slope over the second half; ``--answers 6``
has everybody end their interview after so many answers and begin another one, so that what is left of each shows.

Ends with status 1 where anything went wrong: an error, somebody else's word, an answer that is not in the journal.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, nullcontext
from pathlib import Path
from typing import NamedTuple

import httpx
import numpy as np
import psutil

from interviewer.session.events import AnswerGiven, Event, PersonSpoke
from interviewer.storage.sqlite_journal import Journal
from interviewer.web.views.setup.layout import BY_NUMBER, LONGEST
from serving import paths
from serving.llm.server_state import Endpoint, ServerState
from serving.llm.vllm_server import free_port
from serving.models import catalogue
from serving.sandbox.cgroup import Group
from tests.benchmarks import memory
from tests.benchmarks.memory import Sample, sampled
from tests.benchmarks.paced_server import start_paced
from tests.http_page import HttpPage, PageError

ROOT = Path(__file__).parent.parent.parent
KINDS = ["concept", "debugging", "system design"]
WORDS = (
    "I would begin with what the gradient flows through and look at the shapes of every tensor on the way, since most "
    "faults show there first. The optimiser keeps state for each parameter, the scheduler changes the rate, and mixed "
    "precision scales the loss so that small gradients survive. I measure before I change anything, one change at a "
    "time, and compare the loss curve with the one before. Memory goes to activations, parameters, gradients and the "
    "optimiser, and checkpointing trades time for the first of these. My own word for all this is {marker}."
)
MARKER = re.compile(r"marker[0-9a-f]{12}")
POLL_S, MEMORY_S, PATIENCE_S, WARM_S = 1.0, 2.0, 240.0, 900.0
KNOCK_S = 0.1
"""Seconds between tries whether something answers that was started."""
THINKS_S = (15.0, 45.0)
WAITS = {
    "opening the page": "load.opening",
    "the first question": "load.first_question",
    "a poll": "load.poll",
    "an answer taken": "load.answer",
    "the reply to an answer that is graded": "load.reply",
    "the report": "load.report",
}
"""What a candidate waits for, with the beginning of its figures' names."""
FIGURES = {
    **{f"{name}_{what}": "s" for name in WAITS.values() for what in ("median_s", "p95_s")},
    "load.page_mb": "MB",
    "load.wrong": "",
}
"""The names of the figures that are measured here, with their units."""


class Served(NamedTuple):
    """The page as it runs."""

    url: str
    journal: Path
    pid: int


class Load(NamedTuple):
    """How much is to be held.

    Attributes:
        candidates: interviews at once.
        minutes: how long.
        think_s: least and most seconds before an answer.
        arrive_s: seconds within which all have come.
        least: answers that each of them gives, however long that takes.
        most: answers after which an interview is ended and another one begun; 0 where there is one for all the time.
        memory_s: seconds between samples of the page's memory; 0 where none are taken.

    """

    candidates: int
    minutes: float
    think_s: tuple[float, float]
    arrive_s: float = 10.0
    least: int = 1
    most: int = 0
    memory_s: float = 0.0


class Figures:
    """What was measured, and what went wrong."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, list[float]] = defaultdict(list)
        self.memory: list[float] = []
        self.samples: list[Sample] = []
        self.wrong: list[str] = []
        self.interviews = 0

    @contextmanager
    def timed(self, what: str) -> Iterator[None]:
        """Measures one thing a candidate waits for."""
        begin = time.perf_counter()
        yield
        self.seconds[what].append(time.perf_counter() - begin)


class Candidate:
    """One person in one interview.

    Args:
        http: a connection of their own.
        load: how they behave.
        figures: where what they wait for is noted.

    """

    def __init__(self, http: httpx.AsyncClient, load: Load, figures: Figures) -> None:
        self._http, self._page = http, HttpPage(http)
        self._load, self._figures = load, figures
        self.marker = f"marker{secrets.token_hex(6)}"
        self.session = ""
        self.said = 0

    async def hold(self, until: float) -> None:
        """Hold an interview until a point of time, then end it and read the report."""
        there = asyncio.create_task(self._page.be_there())
        try:
            await self._hold(until)
        except (PageError, httpx.HTTPError) as error:
            self._figures.wrong.append(f"{self.marker}: {type(error).__name__} {error}")
        finally:
            there.cancel()
            (left,) = await asyncio.gather(there, return_exceptions=True)
            if not isinstance(left, asyncio.CancelledError):
                self._figures.wrong.append(f"{self.marker} lost the page's heartbeat: {left!r}")

    async def _hold(self, until: float) -> None:
        page, timed = self._page, self._figures.timed
        await asyncio.sleep(random.uniform(0, self._load.arrive_s))
        with timed("opening the page"):
            await page.open()
        for name, value in (("span", BY_NUMBER), ("length", LONGEST), ("kinds", KINDS), ("reviews", False)):
            page.put(name, value)
        with timed("the first question"):
            await page.click("start")
        self.session = page.value("session")
        while (time.monotonic() < until or self.said < self._load.least) and not 0 < self._load.most <= self.said:
            asked = page.value("turn")
            pause, left = random.uniform(*self._load.think_s), max(0.0, until - time.monotonic())
            await self._wait(min(pause, left))
            # Else everybody would give their last answer at the same moment.
            if pause > left and self.said >= self._load.least:
                break
            if page.value("turn") != asked:
                continue
            page.put("answer", await self._words())
            with timed("an answer taken"):
                await page.click("send")
            if page.value("note"):
                self._figures.wrong.append(f"{self.marker} was told: {page.value('note')}")
                continue
            self.said += 1
            # Where nothing is graded the reply comes along.
            if not page.is_usable("send"):
                with timed("the reply to an answer that is graded"):
                    begin = time.monotonic()
                    while not page.is_usable("send") and time.monotonic() - begin < 60:
                        await self._wait(POLL_S)
        with timed("the report"):
            await page.click("end")
        shown = str(page.value("transcript")) + str(page.value("report-body"))
        if not page.is_shown("report") or set(MARKER.findall(shown)) != {self.marker}:
            self._figures.wrong.append(f"{self.marker}: the report shows {set(MARKER.findall(shown))}")

    async def _words(self) -> str:
        """What is answered, with the word that nobody else uses."""
        return WORDS.format(marker=self.marker)

    async def _wait(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            await asyncio.sleep(min(POLL_S, left))
            with self._figures.timed("a poll"):
                await self._page.poll()


@contextmanager
def paced_server(pace: float = 1.0) -> Iterator[ServerState]:
    """The simulated model server.

    Args:
        pace: share of the measured time that it takes.

    """
    port = free_port()
    server = start_paced(port, pace)
    try:
        endpoint = Endpoint(url=f"http://127.0.0.1:{port}", key="paced", model="judge", digest=catalogue.judge_digest())
        wait_for(endpoint.url + "/health", server)
        yield ServerState(pid=server.pid, started=psutil.Process(server.pid).create_time(), endpoint=endpoint)
    finally:
        server.terminate()
        server.wait()


def linked_models(folder: Path) -> Path:
    """Make a folder of this machine's models in which no server is found running."""
    folder.mkdir(exist_ok=True)
    for each in paths.models().iterdir():
        if each.name not in {"run", "logs"} and not each.name.endswith(".lock"):
            (folder / each.name).symlink_to(each)
    return folder


@contextmanager
def paced_models(folder: Path, pace: float = 1.0) -> Iterator[Path]:
    """A folder of models in which the judge's server is found running, though it is the paced one."""
    linked_models(folder)
    with paced_server(pace) as state:
        (folder / "run").mkdir()
        (folder / "run" / "judge.json").write_text(state.model_dump_json())
        yield folder


@contextmanager
def served(folder: Path, models_folder: Path, *, talks: bool = False, within: Group | None = None) -> Iterator[Served]:
    """The page, started as a person starts it; without a voice unless it talks, within a control group if given."""
    port = free_port()
    if (processors := shutil.which("lscpu")) and not (folder / "lscpu").exists():
        # The real server asks it which processors there are.
        (folder / "lscpu").symlink_to(processors)
    environment = {
        **os.environ,
        paths.HOME_VARIABLE: str(folder / "home"),
        paths.MODELS_VARIABLE: str(models_folder),
        # No espeak-ng to be found: sounds that are made ahead would take a core for minutes.
        **({} if talks else {"PATH": str(folder)}),
    }
    take_vectors(folder / "home")
    command = [sys.executable, str(ROOT / "app.py"), "serve", "--port", str(port), "--no-open"]
    process = subprocess.Popen(within.entering(command) if within else command, env=environment, cwd=ROOT)
    try:
        url = f"http://127.0.0.1:{port}"
        wait_for(url, process)
        yield Served(url, folder / "home" / "journal.db", process.pid)
    finally:
        process.terminate()
        if process.wait(60):
            raise SystemExit(f"The page ended with status {process.returncode}.")


def take_vectors(home: Path) -> None:
    """Take the question index of this machine's own home along, so that its vectors need not be made again."""
    if paths.index().is_dir() and not (home / "index").exists():
        shutil.copytree(paths.index(), home / "index", dirs_exist_ok=True)


def wait_for(url: str, process: subprocess.Popen[bytes]) -> None:
    """Wait until something answers there."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end and process.poll() is None:
        try:
            httpx.get(url, timeout=5.0).raise_for_status()
        except httpx.HTTPError:
            time.sleep(KNOCK_S)
        else:
            return
    raise SystemExit(f"{url} did not come up.")


@asynccontextmanager
async def connection(url: str) -> AsyncIterator[httpx.AsyncClient]:
    """A person's own connection."""
    async with httpx.AsyncClient(base_url=url, timeout=120.0, trust_env=False) as http:
        yield http


async def warm(url: str) -> None:
    """Wait until everything has come up."""
    async with connection(url) as http:
        page = HttpPage(http)
        await page.open()
        end = time.monotonic() + WARM_S
        while "status ready" not in str(page.value("warm-up")):
            if time.monotonic() > end or "status failed" in str(page.value("warm-up")):
                raise SystemExit(f"The page did not warm up: {page.value('warm-up')}")
            await asyncio.sleep(1.0)
            await page.poll_warm_up()


async def watch(pid: int, figures: Figures) -> None:
    """Note the resident memory of the page's process."""
    observed = psutil.Process(pid)
    while True:
        figures.memory.append(observed.memory_info().rss / 1e6)
        await asyncio.sleep(MEMORY_S)


async def hold_all(page: Served, load: Load, person_of: Callable[..., Candidate] = Candidate) -> Figures:
    """Hold so many interviews at once, then hold the journal against what was said."""
    figures = Figures()
    watching = asyncio.create_task(watch(page.pid, figures))
    people: list[Candidate] = []
    if load.memory_s:
        sampling = asyncio.create_task(sampled(page.pid, figures.samples, load.memory_s))

    async def one(until: float) -> None:
        again = True
        while again:
            async with connection(page.url) as http:
                person = person_of(http, load, figures)
                people.append(person)
                await person.hold(until)
            again = bool(load.most) and time.monotonic() < until

    until = time.monotonic() + 60 * load.minutes
    await asyncio.gather(*(one(until) for _ in range(load.candidates)))
    watching.cancel()
    if load.memory_s:
        sampling.cancel()
    figures.interviews = len(people)
    with Journal(page.journal) as journal:
        for person in people:
            figures.wrong += mixed_up(person, journal.events(person.session) if person.session else ())
    return figures


def mixed_up(person: Candidate, events: tuple[Event, ...]) -> Iterator[str]:
    """What the journal has of an interview that its candidate did not say, or lacks."""
    said = [event.text for event in events if isinstance(event, AnswerGiven | PersonSpoke)]
    if len(said) != person.said:
        yield f"{person.marker}: said {person.said} things, the journal has {len(said)}"
    found = {word for event in events for word in MARKER.findall(event.model_dump_json())}
    if found - {person.marker}:
        yield f"{person.marker}: the journal has {found}"


def table(waits: Mapping[str, list[float]]) -> Iterator[str]:
    """How long was waited for what, in seconds, as Markdown."""
    yield "| what | times | median s | p95 s | longest s |"
    yield "|---|---|---|---|---|"
    for what, seconds in waits.items():
        median, late = np.percentile(seconds, [50, 95])
        yield f"| {what} | {len(seconds)} | {median:.2f} | {late:.2f} | {max(seconds):.2f} |"


def told(figures: Figures) -> Iterator[str]:
    """The figures as text."""
    yield from table(figures.seconds)
    tenths = [f"{part.max():.0f}" for part in np.array_split(figures.memory, 10) if len(part)]
    yield f"\nMemory of the page, the most in each tenth of the time, MB: {', '.join(tenths)}."
    yield from grown(figures)
    yield f"{len(figures.wrong)} things went wrong."
    yield from figures.wrong[:20]


def grown(figures: Figures) -> Iterator[str]:
    """What was sampled of the memory, and how it grew; nothing where it was not sampled."""
    if len(figures.samples) < 6:
        return
    yield from ("", *memory.table(figures.samples))
    growth = memory.slope(figures.samples)
    yield (
        f"\nGrowth over the second half: {growth.per_hour:+.0f} ± {2 * growth.error:.0f} MB an hour, "
        f"with {figures.interviews} interviews held in all."
    )


def held(load: Load, *, real: bool = False, pace: float = 1.0) -> Figures:
    """Start the page and hold the interviews.

    Args:
        load: how much.
        real: with the real model server.
        pace: share of the measured time that the simulated one takes.

    """
    catalogue.ensure_embedder()
    catalogue.ensure_judge()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "models").mkdir()
        found = nullcontext(paths.models()) if real else paced_models(place / "models", pace)
        with found as models_folder, served(place, models_folder) as page:
            asyncio.run(warm(page.url))
            return asyncio.run(hold_all(page, load))


def measure(*, quick: bool = False) -> dict[str, float]:
    """Hold fifty interviews for five minutes with the simulated model server.

    Args:
        quick: two interviews for some seconds, to see that it works.

    """
    return named(held(Load(2, 0.3, (1.0, 2.0), 1.0) if quick else Load(50, 5.0, THINKS_S)))


def named(figures: Figures) -> dict[str, float]:
    """What was measured, by the figures' names."""
    found: dict[str, float] = {}
    for what, name in WAITS.items():
        # Where nothing was graded, nobody waited for a reply.
        middle, late = np.percentile(figures.seconds[what] or [0.0], [50, 95])
        found |= {f"{name}_median_s": float(middle), f"{name}_p95_s": float(late)}
    return found | {"load.page_mb": max(figures.memory), "load.wrong": float(len(figures.wrong))}


def lines(figures: Mapping[str, float]) -> Iterator[str]:
    """The named figures as they are printed."""
    for what, name in WAITS.items():
        yield f"{what}: median {figures[f'{name}_median_s']:.2f} s, p95 {figures[f'{name}_p95_s']:.2f} s"
    yield f"the page holds {figures['load.page_mb']:.0f} MB; {figures['load.wrong']:.0f} things went wrong"


def main() -> int:
    """Hold the interviews and print the figures."""
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("--candidates", type=int, default=None, help="50, or 5 with the real server")
    ask.add_argument("--minutes", type=float, default=5.0)
    ask.add_argument("--think", type=float, nargs=2, default=THINKS_S, metavar="S", help="seconds before an answer")
    ask.add_argument("--real", action="store_true", help="with the real model server")
    ask.add_argument("--memory", type=float, default=0.0, metavar="S", help="sample the memory every so many seconds")
    ask.add_argument("--answers", type=int, default=0, help="answers to an interview; then another one is begun")
    ask.add_argument("--pace", type=float, default=1.0, help="share of the measured time that the model takes")
    given = ask.parse_args()
    count = given.candidates or (5 if given.real else 50)
    load = Load(count, given.minutes, tuple(given.think), most=given.answers, memory_s=given.memory)
    figures = held(load, real=given.real, pace=given.pace)
    print(f"{load.candidates} interviews at once, {load.minutes:g} minutes\n")
    print("\n".join(told(figures)))
    return 1 if figures.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
