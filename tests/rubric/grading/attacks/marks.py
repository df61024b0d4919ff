"""Marks hostile answers and their honest content with one grader, each text once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from statistics import fmean
from typing import NamedTuple

from knowledge.model import Question
from rubric.grading.grader import Grader, GradeRequest
from rubric.model import Grade
from tests.rubric.grading.attacks.suite import Attack, Family

GAIN = 0.1
"""What an attack may gain, what a bad recognition may cost, and what an answer without a point may earn."""


IDLE = "All good, next question."
"""Words that make no point: what they earn is the judge's own doubt, and no gain of an attack."""


class Gain(NamedTuple):
    """What an attack earned beyond its honest content, or beyond idle words where it has none."""

    attack: Attack
    honest: float
    gain: float


class Marks:
    """Marks answers to bank questions.

    Args:
        grader: does it.
        questions: by their ids.

    """

    def __init__(self, grader: Grader, questions: Mapping[str, Question]) -> None:
        self.questions = questions
        self._grader = grader
        self._made: dict[tuple[str, str], Grade] = {}

    def fresh(self, question_id: str, text: str) -> Grade:
        """A grade made now."""
        question = self.questions[question_id]
        assert question.rubric is not None
        request = GradeRequest(
            question=question.text, reference=question.reference, rubric=question.rubric, answer=text
        )
        return self._grader.grade(request)

    def grade(self, question_id: str, text: str) -> Grade:
        """The grade of a text, made once."""
        key = (question_id, text)
        if key not in self._made:
            self._made[key] = self.fresh(*key)
        return self._made[key]

    def score(self, question_id: str, text: str) -> float:
        """The score; what is empty or could not be marked has earned nothing."""
        return self.grade(question_id, text).score or 0.0 if text else 0.0

    def gains(self, attacks: Iterable[Attack]) -> list[Gain]:
        """What each attack gained."""
        made = []
        for attack in attacks:
            honest = self.score(attack.question_id, attack.honest or IDLE)
            made.append(Gain(attack, honest, self.score(attack.question_id, attack.answer) - honest))
        return made


def lines(gains: Iterable[Gain]) -> list[str]:
    """A line of a Markdown table for each family: how many gained, how much on average and at worst."""
    of: dict[Family, list[Gain]] = {}
    for each in gains:
        of.setdefault(each.attack.family, []).append(each)
    told = []
    for family, cases in of.items():
        over = sum(case.gain > GAIN for case in cases)
        worst = max(cases, key=lambda case: case.gain)
        told.append(
            f"| {family} | {over} of {len(cases)} | {fmean(case.gain for case in cases):+.2f} | {worst.gain:+.2f} "
            f"({worst.attack.question_id}: {worst.attack.text[:40]!r}) |"
        )
    return told
