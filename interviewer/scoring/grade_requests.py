"""What is graded of an interview, and what of a grade counts. Pure."""

from __future__ import annotations

from interviewer.session.queries import said_so_far, said_with
from interviewer.session.state import AskedQuestion
from knowledge.model import Question
from rubric.grading.grader import GradeRequest, waive_contradictions
from rubric.grading.misheard_terms import HeardWord
from rubric.model import Grade
from serving.errors import DamagedError


def grade_request(asked: AskedQuestion, answer_id: str) -> GradeRequest:
    """What is graded for an answer: all that was said on the question up to it, by the rubric it was asked with.

    Raises:
        KeyError: the question has no such answer.
        DamagedError: the question was stored without its rubric.

    """
    question = asked.question
    if question.rubric is None:
        raise DamagedError(f"Question {question.id} was stored without its rubric.")
    said = said_so_far(asked, answer_id)
    return GradeRequest(
        question=question.text,
        reference=question.reference,
        rubric=question.rubric,
        answer=said,
        heard=_heard(asked, answer_id),
        denied=_denied(asked, said),
    )


NOT_MADE = 0.3
"""Credit below which a point was not made by what was graded, whatever is credited later. Of 108 such points that all
answers of labeled interviews earned, readers found four in the first answer."""


def _denied(asked: AskedQuestion, said: str) -> tuple[tuple[str, int], ...]:
    """Of points that grades did not credit, up to where these reach; none that a grade before credited."""
    found: dict[str, int] = {}
    credited: set[str] = set()
    for graded in asked.grades:
        if len(graded.graded_text) >= len(said) or not said.startswith(graded.graded_text):
            continue
        scored = {each.id: each.credit for each in graded.grade.criteria if each.credit is not None}
        credited |= {name for name, credit in scored.items() if credit >= NOT_MADE}
        found.update({name: len(graded.graded_text) for name in scored if name not in credited})
    return tuple(found.items())


def request_so_far(asked: AskedQuestion, finished: str) -> GradeRequest | None:
    """What would be graded if the person had said no more than the finished sentences of a draft.

    Args:
        asked: with the answers that were given already.
        finished: these sentences.

    Returns:
        ``None`` where the question has no criteria, or there is no finished sentence.

    """
    question, more = asked.question, finished.strip()
    if question.rubric is None or not more:
        return None
    said = said_with(asked, more)
    return GradeRequest(question=question.text, reference=question.reference, rubric=question.rubric, answer=said)


def _heard(asked: AskedQuestion, answer_id: str) -> tuple[HeardWord, ...]:
    """The recognized words of the answers up to that one; none of those that the person corrected before sending."""
    until = next(place for place, answer in enumerate(asked.answers) if answer.id == answer_id)
    spoken = [answer.spoken for answer in asked.answers[: until + 1] if answer.spoken is not None]
    sent = [answer.text for answer in asked.answers[: until + 1] if answer.spoken is not None]
    return tuple(
        HeardWord(text=word.text, probability=word.probability)
        for told, text in zip(spoken, sent, strict=True)
        if text == told.written
        for word in told.words
    )


def begins_at(graded_text: str, answer: str) -> int:
    """Where an answer begins in all that was graded with it; 0 where it cannot be told."""
    return max(graded_text.rfind(answer), 0)


def without_flagged_contradictions(grade: Grade, question: Question) -> Grade:
    """The grade, without what an answer lost by contradicting a flagged reference."""
    if question.rubric is None or question.rubric.origin != "derived" or not question.flags:
        return grade
    reason = f"The document's answer is not to be trusted here: {question.flags[0].reason}"
    return waive_contradictions(grade, question.rubric, reason)
