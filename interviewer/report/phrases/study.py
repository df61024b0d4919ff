"""The words of the study plan, of an answer's parts and of the commands that lead on; each chosen by a fact."""

from __future__ import annotations

import shlex
from datetime import date

from interviewer.report.phrases import common
from interviewer.report.schema.findings import Findings, View
from interviewer.report.schema.question import QuestionFinding
from interviewer.report.schema.study import Retry, StudyItem
from interviewer.text import count
from knowledge.model import Kind

STUDY = "What to study next"
STUDY_EXPORT = "As cards for Anki and dates for your calendar:"
STAGES_FROM = "Computed from the verdicts below; “not asked” means that the rubric asks nothing of that part."
INTERVIEWER_VIEW = (
    "The interviewer’s view: marks and evidence, without coaching. “You” is the person who was interviewed. "
    "A mark can be overridden with the command below each question; the report says so where it was."
)


def study_intro(findings: Findings) -> str:
    """How the plan came about, and how much of what was missed it leaves out."""
    said = (
        "In the order in which it pays: what was surely contradicted, then what cost most, then what the judge was "
        "unsure of. The first review is dated by the scheduler FSRS from how badly the point was missed."
    )
    more = findings.study_left_out
    were = "was missed and is" if more == 1 else "were missed and are"
    return f"{said} {count(more, 'more point')} {were} left out here." if more else said


def missed(item: StudyItem) -> str:
    """How the point stood in the interview."""
    said = common.VERDICTS[item.verdict] if item.verdict else "nothing was answered"
    return said if item.sure else f"{said}, {common.UNSURE}"


def day(at: date) -> str:
    """A date, told the same way everywhere."""
    return f"{at.day} {at:%B %Y}"


def retry_intro(retry: Retry) -> str:
    """What stands before the question to answer again."""
    return "Then answer this question again" if retry.same else "Then answer another question on it"


def practice(question_id: str) -> str:
    """The command that holds an interview with exactly this question."""
    return f"python app.py interview --question {shlex.quote(question_id)}"


def export_command(findings: Findings) -> str:
    """The command that writes the study plan as cards and dates."""
    return f"python app.py export-study {shlex.quote(findings.session_id)} --anki study.apkg --calendar study.ics"


def next_step_intro(findings: Findings) -> str:
    """What stands before the command below a question."""
    return "Override a mark:" if findings.view is View.INTERVIEWER else "Practice this exact question:"


def next_step(findings: Findings, question: QuestionFinding) -> str:
    """The command below a question: to practice it, or for an interviewer to override a mark of it."""
    if findings.view is View.INTERVIEWER:
        return f"python app.py override {shlex.quote(findings.session_id)} {question.number} POINT VERDICT --by NAME"
    return practice(question.question_id)


def stages_title(question: QuestionFinding) -> str:
    """What the parts of the answer are parts of."""
    return "The story, part by part (STAR)" if question.kind is Kind.BEHAVIOURAL else "The design, stage by stage"
