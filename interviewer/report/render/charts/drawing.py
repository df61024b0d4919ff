"""The picture of what was drawn on the whiteboard: made anew from the boxes and arrows that the journal holds."""

from __future__ import annotations

import textwrap
from math import hypot
from typing import TYPE_CHECKING

from interviewer.report.render.charts.base import Names, Picture
from interviewer.report.render.charts.canvas import ROLES, WIDTH_PT, blank
from interviewer.session.drawing import BOX_HEIGHT, BOX_WIDTH, Arrow, Box, Drawing, told
from interviewer.text import visible

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TITLE = "What you drew"
_MARGIN = 12
_FONT_PT = 8.0
_LINE = 14
_LETTERS = 17
_MOST_LINES = 3
_APART = 7
"""Units of the board: between two arrows that lead there and back."""


def drawn(drawing: Drawing, number: int) -> Picture:
    """The picture of a question's drawing.

    Args:
        drawing: with at least one box.
        number: the question's.

    """
    boxes = {box.id: box for box in drawing.boxes}
    texts: dict[str, str] = {}
    wrapped = {box.id: _tokens(box.label, f"b{box.id}", texts) for box in drawing.boxes}
    along = [_tokens(arrow.label, f"a{at}", texts)[:1] for at, arrow in enumerate(drawing.arrows)]
    left, right = min(box.x for box in drawing.boxes), max(box.x for box in drawing.boxes) + BOX_WIDTH
    top, bottom = min(box.y for box in drawing.boxes), max(box.y for box in drawing.boxes) + BOX_HEIGHT
    width = max(right - left + 2 * _MARGIN, WIDTH_PT)
    height = bottom - top + 2 * _MARGIN

    def draw(said: Names) -> Figure:
        figure = blank(height * WIDTH_PT / width)
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set_axis_off()
        axes.set_xlim(left - _MARGIN, left - _MARGIN + width)
        axes.set_ylim(bottom + _MARGIN, top - _MARGIN)
        for arrow, label in zip(drawing.arrows, along, strict=True):
            _arrow(axes, (boxes[arrow.source], boxes[arrow.target]), label, said, twice=_is_twice(arrow, drawing))
        for box in drawing.boxes:
            _box(axes, box, wrapped[box.id], said)
        return figure

    return Picture(
        name=f"drawing-{number}",
        title=TITLE,
        description="; ".join(told(drawing).splitlines()) or "Boxes without labels.",
        key=(),
        head=(),
        rows=(),
        names=texts,
        draw=draw,
    )


def _tokens(label: str, name: str, texts: dict[str, str]) -> list[str]:
    """A label in lines, each as a token that stands for it."""
    lines = textwrap.wrap(" ".join(visible(label).split()), _LETTERS)
    kept = lines[:_MOST_LINES]
    if len(lines) > _MOST_LINES:
        kept[-1] = f"{kept[-1][: _LETTERS - 1]}…"
    tokens = [f"~{name}-{at}~" for at in range(len(kept))]
    texts.update(zip(tokens, kept, strict=True))
    return tokens


def _is_twice(arrow: Arrow, drawing: Drawing) -> bool:
    return any((each.source, each.target) == (arrow.target, arrow.source) for each in drawing.arrows)


def _box(axes: Axes, box: Box, tokens: list[str], said: Names) -> None:
    from matplotlib.patches import Rectangle  # noqa: PLC0415

    axes.add_patch(
        Rectangle(
            (box.x, box.y), BOX_WIDTH, BOX_HEIGHT, facecolor=ROLES["paper"], edgecolor=ROLES["soft"], linewidth=0.9,
            zorder=3,
        )
    )  # fmt: skip
    for at, token in enumerate(tokens):
        y = box.y + BOX_HEIGHT / 2 + _LINE * (at - (len(tokens) - 1) / 2)
        axes.text(
            box.x + BOX_WIDTH / 2, y, said.get(token, token), ha="center", va="center", size=_FONT_PT,
            color=ROLES["ink"], parse_math=False, zorder=4,
        )  # fmt: skip


def _arrow(axes: Axes, ends: tuple[Box, Box], tokens: list[str], said: Names, *, twice: bool) -> None:
    source, target = ends
    (x1, y1), (x2, y2) = _edge(source, target), _edge(target, source)
    length = hypot(x2 - x1, y2 - y1) or 1.0
    aside = _APART if twice else 0
    dx, dy = -aside * (y2 - y1) / length, aside * (x2 - x1) / length
    axes.annotate(
        "", (x2 + dx, y2 + dy), (x1 + dx, y1 + dy), zorder=1,
        arrowprops={"arrowstyle": "-|>", "color": ROLES["soft"], "linewidth": 1.0, "shrinkA": 0, "shrinkB": 0},
    )  # fmt: skip
    for token in tokens:
        axes.text(
            (x1 + x2) / 2 + 4 * dx, (y1 + y2) / 2 + 2 * dy - 9, said.get(token, token), ha="center", va="center",
            size=_FONT_PT - 1, color=ROLES["ink"], parse_math=False, zorder=5,
        )  # fmt: skip


def _edge(one: Box, other: Box) -> tuple[float, float]:
    """Where the line between two boxes leaves the first."""
    dx, dy = other.x - one.x, other.y - one.y
    x, y = one.x + BOX_WIDTH / 2, one.y + BOX_HEIGHT / 2
    if not dx and not dy:
        return x, y
    ways = ((BOX_WIDTH, dx), (BOX_HEIGHT, dy))
    reach = min(size / 2 / abs(way) for size, way in ways if way)
    return x + dx * reach, y + dy * reach
