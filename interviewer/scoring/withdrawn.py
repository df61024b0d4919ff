"""A contradiction that was put to the person, and that they took back or said nothing more of, is not sure any more."""

from __future__ import annotations

from interviewer.scoring.grade_requests import begins_at
from interviewer.understanding.correction_cues import takes_back
from rubric.model import Grade, Verdict


def with_doubt_about_withdrawn(grade: Grade, text: str, reply: str, about: str) -> Grade:
    """The grade, not sure of a contradiction that the last reply was about.

    The words that were wrong stay in what is graded, though the person has taken them back. So the contradiction is
    sure only where the reply says it again.

    Args:
        grade: of all that was said.
        text: what was graded, the reply at its end.
        reply: what was said last, to a follow-up.
        about: the id of the criterion that the follow-up was about.

    """
    begins = begins_at(text, reply)
    verdicts = tuple(
        verdict.model_copy(update={"sure": False})
        if verdict.id == about
        and verdict.verdict is Verdict.CONTRADICTED
        and (takes_back(reply) or all(end <= begins for _, end in verdict.evidence))
        else verdict
        for verdict in grade.criteria
    )
    return grade.model_copy(update={"criteria": verdicts})
