"""What earlier interviews of a person bring into the next one. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from interviewer.planning.ability import Evidence, aged, evidence
from interviewer.planning.spaced_repetition import due, points, questions_for, same_facts
from interviewer.session.state import State
from knowledge.model import Question


class Past(NamedTuple):
    """What is known of a person when an interview begins.

    Attributes:
        evidence: of their abilities, weakened by age.
        due: questions on what is due for review, the most urgent first.

    """

    evidence: tuple[Evidence, ...] = ()
    due: tuple[Question, ...] = ()


def past(interviews: Sequence[State], now: datetime, questions: Sequence[Question] = ()) -> Past:
    """What some interviews bring into one that begins now.

    Args:
        interviews: earlier ones, in any order.
        now: when the new one begins, in the person's time zone.
        questions: those there are, for what is due; none leaves reviews out.

    """
    told = tuple(each for state in interviews for each in evidence(state))
    if not interviews or not questions:
        return Past(aged(told, now))
    facts = same_facts(questions)
    return Past(aged(told, now), questions_for(due(points(interviews, facts), now), questions, facts))
