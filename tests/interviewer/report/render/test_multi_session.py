"""Several interviews of one person, and one of several people each."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import html5lib
import pytest

from interviewer.report.aggregate.comparison import Cell, cell, change, compare
from interviewer.report.aggregate.group import Group, summarize
from interviewer.report.analysis.findings import findings
from interviewer.report.render.multi_session import render_comparison, render_group
from interviewer.report.schema.findings import Findings
from interviewer.session.events import Event
from interviewer.session.reducer import fold
from rubric.model import Verdict
from tests.interviewer.report.hostile import HOSTILE, hostile_report
from tests.interviewer.report.render.test_html import check
from tests.interviewer.report.render.test_markdown import READER
from tests.interviewer.report.sample_session import BUCKETS, LEAF, Telling, telling

MET, PARTIAL, MISSING, CONTRADICTED = Verdict.MET, Verdict.PARTIAL, Verdict.MISSING, Verdict.CONTRADICTED
ALL, NONE = [(MET, 1.0, "So.")] * 3, [(MISSING, 0.0, "")] * 3


def answered(session: str, marks: Any, *, days: int = 0, asked: Any = BUCKETS, unsure: Any = ()) -> Findings:
    """An interview of one question that many days after the sample."""
    tell = Telling()
    q = tell.ask(asked)
    tell.grade(q, tell.answer(q, "So."), marks, unsure=unsure)
    events: list[Event] = [event.model_copy(update={"at": event.at + timedelta(days=days)}) for event in tell.events]
    return findings(session, fold(events))


def with_interval(report: Findings, low: float, high: float) -> Findings:
    question = report.questions[0].model_copy(update={"interval": (low, high)})
    return report.model_copy(update={"questions": (question,)})


def test_interviews_stand_in_the_order_in_which_they_were_held() -> None:
    found = compare([answered("late", ALL, days=9), answered("early", NONE), answered("late", ALL, days=9)])
    assert [one.session_id for one in found.sessions] == ["early", "late"]


def test_a_repeated_question_shows_the_change_and_the_points_gained() -> None:
    found = compare([answered("a", [(CONTRADICTED, 0.0, "So."), *ALL[1:]]), answered("b", ALL, days=1)])
    (row,) = found.questions
    assert [one.score for one in row.cells] == [pytest.approx(4 / 7), 1.0]
    assert row.change is not None
    assert (row.change.by, row.change.beyond) == (pytest.approx(3 / 7), None)
    assert row.gained == ("Each process averages its gradients with all others by an all-reduce.",)
    assert row.lost == ()
    back = compare([answered("a", ALL), answered("b", NONE, days=1)]).questions[0]
    assert (len(back.gained), len(back.lost)) == (0, 3)


@pytest.mark.parametrize(
    ("first", "last", "beyond"),
    [((0.0, 0.3), (0.6, 1.0), True), ((0.0, 0.7), (0.6, 1.0), False), ((0.6, 1.0), (0.0, 0.3), True)],
)
def test_a_change_counts_as_one_only_beyond_the_intervals(
    first: tuple[float, float], last: tuple[float, float], beyond: bool
) -> None:
    cells = [Cell(graded=1, score=sum(each) / 2, interval=each) for each in (first, last)]
    found = change([cells[0], Cell(), cells[1]])
    assert found is not None
    assert found.beyond is beyond
    assert change(cells[:1]) is None


def test_a_topics_interval_is_narrower_than_its_questions_and_unknown_where_one_is() -> None:
    one = with_interval(answered("a", NONE), 0.0, 0.4).questions[0].model_copy(update={"final": 0.2})
    both = cell([one, one])
    assert both.interval is not None
    assert both.interval[1] - 0.2 == pytest.approx(0.2 / 2**0.5, abs=1e-4)
    assert cell([one, one.model_copy(update={"interval": None})]).interval is None
    assert cell([one.model_copy(update={"final": None, "interval": None})]) == Cell()


def test_what_was_asked_once_is_no_repeated_question() -> None:
    found = compare([answered("a", ALL), answered("b", [(MET, 1.0, "So.")] * 4, days=1, asked=LEAF)])
    assert found.questions == ()
    assert [row.topic for row in found.topics] == ["autograd", "distributed training"]
    assert [row.change for row in found.topics] == [None, None]
    assert "No question was asked in more than one" in render_comparison(found, "md")


def test_a_comparison_reads_the_same_in_every_form() -> None:
    old = with_interval(answered("a", NONE), 0.0, 0.2)
    new = with_interval(answered("b", ALL, days=1), 0.7, 1.0)
    found = compare([old, new])
    check(render_comparison(found, "html"), 1)
    html5lib.HTMLParser(strict=True).parse(render_comparison(found, "html"))
    for text in (render_comparison(found, "html"), render_comparison(found, "md")):
        assert "+100, larger than the ranges" in text
        assert "Met now, not before" in text
        assert "100 (70 to 100)" in text
    data = json.loads(render_comparison(found, "json"))
    assert data["questions"][0]["change"] == {"by": 1.0, "beyond": True}


def test_the_group_misses_most_what_most_people_miss() -> None:
    miss = [(MISSING, 0.0, ""), (MET, 1.0, "So."), (CONTRADICTED, 0.0, "So.")]
    found = summarize(
        {
            "Ada": answered("1", miss),
            "Bo": answered("2", [*miss[:2], (MET, 1.0, "So.")]),
            "Cy": answered("3", NONE, unsure=["buckets"]),
        }
    )
    assert [(p.criterion_id, p.missed, p.people, p.contradicted, p.unsure) for p in found.points] == [
        ("average", 3, 3, 0, 0),
        ("overlap", 2, 3, 1, 0),
    ]
    (topic,) = found.topics
    assert (topic.people, topic.mean) == (3, pytest.approx((2 / 7 + 4 / 7 + 0) / 3))
    assert [one.name for one in found.persons] == ["Ada", "Bo", "Cy"]


def test_what_is_not_graded_in_full_is_not_called_missed() -> None:
    tell = Telling()
    q = tell.ask(BUCKETS)
    tell.grade(q, tell.answer(q, "So."), NONE)
    tell.answer(q, "More.")
    assert summarize({"Ada": findings("1", tell.state)}).points == ()


def test_an_overridden_mark_counts_as_the_teacher_gave_it() -> None:
    tell = telling()
    tell.override("q2", "average", MET, "Ada")
    names = {p.criterion_id for p in summarize({"x": findings("1", tell.state)}).points}
    assert "average" not in names
    assert "overlap" in names


def test_without_names_nothing_tells_one_person_from_another() -> None:
    reports = {"Ada Lovelace": answered("secret-1", ALL), "Bo": findings("secret-2", telling().state)}
    named, found = summarize(reports), summarize(reports, anonymous=True)
    assert named.points == found.points
    assert found.persons == ()
    assert {(t.lowest, t.highest) for t in found.topics} == {(None, None)}
    for form in ("md", "html", "json"):
        text = render_group(found, form)
        for told in ("Ada", "Bo<", "secret", "Rank zero collects"):
            assert told not in text
        assert "Ada" in render_group(named, form)


def test_a_group_reads_back_and_shows_in_every_form() -> None:
    found = summarize({"Ada": answered("1", NONE), "Bo": answered("2", ALL), "Cy": answered("3", ALL)})
    check(render_group(found, "html"), 1)
    html5lib.HTMLParser(strict=True).parse(render_group(found, "html"))
    assert Group.model_validate_json(render_group(found, "json")) == found
    assert "| distributed training | 3 | 67 | 0 | 100 |" in render_group(found, "md")
    assert "The judge was not sure of any point missed" in render_group(summarize({}), "md")


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_shows_as_text(name: str) -> None:
    report = hostile_report(HOSTILE[name])
    other = report.model_copy(update={"session_id": report.session_id + "2"})
    compared, grouped = compare([report, other]), summarize({HOSTILE[name][:200]: report, "other": other})
    assert compared.questions
    check(render_comparison(compared, "html"), 1)
    check(render_group(grouped, "html"), 1)
    for text in (render_comparison(compared, "md"), render_group(grouped, "md")):
        tokens = READER.parse(text)
        inside = {child.type for token in tokens for child in token.children or ()}
        assert not {"html_block", "html_inline", "image", "link_open", "code_inline"} & {
            *inside,
            *(t.type for t in tokens),
        }
        assert sum(token.type == "heading_open" for token in tokens) == 3
