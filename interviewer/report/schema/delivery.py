"""Models of how the person spoke, and of how sure they said they were."""

from __future__ import annotations

from typing import Literal

from interviewer.session.plan import Confidence
from rubric.model import Unit
from serving.frozen import FrozenModel


class Moment(FrozenModel):
    """A moment of a spoken answer.

    Attributes:
        number: of the question.
        answer: which of the answers to it, from 1.
        seconds: how long it lasts.
        at: where it begins, in seconds from the beginning of that answer's recording.

    """

    number: int
    answer: int = 1
    seconds: float
    at: float


class SpokenExample(FrozenModel):
    """A place at which one can hear what is told about the speaking.

    Attributes:
        habit: what is heard there.
        number: of the question.
        answer: which of the answers to it, from 1.
        answer_id: the answer.
        at: where it begins, in seconds from the beginning of that answer's first recording.
        said: the words there; empty for a pause.

    """

    habit: Literal["pause", "filler", "restart", "hedge"]
    number: int
    answer: int = 1
    answer_id: str
    at: float
    said: str = ""


class Manner(FrozenModel):
    """How the answers were spoken; never part of a score.

    Attributes:
        answers: how many were spoken.
        seconds: length of their recordings.
        words: how many were said, fillers not counted.
        pace: words a minute; ``None`` where too little was said.
        talking: share of the time in which somebody speaks, 0 to 1.
        longest_pause: within an answer.
        fillers: how often each was said, the most frequent first; ``unwritten`` are voice without a word.
        restarts: beginnings that were said again.
        hedges: how often each was said, the most frequent first.
        sure: share of the recognized words of which recognition was sure, 0 to 1; ``None`` where there are none.
        doubtful: the others, each once, at most twelve.
        corrected: answers that the person corrected before sending them.
        hanging: points that may have been lost to a misheard word, and to which.
        examples: of each habit that was heard, the first place.

    """

    answers: int
    seconds: float
    words: int
    pace: float | None
    talking: float
    longest_pause: Moment
    fillers: tuple[tuple[str, int], ...] = ()
    restarts: int = 0
    hedges: tuple[tuple[str, int], ...] = ()
    sure: float | None = None
    doubtful: tuple[str, ...] = ()
    corrected: int = 0
    hanging: tuple[str, ...] = ()
    examples: tuple[SpokenExample, ...] = ()


class StatedConfidence(FrozenModel):
    """An answer of which the person said how sure they were, beside what it earned.

    Attributes:
        number: of the question.
        answer_id: the answer.
        event_id: the ``ConfidenceStated`` event.
        level: what they said.
        earned: the credit of the point that the answer replied to a follow-up on; else the score of all that was said
            on the question up to it.

    """

    number: int
    answer_id: str
    event_id: str
    level: Confidence
    earned: Unit


class ConfidenceLevel(FrozenModel):
    """The answers of which the person said the same.

    Attributes:
        level: what they said.
        stated: the share that it stands for.
        answers: how many answers.
        earned: what they earned on average.

    """

    level: Confidence
    stated: Unit
    answers: int
    earned: Unit


class OwnConfidence(FrozenModel):
    """How well the person knew how good their answers were.

    Attributes:
        answers: those that have a mark, in order; at least three.
        levels: the same by what was said, the least sure first.
        stated, earned: means over the answers.

    """

    answers: tuple[StatedConfidence, ...]
    levels: tuple[ConfidenceLevel, ...]
    stated: Unit
    earned: Unit
