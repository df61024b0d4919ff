"""Which question comes next."""

from __future__ import annotations

import itertools
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from interviewer.events import Plan
from interviewer.planner import askable, choose, free_topics
from knowledge.model import Kind, Level, Question
from tests.interviewer.parts import question


def picked(
    questions: list[Question], plan: Plan, asked: list[Question], found: dict[str, set[str]] | None = None
) -> Question | None:
    chosen = choose(questions, plan, asked, found=found)
    return chosen and chosen.question


def run(questions: list[Question], plan: Plan) -> list[Question]:
    asked: list[Question] = []
    while (chosen := choose(questions, plan, asked)) is not None and len(asked) < plan.length:
        asked.append(chosen.question)
    return asked


BANK = [
    question(f"{topic}-{kind.name}-{level.value}", topic=topic, kind=kind, level=level)
    for topic in ("autograd", "data loading", "training")
    for kind in (Kind.CONCEPT, Kind.CODING, Kind.DEBUGGING)
    for level in Level
]


def test_chosen_topics_take_turns_in_the_order_they_were_chosen() -> None:
    plan = Plan(topics=("training", "autograd"), length=6)
    assert [q.topic for q in run(BANK, plan)] == ["training", "autograd"] * 3


def test_all_topics_are_covered_when_none_is_chosen() -> None:
    asked = run(BANK, Plan(length=6))
    assert Counter(q.topic for q in asked) == {"autograd": 2, "data loading": 2, "training": 2}


def test_the_level_is_the_nearest_there_is() -> None:
    plan = Plan(topics=("autograd",), kinds=(Kind.CODING,), level=Level.SENIOR, length=4)
    levels = [q.level for q in run(BANK, plan)]
    assert levels[0] is Level.SENIOR
    assert set(levels[1:3]) == {Level.MID, Level.STAFF}
    assert levels[3] is Level.JUNIOR


def test_kinds_alternate() -> None:
    kinds = [q.kind for q in run(BANK, Plan(topics=("autograd",), length=6))]
    assert all(a is not b for a, b in itertools.pairwise(kinds))


def test_only_chosen_kinds_are_asked() -> None:
    assert {q.kind for q in run(BANK, Plan(kinds=(Kind.DEBUGGING,), length=6))} == {Kind.DEBUGGING}


@given(st.integers(), st.integers(1, 50), st.permutations(BANK))
def test_a_seed_always_gives_the_same_interview_and_no_question_twice(
    seed: int, length: int, shuffled: list[Question]
) -> None:
    plan = Plan(seed=seed, length=length)
    asked = run(BANK, plan)
    assert asked == run(shuffled, plan)
    assert len({q.id for q in asked}) == len(asked) == min(length, len(BANK))


def test_seeds_differ() -> None:
    assert len({tuple(q.id for q in run(BANK, Plan(seed=seed, length=5))) for seed in range(10)}) > 5


def test_the_same_words_under_another_id_are_not_asked_again() -> None:
    twins = [question("a", text="What is a leaf?"), question("b", text="what is a LEAF")]
    assert len(run(twins, Plan(length=5))) == 1


def test_excluded_questions_are_not_asked() -> None:
    chosen = choose(BANK, Plan(), [], exclude={q.id for q in BANK if q.topic != "training"})
    assert chosen is not None
    assert chosen.question.topic == "training"


def test_what_cannot_be_graded_is_not_asked() -> None:
    bare = question("bare", rubric=None, reference="  ")
    derivable = question("derivable", rubric=None, reference="A leaf is made by the user.")
    assert not askable(bare)
    assert choose([bare], Plan(), []) is None
    assert picked([bare, derivable], Plan(), []) == derivable
    story = question("story", rubric=None, reference="", kind=Kind.BEHAVIOURAL)
    assert picked([bare, story], Plan(), []) == story


def test_named_questions_are_asked_in_their_order_and_missing_ones_passed_over() -> None:
    plan = Plan(question_ids=("training-CODING-mid", "gone", "autograd-CONCEPT-staff"), topics=("nothing",))
    assert [q.id for q in run(BANK, plan)] == ["training-CODING-mid", "autograd-CONCEPT-staff"]


def test_topics_in_words_of_ones_own_take_what_was_found_for_them() -> None:
    plan = Plan(topics=("making tensors move", "Training"))
    assert free_topics(BANK, plan) == ("making tensors move",)
    found = {"making tensors move": {"data loading-CODING-mid"}}
    first = picked(BANK, plan, [], found=found)
    assert first is not None
    assert first.id == "data loading-CODING-mid"
    second = picked(BANK, plan, [first], found=found)
    assert second is not None
    assert second.topic == "training"
    third = picked(BANK, plan, [first, second], found=found)
    assert third is not None
    assert third.topic == "training"
