"""Our questions in other words, for whoever did not understand them: a spoken question and what follows it has one.

``rewordings.json`` holds them by the question's id and the criterion's whose probe is meant; the question itself stands
under an empty one, and what takes it further under ``FOLLOW_ON``.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path

from knowledge.model import Question

TABLE = Path(__file__).with_name("rewordings.json")

FOLLOW_ON = "follow-on"
"""In the place of a criterion: what takes the question further."""


def reworded(question: Question, criterion_id: str = "") -> str:
    """A question in other words; empty where there are none, as for a question of a document.

    Args:
        question: whose.
        criterion_id: the point whose probe is meant; empty for the question itself, ``FOLLOW_ON`` for what takes it
            further.

    """
    return rewordings().get(question.id, {}).get(criterion_id, "") if question.of_bank else ""


@functools.cache
def rewordings() -> dict[str, dict[str, str]]:
    """All of them, by the question's id and the criterion's."""
    read: dict[str, dict[str, str]] = json.loads(TABLE.read_text(encoding="utf-8"))
    return read
