"""The page of the interview, the history and the report tell the same of the same interview."""

from __future__ import annotations

import pytest

from interviewer.report.aggregate.comparison import cell, total
from interviewer.report.analysis.findings import findings
from interviewer.report.phrases import common, overview, result
from interviewer.scoring.outcomes import AssistanceLevel, CriterionOutcome
from interviewer.session.follow_up_kinds import FollowUpKind
from interviewer.session.plan import Plan, SegmentKind
from interviewer.web.views.interview.transcript import transcript_html
from knowledge.model import Kind, Level
from rubric.model import AskedBy, Rubric, Verdict
from tests.interviewer.report.hour import hour
from tests.interviewer.report.sample_session import Telling, question

MET, MISSING = Verdict.MET, Verdict.MISSING


def _asked(*names: str, silent: str = "") -> object:
    made = question("q", [(name, f"The point {name}.", 1.0) for name in names])
    assert made.rubric is not None
    points = tuple(
        point.model_copy(update={"asked_by": AskedBy.PROBE}) if point.id == silent else point
        for point in made.rubric.criteria
    )
    return made.model_copy(update={"rubric": Rubric(criteria=points, origin="bank")})


def marked(*, closed: bool) -> Telling:
    """One point surely met, one perhaps, one missing, and one that nobody asked for."""
    tell = Telling()
    q = tell.ask(_asked("sure", "perhaps", "missed", "unasked", silent="unasked"))  # type: ignore[arg-type]
    marks = [(MET, 0.9, "Surely."), (MET, 0.6, "Perhaps."), (MISSING, 0.0, ""), (MISSING, 0.0, "")]
    tell.grade(q, tell.answer(q, "Surely. Perhaps."), marks, unsure=["perhaps"])
    if closed:
        tell.close(q)
    return tell


def test_marks_are_counted_alike_on_the_page_and_in_the_report() -> None:
    tell = marked(closed=True)
    assert "Marks: 1 met, 1 unsure, 1 missing, 1 not asked" in transcript_html(tell.state)
    (asked,) = findings("s1", tell.state).questions
    assert overview.points(asked) == "1 of 3 met, 1 unsure"


def test_an_answer_that_is_likely_right_does_not_read_as_a_bad_one() -> None:
    for verdicts, said in (
        ((MET, MET, MET), "1 of 3 met, 2 likely met"),
        ((MET, MET, MISSING), "1 of 3 met, 1 likely met, 1 unsure"),
        ((MET, MISSING, MISSING), "1 of 3 met, 2 unsure"),
    ):
        tell = Telling()
        q = tell.ask(_asked("a", "b", "c"))
        marks = [(verdict, 0.8, "So." if verdict is MET else "") for verdict in verdicts]
        tell.grade(q, tell.answer(q, "So."), marks, unsure=["b", "c"])
        tell.close(q)
        (asked,) = findings("s1", tell.state).questions
        assert overview.points(asked) == said


def test_a_mark_that_is_likely_met_is_called_so_on_the_page_and_in_the_report() -> None:
    tell = Telling()
    q = tell.ask(_asked("a", "b"))  # type: ignore[arg-type]
    tell.grade(q, tell.answer(q, "So."), [(MET, 0.8, "So."), (MET, 0.6, "So.")], unsure=["a", "b"])
    tell.close(q)
    html = transcript_html(tell.state)
    assert "Marks: 1 likely met, 1 unsure" in html
    assert html.count("Did you make this point?") == 1
    (asked,) = findings("s1", tell.state).questions
    assert [common.verdict_word(found) for found in asked.criteria] == ["likely met", "unsure"]


def test_what_is_partly_met_or_contradicted_is_counted_too() -> None:
    tell = Telling()
    q = tell.ask(_asked("a", "b", "c", "d"))
    marks = [(MET, 0.9, "So."), (Verdict.PARTIAL, 0.5, "So."), (Verdict.CONTRADICTED, 0.0, "So."), (MISSING, 0.0, "")]
    tell.grade(q, tell.answer(q, "So."), marks)
    tell.close(q)
    (asked,) = findings("s1", tell.state).questions
    assert overview.points(asked) == "1 of 4 met, 1 partly, 1 contradicted"


def test_who_submitted_no_program_is_told_so() -> None:
    tell = Telling()
    q = tell.ask(_asked("a"))  # type: ignore[arg-type]
    tell.grade(q, tell.answer(q, "So."), [(MET, 0.9, "So.")])
    tell.close(q)
    asked = findings("s1", tell.state).questions[0].model_copy(update={"has_task": True})
    assert overview.points(asked, editor=True) == "1 of 1 met, no code submitted"
    assert overview.points(asked) == "1 of 1 met", "in a terminal there is no editor"


def test_nothing_is_named_twice_above_a_question() -> None:
    (asked,) = findings("s1", marked(closed=True).state).questions
    design = asked.model_copy(update={"topic": "system design", "kind": Kind.SYSTEM_DESIGN, "level": Level.SENIOR})
    assert common.facts(design) == ("system design", "senior")
    assert common.facts(asked) == (asked.topic, "concept", "mid")


def test_code_that_only_asserts_is_led_over_to() -> None:
    code = "```python\nassert 24**2 == 576\n```"
    shown = f"{common.CHECKED_CODE}\n\n{code}\n"
    assert common.introduced(f"A square.\n\n{code}\n") == f"A square.\n\n{shown}"
    for whole in (f"So it is:\n\n{code}\n", "One call:\n\n```python\nf()\n```\n", "Call it.\n\n```\nf()\n```", ""):
        assert common.introduced(whole) == whole


def test_what_nobody_asked_for_is_never_called_missing_first() -> None:
    tell = marked(closed=False)
    assert "So far: 1 met, 1 unsure, 1 missing, 1 not asked" in transcript_html(tell.state)


def test_the_history_tells_the_reports_own_range() -> None:
    found = findings("s1", hour().state)
    assert found.standing is not None
    of_all = total(found)
    assert (of_all.score, of_all.interval) == (found.standing.score, found.standing.likely)
    for topic in found.topics:
        if topic.graded:
            assert cell([each for each in found.questions if each.topic == topic.topic]).interval == topic.interval


def test_nothing_is_called_certain_and_a_first_impression_at_once() -> None:
    found = findings("s1", marked(closed=True).state)
    assert found.standing is not None
    said = f"{result.result(found.standing)} {result.how_sure(found.standing)}"
    assert "first impression" in said
    assert "doubt" not in said


def test_words_that_came_after_a_follow_up_show_nothing_that_was_made_alone() -> None:
    tell = Telling()
    q = tell.ask(_asked("a", "b"))  # type: ignore[arg-type]
    tell.grade(q, tell.answer(q, "Early words."), [(MET, 0.7, "Early words."), (MISSING, 0.0, "")])
    f = tell.follow_up(q, FollowUpKind.MISSING, "a", "And a?")
    tell.grade(q, tell.answer(q, "Late words.", f), [(MET, 0.9, "Late words."), (MISSING, 0.0, "")])
    found = findings("s1", tell.state)
    assert found.questions[0].criteria[0].reached is AssistanceLevel.UNAIDED
    assert found.strengths == ()


def test_a_follow_up_helped_only_where_the_reply_has_the_words() -> None:
    tell = Telling()
    q = tell.ask(_asked("a", "b"))  # type: ignore[arg-type]
    tell.grade(q, tell.answer(q, "Early words."), [(MISSING, 0.3, ""), (MISSING, 0.0, "")])
    f = tell.follow_up(q, FollowUpKind.MISSING, "b", "And b?")
    tell.grade(q, tell.answer(q, "Late words.", f), [(MET, 0.7, "Early words."), (MISSING, 0.0, "")])
    turns = findings("s1", tell.state).questions[0].transcript
    assert [(turn.outcome, turn.gained) for turn in turns if turn.outcome] == [(CriterionOutcome.DID_NOT_HELP, ())]


def test_a_mark_that_code_decided_is_not_told_as_a_failure_of_grading() -> None:
    found = findings("s1", marked(closed=True).state).questions[0].criteria[0]
    proven = found.model_copy(update={"reason": "Your code shows it: it passes all tests."})
    assert common.reason(proven) == "Your code shows it: it passes all tests."
    assert common.reason(proven.model_copy(update={"verdict": Verdict.UNSCORED})).startswith("Why not: ")


def test_a_place_in_a_document_is_told_without_its_line() -> None:
    assert common.without_line("notes.md, line 4080 (Basics › Hooks)") == "notes.md (Basics › Hooks)"
    assert common.without_line("notes.pdf, page 3") == "notes.pdf, page 3"


@pytest.mark.parametrize(
    ("place", "title"),
    [
        ("notes.md, line 4080 (Basics › Hooks)", "Basics › Hooks"),
        ("my notes (2).pdf, page 3", "my notes (2), page 3"),
        ("notes.pdf, page 3 (Basics (old))", "Basics (old), page 3"),
        ("folder/q.csv, row 12", "q, row 12"),
        ("autograd.md, line 3", "autograd"),
        ("somewhere else, line 3", "somewhere else"),
        ("", ""),
    ],
)
def test_a_place_is_told_by_the_title_of_what_stands_there(place: str, title: str) -> None:
    assert common.titled(place) == title


def test_who_leaves_among_their_own_questions_has_not_ended_the_interview_early() -> None:
    for length, closing, expected in ((1, True, "completed"), (2, True, None), (1, False, None)):
        tell = Telling(Plan(length=length))
        q = tell.ask(_asked("a"))
        tell.grade(q, tell.answer(q, "So."), [(MET, 0.9, "So.")])
        tell.close(q)
        if closing:
            tell.talk(SegmentKind.THEIR_QUESTIONS, "Your turn.", ("No, thanks.", "", ""))
        early = "ended by the person"
        tell.end(early)
        assert result.ended(findings("s1", tell.state)) == result.ENDED[expected or early]


def test_an_interview_that_was_over_soon_says_so() -> None:
    for minutes, told in ((3, "."), (35, ", in 4 minutes instead of the 35 minutes planned.")):
        tell = Telling(Plan(length=1))
        q = tell.ask(_asked("a").model_copy(update={"minutes": minutes}))
        tell.grade(q, tell.answer(q, "So."), [(MET, 0.9, "So.")])
        tell.close(q)
        tell.end("completed")
        assert result.ended(findings("s1", tell.state)) == f"All planned questions were asked{told}"
