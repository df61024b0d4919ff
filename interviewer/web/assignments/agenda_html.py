"""The agenda of an assignment as HTML, to be read. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from interviewer.report.phrases.common import KINDS
from interviewer.session.plan import AgendaItem
from interviewer.text import count
from interviewer.web.safe_html import text


def agenda_html(agenda: Sequence[AgendaItem]) -> str:
    """What each question is on, folded away."""
    rows = "".join(
        f"<li>{text(item.topic)}, {KINDS[item.kind] if item.kind else 'any kind'}, {item.minutes} min</li>"
        for item in agenda
    )
    return (
        f'<details class="agenda"><summary>Agenda: {count(len(agenda), "question")}</summary><ol>{rows}</ol></details>'
    )
