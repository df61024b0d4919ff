"""The story bank as HTML: a form for a story, and every story with what it shows of its question. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from textwrap import shorten

from interviewer.stories.bank import FEWEST_WORDS, changes
from interviewer.stories.phrases import changed
from interviewer.stories.story import Change, Story, Telling
from interviewer.text import count, day
from interviewer.understanding.input_validation import LONGEST_ANSWER
from interviewer.web.safe_html import text
from knowledge.model import Question

_LONGEST_NAME = 90
"""Characters by which a story is named."""

_NONE = "No stories yet. What you answer to behavioral questions is kept here, and you can add a story above."


def stories_html(
    stories: Sequence[Story], questions: Sequence[Question], waiting: Collection[str], request: str, now: datetime
) -> str:
    """What stands in the dialog.

    Args:
        stories: the one told last first.
        questions: the behavioral ones that a story may be told to.
        waiting: interviews with marks still to come, by id.
        request: names the interview that a story typed here is kept as.
        now: in the time zone in which times are told.

    """
    head = '<header><h2 id="stories-title">Stories</h2><form method="dialog"><button>Close</button></form></header>'
    return (
        f'{head}<p class="quiet">Stories from your work, for behavioral questions. Each is kept with what it shows and '
        'what it is missing.</p><p role="status" class="saved quiet"></p>'
        f"{_form_html(questions, request)}{list_html(stories, waiting, now)}"
    )


def list_html(stories: Sequence[Story], waiting: Collection[str], now: datetime) -> str:
    """The stories alone, which the page asks for again until all marks are there."""
    due = any(telling.session_id in waiting for story in stories for telling in story.tellings)
    held = "".join(_story_html(story, waiting, now) for story in stories)
    body = f'<ul class="stories">{held}</ul>' if held else f'<p class="quiet">{_NONE}</p>'
    return f'<section class="kept" aria-label="Your stories"{" data-waiting" if due else ""}>{body}</section>'


def _form_html(questions: Sequence[Question], request: str) -> str:
    if not questions:
        return '<p class="quiet">No behavioral questions are available.</p>'
    options = "".join(f'<option value="{text(each.id)}">{text(each.spoken)}</option>' for each in questions)
    return (
        f'<form class="tell" data-request="{text(request)}"><label>Question<select name="question">{options}</select>'
        f'</label><label>Story<textarea name="text" rows="6" maxlength="{LONGEST_ANSWER}" required></textarea></label>'
        f'<p class="quiet">Say what happened, what you did, and how it turned out, in at least {FEWEST_WORDS} words. '
        "The story is kept and graded as an interview of this one question.</p>"
        '<button type="submit">Add story</button></form>'
    )


def _story_html(story: Story, waiting: Collection[str], now: datetime) -> str:
    latest = story.latest
    name = text(shorten(latest.text, _LONGEST_NAME, placeholder=" …"))
    since = (None, *changes(story))
    told = "".join(
        _telling_html(telling, change, now, "" if telling is latest else _shows_html(telling, waiting))
        for telling, change in reversed(list(zip(story.tellings, since, strict=True)))
    )
    return (
        f'<li data-story="{text(story.id)}"><h3>“{name}”</h3><p class="quiet">{_when(latest, now)}, '
        f"{count(latest.words, 'word')}, {count(len(story.tellings), 'version')}</p>{_shows_html(latest, waiting)}"
        f"<details><summary>{'Read it' if len(story.tellings) == 1 else 'Read all versions'}</summary>{told}</details>"
        f'<p class="does"><button type="button" data-again="{text(latest.question_id)}" '
        f'aria-label="Tell it again: {name}">Tell it again</button> '
        f'<button type="button" class="plain" data-remove="{text(story.id)}" aria-label="Remove: {name}">'
        "Remove</button></p></li>"
    )


def _shows_html(telling: Telling, waiting: Collection[str]) -> str:
    """What a telling shows of what its question asks for; only what the judge is sure of is said."""
    rows = [("Shows", telling.made), ("Missing", telling.missing)]
    said = "".join(
        f"<dt>{name}</dt><dd><ul>{''.join(f'<li>{text(point)}</li>' for point in points)}</ul></dd>"
        for name, points in rows
        if points
    )
    if telling.session_id in waiting:
        rest = "Being graded. The marks appear here in a moment."
    elif telling.unsure:
        rest = f"The judge is unsure of {count(telling.unsure, 'point')}."
    else:
        rest = "" if said else "This question has nothing to grade."
    asked = f'<p class="asked">Answer to “{text(telling.question)}”</p>'
    return f"{asked}{f'<dl>{said}</dl>' if said else ''}{f'<p class=quiet>{rest}</p>' if rest else ''}"


def _telling_html(telling: Telling, since: Change | None, now: datetime, shows: str) -> str:
    told = "".join(f"<p>{text(part)}</p>" for part in telling.text.split("\n\n"))
    compared = "".join(f'<p class="quiet">{text(line)}</p>' for line in changed(since)) if since is not None else ""
    return f"<article><h4>{_when(telling, now)}</h4><blockquote>{told}</blockquote>{shows}{compared}</article>"


def _when(telling: Telling, now: datetime) -> str:
    local = telling.at.astimezone(now.tzinfo)
    return day(local)
