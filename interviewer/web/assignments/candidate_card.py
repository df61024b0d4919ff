"""What a candidate sees of their assignments on the first page, as HTML. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from urllib.parse import quote

from interviewer.assignments.assignment import Status
from interviewer.assignments.due_time import distance, time_told
from interviewer.assignments.progress import Stage, Try, end_told, tries_left, unfinished
from interviewer.planning.assigned import minutes
from interviewer.session.plan import Mode
from interviewer.text import capitalized
from interviewer.web.assignments import phrases
from interviewer.web.assignments.agenda_html import agenda_html
from interviewer.web.assignments.candidate_assignments import GivenAssignment
from interviewer.web.safe_html import text


def card_html(given: Sequence[GivenAssignment], mentors: Sequence[str], now: datetime) -> str:
    """A candidate's assignments: what is to be done first, then what is done or closed; nothing where there is none.

    Args:
        given: what they were given, the first due first.
        mentors: who reads what they hold.
        now: the present time.

    """
    if not given:
        return ""
    to_do = [each for each in given if _is_open(each)]
    rest = [each for each in given if not _is_open(each)]
    first = "".join(_open_html(each, mentors, now) for each in to_do)
    others = "".join(_other_html(each) for each in rest)
    told = f'<ul class="assigned">{first}</ul>' if first else '<p class="quiet">Nothing is open at present.</p>'
    done = f'<h3>Done or closed</h3><ul class="assigned over">{others}</ul>' if others else ""
    return f"<h2>{phrases.YOURS}</h2>{told}{done}"


def _is_open(each: GivenAssignment) -> bool:
    """Whether there is something to do: an interview that goes on, or one that has not begun."""
    if unfinished(each.tries):
        return True
    if each.assignment.status is not Status.OPEN or each.progress.stage is Stage.DONE:
        return False
    return tries_left(each.assignment, each.tries) != 0


def _open_html(each: GivenAssignment, mentors: Sequence[str], now: datetime) -> str:
    one, going = each.assignment, unfinished(each.tries)
    overdue = f' <b class="late">{phrases.OVERDUE}</b>' if each.progress.late else ""
    exam = " Exam: no hints or feedback until the end." if one.interview.mode is Mode.EXAM else ""
    facts = (
        f"{text(phrases.lasts(minutes(one.interview), len(one.interview.agenda)))}. Given by {text(one.by)}.{exam} "
        f"{phrases.may_begin(tries_left(one, each.tries), len(each.tries))}"
    )
    note = f'<p class="said">{text(one.note)}</p>' if one.note else ""
    fixed = "" if going else f"{phrases.FIXED} "
    does = (
        _link_html(going, one.title, phrases.CONTINUE)
        if going
        else _start_html(one.id, one.title, phrases.AGAIN if each.tries else phrases.START)
    )
    over = "" if going else _ends_html(each)
    due = f"Due {text(time_told(one.due, one.zone))}, {distance(one.due, now)}"
    return (
        f"<li><b>{text(one.title)}</b>{overdue}<p>{due}</p>"
        f"<p>Takes {facts}</p>{note}{agenda_html(one.interview.agenda)}"
        f"<p>{fixed}{text(phrases.read_by(mentors))}</p>{over}{does}</li>"
    )


def _other_html(each: GivenAssignment) -> str:
    one = each.assignment
    word = phrases.LATE if each.progress.stage is Stage.DONE else phrases.OVERDUE
    late = f' <b class="late">{word}</b>' if each.progress.late and each.tries else ""
    done = _ends_html(each)
    if one.status is not Status.OPEN:
        return f"<li><b>{text(one.title)}</b>{late}{done}<p>{phrases.IS_CLOSED}</p></li>"
    left = tries_left(one, each.tries)
    again = "" if left == 0 else _start_html(one.id, one.title, phrases.AGAIN)
    return f"<li><b>{text(one.title)}</b>{late}{done}<p>{phrases.may_begin(left, len(each.tries))}</p>{again}</li>"


def _ends_html(each: GivenAssignment) -> str:
    """The interviews that are over, each with its report."""
    one = each.assignment
    return "".join(
        f"<p>{text(capitalized(end_told(held, time_told(held.ended, one.zone))))} "
        f"{_link_html(held, one.title, phrases.REPORT)}</p>"
        for held in each.tries
        if held.ended
    )


def _start_html(name: str, title: str, does: str) -> str:
    label = text(f"{does}: {title}")
    return f'<button type="button" class="start-assignment" data-id="{name}" aria-label="{label}">{does}</button>'


def _link_html(held: Try, title: str, does: str) -> str:
    label = text(f"{does}: {title}")
    return f'<a href="?session={quote(held.session)}" aria-label="{label}">{does}</a>'
