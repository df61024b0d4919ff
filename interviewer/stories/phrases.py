"""The wording of a story bank. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from interviewer.stories.bank import changes
from interviewer.stories.story import Change, Story, Telling
from interviewer.text import count, day, shortened

NO_STORIES = "No stories yet: what you answer to behavioral questions is kept here."
_TITLE = 90


def overview(story: Story) -> Iterator[str]:
    """A story in the list, line by line: its name, its beginning, what it was missing, and how to tell it again."""
    latest = story.latest
    yield f"{story.id}  {day(latest.at)}  {count(len(story.tellings), 'version')}: “{_beginning(latest)}”"
    yield f"  {_missing(latest)}"
    yield f"  Tell it again: {again(latest)}"


def whole(story: Story) -> Iterator[str]:
    """Every telling of a story, line by line, each with what changed since the one before."""
    for telling, since in zip(story.tellings, (None, *changes(story)), strict=True):
        yield f"{day(telling.at)}, {count(telling.words, 'word')}, answer to “{telling.question}”"
        yield ""
        yield telling.text
        yield ""
        yield _missing(telling)
        if since is not None:
            yield from changed(since)
        yield ""
    yield f"Tell it again: {again(story.latest)}"


def again(telling: Telling) -> str:
    """The command that asks for the story again."""
    return f"python app.py interview --question {telling.question_id}"


def _beginning(telling: Telling) -> str:
    return shortened(" ".join(telling.text.split()), _TITLE)


def _missing(telling: Telling) -> str:
    unsure = f" The judge is unsure of {count(telling.unsure, 'point')}." if telling.unsure else ""
    if telling.missing:
        return f"Missing: {' '.join(telling.missing)}{unsure}"
    if telling.made:
        return f"Nothing the judge was sure of is missing.{unsure}"
    return f"No point graded with certainty.{unsure}"


def changed(found: Change) -> Iterator[str]:
    """What changed from one telling to the next, a sentence each."""
    if found.gained:
        yield f"New since the version before: {' '.join(found.gained)}"
    if found.lost:
        yield f"In the version before, and no longer: {' '.join(found.lost)}"
    length, figures = "as long", ""
    if found.words:
        length = f"{count(abs(found.words), 'word')} {'longer' if found.words > 0 else 'shorter'}"
    if found.figures:
        figures = f", {count(abs(found.figures), 'more figure' if found.figures > 0 else 'fewer figure')}"
    yield f"Compared with the version before: {length}{figures}."
