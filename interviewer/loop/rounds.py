"""The rounds of a loop: which were held, which comes next, and what it asks after what the earlier ones told. Pure."""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Mapping, Sequence

from interviewer.planning.agenda import DEFAULTS, InterviewOptions, make_plan
from interviewer.planning.deep_dive import deep_dive_questions
from interviewer.session.loop_plan import LoopPlace, LoopPlan, RoundKind
from interviewer.session.plan import Mode, Plan
from interviewer.session.state import AskedQuestion, State
from knowledge.model import Kind, Question
from rubric.model import Verdict
from serving.errors import BadInputError
from serving.frozen import FrozenModel

KINDS: Mapping[RoundKind, tuple[Kind, ...]] = {
    RoundKind.PHONE_SCREEN: (Kind.CONCEPT,),
    RoundKind.CODING: (Kind.CODING, Kind.DEBUGGING),
    RoundKind.SYSTEM_DESIGN: (Kind.SYSTEM_DESIGN,),
    RoundKind.BEHAVIORAL: (Kind.BEHAVIORAL,),
    RoundKind.DEEP_DIVE: (),
}
"""The kinds of question that a round asks; a deep dive brings its own."""

OPEN_FROM = 0.5
"""Share of a topic's points that were not surely made from which it counts as left open."""

_NAMED = 2
"""Topics left open that an interviewer speaks of."""


class HeldRound(FrozenModel):
    """A round that was begun.

    Attributes:
        session_id: the interview.
        place: which round of which loop it is.
        state: how it stands.

    """

    session_id: str
    place: LoopPlace
    state: State

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return self.state.ended is not None


def loops(interviews: Mapping[str, State]) -> dict[str, tuple[HeldRound, ...]]:
    """The loops that interviews belong to, by id, each with its rounds in order; of a round held twice the latest.

    Args:
        interviews: the person's, by id, the earliest first.

    """
    found: dict[str, dict[int, HeldRound]] = defaultdict(dict)
    for session_id, state in interviews.items():
        place = state.plan.loop if state.plan else None
        if place is not None:
            found[place.id][place.number] = HeldRound(session_id=session_id, place=place, state=state)
    return {name: tuple(rounds[number] for number in sorted(rounds)) for name, rounds in found.items()}


def plan_of(held: Sequence[HeldRound]) -> LoopPlan:
    """The plan of a loop as its latest round has it.

    Raises:
        BadInputError: no round of it was held.

    """
    if not held:
        raise BadInputError("No round of this loop was started.", hint="`loop start` starts one.")
    return held[-1].place.plan


def next_number(plan: LoopPlan, held: Sequence[HeldRound]) -> int | None:
    """The number of the round to be begun or gone on with; ``None`` where all are over."""
    over = {each.place.number for each in held if each.over}
    return next((number for number in range(1, len(plan.rounds) + 1) if number not in over), None)


def begun(held: Sequence[HeldRound], number: int) -> HeldRound | None:
    """The round of that number, where it was begun."""
    return next((each for each in held if each.place.number == number), None)


def plan_round(place: LoopPlace, held: Sequence[HeldRound], questions: Sequence[Question], *, editor: bool) -> Plan:
    """The plan of a round: nothing is asked again, and what earlier rounds left open comes first.

    Args:
        place: the round.
        held: the rounds before it.
        questions: all there are.
        editor: whether code can be run here.

    Raises:
        BadInputError: the role is unknown, or nothing is left to ask.

    """
    loop, this = place.plan, place.round
    states = [each.state for each in held if each.place.number != place.number]
    asked = tuple(dict.fromkeys(held.question.id for state in states for held in state.asked))
    left = left_open(states)
    own = deep_dive_questions(place)
    wish = InterviewOptions(
        role="" if own else loop.role,
        topics=this.topics,
        kinds=KINDS[this.kind],
        level=loop.level,
        minutes=this.minutes,
        mode=Mode.EXAM,
        style=this.style,
        # Without a role or topics, what is open would be all there is to ask about.
        leaning=left if loop.role or this.topics else (),
        talks=DEFAULTS.talks,
        follow_ups=DEFAULTS.follow_ups,
    )
    seed = zlib.crc32(f"{place.id} {place.number}".encode()) % 2**31
    fresh = [question for question in questions if question.id not in asked]
    if not own and all(question.kind not in KINDS[this.kind] for question in fresh):
        raise BadInputError(f"There is nothing left to ask in a {this.kind} round.", hint="Leave the round out.")
    plan = make_plan(wish, fresh, seed=seed, editor=editor)
    update = {"loop": place, "left_out": asked, "background": False}
    if own:
        return plan.model_copy(
            update={**update, "question_ids": tuple(question.id for question in own), "agenda": (), "topics": ()}
        )
    planned = {item.topic for item in plan.agenda}
    return plan.model_copy(update={**update, "carried_over": tuple(name for name in left if name in planned)[:_NAMED]})


def left_open(states: Sequence[State]) -> tuple[str, ...]:
    """Topics of which most points were not surely made, the most open first.

    What was skipped, cut off by the clock or not graded yet is as open as what was missed.
    """
    shares: dict[str, list[float]] = defaultdict(list)
    for state in states:
        for asked in state.asked:
            shares[asked.question.topic].append(_open_share(asked))
    means = {topic: sum(each) / len(each) for topic, each in shares.items()}
    return tuple(sorted((name for name, share in means.items() if share >= OPEN_FROM), key=lambda name: -means[name]))


def _open_share(asked: AskedQuestion) -> float:
    """Share of a question's points, by weight, that were not surely met."""
    points = asked.question.rubric.criteria if asked.question.rubric else ()
    marks = asked.grades[-1].grade.criteria if asked.grades else ()
    met = {mark.id for mark in marks if mark.sure and mark.verdict is Verdict.MET}
    whole = sum(point.weight for point in points)
    return sum(point.weight for point in points if point.id not in met) / whole if whole else 1.0
