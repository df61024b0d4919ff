"""The edge to matplotlib: a figure to draw on, and what was drawn as inline SVG or as PNG.

No pyplot and no global figure: several threads may draw at a time. Matplotlib is imported when the first picture is
drawn and keeps its list of fonts in our own folder.
"""

from __future__ import annotations

import io
import logging
import os
import re
from functools import cache
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from defusedxml.ElementTree import fromstring  # type: ignore[import-untyped]

from serving import paths

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.figure import Figure

ROLES = {
    "bar": "#0a5f94",
    "bar-helped": "#5aaddb",
    "bar-hinted": "#e8a31c",
    "bar-none": "#ddd7ca",
    "paper": "#fdfcf9",
    "ink": "#211f1b",
    "soft": "#5d584e",
    "rule": "#ddd7c9",
    "on-bar": "#fffffe",
    "on-light": "#1a1916",
}
"""The colors of the pictures by their role: as drawn in print; on a page the style sheet decides by the role."""

WIDTH_PT = 300.0
"""Width of every picture; a telephone shows a point of it as a pixel, so that text of 10 points is legible there."""

FONT_PT = 10.0

_DPI = 200
_KEPT_AS_ATTRIBUTES = {"stroke-width", "stroke-linejoin", "stroke-linecap", "stroke-dasharray", "stroke-dashoffset"}
_KEPT_AS_ATTRIBUTES |= {"text-anchor", "font-size", "font-weight", "opacity", "fill-opacity"}
_REFERENCE = re.compile(r"url\(#([^)]+)\)")
_BY_COLOR = {color: role for role, color in ROLES.items()}
_XLINK = "{http://www.w3.org/1999/xlink}href"


@cache
def _set_up() -> None:
    """Import matplotlib so that it writes nothing outside of our folder and says nothing.

    Raises:
        StorageError: our folder cannot be made.

    """
    os.environ.setdefault("MPLCONFIGDIR", str(paths.made(paths.home() / "cache" / "matplotlib")))
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    import matplotlib as mpl  # noqa: PLC0415 (a second that the page's start must not wait for)

    mpl.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "report", "hatch.linewidth": 0.8})


def blank(height_pt: float) -> Figure:
    """A figure of ``WIDTH_PT`` to draw on."""
    _set_up()
    from matplotlib.figure import Figure  # noqa: PLC0415

    return Figure(figsize=(WIDTH_PT / 72, height_pt / 72), facecolor="none")


def as_svg(figure: Figure, name: str, title: str, description: str, labels: Mapping[str, str]) -> str:
    """The figure as an SVG element for a page: no ids but under ``name``, colors as classes of their role.

    Args:
        figure: drawn with colors of ``ROLES``.
        name: unique within the page; begins every id.
        title: what is shown, for those who do not see it.
        description: what is to be seen in it, for the same.
        labels: what stands in place of each text of the figure that is a key here; any text at all.

    """
    from matplotlib.backends.backend_svg import FigureCanvasSVG  # noqa: PLC0415

    written = io.StringIO()
    nothing = dict.fromkeys(("Date", "Creator", "Type", "Format"))
    FigureCanvasSVG(figure).print_svg(written, metadata=nothing)  # type: ignore[no-untyped-call]
    drawn = written.getvalue()
    root = fromstring(drawn[drawn.index("<svg") :])
    _without_sheets(root)
    used = set(_REFERENCE.findall(drawn)) | set(re.findall(r'href="#([^"]+)"', drawn))
    for element in root.iter():
        _tame(element, used, name, labels)
    for attribute in ("width", "height", "version"):
        root.attrib.pop(attribute, None)
    root.attrib |= {"class": "picture", "role": "img", "aria-labelledby": f"{name}-title {name}-desc"}
    for at, (tag, text) in enumerate((("title", title), ("desc", description))):
        told = ElementTree.Element(tag, {"id": f"{name}-{tag}"})
        told.text = text
        root.insert(at, told)
    return ElementTree.tostring(root, encoding="unicode", short_empty_elements=False)


def as_png(figure: Figure) -> bytes:
    """The figure as a picture for print, on white."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415

    written = io.BytesIO()
    figure.set_facecolor("#ffffff")
    figure.set_dpi(_DPI)
    canvas = FigureCanvasAgg(figure)
    # Whoever prints it unpacks it again at once.
    canvas.print_png(written, metadata={"Software": None}, pil_kwargs={"compress_level": 1})  # type: ignore[no-untyped-call]
    return written.getvalue()


def _without_sheets(root: ElementTree.Element) -> None:
    """Take out style sheets, which would hold for the whole page."""
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag.endswith(("}style", "}metadata")):
                parent.remove(child)


def _tame(element: ElementTree.Element, used: set[str], name: str, labels: Mapping[str, str]) -> None:
    """Leave nothing on an element that could clash with the page around it."""
    element.tag = element.tag.rpartition("}")[2]
    element.tail = None
    attributes = dict(element.attrib)
    element.attrib.clear()
    classes = []
    for key, value in attributes.items():
        if key == "style":
            for part in filter(None, value.split(";")):
                prop, _, given = (piece.strip() for piece in part.partition(":"))
                classes += _declared(element, prop, given, name)
        elif key == "id":
            if value in used:
                element.set("id", f"{name}-{value}")
        elif key == _XLINK:
            element.set("href", f"#{name}-{value.removeprefix('#')}")
        elif key in {"fill", "stroke"}:
            classes += _declared(element, key, value, name)
        elif key.startswith("{") or (key == "transform" and value.startswith("rotate(-0")):
            continue
        else:
            element.set(key, _REFERENCE.sub(rf"url(#{name}-\1)", " ".join(value.split())))
    if classes:
        element.set("class", " ".join(classes))
    if element.tag == "text" and element.text:
        element.text = labels.get(element.text, element.text)
    elif element.text is not None and not element.text.strip():
        element.text = None


def _declared(element: ElementTree.Element, prop: str, value: str, name: str) -> list[str]:
    """Put a style declaration onto the element, as an attribute or as a class that is returned."""
    if prop in {"fill", "stroke"}:
        if value in _BY_COLOR:
            return [f"{prop}-{_BY_COLOR[value]}"]
        element.set(prop, _REFERENCE.sub(rf"url(#{name}-\1)", value))
    elif prop in _KEPT_AS_ATTRIBUTES:
        element.set(prop, value)
    return []
