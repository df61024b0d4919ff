"""Our own labeled answers: complete, apart from each other, and of manners that do not give the label away."""

import json
from collections import Counter

import pytest

from rubric.model import Criterion, Verdict
from rubric.training import labeled_answers
from tests.benchmarks.bank_answers import FOR_FITTING, MEASURED, read_bank_answers


@pytest.mark.parametrize("path", [MEASURED, FOR_FITTING])
def test_every_answer_is_labeled_and_every_verdict_is_common(path):
    answers = read_bank_answers(path)
    labels = Counter(label for answer in answers for label in answer.labels)
    assert len(answers) >= 160
    assert all(labels[name] > 0.1 * labels.total() for name in Verdict if name is not Verdict.UNSCORED)
    assert len({answer.text for answer in answers}) == len(answers)


def test_what_is_measured_on_is_never_fitted_to():
    measured, fitted = ({answer.question_id for answer in read_bank_answers(path)} for path in (MEASURED, FOR_FITTING))
    assert not measured & fitted


@pytest.mark.parametrize("path", [MEASURED, FOR_FITTING])
def test_no_manner_goes_with_the_mark(path):
    share = {}
    for style in {answer.style for answer in read_bank_answers(path)} - {"hostile"}:
        labels = [label for answer in read_bank_answers(path) if answer.style == style for label in answer.labels]
        share[style] = sum(label in {Verdict.MET, Verdict.PARTIAL} for label in labels) / len(labels)
    mixed = [value for style, value in share.items() if "mixed" in style]
    assert len(mixed) == 3
    assert max(mixed) - min(mixed) < 0.15
    assert all(0.2 < value < 0.8 for value in share.values())


def test_a_criterion_that_came_later_is_left_out_and_one_that_went_is_refused(tmp_path):
    old, new = (Criterion(id=name, text=f"It says {name}.") for name in ("old", "new"))
    path = tmp_path / "answers.jsonl"
    row = {"id": "q", "answers": [{"style": "plain", "text": "Hm.", "labels": {"old": "met"}}]}
    path.write_text(json.dumps(row))
    (answer,) = labeled_answers.read_bank_answers(path, {"q": ("What?", (old, new))})
    assert [point.id for point in answer.criteria] == ["old"]
    assert answer.labels == (Verdict.MET,)
    with pytest.raises(ValueError, match="not those of its criteria"):
        labeled_answers.read_bank_answers(path, {"q": ("What?", (new,))})
