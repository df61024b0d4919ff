from __future__ import annotations

from interviewer.planning.ability import evidence
from interviewer.planning.spaced_repetition import points
from interviewer.report.analysis.findings import findings
from interviewer.scoring.self_assessment import score_with_own
from interviewer.scoring.unasked_points import unasked, without_unasked
from interviewer.session.follow_up_kinds import FollowUpKind
from interviewer.session.plan import Confidence
from rubric.model import AskedBy, Verdict
from tests.interviewer.report.sample_session import LOADER, Telling

MET, MISSING = Verdict.MET, Verdict.MISSING
SAID = "The GPU waits."


def told(*, probed: bool = False, unsure: tuple[str, ...] = (), times: int = 1) -> Telling:
    """The first point is met; the second is left to a probe, and missing."""
    assert LOADER.rubric is not None
    blocked, pinned = LOADER.rubric.criteria
    rubric = LOADER.rubric.model_copy(
        update={"criteria": (blocked, pinned.model_copy(update={"asked_by": AskedBy.PROBE}))}
    )
    tell = Telling()
    for _ in range(times):
        asked = tell.ask(LOADER.model_copy(update={"rubric": rubric}))
        marks = [(MET, 0.9, SAID), (MISSING, 0.0, "")]
        answer = tell.answer(asked, SAID)
        tell.sure(asked, answer, Confidence.SURE)
        tell.grade(asked, answer, marks, unsure=unsure)
        if probed:
            follow_up = tell.follow_up(asked, FollowUpKind.MISSING, "pinned", "And what does pinning do?")
            tell.grade(asked, tell.answer(asked, "No idea.", follow_up), marks)
        tell.close(asked)
    return tell


def test_only_a_missing_point_whose_probe_was_never_said_counts_as_not_asked() -> None:
    (silent,) = told().state.asked
    assert unasked(silent, silent.grades[-1].grade) == {"pinned"}
    counted = without_unasked(silent, silent.grades[-1].grade)
    assert counted.score == 0.9
    assert counted.criteria == silent.grades[-1].grade.criteria
    (probed,) = told(probed=True).state.asked
    assert unasked(probed, probed.grades[-1].grade) == frozenset()
    assert without_unasked(probed, probed.grades[-1].grade) == probed.grades[-1].grade


def test_whoever_overrides_such_a_point_decides_what_silence_on_it_means() -> None:
    tell = told()
    tell.override("q1", "pinned", MISSING, "A. Mentor")
    (question,) = findings("s1", tell.state).questions
    assert not question.criteria[1].never_asked
    assert (question.final or 1.0) < 0.9


def test_silence_on_it_says_nothing_of_ability_and_memory() -> None:
    silent, probed = told().state, told(probed=True).state
    assert [(each.credit, each.points) for each in evidence(silent)[:1]] == [(0.9, 1)]
    assert evidence(probed)[0].points == 2
    assert [point.key.criterion_id for point in points([silent])] == ["blocked"]
    assert {point.key.criterion_id for point in points([probed])} == {"blocked", "pinned"}


def test_whoever_was_sure_of_what_was_asked_was_not_too_sure() -> None:
    confidence = findings("s1", told(times=3).state).confidence
    assert confidence is not None
    assert [stated.earned for stated in confidence.answers] == [0.9, 0.9, 0.9]


def test_it_counts_once_the_person_judges_it_themselves() -> None:
    tell = told(unsure=("blocked", "pinned"))
    tell.self_assess("q1", "blocked", MET)
    assert score_with_own(tell.state.asked[0]) == 1.0
    tell.self_assess("q1", "pinned", MISSING)
    assert (score_with_own(tell.state.asked[0]) or 1.0) < 1.0
