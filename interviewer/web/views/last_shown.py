"""What each open page was shown last, so that a refresh that came too late changes nothing."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import NamedTuple

_PAGES = 2000
"""Pages remembered; of the others nothing is known, and a refresh counts as in time."""


class Shown(NamedTuple):
    """What a page was shown last.

    Attributes:
        session: id of the interview; empty where there was none.
        number: counts what the page was shown.

    """

    session: str
    number: int


class LastShown:
    """Remembers what each page was shown last; used from several threads.

    A page asks for a refresh while the person goes on. Where the refresh takes longer than what the person did, its
    values are old when they arrive: they would take the page back to the interview that it has left.
    """

    def __init__(self) -> None:
        self._pages: OrderedDict[str, Shown] = OrderedDict()
        self._lock = Lock()

    def of(self, page: str) -> Shown | None:
        """What a page was shown last, by the name of the page; ``None`` where that is not known."""
        with self._lock:
            return self._pages.get(page)

    def note(self, page: str, session: str) -> None:
        """Remember that a page is being shown an interview; nothing is remembered of a page without a name."""
        if not page:
            return
        with self._lock:
            last = self._pages.pop(page, None)
            self._pages[page] = Shown(session, last.number + 1 if last else 0)
            while len(self._pages) > _PAGES:
                self._pages.popitem(last=False)

    def is_overtaken(self, page: str, session: str, begun: Shown | None) -> bool:
        """Returns whether a refresh is out of date.

        Args:
            page: name of the page.
            session: the interview that the refresh shows.
            begun: what the page had been shown last when the refresh began.

        """
        last = self.of(page)
        return last is not None and (last != begun or last.session != session)
