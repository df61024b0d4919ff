"""Which sentences of a reference make which points, so that the report can mark what an answer did not make. Pure."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from interviewer.report.schema.question import CriterionFinding, ReferenceSentence
from interviewer.understanding.stop_words import stems
from knowledge.model import Kind, Question
from rubric.model import LIKELY_MADE, Criterion, Span, Verdict

_CLEARLY = 0.2
"""How far the second sentence has to stay behind the one that comes nearest to a point, as a share. Of the 1,599 points
of the bank three in four have such a sentence, and of these the sentence encoder holds .90 for the nearest or as near
as that."""

_COMMON = 2
"""Words that a sentence and one wording of a point have in common at least."""

_OF_THE_POINT = 2.0
"""How much more a word of the point itself counts than one that all of its example statements have."""

_FENCE = re.compile(r"^(`{3,}|~{3,}).*?^\1[ \t]*$", re.MULTILINE | re.DOTALL)
_PARAGRAPH = re.compile(r"[^\n]+(?:\n[^\n]+)*")
_ITEM = re.compile(r"^[ \t]*(?:[-*+]|\d+[.)])[ \t]+", re.MULTILINE)
_NO_PROSE = re.compile(r"[ \t]*(?:#|\||>)")
_END = re.compile(r"(?<=[.!?])[*_\"')\]]*(?=\s)|\Z")


def reference_sentences(criteria: Sequence[CriterionFinding], question: Question) -> tuple[ReferenceSentence, ...]:
    """The sentences of a question's reference that make points of its rubric, and whether the person made these.

    The sentence of a point is the one whose words come nearest to the point and its example statements; the rarer a
    word is in the reference, the more it counts. A point that no sentence is clearly nearest to has none.

    Args:
        criteria: of one question, with the current verdicts; the person's own verdict decides where there is one.
            What nobody asked for is left out.
        question: as it was asked.

    Returns:
        In the order of the reference. Nothing for a story, which nobody else can complete, and where the reference has
        known problems.

    """
    if question.rubric is None or question.flags or question.kind is Kind.BEHAVIORAL:
        return ()
    points = {point.id: point for point in question.rubric.criteria}
    spans = list(_sentences(question.reference))
    said = [stems(question.reference[start:end]) for start, end in spans]
    made: dict[int, list[CriterionFinding]] = {}
    for found in criteria:
        if found.never_asked or found.settled is Verdict.UNSCORED or found.id not in points:
            continue
        place = _nearest(points[found.id], said)
        if place is not None:
            made.setdefault(place, []).append(found)
    return tuple(
        ReferenceSentence(
            start=spans[place][0],
            end=spans[place][1],
            numbers=tuple(found.number for found in made[place]),
            made=all(map(_made, made[place])),
        )
        for place in sorted(made)
    )


def _made(found: CriterionFinding) -> bool:
    """Whether a point was surely or likely made, or the person says that they made it."""
    credited = found.settled is Verdict.MET
    return found.contested or (credited and (found.decided or (found.credit or 0.0) >= LIKELY_MADE))


def _nearest(point: Criterion, sentences: Sequence[frozenset[str]]) -> int | None:
    """The place of the sentence that makes a point; ``None`` where none clearly does."""
    wordings = [stems(point.text), *map(stems, point.examples.met)]
    shared = Counter(word for wording in wordings[1:] for word in wording)
    held = Counter(word for sentence in sentences for word in sentence)
    examples = max(1, len(wordings) - 1)

    def nearness(sentence: frozenset[str]) -> float:
        if all(len(sentence & wording) < _COMMON for wording in wordings):
            return 0.0
        return sum(
            (_OF_THE_POINT * (word in wordings[0]) + shared[word] / examples)
            * math.log(1 + len(sentences) / held[word])
            for word in sentence
        )

    ranked = sorted(((nearness(sentence), place) for place, sentence in enumerate(sentences)), reverse=True)
    if not ranked or not ranked[0][0]:
        return None
    second = ranked[1][0] if len(ranked) > 1 else 0.0
    return ranked[0][1] if second <= (1.0 - _CLEARLY) * ranked[0][0] else None


def _sentences(reference: str) -> Iterator[Span]:
    """The sentences of a reference in Markdown that can be marked as they stand, without code, headings, and tables."""
    prose = _FENCE.sub(lambda block: "\n" * len(block.group()), reference)
    for paragraph in _PARAGRAPH.finditer(prose):
        if _NO_PROSE.match(paragraph.group()):
            continue
        edges = [
            paragraph.start(),
            *(item.start() for item in _ITEM.finditer(prose, *paragraph.span())),
            paragraph.end(),
        ]
        for start, end in pairwise(edges):
            lead = _ITEM.match(prose, start, end)
            yield from _in_block(prose, lead.end() if lead else start, end)


def _in_block(prose: str, start: int, end: int) -> Iterator[Span]:
    begin = start
    for mark in _END.finditer(prose, start, end):
        piece = prose[begin : mark.end()].strip()
        if not piece or not _whole(piece):
            continue
        # Emphasis has to stand outside of the mark: beside one it would no longer be read as emphasis.
        bare = piece.strip("*")
        if _whole(bare) and len(piece) - len(piece.lstrip("*")) == len(piece) - len(piece.rstrip("*")):
            first = prose.index(bare, begin)
            yield first, first + len(bare)
        begin = mark.end()


def _whole(piece: str) -> bool:
    """Whether what is opened in a piece of Markdown is closed in it, so that a mark around it crosses nothing."""
    return (
        piece.count("**") % 2 == 0
        and piece.replace("**", "").count("*") % 2 == 0
        and piece.count("`") % 2 == 0
        and piece.count("[") == piece.count("]")
    )
