"""What a person says besides answering, carried out by the service."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from interviewer.dialogue import templates
from interviewer.dialogue.interpretation import interpret_turn
from interviewer.engine.service import InterviewService
from interviewer.policy.actions import Listen
from interviewer.policy.next_action import next_action
from interviewer.report.analysis.findings import findings
from interviewer.report.analysis.questions import question_finding
from interviewer.report.render.markdown import inline, render_markdown
from interviewer.report.schema.question import QuestionStatus
from interviewer.scoring.outcomes import AssistanceLevel
from interviewer.session.events import (
    AnswerDeclined,
    AnswerGiven,
    AsideTaken,
    ClarificationGiven,
    CriterionShown,
    DeclineReason,
    Event,
    HintGiven,
    QuestionRepeated,
    QuestionSkipped,
)
from interviewer.session.follow_up_kinds import FollowUpKind
from interviewer.session.plan import Mode, Plan
from interviewer.session.state import AskedQuestion, State
from interviewer.storage.sqlite_journal import Journal
from interviewer.understanding.intent import Intent
from interviewer.understanding.utterance import Utterance
from interviewer.web.views.interview.transcript import transcript_html
from knowledge.model import Kind
from serving.errors import BadInputError
from tests.interviewer.builders import KeywordGrader, Shelf, at, question

SPOKEN = "You train on one device, with a batch of eight. Why is the loss a scalar?"
BANK = [
    question("q1", text="What is a leaf tensor?", spoken=SPOKEN, keywords=("alpha", "beta", "gamma")),
    question("q2", topic="training", text="Why does momentum help?"),
]
PLAN = Plan(question_ids=("q1", "q2"), follow_ups=2)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path / "journal.db") as opened:
        yield opened


@pytest.fixture
def service(journal: Journal) -> Iterator[InterviewService]:
    with InterviewService(journal, Shelf(BANK), KeywordGrader(), patience_s=None) as held:
        yield held


def say(service: InterviewService, session: str, *texts: str) -> State:
    for text in texts:
        said = len([turn for asked in service.state(session).asked for turn in asked.turns])
        service.answer(session, text, f"r{said}")
        service.advance(session)
    return service.state(session)


def last(asked: AskedQuestion) -> Event:
    return asked.turns[-1]


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("give me a hint, please", HintGiven),
        ("could you repeat that?", QuestionRepeated),
        ("slower please", QuestionRepeated),
        ("do you mean inference or training?", ClarificationGiven),
        ("I don't know", AnswerDeclined),
        ("one moment please", AsideTaken),
        ("hmm, let me see...", AsideTaken),
        ("end the interview", AsideTaken),
        ("actually, let me answer it after all", AsideTaken),
    ],
)
def test_a_request_is_carried_out_once_and_its_words_are_kept(
    service: InterviewService, journal: Journal, words: str, kind: type[Event]
) -> None:
    session = service.start(PLAN)
    state = service.answer(session, words, "r")
    event = last(state.asked[0])
    assert isinstance(event, kind)
    assert event.id == "r"
    assert getattr(event, "words", "") == words
    assert getattr(event, "said", "")
    assert isinstance(next_action(state), Listen)
    assert not state.asked[0].answers
    assert state.asked[0].follow_ups == ()
    before = journal.events(session)
    service.answer(session, words, "r")
    assert journal.events(session) == before


def test_a_skip_in_words_goes_on_to_the_next_question(service: InterviewService) -> None:
    session = service.start(PLAN)
    state = say(service, session, "let's skip this one")
    skipped = next(turn for turn in state.asked[0].turns if isinstance(turn, QuestionSkipped))
    assert skipped.words == "let's skip this one"
    assert state.asked[0].skipped
    assert len(state.asked) == 2


def test_words_never_end_an_interview_and_say_how_it_ends(service: InterviewService) -> None:
    session = service.start(PLAN)
    state = say(service, session, "stop", "I want to stop here", "quit")
    assert state.ended is None
    assert all("button" in turn.said for turn in state.asked[0].turns if isinstance(turn, AsideTaken))


@pytest.mark.parametrize("insisted", ["answer: skip", "My answer is skip."])
def test_who_insists_answers(service: InterviewService, insisted: str) -> None:
    session = service.start(PLAN)
    assert [answer.text for answer in say(service, session, insisted).asked[0].answers] == [insisted]


def test_a_caller_may_insist_too(service: InterviewService) -> None:
    session = service.start(PLAN)
    state = service.answer(session, "skip", "r", literally=True)
    assert [answer.text for answer in state.asked[0].answers] == ["skip"]


def test_an_id_used_by_a_button_is_not_used_by_words(service: InterviewService) -> None:
    session = service.start(PLAN)
    service.hint(session, "h")
    with pytest.raises(BadInputError, match="used for something else"):
        service.answer(session, "alpha", "h")
    service.answer(session, "a hint please", "w")
    assert service.hint(session, "w").asked[0].turns[-1].id == "w"


def test_who_does_not_know_is_offered_the_heaviest_point_and_then_moves_on(service: InterviewService) -> None:
    session = service.start(PLAN)
    state = say(service, session, "I don't know")
    declined = last(state.asked[0])
    assert isinstance(declined, AnswerDeclined)
    assert declined.criterion_id == "c-alpha"
    assert "What about the thing after a?" in declined.said
    state = say(service, session, "no idea")
    assert state.asked[0].closed
    assert state.asked[0].left
    assert not state.asked[0].skipped
    assert len(state.asked) == 2
    found = question_finding(state.asked[0])
    assert found.status is QuestionStatus.SKIPPED
    assert found.final is None


def test_what_is_said_after_the_offer_came_after_help_and_the_point_is_not_asked_again(
    service: InterviewService,
) -> None:
    session = service.start(PLAN)
    state = say(service, session, "I don't know", "it is beta")
    asked = state.asked[0]
    assert [follow_up.criterion_id for follow_up in asked.follow_ups] == ["c-gamma"]
    by_id = {found.id: found for found in question_finding(asked).criteria}
    assert by_id["c-beta"].reached is AssistanceLevel.AFTER_FOLLOW_UP


def test_a_follow_up_that_is_not_known_is_left_and_the_next_asked(service: InterviewService) -> None:
    session = service.start(PLAN)
    state = say(service, session, "it is alpha", "I don't know")
    declined = next(turn for turn in state.asked[0].turns if isinstance(turn, AnswerDeclined))
    assert declined.follow_up_id == state.asked[0].follow_ups[0].id
    assert [follow_up.criterion_id for follow_up in state.asked[0].follow_ups] == ["c-beta", "c-gamma"]
    state = say(service, session, "no clue")
    assert state.asked[0].closed
    assert not state.asked[0].left
    assert state.asked[0].grades[-1].grade.score is not None


def test_repairs_use_up_no_follow_ups(service: InterviewService) -> None:
    session = service.start(PLAN)
    repairs = ("repeat please", "do you mean training?", "wait", "slower", "what?", "a hint please")
    state = say(service, session, *repairs, "it is alpha", *repairs, "beta")
    assert [follow_up.criterion_id for follow_up in state.asked[0].follow_ups] == ["c-beta", "c-gamma"]


def test_an_exam_gives_neither_hints_nor_smaller_pieces(service: InterviewService) -> None:
    session = service.start(PLAN.model_copy(update={"mode": Mode.EXAM}))
    state = say(service, session, "a hint please", "I don't know")
    aside, declined = state.asked[0].turns[-2:]
    assert isinstance(aside, AsideTaken)
    assert aside.intent is Intent.HINT
    assert not state.asked[0].hinted
    assert isinstance(declined, AnswerDeclined)
    assert "What about" not in declined.said


def test_an_unfinished_thought_is_waited_on_and_counts(service: InterviewService) -> None:
    session = service.start(PLAN)
    state = say(service, session, "so first there is alpha, and, hmm...")
    assert isinstance(next_action(state), Listen)
    assert state.asked[0].answers[0].unfinished
    assert state.asked[0].follow_ups == ()
    state = say(service, session, "and then beta and gamma")
    assert state.asked[0].grades[-1].grade.score == pytest.approx(1.0)
    assert state.asked[0].closed


def test_a_clarification_comes_out_of_the_question_alone(service: InterviewService) -> None:
    session = service.start(PLAN)
    state = say(service, session, "what is the batch size?", "should I assume a particular country?")
    first, second = state.asked[0].turns[-2:]
    assert isinstance(first, ClarificationGiven)
    assert "You train on one device, with a batch of eight." in first.said
    assert isinstance(second, ClarificationGiven)
    assert "device" not in second.said


def test_slower_says_the_same_words_in_shorter_sentences(service: InterviewService) -> None:
    session = service.start(PLAN)
    state = say(service, session, "more slowly please")
    repeated = last(state.asked[0])
    assert isinstance(repeated, QuestionRepeated)
    assert repeated.slowly
    assert "You train on one device. with a batch of eight. Why is the loss a scalar?".lower() in repeated.said.lower()


def test_after_an_offer_the_offer_is_repeated(service: InterviewService) -> None:
    session = service.start(PLAN)
    state = say(service, session, "I don't know", "say that again")
    assert "What about the thing after a?" in getattr(last(state.asked[0]), "said", "")


def test_page_and_report_show_what_was_asked_for_as_plain_text(service: InterviewService) -> None:
    session = service.start(PLAN)
    state = say(service, session, "<b>hmm</b>?", "I don't know", "what is a batch of <i>eight</i>?", "wait")
    html = transcript_html(state)
    assert "what is a batch of &lt;i&gt;eight&lt;/i&gt;?" in html
    assert "<i>eight" not in html
    assert "Taken as “I don’t know”" in html
    assert html.count("send it again, starting with") == 1, "told at the last of them alone"
    written = render_markdown(findings(session, state))
    for turn in state.asked[0].turns[1:]:
        assert inline(getattr(turn, "words", "")) in written or getattr(turn, "words", "") in written
    assert "You, no answer" in written


def test_drilling_goes_on_until_every_point_is_met_or_told(service: InterviewService) -> None:
    session = service.start(PLAN.model_copy(update={"drill": True, "follow_ups": 0}))
    state = say(service, session, "it is alpha", "no word of it", "I don't know")
    asked = state.asked[0]
    shown = [turn for turn in asked.turns if isinstance(turn, CriterionShown)]
    assert [turn.criterion_id for turn in shown] == ["c-beta", "c-gamma"]
    assert "The answer names beta." in shown[0].said
    assert [follow_up.criterion_id for follow_up in asked.follow_ups] == ["c-beta", "c-gamma"]
    assert asked.closed


def test_drilling_tells_nothing_to_who_finds_it(service: InterviewService) -> None:
    session = service.start(PLAN.model_copy(update={"drill": True}))
    state = say(service, session, "it is alpha", "beta", "gamma")
    assert state.asked[0].closed
    assert state.asked[0].shown == ()


def test_drilling_who_knows_nothing_tells_point_by_point(service: InterviewService) -> None:
    session = service.start(PLAN.model_copy(update={"drill": True}))
    state = say(service, session, *["I don't know"] * 4)
    asked = state.asked[0]
    assert asked.closed
    assert [turn.criterion_id for turn in asked.shown] == ["c-alpha", "c-beta", "c-gamma"]
    assert not asked.grades


def test_what_is_all_met_is_taken_further_and_costs_nothing(service: InterviewService) -> None:
    session = service.start(PLAN.model_copy(update={"depth": True, "follow_ups": 3}))
    state = say(service, session, "alpha beta gamma")
    assert [follow_up.kind for follow_up in state.asked[0].follow_ups] == [FollowUpKind.DEPTH]
    assert "“" not in state.asked[0].follow_ups[0].said, "what is no sentence is not quoted"
    state = say(service, session, "because of, well, never alpha and never beta", "I don't know")
    asked = state.asked[0]
    assert asked.closed
    assert asked.grades[-1].grade.score == pytest.approx(1.0)
    assert {found.reached for found in question_finding(asked).criteria} == {AssistanceLevel.UNAIDED}


def test_an_answer_is_never_lost(service: InterviewService, journal: Journal) -> None:
    session = service.start(PLAN)
    texts = ("it is alpha", "repeat", "hmm, beta, let me think", "I don't know", "wait a second", "gamma")
    say(service, session, *texts)
    kept = [getattr(event, "text", "") or getattr(event, "words", "") for event in journal.events(session)]
    assert [text for text in kept if text] == list(texts)
    assert any(isinstance(event, AnswerGiven) for event in journal.events(session))


def drilled(service: InterviewService) -> str:
    """An interview whose first follow-up is open."""
    session = service.start(PLAN)
    state = say(service, session, "alpha")
    assert len(state.asked[0].follow_ups) == 1
    return session


@pytest.mark.parametrize("words", ["skip this one", "next please", "I'd rather not answer that"])
def test_skipping_a_follow_up_ends_it_and_not_the_question(service: InterviewService, words: str) -> None:
    session = drilled(service)
    asked = say(service, session, words).asked[0]
    left = next(turn for turn in asked.turns if isinstance(turn, AnswerDeclined))
    assert (left.reason, left.follow_up_id, left.words) == (DeclineReason.SKIPPED, asked.follow_ups[0].id, words)
    assert not asked.skipped
    assert not asked.closed
    assert len(asked.follow_ups) == 2
    closed = say(service, session, words).asked[0]
    assert closed.closed
    assert not closed.skipped


def test_the_button_leaves_the_follow_up_first_and_the_whole_question_where_that_is_wanted(
    service: InterviewService,
) -> None:
    session = drilled(service)
    state = service.skip(session, "s")
    assert service.skip(session, "s") == state
    assert [turn.reason for turn in state.asked[0].declined] == [DeclineReason.SKIPPED]
    assert not state.asked[0].closed
    assert service.skip(session, "t", whole=True).asked[0].skipped


def test_who_leaves_the_whole_question_leaves_it(service: InterviewService) -> None:
    session = drilled(service)
    assert say(service, session, "move on to the next question").asked[0].skipped


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("The rerun, as I told you above. I'd rather leave that one out.", DeclineReason.SAID),
        ("I'd rather leave that one out.", DeclineReason.SKIPPED),
        ("Leave that out, as I said I don't know it.", DeclineReason.SKIPPED),
    ],
)
def test_who_leaves_what_they_have_told_is_not_said_to_have_left_it(
    service: InterviewService, words: str, reason: DeclineReason
) -> None:
    class Skipping:
        def request(self, text: str) -> Intent:
            return Intent.SKIP

        def beside(self, sentence: str) -> None:
            return None

        def whole(self, text: str) -> None:
            return None

    state = service.state(drilled(service))
    left = interpret_turn(state, state.asked[0], Utterance(words, Skipping()), "left", at=at(9))
    assert isinstance(left, AnswerDeclined)
    assert left.reason is reason


@pytest.mark.parametrize(
    ("words", "replies"),
    [
        ("I have never been in such a situation. Should I talk about a hypothetical one?", templates.A_REAL_ONE),
        ("I've no such story from work, only from my studies. Should I tell you about that one?", templates.TELL_THAT),
    ],
)
def test_who_asks_whether_another_story_will_do_is_told(
    service: InterviewService, words: str, replies: tuple[str, ...]
) -> None:
    state = service.state(drilled(service))
    story = question("story", kind=Kind.BEHAVIORAL)
    asked = state.asked[0].model_copy(update={"question": story, "answers": (), "follow_ups": ()})
    said = interpret_turn(state, asked, Utterance(words), "asks", at=at(9))
    assert isinstance(said, ClarificationGiven)
    assert said.said in replies


def test_who_has_said_it_already_is_not_asked_again(service: InterviewService) -> None:
    session = drilled(service)
    asked = say(service, session, "I said that already").asked[0]
    assert [turn.reason for turn in asked.declined] == [DeclineReason.SAID]
    assert asked.follow_ups[1].criterion_id != asked.follow_ups[0].criterion_id
    assert len(asked.answers) == 1


@pytest.mark.parametrize(
    ("words", "kind", "said"),
    [
        ("let me rephrase that", AsideTaken, templates.IN_OTHER_WORDS),
        ("does that answer it?", AsideTaken, templates.DOES_IT_ANSWER),
        ("When would you still use fp16?", ClarificationGiven, templates.ASKS_BACK_OPEN),
        ("What would you use yourself?", ClarificationGiven, templates.ASKS_BACK_OPEN),
    ],
)
def test_what_is_said_beside_answering_is_replied_to(
    service: InterviewService, words: str, kind: type[Event], said: tuple[str, ...]
) -> None:
    session = drilled(service)
    state = say(service, session, words)
    event = last(state.asked[0])
    assert isinstance(event, kind)
    assert event.model_dump()["said"] in said
    assert isinstance(next_action(state), Listen)
    assert len(state.asked[0].answers) == 1


def test_a_clarification_of_any_form_is_no_answer(service: InterviewService) -> None:
    session = service.start(PLAN)
    words = "uh, by zero grad do you mean the optimizer one or the module one?"
    assert isinstance(last(say(service, session, words).asked[0]), ClarificationGiven)


def test_who_wants_to_come_back_is_never_told_to_have_skipped(service: InterviewService) -> None:
    session = service.start(PLAN)
    state = say(service, session, "Can we come back to this one later?")
    skipped = next(turn for turn in state.asked[0].turns if isinstance(turn, QuestionSkipped))
    assert skipped.later
    assert any(phrase in state.asked[1].turns[0].model_dump()["said"] for phrase in templates.AFTER_LATER)


class Reader:
    """Takes everything for a wish to leave."""

    def request(self, text: str) -> Intent | None:
        return Intent.SKIP

    def whole(self, text: str) -> None:
        return None


def test_what_no_rule_knows_is_read_by_the_head_and_what_a_rule_knows_is_not() -> None:
    assert Utterance("gradients add up", Reader()).intent is Intent.SKIP
    assert Utterance("gradients add up").intent is Intent.ANSWER
    assert Utterance("give me a hint", Reader()).intent is Intent.HINT
