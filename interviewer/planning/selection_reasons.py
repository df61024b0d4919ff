"""Why a question is asked, in words for the person. Pure.

Built from topics, levels and how answers went; nothing of a question's text, rubric or reference comes in.
"""

from __future__ import annotations

from collections.abc import Sequence

from interviewer.planning.ability import Result, topic_key
from knowledge.model import Level

# A topic is a document's word or the person's; more of it than this is no name.
_LONGEST_TOPIC = 60


def named() -> str:
    """The plan names the question."""
    return "This interview was set up to include this question."


def due(topic: str) -> str:
    """Something that was missed in an earlier interview is due for review."""
    return f"Something on {_short(topic)} that you missed in an earlier interview is due for review today."


def turn(topic: str, *, chosen: bool, times: int, planned: bool = False) -> str:
    """It is the topic's turn.

    Args:
        topic: as the person or the document names it.
        chosen: whether the person chose it.
        times: how many questions were asked on it before.
        planned: whether an agenda says what comes when, so that the topic may be the agenda's choice.

    """
    name = _short(topic)
    if chosen and planned:
        return f"Next on the agenda: {name}."
    if times:
        return f"The topics take turns, and {name} is up again."
    if chosen:
        return f"You chose {name}; this is the first question on it."
    return f"The topics take turns, and this is the first question on {name}."


def step(since: Sequence[Result], *, up: bool) -> str:
    """Answers running made the level move.

    Args:
        since: those answers.
        up: whether it moved up.

    """
    levels = {result.level for result in since}
    topics = {topic_key(result.topic): result.topic for result in since}
    named_level = next(iter(levels)) if len(levels) == 1 else None
    what = f"{_number(len(since))} {f'{named_level}-level ' if named_level else ''}questions"
    where = f" on {_short(*topics.values())}" if len(topics) == 1 else " in a row"
    if up:
        return f"You did well on {what}{where}, so this one is a step harder."
    return f"{what.capitalize()}{where} were difficult, so this one is a step easier."


def level(asked: Level, moved: int) -> str:
    """The level was chosen by what it tells.

    Args:
        asked: of the question.
        moved: levels above, or below, the question before.

    """
    if moved > 0:
        return f"Your answers so far suggest that a {asked}-level question will tell us more about you now."
    if moved < 0:
        return f"Given your answers so far, a {asked}-level question will tell us more about you."
    return "This question is at the level that tells us the most about you, given your answers so far."


def join(*sentences: str) -> str:
    """Sentences as one text."""
    return " ".join(filter(None, sentences))


def _short(topic: str) -> str:
    line = " ".join(topic.split())
    return line if len(line) <= _LONGEST_TOPIC else f"{line[: _LONGEST_TOPIC - 1].rstrip()}…"


def _number(count: int) -> str:
    return {2: "two", 3: "three"}.get(count, str(count))


def one_more() -> str:
    """Why a question is asked beyond the plan."""
    return "You finished ahead of schedule, so there is time for one more question."
