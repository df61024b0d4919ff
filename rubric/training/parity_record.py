"""Records what the judge makes of some answers on a CPU, for cards to be compared with (``make parity``)."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from rubric.fitted_weights import PARITY
from rubric.grading.parity import DIGITS, Record, RecordedAnswer
from rubric.grading.state_head import Head
from rubric.training.fit_state_head import Table, predict
from rubric.training.labeled_answers import Answer
from serving.arrays import FloatArray
from serving.atomic import replacement

PROMPTS = 300
"""Enough that one prompt which changes sides is within what is allowed, and two are not."""


def chosen(answers: Sequence[Answer], prompts: int = PROMPTS) -> list[Answer]:
    """Some of the answers, evenly over all of them, with so many criteria together or a few more."""
    each = sum(len(answer.criteria) for answer in answers) / max(1, len(answers))
    wanted = min(len(answers), round(prompts / max(1.0, each)) + 1)
    places = np.linspace(0, len(answers) - 1, wanted).round().astype(int)
    return [answers[place] for place in places]


def recorded(answers: Sequence[Answer], samples: Table, head: Head, judge: str, made_on: dict[str, str]) -> Record:
    """What a head made of the states of answers.

    Args:
        answers: as ``samples`` were read from.
        samples: their states and signals.
        head: as it is stored.
        judge: SHA-256 of what the judge's checkpoint was made from.
        made_on: the device and versions.

    """
    text, examples = _rounded(samples.text), _rounded(samples.examples)
    chances = predict(head, samples._replace(text=text, examples=examples))
    rows = []
    for number, answer in enumerate(answers):
        mine = np.flatnonzero(samples.answers == number)
        rows.append(
            RecordedAnswer(
                question=answer.question,
                criteria=tuple(item.text for item in answer.criteria),
                excerpts=tuple(samples.excerpts[place] for place in mine),
                text=tuple(_row(text[place]) for place in mine),
                examples=tuple(None if np.isnan(examples[place, 0]) else _row(examples[place]) for place in mine),
                chances=tuple(_row(chances[place]) for place in mine),
            )
        )
    return Record(head=head.version, judge=judge, made_on=made_on, answers=tuple(rows))


def save(record: Record, path: Path = PARITY) -> None:
    """Write a record; the same record gives the same file."""
    with replacement(path) as partial:
        partial.write_bytes(gzip.compress(record.model_dump_json().encode(), mtime=0))


def _rounded(values: FloatArray) -> FloatArray:
    result: FloatArray = values.round(DIGITS).astype(np.float32)
    return result


def _row(values: FloatArray) -> tuple[float, ...]:
    return tuple(round(float(value), DIGITS) for value in values)
