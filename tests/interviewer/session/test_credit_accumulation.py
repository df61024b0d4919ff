"""What was earned stays earned."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.session.credit_accumulation import accumulated, no_less
from interviewer.session.events import AnswerGiven, AnswerGraded, FollowUpAsked
from interviewer.session.follow_up_kinds import FollowUpKind
from rubric.grading.grader import score
from rubric.model import Criterion, CriterionVerdict, Engine, Grade, Rubric, Verdict
from tests.interviewer.builders import at

RUBRIC = Rubric(criteria=tuple(Criterion(id=f"c{n}", text="x", weight=n + 1) for n in range(3)))
ENGINE = Engine(judge="j", model="m", digest="", rubric_version="v", spread=1.5)
SCORED = [verdict for verdict in Verdict if verdict is not Verdict.UNSCORED]


def verdict(name: str, said: Verdict, credit: float) -> CriterionVerdict:
    needs = said in {Verdict.MET, Verdict.PARTIAL, Verdict.CONTRADICTED}
    return CriterionVerdict(
        id=name,
        credit=None if said is Verdict.UNSCORED else credit,
        verdict=said,
        sure=said is not Verdict.UNSCORED,
        evidence=((0, 2),) if needs else (),
    )


def grade(*said: tuple[Verdict, float]) -> Grade:
    verdicts = tuple(verdict(f"c{place}", *pair) for place, pair in enumerate(said))
    return Grade(score=score(RUBRIC, verdicts), criteria=verdicts, engine=ENGINE, seconds=0.0)


def answer(number: int, follow_up: str | None = None) -> AnswerGiven:
    return AnswerGiven(id=f"a{number}", at=at(number), asked_id="q", follow_up_id=follow_up, text="so")


def graded(number: int, text: str, marks: Grade) -> AnswerGraded:
    return AnswerGraded(
        id=f"a{number}:graded", at=at(number), asked_id="q", answer_id=f"a{number}", graded_text=text, grade=marks
    )


def follow_up(kind: FollowUpKind, criterion_id: str) -> FollowUpAsked:
    return FollowUpAsked(id="f", at=at(1), asked_id="q", kind=kind, criterion_id=criterion_id, said="?")


FIRST = grade((Verdict.MET, 0.9), (Verdict.PARTIAL, 0.5), (Verdict.MISSING, 0.1))
WORSE = grade((Verdict.MISSING, 0.2), (Verdict.MISSING, 0.3), (Verdict.CONTRADICTED, 0.0))


def both(kind: FollowUpKind, criterion_id: str, second: Grade = WORSE, text: str = "so\n\nso") -> Grade:
    asked = follow_up(kind, criterion_id)
    marks = [graded(0, "so", FIRST), graded(2, text, second)]
    return accumulated(RUBRIC, [answer(0), answer(2, asked.id)], [asked], marks)[-1].grade


@pytest.mark.parametrize("kind", sorted(set(FollowUpKind) - {FollowUpKind.UNSURE}))
def test_a_later_answer_takes_nothing_back(kind: FollowUpKind) -> None:
    counted = both(kind, "c0")
    assert [found.verdict for found in counted.criteria] == [Verdict.MET, Verdict.PARTIAL, Verdict.CONTRADICTED]
    assert counted.score == pytest.approx((0.9 * 1 + 0.5 * 2 + 0.0 * 3) / 6, abs=1e-4)
    assert counted.interval is not None
    assert counted.interval[0] <= counted.score <= counted.interval[1]


def test_where_the_judge_was_unsure_the_answer_to_its_question_counts() -> None:
    counted = both(FollowUpKind.UNSURE, "c0")
    assert [found.verdict for found in counted.criteria] == [Verdict.MISSING, Verdict.PARTIAL, Verdict.CONTRADICTED]


def test_what_is_better_later_counts() -> None:
    better = grade((Verdict.MET, 0.95), (Verdict.MET, 0.8), (Verdict.MET, 0.7))
    assert both(FollowUpKind.MISSING, "c2", better) == better


def test_a_mark_that_could_not_be_made_leaves_what_is_met_and_opens_the_rest() -> None:
    unscored = grade((Verdict.UNSCORED, 0), (Verdict.UNSCORED, 0), (Verdict.MET, 1.0))
    counted = both(FollowUpKind.MISSING, "c2", unscored)
    assert [found.verdict for found in counted.criteria] == [Verdict.MET, Verdict.UNSCORED, Verdict.MET]
    assert counted.score is None


def test_grades_of_another_text_or_rubric_are_left_as_they_are() -> None:
    assert both(FollowUpKind.DEPTH, "c0", text="else") == WORSE
    other = Rubric(criteria=(Criterion(id="z", text="x"),))
    assert no_less(other, FIRST, WORSE) is WORSE
    marks = [graded(0, "so", FIRST)]
    assert accumulated(None, [answer(0)], [], marks) == tuple(marks)


_MARKS = st.lists(st.tuples(st.sampled_from(SCORED), st.floats(0, 1)), min_size=3, max_size=3).map(
    lambda pairs: grade(*pairs)
)


@given(st.lists(_MARKS, min_size=1, max_size=5))
def test_earned_credit_never_falls(marks: list[Grade]) -> None:
    texts = ["\n\n".join(["so"] * (place + 1)) for place in range(len(marks))]
    events = [graded(place, text, marks[place]) for place, text in enumerate(texts)]
    counted = accumulated(RUBRIC, [answer(place) for place in range(len(marks))], [], events)
    for criterion in RUBRIC.criteria:
        earned = 0.0
        for event in counted:
            found = event.grade.verdict(criterion.id)
            assert (found.credit or 0.0) >= earned
            if found.verdict in {Verdict.MET, Verdict.PARTIAL}:
                earned = max(earned, found.credit or 0.0)
    assert accumulated(RUBRIC, [answer(place) for place in range(len(marks))], [], counted) == counted
