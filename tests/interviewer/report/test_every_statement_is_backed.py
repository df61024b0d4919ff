"""Walks a report and finds the event behind each thing it says about the person; every figure is worked out anew.

Nothing of the report's own code is used to do so: only the events, as the journal holds them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from interviewer.report.analysis.findings import findings
from interviewer.report.phrases.calibration import sentence
from interviewer.report.schema.findings import Findings
from interviewer.report.schema.question import QuestionFinding, Quote
from interviewer.scoring.outcomes import AssistanceLevel, CriterionOutcome
from interviewer.session.events import (
    AnswerGiven,
    AnswerGraded,
    ConfidenceStated,
    Event,
    FollowUpAsked,
    HintGiven,
    PersonSpoke,
    QuestionAsked,
    SegmentOpened,
)
from interviewer.session.plan import Confidence
from rubric.model import AskedBy, Grade, Verdict
from serving.frozen import FrozenModel
from tests.interviewer.report.hour import QUESTIONS, hour
from tests.interviewer.report.sample_session import telling

EVENTS: dict[str, list[Event]] = {
    "an hour": hour().events,
    "without code": hour({name: marks for name, marks in QUESTIONS.items() if "vmap" not in name}).events,
    "a short one": telling().events,
}


@pytest.fixture(scope="module", params=list(EVENTS))
def told(request: pytest.FixtureRequest) -> tuple[list[Event], Findings]:
    from interviewer.session.reducer import fold

    events = EVENTS[request.param]
    return events, findings("s1", fold(events))


def walk(value: object) -> Iterator[FrozenModel]:
    """Every model within a model."""
    if isinstance(value, FrozenModel):
        yield value
        for name in type(value).model_fields:
            yield from walk(getattr(value, name))
    elif isinstance(value, tuple):
        for item in value:
            yield from walk(item)


def last_grade(events: list[Event], question: QuestionFinding) -> AnswerGraded | None:
    grades = [event for event in events if isinstance(event, AnswerGraded) and event.asked_id == question.asked_id]
    return grades[-1] if grades else None


def test_every_quotation_stands_in_an_answer_letter_for_letter(told: tuple[list[Event], Findings]) -> None:
    events, found = told
    answers = {event.id: event.text for event in events if isinstance(event, AnswerGiven)}
    quotes = [item for item in walk(found) if isinstance(item, Quote)]
    assert len(quotes) > 10
    for quote in quotes:
        assert answers[quote.answer_id][quote.start : quote.end] == quote.text != ""


def test_each_marked_sentence_of_a_reference_stands_there_and_its_mark_is_the_points(
    told: tuple[list[Event], Findings],
) -> None:
    _, found = told
    marked = [(question, part) for question in found.questions for part in question.reference_sentences]
    assert {part.made for _, part in marked} == {True, False}
    for question, part in marked:
        text = question.reference[part.start : part.end]
        assert text == text.strip() != ""
        points = [point for point in question.criteria if point.number in part.numbers]
        assert len(points) == len(part.numbers) > 0
        credited = all(
            point.settled is Verdict.MET and (point.decided or (point.credit or 0) >= 0.75) for point in points
        )
        assert part.made is (credited or all(point.contested for point in points))


def test_each_strength_and_gap_is_a_verdict_that_the_judge_was_sure_of(told: tuple[list[Event], Findings]) -> None:
    events, found = told
    by_asked = {question.asked_id: question for question in found.questions}
    assert found.strengths
    assert found.gaps
    for items, allowed in (
        (found.strengths, {Verdict.MET}),
        (found.gaps, {Verdict.MISSING, Verdict.PARTIAL, Verdict.CONTRADICTED}),
    ):
        for item in items:
            graded = last_grade(events, by_asked[item.asked_id])
            assert graded is not None
            verdict = graded.grade.verdict(item.criterion_id)
            assert verdict.sure
            assert verdict.verdict is item.verdict
            assert item.verdict in allowed
            assert item.quotes
    assert found.fix is not None
    assert found.fix.criterion_id == found.fix_first[0].criterion_id


def code_credit(events: list[Event], asked_id: str) -> float | None:
    """What the last submission earned, by the rule that the report tells."""
    runs = [event for event in events if event.type == "code_ran" and event.asked_id == asked_id and event.submitted]
    if not runs:
        return None
    tests = runs[-1].result.tests
    passed = sum(test.status == "passed" for test in tests)
    return 1.0 if passed == len(tests) else 0.5 * passed / len(tests)


def said_of(events: list[Event], asked_id: str, grade: Grade) -> float:
    """The mean credit of a grade, without the points that are missing and that nobody asked for."""
    asked = next(event for event in events if isinstance(event, QuestionAsked) and event.id == asked_id)
    assert asked.question.rubric is not None
    probed = {getattr(event, "criterion_id", "") for event in events if getattr(event, "asked_id", "") == asked_id}
    pairs = [
        (verdict, point)
        for verdict, point in zip(grade.criteria, asked.question.rubric.criteria, strict=True)
        if verdict.verdict is not Verdict.MISSING or point.asked_by is AskedBy.OPENING or point.id in probed
    ]
    return sum((verdict.credit or 0.0) * point.weight for verdict, point in pairs) / sum(p.weight for _, p in pairs)


def final_of(events: list[Event], question: QuestionFinding) -> float | None:
    """The score of all that was said, out of the credits and weights in the events."""
    answers = [event for event in events if isinstance(event, AnswerGiven) and event.asked_id == question.asked_id]
    skips = [event for event in events if event.type == "question_skipped" and event.asked_id == question.asked_id]
    if skips and not answers:
        return 0.0
    graded = last_grade(events, question)
    if not answers or graded is None or graded.answer_id != answers[-1].id:
        return None
    said = said_of(events, question.asked_id, graded.grade)
    code = code_credit(events, question.asked_id)
    return said if code is None else 0.5 * said + 0.5 * code


def test_every_score_is_that_of_the_events(told: tuple[list[Event], Findings]) -> None:
    events, found = told
    minutes = {event.id: event.question.minutes for event in events if isinstance(event, QuestionAsked)}
    finals = {question.asked_id: final_of(events, question) for question in found.questions}
    for question in found.questions:
        assert question.final == (
            None if finals[question.asked_id] is None else pytest.approx(finals[question.asked_id], abs=5e-5)
        )
    for tally, names in [
        (found.overall, list(finals)),
        *((topic, [q.asked_id for q in found.questions if q.topic == topic.topic]) for topic in found.topics),
    ]:
        scored = [(finals[name], minutes[name]) for name in names if finals[name] is not None]
        answered = {event.asked_id for event in events if isinstance(event, AnswerGiven)}
        graded = [name for name in names if finals[name] is not None and name in answered]
        assert (tally.asked, tally.graded) == (len(names), len(graded))
        if tally.graded:
            mean = sum((score or 0.0) * length for score, length in scored) / sum(length for _, length in scored)
            assert tally.final == pytest.approx(mean, abs=5e-5)
        else:
            assert tally.final is None
    assert found.standing is not None
    assert found.standing.score == found.overall.final
    named = {*found.standing.strong_on, *found.standing.not_ready_on}
    assert named <= {topic.topic for topic in found.topics if topic.final is not None}


def test_what_was_met_unaided_was_met_before_any_help(told: tuple[list[Event], Findings]) -> None:
    events, found = told
    seen = set()
    for question in found.questions:
        helped = False
        met_at: dict[str, bool] = {}
        for event in events:
            if getattr(event, "asked_id", None) != question.asked_id:
                continue
            if isinstance(event, FollowUpAsked | HintGiven):
                helped = True
            if isinstance(event, AnswerGraded):
                for verdict in event.grade.criteria:
                    if verdict.verdict is Verdict.MET:
                        met_at.setdefault(verdict.id, helped)
        for criterion in question.criteria:
            seen.add(criterion.reached)
            if criterion.reached is AssistanceLevel.UNAIDED:
                assert met_at[criterion.id] is False
            if criterion.reached in {AssistanceLevel.AFTER_FOLLOW_UP, AssistanceLevel.AFTER_HINT}:
                assert met_at[criterion.id] is True
    assert {AssistanceLevel.UNAIDED, AssistanceLevel.AFTER_FOLLOW_UP, AssistanceLevel.NOT_MET} <= seen


def test_what_a_follow_up_is_said_to_have_gained_was_graded_better_after_it(
    told: tuple[list[Event], Findings],
) -> None:
    events, found = told
    order = {event.id: at for at, event in enumerate(events)}
    worth = {Verdict.CONTRADICTED: 0, Verdict.MISSING: 0, Verdict.PARTIAL: 1, Verdict.MET: 2}
    helped = 0
    for question in found.questions:
        grades = [e for e in events if isinstance(e, AnswerGraded) and e.asked_id == question.asked_id]
        names = {criterion.number: criterion.id for criterion in question.criteria}
        for turn in question.transcript:
            event = events[order[turn.event_id]]
            said = getattr(event, "text", None) or getattr(event, "said", "")
            assert event.type == "code_ran" or turn.text == said
            if turn.outcome is not CriterionOutcome.HELPED:
                assert turn.gained == ()
                continue
            helped += 1
            before = [grade for grade in grades if order[grade.id] < order[turn.event_id]][-1]
            after = next(grade for grade in grades if order[grade.id] > order[turn.event_id])
            for number in turn.gained:
                was, is_now = (grade.grade.verdict(names[number]).verdict for grade in (before, after))
                assert worth[is_now] > worth[was]
    assert helped


EXPECTED = {
    Confidence.GUESS: ("called {} a guess", 0.25),
    Confidence.RATHER_UNSURE: ("were not very sure of {}", 0.5),
    Confidence.RATHER_SURE: ("were fairly sure of {}", 0.75),
    Confidence.SURE: ("were sure of {}", 0.95),
}


def earned_of(events: list[Event], answer: AnswerGiven) -> float | None:
    """What an answer earned by the rule that the report tells."""
    graded = next((e.grade for e in events if isinstance(e, AnswerGraded) and e.answer_id == answer.id), None)
    drilled = [e.criterion_id for e in events if isinstance(e, FollowUpAsked) and e.id == answer.follow_up_id]
    if graded is None:
        return None
    return graded.verdict(drilled[0]).credit if drilled else said_of(events, answer.asked_id, graded)


def test_how_sure_somebody_was_is_what_they_said_and_what_it_earned_is_what_was_graded(
    told: tuple[list[Event], Findings],
) -> None:
    events, found = told
    answers = {event.id: event for event in events if isinstance(event, AnswerGiven)}
    said = {event.answer_id: event.level for event in events if isinstance(event, ConfidenceStated)}
    earned = {level: [] for level in EXPECTED}  # type: dict[Confidence, list[float]]
    for answer_id, level in said.items():
        mark = earned_of(events, answers[answer_id])
        if mark is not None:
            earned[level].append(mark)
    if sum(map(len, earned.values())) < 3:
        assert found.confidence is None
        return
    assert found.confidence is not None
    given = {level: marks for level, marks in earned.items() if marks}
    assert {level.level: level.answers for level in found.confidence.levels} == {
        level: len(marks) for level, marks in given.items()
    }
    sums = {level: abs(EXPECTED[level][1] * len(marks) - sum(marks)) for level, marks in given.items()}
    told_of = max(sums, key=lambda level: sums[level])
    if len(given[told_of]) == 1:
        marks = [mark for own in given.values() for mark in own]
        stated = sum(EXPECTED[level][1] * len(own) for level, own in given.items()) / len(marks)
        earned = round(100 * sum(marks) / len(marks))
        expected = f"you expected {round(100 * stated)} of 100 on average and earned {earned}."
        assert sentence(found.confidence) == f"For {len(marks)} answers, {expected}"
        return
    mean = sum(given[told_of]) / len(given[told_of])
    said = EXPECTED[told_of][0].format(f"{len(given[told_of])} answers?")
    assert re.fullmatch(
        rf"You {said}; they earned {round(100 * mean)} of 100 on average\.",
        sentence(found.confidence),
    )


def test_what_was_said_in_the_parts_without_marks_is_what_was_said(told: tuple[list[Event], Findings]) -> None:
    events, found = told
    spoken = [event.text for event in events if isinstance(event, PersonSpoke)]
    turns = [turn for talk in found.talks for turn in talk.transcript]
    assert [turn.text for turn in turns if turn.speaker == "person"] == spoken
    assert sum(isinstance(event, SegmentOpened) for event in events) == len(found.talks)


def test_the_time_is_that_between_the_first_and_the_last_word(told: tuple[list[Event], Findings]) -> None:
    events, found = told
    first = next(event.at for event in events if isinstance(event, QuestionAsked))
    assert found.seconds == (events[-1].at - first).total_seconds()
    assert not re.search(r"\bnan\b", found.model_dump_json(exclude={"questions"}))
