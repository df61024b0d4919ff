"""Level, ability and standing are one estimate on one scale, and the same ability gets the same sentence everywhere."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import timedelta

import pytest

from interviewer.planning.ability import DIFFICULTY, Ability, standing
from interviewer.planning.progress import history
from interviewer.planning.question_selector import choose
from interviewer.planning.scale import level_of, place
from interviewer.report.analysis.findings import findings
from interviewer.report.phrases.result import result
from interviewer.report.render.markdown import render_markdown
from interviewer.session.plan import Plan
from interviewer.session.state import State
from interviewer.web.views.setup.history import history_html
from knowledge.model import Kind, Level, Question
from tests.interviewer.builders import at, interview, question

KEYWORDS = ("alpha", "beta", "gamma", "delta", "epsilon")


def person(ability: float, level: Level, *, seed: int, questions: int = 6) -> State:
    """An interview with somebody of that ability, who makes each point by the Rasch model."""
    chance = random.Random(seed)
    held: list[tuple[Question, Sequence[str]]] = []
    for number in range(questions):
        asked = question(f"q{number}", keywords=KEYWORDS, level=level)
        made = [word for word in KEYWORDS if chance.random() < 1 / (1 + 2.718 ** (DIFFICULTY[level] - ability))]
        held.append((asked, (" ".join(made) or "nothing",)))
    return interview(*held, plan=Plan(level=level))


@pytest.mark.parametrize("ability", [-2.0, -1.2, 0.0, 1.2, 2.4])
@pytest.mark.parametrize("seed", range(3))
def test_a_person_gets_the_same_sentence_from_report_history_and_the_choice_of_questions(
    ability: float, seed: int
) -> None:
    state = person(ability, Level.MID, seed=seed)
    sentence = place(standing(state).estimate.overall)
    found = findings("s", state)
    told = history([state], (), at(0))
    assert found.standing is not None
    assert found.standing.place == sentence
    assert result(found.standing).startswith(sentence)
    assert sentence in render_markdown(found)
    assert told.overall is not None
    assert place(told.overall) == sentence
    (topic,) = told.topics
    assert place(topic.ability) in history_html(told)
    assert topic.level is level_of(topic.ability.mean)


@pytest.mark.parametrize(("ability", "level"), [(-1.2, Level.JUNIOR), (0.0, Level.MID), (1.2, Level.SENIOR)])
def test_a_person_of_known_ability_is_said_to_be_at_their_level(ability: float, level: Level) -> None:
    said = [place(standing(person(ability, level, seed=seed, questions=20)).estimate.overall) for seed in range(9)]
    assert sum(f"{level.value} level" in sentence for sentence in said) >= 6


def test_nobody_is_told_to_be_at_a_level_of_which_no_question_was_asked() -> None:
    for seed in range(9):
        sentence = place(standing(person(2.4, Level.MID, seed=seed, questions=20)).estimate.overall)
        assert sentence == "At mid level or above. No harder question was asked."
    told = Ability(mean=2.0, low=-0.8, high=3.0, questions=3, highest=Level.SENIOR)
    assert place(told) == (
        "Most likely senior level or above; after 3 questions, junior or mid is still possible. "
        "No harder question was asked."
    )
    early = "Too early to tell after 2 questions; so far senior level or above is most likely."
    assert place(told.model_copy(update={"questions": 2})) == early
    # A harder question that was asked counts, and so does one that would have been too easy.
    assert place(told.model_copy(update={"highest": Level.STAFF, "low": 1.9, "high": 2.9})) == "At staff level."
    assert place(told.model_copy(update={"mean": 0.9, "low": 0.7})).startswith("Most likely senior level; after")


def test_before_any_answer_a_person_is_where_they_placed_themselves() -> None:
    for level in Level:
        assert level_of(DIFFICULTY[level]) is level
        assert f"{level.value} level" in place(standing(State(plan=Plan(level=level))).estimate.overall)


def test_a_sentence_tells_the_other_levels_of_the_interval_and_no_level_twice() -> None:
    told = "Most likely mid level; after 3 questions, junior or senior is still possible."
    assert place(Ability(mean=0.0, low=-1.0, high=1.0, questions=3)) == told
    assert place(Ability(mean=0.0, low=-0.5, high=0.5, questions=9)) == "At mid level."
    told = "Most likely below junior level; after 3 questions, junior is still possible."
    assert place(Ability(mean=-3.0, low=-4.0, high=-1.0, questions=3)) == told
    told = "Most likely mid level; before any question, junior is still possible."
    assert place(Ability(mean=0.0, low=-1.0, high=0.5, questions=0)) == told
    told = "mid level is most likely, but anything from below junior to staff is possible."
    early = "Too early to tell after 2 questions; so far staff level is most likely."
    assert place(Ability(mean=4.0, low=3.9, high=4.1, questions=2)) == early
    assert place(Ability(mean=0.0, low=-3.0, high=3.0, questions=1)) == f"Too early to tell after 1 question: {told}"


BANK = [
    question("s1", topic="autograd", level=Level.SENIOR),
    question("s2", topic="autograd", level=Level.SENIOR, kind=Kind.DEBUGGING),
    question("m1", topic="training", level=Level.MID),
    question("m2", topic="training", level=Level.MID),
]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("topics", [(), ("autograd", "training")])
def test_who_chose_mid_is_asked_mid_questions_first(seed: int, topics: tuple[str, ...]) -> None:
    chosen = choose(BANK, Plan(level=Level.MID, seed=seed, topics=topics), [])
    assert chosen is not None
    assert chosen.question.level is Level.MID


def test_the_level_that_was_chosen_goes_before_a_change_of_kind() -> None:
    bank = [question("m1"), question("m2"), question("s", level=Level.SENIOR, kind=Kind.DEBUGGING)]
    first, others = bank[0], bank[1:]
    chosen = choose(bank, Plan(level=Level.MID), [first])
    assert chosen is not None
    assert chosen.question.id == others[0].id


def test_a_time_in_between_changes_the_interval_and_not_the_way_it_is_told() -> None:
    state = person(0.0, Level.MID, seed=1)
    later = history([state], (), at(0) + timedelta(days=365))
    assert later.overall is not None
    assert place(later.overall).endswith(" is possible.")
