"""What an answer's nearest words are to a criterion and to its statements: the same, the opposite, something else.

Similarity finds the words of an answer that speak of the point; a cross-encoder then reads them beside the criterion,
beside the nearest statement that meets it and beside the nearest that contradicts it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rubric.grading.signals import AnswerView, CriterionView, prepare, signals
from rubric.model import Criterion
from serving.encoders.cross_encoder import CrossEncoder
from serving.encoders.sentence_encoder import Embedder

LEAST = -6.0
"""Log-probability below which it makes no difference any more."""


def views(
    answer: AnswerView,
    question: str,
    criteria: Sequence[Criterion],
    embedder: Embedder,
    cross_encoder: CrossEncoder,
) -> list[CriterionView]:
    """All signals of an answer's criteria: what a judge is fitted to, and grades by."""
    prepare(question, criteria, embedder)
    return related([signals(answer, question, item, embedder) for item in criteria], cross_encoder)


def related(views: Sequence[CriterionView], cross_encoder: CrossEncoder) -> list[CriterionView]:
    """The views with their relations, all pairs read at once.

    Args:
        views: of the criteria of one answer.
        cross_encoder: reads the pairs.

    """
    read = np.maximum(cross_encoder.read([pair for view in views for pair in view.pairs]), LEAST)
    found, begin = [], 0
    for view in views:
        rows = read[begin : begin + len(view.pairs)]
        begin += len(view.pairs)
        found.append(view._replace(relations=rows.reshape(-1)) if len(rows) else view)
    return found
