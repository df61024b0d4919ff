"""Carries out what the policy decides: asks questions, opens and closes segments, has answers graded."""

from __future__ import annotations

from datetime import datetime

from interviewer.dialogue import interpretation, kept_questions, return_requests, ungraded_segments, utterances
from interviewer.engine.follow_up_effects import FollowUpEffects
from interviewer.engine.grading_coordinator import GradingCoordinator
from interviewer.engine.passages.passages import Passages
from interviewer.engine.ports import Verifier
from interviewer.engine.question_supply import QuestionSupply
from interviewer.engine.session_store import OpenSession
from interviewer.policy import question_returns
from interviewer.policy.actions import (
    Action,
    AskFollowUp,
    AskQuestion,
    CloseQuestion,
    CloseSegment,
    EndInterview,
    GradeAnswer,
    OpenSegment,
    Reply,
    ReturnTo,
    ShowCriterion,
)
from interviewer.policy.next_action import MOST_REPLIES, ending_part, next_action
from interviewer.session.clock import is_over
from interviewer.session.events import (
    CriterionShown,
    Event,
    InterviewEnded,
    InterviewerReplied,
    QuestionAsked,
    QuestionClosed,
    SegmentClosed,
    SegmentOpened,
)
from interviewer.session.plan import Plan, SegmentKind
from interviewer.session.queries import asked_by_id, planned_length, require_plan
from interviewer.session.state import AskedQuestion, State
from interviewer.understanding.intent import ANSWERS
from interviewer.understanding.intent_classifier import intent_of
from knowledge.model import Question
from serving import traces
from serving.errors import StorageError

ENDED_ID = "interview:ended"
"""Id of the end that no person asked for."""


class EffectRunner:
    """Carries out the policy's actions until it is the person's turn.

    Args:
        passages: answers the person's own questions.
        supply: chooses questions.
        coordinator: has answers graded, and is told of a question before it is asked.
        verifier: is told of a coding question; ``None`` where no code is run.
        follow_ups: makes follow-ups.

    """

    def __init__(
        self,
        passages: Passages,
        supply: QuestionSupply,
        coordinator: GradingCoordinator,
        verifier: Verifier | None,
        follow_ups: FollowUpEffects,
    ) -> None:
        self._passages = passages
        self._supply = supply
        self._coordinator = coordinator
        self._verifier = verifier
        self._follow_ups = follow_ups

    def settle(self, session: OpenSession) -> State:
        """Carries out actions until it is the person's turn, or a grade or a wording has to come.

        Returns:
            The state after that.

        Raises:
            ServiceMissingError: topics in the person's own words need the embedder, and it is missing.
            StorageError: the disk refused, or the journal contradicts itself.

        """
        with traces.part("turn.next"):
            return self._settled(session)

    def _settled(self, session: OpenSession) -> State:
        while True:
            state = session.state
            action = next_action(state)
            if isinstance(action, GradeAnswer):
                question = asked_by_id(state, action.asked_id)
                self._coordinator.order(
                    session.id, state, next(a for a in question.answers if a.id == action.answer_id)
                )
                return state
            event = self._event(session, action)
            if event is None:
                return state
            if not session.append(event) and session.state == state:
                raise StorageError(f"Interview {session.id} contradicts itself and cannot go on.")

    def _event(self, session: OpenSession, action: Action) -> Event | None:
        """Returns the event that an action amounts to; ``None`` where nothing is to be done now."""
        match action:
            case AskQuestion(number=number):
                return self._asking(session, number)
            case ReturnTo(asked_id=asked_id):
                return self._returning(session, asked_by_id(session.state, asked_id))
            case AskFollowUp():
                return self._follow_ups.event(session, action)
            case OpenSegment(part=SegmentKind.THEIR_QUESTIONS):
                return self._inviting(session)
            case Reply(part=part, to_id=to_id):
                return self._replying(session, part, to_id)
            case _:
                return _said_by_itself(action, session.state, session.now())

    def _asking(self, session: OpenSession, number: int) -> Event | None:
        state = session.state
        plan = require_plan(state)
        with traces.span("question.choose", {"question.number": number}) as choosing:
            chosen = self._supply.choose(session.id, number, plan, state)
            if chosen is not None:
                choosing.set(traces.QUESTION, chosen.question.id)
        if chosen is None and number > planned_length(plan):
            # There was time for one more, and nothing to ask.
            ending = ending_part(state, plan) or EndInterview(reason="completed")
            return self._event(session, ending)
        if chosen is None:
            back = question_returns.noted(state)
            if back is not None:
                return self._returning(session, back)
            if question_returns.offered(state) is not None:
                return _opening(SegmentKind.WAY_BACK, state, session.now())
            return InterviewEnded(id=ENDED_ID, at=session.now(), reason="no questions left")
        question = _for_so_long(chosen.question, number, plan)
        self._make_ready(question, plan)
        before = state.latest
        after_skip = before is not None and before.skipped
        overran = before is not None and not after_skip and (before.time_called or is_over(before, plan))
        spoken = (said.text for segment in state.segments for said in segment.spoken)
        told = next((text for text in reversed([*spoken]) if intent_of(text) in ANSWERS), "")
        lead_in = ungraded_segments.lead_in(number=number, warmed_up=told, overran=overran, plan=plan)
        later = before is not None and before.later
        same_topic = before is not None and before.question.topic == question.topic
        said = utterances.ask(
            question, number, plan, after_skip=after_skip, later=later, lead_in=lead_in, same_topic=same_topic
        )
        return QuestionAsked(
            id=f"question:{number}", at=session.now(), number=number, question=question, said=said, why=chosen.why
        )

    def _returning(self, session: OpenSession, asked: AskedQuestion) -> Event:
        plan = require_plan(session.state)
        self._make_ready(asked.question, plan)
        return return_requests.question_asked_again(asked, plan, at=session.now())

    def _make_ready(self, question: Question, plan: Plan) -> None:
        """Brings up what grades the answers to a question that is about to be asked, and what runs its code."""
        self._coordinator.prepare(question)
        if question.task is not None and plan.editor and self._verifier is not None:
            self._verifier.prepare(question.task)

    def _inviting(self, session: OpenSession) -> Event:
        """The person's turn to ask begins with what they asked before, when it was put off."""
        opened = _opening(SegmentKind.THEIR_QUESTIONS, session.state, session.now())
        told = [
            kept_questions.taken_up(text, found.said)
            for text, question in kept_questions.kept_questions(session.state)
            if (found := self._passages.on(text, [question])) is not None and found.said
        ]
        return opened.model_copy(update={"said": " ".join([*told, opened.said])}) if told else opened

    def _replying(self, session: OpenSession, part: SegmentKind, to_id: str) -> Event:
        state = session.state
        spoken = state.segments[-1].spoken
        text = next((said.text for said in spoken if said.id == to_id), "")
        event_id = f"{to_id}:reply"
        ready_made = (
            ungraded_segments.in_warm_up(text, require_plan(state))
            if part is SegmentKind.WARM_UP
            else interpretation.reply_in_talk(state, text)
        )
        if ready_made:
            return InterviewerReplied(id=event_id, at=session.now(), part=part, to_id=to_id, said=ready_made)
        asked = [each.question for each in state.asked]
        turn, place, claim = len(spoken) - 1, "", ungraded_segments.doubted(text)
        answers: list[str] = []
        for question in ungraded_segments.questions_in(text):
            found = None if ungraded_segments.is_answered_at_once(question) else self._passages.on(question, asked)
            answers.append(
                ungraded_segments.answer(
                    question,
                    found.said if found else "",
                    turn,
                    look_at=(found.reading or found.title) if found else "",
                    ready=found is not None,
                    first=not answers,
                    claimed=bool(claim),
                    doubts=found is not None and bool(claim) and self._passages.doubts(claim, asked),
                )
            )
            place = place or (found.place if found and found.said else "")
        said = ungraded_segments.replies(answers, turn, last=len(spoken) >= MOST_REPLIES)
        return InterviewerReplied(id=event_id, at=session.now(), part=part, to_id=to_id, said=said, place=place)


def _for_so_long(question: Question, number: int, plan: Plan) -> Question:
    """The question with the minutes that the agenda has for it: what is planned is what is used and told."""
    if plan.question_ids or number > len(plan.agenda):
        return question
    return question.model_copy(update={"minutes": plan.agenda[number - 1].minutes})


def _said_by_itself(action: Action, state: State, at: datetime) -> Event | None:
    """Returns the event of an action that needs nothing but the state."""
    match action:
        case ShowCriterion(asked_id=asked_id, criterion_id=criterion_id):
            return _showing(asked_by_id(state, asked_id), criterion_id, require_plan(state), at)
        case CloseQuestion(asked_id=asked_id):
            again = ":2" if asked_by_id(state, asked_id).returned else ""
            return QuestionClosed(id=f"{asked_id}:closed{again}", at=at, asked_id=asked_id)
        case OpenSegment(part=part):
            return _opening(part, state, at)
        case CloseSegment(part=part):
            return SegmentClosed(id=f"talk:{part.name.lower()}:closed", at=at, part=part)
        case EndInterview(reason=reason):
            return InterviewEnded(id=ENDED_ID, at=at, reason=reason)
        case _:
            return None


def _opening(part: SegmentKind, state: State, at: datetime) -> SegmentOpened:
    plan = require_plan(state)
    said = return_requests.offer(state) if part is SegmentKind.WAY_BACK else ungraded_segments.opening(part, plan)
    if part is SegmentKind.WARM_UP:
        said = f"{utterances.greeting(plan)} {said}"
    return SegmentOpened(id=f"talk:{part.name.lower()}", at=at, part=part, said=said)


def _showing(asked: AskedQuestion, criterion_id: str, plan: Plan, at: datetime) -> Event:
    rubric = asked.question.rubric
    if rubric is None:
        raise StorageError(f"Question {asked.question.id} was stored without its rubric.")
    turn = len(asked.shown)
    return CriterionShown(
        id=f"{asked.asked_id}:shown:{turn + 1}",
        at=at,
        asked_id=asked.asked_id,
        criterion_id=criterion_id,
        said=utterances.show(rubric.criterion(criterion_id), turn, plan.seed),
    )
