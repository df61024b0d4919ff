"""Every layout in every format gives the same questions."""

from __future__ import annotations

import pytest

from knowledge.documents.formats import docx, html, pdf
from knowledge.documents.reader import Document, document_from, parse
from knowledge.extraction.extractor import questions
from knowledge.model import Kind, Question
from tests.knowledge import stories


def document(form: str, style: str) -> Document:
    if form == "markdown":
        return parse(stories.as_markdown(style), "x.md")
    if form == "html":
        return document_from(html.convert(stories.as_html(style).encode()), "x.html")
    if form == "docx":
        return document_from(docx.convert(stories.as_docx(style)), "x.docx")
    return document_from(pdf.convert(stories.as_pdf(style)), "x.pdf")


@pytest.mark.parametrize("form", ["markdown", "html", "docx", "pdf"])
@pytest.mark.parametrize("style", stories.STYLES)
def test_a_layout_gives_its_questions_and_no_others(form: str, style: str) -> None:
    got = questions(document(form, style))
    assert [question.text for question in got] == [text for _, text in stories.QUESTIONS]
    assert [question.source.section[-1] for question in got] == [section for section, _ in stories.QUESTIONS]
    assert [question.kind for question in got][3:] == [Kind.SYSTEM_DESIGN] * 2
    assert_answers(got)


def assert_answers(got: list[Question]) -> None:
    first, second, third, fourth, fifth = got
    assert first.reference.startswith("A view looks at the same storage")
    assert "Look at the base." in first.reference
    assert first.reference.endswith("That is what makes views cheap.")
    assert [block.text for block in first.code] == [stories.CODE]
    assert "The short version" in second.reference
    assert second.reference.endswith("Everything else is let go of as soon as it was used.")
    assert [block.text for block in third.code] == [stories.LONG_CODE]
    assert all(block.language == "python" for question in got for block in question.code)
    assert fourth.reference == "Replicas behind a balancer, batches within each replica."
    assert fifth.reference == "Shard the data, gather the gradients."
