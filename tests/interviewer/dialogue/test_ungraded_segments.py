"""What is answered when a person asks at the end."""

from __future__ import annotations

import json

import pytest

from interviewer.dialogue.about_the_interview.rules import on_the_interview, surely_on_the_interview
from interviewer.dialogue.ungraded_segments import (
    answer,
    asks_for_marks,
    in_warm_up,
    is_looked_up,
    lead_in,
    questions_in,
    replies,
)
from interviewer.session.plan import AgendaItem, Plan
from knowledge.model import Kind
from tests.benchmarks.own_questions import QUESTIONS

PLAN = Plan(
    minutes=30,
    agenda=(
        AgendaItem(topic="training", kind=Kind.CONCEPT),
        AgendaItem(topic="autograd", kind=Kind.DEBUGGING),
    ),
)


def test_what_a_good_answer_would_be_to_something_described_is_looked_up() -> None:
    described = "The one about the model that has a low perplexity and can't find a sentence in the middle"
    assert questions_in(f"Yes. {described}. What would a good answer have been there?") == (described,)
    assert is_looked_up(f"{described}. What would a good answer have been?")
    alone = "What would a good answer have been?"
    assert questions_in(alone) == (alone,)
    assert not is_looked_up(alone)


def test_each_question_is_looked_up_alone_and_a_remnant_is_none() -> None:
    assert questions_in("Which leaf? And does gloo need a GPU for that?") == (
        "Which leaf? And does gloo need a GPU for that?",
    )
    assert questions_in("Yes, two. What is a leaf tensor? And does gloo need a GPU? Really now?") == (
        "What is a leaf tensor?",
        "And does gloo need a GPU?",
    )


@pytest.mark.parametrize(
    "asked",
    ["ah ok. um, did I do badly? be honest", "What did my answer lack for a senior, would you say?", "How was I?"],
)
def test_how_it_went_is_for_the_report(asked: str) -> None:
    assert asks_for_marks(asked)


@pytest.mark.parametrize("asked", ["What is missing from a state_dict?", "How was BERT trained?"])
def test_a_question_on_the_subject_is_not(asked: str) -> None:
    assert not asks_for_marks(asked)


def test_who_is_nervous_is_put_at_ease() -> None:
    said = lead_in(
        number=1, warmed_up="Sorry, I'm a bit nervous. I built a small classifier.", overran=False, plan=PLAN
    )
    assert "take your time" in said


def test_what_the_report_tells_comes_last_and_once() -> None:
    marks = answer("How did I do?", "", 0)
    said = replies([marks, answer("What is a leaf?", "It was made by you.", 0)], 0, last=True)
    assert said.startswith("Here's what my notes say on that. It was made by you. Your report")
    assert replies([marks, marks], 0, last=True).count(marks) == 1


def test_the_second_answer_says_what_it_answers() -> None:
    found = answer("What is a leaf?", "It was made by you.", 0, first=False)
    said = replies([answer("And gloo?", "It runs on the processor.", 0), found], 0)
    assert "As for your other question: It was made by you." in said


def test_two_questions_that_find_the_same_are_answered_once() -> None:
    found = "It was made by you. It keeps its gradient."
    same = replies([answer("What is a leaf?", found, 0), answer("And a leaf?", found, 0, first=False)], 0, last=True)
    assert same.startswith(answer("What is a leaf?", found, 0))
    assert "On your other question" not in same
    more = answer("And a leaf?", "It was made by you. It has no parent.", 0, first=False)
    said = replies([answer("What is a leaf?", found, 0), more], 0, last=True)
    assert "It keeps its gradient. As for your other question: It has no parent." in said
    assert said.endswith("That's as many questions as I can take.")


def test_what_is_repeated_and_asked_about_is_one_question() -> None:
    text = '"1 or 1 minus p"? I don\'t understand that. With p 0.3, do the survivors get bigger or smaller?'
    assert len(questions_in(text)) == 1
    half = "Yes, how many of the tokens does BERT really mask? I said half, is that too much?"
    assert len(questions_in(half)) == 1


def test_the_documents_are_asked_where_not_all_is_for_the_report() -> None:
    assert is_looked_up("I said that it is copied, was that right? And what is a leaf tensor?")
    assert not is_looked_up("How did I do? And was the second one right?")


@pytest.mark.parametrize(
    ("told", "replied"),
    [
        ("I worked on ranking for a year. Should I go into more detail?", "that's plenty"),
        ("I worked on ranking for a year. Will you ask me to write code, or is it only explaining?", "one of"),
        (
            "I worked on ranking for a year. Are we going to have coding also, or is it only talking?",
            "a coding question",
        ),
        ("I worked on ranking for a year. Will there be a system design question?", "no system design question"),
        (
            "I worked on ranking for a year. Is it okay when I ask you to say something again in between?",
            "yes, of course",
        ),
        ("I worked on ranking for a year. How far into the weeds do you want me here?", "plenty to start"),
        (
            "I worked on ranking for a year. Do the questions follow my background or is it a fixed set?",
            "go by what you say",
        ),
        ("I worked on ranking for a year. Why is ranking so hard?", "for the end"),
        ("I worked on ranking for a year. Do you care more about training or serving?", "interested in both"),
        ("I worked on ranking for a year. How many minutes do we have in total?", "the page shows"),
        ("I worked on ranking for a year. Which framework do you use?", "i'm a program"),
        ("I worked on ranking for a year.", "thank"),
        ("Do you want the modeling side, or more the infrastructure? I've got one of each.", "either one is fine"),
        ("", ""),
    ],
)
def test_a_question_at_the_end_of_the_warm_up_is_replied_to(told: str, replied: str) -> None:
    said = lead_in(number=1, warmed_up=told, overran=False, plan=PLAN)
    assert (replied in said.lower()) if replied else said == ""


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("And in the tracking question, what would you have wanted to hear that I left out?", "your report is next"),
        ("In question three, which points were you hoping for that I didn't mention?", "your report is next"),
        ("Does the mark depend on how long my answers were?", "not how long it is"),
        ("Do you work with images yourself?", "i'm a program"),
    ],
)
def test_what_is_asked_on_the_interview_is_answered_without_documents(asked: str, told: str) -> None:
    assert told in answer(asked, "", 0).lower()


def test_what_seems_false_is_told_to_be_looked_up_where_nothing_settles_it() -> None:
    (asked,) = questions_in("Was I right that the copy is always freed?")
    assert "doubts" in answer(asked, "", 0, doubts=True)
    assert "doubts" not in answer(asked, "The copy is freed with its last name.", 0, doubts=True)


@pytest.mark.parametrize("doubts", [True, False])
def test_whoever_asks_whether_they_were_right_gets_no_yes(*, doubts: bool) -> None:
    said = answer("Batch norm uses the current batch", "It keeps running means.", 0, claimed=True, doubts=doubts)
    assert said.endswith("Check it against this: It keeps running means.")
    assert ("doubts" in said) is doubts


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("Would it be possible to get a question about databases instead?", "chosen before we started"),
        ("Would it be bad for me that I say I don't know so often?", "fine to say so"),
        ("How do I find out what I should work on after this?", "your report has that"),
        ("Is it okay if I think out loud during this?", "please think out loud"),
        ("Does anyone run what I type in the editor?", "runs in a sandbox"),
        ("Do I get the feedback by mail or here?", "right after this"),
        ("When do I get the result?", "right after this"),
        ("Do you judge by what I said first, or does it count too after a follow-up?", "it all counts"),
        ("Will this be more coding, more system design, or theory?", "chosen before we started"),
        ("Are you going to interrupt me, or do I say when I'm done?", "until you're done"),
        ("Where do I put the code, in here?", "editor"),
        ("Did you get my code for the loader?", "editor"),
        ("By the way, how are you splitting the thirty minutes, roughly ten each?", "has its own time"),
        ("Are the questions going to be about my projects, or more general ones?", "mostly general ones"),
        ("Is it okay if I go quite low-level when a question allows it?", "as deep as you like"),
    ],
)
def test_what_is_asked_on_the_interview_is_told(asked: str, told: str) -> None:
    assert told in on_the_interview(asked).lower()


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("Do you mean something I did at work, or would a side project count as well?", "either is fine"),
        ("Sorry, is it okay if I think for a moment first?", "of course"),
        ("What would you like to hear?", "about your work"),
        ("Will there be coding?", "coding question"),
        ("How much time do we have?", "page shows"),
    ],
)
def test_who_asks_how_the_warm_up_is_meant_is_told(asked: str, told: str) -> None:
    said = in_warm_up(asked, PLAN)
    assert told in said.lower()
    assert said.endswith(("Go ahead.", "talk about."))


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("Will I be told which of my statements were wrong?", "when it's sure"),
        ("Do my questions back count against me?", "don't count against you"),
        ("How do you pick the questions?", "from a bank"),
        ("Why did I get so many PyTorch questions, if I only said Django?", "from a bank"),
        ("When will I get to see how I did?", "right after this"),
        ("What happens with my answers after this, does a person listen to them?", "stays on your machine"),
        ("Does the order of my answers matter, or just what's in them?", "not the order"),
        ("How strictly do you weigh a mistake I took back myself?", "counts as corrected"),
        ("I couldn't hand it in, can I still do that?", "is closed"),
        ("What would you tell a beginner to learn first?", "Your report has that"),
        ("How do I find out what I should work on after this?", "Your report has that"),
        ("Which points were you hoping for that I didn't mention?", "lists them"),
        ("What would a top answer to the codec question have had that mine didn't?", "lists them"),
    ],
)
def test_what_can_only_be_meant_of_the_interview_is_told_whatever_was_found(asked: str, told: str) -> None:
    assert told in surely_on_the_interview(asked)
    said = answer(asked, "Iterating a dict follows the order of insertion.", 0)
    assert "insertion" not in said


def test_no_question_on_a_subject_is_taken_for_one_on_the_interview() -> None:
    rows = (json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines())
    asked = [question for row in rows for question, _ in row["asked"]]
    assert len(asked) > 500
    assert [each for each in asked if surely_on_the_interview(each)] == []


def test_whoever_asks_whether_something_is_a_problem_is_told_that_it_is_none() -> None:
    def after(warmed_up: str) -> str:
        return lead_in(number=1, warmed_up=warmed_up, overran=False, plan=PLAN)

    assert "Not at all" in after(
        "For a year I've built the router before our servers. Is it a problem if I tell you so when I hit a wall?"
    )
    assert "of course" in after("For a year I've built the router before our servers. Is it okay if I draw something?")
    assert in_warm_up("Would you mind if I start with a side project?", PLAN).startswith("Not at all.")


@pytest.mark.parametrize(
    "asked",
    [
        "Where would I put the KV cache, so that it survives?",
        "How do I write that in big-O?",
        "How would I send it to the other workers?",
    ],
)
def test_a_question_on_the_subject_is_not_told_where_code_goes(asked: str) -> None:
    assert on_the_interview(asked) == ""
