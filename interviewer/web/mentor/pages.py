"""A mentor's pages as HTML: the list, and an interview with its report. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from urllib.parse import urlencode

from interviewer.report.aggregate.comparison import Cell
from interviewer.report.phrases.common import question_title, verdict_word
from interviewer.report.phrases.result import between
from interviewer.report.render.html import render_html_fragment
from interviewer.report.schema.findings import Findings
from interviewer.report.schema.question import QuestionFinding
from interviewer.scoring.overrides import VERDICTS
from interviewer.session.journal import SessionSummary
from interviewer.session.queries import shown_length
from interviewer.text import capitalized, clock, count, day, listed, percent, shortened
from interviewer.web.mentor import phrases
from interviewer.web.mentor.frame import document, table
from interviewer.web.mentor.group_reader import GroupInterview, GroupList
from interviewer.web.safe_html import text

_LONGEST_REASON = 2_000
_OTHER_PAGE = f'<p><a href="group/assignments">{phrases.ASSIGNMENTS}</a></p>'
_POINT_SHOWN = 110


def readers_html(mentors: Sequence[str], *, is_mentor: bool) -> str:
    """What stands where an interview is begun: for a candidate who reads it, for a mentor the way to their group."""
    if is_mentor:
        return (
            f'<p class="readers"><a href="group">{phrases.TITLE}</a> · '
            f'<a href="group/assignments">{phrases.ASSIGNMENTS}</a></p>'
        )
    return f'<p class="readers">{text(phrases.told(mentors))}</p>' if mentors else ""


def list_page(found: GroupList, now: datetime, *, has_candidates: bool) -> str:
    """The list of a group's interviews.

    Args:
        found: what it lists.
        now: in the time zone in which times are told.
        has_candidates: whether there is anybody in the group.

    """
    unread = f"The interviews of {listed(found.unread)} cannot be read at present." if found.unread else ""
    notes = [unread, f"And {count(found.more, 'older interview')}." if found.more else ""]
    rest = "".join(f'<p class="quiet">{text(note)}</p>' for note in notes if note)
    rows = [_row(each, now) for each in found.interviews]
    if not rows:
        rest = f"<p>{phrases.NO_INTERVIEWS if has_candidates else phrases.NO_CANDIDATES}</p>{rest}"
        return _document(phrases.TITLE, f"<h1>{phrases.TITLE}</h1>{_OTHER_PAGE}{rest}", back="./")
    held = table(phrases.TITLE, ("Candidate", "Begun", "About", "State", "Score, of 100"), rows)
    return _document(phrases.TITLE, f"<h1>{phrases.TITLE}</h1>{_OTHER_PAGE}{held}{rest}", back="./")


def interview_page(candidate: str, found: Findings) -> str:
    """An interview: its report with all that was said, which goes on while the interview does, and the marks."""
    live = found.ended is None
    due = live or any(not each.graded_all_said for each in found.questions)
    title = f"Interview of {candidate}"
    status = f"<p>{phrases.LIVE}</p>" if live else ""
    follow = f'<label class="tick"><input type="checkbox" id="follow" checked> {phrases.FOLLOW}</label>' if due else ""
    opened = found.questions[-1].number if live and found.questions else 0
    body = (
        f'<h1>{text(title)}</h1><div data-part="status">{status}</div>{follow}'
        f'<section aria-labelledby="override-title"><h2 id="override-title">{phrases.OVERRIDE}</h2>'
        f'<p class="quiet">{phrases.HOW_TO_OVERRIDE}</p>'
        f'<form id="override" data-candidate="{text(candidate)}" data-session="{text(found.session_id)}">'
        f'<div data-part="points">{_fields_html(found.questions)}</div>'
        '<p role="status" class="saved"></p></form></section>'
        f'<div data-part="report">{render_html_fragment(found, commands=False, opened=opened)}</div>'
    )
    return _document(title, body, back="../group", due=due)


def problem_page(said: str) -> str:
    """A page that tells why there is nothing to see."""
    return _document("Not available", f"<h1>Not available</h1><p>{text(said)}</p>", back="../group")


def score_told(score: Cell) -> str:
    """A score with what it may truly be; a dash where there is none."""
    return "–" if score.score is None else f"{percent(score.score)}{between(score.interval, ', ')}"


def _row(each: GroupInterview, now: datetime) -> Sequence[str]:
    summary = each.summary
    begun = summary.started.astimezone(now.tzinfo)
    link = f"group/interview?{urlencode({'candidate': each.candidate, 'session': summary.id})}"
    about = summary.plan.role or ", ".join(summary.plan.topics[:3]) or "all topics"
    score = score_told(each.score)
    return (
        text(each.candidate),
        f'<a href="{text(link)}">{day(begun)}, {clock(begun)} ({begun:%Z})</a>',
        text(shortened(about, 80)),
        _state(summary),
        score,
    )


def _state(summary: SessionSummary) -> str:
    place = f"question {max(summary.asked, 1)} of {shown_length(summary.plan, summary.asked)}"
    parts = ["finished" if summary.ended else f"in progress, {place}"]
    parts += [f"{count(summary.ungraded, 'answer')} not graded yet"] if summary.ungraded else []
    parts += ["damaged"] if summary.damaged else ["of a newer version"] if summary.newer else []
    return ", ".join(parts)


def _fields_html(questions: Sequence[QuestionFinding]) -> str:
    """What is chosen of the marks that can be overridden: those of questions on which all is graded."""
    groups = "".join(_group_html(each) for each in questions if each.criteria and each.graded_all_said)
    if not groups:
        return f"<p>{phrases.NOTHING_TO_OVERRIDE}</p>"
    marks = "".join(f'<option value="{name}">{capitalized(name)}</option>' for name in VERDICTS)
    return (
        f'<label>Point<select name="point">{groups}</select></label>'
        f'<label>Mark<select name="verdict">{marks}</select></label>'
        f'<label>Reason<textarea name="reason" rows="2" maxlength="{_LONGEST_REASON}" required></textarea></label>'
        '<button type="submit">Override the mark</button>'
    )


def _group_html(question: QuestionFinding) -> str:
    options = "".join(
        f'<option value="{question.number}:{text(each.id)}">{each.number}. {text(shortened(each.text, _POINT_SHOWN))} '
        f"({verdict_word(each)})</option>"
        for each in question.criteria
    )
    return f'<optgroup label="{question.number}. {text(question_title(question, _POINT_SHOWN))}">{options}</optgroup>'


def _document(title: str, body: str, *, back: str, due: bool = False) -> str:
    name = "Mock interview" if back == "./" else phrases.TITLE
    return document(title, body, back=back, name=name, due=due)
