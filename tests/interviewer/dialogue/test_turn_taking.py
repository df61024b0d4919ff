"""What is no answer yet leaves the floor to the person: nothing that was asked is used up by it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from interviewer.dialogue import templates
from interviewer.dialogue.ungraded_segments import answer, doubted, is_looked_up
from interviewer.dialogue.utterances import acknowledge
from interviewer.engine.service import InterviewService
from interviewer.policy.actions import Listen
from interviewer.policy.next_action import next_action
from interviewer.scoring.admissions import admits_not_knowing
from interviewer.session.events import AsideTaken, ClarificationGiven, HintGiven, QuestionRepeated, QuestionSkipped
from interviewer.session.plan import Plan
from interviewer.session.state import State
from interviewer.storage.sqlite_journal import Journal
from interviewer.understanding.closing_request import objects
from interviewer.understanding.correction_cues import was_cut_off
from interviewer.understanding.turn_parts import adds_first, asks_only, guesses, names_two_readings, says_so_already
from interviewer.understanding.turn_requests import wish
from knowledge.bank.parser import load_bank
from tests.interviewer.builders import KeywordGrader, Shelf, question

BANK = [
    question("q1", text="What is alpha?", keywords=("alpha", "beta", "gamma"), reference="It is a letter."),
    question("q2", text="What is delta?", keywords=("delta", "epsilon"), reference="It is a letter."),
]
OPENING = "I would say that alpha is what everything here is about."
LONG = "alpha is what everything here is about, it comes before all of the others in the list, and beta comes second."


@pytest.fixture
def service(tmp_path: Path) -> Iterator[InterviewService]:
    with (
        Journal(tmp_path / "journal.db") as journal,
        InterviewService(journal, Shelf(BANK), KeywordGrader(), patience_s=None) as made,
    ):
        yield made


def begun(service: InterviewService, *said: str, minutes: int | None = None) -> str:
    session = service.start(Plan(question_ids=("q1", "q2"), follow_ups=2, minutes=minutes))
    service.advance(session)
    for number, text in enumerate(said):
        answered(service, session, text, f"before{number}")
    return session


def answered(service: InterviewService, session: str, text: str, name: str = "row") -> State:
    service.answer(session, text, name)
    return service.advance(session)


AS_OPENING = [
    "Just so I'm on the same page, you mean the letter and not the channel of a picture, right?",
    "Hmm. Sorry, one of them gets larger, or both of them? And, uh, it is on a GPU, I suppose?",
    "HUM, sorry, one matrix gets larger or both of them. And, uh, it is on a GPU, I suppose.",
    "Couple of questions first. What kind of things are we talking about? And is that on disk, or in memory as well?",
    'You mean like torch.randn(3, requires_grad=True).to("cuda"), and I keep only the second one?',
]


@pytest.mark.parametrize("text", AS_OPENING)
def test_who_asks_before_they_answer_has_not_answered(service: InterviewService, text: str) -> None:
    session = begun(service)
    asked = answered(service, session, text).asked[0]
    assert isinstance(asked.turns[-1], ClarificationGiven)
    assert not asked.answers
    after = answered(service, session, OPENING, "then").asked[0]
    assert after.answers[0].text == OPENING
    assert after.answers[0].follow_up_id is None


@pytest.mark.parametrize(
    "text",
    [
        "Hundred... let me think. Eight cores, so only eight can run at a time, right?",
        "Hmm, let me think out loud for a second. A hundred processes, eight cores.",
    ],
)
def test_who_thinks_aloud_goes_on_with_the_same_follow_up(service: InterviewService, text: str) -> None:
    session = begun(service, OPENING)
    state = answered(service, session, text)
    assert acknowledge(state)["row"] in templates.GO_ON
    assert isinstance(next_action(state), Listen)
    assert len(state.asked[0].follow_ups) == 1
    after = answered(service, session, "So the rest waits, and that is the beta of it.", "then").asked[0]
    assert after.answers[-1].follow_up_id == after.follow_ups[0].id


@pytest.mark.parametrize(
    "text",
    [
        "Before I answer that, one thing I forgot: it only holds for the first of them.",
        "Give me a second. Before that, one correction: I said that it hangs, and in fact it ends with an error.",
        "Hold on, you cut me off. The first of them is read and the other one is not.",
        "One thing to add to my first answer: both of them are cut in the same place.",
    ],
)
def test_an_addition_before_the_answer_leaves_the_follow_up_open(service: InterviewService, text: str) -> None:
    state = answered(service, begun(service, OPENING), text)
    assert "What about the thing after" in acknowledge(state)["row"]
    assert isinstance(next_action(state), Listen)
    assert len(state.asked[0].follow_ups) == 1


def test_who_thinks_aloud_may_still_add_something_first(service: InterviewService) -> None:
    session = begun(service, OPENING)
    answered(service, session, "Let me think out loud. On average that is half of it, right?", "aloud")
    state = answered(service, session, "Before that, one thing I forgot: the first one has no model of language.")
    assert isinstance(next_action(state), Listen)
    assert len(state.asked[0].follow_ups) == 1


def test_who_asks_what_of_it_is_wrong_is_told_and_keeps_the_floor(service: InterviewService) -> None:
    session = begun(service, "It is alpha, and it is never beta in any of these cases.")
    state = answered(service, session, "Hm, wait, what do you see differently about that? It is the whole point of it.")
    assert acknowledge(state)["row"].startswith("This is the sentence I'm not sure about")
    assert isinstance(next_action(state), Listen)


@pytest.mark.parametrize(
    "text",
    [
        "I think I just said that, no? In the first all of them, in beta only the ones before.",
        "I already said that: in beta it is the scan with matrix products. What more do you want on it?",
        "As I said a moment ago: the first forward, beta for gradients. By the way, what do you use for the scales?",
    ],
)
def test_who_said_it_already_and_says_it_again_has_answered(service: InterviewService, text: str) -> None:
    session = begun(service, OPENING)
    state = answered(service, session, text)
    assert state.asked[0].answers[-1].text == text
    assert not state.asked[0].answers[-1].unfinished


@pytest.mark.parametrize(
    "text",
    [
        "Hold on, you cut me off, I hadn't got to the last part. What is saved there is beta, and gamma comes with it.",
        "Oh, sorry, I was not finished with that one. Can I still say one sentence? Beta is what they all fight for.",
    ],
)
def test_who_was_cut_off_goes_on_with_the_question_before(service: InterviewService, text: str) -> None:
    session = begun(service, OPENING, "That I have no words for.", "Nor for that one.")
    assert service.state(session).asked[-1].number == 2
    state = answered(service, session, text)
    assert state.asked[0].answers[-1].text == text
    assert not state.asked[1].answers
    assert "question one" in acknowledge(state)["row"]


def test_who_only_says_that_they_had_not_finished_is_asked_for_the_rest(service: InterviewService) -> None:
    session = begun(service, OPENING, "That I have no words for.", "Nor for that one.")
    answered(service, session, "Wait, I wasn't finished.")
    state = answered(service, session, "What I wanted to add is beta, of which there are two.", "rest")
    assert state.asked[0].answers[-1].id == "rest"


@pytest.mark.parametrize(("minutes", "said"), [(None, "clock"), (30, "minutes left on this question")])
def test_who_asks_for_the_time_is_told(service: InterviewService, minutes: int | None, said: str) -> None:
    state = answered(service, begun(service, minutes=minutes), "By the way, how many minutes do I have left?")
    last = state.asked[0].turns[-1]
    assert isinstance(last, ClarificationGiven)
    assert said in last.said


def test_who_asks_for_the_follow_ups_left_is_told_that_they_depend_on_the_answers(service: InterviewService) -> None:
    alone = answered(service, begun(service), "How many follow-ups do I still have, by the way?").asked[0].turns[-1]
    assert isinstance(alone, ClarificationGiven)
    assert "question one of" in alone.said
    text = f"{OPENING} The rest of it stays as it was before, I would say. How many follow-ups do I still have?"
    after = answered(service, begun(service), text, "row")
    assert "question one of" in acknowledge(after)["row"]


def test_a_question_after_one_thing_first_is_no_answer(service: InterviewService) -> None:
    words = "One thing first: in the second part, should I count the idle time over everything?"
    assert isinstance(answered(service, begun(service), words).asked[0].turns[-1], ClarificationGiven)


def test_an_objection_that_asks_what_else_is_wanted_is_met_as_one(service: InterviewService) -> None:
    text = "Is that not what I just described? The log comes first, then the store. What part is unclear to you?"
    assert acknowledge(answered(service, begun(service, OPENING), text, "row"))["row"] in templates.ACK_REPLIES["said"]


def test_wishes_among_other_words_are_understood(service: InterviewService) -> None:
    text = "Could we take the other question first and come back to this one at the end?"
    turns = answered(service, begun(service), text).asked[0].turns
    assert [turn.later for turn in turns if isinstance(turn, QuestionSkipped)] == [True]
    state = answered(
        service, begun(service, OPENING), "Which one? I haven't answered the question yet. Can I do that first?"
    )
    assert isinstance(state.asked[0].turns[-1], AsideTaken)
    hinted = answered(service, begun(service, OPENING), "I'm not quite sure in which way. Give me a nudge?")
    assert any(isinstance(turn, HintGiven) for turn in hinted.asked[0].turns)


def test_whoever_wants_it_put_another_way_hears_the_question_again(service: InterviewService) -> None:
    state = answered(service, begun(service, OPENING), "Sorry, I don't get it. Can you put it another way?")
    assert isinstance(state.asked[0].turns[-1], QuestionRepeated)


def test_whoever_wants_it_in_other_words_is_not_told_the_time(service: InterviewService) -> None:
    text = "Hm, could you put that in other words? The time scale part I don't quite follow."
    state = answered(service, begun(service, OPENING, minutes=30), text)
    assert isinstance(state.asked[0].turns[-1], QuestionRepeated)


def test_whoever_had_not_finished_and_wants_to_go_back_has_added_nothing_yet(service: InterviewService) -> None:
    session = begun(service, OPENING)
    service.skip(session, "leave", whole=True)
    service.advance(session)
    state = answered(service, session, "Wait, I wasn't done with the first one. Can we go back to it for a second?")
    assert not any(answer.meanwhile for asked in state.asked for answer in asked.answers)


def test_whoever_only_names_two_readings_keeps_the_floor(service: InterviewService) -> None:
    text = "All set to the constant 0.1, every one the same, or the usual draw scaled down by ten?"
    state = answered(service, begun(service, OPENING), text)
    assert [answer.unfinished for answer in state.asked[0].answers] == [False, True]
    assert acknowledge(state)["row"].startswith(templates.ACK_REPLIES["choice"])


def test_whether_that_is_on_something_is_a_question_of_scope_and_states_nothing() -> None:
    assert asks_only("A hundred tiles, is that on a card with a hundred cores, like an H100? I was still at the A100.")
    assert asks_only("Slightly, is that in the sixth digit or in the second?")
    assert not asks_only(
        "The weights come first, the rest of the state comes after that. Is that in the right direction?"
    )
    assert not asks_only(
        "You get by with less, since each of the ranks holds a shard only. Is that on the right track?"
    )
    assert not asks_only("Is it bandwidth? I was thinking each token reads all weights, so more batch is free.")


@pytest.mark.parametrize(
    "text",
    [
        "It's the cache, or the weights?",
        "Yes, the loss goes up, or stays flat?",
        "Checkpointing trades compute for memory, or am I wrong?",
        "Pinned memory overlaps the transfer with the compute, or you prefetch with more workers?",
    ],
)
def test_what_states_something_names_no_two_readings(text: str) -> None:
    assert not names_two_readings(text)


def test_the_limit_of_what_is_handed_back_is_for_each_thing_that_is_asked(service: InterviewService) -> None:
    session = begun(service)
    for number in range(3):
        answered(service, session, f"Sorry, is it number {number}, or both?", f"ask{number}")
    answered(service, session, OPENING, "first")
    state = answered(service, session, "Sorry, are you asking about the second one, or both?", "after")
    assert isinstance(state.asked[0].turns[-1], ClarificationGiven)


def test_whoever_asks_for_the_time_after_an_answer_hears_of_the_whole_interview_alone(
    service: InterviewService,
) -> None:
    state = answered(service, begun(service, minutes=30), f"{OPENING} How much time do we have left?")
    told = next(turn for turn in state.asked[0].turns if isinstance(turn, ClarificationGiven))
    assert told.said == templates.TIME_LEFT_IN_ALL.format(all="30 minutes")


def test_whoever_asks_for_an_example_after_an_answer_is_told_that_there_is_none(service: InterviewService) -> None:
    state = answered(service, begun(service), f"{LONG} Can you give me an example of what would go wrong?")
    assert acknowledge(state)["row"] in templates.ACK_REPLIES["example"]


def test_words_are_handed_back_three_times_at_most(service: InterviewService) -> None:
    session = begun(service)
    for number in range(3):
        answered(service, session, f"Sorry, is it number {number}, or both?", f"ask{number}")
    state = answered(service, session, "HUM, sorry, it gets larger or both of them.", "taken")
    assert [answer.id for answer in state.asked[0].answers] == ["taken"]


def test_hardly_a_statement_of_the_bank_leaves_the_floor() -> None:
    said = {
        text
        for held in load_bank()
        for point in (held.rubric.criteria if held.rubric else ())
        for text in (*point.examples.met, *point.examples.contradicted, *point.examples.near)
    }
    rules = (asks_only, guesses, adds_first, says_so_already, objects, was_cut_off, wish)
    taken = [text for text in said if any(rule(text) for rule in rules)]
    assert len(said) > 20_000
    assert len(taken) <= 10, taken


@pytest.mark.parametrize(
    "text",
    [
        "Is that about letters in general, and do I have a week for it? And funny, I had the same question last week.",
        "Ha, okay, I never got to tell you about my work, but fine. Just so I pitch it right: are you after the letter "
        "itself, or more its history?",
        "Before I draw anything, two things I'd like to know. Can I tell quickly whether it was wrong? And what does a "
        "wrong one cost?",
    ],
)
def test_questions_with_a_remark_beside_them_are_no_answer(service: InterviewService, text: str) -> None:
    asked = answered(service, begun(service), text).asked[0]
    assert isinstance(asked.turns[-1], ClarificationGiven)
    assert not asked.answers


@pytest.mark.parametrize(
    "text",
    [
        "I don't know how much exactly, I've never measured it. Is there a known number for that?",
        "I'd say that it is alpha, since you told me so. Is that what you wanted?",
    ],
)
def test_what_is_stated_before_a_question_on_it_is_an_answer(service: InterviewService, text: str) -> None:
    assert answered(service, begun(service), text).asked[0].answers


def test_who_asks_which_of_two_to_go_on_with_skips_nothing(service: InterviewService) -> None:
    text = (
        "Hm, that's close to what I just told. Should I stay with that one, or would you rather hear a different one?"
    )
    state = answered(service, begun(service), text)
    assert not state.asked[0].skipped
    assert isinstance(state.asked[0].turns[-1], ClarificationGiven)


def test_who_did_not_want_to_skip_comes_back(service: InterviewService) -> None:
    session = begun(service)
    answered(service, session, "Let's skip this one.", "skip")
    state = answered(service, session, "Oh, wait, no, I didn't want to skip it. Can we go back to the letters?")
    assert state.current is state.asked[0]
    assert state.asked[0].returned is not None


def test_who_thinks_for_a_moment_and_then_begins_has_the_floor(service: InterviewService) -> None:
    text = "HUM, let me think for a second, something from outside, so it's somebody else's, and it goes straight in."
    state = answered(service, begun(service, OPENING), text)
    assert state.asked[0].answers[-1].unfinished
    assert isinstance(next_action(state), Listen)


def test_who_thinks_back_to_something_answers(service: InterviewService) -> None:
    text = "Let me think back to the model for our detector. There it was alpha, and beta came after it."
    assert not answered(service, begun(service, OPENING), text).asked[0].answers[-1].unfinished


def test_without_a_clock_one_hears_how_many_questions_are_left(service: InterviewService) -> None:
    said = answered(service, begun(service), "How many questions are left, by the way?").asked[0].turns[-1]
    assert isinstance(said, ClarificationGiven)
    assert said.said.endswith("This is question one of two.")


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("One thing I'd like to know, I said that alpha is a letter. Was that right?", "alpha is a letter"),
        ("Was I right that alpha precedes beta?", "alpha precedes beta"),
        ("And was I right on the first question that alpha precedes beta?", "alpha precedes beta"),
        ("Is it true that beta needs no warm-up?", "beta needs no warm-up"),
        ("How did I do? Was that right?", ""),
        ("Was my second answer right?", ""),
    ],
)
def test_a_claim_that_is_doubted_at_the_end_is_looked_up(text: str, claim: str) -> None:
    assert doubted(text) == claim
    assert is_looked_up(text) or not claim


@pytest.mark.parametrize(
    "text",
    [
        "Isn't that the same question you just asked me? It is alpha, and nothing else.",
        "That's what the code I just submitted does, and I said it before: alpha first.",
        "Is that not what I just described? First alpha, then beta.",
        "Well, like said, it is alpha and the ones beside it.",
    ],
)
def test_an_objection_that_is_answered_is_an_answer(service: InterviewService, text: str) -> None:
    state = answered(service, begun(service, OPENING), text)
    assert acknowledge(state)["row"] in templates.ACK_REPLIES["said"]
    assert not state.asked[0].answers[-1].unfinished


def test_who_asks_whether_it_is_the_same_as_something_else_is_not_told_to_choose(service: InterviewService) -> None:
    text = "Is this about the same as a letter, or are you calling that something else?"
    said = answered(service, begun(service), text).asked[0].turns[-1]
    assert isinstance(said, ClarificationGiven)
    assert said.said in templates.ASKS_BACK_OPEN


def test_where_several_things_are_asked_nobody_is_told_to_choose_one(service: InterviewService) -> None:
    text = "Are these short letters or long ones? And is it counted by letter or by word?"
    said = answered(service, begun(service), text).asked[0].turns[-1]
    assert isinstance(said, ClarificationGiven)
    assert said.said in templates.LEFT_OPEN


@pytest.mark.parametrize(
    ("sentence", "admits"),
    [
        ("I don't know how that works.", True),
        ("I don't know, is there a warning for that at all?", False),
        ("I don't know what more you want there, honestly.", False),
    ],
)
def test_a_question_or_an_objection_is_no_admission(sentence: str, admits: bool) -> None:
    assert admits_not_knowing(sentence) == admits


def test_who_asks_for_the_time_at_the_end_is_told_that_there_is_no_hurry() -> None:
    assert answer("How much time do we have left?", "", 0).startswith("There's no hurry.")
    assert not is_looked_up("How much time do we have left?")


def test_who_mends_something_and_asks_whether_it_was_right_is_asked_again(service: InterviewService) -> None:
    words = "Wait, I'd like to correct something: I may have mixed alpha up. Can you tell me if that was right?"
    state = answered(service, begun(service, OPENING), words, "row")
    assert state.asked[0].answers[-1].unfinished
    assert acknowledge(state)["row"].endswith("?")


@pytest.mark.parametrize(
    "text",
    [
        "And rewards, could those come in a different dtype than values, say float64 or int?",
        "How many minutes do we have left, by the way? Just so I know how long to talk.",
    ],
)
def test_a_topic_before_a_question_and_a_reason_after_it_make_no_answer(service: InterviewService, text: str) -> None:
    assert isinstance(answered(service, begun(service), text).asked[0].turns[-1], ClarificationGiven)


def test_who_stops_in_the_middle_goes_on(service: InterviewService) -> None:
    text = "Okay let me look at that for a second. alpha gets used in the product, then it changes..."
    assert answered(service, begun(service), text).asked[0].answers[-1].unfinished
