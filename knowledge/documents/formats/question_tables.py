"""Tables and lists of questions with answers, whose fields are known by their names."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from knowledge.documents.formats.encoding import clean, decode
from knowledge.documents.formats.result import (
    MAX_QUESTIONS,
    MAX_TEXT,
    ConvertedDocument,
    Place,
    QuestionPair,
    UnusableError,
    excess,
    too_many,
)

_NAMES = {
    "question": {"question", "questions", "prompt", "q", "query", "interview question", "question text", "front"},
    "answer": {
        "answer", "answers", "reference", "a", "reference answer", "model answer", "sample answer", "ideal answer",
        "expected answer", "answer text", "solution", "response", "back",
    },
    "kind": {"kind", "type", "question type"},
    "topic": {"topic", "subject"},
    "level": {"level", "difficulty", "seniority"},
    "section": {"section", "category", "chapter", "heading"},
}  # fmt: skip
_LISTS = ("questions", "items", "data", "pairs", "faq", "faqs", "entries")
_WANTED = "A question is looked for under question, prompt or q, its answer under answer, reference or a."

csv.field_size_limit(MAX_TEXT)


def of_csv(data: bytes) -> ConvertedDocument:
    """A table whose first row names its columns; separated by commas, semicolons, tabs or bars.

    Raises:
        UnusableError: no column holds questions, or the table is damaged.

    """
    text = decode(data)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True)
    found = _Found()
    try:
        names = next(reader, [])
        fields = _fields(names, "columns")
        line = reader.line_num + 1
        for number, row in enumerate(reader, 2):
            values = {field: row[names.index(name)] for field, name in fields.items() if names.index(name) < len(row)}
            found.add(values, Place(row=number), line, f"row {number}")
            line = reader.line_num + 1
    except csv.Error as error:
        raise UnusableError(f"is damaged in line {reader.line_num}: {error}") from error
    return found.converted()


def of_json(data: bytes) -> ConvertedDocument:
    """A list of objects, one such list within an object, or an object of questions with their answers.

    Raises:
        UnusableError: it is not JSON, or holds no questions.

    """
    try:
        top = json.loads(decode(data))
    except json.JSONDecodeError as error:
        raise UnusableError(f"is not JSON, line {error.lineno}: {error.msg}") from error
    found = _Found()
    for number, record in enumerate(_records(top), 1):
        where = f"entry {number}"
        found.add(_of_record(record, where), Place(row=number), None, where)
    return found.converted()


def of_jsonl(data: bytes) -> ConvertedDocument:
    """One object a line.

    Raises:
        UnusableError: a line is not JSON object, or holds no question.

    """
    found = _Found()
    for number, line in enumerate(decode(data).split("\n"), 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except json.JSONDecodeError as error:
            raise UnusableError(f"is not JSON in line {number}: {error.msg}") from error
        where = f"line {number}"
        found.add(_of_record(record, where), Place(), number, where)
    return found.converted()


class _Found:
    """What was found so far: the pairs, no more than may be, and what is too long to be one."""

    def __init__(self) -> None:
        self._pairs: list[QuestionPair] = []
        self._left_out: list[str] = []

    def add(self, values: Mapping[str, str], place: Place, line: int | None, where: str) -> None:
        """Takes the pair of a record in, if it asks anything.

        Raises:
            UnusableError: there are more than a document may hold.

        """
        question = values.get("question", "").strip()
        if not question:
            return
        answer = values.get("answer", "").strip("\r\n").rstrip()
        tags = {name: " ".join(values.get(name, "").split()) for name in ("kind", "topic", "level", "section")}
        if why := excess(question, answer, *tags.values()):
            self._left_out.append(f"{where}: {why}")
        else:
            self._pairs.append(QuestionPair(question=question, answer=answer, place=place, line=line, **tags))
        if len(self._pairs) + len(self._left_out) > MAX_QUESTIONS:
            raise too_many(len(self._pairs) + len(self._left_out))

    def converted(self) -> ConvertedDocument:
        """All of it."""
        return ConvertedDocument(pairs=tuple(self._pairs), left_out=tuple(self._left_out))


def _records(top: Any) -> list[Any]:
    if isinstance(top, list):
        return top
    if not isinstance(top, dict):
        raise UnusableError("holds no list of questions", _WANTED)
    for name in _LISTS:
        for key, value in top.items():
            if key.lower() == name and isinstance(value, list):
                return value
    if top and all(isinstance(value, str) for value in top.values()) and not _found(top):
        asked = {key: value for key, value in top.items() if key.strip().endswith("?")}
        if 2 * len(asked) > len(top):
            return [{"question": key, "answer": value} for key, value in top.items()]
    return [top]


def _of_record(record: Any, where: str) -> dict[str, str]:
    """The fields of a record that are known, as text."""
    if not isinstance(record, dict):
        raise UnusableError(f"holds no object in {where}", _WANTED)
    fields = _fields(list(record), f"keys of {where}")
    return {field: _text(record[name]) for field, name in fields.items()}


def _fields(names: Iterable[str], what: str) -> dict[str, str]:
    """The given names by the field they mean.

    Raises:
        UnusableError: none of them means a question.

    """
    given = list(names)
    found = _found(given)
    if "question" not in found:
        listed = ", ".join(f"“{name.strip()}”" for name in given[:12]) or "nothing"
        raise UnusableError(f"holds no questions: the {what} are {listed}", _WANTED)
    return found


def _found(names: Iterable[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for name in names:
        plain = re.sub(r"[\W_]+", " ", name).strip().lower()
        for field, known in _NAMES.items():
            if plain in known:
                found.setdefault(field, name)
    return found


def _text(value: Any) -> str:
    """A value of JSON as text; a list of texts as its lines."""
    if value is None:
        return ""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return clean("\n".join(value))
    return json.dumps(value, ensure_ascii=False)


def _delimiter(text: str) -> str:
    first = next((line for line in text.split("\n") if line.strip()), "")
    return max(",;\t|", key=first.count)
