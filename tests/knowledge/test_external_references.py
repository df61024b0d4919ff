"""Scripts, remote pictures, entities and relationships in documents: nothing is fetched, opened or rendered."""

from __future__ import annotations

import io
import json
import re
import threading
import urllib.request
import zipfile
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from docx import Document as Word

from interviewer.web.safe_html import markdown
from knowledge.documents.formats import sandboxed
from knowledge.documents.reader import read
from knowledge.extraction.extractor import questions
from serving.errors import BadInputError
from tests.knowledge.documents.formats.test_hostile_files import word_with

CANARY = "canary-3f9c1e-of-a-private-file"
QUESTION = "What is a view of a tensor?"
SCRIPT = "alert(document.domain)"

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"


class Bait:
    """A server that counts who comes, and a private file beside it."""

    def __init__(self, folder: Path) -> None:
        self.paths: list[str] = []
        paths = self.paths

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                paths.append(self.path)
                self.send_response(200)
                self.end_headers()
                self.wfile.write(b"fetched")

            def log_message(self, *_: object) -> None:
                """Keep quiet."""

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        threading.Thread(target=self._http.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}"
        file = folder / "private.txt"
        file.write_text(CANARY)
        self.file = file.as_uri()
        self.path = str(file)

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()


@pytest.fixture
def bait(tmp_path: Path) -> Iterator[Bait]:
    made = Bait(tmp_path)
    yield made
    made.close()


REACHED = 97
"""Exit status of a reader that reached for something: the sandbox lets it write nothing to tell of it."""


@pytest.fixture(autouse=True)
def _ends_where_it_reaches_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reader's process ends at the first connection, process, or private file that Python opens in it."""
    program = (
        "import os, sys, runpy\n"
        "def note(event, arguments):\n"
        "    private = event == 'open' and 'private.txt' in str(arguments[0])\n"
        "    outside = ('socket.connect', 'socket.getaddrinfo', 'subprocess.Popen', 'os.system', 'os.exec')\n"
        "    if private or event in outside:\n"
        "        os.write(2, event.encode())\n"
        f"        os._exit({REACHED})\n"
        "sys.addaudithook(note)\n"
        "sys.argv = ['knowledge.documents.formats', *sys.argv[1:]]\n"
        "runpy.run_module('knowledge.documents.formats', run_name='__main__')\n"
    )
    monkeypatch.setattr(sandboxed, "COMMAND", ("-c", program))


def page(url: str, file: str) -> bytes:
    """A web page with everything in it that a browser would fetch or run."""
    return f"""<!doctype html><html><head><base href="{url}/base/">
<link rel="stylesheet" href="{url}/a.css"><style>@import url({url}/b.css); p{{background:url({url}/c.png)}}</style>
<script src="{url}/d.js"></script><script>{SCRIPT}</script><meta http-equiv="refresh" content="0;url={url}/e"></head>
<body onload="{SCRIPT}"><h2>{QUESTION}</h2><p>The same storage.<img src="{url}/f.png" onerror="{SCRIPT}">
<img src="{file}"><iframe src="{file}"></iframe><object data="{url}/g"></object><embed src="{url}/h">
<svg onload="{SCRIPT}"><use href="{url}/i#x"/></svg><video src="{url}/j"></video><a href="javascript:{SCRIPT}">here</a>
<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="{file}" parse="text"/></p></body></html>""".encode()


def entity_page(url: str, file: str) -> bytes:
    return (
        f'<?xml version="1.0"?><!DOCTYPE html [<!ENTITY x SYSTEM "{file}"><!ENTITY % p SYSTEM "{url}/p.dtd"> %p;]>'
        f'<html xmlns="http://www.w3.org/1999/xhtml"><body><h2>{QUESTION}</h2><p>It is &x; here.</p></body></html>'
    ).encode()


def linked_word(url: str, file: str) -> bytes:
    """A Word file whose parts lie outside: pictures, a template, a part of another document, an object."""
    relations = "".join(
        f'<Relationship Id="rId{90 + number}" Type="{R}/{kind}" Target="{target}" TargetMode="External"/>'
        for number, (kind, target) in enumerate(
            [
                *(("image", f"{url}/a.png"), ("image", file), ("hyperlink", f"javascript:{SCRIPT}")),
                *(("attachedTemplate", f"{url}/t.dotm"), ("subDocument", f"{url}/s.docx"), ("oleObject", file)),
                *(("aFChunk", f"{url}/c.html"), ("frame", f"{url}/f.html")),
            ]
        )
    )
    body = (
        f'<w:document xmlns:w="{W}" xmlns:r="{R}" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
        'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><w:body>'
        f"<w:p><w:r><w:t>Q1. {QUESTION}</w:t></w:r></w:p><w:p><w:r><w:t>The same storage.</w:t></w:r>"
        '<w:r><w:drawing><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:link="rId90"/></pic:blipFill>'
        "</pic:pic></a:graphicData></a:graphic></w:drawing></w:r><w:r><w:drawing><a:graphic><a:graphicData><pic:pic>"
        '<pic:blipFill><a:blip r:embed="rId91"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></w:drawing></w:r>'
        f'<w:hyperlink r:id="rId92"><w:r><w:t> See &lt;script&gt;{SCRIPT}&lt;/script&gt;.</w:t></w:r></w:hyperlink>'
        "</w:p>"
        '<w:altChunk r:id="rId96"/><w:subDoc r:id="rId94"/>'
        f'<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>INCLUDETEXT "{file}"</w:instrText></w:r>'
        '<w:r><w:fldChar w:fldCharType="end"/></w:r></w:p></w:body></w:document>'
    )
    return word_with(
        {
            "word/document.xml": body.encode(),
            "word/_rels/document.xml.rels": f'<Relationships xmlns="{PACKAGE}">{relations}</Relationships>'.encode(),
            "word/_rels/settings.xml.rels": f'<Relationships xmlns="{PACKAGE}">{relations}</Relationships>'.encode(),
            "word/vbaProject.bin": b"Sub AutoOpen()",
        }
    )


def entity_word(url: str, file: str) -> bytes:
    xml = (
        f'<!DOCTYPE d [<!ENTITY x SYSTEM "{file}"><!ENTITY % p SYSTEM "{url}/p.dtd"> %p;]>'
        f'<w:document xmlns:w="{W}"><w:body><w:p><w:r><w:t>Q1. {QUESTION} &x;</w:t></w:r></w:p></w:body></w:document>'
    )
    return word_with({"word/document.xml": xml.encode()})


def escaping_word(url: str, file: str) -> bytes:
    """A Word file whose archive names a file outside of it."""
    word, out = Word(), io.BytesIO()
    word.add_paragraph(f"Q1. {QUESTION}")
    word.add_paragraph("The same storage.")
    word.save(out)
    with zipfile.ZipFile(out, "a") as archive:
        archive.writestr("../../../../../tmp/private.txt", "overwritten")
        archive.writestr("word/../../private.xml", f"<a href='{url}'/>")
    return out.getvalue()


def acting_pdf(url: str, file: str) -> bytes:
    """A PDF that opens addresses, starts programs and runs scripts where a viewer lets it."""
    text = f"BT /F1 12 Tf 72 720 Td (Q1. {QUESTION}) Tj 0 -20 Td (The same storage.) Tj ET"
    objects = [
        f"<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS({SCRIPT})>>/AA<</WC<</S/URI/URI({url}/x)>>>>>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>/Annots["
        f"<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/URI/URI({url}/y)>>>>"
        f"<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/Launch/F({file})>>>>"
        f"<</Type/Annot/Subtype/FileAttachment/Rect[0 0 9 9]/FS<</FS/URL/F({url}/z)>>>>]>>",
        f"<</Length {len(text)}>>stream\n{text}\nendstream",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    out = "%PDF-1.7\n"
    for number, content in enumerate(objects, 1):
        out += f"{number} 0 obj\n{content}\nendobj\n"
    return (out + "trailer<</Root 1 0 R>>\n%%EOF").encode()


def outside_stream_pdf(url: str, file: str) -> bytes:
    """A PDF whose page has its content in another file."""
    plain = acting_pdf(url, file).decode()
    return plain.replace("<</Length", f"<</F({file.removeprefix('file://')})/Length", 1).encode()


def notebook(url: str, file: str) -> bytes:
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": f"## {QUESTION}\n"},
        {
            "cell_type": "markdown",
            "metadata": {},
            "source": f"The same storage. ![x]({url}/a.png) <img src='{file}' onerror='{SCRIPT}'>"
            f"<script>{SCRIPT}</script>",
            "attachments": {"b.png": {"image/png": "AAAA"}},
        },
        {
            "cell_type": "code",
            "metadata": {},
            "source": "x = 1",
            "execution_count": 1,
            "outputs": [
                {
                    "output_type": "display_data",
                    "metadata": {},
                    "data": {"text/html": f"<script src='{url}/c.js'></script>", "application/javascript": SCRIPT},
                }
            ],
        },
    ]
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}).encode()


def text(url: str, file: str) -> bytes:
    return (
        f"## {QUESTION}\n\nThe same storage. ![a]({url}/a.png) ![b]({file}) [c](javascript:{SCRIPT})\n\n"
        f"<script>{SCRIPT}</script>\n\n<img src={url}/d onerror={SCRIPT}>\n\n[e]: {url}/e\n"
    ).encode()


def table(url: str, file: str) -> bytes:
    answer = f'The same storage. <img src={url}/a onerror={SCRIPT}> ![b]({file}) =HYPERLINK(""{url}"")'
    return f'question,answer\n"{QUESTION}","{answer}"\n'.encode()


DOCUMENTS: dict[str, Callable[[str, str], bytes]] = {
    "page.html": page,
    "page.xhtml": entity_page,
    "linked.docx": linked_word,
    "entity.docx": entity_word,
    "escaping.docx": escaping_word,
    "acting.pdf": acting_pdf,
    "outside.pdf": outside_stream_pdf,
    "notes.ipynb": notebook,
    "notes.md": text,
    "table.csv": table,
}

REFUSED = {"entity.docx", "outside.pdf"}
"""What is not read at all, with the reason said."""


@pytest.mark.parametrize("name", sorted(DOCUMENTS))
def test_nothing_outside_of_a_document_is_reached_for(tmp_path: Path, bait: Bait, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(DOCUMENTS[name](bait.url, bait.file))
    try:
        found = questions(read(path))
    except BadInputError as error:
        found, told = [], str(error)
    else:
        told = ""
    assert CANARY not in told
    assert bait.paths == []
    assert f"status {REACHED}" not in told
    assert CANARY not in "".join(question.model_dump_json() for question in found)
    assert Path(bait.path).read_text() == CANARY
    assert (name in REFUSED) == (not found), told
    for question in found:
        assert QUESTION in question.text
        shown = markdown(question.reference) + markdown(question.text)
        assert not re.search(r"<(?!/?(p|a|code|pre|em|strong|ul|ol|li|h\d|br|blockquote|hr|t\w+)\b)", shown), shown
        assert not re.search(r"<a[^>]+href=[\"']?(javascript|data|file|vbscript):", shown), shown
        assert " on" not in "".join(re.findall(r"<[^>]*>", shown)), shown


def test_a_document_without_any_of_it_is_read_the_same_way(tmp_path: Path, bait: Bait) -> None:
    for name, data in (
        ("plain.md", f"## {QUESTION}\n\nThe same storage.\n".encode()),
        ("plain.html", f"<h2>{QUESTION}</h2><p>The same storage.</p>".encode()),
    ):
        path = tmp_path / name
        path.write_bytes(data)
        (question,) = questions(read(path))
        assert (question.text, question.reference) == (QUESTION, "The same storage.")
    assert bait.paths == []


@pytest.mark.parametrize(
    ("event", "reach"),
    [
        ("open", "open({path!r})"),
        ("socket.getaddrinfo", "__import__('socket').create_connection(('127.0.0.1', {port}))"),
        ("socket.connect", "__import__('socket').socket().connect(('127.0.0.1', {port}))"),
        ("subprocess.Popen", "__import__('subprocess').run(['true'])"),
    ],
)
def test_the_bait_would_tell(
    tmp_path: Path, bait: Bait, monkeypatch: pytest.MonkeyPatch, event: str, reach: str
) -> None:
    """Without this, a server that nobody can reach would prove all of the above."""
    urllib.request.urlopen(f"{bait.url}/control", timeout=30).close()
    assert bait.paths == ["/control"]
    flag, program = sandboxed.COMMAND
    done = reach.format(path=bait.path, port=bait.url.rpartition(":")[2])
    monkeypatch.setattr(sandboxed, "COMMAND", (flag, program.replace("sys.argv =", f"{done}\nsys.argv =")))
    path = tmp_path / "page.html"
    path.write_bytes(b"<p>So.</p>")
    with pytest.raises(BadInputError, match=rf"status {REACHED} \({event}\)"):
        read(path)
    assert bait.paths == ["/control"]
