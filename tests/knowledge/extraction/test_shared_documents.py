"""The five documents beside the project, against a list of their questions made by hand.

The lists hold digests of the question texts, case and space left out, and the first and last line of each answer.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from pathlib import Path

import pytest

from knowledge.documents.reader import read
from knowledge.extraction.extractor import Placed, placed_questions, questions
from knowledge.model import Kind, Level, Question
from tests.locations import SHARED

DOCUMENTS = SHARED / "documents"
LISTED: dict[str, list[str]] = json.loads((Path(__file__).parent / "shared_questions.json").read_text(encoding="utf-8"))
ANSWERS: dict[str, list[list[int] | None]] = json.loads(
    (Path(__file__).parent / "shared_answers.json").read_text(encoding="utf-8")
)
NUMBERED, FLAT, MARKDOWN, LEARNING, TUNING = sorted(LISTED)

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not DOCUMENTS.is_dir(), reason="no shared/documents beside the project"),
]


def found(name: str) -> list[Question]:
    return questions(read(DOCUMENTS / name))


def lines(name: str) -> list[str]:
    return (DOCUMENTS / name).read_text(encoding="utf-8").split("\n")


def digest(text: str) -> str:
    return hashlib.sha256(" ".join(text.split()).lower().encode()).hexdigest()[:12]


@pytest.mark.parametrize(("name", "count"), [(NUMBERED, 50), (FLAT, 32), (MARKDOWN, 17), (LEARNING, 50), (TUNING, 12)])
def test_exactly_the_questions_of_the_document_in_its_order(name: str, count: int) -> None:
    got = [digest(question.text) for question in found(name)]
    assert got == LISTED[name]
    assert len(got) == count
    assert len({question.id for question in found(name)}) == count


def placed(name: str) -> list[Placed]:
    return placed_questions(read(DOCUMENTS / name))


def precision_and_recall(got: Counter[object], wanted: Counter[object]) -> tuple[float, float]:
    right = (got & wanted).total()
    return right / got.total(), right / wanted.total()


def test_precision_and_recall_of_questions_and_of_the_lines_of_their_answers(
    capsys: pytest.CaptureFixture[str],
) -> None:
    got: dict[str, Counter[object]] = {"question text": Counter(), "first line": Counter(), "last line": Counter()}
    wanted: dict[str, Counter[object]] = {name: Counter() for name in got}
    for name, listed in LISTED.items():
        for one in placed(name):
            got["question text"][name, digest(one.question.text)] += 1
            got["first line"][name, digest(one.question.text), one.answer and one.answer[0]] += 1
            got["last line"][name, digest(one.question.text), one.answer and one.answer[1]] += 1
        for text, answer in zip(listed, ANSWERS[name], strict=True):
            wanted["question text"][name, text] += 1
            wanted["first line"][name, text, answer and answer[0]] += 1
            wanted["last line"][name, text, answer and answer[1]] += 1
    for what, counted in got.items():
        precision, recall = precision_and_recall(counted, wanted[what])
        with capsys.disabled():
            print(f"\n{what}: precision {precision:.4f}, recall {recall:.4f}, of {wanted[what].total()}", end="")
        assert precision >= 0.99
        assert recall >= 0.99


# Number of the question, the line its answer begins with, the one it ends with, and its blocks of code.
BOUNDS = [
    (NUMBERED, 1, 14, 36, 1),
    (NUMBERED, 4, 105, 147, 2),
    (NUMBERED, 10, 347, 381, 1),
    (NUMBERED, 47, 1474, 1486, 0),
    (FLAT, 4, 96, 128, 1),
    (FLAT, 28, 911, 956, 1),
    (FLAT, 32, 977, 977, 0),
    (MARKDOWN, 1, 10, 17, 0),
    (MARKDOWN, 9, 110, 113, 0),
    (MARKDOWN, 10, 121, 153, 0),
    (MARKDOWN, 13, 201, 205, 0),
    (LEARNING, 1, 14, 35, 1),
    (LEARNING, 2, 39, 68, 1),
    (LEARNING, 10, 337, 381, 1),
    (LEARNING, 50, 1401, 1409, 0),
    (TUNING, 1, 11, 39, 1),
    (TUNING, 10, 324, 330, 0),
    (TUNING, 12, 351, 375, 1),
]


@pytest.mark.parametrize(("name", "number", "first", "last", "blocks"), BOUNDS)
def test_an_answer_begins_and_ends_where_it_should(name: str, number: int, first: int, last: int, blocks: int) -> None:
    question = found(name)[number - 1]
    answer = [line.strip() for line in question.reference.split("\n") if not line.startswith("```")]
    source = lines(name)
    assert answer[0] == source[first - 1].strip().removeprefix("A: ")
    assert answer[-1] == source[last - 1].strip().removeprefix("A: ")
    assert len(question.code) == blocks
    assert all(block.language == "python" for block in question.code)


def test_challenges_are_coding_questions_without_an_answer() -> None:
    challenges = found(MARKDOWN)[13:]
    assert [(question.kind, question.reference) for question in challenges] == [(Kind.CODING, "")] * 4


def test_sections_give_kind_and_level() -> None:
    kinds = [question.kind for question in found(NUMBERED)]
    assert kinds[20:30] == [Kind.SYSTEM_DESIGN] * 10
    assert kinds[40:] == [Kind.BEHAVIORAL] * 10
    levels = [question.level for question in found(FLAT)]
    assert levels == [Level.JUNIOR] * 10 + [Level.MID] * 10 + [Level.SENIOR] * 8 + [None] * 4


def test_topics_are_few() -> None:
    topics = {question.topic for name in LISTED for question in found(name)}
    assert len(topics) <= 16
    every = [question.topic for name in LISTED for question in found(name)]
    assert every.count("general") <= len(every) // 50


def test_no_markdown_is_spoken() -> None:
    spoken = " ".join(question.spoken for name in LISTED for question in found(name))
    assert not set("`*$") & set(spoken)
