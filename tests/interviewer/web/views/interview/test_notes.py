from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from interviewer.policy.next_action import next_action
from interviewer.report.analysis.findings import findings
from interviewer.report.analysis.redaction import for_interviewer
from interviewer.report.render.html import render_html
from interviewer.report.render.json import render_json
from interviewer.report.render.markdown import render_markdown
from interviewer.report.render.pdf.document import render_pdf
from interviewer.session.events import NotesWritten
from interviewer.session.reducer import fold
from interviewer.understanding.input_validation import LONGEST_NOTES
from interviewer.web.view_state import render, turn_of
from serving.errors import BadInputError
from tests.interviewer.builders import at as at_second
from tests.interviewer.builders import interview
from tests.interviewer.web.holding import begin, controller

ATTACK = "<script>alert(1)</script>\n  | **bold** ```"


def test_the_latest_notes_count_and_change_nothing_else(tmp_path: Path) -> None:
    with controller(tmp_path) as at:
        session, before = begin(at)
        at.write_notes(session, "ask about hooks", "n1")
        at.write_notes(session, "ask about hooks\n  and leaves  \n", "n2")
        at.write_notes(session, "sent again", "n1")
        after = at.state(session)
        assert at.notes_of(session) == after.notes == "ask about hooks\n  and leaves"
        assert turn_of(after) == turn_of(before)
        assert render(after) == render(before)
        assert next_action(after) == next_action(before)
        at.act(session, turn_of(after), "end")
        at.write_notes(session, "typed while it ended", "n3")
        assert at.state(session).notes == "typed while it ended"


def test_the_same_notes_again_are_not_stored(tmp_path: Path) -> None:
    with controller(tmp_path) as at:
        session, _ = begin(at)
        for number in range(3):
            at.write_notes(session, "once", f"n{number}")
        events = at.journal.events(session)
        assert len([event for event in events if isinstance(event, NotesWritten)]) == 1


def test_notes_take_no_time(tmp_path: Path) -> None:
    with controller(tmp_path) as at:
        session, before = begin(at)
        late = NotesWritten(id="n", at=before.last_at + timedelta(minutes=9), text="later")  # type: ignore[operator]
        after = fold([*at.journal.events(session), late])
        assert (after.active_s, after.last_at) == (before.active_s, before.last_at)


@pytest.mark.parametrize("text", ["x" * (LONGEST_NOTES + 1), "a \x00 byte"])
def test_what_cannot_be_kept_is_told(tmp_path: Path, text: str) -> None:
    with controller(tmp_path) as at:
        session, _ = begin(at)
        with pytest.raises(BadInputError, match="The notes"):
            at.write_notes(session, text, "n")
        assert at.notes_of(session) == ""
        with pytest.raises(BadInputError, match="no interview at this address"):
            at.write_notes("unknown", "mine", "n")


def test_the_report_shows_them_as_text_at_its_end_and_to_nobody_else() -> None:
    found = findings("s", interview().model_copy(update={"notes": ATTACK, "last_at": at_second(0)}))
    html, markdown = render_html(found), render_markdown(found)
    assert "&lt;script&gt;alert(1)&lt;/script&gt;\n  | **bold** ```" in html
    assert "<script>alert" not in html
    assert f"````text\n{ATTACK}\n````" in markdown
    assert '"notes": "<script>' in render_json(found)
    assert render_pdf(found).startswith(b"%PDF")
    assert "Your notes" not in render_html(for_interviewer(found))
    assert "Your notes" not in render_html(findings("s", interview()))
