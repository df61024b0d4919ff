"""What the page offers after an interview: marks to dispute, questions to practice, files to take along."""

from __future__ import annotations

from pathlib import Path

import pytest

from interviewer.report.analysis.findings import findings
from interviewer.report.schema.findings import Findings
from interviewer.web import downloads
from interviewer.web.downloads import ReportFolder
from interviewer.web.view_state import render
from interviewer.web.views.report import disputes, self_assessment
from interviewer.web.views.report.layout import practice
from knowledge.model import Level
from rubric.model import Verdict
from serving.errors import BadInputError
from tests.interviewer.report.hostile import HOSTILE
from tests.interviewer.report.sample_session import Telling, question, telling
from tests.interviewer.web.holding import begin, controller


def test_every_mark_that_counts_can_be_disputed_once() -> None:
    tell = telling()
    found = {one.question.number: [point.id for point in one.open] for one in disputes.disputable(tell.state)}
    assert found == {
        1: ["leaves", "freed", "retain", "hook"],
        2: ["average", "buckets", "overlap"],
        3: ["blocked", "pinned"],
    }
    tell.dispute("q3", "pinned")
    (third,) = (one for one in disputes.disputable(tell.state) if one.question.number == 3)
    assert ([p.id for p in third.open], [p.id for p in third.disputed]) == (["blocked"], ["pinned"])


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_points_show_as_text(name: str) -> None:
    text = HOSTILE[name] if HOSTILE[name].strip() else "?"
    tell = Telling()
    q = tell.ask(question("h", [("c", text, 1), ("d", text, 1)], text=text, spoken=text))
    tell.grade(q, tell.answer(q, "No."), [(Verdict.MISSING, 0.1, "")] * 2)
    tell.close(q)
    tell.end()
    tell.dispute(q, "c", text[:2000])
    (one,) = disputes.disputable(tell.state)
    shown = "".join([disputes.question_html(one), *map(disputes.point_html, one.open)])
    assert "You dispute the mark of point 1:" in shown
    for forbidden in ("<script", "<img", "<svg", "onerror=alert(1)>"):
        assert forbidden not in shown


def test_a_disputed_point_is_settled_with_the_others_and_an_overridden_one_is_not() -> None:
    tell = telling()
    tell.dispute("q3", "pinned")
    assert [[p.id for p in one.points] for one in self_assessment.left_open(tell.state)] == [["hook"], ["pinned"]]
    tell.override("q1", "hook", Verdict.MET, "Ada")
    assert [[p.id for p in one.points] for one in self_assessment.left_open(tell.state)] == [["pinned"]]


def test_what_the_second_reading_found_is_told_where_the_mark_was_disputed() -> None:
    tell = telling()
    dispute = tell.dispute("q3", "pinned")
    assert disputed_html(tell).endswith("The second reading has not been made yet: the judge could not be reached.</p>")
    tell.second(dispute, "the loop was waiting for data.", Verdict.MET, 0.9)
    told = disputed_html(tell)
    assert "The second reading, of the one sentence nearest to the point: met, credit 90 of 100." in told
    assert "The readings differ." in told


def disputed_html(tell: Telling) -> str:
    (one,) = (one for one in disputes.disputable(tell.state) if one.question.number == 3)
    return disputes.question_html(one)


def test_the_page_draws_the_report_again_when_a_mark_is_contested() -> None:
    tell = telling()
    seen = [render(tell.state).digest]
    dispute = tell.dispute("q3", "pinned")
    seen.append(render(tell.state).digest)
    tell.second(dispute, "the loop was waiting for data.", Verdict.MET, 0.9)
    seen.append(render(tell.state).digest)
    tell.override("q1", "hook", Verdict.MET, "Ada")
    seen.append(render(tell.state).digest)
    assert len(set(seen)) == 4


def test_questions_of_the_interview_come_before_those_to_try_next() -> None:
    nothing, *found = practice(findings("s1", telling().state))
    assert nothing == ("Choose a question", "")
    assert [known for _, known in found][:2] == ["autograd-leaf-grad", "ddp-buckets"]
    assert found[1][0].startswith("2. How does DistributedDataParallel")
    assert all(len(name) < 140 for name, _ in found)


def test_practicing_begins_an_interview_of_one_question_once(tmp_path: Path) -> None:
    with controller(tmp_path) as at:
        begin(at)
        name = at.new_session()
        state = at.practice(name, "strides", Level.SENIOR)
        assert state.plan is not None
        assert (state.plan.question_ids, state.plan.level) == (("strides",), Level.SENIOR)
        assert state.asked[0].question.id == "strides"
        assert at.practice(name, "loss", Level.MID) == state
        with pytest.raises(BadInputError, match="no question nonsense"):
            at.practice(at.new_session(), "nonsense", Level.MID)
        assert len(at.past.all()) == 2


def test_the_plan_is_among_the_files(tmp_path: Path) -> None:
    folder = ReportFolder()
    files = folder.write(findings("s1", telling().state))
    assert files.anki.read_bytes().startswith(b"PK")
    assert files.calendar.read_bytes().startswith(b"BEGIN:VCALENDAR")
    assert [path.suffix for path in files if path] == [".html", ".md", ".json", ".apkg", ".ics", ".pdf"]
    assert folder.write(findings("s1", telling().state), pdf=False).pdf is None


def test_a_report_that_is_still_written_is_not_thrown_away_as_the_oldest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downloads, "MOST_OF_ALL", 2)
    folder, told = ReportFolder(), findings("s1", telling().state)
    slow = downloads.render_markdown
    others: list[downloads.ReportFiles] = []

    def while_others_write(given: Findings) -> str:
        monkeypatch.setattr(downloads, "render_markdown", slow)
        others.extend(folder.write(told, pdf=False) for _ in range(4))
        return slow(given)

    monkeypatch.setattr(downloads, "render_markdown", while_others_write)
    files = folder.write(told, pdf=False)
    assert files.html.exists()
    assert [each.html.exists() for each in others] == [False, False, False, True]
