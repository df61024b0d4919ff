"""Who has signed in by a provider, and who is whose mentor: what the provider said of each when they last did.

Each person's is a file in the folder of their data, so that a page knows them after a restart, and pages that have
that folder in common know the same people.
"""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from interviewer.storage.account_file import is_name
from serving import paths
from serving.atomic import write_atomic
from serving.errors import BadInputError
from serving.frozen import FrozenModel

_FILE = "signed-in.json"


class Person(FrozenModel):
    """What a provider says of somebody.

    Attributes:
        subject: what names them at the provider for good, whatever they are called.
        groups: whom they belong to.
        mentor: whether they are a mentor of these groups; a candidate otherwise.

    """

    subject: str
    groups: frozenset[str] = frozenset()
    mentor: bool = False


class People:
    """Those who have signed in; answers what ``interviewer.web.accounts.Accounts`` answers of groups.

    Args:
        folder: where everybody's folders are.

    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def sign_in(self, name: str, person: Person) -> None:
        """Note who signs in, and to whom they belong now.

        Raises:
            BadInputError: that is no name, or somebody else's.
            StorageError: the disk refused.

        """
        if not is_name(name):
            raise BadInputError(
                f"The provider calls you “{name[:50]}”, which cannot be the name of an account here.",
                hint="Ask whoever runs this page.",
            )
        known = self._person(name)
        if known is not None and known.subject != person.subject:
            # Names may be given away again at a provider, and what was said under one stays somebody else's.
            raise BadInputError(f"The name {name} belongs to somebody else here.", hint="Ask whoever runs this page.")
        if known != person:
            write_atomic(paths.made(self._folder / name) / _FILE, person.model_dump_json(), mode=0o600)

    @property
    def names(self) -> tuple[str, ...]:
        """Everybody who has signed in."""
        return tuple(sorted(file.parent.name for file in self._folder.glob(f"*/{_FILE}")))

    def candidates_of(self, name: str | None) -> tuple[str, ...]:
        """The candidates of somebody's groups where they are a mentor; nobody for everybody else."""
        return self._others(name, mentor=True)

    def mentors_of(self, name: str | None) -> tuple[str, ...]:
        """The mentors of a candidate's groups; nobody for everybody else."""
        return self._others(name, mentor=False)

    def groups_of(self, name: str | None) -> tuple[str, ...]:
        """The groups that somebody belongs to."""
        person = self._person(name)
        return tuple(sorted(person.groups)) if person is not None else ()

    def is_mentor(self, name: str | None) -> bool:
        """Whether that is a mentor."""
        person = self._person(name)
        return person is not None and person.mentor

    def _others(self, name: str | None, *, mentor: bool) -> tuple[str, ...]:
        """Those of somebody's groups who are what they are not."""
        own = self._person(name)
        if own is None or own.mentor is not mentor or not own.groups:
            return ()
        known = ((other, self._person(other)) for other in self.names)
        return tuple(
            other for other, person in known if person and person.mentor is not mentor and person.groups & own.groups
        )

    def _person(self, name: str | None) -> Person | None:
        if not name:
            return None
        try:
            return Person.model_validate_json((self._folder / name / _FILE).read_bytes())
        except FileNotFoundError:
            return None
        except (OSError, ValidationError) as error:
            raise BadInputError(
                f"What is known of {name} cannot be read.", hint="Ask whoever runs this page."
            ) from error
