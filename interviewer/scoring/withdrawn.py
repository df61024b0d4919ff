"""A contradiction that was put to the person, and that they took back or said nothing more of, is not sure any more."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from interviewer.scoring.claiming import claiming
from interviewer.scoring.grade_requests import begins_at
from interviewer.session.state import AskedQuestion
from interviewer.text import sentences
from interviewer.understanding.correction_cues import takes_back
from rubric.model import Grade, Span, Verdict


def with_doubt_about_withdrawn(grade: Grade, text: str, reply: str, about: str) -> Grade:
    """The grade, not sure of a contradiction that the last reply was about.

    The words that were wrong stay in what is graded, though the person has taken them back. So the contradiction is
    sure only where the reply says it again: not by a question, nor after an "oh no, sorry".

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
        and (takes_back(reply) or _GIVES_WAY.match(reply) or not _says_again(text, begins, verdict.evidence))
        else verdict
        for verdict in grade.criteria
    )
    return grade.model_copy(update={"criteria": verdicts})


_GIVES_WAY = re.compile(
    r"\W*(?:(?:oh|ah|um+|uh+|okay|ok|well|hm+)\b[\s,.!]*)*"
    r"(?:oh no|no,? sorry|sorry|right|true|fair (?:enough|point)|good point|you're right|my bad|my mistake)\b",
    re.IGNORECASE,
)


def _says_again(text: str, begins: int, evidence: Sequence[Span]) -> bool:
    """Whether words that a contradiction rests on stand in the reply, and are no question."""
    return any(end > begins and not text[start:end].rstrip().endswith("?") for start, end in evidence)


def taken_back_by(asked: AskedQuestion, about: str) -> tuple[str, ...]:
    """Ids of the answers by which a person took back what they had said on a point: replies to a follow-up on it.

    Args:
        asked: the question.
        about: the id of the point.

    """
    drilled = {event.id for event in asked.follow_ups if event.criterion_id == about}
    return tuple(
        answer.id
        for answer in asked.answers
        if answer.follow_up_id in drilled and any(map(takes_back, sentences(answer.text)))
    )


def put_right_by(asked: AskedQuestion, about: str) -> tuple[str, ...]:
    """Ids of the answers by which a person took back what they had said on a point, and said what holds instead.

    Args:
        asked: the question.
        about: the id of the point.

    """
    back = taken_back_by(asked, about)
    return tuple(answer.id for answer in asked.answers if answer.id in back and _says_what_holds(answer.text))


def _says_what_holds(text: str) -> bool:
    said = sentences(text)
    claims = zip(said, claiming(said), strict=True)
    # "Yes, I was wrong there, it halves" takes back and says what holds; "I mixed the two up" only takes back.
    return any(not takes_back(each.rsplit(",", 1)[-1].strip()) for each, claimed in claims if claimed)


def stays_taken_back(asked: AskedQuestion, back: Collection[str], evidence: Collection[str]) -> bool:
    """Whether nothing that was said after the last taking back says again what was taken back.

    Args:
        asked: the question.
        back: ids of the answers that take back.
        evidence: ids of the answers that the contradiction rests on.

    """
    order = [answer.id for answer in asked.answers]
    last = max((order.index(each) for each in back), default=len(order))
    return bool(back) and not any(answer_id in evidence for answer_id in order[last + 1 :])
