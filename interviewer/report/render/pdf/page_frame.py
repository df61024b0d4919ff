"""What stands on every page of a PDF, and its bookmarks. Imported when the first PDF is made, not before."""

from __future__ import annotations

from typing import Any

from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable

_MARGIN = 54.0
_GRAY = 0.35


class Bookmark(Flowable):  # type: ignore[misc]
    """An entry of the outline that leads to where this stands; takes no room.

    Args:
        title: plain text.
        level: depth in the outline, from 0; at most one more than that of the entry before.

    """

    def __init__(self, title: str, level: int) -> None:
        super().__init__()
        self.width = self.height = 0.0
        self.keepWithNext = 1
        self._title, self._level = title, level

    def wrap(self, *_: float) -> tuple[float, float]:
        """Nothing."""
        return 0.0, 0.0

    def draw(self) -> None:
        """Set the bookmark."""
        key = f"at-{id(self)}"
        self.canv.bookmarkPage(key)
        self.canv.addOutlineEntry(self._title, key, self._level, closed=self._level > 0)


def numbered(footer: str) -> type[Canvas]:
    """A canvas whose pages end in the footer and “page 3 of 12”, which is known only once all are set."""

    class Numbered(Canvas):  # type: ignore[misc]
        def __init__(self, *args: Any, **options: Any) -> None:
            super().__init__(*args, **options)
            self._pages: list[dict[str, Any]] = []

        def showPage(self) -> None:  # noqa: N802 (reportlab's name)
            self._pages.append(dict(self.__dict__))
            self._startPage()

        def save(self) -> None:
            for number, page in enumerate(self._pages, 1):
                self.__dict__.update(page)
                self.setFont("sans", 7.5)
                self.setFillGray(_GRAY)
                self.drawString(_MARGIN, 30, footer)
                self.drawRightString(self._pagesize[0] - _MARGIN, 30, f"page {number} of {len(self._pages)}")
                super().showPage()
            super().save()

    return Numbered
