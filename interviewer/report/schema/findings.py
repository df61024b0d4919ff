"""What a report says, as frozen models. Every statement names the event or the criterion that backs it.

Offsets of quotes and marks count characters of the one answer they name, end excluded.
Scores run from 0 to 1; ``None`` means that there is no such score, never zero.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from interviewer.report.schema.delivery import Manner, OwnConfidence
from interviewer.report.schema.provenance import HowMade
from interviewer.report.schema.question import QuestionFinding, Support, TalkFinding
from interviewer.report.schema.study import Fix, Highlight, StudyItem
from interviewer.session.plan import Plan
from interviewer.session.queries import planned_length
from knowledge.model import Level
from rubric.model import Interval, Unit
from serving.frozen import FrozenModel

SCHEMA_VERSION = 1
"""Raised whenever a key of the JSON report is renamed, removed or changes its meaning."""


class Band(StrEnum):
    """What a score means at a level."""

    STRONG = "strong"
    SOLID = "solid"
    APPROACHING = "approaching"
    BELOW = "not yet at"


class Tally(FrozenModel):
    """Totals over some questions.

    Attributes:
        asked: questions put.
        graded: how many of them have a final score that was earned; ``final`` is over these and those that were
            skipped without a word, which count 0.
        graded_unaided: how many have an unaided score, 0 for those skipped without a word; ``unaided`` is over these.
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


class Standing(FrozenModel):
    """Where the person stands.

    Attributes:
        level: the seniority that most of the graded questions were for.
        at_level: how many of the graded questions were for it, those without a level included.
        graded: how many graded questions the score is over.
        band: what the score means at that level.
        score: the overall score, follow-ups and hints counted, without the points that are left out.
        interval: what it may truly be as far as the judge's doubt about these answers goes; ``None`` where the
            judge was never measured.
        reach: where the score over all such questions lies with a probability of 0.9; ``None`` where fewer than
            three are graded.
        reach_bands: the bands of the ends of ``reach``.
        support: how sure the band is.
        strong_on, not_ready_on: at most two topics each, the plainest first.
        left_out: how many points are no part of all this, because the person says they made them or disputes the mark.
        place: the level that the person's ability is at, and how sure that is, in the sentence that the history says
            too (``interviewer.planning.scale``); empty in reports of before there was one.
        skipped: how many questions were skipped without a word: the score counts each as 0.

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
    left_out: int = 0
    place: str = ""
    skipped: int = 0

    @property
    def likely(self) -> Interval | None:
        """The interval of the result: what holds both other questions of the kind and the judge's doubt about these."""
        known = [ends for ends in (self.reach, self.interval) if ends is not None]
        if not known:
            return None
        return min(low for low, _ in known), max(high for _, high in known)


class EarlierScore(FrozenModel):
    """What an earlier interview came to on one topic."""

    session_id: str
    started: datetime
    topic: str
    final: Unit


class View(StrEnum):
    """Whom a report is for."""

    PERSON = "person"
    INTERVIEWER = "interviewer"
    """A mentor or teacher: marks and evidence, no coaching."""


class Findings(FrozenModel):
    """All that a report says about one interview.

    Attributes:
        plan: what was planned; ``None`` only when the interview never began.
        started: when it began, the warm-up included.
        last: when it ended, or when the last thing was said.
        seconds: from the first question to then.
        ended: why it ended; ``None`` while it is still open.
        strengths, gaps: at most three each, most important first; the judge was sure of all of them.
        fix_first: at most three things to fix, most important first: the gaps, and between them what is in doubt.
        fix: what to do about the first of these; ``None`` where there is none.
        study: what to study next, in order.
        study_left_out: points that were missed and are not among these.
        view: whom it is for; what only coaches is left out for an interviewer.
        standing: the overall result, to be put in one sentence; ``None`` where there is no score.
        earlier: the scores of earlier interviews on the topics of this one, the oldest first.
        manner: how the answers were spoken; ``None`` where none was.
        talks: the parts in which nothing is graded: what was said in them.
        confidence: how sure the person said that they were, beside what they earned; ``None`` below three answers.
        notes: what the person noted for themselves, never graded; may be empty.
        damaged: number of events of the journal that could not be used for this report.

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
    fix_first: tuple[Highlight, ...] = ()
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
    damaged: int = 0

    @property
    def planned_minutes(self) -> int:
        """Minutes that the questions were planned to take, without those asked because there was time left."""
        most = planned_length(self.plan) if self.plan else len(self.questions)
        return sum(question.minutes for question in self.questions[:most])
