"""Commands on a loop: several interviews, one after another, and their debrief."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from interviewer.cli.options import AsJson, Database, JudgeUrl, LlmUrl, Model, text_of
from interviewer.cli.output import err, give, print_json, say
from serving.errors import BadInputError

if TYPE_CHECKING:
    from interviewer.loop.rounds import HeldRound
    from interviewer.session.journal import EventJournal
    from interviewer.session.loop_plan import LoopPlan

loop = typer.Typer(
    help="Run a loop of interviews, as companies do, and read the debrief.", no_args_is_help=True, add_completion=False
)

Models = tuple[str | None, str | None, list[str] | None]
"""The options of a model server: its URL, its model, and servers of the judge."""

Loop = Annotated[str | None, typer.Argument(metavar="LOOP", help="Id of a loop; the latest if left out.")]
Through = Annotated[bool, typer.Option("--through", help="Run all remaining rounds, one after another.")]


@loop.command("template")
def template(
    name: Annotated[str | None, typer.Argument(help="Name of a template; if left out, lists them.")] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="File to write; stdout if left out.")] = None,
) -> None:
    """Write a template to edit: large company, research lab, start-up, or new graduate."""
    from interviewer.loop.templates import TEMPLATES

    if name is None:
        for each in TEMPLATES:
            say(each)
        return
    give(_template(name).model_dump_json(indent=2) + "\n", output)


@loop.command("start")
def start(
    name: Annotated[str, typer.Option("--template", help="Name of a template.")] = "large company",
    file: Annotated[Path | None, typer.Option(help="A template that you edited, to use instead.")] = None,
    level: Annotated[
        Literal["junior", "mid", "senior", "staff"] | None, typer.Option(help="Level; the template's if left out.")
    ] = None,
    role: Annotated[str | None, typer.Option(help="A role; the template's if left out.")] = None,
    subject: Annotated[str | None, typer.Option(help="What the deep dive is about: a piece of your own work.")] = None,
    paper: Annotated[str | None, typer.Option(help="What the deep dive is about: the title of a paper.")] = None,
    through: Through = False,
    llm_url: LlmUrl = None,
    model: Model = None,
    judge_url: JudgeUrl = None,
    database: Database = None,
) -> None:
    """Start a loop and run its first round in the terminal."""
    from interviewer.session.journal import new_session_id
    from interviewer.session.loop_plan import LoopPlan
    from knowledge.model import Level

    if subject and paper:
        raise BadInputError("A deep dive is about one thing.", hint="Give --subject or --paper.")
    plan = _read(file) if file else _template(name)
    chosen: dict[str, Any] = {"level": Level(level)} if level else {}
    chosen |= {"role": role} if role is not None else {}
    chosen |= {"subject": subject or paper, "paper": bool(paper)} if subject or paper else {}
    plan = LoopPlan.model_validate(plan.model_copy(update=chosen).model_dump())
    _hold(new_session_id(), plan, through=through, models=(llm_url, model, judge_url), database=database)


@loop.command("next")
def go_on(
    name: Loop = None,
    through: Through = False,
    llm_url: LlmUrl = None,
    model: Model = None,
    judge_url: JudgeUrl = None,
    database: Database = None,
) -> None:
    """Run the next round, or resume the one in progress."""
    from interviewer.loop.rounds import plan_of
    from interviewer.storage.registry import open_journal

    with open_journal(database) as journal:
        loop_id, held = _find(journal, name)
    _hold(loop_id, plan_of(held), through=through, models=(llm_url, model, judge_url), database=database)


@loop.command("show")
def show(name: Loop = None, as_json: AsJson = False, database: Database = None) -> None:
    """Show the rounds of a loop and where each stands."""
    from interviewer.loop.phrases import outline
    from interviewer.loop.rounds import plan_of
    from interviewer.storage.registry import open_journal

    with open_journal(database) as journal:
        loop_id, held = _find(journal, name)
    plan = plan_of(held)
    if as_json:
        rounds = [{"number": each.place.number, "session": each.session_id, "over": each.over} for each in held]
        print_json({"id": loop_id, "plan": plan.model_dump(mode="json"), "held": rounds})
        return
    say(f"{loop_id}  {plan.name}, {plan.level.value}")
    for line in outline(plan, held):
        say(line)


@loop.command("debrief")
def debrief_(
    name: Loop = None,
    form: Annotated[Literal["md", "json"], typer.Option("--format", help="What to write.")] = "md",
    output: Annotated[Path | None, typer.Option("-o", "--output", help="File to write; stdout if left out.")] = None,
    database: Database = None,
) -> None:
    """Write the debrief: each interviewer's evidence, their disagreements, a recommendation, what would change it."""
    from interviewer.loop.debrief import debrief
    from interviewer.loop.phrases import markdown
    from interviewer.loop.rounds import plan_of
    from interviewer.storage.registry import open_journal

    with open_journal(database) as journal:
        loop_id, held = _find(journal, name)
    found = debrief(loop_id, plan_of(held), held)
    give(markdown(found) if form == "md" else found.model_dump_json(indent=2) + "\n", output)


def _template(name: str) -> LoopPlan:
    from interviewer.loop.templates import TEMPLATES

    if name not in TEMPLATES:
        raise BadInputError(f"There is no template {name}.", hint=f"Choose one of: {', '.join(TEMPLATES)}.")
    return TEMPLATES[name]


def _read(file: Path) -> LoopPlan:
    from pydantic import ValidationError

    from interviewer.session.loop_plan import LoopPlan

    try:
        return LoopPlan.model_validate_json(text_of(file))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the file"
        raise BadInputError(
            f"{file} is not a plan of a loop: {where}: {first['msg']}.", hint="`loop template NAME` writes one to edit."
        ) from error


def _find(journal: EventJournal, name: str | None) -> tuple[str, tuple[HeldRound, ...]]:
    from interviewer.loop.journal import held_loops

    held = held_loops(journal)
    found = next(iter(held), None) if name is None else name if name in held else None
    if found is None:
        said = "No loop was started yet." if name is None else f"There is no loop {name}."
        raise BadInputError(said, hint="`loop start` starts one; `loop show` shows the latest.")
    return found, held[found]


def _hold(loop_id: str, plan: LoopPlan, *, through: bool, models: Models, database: str | None) -> None:
    """Holds the next round in the terminal, and with ``through`` those after it as long as each comes to its end."""
    from interviewer.cli.console import PlainConsole
    from interviewer.cli.container import Container
    from interviewer.cli.keyboard import Keyboard
    from interviewer.cli.terminal import TerminalInterview, terminal_service
    from interviewer.loop.journal import held_loops
    from interviewer.loop.rounds import begun, next_number, plan_round
    from interviewer.session.loop_plan import LoopPlace
    from interviewer.session.queries import require_plan
    from interviewer.storage.registry import open_journal

    container = Container(*models)
    index = container.library()
    with (
        open_journal(database) as journal,
        terminal_service(container, journal, index, remote=bool(models[0] or models[2])) as service,
    ):
        while True:
            held = held_loops(journal).get(loop_id, ())
            number = next_number(plan, held)
            if number is None:
                err.print(
                    f"All rounds are finished. For the debrief: python app.py loop debrief {loop_id}", highlight=False
                )
                return
            going = begun(held, number)
            place = LoopPlace(id=loop_id, number=number, plan=plan)
            planned = require_plan(going.state) if going else plan_round(place, held, index.questions(), editor=False)
            err.print(f"Round {number} of {len(plan.rounds)}: {place.round.kind}, {place.round.interviewer}")
            front = TerminalInterview(
                service, PlainConsole(), Keyboard(), resume_command=f"python app.py loop next {loop_id}"
            )
            session = front.hold(planned, going.session_id if going else None)
            if service.state(session).ended is None:
                return
            if not through:
                err.print(f"For the next round: python app.py loop next {loop_id}", highlight=False)
                return
