"""What an interview is going to be on, drawn up before it begins. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from statistics import median
from typing import NamedTuple

from interviewer.planning.known_names import known_role
from interviewer.planning.question_selector import LONG_DESIGN, allowed, askable, lot
from interviewer.session.clock import TALK_MINUTES, body_minutes
from interviewer.session.plan import AgendaItem, Mode, Plan, usual_starter
from interviewer.session.style import Style
from knowledge.model import Kind, Level, Question, levels_apart
from rubric.coding.task import StarterForm
from serving.errors import BadInputError
from serving.frozen import FrozenModel

LEAST_MINUTES: Mapping[Kind, int] = {Kind.SYSTEM_DESIGN: 15}
"""Minutes that a question of a kind takes at least, whatever its entry says: less is no design interview."""

_MOST = 50

# Where nothing is known of a topic in the person's own words.
_USUAL_MINUTES = 5
_OWN_TOPICS = frozenset({Kind.BEHAVIORAL, Kind.SYSTEM_DESIGN})


class InterviewOptions(FrozenModel):
    """What a person chooses before an interview.

    Attributes:
        role: a preset of ``interviewer.planning.roles``; empty for none.
        topics: empty means those of the role, or all.
        kinds: empty means those of the role, or all.
        level: seniority to aim at.
        minutes: length by the clock; ``None`` where ``length`` counts.
        length: number of questions, where no minutes are given.
        mode: practice or exam.
        follow_ups: most follow-ups a question may get.
        depth: take a question further whose points are all met.
        drill: drill each question until every point is met or was told; in practice alone.
        style: the manner in which the interviewer speaks.
        talks: with a warm-up and the person's own questions.
        starter: what coding questions start from; ``None`` for what is usual at the level.
        own_documents: ask only out of the person's own documents.
        documents: which of these may be asked from (``Plan.documents``); ``None`` for all.
        reviews: most questions that may bring back what was missed in earlier interviews.
        agenda: as the person edited it; empty to have one drawn up.
        opening: what the warm-up asks about; may be empty.
        leaning: topics that a résumé or a job description speaks of, the most first; they come first where the
            person chose none.
        silence_steps: answer a long silence, in steps.
        cut_short: cut the person short who goes on without a new point; ``None`` does so in the demanding style alone.

    """

    role: str = ""
    topics: tuple[str, ...] = ()
    kinds: tuple[Kind, ...] = ()
    level: Level = Level.MID
    minutes: int | None = None
    length: int = 5
    mode: Mode = Mode.PRACTICE
    follow_ups: int = 2
    depth: bool = True
    drill: bool = False
    style: Style = Style.NEUTRAL
    talks: bool = True
    starter: StarterForm | None = None
    own_documents: bool = False
    documents: tuple[str, ...] | None = None
    reviews: int = 0
    agenda: tuple[AgendaItem, ...] = ()
    opening: str = ""
    leaning: tuple[str, ...] = ()
    silence_steps: bool = True
    cut_short: bool | None = None


DEFAULTS = InterviewOptions(minutes=30, reviews=2)
"""What an interview is like of which nothing was chosen, on the page and in the terminal alike."""


class _Pair(NamedTuple):
    topic: str
    kind: Kind | None


def make_plan(wish: InterviewOptions, questions: Iterable[Question], *, seed: int, editor: bool) -> Plan:
    """The plan that fulfills a wish.

    Args:
        wish: what the person chose.
        questions: all there are.
        seed: makes the choice of questions repeatable.
        editor: whether code can be run here.

    Raises:
        BadInputError: the role is unknown, or the edited agenda is too long for the time.

    """
    role = known_role(wish.role)
    agenda = wish.agenda
    if not agenda and (wish.minutes or role):
        agenda = draw_up(wish, questions, seed=seed)
    body = body_minutes(wish.minutes, talks=wish.talks)
    if body is not None and wish.agenda and sum(item.minutes for item in agenda) > body:
        planned = sum(item.minutes for item in agenda)
        talks = f"; {2 * TALK_MINUTES} are for the warm-up and your own questions" if wish.talks else ""
        raise BadInputError(
            f"The agenda needs {planned} minutes, but only {body} of {wish.minutes} are left for questions{talks}.",
            hint="Remove something, or choose a longer interview.",
        )
    return Plan(
        role=role.name if role else "",
        topics=_topics(wish),
        kinds=wish.kinds,
        level=wish.level,
        length=len(agenda) or wish.length,
        minutes=wish.minutes,
        agenda=agenda,
        mode=wish.mode,
        own_documents=wish.own_documents,
        documents=wish.documents,
        talks=wish.talks,
        reviews=wish.reviews,
        opening=wish.opening,
        background=bool(wish.opening or wish.leaning),
        follow_ups=wish.follow_ups,
        depth=wish.depth,
        drill=wish.drill and wish.mode is Mode.PRACTICE,
        style=wish.style,
        silence_steps=wish.silence_steps,
        cut_short=wish.style is Style.DEMANDING if wish.cut_short is None else wish.cut_short,
        seed=seed,
        editor=editor,
        starter=wish.starter or usual_starter(wish.level),
    )


def practice_plan(question_ids: tuple[str, ...], level: Level = DEFAULTS.level) -> Plan:
    """The plan of practicing exactly these questions, in this order: no clock, no warm-up.

    Args:
        question_ids: of the questions.
        level: what the person aims at.

    """
    return Plan(
        question_ids=question_ids,
        length=len(question_ids),
        level=level,
        follow_ups=DEFAULTS.follow_ups,
        depth=DEFAULTS.depth,
    )


def draw_up(
    wish: InterviewOptions, questions: Iterable[Question], *, seed: int | None = None
) -> tuple[AgendaItem, ...]:
    """An agenda that fits the time or the number of questions: kinds by their share, topics in turn.

    Every item is one that there are questions for, no more often than there are; topics in words of the
    person's own stand without a kind, since only the search knows what there is on them. Each item takes as long
    as such questions usually do. Where nothing but the level was chosen, it is of questions near the level.

    Args:
        wish: what the person chose.
        questions: all there are.
        seed: orders the topics where nobody named any, so that not every interview begins with the same; ``None`` for
            their order in the bank.

    """
    role = known_role(wish.role)
    pool = [question for question in allowed(questions, wish.documents, own=wish.own_documents) if askable(question)]
    if not (role or wish.kinds or wish.topics):
        pool = _of_level(pool, wish.level) or pool
    topics = _topics(wish) or _every_topic(pool, seed)
    shares = dict(role.mix if role and not wish.kinds else ((kind, 1) for kind in wish.kinds or Kind))
    wanted = set(topics)
    if role or wish.kinds:
        # Stories and designs are topics of their own in the bank; whoever wants the kind gets them.
        wanted |= {question.topic for question in pool if question.kind in _OWN_TOPICS and question.kind in shares}
    minutes, there = _offer(pool, topics, wanted, shares, body_minutes(wish.minutes, talks=wish.talks))
    at_level = Counter(
        _Pair(question.topic, question.kind) for question in pool if question.level in {wish.level, None}
    )
    places = {topic: place for place, topic in enumerate(topics)}
    return _filled(wish, shares, places, minutes, there, at_level=at_level)


def _of_level(pool: Sequence[Question], level: Level) -> list[Question]:
    """The questions at most one level off, of the kinds that have any of the level itself.

    Nobody asks a new graduate to design what staff engineers do.
    """
    kinds = {question.kind for question in pool if question.level in {level, None}}
    return [question for question in pool if question.kind in kinds and levels_apart(question.level, level) <= 1]


def _topics(wish: InterviewOptions) -> tuple[str, ...]:
    """The topics to ask about, the most important first; none where nobody named any."""
    role = known_role(wish.role)
    if wish.topics:
        return tuple(sorted(wish.topics, key=lambda topic: _place(topic, wish.leaning)))
    if role:
        return tuple(sorted(role.topics, key=lambda topic: _place(topic, wish.leaning)))
    return wish.leaning


def _every_topic(pool: Iterable[Question], seed: int | None) -> tuple[str, ...]:
    topics = tuple(dict.fromkeys(question.topic for question in pool))
    return topics if seed is None else tuple(sorted(topics, key=lambda topic: lot(seed, topic)))


def _place(topic: str, leaning: Sequence[str]) -> int:
    return leaning.index(topic) if topic in leaning else len(leaning)


def _offer(
    pool: Sequence[Question], topics: Sequence[str], wanted: set[str], shares: Mapping[Kind, int], most: int | None
) -> tuple[dict[_Pair, int], Counter[_Pair]]:
    """Usual minutes and number of the questions there are, by topic and kind; of those that fit, where any does."""
    taken: dict[_Pair, list[int]] = defaultdict(list)
    for question in pool:
        if question.kind in shares and question.topic in wanted:
            taken[_Pair(question.topic, question.kind)].append(question.minutes)
    known = {question.topic for question in pool}
    if set(shares) == {Kind.SYSTEM_DESIGN} and most is not None and most >= LONG_DESIGN:
        # Whoever wants a design alone gets a whole round: a short one would leave half of the time unused.
        rounds = {pair: [each for each in minutes if each >= LONG_DESIGN] for pair, minutes in taken.items()}
        taken.update({pair: [min(each, most) for each in minutes] for pair, minutes in rounds.items() if minutes})
    minutes = {
        pair: max(round(median(_fitting(each, most))), LEAST_MINUTES.get(pair.kind, 1) if pair.kind else 1)
        for pair, each in taken.items()
    }
    there = Counter({pair: len(each) for pair, each in taken.items()})
    for topic in topics:
        if topic not in known:
            minutes[_Pair(topic, None)] = _USUAL_MINUTES
            there[_Pair(topic, None)] = _MOST
    return minutes, there


def _fitting(minutes: Sequence[int], most: int | None) -> Sequence[int]:
    """Those that fit into an interview; all where none does."""
    return [each for each in minutes if most is None or each <= most] or minutes


def _filled(
    wish: InterviewOptions,
    shares: Mapping[Kind, int],
    places: Mapping[str, int],
    minutes: Mapping[_Pair, int],
    there: Counter[_Pair],
    *,
    at_level: Counter[_Pair],
) -> tuple[AgendaItem, ...]:
    left = body_minutes(wish.minutes, talks=wish.talks)
    most = _MOST if left is not None else min(wish.length, _MOST)
    agenda: list[AgendaItem] = []
    kinds: Counter[Kind | None] = Counter()
    topics: Counter[str] = Counter()
    taken: Counter[_Pair] = Counter()

    def turn(pair: _Pair) -> tuple[float | bool, ...]:
        share = shares[pair.kind] if pair.kind else 1
        # Of kinds whose turn it is alike, talking comes before writing code.
        writes = pair.kind in {Kind.CODING, Kind.DEBUGGING}
        # Who chose a level is asked on topics that have questions of it left, before others; who chose topics as well
        # is asked on each of them, but never begins with a question of another level.
        off = pair.kind is not None and at_level[pair] <= taken[pair]
        place = places.get(pair.topic, len(places))
        instead = off and (not wish.topics or not agenda)
        return instead and not agenda, (kinds[pair.kind] + 1) / share, writes, instead, topics[pair.topic], off, place

    while len(agenda) < most:
        fitting = [pair for pair, count in there.items() if count and (left is None or minutes[pair] <= left)]
        if not fitting:
            break
        pair = min(fitting, key=turn)
        there[pair] -= 1
        taken[pair] += 1
        kinds[pair.kind] += 1
        topics[pair.topic] += 1
        agenda.append(AgendaItem(topic=pair.topic, kind=pair.kind, minutes=minutes[pair]))
        left = None if left is None else left - minutes[pair]
    return tuple(agenda)
