"""Values of the set-up form: options to a plan, and an agenda to text and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gradio as gr

from interviewer.planning.agenda import DEFAULTS, LEAST_MINUTES, InterviewOptions
from interviewer.session.plan import AgendaItem, Mode
from interviewer.session.style import Style
from interviewer.web.views.setup.layout import BY_NUMBER
from knowledge.model import Kind, Level, kind_named
from rubric.coding.task import StarterForm
from serving.errors import BadInputError


def wish_of(values: Sequence[Any], *, edited: bool = True) -> InterviewOptions:
    """What the person chose.

    Args:
        values: those of ``SetupPanel.choices``, in their order.
        edited: whether the agenda that is shown counts.

    Raises:
        BadInputError: a line of the agenda cannot be understood, or the page's script sent what cannot be chosen.

    """
    try:
        return _wish(values, edited=edited)
    except (ValueError, TypeError, AttributeError, OverflowError) as error:
        raise BadInputError("What was chosen cannot be used.", hint="Reload the page and choose again.") from error


def _wish(values: Sequence[Any], *, edited: bool) -> InterviewOptions:
    role, topics, level, span, length, kinds, mode, follow_ups, talks, own_documents, *rest = values
    style, drill, reviews, starter, silence_steps, cut_short, documents, agenda = rest
    by_number = span == BY_NUMBER
    return InterviewOptions(
        role=role or "",
        topics=tuple(topic.strip() for topic in topics if topic.strip()),
        level=Level(level),
        minutes=None if by_number else int(span),
        length=int(length),
        kinds=tuple(Kind(kind) for kind in kinds),
        mode=Mode(mode),
        follow_ups=int(follow_ups),
        talks=talks,
        own_documents=own_documents,
        starter=StarterForm(starter) if starter else None,
        documents=tuple(str(path) for path in documents),
        style=Style(style),
        drill=drill,
        reviews=DEFAULTS.reviews if reviews else 0,
        silence_steps=silence_steps,
        cut_short=cut_short,
        agenda=read_agenda(agenda) if edited else (),
    )


def length_shown(span: str) -> Any:
    """Shows the number of questions where it counts."""
    return gr.update(visible=span == BY_NUMBER)


def agenda_text(agenda: Sequence[AgendaItem]) -> str:
    """An agenda as the person sees and edits it."""
    return "\n".join(f"{item.topic}, {item.kind or 'any'}, {item.minutes}" for item in agenda)


def read_agenda(text: str) -> tuple[AgendaItem, ...]:
    """The agenda that a text stands for, one question a line.

    Raises:
        BadInputError: a line is not a topic, a kind and minutes.

    """
    return tuple(_item(line) for line in text.splitlines() if line.strip())


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
