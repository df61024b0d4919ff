"""What to fix first: in which order, doubts told as doubts, and practice that is on the point."""

from __future__ import annotations

from interviewer.report.analysis.findings import findings
from interviewer.report.render.html import render_html
from interviewer.report.render.markdown import render_markdown
from interviewer.report.render.pages import plan_page
from interviewer.report.schema.findings import Findings
from interviewer.session.events import AnswerGraded, NearestWords
from knowledge.bank.parser import load_bank
from rubric.model import Verdict
from tests.interviewer.report.sample_session import Telling, question

MET, PARTIAL, MISSING, WRONG = Verdict.MET, Verdict.PARTIAL, Verdict.MISSING, Verdict.CONTRADICTED


def _points(*names: str) -> list[tuple[str, str, float]]:
    return [(name, f"The point {name}.", 1.0) for name in names]


def doubted() -> Telling:
    """One point that was surely partly made, and three that were probably contradicted."""
    tell = Telling()
    said = "It is half of it. One is wrong. Two is wrong. Three is wrong."
    wrong = [(WRONG, 0.2, f"{number} is wrong.") for number in ("One", "Two", "Three")]
    q = tell.ask(question("q", _points("half", "one", "two", "three")))
    tell.grade(q, tell.answer(q, said), [(PARTIAL, 0.5, "It is half of it."), *wrong], unsure=["one", "two", "three"])
    tell.close(q)
    return tell


def report(tell: Telling) -> Findings:
    return findings("s1", tell.state)


def test_likely_misconceptions_come_before_a_point_that_was_partly_made() -> None:
    found = report(doubted())
    assert [(item.criterion_id, item.sure) for item in found.fix_first] == [
        ("one", False),
        ("two", False),
        ("three", False),
    ]
    assert found.fix is not None
    assert (found.fix.criterion_id, found.fix.misconception) == ("one", "")
    assert [gap.criterion_id for gap in found.gaps] == ["half"]


def test_a_doubt_is_told_as_a_doubt_and_planned() -> None:
    found = report(doubted())
    for text in (render_markdown(found), render_html(found)):
        assert "Check this: The point one." in text
        assert "you may have contradicted it" in text
        assert "Possible gap 1, autograd" in text
    entries = plan_page(found).entries
    assert [entry.gap for entry in entries] == [1, 2, 3, None]
    assert any("Compare what you said with the reference answer." in line.words for line in entries[0].lines)


def test_nothing_partly_made_stands_above_what_is_absent() -> None:
    tell = Telling()
    first = tell.ask(question("a", _points("x", "y", "z", "w")))
    tell.grade(first, tell.answer(first, "Well."), [(MISSING, 0.0, "")] * 3 + [(MET, 1.0, "Well.")])
    second = tell.ask(question("b", _points("half"), minutes=30))
    tell.grade(second, tell.answer(second, "Some of it."), [(PARTIAL, 0.4, "Some of it.")])
    found = report(tell)
    assert [item.criterion_id for item in found.fix_first] == ["x", "y", "z"]
    assert [item.criterion_id for item in found.study] == ["x", "y", "z", "half"]


def test_the_order_is_wrong_then_missing_then_probably_wrong() -> None:
    tell = Telling()
    q = tell.ask(question("q", _points("missing", "maybe", "wrong")))
    marks = [(MISSING, 0.0, ""), (WRONG, 0.2, "Maybe so."), (WRONG, 0.1, "It is so.")]
    tell.grade(q, tell.answer(q, "Maybe so. It is so."), marks, unsure=["maybe"])
    assert [item.criterion_id for item in report(tell).fix_first] == ["wrong", "missing", "maybe"]


def test_what_is_as_likely_missing_as_contradicted_is_told_as_neither() -> None:
    tell = Telling()
    q = tell.ask(question("q", _points("maybe", "missing")))
    marks = [(WRONG, 0.2, "Maybe so."), (MISSING, 0.05, "")]
    tell.grade(q, tell.answer(q, "Maybe so. It is so."), marks, unsure=["maybe", "missing"])
    graded = tell.events[-1]
    assert isinstance(graded, AnswerGraded)
    verdicts = tuple(
        each.model_copy(update={"contradicted": 0.6 if each.verdict is WRONG else None})
        for each in graded.grade.criteria
    )
    tell.events[-1] = graded.model_copy(update={"grade": graded.grade.model_copy(update={"criteria": verdicts})})
    found = report(tell)
    assert [(item.criterion_id, item.sure) for item in found.fix_first] == [("missing", False)]
    assert "you may not have made it" in render_markdown(found)
    assert not found.questions[0].corrections


def test_practice_is_on_the_point_and_not_only_of_the_same_wide_topic() -> None:
    bank = load_bank()
    asked = next(each for each in bank if each.id == "speech-codec")
    tell = Telling()
    q = tell.ask(asked)
    assert asked.rubric is not None
    tell.grade(q, tell.answer(q, "No idea."), [(MISSING, 0.0, "")] * len(asked.rubric.criteria))
    (first, *_) = findings("s1", tell.state, (), bank).study
    assert first.topic == "architectures"
    assert (first.retry.question_id, first.retry.same) == ("speech-codec", True)


def test_words_that_are_clearly_the_ones_meant_stand_first_among_what_went_well() -> None:
    tell = Telling()
    q = tell.ask(question("q", _points("vague", "clear")))
    tell.grade(q, tell.answer(q, "So it is. It is so."), [(MET, 1.0, "So it is."), (MET, 0.9, "It is so.")])
    graded = tell.events[-1]
    assert isinstance(graded, AnswerGraded)
    nearest = tuple(
        NearestWords(criterion_id=name, span=(0, 9), likeness=0.7, lead=lead)
        for name, lead in (("vague", 0.01), ("clear", 0.2))
    )
    assert [item.criterion_id for item in report(tell).strengths] == ["vague", "clear"]
    tell.events[-1] = graded.model_copy(update={"nearest": nearest})
    assert [item.criterion_id for item in report(tell).strengths] == ["clear", "vague"]
