"""An interview graded again, with grades at hand."""

from __future__ import annotations

import pytest

from interviewer.report.analysis.regrade import compare, due, lines, term, term_lines
from interviewer.session.events import Event
from knowledge.model import FlagKind, ReferenceFlag
from rubric.model import CriterionVerdict, Grade, Verdict
from tests.interviewer.report.sample_session import LEAF, LOADER, MIXED, Telling

MET, PARTIAL, MISSING, CONTRADICTED = Verdict.MET, Verdict.PARTIAL, Verdict.MISSING, Verdict.CONTRADICTED
WAITS = "It waits for data."


@pytest.fixture
def told() -> list[Event]:
    """Two questions: one answered twice, its second answer ungraded; one graded."""
    tell = Telling()
    q = tell.ask(LOADER)
    first = tell.answer(q, WAITS)
    tell.grade(q, first, [(MET, 0.9, WAITS), (MISSING, 0.1, "")])
    tell.fail(q, tell.answer(q, "Pin the memory."), "The model server stopped answering.")
    tell.close(q)
    q = tell.ask(MIXED)
    tell.grade(q, tell.answer(q, WAITS), [(MET, 1.0, WAITS), (MISSING, 0.0, ""), (MISSING, 0.0, "")])
    return tell.events


def old_grades(events: list[Event]) -> dict[str, Grade]:
    return {event.answer_id: event.grade for event in events if event.type == "answer_graded"}


def judged(grade: Grade, *verdicts: tuple[Verdict, float], score: float | None = None) -> Grade:
    """Another judge's grade, its evidence at the first characters."""
    criteria = tuple(
        CriterionVerdict(
            id=before.id,
            verdict=verdict,
            credit=credit,
            sure=True,
            evidence=() if verdict is MISSING else ((0, 2),),
        )
        for before, (verdict, credit) in zip(grade.criteria, verdicts, strict=True)
    )
    engine = grade.engine.model_copy(update={"judge": "prompt 1", "model": "other-7b", "digest": ""})
    return grade.model_copy(update={"criteria": criteria, "score": score, "engine": engine})


@pytest.fixture
def grades(told: list[Event]) -> dict[str, Grade]:
    old = old_grades(told)
    return {
        "q1-a1": judged(old["q1-a1"], (PARTIAL, 0.5), (MISSING, 0.2), score=0.4),
        "q1-a2": judged(old["q1-a1"], (MET, 0.8), (MET, 0.9), score=0.8333),
        "q2-a1": judged(old["q2-a1"], (MET, 1.0), (MISSING, 0.0), (PARTIAL, 0.5), score=0.5),
    }


def test_the_same_text_is_graded_by_the_rubric_it_was_asked_with(told: list[Event]) -> None:
    work = due(told)
    assert [(each.answer_id, each.request.answer) for each in work] == [
        ("q1-a1", WAITS),
        ("q1-a2", f"{WAITS}\n\nPin the memory."),
        ("q2-a1", WAITS),
    ]
    assert work[0].request.rubric == LOADER.rubric
    assert (work[2].request.question, work[2].request.reference) == (MIXED.text, MIXED.reference)


def test_the_stored_text_is_graded_even_where_it_would_be_joined_otherwise_now(told: list[Event]) -> None:
    changed = [
        event.model_copy(update={"graded_text": "As it was joined then."}) if event.type == "answer_graded" else event
        for event in told
    ]
    assert due(changed)[0].request.answer == "As it was joined then."


def test_scores_verdicts_and_engines_stand_side_by_side(told: list[Event], grades: dict[str, Grade]) -> None:
    done = compare(told, grades)
    first, ungraded, third = done.answers
    assert (first.number, first.answer, first.question_id) == (1, 1, "loader-workers")
    assert (first.old_score, first.new_score) == (pytest.approx((0.9 * 2 + 0.1) / 3), 0.4)
    assert [(point.id, point.changed) for point in first.criteria] == [("blocked", True), ("pinned", False)]
    assert first.old_engine is not None
    assert (first.old_engine.judge, first.new_engine.judge) == ("state-head/1", "prompt 1")
    assert (ungraded.old_engine, ungraded.old_score, ungraded.change) == (None, None, None)
    assert ungraded.new_score == 0.8333
    assert [point.old for point in ungraded.criteria] == [None, None]
    assert third.change == pytest.approx(0.5 - 0.4)


def test_totals_are_over_what_was_graded_before(told: list[Event], grades: dict[str, Grade]) -> None:
    done = compare(told, grades)
    assert done.mean_absolute_change == pytest.approx((abs(0.4 - 1.9 / 3) + 0.1) / 2)
    assert (done.scores_compared, done.newly_graded) == (2, 1)
    assert (done.verdicts_changed, done.verdicts_compared) == (2, 5)
    assert done.share_changed == pytest.approx(0.4)


def test_the_same_grades_change_nothing(told: list[Event], grades: dict[str, Grade]) -> None:
    done = compare(told, {**grades, **old_grades(told)})
    assert (done.mean_absolute_change, done.share_changed) == (0.0, 0.0)


def test_without_an_answer_there_is_nothing_to_compare() -> None:
    tell = Telling()
    tell.ask(LEAF)
    done = compare(tell.events, {})
    assert (done.answers, done.mean_absolute_change, done.share_changed) == ((), None, None)
    assert list(lines(done)) == ["Nothing was answered in this interview."]


def test_a_score_that_cannot_be_given_is_no_zero(told: list[Event], grades: dict[str, Grade]) -> None:
    done = compare(told, {**grades, "q1-a1": grades["q1-a1"].model_copy(update={"score": None})})
    assert done.answers[0].change is None
    assert done.scores_compared == 1
    assert "63 of 100 -> not graded in full" in next(lines(done))


def test_what_contradicts_a_flagged_reference_is_waived_as_in_the_interview() -> None:
    assert LOADER.rubric is not None
    flag = ReferenceFlag(kind=FlagKind.FAILS, reason="The code in it does not run.")
    rubric = LOADER.rubric.model_copy(update={"origin": "derived"})
    tell = Telling()
    q = tell.ask(LOADER.model_copy(update={"rubric": rubric, "flags": (flag,)}))
    tell.grade(q, tell.answer(q, WAITS), [(MET, 0.9, WAITS), (MISSING, 0.1, "")])
    new = judged(old_grades(tell.events)["q1-a1"], (MET, 0.9), (CONTRADICTED, 0.0), score=0.6)
    (answer,) = compare(tell.events, {"q1-a1": new}).answers
    assert answer.new_score == pytest.approx(0.9)
    assert answer.criteria[1].new.waived


@pytest.mark.parametrize(
    "says",
    [
        "Question 1, answer 1 (The GPU is at thirty per cent.",
        "63 of 100 -> 40 of 100",
        "  old: state-head/1 on sample-1.5b, fingerprint 5f2c5f2c5f2c, rubric version ",
        "  new: prompt 1 on other-7b, fingerprint not reported, rubric version ",
        "  met, credit 90 of 100 -> partly met, credit 50 of 100: The training loop waits for data",
        "not graded -> 83 of 100",
        "  met, credit 90 of 100: Pinned memory",
        "Mean absolute change in score: 16.7 of 100 over 2 answers.",
        "Marks that changed: 2 of 5 marks (40%).",
        "Not graded before: 1 answer.",
    ],
)
def test_the_difference_is_told(told: list[Event], grades: dict[str, Grade], says: str) -> None:
    assert says in "\n".join(lines(compare(told, grades)))


def test_what_did_not_change_is_not_told(told: list[Event], grades: dict[str, Grade]) -> None:
    assert not any("missing, credit 0.20" in line for line in lines(compare(told, grades)))


def test_somebodys_words_reach_the_terminal_as_text(told: list[Event], grades: dict[str, Grade]) -> None:
    hostile = [
        event.model_copy(update={"question": LOADER.model_copy(update={"spoken": "a\x1b[2Jb\nc"})})
        if event.type == "question_asked" and event.number == 1
        else event
        for event in told
    ]
    text = next(lines(compare(hostile, grades)))
    assert "\x1b" not in text
    assert "a␛[2Jb c" in text


def test_several_interviews_amount_to_what_their_answers_do(told: list[Event], grades: dict[str, Grade]) -> None:
    one = compare(told, grades)
    both = term({"two": one, "one": one}, {"bad": "It has\x1b[2J no rubric."})
    assert [each.session for each in both.interviews] == ["one", "two"]
    assert all(each.answers == one.answers for each in both.interviews)
    assert (both.scores_compared, both.verdicts_changed) == (2 * one.scores_compared, 2 * one.verdicts_changed)
    assert both.mean_absolute_change == pytest.approx(one.mean_absolute_change)
    said = list(term_lines(both))
    assert said[0] == "Interview one"
    assert said[1 : 1 + len(list(lines(one)))] == [f"  {line}" for line in lines(one)]
    assert "Interview bad was not graded again: It has" in said[-2]
    assert "\x1b" not in said[-2]
    assert said[-1].startswith("2 interviews graded again. Mean absolute change in score: ")
    assert list(term_lines(term({}, {}))) == ["0 interviews graded again. Nothing was answered."]
