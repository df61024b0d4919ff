"""Models of the study plan: highlights, fixes, questions to retry, items to study."""

from __future__ import annotations

from datetime import date
from enum import StrEnum

from interviewer.report.schema.question import Quote
from interviewer.scoring.outcomes import AssistanceLevel
from knowledge.model import Source
from rubric.model import Verdict
from serving.frozen import FrozenModel


class Doubt(StrEnum):
    """Why a point stands among what to fix although the judge did not surely mark it wrong or missing."""

    NOT_KNOWN = "not known"
    """The person said that they do not know it."""
    LEFT = "left"
    """The person left the follow-up on it unanswered."""
    TAKEN_BACK = "taken back"
    """What contradicted it was taken back."""
    IN_PART = "in part"
    """The judge could not tell whether all of it was said."""
    NO_WORDS = "no words"
    """No words of the person's clearly say it."""


class Highlight(FrozenModel):
    """A strength, or something to fix: one criterion.

    Attributes:
        number: the question's.
        text: the criterion.
        quotes: at least one, but where the point is in doubt and no words of the person's are near to it, or where a
            follow-up on it was not answered.
        asked: the follow-up the quotation replies to, or that was not answered; empty for other quotations.
        point: the criterion's place in its rubric, from 1.
        sure: whether the judge, or the person, was sure of the verdict; a strength or a gap always is.
        doubt: why it is to be looked at again; ``None`` where the verdict says it.

    """

    number: int
    asked_id: str
    criterion_id: str
    topic: str
    text: str
    verdict: Verdict
    reached: AssistanceLevel
    quotes: tuple[Quote, ...]
    asked: str = ""
    point: int = 1
    sure: bool = True
    doubt: Doubt | None = None

    @property
    def plain(self) -> bool:
        """Whether it may be told without doubt: the mark is sure, or the person said that they do not know it."""
        return self.sure or self.doubt is Doubt.NOT_KNOWN


class Fix(FrozenModel):
    """What to do first.

    Attributes:
        number, criterion_id: of the first thing to fix.
        say: the point to be able to make.
        misconception: what to let go of; empty unless the point was surely contradicted.
        practice: a question to answer aloud.
        source: where to read it up.
        reading: titles of further reading.

    """

    number: int
    criterion_id: str
    say: str
    misconception: str
    practise: str
    source: Source
    reading: tuple[str, ...]


class Retry(FrozenModel):
    """A question to answer again.

    Attributes:
        question_id: its id.
        spoken: as it is said aloud.
        same: whether it is the very question that the point was missed in.

    """

    question_id: str
    spoken: str
    same: bool


class StudyItem(FrozenModel):
    """One thing to study, and how.

    Attributes:
        key: names the point across interviews: the same question's same criterion has the same key.
        number, asked_id, question_id, topic: of the question it was missed in.
        criterion_id: the criterion; ``code`` for code that does not pass its tests.
        say: the point to be able to make.
        verdict: the person's own where there is one, else the judge's; ``None`` where nothing was answered.
        sure: whether the judge, or the person, was sure.
        why: why it matters.
        misconception: what to let go of; empty unless the point was contradicted.
        exercise: what to do in two minutes.
        prompt: the question that the exercise answers.
        example: how somebody might say the point; may be empty.
        retry: a question to answer again afterwards.
        study_on: the day to study it.
        review_on: the day to come back to it.
        source: where to read it up.

    """

    key: str
    number: int
    asked_id: str
    question_id: str
    topic: str
    criterion_id: str
    say: str
    verdict: Verdict | None
    sure: bool
    why: str
    misconception: str
    exercise: str
    prompt: str
    example: str
    retry: Retry
    study_on: date
    review_on: date
    source: Source
