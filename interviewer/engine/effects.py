"""What the interviewer puts next, but for follow-ups: questions, the parts without marks, points that are told."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial

from interviewer.dialogue import interpretation, return_requests, ungraded_segments, utterances
from interviewer.engine.grading_coordinator import Marks
from interviewer.engine.ports import Library, Verifier
from interviewer.engine.question_supply import Selection
from interviewer.policy import question_returns
from interviewer.policy.actions import AskQuestion, CloseTalk, OpenTalk, Reply, ReturnTo, ShowCriterion
from interviewer.policy.next_action import MOST_REPLIES
from interviewer.session.clock import is_over
from interviewer.session.events import (
    CriterionShown,
    Event,
    InterviewEnded,
    InterviewerReplied,
    QuestionAsked,
    TalkClosed,
    TalkOpened,
)
from interviewer.session.plan import Part, Plan
from interviewer.session.queries import asked_by_id
from interviewer.session.state import AskedQuestion, State
from knowledge.model import Question
from serving.errors import InterviewerError, StorageError

_log = logging.getLogger(__name__)

ENDED_ID = "interview:ended"
"""Id of the end that no person asked for."""


class Putting:
    """Makes events of what is to be said next; each still wants its time.

    Args:
        library: where questions come from.
        selection: chooses them.
        marks: are told of a question before it is asked.
        verifier: is told of a coding question; ``None`` where no code is run.

    """

    def __init__(self, library: Library, selection: Selection, marks: Marks, verifier: Verifier | None) -> None:
        self._library = library
        self._selection = selection
        self._marks = marks
        self._verifier = verifier

    def event(self, session_id: str, action: object, state: State) -> Callable[..., Event] | None:
        """The event that an action amounts to; ``None`` for an action of another kind.

        Raises:
            ServiceMissingError: topics in words of one's own need the embedder, and it is not there.
            StorageError: the disk refused, or a question was stored without its rubric.

        """
        match action:
            case AskQuestion(number=number):
                return self._asking(session_id, number, state)
            case ReturnTo(asked_id=asked_id):
                return self._returning(asked_by_id(state, asked_id), plan_of(state))
            case ShowCriterion(asked_id=asked_id, criterion_id=criterion_id):
                return _showing(asked_by_id(state, asked_id), criterion_id, plan_of(state))
            case Reply(part=part, to_id=to_id):
                return self._replying(part, to_id, state)
            case _:
                return _opening_or_closing(action, state)

    def _asking(self, session_id: str, number: int, state: State) -> Callable[..., Event]:
        plan = plan_of(state)
        chosen = self._selection.choose(session_id, number, plan, state)
        if chosen is None:
            back = question_returns.noted(state)
            if back is not None:
                return self._returning(back, plan)
            if question_returns.offered(state) is not None:
                return _opening(Part.WAY_BACK, state)
            return partial(InterviewEnded, id=ENDED_ID, reason="no questions left")
        question = chosen.question
        self._make_ready(question, plan)
        before = state.latest
        after_skip = before is not None and before.skipped
        overran = before is not None and not after_skip and (before.time_called or is_over(before, plan))
        lead_in = ungraded_segments.lead_in(number=number, warmed_up=bool(state.talks), overran=overran, seed=plan.seed)
        later = before is not None and before.later
        said = utterances.ask(question, number, plan, after_skip=after_skip, later=later, lead_in=lead_in)
        return partial(
            QuestionAsked, id=f"question:{number}", number=number, question=question, said=said, why=chosen.why
        )

    def _returning(self, asked: AskedQuestion, plan: Plan) -> Callable[..., Event]:
        self._make_ready(asked.question, plan)
        return return_requests.returned(asked, plan)

    def _make_ready(self, question: Question, plan: Plan) -> None:
        """Bring up what grades the answers to a question that is about to be asked, and what runs its code."""
        self._marks.prepare(question)
        if question.task is not None and plan.editor and self._verifier is not None:
            self._verifier.prepare(question.task)

    def _replying(self, part: Part, to_id: str, state: State) -> Callable[..., Event]:
        spoken = state.talks[-1].spoken
        text = next((said.text for said in spoken if said.id == to_id), "")
        replied = partial(InterviewerReplied, id=f"{to_id}:reply", part=part, to_id=to_id)
        ready_made = interpretation.reply_in_talk(state, text)
        if ready_made:
            return partial(replied, said=ready_made)
        ready = self._library.complete
        try:
            hits = self._library.search(text, 1) if ready else []
        except InterviewerError as error:
            _log.warning("nothing could be searched for: %s", error)
            hits = []
        found = next((hit.question for hit in hits if hit.similarity >= ungraded_segments.ON_SUBJECT), None)
        said = ungraded_segments.reply(text, found, len(spoken) - 1, last=len(spoken) >= MOST_REPLIES, ready=ready)
        return partial(replied, said=said, place=found.source.place if found else "")


def plan_of(state: State) -> Plan:
    """The plan of an interview that has begun.

    Raises:
        StorageError: its journal has no beginning.

    """
    if state.plan is None:
        raise StorageError("The interview has no beginning in its journal.")
    return state.plan


def _opening_or_closing(action: object, state: State) -> Callable[..., Event] | None:
    """The beginning and the end of a part in which nothing is graded."""
    match action:
        case OpenTalk(part=part):
            return _opening(part, state)
        case CloseTalk(part=part):
            return partial(TalkClosed, id=f"talk:{part.name.lower()}:closed", part=part)
        case _:
            return None


def _opening(part: Part, state: State) -> Callable[..., Event]:
    plan = plan_of(state)
    said = return_requests.offer(state) if part is Part.WAY_BACK else ungraded_segments.opening(part, plan)
    if part is Part.WARM_UP:
        said = f"{utterances.greeting(plan)} {said}"
    return partial(TalkOpened, id=f"talk:{part.name.lower()}", part=part, said=said)


def _showing(asked: AskedQuestion, criterion_id: str, plan: Plan) -> Callable[..., Event]:
    rubric = asked.question.rubric
    if rubric is None:
        raise StorageError(f"Question {asked.question.id} was stored without its rubric.")
    turn = len(asked.shown)
    return partial(
        CriterionShown,
        id=f"{asked.asked_id}:shown:{turn + 1}",
        asked_id=asked.asked_id,
        criterion_id=criterion_id,
        said=utterances.show(rubric.criterion(criterion_id), turn, plan.seed),
    )
