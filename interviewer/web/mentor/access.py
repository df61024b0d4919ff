"""Puts a server's mentors together: who is told what, what is served for them, and where interviews are."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from starlette.routing import Route

from interviewer.assignments.store import AssignmentStore
from interviewer.web.accounts import Accounts
from interviewer.web.assignments.candidate_assignments import CandidateAssignments
from interviewer.web.assignments.mentor_assignments import MentorAssignments
from interviewer.web.assignments.mentor_routes import AssignmentRoutes
from interviewer.web.identity import present
from interviewer.web.mentor.group_reader import reader_in
from interviewer.web.mentor.pages import readers_html
from interviewer.web.mentor.routes import MentorRoutes
from interviewer.web.sign_in.people import People
from knowledge.model import Question
from serving import paths
from serving.errors import BadInputError


class MentorAccess:
    """What a server offers whose mentors read their groups.

    Args:
        accounts: who logs in.
        database: where interviews are, if not in the folders of their owners.
        on: whether mentors read anything; if not, nobody is told anything, and nothing is served.
        store: keeps what they assign; ``None`` where mentors read nothing.

    Raises:
        BadInputError: they are to, and nobody is a mentor.

    """

    def __init__(
        self,
        accounts: Accounts | People | None,
        database: str | None,
        *,
        on: bool,
        store: AssignmentStore | None,
    ) -> None:
        # Who signs in by a provider is known once they do.
        certain = isinstance(accounts, People) or (
            accounts is not None and any(map(accounts.is_mentor, accounts.names))
        )
        if on and not certain:
            raise BadInputError(
                "No account is a mentor's.",
                hint="Make one: `python app.py account NAME --role mentor --group GROUP --auth-file FILE`.",
            )
        self._on = on
        self._store = store if on else None
        self._accounts = accounts if on and accounts is not None else Accounts([])
        self._reader = reader_in(paths.profiles, self._accounts, database)

    def readers(self) -> str:
        """What the person whose request is being answered is told of who reads their interviews, as HTML."""
        name = present()
        return readers_html(self._accounts.mentors_of(name), is_mentor=self._accounts.is_mentor(name))

    @property
    def assignments(self) -> CandidateAssignments | None:
        """What candidates were given; ``None`` where nobody gives anything."""
        return CandidateAssignments(self._store, self._accounts) if self._store is not None else None

    def routes(self, questions: Callable[[], Sequence[Question]] = tuple) -> list[Route]:
        """What is served for mentors.

        Args:
            questions: all there are, by which agendas of assignments are drawn up.

        """
        if not self._on:
            return []
        routes = MentorRoutes(self._accounts, self._reader).routes()
        if self._store is not None:
            given = MentorAssignments(self._store, self._accounts, self._reader, questions)
            routes += AssignmentRoutes(self._accounts, given, questions).routes()
        return routes

    def close(self) -> None:
        """Let go of the assignments."""
        if self._store is not None:
            self._store.close()
