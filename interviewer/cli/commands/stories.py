"""The command on the person's own stories."""

from __future__ import annotations

from typing import Annotated

import typer

from interviewer.cli.options import AsJson, Database
from interviewer.cli.output import err, print_json, say
from serving.errors import BadInputError


def stories(
    story: Annotated[str | None, typer.Argument(help="Id of a story, as the list has it.")] = None,
    delete: Annotated[
        bool, typer.Option("--delete", help="Delete the story; its interviews keep the answers.")
    ] = False,
    as_json: AsJson = False,
    database: Database = None,
) -> None:
    """List the stories you told as answers to behavioral questions, show one with all its tellings, or delete one."""
    from datetime import UTC, datetime

    from interviewer.engine.review_service import ReviewService
    from interviewer.engine.session_store import SessionStore
    from interviewer.session.journal import new_session_id
    from interviewer.session.reducer import fold
    from interviewer.storage.registry import open_journal
    from interviewer.stories import phrases
    from interviewer.stories.bank import stories as held_in

    if delete and story is None:
        raise BadInputError("Nothing says which story is to be deleted.", hint="`stories` lists them with their ids.")
    with open_journal(database) as journal:
        held = held_in({one.id: fold(journal.events(one.id)) for one in journal.sessions()})
        chosen = [one for one in held if story is None or one.id == story]
        if story is not None and not chosen:
            raise BadInputError(f"There is no story {story}.", hint="`stories` lists them with their ids.")
        if delete:
            reviews = ReviewService(SessionStore(journal, lambda: datetime.now(UTC)))
            for telling in chosen[0].tellings:
                reviews.forget_story(telling.session_id, telling.asked_id, new_session_id())
            err.print("The story is deleted. The interviews keep its answers: `data delete` deletes those.")
            return
    if as_json:
        print_json([{"id": one.id, **one.model_dump(mode="json")} for one in chosen])
    elif not chosen:
        say(phrases.NO_STORIES)
    else:
        for one in chosen:
            for line in phrases.overview(one) if story is None else phrases.whole(one):
                say(line)
