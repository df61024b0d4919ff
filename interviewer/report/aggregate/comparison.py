"""Several interviews of one person side by side, by topic and by repeated question. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from interviewer.report.analysis.standing import judged_interval
from interviewer.report.schema.findings import Findings
from interviewer.report.schema.question import QuestionFinding, QuestionStatus
from rubric.model import Interval, Unit, Verdict
from serving.frozen import FrozenModel


class Compared(FrozenModel):
    """One interview of several.

    Attributes:
        started: when its first question was put; ``None`` where none was.
        unaided, final: its totals; ``None`` where there is no such score.

    """

    session_id: str
    started: datetime | None
    asked: int
    graded: int
    unaided: Unit | None
    final: Unit | None


class Cell(FrozenModel):
    """What one interview has to say in a row.

    Attributes:
        graded: questions with a final score; 0 where there is none.
        score: their mean, weighted by minutes; ``None`` where there is none.
        interval: what it may truly be; ``None`` where that is not known of every question in it.

    """

    graded: int = 0
    score: Unit | None = None
    interval: Interval | None = None


class Change(FrozenModel):
    """From the first interview that has a score to the last.

    Attributes:
        by: the difference, -1 to 1.
        beyond: whether it is larger than the intervals, so that these do not meet; ``None`` where one is not known.

    """

    by: float
    beyond: bool | None


class TopicRow(FrozenModel):
    """One topic over the interviews, in their order; the questions need not be the same ones."""

    topic: str
    cells: tuple[Cell, ...]
    change: Change | None


class QuestionRow(FrozenModel):
    """One question that was put in several interviews.

    Attributes:
        gained: criteria that were not met in the first of these and are in the last, as text.
        lost: the other way round.

    """

    question_id: str
    spoken: str
    topic: str
    cells: tuple[Cell, ...]
    change: Change | None
    gained: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()


class Comparison(FrozenModel):
    """Several interviews, the earliest first."""

    sessions: tuple[Compared, ...]
    topics: tuple[TopicRow, ...]
    questions: tuple[QuestionRow, ...]


def compare(reports: Iterable[Findings]) -> Comparison:
    """Interviews side by side; the same one twice counts once."""
    once = {report.session_id: report for report in reports}.values()
    ordered = sorted(once, key=lambda report: (report.started is None, report.started, report.session_id))
    topics = dict.fromkeys(question.topic for report in ordered for question in report.questions)
    ids = [dict.fromkeys(question.question_id for question in report.questions) for report in ordered]
    repeated = dict.fromkeys(name for own in ids for name in own if sum(name in other for other in ids) > 1)
    return Comparison(
        sessions=tuple(
            Compared(
                session_id=report.session_id,
                started=report.started,
                asked=report.overall.asked,
                graded=report.overall.graded,
                unaided=report.overall.unaided,
                final=report.overall.final,
            )
            for report in ordered
        ),
        topics=tuple(_topic(topic, ordered) for topic in sorted(topics)),
        questions=tuple(_question(name, ordered) for name in repeated),
    )


def cell(questions: Sequence[QuestionFinding]) -> Cell:
    """The mean of the questions' final scores, weighted by minutes.

    Its interval is that of the report's own picture by topic.
    """
    scored = [(question.final, question.minutes) for question in questions]
    known = [(score, minutes) for score, minutes in scored if score is not None]
    if not known:
        return Cell()
    mean = min(sum(score * minutes for score, minutes in known) / sum(minutes for _, minutes in known), 1.0)
    return Cell(graded=len(known), score=mean, interval=judged_interval(questions))


def total(report: Findings) -> Cell:
    """The overall score of one interview and its likely range: those that its report tells, wherever they are told."""
    if report.standing is None:
        return Cell()
    return Cell(graded=report.standing.graded, score=report.standing.score, interval=report.standing.likely)


def change(cells: Sequence[Cell]) -> Change | None:
    """From the first score to the last; ``None`` unless there are two."""
    known = [one for one in cells if one.score is not None]
    if len(known) < 2:
        return None
    first, last = known[0], known[-1]
    beyond = None
    if first.interval is not None and last.interval is not None:
        beyond = last.interval[0] > first.interval[1] or last.interval[1] < first.interval[0]
    return Change(by=(last.score or 0.0) - (first.score or 0.0), beyond=beyond)


def _topic(topic: str, reports: Sequence[Findings]) -> TopicRow:
    cells = tuple(cell([question for question in report.questions if question.topic == topic]) for report in reports)
    return TopicRow(topic=topic, cells=cells, change=change(cells))


def _is_skipped(question: QuestionFinding) -> bool:
    return question.status is QuestionStatus.SKIPPED


def _question(question_id: str, reports: Sequence[Findings]) -> QuestionRow:
    # Whoever skipped a question has not shown what they would have said: nothing can have changed since.
    found = [
        [held for held in report.questions if held.question_id == question_id and not _is_skipped(held)]
        for report in reports
    ]
    cells = tuple(map(cell, found))
    graded = [held for several in found for held in several if held.graded_all_said]
    before = {point.id: point for point in graded[0].criteria} if graded else {}
    after = {point.id: point for point in graded[-1].criteria} if graded else {}
    both = [(before[name], after[name]) for name in before if name in after]
    scored = [pair for pair in both if all(point.verdict is not Verdict.UNSCORED for point in pair)]
    met = [(old.verdict is Verdict.MET, new.verdict is Verdict.MET, new.text) for old, new in scored]
    asked = next(held for report in reports for held in report.questions if held.question_id == question_id)
    return QuestionRow(
        question_id=question_id,
        spoken=asked.spoken,
        topic=asked.topic,
        cells=cells,
        change=change(cells),
        gained=tuple(text for old, new, text in met if new and not old),
        lost=tuple(text for old, new, text in met if old and not new),
    )
