"""The person's own words within a follow-up: which of them, and how many. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from interviewer.session.events import AnswerGraded, NearestWords
from interviewer.understanding.clauses import clause_starts
from interviewer.understanding.stop_words import EMPTY
from rubric.grading.evidence import sentences
from rubric.model import Criterion

_MOST_WORDS = 14
"""A quotation longer than this is no longer a reminder but a recital."""

_FEWEST_WORDS = 4
_STEM = 5
"""Letters by which words count as the same, whatever their endings."""

_SPEAKABLE = frozenset(" ,'’-")
_FILLERS = re.compile(r",?\s*\b(?:u[hm]+|er+m?|hm+|mhm|you know|i mean|sort of|kind of)\b,?", re.IGNORECASE)
_LEADS_IN = re.compile(r"^(?:(?:and|but|so|or|because|also|then|well|okay|right|which|that)\b[\s,]*)+", re.IGNORECASE)
_SUBORDINATE = frozenset(
    {"since", "if", "when", "while", "as", "although", "though", "unless", "for", "after", "before"}
)
_JOINS = frozenset({"because", "since", "which", "and", "but", "so", "where", "while", "whereas", "although"})


def quotation(criterion: Criterion, graded: AnswerGraded | None) -> str:
    """The clause of the person's own words that is meant by a criterion, fit to be said aloud; empty where none is.

    The clause that the sentence encoder found nearest comes first. Without one it is chosen among the evidence by the
    words that it shares with the point; a clause that shares none is not quoted: said before a question that has
    nothing to do with it, it would only puzzle.

    Args:
        criterion: what the follow-up is on.
        graded: the mark, and the words nearest to each point.

    """
    if graded is None:
        return ""
    said = graded.graded_text
    if quote := clause_near(criterion, said, graded.nearest):
        return quote
    verdict = next((each for each in graded.grade.criteria if each.id == criterion.id), None)
    about = _stems(" ".join((criterion.text, criterion.probe, *criterion.examples.met)))
    return max(
        (
            quote
            for span in (verdict.evidence if verdict else ())
            for start, end in _parts(said, *span)
            if (quote := clause(said[start:end])) and about & _stems(quote)
        ),
        key=lambda quote: len(about & _stems(quote)),
        default="",
    )


def clause_near(criterion: Criterion, said: str, nearest: Sequence[NearestWords]) -> str:
    """The clause that the sentence encoder found nearest to a criterion, fit to be said aloud; empty where none is.

    Args:
        criterion: what the follow-up is on.
        said: all that was said.
        nearest: of each criterion its nearest words.

    """
    near = next((each for each in nearest if each.criterion_id == criterion.id), None)
    return clause(said[slice(*near.span)]) if near is not None else ""


def clause_in(text: str) -> str:
    """The first clause of a text that can be quoted; empty where there is none."""
    return next((quote for start, end in _parts(text, 0, len(text)) if (quote := clause(text[start:end]))), "")


def _parts(said: str, start: int, end: int) -> list[tuple[int, int]]:
    """From each clause of a passage to the end of its sentence."""
    passage = said[start:end]
    return [
        (start + begin, start + stop)
        for sentence_start, stop in sentences(passage)
        for begin in clause_starts(passage, (sentence_start, stop))
    ]


def clause(text: str) -> str:
    """The longest beginning of a text that is short enough to be quoted and stops where one may stop."""
    fluent = _FILLERS.sub(_between, " ".join(text.split())).strip(" ,")
    words = _LEADS_IN.sub("", fluent).split()
    best = words if len(words) <= _MOST_WORDS else words[: _end(words)]
    quote = " ".join(best).strip(" ,.;:!?-\"'")
    speakable = all(character.isalnum() or character in _SPEAKABLE for character in quote)
    return quote if speakable else ""


def _between(filler: re.Match[str]) -> str:
    """What stays of a filler: a comma, where one stood on either side and the word before can end a part."""
    before = filler.string[: filler.start()].split()
    parts = filler[0].startswith(",") and filler[0].endswith(",")
    return "," if parts and before and before[-1].lower() not in EMPTY else ""


def _end(words: list[str]) -> int:
    """How many words may be quoted; 0 where they cannot be cut without leaving something hanging."""
    within = range(_FEWEST_WORDS, _MOST_WORDS + 1)
    stops = [count for count in within if words[count - 1][-1] in ",;:.!?"]
    if words[0].lower() in _SUBORDINATE:
        # Up to the first comma it is only half of a sentence.
        stops = stops[1:]
    joins = [
        count
        for count in within
        if words[count].lower() in _JOINS and words[count - 1].strip(",").lower() not in _JOINS
    ]
    return max(stops, default=0) or max(joins, default=0)


def _stems(text: str) -> frozenset[str]:
    return frozenset(word[:_STEM] for word in re.findall(r"[a-z0-9]+", text.lower()) if word not in EMPTY)
