"""Commands that override or dispute a mark."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from interviewer.cli.commands.reports import known_events
from interviewer.cli.container import Container
from interviewer.cli.options import Database, JudgeUrl, LlmUrl, Model, Session
from interviewer.cli.output import err, say


def override(
    session: Session,
    asked: Annotated[str, typer.Argument(help="The question: its number, or the id under which it was asked.")],
    criterion: Annotated[str, typer.Argument(help="The point: its number, or its id.")],
    verdict: Annotated[
        Literal["met", "partial", "missing", "contradicted"],
        typer.Argument(metavar="MARK", help="The mark to use instead: met, partial, missing, or contradicted."),
    ],
    by: Annotated[str, typer.Option("--by", help="Who overrides it; the report names them.")],
    note: Annotated[str, typer.Option(help="Why; the report shows it.")] = "",
    database: Database = None,
) -> None:
    """Override a mark, as a mentor or teacher; the judge's own mark is kept beside it."""
    from datetime import UTC, datetime

    from interviewer.engine.review_service import ReviewService
    from interviewer.engine.session_store import SessionStore
    from interviewer.session.journal import new_session_id
    from interviewer.storage.registry import open_journal

    with open_journal(database) as journal:
        reviews = ReviewService(SessionStore(journal, lambda: datetime.now(UTC)))
        reviews.override(session, asked, criterion, verdict, by=by, note=note, request_id=new_session_id())
    err.print("Overridden. The report counts the new mark and says so.")


def dispute(
    session: Session,
    asked: Annotated[str, typer.Argument(help="The question: its number, or the id under which it was asked.")],
    criterion: Annotated[str, typer.Argument(help="The point: its number, or its id.")],
    reason: Annotated[str, typer.Option(help="Why; the report shows it, and the judge does not see it.")] = "",
    llm_url: LlmUrl = None,
    model: Model = None,
    judge_url: JudgeUrl = None,
    database: Database = None,
) -> None:
    """Dispute a mark of your own: the judge grades the point a second time, and both readings are shown."""
    from interviewer.engine.service import InterviewService
    from interviewer.report.analysis.questions import question_finding
    from interviewer.report.phrases.contested_marks import both_readings
    from interviewer.scoring.disputes import check_dispute
    from interviewer.scoring.overrides import marked
    from interviewer.session.journal import new_session_id
    from interviewer.session.queries import asked_by_id
    from interviewer.session.reducer import fold
    from interviewer.storage.registry import open_journal
    from rubric.grading.second_reading import SecondReader

    with open_journal(database) as journal:
        state = fold(known_events(journal, session))
        question, point = marked(state, asked, criterion)
        # Disputed before: the same command makes the second reading that could not be made then, and shows both.
        new = all(held.criterion_id != point for held in question.disputes)
        if new:
            check_dispute(state, question.asked_id, point, reason)
        container = Container(llm_url, model, judge_url)
        try:
            container.embedding_model()
            container.judge()
            reader = SecondReader(container.grader, container.statement_encoder)
            with InterviewService(
                journal, container.library(), container.grader, patience_s=None, second_reader=reader
            ) as service:
                if new:
                    state = service.reviews.dispute(session, question.asked_id, point, reason, new_session_id())
                else:
                    state = service.reviews.read_disputed(session)
        finally:
            container.close()
    found = question_finding(asked_by_id(state, question.asked_id))
    for line in both_readings(next(each for each in found.criteria if each.id == point)):
        say(line)
