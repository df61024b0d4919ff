"""Hints: the question's own, and those on the point of a follow-up."""

from __future__ import annotations

import pytest

from interviewer.dialogue import templates
from interviewer.dialogue.hints import hint_words
from knowledge.model import Kind
from rubric.model import Criterion, Examples, Rubric
from tests.interviewer.builders import question
from tests.interviewer.dialogue.test_utterances import can_be_said


@pytest.mark.parametrize("kind", Kind)
def test_hints_begin_with_the_questions_own_and_never_give_the_answer(kind: Kind) -> None:
    own = question("q", kind=kind, hint="Think of `leaf` tensors.", keywords=("zanzibar",))
    assert hint_words.hint(own, 0, 5).endswith("Think of leaf tensors.")
    later = [hint_words.hint(own, given, 5) for given in (1, 2)]
    neutral = hint_words.hint(question("q", kind=kind), 0, 5)
    assert len(set(later)) == 2
    for said in (*later, neutral):
        assert can_be_said(said)
        assert "zanzibar" not in said


def test_a_hint_is_on_the_point_of_the_open_follow_up() -> None:
    asked = question("q", hint="Think of alpha, and of what comes before it.")
    assert asked.rubric is not None
    alpha, beta = asked.rubric.criteria
    assert hint_words.hint(asked, 0, 0, point=alpha, ask=alpha.probe).endswith(asked.hint)
    other = hint_words.hint(asked, 0, 0, point=beta, ask=beta.probe)
    assert asked.hint not in other
    assert "answer" in other
    # What was asked a moment ago is no hint.
    assert beta.probe not in other
    again = hint_words.hint(asked, 1, 0, point=beta, ask=beta.probe, again=1)
    assert beta.probe not in again
    assert again.endswith(templates.WAYS_IN)


def test_a_hint_on_a_follow_up_gives_a_word_of_its_point_that_nobody_has_said() -> None:
    texts = ("Seeds are drawn anew by each worker.", "Workers inherit one generator.")
    points = tuple(
        Criterion(id=f"c{n}", text=text, probe="What do the workers start with?") for n, text in enumerate(texts)
    )
    asked = question("q", rubric=Rubric(criteria=points))
    point = points[1]
    said = hint_words.hint(asked, 0, 0, point=point, ask=point.probe)
    assert said.endswith("Here's a word to build on: “generator”.")
    again = hint_words.hint(asked, 1, 0, point=point, ask=point.probe, again=1)
    assert "generator" not in again
    known = hint_words.hint(asked, 0, 0, point=point, ask=point.probe, said="There is a generator somewhere.")
    assert "generator" not in known


def test_a_hint_on_a_question_that_goes_deeper_is_not_the_one_on_the_opening() -> None:
    asked = question("q", hint="Think of alpha, and of what comes before it.")
    said = hint_words.hint(asked, 0, 0, ask="What would you use as the key?")
    assert asked.hint not in said
    assert said.endswith(templates.WAYS_IN)


def test_a_hint_on_a_follow_up_tells_how_a_long_point_begins() -> None:
    text = "Workers inherit the generator of the main process, so that all of them draw the same numbers."
    point = Criterion(id="c0", text=text, probe="What do the workers start with?")
    asked = question("q", rubric=Rubric(criteria=(point,)))
    said = hint_words.hint(asked, 0, 0, point=point, ask=point.probe)
    assert "“Workers inherit the generator of the main process …”" in said
    assert "the same numbers" not in said


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        (
            "The call drains the queue, so the Python work after it is not hidden beneath any kernels.",
            "The call drains the queue",
        ),
        (
            "Each process holds a full copy of the model, for its own part of the whole data set.",
            "Each process holds a full copy",
        ),
    ],
)
def test_such_a_beginning_ends_where_one_may_stop(text: str, begins: str) -> None:
    point = Criterion(id="c0", text=text, probe="What happens then?")
    said = hint_words.hint(question("q", rubric=Rubric(criteria=(point,))), 0, 0, point=point, ask=point.probe)
    assert f"“{begins} …”" in said


def test_the_second_hint_on_a_follow_up_is_a_choice_of_two_statements() -> None:
    examples = Examples(met=("They share one generator.",), contradicted=("Each draws its own seed.",))
    point = Criterion(
        id="c0", text="Workers inherit one generator.", probe="What do they start with?", examples=examples
    )
    asked = question("q", rubric=Rubric(criteria=(point,)))
    told = {hint_words.hint(asked, 1, seed, point=point, ask=point.probe, again=1)[-95:] for seed in (0, 1)}
    assert all("They share one generator" in said and "Each draws its own seed" in said for said in told)
    assert len(told) == 2


def test_hints_on_a_failing_test_are_on_that_test() -> None:
    asked = question("q", kind=Kind.CODING, hint="Think of the shapes.")
    said = [hint_words.hint(asked, given, 0, ask="?", again=given, of_run=True) for given in range(3)]
    assert [each for each in said if not each.endswith(templates.RUN_HINTS)] == []
    assert len(set(said)) == 3
