"""Which question comes next. Pure and repeatable: the same seed and history choose the same question."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from interviewer.events import Plan
from knowledge.model import Kind, Level, Question

_LEVELS = tuple(Level)

# A question whose level nobody gave counts as one level off: a known match is better, a known mismatch worse.
_UNKNOWN_LEVEL = 1


def normal(text: str) -> str:
    """Text as it is compared: lower case, punctuation and spacing ignored."""
    return " ".join("".join(c if c.isalnum() else " " for c in text.casefold()).split())


def askable(question: Question) -> bool:
    """Whether an answer to it can be graded: it has a rubric, a reference to derive one from, or asks for a story."""
    own_story = question.kind is Kind.BEHAVIOURAL
    return question.rubric is not None or bool(question.reference.strip()) or own_story


def choose(
    questions: Iterable[Question],
    plan: Plan,
    asked: Sequence[Question],
    *,
    exclude: Collection[str] = frozenset(),
    found: Mapping[str, Collection[str]] | None = None,
) -> Question | None:
    """The next question, or ``None`` when nothing suitable is left.

    The chosen topics take turns, the one asked least first. Within a topic the level nearest to the plan's is
    taken, where asking the same kind twice running counts as much as being one level off. Nothing is asked
    twice, be it under another id with the same words. The seed decides among equals.

    Args:
        questions: all there are.
        plan: what the person wants; with ``question_ids`` the first of these that is there and was not asked.
        asked: the questions so far, in order.
        exclude: ids that are not to be asked, such as near-duplicates of what was asked.
        found: for topics the person put in words of their own, the ids of the questions that fit.

    """
    seen = {question.id for question in asked} | set(exclude)
    fresh = [question for question in questions if askable(question) and question.id not in seen]
    if plan.question_ids:
        by_id = {question.id: question for question in fresh}
        return next((by_id[name] for name in plan.question_ids if name in by_id), None)
    found = found or {}
    seen_texts = {normal(question.text) for question in asked}
    candidates = [
        (topic, question)
        for question in fresh
        if normal(question.text) not in seen_texts and (not plan.kinds or question.kind in plan.kinds)
        for topic in _topics_of(question, plan, found)
    ]
    if not candidates:
        return None
    order = _topic_order(plan, (topic for topic, _ in candidates))
    times = Counter(topic for question in asked for topic in _topics_of(question, plan, found)[:1])
    kinds = Counter(question.kind for question in asked)
    last = asked[-1].kind if asked else None

    def unfit(candidate: tuple[str, Question]) -> tuple[int | str, ...]:
        topic, question = candidate
        repeats_kind = int(question.kind == last)
        return (
            times[topic],
            order[topic],
            _levels_off(question, plan) + repeats_kind,
            repeats_kind,
            kinds[question.kind],
            _lot(plan.seed, question.id),
        )

    return min(candidates, key=unfit)[1]


def free_topics(questions: Iterable[Question], plan: Plan) -> tuple[str, ...]:
    """The plan's topics that no question carries: words of the person's own, to be searched for."""
    known = {normal(question.topic) for question in questions}
    return tuple(topic for topic in plan.topics if normal(topic) not in known)


def _topics_of(question: Question, plan: Plan, found: Mapping[str, Collection[str]]) -> tuple[str, ...]:
    """The plan's topics that the question belongs to; its own topic where the plan names none."""
    own = normal(question.topic)
    if not plan.topics:
        return (own,)
    return tuple(normal(topic) for topic in plan.topics if normal(topic) == own or question.id in found.get(topic, ()))


def _topic_order(plan: Plan, topics: Iterable[str]) -> dict[str, int]:
    if plan.topics:
        ranked = [normal(topic) for topic in plan.topics]
    else:
        ranked = sorted(set(topics), key=lambda topic: _lot(plan.seed, topic))
    return {topic: rank for rank, topic in reversed(list(enumerate(ranked)))}


def _levels_off(question: Question, plan: Plan) -> int:
    if question.level is None:
        return _UNKNOWN_LEVEL
    return abs(_LEVELS.index(question.level) - _LEVELS.index(plan.level))


def _lot(seed: int, name: str) -> str:
    return hashlib.sha256(f"{seed}\0{name}".encode()).hexdigest()
