"""Values of the set-up form: options to a plan."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gradio as gr

from interviewer.planning.agenda import DEFAULTS, InterviewOptions
from interviewer.planning.agenda_text import read_agenda
from interviewer.session.plan import Mode
from interviewer.session.style import Style
from interviewer.web.views.setup.layout import BY_NUMBER
from knowledge.model import Kind, Level
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
