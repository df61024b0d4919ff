"""Where a document's reference says the opposite of what our bank says about the same question."""

from __future__ import annotations

import re

from knowledge.model import FlagKind, Question, ReferenceFlag
from rubric.grader import LONGEST_ANSWER, Grader, GradeRequest
from rubric.model import Verdict

LIKELY = 0.9
"""Probability of a contradiction from which a reference is flagged."""

_FENCE = re.compile(r"^(`{3,})[^\n]*\n.*?^\1[ \t]*$", re.MULTILINE | re.DOTALL)


def contradictions(
    document_question: Question, bank_question: Question, grader: Grader, likely: float = LIKELY
) -> tuple[ReferenceFlag, ...]:
    """Criteria of the bank that a document's reference contradicts, found by grading it as if it were an answer.

    Args:
        document_question: its reference is graded, without its code.
        bank_question: on the same thing; its rubric is graded against.
        grader: tells how likely each contradiction is.
        likely: probability from which a criterion is flagged.

    Raises:
        ServerGoneError: the grader's server does not answer now; the same call may succeed later.

    """
    said = _FENCE.sub("", document_question.reference).strip()[:LONGEST_ANSWER]
    if bank_question.rubric is None or not said:
        return ()
    request = GradeRequest(
        question=bank_question.text, reference=bank_question.reference, rubric=bank_question.rubric, answer=said
    )
    flags = []
    for verdict in grader.grade(request).criteria:
        if verdict.verdict is Verdict.CONTRADICTED and (verdict.contradicted or 0.0) >= likely:
            words = " … ".join(" ".join(said[start:end].split()) for start, end in verdict.evidence)
            point = bank_question.rubric.criterion(verdict.id).text
            flags.append(ReferenceFlag(kind=FlagKind.CONTRADICTS_BANK, reason=f"“{words}” speaks against: {point}"))
    return tuple(flags)
