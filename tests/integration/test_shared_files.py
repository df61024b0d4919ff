"""Commands and pages of two machines with one S3 bucket: what one records or takes in, the other plays or lists."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import gradio as gr
import pytest

from interviewer.engine.service import InterviewService
from interviewer.session.events import AnswerGiven
from interviewer.speech.delivery import Delivery
from interviewer.speech.spoken_answer import SpokenAnswer
from interviewer.storage import recordings
from interviewer.storage.files.document_state import Told
from interviewer.storage.files.opening import open_files
from interviewer.storage.sqlite_journal import Journal
from interviewer.web import gradio_support
from interviewer.web.controller import PageController
from interviewer.web.views.base import ViewContext
from interviewer.web.views.report.handlers import ReportView
from interviewer.web.views.setup.handlers import SetupView
from interviewer.web.workspace import Workspace
from serving import paths
from serving.errors import StorageError
from serving.speech.stt.transcript import Word
from tests.integration.commands import in_process
from tests.interviewer.builders import KeywordGrader, Shelf, question
from tests.interviewer.report.export.test_audio_clips import SAID, recording
from tests.interviewer.report.sample_session import LOADER, Telling
from tests.s3 import S3Server

SESSION = "told"
SHELF = Shelf([question("q1", text="What is a leaf tensor?")])


@pytest.fixture
def bucket(s3: S3Server, monkeypatch: pytest.MonkeyPatch) -> str:
    url = s3.bucket()
    monkeypatch.setenv("INTERVIEWER_FILES", url)
    return url


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("INTERVIEWER_DATABASE", f"sqlite:///{tmp_path / 'journal.db'}")
    return tmp_path / "journal.db"


def at(home: Path, *arguments: object) -> tuple[str, str]:
    """A command on the machine with that home: what it printed, and what it told."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(paths.HOME_VARIABLE, str(home))
        status, out, err = in_process(*arguments)
    assert status == 0, err
    return out, err


def spoken(database: Path, place: str) -> None:
    """An interview with an answer that was recorded."""
    words = (Word(text="So", start=2.0, end=2.4, probability=0.9),)
    how = Delivery(
        duration=20, words=8, pace=60, talking=0.5, longest_pause=0, longest_pause_at=0, pauses=0, restarts=0
    )
    heard = SpokenAnswer(heard=SAID, written=SAID, words=words, delivery=how, recordings=(place,))
    tell = Telling()
    tell.answer(tell.ask(LOADER), SAID)
    with Journal(database) as journal:
        for event in tell.events:
            journal.append(
                SESSION, event.model_copy(update={"spoken": heard}) if isinstance(event, AnswerGiven) else event
            )


def test_what_one_machine_recorded_another_plays_exports_and_deletes(
    tmp_path: Path, bucket: str, database: Path, s3: S3Server
) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    sound = Path(recording(tmp_path / "a.wav", 300)).read_bytes()
    with open_files(bucket) as files:
        spoken(database, files.recordings(first).keep(SESSION, sound))
        html, told = at(second, "report", SESSION)
        assert "<audio" not in html
        assert "it is still on the machine that recorded it" in told
        assert "<audio" in at(first, "report", SESSION)[0]
        files.send(first)
    html, told = at(second, "report", SESSION)
    assert "<audio" in html
    assert told == ""
    assert f"{bucket}/common/recordings" not in html
    assert "1 recording," in at(second, "data", "export", tmp_path / "all.zip")[1]

    with s3.away():
        html, told = at(second, "report", SESSION)
        assert "<audio" not in html
        assert "1 recording of your answers cannot be played now. The store s3://" in told
        assert "does not answer." in told

    assert at(second, "data", "delete", SESSION)[1] == "1 interview deleted."
    with open_files(bucket) as files:
        assert files.recordings(first).count() == 0
    third = tmp_path / "third"
    assert "1 new recording" in at(third, "data", "import", tmp_path / "all.zip")[1]
    assert recordings.kept(third) == ()  # in the store again
    assert "<audio" in at(first, "report", SESSION)[0]


def test_an_interview_whose_recordings_cannot_be_deleted_now_stays(
    tmp_path: Path, bucket: str, database: Path, s3: S3Server
) -> None:
    with open_files(bucket) as files:
        spoken(database, files.recordings(tmp_path).keep(SESSION, b"sound"))
    with pytest.MonkeyPatch.context() as patch, s3.away():
        patch.setenv(paths.HOME_VARIABLE, str(tmp_path))
        status, _, told = in_process("data", "delete", SESSION)
        assert status == 3
        assert "The recordings cannot be deleted now" in told
        assert "does not answer. Try again once it does." in told
        assert [one["id"] for one in json.loads(in_process("sessions", "--json")[1])] == [SESSION]


def test_the_report_says_which_recordings_are_not_there_yet(tmp_path: Path, bucket: str, database: Path) -> None:
    with open_files(bucket) as files:
        spoken(database, files.recordings(tmp_path / "first").keep(SESSION, b"sound"))
        with (
            Journal(database) as journal,
            InterviewService(journal, SHELF, KeywordGrader(), patience_s=1.0) as service,
            gr.Blocks(analytics_enabled=False) as blocks,
        ):
            home = paths.made(tmp_path / "second")
            place = Workspace(
                *(PageController(service, journal), SHELF, lambda files: []),  # type: ignore[arg-type]
                home=lambda: home,
                keeper=files.recordings,
            )
            view = ReportView(ViewContext(lambda: place, gradio_support.build(), lambda *_: {}, lambda _: {}))
            state = service.state(SESSION)
            shown = view._report(SESSION, state, waiting=True)
            assert "cannot be played yet" in shown[view.panel.sound_note]
            files.send(tmp_path / "first")
            shown = view._report(SESSION, state, waiting=True)
            assert shown[view.panel.sound_note] == ""
            assert shown[view.panel.forget_sound]["value"] == "Delete the recording of your answer"
        blocks.close(verbose=False)


def test_the_page_says_how_far_documents_are_and_what_is_wrong(tmp_path: Path, home: Path) -> None:
    steps = [Told("Reading a.md (1 of 2)"), Told("Reading b.pdf (2 of 2)"), Told("b.pdf is no PDF.", refused=True)]

    def away() -> Iterator[Told]:
        yield steps[0]
        raise StorageError("The store s3://a does not answer.", hint="Nothing is lost.")

    with (
        Journal(tmp_path / "journal.db") as journal,
        InterviewService(journal, SHELF, KeywordGrader(), patience_s=1.0) as service,
        gr.Blocks(analytics_enabled=False) as blocks,
    ):

        def shown(catch_up: object) -> list[str]:
            place = Workspace(
                *(PageController(service, journal), SHELF, lambda files: []),  # type: ignore[arg-type]
                home=lambda: home,
                catch_up=catch_up,  # type: ignore[arg-type]
            )
            context = ViewContext(lambda: place, gradio_support.build(), lambda *_: {}, lambda _: {}, shares=True)
            return [told[0] for told in SetupView(context)._catch_up()]

        assert shown(lambda: iter(())) == []
        *going_on, last = shown(lambda: iter(steps))
        assert ["Reading a.md (1 of 2)" in going_on[0], "Reading b.pdf (2 of 2)" in going_on[1]] == [True, True]
        assert "b.pdf is no PDF." in last
        assert "Brought up to date: 2 documents that you changed on another page." in last
        assert "may be missing here: The store s3://a does not answer. Reload it to try again." in shown(away)[-1]
    blocks.close(verbose=False)
