"""What the interviewer says."""

from __future__ import annotations

import re
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.dialogue import follow_up_words, templates, utterances
from interviewer.session.events import InterviewEnded
from interviewer.session.follow_up_kinds import FollowUpKind
from interviewer.session.plan import Plan
from interviewer.session.state import AskedQuestion, State
from interviewer.session.style import Style
from knowledge.model import Kind
from rubric.model import Criterion, DesignStage, Rubric
from serving.speech.tts.sentences import sentences
from tests.interviewer.builders import at, question
from tests.interviewer.policy.test_next_action import ASKED, STARTED, answer, follow_up

SEEDS = st.integers(0, 2**31)


def can_be_said(text: str) -> bool:
    return bool(text) and all(c.isalnum() or c in " .,;:?!'’-“”…" for c in text)


@given(SEEDS, st.sampled_from(Style))
def test_an_acknowledgment_is_one_short_sentence_and_none_comes_twice_within_ten_turns(seed: int, style: Style) -> None:
    said = [utterances.acknowledgment(seed, turn, style=style) for turn in range(60)]
    for turn, text in enumerate(said):
        assert can_be_said(text)
        assert len(sentences(text)) == 1
        assert len(text.split()) <= 6
        assert text not in said[max(turn - 10, 0) : turn]


@pytest.mark.parametrize(
    "words",
    [
        "The weights take 16 gigabytes, and the optimizer 32 more on each of the 8 ranks.",
        "I was on call, I rolled it back, and I wrote the test that had been missing.",
        "Two.",
        "It is the sum. I mean, no, it is the mean.",
        "x = 1\nfor step in range(10):\n    x = x + 1\nreturn x",
    ],
)
def test_an_acknowledgment_says_nothing_of_an_answer_that_could_be_untrue(words: str) -> None:
    asked = AskedQuestion(
        asked_id=ASKED.id, number=1, question=ASKED.question, answers=(answer("a", words, 2), answer("b", words, 3))
    )
    state = State(plan=STARTED.plan, asked=(asked,))
    assert STARTED.plan.style is Style.NEUTRAL
    assert set(utterances.acknowledge(state).values()) <= set(templates.ACKNOWLEDGMENTS[Style.NEUTRAL])
    told = re.compile(r"\b(?:numbers?|code|long|short|story|scene|sure|moment|second|closely)\b", re.IGNORECASE)
    assert not [said for kind in templates.ACKNOWLEDGMENTS.values() for said in kind if told.search(said)]


@pytest.mark.parametrize("style", Style)
def test_every_style_has_words_of_its_own(style: Style) -> None:
    said = {other: utterances.ask(question("q"), 1, Plan(style=other)) for other in Style}
    assert [other for other in Style if said[other] == said[style]] == [style]
    assert can_be_said(said[style])
    assert can_be_said(utterances.step_down(question("q"), 0, Plan(style=style))[0])


def test_a_contradiction_is_led_to_its_consequence_in_the_persons_own_words() -> None:
    said = follow_up_words.follow_up(
        question("q"), FollowUpKind.CONTRADICTION, "c-alpha", quote="It copies.", turn=0, seed=0
    )
    assert said == "You said: “It copies.” I see that differently. What about the thing after a?"


@given(st.lists(st.text("ab ,;:.?!", max_size=30), max_size=6))
def test_slowly_said_words_are_the_same_words(container: list[str]) -> None:
    said = " ".join(" ".join(container).split())
    assert re.findall(r"\w+", utterances.in_pieces(said).lower()) == re.findall(r"\w+", said)


def test_the_last_answer_is_acknowledged_by_its_turn() -> None:
    assert utterances.acknowledge(State()) == {}
    asked = AskedQuestion(
        asked_id=ASKED.id,
        number=1,
        question=ASKED.question,
        answers=(answer("a", "x", 2), answer("b", "y", 3)),
    )
    state = State(plan=STARTED.plan, asked=(asked,))
    seed = STARTED.plan.seed
    first, second = utterances.acknowledge(state).values()
    assert (first, second) == (utterances.acknowledgment(seed, 0), utterances.acknowledgment(seed, 1))
    assert utterances.acknowledge_next(state) == utterances.acknowledgment(seed, 2)


@given(SEEDS, st.sampled_from(Style))
def test_nothing_says_that_the_topic_changes_where_it_does_not(seed: int, style: Style) -> None:
    plan = Plan(seed=seed, style=style)
    said = utterances.ask(question("q", text="What is a leaf?"), 2, plan, same_topic=True)
    assert said.removesuffix(" What is a leaf?") in set(templates.NEXT[style]) - templates.CHANGING
    assert {phrase for phrases in templates.NEXT.values() for phrase in phrases} >= templates.CHANGING


def test_a_question_has_one_lead_in() -> None:
    said = utterances.ask(question("q", text="What is a leaf?"), 2, Plan(), lead_in="So let's move on.")
    assert said == "So let's move on. What is a leaf?"


def test_a_question_that_was_left_comes_back_in_two_short_sentences() -> None:
    lead = templates.FOLLOW_UP_LEADS[FollowUpKind.EVIDENCE][0]
    drilled = follow_up(3).model_copy(update={"said": f"{lead} Which call exactly?"})
    asked = AskedQuestion(asked_id=ASKED.id, number=2, question=ASKED.question)
    assert utterances.ask_again(asked, 1, last_word=False) == "Back to question two: What is q?"
    asked = asked.model_copy(update={"turns": (ASKED, drilled)})
    said = utterances.ask_again(asked, 1, last_word=False)
    assert said == "Back to question two: What is q? My last question on it was: Which call exactly?"


@given(SEEDS)
def test_the_first_question_is_greeted_and_told_how_many_there_are(seed: int) -> None:
    said = utterances.ask(question("q", text="What is a leaf?"), 1, Plan(length=3, seed=seed))
    assert "three questions" in said
    assert said.endswith("What is a leaf?")
    assert can_be_said(said)


def test_the_spoken_form_is_said_not_the_shown_one() -> None:
    asked = question("q", text="Why is `y.grad` None?", spoken="You print the grad and get None. Why?")
    assert utterances.ask(asked, 2, Plan()).endswith("You print the grad and get None. Why?")


def test_a_skip_is_taken_kindly_and_the_last_question_announced() -> None:
    plan = Plan(length=3)
    after_skip = utterances.ask(question("q"), 2, plan, after_skip=True)
    assert len(after_skip) > len(utterances.ask(question("q"), 2, plan))
    assert utterances.ask(question("q"), 3, plan) != utterances.ask(question("q"), 3, Plan(length=4))


@pytest.mark.parametrize(
    "kind",
    sorted(
        set(FollowUpKind)
        - {FollowUpKind.CLAIM, FollowUpKind.EVIDENCE, FollowUpKind.DEPTH, FollowUpKind.MISHEARD, FollowUpKind.UNSURE}
    ),
)
def test_a_follow_up_uses_the_probe(kind: FollowUpKind) -> None:
    said = follow_up_words.follow_up(question("q"), kind, "c-alpha", quote="my words", turn=0, seed=1)
    assert said.endswith("What about the thing after a?")


def test_a_point_that_words_come_near_to_is_asked_for_after_these_words() -> None:
    said = follow_up_words.follow_up(question("q"), FollowUpKind.UNSURE, "c-alpha", quote="It adds up.", turn=0, seed=0)
    assert said == "You said: “It adds up.” What about the thing after a?"


def test_of_words_that_may_make_the_point_the_person_is_asked_what_they_mean() -> None:
    said = [
        follow_up_words.follow_up(
            question("q"),
            FollowUpKind.UNSURE,
            "c-alpha",
            quote="It adds up.",
            turn=0,
            seed=0,
            nearly_said=True,
            doubted=doubted,
        )
        for doubted in (False, True)
    ]
    assert said == ["You said: “It adds up.” Can you spell that out?", "You said: “It adds up.” Why is that?"]


@pytest.mark.parametrize("kind", sorted({FollowUpKind.MISSING, FollowUpKind.UNGRADED}))
def test_what_refers_to_nothing_said_before_is_asked_straight(kind: FollowUpKind) -> None:
    assert follow_up_words.follow_up(question("q"), kind, "c-alpha", quote="", turn=0, seed=0) == (
        "What about the thing after a?"
    )


@given(SEEDS, st.sampled_from(FollowUpKind), st.integers(0, 4))
def test_a_follow_up_has_one_lead_in_and_asks_once(seed: int, kind: FollowUpKind, turn: int) -> None:
    said = follow_up_words.follow_up(question("q"), kind, "c-alpha", quote="It adds up.", turn=turn, seed=seed)
    assert said.count("“") == said.count("”") <= 1
    before = said.split("“")[0]
    assert "“" not in said or re.fullmatch(r"[\w ]+: ", before), said
    assert said.count("?") <= 1


def test_a_stage_is_announced_where_it_begins_and_not_at_each_of_its_points() -> None:
    asked = question("q", kind=Kind.SYSTEM_DESIGN)
    assert asked.rubric is not None
    point = asked.rubric.criteria[0].model_copy(update={"stage": DesignStage.HIGH_LEVEL})
    asked = asked.model_copy(update={"rubric": asked.rubric.model_copy(update={"criteria": (point,)})})
    first, second = (
        follow_up_words.follow_up(asked, FollowUpKind.MISSING, "c-alpha", quote="", turn=0, seed=0, same_stage=same)
        for same in (False, True)
    )
    assert second == "What about the thing after a?"
    assert first != second
    assert first.endswith(second)


def test_a_question_whose_points_are_all_met_is_taken_further_by_the_one_that_follows_on_it() -> None:
    asked = question("q", follow_on="What does `retain_grad` cost?")
    said = follow_up_words.follow_up(asked, FollowUpKind.DEPTH, "c-alpha", quote="It adds up.", turn=0, seed=0)
    assert said.endswith(" What does retain grad cost?")
    assert "It adds up" not in said


def test_what_was_told_of_a_story_is_not_asked_for_again() -> None:
    asked = question("q", kind=Kind.BEHAVIORAL)
    words = partial(
        follow_up_words.follow_up, asked, FollowUpKind.UNSURE, "c-alpha", quote="I fixed it.", turn=0, seed=0
    )
    assert words(nearly_said=True) == "You said: “I fixed it.” Why did you do it that way?"
    reasoned = words(nearly_said=True, quote="I kept it to myself because I hoped we'd catch up.")
    assert reasoned.endswith("What else did you consider at that point?")
    # Whoever told something else of what they did is asked for what they left out, and not after their own words.
    assert words() == (asked.rubric.criteria[0].probe if asked.rubric else "")


@pytest.mark.parametrize(
    "quote",
    [
        "I called that the time machine rule.",
        "Distillation lost 1.2 points.",
        "I wrote to the report people the same morning before they asked.",
        "The batch scoring over documents was slow.",
        "",
    ],
)
def test_nobody_is_asked_for_the_reason_of_what_is_no_decision(quote: str) -> None:
    asked = question("q", kind=Kind.BEHAVIORAL)
    said = follow_up_words.follow_up(
        asked, FollowUpKind.UNSURE, "c-alpha", quote=quote, turn=0, seed=0, nearly_said=True
    )
    assert said == "What was the hardest decision in all of that?"


@given(SEEDS, st.sampled_from(["I fixed it.", "Cost went down by half.", "It was slow.", ""]))
def test_what_may_be_asked_of_any_story_is_asked_once_in_an_interview(seed: int, quote: str) -> None:
    asked = question("q", kind=Kind.BEHAVIORAL)
    heard = ""
    for turn in range(8):
        said = follow_up_words.follow_up(
            asked,
            FollowUpKind.UNSURE,
            "c-alpha",
            quote=quote,
            turn=turn % 2,
            seed=seed,
            nearly_said=True,
            said_before=heard,
        )
        own = asked.rubric.criteria[0].probe if asked.rubric else ""
        bare = said.split("” ")[-1]
        assert bare == own or bare not in heard
        heard += f" {said}"


def test_an_outcome_that_answers_a_storys_own_question_is_not_quoted_before_it() -> None:
    asked = question("q", kind=Kind.BEHAVIORAL)
    for kind in (FollowUpKind.PARTIAL, FollowUpKind.UNSURE, FollowUpKind.MISSING):
        said = follow_up_words.follow_up(
            asked, kind, "c-alpha", quote="Cost went down by about a half.", turn=0, seed=0
        )
        assert said == "What about the thing after a?"


@pytest.mark.parametrize(
    ("stage", "probe", "announced"),
    [
        (DesignStage.ESTIMATE, "How many cards does that take?", True),
        (DesignStage.ESTIMATE, "Which signal tells the autoscaler that another replica is needed?", False),
        (DesignStage.FAILURE, "The ranker hangs tonight. What do people see?", True),
        (DesignStage.FAILURE, "How do you show that the car is safe enough?", False),
        (DesignStage.TRADE_OFFS, "What do you give up?", True),
        (None, "How many cards does that take?", False),
    ],
)
def test_a_stage_is_announced_where_the_question_sounds_like_it(
    stage: DesignStage | None, probe: str, announced: bool
) -> None:
    point = Criterion(id="c0", text="About sixty cards are needed.", probe=probe, stage=stage)
    asked = question("q", kind=Kind.SYSTEM_DESIGN, rubric=Rubric(criteria=(point,)))
    said = follow_up_words.follow_up(asked, FollowUpKind.MISSING, "c0", quote="", turn=0, seed=0)
    assert said.endswith(probe)
    assert (said != probe) is announced


def test_a_probe_that_asks_for_what_is_quoted_is_not_asked() -> None:
    asked = question("q")
    assert asked.rubric is not None
    point = asked.rubric.criteria[0].model_copy(update={"probe": "Which task does BERT solve in pretraining?"})
    asked = asked.model_copy(update={"rubric": asked.rubric.model_copy(update={"criteria": (point,)})})
    told = [
        follow_up_words.follow_up(asked, FollowUpKind.PARTIAL, point.id, quote=quote, turn=0, seed=0)
        for quote in ("the task BERT solves in pretraining is guessing words", "it reads both sides")
    ]
    assert [said.endswith(point.probe) for said in told] == [False, True]


def test_what_happened_is_no_subject_that_a_probe_could_ask_for() -> None:
    asked = question("q")
    assert asked.rubric is not None
    probe = "How does backward get to know what happened in forward?"
    point = asked.rubric.criteria[0].model_copy(update={"probe": probe})
    asked = asked.model_copy(update={"rubric": asked.rubric.model_copy(update={"criteria": (point,)})})
    quote = "Backward needs the mask from the forward, so I save it."
    said = follow_up_words.follow_up(asked, FollowUpKind.UNSURE, point.id, quote=quote, turn=0, seed=0)
    assert said == f"You said: “{quote}” Can you spell that out?"


@pytest.mark.parametrize("kind", sorted(set(FollowUpKind) - {FollowUpKind.CONTRADICTION}))
def test_only_a_sure_contradiction_tells_the_person_that_they_are_wrong(kind: FollowUpKind) -> None:
    challenges = [phrase.format(quote="x").split("” ")[-1] for phrase in templates.CONSEQUENCES]
    told = (*challenges, *templates.CONSEQUENCES_ALONE)
    for turn in range(10):
        said = follow_up_words.follow_up(question("q"), kind, "c-alpha", quote="x", turn=turn, seed=0)
        assert not any(phrase in said for phrase in told)


@given(SEEDS, st.sampled_from(FollowUpKind), st.sampled_from(Kind), st.integers(0, 4), st.booleans())
def test_a_follow_up_without_a_probe_gives_nothing_away(
    seed: int, kind: FollowUpKind, sort: Kind, turn: int, quoted: bool
) -> None:
    asked = question("q", kind=sort, keywords=("zanzibar",), reference="A quokka.")
    assert asked.rubric is not None
    point = asked.rubric.criteria[0].model_copy(update={"probe": ""})
    asked = asked.model_copy(update={"rubric": asked.rubric.model_copy(update={"criteria": (point,)})})
    quote = "my own words" if quoted else ""
    said = follow_up_words.follow_up(asked, kind, point.id, quote=quote, turn=turn, seed=seed)
    assert "zanzibar" not in said
    assert "quokka" not in said
    quotes = {FollowUpKind.CLAIM, FollowUpKind.CONTRADICTION, FollowUpKind.PARTIAL, FollowUpKind.UNSURE}
    quotes |= {FollowUpKind.DEPTH}
    if sort is Kind.BEHAVIORAL:
        quotes = {FollowUpKind.CLAIM, FollowUpKind.PARTIAL, FollowUpKind.DEPTH}
    assert ("my own words" in said) == (quoted and kind in quotes)
    assert can_be_said(said)


def test_an_unknown_criterion_is_not_drilled() -> None:
    with pytest.raises(KeyError):
        follow_up_words.follow_up(question("q"), FollowUpKind.MISSING, "c-none", quote="", turn=0, seed=0)


def test_what_was_asked_last_is_repeated() -> None:
    asked = AskedQuestion(asked_id=ASKED.id, number=1, question=ASKED.question)
    assert utterances.repeat(asked, 0, 0).endswith("What is q?")
    drilled = asked.model_copy(update={"turns": (ASKED, follow_up(3))})
    assert utterances.repeat(drilled, 1, 0).endswith("And?")


@pytest.mark.parametrize("reason", ["completed", "ended by the person", "no questions left"])
def test_every_end_has_its_words(reason: str) -> None:
    ended = InterviewEnded.model_validate({"id": "e", "at": at(1), "reason": reason})
    assert can_be_said(utterances.closing(ended))
