"""Stories and designs that are measured apart: labeled by their words, in nobody else's, and fitted to by nothing."""

from __future__ import annotations

from collections import Counter

from rubric.model import Verdict
from rubric.training.labeled_answers import BANK_ANSWERS, read_rows
from rubric.training.reader.corpus import HELD_OUT, held_out, quoted
from rubric.training.reader.sources import OURS
from tests.benchmarks.bank_answers import read_bank_answers, still_labeled
from tests.benchmarks.kinds import WRITTEN, bodies
from tests.rubric.training.test_our_answers import runs, written


def test_there_are_as_many_stories_as_designs_and_both_are_mixed() -> None:
    found = bodies()
    assert [len(answers) for answers in found.values()] == [20, 20, 20]
    for answers in found.values():
        labels = Counter(label for answer in answers for label in answer.labels)
        assert max(labels.values()) / labels.total() < 0.6
        assert set(labels) == {Verdict.MET, Verdict.PARTIAL, Verdict.MISSING, Verdict.CONTRADICTED}
    assert still_labeled(WRITTEN) == (read_bank_answers(WRITTEN), 0)


def test_each_label_rests_on_words_of_its_answer() -> None:
    for row in read_rows(WRITTEN):
        for answer in row["answers"]:
            assert 60 <= len(answer["text"].split()) <= 220
            for labeled in (answer, answer.get("story", answer)):
                assert labeled["why"].keys() == labeled["labels"].keys()
                for criterion, why in labeled["why"].items():
                    text = answer["text"]
                    assert quoted(text, [(0, len(text))], why) or labeled["labels"][criterion] == "missing"


LEARNED = "design-ranking-pipeline"
"""The one question among them from whose (other) answers layers have learned."""


def test_no_layer_has_learned_from_answers_to_their_questions_but_one() -> None:
    asked = {row["id"] for row in read_rows(WRITTEN)}
    learned = {row["id"] for path in (*OURS, BANK_ANSWERS) for row in read_rows(path)}
    assert {name for name in asked & learned if not held_out(name, HELD_OUT["bank"])} == {LEARNED}


def test_nothing_is_copied_from_the_bank() -> None:
    theirs = written()
    assert {
        each.question_id for each in read_bank_answers(WRITTEN) if runs(each.text) & theirs[each.question_id]
    } == set()
