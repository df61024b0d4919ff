"""The command on the person's own stories."""

from __future__ import annotations

from typing import Annotated

import typer

from interviewer.cli.options import AsJson, Database
from interviewer.cli.output import err, print_json, say
from serving.errors import BadInputError


def stories(
    story: Annotated[str | None, typer.Argument(help="Id of a story, as listed.")] = None,
    delete: Annotated[
        bool, typer.Option("--delete", help="Delete the story; your answers stay in its interviews.")
    ] = False,
    as_json: AsJson = False,
    database: Database = None,
) -> None:
    """List the stories you told as answers to behavioral questions, show one with all its versions, or delete one."""
    from datetime import UTC, datetime

    from interviewer.engine.review_service import ReviewService
    from interviewer.engine.session_store import SessionStore
    from interviewer.engine.story_bank import StoryBank
    from interviewer.storage.registry import open_journal
    from interviewer.stories import phrases

    if delete and story is None:
        raise BadInputError("No story to delete was named.", hint="`stories` lists them with their ids.")
    with open_journal(database) as journal:
        bank = StoryBank(journal, ReviewService(SessionStore(journal, lambda: datetime.now(UTC))))
        if delete and story is not None:
            bank.remove(story)
            err.print("Story deleted. Your answers stay in its interviews; `data delete` deletes those.")
            return
        chosen = bank.all() if story is None else (bank.story(story),)
    if as_json:
        print_json([{"id": one.id, **one.model_dump(mode="json")} for one in chosen])
    elif not chosen:
        say(phrases.NO_STORIES)
    else:
        for one in chosen:
            for line in phrases.overview(one) if story is None else phrases.whole(one):
                say(line)
