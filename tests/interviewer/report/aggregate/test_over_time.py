from __future__ import annotations

from datetime import timedelta

from interviewer.report.aggregate.over_time import over_time
from interviewer.report.analysis.findings import findings
from interviewer.report.schema.findings import Findings
from interviewer.session.plan import Mode
from interviewer.session.reducer import fold
from knowledge.model import Level
from tests.interviewer.report.hour import QUESTIONS, hour
from tests.interviewer.report.sample_session import START

WEAK = {"autograd-leaf-grad": "mmmmm", "kv-cache-memory": "MPMMm"}
STRONG = {"autograd-leaf-grad": "MMMMM"}


def report(name: str, questions: dict[str, str], days: int, **plan: object) -> Findings:
    found = findings(name, fold(hour(questions, START + timedelta(days=days)).events))
    assert found.plan is not None
    return found.model_copy(update={"plan": found.plan.model_copy(update=plan)})


def test_only_interviews_whose_scores_mean_the_same_are_compared() -> None:
    latest = report("latest", STRONG, 9)
    other = [
        report("senior", WEAK, 1, level=Level.SENIOR),
        report("exam", WEAK, 2, mode=Mode.EXAM),
        report("open", WEAK, 3).model_copy(update={"ended": None}),
    ]
    refit = report("refit", WEAK, 4)
    judges = tuple(used.model_copy(update={"digest": "f" * 64}) for used in refit.made.judges)
    other.append(refit.model_copy(update={"made": refit.made.model_copy(update={"judges": judges})}))
    found = over_time([latest, *other, report("first", WEAK, 0)])
    assert found is not None
    assert found.compared == ("first", "latest")
    assert (found.other_level, found.other_mode, found.other_judge) == (1, 1, 1)


def test_scores_come_by_topic_in_order_with_their_doubt() -> None:
    found = over_time([report("later", STRONG, 5), report("earlier", WEAK, 0)])
    assert found is not None
    autograd, other = found.topics
    assert [score.session_id for score in autograd.scores] == ["earlier", "later"]
    assert all(score.cell.interval is not None for score in autograd.scores)
    assert autograd.change is not None
    assert autograd.change.by > 0.3
    assert autograd.change.beyond is False, "a mean of one question is not that sure"
    assert len(other.scores) == 1
    assert other.change is None


def test_without_a_score_nothing_is_compared() -> None:
    assert over_time([]) is None
    assert over_time([report("skipped", {"serving-drift-detection": ""}, 0)]) is None
    assert QUESTIONS["serving-drift-detection"] == ""
