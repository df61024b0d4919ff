"""A contradiction that was put to the person, and that they took back or said nothing more of, is not sure any more."""

from __future__ import annotations

import re

from rubric.model import Grade, Verdict

_TAKES_BACK = re.compile(
    r"(?:(?:oh|ah|hm+|okay|ok|yes|yeah|sorry|right|no|well|so|and|fair enough|good point)[,.!]? )*"
    r"(?:you(?:'re| are| might be| may be) (?:of course |absolutely |totally |quite |probably )?right|true\b"
    r"|i(?: was|'m| am) (?:wrong|mistaken)|i (?:misspoke|got (?:that|it) wrong|take (?:that|it|this) back|mixed)"
    r"|(?:that|it|this)(?: was|'s| is) (?:wrong|not right|a mistake|my mistake|a slip)|i take back|scratch that)"
)


def takes_back(reply: str) -> bool:
    """Whether a reply begins by saying that what was said before was wrong."""
    return _TAKES_BACK.match(" ".join(reply.lower().replace("’", "'").split())) is not None


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
    begins = max(text.rfind(reply), 0)
    verdicts = tuple(
        verdict.model_copy(update={"sure": False})
        if verdict.id == about
        and verdict.verdict is Verdict.CONTRADICTED
        and (takes_back(reply) or all(end <= begins for _, end in verdict.evidence))
        else verdict
        for verdict in grade.criteria
    )
    return grade.model_copy(update={"criteria": verdicts})
