"""What is added to a session beside its questions and answers: verdicts of one's own, disputes, overrides, notes."""

from __future__ import annotations

import logging

from interviewer.engine.ports import SecondReader
from interviewer.engine.session_store import SessionStore
from interviewer.scoring.disputes import check_dispute, second_grade, second_requests
from interviewer.scoring.overrides import override
from interviewer.scoring.self_assessment import check_settling
from interviewer.scoring.stated_confidence import check_stating
from interviewer.session.drawing import Drawing
from interviewer.session.events import (
    BoardDrawn,
    ConfidenceStated,
    CriterionSelfAssessed,
    MarkDisputed,
    MarkOverridden,
    NotesWritten,
    OwnVerdict,
    StoryForgotten,
)
from interviewer.session.plan import Confidence
from interviewer.session.state import State
from interviewer.understanding.input_validation import clean_notes
from serving.errors import BadInputError, InterviewerError

_log = logging.getLogger(__name__)


class ReviewService:
    """Keeps what a person or a mentor says about marks. Safe to use from several threads.

    Every request carries an id: repeating it changes nothing.

    Args:
        store: opens sessions.
        second_reader: judges disputed points again; without one, a dispute is kept and nothing is judged.

    """

    def __init__(self, store: SessionStore, second_reader: SecondReader | None = None) -> None:
        self._store = store
        self._second_reader = second_reader

    def state_confidence(self, session_id: str, answer_id: str, level: Confidence, request_id: str) -> State:
        """Keeps how sure the person says that they are of an answer, as long as they cannot know its marks.

        Raises:
            BadInputError: there is no such answer, or its marks are known; nothing was stored.
            StorageError: the disk refused; nothing was stored.

        """
        with self._store.open(session_id) as session:
            if not session.happened(request_id, ConfidenceStated):
                answer = check_stating(session.state, answer_id)
                session.append(
                    ConfidenceStated(
                        id=request_id, at=session.now(), asked_id=answer.asked_id, answer_id=answer_id, level=level
                    )
                )
            return session.state

    def self_assess(
        self, session_id: str, asked_id: str, criterion_id: str, verdict: OwnVerdict, request_id: str
    ) -> State:
        """Keeps the person's own verdict on a criterion that the judge left open; the latest one counts.

        Raises:
            BadInputError: there is no such criterion, it is still being asked about or graded, or the judge was
                sure of it; nothing was stored.
            StorageError: the disk refused; nothing was stored.

        """
        with self._store.open(session_id) as session:
            if not session.happened(request_id, CriterionSelfAssessed):
                check_settling(session.state, asked_id, criterion_id, verdict)
                session.append(
                    CriterionSelfAssessed(
                        id=request_id,
                        at=session.now(),
                        asked_id=asked_id,
                        criterion_id=criterion_id,
                        verdict=verdict,
                    )
                )
            return session.state

    def dispute(self, session_id: str, asked_id: str, criterion_id: str, reason: str, request_id: str) -> State:
        """Keeps that the person holds a mark to be wrong, and has the point judged a second time.

        Takes as long as judging one point does. Where it cannot be judged now the dispute is kept all the same, and
        ``read_disputed`` tries again.

        Raises:
            BadInputError: there is no such mark, or it is disputed already; nothing was stored.
            StorageError: the disk refused.

        """
        with self._store.open(session_id) as session:
            if not session.happened(request_id, MarkDisputed):
                check_dispute(session.state, asked_id, criterion_id, reason)
                session.append(
                    MarkDisputed(
                        id=request_id,
                        at=session.now(),
                        asked_id=asked_id,
                        criterion_id=criterion_id,
                        reason=reason.strip(),
                    )
                )
        return self.read_disputed(session_id)

    def read_disputed(self, session_id: str) -> State:
        """Has every disputed point judged a second time that is not yet; what cannot be judged now stays due.

        Raises:
            BadInputError: there is no such session.
            StorageError: the disk refused.

        """
        due = second_requests(self._store.state(session_id)) if self._second_reader else ()
        for dispute, question, request in due:
            try:
                reading = self._second_reader.read(request, dispute.criterion_id) if self._second_reader else None
            except InterviewerError as error:
                _log.warning("point %s of %s was not judged again: %s", dispute.criterion_id, session_id, error)
                continue
            if reading is not None:
                with self._store.open(session_id) as session:
                    session.append(second_grade(dispute, question, request, reading, at=session.now()))
        return self._store.state(session_id)

    def override(
        self, session_id: str, asked: str, criterion: str, verdict: str, *, by: str, note: str, request_id: str
    ) -> State:
        """Puts a verdict in the place of the judge's, as a mentor or teacher; the judge's own is kept beside it.

        Args:
            session_id: the session's.
            asked: the question: its number, or the id of its asking.
            criterion: the point: its number, or its id.
            verdict: the name of the verdict.
            by: who overrides.
            note: why; may be empty.
            request_id: names the request.

        Raises:
            BadInputError: there is no such mark or verdict, or nobody is named; nothing was stored.
            StorageError: the disk refused; nothing was stored.

        """
        with self._store.open(session_id) as session:
            if not session.happened(request_id, MarkOverridden):
                session.append(
                    override(
                        session.state,
                        asked,
                        criterion,
                        verdict,
                        by=by,
                        note=note,
                        event_id=request_id,
                        at=session.now(),
                    )
                )
            return session.state

    def forget_story(self, session_id: str, asked_id: str, request_id: str) -> State:
        """Takes the story told on a question out of the person's story bank; the answer stays in the interview.

        Raises:
            BadInputError: no such question was asked; nothing was stored.
            StorageError: the disk refused; nothing was stored.

        """
        with self._store.open(session_id) as session:
            if not session.happened(request_id, StoryForgotten):
                if all(asked.asked_id != asked_id for asked in session.state.asked):
                    raise BadInputError(f"No question {asked_id} was asked in this interview.")
                session.append(StoryForgotten(id=request_id, at=session.now(), asked_id=asked_id))
            return session.state

    def write_notes(self, session_id: str, text: str, request_id: str) -> None:
        """Keeps the person's own notes in the place of those before, also when the session is over.

        Raises:
            BadInputError: there is no such session, or they are too long or no text; nothing was stored.
            StorageError: the disk refused; nothing was stored.

        """
        cleaned = clean_notes(text)
        with self._store.open(session_id) as session:
            if not session.happened(request_id, NotesWritten) and session.state.notes != cleaned:
                session.append(NotesWritten(id=request_id, at=session.now(), text=cleaned))

    def keep_drawing(self, session_id: str, asked_id: str, drawing: Drawing, request_id: str) -> None:
        """Keeps what is drawn for a question, in the place of what was drawn before.

        Raises:
            BadInputError: there is no such session, or it is over; nothing was stored.
            StorageError: the disk refused; nothing was stored.

        """
        with self._store.open(session_id) as session:
            known = {asked.asked_id: asked.drawing or Drawing() for asked in session.running().asked}
            if session.happened(request_id, BoardDrawn) or known.get(asked_id, drawing) == drawing:
                return
            session.append(BoardDrawn(id=request_id, at=session.now(), on_id=asked_id, drawing=drawing))
