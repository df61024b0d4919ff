"""The report's pictures: what each shows in words and as a table (pure), and how it is drawn (matplotlib).

A picture never holds somebody's text as matplotlib would read it: names are put into the SVG afterwards, as text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from interviewer.report import confidence_words, words
from interviewer.report.drawing import FONT_PT, ROLES, WIDTH_PT, as_png, as_svg, blank
from interviewer.report.fonts import printable
from interviewer.report.model import (
    CriterionFinding,
    EarlierScore,
    Findings,
    OwnConfidence,
    Reached,
    TopicTally,
    TurnKind,
)
from interviewer.report.timeline import PAUSE_SHOWN_S, Row, Timeline, timeline
from rubric.model import Verdict

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_ROW_PT = 24.0
_THIN_ROW_PT = 18.0
_NAMES = 0.36
"""The part of the width in which the names stand."""

_MOST_ROWS = 30
"""More are left to the table beside the picture: nobody reads a picture of fifty bars."""

_MOST_EARLIER = 5
_LONGEST_NAME = 24

Names = Mapping[str, str]


@dataclass(frozen=True)
class Picture:
    """A picture with what it says in words and as a table.

    Attributes:
        name: unique within a report.
        title: what it shows.
        description: what is to be seen in it, for those who do not see it.
        key: what its colours and signs mean: the role or sign, and its meaning.
        head, rows: the same as a table.
        names: the texts of the figure that stand for somebody's words, and these words.
        draw: makes the figure; given the names, it writes these instead.

    """

    name: str
    title: str
    description: str
    key: tuple[tuple[str, str], ...]
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    names: Names
    draw: Callable[[Names], Figure]

    def svg(self) -> str:
        """As an SVG element with its text alternative; the same findings give the same letters."""
        return as_svg(self.draw({}), f"report-{self.name}", self.title, self.description, self.names)

    def png(self) -> bytes:
        """For print."""
        return as_png(self.draw({token: printable(name) for token, name in self.names.items()}))


def pictures(findings: Findings) -> tuple[Picture, ...]:
    """The pictures there is anything to show in, in the order in which they stand in a report."""
    made = []
    if any(topic.final is not None for topic in findings.topics):
        made.append(by_topic(findings.topics, findings.earlier))
    if any(question.criteria for question in findings.questions):
        made.append(by_help(findings))
    if findings.confidence is not None:
        made.append(by_confidence(findings.confidence))
    line = timeline(findings)
    if line.length > 0:
        made.append(over_time(line))
    return tuple(made)


# By topic


def by_topic(topics: Sequence[TopicTally], earlier: Sequence[EarlierScore] = ()) -> Picture:
    """Bars by topic: unaided, in the end, its interval, and earlier interviews behind."""
    shown = topics[:_MOST_ROWS]
    before = {topic.topic: [score for score in earlier if score.topic == topic.topic] for topic in topics}
    before = {topic: scores[-_MOST_EARLIER:] for topic, scores in before.items()}
    names = {f"~{at}~": _short(topic.topic) for at, topic in enumerate(shown)}
    told = [
        f"{_short(topic.topic)}: unaided {words.percent(topic.unaided)}, in the end {words.percent(topic.final)}"
        + words.between(topic.interval, ", ")
        for topic in topics
    ]
    head = ["Topic", "Asked", "Graded", "Unaided", "In the end", "Interval"]
    key = [("bar", "unaided"), ("bar-helped", "gained by follow-ups and hints")]
    if any(topic.interval for topic in topics):
        key.append(("├─┤", words.JUDGED_INTERVAL))
    if any(before.values()):
        head.append("Earlier")
        key.append(("◇", "earlier interviews, the latest the darkest"))
    rows = []
    for topic in topics:
        row = [topic.topic, str(topic.asked), str(topic.graded), words.percent(topic.unaided)]
        row += [words.percent(topic.final), words.interval(topic.interval)]
        if any(before.values()):
            row.append(", ".join(words.percent(score.final) for score in before[topic.topic]) or "–")
        rows.append(tuple(row))

    def draw(said: Names) -> Figure:
        figure, axes = _axes(len(shown), _ROW_PT, list(names), said)
        for at, topic in enumerate(shown):
            _bar(axes, at, 0.0, 100.0, "bar-none", height=0.34, thin=True)
            for rank, score in enumerate(reversed(before[topic.topic])):
                edge = ROLES["soft" if rank else "ink"]
                axes.plot(
                    [100 * score.final], [at - 0.34], marker="D", markersize=4, linestyle="none", zorder=6 - rank,
                    markeredgewidth=0.9, markerfacecolor=ROLES["paper"], markeredgecolor=edge,
                )  # fmt: skip
            if topic.final is not None:
                _bar(axes, at, 0.0, 100 * topic.final, "bar-helped")
            if topic.unaided is not None:
                _bar(axes, at, 0.0, 100 * topic.unaided, "bar")
            if topic.interval is not None:
                low, high = (100 * end for end in topic.interval)
                for role, width in (("paper", 3.0), ("ink", 1.1)):
                    axes.plot([low, high], [at, at], color=ROLES[role], linewidth=width, solid_capstyle="butt")
                axes.plot([low, high], [at, at], linestyle="none", marker="|", markersize=7, color=ROLES["ink"])
            axes.text(
                103, at, words.percent(topic.final), va="center", size=FONT_PT, color=ROLES["ink"], parse_math=False,
                weight="bold",
            )  # fmt: skip
        axes.set_xlim(0, 112)
        _ticks(axes, [0, 25, 50, 75, 100], ["0", "25", "50", "75", "100"])
        return figure

    return Picture(
        name="topics",
        title="Score by topic, of 100",
        description="; ".join(told) + ".",
        key=tuple(key),
        head=tuple(head),
        rows=tuple(rows),
        names=names,
        draw=draw,
    )


# By help

_GROUPS: tuple[tuple[str, str, str], ...] = (
    ("met unaided", "bar", ""),
    ("after a follow-up", "bar-helped", ""),
    ("after a hint", "bar-hinted", ""),
    ("met, help not known", "bar-helped", "////"),
    ("partly met", "bar-none", ""),
    ("missing or contradicted", "paper", ""),
    ("ungraded", "paper", "...."),
)
"""What a point is counted as, its colour, and the pattern over it."""

_ON = {"bar": "on-bar", "bar-helped": "on-light", "bar-hinted": "on-light"}
"""The colour of a number on a bar."""

_GROUP_OF = {
    Reached.UNAIDED: 0,
    Reached.AFTER_FOLLOW_UP: 1,
    Reached.AFTER_HINT: 2,
    Reached.HELP_UNKNOWN: 3,
    Reached.UNSCORED: 6,
}


def by_help(findings: Findings) -> Picture:
    """The points of each question by how they were reached."""
    graded = [question for question in findings.questions if question.criteria]
    shown = graded[:_MOST_ROWS]
    counts = {question.number: _counted(question.criteria) for question in graded}
    totals = [sum(count[group] for count in counts.values()) for group in range(len(_GROUPS))]
    present = [group for group, total in enumerate(totals) if total]
    whole = sum(totals)
    names = {f"~{at}~": _short(f"{question.number}. {question.topic}") for at, question in enumerate(shown)}

    def draw(said: Names) -> Figure:
        figure, axes = _axes(len(shown), _THIN_ROW_PT, list(names), said)
        for at, question in enumerate(shown):
            left = 0.0
            points = len(question.criteria)
            for group in present:
                part = 100 * counts[question.number][group] / points
                if part:
                    _, role, hatch = _GROUPS[group]
                    _bar(axes, at, left, part, role, hatch=hatch, outlined=True, height=0.72)
                    axes.text(
                        left + part / 2, at, str(counts[question.number][group]), ha="center", va="center",
                        size=FONT_PT - 1, parse_math=False, color=ROLES[_ON.get(role, "ink")],
                    )  # fmt: skip
                left += part
        axes.set_xlim(0, 100.5)
        _ticks(axes, [], [])
        return figure

    return Picture(
        name="help",
        title="Points of each question, by how they were reached",
        description=f"Of {words.count(whole, 'point')}: "
        + ", ".join(f"{totals[group]} {_GROUPS[group][0]}" for group in present)
        + ".",
        key=tuple(
            (_GROUPS[group][1] + (" hatched" if _GROUPS[group][2] else ""), _GROUPS[group][0]) for group in present
        ),
        head=("Question", *(_GROUPS[group][0] for group in present)),
        rows=tuple(
            (f"{question.number}. {question.topic}", *(str(counts[question.number][group]) for group in present))
            for question in graded
        ),
        names=names,
        draw=draw,
    )


def _counted(criteria: Sequence[CriterionFinding]) -> list[int]:
    found = [0] * len(_GROUPS)
    for criterion in criteria:
        wanting = 4 if criterion.verdict is Verdict.PARTIAL else 5
        found[_GROUP_OF.get(criterion.reached, wanting)] += 1
    return found


# By what the person expected


def by_confidence(found: OwnConfidence) -> Picture:
    """What the person expected of their answers beside what these earned, by how sure they said that they were."""
    levels = found.levels
    names = {f"~{at}~": f"{confidence_words.NAMES[level.level]} ({level.answers})" for at, level in enumerate(levels)}

    def draw(said: Names) -> Figure:
        figure, axes = _axes(len(levels), _ROW_PT, list(names), said)
        for at, level in enumerate(levels):
            _bar(axes, at, 0.0, 100.0, "bar-none", height=0.34, thin=True)
            _bar(axes, at, 0.0, 100 * level.earned, "bar")
            axes.plot(
                [100 * level.stated], [at], marker="D", markersize=6, linestyle="none", zorder=6,
                markeredgewidth=1.1, markerfacecolor=ROLES["paper"], markeredgecolor=ROLES["ink"],
            )  # fmt: skip
            axes.text(
                103, at, words.percent(level.earned), va="center", size=FONT_PT, color=ROLES["ink"], parse_math=False,
                weight="bold",
            )  # fmt: skip
        axes.set_xlim(0, 112)
        _ticks(axes, [0, 25, 50, 75, 100], ["0", "25", "50", "75", "100"])
        return figure

    told = "; ".join(
        f"{confidence_words.NAMES[level.level]}: {words.count(level.answers, 'answer')}, expected "
        f"{words.percent(level.stated)}, earned {words.percent(level.earned)}"
        for level in levels
    )
    together = (
        f"All {len(found.answers)} together: expected {words.percent(found.stated)}, "
        f"earned {words.percent(found.earned)}"
    )
    return Picture(
        name="confidence",
        title="How sure you were, and what it earned, of 100",
        description=f"{confidence_words.sentence(found)} {together}. {told[0].upper()}{told[1:]}.",
        key=(("bar", "earned"), ("◇", "expected")),
        head=("You were", "Answers", "Expected", "Earned"),
        rows=tuple(
            (
                confidence_words.NAMES[level.level],
                str(level.answers),
                words.percent(level.stated),
                words.percent(level.earned),
            )
            for level in levels
        ),
        names=names,
        draw=draw,
    )


# Over time

_SIGNS: dict[TurnKind | None, tuple[str, str, str, str, float]] = {
    TurnKind.QUESTION: ("●", "question", "o", "ink", 4.5),
    TurnKind.FOLLOW_UP: ("◆", "follow-up", "D", "bar-helped", 5.0),
    TurnKind.HINT: ("▲", "hint", "^", "bar-hinted", 6.5),
    TurnKind.REPEAT: ("○", "said again", "o", "paper", 4.5),
    None: ("□", "code run", "s", "bar-none", 4.5),
    TurnKind.CODE: ("■", "code submitted", "s", "ink", 5.0),
    TurnKind.SKIP: ("✕", "skipped", "x", "ink", 5.0),
}
"""Sign in words, meaning, and matplotlib's marker, its colour and its size."""


def over_time(line: Timeline) -> Picture:
    """The line of an interview, a row for each question."""
    shown = line.rows[:_MOST_ROWS]
    kinds = [kind for kind in _SIGNS if any(moment.kind is kind for row in line.rows for moment in row.moments)]
    names = {f"~{at}~": _short(f"{row.number}. {row.topic}") for at, row in enumerate(shown)}
    pauses = [words.duration(pause.seconds) for pause in line.pauses]

    def draw(said: Names) -> Figure:
        figure, axes = _axes(len(shown), _THIN_ROW_PT, list(names), said)
        minutes = line.length / 60
        for pause in line.pauses:
            at = (pause.start + PAUSE_SHOWN_S / 2) / 60
            axes.axvspan(
                pause.start / 60, (pause.start + PAUSE_SHOWN_S) / 60, color=ROLES["bar-none"], linewidth=0, zorder=0
            )
            axes.text(
                at, -0.75, f"{round(pause.seconds / 60)} min pause", ha="center", va="bottom", size=FONT_PT - 1.5,
                color=ROLES["soft"], parse_math=False,
            )  # fmt: skip
        for at, row in enumerate(shown):
            axes.plot([row.start / 60, row.end / 60], [at, at], color=ROLES["soft"], linewidth=0.8, zorder=1)
            for moment in row.moments:
                if moment.since is not None:
                    width = (moment.at - moment.since) / 60
                    _bar(axes, at, moment.since / 60, width, "bar", height=0.34, zorder=2)
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
        _ticks(axes, [place for place, _ in marks], [str(at) for _, at in marks])
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
        description=f"{words.count(len(line.rows), 'question')} one below the other, "
        f"{words.duration(line.length)} on the line"
        + (
            f", without what {words.count(len(pauses), 'pause')} took beyond a minute ({', '.join(pauses)})"
            if pauses
            else ""
        )
        + ".",
        key=(("bar", "answering"), *(_SIGNS[kind][:2] for kind in kinds)),
        head=head,
        rows=tuple(_told(row, kinds) for row in line.rows),
        names=names,
        draw=draw,
    )


def _told(row: Row, kinds: Sequence[TurnKind | None]) -> tuple[str, ...]:
    counts = [sum(moment.kind is kind for moment in row.moments) for kind in kinds if kind is not TurnKind.QUESTION]
    answers = sum(moment.kind is TurnKind.ANSWER for moment in row.moments)
    return (f"{row.number}. {row.topic}", f"{(row.end - row.start) / 60:.1f}", *map(str, counts), str(answers))


# What the pictures share


def _short(name: str) -> str:
    line = " ".join(words.visible(name).split())
    return line if len(line) <= _LONGEST_NAME else line[: _LONGEST_NAME - 1].rstrip() + "…"


def _axes(rows: int, row_pt: float, names: Sequence[str], said: Names) -> tuple[Figure, Axes]:
    """Room for rows, the first one on top, with a name before each."""
    above, below = 16.0, 18.0
    height = above + below + rows * row_pt
    figure = blank(height)
    axes = figure.add_axes((_NAMES, below / height, 0.99 - _NAMES, rows * row_pt / height))
    axes.set_ylim(rows - 0.5, -0.5)
    axes.set_axisbelow(True)
    axes.patch.set_visible(False)
    for spine in axes.spines.values():
        spine.set_visible(False)
    axes.set_yticks([])
    for at, name in enumerate(names):
        place = below / height + (rows - at - 0.5) * row_pt / height
        figure.text(
            _NAMES - 8 / WIDTH_PT, place, said.get(name, name), ha="right", va="center_baseline", size=FONT_PT,
            color=ROLES["ink"], parse_math=False,
        )  # fmt: skip
    return figure, axes


def _ticks(axes: Axes, places: Sequence[float], labels: Sequence[str]) -> None:
    axes.set_xticks(places, labels, size=FONT_PT - 1, color=ROLES["soft"], parse_math=False)
    axes.tick_params(axis="x", length=0, pad=4)
    for place in places:
        axes.axvline(place, color=ROLES["rule"], linewidth=0.7, zorder=0)


def _bar(
    axes: Axes,
    row: float,
    left: float,
    width: float,
    role: str,
    *,
    height: float = 0.5,
    hatch: str = "",
    outlined: bool = False,
    thin: bool = False,
    zorder: float = 1.0,
) -> None:
    edge = ROLES["soft"] if outlined else "none"
    axes.barh(
        [row], [width], left=left, height=0.04 if thin else height, color=ROLES[role], hatch=hatch or None,
        edgecolor=edge, linewidth=0.7 if outlined else 0, zorder=zorder,
    )  # fmt: skip
