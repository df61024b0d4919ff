"""One small document of every format that is read, each with one question, made without development packages."""

from __future__ import annotations

import io
import json
import zipfile

from reportlab.pdfgen.canvas import Canvas

ANSWER = "It shares the storage of its base, so a change of one is a change of both."
_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml"


def question_in(suffix: str) -> str:
    """The question that the document of a format asks; no two formats ask the same."""
    return f"What is a view, as a {suffix.removeprefix('.')} file tells it?"


def document(suffix: str) -> bytes:
    """A document.

    Args:
        suffix: how its name ends, such as ``.pdf``.

    Raises:
        KeyError: no document of that format is made here.

    """
    return _MADE[suffix](question_in(suffix))


def _markdown(question: str) -> bytes:
    return f"# Tensors\n\n## {question}\n\n{ANSWER}\n".encode()


def _text(question: str) -> bytes:
    return f"Q: {question}\nA: {ANSWER}\n".encode()


def _html(question: str) -> bytes:
    return f"<!doctype html><html><body><main><h2>{question}</h2><p>{ANSWER}</p></main></body></html>".encode()


def _notebook(question: str) -> bytes:
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": [f"## {question}\n", "\n", ANSWER]},
        {"cell_type": "code", "metadata": {}, "source": ["x.view(2)"], "execution_count": None, "outputs": []},
    ]
    return json.dumps({"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": cells}).encode()


def _csv(question: str) -> bytes:
    return f'question,answer\n"{question}","{ANSWER}"\n'.encode()


def _tsv(question: str) -> bytes:
    return f"question\tanswer\n{question}\t{ANSWER}\n".encode()


def _json(question: str) -> bytes:
    return json.dumps([{"question": question, "answer": ANSWER}]).encode()


def _json_line(question: str) -> bytes:
    return json.dumps({"question": question, "answer": ANSWER}).encode() + b"\n"


def _pdf(question: str) -> bytes:
    file = io.BytesIO()
    canvas = Canvas(file)
    canvas.setFont("Helvetica-Bold", 18)
    canvas.drawString(72, 760, question)
    canvas.setFont("Helvetica", 11)
    canvas.drawString(72, 730, ANSWER)
    canvas.save()
    return file.getvalue()


def _docx(question: str) -> bytes:
    """What Word needs at least: a body, a style for its heading, and what ties them together."""
    declared = "".join(
        f'<Override PartName="/word/{part}.xml" ContentType="{_WORD}.{kind}+xml"/>'
        for part, kind in (("document", "document.main"), ("styles", "styles"))
    )
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f"{declared}</Types>",
        "_rels/.rels": _related(("officeDocument", "word/document.xml")),
        "word/_rels/document.xml.rels": _related(("styles", "styles.xml")),
        "word/styles.xml": f'<w:styles xmlns:w="{_W}"><w:style w:type="paragraph" w:styleId="Heading2">'
        '<w:name w:val="heading 2"/></w:style></w:styles>',
        "word/document.xml": f'<w:document xmlns:w="{_W}"><w:body>'
        f'<w:p><w:pPr><w:pStyle w:val="Heading2"/></w:pPr><w:r><w:t>{question}</w:t></w:r></w:p>'
        f"<w:p><w:r><w:t>{ANSWER}</w:t></w:r></w:p></w:body></w:document>",
    }
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, xml in parts.items():
            archive.writestr(name, f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>{xml}')
    return file.getvalue()


def _related(*targets: tuple[str, str]) -> str:
    links = "".join(
        f'<Relationship Id="rId{number}" Type="{_OFFICE}/{kind}" Target="{target}"/>'
        for number, (kind, target) in enumerate(targets, 1)
    )
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{links}</Relationships>'


_MADE = {
    ".md": _markdown,
    ".markdown": _markdown,
    ".txt": _text,
    ".html": _html,
    ".htm": _html,
    ".xhtml": _html,
    ".docx": _docx,
    ".ipynb": _notebook,
    ".csv": _csv,
    ".tsv": _tsv,
    ".json": _json,
    ".jsonl": _json_line,
    ".ndjson": _json_line,
    ".pdf": _pdf,
}
