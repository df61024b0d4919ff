"""What a person's interviews amount to over time."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from interviewer.engine.service import InterviewService
from interviewer.planning.progress import History, history, level_of, streak
from interviewer.session.plan import Plan
from interviewer.session.state import State
from interviewer.storage.sqlite_journal import Journal
from interviewer.web.views.setup.history import history_html
from knowledge.model import Level
from tests.interviewer.builders import START, KeywordGrader, Shelf, question

BANK = [
    question("q1", topic="auto<b>grad", text="What is a leaf tensor?", keywords=("alpha", "beta", "gamma")),
    question("q2", topic="training", text="Why does momentum help?", keywords=("alpha", "beta", "gamma")),
]


def hold(folder: Path, answers: list[tuple[str, str, datetime]]) -> list[State]:
    """Interviews of one question each: which, what was said, when."""
    states: list[State] = []
    for place, (name, said, when) in enumerate(answers):
        with (
            Journal(folder / f"{place}.db") as journal,
            InterviewService(
                journal, Shelf(BANK), KeywordGrader(), patience_s=None, clock=lambda at=when: at
            ) as service,
        ):
            session = service.start(Plan(question_ids=(name,), follow_ups=0))
            service.answer(session, said, "a")
            states.append(service.advance(session))
    return states


def test_who_answers_well_stands_higher_than_who_does_not(tmp_path: Path) -> None:
    later = START + timedelta(days=1)
    states = hold(
        tmp_path, [("q1", "alpha beta gamma", START), ("q2", "nothing", START), ("q1", "alpha beta gamma", later)]
    )
    found = history(states, BANK, later.astimezone(UTC))
    assert [standing.topic for standing in found.topics] == ["training", "auto<b>grad"]
    assert found.topics[0].ability.mean < found.topics[1].ability.mean
    assert found.topics[0].change is None
    assert found.topics[1].change is not None
    assert found.topics[1].change > 0
    assert (found.interviews, found.streak) == (3, 2)
    assert history(list(reversed(states)), BANK, later.astimezone(UTC)) == found


def test_what_was_missed_is_due_and_drilled(tmp_path: Path) -> None:
    states = hold(tmp_path, [("q2", "alpha", START)])
    now = (START + timedelta(days=3)).astimezone(UTC)
    found = history(states, BANK, now)
    assert found.due == 2
    assert found.due_topics == (("training", 2),)
    assert found.drill is not None
    with (
        Journal(tmp_path / "drill.db") as journal,
        InterviewService(journal, Shelf(BANK), KeywordGrader(), patience_s=None) as service,
    ):
        state = service.state(service.start(found.drill))
        assert state.asked[0].question.rubric is not None
        assert state.asked[0].question.rubric.criteria[0].id in {"c-beta", "c-gamma"}


def test_without_an_answer_there_is_nothing_to_show() -> None:
    assert history([], BANK, START.astimezone(UTC)) == History(interviews=0, streak=0)
    assert "first interview" in history_html(History(interviews=0, streak=0))


def test_days_in_a_row_end_today_or_yesterday() -> None:
    today = date(2026, 3, 1)
    days = [date(2026, 3, 1), date(2026, 2, 28), date(2026, 2, 28), date(2026, 2, 26)]
    assert streak(days, today) == 2
    assert streak(days[1:], today) == 1
    assert streak(days[3:], today) == 0


def test_levels_rise_with_ability() -> None:
    assert level_of(-4.0) is None
    assert level_of(0.5) is Level.MID
    assert level_of(4.5) is Level.STAFF


def test_the_page_shows_topics_as_text(tmp_path: Path) -> None:
    states = hold(tmp_path, [("q1", "alpha", START)])
    html = history_html(history(states, BANK, START.astimezone(UTC)))
    assert "auto&lt;b&gt;grad" in html
    assert "<b>grad" not in html
    assert "1 interview." in html
