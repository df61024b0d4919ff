"""How able a person is, by topic and overall, with how sure that is: from what happened in interviews alone. Pure.

Method. A question of a level is a testlet of Rasch items, its points: a person of ability θ makes a point of a question
of difficulty b with probability 1 / (1 + exp(b - θ)) (Rasch 1960). Questions of one level are not equally hard, and the
points of one question stand or fall together; both are one normal deviation a question, integrated out (Bradlow, Wainer
and Wang 1999). Topics are pooled partially: the abilities θ of a person's topics lie normally around an overall μ, so a
topic without an answer is estimated from the others, and one with many from its own. Everything is one-dimensional
given μ, so the posterior is computed on a grid, without sampling.

What a judge credits is not what was made: one that was measured credits half-heartedly (``MEASURED``). The chance of
credit therefore runs from the judge's floor to its ceiling, as in the four-parameter logistic model, and a credit
between 0 and 1 enters as the fraction of a success, with the dispersion it was measured to have (quasi-likelihood,
Papke and Wooldridge 1996). Earlier interviews enter with their evidence weakened by age: the prior is a power of their
likelihood (Ibrahim and Chen 2000).

Libraries: catsim and girth know items that are right or wrong on one scale, py-irt fits items to many persons' answers.
None has fractional credits, several pooled topics and one person at once; what is needed of them is the grid below.

Units: logits. 0 is the ability to make half of the points of a mid-level question alone.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cache
from math import comb
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from interviewer.policy.question_returns import awaited
from interviewer.scoring.assistance import unaided_grade
from interviewer.scoring.code_credit import code_credit
from interviewer.scoring.self_assessment import final_grade
from interviewer.scoring.unasked_points import asked_for, unasked
from interviewer.session.design_round import is_round
from interviewer.session.follow_up_kinds import FollowUpKind
from interviewer.session.state import AskedQuestion, State
from knowledge.model import Level, topic_name
from rubric.model import CriterionVerdict, Engine, Rubric, Unit
from serving.frozen import FrozenModel

Floats = npt.NDArray[np.float64]

LEVEL_STEP = 1.2
"""Logits by which a level is harder than the one below it."""

DIFFICULTY: dict[Level, float] = {level: LEVEL_STEP * (n - 1) for n, level in enumerate(Level)}
"""Difficulty of a question of each level; mid is 0."""

PERSONS = 1.2
"""Standard deviation of overall abilities around what a person of the chosen level is expected to have."""

TOPICS = 0.8
"""Standard deviation of a person's topics around their overall ability."""

QUESTIONS = 0.6
"""Standard deviation of questions of one level around its difficulty."""

HELP = 1.0
"""Logits by which a follow-up or a hint makes a point easier."""

AIDED_SHARE = 0.4
"""What a point that came after help tells, as a share of one that was said alone."""

CODE_POINTS = 4.0
"""Points that the tests of a submission count as."""

HALF_LIFE_DAYS = 60.0
"""Age at which an answer of an earlier interview tells half of what it told when it was given."""

STRONG, WEAK = 0.75, 0.25
"""Share of the points made from which an answer is strong, and up to which it is a failure."""

HELD = 0.9
"""Probability that an interval holds the ability."""

_RECOVERING = frozenset({FollowUpKind.CONTRADICTION, FollowUpKind.MISHEARD, FollowUpKind.MISSING, FollowUpKind.PARTIAL})
"""Follow-ups on what was not made alone; others are about what was, and would count it twice."""

_POINTS = 5
"""Points of a usual question, of which the information of one still to be asked is told."""

_GRID: Floats = np.linspace(-6.0, 6.0, 121)


class Hearing(NamedTuple):
    """What a judge credits on average.

    Attributes:
        floor: for a point that was not made.
        ceiling: for one that was.
        dispersion: variance of a credit, relative to that of one which is all or nothing with the same mean.

    """

    floor: float
    ceiling: float
    dispersion: float


EXACT = Hearing(0.0, 1.0, 1.0)
"""A judge that was never measured is taken at its word, and so are the tests of code."""

MEASURED = Hearing(0.17, 0.77, 0.53)
"""The trained judge on 733 labeled points of the first answers of 54 interviews (``python -m
tests.benchmarks.interviews``). Answers that were written to be labeled are heard better: .21, .84, and .29."""


class Evidence(FrozenModel):
    """What one question tells about one topic.

    Attributes:
        topic: as the question has it.
        level: of the question; ``None`` where nobody gave one.
        credit: share of the points that was credited.
        points: how many points that is the share of; a part of one where it tells less than a whole one.
        ease: logits by which help made it easier.
        hearing: of whoever gave the credit.
        at: when the question was asked.
        weight: share of the evidence that counts; below 1 for what is long ago.

    """

    topic: str
    level: Level | None
    credit: Unit
    points: float
    ease: float = 0.0
    hearing: Hearing = EXACT
    at: datetime
    weight: float = 1.0


class Ability(FrozenModel):
    """An ability in logits.

    Attributes:
        mean: expected value.
        low: lower end of the interval that holds it with a probability of ``HELD``.
        high: upper end of it.
        questions: how many questions told something on it.
        highest: the highest level of all questions that told something; ``None`` where none has a level.

    """

    mean: float
    low: float
    high: float
    questions: int
    highest: Level | None = None


class Result(FrozenModel):
    """How a question of this interview went.

    Attributes:
        topic: of the question.
        level: of the question.
        made: share of its points that was made without help, as estimated from the credits; 0 where it was skipped;
            ``None`` where nothing is known, or most of it unsurely.

    """

    topic: str
    level: Level | None
    made: Unit | None

    @property
    def strong(self) -> bool:
        """Whether it went well."""
        return self.made is not None and self.made >= STRONG

    @property
    def failed(self) -> bool:
        """Whether it went badly."""
        return self.made is not None and self.made <= WEAK


class Estimate:
    """The posterior over a person's abilities.

    Args:
        evidence: in any order; none gives the prior.
        center: overall ability that is expected before any evidence.

    """

    def __init__(self, evidence: Iterable[Evidence] = (), center: float = 0.0) -> None:
        told = [each for each in evidence if each.weight > 0 and each.points > 0]
        self._highest = max((each.level for each in told if each.level), key=list(Level).index, default=None)
        self._asked = Counter({name: len(times) for name, times in _askings(told).items()})
        logs: dict[str, Floats] = defaultdict(lambda: np.zeros_like(_GRID))
        for each in sorted(told, key=_place):
            logs[topic_key(each.topic)] += each.weight * _log_likelihood(each)
        self._likelihoods = {name: np.exp(log - log.max()) for name, log in logs.items()}
        self._messages = {name: _spread(TOPICS) @ likelihood for name, likelihood in self._likelihoods.items()}
        self._prior = _normal(_GRID - center, PERSONS)

    @property
    def overall(self) -> Ability:
        """The ability that the person's topics lie around."""
        return _ability(self._overall(), sum(self._asked.values()), self._highest)

    def reaches(self, level: Level) -> float:
        """Probability that the overall ability is at a level or above it (``interviewer.planning.scale``)."""
        return float(self._overall()[DIFFICULTY[level] - LEVEL_STEP / 2 <= _GRID].sum())

    @property
    def topics(self) -> dict[str, Ability]:
        """Each topic that was asked about, by its key."""
        return {name: self.of(name) for name in sorted(self._likelihoods)}

    def of(self, topic: str) -> Ability:
        """The ability on a topic; from the other topics alone where nothing was asked about it."""
        return _ability(self.posterior(topic), self._asked[topic_key(topic)], self._highest)

    def posterior(self, topic: str) -> Floats:
        """Probability of each ability of the grid on a topic, [121]."""
        name = topic_key(topic)
        own = self._likelihoods.get(name, np.ones_like(_GRID))
        return _normalized(own * (self._overall(without=name) @ _spread(TOPICS)))

    def gain(self, topic: str, level: Level | None) -> float:
        """Mutual information, in nats, of the ability on a topic and the answer to a question of that level."""
        return _gain(self.posterior(topic), level)

    def _overall(self, without: str = "") -> Floats:
        messages = [message for name, message in self._messages.items() if name != without]
        return _normalized(np.prod([self._prior, *messages], axis=0))


class Standing(NamedTuple):
    """How a person stands in the middle of an interview.

    Attributes:
        results: of the questions done, in order.
        estimate: from these, and from earlier interviews where they were given.
        earlier: from earlier interviews alone; ``None`` where there are none.

    """

    results: tuple[Result, ...]
    estimate: Estimate
    earlier: Estimate | None = None


def standing(state: State, earlier: Sequence[Evidence] = ()) -> Standing:
    """How a person stands in an interview.

    Args:
        state: the interview.
        earlier: what earlier interviews told, aged.

    """
    center = DIFFICULTY[state.plan.level] if state.plan else 0.0
    results = tuple(_result(asked) for asked in state.asked if _is_done(asked, state))
    before = Estimate(earlier, center) if earlier else None
    return Standing(results, Estimate([*earlier, *evidence(state)], center), before)


def evidence(state: State) -> tuple[Evidence, ...]:
    """What an interview tells, from its questions that are done.

    What was said unaided counts fully; what came after a follow-up or a hint counts a little, as an easier thing to do.
    A point that was not scored, or whose reference is not to be trusted, tells nothing, and neither does an
    ungraded answer. A question skipped without a word counts as missed in every point that it asks for, so that to skip
    is no better than to know nothing. What the person settled themselves afterwards is left out: it is no measurement.
    """
    return tuple(told for asked in state.asked if _is_done(asked, state) for told in _evidence(asked))


def aged(told: Iterable[Evidence], now: datetime) -> tuple[Evidence, ...]:
    """Evidence of earlier interviews as it counts now: half of it after ``HALF_LIFE_DAYS``."""

    def share(each: Evidence) -> float:
        return float(0.5 ** (max((now - each.at).total_seconds(), 0.0) / 86_400 / HALF_LIFE_DAYS))

    return tuple(each.model_copy(update={"weight": each.weight * share(each)}) for each in told)


def topic_key(topic: str) -> str:
    """A topic as it is compared: capitals and spacing ignored."""
    return topic_name(" ".join(topic.casefold().split()))


def _is_done(asked: AskedQuestion, state: State) -> bool:
    # To leave a question for later is no failure yet.
    done = asked.closed and not awaited(asked, state)
    return done or (state.ended is not None and bool(asked.answers))


def _evidence(asked: AskedQuestion) -> list[Evidence]:
    # The interviewer leads a design round from part to part, so that nothing in it was said alone.
    alone = None if is_round(asked.question) else unaided_grade(asked)
    whole, rubric, told = final_grade(asked), asked.question.rubric, list[Evidence]()
    if alone is not None and rubric is not None:
        silent = unasked(asked, alone)
        said = [each for each in alone.criteria if each.id not in silent and not each.waived]
        told.append(_of_words(asked, rubric, said, alone.engine))
    if whole is not None and rubric is not None:
        drilled = {follow_up.criterion_id for follow_up in asked.follow_ups if follow_up.kind in _RECOVERING}
        silent = unasked(asked, whole.grade)
        helped = [
            each for each in whole.grade.criteria if each.id in drilled or (alone is None and each.id not in silent)
        ]
        told.append(_of_words(asked, rubric, helped, whole.grade.engine, helped=True))
    submitted = next((run for run in asked.runs if run.submitted), None)
    credit = code_credit(submitted.result) if submitted else None
    if credit is not None:
        told.append(_told(asked, credit, CODE_POINTS))
    if asked.left and not asked.answers and submitted is None:
        told.append(_told(asked, 0.0, max(float(len(asked_for(asked))), 1.0)))
    return [each for each in told if each.points > 0]


def _of_words(
    asked: AskedQuestion,
    rubric: Rubric,
    verdicts: Sequence[CriterionVerdict],
    engine: Engine,
    *,
    helped: bool = False,
) -> Evidence:
    """What verdicts tell; of no points where none was scored."""
    weights = {criterion.id: criterion.weight for criterion in rubric.criteria}
    known = [(each.credit, weights[each.id]) for each in verdicts if each.credit is not None and each.id in weights]
    total = sum(weight for _, weight in known)
    credit = sum(credit * weight for credit, weight in known) / total if known else 0.0
    points = len(known) * (AIDED_SHARE if helped else 1.0)
    hearing = EXACT if engine.spread is None else MEASURED
    return _told(asked, min(credit, 1.0), points, ease=HELP if helped else 0.0, hearing=hearing)


def _told(
    asked: AskedQuestion, credit: float, points: float, *, ease: float = 0.0, hearing: Hearing = EXACT
) -> Evidence:
    return Evidence(
        topic=asked.question.topic,
        level=asked.question.level,
        credit=credit,
        points=points,
        ease=ease,
        hearing=hearing,
        at=asked.turns[0].at,
    )


def _result(asked: AskedQuestion) -> Result:
    told = [each for each in _evidence(asked) if not each.ease]
    points = sum(each.points for each in told)
    made = sum(_made(each) * each.points for each in told) / points if points and _mostly_sure(asked) else None
    return Result(topic=asked.question.topic, level=asked.question.level, made=made)


def _mostly_sure(asked: AskedQuestion) -> bool:
    """Whether the judge is sure of half of what was said alone, or code or silence tells: a level rests on no less."""
    alone = unaided_grade(asked)
    sure = [each.sure for each in alone.criteria if each.credit is not None] if alone is not None else []
    return 2 * sum(sure) >= len(sure)


def _made(told: Evidence) -> float:
    floor, ceiling, _ = told.hearing
    return min(max((told.credit - floor) / (ceiling - floor), 0.0), 1.0)


def _place(told: Evidence) -> tuple[object, ...]:
    """Sorts evidence, so that sums come out the same to the last digit whatever order it came in."""
    return (told.at, told.topic, told.level or "", told.credit, told.points, told.ease, told.hearing, told.weight)


def _askings(told: Iterable[Evidence]) -> dict[str, set[datetime]]:
    times: dict[str, set[datetime]] = defaultdict(set)
    for each in told:
        times[topic_key(each.topic)].add(each.at)
    return times


def _log_likelihood(told: Evidence) -> Floats:
    """Of each ability of the grid, [121], the question's own deviation integrated out."""
    chance = _chance(told.level, told.ease, told.hearing)
    one = told.credit * np.log(chance) + (1 - told.credit) * np.log1p(-chance)
    log = told.points / told.hearing.dispersion * one
    smoothed = _deviation(told.level) @ np.exp(log - log.max())
    return np.asarray(np.log(np.maximum(smoothed, 1e-300)), dtype=np.float64)


@cache
def _chance(level: Level | None, ease: float, hearing: Hearing) -> Floats:
    """Chance of credit for a point at each ability of the grid, [121]."""
    difficulty = DIFFICULTY[level] if level else DIFFICULTY[Level.MID]
    made = _logistic(_GRID - difficulty + ease)
    return np.asarray(np.clip(hearing.floor + (hearing.ceiling - hearing.floor) * made, 1e-6, 1 - 1e-6))


def _deviation(level: Level | None) -> Floats:
    # A level that nobody gave may be any: its questions deviate by a level more.
    return _spread(QUESTIONS if level else QUESTIONS + LEVEL_STEP)


@cache
def _answers(level: Level | None) -> Floats:
    """Probability of making 0 to 5 of 5 points at each ability of the grid, [121, 6]."""
    chance = _chance(level, 0.0, EXACT)[:, None]
    made = np.arange(_POINTS + 1)
    ways = np.array([comb(_POINTS, k) for k in made])
    return np.asarray(_deviation(level) @ (ways * chance**made * (1 - chance) ** (_POINTS - made)))


def _gain(posterior: Floats, level: Level | None) -> float:
    answers = _answers(level)
    return _entropy(posterior @ answers) - float(posterior @ np.array([_entropy(row) for row in answers]))


def _entropy(chances: Floats) -> float:
    return float(-(chances * np.log(np.maximum(chances, 1e-300))).sum())


@cache
def _spread(deviation: float) -> Floats:
    """Probability of each point of the grid around each other one, [121, 121], rows adding up to 1."""
    rows = _normal(_GRID[:, None] - _GRID[None, :], deviation)
    return np.asarray(rows / rows.sum(axis=1, keepdims=True))


def _normal(values: Floats, deviation: float) -> Floats:
    return np.asarray(np.exp(-0.5 * (values / deviation) ** 2))


def _normalized(weights: Floats) -> Floats:
    return np.asarray(weights / weights.sum())


def _logistic(values: Floats | float) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.asarray(values))))


def _ability(posterior: Floats, questions: int, highest: Level | None) -> Ability:
    heaped = np.cumsum(posterior) - posterior / 2
    low, high = (float(np.interp(share, heaped, _GRID)) for share in ((1 - HELD) / 2, (1 + HELD) / 2))
    return Ability(mean=float(posterior @ _GRID), low=low, high=high, questions=questions, highest=highest)
