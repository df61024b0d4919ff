"""Public sets: what is read of them, and figures that hold questions apart."""

import json

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression

from rubric.model import Verdict
from rubric.training import fit_state_head
from tests.benchmarks import public
from tests.benchmarks.figures import scores


def test_a_sample_is_spread_over_questions_and_the_same_again(tmp_path):
    rows = [{"question": f"q{n % 8}", "reference": None, "answer": "", "score": 0.5} for n in range(160)]
    path = tmp_path / "set.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows))
    some = public.sample(path, 20)
    assert len(some) == 20
    assert len({row["question"] for row in some}) == 4
    assert some == public.sample(path, 20)
    answer = public.answer_of(some[0])
    assert answer.criteria[0].text == answer.question
    assert answer.labels == (Verdict.PARTIAL,)


@pytest.mark.parametrize(
    ("score", "verdict"), [(1.0, Verdict.MET), (0.7, Verdict.PARTIAL), (0.25, Verdict.PARTIAL), (0.2, Verdict.MISSING)]
)
def test_a_mark_is_the_verdict_that_earns_nearest_to_it(score, verdict):
    assert public.nearest(score) is verdict


def test_a_reference_is_asked_point_by_point_where_it_has_points():
    reference = "Weight decay shrinks the weights at each step. Momentum averages the gradients of earlier steps."
    row = {
        "question": "What do weight decay and momentum do?",
        "reference": reference,
        "answer": "They help.",
        "score": 1,
    }
    split = public.by_points(public.answer_of(row))
    assert [item.text for item in split.criteria] == reference.replace(". ", ".|").split("|")
    assert split.labels == (Verdict.MET, Verdict.MET)
    for reference in (None, "```python\nx = 1\n```"):
        none = public.answer_of(row | {"reference": reference})
        assert public.by_points(none) is none


def test_points_count_by_their_weight_in_the_score_of_an_answer():
    table = fit_state_head.Table(
        states=np.zeros((3, 1)),
        excerpts=(("",),) * 3,
        text=np.zeros((3, 1)),
        examples=np.zeros((3, 1)),
        labels=np.zeros(3, dtype=np.int64),
        weights=np.ones(3),
        questions=("a", "a", "b"),
        answers=np.array([0, 0, 1]),
        credit_weights=np.array([3.0, 1.0, 2.0]),
    )
    chances = np.array([[1.0, 0, 0, 0], [0, 0, 1.0, 0], [0, 1.0, 0, 0]])
    ours, _ = scores(table, chances, np.arange(3))
    assert ours == pytest.approx([0.75, 0.5])


def test_weighted_kappa_is_one_for_the_same_marks_and_forgives_near_ones():
    marks = np.array([0.0, 0.2, 0.4, 0.6, 0.8, 1.0])
    assert public.qwk(marks, marks) == 1
    assert 0.8 < public.qwk(marks * 0.8, marks) < 1
    assert public.qwk(1 - marks, marks) == pytest.approx(-1)


def test_no_question_is_predicted_by_its_own_marks():
    draw = np.random.default_rng(0)
    features, target = draw.normal(size=(60, 2)), draw.normal(size=60)
    questions = tuple(f"q{n // 6}" for n in range(60))
    one = np.array([question == "q3" for question in questions])
    before = public.left_out(features, target, questions, LinearRegression)
    after = public.left_out(features, np.where(one, 9.0, target), questions, LinearRegression)
    assert (before[one] == after[one]).all()
    assert (before[~one] != after[~one]).any()


def test_met_and_partial_are_correct():
    assert public.three(np.array([[0.3, 0.3, 0.2, 0.2]])) == pytest.approx(np.array([[0.6, 0.2, 0.2]]))
