"""What a report may say of the help with which a point was made. Pure.

The marks tell it by the words that they rest on, and these are not always the words that made the point. So whatever
else is known must not speak against it: what was said in other answers, what the code held, and what the interviewer
had said before. Where it does, nothing is said of help.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from interviewer.report.analysis.quotes import GradedText, bears_on, nearness
from interviewer.report.schema.question import Override
from interviewer.scoring.assistance import help_before, made_in, prompted, reached
from interviewer.scoring.outcomes import AssistanceLevel
from interviewer.session.code_proof import PROVEN
from interviewer.session.design_round import is_round
from interviewer.session.events import (
    AnswerGiven,
    CodeRan,
    FollowUpAsked,
    HintGiven,
    QuestionAsked,
    QuestionRepeated,
    QuestionReturned,
    Said,
)
from interviewer.session.queries import graded_words
from interviewer.session.state import AskedQuestion
from interviewer.understanding.stop_words import stems
from interviewer.understanding.turn_parts import says_so_already
from rubric.coding.result import CodeStatus
from rubric.grading.evidence import sentences
from rubric.model import Criterion, Verdict

_HELPED = {AssistanceLevel.AFTER_FOLLOW_UP, AssistanceLevel.AFTER_HINT}
_UNKNOWN = AssistanceLevel.HELP_UNKNOWN

_SHARED, _SHARE = 3, 0.5
"""Words that a turn of the interviewer's shares with a point, and the share of the shorter one's words that they are,
from which it may have given the point away."""

_COUNTED_TWICE, _OF_SHORTER = 6, 0.25
"""The same for a sentence of the person's and a point that has no example statements (``quotes.nearness``)."""


def how_reached(asked: AskedQuestion, point: Criterion, overridden: Mapping[str, Override]) -> AssistanceLevel:
    """How the person came to a point, ``HELP_UNKNOWN`` where it cannot surely be told.

    Args:
        asked: the question.
        point: one of its criteria.
        overridden: marks by somebody's hand, who tells what is met, and not from when on.

    """
    level = reached(asked, point.id)
    if point.id in overridden and level is not AssistanceLevel.NOT_MET:
        helps = set(help_before(asked, point.id).values())
        level = helps.pop() if len(helps) == 1 else _UNKNOWN
    if level is AssistanceLevel.UNAIDED:
        return _alone(asked, point)
    if level in _HELPED and (_said_before(asked, point) or _in_code_before(asked, point.id) or _objects(asked, point)):
        return _UNKNOWN
    return level


def _alone(asked: AskedQuestion, point: Criterion) -> AssistanceLevel:
    """The level of a point that, by its mark, was made without help with it."""
    if is_round(asked.question):
        return _UNKNOWN
    later, made = prompted(asked), made_in(asked, point.id)
    if not made:
        return AssistanceLevel.UNAIDED if not later or _is_proven(asked, point.id) else _UNKNOWN
    if _given_away(asked, point, made):
        return _UNKNOWN
    if made in later:
        return AssistanceLevel.LATER
    sure = _met_at_once(asked, point.id, later) or not _rather_in(asked, point, later)
    return AssistanceLevel.UNAIDED if sure else _UNKNOWN


def _is_proven(asked: AskedQuestion, point: str) -> bool:
    return any(verdict.id == point and verdict.reason == PROVEN for verdict in asked.grades[-1].grade.criteria)


def _met_at_once(asked: AskedQuestion, point: str, later: Collection[str]) -> bool:
    """Whether a grade that covers nothing but what was said at once is sure of a point."""
    first = [graded for graded in asked.grades if graded.answer_id not in later]
    marks = [verdict for verdict in first[-1].grade.criteria if verdict.id == point] if first else []
    return any(verdict.verdict is Verdict.MET and verdict.sure for verdict in marks)


def _rather_in(asked: AskedQuestion, point: Criterion, later: Collection[str]) -> bool:
    """Whether answers name a point more clearly than all the others do, or a mark rests on words of theirs as well."""
    graded = asked.grades[-1]
    spans = [near.span for near in graded.nearest if near.criterion_id == point.id and near.clear]
    spans += [span for verdict in graded.grade.criteria if verdict.id == point.id for span in verdict.evidence]
    meant = GradedText(graded.graded_text, graded_words(asked)).quotes(spans)
    if any(quote.answer_id in later for quote in meant):
        return True
    others = [answer.text for answer in asked.answers if answer.id not in later]
    those = [answer.text for answer in asked.answers if answer.id in later]
    return _nearest(those, point) > _nearest(others, point)


def _said_before(asked: AskedQuestion, point: Criterion) -> bool:
    """Whether what was said before any help names a point as clearly as what was said after it."""
    helps = help_before(asked, point.id)
    first = [answer.text for answer in asked.answers if helps.get(answer.id) is AssistanceLevel.UNAIDED]
    rest = [answer.text for answer in asked.answers if helps.get(answer.id) is not AssistanceLevel.UNAIDED]
    best = _nearest(first, point)
    return best > (0, 0.0) and best >= _nearest(rest, point)


def _nearest(texts: Iterable[str], point: Criterion) -> tuple[int, float]:
    """How near the nearest sentence of some texts comes to a point; zeros where none is near."""
    told = (text[start:end] for text in texts for start, end in sentences(text))
    return max((nearness(each, point) for each in told if _is_near(each, point)), default=(0, 0.0))


def _is_near(words: str, point: Criterion) -> bool:
    if point.examples.met:
        return bears_on(words, point)
    common, share = nearness(words, point)
    return common >= _COUNTED_TWICE and share >= _OF_SHORTER


def _in_code_before(asked: AskedQuestion, point: str) -> bool:
    """Whether code had passed all tests before anybody helped with a point: it may hold the point, unread."""
    for event in asked.turns:
        if isinstance(event, CodeRan) and event.submitted and event.result.status is CodeStatus.PASSED:
            return True
        if isinstance(event, HintGiven) or (isinstance(event, FollowUpAsked) and event.criterion_id == point):
            return False
    return False


def _objects(asked: AskedQuestion, point: Criterion) -> bool:
    """Whether the person says, when asked for a point, that they have said it."""
    open_point = ""
    for event in asked.turns:
        if isinstance(event, FollowUpAsked):
            open_point = event.criterion_id
        elif open_point == point.id and event.person_words and says_so_already(event.person_words):
            return True
    return False


def _given_away(asked: AskedQuestion, point: Criterion, answer_id: str) -> bool:
    """Whether the interviewer had as good as said a point before an answer."""
    for event in asked.turns:
        if isinstance(event, AnswerGiven) and event.id == answer_id:
            return False
        if isinstance(event, Said) and not isinstance(event, QuestionAsked | QuestionRepeated | QuestionReturned):
            turns = [event.said[start:end] for start, end in sentences(event.said)]
            if any(_gives_away(said, point) for said in turns):
                return True
    return False


def _gives_away(said: str, point: Criterion) -> bool:
    words, told = stems(said), stems(point.text)
    shared = len(words & told)
    return shared >= _SHARED and shared >= _SHARE * min(len(words), len(told))
