"""A turn of the person: what their words amount to in a session, and how an answer is stored."""

from __future__ import annotations

from typing import NamedTuple

from interviewer.dialogue import corrections, interpretation, return_requests
from interviewer.engine.session_store import OpenSession
from interviewer.policy.next_action import awaits_code
from interviewer.session.events import (
    AnswerGiven,
    ConfidenceStated,
    Event,
    QuestionFinished,
    QuestionSkipped,
    SegmentClosed,
)
from interviewer.session.plan import Confidence, Mode
from interviewer.session.queries import asked_by_id, open_follow_up, require_plan
from interviewer.speech.spoken_answer import SpokenAnswer
from interviewer.understanding.closing_request import Closing, closing_request
from interviewer.understanding.utterance import RequestReader, Utterance
from serving import traces


class Said(NamedTuple):
    """What a person said in one turn.

    Attributes:
        text: the words, cleaned.
        spoken: what was recognized, where it was spoken.
        sure: how sure the person says they are.
        literally: take it as an answer whatever it sounds like.

    """

    text: str
    spoken: SpokenAnswer | None = None
    sure: Confidence | None = None
    literally: bool = False


def take(
    session: OpenSession, said: Said, request_id: str, reader: RequestReader | None = None
) -> tuple[AnswerGiven, ...]:
    """Stores the events that the person's words amount to where the session stands.

    Only what is put right or added to an earlier answer stands before the event that has the request's id.

    Args:
        session: the open session.
        said: what the person said.
        request_id: names the request.
        reader: reads wordings that no rule knows.

    Returns:
        What was stored and nobody waits for the grade of.

    Raises:
        BadInputError: no question is open, nor an ungraded segment.
        StorageError: the disk refused.

    """
    with traces.span("turn.understand") as understanding:
        events = _understood(session, said, request_id, reader)
        understanding.set("turn.events", len(events))
    last = next((event for event in reversed(events) if isinstance(event, AnswerGiven)), None)
    return tuple(
        answer
        for event in events
        for answer in _store(session, event, said if event is last else Said(said.text, literally=said.literally))
    )


def _understood(session: OpenSession, said: Said, request_id: str, reader: RequestReader | None) -> tuple[Event, ...]:
    state, at = session.running(), session.now()
    if state.segment is not None:
        return interpretation.interpret_in_segment(
            state, state.segment.part, Utterance(said.text, reader), request_id, at=at
        )
    current = session.open_question()
    if said.literally:
        return (interpretation.answered(current, said.text, request_id, at=at),)
    return interpretation.interpret_parts(state, current, Utterance(said.text, reader), request_id, at=at)


def left(session: OpenSession, request_id: str, *, whole: bool) -> Event:
    """Returns the event of leaving what is open: an ungraded segment, a follow-up, or the question.

    Args:
        session: the open session.
        request_id: names the request.
        whole: leave the question where a follow-up is open.

    Raises:
        BadInputError: nothing is open.

    """
    segment, at = session.running().segment, session.now()
    if segment is not None:
        return SegmentClosed(id=request_id, at=at, part=segment.part)
    asked = session.open_question()
    if not whole and open_follow_up(asked) is not None:
        return return_requests.follow_up_left(asked, require_plan(session.state), request_id, at=at)
    return QuestionSkipped(id=request_id, at=at, asked_id=asked.asked_id)


def _store(session: OpenSession, event: Event, said: Said) -> tuple[AnswerGiven, ...]:
    """Stores an event; of an answer also how sure the person is, what it adds to an earlier one, and what it asks for.

    Returns what was stored and nobody waits for the grade of.
    """
    if not isinstance(event, AnswerGiven):
        session.append(event)
        return ()
    # Words that only told which question was meant are not those that were spoken on it.
    answer = event.model_copy(update={"spoken": said.spoken if not event.choice else None})
    session.append(answer)
    if said.sure is not None:
        session.append(
            ConfidenceStated(
                id=f"{answer.id}:sure", at=session.now(), asked_id=answer.asked_id, answer_id=answer.id, level=said.sure
            )
        )
    asked, plan = asked_by_id(session.state, answer.asked_id), require_plan(session.state)
    if said.literally or answer.meanwhile:
        return (answer,) if answer.unawaited else ()
    added = corrections.added_within(session.state, asked, answer)
    if added is not None:
        session.append(added)
    closing = closing_request(answer.text, answer.closing)
    if closing is not None and closing.kind is Closing.DONE:
        session.append(QuestionFinished(id=f"{answer.id}:done", at=session.now(), asked_id=answer.asked_id))
    elif (
        closing is not None and closing.kind is Closing.HELP and awaits_code(asked, plan) and plan.mode is not Mode.EXAM
    ):
        # Where code is waited for, no follow-up comes that would help.
        session.append(interpretation.hinted(asked, plan, f"{answer.id}:hint", at=session.now()))
    return tuple(each for each in (answer, added) if each is not None and each.unawaited)
