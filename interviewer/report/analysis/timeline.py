"""When what happened in an interview, with long pauses cut short. Pure."""

from __future__ import annotations

from datetime import datetime
from itertools import pairwise
from typing import NamedTuple

from interviewer.report.schema.findings import Findings
from interviewer.report.schema.question import QuestionFinding, TurnKind
from serving.frozen import FrozenModel

PAUSE_FROM_S = 300.0
"""Seconds without any event from which on a stretch is called a pause."""

PAUSE_SHOWN_S = 60.0
"""Seconds that a pause takes on the line, however long it was."""


class _Happened(NamedTuple):
    at: datetime
    kind: TurnKind | None
    later: bool = False


class Moment(FrozenModel):
    """Something that happened.

    Attributes:
        kind: what; ``None`` for code that was only run against the examples.
        at: seconds on the line.
        since: for answers, where on the line the turn before stands: the time the answer took.

    """

    kind: TurnKind | None
    at: float
    since: float | None = None


class Row(FrozenModel):
    """One question on the line.

    Attributes:
        number: its number.
        topic: what it is on.
        spans: from when to when it was open, twice where it was left and gone back to.
        moments: what happened on it.

    """

    number: int
    topic: str
    spans: tuple[tuple[float, float], ...]
    moments: tuple[Moment, ...]

    @property
    def seconds(self) -> float:
        """How long it took, on the line."""
        return sum(end - start for start, end in self.spans)


class Pause(FrozenModel):
    """A stretch in which nothing happened.

    Attributes:
        start: where it starts, in seconds on the line.
        since: when it started, in seconds on the clock.
        seconds: how long it truly was.

    """

    start: float
    since: float
    seconds: float


class Timeline(FrozenModel):
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
    times = sorted({each.at for moments in happened.values() for each in moments} | ended)
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


def _row(question: QuestionFinding, happened: list[_Happened], place: dict[datetime, float]) -> Row:
    moments = []
    for at, (when, kind, later) in enumerate(happened):
        since = place[happened[at - 1][0]] if kind is TurnKind.ANSWER and at and not later else None
        moments.append(Moment(kind=kind, at=place[when], since=since))
    return Row(
        number=question.number,
        topic=question.topic,
        spans=_spans(happened, [moment.at for moment in moments]),
        moments=tuple(moments),
    )


def _spans(happened: list[_Happened], at: list[float]) -> tuple[tuple[float, float], ...]:
    """From when to when a question was open: begun anew where it was asked again; what is said later opens nothing."""
    begun = [place for place, each in enumerate(happened) if each.kind is TurnKind.QUESTION] or [0]
    open_to = [place for place, each in enumerate(happened) if not each.later]
    ends = [max((place for place in open_to if place < after), default=0) for after in (*begun[1:], len(happened))]
    return tuple((at[start], at[end]) for start, end in zip(begun, ends, strict=True)) if at else ()


def _happened(question: QuestionFinding) -> list[_Happened]:
    """The turns of a question and its runs of code, in order; a submission is a turn already.

    That time was called is left out: the answer that it was said into began before.
    """
    turns = [turn for turn in question.transcript if turn.kind is not TurnKind.TIME]
    found = [_Happened(turn.at, turn.kind, turn.later) for turn in turns]
    attempts = question.code.attempts if question.code else ()
    found += [_Happened(attempt.at, None) for attempt in attempts if not attempt.submitted]
    return sorted(found, key=lambda item: item.at)
