"""A question about the task is answered by its own text, and nothing is called open that the text settles."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from interviewer.dialogue import templates
from interviewer.dialogue.clarifications import clarification, further_in_other_words, named_point
from interviewer.dialogue.interpretation import hinted
from interviewer.policy.answer_stages import Stage
from interviewer.session.events import ClarificationGiven, FollowUpAsked
from interviewer.session.follow_up_kinds import FollowUpKind
from interviewer.session.plan import Plan
from interviewer.session.state import AskedQuestion
from interviewer.speech.speakable_text import speakable
from interviewer.understanding.intent import Intent
from interviewer.understanding.intent_classifier import intent_of
from knowledge.bank.parser import load_bank
from knowledge.bank.rewordings import FOLLOW_ON, reworded
from rubric.coding.task import StarterForm
from tests.interviewer.builders import at
from tests.interviewer.report.sample_session import Telling

BANK = {question.id: question for question in load_bank()}
NOW = datetime(2026, 1, 1, tzinfo=UTC)
PLAN = Plan(starter=StarterForm.BLANK)


def reply(question_id: str, words: str) -> str:
    asked = AskedQuestion(asked_id="q", number=1, question=BANK[question_id])
    return clarification(asked, words, 0, PLAN)


@pytest.mark.parametrize(
    ("question_id", "words", "sentence"),
    [
        ("modules-unregistered-list", "Should count_parameters skip frozen ones?", "the number of trainable"),
        ("tensors-token-log-probs", "What should I return for ignored tokens?", "and 0 where that token equals ignore"),
        (
            "tensors-token-log-probs",
            "What happens with a token that equals ignore?",
            "0 where that token equals ignore",
        ),
        ("tensors-token-log-probs", "Should padding be zero or left out?", "zero where it is ignore"),
        (
            "tensors-token-log-probs",
            "Do the gradients have to flow to the logits?",
            "Gradients must flow to the logits",
        ),
        ("post-dpo-loss", "Are the labels already shifted?", "nothing is shifted yet"),
        ("post-dpo-loss", "Which dtype should I compute in?", "Everything is computed in float32"),
        ("post-dpo-loss", "What if an answer has no tokens?", "an answer without any has 0"),
        ("post-dpo-loss", "May I change the inputs in place?", "The inputs are not changed"),
        ("post-dpo-loss", "Is it a sum or a mean over the tokens?", "is the sum over its tokens that count"),
    ],
)
def test_what_the_task_says_is_read_out_as_a_whole_sentence_and_not_called_open(
    question_id: str, words: str, sentence: str
) -> None:
    said = reply(question_id, words)
    assert said.startswith("The question says: “")
    assert said.endswith(".”")
    assert sentence in said


def test_a_number_that_one_sentence_gives_tells_which_is_asked_about() -> None:
    said = reply("distributed-ring-all-reduce", "Is 450 gigabytes per second what each card sends in one direction?")
    assert "which send 450 GB per second each" in said


def test_a_statement_that_is_to_be_confirmed_gets_no_yes() -> None:
    point = BANK["serving-prefix-caching"].rubric
    assert point is not None
    asked = AskedQuestion(
        asked_id="q",
        number=1,
        question=BANK["serving-prefix-caching"],
        follow_ups=(
            FollowUpAsked(
                id="f",
                at=datetime(2026, 1, 5, tzinfo=UTC),
                asked_id="q",
                kind=FollowUpKind.MISSING,
                criterion_id=point.criteria[0].id,
                said=point.criteria[0].probe,
            ),
        ),
    )
    said = clarification(asked, "The cache is kept per user and dropped after each request, right?", 0, PLAN)
    assert not said.startswith(("Yes", "You can read", "That reading"))


def test_what_is_open_may_be_assumed() -> None:
    asked = AskedQuestion(asked_id="q", number=1, question=BANK["architectures-norms"])
    told = clarification(asked, "May I assume it's trained from scratch, on one machine?", 0, PLAN)
    assert told in templates.ASSUME_IT


@pytest.mark.parametrize(
    "words",
    [
        "What can I assume about the hardware?",
        "Which optimizer should I assume?",
        "Could I assume that the master copy can be dropped?",
        "Can I assume that attention is linear in the length?",
        "Can I assume one machine, or should I think of several?",
    ],
)
def test_only_what_is_named_may_be_assumed(words: str) -> None:
    asked = AskedQuestion(asked_id="q", number=1, question=BANK["architectures-norms"])
    assert clarification(asked, words, 0, PLAN) not in templates.ASSUME_IT


def test_how_a_word_of_the_question_is_read_is_left_to_whoever_reads_it() -> None:
    asked = AskedQuestion(asked_id="q", number=1, question=BANK["architectures-receptive-field"])
    words = "By receptive field you mean the stretch of the input that one output of a layer depends on, right?"
    assert clarification(asked, words, 0, PLAN) in templates.AS_YOU_TAKE_IT


@pytest.mark.parametrize("editor", [True, False])
@pytest.mark.parametrize(
    "asks",
    [
        "Is it enough to talk it through, or do you want me to write it in the editor?",
        "Should I write the whole class out?",
    ],
)
def test_who_asks_whether_to_talk_or_to_write_is_told_to_write_where_they_can(asks: str, *, editor: bool) -> None:
    asked = AskedQuestion(asked_id="q", number=1, question=BANK["tensors-token-log-probs"])
    told = clarification(asked, asks, 0, PLAN.model_copy(update={"editor": editor}))
    assert told in (templates.WRITE_IT if editor else templates.TALK_IT_THROUGH)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("Is the first token scored too?", templates.IN_THE_TASK),
        ("Am I allowed to use einsum?", templates.NOT_RULED_OUT),
        ("Which editor do you want me to write it in?", templates.IN_THE_TASK),
    ],
)
def test_of_a_task_what_no_sentence_settles_is_left_to_its_text(words: str, said: tuple[str, ...]) -> None:
    assert reply("tensors-token-log-probs", words) in said


@pytest.mark.parametrize(
    ("question_id", "words", "said"),
    [
        ("autograd-leaf-grad", "Do you mean during training or at inference?", templates.EITHER_READING),
        (
            "serving-prefix-caching",
            "Do you mean match between the two prompts, or also things like the model and its settings?",
            templates.EITHER_READING,
        ),
        ("serving-prefix-caching", "Hm, is this about weights as well, or just the cache?", templates.AS_NAMED),
        ("serving-prefix-caching", "Do you mean the cache on the GPU, or something else?", templates.YES_MEANT_SO),
    ],
)
def test_of_two_readings_the_one_that_the_question_names_is_meant_and_else_both_count(
    question_id: str, words: str, said: tuple[str, ...]
) -> None:
    assert reply(question_id, words) in said


def test_the_signature_alone_answers_nothing() -> None:
    assert "Write token log probs" not in reply("tensors-token-log-probs", "What does ignore do?")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("Do you mean with retain grad on a leaf?", templates.PART_OF_THE_ANSWER),
        ("Which editor do you have in mind?", templates.LEFT_OPEN),
    ],
)
def test_what_a_question_does_not_say_is_free_to_choose_only_where_the_answer_does_not_settle_it(
    words: str, said: tuple[str, ...]
) -> None:
    assert reply("autograd-leaf-grad", words) in said


def test_whoever_asks_what_a_follow_up_meant_is_asked_directly_once() -> None:
    question = BANK["autograd-leaf-grad"]
    assert question.rubric is not None
    point = next(point for point in question.rubric.criteria if point.probe)
    now = datetime.now(UTC)
    vague = FollowUpAsked(
        id="f", at=now, asked_id="q", criterion_id=point.id, kind=FollowUpKind.PARTIAL, said="Can you be more precise?"
    )
    asked = AskedQuestion(asked_id="q", number=1, question=question, follow_ups=(vague,), turns=(vague,))
    said = clarification(asked, "More precise about what exactly?", 0, PLAN)
    assert said.endswith(speakable(point.probe))
    told = ClarificationGiven(id="c", at=now, asked_id="q", words="About what?", said=said)
    again = asked.model_copy(update={"turns": (vague, told)})
    assert speakable(point.probe) not in clarification(again, "More precise about what exactly?", 1, PLAN)


@pytest.mark.parametrize(
    "words",
    [
        "I have done little training, honestly. Can I tell you about an inference pipeline instead?",
        "May it be something about distributed training?",
        "Could it also be from university?",
    ],
)
def test_whoever_asks_whether_a_story_of_another_kind_will_do_may_tell_it(words: str) -> None:
    assert reply("training-efficiency-story", words) in templates.TELL_THAT
    assert intent_of(words.rsplit(". ", maxsplit=1)[-1]) is Intent.CLARIFICATION
    assert intent_of("Could it be that the gradient vanishes?") is Intent.ANSWER


def _after(kind: FollowUpKind, *turns: ClarificationGiven) -> AskedQuestion:
    question = BANK["autograd-accumulate-zero-grad"]
    assert question.rubric is not None
    point = question.rubric.criteria[0]
    follow_up = FollowUpAsked(
        id="f", at=NOW, asked_id="q", kind=kind, criterion_id=point.id, said=f"One more. {point.probe}"
    )
    return AskedQuestion(asked_id="q", number=1, question=question, follow_ups=(follow_up,), turns=(follow_up, *turns))


@pytest.fixture
def other_words(monkeypatch: pytest.MonkeyPatch) -> str:
    said = "What happens to the old numbers when you call backward again?"
    monkeypatch.setattr("interviewer.dialogue.clarifications.reworded", lambda *_: said)
    return said


@pytest.mark.parametrize(
    "words",
    [
        "sorry I didn't get that. what do you mean by how they were cleared?",
        "I mean I don't understand the question. could you say it simpler?",
        "Sorry, what does it do to what?",
    ],
)
def test_who_asks_what_is_meant_hears_it_in_other_words_once(words: str, other_words: str) -> None:
    asked = _after(FollowUpKind.MISSING)
    said = clarification(asked, words, 0, PLAN)
    assert said.endswith(other_words)
    told = ClarificationGiven(id="c", at=NOW, asked_id="q", words=words, said=said)
    assert other_words not in clarification(_after(FollowUpKind.MISSING, told), words, 1, PLAN)


def test_a_follow_up_that_asks_something_else_is_not_put_in_the_words_of_its_point(other_words: str) -> None:
    assert other_words not in clarification(_after(FollowUpKind.DEPTH), "What do you mean by that?", 0, PLAN)


def test_what_is_asked_of_a_stage_of_any_story_is_not_put_in_the_words_of_its_point(other_words: str) -> None:
    asked = _after(FollowUpKind.UNSURE)
    assert clarification(asked, "Sorry, what do you mean by that?", 0, PLAN).endswith(other_words)
    (follow_up,) = asked.follow_ups
    of_a_stage = follow_up.model_copy(update={"said": templates.TOLD_ALONE[Stage.RESULT][1]})
    turns = tuple(of_a_stage if turn is follow_up else turn for turn in asked.turns)
    changed = asked.model_copy(update={"turns": turns, "follow_ups": (of_a_stage,)})
    assert other_words not in clarification(changed, "Sorry, what do you mean by that?", 0, PLAN)


def test_who_asks_what_is_meant_is_not_told_yes() -> None:
    said = clarification(_after(FollowUpKind.DEPTH), "what do you mean by how they were cleared?", 0, PLAN)
    assert said not in templates.YES_MEANT_SO


def test_who_asks_for_a_hint_on_what_goes_further_is_asked_in_other_words() -> None:
    bank = next(each for each in BANK.values() if each.follow_on and each.task is None)
    assert bank.rubric is not None
    tell = Telling()
    q = tell.ask(bank)
    tell.follow_up(q, FollowUpKind.DEPTH, bank.rubric.criteria[0].id, f"Let's take it further. {bank.follow_on}")
    (asked,) = tell.state.asked
    other = reworded(bank, FOLLOW_ON)
    assert other
    assert further_in_other_words(asked) == speakable(other)
    assert speakable(other) in hinted(asked, Plan(), "hint", at=at(0)).said
    assert speakable(other) in clarification(asked, "Sorry, I don't understand the question.", 0, Plan())
    tell.clarify(q, "What do you mean?", speakable(other))
    (asked,) = tell.state.asked
    assert further_in_other_words(asked) == ""


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("I'd like to know about the two keys in one slot thing, can you give me a little hint there?", "same slot"),
        ("A hint, please.", None),
        ("Could you give me a hint on the keys?", None),
    ],
)
def test_a_hint_is_on_the_point_that_is_named(words: str, named: str | None) -> None:
    tell = Telling()
    q = tell.ask(BANK["algorithms-hash-tables"])
    order = next(point for point in BANK["algorithms-hash-tables"].rubric.criteria if "order" in point.text)  # type: ignore[union-attr]
    tell.follow_up(q, FollowUpKind.MISSING, order.id, order.probe)
    (asked,) = tell.state.asked
    point = named_point(asked, words)
    assert (point is not None and named in point.text) if named else point is None
    said = hinted(asked, Plan(), "hint", at=at(0), words=words).said
    assert ("order" not in said) if named else ("first inserted" not in said)
