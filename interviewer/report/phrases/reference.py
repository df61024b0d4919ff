"""What stands beside a reference answer."""

from __future__ import annotations

from interviewer.report.schema.question import QuestionFinding
from interviewer.text import listed

REFERENCE = "Reference answer"
MADE = "points you made"
LACKING = "points your answer lacks or leaves unclear"


def not_marked(question: QuestionFinding) -> str:
    """What is said of points that are wanting and that no single sentence of the reference makes; may be empty."""
    marked = {number for sentence in question.reference_sentences for number in sentence.numbers}
    wanting = {addition.criterion_id for addition in question.to_add}
    rest = [found.number for found in question.criteria if found.id in wanting and found.number not in marked]
    if not rest or not marked:
        return ""
    if len(rest) == 1:
        return f"Point {rest[0]} is spread over several sentences, so it isn't marked."
    points = listed(tuple(map(str, rest)))
    return f"Points {points} are spread over several sentences, so they aren't marked."
