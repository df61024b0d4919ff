"""Measuring a model that is asked in words: what is asked, what is read, and that nothing is asked twice."""

import json

import numpy as np
import pytest

from knowledge.bank.parser import load_bank
from rubric.model import Criterion, Verdict
from rubric.training.labeled_answers import Answer
from serving.llm.client import ChatReply
from tests.benchmarks import prompted
from tests.benchmarks.prompted import ODDS, ODDS_SHOWN, ONE_SCORE, SCORE_EACH


def answer(question="q1", text="It is so."):
    criteria = (Criterion(id="a", text="First."), Criterion(id="b", text="Second."))
    return Answer(
        question_id=question,
        question="Why?",
        criteria=criteria,
        style="plain",
        family="bank",
        text=text,
        labels=(Verdict.MET, Verdict.MISSING),
    )


class Model:
    """Says the same score to everything, and counts what it was asked."""

    def __init__(self, text='{"score": 7}'):
        self.text, self.asked, self.chats = text, 0, []

    def replies(self, chats, most):
        self.asked += len(chats)
        return [ChatReply(text=self.text, read=100, written=8) for _ in chats]

    def next_tokens(self, chats):
        self.asked += len(chats)
        self.chats += chats
        return [{"Yes": -0.1, "No": -2.4} if "no answer" not in chat.user else {"Yes": -1, "No": -1} for chat in chats]


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ('{"score": 7}', 0.7),
        ('```json\n{"score": "10"}\n```', 1.0),
        ("Score: 2.5, since", 0.25),
        ('{"score": 70}', None),
        ("I would say eight.", None),
    ],
)
def test_a_score_is_read_or_there_is_none(text, score):
    assert prompted.score_in(text) == score


def test_one_score_counts_for_all_criteria_and_each_has_its_own_otherwise():
    model, tell = Model(), lambda number: None
    one = prompted.readings(ONE_SCORE, [answer()], model, "m", None, tell)
    assert (model.asked, one[0].values, one[0].written) == (1, ((0.7,), (0.7,)), 8)
    each = prompted.readings(SCORE_EACH, [answer()], model, "m", None, tell)
    assert (model.asked, each[0].values, each[0].written) == (3, ((0.7,), (0.7,)), 16)
    (odds,) = prompted.readings(ODDS, [answer()], model, "m", None, tell)
    assert np.array(odds.values) == pytest.approx(np.full((2, 2), 2.3), abs=1e-5)


def test_worked_examples_stand_before_everything_and_are_of_other_questions():
    model = Model()
    (odds,) = prompted.readings(ODDS_SHOWN, [answer()], model, "m", None, lambda number: None)
    assert np.array(odds.values) == pytest.approx(np.full((2, 2), 2.3), abs=1e-5)
    assert {chat.system for chat in model.chats} == {prompted.with_examples()}
    for question, said, point, (makes, opposes) in prompted.WORKED:
        assert all(part in prompted.with_examples() for part in (question, said, point))
        assert (makes, opposes) != ("Yes", "Yes")
    asked = {question.text for question in load_bank()}
    assert asked.isdisjoint(question for question, *_ in prompted.WORKED)


def test_what_it_will_take_is_said_before_anything_is_asked():
    model, answers = Model(), [answer(), answer(text="Other.")]
    for way in (ONE_SCORE, SCORE_EACH):
        prompted.readings(way, answers, model, "m", None, lambda number: None)
    for way in (ODDS, ODDS_SHOWN):
        prompted.readings(way, answers, model, "m", None, lambda number: None)
    assert prompted.ahead(answers).startswith(f"About {model.asked} requests with ")


def test_what_was_said_is_kept_and_not_asked_again(tmp_path):
    model = Model("no idea")
    first = prompted.readings(SCORE_EACH, [answer()], model, "m", tmp_path, lambda number: None)
    again = prompted.readings(SCORE_EACH, [answer(), answer(text="Other.")], model, "m", tmp_path, lambda number: None)
    assert again[0] == first[0]
    assert model.asked == 4
    assert np.isnan(prompted.features(first)).all()
    (file,) = tmp_path.iterdir()
    assert len([json.loads(line) for line in file.read_text().splitlines()]) == 2


def test_a_sample_holds_whole_questions_and_is_the_same_again():
    answers = [answer(f"q{number % 5}", str(number)) for number in range(20)]
    places = prompted.sampled(answers, 7)
    assert len(places) == 8
    assert len({answers[place].question_id for place in places}) == 2
    assert places == prompted.sampled(answers, 7)
    assert prompted.sampled(answers, None) == list(range(20))
