"""Several people's reports as one: what a group misses most. Pure; nobody's words stand in it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from statistics import mean

from interviewer.report.aggregate.comparison import cell
from interviewer.report.schema.findings import Findings
from rubric.model import Unit, Verdict
from serving.frozen import FrozenModel

FEWEST = 3
"""People from which on the lowest and the highest score of a topic may stand in a summary without names."""

_WANTING = {Verdict.CONTRADICTED, Verdict.MISSING, Verdict.PARTIAL}


class Person(FrozenModel):
    """One person's totals; ``None`` where there is no such score."""

    name: str
    asked: int
    unaided: Unit | None
    final: Unit | None


class GroupTopic(FrozenModel):
    """One topic over the group.

    Attributes:
        people: how many have a score on it.
        mean: of their scores, each person counting once.
        lowest, highest: ``None`` where they would tell too much of too few.

    """

    topic: str
    people: int
    mean: Unit
    lowest: Unit | None
    highest: Unit | None


class GroupPoint(FrozenModel):
    """One criterion over the group.

    Attributes:
        people: who were judged on it.
        missed: those of them who surely did not meet it.
        contradicted: those of these who said the opposite.
        unsure: those of whom it is not sure.

    """

    question_id: str
    criterion_id: str
    question: str
    topic: str
    text: str
    people: int
    missed: int
    contradicted: int
    unsure: int


class Group(FrozenModel):
    """What a group knows and misses.

    Attributes:
        people: how many reports it is made of.
        persons: by name; empty where names are left out.
        topics: the weakest first.
        points: those that anybody missed, most missed first.

    """

    people: int
    persons: tuple[Person, ...]
    topics: tuple[GroupTopic, ...]
    points: tuple[GroupPoint, ...]


def summarize(reports: Mapping[str, Findings], *, anonymous: bool = False) -> Group:
    """What a group misses most.

    Args:
        reports: one a person, by name.
        anonymous: leave out whatever tells one person from another: names, their totals, and in a group of fewer
            than ``FEWEST`` a topic's lowest and highest score.

    """
    found = list(reports.values())
    return Group(
        people=len(found),
        persons=()
        if anonymous
        else tuple(
            Person(
                name=name,
                asked=report.overall.asked,
                unaided=report.overall.unaided,
                final=report.overall.final,
            )
            for name, report in sorted(reports.items())
        ),
        topics=tuple(sorted(_topics(found, anonymous=anonymous), key=lambda topic: (topic.mean, topic.topic))),
        points=tuple(sorted(_points(found), key=_most_missed)),
    )


def _topics(reports: Sequence[Findings], *, anonymous: bool) -> Iterable[GroupTopic]:
    scores: dict[str, list[float]] = defaultdict(list)
    for report in reports:
        for topic in dict.fromkeys(question.topic for question in report.questions):
            score = cell([question for question in report.questions if question.topic == topic]).score
            if score is not None:
                scores[topic].append(score)
    for topic, known in scores.items():
        few = anonymous and len(known) < FEWEST
        yield GroupTopic(
            topic=topic,
            people=len(known),
            mean=mean(known),
            lowest=None if few else min(known),
            highest=None if few else max(known),
        )


def _points(reports: Sequence[Findings]) -> Iterable[GroupPoint]:
    judged = defaultdict(list)
    for report in reports:
        for question in report.questions:
            # What is still ungraded may hold what seems to be missing, and who was never asked has missed nothing.
            for point in question.criteria if question.graded_all_said else ():
                if point.verdict is not Verdict.UNSCORED and not point.never_asked:
                    judged[question.question_id, point.id].append((question, point))
    for (question_id, criterion_id), found in judged.items():
        question, point = found[-1]
        sure = [held.verdict for _, held in found if held.sure]
        missed = sum(verdict in _WANTING for verdict in sure)
        if missed:
            yield GroupPoint(
                question_id=question_id,
                criterion_id=criterion_id,
                question=question.spoken,
                topic=question.topic,
                text=point.text,
                people=len(found),
                missed=missed,
                contradicted=sum(verdict is Verdict.CONTRADICTED for verdict in sure),
                unsure=len(found) - len(sure),
            )


def _most_missed(point: GroupPoint) -> tuple[float | str, ...]:
    """Most people first; of equally many, the larger share, then who said the opposite."""
    share = point.missed / point.people
    return (-point.missed, -share, -point.contradicted, point.question_id, point.criterion_id)
