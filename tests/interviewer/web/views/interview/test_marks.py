from __future__ import annotations

import re

from interviewer.session.state import State
from interviewer.web.view_state import render
from rubric.model import AskedBy, Verdict
from tests.interviewer.report.sample_session import Telling, question

ASKED = question("asked", [("open", "It waits.", 1), ("doubt", "It copies.", 1), ("heard", "It runs.", 1)])
SAID = "It runs. It may copy."


def marked() -> Telling:
    tell = Telling()
    asked = tell.ask(ASKED)
    marks = [(Verdict.MISSING, 0.1, ""), (Verdict.MET, 0.6, "It may copy."), (Verdict.MET, 0.9, "It runs.")]
    tell.grade(asked, tell.answer(asked, SAID), marks, unsure=["doubt"])
    tell.close(asked)
    return tell


def rows(state: State) -> list[str]:
    return re.findall(r"<li class=.*?</li>", render(state).transcript_html, re.DOTALL)


def test_points_that_were_made_come_first_and_what_is_open_last() -> None:
    heard, doubt, missing = rows(marked().state)
    assert re.search(r"<p>It runs\.</p>.*You said:.*<blockquote>It runs\.</blockquote>", heard, re.DOTALL)
    assert "Did you make this point?" in doubt
    assert "It waits." in missing
    assert "You said:" not in missing


def test_whoever_said_it_can_say_so_beside_each_mark_that_gives_no_full_credit() -> None:
    heard, doubt, missing = rows(marked().state)
    assert 'data-asked="q1" data-point="doubt"' in doubt
    assert 'data-asked="q1" data-point="open"' in missing
    assert "I did say this" not in heard


def test_a_mark_that_is_disputed_says_so_and_stays() -> None:
    tell = marked()
    tell.dispute("q1", "open", "")
    missing = rows(tell.state)[2]
    assert "missing" in missing
    assert "You told us you made this point." in missing
    assert "I did say this" not in missing


def test_a_point_whose_probe_was_never_said_is_called_not_asked_and_not_missing() -> None:
    assert ASKED.rubric is not None
    first, *rest = ASKED.rubric.criteria
    left = first.model_copy(update={"asked_by": AskedBy.PROBE})
    tell = Telling()
    asked = tell.ask(ASKED.model_copy(update={"rubric": ASKED.rubric.model_copy(update={"criteria": (left, *rest)})}))
    marks = [(Verdict.MISSING, 0.1, ""), (Verdict.MET, 0.9, "It may copy."), (Verdict.MISSING, 0.1, "")]
    tell.grade(asked, tell.answer(asked, SAID), marks)
    tell.close(asked)
    shown = render(tell.state).transcript_html
    assert "1 met, 1 missing, 1 not asked" in shown
    _, missing, unasked = rows(tell.state)
    assert "It runs." in missing
    assert "not asked" in unasked
    assert "It waits." in unasked
