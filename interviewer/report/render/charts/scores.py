"""The pictures of scores: by topic, and beside what the person expected of their answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from interviewer.report.phrases import calibration, result
from interviewer.report.render.charts.base import (
    MOST_ROWS,
    ROW_PT,
    KeyEntry,
    Names,
    Picture,
    bar,
    row_axes,
    short,
    ticks,
)
from interviewer.report.render.charts.canvas import FONT_PT, ROLES
from interviewer.report.schema.delivery import OwnConfidence
from interviewer.report.schema.findings import EarlierScore, TopicTally
from interviewer.text import count, percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MOST_EARLIER = 5


def by_topic(topics: Sequence[TopicTally], earlier: Sequence[EarlierScore] = ()) -> Picture:
    """Bars by topic: unaided, in the end, its interval, and earlier interviews behind."""
    shown = topics[:MOST_ROWS]
    before = {topic.topic: [score for score in earlier if score.topic == topic.topic] for topic in topics}
    before = {topic: scores[-_MOST_EARLIER:] for topic, scores in before.items()}
    names = {f"~{at}~": short(topic.topic) for at, topic in enumerate(shown)}
    told = [
        f"{short(topic.topic)}: unaided {percent(topic.unaided)}, in the end {percent(topic.final)}"
        + result.between(topic.interval, ", ")
        for topic in topics
    ]
    head = ["Topic", "Asked", "Graded", "Unaided", "Final", "Likely range"]
    key = [KeyEntry("unaided", "bar"), KeyEntry("gained by follow-ups and hints", "bar-helped")]
    if any(topic.interval for topic in topics):
        key.append(KeyEntry("likely range", "ink", "├─┤"))
    if any(before.values()):
        head.append("Earlier")
        key.append(KeyEntry("earlier interviews, the latest darkest", "ink", "◇"))
    rows = []
    for topic in topics:
        row = [topic.topic, str(topic.asked), str(topic.graded), percent(topic.unaided)]
        row += [percent(topic.final), result.interval(topic.interval)]
        if any(before.values()):
            row.append(", ".join(percent(score.final) for score in before[topic.topic]) or "–")
        rows.append(tuple(row))

    def draw(said: Names) -> Figure:
        figure, axes = row_axes(len(shown), ROW_PT, list(names), said)
        for at, topic in enumerate(shown):
            bar(axes, at, 0.0, 100.0, "bar-none", height=0.34, thin=True)
            for rank, score in enumerate(reversed(before[topic.topic])):
                edge = ROLES["soft" if rank else "ink"]
                axes.plot(
                    [100 * score.final], [at - 0.34], marker="D", markersize=4, linestyle="none", zorder=6 - rank,
                    markeredgewidth=0.9, markerfacecolor=ROLES["paper"], markeredgecolor=edge,
                )  # fmt: skip
            if topic.final is not None:
                bar(axes, at, 0.0, 100 * topic.final, "bar-helped")
            if topic.unaided is not None:
                bar(axes, at, 0.0, 100 * topic.unaided, "bar")
            if topic.interval is not None:
                low, high = (100 * end for end in topic.interval)
                for role, width in (("paper", 3.0), ("ink", 1.1)):
                    axes.plot([low, high], [at, at], color=ROLES[role], linewidth=width, solid_capstyle="butt")
                axes.plot([low, high], [at, at], linestyle="none", marker="|", markersize=7, color=ROLES["ink"])
            _beside(axes, at, percent(topic.final))
        _of_hundred(axes)
        return figure

    return Picture(
        name="topics",
        title="Score by topic (of 100)",
        description="; ".join(told) + ".",
        key=tuple(key),
        head=tuple(head),
        rows=tuple(rows),
        names=names,
        draw=draw,
    )


def by_confidence(found: OwnConfidence) -> Picture:
    """What the person expected of their answers beside what these earned, by how sure they said that they were."""
    levels = found.levels
    names = {f"~{at}~": f"{calibration.NAMES[level.level]} ({level.answers})" for at, level in enumerate(levels)}

    def draw(said: Names) -> Figure:
        figure, axes = row_axes(len(levels), ROW_PT, list(names), said)
        for at, level in enumerate(levels):
            bar(axes, at, 0.0, 100.0, "bar-none", height=0.34, thin=True)
            bar(axes, at, 0.0, 100 * level.earned, "bar")
            axes.plot(
                [100 * level.stated], [at], marker="D", markersize=6, linestyle="none", zorder=6,
                markeredgewidth=1.1, markerfacecolor=ROLES["paper"], markeredgecolor=ROLES["ink"],
            )  # fmt: skip
            _beside(axes, at, percent(level.earned))
        _of_hundred(axes)
        return figure

    told = "; ".join(
        f"{calibration.NAMES[level.level]}: {count(level.answers, 'answer')}, expected "
        f"{percent(level.stated)}, earned {percent(level.earned)}"
        for level in levels
    )
    together = f"All {len(found.answers)} together: expected {percent(found.stated)}, earned {percent(found.earned)}"
    return Picture(
        name="confidence",
        title="How sure you were, and what your answers earned (of 100)",
        description=f"{calibration.sentence(found)} {together}. {told[0].upper()}{told[1:]}.",
        key=(KeyEntry("earned", "bar"), KeyEntry("expected", "ink", "◇")),
        head=("You were", "Answers", "Expected", "Earned"),
        rows=tuple(
            (
                calibration.NAMES[level.level],
                str(level.answers),
                percent(level.stated),
                percent(level.earned),
            )
            for level in levels
        ),
        names=names,
        draw=draw,
    )


def _beside(axes: Axes, at: int, share: str) -> None:
    """The share of a row, right of its bar."""
    axes.text(103, at, share, va="center", size=FONT_PT, color=ROLES["ink"], parse_math=False, weight="bold")


def _of_hundred(axes: Axes) -> None:
    """The scale, with room for the shares."""
    axes.set_xlim(0, 112)
    ticks(axes, [0, 25, 50, 75, 100], ["0", "25", "50", "75", "100"])
