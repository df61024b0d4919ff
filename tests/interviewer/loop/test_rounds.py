"""Later rounds of a loop know the earlier ones: nothing is asked twice, and what stayed open comes first."""

from __future__ import annotations

from pathlib import Path

import pytest

from interviewer.dialogue.utterances import greeting
from interviewer.engine.service import InterviewService
from interviewer.loop.rounds import KINDS, HeldRound, left_open, loops, next_number, plan_round
from interviewer.loop.templates import TEMPLATES
from interviewer.planning.agenda import practice_plan
from interviewer.planning.deep_dive import UNNAMED, deep_dive_questions
from interviewer.planning.roles import ROLES
from interviewer.session.loop_plan import LoopPlace, LoopPlan, Round, RoundKind
from interviewer.session.plan import Mode, Plan
from interviewer.session.state import State
from interviewer.session.style import Style
from interviewer.storage.sqlite_journal import Journal
from knowledge.bank.parser import load_bank
from knowledge.model import Kind, Level
from serving.errors import BadInputError
from serving.speech.tts.kokoro import VOICES
from tests.interviewer.builders import KeywordGrader, Shelf, interview, question

BANK = load_bank()
LOOP_ID = "f" * 32


def loop_of(*kinds: RoundKind, role: str = "ML engineer", **fields: object) -> LoopPlan:
    rounds = tuple(Round(kind=kind, interviewer=f"I{place}") for place, kind in enumerate(kinds, 1))
    return LoopPlan(name="mine", role=role, rounds=rounds, **fields)  # type: ignore[arg-type]


def held(number: int, plan: LoopPlan, state: State) -> HeldRound:
    place = LoopPlace(id=LOOP_ID, number=number, plan=plan)
    whole = state.model_copy(update={"plan": (state.plan or Plan()).model_copy(update={"loop": place})})
    return HeldRound(session_id=f"{number:032x}", place=place, state=whole)


def test_four_templates_have_every_kind_of_round_and_interviewers_who_differ() -> None:
    assert list(TEMPLATES) == ["large company", "research lab", "start-up", "new graduate"]
    for template in TEMPLATES.values():
        kinds = [each.kind for each in template.rounds]
        assert sorted(kinds) == sorted([*RoundKind, RoundKind.CODING])
        assert kinds[0] is RoundKind.PHONE_SCREEN
        assert len({each.interviewer for each in template.rounds}) == len(template.rounds)
        assert len({each.style for each in template.rounds}) > 1
        assert {each.voice for each in template.rounds} == set(VOICES)
        assert template.role in ROLES
        assert LoopPlan.model_validate_json(template.model_dump_json()) == template


@pytest.mark.parametrize("name", TEMPLATES)
def test_every_round_of_every_template_can_be_held_and_asks_nothing_again(name: str) -> None:
    template = TEMPLATES[name]
    by_id = {each.id: each for each in BANK}
    before: list[HeldRound] = []
    asked: set[str] = set()
    for number, this in enumerate(template.rounds, 1):
        place = LoopPlace(id=LOOP_ID, number=number, plan=template)
        plan = plan_round(place, before, BANK, editor=False)
        assert (plan.mode, plan.level) == (Mode.EXAM, template.level)
        assert (plan.style, plan.minutes) == (this.style, this.minutes)
        assert set(plan.left_out) == asked
        if this.kind is RoundKind.DEEP_DIVE:
            assert plan.question_ids == tuple(each.id for each in deep_dive_questions(place))
            continue
        assert {item.kind for item in plan.agenda} <= set(KINDS[this.kind])
        # Whatever was asked in it: the questions of the kind that are named first.
        some = [each for each in BANK if each.kind in KINDS[this.kind] and each.id not in asked][: len(plan.agenda)]
        asked |= {each.id for each in some}
        before.append(held(number, template, interview(*((by_id[each.id], ["no idea"]) for each in some))))


def test_what_stayed_open_comes_first_and_the_interviewer_says_so() -> None:
    loop = loop_of(RoundKind.PHONE_SCREEN, RoundKind.PHONE_SCREEN)
    made = question("made", topic="modules")
    missed = question("missed", topic="serving")
    first = held(1, loop, interview((made, ["alpha beta"]), (missed, ["no idea"])))
    assert left_open([first.state]) == ("serving",)
    plan = plan_round(LoopPlace(id=LOOP_ID, number=2, plan=loop), [first], BANK, editor=False)
    assert plan.topics[0] == "serving"
    assert plan.carried_over == ("serving",)
    assert "I'm I2." in greeting(plan)
    assert "Earlier rounds left some points open on serving, so I'll come back to those." in greeting(plan)
    assert plan_round(LoopPlace(id=LOOP_ID, number=1, plan=loop), [], BANK, editor=False).carried_over == ()


def test_what_earlier_rounds_asked_is_not_asked_again_by_the_engine(tmp_path: Path) -> None:
    bank = [question("q1", text="What is a leaf?"), question("q2", text="Why does momentum help?")]
    with (
        Journal(tmp_path / "journal.db") as journal,
        InterviewService(journal, Shelf(bank), KeywordGrader(), patience_s=None) as service,
    ):
        session = service.start(Plan(length=2, follow_ups=0, left_out=("q1", "q-gone")))
        assert service.state(session).asked[0].question.id == "q2"
        service.answer(session, "alpha", "a1", literally=True)
        assert service.advance(session).ended is not None


def test_a_deep_dive_is_on_what_the_person_named(tmp_path: Path) -> None:
    loop = loop_of(RoundKind.DEEP_DIVE, subject="my {subject} for gradient compression")
    place = LoopPlace(id=LOOP_ID, number=1, plan=loop)
    plan = plan_round(place, [], BANK, editor=False)
    with (
        Journal(tmp_path / "journal.db") as journal,
        InterviewService(journal, Shelf([]), KeywordGrader(), patience_s=None) as service,
    ):
        session = service.start(plan.model_copy(update={"talks": False}))
        asked = service.state(session).asked[0]
        assert "my {subject} for gradient compression" in asked.question.spoken
        again = service.start(practice_plan((asked.question.id,)))
        assert UNNAMED in service.state(again).asked[0].question.spoken
    paper = deep_dive_questions(place.model_copy(update={"plan": loop.model_copy(update={"paper": True})}))
    # Stories are probed by their stages, which a talk about one piece of work does not have.
    assert all(each.kind is Kind.CONCEPT for each in (*paper, *deep_dive_questions(place)))
    for each in (*paper, *deep_dive_questions(place)):
        assert each.spoken.count("?") == 1
        assert each.rubric is not None
        assert all(point.probe.count("?") == 1 for point in each.rubric.criteria)


def test_the_next_round_is_the_first_that_is_not_over() -> None:
    loop = loop_of(RoundKind.PHONE_SCREEN, RoundKind.CODING)
    over = held(1, loop, interview((question("q"), ["alpha"])))
    still_open = over.model_copy(update={"state": over.state.model_copy(update={"ended": None})})
    assert next_number(loop, []) == next_number(loop, [still_open]) == 1
    assert next_number(loop, [over]) == 2
    assert next_number(loop, [over, held(2, loop, over.state)]) is None


def test_interviews_are_put_together_by_their_loop() -> None:
    loop = loop_of(RoundKind.PHONE_SCREEN, RoundKind.CODING)
    one, two = (held(number, loop, interview((question("q"), ["alpha"]))) for number in (1, 2))
    alone = interview((question("q"), ["alpha"]))
    found = loops({"b": two.state, "x": alone, "a": one.state})
    assert {name: [each.session_id for each in rounds] for name, rounds in found.items()} == {LOOP_ID: ["a", "b"]}


def test_a_round_with_nothing_left_to_ask_says_so() -> None:
    loop = loop_of(RoundKind.SYSTEM_DESIGN, level=Level.STAFF)
    with pytest.raises(BadInputError, match="nothing left to ask in a system design round"):
        plan_round(LoopPlace(id=LOOP_ID, number=1, plan=loop), [], [question("q")], editor=False)


def test_the_style_of_a_round_is_its_interviewers() -> None:
    loop = LoopPlan(
        name="mine",
        role="ML engineer",
        rounds=(Round(kind=RoundKind.PHONE_SCREEN, interviewer="Ada", style=Style.DEMANDING),),
    )
    plan = plan_round(LoopPlace(id=LOOP_ID, number=1, plan=loop), [], BANK, editor=False)
    assert (plan.style, plan.cut_short) == (Style.DEMANDING, True)
