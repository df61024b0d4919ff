"""Statements of an answer that the judge doubts and that no mark tells of. Pure."""

from __future__ import annotations

from interviewer.dialogue.quotation import excerpt
from interviewer.report.analysis.quotes import GradedText
from interviewer.report.schema.question import Quote
from interviewer.session.follow_up_kinds import FollowUpKind
from interviewer.session.queries import graded_words
from interviewer.session.state import AskedQuestion
from interviewer.text import sentences
from interviewer.understanding.correction_cues import takes_back


def doubted_statements(asked: AskedQuestion) -> tuple[Quote, ...]:
    """What was said and is doubted, the surest first, without what the person took back.

    Args:
        asked: the question; its last mark holds the statements.

    """
    if not asked.grades:
        return ()
    graded = asked.grades[-1]
    text, back = GradedText(graded.graded_text, graded_words(asked)), _taken_back(asked)
    return tuple(
        quote
        for claim in graded.claims
        if not any((said := excerpt(graded.graded_text, claim.span[0])) and said in ask for ask in back)
        for quote in text.quotes([claim.span])
    )


def _taken_back(asked: AskedQuestion) -> list[str]:
    """The follow-ups on a statement to which the person replied that it was wrong."""
    replies = {answer.follow_up_id: answer.text for answer in asked.answers if answer.follow_up_id}
    return [
        event.said
        for event in asked.follow_ups
        if event.kind is FollowUpKind.CLAIM and any(map(takes_back, sentences(replies.get(event.id, ""))))
    ]
