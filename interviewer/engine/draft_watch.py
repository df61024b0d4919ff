"""Follows answers in the making: reads ahead for their marks, and cuts short who goes on without a new point."""

from __future__ import annotations

import threading
from datetime import datetime
from typing import NamedTuple

from cachetools import LRUCache

from interviewer.dialogue.unasked_words import cut_short
from interviewer.engine.answer_reader import AnswerReader
from interviewer.engine.grading_coordinator import GradingCoordinator
from interviewer.engine.session_store import SessionStore
from interviewer.policy.rambling import AFTER_S, is_answering, may_be_cut_short
from interviewer.session.queries import require_plan, said_with
from interviewer.session.state import AskedQuestion, State
from rubric.grading.evidence import settled

MOST_APART_S = 10.0
"""Seconds between two reports that count at most: whoever fell silent in between was not going on."""

_KEPT = 200
"""Answers in the making that are remembered."""

_Key = tuple[str, str, int]


class _Course(NamedTuple):
    """How an answer in the making goes.

    Attributes:
        words: how many it had when it was reported last.
        points: the points that it comes near to.
        going_s: seconds of speaking or typing since the last new one.
        at: when it was reported last.

    """

    words: int
    points: frozenset[str]
    going_s: float
    at: datetime


class DraftWatch:
    """Follows answers in the making. Safe to use from several threads.

    A point is new where a finished sentence comes near to a criterion that nothing said before came near to. The time
    is the engine's; it runs while words are added.

    Args:
        store: opens sessions.
        reader: finds the points that words come near to.
        coordinator: has what was said so far read before its mark is waited for.

    """

    def __init__(self, store: SessionStore, reader: AnswerReader, coordinator: GradingCoordinator) -> None:
        self._store, self._reader, self._coordinator = store, reader, coordinator
        self._guard = threading.Lock()
        self._courses: LRUCache[_Key, _Course] = LRUCache(_KEPT)

    def heard(self, session_id: str, draft: str) -> State | None:
        """Takes in what the person has said or typed so far of an answer; best called every few seconds.

        Args:
            session_id: the interview's.
            draft: all of it, from the beginning of the turn.

        Returns:
            How the interview stands where the person was cut short now; ``None`` where they were not.

        Raises:
            BadInputError: there is no such interview.
            StorageError: the disk refused.

        """
        state = self._store.state(session_id)
        asked = state.current
        if asked is None or not is_answering(state):
            return None
        finished = settled(draft)
        self._coordinator.read_ahead(session_id, asked, finished)
        if not may_be_cut_short(state):
            return None
        now = self._store.now(session_id, state.last_at)
        course = self._follow(session_id, asked, len(draft.split()), finished, now)
        return self._cut(session_id, asked, course.going_s) if course.going_s >= AFTER_S else None

    def _follow(self, session_id: str, asked: AskedQuestion, words: int, finished: str, now: datetime) -> _Course:
        key = (session_id, asked.asked_id, len(asked.answers))
        with self._guard:
            before = self._courses.get(key)
        course = _Course(words, frozenset(), 0.0, now)
        if before is not None:
            course = course._replace(points=before.points, going_s=before.going_s)
        if before is None or course.words > before.words:
            points = self._reader.points_in(asked.question, said_with(asked, finished))
            if points is not None:
                since = min((now - before.at).total_seconds(), MOST_APART_S) if before else 0.0
                idle = points <= course.points and not _has_all(asked, points | course.points)
                course = course._replace(points=points | course.points, going_s=course.going_s + since if idle else 0.0)
        with self._guard:
            self._courses[key] = course
        return course

    def _cut(self, session_id: str, asked: AskedQuestion, going_s: float) -> State | None:
        with self._store.open(session_id) as session:
            current = session.state.current
            if current is None or current.asked_id != asked.asked_id or not may_be_cut_short(session.state):
                return None
            session.append(cut_short(current, require_plan(session.state), going_s, at=session.now()))
            return session.state


def _has_all(asked: AskedQuestion, points: frozenset[str]) -> bool:
    """Whether nothing is left that could be new: whoever has made every point does not miss the question."""
    rubric = asked.question.rubric
    return rubric is not None and all(point.id in points for point in rubric.criteria)
