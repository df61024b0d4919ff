"""The part of the set-up page that shows what earlier interviews amount to."""

from __future__ import annotations

from interviewer.planning.ability import DIFFICULTY
from interviewer.planning.progress import History, TopicStanding
from interviewer.planning.scale import place
from interviewer.planning.spaced_repetition import due_words
from interviewer.web import safe_html
from knowledge.model import Level

# The ends of the scale, in logits.
_LOW, _HIGH = -3.0, 5.0
_MOVED = 0.15


def history_html(history: History) -> str:
    """Abilities by topic as bars with their intervals, days in a row, and what is due."""
    if not history.interviews:
        return '<p class="quiet">After your first interview, this shows where you stand on each topic.</p>'
    count = f"{history.interviews} interview{'' if history.interviews == 1 else 's'}"
    days = f", {history.streak} days in a row" if history.streak > 1 else ""
    rows = "".join(_row_html(standing) for standing in history.topics)
    scale = "".join(f'<i style="left:{_place(DIFFICULTY[level]):.1f}%">{level.value}</i>' for level in Level)
    table = (
        '<table class="standing"><caption class="sr-only">Where you stand on each topic</caption><thead><tr>'
        f'<th scope="col">Topic</th><th scope="col"><span class="scale" aria-hidden="true">{scale}</span>'
        '<span class="sr-only">Level, with its interval</span></th></tr></thead>'
        f"<tbody>{rows}</tbody></table>"
    )
    overall = f"<p><b>{place(history.overall)}</b></p>" if history.overall and rows else ""
    return f'{overall}<p class="quiet">{count}{days}.</p>{table if rows else ""}{_due_html(history)}'


def _due_html(history: History) -> str:
    topics = ", ".join(f"{safe_html.text(topic)} ({count})" for topic, count in history.due_topics[:4])
    more = f": {topics}" if topics else ""
    return f'<p class="due"><b>{due_words(history.due)}</b>{more}.</p>'


def _row_html(standing: TopicStanding) -> str:
    ability = standing.ability
    left, right = _place(ability.low), _place(ability.high)
    return (
        f'<tr><th scope="row">{safe_html.text(standing.topic)}{_change_html(standing.change)}</th>'
        f'<td><span class="interval" aria-hidden="true"><i style="left:{left:.1f}%;width:{right - left:.1f}%"></i>'
        f'<b style="left:{_place(ability.mean):.1f}%"></b></span>'
        f'<span class="sr-only">{place(ability)}</span></td></tr>'
    )


def _change_html(change: float | None) -> str:
    if change is None or abs(change) < _MOVED:
        return ""
    sign, word = ("▲", "up") if change > 0 else ("▼", "down")
    return f' <span class="{word}"><span aria-hidden="true">{sign}</span><span class="sr-only">{word}</span></span>'


def _place(logits: float) -> float:
    """Where on the scale, in percent."""
    return 100 * (min(max(logits, _LOW), _HIGH) - _LOW) / (_HIGH - _LOW)
