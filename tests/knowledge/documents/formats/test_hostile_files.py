"""Files that are damaged or made to do harm: each ends in a sentence about it, in time and in bounds."""

from __future__ import annotations

import io
import json
import os
import time
import zipfile
from pathlib import Path

import pytest
from docx import Document as Word
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from knowledge.documents.formats import docx, html, sandboxed
from knowledge.documents.formats.registry import MAX_BYTES
from knowledge.documents.formats.result import MAX_TEXT, UnusableError
from knowledge.documents.formats.sandboxed import Limits, convert
from knowledge.documents.reader import read
from serving.errors import BadInputError
from tests.knowledge import stories


def refused(tmp_path: Path, name: str, data: bytes) -> str:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(BadInputError) as caught:
        read(path)
    assert str(path) in caught.value.message
    return str(caught.value)


def word_with(parts: dict[str, bytes]) -> bytes:
    """A Word file with parts of it replaced or added, pressed hard."""
    plain = io.BytesIO()
    Word().save(plain)
    file = io.BytesIO()
    with zipfile.ZipFile(plain) as old, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            if name not in parts:
                new.writestr(name, old.read(name))
        for name, content in parts.items():
            new.writestr(name, content)
    return file.getvalue()


def test_a_zip_bomb_in_a_word_file_is_not_expanded(tmp_path: Path) -> None:
    bomb = word_with({"word/bomb.xml": bytes(110 * 2**20)})
    assert len(bomb) < 2**20
    assert "expands to more than" in refused(tmp_path, "bomb.docx", bomb)


def test_a_zip_directory_that_lies_about_sizes_is_no_way_around(tmp_path: Path) -> None:
    bomb = bytearray(word_with({"word/bomb.xml": bytes(110 * 2**20)}))
    size = (110 * 2**20).to_bytes(4, "little")
    while (at := bomb.find(size)) >= 0:
        bomb[at : at + 4] = (10).to_bytes(4, "little")
    assert "lies.docx" in refused(tmp_path, "lies.docx", bytes(bomb))


def test_xml_that_expands_itself_is_refused(tmp_path: Path) -> None:
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12))
    xml = f'<!DOCTYPE d [<!ENTITY e0 "ha">{entities}]><w:document xmlns:w="x">&e11;</w:document>'
    assert "expands itself" in refused(tmp_path, "laugh.docx", word_with({"word/document.xml": xml.encode()}))


@pytest.mark.parametrize("form", ["pdf", "docx"])
def test_a_file_cut_short_is_told(tmp_path: Path, form: str) -> None:
    data = stories.as_pdf("faq") if form == "pdf" else stories.as_docx("faq")
    said = refused(tmp_path, f"cut.{form}", data[: len(data) // 2])
    assert "Traceback" not in said
    assert "cut short" in said or "damaged" in said


def test_a_pdf_that_needs_a_password_says_so(tmp_path: Path) -> None:
    out = io.BytesIO()
    pdf = Canvas(out, encrypt="user")
    pdf.drawString(100, 700, "1. What is secret?")
    pdf.save()
    assert "needs a password" in refused(tmp_path, "secret.pdf", out.getvalue())


def test_a_pdf_of_pictures_says_so(tmp_path: Path) -> None:
    out = io.BytesIO()
    pdf = Canvas(out)
    pdf.drawImage(ImageReader(Image.new("RGB", (40, 40), "white")), 50, 600, width=100, height=100)
    pdf.save()
    assert "pictures of pages and no text" in refused(tmp_path, "scan.pdf", out.getvalue())


def looping_pdf() -> bytes:
    """A page that draws a form which draws itself many times, many deep."""
    forms = 40
    names = " ".join(f"/F{n} {n + 5} 0 R" for n in range(forms))
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R/Resources<</XObject<<{names}>>>>>>".encode(),
        b"<</Length 6>>stream\n/F0 Do\nendstream",
    ]
    for n in range(forms):
        body = f"/F{n + 1} Do " * 10 if n + 1 < forms else "0 0 m "
        objects.append(
            f"<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<<{names}>>>>/Length {len(body)}>>"
            f"stream\n{body}\nendstream".encode()
        )
    out = b"%PDF-1.7\n"
    for number, content in enumerate(objects, 1):
        out += f"{number} 0 obj\n".encode() + content + b"\nendobj\n"
    return out + b"trailer<</Root 1 0 R>>\n%%EOF"


def test_a_pdf_that_takes_for_ever_is_ended() -> None:
    # By its computing, not by the clock, which a busy machine would reach first.
    with pytest.raises(UnusableError, match="takes too long to read: more than 3 seconds"):
        convert(looping_pdf(), "knowledge.documents.formats.pdf:convert", Limits(cpu_s=3, wall_s=120))


def test_a_reader_that_waits_for_ever_is_ended() -> None:
    with pytest.raises(UnusableError, match="more than 0 seconds"):
        convert(looping_pdf(), "knowledge.documents.formats.pdf:convert", Limits(wall_s=0.4))


def test_a_reader_may_not_outgrow_its_memory() -> None:
    page = "<p>What?</p>" * 200_000
    with pytest.raises(UnusableError, match=r"too much memory|ended its reader"):
        convert(page.encode(), "knowledge.documents.formats.html:convert", Limits(memory=150 * 2**20))


def test_a_reader_that_crashes_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    crash = "import ctypes; ctypes.string_at(0)"
    monkeypatch.setattr(sandboxed, "COMMAND", ("-c", crash))
    with pytest.raises(UnusableError, match="signal 11"):
        convert(b"", "knowledge.documents.formats.pdf:convert")
    monkeypatch.setattr(sandboxed, "COMMAND", ("-c", "print('{\"text\": 1}')"))
    with pytest.raises(UnusableError, match="cannot be read"):
        convert(b"", "knowledge.documents.formats.pdf:convert")


def test_what_is_nested_too_deeply_is_told(tmp_path: Path) -> None:
    assert "too deeply" in refused(tmp_path, "deep.html", b"<div>" * 50_000 + b"What?")
    assert "too deeply" in refused(tmp_path, "deep.json", b"[" * 200_000)
    assert "too deeply" in refused(tmp_path, "deep.ipynb", b'{"a":' * 200_000)


def test_a_text_of_200_megabytes_is_told(tmp_path: Path) -> None:
    path = tmp_path / "huge.txt"
    with path.open("wb") as file:
        file.truncate(200 * 2**20)
    begun = time.monotonic()
    with pytest.raises(BadInputError, match=r"huge\.txt is too large: 200 MiB"):
        read(path)
    assert time.monotonic() - begun < 5
    assert MAX_BYTES < 200 * 2**20
    assert "million characters" in refused(tmp_path, "long.md", b"a" * (MAX_TEXT + 1))


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("x.md", b"%PDF-1.7 ...", "is not a text file but a PDF"),
        ("x.txt", b"PK\x03\x04rest", "a zip archive"),
        ("x.csv", bytes(range(256)), "is not a text file"),
        ("x.json", b"\x89PNG\r\n", "a picture"),
        ("x.pdf", b"just words", "is not a PDF"),
        ("x.docx", b"just words", "not a whole Word file"),
        ("x.docx", b"\xd0\xcf\x11\xe0\xa1\xb1", "old .doc kind"),
        ("x.ipynb", b"just words", "is not JSON"),
        ("x.exe", b"MZ", ".exe files are not known"),
    ],
)
def test_a_name_that_lies_is_told(tmp_path: Path, name: str, data: bytes, says: str) -> None:
    assert says in refused(tmp_path, name, data)


def test_an_empty_archive_is_no_word_file(tmp_path: Path) -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("readme.xml", "<a/>")
    assert "is not a Word file" in refused(tmp_path, "x.docx", file.getvalue())


def test_a_pipe_is_no_file(tmp_path: Path) -> None:
    path = tmp_path / "pipe.md"
    os.mkfifo(path)
    with pytest.raises(BadInputError, match="not a regular file"):
        read(path)


def test_markup_of_a_page_is_text_behind_it() -> None:
    page = b"<h2>What is &lt;script&gt;alert(1)&lt;/script&gt;?</h2><p>{{x}} ${y}</p><script>alert(2)</script>"
    text = html.convert(page).text
    assert "alert(2)" not in text
    assert "{{x}} ${y}" in text


def test_a_word_file_s_links_and_pictures_reach_for_nothing() -> None:
    outside = (
        b'<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        b'<Relationship Id="rId9" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" '
        b'Target="file:///etc/hostname" TargetMode="External"/></Relationships>'
    )
    picture = (
        '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
        'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
        'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
        'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" '
        'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><w:body><w:p><w:r><w:t>What is it?</w:t>'
        "<w:drawing><wp:inline><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:link='rId9'/></pic:blipFill>"
        "</pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p></w:body></w:document>"
    )
    data = word_with({"word/document.xml": picture.encode(), "word/_rels/document.xml.rels": outside})
    assert docx.convert(data).text.strip() == "What is it?"


def test_json_goes_in_and_comes_out() -> None:
    data = json.dumps([{"q": "What is “ü”?", "a": "</script>\u2028 \ud800\x00."}])
    (pair,) = convert(data.encode(), "knowledge.documents.formats.question_tables:of_json").pairs
    assert (pair.question, pair.answer) == ("What is “ü”?", "</script>\u2028 ? .")
