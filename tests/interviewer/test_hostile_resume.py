"""A résumé made to do harm ends in a sentence about it, or in bounds; a plain one beside it is read."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from docx import Document as Word
from reportlab.pdfgen.canvas import Canvas

from interviewer.dialogue.ungraded_segments import opening as first_words
from interviewer.planning import candidate_background
from interviewer.planning.candidate_background import Background, lines_of, opening
from interviewer.session.plan import Plan, SegmentKind
from interviewer.web.views.setup.layout import background_html
from knowledge.documents.formats.sandboxed import Limits
from knowledge.model import Hit
from serving.errors import BadInputError
from tests.interviewer.builders import question
from tests.knowledge.documents.formats.test_hostile_files import word_with

DID = "Built a search over six million pages and kept it fast"


class Counting:
    """An index that finds one question and remembers what it was asked."""

    complete = True

    def __init__(self) -> None:
        self.asked: list[str] = []

    def search(self, text: str, k: int) -> list[Hit]:
        self.asked.append(text)
        return [Hit(question=question("q1", topic="serving"), score=0.9, similarity=0.9)][:k]


def written(folder: Path, name: str, data: bytes | str) -> Path:
    path = folder / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode("utf-8"))
    return path


def pdf(pages: int, lines: int = 1) -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out)
    for page in range(pages):
        for line in range(lines):
            canvas.drawString(72, 800 - 18 * line, DID if not page and not line else f"Kept system {page} in order")
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def docx(text: str) -> bytes:
    word, out = Word(), io.BytesIO()
    word.add_paragraph(text)
    word.save(out)
    return out.getvalue()


@pytest.mark.parametrize(
    ("name", "data"), [("cv.md", f"# Me\n\n- {DID}\n".encode()), ("cv.pdf", pdf(1)), ("cv.docx", docx(DID))]
)
def test_a_plain_one_is_read(tmp_path: Path, name: str, data: bytes) -> None:
    assert opening(lines_of(written(tmp_path, name, data))) == DID


def test_a_line_of_a_megabyte_is_cut(tmp_path: Path) -> None:
    path = written(tmp_path, "cv.txt", f"{DID}, and {'very ' * 10}{'x' * 1_000_000}\n")
    index = Counting()
    found = candidate_background.background(lines_of(path), index)
    assert found.opening.startswith(DID)
    assert len(found.opening) <= 300
    assert [len(text) for text in index.asked] == [300]


def test_of_many_lines_so_many_are_looked_up(tmp_path: Path) -> None:
    index = Counting()
    candidate_background.background(lines_of(written(tmp_path, "cv.txt", f"{DID}\n\n" * 1_000)), index)
    assert len(index.asked) == 80


def test_a_text_of_a_hundred_thousand_lines_is_no_resume(tmp_path: Path) -> None:
    with pytest.raises(
        BadInputError, match=r"cv\.txt holds too much text: 5 million characters, the most is 1 million"
    ):
        lines_of(written(tmp_path, "cv.txt", f"{DID}\n\n" * 100_000))


def test_a_zip_bomb_is_told(tmp_path: Path) -> None:
    bomb = word_with({"word/document.xml": b"<w>" + b" " * (110 * 2**20)})
    assert len(bomb) < 2**20
    with pytest.raises(BadInputError, match=r"cv\.docx expands to more than 100 MiB"):
        lines_of(written(tmp_path, "cv.docx", bomb))


def test_an_archive_within_an_archive_is_not_opened(tmp_path: Path) -> None:
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a", bytes(50 * 2**20))
    data = word_with({"word/embeddings/oleObject1.bin": inner.getvalue()})
    assert lines_of(written(tmp_path, "cv.docx", data)) == ()


def test_thousands_of_pages_take_no_more_than_a_resume_may(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert candidate_background._LIMITS.cpu_s < Limits().cpu_s
    assert candidate_background._LIMITS.wall_s < Limits().wall_s
    # Whatever the machine, 3,000 pages take more than a second.
    monkeypatch.setattr(candidate_background, "_LIMITS", Limits(memory=2**30, cpu_s=1, wall_s=60.0))
    with pytest.raises(BadInputError, match=r"cv\.pdf takes too long to read: more than 1 second") as caught:
        lines_of(written(tmp_path, "cv.pdf", pdf(3000)))
    assert "Split it" in caught.value.hint


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("cv.pdf", b"%PDF-1.7\n" + bytes(4096), "cv.pdf"),
        ("cv.docx", b"PK\x03\x04" + bytes(4096), "not a whole Word file"),
        ("cv.txt", bytes(range(256)) * 16, "is not a text file"),
        ("cv.md", b"\x00" * 4096, "is not a text file"),
        ("cv.md", b"a" * (11 * 2**20), "million characters"),
        ("cv.exe", b"MZ", "files are not known"),
        ("cv.html", b"<div>" * 50_000 + b"Built.", "nested too deeply"),
    ],
)
def test_what_cannot_be_read_is_told_in_a_sentence(tmp_path: Path, name: str, data: bytes, says: str) -> None:
    with pytest.raises(BadInputError) as caught:
        lines_of(written(tmp_path, name, data))
    assert says in str(caught.value)
    assert str(caught.value).isprintable()


ODD = {
    "turned around": "\u202e",
    "invisible": "\u200b\u2060\ufeff",
    "escapes of a terminal": "\x1b[2J\x1b]0;title\x07",
    "combining": "e" + "\u0301" * 200,
    "tags": "".join(chr(0xE0000 + ord(each)) for each in "hidden"),
    "a script": "<script>alert(1)</script>",
    "a template": "{opening} {{7*7}} ${alert(1)}",
}


@pytest.mark.parametrize("name", sorted(ODD))
def test_odd_characters_are_neither_said_nor_obeyed(tmp_path: Path, name: str) -> None:
    path = written(tmp_path, "cv.txt", f"Built a search {ODD[name]} over six million pages and kept it\n")
    found = Background(opening=opening(lines_of(path)))
    assert found.opening.startswith("Built a search")
    said = first_words(SegmentKind.WARM_UP, Plan(opening=found.opening))
    assert "Built a search" in said
    assert all(character.isalnum() or character in " .,;:?!'’-" for character in said)
    page = background_html(found)
    assert "<script" not in page
    assert "${" not in page
    assert "{{" not in page
    assert not any(character in page for character in "\u202e\u200b\u2060\x1b\x07\U000e0068")


@pytest.mark.full
@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    "make", [lambda: pdf(4000, 40), lambda: docx("word " * 1_500_000), lambda: b"%PDF-1.7\n" + b"[" * 5_000_000]
)
def test_huge_ones_end_in_bounds_with_the_real_limits(tmp_path: Path, make: Callable[[], bytes]) -> None:
    data = make()
    name = "cv.docx" if data.startswith(b"PK") else "cv.pdf"
    with pytest.raises(BadInputError, match=name):
        lines_of(written(tmp_path, name, data))
