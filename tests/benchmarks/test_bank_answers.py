"""Answers of others are measured on as far as their labels still are of the bank's criteria."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from knowledge.bank.parser import bank_criteria
from rubric.model import Verdict
from tests.benchmarks.bank_answers import MEASURED, read_bank_answers, still_labeled


def test_our_own_are_all_of_the_criteria_of_now() -> None:
    assert still_labeled(MEASURED) == (read_bank_answers(), 0)


def test_labels_of_changed_criteria_are_left_out_and_counted(tmp_path: Path) -> None:
    name, (_, criteria) = next(iter(bank_criteria().items()))
    first, *others = criteria
    labels = {item.id: "met" for item in criteria}
    rows = [
        {"id": name, "answers": [{"style": "plain", "text": "It is so.", "labels": labels | {"gone": "met"}}]},
        {
            "id": name,
            "criteria": {first.id: "It said something else."},
            "answers": [{"style": "plain", "text": "It was so.", "labels": labels}],
        },
        {"id": "no-such-question", "answers": [{"style": "plain", "text": "So it is.", "labels": {"c1": "met"}}]},
    ]
    path = tmp_path / "others.jsonl"
    write(path, rows)
    answers, left_out = still_labeled(path)
    assert [(each.text, each.criteria) for each in answers] == [("It is so.", criteria), ("It was so.", tuple(others))]
    assert left_out == 3


def test_a_reworded_criterion_may_be_labeled_anew(tmp_path: Path) -> None:
    name, (_, criteria) = next(iter(bank_criteria().items()))
    first = criteria[0]
    answers = [{"style": "plain", "text": text, "labels": {first.id: "met"}} for text in ("It is so.", "It was so.")]
    path, anew = tmp_path / "others.jsonl", tmp_path / "anew.jsonl"
    write(path, [{"id": name, "criteria": {first.id: "It said something else."}, "answers": answers}])
    row = {"file": path.name, "id": name, "criteria": {first.id: first.text}}
    write(anew, [row | {"labels": [{first.id: "missing"}, {first.id: "contradicted"}]}])
    found, left_out = still_labeled(path, anew)
    assert [each.labels for each in found] == [(Verdict.MISSING,), (Verdict.CONTRADICTED,)]
    assert not left_out
    write(anew, [row | {"labels": [{first.id: "missing"}]}])
    with pytest.raises(ValueError, match="are of 1 answers"):
        still_labeled(path, anew)


def write(path: Path, rows: list[dict[str, object]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
