"""Answers of others are measured on as far as their labels still are of the bank's criteria."""

from __future__ import annotations

import json
from pathlib import Path

from knowledge.bank.parser import bank_criteria
from tests.benchmarks.bank_answers import MEASURED, read_bank_answers, still_labeled


def test_our_own_are_all_of_the_criteria_of_now() -> None:
    assert still_labeled(MEASURED) == (read_bank_answers(), 0)


def test_answers_to_changed_criteria_are_left_out_and_counted(tmp_path: Path) -> None:
    name, (_, criteria) = next(iter(bank_criteria().items()))
    labels = {item.id: "met" for item in criteria}
    rows = [
        {"id": name, "answers": [{"style": "plain", "text": "It is so.", "labels": labels}]},
        {"id": name, "answers": [{"style": "plain", "text": "It was so.", "labels": labels | {"gone": "met"}}]},
        {"id": "no-such-question", "answers": [{"style": "plain", "text": "So it is.", "labels": {"c1": "met"}}]},
    ]
    path = tmp_path / "others.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    answers, others = still_labeled(path)
    assert ([each.text for each in answers], others) == (["It is so."], 2)
