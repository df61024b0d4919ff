"""What the judge left open, settled by the person."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from interviewer.engine.service import InterviewService
from interviewer.scoring.self_assessment import left_open, own_verdicts, sample_line, score_with_own, self_assessed
from interviewer.session.events import EVENT, CriterionSelfAssessed, Event, OwnVerdict
from interviewer.session.plan import Plan
from interviewer.session.reducer import fold
from interviewer.session.state import State
from interviewer.storage.sqlite_journal import Journal
from rubric.grading.grader import GradeRequest, score, unscored
from rubric.model import Grade, Verdict
from serving.errors import BadInputError, ProtocolError
from tests.interviewer.builders import KeywordGrader, Shelf, keyword_grade, question

KEYWORDS = ("alpha", "beta", "gamma")
BANK = [question(name, keywords=KEYWORDS, text=f"What about {name}?") for name in ("leaves", "ropes")]
PLAN = Plan(question_ids=("leaves", "ropes"), follow_ups=0)


class DoubtfulGrader(KeywordGrader):
    """Sure of the first criterion, unsure of the second; the third it cannot judge."""

    def grade(self, request: GradeRequest) -> Grade:
        if "unreadable" in request.answer:
            raise ProtocolError("The server answered with nothing we understand.")
        grade = keyword_grade(request)
        first, second, third = request.rubric.criteria
        verdicts = (
            grade.verdict(first.id),
            grade.verdict(second.id).model_copy(update={"sure": False}),
            unscored(third, "no odds came"),
        )
        return grade.model_copy(update={"criteria": verdicts, "score": score(request.rubric, verdicts)})


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path / "journal.db") as opened:
        yield opened


@pytest.fixture
def service(journal: Journal) -> Iterator[InterviewService]:
    with InterviewService(journal, Shelf(BANK), DoubtfulGrader(), patience_s=None) as made:
        yield made


def answered(service: InterviewService, text: str = "alpha beta") -> str:
    """An interview whose first question is closed and graded, and whose second is open."""
    session = service.start(PLAN)
    service.answer(session, text, "a1")
    service.advance(session)
    return session


def own(state: State) -> dict[str, OwnVerdict]:
    return own_verdicts(state.asked[0])


def test_what_the_judge_left_open_can_be_settled_and_the_latest_verdict_counts(service: InterviewService) -> None:
    session = answered(service)
    assert [verdict.id for verdict in left_open(service.state(session).asked[0])] == ["c-beta", "c-gamma"]
    service.reviews.self_assess(session, "question:1", "c-beta", Verdict.MISSING, "s1")
    service.reviews.self_assess(session, "question:1", "c-gamma", Verdict.CONTRADICTED, "s2")
    state = service.reviews.self_assess(session, "question:1", "c-beta", Verdict.PARTIAL, "s3")
    assert own(state) == {"c-beta": Verdict.PARTIAL, "c-gamma": Verdict.CONTRADICTED}
    assert score_with_own(state.asked[0]) == pytest.approx((3 * 1.0 + 2 * 0.5) / 6)
    assert state.asked[0].grades[-1].grade.score is None


def test_a_request_repeated_changes_nothing(service: InterviewService, journal: Journal) -> None:
    session = answered(service)
    service.reviews.self_assess(session, "question:1", "c-beta", Verdict.MET, "s1")
    service.reviews.self_assess(session, "question:1", "c-beta", Verdict.MISSING, "s2")
    state = service.reviews.self_assess(session, "question:1", "c-beta", Verdict.MET, "s1")
    assert own(state) == {"c-beta": Verdict.MISSING}
    assert sum(event.type == "criterion_self_assessed" for event in journal.events(session)) == 2


@pytest.mark.parametrize(
    ("asked", "criterion", "verdict", "why"),
    [
        ("question:1", "c-alpha", Verdict.MET, "sure of it"),
        ("question:1", "c-omega", Verdict.MET, "no point c-omega"),
        ("question:2", "c-beta", Verdict.MET, "still open"),
        ("question:9", "c-beta", Verdict.MET, "No question question:9"),
        ("question:1", "c-beta", Verdict.UNSCORED, "cannot be unscored"),
        ("question:1", "c-beta", "splendid", "cannot be splendid"),
    ],
)
def test_what_cannot_be_settled_is_refused_and_nothing_stored(
    service: InterviewService, journal: Journal, asked: str, criterion: str, verdict: OwnVerdict, why: str
) -> None:
    session = answered(service)
    before = journal.events(session)
    with pytest.raises(BadInputError, match=why):
        service.reviews.self_assess(session, asked, criterion, verdict, "s1")
    assert journal.events(session) == before


def test_an_answer_without_a_mark_is_not_settled(service: InterviewService) -> None:
    session = answered(service, "unreadable")
    assert left_open(service.state(session).asked[0]) == ()
    with pytest.raises(BadInputError, match="Not all you said"):
        service.reviews.self_assess(session, "question:1", "c-beta", Verdict.MET, "s1")


def test_ending_the_interview_opens_its_last_question_to_settling(service: InterviewService) -> None:
    plan = PLAN.model_copy(update={"follow_ups": 1})
    session = service.start(plan)
    service.answer(session, "beta", "a1")
    state = service.advance(session)
    assert state.current is not None, "the missing alpha is drilled"
    with pytest.raises(BadInputError, match="still open"):
        service.reviews.self_assess(session, "question:1", "c-beta", Verdict.MET, "s1")
    service.end(session, "e")
    assert own(service.reviews.self_assess(session, "question:1", "c-beta", Verdict.MET, "s1")) == {
        "c-beta": Verdict.MET
    }


def test_a_waived_criterion_is_not_settled(service: InterviewService, journal: Journal) -> None:
    session = answered(service)
    events = [_waived(event) for event in journal.events(session)]
    assert [verdict.id for verdict in left_open(fold(events).asked[0])] == ["c-beta"]


def _waived(event: Event) -> Event:
    if event.type != "answer_graded":
        return event
    *kept, last = event.grade.criteria
    grade = event.grade.model_copy(update={"criteria": (*kept, last.model_copy(update={"waived": True}))})
    return event.model_copy(update={"grade": grade})


def test_settling_does_not_move_the_interview(service: InterviewService) -> None:
    session = answered(service)
    before = service.state(session).asked[1]
    assert service.reviews.self_assess(session, "question:1", "c-beta", Verdict.MET, "s1").asked[1] == before


def test_samples_hold_what_was_judged_and_by_whom(service: InterviewService, journal: Journal) -> None:
    session = answered(service, "alpha, perhaps beta")
    service.reviews.self_assess(session, "question:1", "c-gamma", Verdict.MISSING, "s1")
    service.reviews.self_assess(session, "question:1", "c-beta", Verdict.MET, "s2")
    samples = self_assessed(journal.events(session))
    assert [(sample.criterion.id, sample.verdict) for sample in samples] == [
        ("c-beta", Verdict.MET),
        ("c-gamma", Verdict.MISSING),
    ]
    row = json.loads(sample_line(samples[0]))
    assert row.pop("engine") == samples[0].engine.model_dump(mode="json")
    assert samples[0].engine.judge == "keywords/1"
    assert row == {
        "question_id": "leaves",
        "question": "What about leaves?",
        "criterion": {"id": "c-beta", "text": "The answer names beta.", "weight": 2.0},
        "answer": "alpha, perhaps beta",
        "verdict": "met",
        "credit": 1.0,
        "judged": {"credit": 0.5, "verdict": "partial", "sure": False, "contradicted": 0.0, "reason": ""},
    }


def test_an_interview_without_any_has_no_samples(service: InterviewService, journal: Journal) -> None:
    assert self_assessed(journal.events(answered(service))) == ()


def test_the_event_reads_back_from_its_json(service: InterviewService, journal: Journal) -> None:
    session = answered(service)
    service.reviews.self_assess(session, "question:1", "c-beta", Verdict.PARTIAL, "s1")
    event = journal.events(session)[-1]
    assert isinstance(event, CriterionSelfAssessed)
    assert EVENT.validate_json(EVENT.dump_json(event)) == event
    assert event.verdict is Verdict.PARTIAL
