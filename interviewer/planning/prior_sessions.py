"""What earlier interviews of a person bring into the next one. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from interviewer.planning.ability import Evidence, aged, evidence
from interviewer.planning.shared_facts import same_facts
from interviewer.planning.spaced_repetition import due, points, questions_for
from interviewer.session.state import State
from knowledge.model import Question


class Past(NamedTuple):
    """What is known of a person when an interview begins.

    Attributes:
        evidence: of their abilities, weakened by age.
        due: questions on what is due for review, the most urgent first.
        asked: ids of what was asked, the latest first.

    """

    evidence: tuple[Evidence, ...] = ()
    due: tuple[Question, ...] = ()
    asked: tuple[str, ...] = ()


def past(interviews: Sequence[State], now: datetime, questions: Sequence[Question] = ()) -> Past:
    """What some interviews bring into one that begins now.

    Args:
        interviews: earlier ones, the latest first.
        now: when the new one begins, in the person's time zone.
        questions: those there are, for what is due; none leaves reviews out.

    """
    told = tuple(each for state in interviews for each in evidence(state))
    asked = tuple(dict.fromkeys(each.question.id for state in interviews for each in reversed(state.asked)))
    if not interviews or not questions:
        return Past(aged(told, now), asked=asked)
    facts = same_facts(questions)
    return Past(aged(told, now), questions_for(due(points(interviews, facts), now), questions, facts), asked)
