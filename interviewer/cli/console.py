"""Text on a terminal that the terminal shows and does not obey: an answer, a document or what a program printed."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.style import Style
from rich.text import Text

_STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
"""Control characters but newline and tab, and halves of characters, which no terminal can be sent."""


def plain(text: str) -> str:
    """Returns the text with control characters made visible."""
    if not _STEERING.search(text):
        return text
    # Imported where it is needed, which is hardly ever: it brings half of the program with it.
    from interviewer.text import visible

    return visible(text)


def plain_json(text: str) -> str:
    """Returns a JSON document with control characters written as escapes of JSON; it says the same."""
    return _STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


class PlainConsole(Console):
    """A console in which only its own styles steer the terminal, and nothing that is printed.

    Attributes:
        instead: takes what is printed instead, a sentence a time, as an error where it is one; ``None`` where it is
            printed.

    """

    instead: Callable[[str, bool], None] | None = None

    def print(self, *objects: Any, style: str | Style | None = None, **how: Any) -> None:
        """See ``Console``."""
        if self.instead is None:
            super().print(*objects, style=style, **how)
        else:
            said = " ".join(map(str, objects))
            self.instead(said if how.get("markup") is False else Text.from_markup(said).plain, style == "red")

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Yields the segments of what is printed, their text made plain."""
        for segment in super().render(renderable, options):
            if segment.control or not _STEERING.search(segment.text):
                yield segment
            else:
                yield Segment(plain(segment.text), segment.style)


class ConsoleLog(logging.Handler):
    """Prints what is logged, each record on a line of its own however long that is, its level once in front.

    Args:
        console: where to.

    """

    def __init__(self, console: Console) -> None:
        super().__init__()
        self._console = console

    def emit(self, record: logging.LogRecord) -> None:
        """See ``logging.Handler``."""
        try:
            level = (f"{record.levelname:<8} ", f"logging.level.{record.levelname.lower()}")
            self._console.print(Text.assemble(level, self.format(record)), soft_wrap=True)
        except Exception:  # noqa: BLE001 - as all handlers do
            self.handleError(record)
