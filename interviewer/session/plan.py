"""The plan of a session: mode, style, segments, agenda."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field, field_validator

from interviewer.session.loop_plan import LoopPlace
from interviewer.session.style import Style
from knowledge.model import Kind, Level, topic_name
from rubric.coding.task import StarterForm
from serving.frozen import FrozenModel


class Mode(StrEnum):
    """What the person sees while the interview lasts."""

    PRACTICE = "practice"
    """Hints, and the marks of a question once it is done."""
    EXAM = "exam"
    """No hints, and no marks before the end."""


class Confidence(StrEnum):
    """How sure the person says that they are of an answer."""

    GUESS = "guess"
    RATHER_UNSURE = "rather unsure"
    RATHER_SURE = "rather sure"
    SURE = "sure"


class SegmentKind(StrEnum):
    """A part of an interview in which nothing is graded."""

    WARM_UP = "warm-up"
    THEIR_QUESTIONS = "your questions"
    WAY_BACK = "way back"
    """In place of the person's questions, where the last of ours was left: they go back to it, or end."""


class AgendaItem(FrozenModel):
    """One question of the agenda.

    Attributes:
        topic: what it is on.
        kind: what sort of question; ``None`` for any.
        minutes: time it may take, follow-ups included.

    """

    topic: str = Field(min_length=1)
    kind: Kind | None = None
    minutes: int = Field(default=5, ge=1, le=60)

    @field_validator("topic")
    @classmethod
    def _present_name(cls, topic: str) -> str:
        return topic_name(topic)


def usual_starter(level: Level) -> StarterForm:
    """What a coding question starts from where nobody chose: from mid on, interviews want it written from nothing."""
    return StarterForm.REPAIR if level is Level.JUNIOR else StarterForm.BLANK


class Plan(FrozenModel):
    """What the person wants.

    Attributes:
        topics: topics to ask about; empty means all.
        kinds: kinds of question to ask; empty means all.
        level: seniority to aim at.
        length: number of questions, follow-ups not counted; with an agenda, its length counts.
        minutes: length of the whole interview by the clock; ``None`` where the clock does not count.
        agenda: what each question is on, in order; empty where topics and kinds take turns.
        role: the job that the person prepares for; empty where none was chosen.
        mode: what the person sees while the interview lasts.
        own_documents: ask only out of the person's own documents.
        documents: which of these may be asked from, by the path in the places of their questions; ``None`` for all.
        talks: begin with a warm-up and end with the person's own questions; neither is graded.
        opening: what the warm-up asks about, such as a project of the person's; may be empty.
        background: a résumé or a job description had a part in it.
        follow_ups: most follow-ups a question may get; while drilling, it may get one for each of its criteria, and by
            the clock two more while half of its time is left.
        depth: a question whose points are all met is taken further, within the same number of follow-ups.
        drill: drill each question until every criterion is met or was shown; practice only.
        style: the manner in which the interviewer speaks.
        silence_steps: a long silence of the person is answered, in steps.
        cut_short: whoever goes on for long without a new point is cut short, once a question.
        seed: makes the choice of questions repeatable.
        question_ids: exactly these questions, in this order; topics, kinds, level and length then do not count.
        editor: whether the person can write and run code: a coding question then waits for a submission.
        starter: what a coding question starts from, where it has both forms.
        reviews: most questions that may bring back what was missed in earlier interviews.
        loop: the round of a loop that the interview is; ``None`` where it stands alone.
        left_out: ids of questions that are not asked, nor any too near to them: earlier rounds asked them.
        carried_over: topics that earlier rounds left open and that are asked about here.
        assignment: id of the assignment that the interview is held for; empty where it is held for none.

    """

    topics: tuple[str, ...] = ()
    kinds: tuple[Kind, ...] = ()
    level: Level = Level.MID
    length: int = Field(default=5, ge=1, le=50)
    minutes: int | None = Field(default=None, ge=5, le=180)
    agenda: tuple[AgendaItem, ...] = Field(default=(), max_length=50)
    role: str = ""
    mode: Mode = Mode.PRACTICE
    own_documents: bool = False
    documents: tuple[str, ...] | None = None
    talks: bool = False
    opening: str = ""
    background: bool = False
    follow_ups: int = Field(default=1, ge=0, le=5)
    depth: bool = False
    drill: bool = False
    style: Style = Style.NEUTRAL
    silence_steps: bool = True
    cut_short: bool = False
    seed: int = 0
    question_ids: tuple[str, ...] = ()
    editor: bool = False
    starter: StarterForm = StarterForm.REPAIR
    reviews: int = Field(default=0, ge=0, le=50)
    loop: LoopPlace | None = None
    left_out: tuple[str, ...] = ()
    carried_over: tuple[str, ...] = ()
    # Not stored where it is empty, as nearly always: an earlier program, which knows no such field, goes on with these.
    assignment: str = Field(default="", max_length=64, exclude_if=lambda name: not name)

    @field_validator("topics")
    @classmethod
    def _present_names(cls, topics: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(map(topic_name, topics))
