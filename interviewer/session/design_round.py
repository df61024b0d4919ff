"""Design rounds: which of the two deep dives the person chose, and what is asked for when. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeGuard

from interviewer.session.events import ClarificationGiven, Event
from interviewer.session.follow_up_kinds import FollowUpKind
from interviewer.session.state import AskedQuestion
from interviewer.understanding.design_questions import asked_in
from knowledge.model import Question
from rubric.model import DEEP_DIVES, AskedBy
from rubric.words import content_words

CHANGE_ID = "ask:change"
"""Stands for the criterion of the follow-up that changes the requirements."""

DEEP_DIVE_ID = "ask:deep-dive"
"""Stands for the criterion of the follow-up that lets the person choose a deep dive."""

_ORDINALS = (re.compile(r"\b(?:first|former)\b", re.IGNORECASE), re.compile(r"\b(?:second|latter)\b", re.IGNORECASE))
_CHOOSING = 30
"""Words of an answer among which it says which deep dive it is on."""


def is_round(question: Question) -> bool:
    """Whether a question is a design round, which is led stage by stage."""
    return bool(question.change) and len(question.deep_dives) == len(DEEP_DIVES)


def chosen_dive(asked: AskedQuestion) -> AskedBy | None:
    """The deep dive that the person chose; ``None`` where they were not asked, or have not answered yet.

    Where their words do not say, it is the one on which they earned more so far, else the first.
    """
    offer = next((event for event in asked.follow_ups if event.kind is FollowUpKind.DEEP_DIVE), None)
    answer = next((answer for answer in asked.answers if offer and answer.follow_up_id == offer.id), None)
    if answer is None:
        return None
    return dive_named(answer.text, asked.question.deep_dives) or _earning(asked)


def change_was_put(asked: AskedQuestion) -> bool:
    """Whether the requirements were changed."""
    return any(event.kind is FollowUpKind.CHANGE for event in asked.follow_ups)


def asks_for_requirements(turn: Event, asked: AskedQuestion) -> TypeGuard[ClarificationGiven]:
    """Whether with a turn the person asked about the requirements of a design that has some to tell."""
    has_some = is_round(asked.question) or bool(asked.question.requirements)
    return isinstance(turn, ClarificationGiven) and has_some and bool(asked_in(turn.words))


def requirements_asked(asked: AskedQuestion) -> bool:
    """Whether they did so with any turn."""
    return any(asks_for_requirements(turn, asked) for turn in asked.turns)


def dive_named(text: str, dives: Sequence[str]) -> AskedBy | None:
    """The deep dive that the beginning of an answer speaks of; ``None`` where it speaks of none or of both alike."""
    begun = " ".join(text.split()[:_CHOOSING])
    ordinals = [bool(ordinal.search(begun)) for ordinal in _ORDINALS]
    if ordinals[0] != ordinals[1]:
        return DEEP_DIVES[ordinals.index(True)]
    words = [content_words(dive) for dive in dives]
    own = [len(content_words(begun) & (words[place] - words[1 - place])) for place in range(len(DEEP_DIVES))]
    return DEEP_DIVES[own.index(max(own))] if own[0] != own[1] else None


def _earning(asked: AskedQuestion) -> AskedBy:
    rubric = asked.question.rubric
    if rubric is None or not asked.grades:
        return DEEP_DIVES[0]
    credit = {verdict.id: verdict.credit or 0.0 for verdict in asked.grades[-1].grade.criteria}
    earned = [
        sum(credit.get(point.id, 0.0) for point in rubric.criteria if point.asked_by is dive) for dive in DEEP_DIVES
    ]
    return DEEP_DIVES[earned.index(max(earned))]
