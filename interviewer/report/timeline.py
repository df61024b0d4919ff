"""When what happened in an interview, with long pauses cut short. Pure."""

from __future__ import annotations

from datetime import datetime
from itertools import pairwise

from interviewer.report.model import Findings, QuestionFinding, TurnKind
from serving.frozen import Frozen

PAUSE_FROM_S = 300.0
"""Seconds without any event from which on a stretch is called a pause."""

PAUSE_SHOWN_S = 60.0
"""Seconds that a pause takes on the line, however long it was."""


class Moment(Frozen):
    """Something that happened.

    Attributes:
        kind: what; ``None`` for code that was only run against the examples.
        at: seconds on the line.
        since: for answers, where on the line the turn before stands: the time the answer took.

    """

    kind: TurnKind | None
    at: float
    since: float | None = None


class Row(Frozen):
    """One question on the line."""

    number: int
    topic: str
    start: float
    end: float
    moments: tuple[Moment, ...]


class Pause(Frozen):
    """A stretch in which nothing happened.

    Attributes:
        start: where it starts, in seconds on the line.
        since: when it started, in seconds on the clock.
        seconds: how long it truly was.

    """

    start: float
    since: float
    seconds: float


class Timeline(Frozen):
    """The interview as a line of ``length`` seconds."""

    rows: tuple[Row, ...]
    pauses: tuple[Pause, ...]
    length: float

    def place(self, seconds: float) -> float | None:
        """Where on the line a time stands, counted on the clock since the start; ``None`` within a pause."""
        for pause in reversed(self.pauses):
            if seconds > pause.since:
                rest = seconds - pause.since - pause.seconds
                return pause.start + PAUSE_SHOWN_S + rest if rest >= 0 else None
        return seconds


def timeline(findings: Findings) -> Timeline:
    """The line of an interview; the same findings give the same one.

    Time runs as on the clock, but a pause takes ``PAUSE_SHOWN_S`` of the line.
    """
    happened = {question.number: _happened(question) for question in findings.questions}
    ended = {findings.last} if findings.last is not None else set()
    times = sorted({at for moments in happened.values() for at, _ in moments} | ended)
    if not times:
        return Timeline(rows=(), pauses=(), length=0.0)
    place = {times[0]: 0.0}
    pauses = []
    for before, after in pairwise(times):
        seconds = (after - before).total_seconds()
        shown = seconds if seconds < PAUSE_FROM_S else PAUSE_SHOWN_S
        if seconds >= PAUSE_FROM_S:
            since = (before - times[0]).total_seconds()
            pauses.append(Pause(start=place[before], since=since, seconds=seconds))
        place[after] = place[before] + shown
    rows = tuple(_row(question, happened[question.number], place) for question in findings.questions)
    return Timeline(rows=rows, pauses=tuple(pauses), length=place[times[-1]])


def _row(
    question: QuestionFinding, happened: list[tuple[datetime, TurnKind | None]], place: dict[datetime, float]
) -> Row:
    moments = []
    for at, (when, kind) in enumerate(happened):
        since = place[happened[at - 1][0]] if kind is TurnKind.ANSWER and at else None
        moments.append(Moment(kind=kind, at=place[when], since=since))
    return Row(
        number=question.number,
        topic=question.topic,
        start=min((moment.at for moment in moments), default=0.0),
        end=max((moment.at for moment in moments), default=0.0),
        moments=tuple(moments),
    )


def _happened(question: QuestionFinding) -> list[tuple[datetime, TurnKind | None]]:
    """The turns of a question and its runs of code, in order; a submission is a turn already.

    That time was called is left out: the answer that it was said into began before.
    """
    turns = [turn for turn in question.transcript if turn.kind is not TurnKind.TIME]
    found: list[tuple[datetime, TurnKind | None]] = [(turn.at, turn.kind) for turn in turns]
    attempts = question.code.attempts if question.code else ()
    found += [(attempt.at, None) for attempt in attempts if not attempt.submitted]
    return sorted(found, key=lambda item: item[0])
