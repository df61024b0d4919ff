"""Our labeled answers: complete, labeled with the words that labels rest on, and in nobody else's words."""

import re
from collections import Counter
from pathlib import Path

import pytest

from knowledge.bank.parser import bank_criteria, load_bank
from rubric.model import Verdict
from rubric.training.labeled_answers import (
    BY_FOUR_HANDS,
    BY_FOUR_MORE_HANDS,
    BY_THREE_HANDS,
    IN_FIVE_MANNERS,
    TO_HELD_OUT_QUESTIONS,
    Answer,
    read_rows,
)
from rubric.training.reader.corpus import HELD_OUT, held_out, quoted
from rubric.training.reader.sources import OURS, BankQuestion, entries
from rubric.training.unseen_answers import unseen
from tests.benchmarks.bank_answers import MEASURED, read_bank_answers
from tests.rubric.doubles import BagOfWords

COPIED = 10
"""Words in a row that nobody says twice by chance."""
CREDITED = {Verdict.MET, Verdict.PARTIAL}


@pytest.fixture(
    scope="module",
    params=[IN_FIVE_MANNERS, BY_THREE_HANDS, BY_FOUR_HANDS, BY_FOUR_MORE_HANDS, TO_HELD_OUT_QUESTIONS],
    ids=lambda path: path.stem,
)
def path(request: pytest.FixtureRequest) -> Path:
    """Each of the files that tell the words a label rests on."""
    return request.param


@pytest.fixture(scope="module")
def answers(path: Path) -> list[Answer]:
    """Read with the bank's criteria: labels that are not exactly theirs are refused."""
    return read_bank_answers(path)


def test_every_question_is_answered_once_in_each_manner():
    answers = read_bank_answers(IN_FIVE_MANNERS)
    styles = {answer.style for answer in answers}
    questions = {answer.question_id for answer in answers}
    assert len(styles) == 5
    assert len(questions) >= 60
    assert Counter((each.question_id, each.style) for each in answers) == {(q, s): 1 for q in questions for s in styles}
    assert len({answer.text for answer in answers}) == len(answers) >= 300


def test_answers_are_as_long_as_people_speak(answers):
    assert all(60 <= len(answer.text.split()) <= 220 for answer in answers)
    assert not any("\n" in answer.text or "•" in answer.text for answer in answers)


def test_every_verdict_is_common(path, answers):
    labels = Counter(label for answer in answers for label in answer.labels)
    shares = {label: count / labels.total() for label, count in labels.items()}
    assert min(shares[Verdict.PARTIAL], shares[Verdict.CONTRADICTED], shares[Verdict.MISSING]) >= 0.15
    assert shares[Verdict.MET] >= {IN_FIVE_MANNERS: 0.3}.get(path, 0.25)


def test_the_manner_does_not_give_the_label_away():
    answers = read_bank_answers(IN_FIVE_MANNERS)
    for style in {answer.style for answer in answers}:
        labels = Counter(label for answer in answers if answer.style == style for label in answer.labels)
        assert 0.4 < sum(labels[label] for label in CREDITED) / labels.total() < 0.75
        assert max(labels.values()) / labels.total() < 0.55
        assert labels[Verdict.CONTRADICTED] / labels.total() > 0.15


@pytest.mark.parametrize(
    ("path", "count"), [(BY_THREE_HANDS, 400), (BY_FOUR_HANDS, 330), (BY_FOUR_MORE_HANDS, 280)], ids=str
)
def test_right_and_wrong_are_mixed_within_an_answer(path, count):
    answers = read_bank_answers(path)
    mixed = [CREDITED & set(each.labels) and set(each.labels) - CREDITED for each in answers]
    assert sum(map(bool, mixed)) / len(mixed) > 0.9
    assert len({answer.text for answer in answers}) == len(answers) >= count


def test_labels_quote_the_words_they_rest_on(path):
    for row in read_rows(path):
        for answer in row["answers"]:
            text = answer["text"]
            assert answer["why"].keys() == answer["labels"].keys()
            for criterion, why in answer["why"].items():
                found = quoted(text, [(0, len(text))], why)
                assert found or ("“" not in why and answer["labels"][criterion] == "missing"), (row["id"], why)


def test_what_is_measured_on_is_not_among_them(answers):
    assert not {each.question_id for each in answers} & {each.question_id for each in read_bank_answers(MEASURED)}


def runs(text: str) -> set[tuple[str, ...]]:
    """All runs of words of the length that counts as copied."""
    words = re.findall(r"[a-z0-9']+", text.lower())
    return {tuple(words[place : place + COPIED]) for place in range(len(words) - COPIED + 1)}


def written() -> dict[str, set[tuple[str, ...]]]:
    """All runs of words of the bank's references, criteria and statements, by question."""
    found = {}
    for question in load_bank():
        texts = [question.reference]
        for item in question.rubric.criteria if question.rubric else ():
            texts += [item.text, *item.examples.met, *item.examples.contradicted, *item.examples.near]
        found[question.id] = set().union(*map(runs, texts))
    return found


def test_nothing_is_copied_from_the_bank(answers):
    theirs = written()
    assert {each.question_id: both for each in answers if (both := runs(each.text) & theirs[each.question_id])} == {}


def test_no_layer_learns_from_answers_to_held_out_questions():
    assert TO_HELD_OUT_QUESTIONS not in OURS
    asked = {row["id"] for row in read_rows(TO_HELD_OUT_QUESTIONS)}
    assert len(asked) >= 20
    assert all(held_out(each, HELD_OUT["bank"]) for each in asked)
    assert asked <= {each.question_id for each in unseen(bank_criteria())}


def test_the_reader_is_fitted_to_all_our_answers():
    question = next(held for held in load_bank() if held.id == "one-gpu-to-many")
    asked = BankQuestion(question.text, question.rubric.criteria, "")
    (found,) = entries({question.id: asked}, None, BagOfWords())
    ours = [
        answer["text"]
        for path in OURS
        for row in read_rows(path)
        for answer in row["answers"]
        if row["id"] == question.id
    ]
    assert len(ours) == 9
    assert IN_FIVE_MANNERS in OURS
    read = [sum(each.kind == "answer" for each in point.excerpts) for point in found.points]
    assert max(read) == len(ours)
    assert any(excerpt.kind == "left out" for point in found.points for excerpt in point.excerpts)
