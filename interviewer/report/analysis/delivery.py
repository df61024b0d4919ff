"""How spoken answers were given, for the report; never part of a score. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple, get_args

from interviewer.policy.follow_ups import misheard
from interviewer.report.schema.delivery import Manner, Moment, SpokenExample
from interviewer.session.state import AskedQuestion
from interviewer.speech.delivery import PAUSE_S, Habit, first_heard
from interviewer.speech.spoken_answer import SpokenAnswer
from interviewer.understanding.fluent_speech import without_fillers
from interviewer.understanding.stop_words import EMPTY
from serving.speech.stt.transcript import DOUBTFUL

_MOST_DOUBTFUL = 12

# Answers that say little of a pace.
_FEW_WORDS = 20


def manner(asked: Sequence[AskedQuestion]) -> Manner | None:
    """How the spoken answers of an interview were given; ``None`` where nothing was spoken."""
    told = list(_spoken(asked))
    if not told:
        return None
    deliveries = [each.spoken.delivery for each in told]
    words = [word for each in told for word in each.spoken.words]
    paced = [(each.words, each.pace) for each in deliveries if each.pace > 0 and each.words >= _FEW_WORDS]
    doubtful = [word.text for word in words if word.probability < DOUBTFUL]
    seconds = sum(each.duration for each in deliveries)
    slow = max(told, key=lambda each: each.spoken.delivery.longest_pause)
    longest = slow.spoken.delivery
    pause = Moment(number=slow.number, answer=slow.place, seconds=longest.longest_pause, at=longest.longest_pause_at)
    return Manner(
        answers=len(told),
        seconds=seconds,
        words=sum(each.words for each in deliveries),
        pace=sum(count * pace for count, pace in paced) / sum(count for count, _ in paced) if paced else None,
        talking=sum(each.talking * each.duration for each in deliveries) / max(seconds, 1e-9),
        longest_pause=pause,
        fillers=_together(each.fillers for each in deliveries),
        restarts=sum(each.restarts for each in deliveries),
        hedges=_together(each.hedges for each in deliveries),
        sure=1 - len(doubtful) / len(words) if words else None,
        doubtful=_unclear(doubtful)[:_MOST_DOUBTFUL],
        corrected=sum(_was_corrected(question) for question in asked),
        hanging=hanging(asked),
        examples=tuple(_examples(asked)),
    )


def _unclear(doubtful: Iterable[str]) -> tuple[str, ...]:
    """Words that were not heard surely, each once: without marks, fillers, and what says nothing about a subject."""
    bare = (without_fillers(word.strip(" .,;:!?-\"'")) for word in doubtful)
    telling = (word for word in bare if len(word) >= _SHORTEST_UNCLEAR and word.lower() not in _SAYS_NOTHING)
    return tuple({word.lower(): word for word in telling}.values())


_SHORTEST_UNCLEAR = 3
_SAYS_NOTHING = EMPTY | {"hum", "per", "ask", "says", "asked"}


def _examples(asked: Sequence[AskedQuestion]) -> Iterator[SpokenExample]:
    """Where the longest pause is, and of each habit the first place."""
    told = list(_spoken(asked))
    slow = max(told, key=lambda each: each.spoken.delivery.longest_pause)
    if slow.spoken.delivery.longest_pause >= PAUSE_S:
        yield _example("pause", slow, slow.spoken.delivery.longest_pause_at)
    found: dict[Habit, SpokenExample] = {}
    for each in told:
        for habit, (at, said) in first_heard(each.spoken.words).items():
            found.setdefault(habit, _example(habit, each, at, said))
    yield from (found[habit] for habit in get_args(Habit) if habit in found)


class _Told(NamedTuple):
    """A spoken answer, and which one it is: of which question, and the how many-th on it."""

    number: int
    place: int
    answer_id: str
    spoken: SpokenAnswer


def _example(habit: Habit | Literal["pause"], told: _Told, at: float, said: str = "") -> SpokenExample:
    return SpokenExample(habit=habit, number=told.number, answer=told.place, answer_id=told.answer_id, at=at, said=said)


def _spoken(asked: Sequence[AskedQuestion]) -> Iterator[_Told]:
    for question in asked:
        for place, answer in enumerate(question.answers, start=1):
            if answer.spoken is not None:
                yield _Told(question.number, place, answer.id, answer.spoken)


def _was_corrected(question: AskedQuestion) -> int:
    return sum(answer.spoken is not None and answer.text != answer.spoken.written for answer in question.answers)


def hanging(asked: Sequence[AskedQuestion]) -> tuple[str, ...]:
    """Where marks may have been lost to a misheard word, as ``number: term``, each once.

    Several points may hang on one word. A term that stands in what was recognized was not misheard.
    """
    graded = [(question.number, question.grades[-1]) for question in asked if question.grades]
    found = [
        (number, term)
        for number, last in graded
        for verdict in last.grade.criteria
        if (term := misheard(last.grade, verdict.id)) and term.lower() not in last.graded_text.lower()
    ]
    return tuple(f"question {number}: {term}" for number, term in dict.fromkeys(found))


def _together(counts: Iterable[dict[str, int]]) -> tuple[tuple[str, int], ...]:
    whole: Counter[str] = Counter()
    for each in counts:
        whole.update(each)
    return tuple(whole.most_common())
