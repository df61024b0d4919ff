"""Marks held to be wrong: kept, read a second time, and never overwritten."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from interviewer.engine.service import InterviewService
from interviewer.report.analysis.questions import question_finding
from interviewer.scoring.disputes import check_dispute, open_to_dispute, second_requests
from interviewer.session.events import EVENT, DisputeGraded, MarkDisputed
from interviewer.session.plan import Plan
from interviewer.session.state import State
from interviewer.storage.sqlite_journal import Journal
from knowledge.model import FlagKind, ReferenceFlag
from rubric.grading.grader import GradeRequest
from rubric.grading.second_reading import SecondReader
from rubric.model import Verdict
from serving.errors import BadInputError, ServerGoneError
from tests.interviewer.builders import KeywordGrader, Shelf, question
from tests.rubric.doubles import BagOfWords

BANK = [question(name, keywords=("alpha", "beta"), text=f"What about {name}?") for name in ("leaves", "ropes")]
PLAN = Plan(question_ids=("leaves", "ropes"), follow_ups=0)
SAID = "The answer names it. Then I said alpha. Some more words follow. And never beta. The end is here. Truly."


class Away:
    """Lets a number of calls fail as if the server were gone."""

    def __init__(self, times: int) -> None:
        self.left = times

    def __call__(self, request: GradeRequest) -> None:
        if len(request.rubric.criteria) == 1 and self.left > 0:
            self.left -= 1
            raise ServerGoneError("The model server does not answer.")


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path / "journal.db") as opened:
        yield opened


def conduct(journal: Journal, grader: KeywordGrader | None = None, *, reads: bool = True) -> InterviewService:
    grader = grader or KeywordGrader()
    reader = SecondReader(grader, BagOfWords()) if reads else None
    return InterviewService(journal, Shelf(BANK), grader, patience_s=None, second_reader=reader)


def answered(service: InterviewService, text: str = SAID) -> str:
    """An interview whose first question is closed and graded, and whose second is open."""
    session = service.start(PLAN)
    service.answer(session, text, "a1")
    service.advance(session)
    return session


def types(journal: Journal, session: str) -> list[str]:
    return [event.type for event in journal.events(session)]


def test_a_dispute_is_kept_and_read_a_second_time(journal: Journal) -> None:
    grader = KeywordGrader()
    with conduct(journal, grader) as service:
        session = answered(service)
        before = question_finding(service.state(session).asked[0])
        state = service.reviews.dispute(session, "question:1", "c-beta", " I meant it otherwise. ", "d1")
    (dispute,) = state.asked[0].disputes
    (second,) = state.asked[0].second_grades
    assert (dispute.reason, second.dispute_id) == ("I meant it otherwise.", "d1")
    assert second.graded_text == SAID
    assert len(second.passage) == 3
    assert any("never beta" in SAID[start:end] for start, end in second.passage)
    assert second.verdict.verdict is Verdict.CONTRADICTED
    assert [SAID[start:end] for start, end in second.verdict.evidence] == ["never beta"]
    assert "otherwise" not in grader.requests[-1].answer
    after = question_finding(state.asked[0])
    assert (after.final, after.unaided) == (before.final, before.unaided)


def test_a_dispute_sent_twice_counts_once(journal: Journal) -> None:
    grader = KeywordGrader()
    with conduct(journal, grader) as service:
        session = answered(service)
        first = service.reviews.dispute(session, "question:1", "c-beta", "", "d1")
        times = len(grader.requests)
        assert service.reviews.dispute(session, "question:1", "c-beta", "", "d1") == first
        assert len(grader.requests) == times
        with pytest.raises(BadInputError, match="disputed already"):
            service.reviews.dispute(session, "question:1", "c-beta", "", "d2")
    assert types(journal, session).count("mark_disputed") == 1
    assert types(journal, session).count("dispute_graded") == 1


def test_without_the_judge_the_dispute_is_kept_and_read_later(journal: Journal) -> None:
    with conduct(journal, KeywordGrader(Away(1))) as service:
        session = answered(service)
        state = service.reviews.dispute(session, "question:1", "c-alpha", "", "d1")
        assert state.asked[0].second_grades == ()
        assert [dispute.id for dispute, _, _ in second_requests(state)] == ["d1"]
        assert len(service.reviews.read_disputed(session).asked[0].second_grades) == 1
    with conduct(journal, reads=False) as service:
        state = service.reviews.dispute(session, "question:1", "c-beta", "", "d2")
        assert len(state.asked[0].disputes) == 2
        assert len(state.asked[0].second_grades) == 1


def test_a_disputed_point_can_be_settled_though_the_judge_was_sure(journal: Journal) -> None:
    with conduct(journal) as service:
        session = answered(service)
        with pytest.raises(BadInputError, match="can dispute the mark"):
            service.reviews.self_assess(session, "question:1", "c-beta", Verdict.MET, "s1")
        service.reviews.dispute(session, "question:1", "c-beta", "", "d1")
        state = service.reviews.self_assess(session, "question:1", "c-beta", Verdict.MET, "s1")
    found = question_finding(state.asked[0])
    assert (found.final, found.self_assessed) == (pytest.approx(2 / 3), 1.0)


def refused(state: State, asked_id: str, criterion_id: str, reason: str = "") -> str:
    with pytest.raises(BadInputError) as told:
        check_dispute(state, asked_id, criterion_id, reason)
    return told.value.message


def test_what_cannot_be_disputed_is_told(journal: Journal) -> None:
    with conduct(journal) as service:
        session = answered(service)
        state = service.state(session)
        assert "No question nobody" in refused(state, "nobody", "c-beta")
        assert "no mark on point c-gamma" in refused(state, "question:1", "c-gamma")
        assert "no mark on point c-beta" in refused(state, "question:2", "c-beta")
        assert "2,001 characters" in refused(state, "question:1", "c-beta", "x" * 2001)
        assert open_to_dispute(state.asked[1], ended=False) == ()
        with pytest.raises(BadInputError):
            service.reviews.dispute(session, "question:1", "c-gamma", "", "d1")
    assert "mark_disputed" not in types(journal, session)


def test_a_flagged_reference_is_no_more_trusted_the_second_time(journal: Journal) -> None:
    flagged = question("leaves", keywords=("alpha",), flags=(ReferenceFlag(kind=FlagKind.WRONG, reason="It is old."),))
    assert flagged.rubric is not None
    derived = flagged.model_copy(update={"rubric": flagged.rubric.model_copy(update={"origin": "derived"})})
    grader = KeywordGrader()
    reader = SecondReader(grader, BagOfWords())
    plan = Plan(question_ids=("leaves",), follow_ups=0)
    with InterviewService(journal, Shelf([derived]), grader, patience_s=None, second_reader=reader) as service:
        session = service.start(plan)
        # The whole answer names it first, so that it is met there; what is nearest to the point denies it.
        service.answer(session, "alpha it is, so I think. The answer names never alpha.", "a1")
        service.advance(session)
        state = service.reviews.dispute(session, "question:1", "c-alpha", "", "d1")
    (second,) = state.asked[0].second_grades
    assert (second.verdict.verdict, second.verdict.waived) == (Verdict.UNSCORED, True)


def test_the_events_read_back(journal: Journal) -> None:
    with conduct(journal) as service:
        session = answered(service)
        service.reviews.dispute(session, "question:1", "c-alpha", "<b>'; drop table events", "d1")
    kept = [event for event in journal.events(session) if isinstance(event, MarkDisputed | DisputeGraded)]
    assert len(kept) == 2
    assert all(EVENT.validate_json(EVENT.dump_json(event)) == event for event in kept)
