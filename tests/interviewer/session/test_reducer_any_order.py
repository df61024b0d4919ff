"""Whatever order requests come in, from whichever tab, cut off wherever: one interview comes of them.

The machine below sends requests from two tabs, each a service of its own on the same file, repeats some, and lets the
disk refuse at any event. At the end the very same requests, sent once each to a single service that nothing happens
to, have to give the very same journal.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from interviewer.engine.service import InterviewService
from interviewer.planning.ability import Standing, evidence, standing
from interviewer.policy.actions import AskFollowUp, GradeAnswer, Listen, Nothing
from interviewer.policy.next_action import next_action
from interviewer.session.events import Event, QuestionReturned
from interviewer.session.plan import Mode, Plan
from interviewer.session.reducer import fold
from interviewer.session.state import State
from interviewer.storage.sqlite_journal import Journal
from knowledge.model import Level, Question
from serving.errors import BadInputError, StorageError
from tests.interviewer.builders import KeywordGrader, Shelf, question, timeless

SESSION = "one"
BANK = [
    question(f"{topic} {level.value}", topic=topic, level=level, text=f"{topic} at {level.value}: why {place}?")
    for place, (topic, level) in enumerate(
        (topic, level) for topic in ("autograd", "training") for level in (Level.JUNIOR, Level.MID, Level.SENIOR)
    )
]
TEXTS = [
    *("alpha", "beta", "alpha beta", "never alpha", "perhaps beta", "nothing of it"),
    *(
        "let me come back to that later",
        "can we go back to the one I skipped?",
        "skip this and go back to question one",
    ),
    *("about the first question, I was wrong, it is beta", "sorry, I meant alpha", "the one before"),
]
TABS = st.sampled_from([0, 1])

Request = Callable[[InterviewService], State]


class Apart(Shelf):
    """Questions none of which is near another."""

    def near(self, question: Question) -> frozenset[str]:
        return frozenset()


class Cut(Journal):
    """A journal whose disk refuses after some events, as if the power went."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.left: int | None = None

    def append(self, session_id: str, event: Event) -> bool:
        """See ``Journal.append``."""
        if self.left is not None:
            if self.left == 0:
                raise StorageError("The power went.")
            self.left -= 1
        return super().append(session_id, event)


class Tab:
    """A service with a journal of its own, as one process has it."""

    def __init__(self, path: Path) -> None:
        self.journal = Cut(path)
        self.service = InterviewService(self.journal, Apart(BANK), KeywordGrader(), patience_s=None)

    def close(self) -> None:
        self.service.close()
        self.journal.close()


class Interviews(RuleBasedStateMachine):
    """An interview under whatever can happen to it."""

    def __init__(self) -> None:
        super().__init__()
        self._folder = tempfile.TemporaryDirectory()
        self._path = Path(self._folder.name) / "journal.db"
        self._tabs = [Tab(self._path), Tab(self._path)]
        self._sent: list[Request] = []
        self._accepted: list[Request] = []

    @initialize(
        seed=st.integers(0, 5),
        length=st.integers(1, 3),
        follow_ups=st.integers(0, 2),
        mode=st.sampled_from(Mode),
        talks=st.booleans(),
    )
    def start(self, seed: int, length: int, follow_ups: int, mode: Mode, talks: bool) -> None:
        """Both tabs begin the same interview."""
        self._plan = Plan(
            seed=seed, length=length, follow_ups=follow_ups, topics=("autograd", "training"), mode=mode, talks=talks
        )
        for tab in self._tabs:
            tab.service.start(self._plan, SESSION)

    @rule(tab=TABS, text=st.sampled_from(TEXTS))
    def answer(self, tab: int, text: str) -> None:
        name = self._name()
        self._send(tab, lambda service: service.answer(SESSION, text, name))

    @rule(tab=TABS)
    def skip(self, tab: int) -> None:
        name = self._name()
        self._send(tab, lambda service: service.skip(SESSION, name))

    @rule(tab=TABS)
    def go_back(self, tab: int) -> None:
        name = self._name()
        self._send(tab, lambda service: service.go_back(SESSION, name))

    @rule(tab=TABS)
    def hint(self, tab: int) -> None:
        name = self._name()
        self._send(tab, lambda service: service.hint(SESSION, name))

    @rule(tab=TABS)
    def repeat(self, tab: int) -> None:
        name = self._name()
        self._send(tab, lambda service: service.repeat(SESSION, name))

    @rule(tab=TABS, ends=st.integers(0, 4).map(lambda draw: draw == 0))
    def end(self, tab: int, ends: bool) -> None:
        name = self._name()
        if ends:
            self._send(tab, lambda service: service.end(SESSION, name))

    @precondition(lambda self: self._accepted)
    @rule(tab=TABS, which=st.randoms(use_true_random=False))
    def send_an_old_one_again(self, tab: int, which: random.Random) -> None:
        """A double click, a reload, or the other tab with the same request: nothing changes."""
        before = self._events()
        _try(self._tabs[tab].service, which.choice(self._accepted))
        assert self._events() == before

    @rule(tab=TABS, after=st.integers(0, 4), text=st.sampled_from(TEXTS))
    def cut_off(self, tab: int, after: int, text: str) -> None:
        """The disk refuses in the middle of an answer; both programs start again and the answer is sent again."""
        name = self._name()
        cut = self._tabs[tab]
        cut.journal.left = after

        def send(service: InterviewService) -> State:
            return service.answer(SESSION, text, name)

        with suppress(StorageError):
            _try(cut.service, send)
        for each in self._tabs:
            each.close()
        self._tabs = [Tab(self._path), Tab(self._path)]
        self._tabs[1 - tab].service.resume_all()
        self._send(1 - tab, send)

    @rule(tab=TABS)
    def start_again(self, tab: int) -> None:
        """A program ends in good order, and comes back."""
        self._tabs[tab].close()
        self._tabs[tab] = Tab(self._path)
        self._tabs[tab].service.start(Plan(seed=99), SESSION)

    @invariant()
    def all_see_one_state_whatever_the_order(self) -> None:
        events = self._events()
        state = fold(events)
        assert [tab.service.state(SESSION) for tab in self._tabs] == [state, state]
        mixed = [*events, *events[::2]]
        random.Random(len(events)).shuffle(mixed)
        assert fold(mixed) == state
        assert len({event.id for event in events}) == len(events)
        assert [event.at for event in events] == sorted({event.at for event in events})

    @invariant()
    def it_is_the_persons_turn_or_over(self) -> None:
        state = fold(self._events())
        assert isinstance(next_action(state), Listen | Nothing)
        assert not isinstance(next_action(state), GradeAnswer | AskFollowUp)
        numbers = [asked.number for asked in state.asked]
        assert numbers == list(range(1, len(numbers) + 1))
        assert len({asked.question.id for asked in state.asked}) == len(numbers) <= self._plan.length
        for asked in state.asked:
            assert len([turn for turn in asked.turns if isinstance(turn, QuestionReturned)]) <= 1
            assert len(asked.follow_ups) <= self._plan.follow_ups
        told: Standing = standing(state)
        assert len(told.results) <= len(numbers)
        assert len(evidence(state)) >= sum(result.made is not None for result in told.results)

    def teardown(self) -> None:
        try:
            if self._sent:
                self._compare()
        finally:
            for tab in self._tabs:
                tab.close()
            self._folder.cleanup()

    def _compare(self) -> None:
        """The same requests, once each and undisturbed, give the same journal."""
        alone = Tab(self._path.with_name("undisturbed.db"))
        try:
            alone.service.start(self._plan, SESSION)
            for request in self._sent:
                _try(alone.service, request)
            assert timeless(alone.journal.events(SESSION)) == timeless(self._events())
        finally:
            alone.close()

    def _send(self, tab: int, request: Request) -> None:
        self._sent.append(request)
        if _try(self._tabs[tab].service, request):
            self._accepted.append(request)

    def _name(self) -> str:
        return f"request-{len(self._sent)}"

    def _events(self) -> tuple[Event, ...]:
        return self._tabs[0].journal.events(SESSION)


def _try(service: InterviewService, request: Request) -> bool:
    """Sends a request and lets the interview go on.

    Returns:
        Whether it was accepted. One that is refused leaves no trace: sent again later, it may be accepted.

    """
    accepted = False
    with suppress(BadInputError):
        request(service)
        accepted = True
    service.advance(SESSION)
    return accepted


TestInterviews = Interviews.TestCase
TestInterviews.settings = settings(max_examples=20, stateful_step_count=12)
