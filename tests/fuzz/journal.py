"""Fuzz target: interviews whose stored events were changed, taken out, doubled or put in another order.

An input is JSON: rows of ``[event_id, type, at, payload]``, in order, of one interview. It is read in all the ways that
the product has. What cannot be understood may be refused with an error of ours; nothing else may be raised, nothing may
hang, and another interview in the same journal stays readable.
"""

from __future__ import annotations

import hashlib
import json
import logging
import shutil
import signal
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

from interviewer.engine.service import InterviewService
from interviewer.planning.progress import history
from interviewer.report.aggregate.earlier_scores import earlier_scores
from interviewer.report.analysis.findings import findings
from interviewer.report.analysis.regrade import due
from interviewer.report.export.anki import anki_deck
from interviewer.report.export.icalendar import review_calendar
from interviewer.report.render.html import render_html
from interviewer.report.render.json import render_json
from interviewer.report.render.markdown import render_markdown
from interviewer.report.render.pdf.document import render_pdf
from interviewer.session.events import EVENT, Event
from interviewer.session.reducer import fold
from interviewer.storage.sqlite_journal import Journal
from interviewer.web.controller import PageController
from interviewer.web.view_state import render
from serving.errors import InterviewerError
from tests.fuzz.mutate import VALUES, mutated, mutated_json
from tests.fuzz.target import FoundError, Target
from tests.fuzz.traces import traced
from tests.interviewer.builders import KeywordGrader
from tests.interviewer.report.hour import hour
from tests.interviewer.report.sample_session import telling
from tests.interviewer.web.holding import SHELF

FUZZED, BESIDE = "fuzzed", "beside"
HANGS_S = 120
"""Seconds of computing after which one input counts as hanging."""

Row = list[Any]


class JournalRows:
    """The target; use ``opened``."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @cached_property
    def _seeds(self) -> list[list[Row]]:
        told = [tuple(telling().events), tuple(hour().events)]
        # Cut off at the person's turn, so that there is something to go on with.
        told += [told[0][:cut] for cut in (2, 5, 9, 14)] + [told[1][:cut] for cut in (3, 12, 30)]
        return [[row_of(event) for event in events] for events in told]

    @cached_property
    def _template(self) -> Path:
        path = self._folder / "template.db"
        with Journal(path) as journal:
            for event in hour().events:
                journal.append(BESIDE, event)
        return path

    def make(self, rng: Random) -> bytes:
        """See ``Target.make``."""
        rows = [list(row) for row in rng.choice(self._seeds)]
        for _ in range(rng.choice((1, 1, 1, 2, 4))):
            _change(rows, rng)
        return json.dumps(rows).encode()

    def check(self, data: bytes) -> str:
        """See ``Target.check``."""
        with tempfile.TemporaryDirectory(dir=self._folder, ignore_cleanup_errors=True) as folder:
            path = Path(folder) / "journal.db"
            shutil.copyfile(self._template, path)
            return self._read(path, data)

    def _read(self, path: Path, data: bytes) -> str:
        try:
            rows = json.loads(data)
            _insert(path, rows)
        except (ValueError, TypeError, KeyError, IndexError, sqlite3.Error):
            return "no rows"
        rare = hashlib.sha256(data).digest()[0]
        with Journal(path) as journal, _alarm():
            refused = [name for name, read in _readings(journal, rare) if not _does(name, read)]
            if journal.events(BESIDE) != tuple(hour().events):
                raise FoundError("the interview beside it changed")
        return "read" if not refused else f"refused by {len(refused)}"


def row_of(event: Event) -> Row:
    return [event.id, event.type, event.at.astimezone(UTC).isoformat(), EVENT.dump_json(event).decode()]


def _change(rows: list[Row], rng: Random) -> None:
    if not rows:
        return
    place = rng.randrange(len(rows))
    match rng.randrange(12):
        case 0:
            del rows[place]
        case 1:
            again = list(rows[place])
            again[0] = str(again[0]) + rng.choice(("x", ":2", ""))
            rows.insert(rng.randrange(len(rows) + 1), again)
        case 2:
            rows.insert(rng.randrange(len(rows)), rows.pop(place))
        case 3:
            rows[place][rng.randrange(3)] = rng.choice(VALUES)
        case 4:
            rows[place][3] = mutated(str(rows[place][3]).encode(), rng).decode("utf-8", "replace")
        case 5:
            other = rng.choice(rows)
            rows[place][1], rows[place][3] = other[1], other[3]
        case _:
            try:
                value = mutated_json(json.loads(rows[place][3]), rng)
                rows[place][3] = json.dumps(value)
                if isinstance(value, dict):
                    rows[place][0] = value.get("id", rows[place][0])
            except (ValueError, RecursionError):
                del rows[place]


def _insert(path: Path, rows: list[Row]) -> None:
    with sqlite3.connect(path) as connection:
        for seq, (event_id, kind, at, payload) in enumerate(rows, 1):
            values = [_storable(each) for each in (event_id, kind, at, payload)]
            connection.execute(
                "INSERT OR IGNORE INTO events (session_id, seq, event_id, type, at, payload) VALUES (?, ?, ?, ?, ?, ?)",
                (FUZZED, seq, *values),
            )
    connection.close()


def _storable(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, bool | None) or (isinstance(value, int) and abs(value) < 2**63):
        return value
    return str(value)


def _readings(journal: Journal, rare: int) -> Iterator[tuple[str, Callable[[], object]]]:
    """Everything that the product does with an interview in the journal, by name."""

    def state() -> Any:
        return fold(journal.events(FUZZED))

    def found() -> Any:
        return findings(FUZZED, state())

    yield "the list of interviews", journal.sessions
    yield "its latest time", lambda: journal.last_at(FUZZED)
    yield "the state", state
    yield "the page", lambda: render(state())
    yield "the report's data", found
    yield "the report as JSON", lambda: render_json(found())
    yield "the report as Markdown", lambda: render_markdown(found())
    yield "the calendar", lambda: review_calendar(found())
    yield "another grading", lambda: due(journal.events(FUZZED))
    yield "the history", lambda: history([state()], SHELF.questions(), datetime(2026, 5, 1, tzinfo=UTC))
    yield "earlier scores", lambda: earlier_scores(journal, BESIDE)
    if rare % 8 == 0:
        yield "the report as HTML", lambda: render_html(found())
        yield "the cards", lambda: anki_deck(found())
    if rare % 16 == 0:
        yield "the report as PDF", lambda: render_pdf(found())
    yield "going on", lambda: _gone_on(journal)


def _gone_on(journal: Journal) -> None:
    with InterviewService(journal, SHELF, KeywordGrader(), patience_s=30.0) as service:
        controller = PageController(service, journal)
        service.resume_all()
        if controller.resume(FUZZED) is None:
            return
        controller.look(FUZZED, "")
        for action in ("answer", "hint", "repeat", "skip", "pause", "go on", "end"):
            turn = render(controller.state(FUZZED)).turn
            controller.act(FUZZED, turn, action, "leaf and graph")


def _does(name: str, read: Callable[[], object]) -> bool:
    """Whether it was read; what is refused with an error of ours was not.

    Raises:
        FoundError: something else was raised.

    """
    try:
        read()
    except InterviewerError as error:
        if not str(error).strip():
            raise FoundError(f"{name} was refused without a word") from error
        return False
    except FoundError:
        raise
    except Exception as error:
        raise FoundError(f"{name} raised {traced(error)}") from error
    return True


@contextmanager
def _alarm() -> Iterator[None]:
    """Ends what hangs; counts computing, so that a busy machine changes nothing."""

    def ring(_sign: int, frame: FrameType | None) -> None:
        where = f"{frame.f_code.co_filename}:{frame.f_lineno}" if frame else ""
        raise FoundError(f"it takes more than {HANGS_S} s of computing at {where}")

    before = signal.signal(signal.SIGVTALRM, ring)
    signal.setitimer(signal.ITIMER_VIRTUAL, HANGS_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@contextmanager
def opened() -> Iterator[Target]:
    """The target with a folder of its own; what is logged of damaged interviews is not shown."""
    logging.disable(logging.ERROR)
    try:
        with tempfile.TemporaryDirectory() as folder:
            yield JournalRows(Path(folder))
    finally:
        logging.disable(logging.NOTSET)
