"""What a story bank holds."""

from __future__ import annotations

from datetime import datetime

from serving.frozen import FrozenModel


class Telling(FrozenModel):
    """A story as it was told once, in answer to a behavioral question.

    Attributes:
        id: names the telling in the bank.
        session_id: the interview.
        asked_id: the question's asking in it.
        question_id: the question.
        question: as it is spoken.
        at: when it was asked.
        text: all that the person said, follow-ups included.
        made: text of the criteria that the judge is sure were met.
        missing: text of the criteria that the judge is sure were not, or only in part.
        unsure: how many criteria are undecided, those not graded yet included.

    """

    id: str
    session_id: str
    asked_id: str
    question_id: str
    question: str
    at: datetime
    text: str
    made: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    unsure: int = 0

    @property
    def words(self) -> int:
        """How many words it has."""
        return len(self.text.split())


class Story(FrozenModel):
    """A story with every telling of it, the earliest first; at least one."""

    tellings: tuple[Telling, ...]

    @property
    def id(self) -> str:
        """Names the story: the id of its first telling."""
        return self.tellings[0].id

    @property
    def latest(self) -> Telling:
        """The telling that counts."""
        return self.tellings[-1]


class Change(FrozenModel):
    """What a telling has that the one before had not.

    Attributes:
        gained: criteria that were missing and are made now; empty where the question was another one.
        lost: the other way round.
        words: by how many words it is longer.
        figures: how many more figures it names.

    """

    gained: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    words: int = 0
    figures: int = 0
