from __future__ import annotations

import pytest

from knowledge.contradictions import contradictions
from knowledge.model import FlagKind, Question, Source
from rubric.grader import LONGEST_ANSWER, RubricGrader
from rubric.model import Criterion, Rubric
from tests.rubric.doubles import BagOfWords, FixedJudge

RUBRIC = Rubric(criteria=(Criterion(id="c1", text="The gradient is freed after backward."),))
BANK = Question(id="b", text="What?", spoken="What?", topic="t", source=Source(path="bank"), rubric=RUBRIC)


def document(reference: str) -> Question:
    return Question(id="d", text="What?", spoken="What?", topic="t", source=Source(path="d"), reference=reference)


def grader(chance: float) -> tuple[RubricGrader, FixedJudge]:
    rest = (1 - chance) / 3
    judge = FixedJudge(chances=(rest, rest, rest, chance))
    return RubricGrader(judge, BagOfWords()), judge


@pytest.mark.parametrize(("chance", "count"), [(0.97, 1), (0.8, 0)])
def test_only_what_is_surely_contradicted_is_flagged(chance: float, count: int) -> None:
    judged, _ = grader(chance)
    flags = contradictions(document("The gradient stays. It is kept for ever."), BANK, judged)
    assert [flag.kind for flag in flags] == [FlagKind.CONTRADICTS_BANK] * count
    assert all("The gradient is freed after backward." in flag.reason for flag in flags)


def test_code_is_not_judged_as_speech() -> None:
    judged, judge = grader(0.97)
    contradictions(document("It stays.\n\n```python\nx = 1\n```\n"), BANK, judged)
    assert judge.asked == ["It stays."]


def test_without_words_or_a_rubric_nobody_is_asked() -> None:
    judged, judge = grader(0.97)
    assert contradictions(document("```python\nx = 1\n```"), BANK, judged) == ()
    assert contradictions(document("It stays."), BANK.model_copy(update={"rubric": None}), judged) == ()
    assert judge.asked == []


def test_a_long_reference_is_judged_as_far_as_it_can_be() -> None:
    judged, judge = grader(0.97)
    contradictions(document("It stays. " * 5000), BANK, judged)
    assert len(judge.asked[0]) == LONGEST_ANSWER
