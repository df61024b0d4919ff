"""What the page shows for a state of an interview. Pure: state in, values out."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import datetime
from typing import Literal, Protocol, get_args

from interviewer.dialogue.return_requests import possible
from interviewer.policy.actions import Listen
from interviewer.policy.next_action import awaits_code, next_action
from interviewer.policy.rambling import is_answering
from interviewer.policy.silence import AFTER_S, is_into_silence, next_step
from interviewer.report.phrases.common import KINDS, TALKS
from interviewer.scoring.stated_confidence import unmarked
from interviewer.session.clock import allowance_s
from interviewer.session.events import (
    AnswerGiven,
    Event,
    InterviewerReplied,
    InterviewPaused,
    InterviewResumed,
    PersonCutShort,
    PersonSpoke,
    QuestionAsked,
    Said,
    SegmentClosed,
    SegmentOpened,
    TimeCalled,
)
from interviewer.session.journal import SessionSummary
from interviewer.session.plan import Mode, Plan, SegmentKind
from interviewer.session.queries import shown_length
from interviewer.session.state import AskedQuestion, State
from interviewer.text import clock
from interviewer.web import safe_html
from interviewer.web.views.interview import whiteboard
from interviewer.web.views.interview.code_result import code_html
from interviewer.web.views.interview.transcript import is_waiting, transcript_html
from serving.frozen import FrozenModel

Action = Literal["answer", "hint", "repeat", "skip", "back", "finish", "pause", "go on", "end"]
"""What a person can do in an interview."""


class Step(Protocol):
    """One thing that has to be brought up before answers can be graded."""

    @property
    def name(self) -> str:
        """What it is, a few words."""
        ...

    @property
    def detail(self) -> str:
        """What is being done just now; may be empty."""
        ...

    @property
    def progress(self) -> float | None:
        """How much of it is done, 0 to 1; ``None`` when that is not known."""
        ...

    @property
    def state(self) -> Literal["waiting", "running", "done", "failed"]:
        """How it stands."""
        ...

    @property
    def message(self) -> str:
        """What went wrong, as one sentence; empty otherwise."""
        ...


class WarmUp(Protocol):
    """Tells how far the models are."""

    def steps(self) -> Sequence[Step]:
        """Every step, in the order they are done."""
        ...


class View(FrozenModel):
    """The values of the page's elements.

    Attributes:
        panel: which panel is shown.
        turn: names what the person is being asked right now; an action belongs to one turn, so a second click
            and a click on an outdated page can be told from a new wish.
        number: the question's place, from 1; 0 before the first.
        length: planned number of questions.
        progress_html: the line that says how far the interview is.
        question_html: the question as shown on paper.
        transcript_html: what was said, and the marks.
        task: names the question that the editor is for; empty where there is nothing to write.
        sketched: names the question that the whiteboard is for; empty where there is none.
        code_html: what became of the code.
        handed_in: whether code was submitted, so that the question can be finished.
        listening: it is the person's turn.
        drilling: it is, on a question: it can be repeated.
        hints: a hint can be had.
        returnable: there is a question to go back to.
        paused: the clock stands still.
        waiting: something is still being graded, so the values change by themselves.
        contested: marks disputed, read a second time, and overridden, so that the report is drawn again.
        unmarked: the latest answer, where its marks cannot be known yet: how sure the person is can still be said.
        silence_s: after how many seconds of the person's silence the server wants to be told of it; ``None`` where
            silence calls for nothing.
        drafts: the server wants to be told of what the person has typed so far: it is read ahead, and may be cut short.

    """

    panel: Literal["interview", "report"]
    turn: str
    number: int
    length: int
    progress_html: str
    question_html: str
    transcript_html: str
    task: str = ""
    sketched: str = ""
    code_html: str = ""
    handed_in: bool = False
    listening: bool
    drilling: bool = False
    hints: bool = False
    returnable: bool = False
    paused: bool = False
    waiting: bool
    contested: int = 0
    unmarked: str = ""
    silence_s: float | None = None
    drafts: bool = False

    @property
    def digest(self) -> str:
        """Sixteen hex digits that change when any value does."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()[:16]


def render(state: State) -> View:
    """The values of the page for a state of an interview that has begun."""
    current = state.current
    length = shown_length(state.plan, len(state.asked))
    listening = isinstance(next_action(state), Listen)
    drilling = listening and state.segment is None
    sent = unmarked(state)
    step = next_step(state)
    writes = current is not None and state.plan is not None and awaits_code(current, state.plan)
    return View(
        panel="report" if state.ended else "interview",
        turn=turn_of(state),
        number=state.current.number if state.current else len(state.asked),
        length=length,
        progress_html=_progress_html(state, length),
        question_html=_aside_html(state),
        transcript_html=transcript_html(state),
        task=current.asked_id if current and writes else "",
        sketched=current.asked_id if current and whiteboard.is_wanted(current) else "",
        code_html=code_html(current) if current and writes else "",
        handed_in=bool(current and current.submission),
        listening=listening,
        drilling=drilling,
        hints=drilling and state.plan is not None and state.plan.mode is not Mode.EXAM,
        returnable=listening and possible(state),
        paused=state.paused,
        waiting=any(is_waiting(asked) for asked in state.asked),
        contested=sum(len(a.disputes) + len(a.second_grades) + len(a.overrides) for a in state.asked),
        unmarked=sent.id if sent else "",
        silence_s=AFTER_S[step] if step else None,
        drafts=is_answering(state),
    )


def turn_of(state: State) -> str:
    """Names what is being asked: equal for equal transcripts, another after every answer, hint or question.

    Marks that arrive do not change it, since they ask nothing. Nor does what is said to a person who is silent, late,
    or long: nobody asked for it, and an answer that is on its way meanwhile is one to the same question.
    """
    turns = [event for asked in state.asked for event in asked.turns]
    said = [event.id for event in turns if isinstance(event, _PROMPTS) and not _is_unasked(event)]
    said += [event.id for event in state.others if isinstance(event, _PROMPTS)]
    ended = [state.ended.id] if state.ended else []
    closed = [asked.asked_id for asked in state.asked if asked.closed]
    return hashlib.sha256("\n".join([*said, "", *closed, "", *ended]).encode()).hexdigest()[:24]


def _is_unasked(event: Event) -> bool:
    return isinstance(event, TimeCalled | PersonCutShort) or is_into_silence(event)


_PROMPTS = (
    *(*get_args(Said), AnswerGiven),
    *(SegmentOpened, PersonSpoke, InterviewerReplied, SegmentClosed, InterviewPaused, InterviewResumed),
)


def request_id(action: Action, turn: str) -> str:
    """The id of a request: the same action on the same turn is the same request, however often it is sent."""
    return f"{action}-{turn}"


def recorded(state: State, request: str) -> Event | None:
    """The event that a request left in the interview, if it was carried out."""
    for events in (state.others, *(asked.turns for asked in state.asked)):
        for event in events:
            if event.id == request:
                return event
    if state.ended is not None and state.ended.id == request:
        return state.ended
    return None


def warm_up_html(steps: Sequence[Step], *, elsewhere: bool = False) -> str:
    """The line that says what is being brought up, how far it is, or what went wrong.

    Args:
        steps: where each stands.
        elsewhere: whether some of the work is done on other machines.

    """
    failed = [step for step in steps if step.state == "failed"]
    if failed:
        return _status_html("failed", f"{failed[0].name}: {failed[0].message}", None)
    open_steps = [step for step in steps if step.state != "done"]
    if not open_steps:
        return _status_html("ready", "Ready." if elsewhere else "Ready. Everything runs on this machine.", None)
    step = next((step for step in open_steps if step.state == "running"), open_steps[0])
    place = len(steps) - len(open_steps) + 1
    said = f"Loading, step {place} of {len(steps)}: {step.name}"
    detail = step.detail or step.message
    return _status_html("warming", f"{said}, {detail}" if detail else said, step.progress)


def is_warm(steps: Sequence[Step]) -> bool:
    """Whether nothing more is going to change by itself."""
    return all(step.state == "done" for step in steps)


def _status_html(kind: str, said: str, progress: float | None) -> str:
    bar = ""
    if kind == "warming":
        if progress is None:
            bar = '<span class="bar busy" role="progressbar" aria-label="Loading"><i></i></span>'
        else:
            percent = round(100 * min(max(progress, 0.0), 1.0))
            bar = (
                f'<span class="bar" role="progressbar" aria-label="Loading" aria-valuemin="0" '
                f'aria-valuemax="100" aria-valuenow="{percent}"><i style="width:{percent}%"></i></span>'
            )
    return (
        f'<div class="status {kind}" role="status"><span class="dot" aria-hidden="true"></span>'
        f'<span class="said">{safe_html.text(said)}</span>{bar}</div>'
    )


def _progress_html(state: State, length: int) -> str:
    current = state.current
    number = current.number if current else len(state.asked)
    kinds = ["done" if asked.closed else "now" for asked in state.asked]
    kinds += [""] * (length - len(kinds))
    ticks = "".join(f'<i class="{kind}"></i>' for kind in kinds[:length])
    again = ", again" if current and current.returned else ""
    place = TALKS[state.segment.part] if state.segment else f"Question {max(number, 1)} of {length}{again}"
    return (
        f'<div class="progress"><span>{place}</span>'
        f'<span class="ticks" aria-hidden="true">{ticks}</span>{_clock_html(state)}</div>'
    )


def _clock_html(state: State) -> str:
    """How much of the time is used up; the page's script lets it run on."""
    minutes = state.plan.minutes if state.plan else None
    if minutes is None or state.last_at is None:
        return ""
    runs = "" if state.paused or state.ended else f' data-since="{state.last_at.timestamp():.0f}"'
    used = int(state.active_s) // 60
    said = f"<b>Paused</b> after {used} of {minutes} min" if state.paused else f"<b>{used}</b> of {minutes} min used"
    return (
        f'<span class="clock" role="timer" aria-label="Time" data-used="{state.active_s:.0f}" '
        f'data-total="{60 * minutes}"{runs}>{said}</span>'
    )


def _aside_html(state: State) -> str:
    """What is being asked, on paper; in a pause too, so that nobody comes back to an empty page."""
    if state.current is not None and state.segment is None:
        return _question_html(state.current, state.plan, paused=state.paused)
    if state.paused:
        said = _PAUSED
    elif state.segment is not None:
        said = _TALKS[state.segment.part]
    else:
        said = "One moment, please."
    return (
        '<section class="question" aria-label="The question" tabindex="0">'
        f'<p class="quiet">{safe_html.text(said)}</p></section>'
    )


_PAUSED = "Paused. The clock is stopped. Resume when you are ready."
_TALKS = {
    SegmentKind.WARM_UP: "A warm-up to get you talking. It is not graded, and you can skip it.",
    SegmentKind.THEIR_QUESTIONS: "Ask anything about what came up; answers come from the documents. Say no, or "
    "press Skip, to end the interview.",
    SegmentKind.WAY_BACK: "You left a question open. Say yes, or press Go back, to return to it. Say no, or press "
    "Skip, to end the interview.",
}


def _question_html(asked: AskedQuestion, plan: Plan | None, *, paused: bool) -> str:
    question = asked.question
    minutes = round(allowance_s(asked, plan) / 60) if plan else question.minutes
    facts = dict.fromkeys([question.topic, KINDS[question.kind], *([str(question.level)] if question.level else [])])
    listed = "".join(f"<li>{safe_html.text(fact)}</li>" for fact in facts)
    note = f'<p class="quiet">{_PAUSED}</p>' if paused else ""
    css = "question as-said" if not paused and _stands_beside(asked) else "question"
    return (
        f'<section class="{css}" aria-label="The question" tabindex="0">{note}'
        f'<ul class="facts">{listed}<li>about {minutes} min</li></ul>'
        f'<div class="prose">{safe_html.markdown(question.text)}</div></section>'
    )


def _stands_beside(asked: AskedQuestion) -> bool:
    """Whether the interviewer just said the question in the same words, so that a small screen shows it once."""
    question = asked.question
    return question.text.split() == question.spoken.split() and all(
        isinstance(turn, QuestionAsked) or is_into_silence(turn) for turn in asked.turns
    )


def name_of(summary: SessionSummary, now: datetime) -> str:
    """What an earlier interview is called: when it began, what about, how far it got."""
    local = summary.started.astimezone(now.tzinfo)
    day = "Today" if local.date() == now.date() else f"{local:%a}, {local:%b} {local.day}"
    if local.year != now.year:
        day += f", {local.year}"
    topics = summary.plan.role or ", ".join(summary.plan.topics[:3]) or "all topics"
    topics += " …" if len(summary.plan.topics) > 3 and not summary.plan.role else ""
    length = shown_length(summary.plan, summary.asked)
    place = "finished" if summary.ended else f"question {max(summary.asked, 1)} of {length}"
    place += ", damaged" if summary.damaged else ", of a newer version" if summary.newer else ""
    return f"{day}, {clock(local)} · {topics} · {place}"
