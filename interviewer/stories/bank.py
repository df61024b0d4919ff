"""Interviews to stories: which answers are tellings, which of them tell the same story, and what changed. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from interviewer.scoring.overrides import with_overrides
from interviewer.session.state import AskedQuestion, State
from interviewer.stories.story import Change, Story, Telling
from interviewer.understanding.stop_words import EMPTY
from knowledge.model import Kind
from rubric.model import Verdict

SAME = 0.4
"""Share of the shorter telling's words, without those of the questions, from which two tellings are of one story."""

FEWEST_WORDS = 25
"""Words from which an answer to a behavioral question is a telling: fewer tell nothing."""

_LETTERS = 6
"""Letters by which words count as the same, whatever their endings."""


def stories(interviews: Mapping[str, State]) -> tuple[Story, ...]:
    """The story bank: every story that was told and not taken out again, the one told last first.

    Args:
        interviews: the person's, by id.

    """
    told = (telling for name, state in interviews.items() for telling in tellings(name, state))
    found: list[list[Telling]] = []
    for telling in sorted(told, key=lambda each: (each.at, each.id)):
        own = max(found, key=lambda group: _alike(group, telling), default=None)
        if own is not None and _alike(own, telling) >= SAME:
            own.append(telling)
        else:
            found.append([telling])
    held = [Story(tellings=tuple(group)) for group in found]
    return tuple(sorted(held, key=lambda story: (story.latest.at, story.id), reverse=True))


def tellings(session_id: str, state: State) -> tuple[Telling, ...]:
    """The stories told in an interview, in order, without those that were taken out of the bank."""
    return tuple(_telling(session_id, with_overrides(asked)) for asked in state.asked if _is_told(asked))


def change(before: Telling, after: Telling) -> Change:
    """What became of a story from one telling to another; its points are compared where the question is the same."""
    same = before.question_id == after.question_id
    return Change(
        gained=tuple(point for point in after.made if same and point in before.missing),
        lost=tuple(point for point in after.missing if same and point in before.made),
        words=after.words - before.words,
        figures=_figures(after.text) - _figures(before.text),
    )


def changes(story: Story) -> tuple[Change, ...]:
    """What changed from each telling to the next."""
    return tuple(change(before, after) for before, after in pairwise(story.tellings))


def _is_told(asked: AskedQuestion) -> bool:
    return asked.question.kind is Kind.BEHAVIORAL and not asked.forgotten and len(_said(asked).split()) >= FEWEST_WORDS


def _said(asked: AskedQuestion) -> str:
    return "\n\n".join(answer.text for answer in asked.answers)


def _telling(session_id: str, asked: AskedQuestion) -> Telling:
    points = {point.id: point.text for point in asked.question.rubric.criteria} if asked.question.rubric else {}
    marks = asked.grades[-1].grade.criteria if asked.grades else ()
    sure = [mark for mark in marks if mark.sure and mark.id in points and not mark.waived]
    made = tuple(points[mark.id] for mark in sure if mark.verdict is Verdict.MET)
    # Nobody contradicts the facts by telling what they did: what is not met is missing.
    wanting = {Verdict.MISSING, Verdict.PARTIAL, Verdict.CONTRADICTED}
    missing = tuple(points[mark.id] for mark in sure if mark.verdict in wanting)
    return Telling(
        id=f"{session_id[:8]}-{asked.number}",
        session_id=session_id,
        asked_id=asked.asked_id,
        question_id=asked.question.id,
        question=asked.question.spoken,
        at=asked.turns[0].at,
        text=_said(asked),
        made=made,
        missing=missing,
        unsure=len(points) - len(made) - len(missing),
    )


def _alike(group: Sequence[Telling], telling: Telling) -> float:
    return max(_shared(other, telling) for other in group)


def _shared(one: Telling, other: Telling) -> float:
    """Share of the words of the shorter telling that the other has too, but for those of their questions."""
    asked = _stems([one.question, other.question, *one.made, *one.missing, *other.made, *other.missing])
    first, second = _stems([one.text]) - asked, _stems([other.text]) - asked
    return len(first & second) / max(min(len(first), len(second)), 1)


def _stems(texts: Iterable[str]) -> frozenset[str]:
    words = re.findall(r"[a-z0-9]+", " ".join(texts).lower())
    return frozenset(word[:_LETTERS] for word in words if word not in EMPTY and len(word) > 1)


def _figures(text: str) -> int:
    return len(re.findall(r"\d+(?:[.,]\d+)*", text))
