"""The picture of an interview over time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from interviewer.report.analysis.timeline import PAUSE_SHOWN_S, Row, Timeline
from interviewer.report.phrases import common
from interviewer.report.render.charts.base import (
    MOST_ROWS,
    THIN_ROW_PT,
    KeyEntry,
    Names,
    Picture,
    bar,
    row_axes,
    short,
    ticks,
)
from interviewer.report.render.charts.canvas import FONT_PT, ROLES
from interviewer.report.schema.question import TurnKind
from interviewer.text import count

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SIGNS: dict[TurnKind | None, tuple[str, str, str, str, float]] = {
    TurnKind.QUESTION: ("●", "question", "o", "ink", 4.5),
    TurnKind.FOLLOW_UP: ("◆", "follow-up", "D", "bar-helped", 5.0),
    TurnKind.HINT: ("▲", "hint", "^", "bar-hinted", 6.5),
    TurnKind.REPEAT: ("○", "repeated", "o", "paper", 4.5),
    None: ("■", "code run", "s", "bar-none", 4.5),
    TurnKind.CODE: ("■", "code submitted", "s", "ink", 5.0),
    TurnKind.SKIP: ("✕", "skipped", "x", "ink", 5.0),
}
"""Sign in words, meaning, and matplotlib's marker, its color and its size."""


def over_time(line: Timeline) -> Picture:
    """The line of an interview, a row for each question."""
    shown = line.rows[:MOST_ROWS]
    kinds = [kind for kind in _SIGNS if any(moment.kind is kind for row in line.rows for moment in row.moments)]
    names = {f"~{at}~": short(f"{row.number}. {row.topic}") for at, row in enumerate(shown)}
    pauses = [common.duration(pause.seconds) for pause in line.pauses]

    def draw(said: Names) -> Figure:
        figure, axes = row_axes(len(shown), THIN_ROW_PT, list(names), said)
        minutes = line.length / 60
        for pause in line.pauses:
            at = (pause.start + PAUSE_SHOWN_S / 2) / 60
            axes.axvspan(
                pause.start / 60, (pause.start + PAUSE_SHOWN_S) / 60, color=ROLES["bar-none"], linewidth=0, zorder=0
            )
            axes.text(
                at, -0.75, f"{round(pause.seconds / 60)} min idle", ha="center", va="bottom", size=FONT_PT - 1.5,
                color=ROLES["soft"], parse_math=False,
            )  # fmt: skip
        for at, row in enumerate(shown):
            for start, end in row.spans:
                axes.plot([start / 60, end / 60], [at, at], color=ROLES["soft"], linewidth=0.8, zorder=1)
            for moment in row.moments:
                if moment.since is not None:
                    width = (moment.at - moment.since) / 60
                    bar(axes, at, moment.since / 60, width, "bar", height=0.34, zorder=2)
            for moment in row.moments:
                if moment.kind in _SIGNS:
                    _, _, marker, role, size = _SIGNS[moment.kind]
                    axes.plot(
                        [moment.at / 60], [at], marker=marker, markersize=size, linestyle="none", zorder=4,
                        markerfacecolor=ROLES[role], markeredgecolor=ROLES["ink"], markeredgewidth=0.8,
                        clip_on=False,
                    )  # fmt: skip
        axes.set_xlim(-0.02 * minutes, 1.03 * minutes)
        step = next((step for step in (1, 2, 5, 10, 15, 30, 60, 120) if minutes / step <= 8), 240)
        whole = minutes + sum(pause.seconds for pause in line.pauses) / 60
        placed = [(line.place(60.0 * at), at) for at in range(0, int(whole) + 1, step)]
        marks = [(place / 60, at) for place, at in placed if place is not None and place / 60 <= minutes]
        ticks(axes, [place for place, _ in marks], [str(at) for _, at in marks])
        return figure

    head = (
        "Question",
        "Minutes",
        *(f"{_SIGNS[kind][1]}" for kind in kinds if kind is not TurnKind.QUESTION),
        "answers",
    )
    return Picture(
        name="timeline",
        title="The interview over time, in minutes",
        description=f"{count(len(line.rows), 'question')} in {common.duration(line.length)}"
        + (f"; idle for {', then '.join(pauses)}, shown as a minute" if pauses else "")
        + ".",
        key=(KeyEntry("answering", "bar"), *map(_key, kinds)),
        head=head,
        rows=tuple(_told(row, kinds) for row in line.rows),
        names=names,
        draw=draw,
    )


def _key(kind: TurnKind | None) -> KeyEntry:
    sign, meaning, _, role, _ = _SIGNS[kind]
    return KeyEntry(meaning, "ink" if role == "paper" else role, sign, outlined=role not in {"ink", "paper"})


def _told(row: Row, kinds: Sequence[TurnKind | None]) -> tuple[str, ...]:
    counts = [sum(moment.kind is kind for moment in row.moments) for kind in kinds if kind is not TurnKind.QUESTION]
    answers = sum(moment.kind is TurnKind.ANSWER for moment in row.moments)
    return (f"{row.number}. {row.topic}", f"{row.seconds / 60:.1f}", *map(str, counts), str(answers))
