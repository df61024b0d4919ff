from __future__ import annotations

import re

from interviewer.session.events import QuestionReturned, QuestionSkipped
from interviewer.session.plan import SegmentKind
from interviewer.web.view_state import render
from knowledge.bank.parser import load_bank
from knowledge.model import Source
from rubric.model import Verdict
from tests.interviewer.report.sample_session import Telling, question

FIRST = question("first", [("one", "It is one.", 1)], text="What is first?", spoken="What is first?")
SECOND = question("second", [("two", "It is two.", 1)], text="What is second?", spoken="What is second?")


def returned() -> Telling:
    """The first question was left, the second answered, and the first is asked again out of the way back."""
    tell = Telling()
    first = tell.ask(FIRST)
    tell._add(QuestionSkipped, "skip", asked_id=first)
    tell.close(first)
    second = tell.ask(SECOND)
    tell.grade(second, tell.answer(second, "It is two."), [(Verdict.MET, 0.9, "It is two.")])
    tell.close(second)
    tell.talk(SegmentKind.WAY_BACK, "One is left. Shall we?", ("Yes, please.", "", ""))
    tell._add(QuestionReturned, "again", asked_id=first, said="So once more. What is first?")
    return tell


def sections(tell: Telling) -> dict[str, str]:
    """What stands below each heading, in the order of the page."""
    shown = render(tell.state).transcript_html
    return dict(re.findall(r"<section[^>]*><h2>(.*?)</h2>(.*?)</section>", shown, re.DOTALL))


def test_a_question_that_is_asked_again_stands_at_the_end_and_changes_nothing_before() -> None:
    found = sections(returned())
    assert list(found)[:2] == ["Question 1", "Question 2"]
    assert list(found)[-1] == "Question 1, again"
    assert "So once more." in found["Question 1, again"]
    assert "So once more." not in found["Question 1"]
    assert "You skipped this question." in found["Question 1"]


def test_what_is_said_and_marked_then_stands_there_too() -> None:
    tell = returned()
    answer = tell.answer("q1", "It is one.")
    tell.grade("q1", answer, [(Verdict.MET, 0.9, "It is one.")])
    tell.close("q1")
    found = sections(tell)
    again = found["Question 1, again"]
    assert "It is one." in again
    assert "1 met" in again
    assert "1 met" not in found["Question 1"]


def test_what_was_said_aloud_is_shown_as_one_writes_it_and_the_persons_words_as_they_are() -> None:
    spoken = "Compare b float sixteen with half precision. What does loss dot backward do there?"
    tell = Telling()
    asked = tell.ask(question("formats", [("one", "Bfloat sixteen has fewer bits.", 1)], spoken=spoken))
    answer = tell.answer(asked, "b float sixteen has the range of float thirty two")
    tell.grade(asked, answer, [(Verdict.MISSING, 0.02, "")])
    tell.close(asked)
    shown = sections(tell)["Question 1"]
    assert "Compare bfloat16 with half precision. What does loss.backward do there?" in shown
    assert "b float sixteen has the range of float thirty two" in shown
    assert "bfloat16 has fewer bits." in shown


def test_a_question_is_from_what_has_a_title_and_not_from_a_line_of_a_file() -> None:
    of_bank = load_bank()[0]
    own = FIRST.model_copy(
        update={"rubric": None, "source": Source(path="notes.md", line=12, section=("My notes", "Hooks"))}
    )
    tell = Telling()
    first = tell.ask(of_bank)
    title, entry = of_bank.source.section[0], of_bank.title
    assert f"<p>Question bank › {title}</p>" in sections(tell)["Question 1"]
    tell.close(first)
    tell.ask(own)
    tell.close("q2")
    tell.talk(SegmentKind.THEIR_QUESTIONS, "Your turn.", ("What is a leaf?", "What you made.", "autograd.md, line 3"))
    found = sections(tell)
    assert f"<p>Question bank › {title} › {entry}</p>" in found["Question 1"]
    assert "<p>My notes › Hooks</p>" in found["Question 2"]
    shown = render(tell.state).transcript_html
    assert '<p class="quiet source">From: autograd</p>' in shown
    assert not re.search(r"\.md|, line \d", shown)
