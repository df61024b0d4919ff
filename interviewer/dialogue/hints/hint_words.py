"""The words of a hint: the question's own, how a point begins, a word of it, or two statements to choose from. Pure."""

from __future__ import annotations

import re

from interviewer.dialogue import templates
from interviewer.speech.speakable_text import speakable
from interviewer.text import wording
from interviewer.understanding.stop_words import EMPTY, STEM, stems
from knowledge.model import Kind, Question
from rubric.model import Criterion

_MOST_OF_A_CHOICE = 24


def hint(
    question: Question,
    given: int,
    seed: int,
    *,
    point: Criterion | None = None,
    ask: str = "",
    other: str = "",
    said: str = "",
    again: int = 0,
    of_run: bool = False,
) -> str:
    """A hint: the question's own first, then nudges that fit any question of its kind.

    On a follow-up it is the question's own only where that is nearest to its point; else how that begins, a word of it,
    other words, or a way to begin. Who asks again chooses between two statements, one of them right.

    Args:
        question: the open one.
        given: how many hints it got already.
        seed: the plan's.
        point: what the open follow-up is on; ``None`` where none is open.
        ask: the open follow-up's question alone; may be empty.
        other: the same in other words, for one that is on no point; may be empty.
        said: what the person said on the question so far: a word of theirs is no help.
        again: how many hints the open follow-up got already.
        of_run: whether the open follow-up is on a test that failed.

    """
    lead = wording(templates.HINT_LEADS, seed, given)
    if of_run:
        return f"{lead} {wording(templates.RUN_HINTS, 0, again)}"
    if point is not None and again and (choice := _choice(question, point, seed + given)):
        return f"{lead} {choice}"
    own = speakable(question.hint)
    fits = _hints_at(question, point) if point is not None else not ask
    told = own if own and fits and given == 0 else wording(templates.NUDGES[question.kind], seed, given)
    if ask and told != own:
        # What was asked a moment ago is not said again: nobody takes that for a hint.
        told = _way_in(question, point if again == 0 else None, said, other or wording(templates.WAYS_IN, seed, given))
    return f"{lead} {told}"


def _way_in(question: Question, point: Criterion | None, said: str, otherwise: str) -> str:
    """What helps with a follow-up: how its point begins, where it is long enough, a word of it, or a way to begin.

    Args:
        question: the open one.
        point: what the follow-up asks for; ``None`` where nothing of it may be told.
        said: what the person said so far.
        otherwise: a way to begin.

    """
    if point is not None:
        if question.kind is not Kind.BEHAVIORAL and (words := _beginning(point, f"{point.probe} {said}")):
            return templates.GOES_ON.format(words=words)
        if word := _word_of(question, point, said):
            return templates.BUILD_ON.format(word=word)
    return otherwise


def _beginning(point: Criterion, known: str) -> str:
    """The first words of a point, fewer than half of it, up to a comma; empty where they add nothing to ``known``."""
    words = speakable(point.text).rstrip(".").split()
    most = round(len(words) * _OF_A_POINT)
    commas = (
        count
        for count in range(_FEWEST_BEGUN, most)
        if words[count - 1].endswith(",") and words[count].lower() in _GOES_ON_WITH
    )
    end = max(commas, default=most)
    while end > _FEWEST_BEGUN and words[end - 1].lower() in _LEADS_ON:
        end -= 1
    begun = " ".join(words[:end]).rstrip(" ,;:")
    # A single new word may be any that the question goes without.
    tells = len(stems(begun, EMPTY) - stems(known, EMPTY)) > 1
    return begun if len(words) >= _LONG_ENOUGH_TO_CUT and tells else ""


_LONG_ENOUGH_TO_CUT = 10
_FEWEST_BEGUN = 4
_LEADS_ON = frozenset(re.findall(r"\S+", "a an and as at by for from in into its of on or than the their to with"))
"""Words that no beginning ends with."""
_GOES_ON_WITH = frozenset(
    re.findall(r"\S+", "so because which and but while where whose since if as or with for not then when unless")
)
"""Words behind a comma by which it parts clauses, and no list."""

_OF_A_POINT = 0.45
"""Share of a point's words that a hint tells."""


def _choice(question: Question, point: Criterion, seed: int) -> str:
    """Two statements of which one makes a point and the other its opposite; empty where there are none short enough."""
    if question.kind is Kind.BEHAVIORAL:
        return ""
    pair = [
        min((speakable(each) for each in examples if len(each.split()) <= _MOST_OF_A_CHOICE), key=len, default="")
        for examples in (point.examples.met, point.examples.contradicted)
    ]
    if not all(pair):
        return ""
    first, second = pair if seed % 2 else reversed(pair)
    return templates.CHOOSE_STATEMENT.format(first=first.rstrip("."), second=second.rstrip("."))


def _word_of(question: Question, point: Criterion, answers: str) -> str:
    """A word that the point turns on and nobody has said yet, of no other point where there is one, or a long one."""
    if question.kind is Kind.BEHAVIORAL:
        return ""
    said = stems(" ".join((question.title, question.text, question.spoken, point.probe, answers)))
    points = question.rubric.criteria if question.rubric else ()
    elsewhere = [stems(each.text) for each in points if each.id != point.id]
    words = dict.fromkeys(re.findall(r"[a-z]{5,}", speakable(point.text).lower()))
    fresh = [word for word in words if word not in _JOINING and word[:STEM] not in said]
    return min(fresh, key=lambda word: (sum(word[:STEM] in other for other in elsewhere), -len(word)), default="")


_JOINING = EMPTY | frozenset(
    re.findall(
        r"\S+",
        """
    about after again always because before between counts every first follows instead never other others otherwise
    rather second since still their there therefore these those until whereas where which while within without
    """,
    )
)
"""Words that no point turns on."""


def _hints_at(question: Question, point: Criterion) -> bool:
    """Whether the question's hint shares more words with a criterion than with any other."""
    points = question.rubric.criteria if question.rubric else ()
    hinted = stems(question.hint)

    def shared(each: Criterion) -> float:
        about = stems(" ".join((each.text, each.probe, *each.examples.met)))
        return sum(1 / sum(stem in other for other in every) for stem in hinted & about)

    every = [stems(" ".join((each.text, each.probe, *each.examples.met))) for each in points]
    best = max(map(shared, points), default=0.0)
    return best > 0 and shared(point) == best
