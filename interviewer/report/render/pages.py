"""What stands on the first three pages of a report, in every written form of it. Pure."""

from __future__ import annotations

from interviewer.report.analysis.timeline import Timeline, timeline
from interviewer.report.phrases import common, overview, study
from interviewer.report.schema.findings import Findings
from interviewer.report.schema.study import StudyItem
from serving.frozen import FrozenModel

MOST_PLANNED = 5
"""Points of the plan that stand on its page; the others stand in the appendix."""

MOST_TO_CHECK = 3
"""Points the judge was unsure of that stand on the page of the plan."""

MOST_LISTED = 16
"""Questions that are listed on the second page; more would not fit."""

_TITLE = 74


class QuestionLine(FrozenModel):
    """A question on the second page."""

    number: int
    title: str
    points: str
    score: float | None
    minutes: str


class PlanEntry(FrozenModel):
    """A point of the plan.

    Attributes:
        item: what to study.
        gap: which of the first page's gaps it is, from 1; ``None`` where it is none of them.
        exercise: what to do, without what an entry before it says already; may be empty.
        prompt: the question to do it with; empty where it is the interview's question itself.
        reading: what to read, with the first point of each question only; may be empty.

    """

    item: StudyItem
    gap: int | None
    exercise: str
    prompt: str
    reading: str


class PlanPage(FrozenModel):
    """The plan.

    Attributes:
        entries: what to study, in order; each rests on a mark that the judge was sure of.
        to_check: what the judge was unsure of.
        rest: what stands in the appendix.

    """

    entries: tuple[PlanEntry, ...]
    to_check: tuple[StudyItem, ...]
    rest: tuple[StudyItem, ...]


def question_lines(findings: Findings) -> tuple[QuestionLine, ...]:
    """The questions in a line each."""
    line = timeline(findings)
    took = {row.number: row.seconds for row in line.rows}
    return tuple(
        QuestionLine(
            number=question.number,
            title=common.question_title(question, _TITLE),
            points=overview.points(question),
            score=question.final,
            minutes=overview.minutes(took.get(question.number, 0.0)),
        )
        for question in findings.questions[:MOST_LISTED]
    )


def time_spent(findings: Findings) -> str:
    """Where the time went, in a sentence."""
    line = timeline(findings)
    return overview.time_spent(findings.seconds, answering(line), tuple(pause.seconds for pause in line.pauses))


def answering(line: Timeline) -> float:
    """Seconds between a question, follow-up, or hint and the answer to it, over all answers."""
    return sum(moment.at - moment.since for row in line.rows for moment in row.moments if moment.since is not None)


def plan_page(findings: Findings) -> PlanPage:
    """The plan, each point with the gap it belongs to."""
    gaps = {(gap.asked_id, gap.criterion_id): place for place, gap in enumerate(findings.gaps, 1)}
    spoken = {question.asked_id: question.spoken for question in findings.questions}
    reading = {question.asked_id: question.reading[0] for question in findings.questions if question.reading}
    sure = [item for item in findings.study if item.sure]
    unsure = [item for item in findings.study if not item.sure]
    entries, told = [], set[str]()
    for item in sure[:MOST_PLANNED]:
        steps = [step for step in study.steps(item.exercise) if step not in told]
        told.update(steps)
        gap = gaps.get((item.asked_id, item.criterion_id))
        read = reading.pop(item.asked_id, "")
        prompt = "" if item.prompt == spoken[item.asked_id] else item.prompt
        entries.append(PlanEntry(item=item, gap=gap, exercise=" ".join(steps), prompt=prompt, reading=read))
    return PlanPage(
        entries=tuple(entries),
        to_check=tuple(unsure[:MOST_TO_CHECK]),
        rest=(*sure[MOST_PLANNED:], *unsure[MOST_TO_CHECK:]),
    )
