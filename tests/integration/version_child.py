"""A page without its views: holds interviews in a database, as it is told on its standard input, a request a line.

Run as ``python -m tests.integration.version_child URL`` in the folder of a version of the program. A request is a JSON
object with ``do``, the name of a function below, and what that is given; the reply is one with ``told`` or ``error``.
"""

from __future__ import annotations

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from interviewer.engine.service import InterviewService
from interviewer.report.analysis.findings import findings
from interviewer.report.render.json import comparable
from interviewer.session import events
from interviewer.storage.archive import export_all, import_all
from interviewer.storage.postgres_journal import PostgresJournal
from serving.errors import InterviewerError
from tests.integration.test_full_disk import ANSWERS, BANK, PLAN
from tests.interviewer.builders import KeywordGrader, Shelf, at

SESSION = "one"


class Page:
    """An account's part of a page."""

    def __init__(self, url: str, owner: str) -> None:
        self.journal = PostgresJournal(url, owner)
        self.service = InterviewService(self.journal, Shelf(BANK), KeywordGrader(), patience_s=None)

    def start(self, session: str = SESSION) -> None:
        self.service.start(PLAN, session)

    def advance(self) -> bool:
        self.service.grade_due(SESSION)
        return self.service.advance(SESSION).ended is not None

    def answer(self, number: int, session: str = SESSION) -> None:
        self.service.answer(session, ANSWERS[number % len(ANSWERS)], f"answer-{number}")

    def hold(self) -> None:
        self.start()
        number = 0
        while not self.advance():
            self.answer(number)
            number += 1

    def append(self, kind: str, **fields: Any) -> bool:
        event = getattr(events, kind)(id=kind, at=at(1), **fields)
        return self.journal.append(SESSION, event)

    def outcome(self) -> dict[str, object]:
        return comparable(findings(SESSION, self.service.state(SESSION)))

    def stored(self) -> list[str]:
        return [event.id for event in self.journal.events(SESSION)]

    def export(self, file: str) -> int:
        return export_all(self.journal, Path(file).parent / "none", Path(file)).newer

    def take(self, file: str) -> int:
        return import_all(Path(file), self.journal, Path(file).parent / "none").events


def main(url: str) -> None:
    pages: dict[str, Page] = {}

    def hold_all(owners: list[str]) -> None:
        with ThreadPoolExecutor(len(owners)) as pool:
            list(pool.map(lambda page: page.hold(), [pages.setdefault(each, Page(url, each)) for each in owners]))

    for line in sys.stdin:
        wanted = json.loads(line)
        name, owner = wanted.pop("do"), wanted.pop("owner", "")
        try:
            if name == "hold_all":
                told = hold_all(**wanted)
            else:
                page = pages.get(owner) or pages.setdefault(owner, Page(url, owner))
                told = partial(getattr(page, name), **wanted)()
        except InterviewerError as error:
            reply = {"error": str(error)}
        else:
            reply = {"told": told}
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
