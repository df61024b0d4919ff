"""An agenda as text, and back."""

from __future__ import annotations

import pytest

from interviewer.planning.agenda_text import agenda_text, read_agenda
from interviewer.session.plan import AgendaItem
from knowledge.model import Kind
from serving.errors import BadInputError


def test_an_agenda_is_read_as_it_is_shown() -> None:
    agenda = (
        AgendaItem(topic="data loading, mostly", kind=Kind.SYSTEM_DESIGN, minutes=15),
        AgendaItem(topic="my own words", minutes=5),
    )
    assert read_agenda(agenda_text(agenda)) == agenda
    assert read_agenda("\n autograd , Coding , 3 \n\n") == (AgendaItem(topic="autograd", kind=Kind.CODING, minutes=3),)


@pytest.mark.parametrize("line", ["autograd", "autograd, coding", "a, b, 3", "a, coding, 0", "a, any, x"])
def test_a_line_that_cannot_be_understood_is_quoted(line: str) -> None:
    with pytest.raises(BadInputError, match="is no"):
        read_agenda(f"tensors, any, 4\n{line}")


def test_a_design_question_takes_a_quarter_of_an_hour() -> None:
    with pytest.raises(BadInputError, match="system design question needs at least 15 minutes"):
        read_agenda("products, system design, 14")


def test_a_question_without_a_topic_is_told_in_words_of_the_page() -> None:
    with pytest.raises(BadInputError, match="no topic"):
        read_agenda("tensors, any, 4\n, coding, 10")
