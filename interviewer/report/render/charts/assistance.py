"""The picture of how each question's points were reached: unaided, after a follow-up, after a hint, or not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

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
from interviewer.report.schema.findings import Findings
from interviewer.report.schema.question import CriterionFinding
from interviewer.scoring.outcomes import AssistanceLevel
from interviewer.text import count
from rubric.model import Verdict

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_GROUPS: tuple[tuple[str, str, str], ...] = (
    ("met unaided", "bar", ""),
    ("in a later answer", "bar", "...."),
    ("after a follow-up", "bar-helped", ""),
    ("after a hint", "bar-hinted", ""),
    ("met", "bar", "////"),
    ("partly met", "bar-none", ""),
    ("missing or contradicted", "paper", ""),
    ("not graded", "paper", "...."),
    ("when you came back to it", "bar-hinted", "////"),
    ("unsure", "bar-none", "////"),
    ("not asked", "paper", "////"),
)
"""What a point is counted as, its color, and the pattern over it."""

_ON = {"bar": "on-bar", "bar-helped": "on-light", "bar-hinted": "on-light"}
"""The color of a number on a bar."""

_GROUP_OF = {
    AssistanceLevel.UNAIDED: 0,
    AssistanceLevel.LATER: 1,
    AssistanceLevel.AFTER_FOLLOW_UP: 2,
    AssistanceLevel.AFTER_HINT: 3,
    AssistanceLevel.HELP_UNKNOWN: 4,
    AssistanceLevel.UNSCORED: 7,
    AssistanceLevel.AFTER_ANSWER: 8,
}


def by_help(findings: Findings) -> Picture:
    """The points of each question by how they were reached."""
    graded = [question for question in findings.questions if question.criteria]
    shown = graded[:MOST_ROWS]
    counts = {question.number: _counted(question.criteria) for question in graded}
    totals = [sum(count[group] for count in counts.values()) for group in range(len(_GROUPS))]
    present = [group for group, total in enumerate(totals) if total]
    whole = sum(totals)
    names = {f"~{at}~": short(f"{question.number}. {question.topic}") for at, question in enumerate(shown)}

    def draw(said: Names) -> Figure:
        figure, axes = row_axes(len(shown), THIN_ROW_PT, list(names), said)
        for at, question in enumerate(shown):
            left = 0.0
            points = len(question.criteria)
            for group in present:
                part = 100 * counts[question.number][group] / points
                if part:
                    _, role, hatch = _GROUPS[group]
                    bar(axes, at, left, part, role, hatch=hatch, outlined=True, height=0.72)
                    axes.text(
                        left + part / 2, at, str(counts[question.number][group]), ha="center", va="center",
                        size=FONT_PT - 1, parse_math=False, color=ROLES[_ON.get(role, "ink")],
                    )  # fmt: skip
                left += part
        axes.set_xlim(0, 100.5)
        ticks(axes, [], [])
        return figure

    return Picture(
        name="help",
        title="Points of each question, by how you got there",
        description=f"Of {count(whole, 'point')}: "
        + ", ".join(f"{totals[group]} {_GROUPS[group][0]}" for group in present)
        + ".",
        key=tuple(
            KeyEntry(meaning, role, hatch=hatch, outlined=True)
            for meaning, role, hatch in (_GROUPS[group] for group in present)
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
        found[_group(criterion)] += 1
    return found


_UNSURE, _NOT_ASKED = 9, 10


def _group(criterion: CriterionFinding) -> int:
    """As the page counts it: what the judge is unsure of, and what nobody asked for, is neither made nor missed."""
    if criterion.never_asked:
        return _NOT_ASKED
    if criterion.reached is not AssistanceLevel.UNSCORED and not criterion.decided:
        return _UNSURE
    return _GROUP_OF.get(criterion.reached, 5 if criterion.verdict is Verdict.PARTIAL else 6)
