"""What is drawn on the whiteboard: boxes and arrows between them, and the same as text. Pure."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field, ValidationError

from serving.errors import BadInputError
from serving.frozen import FrozenModel

WIDTH, HEIGHT = 720, 440
"""The board; ``board.js`` has the same."""

BOX_WIDTH, BOX_HEIGHT = 130, 50
"""Every box."""

MOST_BOXES, MOST_ARROWS = 40, 80
LONGEST_LABEL = 80
_LARGEST = 64_000
"""Characters of the largest drawing as the page sends it; one that is cut off cannot be read."""


def _line(label: str) -> str:
    return " ".join("".join(character if character.isprintable() else " " for character in label).split())


Label = Annotated[str, Field(max_length=LONGEST_LABEL), AfterValidator(_line)]
Id = Annotated[str, Field(pattern=r"^[a-z0-9]{1,12}$")]


class Box(FrozenModel):
    """A box, by the place of its upper left corner on the board."""

    id: Id
    x: int = Field(ge=0, le=WIDTH - BOX_WIDTH)
    y: int = Field(ge=0, le=HEIGHT - BOX_HEIGHT)
    label: Label = ""


class Arrow(FrozenModel):
    """An arrow from one box to another, by their ids."""

    source: Id
    target: Id
    label: Label = ""


class Drawing(FrozenModel):
    """All of it."""

    boxes: tuple[Box, ...] = Field(default=(), max_length=MOST_BOXES)
    arrows: tuple[Arrow, ...] = Field(default=(), max_length=MOST_ARROWS)


def read(sent: str) -> Drawing:
    """What the page sent; nothing drawn where that is empty. Arrows that lead nowhere are left out.

    Raises:
        BadInputError: it is no drawing, or too large.

    """
    if not sent.strip():
        return Drawing()
    try:
        drawing = Drawing.model_validate_json(sent[: _LARGEST + 1])
    except ValidationError as error:
        raise BadInputError(
            "The drawing cannot be used, so nothing was sent.",
            hint=f"It may have {MOST_BOXES} boxes, {MOST_ARROWS} arrows, and {LONGEST_LABEL} characters per label.",
        ) from error
    known = {box.id for box in drawing.boxes}
    ends = {(arrow.source, arrow.target): arrow for arrow in drawing.arrows}
    kept = tuple(arrow for (source, target), arrow in ends.items() if {source, target} <= known and source != target)
    boxes = tuple({box.id: box for box in drawing.boxes}.values())
    return Drawing(boxes=boxes, arrows=kept)


def told(drawing: Drawing) -> str:
    """A drawing as text, a line for each arrow and each box without one: what is graded, and read by screen readers.

    Boxes without a label, and arrows from or to them, say nothing.
    """
    names = {box.id: box.label for box in drawing.boxes}
    arrows = [arrow for arrow in drawing.arrows if names[arrow.source] and names[arrow.target]]
    connected = {end for arrow in arrows for end in (arrow.source, arrow.target)}
    return "\n".join(
        [
            *(
                f"{names[arrow.source]} → {names[arrow.target]}{f': {arrow.label}' if arrow.label else ''}"
                for arrow in arrows
            ),
            *(box.label for box in drawing.boxes if box.label and box.id not in connected),
        ]
    )
