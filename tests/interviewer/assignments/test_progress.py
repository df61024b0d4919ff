"""How far somebody is, what is late, and what may begin."""

from __future__ import annotations

from datetime import timedelta

import pytest

from interviewer.assignments.assignment import Status
from interviewer.assignments.progress import (
    Progress,
    Stage,
    Try,
    check_begin,
    end_told,
    progress,
    stage_told,
    tries_left,
    unfinished,
)
from serving.errors import BadInputError
from tests.interviewer.assignments.samples import DUE, NOW, assignment

HOUR = timedelta(hours=1)
BEGUN = Try("a", NOW)
IN_TIME = Try("b", NOW, DUE)
LATE = Try("c", DUE, DUE + HOUR)
EARLY = Try("d", NOW, NOW + HOUR, early=True, answered=1, questions=5)


def test_how_far_somebody_is() -> None:
    one, after = assignment(), DUE + timedelta(days=1)
    assert progress(one, [], NOW) == Progress(Stage.NOT_BEGUN, None, False)
    assert progress(one, [], after) == Progress(Stage.NOT_BEGUN, None, True)
    assert progress(one, [BEGUN], NOW) == Progress(Stage.IN_PROGRESS, NOW, False)
    assert progress(one, [BEGUN], after).late
    assert progress(one, [IN_TIME], after) == Progress(Stage.DONE, DUE, False)
    assert progress(one, [LATE], after) == Progress(Stage.DONE, DUE + HOUR, True)
    # Who was done in time and tries again is not late.
    assert progress(one, [IN_TIME, LATE, BEGUN], after) == Progress(Stage.DONE, DUE, False)
    # What was extended afterwards is not late any more.
    assert not progress(assignment(due=after), [LATE], after).late


def test_who_ended_early_is_not_done() -> None:
    one, after = assignment(), DUE + timedelta(days=1)
    assert progress(one, [EARLY], NOW) == Progress(Stage.ENDED_EARLY, NOW + HOUR, False)
    assert progress(one, [EARLY], after).late
    assert progress(one, [EARLY, BEGUN], NOW).stage is Stage.IN_PROGRESS
    assert progress(one, [EARLY, IN_TIME], NOW) == Progress(Stage.DONE, DUE, False)
    assert stage_told(progress(one, [EARLY], NOW), [EARLY]) == "ended early, 1 of 5 answered"
    assert stage_told(progress(one, [EARLY, IN_TIME], NOW), [EARLY, IN_TIME]) == "done"
    assert end_told(EARLY, "today") == "ended early today, 1 of 5 answered"


def test_what_may_begin() -> None:
    check_begin(assignment(), [])
    check_begin(assignment(), [IN_TIME, LATE])
    check_begin(assignment(tries=2), [IN_TIME])
    for one, tries, told in (
        (assignment(tries=2), [IN_TIME, LATE], "You have begun 2 interviews"),
        (assignment(), [IN_TIME, BEGUN], "in progress"),
        (assignment(status=Status.CLOSED), [], "is closed"),
        (assignment(status=Status.WITHDRAWN), [], "is closed"),
    ):
        with pytest.raises(BadInputError, match=told):
            check_begin(one, tries)
    assert (tries_left(assignment(), [LATE]), tries_left(assignment(tries=1), [LATE, BEGUN])) == (None, 0)
    assert (unfinished([IN_TIME, BEGUN]), unfinished([LATE])) == (BEGUN, None)
