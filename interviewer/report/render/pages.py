"""What stands in a report before its appendix, in every written form of it. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from interviewer.report.analysis.timeline import Timeline, timeline
from interviewer.report.phrases import common, overview, study
from interviewer.report.schema.findings import Findings
from interviewer.report.schema.question import QuoteRole
from interviewer.report.schema.study import Highlight, StudyItem
from rubric.words import content_words
from serving.frozen import FrozenModel

MOST_PLANNED = 5
"""Points of the plan that stand on its page; the others stand in the appendix."""

MOST_TO_CHECK = 3
"""Points the judge was unsure of that stand on the page of the plan."""

MOST_LISTED = 16
"""Questions that are listed on the second page; more would not fit."""

_TITLE = 62


class QuestionLine(FrozenModel):
    """A question on the second page."""

    number: int
    title: str
    points: str
    score: float | None
    minutes: str


class PlanLine(FrozenModel):
    """What to do about a point: our words, and what is quoted behind them; either may be empty."""

    words: str
    quoted: str = ""


class PlanEntry(FrozenModel):
    """A point of the plan.

    Attributes:
        item: what to study.
        gap: which of the points to fix first it is, from 1; ``None`` where it is none of them.
        named: what the entry is called where the point itself is not its name; may be empty.
        lines: what to do, without what an entry before it says already.

    """

    item: StudyItem
    gap: int | None
    named: str
    lines: tuple[PlanLine, ...]


class DoubtedLine(FrozenModel):
    """A statement of the person's that is doubted, and the number of the question that they made it on."""

    number: int
    quoted: str


class PlanPage(FrozenModel):
    """The plan.

    Attributes:
        entries: what to study, in order: the points to fix first, and those that were surely missed.
        to_check: what else the judge was unsure of.
        rest: what stands in the appendix.
        doubted: statements that no point asks for, and that the judge doubts.

    """

    entries: tuple[PlanEntry, ...]
    to_check: tuple[StudyItem, ...]
    rest: tuple[StudyItem, ...]
    doubted: tuple[DoubtedLine, ...] = ()


def question_lines(findings: Findings) -> tuple[QuestionLine, ...]:
    """The questions in a line each."""
    line = timeline(findings)
    took = {row.number: row.seconds for row in line.rows}
    return tuple(
        QuestionLine(
            number=question.number,
            title=common.question_title(question, _TITLE),
            points=overview.points(question, editor=findings.plan is not None and findings.plan.editor),
            score=question.final,
            minutes=overview.minutes(took.get(question.number, 0.0)),
        )
        for question in findings.questions[:MOST_LISTED]
    )


def time_spent(findings: Findings) -> str:
    """Where the time went, in a sentence."""
    line = timeline(findings)
    pauses = tuple(pause.seconds for pause in line.pauses)
    return overview.time_spent(findings.seconds, answering(line), pauses, findings.planned_minutes)


def answering(line: Timeline) -> float:
    """Seconds between a question, follow-up, or hint and the answer to it, over all answers."""
    return sum(moment.at - moment.since for row in line.rows for moment in row.moments if moment.since is not None)


def quotes_again(items: Sequence[Highlight]) -> tuple[bool, ...]:
    """Of each gap or strength, whether it only quotes how an answer began that is quoted above it."""
    return tuple(
        bool(item.quotes)
        and item.quotes[0].role is QuoteRole.OPENING
        and any(other.quotes[0].answer_id == item.quotes[0].answer_id for other in items[:place] if other.quotes)
        for place, item in enumerate(items)
    )


def plan_page(findings: Findings) -> PlanPage:
    """The plan, each point with the gap it belongs to."""
    gaps = {(gap.asked_id, gap.criterion_id): place for place, gap in enumerate(findings.fix_first, 1)}
    planned = [item for item in findings.study if item.sure or (item.asked_id, item.criterion_id) in gaps]
    unsure = [item for item in findings.study if item not in planned]
    asked = {question.asked_id: question for question in findings.questions}
    entries: list[PlanEntry] = []
    told: set[str] = set()
    for item in planned[:MOST_PLANNED]:
        steps = [step for step in study.steps(item.exercise) if step not in told]
        told.update(steps)
        gap = gaps.get((item.asked_id, item.criterion_id))
        question = asked[item.asked_id]
        lines = [*_lines(item, question.spoken, " ".join(steps), named=gap is not None)]
        title = reading_on(item.say, question.reading)
        if title and title not in told:
            told.add(title)
            lines.append(PlanLine(words=study.read(title)))
        named = study.named(item, gap)
        entries.append(PlanEntry(item=item, gap=gap, named=named, lines=tuple(lines)))
    return PlanPage(
        entries=tuple(entries),
        to_check=tuple(unsure[:MOST_TO_CHECK]),
        rest=(*planned[MOST_PLANNED:], *unsure[MOST_TO_CHECK:]),
        doubted=_doubted(findings),
    )


def reading_on(point: str, titles: Sequence[str]) -> str:
    """The title that shares most words with a point, the only one there is, or none: another paper would mislead."""
    about = content_words(point)
    best = max(titles, key=lambda title: len(about & content_words(title)), default="")
    return best if len(titles) == 1 or about & content_words(best) else ""


def _doubted(findings: Findings) -> tuple[DoubtedLine, ...]:
    """The surest ones, of each question one before a second of any."""
    ranked = sorted(
        (place, question.number, common.written(quote.text))
        for question in findings.questions
        for place, quote in enumerate(question.doubted)
    )
    return tuple(DoubtedLine(number=number, quoted=said) for _, number, said in ranked[: study.MOST_DOUBTED])


def _lines(item: StudyItem, asked: str, exercise: str, *, named: bool) -> Iterator[PlanLine]:
    """What to do about a point; how to say it only where the entry is not named by the point itself."""
    if item.verdict is None:
        yield PlanLine(words=study.UNANSWERED)
        return
    alone = item.prompt == asked
    if not alone:
        yield PlanLine(words=exercise or study.PRACTICE, quoted=common.written(item.prompt))
    if item.example and named:
        yield PlanLine(words=study.SAY, quoted=common.written(item.example))
    again = study.again(item.retry, item.number, then=not alone)
    if alone:
        again = f"{exercise} {again}".strip()
    yield PlanLine(words=again, quoted="" if item.retry.same else common.written(item.retry.spoken))
