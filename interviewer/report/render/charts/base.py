"""What a picture of the report is, and what the pictures share in being drawn (matplotlib).

A picture never holds somebody's text as matplotlib would read it: names are put into the SVG afterwards, as text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from interviewer.report.render.charts.canvas import FONT_PT, ROLES, WIDTH_PT, as_png, as_svg, blank
from interviewer.report.render.fonts import printable
from interviewer.text import visible

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ROW_PT = 24.0
THIN_ROW_PT = 18.0
"""Heights of a row."""

_NAMES = 136.0 / WIDTH_PT
"""The part of the width in which the names stand."""

MOST_ROWS = 30
"""More are left to the table beside the picture: nobody reads a picture of fifty bars."""

_LONGEST_NAME = 24

Names = Mapping[str, str]
"""Texts of a figure that stand for somebody's words, and these words."""


@dataclass(frozen=True)
class KeyEntry:
    """What a color or a sign of a picture means.

    Attributes:
        meaning: in words.
        role: the color it is drawn in, one of ``ROLES``.
        sign: ``■`` for a piece of a bar, else the sign that is drawn.
        hatch: the pattern over it, as matplotlib names it; empty for none.
        outlined: whether it is drawn with a line around it.

    """

    meaning: str
    role: str = "ink"
    sign: str = "■"
    hatch: str = ""
    outlined: bool = False


@dataclass(frozen=True)
class Picture:
    """A picture with what it says in words and as a table.

    Attributes:
        name: unique within a report.
        title: what it shows.
        description: what is to be seen in it, for those who do not see it.
        key: what its colors and signs mean.
        head, rows: the same as a table.
        names: the texts of the figure that stand for somebody's words, and these words.
        draw: makes the figure; given the names, it writes these instead.

    """

    name: str
    title: str
    description: str
    key: tuple[KeyEntry, ...]
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


def short(name: str) -> str:
    """A name that has room before a row."""
    line = " ".join(visible(name).split())
    return line if len(line) <= _LONGEST_NAME else line[: _LONGEST_NAME - 1].rstrip() + "…"


def row_axes(rows: int, row_pt: float, names: Sequence[str], said: Names) -> tuple[Figure, Axes]:
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


def ticks(axes: Axes, places: Sequence[float], labels: Sequence[str]) -> None:
    """Labels below the rows, with a line up from each."""
    axes.set_xticks(places, labels, size=FONT_PT - 1, color=ROLES["soft"], parse_math=False)
    axes.tick_params(axis="x", length=0, pad=4)
    for place in places:
        axes.axvline(place, color=ROLES["rule"], linewidth=0.7, zorder=0)


def bar(
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
    """A piece of a row, its color by its role; a thin one is a line to guide the eye."""
    edge = ROLES["soft"] if outlined else "none"
    axes.barh(
        [row], [width], left=left, height=0.04 if thin else height, color=ROLES[role], hatch=hatch or None,
        edgecolor=edge, linewidth=0.7 if outlined else 0, zorder=zorder,
    )  # fmt: skip
