"""Which follow-ups ask for what was said: ``make follow-up-bench``; prints a Markdown table.

Labeled answers to questions of the bank are graded as in an interview, and each point of them is drilled as if nothing
else were open. Told apart is how it would be asked about, and what the label says of it: a follow-up that asks for a
point that was made asks for what was said, and one that speaks of a contradiction tells somebody right that they are
wrong. Measured are our own answers (``bank_answers.jsonl``), which nothing is ever fitted to, and with
``--others FILE`` those of other writers. What was graded is kept in the folder given with ``--keep``, so that a
measurement that was stopped goes on and a change of the policy grades nothing again.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path

from interviewer.cli.container import Container
from interviewer.cli.output import shown
from interviewer.engine.answer_reader import AnswerReader
from interviewer.policy.follow_ups import next_follow_up, says_it
from interviewer.session.events import NearestWords
from interviewer.session.follow_up_kinds import FollowUpKind
from knowledge.bank.parser import load_bank
from knowledge.model import Question
from rubric.grading.grader import GradeRequest
from rubric.grading.judges.state_head import StateJudge
from rubric.grading.state_head import load
from rubric.model import Grade, Rubric, Verdict
from rubric.training.labeled_answers import Answer
from serving.frozen import FrozenModel
from tests.benchmarks.bank_answers import read_bank_answers, still_labeled


class AskedAs(StrEnum):
    """How a point is asked about."""

    CONTRADICTION = "as a contradiction"
    PROBE = "by its own question"
    PROBE_AFTER = "by its own question, after their words"
    PARTIAL = "as half made"
    WORDS = "by what they mean by their words"
    NOT = "not at all"
    OTHER = "otherwise"


class Heard(FrozenModel):
    """An answer as it is heard in an interview.

    Attributes:
        key: question, manner and text in one digest.
        grade: its marks.
        nearest: its words that come nearest to each point.

    """

    key: str
    grade: Grade
    nearest: tuple[NearestWords, ...]


class Point(FrozenModel):
    """A point of an answer: its label, and how it is asked about."""

    label: Verdict
    asked_as: AskedAs


def key_of(answer: Answer) -> str:
    """What an answer is kept under."""
    ids = [criterion.id for criterion in answer.criteria]
    return hashlib.sha256(repr((answer.question_id, answer.style, answer.text, ids)).encode()).hexdigest()[:20]


def hear(container: Container, question: Question, answer: Answer) -> Heard:
    """Grade an answer, and find the words that come near to each point."""
    rubric = Rubric(criteria=answer.criteria, origin="bank")
    grade = container.grader.grade(GradeRequest(question=answer.question, rubric=rubric, answer=answer.text))
    asked = question.model_copy(update={"rubric": rubric})
    nearest = AnswerReader(container.statement_encoder).nearest(asked, answer.text, grade)
    return Heard(key=key_of(answer), grade=grade, nearest=nearest)


def asked_as(question: Question, answer: Answer, heard: Heard, criterion_id: str) -> AskedAs:
    """How one point would be asked about, were all others drilled already. Pure."""
    asked = question.model_copy(update={"rubric": Rubric(criteria=answer.criteria, origin="bank")})
    others = {criterion.id for criterion in answer.criteria} - {criterion_id}
    found = next_follow_up(
        asked, heard.grade, drilled=others, left=1, text=answer.text, nearest=heard.nearest, deeper=None
    )
    if found is None:
        return AskedAs.NOT
    if found.kind is FollowUpKind.UNSURE and not says_it(heard.nearest, criterion_id):
        return AskedAs.PROBE_AFTER
    return {
        FollowUpKind.CONTRADICTION: AskedAs.CONTRADICTION,
        FollowUpKind.MISSING: AskedAs.PROBE,
        FollowUpKind.PARTIAL: AskedAs.PARTIAL,
        FollowUpKind.UNSURE: AskedAs.WORDS,
    }.get(found.kind, AskedAs.OTHER)


def heard_before(path: Path | None) -> dict[str, Heard]:
    """What was graded in earlier runs."""
    if path is None or not path.exists():
        return {}
    lines = path.read_text(encoding="utf-8").splitlines()
    return {heard.key: heard for heard in map(Heard.model_validate_json, lines)}


def keep(path: Path | None, heard: Heard) -> None:
    """Add an answer that was graded."""
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.write(heard.model_dump_json() + "\n")


def listen(answers: Sequence[Answer], folder: Path | None) -> Iterator[Heard]:
    """Every answer as it is heard, graded now or kept from before."""
    path = folder / f"follow-ups-{StateJudge.name_of(load()).split()[-1]}.jsonl" if folder else None
    before = heard_before(path)
    bank = {question.id: question for question in load_bank()}
    container = Container()
    try:
        if any(key_of(answer) not in before for answer in answers):
            container.embedding_model()
            container.judge()
        with shown("Grading") as tell:
            for number, answer in enumerate(answers, 1):
                heard = before.get(key_of(answer))
                if heard is None:
                    heard = hear(container, bank[answer.question_id], answer)
                    keep(path, heard)
                tell(f"{number} of {len(answers)}", number / len(answers))
                yield heard
    finally:
        container.close()


def points_of(answers: Sequence[Answer], heard: Sequence[Heard]) -> list[Point]:
    """Every point with its label, and how it is asked about."""
    bank = {question.id: question for question in load_bank()}
    return [
        Point(label=label, asked_as=asked_as(bank[answer.question_id], answer, each, criterion.id))
        for answer, each in zip(answers, heard, strict=True)
        for criterion, label in zip(answer.criteria, answer.labels, strict=True)
    ]


def table(points: Sequence[Point]) -> str:
    """A row for each way of asking: how many points, and how many of them were made, half made, missing, opposite."""
    verdicts = (Verdict.MET, Verdict.PARTIAL, Verdict.MISSING, Verdict.CONTRADICTED)
    rows = ["| asked about | points | " + " | ".join(verdicts) + " |", "|---" * (2 + len(verdicts)) + "|"]
    for way in AskedAs:
        labels = [point.label for point in points if point.asked_as is way]
        if labels:
            shares = " | ".join(f"{labels.count(verdict) / len(labels):.0%}" for verdict in verdicts)
            rows.append(f"| {way} | {len(labels)} | {shares} |")
    return "\n".join(rows)


def main() -> None:
    """Print a table for each body of answers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--others", type=Path, help="labeled answers of other writers to questions of the bank")
    parser.add_argument("--keep", type=Path, help="folder to keep what was graded in")
    arguments = parser.parse_args()
    bodies = {"our own answers": read_bank_answers()}
    if arguments.others:
        bodies["answers of other writers"] = still_labeled(arguments.others)[0]
    for name, answers in bodies.items():
        points = points_of(answers, list(listen(answers, arguments.keep)))
        print(f"\n{name}: {len(answers)}\n\n{table(points)}")


if __name__ == "__main__":
    main()
