"""What a person's interviews amount to over time: abilities by topic, days in a row, what is due. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta

from interviewer.planning.ability import DIFFICULTY, Ability, Estimate, aged, evidence, topic_key
from interviewer.planning.scale import level_of
from interviewer.planning.shared_facts import same_facts
from interviewer.planning.spaced_repetition import daily_drill, due, due_by_topic, points
from interviewer.session.plan import Plan
from interviewer.session.state import State
from knowledge.model import Level, Question
from serving.frozen import FrozenModel


class TopicStanding(FrozenModel):
    """How a person stands on a topic.

    Attributes:
        topic: as the questions name it.
        ability: after all interviews, those long ago counting less.
        level: the level that the ability is at (``interviewer.planning.scale``); ``None`` below all.
        change: logits by which the ability is above that before the latest interview on the topic; ``None`` after
            the first.

    """

    topic: str
    ability: Ability
    level: Level | None
    change: float | None


class History(FrozenModel):
    """What the interviews amount to.

    Attributes:
        interviews: how many have an answer in them.
        streak: days in a row with an answer, up to today or yesterday.
        overall: the ability that the topics lie around; ``None`` before anything was answered.
        topics: the topics that were asked about, the weakest first.
        due: points due for review today.
        due_topics: how many of them are on which topic, the most first.
        drill: a plan of five minutes over the most urgent of them; ``None`` where nothing is due.

    """

    interviews: int
    streak: int
    overall: Ability | None = None
    topics: tuple[TopicStanding, ...] = ()
    due: int = 0
    due_topics: tuple[tuple[str, int], ...] = ()
    drill: Plan | None = None


def history(interviews: Sequence[State], questions: Sequence[Question], now: datetime) -> History:
    """What some interviews amount to.

    Args:
        interviews: in any order.
        questions: those there are; what is due is asked with them.
        now: in the person's time zone, which decides when a day ends.

    """
    held = sorted(filter(_answered, interviews), key=_last_answer)
    facts = same_facts(questions) if held and questions else {}
    waiting = due(points(held, facts), now)
    return History(
        interviews=len(held),
        streak=streak([_last_answer(state).astimezone(now.tzinfo).date() for state in held], now.date()),
        overall=_overall(held, now),
        topics=_standings(held, now),
        due=len(waiting),
        due_topics=tuple(due_by_topic(waiting).items()),
        drill=daily_drill(waiting, questions, facts),
    )


def streak(days: Sequence[date], today: date) -> int:
    """Days in a row up to today, or up to yesterday where today has none yet."""
    on = set(days)
    day = today if today in on else today - timedelta(days=1)
    count = 0
    while day in on:
        count += 1
        day -= timedelta(days=1)
    return count


def _estimate(held: Sequence[State], now: datetime) -> Estimate:
    """From all interviews, around the level that the latest one aimed at, as the choice of questions has it."""
    plan = held[-1].plan if held else None
    told = [each for state in held for each in evidence(state)]
    return Estimate(aged(told, now), DIFFICULTY[plan.level] if plan else 0.0)


def _overall(held: Sequence[State], now: datetime) -> Ability | None:
    return _estimate(held, now).overall if held else None


def _standings(held: Sequence[State], now: datetime) -> tuple[TopicStanding, ...]:
    told = [evidence(state) for state in held]
    names = {topic_key(asked.question.topic): asked.question.topic for state in held for asked in state.asked}
    after = _estimate(held, now)
    standings: list[TopicStanding] = []
    for key, ability in after.topics.items():
        on_topic = [place for place, some in enumerate(told) if any(topic_key(each.topic) == key for each in some)]
        before = [each for some in told[: on_topic[-1]] for each in some] if len(on_topic) > 1 else []
        plan = held[-1].plan
        center = DIFFICULTY[plan.level] if plan else 0.0
        change = ability.mean - Estimate(aged(before, now), center).of(key).mean if before else None
        standings.append(
            TopicStanding(topic=names.get(key, key), ability=ability, level=level_of(ability.mean), change=change)
        )
    return tuple(sorted(standings, key=lambda standing: (standing.ability.mean, standing.topic)))


def _answered(state: State) -> bool:
    return any(asked.answers or asked.submission for asked in state.asked)


def _last_answer(state: State) -> datetime:
    return max(turn.at for asked in state.asked for turn in asked.turns)
