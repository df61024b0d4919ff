"""What the labels say of doubted statements."""

from __future__ import annotations

from interviewer.session.events import DoubtedClaim
from tests.benchmarks.bank_answers import read_bank_answers
from tests.benchmarks.claims import ELSEWHERE, labels


def test_a_statement_is_told_by_the_label_of_its_own_point_and_else_counted() -> None:
    answer = read_bank_answers()[0]
    own = DoubtedClaim(
        span=(0, 5),
        question_id=answer.question_id,
        criterion_id=answer.criteria[0].id,
        point=answer.criteria[0].text,
        opposed=0.95,
    )
    other = own.model_copy(update={"question_id": "another"})
    assert labels(answer, [own, other]) == [answer.labels[0].value, ELSEWHERE]
