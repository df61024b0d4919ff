"""The part of the set-up page that lists the person's own documents. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import gradio as gr

from interviewer.planning.agenda import InterviewOptions
from interviewer.text import count, shortened
from interviewer.web.safe_html import text
from knowledge.ingestion.own_documents import OwnDocument, OwnQuestion

_LISTED = 200
"""Questions of a document that are listed; the others are counted."""


def choices_of(documents: Sequence[OwnDocument], left_out: Collection[str] = ()) -> Any:
    """The boxes that say which documents may be asked from.

    Args:
        documents: all of them.
        left_out: paths of those that are not ticked.

    """
    named = [
        (f"{document.name} ({count(len(document.questions), 'question')})", document.path) for document in documents
    ]
    return gr.update(choices=named, value=[path for _, path in named if path not in left_out], visible=bool(named))


def left_out_by(chosen: Sequence[str], documents: Sequence[OwnDocument]) -> list[str]:
    """Paths of the documents that are not ticked."""
    return [document.path for document in documents if document.path not in set(chosen)]


def asked_from(wish: InterviewOptions, documents: Sequence[OwnDocument]) -> InterviewOptions:
    """The wish, with no document named where all of them are chosen."""
    chosen = set(wish.documents or ())
    everything = all(document.path in chosen for document in documents)
    return wish.model_copy(update={"documents": None if everything else wish.documents})


def not_caught_up(why: str) -> str:
    """What is told where documents cannot be brought to what other pages made of them."""
    return f"What you changed in your documents on another page may be missing here: {why} Reload it to try again."


def caught_up_html(changed: int, refused: Sequence[str]) -> str:
    """What is told once documents were brought to what other pages made of them."""
    said = [f"Brought up to date: {count(changed, 'document')} that you changed on another page."] if changed else []
    return "".join(f'<p class="note" role="status">{text(each)}</p>' for each in [*refused, *said])


def listed_html(documents: Sequence[OwnDocument]) -> str:
    """Each document with its questions, and a button that removes it."""
    return "".join(map(_document_html, documents))


def _document_html(document: OwnDocument) -> str:
    questions = document.questions
    rows = "".join(map(_question_html, questions[:_LISTED]))
    rows += f"<li>and {len(questions) - _LISTED} more</li>" if len(questions) > _LISTED else ""
    name = text(document.name)
    return (
        f'<details class="own-document"><summary>{name}: {count(len(questions), "question")}</summary><ol>{rows}</ol>'
        f'<button type="button" class="remove-document" data-source="{text(document.source)}" data-name="{name}">'
        f"Remove {name}</button></details>"
    )


def _question_html(question: OwnQuestion) -> str:
    merged = (
        f'<p class="quiet">Same as “{text(shortened(question.merged_into, 90))}”, which is asked instead. When '
        "you choose only your own documents, it is asked as written here.</p>"
        if question.merged_into
        else ""
    )
    return f"<li>{text(shortened(question.text, 200))}{merged}</li>"
