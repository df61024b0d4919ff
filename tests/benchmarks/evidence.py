"""Whether a reader accepts the words that are shown for credit: ``python -m tests.benchmarks.evidence``.

``evidence_labels.jsonl`` holds 100 credited criteria of our answers to the bank, drawn at random among all that the
judge credited, rightly or not, each with the sentences that were shown and whether a reader accepts them as where the
answer makes the point, wholly or in part. A reader accepts nothing for a point that is not made. The sentences are
selected here again; where they are others now, the old label says nothing about them, and they are listed to be read.
``--draw`` draws a new sample to be labeled (it needs the judge, or its states in ``--keep``).
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path
from typing import NamedTuple

import numpy as np

from interviewer.cli.container import Container
from rubric.grading.evidence import select
from rubric.grading.signals import signals, view
from rubric.grading.state_head import CLASSES, load
from rubric.model import Span, Verdict
from rubric.training import fit_state_head
from rubric.training.labeled_answers import Answer
from serving.encoders.sentence_encoder import Embedder
from tests.benchmarks.bank_answers import read_bank_answers
from tests.benchmarks.states import read

LABELS = Path(__file__).parent / "evidence_labels.jsonl"
COUNT = 100
CREDITED = {Verdict.MET, Verdict.PARTIAL}


class Shown(NamedTuple):
    """A credited criterion of an answer with the words that are shown for it.

    Attributes:
        answer: whose words they are.
        place: of the criterion in its rubric.
        spans: selected sentences.

    """

    answer: Answer
    place: int
    spans: tuple[Span, ...]

    @property
    def key(self) -> tuple[str, str, str]:
        """What is labeled: question, manner, criterion."""
        return self.answer.question_id, self.answer.style, self.answer.criteria[self.place].id

    @property
    def quotes(self) -> list[str]:
        """The words shown."""
        return [self.answer.text[a:b] for a, b in self.spans]


def shown(answer: Answer, place: int, embedder: Embedder) -> Shown:
    """The words that are shown where a criterion is credited; they depend on the sentence encoder alone."""
    seen = view(answer.text, embedder)
    found = signals(seen, answer.question, answer.criteria[place], embedder)
    return Shown(answer, place, select(seen.spans, found.closeness))


def draw(keep: Path | None) -> None:
    """Print a sample to be labeled, a line of JSON each."""
    answers = read_bank_answers()
    (data,) = read((("answers to the bank", answers),), keep)
    verdicts = [CLASSES[n] for n in fit_state_head.predict(load(), data).argmax(axis=1)]
    places = [(n, place) for n, answer in enumerate(answers) for place in range(len(answer.criteria))]
    credited = [each for each, verdict in zip(places, verdicts, strict=True) if verdict in CREDITED]
    container = Container()
    for number, place in sorted(random.Random(0).sample(credited, COUNT)):
        one = shown(answers[number], place, container.statement_encoder)
        question, style, criterion = one.key
        row = {
            "question": question,
            "style": style,
            "criterion": criterion,
            "point": one.answer.criteria[place].text,
            "label": str(one.answer.labels[place]),
            "shown": one.quotes,
        }
        print(json.dumps(row, ensure_ascii=False))


def measure() -> tuple[list[bool], list[bool], list[Shown]]:
    """The labels of what is still shown: of all, of those points that are made; and what is shown otherwise now."""
    answers = {(each.question_id, each.style): each for each in read_bank_answers()}
    everything, made, others = [], [], []
    container = Container()
    container.embedding_model()
    for row in (json.loads(line) for line in LABELS.read_text(encoding="utf-8").splitlines()):
        answer = answers[row["question"], row["style"]]
        place = [item.id for item in answer.criteria].index(row["criterion"])
        one = shown(answer, place, container.statement_encoder)
        if one.quotes != row["shown"]:
            others.append(one)
            continue
        everything.append(row["accepted"])
        if answer.labels[place] in CREDITED:
            made.append(row["accepted"])
    return everything, made, others


def main() -> None:
    """Print the shares."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draw", action="store_true", help="print a sample to be labeled")
    parser.add_argument("--keep", type=Path, help="folder with states that were kept")
    arguments = parser.parse_args()
    if arguments.draw:
        draw(arguments.keep)
        return
    everything, made, others = measure()
    print(f"accepted: {sum(everything)} of {len(everything)} credited criteria ({np.mean(everything):.0%})")
    print(f"… of points that the answer makes by its label: {sum(made)} of {len(made)} ({np.mean(made):.0%})")
    for one in others:
        print(f"shown otherwise now, to be labeled again: {one.key} {one.quotes}")


if __name__ == "__main__":
    main()
