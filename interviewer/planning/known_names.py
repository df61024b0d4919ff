"""Names of topics and roles as people write them: found in any case, or refused with the nearest ones. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from interviewer.planning.question_selector import normal
from interviewer.planning.roles import ROLES, Role
from knowledge.model import Question
from serving.errors import BadInputError

_NEAR = 0.6
_MISSPELT = 0.75


def topics_of(questions: Iterable[Question]) -> list[str]:
    """Every topic there is a question on, in the order of the alphabet."""
    return sorted({question.topic for question in questions}, key=str.casefold)


def known_topic(topic: str, topics: Sequence[str]) -> str:
    """The topic of that name, as it is spelled.

    Args:
        topic: its name, in any case.
        topics: all there are.

    Raises:
        BadInputError: there is none; the nearest are named.

    """
    found = _same(topic, topics)
    if found is None:
        raise BadInputError(f"There is no topic {topic[:80]}.", hint=_hint(topic, topics, "topics"))
    return found


def known_or_own_topic(topic: str, topics: Sequence[str]) -> tuple[str, bool]:
    """A topic for an interview of one's own, which may also be in words of one's own.

    Args:
        topic: its name, or what the person wants to be asked about.
        topics: all there are.

    Returns:
        The topic as it is spelled, and whether it is one of these; if not, questions are searched for by its words.

    Raises:
        BadInputError: it is none of these, but near enough to one to be a misspelling of it.

    """
    found = _same(topic, topics)
    if found is None and get_close_matches(normal(topic), map(normal, topics), cutoff=_MISSPELT):
        return known_topic(topic, topics), True
    return found or topic, found is not None


def known_role(name: str) -> Role | None:
    """The role of that name, in any case; ``None`` for an empty name.

    Raises:
        BadInputError: there is none; the nearest are named.

    """
    if not name:
        return None
    found = _same(name, tuple(ROLES))
    if found is None:
        raise BadInputError(f"There is no role {name[:80]}.", hint=_hint(name, tuple(ROLES), "roles"))
    return ROLES[found]


def _same(name: str, names: Sequence[str]) -> str | None:
    return next((each for each in names if normal(each) == normal(name)), None)


def _hint(name: str, names: Sequence[str], what: str) -> str:
    spelled = {normal(each): each for each in names}
    near = [spelled[each] for each in get_close_matches(normal(name), list(spelled), cutoff=_NEAR)]
    asked = f"Did you mean {' or '.join(near)}? " if near else ""
    return f"{asked}The {what} are: {', '.join(names)}."
