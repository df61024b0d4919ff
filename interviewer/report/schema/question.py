"""Models of one question in a report: turns, marks, criteria, quotations."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Literal

from interviewer.report.schema.code import CodeFinding
from interviewer.scoring.outcomes import AssistanceLevel, CriterionOutcome
from interviewer.session.drawing import Drawing
from interviewer.session.follow_up_kinds import FollowUpKind
from interviewer.session.plan import Confidence, SegmentKind
from knowledge.model import Kind, Level, ReferenceFlag, Source
from rubric.model import EARNS, Interval, Unit, Verdict
from serving.frozen import FrozenModel


class TurnKind(StrEnum):
    """What was said, or done, in one turn."""

    QUESTION = "question"
    ANSWER = "answer"
    FOLLOW_UP = "follow-up"
    HINT = "hint"
    REPEAT = "repeat"
    SKIP = "skip"
    CODE = "code"
    WISH = "wish"
    """What the person said to ask for something; no answer."""
    DECLINED = "declined"
    """The person said that they do not know."""
    REPLY = "reply"
    """What the interviewer said to either."""
    SHOWN = "shown"
    """A point that was told while drilling."""
    TIME = "time"
    """The interviewer said that the time for the question was used up."""
    TALK = "talk"
    """Said by either in a part in which nothing is graded."""


class QuestionStatus(StrEnum):
    """What became of a question.

    ``graded``: all that was said is graded, every criterion scored. ``partly graded``: some of it is.
    ``ungraded``: answered, nothing graded. ``skipped`` and ``unanswered``: nothing was said.
    """

    GRADED = "graded"
    PARTLY_GRADED = "partly graded"
    UNGRADED = "ungraded"
    SKIPPED = "skipped"
    UNANSWERED = "unanswered"


class Support(StrEnum):
    """How sure an overall result is: by how many bands other questions of this kind might have moved it.

    ``firm``: by none. ``fair``: by one. ``rough``: by more. ``thin``: too few questions are graded to tell.
    """

    FIRM = "firm"
    FAIR = "fair"
    ROUGH = "rough"
    THIN = "thin"


class QuoteRole(StrEnum):
    """Why a quotation stands where it stands.

    ``evidence``: the words the verdict rests on. ``reply``: what the person said when asked about this very
    point. ``opening``: how the answer began in which the point does not occur.
    """

    EVIDENCE = "evidence"
    REPLY = "reply"
    OPENING = "opening"


class Quote(FrozenModel):
    """Words of the person.

    Attributes:
        answer_id: the ``AnswerGiven`` event they stand in.
        start: offset of the first character.
        end: offset behind the last character.
        text: the words: ``answer.text[start:end]``.
        role: why they are quoted.

    """

    answer_id: str
    start: int
    end: int
    text: str
    role: QuoteRole = QuoteRole.EVIDENCE


class Mark(FrozenModel):
    """A piece of an answer on which a verdict rests."""

    start: int
    end: int
    criterion_id: str
    number: int
    verdict: Verdict
    sure: bool
    credit: Unit | None = None


class Turn(FrozenModel):
    """One turn of the conversation.

    Attributes:
        event_id: the event it was made of.
        text: what was said; empty for a skip.
        follow_up_kind: why a follow-up was asked.
        criterion_id: the point a follow-up drilled.
        marks: for answers, where the current verdicts' evidence stands, by start.
        ungraded: for answers that no mark covers, why; empty otherwise.
        outcome: for follow-ups about a point and for hints, whether they helped; ``None`` for all else.
        gained: numbers of the points whose verdict got better by the answer to it.
        sure: for answers, how sure the person said that they were; ``None`` where they did not say.
        place: for replies out of a document, where their words are from; empty otherwise.
        later: for answers, whether they were given when the question was closed, to put another one right.
        returns: for skips, whether the person wanted to come back to the question.

    """

    kind: TurnKind
    event_id: str
    speaker: Literal["interviewer", "person"]
    at: datetime
    text: str
    follow_up_kind: FollowUpKind | None = None
    criterion_id: str | None = None
    marks: tuple[Mark, ...] = ()
    ungraded: str = ""
    outcome: CriterionOutcome | None = None
    gained: tuple[int, ...] = ()
    sure: Confidence | None = None
    place: str = ""
    later: bool = False
    returns: bool = False


class TalkFinding(FrozenModel):
    """A part of the interview in which nothing is graded.

    Attributes:
        part: which.
        transcript: what was said in it.

    """

    part: SegmentKind
    transcript: tuple[Turn, ...]


class ReferenceSentence(FrozenModel):
    """A sentence of the reference that makes points of the rubric.

    Attributes:
        start, end: its place in the reference, in characters.
        numbers: of the points it makes.
        made: whether the person surely or likely made all of these, or says so.

    """

    start: int
    end: int
    numbers: tuple[int, ...]
    made: bool


class SecondGrading(FrozenModel):
    """What a second reading of a disputed point found.

    Attributes:
        read: the sentences that were read, those nearest to the point.
        whole: whether they are all that was said, so that nothing could be read differently.
        verdict, credit, sure: of this reading.
        quotes: the evidence it selected.
        reason: why it is unscored; empty otherwise.
        meets: the statement meeting the point that is nearest to what was read; may be empty.
        opposes: the statement contradicting it that is nearest to what was read; may be empty.

    """

    read: tuple[Quote, ...]
    whole: bool
    verdict: Verdict
    credit: Unit | None
    sure: bool
    quotes: tuple[Quote, ...] = ()
    reason: str = ""
    meets: str = ""
    opposes: str = ""


class Dispute(FrozenModel):
    """A mark that the person holds to be wrong.

    Attributes:
        event_id: the ``MarkDisputed`` event.
        reason: why, in the person's words; may be empty.
        second: what the second reading found; ``None`` while there is none.

    """

    event_id: str
    reason: str
    second: SecondGrading | None = None


class Override(FrozenModel):
    """A verdict that a mentor or teacher put in the judge's place.

    Attributes:
        event_id: the ``MarkOverridden`` event.
        by: who.
        note: why; may be empty.
        judged, judged_credit, judged_sure: what the judge had said.

    """

    event_id: str
    by: str
    note: str
    judged: Verdict
    judged_credit: Unit | None
    judged_sure: bool


class CriterionFinding(FrozenModel):
    """One criterion of a question and how the person fared on it.

    Attributes:
        number: its place in the rubric, from 1.
        share: its part of the question's score, 0 to 1.
        verdict, credit, contradicted, sure: of the current grade.
        first_verdict: of the grade of what was said before any help with it; ``None`` where there is none.
        reached: what help came before it was met.
        quotes: the evidence.
        reason: why it is unscored; empty otherwise.
        self_assessed: the person's own verdict where the judge left it open, or they dispute it.
        dispute: where the person holds the mark to be wrong; it changes no mark.
        overridden: another's verdict in the judge's place; ``verdict``, ``credit`` and ``sure`` are then theirs.
        never_asked: whether it is missing, and its own probe, which alone asks for it, was never said. It is no gap.
        taken_back: whether it is contradicted by what the person took back when asked about it; it is not sure then.
        arithmetic: of a design's estimate, what the arithmetic gives and what the person said; empty for other points.

    """

    id: str
    number: int
    text: str
    share: Unit
    verdict: Verdict
    credit: Unit | None
    contradicted: Unit | None = None
    sure: bool
    first_verdict: Verdict | None
    reached: AssistanceLevel
    quotes: tuple[Quote, ...] = ()
    reason: str = ""
    self_assessed: Verdict | None = None
    dispute: Dispute | None = None
    overridden: Override | None = None
    never_asked: bool = False
    taken_back: bool = False
    arithmetic: str = ""

    @property
    def settled(self) -> Verdict:
        """The person's own verdict where there is one, else the one that stands."""
        return self.self_assessed or self.verdict

    @property
    def decided(self) -> bool:
        """Whether the mark may be told as sure: by the judge, or because the person settled it."""
        return self.sure or self.self_assessed is not None

    @property
    def contested(self) -> bool:
        """Whether the person holds the mark to be wrong, or says they made the point, and nobody has decided since.

        A contested point keeps its mark and takes no part in the result, the strengths, the gaps, and the plan.
        """
        if self.overridden is not None:
            return False
        if self.self_assessed is not None:
            return EARNS[self.self_assessed] > EARNS.get(self.verdict, 0.0)
        return self.dispute is not None


class Addition(FrozenModel):
    """A point that a strong answer would add to what was said, or put right in it.

    Attributes:
        verdict, sure: the judge's.
        self_assessed: the person's own; it decides here where there is one.

    """

    criterion_id: str
    text: str
    verdict: Verdict
    sure: bool
    self_assessed: Verdict | None = None


class Correction(FrozenModel):
    """Something that was said and is not so.

    Attributes:
        criterion_id: the criterion that was contradicted.
        right: what is so: the criterion.
        misconception: what people typically get wrong on this question; may be empty.
        sure: whether the judge was sure of the contradiction.
        quotes: what was said.
        proof: Python that shows what is so, with what it prints in its comments; may be empty.

    """

    criterion_id: str
    right: str
    misconception: str
    sure: bool
    quotes: tuple[Quote, ...]
    proof: str = ""


class Ungraded(FrozenModel):
    """Something that has no mark, and why.

    Attributes:
        number: the question's.
        answer_id: the answer.
        criterion_id: the criterion that could not be scored; ``None`` when the whole answer was not.

    """

    number: int
    answer_id: str
    criterion_id: str | None
    reason: str


class StageState(StrEnum):
    """What became of a part of an answer."""

    MADE = "made"
    PARTLY = "partly made"
    MISSING = "missing"
    UNSURE = "unsure"
    """The judge is unsure of a mark that would decide it."""
    NOT_SCORED = "not scored"
    NOT_ASKED = "not asked"


class Stage(FrozenModel):
    """A part that an answer of this kind has: of a story, or of a design.

    Attributes:
        name: of the part.
        state: computed from the verdicts on its criteria; ``NOT_ASKED`` where the rubric asks nothing of it.
        criteria: their ids.
        wanting: those of them that are surely not met.

    """

    name: str
    state: StageState
    criteria: tuple[str, ...] = ()
    wanting: tuple[str, ...] = ()


class QuestionFinding(FrozenModel):
    """One question of the interview.

    Attributes:
        asked_id: the ``QuestionAsked`` event.
        unaided: score of what was said before any follow-up or hint; 0 where the question was skipped without a word.
        unaided_note: why there is no such score; empty otherwise.
        final: score of all that was said; 0 where the question was skipped without a word.
        final_note: the same of that one.
        interval: what ``final`` may truly be; ``None`` where there is no such score or the judge was never measured.
        self_assessed: score of all that was said with the person's own verdicts in the place of the judge's;
            ``None`` where the person settled nothing, or something is still unscored.
        code: what became of the code that was written for it; counts for half of ``unaided`` and ``final``.
        skipped: the person skipped it, possibly after answering.
        came_back: it was left first and asked again later.
        criteria: in the rubric's order; empty where nothing is graded.
        stages: the parts of a story or of a design and what became of each; empty for other kinds of question.
        to_add: what a strong answer has and this one has not.
        reference_sentences: those that make points, to be marked; none for a story, which nobody else can complete.
        doubted: statements that the judge doubts and that no mark tells of.
        corrections: what was contradicted.
        graded_all_said: whether the verdicts cover all that was said; a point called missing may be made in the rest.
        reference: a strong answer, Markdown; may be empty.
        flags: what is dated or wrong in it.
        reading: titles of further reading.
        drawing: what the person drew on the whiteboard; ``None`` where they drew nothing.
        of_bank: whether it is from the question bank, and not made of a document of the person's.
        has_task: whether a program can be written for it and submitted.

    """

    asked_id: str
    number: int
    question_id: str
    text: str
    spoken: str
    topic: str
    kind: Kind
    level: Level | None
    minutes: int
    status: QuestionStatus
    unaided: Unit | None
    unaided_note: str
    final: Unit | None
    final_note: str
    interval: Interval | None = None
    self_assessed: Unit | None = None
    code: CodeFinding | None = None
    skipped: bool
    hinted: bool
    transcript: tuple[Turn, ...]
    criteria: tuple[CriterionFinding, ...]
    stages: tuple[Stage, ...] = ()
    to_add: tuple[Addition, ...]
    corrections: tuple[Correction, ...]
    graded_all_said: bool
    ungraded: tuple[Ungraded, ...]
    why_it_matters: str
    reference: str
    flags: tuple[ReferenceFlag, ...]
    source: Source
    reading: tuple[str, ...]
    reference_sentences: tuple[ReferenceSentence, ...] = ()
    came_back: bool = False
    drawing: Drawing | None = None
    of_bank: bool = False
    doubted: tuple[Quote, ...] = ()
    has_task: bool = False
