"""The words of the study plan, of an answer's parts, and of the commands that lead on; each chosen by a fact."""

from __future__ import annotations

import shlex

from interviewer.report.phrases import common
from interviewer.report.schema.findings import Findings, View
from interviewer.report.schema.question import QuestionFinding, Stage, StageState
from interviewer.report.schema.study import Retry, StudyItem
from interviewer.text import count
from knowledge.model import Kind
from rubric.model import Verdict

STUDY = "Your plan"
ORDER = (
    "Start at the top: clear gaps come first, then possible ones. Review dates follow the FSRS spaced-repetition "
    "schedule."
)
NOTHING_TO_STUDY = (
    "No point was clearly missed. Read the reference answers in the appendix anyway: the judge overlooks some "
    "wrong statements."
)
NOTHING_SURE = "No point was clearly missed, so there are only points to check."
PRACTICE = "Practice:"
UNANSWERED = "You gave no answer to this question. Answer it now, aloud."
SAY = "Say it like this:"
TO_CHECK = "Check these yourself"
WHY_CHECK = "It is unclear whether you made these points. Compare your answers with the reference answers."
MOST_DOUBTED = 3
"""Doubted statements that a report tells."""
LOOK_UP = "Look these up"
WHY_LOOK_UP = (
    "The judge doubts that these are right. In other interviews, two in five of the statements it doubted were in fact "
    "wrong. These did not change your marks."
)
REST = "The rest of the plan"
STUDY_EXPORT = "As cards for Anki and dates for your calendar:"


def more(number: int) -> str:
    """How many points of the plan stand elsewhere or nowhere; empty for none."""
    return f"{count(number, 'more point')} to study: see the appendix." if number else ""


def left_out(findings: Findings) -> str:
    """How many points that may be wanting have no place in the plan; empty for none."""
    number = findings.study_left_out
    return f"{count(number, 'more point')} did not fit in the plan." if number else ""


def missed(item: StudyItem) -> str:
    """How the point stood in the interview."""
    return common.mark_word(item.verdict, sure=item.sure) if item.verdict else "not answered"


def named(item: StudyItem, gap: int | None) -> str:
    """What a point of the plan is called where it is a gap of the first page, or was not answered; else empty."""
    if gap is not None:
        return f"{'Gap' if item.sure else 'Possible gap'} {gap}, {item.topic}"
    return "" if item.verdict else f"Question {item.number}, {item.topic}"


def when(item: StudyItem) -> str:
    """When to study a point, and when to come back to it."""
    year = f", {item.review_on.year}" if item.review_on.year != item.study_on.year else ""
    return f"Study {item.study_on:%B} {item.study_on.day}, review {item.review_on:%B} {item.review_on.day}{year}"


def steps(exercise: str) -> tuple[str, ...]:
    """The steps of an exercise, a sentence each."""
    parts = exercise.rstrip(".").split("; ")
    return tuple(f"{part[:1].upper()}{part[1:]}." for part in parts if part)


def again(retry: Retry, number: int, *, then: bool = True) -> str:
    """What stands before the question to answer next, or the whole sentence where it is the same again.

    Args:
        retry: the question.
        number: of the question in the interview.
        then: whether another question was practiced before.

    """
    said = f"answer question {number} again." if retry.same else "try"
    return f"Then {said}" if then else said.capitalize()


def read(title: str) -> str:
    """What to read, as a sentence."""
    said = common.clipped(title, 90)
    return f"Read: {said}{'' if said[-1:] in {'…', '.'} else '.'}"


def practice(question_id: str) -> str:
    """The command that holds an interview with exactly this question."""
    return f"python app.py interview --question {shlex.quote(question_id)}"


def export_command(findings: Findings) -> str:
    """The command that writes the study plan as cards and dates."""
    return f"python app.py export-study {shlex.quote(findings.session_id)} --anki study.apkg --calendar study.ics"


def next_step_intro(findings: Findings) -> str:
    """What stands before the command below a question."""
    return "Override a mark:" if findings.view is View.INTERVIEWER else "Practice this question:"


def next_step(findings: Findings, question: QuestionFinding) -> str:
    """The command below a question: to practice it, or for an interviewer to override a mark of it."""
    if findings.view is View.INTERVIEWER:
        return f"python app.py override {shlex.quote(findings.session_id)} {question.number} POINT MARK --by NAME"
    return practice(question.question_id)


def stages_title(question: QuestionFinding) -> str:
    """What the parts of the answer are parts of."""
    return "Your story, part by part (STAR)" if question.kind is Kind.BEHAVIORAL else "Your design, part by part"


def told_stages(question: QuestionFinding) -> tuple[tuple[str, str], ...]:
    """Each part of an answer that a point asks for, and what became of the points on it.

    A part that no point asks for is left out: whether it was told, nobody looked.
    """
    told = ((stage, _points_of(question, stage)) for stage in question.stages)
    return tuple((stage.name.capitalize(), said) for stage, said in told if said)


def _points_of(question: QuestionFinding, stage: Stage) -> str:
    """How many of the points on a part were made, likely made, or unsure, and which are not; empty for none on it."""
    if stage.state is StageState.NOT_ASKED:
        return ""
    if stage.state is StageState.NOT_SCORED:
        return "not graded"
    points = [found for found in question.criteria if found.id in stage.criteria and not found.never_asked]
    scored = [found for found in points if found.settled is not Verdict.UNSCORED]
    made = sum(found.decided and found.settled is Verdict.MET for found in scored)
    likely = sum(not found.decided and common.verdict_word(found) == common.LIKELY_MET for found in scored)
    unsure = sum(not found.decided for found in scored) - likely
    wanting = [f"point {found.number}" for found in scored if found.id in stage.wanting]
    if len(scored) == 1 and likely + unsure:
        return "likely made" if likely else common.NOT_SURE
    surely = [f"{made} of {count(len(scored), 'point')} made"] if made or wanting or not likely + unsure else []
    said = ", ".join([*surely, *common.not_decided(likely, unsure, "made")])
    return said + (f" (not yet: {', '.join(wanting)})" if wanting else "")
