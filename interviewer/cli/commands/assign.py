"""The commands that give assignments, list them, and change them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import typer

from interviewer.cli.assignments import members, telling
from interviewer.cli.container import assignments_of, mentor_assignments_of
from interviewer.cli.options import AsJson, Database, text_of
from interviewer.cli.output import err, print_json, say
from interviewer.planning.agenda import DEFAULTS
from serving import paths
from serving.errors import BadInputError

if TYPE_CHECKING:
    from interviewer.assignments.store import AssignmentStore
    from interviewer.session.plan import Plan
    from interviewer.web.assignments.candidate_assignments import CandidateAssignments
    from interviewer.web.assignments.mentor_assignments import Directory, MentorAssignments

By = Annotated[
    str,
    typer.Option(metavar="NAME", help="The account in whose name; that of the home if it is the folder of an account."),
]
AuthFile = Annotated[
    Path | None,
    typer.Option(help="The file of accounts, as `serve` has it; if left out, those who have signed in at the page."),
]
Zone = Annotated[str, typer.Option(metavar="NAME", help="The time zone of the due time, such as Europe/Berlin.")]


def assign(
    title: Annotated[str, typer.Argument(help="What the assignment is called.")],
    due: Annotated[str, typer.Option(metavar="TIME", help="By when it is due, such as '2026-12-04 18:00'.")],
    zone: Zone = "UTC",
    by: By = "",
    group: Annotated[str, typer.Option(metavar="NAME", help="For which group, if the mentor has several.")] = "",
    candidate: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="For this candidate of the group alone; can be repeated."),
    ] = None,
    agenda: Annotated[
        Path | None,
        typer.Option(help="A file with the agenda, one question a line: topic, kind, minutes. If left out, drawn up."),
    ] = None,
    topic: Annotated[list[str] | None, typer.Option(help="A topic to draw the agenda up of; can be repeated.")] = None,
    role: Annotated[str, typer.Option(help="A role to draw the agenda up for, such as 'ML engineer'.")] = "",
    minutes: Annotated[
        int, typer.Option(help="Length to draw the agenda up for, in minutes.", min=5, max=180)
    ] = DEFAULTS.minutes or 30,
    level: Annotated[
        Literal["junior", "mid", "senior", "staff"], typer.Option(help="Level to aim at.")
    ] = DEFAULTS.level.value,
    style: Annotated[
        Literal["friendly", "neutral", "demanding"], typer.Option(help="The interviewer's tone.")
    ] = DEFAULTS.style.value,
    exam: Annotated[bool, typer.Option("--exam", help="No hints, and no marks before the end.")] = False,
    only_listed: Annotated[
        bool,
        typer.Option("--only-listed/--any-topic", help="Ask on topics of the agenda only, whatever is left of them."),
    ] = True,
    talks: Annotated[
        bool, typer.Option("--talks/--no-talks", help="Include a warm-up and time for the candidate's questions.")
    ] = DEFAULTS.talks,
    note: Annotated[str, typer.Option(help="What the candidates are told beside it.")] = "",
    tries: Annotated[
        int | None, typer.Option(help="How many interviews each may begin for it; if left out, as many as they like.")
    ] = None,
    auth_file: AuthFile = None,
    database: Database = None,
    as_json: AsJson = False,
) -> None:
    """Give the candidates of a mentor's group an assignment: an interview with a fixed agenda and a due time."""
    from interviewer.planning.agenda import InterviewOptions, draw_up
    from interviewer.planning.agenda_text import agenda_text
    from interviewer.planning.assigned import AssignmentWish
    from interviewer.planning.known_names import known_topic, topics_of
    from interviewer.session.journal import new_session_id
    from interviewer.session.plan import Mode
    from knowledge.bank.parser import load_bank
    from knowledge.model import Level

    if agenda is not None and (topic or role):
        raise BadInputError("The agenda is in a file.", hint="Give --agenda, or --topic and --role.")
    with _mentors(auth_file, database) as (mentors, directory, _):
        mentor = members.mentor(directory, by, auth_file)
        if agenda is None:
            bank = load_bank()
            topics = tuple(known_topic(each, topics_of(bank)) for each in topic or ())
            wish = InterviewOptions(role=role, topics=topics, level=Level(level), minutes=minutes, talks=talks)
            lines = agenda_text(draw_up(wish, bank))
            if not lines:
                raise BadInputError("No questions match your choices.", hint="Choose other topics, or more minutes.")
        else:
            lines = text_of(agenda)
        given = mentors.give(
            mentor,
            AssignmentWish(
                title=title,
                group=group or _only_group(directory.groups_of(mentor)),
                candidates=tuple(dict.fromkeys(candidate or ())),
                agenda=lines,
                level=level,
                style=style,
                mode=(Mode.EXAM if exam else Mode.PRACTICE).value,
                only_listed=only_listed,
                talks=talks,
                note=note,
                due=due,
                zone=zone,
                tries="" if tries is None else str(tries),
            ),
            new_session_id(),
            datetime.now().astimezone(),
        )
    if as_json:
        print_json(given.model_dump(mode="json"))
        return
    say(given.id)
    err.print(f"Given to {given.whom}, due {telling.due(given)}.", markup=False, highlight=False, soft_wrap=True)


def assignments(
    name: Annotated[str | None, typer.Argument(metavar="ID", help="Id of an assignment, as it is listed.")] = None,
    extend: Annotated[
        str | None, typer.Option(metavar="TIME", help="Give it another due time; it is open again if it was closed.")
    ] = None,
    close: Annotated[bool, typer.Option("--close", help="Let nobody begin it any more.")] = False,
    withdraw: Annotated[
        bool, typer.Option("--withdraw", help="Take it back; interviews held for it stay, with their results.")
    ] = False,
    zone: Zone = "UTC",
    by: By = "",
    auth_file: AuthFile = None,
    database: Database = None,
    as_json: AsJson = False,
) -> None:
    """List a mentor's assignments, show how far each candidate is with one, or change one.

    In the home of a candidate's account, it lists what they were given, or shows one of these.
    """
    from interviewer.web.assignments.candidate_assignments import CandidateAssignments

    if sum((extend is not None, close, withdraw)) > 1:
        raise BadInputError("An assignment is changed in one way at a time.")
    if name is None and (extend is not None or close or withdraw):
        raise BadInputError("No assignment is named.", hint="Name one by its id, as `assignments` lists it.")
    now = datetime.now().astimezone()
    with _mentors(auth_file, database) as (mentors, directory, store):
        own = paths.owner(paths.home())
        if own and not directory.is_mentor(own) and not (extend or close or withdraw):
            members.candidate(directory, own, auth_file)
            _tell_candidate(CandidateAssignments(store, directory), own, name, database, now, as_json=as_json)
            return
        mentor = members.mentor(directory, by, auth_file)
        if name is None:
            found = mentors.followed(mentor, now)
            if as_json:
                print_json([telling.as_row(one) for one in found])
            elif not found:
                err.print("There are no assignments yet. `assign` gives one.")
            for one in () if as_json else found:
                say(telling.line(one))
            return
        if extend is not None:
            mentors.extend(mentor, name, extend, zone, now)
        elif close:
            mentors.close(mentor, name)
        elif withdraw:
            mentors.withdraw(mentor, name)
        one = mentors.one(mentor, name, now)
    if as_json:
        print_json(telling.as_row(one))
        return
    say(telling.line(one))
    for told in (*telling.details(one.assignment), *telling.candidates(one)):
        say(told)


class AssignedStart(NamedTuple):
    """How an interview for an assignment is held.

    Attributes:
        plan: that of a new one.
        session: the id of the one that is in progress; ``None`` where a new one begins.

    """

    plan: Plan
    session: str | None


def start_of(name: str, auth_file: Path | None, database: str | None, seed: int) -> AssignedStart:
    """How an interview for an assignment of the candidate whose home is used is held: begun, or resumed.

    Raises:
        BadInputError: it is not there for them, or no other interview may be begun for it.

    """
    from interviewer.assignments.progress import check_begin, unfinished
    from interviewer.planning.assigned import assigned_plan
    from interviewer.storage.registry import open_journal
    from interviewer.web.assignments.candidate_assignments import CandidateAssignments

    own = paths.owner(paths.home())
    if not own:
        raise BadInputError(
            "An assignment is done in the home of a candidate's account.",
            hint="Set INTERVIEWER_HOME to their folder below profiles/.",
        )
    with _mentors(auth_file, database) as (_, directory, store), open_journal(database) as journal:
        members.candidate(directory, own, auth_file)
        given = CandidateAssignments(store, directory).one(own, name, journal)
        going = unfinished(given.tries)
        if going is None:
            check_begin(given.assignment, given.tries)
    plan = assigned_plan(given.assignment, (), seed=seed, editor=False)
    return AssignedStart(plan, going.session if going else None)


def _tell_candidate(
    assigned: CandidateAssignments, own: str, name: str | None, database: str | None, now: datetime, *, as_json: bool
) -> None:
    """List what a candidate was given, or show the one that is named."""
    from interviewer.assignments.assignment import known
    from interviewer.storage.registry import open_journal

    with open_journal(database) as journal:
        given = assigned.given(own, journal, now)
    if name is not None:
        one = known([each.assignment for each in given], name)
        given = tuple(each for each in given if each.assignment is one)
    if as_json:
        rows = [{**each.assignment.model_dump(mode="json"), "stage": each.progress.stage.value} for each in given]
        print_json(rows if name is None else rows[0])
        return
    for each in given:
        say(telling.given_line(each))
        for told in telling.details(each.assignment) if name is not None else ():
            say(told)
    if not given:
        err.print("There are no assignments for you.")


@contextmanager
def _mentors(
    auth_file: Path | None, database: str | None
) -> Iterator[tuple[MentorAssignments, Directory, AssignmentStore]]:
    """What mentors do, and who is one."""
    from interviewer.web.accounts import read_accounts
    from interviewer.web.sign_in.people import People

    shared = paths.shared_home(paths.home())
    directory = read_accounts((), auth_file) or People(shared / paths.PROFILES)
    store = assignments_of(shared, database)
    try:
        yield mentor_assignments_of(shared, database, store, directory), directory, store
    finally:
        store.close()


def _only_group(groups: tuple[str, ...]) -> str:
    """The group of a mentor who has one.

    Raises:
        BadInputError: they have several.

    """
    if len(groups) != 1:
        raise BadInputError("The mentor has several groups.", hint=f"Give --group, one of: {', '.join(groups)}.")
    return groups[0]
