"""Questions that a person asks back in a design round: answered out of its text, never graded, and no end of a turn."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from interviewer.dialogue import templates
from interviewer.dialogue.design_clarifications import clarification, requirements, told_beside
from interviewer.dialogue.interpretation import interpret_turn
from interviewer.dialogue.utterances import acknowledge
from interviewer.engine.service import InterviewService
from interviewer.policy.actions import Listen
from interviewer.policy.next_action import next_action
from interviewer.report.analysis.questions import question_finding
from interviewer.scoring.unasked_points import asked_for
from interviewer.session.design_round import DEEP_DIVE_ID
from interviewer.session.events import AnswerGiven, ClarificationGiven, Event, FollowUpAsked, QuestionSkipped
from interviewer.session.follow_up_kinds import FollowUpKind
from interviewer.session.plan import Plan
from interviewer.session.state import AskedQuestion, State
from interviewer.storage.sqlite_journal import Journal
from interviewer.understanding.design_questions import asked_in
from interviewer.understanding.intent import Intent
from interviewer.understanding.utterance import Utterance
from knowledge.model import Kind, Requirement
from rubric.model import AskedBy, Criterion, DesignStage, Rubric
from tests.interviewer.builders import START, KeywordGrader, Shelf, question

POINTS = (
    ("goal", DesignStage.REQUIREMENTS, AskedBy.OPENING),
    ("days", DesignStage.ESTIMATE, AskedBy.OPENING),
    ("half", DesignStage.HIGH_LEVEL, AskedBy.CHANGE),
)
RUBRIC = Rubric(
    criteria=tuple(
        Criterion(id=f"c-{name}", text=f"It names {name}.", stage=stage, asked_by=by, probe=f"What of {name}?")
        for name, stage, by in POINTS
    )
)
TEXT = """Design the recommendations of a video platform.

You may use these numbers: 10 million videos, 100 million users who open 10 pages a day each; the peak is three times
the mean. A page has to come in 200 ms; 512 GPUs in machines of eight. Ask about whatever else you need."""
ROUND = question(
    "round",
    kind=Kind.SYSTEM_DESIGN,
    text=TEXT,
    spoken="Design the recommendations of a video platform. How would you go about it?",
    minutes=30,
    change="The budget has been cut. You get half of the GPUs. What do you do?",
    deep_dives=("how candidates are found", "how the ranker is served"),
    rubric=RUBRIC,
)
PLAN = Plan(question_ids=("round",), follow_ups=2)


@pytest.fixture
def service(tmp_path: Path) -> Iterator[InterviewService]:
    with (
        Journal(tmp_path / "journal.db") as journal,
        InterviewService(journal, Shelf([ROUND]), KeywordGrader(), patience_s=None) as held,
    ):
        yield held


def say(service: InterviewService, session: str, *texts: str) -> State:
    for text in texts:
        said = len(service.state(session).asked[0].turns)
        service.answer(session, text, f"r{said}")
        service.advance(session)
    return service.state(session)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("how many users?", "100 million users who open 10 pages a day each"),
        ("And what is the latency budget?", "A page has to come in 200 ms"),
        ("what's the peak", "The peak is three times the mean"),
        ("How many videos are there?", "10 million videos"),
        ("How many videos come to us?", "10 million videos"),
        ("How many GPUs do we get?", "512 GPUs in machines of eight"),
        ("Which kinds of pages do users open there?", "100 million users who open 10 pages a day each"),
    ],
)
def test_a_number_that_the_question_tells_is_read_out(service: InterviewService, words: str, told: str) -> None:
    state = say(service, service.start(PLAN), words)
    event = state.asked[0].turns[-1]
    assert isinstance(event, ClarificationGiven)
    assert event.words == words
    assert told in event.said
    assert event.said.count(".") == 1 or "question says" not in event.said
    assert state.asked[0].answers == ()
    assert isinstance(next_action(state), Listen)


@pytest.mark.parametrize(
    "words",
    [
        "do we need multi-region?",
        "what's our budget?",
        "what should a page show?",
        "What's the read to write ratio?",
        "how fresh must it be",
    ],
)
def test_what_the_question_does_not_tell_is_to_be_assumed(service: InterviewService, words: str) -> None:
    state = say(service, service.start(PLAN), words)
    event = state.asked[0].turns[-1]
    assert isinstance(event, ClarificationGiven)
    assert event.said in (*templates.ASSUME, *templates.TAKE_A_NUMBER)
    assert state.asked[0].answers == ()


def test_questions_that_are_said_haltingly_are_questions() -> None:
    said = (
        "Okay, uh, before I start, a, a couple of questions. How large is the model, so does it fit on one card with, "
        "um, with room to spare? And what should happen when we are overloaded, can we, can we shed or degrade "
        "requests? And how, how does the traffic look over the day, is the hundred thousand the peak or the average?"
    )
    assert len(asked_in(said)) == 3
    told = "We have, um, twenty machines. Is that the peak? I would put a cache in front of it, so that we shed load."
    assert asked_in(told) == ()


def test_several_questions_at_once_get_what_is_told_and_leave_to_assume_the_rest() -> None:
    asked = AskedQuestion(asked_id="q", number=1, question=ROUND)
    said = requirements(asked, asked_in("How many users? And are there any privacy rules?"), 0, 0)
    assert "100 million users" in said
    assert said.endswith(templates.ASSUME_THE_REST)
    assert templates.CLARIFIED[0].split("{")[0] in said


def test_once_the_requirements_have_changed_the_change_is_read_out(service: InterviewService) -> None:
    session = service.start(PLAN)
    state = say(service, session, "goal and days")
    assert state.asked[0].follow_ups[-1].kind is FollowUpKind.CHANGE
    event = say(service, session, "how many GPUs do we have now?").asked[0].turns[-1]
    assert isinstance(event, ClarificationGiven)
    assert "half of the GPUs" in event.said


def test_who_asked_about_the_requirements_is_not_asked_what_they_would_ask_and_has_not_missed_it(
    service: InterviewService,
) -> None:
    session = service.start(PLAN)
    state = say(service, session, "how many users?", "I would build it from two stages.")
    (asked,) = state.asked
    assert [each.criterion_id for each in asked.follow_ups] == ["c-days"]
    assert asked_for(asked) == {"c-days"}
    goal = next(point for point in question_finding(asked).criteria if point.id == "c-goal")
    assert goal.never_asked
    other = service.start(PLAN)
    (asked,) = say(service, other, "I would build it from two stages.").asked
    assert [each.criterion_id for each in asked.follow_ups] == ["c-goal"]
    # Where the interviewer wants to hear what one would ask, a question is the answer.
    (asked,) = say(service, other, "what's the latency budget?").asked
    assert [answer.text for answer in asked.answers][1:] == ["what's the latency budget?"]


@pytest.mark.parametrize(
    "words", ["A vector index, FAISS or something like that?", "Could we just cache it?", "Is it the network, right?"]
)
def test_a_proposal_put_as_a_question_is_an_answer(service: InterviewService, words: str) -> None:
    (asked,) = say(service, service.start(PLAN), words).asked
    assert [answer.text for answer in asked.answers] == [words]


class Skipping:
    """A head that takes everything for a wish to skip."""

    def request(self, text: str) -> Intent:
        return Intent.SKIP

    def beside(self, sentence: str) -> None:
        return None

    def whole(self, text: str) -> None:
        return None


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("About 100 posts a second.", AnswerGiven),
        ("First I'd ask: can we call back within minutes, or is the decision final.", AnswerGiven),
        ("could we maybe leave this whole thing for another day please", QuestionSkipped),
    ],
)
def test_numbers_and_what_one_would_ask_are_answers_whatever_the_head_says(words: str, kind: type[Event]) -> None:
    asked = AskedQuestion(asked_id="q", number=1, question=ROUND)
    state = State(plan=PLAN, asked=(asked,))
    assert isinstance(interpret_turn(state, asked, Utterance(words, Skipping()), "r", at=START), kind)


@pytest.mark.parametrize(
    ("words", "unfinished"),
    [
        ("I'd take the second one. Do you want the statistics there, or more the mechanics of it?", True),
        ("The second. Several replicas stand behind a queue that is bounded, and each takes what it can.", False),
    ],
)
def test_who_chooses_a_part_and_asks_how_has_not_gone_into_it(words: str, *, unfinished: bool) -> None:
    ask = FollowUpAsked(
        id="f", at=START, asked_id="q", kind=FollowUpKind.DEEP_DIVE, criterion_id=DEEP_DIVE_ID, said="Which one?"
    )
    asked = AskedQuestion(asked_id="q", number=1, question=ROUND, turns=(ask,))
    event = interpret_turn(State(plan=PLAN, asked=(asked,)), asked, Utterance(words), "r", at=START)
    assert isinstance(event, AnswerGiven)
    assert event.unfinished is unfinished


def test_who_asks_what_a_part_is_meant_to_be_has_not_answered() -> None:
    ask = FollowUpAsked(
        id="f", at=START, asked_id="q", kind=FollowUpKind.DEEP_DIVE, criterion_id=DEEP_DIVE_ID, said="Which one?"
    )
    asked = AskedQuestion(asked_id="q", number=1, question=ROUND, turns=(ask,))
    words = 'Just so I understand: by "one network" you mean the shared model, not the cables?'
    event = interpret_turn(State(plan=PLAN, asked=(asked,)), asked, Utterance(words), "r", at=START)
    assert not isinstance(event, AnswerGiven) or event.unfinished


def test_outside_of_a_round_nothing_changes(tmp_path: Path) -> None:
    warm_up = ROUND.model_copy(update={"change": ""})
    with (
        Journal(tmp_path / "other.db") as journal,
        InterviewService(journal, Shelf([warm_up]), KeywordGrader(), patience_s=None) as service,
    ):
        (asked,) = say(service, service.start(PLAN), "And how much data are we storing per day?").asked
        assert all(
            not isinstance(turn, ClarificationGiven) or turn.said not in templates.ASSUME for turn in asked.turns
        )


TELLING = ROUND.model_copy(
    update={"requirements": (Requirement(about=("region", "network"), said="One region of a public cloud."),)}
)


def test_before_anything_is_designed_what_is_said_back_does_not_make_an_answer_of_what_is_asked_on() -> None:
    asked = AskedQuestion(asked_id="q", number=1, question=TELLING)
    words = "Okay, useful, so I plan for either one taking all. You never said where: is that one region or several?"
    event = interpret_turn(State(plan=PLAN, asked=(asked,)), asked, Utterance(words), "r", at=START)
    assert isinstance(event, ClarificationGiven)
    assert event.said == "One region of a public cloud."


def test_who_ends_an_answer_by_asking_for_a_requirement_is_told(tmp_path: Path) -> None:
    words = "We rank a thousand candidates in two stages with one model each. And do we have one region or several?"
    with (
        Journal(tmp_path / "journal.db") as journal,
        InterviewService(journal, Shelf([TELLING]), KeywordGrader(), patience_s=None) as held,
    ):
        session = held.start(PLAN)
        held.answer(session, "We have ten million videos and two hundred milliseconds for all of it.", "r0")
        held.advance(session)
        held.answer(session, words, "r1")
        assert acknowledge(held.advance(session))["r1"] == "As for your question: One region of a public cloud."


def test_what_was_told_is_told_again_to_whoever_asks_for_all_of_it(tmp_path: Path) -> None:
    with (
        Journal(tmp_path / "journal.db") as journal,
        InterviewService(journal, Shelf([TELLING]), KeywordGrader(), patience_s=None) as held,
    ):
        session = held.start(PLAN)
        held.answer(session, "Is that one region or several?", "r0")
        held.advance(session)
        held.answer(session, "Please list the constraints you've told me so far once more.", "r1")
        (asked,) = held.advance(session).asked
    last = asked.turns[-1]
    assert isinstance(last, ClarificationGiven)
    assert last.said == "One region of a public cloud."


SHORT = TELLING.model_copy(update={"change": "", "deep_dives": ()})


def test_a_design_without_a_round_tells_what_its_entry_holds_and_leaves_the_rest_to_assume(tmp_path: Path) -> None:
    with (
        Journal(tmp_path / "journal.db") as journal,
        InterviewService(journal, Shelf([SHORT]), KeywordGrader(), patience_s=None) as held,
    ):
        (asked,) = say(held, held.start(PLAN), "Is that one region or several?", "Is there a limit on storage?").asked
    told, assumed = (turn for turn in asked.turns if isinstance(turn, ClarificationGiven))
    assert told.said == "One region of a public cloud."
    assert assumed.said in templates.ASSUME
    assert asked.answers == ()


def test_once_a_design_without_a_round_is_begun_only_what_is_told_is_a_question_on_requirements() -> None:
    answer = AnswerGiven(id="a", at=START, asked_id="q", text="We rank in two stages.")
    asked = AskedQuestion(asked_id="q", number=1, question=SHORT, turns=(answer,), answers=(answer,))
    found = clarification(asked, PLAN, Utterance("Is that one region or several?"), "r", at=START)
    assert found is not None
    assert found.said == "One region of a public cloud."
    assert clarification(asked, PLAN, Utterance("Is there a limit on storage?"), "r", at=START) is None
    assert told_beside(asked, "We rank in two stages. Do we have one region or several?") == found.said
