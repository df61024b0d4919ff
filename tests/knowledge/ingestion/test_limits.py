"""Bounds on what is taken out of a document: how many questions, how long each, and which files."""

from __future__ import annotations

import csv
import io
import json
import os
import zlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from knowledge.documents.formats.result import MAX_ANSWER, MAX_QUESTION, MAX_QUESTIONS, MAX_TAG
from knowledge.index.question_index import QuestionIndex
from knowledge.ingestion import pipeline as ingest_module
from knowledge.ingestion.pipeline import Outcome, ingest
from serving.arrays import FloatArray

SHORT = ("What is a tensor?", "An array.", "tensors")


class Directions:
    """Embeds without a model: each text gets a direction of its own."""

    name = "directions"
    dim = 8

    def embed(self, texts: Sequence[str]) -> FloatArray:
        rows = [np.random.default_rng(zlib.crc32(text.encode())).normal(size=self.dim) for text in texts]
        return np.stack([row / np.linalg.norm(row) for row in rows]).astype(np.float32)

    embed_documents = embed


@pytest.fixture
def index(tmp_path: Path) -> QuestionIndex:
    return QuestionIndex.open(tmp_path / "index", Directions())


def table(*rows: tuple[str, str, str]) -> str:
    """Rows of question, answer and topic as CSV."""
    text = io.StringIO()
    csv.writer(text).writerows([("question", "answer", "topic"), *rows])
    return text.getvalue()


def objects(*rows: tuple[str, str, str]) -> list[dict[str, str]]:
    return [dict(zip(("question", "answer", "topic"), row, strict=True)) for row in rows]


FORMS = {
    "csv": table,
    "json": lambda *rows: json.dumps(objects(*rows)),
    "jsonl": lambda *rows: "\n".join(json.dumps(row) for row in objects(*rows)),
    "md": lambda *rows: "# All\n\n" + "\n\n".join(f"## {row[0]}\n\n{row[1]}" for row in rows),
}
LONG = {
    "question": ("Why? " * (MAX_QUESTION // 5 + 1), "So.", "x"),
    "answer": ("What is long?", "word " * (MAX_ANSWER // 5 + 1), "x"),
    "topic": ("What is it about?", "That.", "x" * (MAX_TAG + 1)),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("part", ["question", "answer"])
def test_what_is_too_long_is_left_out_and_said_and_the_rest_is_read(
    tmp_path: Path, index: QuestionIndex, form: str, part: str
) -> None:
    path = tmp_path / f"mine.{form}"
    path.write_text(FORMS[form](SHORT, LONG[part], ("What is a view?", "No copy.", "tensors")))
    done = ingest([path], index)
    assert [question.text for question in done.questions] == [SHORT[0], "What is a view?"]
    (report,) = done.files
    assert report.outcome is Outcome.READ
    assert f"the {part} has " in report.left_out
    assert any(place in report.left_out for place in ("row 3", "entry 2", "line 2", "line 7"))
    assert len(report.said) < 400
    assert len(index.questions()) == 2


def test_a_topic_that_is_too_long_is_no_topic(tmp_path: Path, index: QuestionIndex) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(table(SHORT, LONG["topic"]))
    (report,) = ingest([path], index).files
    assert report.questions == 1
    assert "a heading or topic has 301 characters, the most is 300" in report.left_out


def test_what_is_just_short_enough_is_read(tmp_path: Path, index: QuestionIndex) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(table(("Q" * MAX_QUESTION, "a" * MAX_ANSWER, "x" * MAX_TAG)))
    (report,) = ingest([path], index).files
    assert (report.questions, report.left_out) == (1, "")


def test_a_cell_of_five_megabytes_is_no_question(tmp_path: Path, index: QuestionIndex) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(table(("x" * 5 * 2**20, "So.", "x"), SHORT))
    done = ingest([path], index)
    assert [question.text for question in done.questions] == [SHORT[0]]
    assert "row 2: the question has 5,242,880 characters, the most is 8,000" in done.files[0].said


def test_many_that_are_too_long_are_counted_and_not_all_named(tmp_path: Path, index: QuestionIndex) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(table(SHORT, *[LONG["question"]] * 50))
    (report,) = ingest([path], index).files
    assert "and 47 more" in report.left_out


@pytest.mark.parametrize("count", [20_000, pytest.param(100_000, marks=pytest.mark.full)])
@pytest.mark.parametrize("form", ["csv", "json", "jsonl"])
def test_too_many_questions_in_one_file_are_refused_with_the_limit(
    tmp_path: Path, index: QuestionIndex, form: str, count: int
) -> None:
    path = tmp_path / f"mine.{form}"
    path.write_text(FORMS[form](*((f"What is {n}?", f"It is {n}.", "numbers") for n in range(count))))
    done = ingest([path], index)
    (report,) = done.failed
    assert f"holds more than {MAX_QUESTIONS:,} questions" in report.why
    assert "Split it" in report.hint
    assert index.questions() == ()


@pytest.mark.parametrize(
    ("most", "count"), [(50, 51), pytest.param(MAX_QUESTIONS, MAX_QUESTIONS + 1, marks=pytest.mark.full)]
)
def test_too_many_questions_in_a_text_are_refused_too(
    tmp_path: Path, index: QuestionIndex, monkeypatch: pytest.MonkeyPatch, most: int, count: int
) -> None:
    monkeypatch.setattr(ingest_module, "MAX_QUESTIONS", most)
    path = tmp_path / "mine.md"
    path.write_text(FORMS["md"](*((f"What is {n}?", f"It is {n}.", "") for n in range(count))))
    assert [file.outcome for file in ingest([path], index).files] == [Outcome.FAILED]
    path.write_text(FORMS["md"](*((f"What is {n}?", f"It is {n}.", "") for n in range(count - 1))))
    assert [file.questions for file in ingest([path], index).files] == [count - 1]


def test_all_documents_together_have_a_limit_and_what_was_read_before_stays(
    tmp_path: Path, index: QuestionIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ingest_module, "MOST_IN_ALL", 5)
    first, second = tmp_path / "first.csv", tmp_path / "second.csv"
    for path, count in ((first, 3), (second, 3)):
        path.write_text(table(*((f"What is {path.stem} {n}?", "That.", "x") for n in range(count))))
    done = ingest([first, second], index)
    assert [file.outcome for file in done.files] == [Outcome.READ, Outcome.FAILED]
    assert "there would be 6 of your own, and at most 5 can be kept" in done.failed[0].why
    second.write_text(table(("What is second?", "That.", "x")))
    assert not ingest([second], index).failed
    # The same file again, with other questions: its own do not count twice.
    first.write_text(table(*((f"What is first {n} now?", "That.", "x") for n in range(4))))
    assert not ingest([first], index).failed
    assert len(index.questions()) == 5


def test_a_link_in_a_folder_is_not_followed_and_one_that_was_named_is(tmp_path: Path, index: QuestionIndex) -> None:
    folder, outside = tmp_path / "folder", tmp_path / "outside"
    folder.mkdir()
    outside.mkdir()
    (outside / "secret.md").write_text("## What is my password?\n\nHunter2.\n")
    (folder / "mine.md").write_text("## What is mine?\n\nThis.\n")
    (folder / "secret.md").symlink_to(outside / "secret.md")
    (folder / "again.md").symlink_to("mine.md")
    (folder / "more").symlink_to(outside)
    (folder / "dangling.md").symlink_to("nowhere.md")
    os.mkfifo(folder / "pipe.md")
    done = ingest([folder], index)
    assert [question.text for question in done.questions] == ["What is mine?"]
    said = {Path(file.path).name: file for file in done.files}
    for name in ("secret.md", "again.md", "more", "dangling.md"):
        assert said[name].outcome is Outcome.SKIPPED
        assert said[name].said.startswith(f"{folder / name} is a symbolic link and was not followed. ")
    assert said["mine.md"].outcome is Outcome.READ
    assert [Path(file.path).name for file in done.failed] == ["pipe.md"]
    named = ingest([folder / "secret.md"], index)
    assert [question.text for question in named.questions] == ["What is my password?"]
