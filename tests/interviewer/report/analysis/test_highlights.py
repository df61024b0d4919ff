"""What to fix first: in which order, doubts told as doubts, and practice that is on the point."""

from __future__ import annotations

import pytest

from interviewer.report.analysis.findings import findings
from interviewer.report.phrases import result, study
from interviewer.report.render.html import render_html
from interviewer.report.render.markdown import render_markdown
from interviewer.report.render.pages import plan_page
from interviewer.report.render.pdf.document import render_pdf
from interviewer.report.schema.findings import Findings
from interviewer.report.schema.study import Doubt
from interviewer.session.code_proof import PROVEN
from interviewer.session.events import AnswerDeclined, AnswerGraded, DeclineReason, NearestWords
from interviewer.session.follow_up_kinds import FollowUpKind
from knowledge.bank.parser import load_bank
from rubric.model import AskedBy, Verdict
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


def test_nothing_is_told_of_what_only_seems_to_be_contradicted() -> None:
    found = report(doubted())
    assert [(item.criterion_id, item.sure) for item in found.fix_first] == [("half", True)]
    assert [gap.criterion_id for gap in found.gaps] == ["half"]
    assert not found.questions[0].corrections
    for text in (render_markdown(found), render_html(found)):
        assert "you may have contradicted" not in text
        assert "In fact" not in text


def test_nothing_partly_made_stands_above_what_is_absent() -> None:
    tell = Telling()
    first = tell.ask(question("a", _points("x", "y", "z", "w")))
    tell.grade(first, tell.answer(first, "Well."), [(MISSING, 0.0, "")] * 3 + [(MET, 1.0, "Well.")])
    second = tell.ask(question("b", _points("half"), minutes=30))
    tell.grade(second, tell.answer(second, "Some of it."), [(PARTIAL, 0.4, "Some of it.")])
    found = report(tell)
    assert [item.criterion_id for item in found.fix_first] == ["x", "y", "z"]
    assert [item.criterion_id for item in found.study] == ["x", "y", "z", "half"]


def test_what_is_wrong_comes_before_what_is_missing() -> None:
    tell = Telling()
    q = tell.ask(question("q", _points("missing", "maybe", "wrong")))
    marks = [(MISSING, 0.0, ""), (WRONG, 0.2, "Maybe so."), (WRONG, 0.1, "It is so.")]
    tell.grade(q, tell.answer(q, "Maybe so. It is so."), marks, unsure=["maybe"])
    assert [item.criterion_id for item in report(tell).fix_first] == ["wrong", "missing"]


def doubt_contradictions(tell: Telling) -> None:
    """Make the contradictions of the last grade little likelier than not."""
    graded = tell.events[-1]
    assert isinstance(graded, AnswerGraded)
    verdicts = tuple(
        each.model_copy(update={"contradicted": 0.6 if each.verdict is WRONG else None})
        for each in graded.grade.criteria
    )
    tell.events[-1] = graded.model_copy(update={"grade": graded.grade.model_copy(update={"criteria": verdicts})})


def test_what_is_as_likely_missing_as_contradicted_is_told_as_neither() -> None:
    tell = Telling()
    q = tell.ask(question("q", _points("maybe", "missing")))
    marks = [(WRONG, 0.2, "Maybe so."), (MISSING, 0.05, "")]
    tell.grade(q, tell.answer(q, "Maybe so. It is so."), marks, unsure=["maybe", "missing"])
    doubt_contradictions(tell)
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


def told(found: Findings) -> list[tuple[str, Doubt | None]]:
    return [(item.criterion_id, item.doubt) for item in found.fix_first]


def test_where_the_judge_is_sure_of_nothing_what_it_could_not_decide_is_advised_and_what_weighs_most_first() -> None:
    tell = Telling()
    points = [("light", "The point light.", 1.0), ("heavy", "The point heavy.", 3.0), ("made", "The point made.", 3.0)]
    q = tell.ask(question("q", points))
    marks = [(MISSING, 0.55, ""), (PARTIAL, 0.55, "Some of it."), (MET, 0.8, "All of it.")]
    tell.grade(q, tell.answer(q, "Some of it. All of it."), marks, unsure=["light", "heavy", "made"])
    tell.close(q)
    found = report(tell)
    assert told(found) == [("heavy", Doubt.IN_PART), ("light", Doubt.NO_WORDS)]
    assert found.gaps == ()
    assert [entry.gap for entry in plan_page(found).entries] == [1, 2]
    for text in (render_markdown(found), render_html(found)):
        assert "Check this: The point heavy." in text
        assert all(result.DOUBTS[doubt] in text for doubt in (Doubt.IN_PART, Doubt.NO_WORDS))
        assert result.NO_GAP not in text
        assert study.NOTHING_TO_STUDY not in text
    assert render_pdf(found).startswith(b"%PDF")


def test_a_point_that_was_made_or_contradicted_the_judge_cannot_tell_which_is_no_advice() -> None:
    tell = Telling()
    q = tell.ask(question("q", _points("open", "light")))
    marks = [(WRONG, 0.2, "It is so."), (PARTIAL, 0.4, "Some of it.")]
    tell.grade(q, tell.answer(q, "It is so. Some of it."), marks, unsure=["open", "light"])
    doubt_contradictions(tell)
    assert told(report(tell)) == [("light", Doubt.IN_PART)]


def test_a_point_that_was_likely_made_is_no_advice() -> None:
    for other, expected in (
        ((MET, 0.9, "All of it."), []),
        ((PARTIAL, 0.4, "All of it."), [("other", Doubt.IN_PART)]),
    ):
        tell = Telling()
        q = tell.ask(question("q", _points("barely", "other")))
        tell.grade(
            q,
            tell.answer(q, "Some of it. All of it."),
            [(MET, 0.75, "Some of it."), other],
            unsure=["barely", "other"],
        )
        assert told(report(tell)) == expected


def test_beside_what_is_surely_wrong_nothing_undecided_is_advised() -> None:
    tell = Telling()
    q = tell.ask(question("q", _points("wrong", "undecided")))
    marks = [(WRONG, 0.1, "It is so."), (PARTIAL, 0.55, "Some of it.")]
    tell.grade(q, tell.answer(q, "It is so. Some of it."), marks, unsure=["undecided"])
    assert told(report(tell)) == [("wrong", None)]


def test_what_is_likely_missing_comes_before_what_was_surely_made_in_part() -> None:
    tell = Telling()
    q = tell.ask(question("q", _points("half", "likely", "light")))
    marks = [(PARTIAL, 0.5, "Some of it."), (MISSING, 0.4, ""), (MISSING, 0.56, "")]
    tell.grade(q, tell.answer(q, "Some of it."), marks, unsure=["likely", "light"])
    assert told(report(tell)) == [("likely", None), ("half", None)]


def test_nothing_is_advised_where_everything_was_made() -> None:
    tell = Telling()
    q = tell.ask(question("q", _points("a", "b")))
    tell.grade(q, tell.answer(q, "All of it."), [(MET, 1.0, "All of it."), (MET, 0.9, "All of it.")], unsure=["b"])
    tell.close(q)
    assert told(report(tell)) == []
    advice = "No point of the rubric is clearly wrong or missing. 1 point was too close to call"
    assert advice in render_markdown(report(tell))


def test_an_aside_on_what_one_does_not_know_is_no_gap_where_the_point_was_made() -> None:
    tell = Telling()
    q = tell.ask(question("q", _points("wrong", "safety")))
    tell.answer(q, "It is so.")
    asked = tell.follow_up(q, FollowUpKind.MISSING, "safety", "How do you show that it is safe?")
    last = tell.answer(q, "I would replay the drives. How many it takes, I do not know.", asked)
    tell.grade(q, last, [(WRONG, 0.1, "It is so."), (MET, 0.9, "I would replay the drives.")])
    tell.close(q)
    assert told(report(tell)) == [("wrong", None)]


def test_what_the_person_said_they_do_not_know_comes_first_of_all() -> None:
    tell = Telling()
    q = tell.ask(question("q", _points("wrong", "safety")))
    tell.answer(q, "It is so.")
    asked = tell.follow_up(q, FollowUpKind.MISSING, "safety", "How do you show that it is safe?")
    last = tell.answer(q, "I do not know the proof well. I would replay the drives.", asked)
    tell.grade(q, last, [(WRONG, 0.1, "It is so."), (PARTIAL, 0.5, "I would replay the drives.")])
    tell.close(q)
    found = report(tell)
    assert told(found) == [("safety", Doubt.NOT_KNOWN), ("wrong", None)]
    assert [quote.text for quote in found.fix_first[0].quotes] == ["I do not know the proof well."]
    assert [gap.criterion_id for gap in found.gaps] == ["safety", "wrong"]
    assert plan_page(found).entries[0].gap == 1
    for text in (render_markdown(found), render_html(found)):
        assert "you said you don’t know this well" in text
        assert "Check this: The point safety." not in text


def admission(mark: tuple[Verdict, float], kind: FollowUpKind, said: str) -> Findings:
    """A follow-up that is filed under a point, a reply to it, and the unsure mark of that point."""
    tell = Telling()
    q = tell.ask(question("q", _points("other", "limit")))
    tell.answer(q, "It is so.")
    last = tell.answer(q, said, tell.follow_up(q, kind, "limit", "And then?"))
    words = "" if mark[0] is MISSING else "It is so."
    tell.grade(q, last, [(MET, 1.0, "It is so."), (*mark, words)], unsure=["limit"])
    tell.close(q)
    return report(tell)


def test_what_one_said_not_to_know_is_told_plainly_whatever_the_mark() -> None:
    found = admission((MISSING, 0.2), FollowUpKind.MISSING, "I don't know that well.")
    assert told(found) == [("limit", Doubt.NOT_KNOWN)]
    for text in (render_markdown(found), render_html(found)):
        assert "The point limit." in text
        assert "Check this" not in text
    assert plan_page(found).entries[0].named.startswith("Gap 1")


def test_an_admission_beside_a_mark_that_is_likely_met_is_no_gap() -> None:
    assert told(admission((MET, 0.9), FollowUpKind.MISSING, "I don't know that well. It costs time.")) == []


def test_an_admission_counts_for_no_point_that_was_not_asked_about() -> None:
    found = admission((PARTIAL, 0.55), FollowUpKind.DEPTH, "I don't know the limit well.")
    assert told(found) == [("limit", Doubt.IN_PART)]


def test_what_a_program_cannot_tell_is_no_admission() -> None:
    said = "With my stack I don't know when a list is finished, so I'd need iterators on the stack instead."
    assert told(admission((PARTIAL, 0.55), FollowUpKind.MISSING, said)) == [("limit", Doubt.IN_PART)]


def test_a_follow_up_that_was_left_is_named_where_its_point_is_open() -> None:
    for credit, expected in ((0.3, [("b", Doubt.LEFT)]), (0.9, [])):
        tell = Telling()
        q = tell.ask(question("q", _points("a", "b")))
        said = tell.answer(q, "All of it.")
        tell.grade(q, said, [(MET, 1.0, "All of it."), (MET, credit, "All of it.")], unsure=["b"])
        asked = tell.follow_up(q, FollowUpKind.MISSING, "b", "And what of b?")
        left = DeclineReason.SKIPPED
        tell._add(AnswerDeclined, "d", asked_id=q, follow_up_id=asked, reason=left, words="Pass.", said="Fine.")
        tell.close(q)
        found = report(tell)
        assert told(found) == expected
        if expected:
            assert "Asked “And what of b?”, you gave no answer." in render_markdown(found)
            assert "you gave no answer." in render_html(found)
            assert render_pdf(found).startswith(b"%PDF")


def taken_back(reply: str, evidence: str) -> Findings:
    """A reply to a doubt, and the sure mark that rests on words of it."""
    tell = Telling()
    q = tell.ask(question("q", _points("workers", "made")))
    tell.answer(q, "More workers are always faster.")
    asked = tell.follow_up(q, FollowUpKind.CONTRADICTION, "workers", "A hundred workers on eight cores?")
    back = tell.answer(q, reply, asked)
    tell.grade(q, back, [(WRONG, 0.05, evidence), (MET, 1.0, "More workers are always faster.")])
    tell.close(q)
    return report(tell)


def test_what_was_taken_back_and_not_put_right_is_advised_as_a_doubt() -> None:
    found = taken_back("Hmm, that doesn't tell me much. You are right, I mixed the two up.", "You are right,")
    assert told(found) == [("workers", Doubt.TAKEN_BACK)]
    assert "tell me much" not in render_markdown(found).split("Question by question")[0]


@pytest.mark.parametrize("reply", ["You are right. {}", "Hmm, that doesn't tell me much. {} I mixed the two up."])
def test_what_was_put_right_is_not_held_against_the_person_nor_quoted_as_what_contradicts(reply: str) -> None:
    found = taken_back(reply.format("They only fight for the cores."), "They only fight for the cores.")
    assert told(found) == []
    assert found.gaps == ()
    assert (found.questions[0].corrections, found.questions[0].criteria[0].quotes) == ((), ())
    assert not found.questions[0].criteria[0].sure
    assert "you took back what contradicted this point" in render_markdown(found)


def test_the_quotation_that_is_clearly_meant_stands_first() -> None:
    tell = Telling()
    q = tell.ask(question("q", _points("a")))
    tell.grade(q, tell.answer(q, "One thing. Another thing."), [(MET, 1.0, "One thing. Another thing.")])
    graded = tell.events[-1]
    assert isinstance(graded, AnswerGraded)
    (mark,) = graded.grade.criteria
    grade = graded.grade.model_copy(update={"criteria": (mark.model_copy(update={"evidence": ((0, 10), (11, 25))}),)})
    nearest = (NearestWords(criterion_id="a", span=(11, 25), likeness=0.8, lead=0.3),)
    tell.events[-1] = graded.model_copy(update={"nearest": nearest, "grade": grade})
    (strength,) = report(tell).strengths
    assert [quote.text for quote in strength.quotes] == ["Another thing.", "One thing."]


@pytest.mark.parametrize("reply", ["In a or in b?", "In a or in b? Because b has no column two.", "Hmm, that helps."])
@pytest.mark.parametrize("sure", [True, False])
def test_a_question_back_is_quoted_as_no_answer(reply: str, *, sure: bool) -> None:
    tell = Telling()
    q = tell.ask(question("q", _points("made", "stride")))
    tell.answer(q, "It is so.")
    asked = tell.follow_up(q, FollowUpKind.MISSING, "stride", "Where does the element lie?")
    tell.grade(
        q,
        tell.answer(q, reply, asked),
        [(MET, 1.0, "It is so."), (MISSING, 0.3, "")],
        unsure=() if sure else ["stride"],
    )
    tell.close(q)
    found = report(tell)
    asks = reply.startswith("In")
    assert told(found) == ([("stride", None)] if sure or not asks else [])
    for text in (render_markdown(found), render_html(found)):
        assert ("Asked “Where does the element lie?”, you gave no answer." in text) == (sure and asks)
    assert render_pdf(found).startswith(b"%PDF")


def test_nobody_is_praised_with_words_that_do_not_show_the_point() -> None:
    asked = next(each for each in load_bank() if each.id == "python-flatten-nested")
    assert asked.rubric is not None
    stack, types, *_ = [each.text for each in asked.rubric.criteria]
    tell = Telling()
    q = tell.ask(asked)
    said = "Time is O(n) and the memory is O(depth). A string is iterable too and consists of strings without end."
    marks = [(MET, 1.0, "Time is O(n) and the memory is O(depth)."), (MET, 1.0, "A string is iterable too")]
    rest = [(MISSING, 0.0, "")] * (len(asked.rubric.criteria) - 2)
    tell.grade(q, tell.answer(q, said), [*marks, *rest])
    graded = tell.events[-1]
    assert isinstance(graded, AnswerGraded)
    proven = tuple(each.model_copy(update={"reason": PROVEN}) for each in graded.grade.criteria[:1])
    grade = graded.grade.model_copy(update={"criteria": (*proven, *graded.grade.criteria[1:])})
    tell.events[-1] = graded.model_copy(update={"grade": grade})
    assert [item.text for item in report(tell).strengths] == [types]
    assert stack not in render_markdown(report(tell)).split("What to fix first")[0]


def test_how_sure_the_judge_is_of_the_first_page_is_said_as_it_is() -> None:
    tell = Telling()
    q = tell.ask(question("q", _points("doubted")))
    tell.grade(q, tell.answer(q, "Some of it."), [(PARTIAL, 0.4, "Some of it.")], unsure=["doubted"])
    assert result.only_sure(report(tell)) == result.SURE_OF_NONE
    made = tell.ask(question("other", _points("made")))
    tell.grade(made, tell.answer(made, "All of it."), [(MET, 1.0, "All of it.")])
    assert result.only_sure(report(tell)) == result.SURE_OF_STRENGTHS
    mixed = tell.ask(question("third", _points("half", "likely")))
    marks = [(PARTIAL, 0.5, "Some of it."), (MISSING, 0.2, "")]
    tell.grade(mixed, tell.answer(mixed, "Some of it."), marks, unsure=["likely"])
    assert result.only_sure(report(tell)) == result.ONLY_SURE
    assert result.only_sure(report(doubted())) == result.ALL_SURE


def test_the_unsure_marks_are_counted_alike_everywhere() -> None:
    asked = question("q", _points("made", "open", "light", "unasked"))
    assert asked.rubric is not None
    *rest, last = asked.rubric.criteria
    points = (*rest, last.model_copy(update={"asked_by": AskedBy.PROBE}))
    tell = Telling()
    q = tell.ask(asked.model_copy(update={"rubric": asked.rubric.model_copy(update={"criteria": points})}))
    marks = [(MET, 1.0, "All of it."), (WRONG, 0.2, "So it is."), (MET, 0.8, "It is so."), (MISSING, 0.3, "")]
    tell.grade(q, tell.answer(q, "All of it. So it is. It is so."), marks, unsure=["open", "light", "unasked"])
    doubt_contradictions(tell)
    tell.close(q)
    found = report(tell)
    assert told(found) == []
    assert "2 points were too close to call (1 of them likely met)." in render_markdown(found)
    assert "1 likely met, 1 unsure" in render_markdown(found)
    assert render_markdown(found).count("you likely made this point") == 1
    assert "The judge was unsure of 2 of 3 marks." in render_markdown(found)
    assert [item.criterion_id for item in plan_page(found).to_check] == ["open"]
