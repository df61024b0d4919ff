"""What is remembered of interviews does not grow with their number."""

from __future__ import annotations

import gc
import threading
from pathlib import Path

import pytest

from interviewer.dialogue.paraphrase import ParaphraseRequest
from interviewer.engine import paraphraser, question_supply, session_store
from interviewer.engine.paraphraser import Paraphraser
from interviewer.engine.service import InterviewService
from interviewer.session.plan import Plan
from interviewer.storage.sqlite_journal import Journal
from tests.interviewer.builders import KeywordGrader, Shelf, question
from tests.interviewer.speaking import SpeakingServer, says


def test_locks_of_interviews_that_nobody_holds_are_forgotten(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.db") as journal:
        with journal.lock("held"):
            for number in range(500):
                with journal.lock(f"other {number}"):
                    """Nothing is done."""
            gc.collect()
            assert len(journal._locks) == 1
        gc.collect()
        assert len(journal._locks) == 0


def test_a_lock_is_one_lock_as_long_as_somebody_holds_it(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.db") as journal:
        entered = threading.Event()

        def enter() -> None:
            with journal.lock("one"):
                entered.set()

        with journal.lock("one"), journal.lock("one"):
            gc.collect()
            other = threading.Thread(target=enter)
            other.start()
            assert not entered.wait(0.1)
        other.join(30)
        assert entered.is_set()


def test_what_interviews_bring_along_is_remembered_of_the_latest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(question_supply, "_REMEMBERED", 3)
    shelf = Shelf([question("q1"), question("q2")])
    with (
        Journal(tmp_path / "journal.db") as journal,
        InterviewService(journal, shelf, KeywordGrader(), patience_s=None) as service,
    ):
        for number in range(8):
            service.start(Plan(length=1), f"s{number}")
        assert len(service._supply._pasts) == 3
        state = service.answer("s0", "alpha beta", "a1")
        assert state.asked[0].answers[0].text == "alpha beta"


def test_wordings_are_remembered_of_the_latest_interviews(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paraphraser, "_REMEMBERED", 3)
    ask = ParaphraseRequest(question="What is a leaf?", bank="And then?", said="It is a tensor.")
    with SpeakingServer(lambda _: says("And what then?")) as server:
        made = Paraphraser(server.client, lambda: "m", budget_s=30.0)
        for number in range(8):
            made.offer(f"s{number}", ask, lambda: None)
            made.awaited(f"s{number}")[0].result(30)
        assert len(made._latest) == 3
        offer = made.offer("s7", ask, lambda: None)
    assert offer is not None
    assert offer.reply == "And what then?"


def test_interviews_that_nobody_goes_on_with_are_forgotten_and_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_store, "IDLE_S", 0.05)
    with (
        Journal(tmp_path / "journal.db") as journal,
        InterviewService(journal, Shelf([question("q1")]), KeywordGrader(), patience_s=None) as service,
    ):
        service.start(Plan(length=1), "left")
        left = service.state("left")
        threading.Event().wait(0.1)
        service.start(Plan(length=1), "other")
        assert "left" not in service._store._known
        assert service.state("left") == left
