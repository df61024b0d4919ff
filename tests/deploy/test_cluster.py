"""The cluster as a person starts it: a page is killed, and its people go on at the other one with all they said."""

from __future__ import annotations

import asyncio
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import psutil
import pytest

from deploy import cluster as deployed
from deploy import programs
from interviewer.session.events import AnswerGiven, AnswerGraded, PersonSpoke
from interviewer.session.reducer import fold
from interviewer.storage.postgres_journal import PostgresJournal
from interviewer.web.views.setup.layout import BY_NUMBER, LONGEST
from serving.errors import ServiceMissingError
from tests.benchmarks.load import WORDS, paced_server
from tests.cluster_command import parts_of, started_cluster
from tests.http_page import HttpPage, PageError

PACE, PATIENCE_S = 0.2, 240.0
COOKIE = "INTERVIEWER_PAGE"
MARKERS = ("firstmarker", "secondmarker", "thirdmarker", "fourthmarker")
"""Words that nobody else says, one for each answer."""


class Running:
    """A cluster that was started by its command.

    Args:
        process: of the command.
        url: where its proxy answers.

    """

    def __init__(self, process: subprocess.Popen[bytes], url: str) -> None:
        self.url, self._process = url, process
        (proxy,) = parts_of(process, "haproxy.cfg")
        self._pages = {f"page-{number}": proxy.environ()[f"PAGE_{number}"].partition(":")[2] for number in (1, 2)}

    def page(self, name: str) -> psutil.Process:
        """The process of a page, by the name that the proxy gives it."""
        pages = parts_of(self._process, "serve")
        (found,) = [each for each in pages if each.cmdline()[each.cmdline().index("--port") + 1] == name]
        return found

    def kill(self, name: str) -> None:
        """SIGKILL to a page, which the command starts again."""
        self.page(self._pages[name]).kill()

    def database(self) -> str:
        """The URL of the database."""
        return str(parts_of(self._process, "serve")[0].environ()["INTERVIEWER_DATABASE"])

    def everything(self) -> list[psutil.Process]:
        """All its processes."""
        return psutil.Process(self._process.pid).children(recursive=True)


@contextmanager
def running(judge: str) -> Iterator[Running]:
    """A cluster with a judge that runs already, in a folder that nobody gets into as well; Ctrl-C ends it."""
    folder = Path(tempfile.mkdtemp(prefix="cluster-"))
    try:
        process, url = started_cluster(folder, "--judge-url", judge, patience_s=PATIENCE_S)
        try:
            made = Running(process, url)
            yield made
            alive = made.everything()
            process.send_signal(signal.SIGINT)
            assert process.wait(PATIENCE_S) == 0
            _, left = psutil.wait_procs(alive, timeout=PATIENCE_S)
            assert left == []
        finally:
            process.kill()
            process.wait()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def until(ready: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not ready():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)


async def open_again(http: httpx.AsyncClient, session: str) -> HttpPage:
    """Open an interview as who reloads the page until it is there."""
    end = time.monotonic() + PATIENCE_S
    while True:
        page = HttpPage(http)
        try:
            await page.open(session)
        except (PageError, httpx.HTTPError):
            assert time.monotonic() < end, "no page took the person in"
            await asyncio.sleep(0.1)
        else:
            return page


async def answer(page: HttpPage, marker: str) -> None:
    """Give an answer as soon as there is something to answer; it was acknowledged when this returns."""
    end = time.monotonic() + PATIENCE_S
    while not page.is_usable("send"):
        assert time.monotonic() < end, "the interview stands still"
        await asyncio.sleep(0.1)
        await page.poll()
    page.put("answer", WORDS.format(marker=marker))
    await page.click("send")
    assert not page.value("note")


async def disturbed(cluster: Running) -> tuple[str, float]:
    """Give two answers, lose the page, and give two more on the other one; the interview, and how long that took."""
    async with httpx.AsyncClient(base_url=cluster.url, timeout=120.0, trust_env=False) as http:
        page = HttpPage(http)
        await page.open()
        for name, value in (("span", BY_NUMBER), ("length", LONGEST), ("kinds", ["concept"]), ("reviews", False)):
            page.put(name, value)
        await page.click("start")
        session = str(page.value("session"))
        await answer(page, MARKERS[0])
        await answer(page, MARKERS[1])
        served_by = http.cookies[COOKIE]
        cluster.kill(served_by)
        begin = time.monotonic()
        page = await open_again(http, session)
        seconds = time.monotonic() - begin
        assert {served_by, http.cookies[COOKIE]} == {"page-1", "page-2"}
        shown = str(page.value("transcript"))
        assert [word for word in MARKERS if word in shown] == list(MARKERS[:2])
        await answer(page, MARKERS[2])
        await answer(page, MARKERS[3])
        return session, seconds


@pytest.mark.by_number("deploy", "interviewer/web", "interviewer/storage", "interviewer/engine")
def test_who_loses_a_page_goes_on_at_the_other_one_with_every_answer() -> None:
    try:
        programs.check_programs()
    except ServiceMissingError as error:
        pytest.skip(str(error))
    with paced_server(PACE) as judge, running(judge.endpoint.url) as cluster:
        session, seconds = asyncio.run(disturbed(cluster))
        print(f"back on the other page after {seconds:.2f} s")
        with PostgresJournal(cluster.database()) as journal:

            def said() -> list[AnswerGiven | PersonSpoke]:
                return [event for event in journal.events(session) if isinstance(event, AnswerGiven | PersonSpoke)]

            def graded() -> Counter[str]:
                return Counter(event.answer_id for event in journal.events(session) if isinstance(event, AnswerGraded))

            assert [word for event in said() for word in MARKERS if word in event.text] == list(MARKERS)
            # The last answer to a question is graded with all before it.
            last = {event.asked_id: event.id for event in said() if isinstance(event, AnswerGiven)}
            assert last
            until(lambda: set(last.values()) <= set(graded()))
            assert set(graded().values()) == {1}
            assert not journal.read(session).damaged
            assert fold(journal.events(session)).ended is None


def test_missing_programs_are_named_with_the_packages_that_bring_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "program", lambda name: None if name in programs.PACKAGES else name)
    with pytest.raises(ServiceMissingError, match=r"haproxy, initdb, postgres.*apt-get install haproxy postgresql"):
        programs.check_programs()


def test_what_cannot_start_says_why(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert deployed.main(["--judges", "0", "--folder", str(home)]) == 2
    assert "without a judge" in capsys.readouterr().err
    if any(programs.program(name) is None for name in programs.PACKAGES):
        pytest.skip("the rest needs the programs of a cluster")
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert deployed.main(["--port", str(port), "--folder", str(home)]) == 3
    assert f"Port {port} is in use" in capsys.readouterr().err
