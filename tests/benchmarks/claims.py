"""Which statements of answers are doubted: ``python -m tests.benchmarks.claims``; prints a table.

Our labeled answers to questions of the bank (``bank_answers.jsonl``, never fitted to; with ``--others FILE`` those of
other writers) are read as in an interview. Of a claim that a point of the same question speaks against, the label of
that point says whether it is one; those on points of other questions are counted, and printed with ``--list``
for somebody to read. The answers were written to contradict many of their points, so that more is doubted here than
in an interview.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from interviewer.cli.container import Container, claim_reader
from interviewer.cli.output import shown
from interviewer.session.events import DoubtedClaim
from knowledge.bank.parser import load_bank
from rubric.model import Rubric, Verdict
from rubric.training.labeled_answers import Answer
from tests.benchmarks.bank_answers import read_bank_answers, still_labeled

ELSEWHERE = "a point of another question"


def labels(answer: Answer, claims: Iterable[DoubtedClaim]) -> list[str]:
    """What the labels of an answer say of its doubted statements."""
    by_id = {point.id: label for point, label in zip(answer.criteria, answer.labels, strict=True)}
    return [
        by_id[claim.criterion_id].value
        if claim.question_id == answer.question_id and claim.criterion_id in by_id
        else ELSEWHERE
        for claim in claims
    ]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--others", type=Path, help="labeled answers of other writers in place of ours")
    parser.add_argument("--list", action="store_true", help="print each doubted statement beside its point")
    wanted = parser.parse_args()
    answers = list(still_labeled(wanted.others)[0] if wanted.others else read_bank_answers())
    questions = {question.id: question for question in load_bank()}
    container = Container()
    counted: Counter[str] = Counter()
    with_one = with_claim = 0
    try:
        container.embedding_model()
        container.judge()
        library = container.library()
        library.catch_up()
        reader = claim_reader(container, library)
        with shown("Reading statements") as tell:
            for number, answer in enumerate(answers, start=1):
                rubric = Rubric(criteria=answer.criteria, origin="bank")
                asked = questions[answer.question_id].model_copy(update={"rubric": rubric})
                claims = reader.doubted(asked, answer.text)
                found = labels(answer, claims)
                counted.update(found)
                contradicted = Verdict.CONTRADICTED in answer.labels
                with_one += contradicted
                with_claim += contradicted and bool(claims)
                if wanted.list:
                    for claim, label in zip(claims, found, strict=True):
                        print(f"{claim.opposed:.2f} {label}: {answer.text[slice(*claim.span)]}\n    {claim.point}")
                tell(f"{number} of {len(answers)}", number / len(answers))
    finally:
        container.close()
    print("| doubted statements, by the label of the point that speaks against them | |\n|---|---|")
    for name, count in counted.most_common():
        print(f"| {name} | {count} |")
    print(f"\n{with_claim} of {with_one} answers that contradict a point have a doubted statement.")


if __name__ == "__main__":
    main()
