"""The history as HTML: where one stands, scores over time by topic, and every interview with its report. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from urllib.parse import quote

from interviewer.planning.ability import Ability
from interviewer.planning.scale import place
from interviewer.report.aggregate.comparison import Cell, Change
from interviewer.report.aggregate.over_time import OverTime, TopicOverTime, TopicScore
from interviewer.report.phrases.result import between
from interviewer.session.journal import SessionSummary
from interviewer.session.plan import Mode
from interviewer.text import count, listed, percent
from interviewer.web.safe_html import text
from interviewer.web.view_state import name_of
from serving.frozen import FrozenModel

_LISTED = 100
"""Interviews that are listed; nobody scrolls through more."""

_STEP, _HEIGHT, _EDGE = 26, 52, 9
"""Pixels between two interviews, of a picture's height, and left free around what is drawn."""

_MOST_DRAWN = 12
"""Interviews that the pictures show, the latest ones."""


class Past(FrozenModel):
    """What the history shows.

    Attributes:
        overall: the ability that all interviews amount to; ``None`` before anything was answered.
        answered: how many interviews have an answer in them.
        scores: over time; ``None`` where no finished interview has one.
        totals: the overall score of a finished interview by its id.
        interviews: all of them, the latest first.

    """

    overall: Ability | None
    answered: int
    scores: OverTime | None
    totals: Mapping[str, Cell]
    interviews: tuple[SessionSummary, ...]


def history_html(past: Past, now: datetime) -> str:
    """What stands in the dialog.

    Args:
        past: what it shows.
        now: in the time zone in which times are told.

    """
    head = '<header><h2 id="history-title">History</h2><form method="dialog"><button>Close</button></form></header>'
    if not past.interviews:
        return f'{head}<p class="quiet">After your first interview, your scores and reports will be here.</p>'
    return f"{head}{_overall_html(past)}{_scores_html(past.scores, now)}{_interviews_html(past, now)}"


def _overall_html(past: Past) -> str:
    if past.overall is None:
        return '<p class="quiet">No answer has been graded yet.</p>'
    held = count(past.answered, "interview")
    return f'<p class="overall"><b>{place(past.overall)}</b> <span class="quiet">From {held}.</span></p>'


def _scores_html(scores: OverTime | None, now: datetime) -> str:
    if scores is None:
        return '<p class="quiet">Scores by topic appear once you have finished an interview.</p>'
    drawn = scores.compared[-_MOST_DRAWN:]
    rows = "".join(_topic_html(topic, drawn, now) for topic in scores.topics)
    held = "exam" if scores.mode is Mode.EXAM else "practice"
    compared = f"{count(len(scores.compared), f'{held} interview')} at {scores.level.value} level"
    return (
        f'<h3>Scores by topic</h3><p class="quiet">{compared}; each dot is one of them, the oldest on the left. The '
        "line through a dot is its likely range.</p>"
        '<div class="wide" tabindex="0" role="region" aria-label="Scores by topic"><table class="over-time"><thead>'
        '<tr><th scope="col">Topic</th><th scope="col">Scores (0 to 100)</th><th scope="col">Latest</th>'
        f'<th scope="col">Change</th></tr></thead><tbody>{rows}</tbody></table></div>{_left_out_html(scores)}'
    )


def _topic_html(topic: TopicOverTime, drawn: Sequence[str], now: datetime) -> str:
    latest = topic.scores[-1].cell
    told = "; ".join(f"{_day(score.at, now)}: {_score(score.cell)}" for score in topic.scores)
    shown = f'{_picture(topic.scores, drawn)}<span class="sr-only">{told}.</span>'
    return (
        f'<tr><th scope="row">{text(topic.topic)}</th><td>{shown}</td><td>{_score(latest)}</td>'
        f"<td>{_change(topic.change)}</td></tr>"
    )


def _picture(scores: Sequence[TopicScore], drawn: Sequence[str]) -> str:
    """Dots with their ranges, each interview at the same place in every topic; the words stand beside them."""
    width = 2 * _EDGE + _STEP * max(len(drawn) - 1, 3)
    column = {session_id: _EDGE + _STEP * number for number, session_id in enumerate(drawn)}
    places = [(column[score.session_id], score.cell) for score in scores if score.session_id in column]
    ranges = "".join(
        f'<line class="range" x1="{x}" x2="{x}" y1="{_y(cell.interval[0])}" y2="{_y(cell.interval[1])}"/>'
        for x, cell in places
        if cell.interval
    )
    line = " ".join(f"{x},{_y(cell.score or 0.0)}" for x, cell in places)
    dots = "".join(f'<circle cx="{x}" cy="{_y(cell.score or 0.0)}" r="3.5"/>' for x, cell in places)
    rules = "".join(
        f'<line class="rule" x1="0" x2="{width}" y1="{_y(share)}" y2="{_y(share)}"/>' for share in (0.0, 0.5, 1.0)
    )
    return (
        f'<svg aria-hidden="true" viewBox="0 0 {width} {_HEIGHT}" width="{width}" height="{_HEIGHT}">{rules}{ranges}'
        f'<polyline points="{line}"/>{dots}</svg>'
    )


def _y(share: float) -> float:
    return round(_HEIGHT - _EDGE - share * (_HEIGHT - 2 * _EDGE), 1)


def _score(cell: Cell) -> str:
    return f"{percent(cell.score)}{between(cell.interval, ', ')}"


def _change(change: Change | None) -> str:
    """What became of a topic's scores: a change is stated only where it is larger than the doubt."""
    if change is None:
        return "–"
    by = round(100 * change.by)
    if change.beyond is not True or by == 0:
        return "no clear change"
    return f"up {by}" if by > 0 else f"down {-by}"


def _left_out_html(scores: OverTime) -> str:
    held = "in practice mode" if scores.mode is Mode.EXAM else "in exam mode"
    parts = [
        (scores.other_level, "at another level"),
        (scores.other_mode, held),
        (scores.other_judge, "graded by another judge"),
    ]
    said = tuple(f"{number} {why}" for number, why in parts if number)
    if not said:
        return ""
    return f'<p class="quiet">Not compared, since their scores mean something else: {listed(said)}.</p>'


def _interviews_html(past: Past, now: datetime) -> str:
    rows = "".join(_interview_html(each, past.totals.get(each.id), now) for each in past.interviews[:_LISTED])
    more = len(past.interviews) - _LISTED
    rest = f'<p class="quiet">And {count(more, "older interview")}.</p>' if more > 0 else ""
    return f'<h3>Interviews</h3><ul class="interviews">{rows}</ul>{rest}'


def _interview_html(summary: SessionSummary, total: Cell | None, now: datetime) -> str:
    name = text(name_of(summary, now))
    scored = f" · {_score(total)}" if total is not None and total.score is not None else ""
    does = "Open the report" if summary.ended else "Resume"
    return (
        f'<li><span>{name}{scored}</span> <a href="?session={quote(summary.id)}" '
        f'aria-label="{does}: {name}">{does}</a></li>'
    )


def _day(at: datetime, now: datetime) -> str:
    local = at.astimezone(now.tzinfo)
    year = "" if local.year == now.year else f", {local.year}"
    return f"{local:%b} {local.day}{year}"
