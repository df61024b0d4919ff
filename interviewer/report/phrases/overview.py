"""The wording of the second page: the questions in a line each, and where the time went. Pure."""

from __future__ import annotations

from interviewer.report.phrases import common
from interviewer.report.schema.question import QuestionFinding, QuestionStatus
from interviewer.text import listed
from rubric.model import Verdict

QUESTIONS = "Question by question"
TIME = "Time"
DASH = "A dash means no score, not zero."
HEAD = ("Question", "Points", "Score", "Minutes")
NO_CODE = "no code submitted"
HOW_SCORED = (
    "A score weighs the points by how much they matter; a point that is partly met, or that the judge is unsure of, "
    "counts in part."
)


def points(question: QuestionFinding, *, editor: bool = False) -> str:
    """How many of the points that were asked for were met; what became of the question where none was judged.

    A point counts as on the page of the interview: as met only where the judge is sure, and beside that as unsure. Of
    the unsure ones those that were likely met are told apart. Where no program was submitted, it says so: the score is
    that of the words alone.

    Args:
        question: what is told of.
        editor: whether a program could be written and submitted.

    """
    if not question.criteria or question.status in {QuestionStatus.SKIPPED, QuestionStatus.UNANSWERED}:
        return common.STATUSES[question.status]
    words, met = [common.verdict_word(found) for found in question.criteria], common.VERDICTS[Verdict.MET]
    said = f"{words.count(met)} of {len(words) - words.count(common.NOT_ASKED)} {met}"
    told = [f"{words.count(word)} {short}" for word, short in _TOLD_APART.items() if word in words]
    submitted = question.code is not None and question.code.submitted
    code = [NO_CODE] if editor and question.has_task and not submitted else []
    return ", ".join(
        [said, *told, *common.not_decided(words.count(common.LIKELY_MET), words.count(common.NOT_SURE), met), *code]
    )


_TOLD_APART = {common.VERDICTS[Verdict.PARTIAL]: "partly", common.VERDICTS[Verdict.CONTRADICTED]: "contradicted"}
"""Marks that are counted beside those that are met, and how a table calls them; what is left of all is missing."""


def minutes(seconds: float) -> str:
    """A time in whole minutes, at least one; a dash for none."""
    return str(max(round(seconds / 60), 1)) if seconds > 0 else "–"


def time_spent(whole: float, answering: float, pauses: tuple[float, ...], planned: int) -> str:
    """Where the time of the interview went.

    Args:
        whole: seconds from the first question to the last word.
        answering: seconds between a question and its answer, over all answers.
        pauses: lengths of the stretches in which nothing happened, in seconds.
        planned: minutes that were planned for the questions.

    """
    all_of_it = common.duration(answering) == common.duration(whole)
    spent = "nearly all of it" if all_of_it else f"with {common.duration(answering)}"
    parts = [f"{spent} spent answering"] if answering > 0 else []
    parts += [f"{common.duration(sum(pauses))} idle"] if pauses else []
    took = f"The interview took {common.duration(whole)}{', ' if parts else ''}{listed(tuple(parts))}."
    return f"{took} The questions were planned to take {common.duration(60 * planned)}." if planned else took
