"""What was missed comes back when it is about to be forgotten: spaced repetition over the points of rubrics. Pure.

Every point of a written rubric is a card of FSRS (``fsrs``, the scheduler of Anki; Ye, Su and Cao 2022), reviewed
whenever a question that holds it was graded. Nothing is stored beside the journals: the cards are folded from them, so
deleting an interview deletes what it taught. Points of different questions that state the same fact share a card.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from fsrs import Card, Rating, Scheduler

from interviewer.planning.shared_facts import Facts, Key
from interviewer.scoring.assistance import reached
from interviewer.scoring.outcomes import AssistanceLevel
from interviewer.scoring.self_assessment import final_grade, own_verdicts
from interviewer.scoring.unasked_points import unasked
from interviewer.session.plan import Plan
from interviewer.session.state import AskedQuestion, State
from knowledge.model import Question
from rubric.model import AskedBy, CriterionVerdict, Rubric, Verdict
from serving.frozen import FrozenModel

DRILL_POINTS = 5
"""Points of a daily drill: about a minute each."""

REWORDED_MINUTES = 2

_MARK = "#"

# Days are the unit: nobody is asked again within the hour. Without chance: the same journals give the same cards.
_SCHEDULER = Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)


class Point(FrozenModel):
    """A point that was reviewed at least once.

    Attributes:
        key: where it was asked last.
        topic: of that question.
        due: when it should come back.
        reviewed: when it was last asked.
        reviews: how often it was asked.
        lapses: how often it was missed, partly missed, or met with help only.

    """

    key: Key
    topic: str
    due: datetime
    reviewed: datetime
    reviews: int
    lapses: int


class _Review(NamedTuple):
    at: datetime
    key: Key
    topic: str
    rating: Rating


def points(interviews: Iterable[State], facts: Facts | None = None) -> tuple[Point, ...]:
    """The points that were reviewed in some interviews, the one due first coming first.

    A point that was contradicted or missing is rated *again*, a partly met one or one met after help *hard*, one met
    alone *good*. A verdict that the judge was not sure of is no review unless the person settled it, and neither is a
    question that is skipped, ungraded or still open, or whose rubric was derived from a document.

    Args:
        interviews: in any order.
        facts: which points share a card; left out, each has its own.

    """
    facts = facts or {}
    by_fact: dict[Key, list[_Review]] = defaultdict(list)
    for review in sorted(review for state in interviews for review in _reviews(state)):
        by_fact[facts.get(review.key, review.key)].append(review)
    found = [_point(reviews) for reviews in by_fact.values()]
    return tuple(sorted(found, key=lambda point: (point.due, point.key)))


def due(reviewed: Iterable[Point], now: datetime) -> tuple[Point, ...]:
    """The points due by the end of the day, the longest overdue first; what was never missed does not come back.

    Args:
        reviewed: from ``points``.
        now: in the person's time zone, which decides when the day ends.

    """
    today = now.date()
    return tuple(point for point in reviewed if point.lapses and point.due.astimezone(now.tzinfo).date() <= today)


def due_by_topic(points_due: Iterable[Point]) -> dict[str, int]:
    """How many points are due on each topic, the most first."""
    return dict(Counter(sorted(point.topic for point in points_due)).most_common())


def due_words(count: int) -> str:
    """How much is due, for a person."""
    return f"{count or 'No'} point{'' if count == 1 else 's'} due today"


def questions_for(points_due: Sequence[Point], questions: Sequence[Question], facts: Facts) -> tuple[Question, ...]:
    """A question for each due point, in new words, in the same order; none for what no question covers any more.

    Another question of the topic that holds the same fact, where there is one; else the same question cut down to this
    point, put by its probe.
    """
    by_id = {question.id: question for question in questions}
    chosen: dict[str, Question] = {}
    for point, key in _places(points_due, by_id, facts):
        question = by_id[key.question_id]
        asked = question if question.id != _whole(point.key.question_id) else reworded(question, key.criterion_id)
        chosen.setdefault(asked.id, asked)
    return tuple(chosen.values())


def daily_drill(points_due: Sequence[Point], questions: Sequence[Question], facts: Facts) -> Plan | None:
    """A drill of about five minutes: the most urgent points, each put by its probe; ``None`` where nothing is due."""
    by_id = {question.id: question for question in questions}
    places = [key for _, key in _places(points_due, by_id, facts)]
    ids = list(dict.fromkeys(_MARK.join(key) for key in places))[:DRILL_POINTS]
    return Plan(question_ids=tuple(ids), length=len(ids), follow_ups=0) if ids else None


def reworded(question: Question, criterion_id: str) -> Question:
    """The question cut down to one point, put by that point's probe.

    Raises:
        KeyError: its rubric has no such criterion, or that has no probe.

    """
    criterion = question.rubric.criterion(criterion_id) if question.rubric else None
    if question.rubric is None or criterion is None or not criterion.probe:
        raise KeyError(criterion_id)
    return question.model_copy(
        update={
            "id": _MARK.join(Key(question.id, criterion_id)),
            "text": f"{question.text}\n\n**Just one thing this time:** {criterion.probe}",
            "spoken": f"{question.spoken} Just one thing this time. {criterion.probe}",
            # Its probe is spent: a follow-up would say the same again.
            "rubric": Rubric(
                criteria=(criterion.model_copy(update={"probe": "", "asked_by": AskedBy.OPENING}),),
                origin=question.rubric.origin,
            ),
            "minutes": min(question.minutes, REWORDED_MINUTES),
            "hint": "",
            "task": None,
        }
    )


def with_reworded(questions: Sequence[Question], ids: Iterable[str]) -> tuple[Question, ...]:
    """The questions, and those cut down to a point that the ids name."""
    by_id = {question.id: question for question in questions}
    extra = []
    for name in ids:
        whole, mark, criterion_id = name.rpartition(_MARK)
        if mark and name not in by_id and _has(by_id.get(whole), criterion_id):
            extra.append(reworded(by_id[whole], criterion_id))
    return (*questions, *extra)


def _reviews(state: State) -> Iterator[_Review]:
    for asked in state.asked:
        graded, rubric = final_grade(asked), asked.question.rubric
        done = asked.closed or state.ended is not None
        if not done or graded is None or rubric is None or rubric.origin == "derived":
            continue
        at, silent = asked.answers[-1].at.astimezone(UTC), unasked(asked, graded.grade)
        for verdict in graded.grade.criteria:
            rating = _rating(asked, verdict, silent)
            if rating is not None:
                key = Key(_whole(asked.question.id), verdict.id)
                yield _Review(at, key, asked.question.topic, rating)


def _rating(asked: AskedQuestion, verdict: CriterionVerdict, silent: Collection[str]) -> Rating | None:
    own = own_verdicts(asked).get(verdict.id)
    if own is None and (not verdict.sure or verdict.id in silent):
        return None
    match own or verdict.verdict:
        case Verdict.MISSING | Verdict.CONTRADICTED:
            return Rating.Again
        case Verdict.PARTIAL:
            return Rating.Hard
        case Verdict.MET:
            return Rating.Good if reached(asked, verdict.id) is AssistanceLevel.UNAIDED else Rating.Hard
        case _:
            return None


def _point(reviews: Sequence[_Review]) -> Point:
    card = Card(card_id=0, due=reviews[0].at)
    for review in reviews:
        card, _ = _SCHEDULER.review_card(card, review.rating, review.at)
    last = reviews[-1]
    return Point(
        key=last.key,
        topic=last.topic,
        due=card.due,
        reviewed=last.at,
        reviews=len(reviews),
        lapses=sum(review.rating is not Rating.Good for review in reviews),
    )


def _places(points_due: Sequence[Point], by_id: Mapping[str, Question], facts: Facts) -> Iterator[tuple[Point, Key]]:
    """Where each point is asked next: in another question of its fact, else in its own."""
    members: dict[Key, list[Key]] = defaultdict(list)
    for key, lead in facts.items():
        members[lead].append(key)
    for point in points_due:
        others = [key for key in sorted(members.get(facts.get(point.key, point.key), ())) if key != point.key]
        place = next((key for key in [*others, point.key] if _has(by_id.get(key.question_id), key.criterion_id)), None)
        if place is not None:
            yield point, place


def _has(question: Question | None, criterion_id: str) -> bool:
    """Whether the question can be put by the probe of that point."""
    rubric = question.rubric if question else None
    return any(criterion.id == criterion_id and criterion.probe for criterion in (rubric.criteria if rubric else ()))


def _whole(question_id: str) -> str:
    """The id of the question that one cut down to a point was made of; its own where it is whole."""
    return question_id.rpartition(_MARK)[0] or question_id
