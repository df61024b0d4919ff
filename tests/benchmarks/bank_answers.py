"""Our own labelled answers to questions of the bank: what any judge can be measured on in minutes.

``bank_answers.jsonl``: 42 questions, four answers each, every answer labelled criterion by criterion. Each answer mixes
met and unmet points in one manner (textbook, plain, rambling, confident), spread over the criteria, so that the manner
tells nothing about a label. Whoever wrote them had not seen the criteria's example statements, and a second reader who
had not seen the labels gave the same one to 862 of the 864. Nothing is ever fitted to them.
"""

from __future__ import annotations

import json
from pathlib import Path

from knowledge.bank import load_bank
from rubric.model import Verdict
from rubric.samples import Answer

MEASURED = Path(__file__).parent / "bank_answers.jsonl"
FOR_FITTING = Path(__file__).parent / "bank_answers_for_fitting.jsonl"


def read_bank_answers(path: Path = MEASURED) -> list[Answer]:
    """The answers, with the criteria and statements that the bank has now.

    Raises:
        ValueError: an answer's labels are not those of its question's criteria.

    """
    bank = {held.id: held for held in load_bank()}
    answers = []
    for row in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
        held = bank[row["id"]]
        criteria = held.rubric.criteria if held.rubric else ()
        for each in row["answers"]:
            if set(each["labels"]) != {item.id for item in criteria}:
                raise ValueError(f"{path.name}: the labels of an answer to {held.id} are not those of its criteria.")
            answers.append(
                Answer(
                    question_id=held.id,
                    question=held.text,
                    criteria=criteria,
                    style=each["style"],
                    family="bank",
                    text=each["text"],
                    labels=tuple(Verdict(each["labels"][item.id]) for item in criteria),
                )
            )
    return answers
