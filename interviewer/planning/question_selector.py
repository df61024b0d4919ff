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
    found: Mapping[str, Sequence[str]] | None = None,
    standing: Standing | None = None,
    due: Sequence[Question] = (),
    before: Sequence[str] = (),
) -> Choice | None:
    """The next question, or ``None`` when nothing suitable is left.

    What is due for review comes first, though nothing above the plan's level opens an interview. Then the chosen
    topics take turns, the one asked least first; where none was chosen, those that have the level come before the
    others. The level is the plan's until two answers are known. After two strong answers running it is one above them,
    after two failures one below; else it moves by one only where the ability is surely above it or below it, and the
    level there tells more about the person (the mutual information of ability and answer). Where a topic lacks the
    level, the nearest is asked, of two the one below. Of a topic in the person's own words, what was found first is
    asked first. Among questions of one level those come first that no earlier interview asked, then those asked
    longest ago, and the kind changes. Nothing is asked twice, be it under another id with the same words. The seed
    decides among equals.

    Args:
        questions: all there are.
        plan: what the person wants; with ``question_ids`` the first of these that is there and was not asked.
        asked: the questions so far, in order.
        exclude: ids that are not to be asked, such as near-duplicates of what was asked.
        found: for topics the person put in words of their own, the ids of the questions that fit, the nearest first.
        standing: how the person stands; left out, only the plan's level counts.
        due: questions on what is due for review, the most urgent first; those that the plan leaves out are passed over.
        before: ids of what earlier interviews asked, the latest first.

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
    kinds = Counter(question.kind for question in asked)
    candidates = _of_the_kinds_whose_turn_it_is(candidates, plan, kinds)
    order = _topic_order(plan, (topic for topic, _ in candidates))
    times = Counter(topic for question in asked for topic in _topics_of(question, plan, found)[:1])
    last = asked[-1].kind if asked else None
    aim = aim_of(plan, standing.results if standing else ())
    # The level is theirs to choose: topics that have it come first, and where they chose none, all that have it do.
    at_level = {name for name, question in candidates if question.level in {aim.level, None}}
    topic = min(
        (name for name, _ in candidates),
        key=lambda name: (not plan.topics and name not in at_level, times[name], name not in at_level, order[name]),
    )
    whose_turn = [question for name, question in candidates if name == topic]
    off = {name: _levels_off(aim, standing, name) for name in {question.topic for question in whose_turn}}
    nearest = next((list(ids) for name, ids in found.items() if normal(name) == topic), [])

    ago = {name: place for place, name in reversed(tuple(enumerate(before)))}

    def unfit(question: Question) -> tuple[int | str, ...]:
        place = nearest.index(question.id) if question.id in nearest else len(nearest)
        return (
            off[question.topic][question.level],
            -ago.get(question.id, len(before)),
            int(question.kind == last),
            place,
            kinds[question.kind],
            lot(plan.seed, question.id),
        )

    question = min(whose_turn, key=unfit)
    chosen_by = next((name for name in plan.topics if normal(name) == topic), "")
    turn = selection_reasons.turn(
        chosen_by or question.topic, chosen=bool(chosen_by), planned=bool(plan.agenda), times=times[topic]
    )
    return Choice(
        question=question, why=selection_reasons.join(turn, _about_level(question.level, plan, aim, standing))
    )


def _of_the_kinds_whose_turn_it_is(
    candidates: list[tuple[str, Question]], plan: Plan, times: Counter[Kind]
) -> list[tuple[str, Question]]:
    """Those of the kinds that were asked least, where the person chose several kinds and no topics.

    Few topics hold stories or designs, so that taking turns by topic would hardly ever come to them.
    """
    if len(plan.kinds) < _SEVERAL or plan.topics:
        return candidates
    least = min(times[question.kind] for _, question in candidates)
    return [(topic, question) for topic, question in candidates if times[question.kind] == least]


_SEVERAL = 2


def free_topics(questions: Iterable[Question], plan: Plan) -> tuple[str, ...]:
    """The plan's topics that no question carries: words of the person's own, to be searched for."""
    known = {normal(question.topic) for question in questions}
    return tuple(topic for topic in plan.topics if normal(topic) not in known)


def names_topic(question: Question, topic: str) -> bool:
    """Whether a question names a topic in what it is called or asks: every word of it, whatever their endings in s."""
    words = {word.removesuffix("s") for word in normal(topic).split()}
    told = " ".join((question.title, question.text, question.spoken))
    return bool(words) and words <= {word.removesuffix("s") for word in normal(told).split()}


def aim_of(plan: Plan, results: Sequence[Result]) -> Aim:
    """The level that the answers so far call for: a step from two strong answers or two failures running.

    It is the plan's level, moved by the steps so far; that a topic had no question of it moves nothing. An answer that
    tells nothing neither makes nor breaks a run. A run is used up once the level has moved its way.
    """
    run: list[Result] = []
    level = _LEVELS.index(plan.level)
    for result in results:
        rank = _rank(result.level, plan)
        if (step := _step(run, level, plan)) and step * rank >= step * (level + step):
            level, run = level + step, []
        if result.made is None:
            continue
        if not _sign(result):
            run = []
        elif run and _sign(run[-1]) == _sign(result):
            run = [*run[1 - _RUNNING :], result]
        else:
            run = [result]
    step = _step(run, level, plan)
    return Aim(_LEVELS[level + step], step, tuple(run) if step else ())


def _step(run: Sequence[Result], level: int, plan: Plan) -> int:
    """The step from a level that a run calls for; 0 where it is too short, or there is no such level.

    Strong answers below the level and failures above it call for none.
    """
    if len(run) < _RUNNING:
        return 0
    step = _sign(run[-1])
    ranks = [_rank(result.level, plan) for result in run]
    edge = max(ranks) if step > 0 else min(ranks)
    return step if 0 <= level + step < len(_LEVELS) and step * edge >= step * level else 0


def _sign(result: Result) -> int:
    return int(result.strong) - int(result.failed)


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


def _topics_of(question: Question, plan: Plan, found: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """The plan's topics that the question belongs to; its own topic where the plan names none."""
    own = normal(question.topic)
    if not plan.topics:
        return (own,)
    return tuple(normal(topic) for topic in plan.topics if normal(topic) == own or question.id in found.get(topic, ()))


def _topic_order(plan: Plan, topics: Iterable[str]) -> dict[str, int]:
    if plan.topics:
        ranked = [normal(topic) for topic in plan.topics]
    else:
        ranked = sorted(set(topics), key=lambda topic: lot(plan.seed, topic))
    return {topic: rank for rank, topic in reversed(list(enumerate(ranked)))}


def _levels_off(aim: Aim, standing: Standing | None, topic: str) -> dict[Level | None, int]:
    """How unfit each level is to be asked on a topic: twice the places from the one to be asked, and one more above.

    So of two levels as far away the lower comes first.
    """
    level = aim.level if aim.step or standing is None else _told_level(aim.level, standing, topic)
    middle = _LEVELS.index(level)
    off: dict[Level | None, int] = {name: 2 * abs(rank - middle) + (rank > middle) for rank, name in enumerate(_LEVELS)}
    return off | {None: 2 * _UNKNOWN_LEVEL}


def _told_level(level: Level, standing: Standing, topic: str) -> Level:
    """The level to ask on a topic where no run calls for a step: another than the last one only on clear evidence.

    Clear is an ability whose whole interval lies above the level, or below it, from two answers at least. Above it only
    a strong answer leads, or earlier interviews that place the person there.
    """
    told = [result for result in standing.results if result.made is not None]
    if len(told) < _RUNNING:
        return level
    place, ability = _LEVELS.index(level), standing.estimate.of(topic)
    among = [level]
    if ability.high < DIFFICULTY[level] and place > 0:
        among.append(_LEVELS[place - 1])
    if ability.low > DIFFICULTY[level] and place + 1 < len(_LEVELS):
        above = _LEVELS[place + 1]
        before = standing.earlier is not None and standing.earlier.of(topic).mean >= DIFFICULTY[above]
        among += [above] if told[-1].strong or before else []
    # Rounded, so that what is equal but for the last digit stays equal on every machine.
    return max(among, key=lambda each: (round(standing.estimate.gain(topic, each), 6), each is level))


def lot(seed: int, name: str) -> str:
    """What a name draws: sorted by it, names stand in an order that the seed decides."""
    return hashlib.sha256(f"{seed}\0{name}".encode()).hexdigest()
