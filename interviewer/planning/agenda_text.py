"""An agenda as text, one question a line, and back. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from interviewer.planning.agenda import LEAST_MINUTES
from interviewer.planning.known_names import known_topic
from interviewer.session.plan import AgendaItem
from knowledge.model import Kind, kind_named
from serving.errors import BadInputError


def agenda_text(agenda: Sequence[AgendaItem]) -> str:
    """An agenda as the person sees and edits it."""
    return "\n".join(f"{item.topic}, {item.kind or 'any'}, {item.minutes}" for item in agenda)


def read_agenda(text: str, topics: Sequence[str] | None = None) -> tuple[AgendaItem, ...]:
    """The agenda that a text stands for, one question a line.

    Args:
        text: as ``agenda_text`` gives it.
        topics: those that may stand in it, as they are spelled; ``None`` for any words, which are then searched for.

    Raises:
        BadInputError: a line is not a topic, a kind and minutes, or its topic is none of these.

    """
    items = tuple(_item(line) for line in text.splitlines() if line.strip())
    if topics is None:
        return items
    return tuple(item.model_copy(update={"topic": known_topic(item.topic, topics)}) for item in items)


def _item(line: str) -> AgendaItem:
    hint = f"Write a topic, a kind ({', '.join(Kind)}, or any), and minutes from 1 to 60, separated by commas."
    parts = [part.strip() for part in line.rsplit(",", 2)]
    if len(parts) == 3 and not parts[0]:
        raise BadInputError("A question in the agenda has no topic.", hint="Choose a topic for it, or remove it.")
    if len(parts) != 3:
        raise BadInputError(f"“{line.strip()}” is not a valid line of an agenda.", hint=hint)
    topic, kind, minutes = parts
    chosen = kind_named(kind.casefold())
    if chosen is None and kind.casefold() != "any":
        raise BadInputError(f"“{kind}” is not a kind of question.", hint=hint)
    number = int(minutes) if minutes.isascii() and minutes.isdigit() else 0
    if not 1 <= number <= 60:
        raise BadInputError(f"“{minutes}” is not a number of minutes.", hint=hint)
    least = LEAST_MINUTES.get(chosen, 1) if chosen else 1
    if number < least:
        raise BadInputError(
            f"A {chosen} question needs at least {least} minutes.", hint="Give it more time, or remove it."
        )
    return AgendaItem(topic=topic, kind=chosen, minutes=number)
