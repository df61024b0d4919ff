"""Which sentences of a reference make which points, so that the report can mark what an answer did not make. Pure."""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, pairwise

from interviewer.report.document_parser import parser
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

_LONGEST = 20_000
"""Characters of a reference that is marked: no honest one is longer."""

_PRIVATE = re.compile("[\ue000-\uf8ff]")
"""Characters that may stand for marks until the reference is set."""

_END = re.compile(r"(?<=[.!?])[*_~\"')\]]*(?=\s)|\Z")


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
        known problems, is endless, or holds characters that nobody can read.

    """
    if question.rubric is None or question.flags or question.kind is Kind.BEHAVIORAL:
        return ()
    if len(question.reference) > _LONGEST or _PRIVATE.search(question.reference):
        return ()
    points = {point.id: point for point in question.rubric.criteria}
    spans = list(_sentences(question.reference))
    said = [stems(question.reference[start:end]) for start, end in spans]
    held = Counter(word for sentence in said for word in sentence)
    made: dict[int, list[CriterionFinding]] = {}
    for found in criteria:
        if found.never_asked or found.settled is Verdict.UNSCORED or found.id not in points:
            continue
        place = _nearest(points[found.id], said, held)
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


def _nearest(point: Criterion, sentences: Sequence[frozenset[str]], held: Mapping[str, int]) -> int | None:
    """The place of the sentence that makes a point; ``None`` where none clearly does.

    Args:
        point: one of the rubric.
        sentences: the words of each sentence of the reference.
        held: by word, how many of these have it.

    """
    wordings = [stems(point.text), *map(stems, point.examples.met)]
    shared = Counter(word for wording in wordings[1:] for word in wording)
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
    """The sentences of the paragraphs of a reference in Markdown, in lists too; not of code, headings, and tables."""
    if "\r" in reference:
        return
    lines = [0, *(mark.end() for mark in re.finditer("\n", reference))]
    for opening, token in pairwise(parser().parse(reference)):
        if opening.type == "paragraph_open" and token.map is not None:
            text = token.content.split("\n")
            # Before a line stand what its list indents and the list's own mark.
            places = [reference.find(line, at) for line, at in zip(text, lines[token.map[0] :], strict=False)]
            begins = [0, *accumulate(len(line) + 1 for line in text)]
            for start, end in _in_paragraph(token.content):
                yield _there(start, begins, places), _there(end - 1, begins, places) + 1


def _there(at: int, begins: Sequence[int], places: Sequence[int]) -> int:
    """The place in the reference of a character of a paragraph whose lines begin and stand there."""
    line = bisect_right(begins, at) - 1
    return places[line] + at - begins[line]


def _in_paragraph(text: str) -> Iterator[Span]:
    begin = 0
    for mark in _END.finditer(text):
        piece = text[begin : mark.end()]
        if not _whole(piece):
            continue
        # Emphasis stands outside of the mark: beside one it would no longer be read as emphasis.
        if bare := piece.strip(_EDGES):
            first = begin + piece.index(bare)
            yield first, first + len(bare)
        begin = mark.end()


_EDGES = " \n*_~"


def _whole(piece: str) -> bool:
    """Whether code and links that begin in a piece of Markdown end in it: a mark can stand in neither."""
    return piece.count("`") % 2 == 0 and all(piece.count(one) == piece.count(other) for one, other in ("[]", "()"))
