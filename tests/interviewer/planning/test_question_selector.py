"""Which question comes next."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interviewer.planning.ability import Estimate, Evidence, Result, Standing
from interviewer.planning.question_selector import (
    Choice,
    aim_of,
    askable,
    choose,
    free_topics,
    names_topic,
    normal,
)
from interviewer.session.plan import Plan
from knowledge.model import Kind, Level, Question
from tests.interviewer.builders import START, question


def picked(
    questions: list[Question], plan: Plan, asked: list[Question], found: dict[str, list[str]] | None = None
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


def test_chosen_kinds_take_turns_where_no_topic_was_chosen() -> None:
    stories = [question(f"story-{n}", topic="behavioral", kind=Kind.BEHAVIORAL) for n in range(3)]
    asked = run([*BANK, *stories], Plan(kinds=(Kind.BEHAVIORAL, Kind.CONCEPT), length=4))
    assert Counter(q.kind for q in asked) == {Kind.BEHAVIORAL: 2, Kind.CONCEPT: 2}


def test_a_kind_that_is_used_up_leaves_its_turns_to_the_others() -> None:
    story = question("story", topic="behavioral", kind=Kind.BEHAVIORAL)
    asked = run([*BANK, story], Plan(kinds=(Kind.BEHAVIORAL, Kind.CONCEPT), length=4))
    assert Counter(q.kind for q in asked) == {Kind.BEHAVIORAL: 1, Kind.CONCEPT: 3}


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
    story = question("story", rubric=None, reference="", kind=Kind.BEHAVIORAL)
    assert picked([bare, story], Plan(), []) == story


def test_named_questions_are_asked_in_their_order_and_missing_ones_passed_over() -> None:
    plan = Plan(question_ids=("training-CODING-mid", "gone", "autograd-CONCEPT-staff"), topics=("nothing",))
    assert [q.id for q in run(BANK, plan)] == ["training-CODING-mid", "autograd-CONCEPT-staff"]


def test_topics_in_words_of_ones_own_take_what_was_found_for_them() -> None:
    plan = Plan(topics=("making tensors move", "Training"))
    assert free_topics(BANK, plan) == ("making tensors move",)
    found = {"making tensors move": ["data loading-CODING-mid"]}
    first = picked(BANK, plan, [], found=found)
    assert first is not None
    assert first.id == "data loading-CODING-mid"
    second = picked(BANK, plan, [first], found=found)
    assert second is not None
    assert second.topic == "training"
    third = picked(BANK, plan, [first, second], found=found)
    assert third is not None
    assert third.topic == "training"


def answered(*held: tuple[Question, float | None]) -> tuple[list[Question], Standing]:
    """Questions with the share of their points that was made alone; ``None`` where nothing is known."""
    told = [
        Evidence(topic=asked.topic, level=asked.level, credit=made, points=5, at=START)
        for asked, made in held
        if made is not None
    ]
    results = tuple(Result(topic=asked.topic, level=asked.level, made=made) for asked, made in held)
    return [asked for asked, _ in held], Standing(results, Estimate(told))


def after(*held: tuple[Question, float | None], plan: Plan | None = None) -> Choice:
    asked, standing = answered(*held)
    chosen = choose(BANK, plan or Plan(topics=("autograd",)), asked, standing=standing)
    assert chosen is not None
    return chosen


def of(level: Level, kind: Kind = Kind.CONCEPT, topic: str = "autograd") -> Question:
    return next(q for q in BANK if (q.level, q.kind, q.topic) == (level, kind, topic))


MID, MID_CODE = of(Level.MID), of(Level.MID, Kind.CODING)


def test_two_strong_answers_running_are_followed_by_a_harder_question() -> None:
    chosen = after((MID, 1.0), (MID_CODE, 0.8))
    assert chosen.question.level is Level.SENIOR
    assert chosen.why == (
        "The topics take turns, and autograd is up again. "
        "You did well on two mid-level questions on autograd, so this one is a step harder."
    )


def test_two_failures_running_are_followed_by_an_easier_question_and_a_skip_is_one() -> None:
    chosen = after((MID, 0.1), (MID_CODE, 0.0))
    assert chosen.question.level is Level.JUNIOR
    assert chosen.why.endswith("Two mid-level questions on autograd were difficult, so this one is a step easier.")


def test_a_run_over_two_topics_and_levels_is_told_as_that() -> None:
    both = Plan(topics=("autograd", "training"))
    chosen = after((MID, 1.0), (of(Level.SENIOR, topic="training"), 1.0), plan=both)
    assert chosen.question.level is Level.SENIOR
    assert chosen.why.endswith("You did well on two questions in a row, so this one is a step harder.")


def test_a_run_is_used_up_by_its_step_and_broken_by_another_answer() -> None:
    plan = Plan()
    senior = of(Level.SENIOR)

    def aim(*held: tuple[Question, float | None]) -> tuple[Level, int]:
        found = aim_of(plan, answered(*held)[1].results)
        return found.level, found.step

    assert aim() == (Level.MID, 0)
    assert aim((MID, 1.0)) == (Level.MID, 0)
    assert aim((MID, 1.0), (MID, 1.0)) == (Level.SENIOR, 1)
    assert aim((MID, 1.0), (MID, 1.0), (senior, 1.0)) == (Level.SENIOR, 0)
    assert aim((MID, 1.0), (MID, 1.0), (senior, 1.0), (senior, 1.0)) == (Level.STAFF, 1)
    assert aim((MID, 1.0), (MID, 0.5), (MID, 1.0)) == (Level.MID, 0)
    assert aim((MID, 1.0), (MID, 0.0), (MID, 1.0)) == (Level.MID, 0)
    # Where a topic had no harder question, the step is still to come; what is unknown does not count.
    assert aim((MID, 1.0), (MID, 1.0), (MID, 1.0)) == (Level.SENIOR, 1)
    assert aim((MID, 0.0), (MID, None), (MID, 0.0)) == (Level.JUNIOR, -1)
    # However far from the level the questions were, it moves by one step, and never against what was shown.
    assert aim((of(Level.STAFF), 1.0), (of(Level.STAFF), 1.0)) == (Level.SENIOR, 1)
    assert aim((of(Level.JUNIOR), 0.0), (of(Level.JUNIOR), 0.0)) == (Level.JUNIOR, -1)
    assert aim((of(Level.JUNIOR), 1.0), (of(Level.JUNIOR), 1.0)) == (Level.MID, 0)
    assert aim((of(Level.STAFF), 0.0), (of(Level.STAFF), 0.0)) == (Level.MID, 0)
    assert aim((of(Level.STAFF), 0.5)) == (Level.MID, 0)
    top = Plan(level=Level.STAFF)
    assert aim_of(top, answered((of(Level.STAFF), 1.0), (of(Level.STAFF), 1.0))[1].results) == (Level.STAFF, 0, ())


@pytest.mark.parametrize("level", Level)
@pytest.mark.parametrize("made", [None, 0.0, 0.3, 0.5, 0.8, 1.0])
def test_one_answer_moves_no_level(level: Level, made: float | None) -> None:
    first = of(level)
    asked, standing = answered((first, made))
    for topics in ((), ("autograd",), ("training", "autograd")):
        chosen = choose(BANK, Plan(level=level, topics=topics), asked, standing=standing)
        assert chosen is not None
        assert chosen.question.level is level


def test_two_answers_that_are_neither_strong_nor_failures_move_no_level() -> None:
    for first, second in itertools.product((0.3, 0.5, 0.7), repeat=2):
        assert after((MID, first), (MID_CODE, second)).question.level is Level.MID, (first, second)


def test_an_ability_that_is_surely_below_the_level_brings_the_one_below() -> None:
    low = of(Level.SENIOR)
    asked, standing = answered((low, 0.3), (of(Level.SENIOR, Kind.CODING), 0.3))
    unsure = Standing(standing.results, Estimate())
    sure = Standing(
        standing.results,
        Estimate([Evidence(topic="autograd", level=Level.JUNIOR, credit=0.0, points=5, at=START)] * 8),
    )
    plan = Plan(topics=("autograd",), level=Level.SENIOR)
    told = [choose(BANK, plan, asked, standing=each) for each in (unsure, sure)]
    assert [each and each.question.level for each in told] == [Level.SENIOR, Level.MID]
    assert told[1] is not None
    assert told[1].why.endswith("Given your answers so far, a mid-level question will tell us more about you.")


def test_a_topic_without_the_level_moves_it_for_no_other() -> None:
    bank = [q for q in BANK if q.topic != "training" or q.level is Level.STAFF]
    staff = of(Level.STAFF, topic="training")
    plan = Plan(topics=("training", "autograd", "data loading"))
    for made in (0.5, 0.9):
        asked, standing = answered((staff, made))
        chosen = choose(bank, plan, asked, standing=standing)
        assert chosen is not None
        assert (chosen.question.topic, chosen.question.level) == ("autograd", Level.MID)


@given(st.integers(0, 99), st.lists(st.sampled_from([0.3, 0.5, 0.7]), min_size=2, max_size=2))
def test_where_no_topic_was_chosen_those_that_lack_the_level_are_asked_last(seed: int, made: list[float]) -> None:
    bank = [q for q in BANK if q.topic == "autograd" or q.level is not Level.SENIOR]
    plan = Plan(seed=seed, level=Level.SENIOR)
    held: list[tuple[Question, float | None]] = []
    for share in (*made, 0.5):
        asked, standing = answered(*held)
        chosen = choose(bank, plan, asked, standing=standing)
        assert chosen is not None
        assert (chosen.question.topic, chosen.question.level) == ("autograd", Level.SENIOR)
        held.append((chosen.question, share))


def test_chosen_topics_are_kept_although_they_lack_the_level() -> None:
    bank = [q for q in BANK if q.topic == "data loading" or q.level is Level.JUNIOR]
    asked = run(bank, Plan(topics=("training", "autograd"), level=Level.SENIOR, length=4))
    assert [q.topic for q in asked] == ["training", "autograd"] * 2


def test_of_what_was_found_for_a_topic_the_nearest_is_asked_first() -> None:
    plan = Plan(topics=("making tensors move",), kinds=(Kind.CONCEPT,))
    near, far = of(Level.MID, topic="data loading"), of(Level.MID, topic="training")
    for seed in range(5):
        for found in ([near.id, far.id], [far.id, near.id]):
            chosen = choose(BANK, plan.model_copy(update={"seed": seed}), [], found={"making tensors move": found})
            assert chosen is not None
            assert chosen.question.id == found[0]


def test_the_first_question_says_that_there_is_nothing_to_go_by() -> None:
    first = choose(BANK, Plan(topics=("Autograd",)), [])
    assert first is not None
    assert first.why == "You chose Autograd; this is the first question on it."
    anything = choose(BANK, Plan(), [])
    assert anything is not None
    assert anything.why == f"The topics take turns, and this is the first question on {anything.question.topic}."
    named = choose(BANK, Plan(question_ids=(MID.id,)), [])
    assert named is not None
    assert named.why == "This interview was set up to include this question."


def test_what_is_due_comes_first_where_the_plan_has_room_for_it() -> None:
    due = [of(Level.STAFF, topic="training"), of(Level.JUNIOR, topic="data loading")]
    loading = Plan(topics=("data loading",))
    chosen = choose(BANK, loading, [], due=due)
    assert chosen is not None
    assert chosen.question is due[1]
    assert chosen.why == "Something on data loading that you missed in an earlier interview is due for review today."
    for shut_out in ({"asked": [due[1]]}, {"asked": [], "exclude": {due[1].id}}):
        other = choose(BANK, loading, shut_out.pop("asked"), due=due, **shut_out)  # type: ignore[arg-type]
        assert other is not None
        assert other.question is not due[1]


MADE = st.none() | st.sampled_from([0.0, 0.2, 0.5, 0.8, 1.0])


@settings(max_examples=60)
@given(st.integers(0, 99), st.lists(MADE, min_size=12, max_size=12), st.sampled_from(Level), st.permutations(BANK))
def test_however_it_goes_topics_take_turns_nothing_repeats_and_the_reason_gives_nothing_away(
    seed: int, made: list[float | None], level: Level, shuffled: list[Question]
) -> None:
    plan = Plan(seed=seed, length=12, level=level, topics=("training", "autograd", "data loading"))
    held: list[tuple[Question, float | None]] = []
    for share in made:
        asked, standing = answered(*held)
        chosen = choose(BANK, plan, asked, standing=standing)
        assert chosen == choose(shuffled, plan, asked, standing=standing)
        assert chosen is not None
        rubric = chosen.question.rubric
        assert rubric is not None
        assert not any(normal(point.text) in normal(chosen.why) for point in rubric.criteria)
        assert "Secret" not in chosen.why
        held.append((chosen.question, share))
    assert Counter(q.topic for q, _ in held) == {"training": 4, "autograd": 4, "data loading": 4}
    assert len({q.id for q, _ in held}) == 12
    for place in range(2, 12):
        aim = aim_of(plan, answered(*held[:place])[1].results)
        if aim.step:
            left = {q.level for q in BANK if q.topic == held[place][0].topic} - {None}
            seen = {q.id for q, _ in held[:place]}
            free = any(q.level is aim.level and q.topic == held[place][0].topic and q.id not in seen for q in BANK)
            assert not free or aim.level not in left or held[place][0].level is aim.level


def test_only_strong_answers_lead_above_the_level_that_was_chosen() -> None:
    for made in (0.3, 0.5, 0.7):
        for count in range(1, 4):
            chosen = after(*[(MID, made)] * count)
            assert chosen.question.level in {Level.JUNIOR, Level.MID}, (made, count)
    # Of what an earlier interview told, nothing counts as an answer of this one.
    known = Standing((Result(topic="autograd", level=Level.MID, made=0.5),), Estimate((), center=4.0))
    found = choose(BANK, Plan(topics=("autograd",)), [MID], standing=known)
    assert found is not None
    assert found.question.level is Level.MID


def test_where_a_topic_lacks_the_level_the_interview_begins_below_it_and_not_above() -> None:
    bank = [of(level) for level in (Level.SENIOR, Level.JUNIOR, Level.STAFF)]
    assert picked(bank, Plan(seed=1), []) == bank[1]


def test_what_is_due_above_the_level_does_not_open_the_interview() -> None:
    senior = of(Level.SENIOR)
    first = choose(BANK, Plan(topics=("autograd",)), [], due=[senior])
    second = choose(BANK, Plan(topics=("autograd",)), [MID], due=[senior])
    assert first is not None
    assert second is not None
    assert first.question.level is Level.MID
    assert second.question == senior


@pytest.mark.parametrize(
    ("topic", "text", "names"),
    [
        ("mixed precision", "You want to train in mixed precision. How?", True),
        ("Optimizers", "Which optimizer would you take?", True),
        ("mixed precision", "The classes are mixed. What is precision here, if recall matters?", True),
        ("mixed precision", "One class in a thousand is fraud. What about precision?", False),
        ("optimizers", "Which steps make inference faster?", False),
        ("!", "What is a leaf?", False),
    ],
)
def test_a_question_names_a_topic_with_each_of_its_words(topic: str, text: str, names: bool) -> None:
    assert names_topic(question("q", text=text), topic) is names


def test_what_earlier_interviews_asked_comes_last_and_the_longest_ago_before_the_rest() -> None:
    plan, before = Plan(topics=("autograd",)), list[str]()
    for _ in range(3):
        chosen = choose(BANK, plan, [], before=before)
        assert chosen is not None
        assert chosen.question.id not in before
        assert chosen.question.level is plan.level
        before.insert(0, chosen.question.id)
    again = choose(BANK, plan, [], before=before)
    assert again is not None
    assert again.question.id == before[-1]
