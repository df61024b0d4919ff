"""Answers in the making are read ahead; whoever goes on without a new point is cut short, by the engine's clock."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from interviewer.dialogue import templates
from interviewer.engine.service import InterviewService
from interviewer.policy.rambling import AFTER_S
from interviewer.session.events import PersonCutShort
from interviewer.session.plan import Plan
from interviewer.session.style import Style
from interviewer.storage.sqlite_journal import Journal
from tests.interviewer.builders import KeywordGrader, Shelf, Watch
from tests.interviewer.engine.test_answer_reader import ANSWER, ASKED, WordEncoder
from tests.interviewer.engine.test_service import until

PLAN = Plan(question_ids=("q",), style=Style.DEMANDING, cut_short=True)
STEP_S = 5.0
IDLE = "And the weather was rather nice on that day."


class Talker:
    """Somebody whose words are reported every few seconds of a clock that is told how late it is."""

    def __init__(self, service: InterviewService, clock: Watch, plan: Plan = PLAN) -> None:
        self.service, self.clock = service, clock
        self.session = service.start(plan)
        self.draft = ""

    def say(self, sentence: str) -> bool:
        """Whether they were cut short after that sentence."""
        self.draft += f" {sentence}"
        return self.tell()

    def tell(self, seconds: float = STEP_S) -> bool:
        self.clock.wait(seconds)
        return self.service.drafts.heard(self.session, self.draft) is not None

    def ramble(self) -> float:
        """Seconds of idle words after which they are cut short; more than enough of them where they are not."""
        seconds = 0.0
        while seconds < 3 * AFTER_S:
            seconds += STEP_S
            if self.say(IDLE):
                break
        return seconds

    @property
    def cuts(self) -> list[str]:
        turns = self.service.state(self.session).asked[0].turns
        return [turn.said for turn in turns if isinstance(turn, PersonCutShort)]


@pytest.fixture
def clock() -> Watch:
    return Watch()


@pytest.fixture
def service(tmp_path: Path, clock: Watch) -> Iterator[InterviewService]:
    with (
        Journal(tmp_path / "journal.db") as journal,
        InterviewService(
            journal, Shelf([ASKED]), KeywordGrader(), patience_s=None, encoder=WordEncoder(), clock=clock
        ) as made,
    ):
        yield made


@pytest.fixture
def talker(service: InterviewService, clock: Watch) -> Talker:
    return Talker(service, clock)


def test_ninety_seconds_without_a_new_point_are_cut_short_with_the_question_again(talker: Talker) -> None:
    talker.say("Well.")
    assert talker.ramble() == AFTER_S
    (said,) = talker.cuts
    assert said.removesuffix(" How is it trained?") in templates.CUT_SHORT[Style.DEMANDING]


def test_a_new_point_starts_the_time_anew_and_the_same_point_does_not(talker: Talker) -> None:
    talker.say("Well.")
    while talker.clock.now.second < 50:
        assert not talker.say(IDLE)
    assert not talker.say("Words are hidden and the model guesses the hidden words.")
    assert talker.ramble() == AFTER_S
    assert talker.cuts


def test_it_happens_once_a_question(talker: Talker) -> None:
    talker.say("Well.")
    talker.ramble()
    talker.ramble()
    assert len(talker.cuts) == 1


def test_a_pause_is_no_rambling(talker: Talker) -> None:
    talker.say("Well.")
    talker.say(IDLE)
    for _ in range(100):
        assert not talker.tell(60.0)
    assert not talker.say(IDLE)


def test_whoever_has_made_every_point_is_not_cut_short(talker: Talker) -> None:
    talker.say(ANSWER)
    talker.say("Words are hidden and the model guesses the hidden words. Sentence pairs are told apart.")
    talker.ramble()
    assert talker.cuts == []


def test_it_can_be_turned_off(service: InterviewService, clock: Watch) -> None:
    talker = Talker(service, clock, PLAN.model_copy(update={"cut_short": False}))
    talker.say("Well.")
    talker.ramble()
    assert talker.cuts == []


def test_where_nothing_tells_what_a_point_is_nobody_is_cut_short(tmp_path: Path, clock: Watch) -> None:
    with (
        Journal(tmp_path / "other.db") as journal,
        InterviewService(journal, Shelf([ASKED]), KeywordGrader(), patience_s=None, clock=clock) as deaf,
    ):
        talker = Talker(deaf, clock)
        talker.say("Well.")
        talker.ramble()
        assert talker.cuts == []


def test_after_it_the_person_goes_on_in_the_same_answer(talker: Talker) -> None:
    talker.say("Well.")
    talker.ramble()
    state = talker.service.answer(talker.session, ANSWER, "a1", literally=True)
    assert [answer.text for answer in state.asked[0].answers] == [ANSWER]


def test_finished_sentences_are_read_ahead_with_what_was_said_before(tmp_path: Path, clock: Watch) -> None:
    grader = KeywordGrader()
    with (
        Journal(tmp_path / "journal.db") as journal,
        InterviewService(journal, Shelf([ASKED]), grader, patience_s=None, clock=clock) as service,
    ):
        session = service.start(Plan(question_ids=("q",)))
        assert service.drafts.heard(session, "Words are hid") is None
        service.drafts.heard(session, "Words are hidden. And the mod")
        until(lambda: [request.answer for request in grader.ahead] == ["Words are hidden."])
        service.answer(session, "Words are hidden.", "first")
        service.advance(session)
        service.drafts.heard(session, "The model guesses them. Then")
        until(lambda: len(grader.ahead) == 2)
    assert grader.ahead[1].answer == "Words are hidden.\n\nThe model guesses them."
    assert grader.ahead[1].rubric == ASKED.rubric
