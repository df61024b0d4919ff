"""What a view of the page has to offer."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

from interviewer.session.state import State
from interviewer.web.assignments.candidate_assignments import CandidateAssignments
from interviewer.web.gradio_support import BrowserState, Outputs, ShowSession, Updates
from interviewer.web.privacy.data_locations import ALL_HERE, DataLocations
from interviewer.web.view_state import View
from interviewer.web.workspace import Workspace


class ViewContext(NamedTuple):
    """What a view is made with.

    Attributes:
        here: the place of the one whose request is being answered.
        kept: what the browser keeps.
        show: shows an interview on whichever view it is at.
        resume: shows the interview of an id, going on from where it stands.
        talks: whether one can talk instead of typing.
        readers: who else reads the interviews of the one whose request is being answered, as HTML; may be empty.
        shares: whether other pages may change the documents of a person meanwhile.
        assignments: what mentors gave the one whose request is being answered; ``None`` where nobody gives anything.
        locations: where what people give is kept and worked on.

    """

    here: Callable[[], Workspace]
    kept: BrowserState
    show: ShowSession
    resume: Callable[[str | None], Updates]
    talks: bool = False
    readers: Callable[[], str] = str
    shares: bool = False
    assignments: CandidateAssignments | None = None
    locations: DataLocations = ALL_HERE


class ShownInterview(NamedTuple):
    """The interview that the page is at.

    Attributes:
        session: its id.
        state: how it stands.
        view: the values of the page's elements for that state.

    """

    session: str
    state: State
    view: View


class PageView(Protocol):
    """One view of the page: a panel, and what its events do.

    A view is a class that is called with a ``ViewContext`` inside a ``gr.Blocks``, and one entry of ``VIEWS`` in
    ``registry.py``. It decides itself whether it is visible.
    """

    @property
    def shown(self) -> Outputs:
        """The elements that ``show`` and the page's events change, but for those of ``BrowserState``."""
        ...

    def connect(self, page: Outputs) -> None:
        """Connect the panel's events.

        Args:
            page: everything that changes when another interview is shown, or the one that is shown goes on.

        """
        ...

    def show(self, interview: ShownInterview | None, note: str | None) -> Updates:
        """The panel's new values.

        Args:
            interview: what the page is at; ``None`` where an interview is to be chosen.
            note: what went wrong in what the person did last; ``None`` leaves the note as it is.

        """
        ...
