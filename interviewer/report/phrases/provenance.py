"""The wording of how a report was made: who says what, how scores come about, which judge, which rubrics."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from interviewer.report.phrases.common import clause
from interviewer.report.phrases.contested_marks import how_disputed, how_overridden
from interviewer.report.schema.findings import Findings
from interviewer.report.schema.provenance import JudgeUsed, PhrasedByModel, RubricUsed
from interviewer.report.schema.question import Ungraded
from interviewer.text import count

HOW_MADE = "How this report was made"
WHO_SAYS_WHAT = (
    "The judge, a model, decided which points your answers make and selected the words that show it. Fixed rules "
    "turned its marks into scores, strengths, gaps, and the plan. Points, reference answers, and corrections come "
    "from the question bank or from your documents. Quotations are your own words. No sentence about you was written "
    "by a model."
)
HOW_SCORED = (
    "A point earns credit from 0 to 100. A question’s score is the mean of its credits, weighted by the points’ "
    "weights; the total score is the mean over the questions, weighted by their planned minutes. Where code was "
    "submitted, the tests decide half of the question’s score: full credit when all of them pass, at most half "
    "otherwise. A point without a mark is left out of every mean; a question that was skipped counts as 0, "
    "unless it was no part of the plan."
)
HOW_BANDS = (
    "The level in the result is estimated from what you said without help, in this interview and recent ones, and from "
    "how hard the questions were. For the level of the questions, a score of 80 or more is called strong, 60 or more "
    "solid, 40 or more approaching. A topic is strong at 75 or above and not ready below 50, if the judge is sure "
    "enough to rule out the opposite. In 9 of 10 cases, the range in the result contains the score you would get "
    "over all questions of this kind; it is estimated from the spread over these questions (Student’s t). With fewer "
    "than three questions, and for a single topic or question, the range covers only the judge’s doubt."
)
HOW_SELF_ASSESSED = (
    "Points that you settled yourself are labeled self-assessed. They do not change the judge’s scores. A second score "
    "counts your mark instead: 100 for met, 50 for partly met, 0 otherwise."
)
NOT_MEASURED = "Nobody has measured how far this judge can be trusted; take its marks as a rough guide."
ORIGINS = {
    "bank": "from the question bank",
    "given": "given with the question",
    "derived": "derived from the reference answer",
}


def principles(findings: Findings) -> Iterator[str]:
    """Who says what, and how scores come about, a paragraph each."""
    made = findings.made
    yield WHO_SAYS_WHAT
    yield HOW_SCORED
    yield HOW_BANDS
    if certainty(findings):
        yield certainty(findings)
    if made.criteria_self_assessed:
        yield HOW_SELF_ASSESSED
    if made.criteria_disputed:
        yield how_disputed(findings)
    if made.criteria_overridden:
        yield how_overridden(findings)


def certainty(findings: Findings) -> str:
    """How many verdicts the judge was unsure about; empty where there are none at all."""
    made = findings.made
    if not made.criteria_judged:
        return ""
    said = f"The judge was unsure of {made.criteria_unsure} of {count(made.criteria_judged, 'mark')}."
    if not made.criteria_unsure:
        said = f"The judge was sure of all {count(made.criteria_judged, 'mark')}."
    settled = f" You settled {count(made.criteria_self_assessed, 'point')} yourself."
    return said + settled if made.criteria_self_assessed else said


def trust(judge: JudgeUsed) -> str:
    """How far the marks of a judge can be trusted."""
    return " ".join(judge.card.sentences) if judge.card else NOT_MEASURED


def rubric(used: RubricUsed) -> str:
    """What is behind the name of a rubric: where it is from, and whether it is the one that was asked."""
    origin = f", {ORIGINS[used.origin]}" if used.origin else ""
    return origin + ("" if used.as_asked else ", a later version than the one used when the question was asked")


def unscored(item: Ungraded) -> str:
    """Why something has no mark."""
    return clause(item.reason)


def phrased(by: PhrasedByModel) -> str:
    """How many follow-ups a model worded, and why the others are the bank's own."""
    replaced = sum(number for _, number in by.replaced)
    said = f"{by.asked - replaced} of {count(by.asked, 'follow-up')} in the model’s words"
    if not replaced:
        return f"{said}."
    why = ", ".join(f"{reason} {number}" for reason, number in by.replaced)
    return f"{said}; {replaced} ({replaced / by.asked:.0%}) in the bank’s own ({why})."


def command(findings: Findings, form: str = "html") -> str:
    """The command that makes this report again from the journal."""
    return f"python app.py report {shlex.quote(findings.session_id)} --format {form} -o report.{form}"
