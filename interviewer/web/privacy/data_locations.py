"""Where a page keeps and sends what people give to it, and the sentences that say so. Pure."""

from __future__ import annotations

from typing import NamedTuple

from interviewer.text import capitalized


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
            place = "The files are kept in a store that may be on another machine."
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
        away = ["interviews are in a database"] if self.has_database else []
        away += ["recordings and documents are in a file store"] if self.has_file_store else []
        if not away:
            return f"everything you chose here and all of the above are {here}."
        both = "both may be on other machines" if len(away) > 1 else "it may be on another machine"
        return f"{' and '.join(away)}; {both}. Everything else is {here}."

    @property
    def sent(self) -> str:
        """What is sent to be worked on."""
        sent = ["what you say is sent to a judge server"] if self.has_judges else []
        sent += ["your code is sent to a runner"] if self.has_runners else []
        if not sent:
            return "Nothing is sent anywhere else."
        both = "both may be other machines" if len(sent) > 1 else "it may be another machine"
        return f"{capitalized(' and '.join(sent))}; {both}. Nothing is sent anywhere else."


ALL_HERE = DataLocations()
"""The default: one person on their own machine."""
