"""Which criteria of our coding questions the hidden tests prove."""

from __future__ import annotations

import functools
from pathlib import Path

import yaml

from knowledge.model import Question


def proven_criteria(question: Question) -> frozenset[str]:
    """Ids of the criteria that a program has shown once it passes every test; none of a document's question."""
    if question.task is None or not question.of_bank:
        return frozenset()
    return _proven().get(question.id, frozenset())


@functools.cache
def _proven() -> dict[str, frozenset[str]]:
    read = yaml.safe_load(Path(__file__).with_name("proven_criteria.yaml").read_text(encoding="utf-8"))
    return {question_id: frozenset(ids) for question_id, ids in read.items()}
