"""The same findings for somebody else: a mentor or teacher gets marks and evidence without the coaching. Pure."""

from __future__ import annotations

from interviewer.report.schema.findings import Findings, View
from interviewer.report.schema.question import QuestionFinding, TurnKind


def for_interviewer(findings: Findings) -> Findings:
    """The findings without what only coaches: study plan, first fix, strong answers, references, words of hints.

    Marks, evidence, disputes and overrides stay, and so does that a hint was given. The person's notes are their own.
    """
    return findings.model_copy(
        update={
            "view": View.INTERVIEWER,
            "fix": None,
            "study": (),
            "study_left_out": 0,
            "notes": "",
            "questions": tuple(_without_coaching(question) for question in findings.questions),
        }
    )


def _without_coaching(question: QuestionFinding) -> QuestionFinding:
    code = question.code.model_copy(update={"solution": ""}) if question.code else None
    return question.model_copy(
        update={
            "to_add": (),
            "reference_sentences": (),
            "corrections": (),
            "reference": "",
            "reading": (),
            "why_it_matters": "",
            "code": code,
            "transcript": tuple(
                turn.model_copy(update={"text": ""}) if turn.kind is TurnKind.HINT else turn
                for turn in question.transcript
            ),
        }
    )
