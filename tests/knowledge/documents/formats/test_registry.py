"""Formats are one entry each: what may be given, the help and the manifest follow from it."""

from __future__ import annotations

from pathlib import Path

import pytest

from knowledge.documents.formats import registry
from knowledge.documents.formats.registry import FORMATS, DocumentFormat, format_of, known, libraries, suffixes
from knowledge.documents.reader import document_of
from knowledge.extraction.extractor import questions
from knowledge.ingestion.manifest import reader_version
from serving.errors import BadInputError

SMALL = DocumentFormat(
    name="small",
    suffixes=(".small",),
    converter="knowledge.documents.formats.question_tables:of_csv",
    label="small tables",
    libraries=("pyyaml",),
)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> DocumentFormat:
    monkeypatch.setattr(registry, "FORMATS", (*FORMATS, SMALL))
    reader_version.cache_clear()
    return SMALL


@pytest.mark.parametrize("each", FORMATS, ids=lambda each: each.name)
def test_a_format_is_complete(each: DocumentFormat) -> None:
    assert each.label
    assert all(suffix == suffix.lower() and suffix.startswith(".") for suffix in each.suffixes)
    assert all(format_of(suffix) is each for suffix in each.suffixes)


def test_a_registered_format_is_read_named_and_remembered(
    small: DocumentFormat, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.small"
    path.write_text("question,answer\nWhy is x zero?,Because nothing was added to it.\n")
    (only,) = questions(document_of(path.read_bytes(), path))
    assert only.text == "Why is x zero?"
    assert "small tables" in known()
    assert ".small" in known()
    assert ".small" in suffixes()
    assert "pyyaml" in libraries()
    with_small = reader_version()
    monkeypatch.undo()
    reader_version.cache_clear()
    assert reader_version() != with_small
    with pytest.raises(BadInputError, match="not known"):
        document_of(path.read_bytes(), path)
