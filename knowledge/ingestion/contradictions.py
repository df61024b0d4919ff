"""Where a document's reference says the opposite of what our bank says about the same question."""

from __future__ import annotations

from knowledge.code.review.review import prose_of
from knowledge.index.disk_store import digest_of
from knowledge.index.question_index import QuestionIndex
from knowledge.ingestion import manifest
from knowledge.ingestion.pipeline import IngestReport
from knowledge.model import FlagKind, Question, ReferenceFlag
from rubric.grading.grader import LONGEST_ANSWER, Grader, GradeRequest
from rubric.model import Verdict
from serving.progress import Progress, silent

LIKELY = 0.9
"""Probability of a contradiction from which a reference is flagged."""


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
    said = prose_of(document_question.reference).strip()[:LONGEST_ANSWER]
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


def hold_against_bank(
    report: IngestReport, index: QuestionIndex, grader: Grader, tell: Progress = silent
) -> IngestReport:
    """Flags what documents say against our bank, where both ask the same; the report with the new flags.

    Args:
        report: what was taken in; its questions are in the index.
        index: knows what asks the same, and gets the flags.
        grader: tells how likely a contradiction is, a second or two a question.
        tell: hears how far it is.

    Raises:
        ServerGoneError: the grader's server does not answer now; nothing was changed.
        StorageError: the disk refused; nothing was changed.

    """
    flagged: dict[str, Question] = {}
    for number, question in enumerate(report.questions):
        tell("References held against the bank", number / len(report.questions))
        lead = index.get(index.references(question.id)[0].question_id)
        if lead.rubric is None or lead.rubric.origin != "bank" or lead.id == question.id:
            continue
        known = {flag.reason for flag in question.flags}
        new = tuple(flag for flag in contradictions(question, lead, grader) if flag.reason not in known)
        if new:
            flagged[question.id] = question.model_copy(update={"flags": question.flags + new})
    changed = {
        source: tuple(flagged.get(question.id, question) for question in shelf.questions)
        for source, shelf in index.shelves().items()
        if any(question.id in flagged for question in shelf.questions)
    }
    if changed:
        index.replace_all(changed, tell=tell)
        entries = manifest.load(index.folder)
        manifest.update(
            index.folder,
            {
                source: entries[source].model_copy(update={"questions": digest_of(questions)})
                for source, questions in changed.items()
                if source in entries
            },
        )
    return report.model_copy(update={"questions": tuple(flagged.get(q.id, q) for q in report.questions)})
