"""What is replied to turns that are no answers and change nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from interviewer.dialogue import templates
from interviewer.engine.service import InterviewService
from interviewer.session.events import AnswerGiven, ClarificationGiven, Event, HintGiven
from interviewer.session.plan import Plan
from interviewer.storage.sqlite_journal import Journal
from interviewer.understanding.closing_request import Closing
from interviewer.understanding.whole_turns.request import Request, Wanted
from knowledge.bank.parser import load_bank
from knowledge.model import Kind, Question
from tests.interviewer.builders import KeywordGrader, Shelf
from tests.interviewer.understanding.test_whole_turns import Reader

BANK = load_bank()
CONCEPT = next(each for each in BANK if each.id == "torch-compile-guards")
STORY = next(each for each in BANK if each.kind is Kind.BEHAVIORAL)
DESIGN = next(each for each in BANK if each.id == "design-ranking-pipeline")

SAID = "so about that one over there"


def events_of(folder: Path, question: Question, said: str, wanted: Wanted, minutes: int | None = 30) -> list[Event]:
    """What becomes of a turn that is read so, while a question is open."""
    folder.mkdir(exist_ok=True)
    with (
        Journal(folder / "journal.db") as journal,
        InterviewService(
            journal, Shelf([question]), KeywordGrader(), patience_s=None, requests=Reader({said: wanted})
        ) as held,
    ):
        session = held.start(Plan(question_ids=(question.id,), follow_ups=0, minutes=minutes))
        held.answer(session, said, "turn")
        state = held.advance(session)
        assert state.current is not None, "the question is still open"
        return [event for event in journal.events(session) if event.id.startswith("turn")]


@pytest.mark.parametrize(
    ("request_", "question", "replies"),
    [
        (Request.DEPTH, CONCEPT, templates.ANSWER_LENGTH),
        (Request.DEPTH, STORY, templates.STORY_LENGTH),
        (Request.START, CONCEPT, templates.START_ANYWHERE),
        (Request.NO_EXPERIENCE, CONCEPT, templates.NO_EXPERIENCE),
        (Request.NO_EXPERIENCE, STORY, templates.ANOTHER_STORY),
        (Request.BREAK, CONCEPT, templates.BREAK),
        (Request.WAS_RIGHT, CONCEPT, templates.NOT_TOLD_NOW),
        (Request.DOING, CONCEPT, templates.HOW_IT_GOES),
        (Request.VIEW, CONCEPT, templates.YOURS_FIRST),
        (Request.CUT_OFF, CONCEPT, templates.SORRY_GO_ON),
        (Request.NERVOUS, CONCEPT, templates.TAKE_YOUR_TIME),
        (Request.THANKS, CONCEPT, templates.MY_PLEASURE),
        (Request.TRICK, CONCEPT, templates.ACK_REPLIES[Closing.TRICK.value]),
        (Request.ASSUME, CONCEPT, templates.ASSUME_IT),
        (Request.ABOUT, CONCEPT, (templates.HOW_IT_WORKS,)),
        (Request.OFFER, CONCEPT, templates.PLEASE_DO),
    ],
)
def test_each_request_has_its_reply_and_costs_nothing(
    tmp_path: Path, request_: Request, question: Question, replies: tuple[str, ...]
) -> None:
    (event,) = events_of(tmp_path, question, SAID, Wanted(request_, 0.9))
    assert isinstance(event, ClarificationGiven)
    assert event.said in replies


@pytest.mark.parametrize(
    ("said", "request_", "question", "replies"),
    [
        ("can I sketch it on the whiteboard", Request.FORM, DESIGN, templates.DRAW_IT),
        ("can I draw it on paper", Request.FORM, CONCEPT, templates.NO_DRAWING),
        ("may I look that up in the docs", Request.FORM, CONCEPT, templates.FROM_MEMORY),
        ("can I just write some python", Request.HINT, CONCEPT, templates.A_LITTLE_CODE),
        ("I'd have to stay vague on the client's name", Request.STORY, STORY, templates.WITHOUT_NAMES),
        ("short version or the whole saga", Request.OFFER, CONCEPT, templates.ANSWER_LENGTH),
        ("how am I doing so far", Request.TIME, CONCEPT, templates.HOW_IT_GOES),
        ("does it have to be one where I was right", Request.WAS_RIGHT, STORY, templates.TELL_THAT),
        ("would it help if I say more about the cache", Request.CHECK, CONCEPT, templates.PLEASE_DO),
    ],
)
def test_its_words_decide_where_a_request_may_be_two(
    tmp_path: Path, said: str, request_: Request, question: Question, replies: tuple[str, ...]
) -> None:
    (event,) = events_of(tmp_path, question, said, Wanted(request_, 0.9))
    assert isinstance(event, ClarificationGiven)
    assert event.said in replies


def test_who_has_to_go_is_told_how_to_stop(tmp_path: Path) -> None:
    said = "I have to hop off in five minutes. Can we wrap up early?"
    (event,) = events_of(tmp_path, CONCEPT, said, Wanted(Request.TIME, 0.9))
    assert getattr(event, "said", "") == templates.HOW_TO_END


@pytest.mark.parametrize("request_", [Request.TIME, Request.COUNT])
def test_what_is_left_is_told(tmp_path: Path, request_: Request) -> None:
    (event,) = events_of(tmp_path, CONCEPT, SAID, Wanted(request_, 0.9))
    assert isinstance(event, ClarificationGiven)
    assert "minutes" in event.said


@pytest.mark.parametrize("request_", [Request.WORD, Request.SIMPLER, Request.EXAMPLE])
def test_who_does_not_understand_gets_it_in_other_words(tmp_path: Path, request_: Request) -> None:
    (event,) = events_of(tmp_path, CONCEPT, SAID, Wanted(request_, 0.9))
    assert isinstance(event, ClarificationGiven)
    assert CONCEPT.spoken not in event.said
    assert any(event.said.startswith(each.split("{", 1)[0]) for each in templates.MEANT)


def test_a_word_that_was_misheard_is_kept_with_the_answer(tmp_path: Path) -> None:
    said = "that's wrong, I said KV blocks"
    (event,) = events_of(tmp_path, CONCEPT, said, Wanted(Request.MISHEARD, 0.9))
    assert isinstance(event, AnswerGiven)
    assert (event.text, event.unfinished, event.closing) == (said, True, Closing.REMARK)


def test_who_wants_something_nobody_knows_keeps_the_floor(tmp_path: Path) -> None:
    (event,) = events_of(tmp_path, CONCEPT, SAID, Wanted(Request.COUNT, 0.31), minutes=None)
    assert isinstance(event, ClarificationGiven)
    (unknown,) = events_of(tmp_path / "other", CONCEPT, SAID, Wanted(Request.SETTING, 0.2))
    assert isinstance(unknown, ClarificationGiven)


def test_thanks_for_an_offered_hint_take_it(tmp_path: Path) -> None:
    thanks = "Yes, please."
    wanted = {"could you help": Wanted(Request.HINT, 0.9), thanks: Wanted(Request.THANKS, 0.9)}
    with (
        Journal(tmp_path / "journal.db") as journal,
        InterviewService(journal, Shelf([CONCEPT]), KeywordGrader(), patience_s=None, requests=Reader(wanted)) as held,
    ):
        session = held.start(Plan(question_ids=(CONCEPT.id,), follow_ups=0))
        held.answer(session, "could you help", "help")
        held.advance(session)
        if not any(isinstance(event, HintGiven) for event in journal.events(session)):
            held.answer(session, thanks, "yes")
            held.advance(session)
        assert any(isinstance(event, HintGiven) for event in journal.events(session))
