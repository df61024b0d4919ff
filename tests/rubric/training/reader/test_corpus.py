"""The corpus holds what its sources say, with excerpts that are labeled as their answers are."""

from __future__ import annotations

import json

import pytest

from knowledge.bank.parser import load_bank
from rubric.grading.evidence import sentences
from rubric.model import Criterion, Examples, Verdict
from rubric.training.labeled_answers import BANK_ANSWERS, Answer, read_rows
from rubric.training.reader import corpus
from rubric.training.reader.sources import BankQuestion, bank_entries
from tests.rubric.doubles import BagOfWords

CRITERIA = (
    Criterion(
        id="c1",
        text="Gradients are averaged over ranks because each rank reads other data.",
        examples=Examples(
            met=("Ranks average their gradients.",),
            contradicted=("Ranks keep their own gradients.",),
            near=("Ranks have gradients.",),
        ),
    ),
    Criterion(
        id="c2",
        text="Buckets let communication overlap with backward.",
        examples=Examples(
            met=("Communication overlaps with backward.", "Ranks average their gradients now."),
            contradicted=("Communication waits for backward.",),
            near=("There is backward.",),
        ),
    ),
)
TEXT = "I like tea. Gradients are averaged over ranks. Nothing overlaps, it waits. Then I had cake."


def answer(text: str = TEXT, labels=(Verdict.MET, Verdict.CONTRADICTED)) -> Answer:
    return Answer(
        question_id="q", question="How?", criteria=CRITERIA, style="", family="bank", text=text, labels=labels
    )


def made(**more) -> corpus.Entry:
    return corpus.entry("q", "bank", "How?", CRITERIA, [answer()], embedder=BagOfWords(), **more)


def words(entry: corpus.Entry, place: int, kind: str) -> list[str]:
    return [item.words for item in entry.points[place].excerpts if item.kind == kind]


def test_excerpts_of_an_answer_have_its_labels():
    found = made()
    assert [item.allowed for point in found.points for item in point.excerpts] == [
        (Verdict.MET,),
        (Verdict.CONTRADICTED,),
    ]
    assert "Gradients are averaged over ranks." in words(found, 0, "answer")[0]


def test_the_reference_makes_every_point():
    found = made(reference="Gradients are `averaged`.\n\n```python\nx = 1\n```\nBuckets overlap.")
    read = [item for point in found.points for item in point.excerpts if item.kind == "reference"]
    assert [item.allowed for item in read] == [(Verdict.MET,)] * 2
    assert "Gradients are averaged." in read[0].words
    assert "Buckets overlap." in read[1].words
    assert not any("x = 1" in item.words for item in read)


def test_without_the_words_that_a_label_rests_on_the_point_is_missing():
    why = {TEXT: {"c1": "“averaged over ranks”", "c2": "it says “nothing OVERLAPS”, and that it waits"}}
    found = made(reasons=why)
    left = [item for item in found.points[0].excerpts if item.kind == "left out"]
    assert [item.allowed for item in left] == [(Verdict.MISSING, Verdict.PARTIAL)]
    assert "averaged" not in left[0].words
    assert words(found, 0, "evidence") in ([], ["Gradients are averaged over ranks."])
    evidence = [item for item in found.points[1].excerpts if item.kind == "evidence"]
    assert all("overlaps" in item.words and item.allowed == (Verdict.CONTRADICTED,) for item in evidence)


@pytest.mark.parametrize(
    ("why", "found"),
    [
        ("“I like tea”", {0}),
        ("says “over ranks. Nothing overlaps”", {1, 2}),
        ('says "I like tea" and “cake”', {0, 3}),
        ("it’s not there", None),
        ("“I like tea” and “something else”", None),
    ],
)
def test_the_sentences_that_a_reason_quotes_are_found(why, found):
    assert corpus.quoted(TEXT, sentences(TEXT), why) == found


def test_statements_that_may_make_the_point_too_are_no_distractors():
    found = corpus.distractors(CRITERIA[0], CRITERIA, BagOfWords())
    assert "Ranks average their gradients now." not in found
    assert "Communication overlaps with backward." in found
    assert not set(found) & {*CRITERIA[0].examples.met, *CRITERIA[0].examples.contradicted}
    assert corpus.distractors(CRITERIA[0], CRITERIA[:1], BagOfWords()) == ()


def test_parts_of_a_point_of_two_parts_lack_the_second():
    (part,) = corpus.parts_of(CRITERIA[0], BagOfWords())
    assert part == "Gradients are averaged over ranks."
    assert corpus.parts_of(CRITERIA[1], BagOfWords()) == ()


def test_school_answers_are_read_beside_the_nearest_reference():
    rows = [
        {
            "qid": "s",
            "question": "Why?",
            "references": ["the gap is open", "the lamp is broken"],
            "answer": text,
            "label": label,
        }
        for text, label in (("lamp broken", "correct"), ("the gap", "incorrect"), ("the lamp is fine", "contradictory"))
    ]
    (found,) = corpus.semeval_entries(rows, BagOfWords())
    gap, lamp = found.points
    assert [(item.words, item.allowed) for item in gap.excerpts] == [("the gap", (Verdict.PARTIAL, Verdict.MISSING))]
    assert {item.allowed for item in lamp.excerpts} == {(Verdict.MET,), (Verdict.CONTRADICTED,)}


def test_a_fifth_is_held_out_and_always_the_same():
    held = [number for number in range(2000) if corpus.held_out(f"question{number}", 5)]
    assert 330 < len(held) < 470
    assert held == [number for number in range(2000) if corpus.held_out(f"question{number}", 5)]


def test_a_corpus_is_read_as_it_was_written(tmp_path):
    entries = [made(reference="Gradients are averaged.")]
    corpus.save(entries, tmp_path / "corpus.jsonl")
    assert corpus.load(tmp_path / "corpus.jsonl") == entries


def test_labels_of_other_criteria_are_left_out(tmp_path):
    given = {"style": "", "text": TEXT, "labels": {"c1": "met", "c2": "missing"}}
    texts = {item.id: item.text for item in CRITERIA}
    rows = [
        {"id": "same", "answers": [given], "criteria": texts},
        {"id": "untold", "answers": [given]},
        {"id": "reworded", "answers": [given], "criteria": texts | {"c2": "Something else."}},
        {"id": "fewer", "answers": [given | {"labels": {"c1": "met"}}]},
        {"id": "more", "answers": [given | {"labels": {"c1": "met", "c2": "met", "c3": "met"}}]},
        {"id": "gone", "answers": [given]},
    ]
    path = tmp_path / "answers.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    names = ("same", "untold", "reworded", "fewer", "more", "new")
    questions = {name: BankQuestion("How?", CRITERIA, "") for name in names}
    found = {each.id: each for each in bank_entries(questions, [path], BagOfWords())}
    # A criterion that came later or was reworded has no label, and the words on the others teach all the same.
    assert {name: [len(point.excerpts) for point in each.points] for name, each in found.items()} == {
        **{key: [1, 1] for key in ("same", "untold", "more")},
        **{key: [1, 0] for key in ("reworded", "fewer")},
        "new": [0, 0],
    }


def test_an_answer_fits_where_only_the_spelling_of_a_criterion_changed(tmp_path):
    criteria = tuple(item.model_copy(update={"text": f"The optimizer is normalized, {item.id}."}) for item in CRITERIA)
    given = {"style": "", "text": TEXT, "labels": {"c1": "met", "c2": "missing"}}
    row = {
        "id": "q",
        "answers": [given],
        "criteria": {item.id: f"The optimiser is normalised, {item.id}." for item in criteria},
    }
    path = tmp_path / "answers.jsonl"
    path.write_text(json.dumps(row))
    (found,) = bank_entries({"q": BankQuestion("How?", criteria, "")}, [path], BagOfWords())
    assert [len(words(found, place, "answer")) for place in range(2)] == [1, 1]


def test_no_labeled_answer_of_ours_is_left_out():
    given = {row["id"]: row["answers"] for row in read_rows(BANK_ANSWERS)}
    questions = {held.id: held for held in load_bank() if held.id in given and held.rubric}
    assert set(questions) == set(given)
    for name, answers in given.items():
        known = {item.id for item in questions[name].rubric.criteria}
        assert all(set(each["labels"]) <= known for each in answers), name
