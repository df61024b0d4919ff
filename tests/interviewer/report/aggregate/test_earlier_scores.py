"""What earlier interviews came to, out of a real journal; and every way in which an interview can end."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import get_args

import pytest

from interviewer.report.aggregate.earlier_scores import earlier_scores
from interviewer.report.analysis.findings import findings
from interviewer.report.phrases import result
from interviewer.report.schema.findings import EarlierScore
from interviewer.session.events import InterviewEnded
from interviewer.session.reducer import fold
from interviewer.storage.sqlite_journal import Journal
from tests.interviewer.report.sample_session import START, telling


def put(journal: Journal, name: str, days: int, *, ended: bool = True) -> None:
    for event in telling().events:
        if ended or event.type != "interview_ended":
            journal.append(name, event.model_copy(update={"at": event.at + timedelta(days=days)}))


def test_the_last_five_that_had_ended_before_stand_behind_a_report(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.db") as journal:
        for days in range(7):
            put(journal, f"s{days}", days)
        put(journal, "later", 30)
        put(journal, "open", 5, ended=False)
        put(journal, "now", 20)
        scores = earlier_scores(journal, "now")
        assert list(dict.fromkeys(score.session_id for score in scores)) == ["s2", "s3", "s4", "s5", "s6"]
        found = findings("now", fold(journal.events("now")), earlier=scores)
        assert {score.topic for score in found.earlier} == {"autograd", "distributed training", "data loading"}
        assert all(score.final == pytest.approx(topic_score(found.earlier[0])) for score in found.earlier[:1])
        assert earlier_scores(journal, "s0") == earlier_scores(journal, "unknown") == ()


def topic_score(score: EarlierScore) -> float:
    topics = findings("s", telling().state).topics
    (final,) = (topic.final for topic in topics if topic.topic == score.topic)
    assert final is not None
    return final


def test_scores_on_topics_that_were_not_asked_about_are_left_out() -> None:
    other = EarlierScore(session_id="s0", started=START, topic="serving", final=0.5)
    assert findings("s1", telling().state, earlier=[other]).earlier == ()


def test_every_end_of_an_interview_has_its_sentence() -> None:
    assert set(result.ENDED) == set(get_args(InterviewEnded.model_fields["reason"].annotation))
