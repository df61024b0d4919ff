"""The disk fills up in the middle of an interview: nothing acknowledged is lost, it is said, and it goes on with room.

Held on a file system of a megabyte. Where none may be mounted, the journal refuses as it does on a full disk.
"""

from __future__ import annotations

import itertools
import os
import sqlite3
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import NamedTuple

import pytest

from interviewer.engine.service import InterviewService
from interviewer.policy.actions import GradeAnswer
from interviewer.policy.next_action import next_action
from interviewer.report.analysis.findings import findings
from interviewer.report.render.json import comparable
from interviewer.session.events import EVENT, Event
from interviewer.session.plan import Plan
from interviewer.storage.sqlite_journal import Journal
from serving.atomic import write_atomic
from serving.errors import StorageError
from tests.interviewer.builders import KeywordGrader, Shelf, question

BANK = [question(f"q{n}", text=f"What is thing {n}?") for n in range(1, 4)]
PLAN = Plan(length=3, follow_ups=1)
LONG = "and so it goes on " * 300
ANSWERS = [f"It has alpha. {LONG}", f"And beta. {LONG}", f"Nothing. {LONG}", "gamma", f"alpha beta {LONG}", "delta"]


class Disk(NamedTuple):
    """A small disk that can be filled up and emptied again."""

    folder: Path
    fill: Callable[[], None]
    empty: Callable[[], None]


@pytest.fixture(scope="module")
def mounted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path | None]:
    """A file system of a megabyte; ``None`` where none may be mounted."""
    folder = tmp_path_factory.mktemp("disk")
    command = ["mount", "-t", "tmpfs", "-o", "size=1m", "none", str(folder)]
    if os.geteuid() or subprocess.run(command, capture_output=True, check=False).returncode:
        yield None
        return
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


@pytest.fixture
def disk(mounted: Path | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Disk]:
    if mounted is None:
        yield refusing(tmp_path, monkeypatch)
        return
    ballast = mounted / "ballast"

    def fill() -> None:
        with ballast.open("ab", buffering=0) as file:
            for size in (4096, 1):
                with suppress(OSError):
                    while True:
                        file.write(b"x" * size)

    yield Disk(mounted, fill, lambda: ballast.unlink(missing_ok=True))
    for path in mounted.iterdir():
        path.unlink()


def refusing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Disk:
    """A disk that is only said to be full."""
    full = threading.Event()
    append = Journal.append

    def refuse(journal: Journal, session: str, event: Event) -> bool:
        if full.is_set():
            raise StorageError("The journal cannot be used: the disk is full.", hint="Make room and try again.")
        return append(journal, session, event)

    monkeypatch.setattr(Journal, "append", refuse)
    return Disk(folder, full.set, full.clear)


def steps(service: Callable[[], InterviewService]) -> Iterator[Callable[[], object]]:
    """The requests of an interview, one after the other until it is over; each may be made again."""
    yield lambda: service().start(PLAN, "one")
    for number, answer in enumerate(itertools.cycle(ANSWERS)):
        yield lambda: service().advance("one")
        if service().state("one").ended is not None:
            return
        yield lambda text=answer, name=f"answer-{number}": service().answer("one", text, name)


def outcome(service: InterviewService, session: str) -> dict[str, object]:
    return comparable(findings(session, service.state(session)))


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    path = tmp_path_factory.mktemp("undisturbed") / "journal.db"
    with Journal(path) as journal, InterviewService(journal, Shelf(BANK), KeywordGrader(), patience_s=None) as service:
        for step in steps(lambda: service):
            step()
        return outcome(service, "one")


def refused(step: Callable[[], object]) -> StorageError | None:
    """What a request is refused with; ``None`` where it is carried out."""
    try:
        step()
    except StorageError as error:
        return error
    return None


@pytest.mark.parametrize("restart", [False, True], ids=["same run", "started again"])
@pytest.mark.parametrize("moment", [3, *(pytest.param(n, marks=pytest.mark.full) for n in (0, 1, 2, *range(4, 14)))])
def test_the_interview_goes_on_as_soon_as_there_is_room(
    disk: Disk, undisturbed: dict[str, object], moment: int, restart: bool
) -> None:
    opened = ExitStack()
    conductors: list[InterviewService] = []

    def open_again() -> None:
        opened.close()
        journal = opened.enter_context(Journal(disk.folder / "journal.db"))
        made = InterviewService(journal, Shelf(BANK), KeywordGrader(), patience_s=None)
        conductors.append(opened.enter_context(made))

    open_again()
    told = []
    for number, step in enumerate(steps(lambda: conductors[-1])):
        if number == moment:
            disk.fill()
        acknowledged = read(disk)
        while (error := refused(step)) is not None:
            told.append(str(error))
            assert refused(step) is not None
            assert read(disk)[: len(acknowledged)] == acknowledged
            disk.empty()
            if restart:
                open_again()
            assert read(disk)[: len(acknowledged)] == acknowledged
    opened.close()
    with Journal(disk.folder / "journal.db") as journal:
        assert not journal.read("one").damaged
        with InterviewService(journal, Shelf(BANK), KeywordGrader(), patience_s=None) as service:
            assert outcome(service, "one") == undisturbed
    # What is left in the journal's own files may hold the last event or two.
    assert told or moment > 9
    assert all("the disk is full. Make room and try again." in each for each in told)


def read(disk: Disk) -> tuple[Event, ...]:
    """The events on the disk, read as another program would; also where there is no room at all."""
    with closing(sqlite3.connect(disk.folder / "journal.db")) as raw:
        return tuple(EVENT.validate_json(row[0]) for row in raw.execute("SELECT payload FROM events ORDER BY seq"))


def wait_for(condition: Callable[[], object], seconds: float = 60.0) -> bool:
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)
    return bool(condition())


def test_a_mark_that_found_no_room_is_stored_without_the_person_having_to_do_anything(
    disk: Disk, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("interviewer.engine.grading_coordinator.AGAIN_S", 0.05)
    graded: list[object] = []

    def fill(request: object) -> None:
        if not graded:
            disk.fill()
        graded.append(request)

    with (
        Journal(disk.folder / "marks.db") as journal,
        InterviewService(journal, Shelf(BANK), KeywordGrader(fill), patience_s=120.0) as service,
    ):
        service.start(PLAN, "one")
        service.answer("one", ANSWERS[0], "answer-1")
        assert wait_for(lambda: "could not be used" in caplog.text)
        before = service.state("one")
        assert isinstance(next_action(before), GradeAnswer)
        assert [answer.text for answer in before.asked[0].answers] == [ANSWERS[0].strip()]
        disk.empty()
        assert wait_for(lambda: service.state("one").asked[0].grades)
        assert wait_for(lambda: service.state("one").asked[0].follow_ups)
        assert len(graded) == 1


def test_a_report_that_finds_no_room_leaves_the_one_before(disk: Disk, mounted: Path | None) -> None:
    if mounted is None:
        pytest.skip("no file system may be mounted here")
    path = disk.folder / "report.html"
    write_atomic(path, "before")
    disk.fill()
    with pytest.raises(StorageError, match="No space left") as caught:
        write_atomic(path, "x" * 100_000)
    assert "Make room" in caught.value.hint
    assert path.read_text() == "before"
    assert sorted(each.name for each in disk.folder.iterdir()) == ["ballast", "report.html"]
    disk.empty()
    write_atomic(path, "x" * 100_000)
    assert path.stat().st_size == 100_000
