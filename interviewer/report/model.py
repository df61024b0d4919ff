"""What a report says, as frozen models. Every statement names the event or the criterion that backs it.

Offsets of quotes and marks count characters of the one answer they name, end excluded.
Scores run from 0 to 1; ``None`` means that there is no such score, never zero.
"""

from __future__ import annotations

from datetime import date, datetime
from enum import StrEnum
from typing import Literal

from interviewer.events import Confidence, FollowUpKind, Part, Plan, Replaced
from knowledge.model import Kind, Level, ReferenceFlag, Source
from rubric.card import TrustCard
from rubric.execution import CodeResult, CodeStatus
from rubric.model import Interval, Unit, Verdict
from serving.frozen import Frozen

SCHEMA_VERSION = 1
"""Raised whenever a key of the JSON report is renamed, removed or changes its meaning."""


class Reached(StrEnum):
    """How a person came to a criterion."""

    UNAIDED = "unaided"
    AFTER_FOLLOW_UP = "after follow-up"
    AFTER_HINT = "after hint"
    AFTER_ANSWER = "after answer shown"
    """Put right once the question was closed and a strong answer to it had been shown."""
    HELP_UNKNOWN = "met, help unknown"
    NOT_MET = "not met"
    UNSCORED = "unscored"


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


class Band(StrEnum):
    """What a score means at a level."""

    STRONG = "strong"
    SOLID = "solid"
    APPROACHING = "approaching"
    BELOW = "not yet at"


class Support(StrEnum):
    """How sure an overall result is: by how many bands other questions of this kind might have moved it.

    ``firm``: by none. ``fair``: by one. ``rough``: by more. ``thin``: too few questions are graded to tell.
    """

    FIRM = "firm"
    FAIR = "fair"
    ROUGH = "rough"
    THIN = "thin"


class Outcome(StrEnum):
    """What became of a follow-up or a hint.

    ``helped``: the answer to it earned a better verdict on some point. ``did not help``: it earned none.
    ``unanswered``: nothing was said to it. ``unknown``: what was said before it, or after it, is not graded.
    """

    HELPED = "helped"
    DID_NOT_HELP = "did not help"
    UNANSWERED = "unanswered"
    UNKNOWN = "unknown"


class QuoteRole(StrEnum):
    """Why a quotation stands where it stands.

    ``evidence``: the words the verdict rests on. ``reply``: what the person said when asked about this very
    point. ``opening``: how the answer began in which the point does not occur.
    """

    EVIDENCE = "evidence"
    REPLY = "reply"
    OPENING = "opening"


class Quote(Frozen):
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


class Mark(Frozen):
    """A piece of an answer on which a verdict rests."""

    start: int
    end: int
    criterion_id: str
    number: int
    verdict: Verdict
    sure: bool


class Turn(Frozen):
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
    outcome: Outcome | None = None
    gained: tuple[int, ...] = ()
    sure: Confidence | None = None
    place: str = ""
    later: bool = False


class TalkFinding(Frozen):
    """A part of the interview in which nothing is graded.

    Attributes:
        part: which.
        transcript: what was said in it.

    """

    part: Part
    transcript: tuple[Turn, ...]


class StrongPart(Frozen):
    """A sentence or two of a strong answer.

    Attributes:
        text: the words.
        origin: ``yours``, words of the person that earned credit; ``ours``, an example statement of the rubric or a
            criterion, for what was not said.
        numbers: of the points it makes.
        quote: where the person said it; ``None`` for ours.

    """

    text: str
    origin: Literal["yours", "ours"]
    numbers: tuple[int, ...]
    quote: Quote | None = None


class SecondGrading(Frozen):
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


class Dispute(Frozen):
    """A mark that the person holds to be wrong.

    Attributes:
        event_id: the ``MarkDisputed`` event.
        reason: why, in the person's words; may be empty.
        second: what the second reading found; ``None`` while there is none.

    """

    event_id: str
    reason: str
    second: SecondGrading | None = None


class Override(Frozen):
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


class CriterionFinding(Frozen):
    """One criterion of a question and how the person fared on it.

    Attributes:
        number: its place in the rubric, from 1.
        share: its part of the question's score, 0 to 1.
        verdict, credit, sure: of the current grade.
        first_verdict: of the grade of what was said before any help; ``None`` where there is none.
        reached: whether help came before it was met.
        quotes: the evidence.
        reason: why it is unscored; empty otherwise.
        self_assessed: the person's own verdict where the judge left it open, or they dispute it, and settled it.
        dispute: where the person holds the mark to be wrong; it changes no mark.
        overridden: where somebody put another verdict in the judge's place; ``verdict``, ``credit`` and ``sure``
            are then theirs.

    """

    id: str
    number: int
    text: str
    share: Unit
    verdict: Verdict
    credit: Unit | None
    sure: bool
    first_verdict: Verdict | None
    reached: Reached
    quotes: tuple[Quote, ...] = ()
    reason: str = ""
    self_assessed: Verdict | None = None
    dispute: Dispute | None = None
    overridden: Override | None = None

    @property
    def settled(self) -> Verdict:
        """The person's own verdict where there is one, else the one that stands."""
        return self.self_assessed or self.verdict


class Addition(Frozen):
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


class Correction(Frozen):
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


class Ungraded(Frozen):
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


class Attempt(Frozen):
    """Code that was run or submitted.

    Attributes:
        event_id: the ``CodeRan`` event.
        number: its place among the question's attempts, from 1.
        submitted: whether the hidden tests ran too, or the examples alone.
        status: what became of it.
        passed, tests: how many tests passed, of how many.
        diff: what changed since the attempt before, or since the starter; empty where nothing did.

    """

    event_id: str
    at: datetime
    number: int
    submitted: bool
    status: CodeStatus
    passed: int
    tests: int
    diff: str


class CodeFinding(Frozen):
    """The code of one question.

    Attributes:
        attempts: in order.
        result: of the last submission; of the last run where nothing was submitted.
        submitted: whether anything was submitted.
        credit: what the last submission earned; ``None`` where there is none, or nothing could be executed.
        solution: ours.

    """

    attempts: tuple[Attempt, ...]
    result: CodeResult
    submitted: bool
    credit: Unit | None
    solution: str


class StageState(StrEnum):
    """What became of a part of an answer."""

    MADE = "made"
    PARTLY = "partly made"
    MISSING = "missing"
    NOT_SCORED = "not scored"
    NOT_ASKED = "not asked"


class Stage(Frozen):
    """A part that an answer of this kind has: of a story, or of a design.

    Attributes:
        name: of the part.
        state: computed from the verdicts on its criteria; ``NOT_ASKED`` where the rubric asks nothing of it.
        criteria: their ids.
        wanting: those of them that are not met.

    """

    name: str
    state: StageState
    criteria: tuple[str, ...] = ()
    wanting: tuple[str, ...] = ()


class QuestionFinding(Frozen):
    """One question of the interview.

    Attributes:
        asked_id: the ``QuestionAsked`` event.
        unaided: score of what was said before any follow-up or hint.
        unaided_note: why there is no such score; empty otherwise.
        final: score of all that was said.
        final_note: why there is no such score; empty otherwise.
        interval: what ``final`` may truly be; ``None`` where there is no such score or the judge was never measured.
        self_assessed: score of all that was said with the person's own verdicts in the place of the judge's;
            ``None`` where the person settled nothing, or something is still unscored.
        code: what became of the code that was written for it; counts for half of ``unaided`` and ``final``.
        skipped: the person skipped it, possibly after answering.
        came_back: it was left first and asked again later.
        criteria: in the rubric's order; empty where nothing is graded.
        stages: the parts of a story or of a design and what became of each; empty for other kinds of question.
        to_add: what a strong answer has and this one has not.
        strong: a strong answer built on what was said; empty where nothing is graded.
        corrections: what was contradicted.
        graded_all_said: whether the verdicts cover everything the person said here; where not, a point
            that is called missing may well have been made in the answer that is still ungraded.
        reference: a strong answer, Markdown; may be empty.
        flags: what is dated or wrong in it.
        reading: titles of further reading.

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
    strong: tuple[StrongPart, ...] = ()
    came_back: bool = False


class Tally(Frozen):
    """Totals over some questions.

    Attributes:
        asked: questions put.
        graded: how many of them have a final score; ``final`` is over these.
        graded_unaided: how many have an unaided score; ``unaided`` is over these.
        skipped: skipped, with or without an answer before.
        without_mark: answered and without a final score.
        unaided, final: mean of the questions' scores, weighted by the minutes a question should take.
        self_assessed: likewise, with the person's own verdicts where there are any and the final scores
            elsewhere; ``None`` where the person settled nothing.
        graded_self_assessed: how many questions ``self_assessed`` is over.
        interval: what ``final`` may truly be as far as the judge's doubt goes; ``None`` where it is not known.

    """

    asked: int
    graded: int
    graded_unaided: int
    skipped: int
    without_mark: int
    unaided: Unit | None
    final: Unit | None
    self_assessed: Unit | None = None
    graded_self_assessed: int = 0
    interval: Interval | None = None


class TopicTally(Tally):
    """Totals of one topic."""

    topic: str


class Highlight(Frozen):
    """A strength or a gap: one criterion the judge was sure about.

    Attributes:
        number: the question's.
        text: the criterion.
        quotes: at least one.
        asked: the follow-up the quotation replies to; empty for other quotations.
        point: the criterion's place in its rubric, from 1.

    """

    number: int
    asked_id: str
    criterion_id: str
    topic: str
    text: str
    verdict: Verdict
    reached: Reached
    quotes: tuple[Quote, ...]
    asked: str = ""
    point: int = 1


class Fix(Frozen):
    """What to do first.

    Attributes:
        number, criterion_id: of the first gap.
        say: the point to be able to make.
        misconception: what to let go of; empty unless the gap is a contradiction.
        practise: a question to answer aloud.
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


class Retry(Frozen):
    """A question to answer again.

    Attributes:
        question_id: its id.
        spoken: as it is said aloud.
        same: whether it is the very question that the point was missed in.

    """

    question_id: str
    spoken: str
    same: bool


class StudyItem(Frozen):
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


class Standing(Frozen):
    """Where the person stands.

    Attributes:
        level: the seniority that most of the graded questions were for.
        at_level: how many of the graded questions were for it, those without a level included.
        graded: how many questions the score is over.
        band: what the score means at that level.
        score: the overall score, follow-ups and hints counted.
        interval: what it may truly be as far as the judge's doubt about these answers goes; ``None`` where the
            judge was never measured.
        reach: where the score over all such questions lies with a probability of 0.9; ``None`` where fewer than
            three are graded.
        reach_bands: the bands of the ends of ``reach``.
        support: how sure the band is.
        strong_on, not_ready_on: at most two topics each, the plainest first.

    """

    level: Level
    at_level: int
    graded: int
    band: Band
    score: Unit
    interval: Interval | None
    reach: Interval | None
    reach_bands: tuple[Band, Band] | None
    support: Support
    strong_on: tuple[str, ...]
    not_ready_on: tuple[str, ...]


class EarlierScore(Frozen):
    """What an earlier interview came to on one topic."""

    session_id: str
    started: datetime
    topic: str
    final: Unit


class JudgeUsed(Frozen):
    """Who gave marks, and how far they can be trusted.

    Attributes:
        judge: name and version.
        model: the model behind it.
        digest: of the model's weights; empty when a server did not tell.
        card: what was measured of this judge; ``None`` where nothing was.

    """

    judge: str
    model: str
    digest: str
    card: TrustCard | None = None


class RubricUsed(Frozen):
    """The rubric a question was graded with.

    Attributes:
        version: the version named by the marks.
        origin: who wrote it; ``None`` when the question carries none.
        as_asked: whether it is the very version that the question carried when asked.

    """

    number: int
    question_id: str
    version: str
    origin: Literal["bank", "given", "derived"] | None
    as_asked: bool


class PhrasedByModel(Frozen):
    """The follow-ups that a model was asked to word.

    Attributes:
        models: which, in the order in which they were asked.
        asked: how many follow-ups.
        replaced: how many were said in the bank's own words instead, by the reason, the most frequent first.

    """

    models: tuple[str, ...]
    asked: int
    replaced: tuple[tuple[Replaced, int], ...] = ()


class HowMade(Frozen):
    """How the marks came about.

    Attributes:
        criteria_judged: current verdicts, unscored ones included.
        criteria_unsure: of these, scored ones too close to even to be stated as a finding.
        criteria_self_assessed: those the person settled themselves, unscored ones included.
        criteria_disputed: those whose mark the person holds to be wrong.
        criteria_overridden: those whose mark somebody else put in the judge's place.
        overridden_by: who, in the order of the marks.
        unscored: what has no mark, and why.
        grading_seconds: time all marks took together, wall clock.
        phrased: the follow-ups that a model was asked to word; ``None`` where all are the bank's.

    """

    judges: tuple[JudgeUsed, ...]
    rubrics: tuple[RubricUsed, ...]
    criteria_judged: int
    criteria_unsure: int
    criteria_self_assessed: int = 0
    criteria_disputed: int = 0
    criteria_overridden: int = 0
    overridden_by: tuple[str, ...] = ()
    unscored: tuple[Ungraded, ...]
    grading_seconds: float
    phrased: PhrasedByModel | None = None


class View(StrEnum):
    """Whom a report is for."""

    PERSON = "person"
    INTERVIEWER = "interviewer"
    """A mentor or teacher: marks and evidence, no coaching."""


class Moment(Frozen):
    """A moment of a spoken answer.

    Attributes:
        number: of the question.
        seconds: how long it lasts.
        at: where it begins, in seconds from the beginning of that answer's recording.

    """

    number: int
    seconds: float
    at: float


class SpokenExample(Frozen):
    """A place at which one can hear what is told about the speaking.

    Attributes:
        habit: what is heard there.
        number: of the question.
        answer_id: the answer.
        at: where it begins, in seconds from the beginning of that answer's first recording.
        said: the words there; empty for a pause.

    """

    habit: Literal["pause", "filler", "restart", "hedge"]
    number: int
    answer_id: str
    at: float
    said: str = ""


class Manner(Frozen):
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
        sure: share of the recognised words of which recognition was sure, 0 to 1; ``None`` where there are none.
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


class StatedConfidence(Frozen):
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


class ConfidenceLevel(Frozen):
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


class OwnConfidence(Frozen):
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


class Findings(Frozen):
    """All that a report says about one interview.

    Attributes:
        plan: what was planned; ``None`` only when the interview never began.
        started: when the first question was put.
        last: when it ended, or when the last thing was said.
        seconds: between these two.
        ended: why it ended; ``None`` while it is still open.
        strengths, gaps: at most three each, most important first.
        fix: what to do about the first gap; ``None`` where there is no gap.
        study: what to study next, in order.
        study_left_out: points that were missed and are not among these.
        view: whom it is for; what only coaches is left out for an interviewer.
        standing: the overall result, to be put in one sentence; ``None`` where there is no score.
        earlier: the scores of earlier interviews on the topics of this one, the oldest first.
        manner: how the answers were spoken; ``None`` where none was.
        talks: the parts in which nothing is graded: what was said in them.
        confidence: how sure the person said that they were, beside what they earned; ``None`` below three answers.
        notes: what the person noted for themselves, never graded; may be empty.

    """

    schema_version: int = SCHEMA_VERSION
    session_id: str
    plan: Plan | None
    started: datetime | None
    last: datetime | None
    seconds: float
    ended: str | None
    overall: Tally
    topics: tuple[TopicTally, ...]
    strengths: tuple[Highlight, ...]
    gaps: tuple[Highlight, ...]
    fix: Fix | None
    study: tuple[StudyItem, ...] = ()
    study_left_out: int = 0
    view: View = View.PERSON
    questions: tuple[QuestionFinding, ...]
    made: HowMade
    standing: Standing | None = None
    earlier: tuple[EarlierScore, ...] = ()
    manner: Manner | None = None
    talks: tuple[TalkFinding, ...] = ()
    confidence: OwnConfidence | None = None
    notes: str = ""
