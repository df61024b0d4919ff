"""The overall result as what one sentence can tell: where the person stands, and how sure that is. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from math import sqrt

from interviewer.planning.ability import Ability
from interviewer.planning.scale import place
from interviewer.report.schema.findings import Band, Standing, TopicTally
from interviewer.report.schema.question import QuestionFinding, QuestionStatus, Support
from interviewer.scoring.student_t import quantile
from knowledge.model import Level
from rubric.grading.uncertainty import HELD
from rubric.model import Interval

FROM = {Band.STRONG: 0.8, Band.SOLID: 0.6, Band.APPROACHING: 0.4, Band.BELOW: 0.0}
"""The lowest score of each band, a convention of ours: what an interviewer would hire on, argue about, or turn down."""

STRONG_FROM = 0.75
"""A topic is called strong from here on."""

NOT_READY_BELOW = 0.5
"""A topic is called not yet ready below this: less than half of what a good answer says."""

_FEWEST = 3
"""Graded questions from which on their spread tells anything about other questions."""

_NAMED = 2


def standing(
    questions: Sequence[QuestionFinding],
    topics: Sequence[TopicTally],
    score: float | None,
    planned: Level,
    ability: Ability,
    *,
    left_out: int = 0,
) -> Standing | None:
    """Where the person stands; ``None`` while there is no overall score.

    Args:
        questions: all that were asked, without the points that are contested; skipped ones count 0.
        topics: their totals by topic.
        score: the overall score, follow-ups and hints counted.
        planned: the level that was aimed at; it stands in where the questions name none.
        ability: as the choice of questions has it after this interview.
        left_out: how many points are contested.

    """
    graded = [question for question in questions if is_graded(question)]
    counted = [question for question in questions if question.final is not None]
    if score is None or not graded:
        return None
    level = _level(graded, planned)
    reach = other_questions(counted)
    bands = (band_of(reach[0]), band_of(reach[1])) if reach else None
    return Standing(
        level=level,
        at_level=sum(question.level in {level, None} for question in graded),
        graded=len(graded),
        band=band_of(score),
        score=score,
        interval=judged_interval(counted),
        reach=reach,
        reach_bands=bands,
        support=_support(bands),
        strong_on=_named(topics, _surely_strong, best=True),
        not_ready_on=_named(topics, _surely_not_ready, best=False),
        place=place(ability),
        left_out=left_out,
        skipped=len(counted) - len(graded),
    )


def is_graded(question: QuestionFinding) -> bool:
    """Whether a question has a score that an answer or code earned; one that was skipped scores 0 without."""
    return question.final is not None and question.status is not QuestionStatus.SKIPPED


def band_of(score: float) -> Band:
    """The band a score lies in, told by the whole number out of 100 that is shown."""
    return next(band for band, lowest in FROM.items() if round(100 * score) >= round(100 * lowest))


def judged_interval(questions: Sequence[QuestionFinding]) -> Interval | None:
    """What the mean of the questions' scores may truly be, as far as the judge's doubt goes.

    The questions' intervals are combined as independent errors: by the root of the sum of their squares, each
    weighted with its question's share of the minutes.

    Returns:
        ``None`` where no question has a score, or one that has was graded by a judge that was never measured.

    """
    graded = [question for question in questions if question.final is not None]
    if not any(map(is_graded, graded)) or any(question.interval is None for question in graded):
        return None
    shares = _shares(graded)
    middle, below, above = 0.0, 0.0, 0.0
    for question, share in zip(graded, shares, strict=True):
        low, high = question.interval or (0.0, 1.0)
        score = question.final or 0.0
        middle += share * score
        below += (share * max(score - low, 0.0)) ** 2
        above += (share * max(high - score, 0.0)) ** 2
    return round(max(middle - sqrt(below), 0.0), 4), round(min(middle + sqrt(above), 1.0), 4)


def other_questions(graded: Sequence[QuestionFinding]) -> Interval | None:
    """Where the true mean over all such questions lies with a probability of 0.9, told by the spread of these.

    Student's interval of a weighted mean, with the weights' effective number of questions. It holds the judge's
    errors too, since they are part of the spread. ``None`` for fewer than three questions.
    """
    scores = [question.final for question in graded if question.final is not None]
    if len(scores) < _FEWEST:
        return None
    shares = _shares(graded)
    middle = sum(share * score for share, score in zip(shares, scores, strict=True))
    squares = sum(share**2 for share in shares)
    spread = sum(share * (score - middle) ** 2 for share, score in zip(shares, scores, strict=True)) / (1 - squares)
    half = quantile(len(scores) - 1, (1 + HELD) / 2) * sqrt(spread * squares)
    return round(max(middle - half, 0.0), 4), round(min(middle + half, 1.0), 4)


def _shares(questions: Sequence[QuestionFinding]) -> list[float]:
    whole = sum(question.minutes for question in questions)
    return [question.minutes / whole for question in questions]


def _level(graded: Sequence[QuestionFinding], planned: Level) -> Level:
    """The level that most of the graded minutes were at; the planned one where that is even, or none is named."""
    minutes: Counter[Level] = Counter()
    for question in graded:
        minutes[question.level or planned] += question.minutes
    most = max(minutes.values())
    return planned if minutes[planned] == most else max(minutes, key=lambda level: minutes[level])


def _support(bands: tuple[Band, Band] | None) -> Support:
    if bands is None:
        return Support.THIN
    order = list(FROM)
    apart = order.index(bands[0]) - order.index(bands[1])
    return {0: Support.FIRM, 1: Support.FAIR}.get(apart, Support.ROUGH)


def _surely_strong(topic: TopicTally) -> bool:
    """Whether a topic is strong, and would still be solid at the low end of what the judge's doubt leaves."""
    low = topic.interval[0] if topic.interval else 1.0
    return topic.graded > 0 and topic.final is not None and topic.final >= STRONG_FROM and low >= FROM[Band.SOLID]


def _surely_not_ready(topic: TopicTally) -> bool:
    """Whether a topic is not ready, and would not be solid at the high end of what the judge's doubt leaves."""
    high = topic.interval[1] if topic.interval else 0.0
    return topic.graded > 0 and topic.final is not None and topic.final < NOT_READY_BELOW and high < FROM[Band.SOLID]


def _named(topics: Sequence[TopicTally], fits: Callable[[TopicTally], bool], *, best: bool) -> tuple[str, ...]:
    """At most two topics that fit, the plainest first."""
    found = [(topic.final, topic.topic) for topic in topics if topic.final is not None and fits(topic)]
    found.sort(key=lambda item: item[0], reverse=best)
    return tuple(topic for _, topic in found[:_NAMED])
