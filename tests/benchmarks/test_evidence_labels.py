"""The labels of evidence belong to answers and criteria that are there, and their words to the answers."""

import json

from tests.benchmarks.bank_answers import read_bank_answers
from tests.benchmarks.evidence import COUNT, LABELS


def test_every_label_is_about_words_of_its_answer():
    answers = {(each.question_id, each.style): each for each in read_bank_answers()}
    rows = [json.loads(line) for line in LABELS.read_text(encoding="utf-8").splitlines()]
    assert len({(row["question"], row["style"], row["criterion"]) for row in rows}) == COUNT
    for row in rows:
        answer = answers[row["question"], row["style"]]
        assert row["criterion"] in {item.id for item in answer.criteria}
        assert row["shown"]
        assert all(quote in answer.text for quote in row["shown"])
