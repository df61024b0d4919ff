from __future__ import annotations

import re
from pathlib import Path

import gradio as gr
import pytest

from interviewer.engine.service import InterviewService
from interviewer.planning.agenda import InterviewOptions
from interviewer.report.analysis.findings import findings
from interviewer.report.render.html import render_html
from interviewer.report.render.markdown import render_markdown
from interviewer.report.render.pdf.document import render_pdf
from interviewer.session.drawing import Arrow, Box, Drawing, read
from interviewer.session.events import BoardDrawn
from interviewer.session.state import State
from interviewer.storage.sqlite_journal import Journal
from interviewer.web import gradio_support
from interviewer.web.controller import PageController
from interviewer.web.gradio_support import Updates
from interviewer.web.view_state import render, request_id, turn_of
from interviewer.web.views.base import ViewContext
from interviewer.web.views.interview.handlers import InterviewView
from interviewer.web.views.interview.whiteboard import drawn, picture, with_outline
from interviewer.web.workspace import Workspace
from knowledge.model import Kind
from serving.errors import BadInputError
from tests.interviewer.builders import KeywordGrader, Shelf, question
from tests.interviewer.web.holding import SHELF, until

BOARD = "Data\n  clicks, hourly\n\n\tnegatives  \nModel"
TIDY = "Data\n  clicks, hourly\n  negatives\nModel"
DESIGN = Shelf([question("feed", keywords=("clicks", "towers"), kind=Kind.SYSTEM_DESIGN, topic="design")])


def design(folder: Path, shelf: Shelf = DESIGN) -> tuple[PageController, str, State]:
    journal = Journal(folder / "journal.db")
    at = PageController(InterviewService(journal, shelf, KeywordGrader(), patience_s=30.0), journal)
    session = at.new_session()
    return at, session, at.start(session, InterviewOptions(length=1, talks=False, follow_ups=2), shelf.questions())


def send(at: PageController, session: str, text: str, board: str) -> str:
    state = at.find(session)
    assert state is not None
    turn = turn_of(state)
    whole = with_outline(text, board, state, request_id("answer", turn))
    assert at.act(session, turn, "answer", whole).note == ""
    return whole


def test_the_whiteboard_is_sent_with_the_answer_and_graded(tmp_path: Path) -> None:
    at, session, state = design(tmp_path)
    assert render(state).sketched == "question:1"
    assert drawn(state) == ""
    send(at, session, "As drawn. ", BOARD)

    def current() -> State:
        state = at.find(session)
        assert state is not None
        return state

    until(lambda: bool(current().asked[0].grades))
    graded = current().asked[0].grades[0]
    assert graded.graded_text == f"As drawn.\n\nOutline:\n{TIDY}"
    assert [verdict.verdict for verdict in graded.grade.criteria] == ["met", "missing"]
    assert f"Outline:\n{TIDY}" in render(current()).transcript_html
    assert drawn(current()) == TIDY


def test_only_a_whiteboard_that_changed_is_sent_again(tmp_path: Path) -> None:
    at, session, _ = design(tmp_path)
    send(at, session, "First.", BOARD)
    until(lambda: len(at.find(session).asked[0].follow_ups) == 1)  # type: ignore[union-attr]
    state = at.find(session)
    assert with_outline("Second.", BOARD, state, "later") == "Second."
    assert with_outline("", f"{BOARD}\n  two towers", state, "later") == f"Outline:\n{TIDY}\n  two towers"


def test_the_same_request_again_makes_the_same_answer(tmp_path: Path) -> None:
    at, session, state = design(tmp_path)
    request = request_id("answer", turn_of(state))
    whole = send(at, session, "First.", BOARD)
    assert with_outline("First.", BOARD, at.find(session), request) == whole


@pytest.mark.parametrize("text", ["Can I have a hint?", "Could you repeat that?", "Skip this one, please."])
def test_a_request_stays_one(tmp_path: Path, text: str) -> None:
    _, _, state = design(tmp_path)
    assert with_outline(text, BOARD, state, "r") == text


def test_other_questions_have_no_whiteboard(tmp_path: Path) -> None:
    _, _, state = design(tmp_path, SHELF)
    assert render(state).sketched == ""
    assert with_outline("Said.", BOARD, state, "r") == "Said."
    assert with_outline("Said.", BOARD, None, "r") == "Said."


DRAWN = Drawing(
    boxes=(Box(id="b1", x=20, y=20, label="Click log"), Box(id="b2", x=200, y=20, label="Two towers")),
    arrows=(Arrow(source="b1", target="b2", label="hourly"),),
)


def test_what_is_drawn_is_graded_as_text_and_kept_as_drawn(tmp_path: Path) -> None:
    at, session, state = design(tmp_path)
    whole = with_outline("As drawn.", "", state, "r", DRAWN)
    assert whole == "As drawn.\n\nDrawing:\nClick log → Two towers: hourly"
    both = with_outline("As drawn.", BOARD, state, "r", DRAWN)
    assert both == f"As drawn.\n\nOutline:\n{TIDY}\nDrawing:\nClick log → Two towers: hourly"
    assert state.current is not None
    before = state.active_s
    for _ in range(2):
        at.keep_drawing(session, state.current.asked_id, DRAWN, "board-1")
    at.keep_drawing(session, state.current.asked_id, DRAWN, "board-2")
    assert at.act(session, turn_of(state), "answer", both).note == ""
    until(lambda: bool(at.state(session).asked[0].grades))
    kept = at.state(session)
    assert [verdict.verdict for verdict in kept.asked[0].grades[0].grade.criteria] == ["met", "met"]
    assert drawn(kept) == TIDY
    assert read(picture(kept)) == DRAWN
    assert with_outline("Once more.", BOARD, kept, "later", DRAWN) == "Once more."
    assert len([event for event in at.journal.events(session) if isinstance(event, BoardDrawn)]) == 1
    assert kept.active_s >= before


def test_a_drawing_alone_leaves_the_outline_empty(tmp_path: Path) -> None:
    at, session, state = design(tmp_path)
    assert at.act(session, turn_of(state), "answer", with_outline("", "", state, "r", DRAWN)).note == ""
    assert drawn(at.find(session)) == ""
    assert with_outline("More.", "", at.find(session), "later", DRAWN) == "More."


def test_nothing_can_be_drawn_once_it_is_over(tmp_path: Path) -> None:
    at, session, state = design(tmp_path)
    assert state.current is not None
    at.act(session, turn_of(state), "end")
    with pytest.raises(BadInputError):
        at.keep_drawing(session, state.current.asked_id, DRAWN, "board-1")


def test_the_report_shows_what_was_drawn_and_no_markup_of_a_label_works(tmp_path: Path) -> None:
    at, session, state = design(tmp_path)
    assert state.current is not None
    label = "<script>x</script> $a$"
    boxes = (*DRAWN.boxes, Box(id="b3", x=380, y=20, label=label))
    at.keep_drawing(session, state.current.asked_id, DRAWN.model_copy(update={"boxes": boxes}), "board-1")
    at.act(session, turn_of(state), "answer", "As drawn.")
    at.act(session, turn_of(at.state(session)), "end")
    found = findings(session, at.state(session))
    assert found.questions[0].drawing is not None
    html = render_html(found)
    assert re.search(r'<svg[^>]*id="report-drawing-1|<svg[^>]*report-drawing-1-title', html)
    assert "Click log → Two towers: hourly" in html
    assert ">Two towers</text>" in html
    assert "<script>x" not in html
    assert "&lt;script&gt;x" in html
    assert "What you drew" in render_markdown(found)
    assert render_pdf(found).startswith(b"%PDF")


def test_the_page_keeps_a_drawing_with_an_answer_and_with_no_request(tmp_path: Path, home: Path) -> None:
    at, session, _ = design(tmp_path)
    place = Workspace(at, DESIGN, lambda files: [])  # type: ignore[arg-type]
    with gr.Blocks(analytics_enabled=False) as blocks:
        view = InterviewView(ViewContext(lambda: place, gradio_support.build(), lambda *_: {}, lambda _: {}))
    index = DRAWN.boxes[1].model_copy(update={"label": "Index"})
    drawing = DRAWN.model_copy(update={"boxes": (DRAWN.boxes[0], index)})
    sent = drawing.model_dump_json()

    def send(text: str, sketched: str) -> Updates:
        return [*view._answer(session, turn_of(at.state(session)), text, None, "", sketched)][-1]

    send("Can I have a hint?", sent)
    assert at.state(session).asked[0].drawing is None
    send("As drawn.", sent)
    asked = at.state(session).asked[0]
    assert asked.drawing == drawing
    assert asked.answers[0].text.endswith("Drawing:\nClick log → Index: hourly")
    moved = drawing.model_copy(update={"boxes": (DRAWN.boxes[0], index.model_copy(update={"y": 200}))})
    until(lambda: at.state(session).current is not None and len(at.state(session).asked[0].follow_ups) == 1)
    send("The index is sharded.", moved.model_dump_json())
    assert at.state(session).asked[0].drawing == moved
    assert at.state(session).asked[0].answers[-1].text == "The index is sharded."
    note = send("More.", "{")[view.panel.note]
    assert "The drawing cannot be used" in note
    blocks.close(verbose=False)


def test_a_question_about_the_requirements_of_a_round_is_sent_without_the_whiteboard(tmp_path: Path) -> None:
    asks = "Got it. And how much data are we storing per day?"
    _, _, warm_up = design(tmp_path)
    assert with_outline(asks, BOARD, warm_up, "r") == asks
    assert "clicks" in with_outline("It is about a terabyte a day.", BOARD, warm_up, "r")
    (asked,) = warm_up.asked
    led = asked.question.model_copy(update={"change": "Half of it is gone.", "deep_dives": ("the cache", "the queue")})
    a_round = warm_up.model_copy(update={"asked": (asked.model_copy(update={"question": led}),)})
    assert with_outline(asks, BOARD, a_round, "r") == asks
    assert "clicks" in with_outline("I would log clicks.", BOARD, a_round, "r")
