"""Answers the person's own questions out of the bank and the documents: the sentences that do, and where they stand."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from typing import NamedTuple

from interviewer.engine.ports import Library
from interviewer.speech.speakable_text import speakable
from interviewer.understanding.stop_words import EMPTY
from knowledge.model import Hit, Kind, Question
from rubric.grading.evidence import sentences
from rubric.model import AskedBy
from serving.encoders.sentence_encoder import Embedder
from serving.errors import InterviewerError

_log = logging.getLogger(__name__)

_SEARCHED = 6
"""Questions whose references are read."""

ANSWERS = 0.5
"""Likeness of a sentence to the question from which it is held to answer it, by the encoder."""

_SHARED = 0.75
"""The same by shared words, where there is no encoder."""

_WITH = 0.08
"""How much less alike than the best one a sentence beside it may be and is said too."""

ON_SUBJECT = 0.5
"""Likeness of a question of the documents from which it is worth a look."""

OF_SUBJECT = 0.55
"""The same for a concept question of the bank, from which its chief points say what a thing is or is good for."""

_CHIEF_POINTS = 2
_MOST_WORDS = 70
_FEWEST_WORDS = 4
_ENDS = (".", "!")
"""What a sentence ends with; the rest are headings and pieces of lists."""

_CODE = re.compile(r"```.*?```", re.DOTALL)
_WHAT_IT_IS = re.compile(
    r"(?:(?:so|and|okay|well)[, ]+)?(?:"
    r"what(?:'s| is| are) (?:\S+ ){0,4}\S+?(?: (?:good |useful |used |needed )?for)?"
    r"|what (?:does|do) (?:\S+ ){1,4}(?:do|help with)"
    r"|why (?:is|are|do|does|would) (?:\S+ ){1,5}(?:needed|used|useful|necessary|work|help|use|need)"
    r"|how (?:does|do) (?:\S+ ){1,4}(?:work|help)"
    r"|(?:can you )?(?:explain|tell me about) (?:\S+ ){0,4}\S+"
    r")\W*",
    re.IGNORECASE,
)
"""Asks what a thing is, does, or is good for, and nothing more special about it."""


class Passage(NamedTuple):
    """What the documents have on a question.

    Attributes:
        said: the sentences that answer it, fit to be said; empty where none does.
        place: where they stand; where none answers, the place that comes nearest. Empty where there is neither.
        reading: what else to look at.

    """

    said: str
    place: str
    reading: str = ""


class _Told(NamedTuple):
    """A sentence of the documents, and a question that it is known to answer; that may be empty."""

    said: str
    asked: str = ""


class Passages:
    """Finds them.

    Args:
        library: what is searched.
        encoder: tells which sentence answers; without one, shared words do.

    """

    def __init__(self, library: Library, encoder: Embedder | None) -> None:
        self._library = library
        self._encoder = encoder

    def on(self, text: str) -> Passage | None:
        """What there is on a question of the person's; ``None`` while the documents cannot be searched."""
        if not self._library.complete:
            return None
        try:
            hits = [hit for hit in self._library.search(text, _SEARCHED) if _tells(hit.question)]
            return self._best(text, hits)
        except InterviewerError as error:
            _log.warning("nothing could be searched for: %s", error)
            return Passage("", "")

    def _best(self, text: str, hits: Sequence[Hit]) -> Passage:
        told = [(hit.question, sentence) for hit in hits for sentence in _told(hit.question)]
        near = next((hit.question for hit in hits if hit.similarity >= ON_SUBJECT), None)
        if told:
            alike = self._alike(text, [sentence for _, sentence in told])
            best = max(range(len(told)), key=alike.__getitem__)
            if alike[best] >= (ANSWERS if self._encoder is not None else _SHARED):
                question = told[best][0]
                beside = [
                    place
                    for place in (best - 1, best, best + 1)
                    if 0 <= place < len(told)
                    and told[place][0].id == question.id
                    and alike[place] >= alike[best] - _WITH
                ]
                said = " ".join(told[place][1].said for place in beside)
                said = said if len(said.split()) <= _MOST_WORDS else told[best][1].said
                return _passage(said, question)
        if self._encoder is not None and _WHAT_IT_IS.fullmatch(text.strip()):
            for question in (hit.question for hit in hits if hit.similarity >= OF_SUBJECT):
                if points := _chief_points(question):
                    return _passage(points, question)
        return Passage("", "") if near is None else _passage("", near)

    def _alike(self, text: str, told: Sequence[_Told]) -> list[float]:
        if self._encoder is None:
            wanted = _content(text)
            return [len(wanted & _content(sentence.said)) / max(len(wanted), 1) for sentence in told]
        vectors = self._encoder.embed(
            [text, *(each.said for each in told), *(each.asked or each.said for each in told)]
        )
        alike = vectors[1:] @ vectors[0]
        return [float(max(pair)) for pair in zip(alike[: len(told)], alike[len(told) :], strict=True)]


def _tells(question: Question) -> bool:
    return question.kind is not Kind.BEHAVIORAL and bool(question.reference.strip()) and not question.flags


def _passage(said: str, question: Question) -> Passage:
    return Passage(said, question.source.place, next(iter(question.reading), ""))


def _chief_points(question: Question) -> str:
    """The heaviest points that a concept question of the bank itself asks for, in the rubric's order; else empty."""
    if not question.of_bank or question.kind is not Kind.CONCEPT or question.rubric is None:
        return ""
    asked = [point for point in question.rubric.criteria if point.asked_by is AskedBy.OPENING]
    heaviest = sorted(asked, key=lambda point: -point.weight)[:_CHIEF_POINTS]
    return " ".join(speakable(point.text) for point in asked if point in heaviest)


def _told(question: Question) -> list[_Told]:
    """The points of a question, each with the probe that it answers, and the sentences of its reference."""
    criteria = question.rubric.criteria if question.rubric else ()
    points = [_Told(speakable(point.text), point.probe) for point in criteria if question.of_bank]
    prose = speakable(_CODE.sub("\n", question.reference))
    told = [_Told(prose[start:end]) for start, end in sentences(prose)]
    return [each for each in (*points, *told) if len(each.said.split()) >= _FEWEST_WORDS and each.said.endswith(_ENDS)]


def _content(text: str) -> frozenset[str]:
    return frozenset(word.removesuffix("s") for word in re.findall(r"[a-z0-9_]{3,}", text.lower()) if word not in EMPTY)
