"""What an interview is going to be on."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.planning.agenda import TALK_MINUTES, InterviewOptions, draw_up, make_plan
from interviewer.planning.question_selector import LONG_DESIGN, for_minutes
from interviewer.planning.roles import ROLES
from interviewer.session.plan import AgendaItem, Mode
from interviewer.session.style import Style
from knowledge.bank.parser import load_bank
from knowledge.model import Kind, Level
from rubric.coding.task import StarterForm
from serving.errors import BadInputError
from tests.interviewer.builders import question

BANK = load_bank()
TOPICS = sorted({held.topic for held in BANK})


@pytest.mark.parametrize("role", ROLES)
def test_every_preset_can_be_asked_about(role: str) -> None:
    preset = ROLES[role]
    assert set(preset.topics) <= set(TOPICS)
    assert sum(share for _, share in preset.mix) == 10
    agenda = make_plan(InterviewOptions(role=role, length=10), BANK, seed=1, editor=True).agenda
    assert Counter(item.kind for item in agenda) == dict(preset.mix)


@given(
    st.sampled_from(["", *ROLES]),
    st.lists(st.sampled_from([*TOPICS, "my own words"]), unique=True, max_size=4),
    st.lists(st.sampled_from(list(Kind)), unique=True, max_size=3),
    st.sampled_from([None, 15, 30, 45, 60]),
    st.booleans(),
)
def test_an_agenda_fits_the_time_and_what_there_is(
    role: str, topics: list[str], kinds: list[Kind], minutes: int | None, talks: bool
) -> None:
    wish = InterviewOptions(role=role, topics=tuple(topics), kinds=tuple(kinds), minutes=minutes, talks=talks)
    agenda = draw_up(wish, BANK)
    if minutes is None:
        assert len(agenda) <= wish.length
    else:
        assert sum(item.minutes for item in agenda) <= minutes - (2 * TALK_MINUTES if talks else 0)
    there = Counter((held.topic, held.kind) for held in BANK)
    for (topic, kind), times in Counter((item.topic, item.kind) for item in agenda).items():
        assert topic == "my own words" if kind is None else times <= there[topic, kind]
        assert kind is None or not kinds or kind in kinds


def test_topics_take_turns() -> None:
    agenda = draw_up(InterviewOptions(topics=("autograd", "training"), kinds=(Kind.CONCEPT,), length=4), BANK)
    assert [item.topic for item in agenda] == ["autograd", "training", "autograd", "training"]


def test_without_a_job_or_a_clock_there_is_no_agenda() -> None:
    plan = make_plan(InterviewOptions(topics=("autograd",), length=3), BANK, seed=1, editor=False)
    assert plan.agenda == ()
    assert plan.length == 3


def test_an_edited_agenda_counts_if_it_fits() -> None:
    edited = (AgendaItem(topic="autograd", minutes=6), AgendaItem(topic="training", minutes=5))
    plan = make_plan(InterviewOptions(minutes=15, agenda=edited), BANK, seed=1, editor=False)
    assert plan.agenda == edited
    assert plan.length == 2
    with pytest.raises(
        BadInputError, match="needs 12 minutes, but only 11 of 15 are left for questions; 4 are for the warm-up"
    ):
        make_plan(
            InterviewOptions(minutes=15, agenda=(AgendaItem(topic="autograd", minutes=12),)), BANK, seed=1, editor=False
        )


def test_an_unknown_job_is_refused() -> None:
    with pytest.raises(BadInputError, match="There is no role Poet"):
        make_plan(InterviewOptions(role="Poet"), BANK, seed=1, editor=False)


def test_only_own_documents_are_on_the_agenda_where_wished() -> None:
    own = question("mine", topic="ships")
    agenda = draw_up(InterviewOptions(minutes=30, own_documents=True), [*BANK, own])
    assert [item.topic for item in agenda] == ["ships"]


def test_only_practice_is_drilled() -> None:
    for mode in Mode:
        plan = make_plan(
            InterviewOptions(length=2, drill=True, mode=mode, style=Style.FRIENDLY), BANK, seed=1, editor=False
        )
        assert plan.drill == (mode is Mode.PRACTICE)
        assert plan.style is Style.FRIENDLY
        assert plan.depth


@pytest.mark.parametrize("level", Level)
def test_code_is_written_from_nothing_from_mid_on_unless_somebody_chooses(level: Level) -> None:
    usual = StarterForm.REPAIR if level is Level.JUNIOR else StarterForm.BLANK
    for wanted, form in (
        (None, usual),
        (StarterForm.BLANK, StarterForm.BLANK),
        (StarterForm.REPAIR, StarterForm.REPAIR),
    ):
        plan = make_plan(InterviewOptions(level=level, starter=wanted), BANK, seed=1, editor=True)
        assert plan.starter is form


def test_a_design_is_a_round_where_there_is_time_for_one_and_a_warm_up_where_there_is_not() -> None:
    for minutes, least, most in ((20, 15, 16), (30, 26, 26), (60, 30, 45)):
        wish = InterviewOptions(topics=("system design",), kinds=(Kind.SYSTEM_DESIGN,), minutes=minutes)
        first = draw_up(wish, BANK)[0]
        assert least <= first.minutes <= most
        fitting = [held for held in BANK if held.kind is Kind.SYSTEM_DESIGN and for_minutes(held, first.minutes)]
        assert fitting
        assert all((held.minutes >= LONG_DESIGN) == (minutes >= 30) for held in fitting)
        assert all(for_minutes(held, 1) for held in BANK if held.kind is not Kind.SYSTEM_DESIGN)


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("level", Level)
def test_an_interview_begins_at_the_level_that_was_chosen(role: str, level: Level) -> None:
    there = {(held.topic, held.kind) for held in BANK if held.level is level}
    for minutes in (30, 60):
        first = draw_up(InterviewOptions(role=role, level=level, minutes=minutes), BANK)[0]
        assert (first.topic, first.kind) in there


def test_a_topic_is_planned_no_more_often_than_it_has_questions_of_the_level_while_others_have_some() -> None:
    held = [
        question(f"{topic}-{number}", topic=topic, level=level, minutes=5)
        for topic, levels in (("one", (Level.MID, Level.SENIOR)), ("two", (Level.MID, Level.MID, Level.MID)))
        for number, level in enumerate(levels)
    ]
    agenda = draw_up(InterviewOptions(kinds=(Kind.CONCEPT,), level=Level.MID, length=4), held)
    assert Counter(item.topic for item in agenda) == {"one": 1, "two": 3}


def test_interviews_for_which_nobody_named_a_topic_do_not_all_begin_with_the_same() -> None:
    wish = InterviewOptions(kinds=(Kind.CONCEPT,), minutes=30)
    first = {make_plan(wish, BANK, seed=seed, editor=False).agenda[0].topic for seed in range(12)}
    assert len(first) > 1
    named = InterviewOptions(kinds=(Kind.CONCEPT,), minutes=30, topics=("autograd", "training"))
    assert {make_plan(named, BANK, seed=seed, editor=False).agenda[0].topic for seed in range(12)} == {"autograd"}
