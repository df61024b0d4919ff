"""A turn of the person: what their words amount to in a session, and how an answer is stored."""

from __future__ import annotations

from interviewer.dialogue import corrections, interpretation
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
from interviewer.session.queries import asked_by_id, require_plan
from interviewer.speech.spoken_answer import SpokenAnswer
from interviewer.understanding.closing_request import Closing, closing_request
from interviewer.understanding.utterance import RequestReader, Utterance


def understood(
    session: OpenSession, text: str, request_id: str, reader: RequestReader | None = None, *, literally: bool
) -> Event:
    """Returns the event that the person's words amount to where the session stands.

    Args:
        session: the open session.
        text: the words, cleaned.
        request_id: names the request.
        reader: reads wordings that no rule knows.
        literally: take them as an answer whatever they sound like.

    Raises:
        BadInputError: no question is open, nor an ungraded segment.

    """
    state, at = session.running(), session.now()
    if state.segment is not None:
        return interpretation.interpret_in_segment(state, state.segment.part, Utterance(text), request_id, at=at)
    current = session.open_question()
    if literally:
        return interpretation.answered(current, text, request_id, at=at)
    return interpretation.interpret_turn(state, current, Utterance(text, reader), request_id, at=at)


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
    if not whole and interpretation.open_follow_up(asked) is not None:
        return interpretation.follow_up_left(asked, require_plan(session.state), request_id, at=at)
    return QuestionSkipped(id=request_id, at=at, asked_id=asked.asked_id)


def store(
    session: OpenSession,
    event: Event,
    spoken: SpokenAnswer | None,
    sure: Confidence | None,
    *,
    literally: bool,
) -> tuple[AnswerGiven, ...]:
    """Stores an event; of an answer also how sure the person is, what it adds to an earlier one, and what it asks for.

    Args:
        session: the open session.
        event: what the person's words amount to.
        spoken: what was recognized, where it was spoken.
        sure: how sure the person says they are.
        literally: take the words as an answer whatever they end with.

    Returns:
        What was stored and nobody waits for the grade of.

    Raises:
        StorageError: the disk refused.

    """
    if not isinstance(event, AnswerGiven):
        session.append(event)
        return ()
    # Words that only told which question was meant are not those that were spoken on it.
    answer = event.model_copy(update={"spoken": spoken if not event.choice else None})
    session.append(answer)
    if sure is not None:
        session.append(
            ConfidenceStated(
                id=f"{answer.id}:sure", at=session.now(), asked_id=answer.asked_id, answer_id=answer.id, level=sure
            )
        )
    asked, plan = asked_by_id(session.state, answer.asked_id), require_plan(session.state)
    if literally or answer.meanwhile:
        return (answer,) if answer.unawaited else ()
    added = corrections.added_within(session.state, asked, answer)
    if added is not None:
        session.append(added)
    closing = closing_request(answer.text)
    if closing is not None and closing.kind is Closing.DONE:
        session.append(QuestionFinished(id=f"{answer.id}:done", at=session.now(), asked_id=answer.asked_id))
    elif (
        closing is not None and closing.kind is Closing.HELP and awaits_code(asked, plan) and plan.mode is not Mode.EXAM
    ):
        # Where code is waited for, no follow-up comes that would help.
        session.append(interpretation.hinted(asked, plan, f"{answer.id}:hint", at=session.now()))
    return tuple(each for each in (answer, added) if each is not None and each.unawaited)
