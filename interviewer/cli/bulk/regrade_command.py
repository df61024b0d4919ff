"""``regrade --all --ray``: the journal's interviews, graded again by a Ray cluster."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Protocol

from rich.progress import Progress as Bar

from interviewer.cli.bulk.grading_actor import OPENER, Judge
from interviewer.cli.bulk.ray_cluster import AGAIN, connected, need_ray
from interviewer.cli.bulk.ray_regrading import Kept, RayRegrading, Told, Work
from interviewer.cli.commands.reports import known_events
from interviewer.cli.options import need_one_judge
from interviewer.cli.output import counting, err
from interviewer.report.analysis.regrade import Regrade, RegradedTerm, RegradeRequest, compare, due, term
from interviewer.storage.registry import open_journal
from interviewer.storage.regrades import Regrades
from interviewer.storage.results.regrade_folder import RegradeFolder
from interviewer.text import count
from serving import paths
from serving.errors import StorageError

if TYPE_CHECKING:
    from interviewer.session.events import Event
    from interviewer.session.journal import EventJournal
    from rubric.model import Grade


class Keeper(Kept, Protocol):
    """Where it is kept what came of interviews, and until when: see ``Regrades`` and ``RegradeFolder``."""

    def take(self, sessions: Iterable[str], *, again: bool = False) -> list[str]:
        """Those that are still to be graded."""

    def outcomes(self, sessions: Iterable[str]) -> dict[str, str]:
        """What came of those that are done."""

    def failures(self, sessions: Iterable[str]) -> dict[str, str]:
        """Why others cannot be graded."""


def regraded_by_ray(
    address: str,
    database: str | None,
    *,
    llm_url: str | None,
    model: str | None,
    judge_urls: list[str] | None,
    again: bool,
    opener: str = "",
) -> RegradedTerm:
    """All interviews of a journal that were answered in, graded again.

    Args:
        address: of the Ray cluster.
        database: of the interviews; the file in the home where left out.
        llm_url: the model server that each actor asks.
        model: which of its models.
        judge_urls: the judges that each actor asks; one of its own where no server is named either.
        again: whether to forget what came of it before.
        opener: what opens an actor's judge, as ``module:name``.

    Raises:
        BadInputError: there is no such address or judge.
        ServiceMissingError: the cluster or the judge is not there; what was done is kept.
        StorageError: the database or the disk refused.

    """
    need_ray(address)
    need_one_judge(llm_url, judge_urls)
    judge: Judge = {"llm_url": llm_url, "model": model, "judge_urls": judge_urls}
    with open_journal(database) as journal:
        names = [one.id for one in journal.sessions() if one.asked]
        keeper = _keeper(journal)
        left = keeper.take(names, again=again)
        work = _work(journal, keeper, left)
        if len(left) < len(names):
            before = count(len(names) - len(left), "interview")
            err.print(f"{before} graded before; --again grades everything anew.", highlight=False)
        if work:
            _have_done(address, keeper, opener or OPENER, judge, work)
        done = {name: Regrade.model_validate_json(each) for name, each in keeper.outcomes(names).items()}
        return term(done, keeper.failures(names))


def _keeper(journal: EventJournal) -> Keeper:
    from interviewer.storage.postgres_journal import PostgresJournal

    return Regrades(journal) if isinstance(journal, PostgresJournal) else RegradeFolder(paths.home())


def _work(journal: EventJournal, keeper: Keeper, sessions: Iterable[str]) -> list[Work]:
    found = []
    for session in sessions:
        events = known_events(journal, session)
        try:
            requests = due(events)
        except StorageError as error:
            keeper.give_up(session, str(error))
            continue
        found.append(
            Work(session, [each.request.model_dump_json() for each in requests], partial(_outcome, events, requests))
        )
    return found


def _outcome(events: tuple[Event, ...], requests: tuple[RegradeRequest, ...], grades: list[Grade]) -> str:
    by_answer = {request.answer_id: grade for request, grade in zip(requests, grades, strict=True)}
    return compare(events, by_answer).model_dump_json()


def _have_done(address: str, keeper: Keeper, opener: str, judge: Judge, work: list[Work]) -> None:
    def tell(sentence: str) -> None:
        err.print(sentence, markup=False, highlight=False, soft_wrap=True)

    with Bar(*counting(), console=err, transient=True) as bar:
        task = bar.add_task("Connecting to Ray", total=len(work))

        def show(told: Told) -> None:
            starting = f", {told.starting} starting" if told.starting else ""
            bar.update(task, description=f"{count(told.machines, 'machine')} grading{starting}", completed=told.done)

        try:
            with connected(address):
                RayRegrading(keeper, opener, judge, tell, show).run(work)
        except KeyboardInterrupt:
            tell(f"Stopped. {AGAIN}")
            raise
