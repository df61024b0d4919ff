"""The flow around the questions: warm-up, the clock, pauses, the person's own questions, exam mode, the agenda."""

from __future__ import annotations

from pathlib import Path

import pytest

from interviewer.dialogue import ungraded_segments
from interviewer.engine.service import InterviewService
from interviewer.policy.actions import Listen, Nothing
from interviewer.policy.next_action import MOST_REPLIES, next_action
from interviewer.session.clock import LONGEST_GAP_S, allowance_s, elapsed
from interviewer.session.events import InterviewerReplied, InterviewPaused, InterviewResumed, InterviewStarted
from interviewer.session.plan import AgendaItem, Mode, Plan, SegmentKind
from interviewer.session.reducer import fold
from interviewer.storage.sqlite_journal import Journal
from interviewer.understanding.segment_cues import wants_no_more
from knowledge.model import Hit, Kind
from rubric.model import Rubric
from serving.errors import BadInputError
from tests.interviewer.builders import KeywordGrader, Shelf, Watch, at, criterion, question

BANK = [
    question(
        "q1",
        topic="autograd",
        text="What is a leaf tensor?",
        reference="Autograd records what is done. A leaf tensor was made by the person.",
    ),
    question("q2", topic="training", text="Why does momentum help?", hint="Think of a ball."),
    question("q3", topic="loading", text="How many workers should load data?", kind=Kind.CODING),
]
ALL = ("q1", "q2", "q3")


def test_talks_stand_around_the_questions_and_are_not_graded(service: InterviewService) -> None:
    session = service.start(Plan(question_ids=("q1",), talks=True, follow_ups=0))
    state = service.state(session)
    assert state.segment is not None
    assert state.segment.part is SegmentKind.WARM_UP
    assert not state.asked
    service.answer(session, "I built a data loader.", "w")
    service.answer(session, "I built a data loader.", "w")
    state = service.state(session)
    assert [spoken.text for spoken in state.segments[0].spoken] == ["I built a data loader."]
    assert state.current is not None
    service.answer(session, "alpha beta", "a")
    state = service.advance(session)
    assert state.segment is not None
    assert state.segment.part is SegmentKind.THEIR_QUESTIONS
    service.answer(session, "What is a leaf tensor?", "p1")
    state = service.state(session)
    reply = state.segments[-1].turns[-1]
    assert "A leaf tensor was made by the person." in reply.model_dump()["said"]
    assert "Autograd records" not in reply.model_dump()["said"]
    assert reply.model_dump()["place"] == "bank.md, line 1"
    service.answer(session, "And the weather?", "p2")
    service.answer(session, "No, thank you.", "p3")
    state = service.advance(session)
    assert state.ended is not None
    assert state.ended.reason == "completed"
    assert len(state.asked[0].answers) == 1


def test_who_asks_how_the_warm_up_is_meant_is_told_once_and_may_still_tell(service: InterviewService) -> None:
    session = service.start(Plan(question_ids=("q1",), talks=True))
    state = service.answer(session, "Do you mean something from work, or does a side project count?", "w1")
    assert state.segment is not None
    assert isinstance(state.segment.turns[-1], InterviewerReplied)
    assert state.segment.turns[-1].said.startswith("Either is fine.")
    state = service.answer(session, "Which one would you rather hear about?", "w2")
    assert state.segment is None
    assert state.current is not None


@pytest.mark.parametrize(
    ("said", "thanked"), [("I built a data loader.", True), ("Can we skip this?", False), ("", False)]
)
def test_only_who_told_something_in_the_warm_up_is_thanked_for_it(
    service: InterviewService, said: str, thanked: bool
) -> None:
    session = service.start(Plan(question_ids=("q1",), talks=True))
    state = service.answer(session, said, "w") if said else service.skip(session, "w")
    told = state.asked[0].turns[0].model_dump()["said"]
    assert told.startswith(("Thanks", "Thank you")) is thanked


def test_what_cannot_be_looked_up_yet_is_not_waited_for(tmp_path: Path) -> None:
    class Unready(Shelf):
        @property
        def complete(self) -> bool:
            return False

        def search(self, text: str, k: int) -> list[Hit]:
            raise AssertionError("it would have to be waited for")

    with (
        Journal(tmp_path / "unready.db") as journal,
        InterviewService(journal, Unready(BANK), KeywordGrader(), patience_s=None) as service,
    ):
        session = service.start(Plan(question_ids=("q1",), talks=True))
        service.skip(session, "s1")
        service.skip(session, "s2")
        service.answer(session, "What are zebras?", "p1")
        reply = service.state(session).segments[-1].turns[-1]
        assert "still loading" in reply.model_dump()["said"]


def test_no_more_questions_are_answered_than_promised(service: InterviewService) -> None:
    session = service.start(Plan(question_ids=("q1",), talks=True, follow_ups=0))
    service.skip(session, "s1")
    service.skip(session, "s1")
    service.skip(session, "s2")
    for turn in range(MOST_REPLIES):
        assert service.state(session).ended is None
        service.answer(session, f"What about thing {turn}?", f"p{turn}")
    assert service.state(session).ended is not None


def test_of_two_questions_at_once_both_are_answered(service: InterviewService) -> None:
    session = service.start(Plan(question_ids=("q1",), talks=True, follow_ups=0))
    service.skip(session, "s1")
    service.skip(session, "s2")
    service.answer(session, "Yes, two. I said that it is copied, was that right? And what is a leaf tensor?", "p1")
    said = service.state(session).segments[-1].turns[-1].model_dump()["said"]
    assert "A leaf tensor was made by the person." in said
    assert "Your report is next" in said


def test_who_leaves_after_the_last_question_ended_nothing_early(service: InterviewService) -> None:
    session = service.start(Plan(question_ids=("q1",), talks=True, follow_ups=0))
    service.skip(session, "s1")
    service.skip(session, "s2")
    ended = service.end(session, "e1").ended
    assert ended is not None
    assert ended.reason == "completed"
    early = service.end(service.start(Plan(question_ids=("q1",), talks=True)), "e2").ended
    assert early is not None
    assert early.reason == "ended by the person"


def test_a_pause_stops_the_clock_and_everything_else(service: InterviewService, watch: Watch) -> None:
    session = service.start(Plan(question_ids=ALL, minutes=30))
    watch.wait(60)
    service.pause(session, "p1")
    service.pause(session, "p1")
    service.pause(session, "p2")
    watch.wait(3600)
    with pytest.raises(BadInputError, match="paused"):
        service.answer(session, "alpha", "a1")
    with pytest.raises(BadInputError, match="paused"):
        service.skip(session, "s1")
    assert isinstance(next_action(service.state(session)), Nothing)
    state = service.go_on(session, "g1")
    assert isinstance(next_action(state), Listen)
    assert state.active_s == pytest.approx(60, abs=0.01)
    assert [event.type for event in service._journal.events(session)].count("interview_paused") == 1


def test_whoever_leaves_without_a_pause_loses_a_quarter_of_an_hour_at_most() -> None:
    events = [
        InterviewStarted(id="1", at=at(0), plan=Plan()),
        InterviewPaused(id="2", at=at(10)),
        InterviewResumed(id="3", at=at(5000)),
        InterviewPaused(id="4", at=at(90_000)),
    ]
    assert elapsed(events) == {"1": 0, "2": 10, "3": 10, "4": 10 + LONGEST_GAP_S}


def test_a_question_over_its_time_gets_no_follow_up(service: InterviewService, watch: Watch) -> None:
    session = service.start(Plan(question_ids=ALL, minutes=30, follow_ups=3))
    watch.wait(60 * BANK[0].minutes + 1)
    service.answer(session, "alpha", "a1")
    state = service.advance(session)
    assert state.asked[0].follow_ups == ()
    assert len(state.asked) == 2
    assert "let's move on" in state.asked[1].turns[0].model_dump()["said"]


def test_time_is_called_once_while_the_person_is_to_speak(service: InterviewService, watch: Watch) -> None:
    session = service.start(Plan(question_ids=ALL, minutes=30))
    assert not service.call_time(session).asked[0].time_called
    watch.wait(60 * BANK[0].minutes + 1)
    assert service.call_time(session).asked[0].time_called
    service.call_time(session)
    assert [event.type for event in service._journal.events(session)].count("time_called") == 1
    service.answer(session, "alpha", "a1")
    assert len(service.advance(session).asked) == 2


def test_when_time_is_up_nothing_new_is_begun(service: InterviewService, watch: Watch) -> None:
    session = service.start(Plan(question_ids=ALL, minutes=10))
    for number in range(2):
        watch.wait(280)
        service.answer(session, "alpha beta", f"a{number}")
        service.advance(session)
    state = service.state(session)
    assert state.ended is not None
    assert state.ended.reason == "time is up"
    assert len(state.asked) == 2


def test_without_minutes_the_clock_does_not_count(service: InterviewService, watch: Watch) -> None:
    session = service.start(Plan(question_ids=ALL))
    watch.wait(100_000)
    assert not service.call_time(session).asked[0].time_called
    service.answer(session, "alpha", "a1")
    assert service.advance(session).asked[0].follow_ups


def test_an_exam_has_no_hints(service: InterviewService) -> None:
    session = service.start(Plan(question_ids=ALL, mode=Mode.EXAM))
    with pytest.raises(BadInputError, match="exam"):
        service.hint(session, "h1")
    assert not service.state(session).asked[0].hinted


def test_the_agenda_decides_what_each_question_is_on(service: InterviewService) -> None:
    agenda = (AgendaItem(topic="loading", kind=Kind.CODING), AgendaItem(topic="autograd"), AgendaItem(topic="nowhere"))
    session = service.start(Plan(agenda=agenda))
    for number in range(4):
        state = service.skip(session, f"s{number}")
    assert [asked.question.id for asked in state.asked] == ["q3", "q1", "q2"]
    assert state.ended is not None


def test_the_minutes_of_the_agenda_are_those_of_the_question(service: InterviewService) -> None:
    session = service.start(Plan(minutes=30, agenda=(AgendaItem(topic="autograd", minutes=7),)))
    state = service.state(session)
    (asked,) = state.asked
    assert state.plan is not None
    assert BANK[0].minutes != 7
    assert asked.question.minutes == 7 == allowance_s(asked, state.plan) / 60


def test_only_own_documents(tmp_path: Path) -> None:
    ours = BANK[0].model_copy(update={"rubric": Rubric(criteria=(criterion("alpha"),), origin="bank")})
    with (
        Journal(tmp_path / "own.db") as journal,
        InterviewService(journal, Shelf([ours, *BANK[1:]]), KeywordGrader(), patience_s=None) as service,
    ):
        session = service.start(Plan(own_documents=True, length=3))
        for number in range(3):
            if service.state(session).ended is None:
                service.skip(session, f"s{number}")
        assert {asked.question.id for asked in service.state(session).asked} == {"q2", "q3"}


@pytest.mark.parametrize(
    ("text", "over"),
    [
        ("No.", True),
        ("No, thank you.", True),
        ("Nope, that's all, thanks!", True),
        ("no more questions", True),
        ("no thanks", True),
        ("No more.", True),
        ("I think that's all.", True),
        ("No, I think I'm good, thanks", True),
        ("Nope I'm good for now", True),
        ("I'm good", True),
        ("alright, no more questions, thanks", True),
        ("Great, that was all from me. Have a nice day!", True),
        ("yeah no, I'm good", True),
        ("no that's all thanks a lot", True),
        ("no that's everything thank you", True),
        ("No further questions.", True),
        ("no that was it thank you bye", True),
        ("nope i'm good, have a great weekend", True),
        ("no, we covered everything", True),
        ("I don't think so, thank you", True),
        ("thanks, that was helpful", True),
        ("I think we can wrap up, I have nothing left to ask.", True),
        ("that covers it for me, um, nothing else from my side, thanks.", True),
        ("Nah, I am good, that is all I wanted to know.", True),
        ("that was not my question really, but let us leave it there.", True),
        ("Is there nothing else one can do?", False),
        ("No, I meant the optimizer.", False),
        ("thanks, and what is LoRA", False),
        ("no grad", False),
        ("Okay.", False),
        ("um", False),
        ("No, but what is LoRA?", False),
        ("No idea how softmax works, can you tell me?", False),
        ("What is the answer to the first question?", False),
        ("Why is nothing said about mixed precision?", False),
        ("?", False),
    ],
)
def test_who_has_no_more_questions(text: str, over: bool) -> None:
    assert wants_no_more(text) is over


def test_the_opening_names_what_the_person_gave() -> None:
    plan = Plan(opening="Built a `retrieval` service.")
    assert "Built a retrieval service. Tell me" in ungraded_segments.opening(SegmentKind.WARM_UP, plan)
    assert fold([]).segment is None
