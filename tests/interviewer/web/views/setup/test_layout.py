from __future__ import annotations

from typing import Any

import pytest

from interviewer.planning.agenda import DEFAULTS, InterviewOptions
from interviewer.session.plan import Mode
from interviewer.session.style import Style
from interviewer.web.views.setup.form import wish_of
from interviewer.web.views.setup.layout import BY_NUMBER
from knowledge.model import Kind, Level
from rubric.coding.task import StarterForm
from serving.errors import BadInputError

CHOSEN: list[Any] = [
    *("ML engineer", [" autograd ", ""], "senior", "45", 5, ["coding"], "exam", 3, True, False),
    *("friendly", True, True, "blank", False, True, ["/notes.md"], ""),
]


def test_what_is_chosen_is_wished() -> None:
    assert wish_of(CHOSEN) == InterviewOptions(
        role="ML engineer",
        topics=("autograd",),
        level=Level.SENIOR,
        minutes=45,
        kinds=(Kind.CODING,),
        mode=Mode.EXAM,
        reviews=DEFAULTS.reviews,
        silence_steps=False,
        cut_short=True,
        follow_ups=3,
        style=Style.FRIENDLY,
        drill=True,
        starter=StarterForm.BLANK,
        documents=("/notes.md",),
    )


def test_questions_are_counted_where_the_clock_is_not_wanted() -> None:
    wish = wish_of([*CHOSEN[:3], BY_NUMBER, 7.0, *CHOSEN[5:]])
    assert wish.minutes is None
    assert wish.length == 7


def test_the_shown_agenda_does_not_count_for_a_new_one() -> None:
    values = [*CHOSEN[:-1], "nonsense"]
    assert wish_of(values, edited=False).agenda == ()
    with pytest.raises(BadInputError):
        wish_of(values)


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (2, "none"),
        (4, None),
        (4, float("inf")),
        (5, ["nothing"]),
        (6, 7),
        (8, "maybe"),
        (9, {}),
        (1, [None]),
        (10, "rude"),
    ],
)
def test_what_no_page_offers_is_refused_with_a_sentence(place: int, value: object) -> None:
    with pytest.raises(BadInputError, match="cannot be used"):
        wish_of([*CHOSEN[:place], value, *CHOSEN[place + 1 :]])


def test_too_few_values_are_refused_with_a_sentence() -> None:
    with pytest.raises(BadInputError, match="cannot be used"):
        wish_of(CHOSEN[:5])
