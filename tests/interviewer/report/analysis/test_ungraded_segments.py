"""The parts without marks stand in every form of the report, marked as not graded."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from interviewer.report.analysis.findings import findings
from interviewer.report.analysis.redaction import for_interviewer
from interviewer.report.phrases import common
from interviewer.report.render.html import render_html, render_html_fragment
from interviewer.report.render.json import render_json
from interviewer.report.render.markdown import render_markdown
from interviewer.report.render.pdf.document import render_pdf
from interviewer.report.schema.findings import Findings
from interviewer.session.plan import SegmentKind
from tests.interviewer.report.hostile import HOSTILE
from tests.interviewer.report.render.test_html import check
from tests.interviewer.report.sample_session import LOADER, Telling

HELLO = ("I built a crawler.", "", "")
ASKED = ("What is pinned memory?", "Memory that is never swapped out.", "notes.md, line 7")
SAID = "I would feed the same batch again."


def told(*said: tuple[str, str, str], questions: bool = True) -> Findings:
    tell = Telling()
    tell.talk(SegmentKind.WARM_UP, "What did you work on?", HELLO)
    if questions:
        q = tell.ask(LOADER)
        tell.answer(q, SAID)
        tell.close(q)
    tell.talk(SegmentKind.THEIR_QUESTIONS, "Your turn.", *(said or (ASKED,)))
    tell.end()
    return findings("s1", tell.state)


@pytest.mark.parametrize("render", [render_html, render_html_fragment, render_markdown])
def test_they_stand_around_the_questions_and_say_that_nothing_counts(render: Callable[[Findings], str]) -> None:
    text = render(told())
    order = ["I built a crawler.", SAID, *ASKED[:2], "notes.md"]
    assert sorted(order, key=text.index) == order
    assert text.count(common.NOT_GRADED) == 2


def test_they_change_nothing_else() -> None:
    tell = Telling()
    q = tell.ask(LOADER)
    tell.answer(q, SAID)
    tell.close(q)
    tell.end()
    bare = findings("s1", tell.state)
    assert told().overall == bare.overall
    assert [len(question.transcript) for question in told().questions] == [2]
    assert bare.talks == ()
    assert common.NOT_GRADED not in render_html(bare)


def test_an_interview_of_nothing_else_shows_them_too() -> None:
    found = told(questions=False)
    assert "I built a crawler." in render_html(found)
    assert "I built a crawler." in render_markdown(found)
    assert len(render_pdf(found)) > len(render_pdf(found.model_copy(update={"talks": ()})))
    assert '"part": "warm-up"' in render_json(for_interviewer(found))


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_words_stand_in_them_as_text(name: str) -> None:
    text = HOSTILE[name]
    found = told((text, text or "-", text))
    check(render_html(found), 1)
    check(render_html_fragment(found), 2)
    assert render_markdown(found)
    assert render_pdf(found).startswith(b"%PDF")
