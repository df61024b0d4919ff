"""What can happen in an interview. The journal is a list of these; everything else is folded from it.

An event says what happened and carries all that is needed to understand it later: a question is
stored with its rubric, so an interview keeps the rubric it was graded with whatever becomes of the bank.
"""

from __future__ import annotations

from enum import StrEnum
from math import exp
from typing import Annotated, Literal

from pydantic import AwareDatetime, Field, TypeAdapter

from interviewer.session.drawing import Drawing
from interviewer.session.follow_up_kinds import FollowUpKind, rule_of
from interviewer.session.plan import Confidence, Plan, SegmentKind
from interviewer.speech.spoken_answer import SpokenAnswer
from interviewer.understanding.closing_request import Closing
from interviewer.understanding.intent import Intent
from knowledge.model import Question
from rubric.coding.result import CodeResult
from rubric.model import CriterionVerdict, Engine, Grade, Span, Verdict
from serving.frozen import FrozenModel


class _Event(FrozenModel):
    """Fields of every event.

    Attributes:
        id: unique within the interview; an event whose id is already in the journal is not appended
            again, which makes every request safe to repeat.
        at: when, in UTC.

    """

    id: str = Field(min_length=1, max_length=200)
    at: AwareDatetime

    @property
    def person_words(self) -> str | None:
        """What the person said to bring the event about; ``None`` where they said nothing."""
        words = getattr(self, "words", None)
        return words if isinstance(words, str) and words else None


class InterviewStarted(_Event):
    """The person chose a plan and began."""

    type: Literal["interview_started"] = "interview_started"
    plan: Plan


class QuestionAsked(_Event):
    """A question was put; ``id`` names this asking everywhere else.

    Attributes:
        said: what the interviewer said.
        why: the reason it was chosen, for the person to read; empty in journals of before there was one.

    """

    type: Literal["question_asked"] = "question_asked"
    number: int = Field(ge=1)
    question: Question
    said: str
    why: str = ""


class AnswerGiven(_Event):
    """The person answered a question, or the follow-up named in ``follow_up_id``.

    Attributes:
        text: what they sent; of a spoken answer after they corrected it.
        spoken: what was recognized and how it was said, where it was spoken.
        unfinished: they were thinking aloud and go on; what they said counts all the same.
        meanwhile: where it mends what was said to a question that was closed by then, the ``QuestionAsked`` or
            ``SegmentOpened`` event that was open meanwhile; else empty.
        seen: it is such a one, and the marks of its question had been shown.
        choice: the words that told which question it mends, where that had to be asked; may be empty.
        closing: what its last sentence says beside the answer, where no rule knows its wording.

    """

    type: Literal["answer_given"] = "answer_given"
    asked_id: str
    follow_up_id: str | None = None
    text: str
    unfinished: bool = False
    spoken: SpokenAnswer | None = None
    meanwhile: str = ""
    seen: bool = False
    choice: str = ""
    closing: Closing | None = None

    @property
    def unawaited(self) -> bool:
        """Whether nobody waits for its grade: it is an unfinished thought, or corrects an earlier answer."""
        return self.unfinished or bool(self.meanwhile)

    @property
    def person_words(self) -> str | None:
        """The words themselves; those that chose the question, where it had to be asked for."""
        return self.choice or self.text


class ConfidenceStated(_Event):
    """The person said how sure they are of an answer, before they could know its marks; the latest one counts."""

    type: Literal["confidence_stated"] = "confidence_stated"
    asked_id: str
    answer_id: str
    level: Confidence


CLEAR_LEAD = 0.06
"""Lead of a sentence over the others from which it is clear which words are meant. Held against the words that labels
rest on, the nearest sentence was then the right one for 90 % of 570 met points, 78 % of 263 partial ones, and 84 % of
368 contradicted ones; below it for 58, 45, and 53 %."""


class NearestWords(FrozenModel):
    """The words of an answer that come nearest to a point, whether or not they earned credit for it.

    Attributes:
        criterion_id: the point.
        span: from the clause that is meant to the end of its sentence.
        likeness: how near the answer comes, as the sentence encoder has it, -1 to 1.
        lead: how much nearer their sentence comes than any other of the answer, 0 to 2; 2 where it is the only one.
        wording: nothing goes by it any more; journals of before have how near a sentence came to the point in its
            wording, -1 to 1.

    """

    criterion_id: str
    span: Span
    likeness: float = Field(ge=-1.001, le=1.001)
    lead: float = Field(default=2.0, ge=0.0, le=2.002)
    wording: float = Field(default=0.0, ge=-1.001, le=1.001)

    @property
    def clear(self) -> bool:
        """Whether it is clear that these are the words, and not others of the answer."""
        return self.lead >= CLEAR_LEAD


TOLD_FROM = 1 / (1 + exp(-2.3))
"""Probability of being false from which the person is told of a statement that is read by itself
(docs/benchmarks/false-statements.md)."""


class DoubtedClaim(FrozenModel):
    """A statement of an answer that is doubted: a point of the bank speaks against it, or it seems false by itself.

    What is not ``told`` is only left out of what the person is said to have said rightly.

    Attributes:
        span: the statement, in the graded text.
        question_id: whose point it is, be it of the open question or of another.
        criterion_id: the point; empty where the statement seems false by itself.
        point: its text; empty as well.
        opposed: probability that the statement says the opposite, or is false, as the judge reads it alone.
        quotable: whether its sentence can be quoted in talk.

    """

    span: Span
    question_id: str
    criterion_id: str
    point: str
    opposed: float = Field(ge=0.0, le=1.0)
    quotable: bool = True

    @property
    def told(self) -> bool:
        """Whether the person is told that it is doubted."""
        return bool(self.criterion_id) or self.opposed >= TOLD_FROM


class AnswerGraded(_Event):
    """All that was said on a question so far, up to the answer ``answer_id``, was graded.

    Attributes:
        graded_text: the text the evidence offsets count in: all that is graded of what was said on this question
            so far (``interviewer.session.queries.graded_words``), joined by a blank line.
        nearest: of each criterion the nearest words; empty in journals of before they were looked for, and where
            there is no encoder.
        claims: statements that are doubted; empty in journals of before they were looked for.

    """

    type: Literal["answer_graded"] = "answer_graded"
    asked_id: str
    answer_id: str
    graded_text: str
    grade: Grade
    nearest: tuple[NearestWords, ...] = ()
    claims: tuple[DoubtedClaim, ...] = ()


class GradingFailed(_Event):
    """An answer could not be graded now; it is ungraded, not zero, and is tried again.

    Attributes:
        nearest: of each criterion the nearest words of all that was said on the question up to the answer, for the
            follow-up that does not wait for the mark; empty in journals of before they were looked for, and where there
            is no encoder.
        late: nothing is wrong: the mark is still being worked on.

    """

    type: Literal["grading_failed"] = "grading_failed"
    asked_id: str
    answer_id: str
    reason: str
    nearest: tuple[NearestWords, ...] = ()
    late: bool = False


class FallbackReason(StrEnum):
    """Why the bank's own phrasing was said and not what a model was asked for."""

    LATE = "late"
    """Nothing came in time."""
    UNREACHABLE = "no answer"
    """The model's server did not answer, or not as it should."""
    SHORT = "too short"
    NOT_SPOKEN = "not fit to be said"
    """Several lines, markup, code, an address."""
    LONG = "too long"
    NO_QUESTION = "not one question"
    LEAK = "something given away"
    VERDICT = "the answer judged"
    NOT_INTERVIEWER = "not as the interviewer"
    OFF_POINT = "off the point"


class ParaphraseRecord(FrozenModel):
    """A model was asked to word a turn.

    Attributes:
        model: which.
        seconds: that was waited for it.
        replaced: why the bank's own phrasing was said; ``None`` where the model's was.
        bank: the bank's own phrasing, where the model's was said; empty otherwise.

    """

    model: str
    seconds: float = Field(ge=0)
    replaced: FallbackReason | None = None
    bank: str = ""


class FollowUpAsked(_Event):
    """A point was drilled.

    Attributes:
        criterion_id: of the rubric; of a point that running the code raised, what it is about, after ``run:``;
            what is asked about the answer as a whole, after ``ask:``.
        phrased: what came of having a model word it; ``None`` where none was asked.

    """

    type: Literal["follow_up_asked"] = "follow_up_asked"
    asked_id: str
    kind: FollowUpKind
    criterion_id: str
    said: str
    phrased: ParaphraseRecord | None = None

    @property
    def about_run(self) -> bool:
        """Whether it is about code that was run, and not about a point of the rubric."""
        return rule_of(self.kind).about_code


class HintGiven(_Event):
    """The person asked for a hint and got this one.

    Attributes:
        words: the person's own, where they asked for it in words.

    """

    type: Literal["hint_given"] = "hint_given"
    asked_id: str
    words: str = ""
    said: str


class QuestionRepeated(_Event):
    """The person asked to hear it again.

    Attributes:
        words: the person's own, where they asked for it in words.
        slowly: it was said in short pieces.

    """

    type: Literal["question_repeated"] = "question_repeated"
    asked_id: str
    words: str = ""
    slowly: bool = False
    said: str


class QuestionSkipped(_Event):
    """The person did not want to answer (any further).

    Attributes:
        words: the person's own, where they said so in words.
        later: they want to come back to it: it is asked again before the end, if time is left.
        back_to: the question left before that they want to go back to now; may be empty.

    """

    type: Literal["question_skipped"] = "question_skipped"
    asked_id: str
    words: str = ""
    later: bool = False
    back_to: str = ""


class ReturnWished(_Event):
    """The person wants to go back to a question that was left; it is asked again once the open one is closed.

    Attributes:
        asked_id: the question that is open; ``None`` in a part in which nothing is graded.
        part: that part; ``None`` on a question.
        to_id: the question that was left.
        words: the person's own, where they said so in words.
        said: the reply.

    """

    type: Literal["return_wished"] = "return_wished"
    asked_id: str | None = None
    part: SegmentKind | None = None
    to_id: str
    words: str = ""
    said: str


class QuestionReturned(_Event):
    """A question that was left was asked again; the first time counts, a second is left out.

    Attributes:
        said: what the interviewer said.
        last_word: its time is used up: one more answer is taken, and no follow-up asked.

    """

    type: Literal["question_returned"] = "question_returned"
    asked_id: str
    said: str
    last_word: bool = False


class CorrectionRaised(_Event):
    """The person wants to put right an earlier answer, and was asked for what was not clear.

    Attributes:
        asked_id: the question that is open.
        to_id: the question that they mean, where they have not said yet what is right; else empty, and they were asked
            which question they mean.
        words: the person's own.
        said: the reply.

    """

    type: Literal["mending_raised"] = "mending_raised"
    asked_id: str
    to_id: str = ""
    words: str
    said: str


class DeclineReason(StrEnum):
    """Why something is left without an answer."""

    UNKNOWN = "not known"
    SKIPPED = "skipped"
    """The follow-up is left; the question stays open."""
    SAID = "said already"
    """The person holds that they have answered the follow-up before it was asked."""
    LATER = "later"
    """The person wants to come back to the follow-up: it is asked again before the question is closed."""


class AnswerDeclined(_Event):
    """The person did not answer: the question, or the follow-up named in ``follow_up_id``.

    Attributes:
        reason: why; anything but not knowing is for follow-ups alone.
        words: the person's own.
        criterion_id: the point that they were offered instead, through its probe; empty where none was.
        floor: they have something else to say first, so that it is they who speak next.
        said: the reply.

    """

    type: Literal["answer_declined"] = "answer_declined"
    asked_id: str
    follow_up_id: str | None = None
    reason: DeclineReason = DeclineReason.UNKNOWN
    words: str
    criterion_id: str = ""
    floor: bool = False
    said: str


class ClarificationGiven(_Event):
    """The person asked what the question means, and got a reply out of its own text.

    Attributes:
        words: the person's own.
        said: the reply.

    """

    type: Literal["clarification_given"] = "clarification_given"
    asked_id: str
    words: str
    said: str


class AsideTaken(_Event):
    """The person said something that is no answer and changes nothing, and got a reply.

    Attributes:
        intent: what they wanted.
        words: their own.
        said: the reply.

    """

    type: Literal["aside_taken"] = "aside_taken"
    asked_id: str
    intent: Intent
    words: str
    said: str


class CriterionShown(_Event):
    """While drilling: a point that was missed twice was told."""

    type: Literal["criterion_shown"] = "criterion_shown"
    asked_id: str
    criterion_id: str
    said: str


class QuestionClosed(_Event):
    """Nothing more is asked on this question."""

    type: Literal["question_closed"] = "question_closed"
    asked_id: str


class CodeRan(_Event):
    """The person ran their code against the examples, or submitted it to the hidden tests.

    Attributes:
        source: the code as it was.
        submitted: whether it was a submission.
        result: what became of it.

    """

    type: Literal["code_ran"] = "code_ran"
    asked_id: str
    source: str
    submitted: bool
    result: CodeResult


class QuestionFinished(_Event):
    """The person is done with a question and hands in what there is.

    Attributes:
        words: with which they said so, where they did and said nothing else; may be empty.

    """

    type: Literal["question_finished"] = "question_finished"
    asked_id: str
    words: str = ""


OwnVerdict = Literal[Verdict.MET, Verdict.PARTIAL, Verdict.MISSING, Verdict.CONTRADICTED]
"""A verdict that a person can give on their own answer."""


class CriterionSelfAssessed(_Event):
    """The person settled, beside the reference, a criterion that the judge had left open; the latest one counts."""

    type: Literal["criterion_self_assessed"] = "criterion_self_assessed"
    asked_id: str
    criterion_id: str
    verdict: OwnVerdict


class TimeCalled(_Event):
    """The time for a question was used up while the person was to speak; after the next answer it is closed."""

    type: Literal["time_called"] = "time_called"
    asked_id: str
    said: str


class PersonCutShort(_Event):
    """The person went on for long without a new point, and was asked the question again; once a question.

    Attributes:
        said: what the interviewer said.
        seconds: for how long they had spoken or typed without one.

    """

    type: Literal["cut_short"] = "cut_short"
    asked_id: str
    said: str
    seconds: float = Field(ge=0)


class SegmentOpened(_Event):
    """A part in which nothing is graded began."""

    type: Literal["talk_opened"] = "talk_opened"
    part: SegmentKind
    said: str


class PersonSpoke(_Event):
    """The person said something in a part in which nothing is graded."""

    type: Literal["person_spoke"] = "person_spoke"
    part: SegmentKind
    text: str

    @property
    def person_words(self) -> str | None:
        """What was said."""
        return self.text


class InterviewerReplied(_Event):
    """What the person asked was answered, out of the documents or not at all.

    Attributes:
        to_id: the ``PersonSpoke`` event.
        place: where the words are from; empty where there is nothing to be found.

    """

    type: Literal["interviewer_replied"] = "interviewer_replied"
    part: SegmentKind
    to_id: str
    said: str
    place: str = ""


class SegmentClosed(_Event):
    """A part in which nothing is graded is over."""

    type: Literal["talk_closed"] = "talk_closed"
    part: SegmentKind


class InterviewPaused(_Event):
    """The person stopped the clock."""

    type: Literal["interview_paused"] = "interview_paused"


class InterviewResumed(_Event):
    """The clock runs again."""

    type: Literal["interview_resumed"] = "interview_resumed"


class MarkDisputed(_Event):
    """The person holds a mark to be wrong; the mark stays, a second reading is made beside it.

    Attributes:
        reason: why, in the person's words; shown, and never read by a judge.

    """

    type: Literal["mark_disputed"] = "mark_disputed"
    asked_id: str
    criterion_id: str
    reason: str = Field(default="", max_length=2_000)


class DisputeGraded(_Event):
    """A disputed point was judged a second time, alone and on the sentences nearest to it.

    Attributes:
        dispute_id: the ``MarkDisputed`` event.
        graded_text: all that was said on the question; the offsets below count in it.
        passage: the sentences that were read.
        verdict: of the second reading.
        engine: who read.
        meets: the statement meeting the point that is nearest to what was read; may be empty.
        opposes: the statement contradicting it that is nearest to what was read; may be empty.

    """

    type: Literal["dispute_graded"] = "dispute_graded"
    asked_id: str
    criterion_id: str
    dispute_id: str
    graded_text: str
    passage: tuple[Span, ...]
    verdict: CriterionVerdict
    engine: Engine
    meets: str = ""
    opposes: str = ""


class MarkOverridden(_Event):
    """A mentor or teacher put a verdict of their own in the place of the judge's; the latest one counts.

    Attributes:
        by: who.
        note: why; may be empty.

    """

    type: Literal["mark_overridden"] = "mark_overridden"
    asked_id: str
    criterion_id: str
    verdict: OwnVerdict
    by: str = Field(min_length=1, max_length=200)
    note: str = Field(default="", max_length=2_000)


class NotesWritten(_Event):
    """The person's own notes as they stand, all of them; the latest counts. Nobody grades them."""

    type: Literal["notes_written"] = "notes_written"
    text: str


class BoardDrawn(_Event):
    """The person sent an answer with a drawing on the whiteboard; the latest one of a question counts.

    Attributes:
        on_id: the ``QuestionAsked`` event.
        drawing: all that stands on the board; its words are in the answer too, which is what is graded.

    """

    type: Literal["board_drawn"] = "board_drawn"
    on_id: str
    drawing: Drawing


class StoryForgotten(_Event):
    """The person took a story that they told as an answer out of their story bank; the answer itself stays."""

    type: Literal["story_forgotten"] = "story_forgotten"
    asked_id: str


EndReason = Literal["completed", "ended by the person", "no questions left", "time is up"]
"""Why an interview ended."""


class InterviewEnded(_Event):
    """The interview is over: the plan was done, the person ended it, time is up, or nothing is left to ask."""

    type: Literal["interview_ended"] = "interview_ended"
    reason: EndReason


Said = (
    QuestionAsked
    | FollowUpAsked
    | HintGiven
    | QuestionRepeated
    | AnswerDeclined
    | ClarificationGiven
    | AsideTaken
    | CriterionShown
    | TimeCalled
    | PersonCutShort
    | ReturnWished
    | QuestionReturned
    | CorrectionRaised
)
"""What the interviewer says on a question."""

Event = Annotated[
    InterviewStarted
    | Said
    | AnswerGiven
    | ConfidenceStated
    | AnswerGraded
    | GradingFailed
    | CodeRan
    | QuestionFinished
    | QuestionSkipped
    | QuestionClosed
    | CriterionSelfAssessed
    | SegmentOpened
    | PersonSpoke
    | InterviewerReplied
    | SegmentClosed
    | InterviewPaused
    | InterviewResumed
    | MarkDisputed
    | DisputeGraded
    | MarkOverridden
    | NotesWritten
    | BoardDrawn
    | StoryForgotten
    | InterviewEnded,
    Field(discriminator="type"),
]

EVENT: TypeAdapter[Event] = TypeAdapter(Event)
"""Reads and writes events as JSON."""
