"""Which question comes next, and why. Pure and repeatable: the same seed and history choose the same question."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from interviewer.planning import selection_reasons
from interviewer.planning.ability import DIFFICULTY, Result, Standing
from interviewer.session.plan import Plan
from knowledge.model import Kind, Level, Question, topic_name
from serving.frozen import FrozenModel

_LEVELS = tuple(Level)

# A question whose level nobody gave counts as one level off: a known match is better, a known mismatch worse.
_UNKNOWN_LEVEL = 1

# Answers of one sort running that make the next question a step harder or easier.
_RUNNING = 2


class Choice(FrozenModel):
    """A question chosen.

    Attributes:
        question: what is asked next.
        why: the reason, for the person to read; gives nothing of the question's rubric away.

    """

    question: Question
    why: str


class Aim(NamedTuple):
    """The level that the answers so far call for.

    Attributes:
        level: the one to be asked, or the middle of those that may be.
        step: 1 or -1 where answers running call for a step up or down, else 0.
        since: the results that call for it.

    """

    level: Level
    step: int = 0
    since: tuple[Result, ...] = ()


@lru_cache(maxsize=8192)
def normal(text: str) -> str:
    """Text as it is compared: lower case, punctuation and spacing ignored."""
    return topic_name(" ".join("".join(c if c.isalnum() else " " for c in text.casefold()).split()))


def askable(question: Question) -> bool:
    """Whether an answer to it can be graded: it has a rubric, a reference to derive one from, or asks for a story."""
    own_story = question.kind is Kind.BEHAVIORAL
    return question.rubric is not None or bool(question.reference.strip()) or own_story


def allowed(questions: Iterable[Question], documents: Collection[str] | None, *, own: bool) -> tuple[Question, ...]:
    """Those that may be asked from.

    Args:
        questions: all there are.
        documents: the person's own documents that may be asked from; ``None`` for all.
        own: only the person's own documents, and nothing of ours.

    """
    return tuple(
        question
        for question in questions
        if (not own if question.of_bank else documents is None or question.source.path in documents)
    )


LONG_DESIGN = 25
"""Minutes from which a design question is a whole round, and not a warm-up."""


LED_FASTER = 0.8
"""Share of its usual minutes in which a round can be led: its stages are asked one after the other, by the clock."""


def for_minutes(question: Question, minutes: int) -> bool:
    """Whether a design question fits a place of so many minutes, a round or a warm-up; other kinds always do."""
    if question.kind is not Kind.SYSTEM_DESIGN or not question.of_bank:
        return True
    if minutes >= LONG_DESIGN:
        return question.minutes >= LONG_DESIGN and LED_FASTER * question.minutes <= minutes
    return question.minutes <= minutes and question.minutes < LONG_DESIGN


def choose(
    questions: Iterable[Question],
    plan: Plan,
    asked: Sequence[Question],
    *,
    exclude: Collection[str] = frozenset(),
    found: Mapping[str, Collection[str]] | None = None,
    standing: Standing | None = None,
    due: Sequence[Question] = (),
) -> Choice | None:
    """The next question, or ``None`` when nothing suitable is left.

    What is due for review comes first, though nothing above the plan's level opens an interview. Then the chosen
    topics take turns, the one asked least first. Within a topic the level is asked that tells most about the person
    (the mutual information of ability and answer), at most one level from the last; after two strong answers
    running it is one above them, after two failures one below, where the topic has one. Only strong answers, of now
    or of earlier interviews, lead above the plan's level. Before there is evidence it is the plan's, whatever the
    kind, else the nearest below, and topics that have it come first. Asking the same kind twice running counts as
    much as the second best level. Nothing is asked twice, be it under another id with the same words. The seed
    decides among equals.

    Args:
        questions: all there are.
        plan: what the person wants; with ``question_ids`` the first of these that is there and was not asked.
        asked: the questions so far, in order.
        exclude: ids that are not to be asked, such as near-duplicates of what was asked.
        found: for topics the person put in words of their own, the ids of the questions that fit.
        standing: how the person stands; left out, only the plan's level counts.
        due: questions on what is due for review, the most urgent first; those that the plan leaves out are passed over.

    """
    seen = {question.id for question in asked} | set(exclude)
    fresh = [question for question in questions if askable(question) and question.id not in seen]
    if plan.question_ids:
        by_id = {question.id: question for question in fresh}
        named = next((by_id[name] for name in plan.question_ids if name in by_id), None)
        return Choice(question=named, why=selection_reasons.named()) if named else None
    found = found or {}
    seen_texts = {normal(question.text) for question in asked}

    def fits(question: Question) -> bool:
        wanted = not plan.kinds or question.kind in plan.kinds
        return wanted and normal(question.text) not in seen_texts and bool(_topics_of(question, plan, found))

    # What was missed at a higher level comes back once the interview is under way, and not as its opening.
    reviews = [held for held in due if asked or _rank(held.level, plan) <= _LEVELS.index(plan.level)]
    review = next((held for held in reviews if held.id not in seen and fits(held)), None)
    if review is not None:
        return Choice(question=review, why=selection_reasons.due(review.topic))
    candidates = [(topic, q) for q in fresh if fits(q) for topic in _topics_of(q, plan, found)]
    if not candidates:
        return None
    order = _topic_order(plan, (topic for topic, _ in candidates))
    times = Counter(topic for question in asked for topic in _topics_of(question, plan, found)[:1])
    kinds = Counter(question.kind for question in asked)
    last = asked[-1].kind if asked else None
    aim = aim_of(plan, standing.results if standing else ())
    # Before anything is known of the person, the level is theirs to choose: topics that have it come first.
    at_level = {name for name, question in candidates if question.level in {plan.level, None}}
    open_yet = not _tells(standing)
    topic = min(
        (name for name, _ in candidates),
        key=lambda name: (times[name], open_yet and name not in at_level, order[name]),
    )
    whose_turn = [question for name, question in candidates if name == topic]
    off = {name: _levels_off(plan, aim, standing, name) for name in {question.topic for question in whose_turn}}

    def unfit(question: Question) -> tuple[int | str, ...]:
        repeats_kind = int(question.kind == last)
        if open_yet:
            return (
                off[question.topic][question.level],
                repeats_kind,
                kinds[question.kind],
                _lot(plan.seed, question.id),
            )
        return (
            off[question.topic][question.level] + repeats_kind,
            repeats_kind,
            kinds[question.kind],
            _lot(plan.seed, question.id),
        )

    question = min(whose_turn, key=unfit)
    chosen_by = next((name for name in plan.topics if normal(name) == topic), "")
    turn = selection_reasons.turn(
        chosen_by or question.topic, chosen=bool(chosen_by), planned=bool(plan.agenda), times=times[topic]
    )
    return Choice(
        question=question, why=selection_reasons.join(turn, _about_level(question.level, plan, aim, standing))
    )


def free_topics(questions: Iterable[Question], plan: Plan) -> tuple[str, ...]:
    """The plan's topics that no question carries: words of the person's own, to be searched for."""
    known = {normal(question.topic) for question in questions}
    return tuple(topic for topic in plan.topics if normal(topic) not in known)


def aim_of(plan: Plan, results: Sequence[Result]) -> Aim:
    """The level that the answers so far call for: a step from two strong answers or two failures running.

    An answer that tells nothing neither makes nor breaks a run. A run is used up once the level has moved its way.
    """
    run: list[Result] = []
    level = plan.level
    for result in results:
        level = result.level or level
        if len(run) >= _RUNNING and _sign(run[-1]) * _rank(level, plan) > _sign(run[-1]) * _edge(run, plan):
            run = []
        if result.made is None:
            continue
        if not _sign(result):
            run = []
        elif run and _sign(run[-1]) == _sign(result):
            run = [*run[1 - _RUNNING :], result]
        else:
            run = [result]
    if len(run) < _RUNNING:
        return Aim(level)
    step = _sign(run[-1])
    to = _edge(run, plan) + step
    if not 0 <= to < len(_LEVELS):
        return Aim(level)
    return Aim(_LEVELS[to], step, tuple(run))


def _sign(result: Result) -> int:
    return int(result.strong) - int(result.failed)


def _edge(run: Sequence[Result], plan: Plan) -> int:
    """The hardest level of a strong run, the easiest of a failed one."""
    ranks = [_rank(result.level, plan) for result in run]
    return max(ranks) if run[-1].strong else min(ranks)


def _rank(level: Level | None, plan: Plan) -> int:
    return _LEVELS.index(level or plan.level)


def _about_level(level: Level | None, plan: Plan, aim: Aim, standing: Standing | None) -> str:
    """What the level of a question has to do with the answers so far; empty where it has nothing to do with them."""
    if level is None or not _tells(standing):
        return ""
    if aim.step:
        return selection_reasons.step(aim.since, up=aim.step > 0) if level is aim.level else ""
    return selection_reasons.level(level, _rank(level, plan) - _LEVELS.index(aim.level))


def _tells(standing: Standing | None) -> bool:
    return standing is not None and any(result.made is not None for result in standing.results)


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


def _levels_off(plan: Plan, aim: Aim, standing: Standing | None, topic: str) -> dict[Level | None, int]:
    """How unfit each level is to be asked on a topic: places from the one to be asked.

    Where a step is called for, or nothing is known of the person, places count double, so that of two levels as far
    away the lower comes first. Levels that no strong answers led to are asked only where a topic has no others.
    """
    middle = _LEVELS.index(aim.level if _tells(standing) else plan.level)
    off: dict[Level | None, int] = {None: _UNKNOWN_LEVEL}
    off |= {level: abs(rank - middle) for rank, level in enumerate(_LEVELS)}
    if aim.step or standing is None or not _tells(standing):
        above = {name: name is not None and _LEVELS.index(name) > middle for name in off}
        return {name: 2 * places + above[name] for name, places in off.items()}
    highest = _highest(plan, standing, topic)
    allowed = [level for rank, level in enumerate(_LEVELS) if off[level] <= 1 and rank <= highest]
    # Rounded, so that what is equal but for the last digit stays equal on every machine.
    best = sorted(allowed, key=lambda level: (-round(standing.estimate.gain(topic, level), 6), off[level]))
    return off | {
        level: best.index(level) if level in best else 1 + off[level] + len(_LEVELS) * (rank > highest)
        for rank, level in enumerate(_LEVELS)
    }


def _highest(plan: Plan, standing: Standing, topic: str) -> int:
    """The highest level that may be asked on a topic.

    It is the plan's, one that strong answers led to, one above a strong one, or the next one where earlier interviews
    place the person there.
    """
    results, base = standing.results, _LEVELS.index(plan.level)
    aims = (aim_of(plan, results[: count + 1]) for count in range(len(results)))
    told = [result for result in results if result.made is not None][-1:]
    above = [min(_rank(last.level, plan) + 1, len(_LEVELS) - 1) for last in told if last.strong]
    following = min(base + 1, len(_LEVELS) - 1)
    if standing.earlier is not None and standing.earlier.of(topic).mean >= DIFFICULTY[_LEVELS[following]]:
        above.append(following)
    return max([base, *above, *(_LEVELS.index(aim.level) for aim in aims if aim.step > 0)])


def _lot(seed: int, name: str) -> str:
    return hashlib.sha256(f"{seed}\0{name}".encode()).hexdigest()
