"""The fold over the journal and what it says comes next."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.policy.actions import (
    AskFollowUp,
    AskQuestion,
    CloseQuestion,
    EndInterview,
    GradeAnswer,
    Listen,
    Nothing,
    ReturnTo,
    ShowCriterion,
)
from interviewer.policy.next_action import next_action
from interviewer.session.events import (
    AnswerDeclined,
    AnswerGiven,
    AnswerGraded,
    CorrectionRaised,
    CriterionShown,
    Event,
    FollowUpAsked,
    GradingFailed,
    HintGiven,
    InterviewEnded,
    InterviewStarted,
    NearestWords,
    QuestionAsked,
    QuestionClosed,
    QuestionRepeated,
    QuestionReturned,
    QuestionSkipped,
    ReturnWished,
)
from interviewer.session.follow_up_kinds import FollowUpKind
from interviewer.session.plan import Mode, Plan
from interviewer.session.queries import asked_by_id, planned_length, said_so_far, ungraded
from interviewer.session.reducer import fold
from interviewer.session.state import State
from rubric.grading.grader import GradeRequest
from tests.interviewer.builders import at, keyword_grade, question

Q = question("q", keywords=("alpha", "beta"))
PLAN = Plan(length=2, follow_ups=1)
STARTED = InterviewStarted(id="s", at=at(0), plan=PLAN)
ASKED = QuestionAsked(id="question:1", at=at(1), number=1, question=Q, said="What is q?")


def answer(name: str, text: str, when: float, follow_up: str | None = None) -> AnswerGiven:
    return AnswerGiven(id=name, at=at(when), asked_id=ASKED.id, follow_up_id=follow_up, text=text)


def graded(answer_id: str, text: str, when: float) -> AnswerGraded:
    assert Q.rubric is not None
    grade = keyword_grade(GradeRequest(question="", reference="", rubric=Q.rubric, answer=text))
    return AnswerGraded(
        id=f"{answer_id}:graded",
        at=at(when),
        asked_id=ASKED.id,
        answer_id=answer_id,
        graded_text=text,
        grade=grade,
    )


def follow_up(when: float, criterion: str = "c-beta") -> FollowUpAsked:
    return FollowUpAsked(
        id="question:1:follow-up:1",
        at=at(when),
        asked_id=ASKED.id,
        kind=FollowUpKind.MISSING,
        criterion_id=criterion,
        said="And?",
    )


def failed(answer_id: str, when: float) -> GradingFailed:
    return GradingFailed(id=f"{answer_id}:failed", at=at(when), asked_id=ASKED.id, answer_id=answer_id, reason="gone")


def test_before_the_first_event_nothing_is_to_be_done() -> None:
    assert fold([]) == State()
    assert next_action(State()) == Nothing()


def test_the_first_question_is_asked_at_once() -> None:
    assert next_action(fold([STARTED])) == AskQuestion(number=1)


def test_after_a_question_it_is_the_persons_turn() -> None:
    hint = HintGiven(id="h", at=at(2), asked_id=ASKED.id, said="Think.")
    again = QuestionRepeated(id="r", at=at(3), asked_id=ASKED.id, said="Again.")
    assert next_action(fold([STARTED, ASKED])) == Listen()
    assert next_action(fold([STARTED, ASKED, hint, again])) == Listen()
    assert fold([STARTED, ASKED, hint]).asked[0].hinted


def test_an_answer_is_graded_and_what_is_missing_drilled() -> None:
    events: list[Event] = [STARTED, ASKED, answer("a", "alpha", 2)]
    assert next_action(fold(events)) == GradeAnswer(asked_id=ASKED.id, answer_id="a")
    events.append(graded("a", "alpha", 3))
    assert next_action(fold(events)) == AskFollowUp(asked_id=ASKED.id, kind=FollowUpKind.MISSING, criterion_id="c-beta")
    events.append(follow_up(4))
    assert next_action(fold(events)) == Listen()
    events.append(answer("b", "beta", 5, "question:1:follow-up:1"))
    assert next_action(fold(events)) == GradeAnswer(asked_id=ASKED.id, answer_id="b")
    events.append(graded("b", "alpha\n\nbeta", 6))
    assert next_action(fold(events)) == CloseQuestion(asked_id=ASKED.id)
    events.append(QuestionClosed(id="question:1:closed", at=at(7), asked_id=ASKED.id))
    assert next_action(fold(events)) == AskQuestion(number=2)


def test_a_full_answer_gets_no_follow_up() -> None:
    events: list[Event] = [STARTED, ASKED, answer("a", "alpha beta", 2), graded("a", "alpha beta", 3)]
    assert next_action(fold(events)) == CloseQuestion(asked_id=ASKED.id)


def test_while_the_mark_is_to_come_a_question_goes_further_once() -> None:
    plan = PLAN.model_copy(update={"follow_ups": 3, "depth": True})
    asked = ASKED.model_copy(update={"question": Q.model_copy(update={"follow_on": "And then?"})})
    near = tuple(NearestWords(criterion_id=name, span=(0, 4), likeness=0.7) for name in ("c-alpha", "c-beta"))

    def late(name: str, when: float) -> GradingFailed:
        return failed(name, when).model_copy(update={"late": True, "nearest": near})

    begun: list[Event] = [STARTED.model_copy(update={"plan": plan}), asked, answer("a", "alpha", 2), late("a", 3)]
    first = next_action(fold(begun))
    assert isinstance(first, AskFollowUp)
    assert first.kind is FollowUpKind.DEPTH
    further = follow_up(4, first.criterion_id).model_copy(update={"kind": FollowUpKind.DEPTH})
    events = [*begun, further, answer("b", "beta", 5, further.id), late("b", 6)]
    second = next_action(fold(events))
    assert isinstance(second, AskFollowUp)
    assert second.kind is FollowUpKind.UNSURE
    shallow = [STARTED.model_copy(update={"plan": plan.model_copy(update={"depth": False})}), *begun[1:]]
    only = next_action(fold(shallow))
    assert isinstance(only, AskFollowUp)
    assert only.kind is FollowUpKind.UNSURE


def test_a_failed_grading_lets_the_interview_go_on_and_stays_due() -> None:
    events: list[Event] = [STARTED, ASKED, answer("a", "alpha", 2), failed("a", 3)]
    state = fold(events)
    assert next_action(state) == AskFollowUp(asked_id=ASKED.id, kind=FollowUpKind.UNGRADED, criterion_id="c-alpha")
    assert [due.id for due in ungraded(state)] == ["a"]
    late = fold([*events, follow_up(4), graded("a", "alpha", 9)])
    assert ungraded(late) == ()
    assert late.asked[0].failures == ()
    assert next_action(late) == Listen()


def test_a_mark_after_the_end_still_counts() -> None:
    ended = InterviewEnded(id="e", at=at(5), reason="ended by the person")
    state = fold([STARTED, ASKED, answer("a", "alpha", 2), ended, graded("a", "alpha", 9)])
    assert [grade.answer_id for grade in state.asked[0].grades] == ["a"]
    assert next_action(state) == Nothing()


def test_grades_come_in_the_order_of_their_answers() -> None:
    events: list[Event] = [
        STARTED,
        ASKED,
        answer("a", "alpha", 2),
        failed("a", 3),
        follow_up(4),
        answer("b", "beta", 5),
        graded("b", "alpha\n\nbeta", 6),
        graded("a", "alpha", 7),
    ]
    grades = fold(events).asked[0].grades
    assert [grade.answer_id for grade in grades] == ["a", "b"]
    assert [grade.grade.score for grade in grades] == [pytest.approx(2 / 3), pytest.approx(1.0)]


def test_a_skipped_question_is_closed_whatever_is_ungraded() -> None:
    skipped = QuestionSkipped(id="k", at=at(3), asked_id=ASKED.id)
    state = fold([STARTED, ASKED, answer("a", "alpha", 2), skipped])
    assert next_action(state) == CloseQuestion(asked_id=ASKED.id)
    assert [due.id for due in ungraded(state)] == ["a"]


def test_the_interview_ends_when_the_plan_is_done() -> None:
    one = STARTED.model_copy(update={"plan": Plan(length=1)})
    closed = QuestionClosed(id="x", at=at(2), asked_id=ASKED.id)
    assert next_action(fold([one, ASKED, closed])) == EndInterview()


def test_named_questions_decide_the_length() -> None:
    assert planned_length(Plan(length=9, question_ids=("a", "b", "a"))) == 2


def test_said_so_far_joins_answers_by_a_blank_line() -> None:
    state = fold([STARTED, ASKED, answer("a", "one", 2), answer("b", "two", 3), answer("c", "three", 4)])
    assert said_so_far(state.asked[0], "b") == "one\n\ntwo"
    with pytest.raises(KeyError):
        said_so_far(state.asked[0], "z")


def test_events_about_unknown_questions_are_left_out() -> None:
    stray = AnswerGiven(id="a", at=at(2), asked_id="question:7", text="lost")
    assert fold([STARTED, ASKED, stray]) == fold([STARTED, ASKED])


def test_an_id_counts_once() -> None:
    other = answer("a", "something else", 3)
    state = fold([STARTED, ASKED, answer("a", "alpha", 2), other])
    assert [given.text for given in state.asked[0].answers] == ["alpha"]


_FLAG = st.booleans()
_ASKED_IDS = st.sampled_from(["question:1", "question:2", "question:9"])
_ANSWERS = st.sampled_from(["a1", "a2", "a3", "a4"])


def _events_with(fields: dict[str, Any]) -> st.SearchStrategy[Any]:
    about = {"asked_id": _ASKED_IDS, **fields}
    return st.one_of(
        st.builds(AnswerGiven, id=_ANSWERS, text=st.sampled_from(["alpha", "beta"]), unfinished=st.booleans(), **about),
        st.builds(
            lambda asked_id, answer_id, at: graded(answer_id, "alpha", 0).model_copy(
                update={"asked_id": asked_id, "at": at}
            ),
            answer_id=_ANSWERS,
            **about,
        ),
        st.builds(GradingFailed, id=st.just("f"), answer_id=_ANSWERS, reason=st.just("gone"), **about),
        st.builds(
            FollowUpAsked,
            id=st.sampled_from(["f1", "f2"]),
            kind=st.sampled_from(FollowUpKind),
            criterion_id=st.sampled_from(["c-alpha", "c-beta", "c-none"]),
            said=st.just("?"),
            **about,
        ),
        st.builds(HintGiven, id=st.just("h"), said=st.just("!"), **about),
        st.builds(
            AnswerDeclined,
            id=st.sampled_from(["d1", "d2", "d3"]),
            follow_up_id=st.sampled_from([None, "f1"]),
            criterion_id=st.sampled_from(["", "c-alpha", "c-none"]),
            words=st.just("no idea"),
            said=st.just("!"),
            **about,
        ),
        st.builds(
            CriterionShown,
            id=st.sampled_from(["w1", "w2"]),
            criterion_id=st.sampled_from(["c-alpha", "c-none"]),
            said=st.just("!"),
            **about,
        ),
        st.builds(
            QuestionSkipped,
            id=st.sampled_from(["k1", "k2"]),
            later=st.booleans(),
            back_to=st.sampled_from(["", "question:1", "question:9"]),
            **about,
        ),
        st.builds(
            ReturnWished,
            id=st.sampled_from(["b1", "b2"]),
            to_id=_ASKED_IDS,
            said=st.just("!"),
            **{**about, "asked_id": st.sampled_from(["question:1", "question:2", None])},
        ),
        st.builds(
            QuestionReturned,
            id=st.sampled_from(["question:1:returned", "question:2:returned"]),
            said=st.just("?"),
            last_word=st.booleans(),
            **about,
        ),
        st.builds(CorrectionRaised, id=st.just("m"), words=st.just("wrong"), said=st.just("?"), **about),
        st.builds(QuestionClosed, id=st.sampled_from(["x1", "x2", "x3"]), **about),
        st.builds(InterviewEnded, id=st.just("e"), reason=st.just("completed"), at=fields["at"]),
        st.builds(
            lambda at, plan: STARTED.model_copy(update={"at": at, "plan": plan}),
            at=fields["at"],
            plan=st.builds(
                Plan,
                length=st.just(2),
                follow_ups=st.integers(0, 3),
                depth=_FLAG,
                drill=_FLAG,
                mode=st.sampled_from(Mode),
                minutes=st.sampled_from([None, 30]),
            ),
        ),
        st.builds(
            lambda number, at: ASKED.model_copy(update={"id": f"question:{number}", "number": number, "at": at}),
            number=st.integers(1, 2),
            at=fields["at"],
        ),
    )


_JOURNALS = st.lists(
    _events_with({"at": st.integers(0, 10_000).map(at)}), max_size=25, unique_by=lambda event: event.at
)


@given(_JOURNALS, st.randoms(use_true_random=False))
def test_any_order_and_any_duplicates_give_one_state(events: list[Event], rng: random.Random) -> None:
    mixed = [*events, *rng.sample(events, k=len(events) // 2)]
    rng.shuffle(mixed)
    assert fold(mixed) == fold(events)


@given(_JOURNALS)
def test_fold_and_next_action_are_total_and_never_loop_on_what_is_done(events: list[Event]) -> None:
    state = fold(events)
    action = next_action(state)
    if isinstance(action, GradeAnswer):
        assert action.answer_id in {due.id for due in ungraded(state)}
    if isinstance(action, AskFollowUp):
        assert state.current is not None
        assert action.criterion_id not in {done.criterion_id for done in state.current.follow_ups}
    if isinstance(action, ShowCriterion):
        assert state.current is not None
        assert action.criterion_id not in {done.criterion_id for done in state.current.shown}
    if isinstance(action, ReturnTo):
        back = asked_by_id(state, action.asked_id)
        assert state.current is None
        assert back.closed
        assert back.returned is None
        assert back.asked_id in state.returns or back.later
    if state.ended is not None:
        assert action == Nothing()


@given(_JOURNALS, st.integers(0, 25))
def test_what_was_said_is_never_lost_by_later_events(events: list[Event], cut: int) -> None:
    ordered = sorted(events, key=lambda event: event.at)

    def given_ids(state: State) -> set[str]:
        return {answer.id for asked in state.asked for answer in asked.answers}

    assert given_ids(fold(ordered[:cut])) <= given_ids(fold(ordered))


def test_a_mark_of_an_answer_that_was_never_given_is_left_out() -> None:
    held = question("q1")
    asked = QuestionAsked(id="question:1", at=at(1), number=1, question=held, said="?")
    grade = keyword_grade(GradeRequest(question=held.text, rubric=held.rubric, answer="alpha"))
    fields = {"asked_id": "question:1", "graded_text": "alpha", "grade": grade}
    stray = AnswerGraded(id="x:graded", at=at(3), answer_id="x", **fields)
    given = AnswerGiven(id="a", at=at(2), asked_id="question:1", text="alpha")
    own = AnswerGraded(id="a:graded", at=at(4), answer_id="a", **fields)
    (alone,) = fold([asked, stray]).asked
    assert [turn.id for turn in alone.turns] == ["question:1"]
    (whole,) = fold([asked, given, stray, own]).asked
    assert [turn.id for turn in whole.turns] == ["question:1", "a", "a:graded"]
