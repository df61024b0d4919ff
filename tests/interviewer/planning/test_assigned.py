"""An assignment as it is wished, and the plan that is made of it."""

from __future__ import annotations

import pytest

from interviewer.assignments.assignment import AssignedInterview
from interviewer.planning.assigned import AssignmentWish, assigned_plan, assignment_of, minutes
from interviewer.session.plan import AgendaItem, Mode
from interviewer.session.style import Style
from knowledge.model import Kind, Level
from serving.errors import BadInputError
from tests.interviewer.assignments.samples import NOW, assignment
from tests.interviewer.builders import question

TOPICS = ("autograd", "training")

WISH = AssignmentWish(
    title="  Autograd   basics ",
    group="autumn",
    agenda="Autograd, concept, 5\ntraining, any, 7",
    due="2026-03-06 18:00",
    zone="Europe/Berlin",
    candidates=("ada",),
    level="senior",
    style="demanding",
    mode="exam",
    tries=" 3 ",
)


def test_a_wish_becomes_an_assignment() -> None:
    made = assignment_of(WISH, "grace", "1" * 32, NOW, TOPICS)
    assert (made.title, made.by, made.group, made.candidates, made.tries) == (
        "Autograd basics",
        "grace",
        "autumn",
        ("ada",),
        3,
    )
    assert made.interview == AssignedInterview(
        agenda=(AgendaItem(topic="autograd", kind=Kind.CONCEPT, minutes=5), AgendaItem(topic="training", minutes=7)),
        level=Level.SENIOR,
        style=Style.DEMANDING,
        mode=Mode.EXAM,
    )
    assert assignment_of(WISH._replace(tries=""), "grace", "1" * 32, NOW, TOPICS).tries is None


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"title": " "}, "needs a title"),
        ({"title": "x" * 121}, "The title has 121 characters"),
        ({"note": "x" * 2001}, "The note has 2,001 characters"),
        ({"agenda": "\n"}, "The agenda is empty"),
        ({"agenda": "autograd"}, "not a valid line"),
        ({"agenda": "autogard, any, 5"}, "no topic autogard. Did you mean autograd?"),
        ({"agenda": "cooking, any, 5"}, "no topic cooking. The topics are: autograd, training."),
        ({"agenda": "autograd, any, 5\n" * 51}, "51 questions"),
        ({"agenda": "autograd, any, 60\n" * 3}, "takes 184 minutes"),
        ({"tries": "0"}, "not a number of interviews"),
        ({"tries": "21"}, "not a number of interviews"),
        ({"tries": "many"}, "not a number of interviews"),
        ({"level": "intern"}, "cannot be used"),
        ({"style": "rude"}, "cannot be used"),
        ({"mode": ""}, "cannot be used"),
        ({"due": "2020-01-01 10:00"}, "is over"),
    ],
)
def test_what_cannot_be_assigned_is_told(changed: dict[str, str], told: str) -> None:
    with pytest.raises(BadInputError, match=told):
        assignment_of(WISH._replace(**changed), "grace", "1" * 32, NOW, TOPICS)


def test_the_plan_is_that_of_the_assignment_and_carries_its_id() -> None:
    one = assignment()
    plan = assigned_plan(one, [question("q")], seed=3, editor=True)
    assert plan.assignment == one.id
    assert plan.agenda == one.interview.agenda
    assert (plan.minutes, minutes(one.interview), plan.reviews, plan.opening, plan.editor) == (19, 19, 0, "", True)
    assert plan.topics == ("autograd", "distributed training")
    free = one.model_copy(update={"interview": one.interview.model_copy(update={"only_listed": False, "talks": False})})
    assert assigned_plan(free, [], seed=3, editor=False).topics == ()
    short = AssignedInterview(agenda=(AgendaItem(topic="x", minutes=1),), talks=False)
    assert assigned_plan(one.model_copy(update={"interview": short}), [], seed=1, editor=False).minutes == 5
