"""Names that journals, indexes, and documents were written with before still mean the same."""

from __future__ import annotations

import pytest

from interviewer.planning.ability import topic_key
from interviewer.planning.question_selector import normal
from interviewer.session.plan import AgendaItem, Plan
from knowledge.model import Kind, Question, Source, topic_name


def test_a_kind_and_a_topic_stored_under_their_older_name_are_read_by_their_present_one() -> None:
    stored = (
        '{"id": "q", "text": "Tell me.", "spoken": "Tell me.", "kind": "behavioural", "topic": "behavioural",'
        ' "source": {"path": "notes.md"}}'
    )
    question = Question.model_validate_json(stored)

    assert question.kind is Kind.BEHAVIORAL
    assert question.kind.value == question.topic == "behavioral"


def test_a_plan_stored_under_the_older_name_asks_for_the_same_topic() -> None:
    plan = Plan.model_validate_json(
        '{"topics": ["behavioural", "autograd"], "kinds": ["behavioural"],'
        ' "agenda": [{"topic": "Behavioural", "kind": "behavioural"}]}'
    )

    assert plan.topics == ("behavioral", "autograd")
    assert plan.agenda == (AgendaItem(topic="behavioral", kind=Kind.BEHAVIORAL),)
    assert normal("Behavioural") == topic_key("Behavioural") == topic_name("behavioral")


def test_a_topic_of_another_name_stays_as_it_is_written() -> None:
    question = Question(id="q", text="Why?", spoken="Why?", topic="Behavioural cloning", source=Source(path="a.md"))

    assert question.topic == "Behavioural cloning"


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="'story' is not a valid Kind"):
        Kind("story")
