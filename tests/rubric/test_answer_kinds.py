"""Rubrics of kinds of questions whose answers are not compared with a reference, or not only."""

import pytest

from knowledge.model import Kind
from rubric.answer_kinds import Dimension, asks_for_a_story, dimension_criterion, dimension_of, story_criteria
from rubric.authoring.derive import derive_rubric
from serving.errors import BadInputError

WRITTEN = [*story_criteria(), *(dimension_criterion(dimension) for dimension in Dimension)]

DESIGN = """
Parts

- **Front door:** a gateway that knows every caller
- **Shelf:** a store that keeps each version of the weights

Things that go wrong

- **Crash:** a worker that fails hands its lease back after a timeout

Choices

- Pull instead of push, which is slower but simpler
"""


@pytest.mark.parametrize("reference", ["", "Situation: s. Task: t. Action: a. Result: r."])
def test_a_story_is_held_against_the_same_six_points_whatever_the_reference(reference):
    rubric = derive_rubric("Tell me about a time you were wrong.", reference, kind=Kind.BEHAVIORAL)
    assert [item.id for item in rubric.criteria] == [
        *("situation", "task", "action", "result", "ownership", "reflection"),
    ]
    assert rubric.origin == "given"


def test_a_question_about_habits_is_held_against_its_reference():
    question = "How do you keep up with the field?"
    reference = "- Follow the release notes of each library\n- Rebuild one result a month from scratch"
    assert not asks_for_a_story(question, reference)
    rubric = derive_rubric(question, reference, kind=Kind.BEHAVIORAL)
    assert [item.text for item in rubric.criteria] == [
        "Follow the release notes of each library",
        "Rebuild one result a month from scratch",
    ]


@pytest.mark.parametrize("kind", [kind for kind in Kind if kind is not Kind.BEHAVIORAL])
def test_no_other_kind_can_do_without_a_reference(kind):
    with pytest.raises(BadInputError):
        derive_rubric("Tell me about a time you were wrong.", "", kind=kind)


def test_a_design_is_asked_about_every_dimension_once_or_twice():
    rubric = derive_rubric("Design a training platform.", DESIGN, kind=Kind.SYSTEM_DESIGN)
    dimensions = ["-".join(item.id.split("-")[:-1]) if item.id[-1].isdigit() else item.id for item in rubric.criteria]
    wanted = [dimension.replace(" ", "-") for dimension in Dimension]
    assert list(dict.fromkeys(dimensions)) == wanted
    assert len(rubric.criteria) <= 8
    assert all(item.probe for item in rubric.criteria)


def test_a_design_is_asked_in_general_only_where_its_reference_is_silent():
    found = {
        item.id: item.text
        for item in derive_rubric("Design a training platform.", DESIGN, kind="system design").criteria
    }
    assert found["components-1"].endswith("front door, for example: a gateway that knows every caller")
    assert "lease" in found["failure-1"]
    assert "Pull instead of push" in found["trade-offs-1"]
    assert found["numbers"] == dimension_criterion(Dimension.NUMBERS).text
    assert found["requirements"] == dimension_criterion(Dimension.REQUIREMENTS).text


@pytest.mark.parametrize(
    ("text", "labels", "dimension"),
    [
        ("Clarify the goals and constraints", (), Dimension.REQUIREMENTS),
        ("A registry service beside the scheduler", (), Dimension.COMPONENTS),
        ("Events are ingested into a queue and joined", (), Dimension.DATA_FLOW),
        ("Fresh instead of cheap, because wrong prices cost more", (), Dimension.TRADE_OFFS),
        ("Roll back when the health check fails", (), Dimension.FAILURE),
        ("100 ms at the 99th percentile for 5 million users", (), Dimension.NUMBERS),
        ("Three copies in three zones", ("Fault tolerance",), Dimension.FAILURE),
        ("Something else entirely", (), Dimension.COMPONENTS),
    ],
)
def test_statements_are_sorted_by_what_they_speak_of(text, labels, dimension):
    assert dimension_of(text, labels) is dimension


@pytest.mark.parametrize("criterion", WRITTEN, ids=lambda criterion: criterion.id)
def test_each_written_criterion_has_its_probe_and_its_statements(criterion):
    examples = criterion.examples
    assert (len(examples.met), len(examples.contradicted), len(examples.near)) == (6, 5, 3)
    assert criterion.probe.endswith("?")
    statements = [*examples.met, *examples.contradicted, *examples.near]
    assert len(set(statements)) == len(statements)
    assert all(5 <= len(statement.split()) <= 35 for statement in statements)


def test_length_does_not_tell_the_kinds_of_statement_apart():
    def mean(name):
        lengths = [len(text.split()) for item in WRITTEN for text in getattr(item.examples, name)]
        return sum(lengths) / len(lengths)

    lengths = [mean(name) for name in ("met", "contradicted", "near")]
    assert max(lengths) - min(lengths) < 4
