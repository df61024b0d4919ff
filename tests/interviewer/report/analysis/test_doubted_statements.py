"""Statements that are doubted and that no point asks for: told to be looked up, neither praised nor repeated."""

from __future__ import annotations

import pytest

from interviewer.report.analysis.findings import findings
from interviewer.report.analysis.quotes import doubted_statements
from interviewer.report.phrases import result, study
from interviewer.report.render.html import render_html
from interviewer.report.render.markdown import render_markdown
from interviewer.report.render.pages import plan_page
from interviewer.session.events import AnswerGraded, DoubtedClaim
from interviewer.session.follow_up_kinds import FollowUpKind
from rubric.model import Verdict
from tests.interviewer.report.sample_session import Telling, question

POINTS = [("memory", "The copy shares its memory with the tensor.", 1.0), ("grad", "The copy has no gradient.", 1.0)]
RIGHT = "The copy shares its memory with the tensor, so no byte of it is copied at all."
DOUBTED = "The copy also shares its memory with the tensor on every card of the machine at once."


def told(*said: str, doubted: str = DOUBTED) -> Telling:
    """One question whose answer holds a statement that is doubted."""
    tell = Telling()
    text = " ".join(said)
    q = tell.ask(question("q", POINTS))
    tell.grade(q, tell.answer(q, text), [(Verdict.MET, 1.0, said[0]), (Verdict.MISSING, 0.0, "")])
    doubt(tell, doubted)
    return tell


def doubt(tell: Telling, said: str, opposed: float = 0.95) -> None:
    """Have the last mark doubt a statement."""
    graded = next(event for event in reversed(tell.events) if isinstance(event, AnswerGraded))
    start = graded.graded_text.index(said)
    claim = DoubtedClaim(
        span=(start, start + len(said)), question_id="q", criterion_id="", point="", opposed=opposed, quotable=True
    )
    tell.events[tell.events.index(graded)] = graded.model_copy(update={"claims": (claim,)})


def test_what_is_doubted_stands_in_the_plan_of_every_form() -> None:
    found = findings("s1", told(RIGHT, DOUBTED).state)
    assert [quote.text for quote in found.questions[0].doubted] == [DOUBTED]
    (line,) = plan_page(found).doubted
    assert (line.number, line.quoted) == (1, DOUBTED)
    for text in (render_markdown(found), render_html(found)):
        assert study.LOOK_UP in text
        assert text.count(DOUBTED) >= 2


def test_nothing_is_to_be_looked_up_where_nothing_is_doubted() -> None:
    tell = Telling()
    q = tell.ask(question("q", POINTS))
    tell.grade(q, tell.answer(q, RIGHT), [(Verdict.MET, 1.0, RIGHT), (Verdict.MISSING, 0.0, "")])
    found = findings("s1", tell.state)
    assert plan_page(found).doubted == ()
    assert study.LOOK_UP not in render_markdown(found)


@pytest.mark.parametrize(("first", "praised"), [(RIGHT, True), (DOUBTED, False)])
def test_doubted_words_are_no_praise(first: str, praised: bool) -> None:
    other = DOUBTED if first == RIGHT else "That is all that I know of it, I am afraid."
    found = findings("s1", told(first, other).state)
    assert bool(found.strengths) is praised


def test_what_is_doubted_less_is_not_told_and_no_praise_either() -> None:
    tell = Telling()
    q = tell.ask(question("q", POINTS))
    tell.grade(q, tell.answer(q, DOUBTED), [(Verdict.MET, 1.0, DOUBTED), (Verdict.MISSING, 0.0, "")])
    assert findings("s1", tell.state).strengths
    doubt(tell, DOUBTED, opposed=0.86)
    found = findings("s1", tell.state)
    assert found.questions[0].doubted == ()
    assert not found.strengths


def test_what_the_person_took_back_is_not_told() -> None:
    tell = told(RIGHT, DOUBTED)
    (asked,) = tell.state.asked
    assert any(each.told for each in doubted_statements(asked))
    q = asked.asked_id
    asks = tell.follow_up(q, FollowUpKind.CLAIM, "ask:claim", f"You said: “{DOUBTED}” How would you check that?")
    answer = tell.answer(q, "I was wrong there. It is on one card only.", asks)
    tell.grade(q, answer, [(Verdict.MET, 1.0, RIGHT), (Verdict.MISSING, 0.0, "")])
    doubt(tell, DOUBTED)
    (asked,) = tell.state.asked
    assert doubted_statements(asked) == ()


def test_a_few_of_them_are_told_the_surest_of_each_question_first() -> None:
    tell = Telling()
    for number in range(5):
        q = tell.ask(question(f"q{number}", POINTS))
        said = f"{DOUBTED[:-1]}, {number} of them."
        tell.grade(q, tell.answer(q, said), [(Verdict.MISSING, 0.0, ""), (Verdict.MISSING, 0.0, "")])
        doubt(tell, said)
        tell.close(q)
    page = plan_page(findings("s1", tell.state))
    assert [line.number for line in page.doubted] == list(range(1, study.MOST_DOUBTED + 1))


def test_where_nothing_is_wrong_or_missing_the_first_page_says_what_is_doubted() -> None:
    tell = Telling()
    q = tell.ask(question("q", POINTS))
    said = f"{RIGHT} {DOUBTED}"
    tell.grade(q, tell.answer(q, said), [(Verdict.MET, 1.0, RIGHT), (Verdict.MET, 1.0, RIGHT)])
    assert "look these up" not in result.no_gap(findings("s1", tell.state)).lower()
    doubt(tell, DOUBTED)
    assert result.no_gap(findings("s1", tell.state)).endswith(
        "One statement of yours is in doubt: see “Look these up” in the plan."
    )
