"""Answers the person's own questions out of the bank and the documents: the sentences that do, and where they stand."""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Sequence
from math import log
from typing import NamedTuple

from interviewer.engine.claim_reader import ClaimReader
from interviewer.engine.passages.told_sentences import Told, stems, tells, told_of
from interviewer.engine.ports import Library
from interviewer.speech.speakable_text import readable, speakable
from interviewer.text import capitalized
from interviewer.understanding import definition_requests
from knowledge.glossary.glossary import Glossary, Term
from knowledge.glossary.glossary import load as load_glossary
from knowledge.model import Hit, Kind, Question
from rubric.model import AskedBy
from serving.encoders.sentence_encoder import Embedder
from serving.errors import InterviewerError

_log = logging.getLogger(__name__)

_SEARCHED = 6
"""Questions whose references are read."""

ANSWERS = 0.5
"""Likeness of a sentence to the question from which it is held to answer it, by the encoder."""

COVERS = 0.75
"""Share of what is asked about, rare words counting more, from which a sentence with its question is held to answer."""

_OWN = 0.3  # part of that share that the sentence itself, or what it is known to answer, has to have
_NEAR = 0.38  # likeness below which no sentence is held to answer, whatever words it shares with what is asked

_READ = 16
"""Sentences that the encoder reads, those that share most words with the question."""

_NAMED = 8
"""Questions beside those found by search that are looked into, since they name the rarest word of what is asked."""

_WITH = 0.08
"""How much less alike than the best one a sentence beside it may be and is said too."""

OF_INTERVIEW = 0.46
"""Likeness, by the searcher, of a wording of an asked question's point from which that is held to answer."""

_BESIDE = 0.08
"""How much less alike another one of the same question may be and is said too."""

ON_SUBJECT = 0.5
"""Likeness of a question of the documents from which it is worth a look."""

OF_SUBJECT = 0.55
"""The same for a concept question of the bank, from which its chief points say what a thing is or is good for."""

GLOSSARY = "Glossary"
"""Place of what the glossary says."""

_CHIEF_POINTS = 2
_MOST_WORDS = 70

_REFERS_BACK = re.compile(
    r"(?:it|its|they|their|this|these|that|those|both|other|others|such|either|neither)\b", re.IGNORECASE
)
_ASKS_SHARE = re.compile(r"\bhow (?:many|much) of\b|\bwhat (?:share|percentage|fraction)\b", re.IGNORECASE)
_ALIKE_ALONE = 0.65  # likeness from which a sentence needs to share no word with what is asked
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


_EITHER_OR = re.compile(
    r"([\w'-]+),? or (?:(?:the|an?|by|at|on|in|to|for|with|its|is|are|does|do|it|they|rather|only|just) )*([\w'-]+)"
    r"[^.?!]{0,40}[?.!\s]*$",
    re.IGNORECASE,
)
"""Asks which of two things it is."""
_NO_CHOICE = frozenset(("not", "so", "something", "anything", "no", "else", "what", "why", "how", "more", "less"))


class Passage(NamedTuple):
    """What the documents have on a question.

    Attributes:
        said: the sentences that answer it, as one writes them; empty where none does.
        place: where they stand; where none answers, the place that comes nearest. Empty where there is neither.
        reading: what else to look at.
        title: what the place is called.

    """

    said: str
    place: str
    reading: str = ""
    title: str = ""


class _Found(NamedTuple):
    """A sentence held against what was asked.

    Attributes:
        question: whose it is.
        place: its place among all that were read, so that its neighbors are known.
        told: the sentence.
        covers: share of what is asked about that it and its question are about.
        own: the part of that which is its own.

    """

    question: Question
    place: int
    told: Told
    covers: float
    own: float


class Passages:
    """Finds them.

    Args:
        library: what is searched.
        encoder: tells which sentence answers; without one, shared words do.
        searcher: finds what was asked in this interview, by meaning; without one only all documents are searched.
        glossary: what says what a term of the field means; ours unless another is given.

    """

    def __init__(
        self,
        library: Library,
        encoder: Embedder | None,
        glossary: Glossary | None = None,
        *,
        searcher: Embedder | None = None,
        claims: ClaimReader | None = None,
    ) -> None:
        self._library = library
        self._glossary = glossary
        self._encoder, self._searcher, self._claims = encoder, searcher, claims
        self._known: tuple[tuple[Question, ...], dict[str, frozenset[str]], Counter[str]] | None = None

    def on(self, text: str, asked: Sequence[Question] = ()) -> Passage | None:
        """What there is on a question of the person's.

        What a term of the field means is told out of the glossary, unless a document of theirs is about it. After that
        come the questions that they were asked: most of what a person asks is on these.

        Args:
            text: what the person asks.
            asked: the questions of the interview.

        Returns:
            ``None`` while the documents cannot be searched.
        """
        defined = self._defined(text)
        if not self._library.complete:
            return defined
        try:
            hits = [hit for hit in self._library.search(text, _SEARCHED) if tells(hit.question)]
            if defined is not None and not any(self._theirs(hit, text) for hit in hits):
                return defined
            return self._of_interview(text, asked) or self._best(text, hits)
        except InterviewerError as error:
            _log.warning("nothing could be searched for: %s", error)
            return Passage("", "")

    def doubts(self, claim: str, asked: Sequence[Question]) -> bool:
        """Whether what the person asks about having said seems false, where no sentence tells.

        Args:
            claim: what they said, in their words.
            asked: the questions of the interview; it was said on the one that shares most words with it.

        """
        if self._claims is None or not asked:
            return False
        about = stems(claim)
        return self._claims.seems_false(max(asked, key=lambda each: len(about & stems(each.text))), claim)

    def _of_interview(self, text: str, asked: Sequence[Question]) -> Passage | None:
        """What an asked question's points or reference say on it; wrong statements on a point find it as well."""
        told = [(question, each) for question in asked if tells(question) for each in told_of(question)]
        if self._searcher is None or not told:
            return None
        wordings = [(place, each) for place, (_, held) in enumerate(told) for each in held.wordings]
        forms = tuple(dict.fromkeys((text, *_last_clause(text))))
        vectors = self._searcher.embed([*forms, *(each for _, each in wordings)])
        nearest = (vectors[len(forms) :] @ vectors[: len(forms)].T).max(axis=1)
        alike = [0.0] * len(told)
        for (place, _), near in zip(wordings, nearest, strict=True):
            alike[place] = max(alike[place], float(near))
        found = [place for place in range(len(told)) if alike[place] >= OF_INTERVIEW]
        if not found:
            return None
        shares = [place for place in found if "%" in told[place][1].said] if _ASKS_SHARE.search(text) else []
        best = max(shares or found, key=alike.__getitem__)
        if alike[best] < _ALIKE_ALONE and stems(text).isdisjoint(stems(told[best][1].said)):
            return None
        question = told[best][0]
        others = [
            place
            for place in range(len(told))
            if place != best
            and told[place][0] is question
            and alike[place] >= max(OF_INTERVIEW, alike[best] - _BESIDE)
            # Away from the sentence before it, nobody would know what "both" are.
            and not (_REFERS_BACK.match(told[place][1].said) and place != best + 1)
        ]
        places = [best, *sorted(others, key=alike.__getitem__)[-1:]]
        said = " ".join(capitalized(told[place][1].said) for place in places)
        return _passage(said if len(said.split()) <= _MOST_WORDS else capitalized(told[best][1].said), question)

    def _defined(self, text: str) -> Passage | None:
        """What the glossary says of the one or two terms that are asked about; ``None`` where it lacks one.

        Where the second is only what the person has already, such as a tool of their own, the first is enough.
        """
        pair = definition_requests.compared(text) or ()
        told = self._terms(pair)
        if len(told) < len(pair) or not pair:
            told = self._terms(definition_requests.defined(text))[:1]
        told = list(dict.fromkeys(told))
        if not told:
            return None
        return Passage(" ".join(term.definition for term in told), GLOSSARY, told[0].reading)

    def _terms(self, names: Sequence[str]) -> list[Term]:
        # Read when it is first needed, so that a start does not wait for it.
        glossary = self._glossary or load_glossary()
        return [term for name in names if (term := glossary.find(name))]

    def _theirs(self, hit: Hit, text: str) -> bool:
        """Whether it is a question of the person's own documents on what is asked about."""
        return not hit.question.of_bank and hit.similarity >= OF_SUBJECT and self._names(hit.question, text)

    def _best(self, text: str, hits: Sequence[Hit]) -> Passage:
        near = next((hit.question for hit in hits if hit.similarity >= ON_SUBJECT), None)
        if self._encoder is not None and _WHAT_IT_IS.fullmatch(text.strip()):
            for question in (hit.question for hit in hits if hit.similarity >= OF_SUBJECT):
                points = _chief_points(question) if self._names(question, text) else ""
                if points:
                    return _passage(points, question)
        found = self._found(text, [hit.question for hit in hits])
        found = [each for each in found if decides(text, each.told.said, each.question)]
        by_words = sorted(found, key=lambda each: each.covers + each.own, reverse=True)[:_READ]
        alike = self._alike(text, by_words)
        answering = [
            (each.covers + each.own / 2 + likeness, each)
            for each, likeness in zip(by_words, alike, strict=True)
            if likeness >= ANSWERS
            or (each.covers >= COVERS and each.own >= _OWN and (self._encoder is None or likeness >= _NEAR))
        ]
        score, best = max(answering, key=lambda pair: pair[0], default=(0.0, None))
        if best is not None and self._is_on(text, best.told):
            beside = [
                each
                for other, each in sorted(answering, key=lambda pair: pair[1].place)
                if each.question.id == best.question.id and abs(each.place - best.place) <= 1 and other >= score - _WITH
            ]
            said = " ".join(each.told.said for each in beside)
            return _passage(said if len(said.split()) <= _MOST_WORDS else best.told.said, best.question)
        # What is only of the same field, and not on what is asked, would be a wrong reference.
        return _passage("", near) if near is not None and self._names(near, text) else Passage("", "")

    def _is_on(self, text: str, told: Told) -> bool:
        """Whether a sentence of any document is on what is asked, by the searcher: shared words alone mislead."""
        if self._searcher is None:
            return True
        vectors = self._searcher.embed([text, *told.wordings])
        return float((vectors[1:] @ vectors[0]).max()) >= ON_SUBJECT

    def _names(self, question: Question, text: str) -> bool:
        """Whether a question itself names the rarest word of what is asked."""
        times = self._words()[2]
        known = [stem for stem in sorted(stems(text)) if times[stem]]
        return bool(known) and min(known, key=lambda stem: times[stem]) in stems(f"{question.title} {question.text}")

    def _found(self, text: str, found: Sequence[Question]) -> list[_Found]:
        """The sentences that may answer: they or their question name the rarest word of what is asked."""
        questions, about, times = self._words()
        wanted = stems(text)
        known = [stem for stem in sorted(wanted) if times[stem]]
        if not known:
            return []

        def weight(words: frozenset[str]) -> float:
            return sum(log(1 + len(questions) / (times[word] + 0.5)) for word in words)

        rarest = min(known, key=lambda stem: times[stem])
        ids = {question.id for question in found}
        naming = [held for held in questions if held.id not in ids and rarest in about[held.id] and tells(held)]
        told = [
            (question, sentence)
            for question in (*found, *(naming if len(naming) <= _NAMED else ()))
            for sentence in told_of(question)
        ]
        held: list[_Found] = []
        for place, (question, sentence) in enumerate(told):
            own = stems(sentence.text)
            whole = own | stems(f"{question.title} {question.text}")
            if rarest in whole:
                shares = (weight(wanted & words) / weight(wanted) for words in (whole, own))
                held.append(_Found(question, place, sentence, *shares))
        return held

    def _words(self) -> tuple[tuple[Question, ...], dict[str, frozenset[str]], Counter[str]]:
        """All questions, what each is about, and in how many each word is."""
        questions = self._library.questions()
        if self._known is None or self._known[0] is not questions:
            about = {
                question.id: stems(
                    " ".join((question.title, question.text, *(each.text for each in told_of(question))))
                )
                for question in questions
            }
            self._known = (questions, about, Counter(word for words in about.values() for word in words))
        return self._known

    def _alike(self, text: str, found: Sequence[_Found]) -> list[float]:
        if self._encoder is None or not found:
            return [0.0] * len(found)
        told = [each.told for each in found]
        vectors = self._encoder.embed(
            [text, *(speakable(each.said) for each in told), *(speakable(each.asked or each.said) for each in told)]
        )
        alike = vectors[1:] @ vectors[0]
        return [float(max(pair)) for pair in zip(alike[: len(told)], alike[len(told) :], strict=True)]


def _last_clause(text: str) -> tuple[str, ...]:
    """The question that a longer text ends with, where it can be asked alone."""
    found = _ENDS_WITH.search(text.strip())
    return (found[1],) if found and len(found[1].split()) >= _ASKS_ENOUGH else ()


_ASKS_ENOUGH = 5
_ENDS_WITH = re.compile(
    r"[,.;:?!…]\s+(?:(?:so|and|but|or)\s+)?((?:is|are|was|were|do|does|did|can|could|should|would|will|has|have|what|why|how"
    r"|when|where|which|who)\b[^.?!]*\?)$",
    re.IGNORECASE,
)


def decides(text: str, said: str, question: Question) -> bool:
    """Whether a sentence can decide what is asked in the form "is it A or B?"; any can where the form is another.

    It names one of the two, and it and its question name half of what else is asked.

    Args:
        text: what is asked.
        said: the sentence.
        question: whose it is.

    """
    choice = _EITHER_OR.search(text)
    if choice is None or not _NO_CHOICE.isdisjoint(map(str.lower, choice.groups())):
        return True
    sides, told = stems(" ".join(choice.groups())), stems(said)
    if len(sides) < len(choice.groups()):
        return True
    rest = stems(text) - sides
    whole = told | stems(f"{question.title} {question.text}")
    return bool(sides & told) and (not rest or (bool(rest & told) and 2 * len(rest & whole) >= len(rest)))


def _passage(said: str, question: Question) -> Passage:
    if _REFERS_BACK.match(said) and question.title:
        # Alone, nobody would know what "it" is.
        said = f"{readable(question.title).rstrip('.?!')}: {said[0].lower()}{said[1:]}"
    source = question.source
    return Passage(said, source.place, next(iter(question.reading), ""), source.title)


def _chief_points(question: Question) -> str:
    """The heaviest points that a concept question of the bank itself asks for, in the rubric's order; else empty."""
    if not question.of_bank or question.kind is not Kind.CONCEPT or question.rubric is None:
        return ""
    asked = [point for point in question.rubric.criteria if point.asked_by is AskedBy.OPENING]
    heaviest = sorted(asked, key=lambda point: -point.weight)[:_CHIEF_POINTS]
    return " ".join(readable(point.text) for point in asked if point in heaviest)
