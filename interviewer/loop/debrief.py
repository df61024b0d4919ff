"""The debrief of a loop, as a committee writes it: evidence, disagreements, and how sure it recommends what. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from enum import StrEnum
from itertools import combinations
from typing import Final

from interviewer.loop.rounds import HeldRound, left_open
from interviewer.planning.ability import DIFFICULTY, Estimate, evidence
from interviewer.planning.scale import place
from interviewer.report.analysis.findings import findings
from interviewer.report.analysis.standing import FROM
from interviewer.report.schema.findings import Band, Findings
from interviewer.report.schema.question import Quote
from interviewer.report.schema.study import Highlight
from interviewer.session.events import AnswerGraded
from interviewer.session.loop_plan import LoopPlan, RoundKind
from interviewer.session.state import State
from knowledge.model import Level
from rubric.model import CriterionVerdict, Interval, Unit, Verdict
from serving.frozen import FrozenModel

LIKELY: Final = 0.8
"""Probability that the level is reached from which the committee recommends to hire."""

UNLIKELY: Final = 0.2
"""Probability up to which it recommends not to."""

_MOST_EVIDENCE = 3
_FEWEST_POINTS = 2
"""Points on a topic that an interviewer is sure of, one way, before they are said to see it that way."""


class Vote(StrEnum):
    """What an interviewer would do, told by the score of their round."""

    STRONG_HIRE = "strong hire"
    HIRE = "hire"
    NO_HIRE = "no hire"
    STRONG_NO_HIRE = "strong no hire"
    NONE = "no vote"
    """The round was not held, or nothing of it is graded."""


_BY_BAND = {
    Band.STRONG: Vote.STRONG_HIRE,
    Band.SOLID: Vote.HIRE,
    Band.APPROACHING: Vote.NO_HIRE,
    Band.BELOW: Vote.STRONG_NO_HIRE,
}
_FOR = {Vote.STRONG_HIRE, Vote.HIRE}


class Evidence(FrozenModel):
    """What one interviewer goes by: a point that the judge is sure of, with the person's words.

    Attributes:
        topic: of its question.
        point: the criterion.
        verdict: what the judge was sure of.
        quote: the person's words; may be empty.

    """

    topic: str
    point: str
    verdict: Verdict
    quote: str = ""


class RoundDebrief(FrozenModel):
    """What one interviewer says.

    Attributes:
        number: the round's, from 1.
        kind: what it was on.
        interviewer: who held it.
        session_id: the interview; empty where it was not held.
        over: whether it has ended.
        score: its overall score; ``None`` where nothing is graded.
        interval: where the score likely lies, as the round's report tells it; ``None`` where that is not known.
        vote: what the interviewer would do.
        sure: whether the whole interval is on the vote's side.
        made: what speaks for the person.
        lacking: what speaks against them.
        undecided: how many points the judge was not sure of.
        ungraded: how many answers are not graded.
        skipped: how many questions were skipped.

    """

    number: int
    kind: RoundKind
    interviewer: str
    session_id: str = ""
    over: bool = False
    score: Unit | None = None
    interval: Interval | None = None
    vote: Vote = Vote.NONE
    sure: bool = False
    made: tuple[Evidence, ...] = ()
    lacking: tuple[Evidence, ...] = ()
    undecided: int = 0
    ungraded: int = 0
    skipped: int = 0


class Disagreement(FrozenModel):
    """Two interviewers who see it differently.

    Attributes:
        first, second: their rounds' numbers.
        topic: what they see differently; empty where it is the vote.

    """

    first: int
    second: int
    topic: str = ""


class Recommendation(StrEnum):
    """What the committee recommends."""

    HIRE = "hire"
    NO_HIRE = "do not hire"
    UNDECIDED = "undecided"


class WhatIf(FrozenModel):
    """A probability that the level is reached, had something been otherwise.

    Attributes:
        without_round: the round that is left out; ``None`` where none is.
        undecided_made: whether all points that the judge was not sure of are taken as made, or as missed; ``None``
            where they are left as they are.
        probability: that the level is reached then.
        recommendation: what the committee would recommend.

    """

    without_round: int | None = None
    undecided_made: bool | None = None
    probability: Unit
    recommendation: Recommendation


class Debrief(FrozenModel):
    """The debrief of a loop.

    Attributes:
        loop_id: the loop.
        plan: what it consisted of.
        at: when the last event of it was.
        rounds: each interviewer's part, in order, those not held included.
        disagreements: where two of them see it differently.
        level: the level that the person was interviewed for.
        probability: that their ability is at the level or above; ``None`` where nothing is graded.
        standing: the person's place on the one scale; empty where nothing is graded.
        recommendation: of the committee.
        would_change: what would change the recommendation; empty where nothing that was looked at would.
        tried: how many changes were looked at.
        open_topics: topics of which most points were not surely made.

    """

    loop_id: str
    plan: LoopPlan
    at: datetime | None
    rounds: tuple[RoundDebrief, ...]
    disagreements: tuple[Disagreement, ...]
    level: Level
    probability: Unit | None
    standing: str
    recommendation: Recommendation
    would_change: tuple[WhatIf, ...]
    tried: int
    open_topics: tuple[str, ...]


def debrief(loop_id: str, plan: LoopPlan, held: Sequence[HeldRound]) -> Debrief:
    """The debrief of a loop, finished or not.

    Args:
        loop_id: the loop.
        plan: what it consists of.
        held: the rounds that were begun.

    """
    reports = {each.place.number: findings(each.session_id, each.state) for each in held}
    by_number = {each.place.number: each for each in held}
    rounds = tuple(
        _round(number, plan, by_number.get(number), reports.get(number)) for number in range(1, len(plan.rounds) + 1)
    )
    states = [each.state for each in held]
    known = any(evidence(state) for state in states)
    estimate = _estimate(states, plan.level)
    probability = round(estimate.reaches(plan.level), 4) if known else None
    against = frozenset(each.number for each in rounds if each.vote is Vote.STRONG_NO_HIRE and each.sure)
    recommendation = recommended(probability, opposed=bool(against))
    changes = (
        [*_without_each(held, plan.level, against), *_undecided_settled(states, plan.level, against)] if known else []
    )
    return Debrief(
        loop_id=loop_id,
        plan=plan,
        at=max((state.last_at for state in states if state.last_at), default=None),
        rounds=rounds,
        disagreements=(*_split_votes(rounds), *_split_topics(reports)),
        level=plan.level,
        probability=probability,
        standing=place(estimate.overall) if known else "",
        recommendation=recommendation,
        would_change=tuple(each for each in changes if each.recommendation is not recommendation),
        tried=len(changes),
        open_topics=left_open(states),
    )


def recommended(probability: float | None, *, opposed: bool = False) -> Recommendation:
    """What a committee recommends.

    Args:
        probability: that the level is reached; ``None`` where nothing is graded.
        opposed: whether an interviewer is surely and strongly against it: then nobody is hired on the average alone.

    """
    if probability is None or UNLIKELY < probability < LIKELY or (opposed and probability >= LIKELY):
        return Recommendation.UNDECIDED
    return Recommendation.HIRE if probability >= LIKELY else Recommendation.NO_HIRE


def _round(number: int, plan: LoopPlan, held: HeldRound | None, report: Findings | None) -> RoundDebrief:
    this = plan.rounds[number - 1]
    if held is None or report is None:
        return RoundDebrief(number=number, kind=this.kind, interviewer=this.interviewer)
    standing = report.standing
    interval = standing.likely if standing else None
    vote = _BY_BAND[standing.band] if standing else Vote.NONE
    return RoundDebrief(
        number=number,
        kind=held.place.round.kind,
        interviewer=held.place.round.interviewer,
        session_id=held.session_id,
        over=held.over,
        score=standing.score if standing else None,
        interval=interval,
        vote=vote,
        sure=interval is not None
        and (interval[0] >= FROM[Band.SOLID] if vote in _FOR else interval[1] < FROM[Band.SOLID]),
        made=_evidence(report.strengths),
        lacking=_evidence(report.gaps),
        undecided=sum(not found.sure for question in report.questions for found in question.criteria),
        ungraded=sum(item.criterion_id is None for item in report.made.unscored),
        skipped=report.overall.skipped,
    )


def _first(quotes: Sequence[Quote]) -> str:
    return quotes[0].text if quotes else ""


def _evidence(highlights: Sequence[Highlight]) -> tuple[Evidence, ...]:
    return tuple(
        Evidence(topic=each.topic, point=each.text, verdict=each.verdict, quote=_first(each.quotes))
        for each in highlights[:_MOST_EVIDENCE]
    )


def _split_votes(rounds: Sequence[RoundDebrief]) -> Iterable[Disagreement]:
    voted = [each for each in rounds if each.vote is not Vote.NONE]
    for one, other in combinations(voted, 2):
        if (one.vote in _FOR) is not (other.vote in _FOR):
            yield Disagreement(first=one.number, second=other.number)


def _split_topics(reports: dict[int, Findings]) -> Iterable[Disagreement]:
    """Topics on which one interviewer surely saw what the other surely missed."""
    seen = {number: _seen(report) for number, report in reports.items()}
    for one, other in combinations(sorted(seen), 2):
        for topic in sorted(set(seen[one]) & set(seen[other])):
            if seen[one][topic] is not seen[other][topic]:
                yield Disagreement(first=one, second=other, topic=topic)


def _seen(report: Findings) -> dict[str, bool]:
    """The topics that an interviewer is sure of one way: whether the points were made."""
    found: dict[str, bool] = {}
    for topic in dict.fromkeys(question.topic for question in report.questions):
        points = [
            point
            for question in report.questions
            if question.topic == topic and question.graded_all_said
            for point in question.criteria
            if point.sure and not point.contested and not point.never_asked
        ]
        made = sum(point.verdict is Verdict.MET for point in points)
        missed = len(points) - made
        if max(made, missed) >= _FEWEST_POINTS and max(made, missed) > 2 * min(made, missed):
            found[topic] = made > missed
    return found


def _estimate(states: Iterable[State], level: Level) -> Estimate:
    return Estimate([told for state in states for told in evidence(state)], DIFFICULTY[level])


def _what_if(
    states: Iterable[State],
    level: Level,
    against: frozenset[int],
    *,
    without_round: int | None = None,
    undecided_made: bool | None = None,
) -> WhatIf:
    probability = round(_estimate(states, level).reaches(level), 4)
    return WhatIf(
        without_round=without_round,
        undecided_made=undecided_made,
        probability=probability,
        recommendation=recommended(probability, opposed=bool(against - {without_round})),
    )


def _without_each(held: Sequence[HeldRound], level: Level, against: frozenset[int]) -> list[WhatIf]:
    if len(held) < 2:
        return []
    return [
        _what_if((each.state for each in held if each is not left), level, against, without_round=left.place.number)
        for left in held
    ]


def _undecided_settled(states: Sequence[State], level: Level, against: frozenset[int]) -> list[WhatIf]:
    """The recommendation if every point that the judge was not sure of had been made, and if none had."""
    graded = [each.grade for state in states for asked in state.asked for each in asked.grades]
    if all(mark.sure for grade in graded for mark in grade.criteria):
        return []
    return [
        _what_if([_settled(state, made=made) for state in states], level, against, undecided_made=made)
        for made in (True, False)
    ]


def _settled(state: State, *, made: bool) -> State:
    """An interview in which every scored point that the judge was not sure of was made, or none was."""

    def mark(verdict: CriterionVerdict) -> CriterionVerdict:
        unsure = not verdict.sure and verdict.credit is not None
        return verdict.model_copy(update={"credit": 1.0 if made else 0.0}) if unsure else verdict

    def graded(each: AnswerGraded) -> AnswerGraded:
        marks = tuple(map(mark, each.grade.criteria))
        return each.model_copy(update={"grade": each.grade.model_copy(update={"criteria": marks})})

    questions = (asked.model_copy(update={"grades": tuple(map(graded, asked.grades))}) for asked in state.asked)
    return state.model_copy(update={"asked": tuple(questions)})
