"""Where a page keeps and sends what people give to it, and the sentences that say so. Pure."""

from __future__ import annotations

from typing import NamedTuple


class DataLocations(NamedTuple):
    """What leaves the machine that runs the page; nothing does unless an option says so.

    Attributes:
        is_shared: whether people log in, whose own machine this then is not.
        has_database: whether interviews are in a database that may be on another machine.
        has_file_store: whether recordings and documents are in a store that may be on another machine.
        has_judges: whether answers are graded by servers that may be on other machines.
        has_runners: whether submitted code is run by servers that may be on other machines.

    """

    is_shared: bool = False
    has_database: bool = False
    has_file_store: bool = False
    has_judges: bool = False
    has_runners: bool = False

    @property
    def all_here(self) -> bool:
        """Whether everything is kept and done on one machine, which is the person's own."""
        return self == ALL_HERE

    @property
    def subtitle(self) -> str:
        """What stands beside the page's title."""
        return "PyTorch and deep learning, on your own machine." if self.all_here else "PyTorch and deep learning."

    @property
    def documents(self) -> str:
        """Where the files of a person's own documents are."""
        if self.has_file_store:
            place = "The files are kept in a store, maybe on another machine."
        elif self.is_shared:
            place = "The files stay on the machine that runs this page."
        else:
            place = "The files stay on this machine."
        sent = " What is asked from them is sent to a judge server with your answers." if self.has_judges else ""
        return f"{place}{sent}"

    @property
    def self_assessment(self) -> str:
        """Where a mark is that a person gives to themselves."""
        if self.is_shared or self.has_database:
            return "It is kept with the interview, where it can be used to improve the judge."
        return "It stays on this machine, where it can be used to improve the judge."

    def stored(self, folder: str) -> str:
        """Where everything is that the settings list.

        Args:
            folder: the one of the person's data, as HTML with a comma before it; empty where it is not told.

        """
        here = f"on the machine that runs the interviews{folder}"
        if self.has_database and self.has_file_store:
            away = (
                "interviews are in a database, recordings and documents in a file store, both maybe on other machines"
            )
        elif self.has_database:
            away = "interviews are in a database, maybe on another machine"
        elif self.has_file_store:
            away = "recordings and documents are in a file store, maybe on another machine"
        else:
            return f"everything you chose here and all of the above are {here}."
        return f"{away}. Everything else is {here}."

    @property
    def sent(self) -> str:
        """What is sent to be worked on."""
        if self.has_judges and self.has_runners:
            sent = (
                "What you say and type is sent to a judge server, and your code to a runner, maybe on other machines. "
            )
        elif self.has_judges:
            sent = "What you say and type is sent to a judge server, maybe on another machine. "
        elif self.has_runners:
            sent = "Your code is sent to a runner, maybe on another machine. "
        else:
            sent = ""
        return f"{sent}Nothing is sent anywhere else."


ALL_HERE = DataLocations()
"""The default: one person on their own machine."""
