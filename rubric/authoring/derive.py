"""A rubric for a question that came without one.

Most kinds of question get atomic criteria out of their reference answer; a design gets them sorted under what a
design has to consider; a person's own story has no reference to compare with and gets criteria of its own. The same
question and reference always give the same rubric.

    outline.py     reference -> entries: text with the labels it stands under
    language.py    sentences, verbs, subjects and words that say nothing (their lists: vocabulary.yaml)
    statements.py  entries -> statements that can be understood alone
    choice.py      statements -> the few that matter, weighed
    design.py      statements -> criteria under the dimensions of a design
"""

from __future__ import annotations

from rubric.answer_kinds import BEHAVIORAL, SYSTEM_DESIGN, asks_for_a_story, story_criteria
from rubric.authoring.english import tidy
from rubric.authoring.outline import without_code
from rubric.authoring.selection import MOST, choose
from rubric.authoring.statements import statements
from rubric.authoring.system_design import design_criteria
from rubric.model import Criterion, Rubric
from serving.errors import BadInputError

__all__ = ["MOST", "derive_rubric"]

_WHOLE = 300
"""Characters of a reference without any sentence, as one criterion."""

_LONGEST = 20_000
"""Characters of a reference that are read: an answer that is longer is a document with one heading."""


def derive_rubric(question: str, reference: str, kind: str = "concept") -> Rubric:
    """Make a rubric for a question.

    Args:
        question: the question, to leave out what only repeats it and to weigh what it names.
        reference: the reference answer, Markdown; a story needs none. Of a very long one the beginning is read.
        kind: what sort of answer the question wants, in the words of ``knowledge.model.Kind``.

    Returns:
        For a story six criteria written beforehand; for a design one to two for each dimension, out of the
        reference where it speaks of it; else one to six criteria in the reference's order.

    Raises:
        BadInputError: the reference holds nothing that an answer could be held against.

    """
    reference = reference[:_LONGEST]
    if kind == BEHAVIORAL and asks_for_a_story(question, reference):
        return Rubric(criteria=story_criteria(), origin="given")
    found = statements(reference, question)
    if kind == SYSTEM_DESIGN and found:
        return Rubric(criteria=design_criteria(found, question), origin="derived")
    chosen = [(item.text, weight) for item, weight in choose(found, question)]
    if not chosen and (whole := tidy(without_code(reference))):
        chosen = [(whole[:_WHOLE], 2.0)]
    if not chosen:
        what = "holds only code" if reference.strip() else "is empty"
        raise BadInputError(f"The reference answer {what}, so no rubric can be derived from it.")
    criteria = (
        Criterion(id=f"c{number}", text=text, weight=weight) for number, (text, weight) in enumerate(chosen, start=1)
    )
    return Rubric(criteria=tuple(criteria), origin="derived")
