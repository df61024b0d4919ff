"""A mentor's pages about assignments as HTML: the list, one of them, and the form that gives one. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from urllib.parse import urlencode

from interviewer.assignments.assignment import LONGEST_NOTE, LONGEST_TITLE, MOST_TRIES, Assignment, Status
from interviewer.assignments.due_time import distance, time_told
from interviewer.assignments.progress import Stage, answered_told, stage_told
from interviewer.planning.agenda import DEFAULTS
from interviewer.planning.assigned import minutes
from interviewer.planning.roles import ROLES
from interviewer.session.plan import Mode
from interviewer.session.style import Style
from interviewer.text import capitalized, count
from interviewer.web.assignments import phrases
from interviewer.web.assignments.agenda_html import agenda_html
from interviewer.web.assignments.mentor_assignments import CandidateRow, FollowedAssignment, HeldTry
from interviewer.web.mentor.frame import document, table
from interviewer.web.mentor.pages import score_told
from interviewer.web.mentor.phrases import TITLE as INTERVIEWS
from interviewer.web.safe_html import text
from interviewer.web.views.setup.layout import agenda_list_html
from knowledge.model import Level

_MINUTES = (15, 30, 45, 60, 90)


def list_page(found: Sequence[FollowedAssignment], now: datetime) -> str:
    """The assignments of a mentor's groups."""
    give = f'<p><a class="button" href="assign">{phrases.GIVE}</a></p>'
    rows = [_row(each, now) for each in found]
    names = ("Assignment", "Given to", "Due", "State", "Done")
    given = table(phrases.TITLE, names, rows) if rows else f"<p>{phrases.NONE_YET}</p>"
    return _document(phrases.TITLE, f"<h1>{phrases.TITLE}</h1>{give}{given}", back="../group", name=INTERVIEWS)


def assignment_page(found: FollowedAssignment, now: datetime) -> str:
    """An assignment: what it is, how far everybody is, and what can be done with it."""
    one = found.assignment
    facts = "".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in _facts(one, now) if value)
    names = ("Candidate", "State", "When", "Score, of 100")
    rows = [_candidate_row(each, one) for each in found.rows]
    progress = table("How far everybody is", names, rows) if rows else f"<p>{phrases.NO_CANDIDATES}</p>"
    body = (
        f"<h1>{text(one.title)}</h1><dl class='facts'>{facts}</dl>{agenda_html(one.interview.agenda)}"
        f"<h2>Candidates</h2>{progress}{_actions_html(one)}"
    )
    return _document(one.title, body, back="assignments", name=phrases.TITLE)


def give_page(groups: Mapping[str, Sequence[str]], topics: Sequence[str], request: str) -> str:
    """The form that gives an assignment.

    Args:
        groups: the candidates of each of the mentor's groups.
        topics: every topic there is a question on.
        request: the id that the assignment gets.

    """
    title = f"<h1>{phrases.GIVE}</h1>"
    if not any(groups.values()):
        body = f"{title}<p>{phrases.NO_CANDIDATES}</p>"
        return _document(phrases.GIVE, body, back="assignments", name=phrases.TITLE)
    form = (
        f'{title}<p class="quiet">{phrases.HOW_TO_GIVE}</p><form id="give" class="form" data-request="{text(request)}">'
        f'<label>Title<input name="title" maxlength="{LONGEST_TITLE}" required></label>'
        f"{_whom_html(groups)}"
        '<label>Due<input type="datetime-local" name="due" required></label>'
        '<p class="quiet">In your time zone: <b data-zone>UTC</b>. Candidates see the time zone too.</p>'
        "<label>Note for candidates (optional)"
        f'<textarea name="note" rows="2" maxlength="{LONGEST_NOTE}"></textarea></label>'
        f"{_draw_up_html()}"
        '<div id="agenda" hidden><textarea name="agenda" aria-label="Agenda"></textarea></div>'
        '<div id="agenda-edited" hidden><input aria-label="Changed"></div>'
        f'<div id="agenda-list">{agenda_list_html(topics)}</div>'
        f"{_manner_html()}"
        '<label>Tries per candidate (optional)<input type="number" name="tries" min="1" '
        f'max="{MOST_TRIES}" inputmode="numeric" placeholder="as many as they like"></label>'
        f'<button type="submit">{phrases.GIVE}</button><p role="status" class="saved"></p></form>'
    )
    return _document(
        *(phrases.GIVE, form), back="assignments", name=phrases.TITLE, styles=("agenda.css",), scripts=("agenda.js",)
    )


def _document(
    title: str, body: str, *, back: str, name: str, styles: Sequence[str] = (), scripts: Sequence[str] = ()
) -> str:
    return document(
        title,
        body,
        back=back,
        name=name,
        styles=(*styles, "assignments.css"),
        scripts=("assignments.js", *scripts),
    )


def _row(each: FollowedAssignment, now: datetime) -> Sequence[str]:
    one = each.assignment
    link = f"assignment?{urlencode({'id': one.id})}"
    stages = [row.progress for row in each.rows if row.progress is not None]
    done = sum(held.stage is Stage.DONE for held in stages)
    going = sum(held.stage is Stage.IN_PROGRESS for held in stages)
    early = sum(held.stage is Stage.ENDED_EARLY for held in stages)
    late = sum(held.late for held in stages)
    told = [f"{done} of {len(each.rows)}"]
    told += [f"{going} in progress"] if going else []
    told += [f"{early} ended early"] if early else []
    told += [f"{late} late"] if late else []
    return (
        f'<a href="{text(link)}">{text(one.title)}</a>',
        text(one.whom),
        f"{text(time_told(one.due, one.zone))}<br>{distance(one.due, now)}",
        one.status.value,
        ", ".join(told),
    )


def _facts(one: Assignment, now: datetime) -> Sequence[tuple[str, str]]:
    manner = (
        f"{capitalized(one.interview.level.value)} level, {one.interview.style.value} tone, {one.interview.mode.value}"
    )
    return (
        ("Given", text(f"{time_told(one.given, one.zone)} by {one.by}")),
        ("To", text(one.whom)),
        ("Due", f"{text(time_told(one.due, one.zone))}, {distance(one.due, now)}"),
        ("State", one.status.value),
        ("Takes", phrases.lasts(minutes(one.interview), len(one.interview.agenda))),
        ("Interview", text(manner)),
        ("Tries", str(one.tries) if one.tries else "as many as they like"),
        ("Note", text(one.note)),
    )


def _candidate_row(row: CandidateRow, one: Assignment) -> Sequence[str]:
    if row.progress is None:
        return text(row.candidate), phrases.UNREAD
    tries = "<br>".join(_try_html(row.candidate, each, one) for each in row.tries) or "–"
    scores = "<br>".join(score_told(each.score) for each in row.tries) or "–"
    return text(row.candidate), _stage_html(row), tries, scores


def _stage_html(row: CandidateRow) -> str:
    held = row.progress
    if held is None:
        return ""
    word = phrases.LATE if held.stage is Stage.DONE else phrases.OVERDUE
    late = f' <b class="late">{word}</b>' if held.late else ""
    return f"{stage_told(held, [each.held for each in row.tries])}{late}"


def _try_html(candidate: str, each: HeldTry, one: Assignment) -> str:
    link = f"interview?{urlencode({'candidate': candidate, 'session': each.held.session})}"
    at = each.held.ended or each.held.begun
    begun = "" if each.held.ended else "begun "
    answered = f", {answered_told(each.held)}" if each.held.ended else ""
    return f'<a href="{text(link)}">{begun}{text(time_told(at, one.zone))}</a>{answered}'


def _actions_html(one: Assignment) -> str:
    if one.status is Status.WITHDRAWN:
        return f"<p>{phrases.IS_WITHDRAWN}</p>"
    close = f'<button type="button" data-what="close">{phrases.CLOSE}</button>' if one.status is Status.OPEN else ""
    return (
        f'<section aria-labelledby="change-title"><h2 id="change-title">{phrases.CHANGE}</h2>'
        f'<p class="quiet">{phrases.HOW_TO_CHANGE}</p><form id="change" class="form" data-id="{one.id}">'
        '<label>New due time<input type="datetime-local" name="due" required></label>'
        '<p class="quiet">In your time zone: <b data-zone>UTC</b>.</p>'
        f'<p class="row"><button type="submit">{phrases.EXTEND}</button>{close}'
        f'<button type="button" data-what="withdraw" data-ask="{phrases.SURELY}">{phrases.WITHDRAW}</button></p>'
        '<p role="status" class="saved"></p></form></section>'
    )


def _whom_html(groups: Mapping[str, Sequence[str]]) -> str:
    names = [name for name, held in groups.items() if held]
    options = "".join(f'<option value="{text(name)}">{text(name)}</option>' for name in names)
    boxes = "".join(
        f'<label class="tick" data-of="{text(group)}"><input type="checkbox" name="candidates" value="{text(one)}">'
        f"{text(one)}</label>"
        for group in names
        for one in groups[group]
    )
    return (
        f'<label>Group<select name="group">{options}</select></label>'
        f"<fieldset><legend>For</legend>"
        f'<label class="tick"><input type="radio" name="whom" value="all" checked>{phrases.ALL_OF_IT}</label>'
        f'<label class="tick"><input type="radio" name="whom" value="some">These candidates only:</label>'
        f'<div class="row some">{boxes}</div></fieldset>'
    )


def _draw_up_html() -> str:
    roles = "".join(f'<option value="{text(name)}">{text(name)}</option>' for name in ROLES)
    lengths = "".join(
        f'<option value="{each}"{" selected" if each == DEFAULTS.minutes else ""}>{count(each, "minute")}</option>'
        for each in _MINUTES
    )
    return (
        f"<fieldset><legend>{phrases.DRAW_UP}</legend>"
        f'<p class="quiet">{phrases.HOW_TO_DRAW_UP}</p><div class="row">'
        f'<label>Role<select name="role"><option value="">Any</option>{roles}</select></label>'
        '<label>Topics<input name="topics" list="agenda-topics" placeholder="all, or several with commas"></label>'
        f'<label>Length<select name="minutes">{lengths}</select></label></div>'
        f'<button type="button" data-what="draw-up">{phrases.DRAW_UP}</button></fieldset>'
    )


def _manner_html() -> str:
    levels = _options({each.value: each.value.capitalize() for each in Level}, DEFAULTS.level.value)
    styles = _options({each.value: each.value.capitalize() for each in Style}, DEFAULTS.style.value)
    modes = _options(
        {
            Mode.PRACTICE.value: "Practice, with hints",
            Mode.EXAM.value: "Exam, without hints",
        },
        DEFAULTS.mode.value,
    )
    return (
        f'<div class="row"><label>Level<select name="level">{levels}</select></label>'
        f'<label>Interviewer’s tone<select name="style">{styles}</select></label>'
        f'<label>Mode<select name="mode">{modes}</select></label></div>'
        f'<label class="tick"><input type="checkbox" name="only_listed" checked>{phrases.ONLY_LISTED}</label>'
        f'<label class="tick" id="talks"><input type="checkbox" name="talks" checked>{phrases.TALKS}</label>'
    )


def _options(names: Mapping[str, str], chosen: str) -> str:
    return "".join(
        f'<option value="{value}"{" selected" if value == chosen else ""}>{text(name)}</option>'
        for value, name in names.items()
    )
