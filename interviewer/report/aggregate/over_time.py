"""How a person's scores went over time, by topic: only of interviews whose scores mean the same. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from interviewer.report.aggregate.comparison import Cell, Change, cell, change
from interviewer.report.schema.findings import Findings
from interviewer.session.plan import Mode
from knowledge.model import Level
from serving.frozen import FrozenModel


class TopicScore(FrozenModel):
    """What one interview came to on a topic.

    Attributes:
        session_id: the interview's.
        at: when it began.
        cell: its score, with an interval where one is known.

    """

    session_id: str
    at: datetime
    cell: Cell


class TopicOverTime(FrozenModel):
    """The scores on one topic, the oldest first, and what became of them; ``None`` with fewer than two."""

    topic: str
    scores: tuple[TopicScore, ...]
    change: Change | None


class OverTime(FrozenModel):
    """Scores over time.

    Attributes:
        level: the level that all of these interviews aimed at.
        mode: how all of them were held.
        compared: ids of these interviews, the oldest first.
        topics: their topics, those with the most interviews first.
        other_level, other_mode, other_judge: how many finished interviews are left out, by the first of these reasons.

    """

    level: Level
    mode: Mode
    compared: tuple[str, ...]
    topics: tuple[TopicOverTime, ...]
    other_level: int = 0
    other_mode: int = 0
    other_judge: int = 0


def over_time(reports: Iterable[Findings]) -> OverTime | None:
    """The scores of all interviews that can be compared with the latest one; ``None`` where none has a score.

    A score at one level says nothing beside one at another, nor one with hints beside one without, nor that of one
    judge beside another's.
    """
    scored = sorted(filter(_counts, reports), key=lambda report: (report.started or datetime.min, report.session_id))
    if not scored:
        return None
    latest = scored[-1]
    left_out = {"level": 0, "mode": 0, "judge": 0}
    compared: list[Findings] = []
    for report in scored:
        why = _difference(report, latest)
        if why:
            left_out[why] += 1
        else:
            compared.append(report)
    topics = sorted(
        (_topic(name, compared) for name in {question.topic for one in compared for question in one.questions}),
        key=lambda topic: (-len(topic.scores), topic.topic.casefold()),
    )
    plan = latest.plan
    return OverTime(
        level=plan.level if plan else Level.MID,
        mode=plan.mode if plan else Mode.PRACTICE,
        compared=tuple(report.session_id for report in compared),
        topics=tuple(topic for topic in topics if topic.scores),
        other_level=left_out["level"],
        other_mode=left_out["mode"],
        other_judge=left_out["judge"],
    )


def _counts(report: Findings) -> bool:
    return report.ended is not None and report.plan is not None and report.overall.final is not None


def _difference(report: Findings, latest: Findings) -> str:
    """In what an interview differs from the latest one, so that their scores mean something else; empty in nothing."""
    if report.plan is None or latest.plan is None or report.plan.level is not latest.plan.level:
        return "level"
    if report.plan.mode is not latest.plan.mode:
        return "mode"
    own, others = _judges(report), _judges(latest)
    return "judge" if own and others and own != others else ""


def _judges(report: Findings) -> frozenset[tuple[str, str]]:
    """The models that gave marks; tests of code, which are none, mean the same everywhere."""
    return frozenset((used.model, used.digest) for used in report.made.judges if used.digest)


def _topic(name: str, reports: Sequence[Findings]) -> TopicOverTime:
    cells = [(report, cell([each for each in report.questions if each.topic == name])) for report in reports]
    scores = tuple(
        TopicScore(session_id=report.session_id, at=report.started, cell=found)
        for report, found in cells
        if found.score is not None and report.started is not None
    )
    return TopicOverTime(topic=name, scores=scores, change=change([score.cell for score in scores]))
