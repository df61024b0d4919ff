"""Which follow-up comes next, and when to stop. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from interviewer.policy.answer_stages import ORDER, stage_of, told_on
from interviewer.session.events import NearestWords
from interviewer.session.follow_up_kinds import FollowUpKind, rule_of
from interviewer.speech.field_terms import is_field_term
from interviewer.understanding.stop_words import EMPTY
from knowledge.model import Kind, Question
from rubric.grading.uncertainty import OPPOSITE
from rubric.model import Criterion, CriterionVerdict, Grade, Rubric, Verdict, lacking

# A question has one harder question that follows on it: after that the next question tells more.
_MOST_DEPTH = 1

EVIDENCE_ID = "ask:evidence"
"""Stands for the criterion of a follow-up that asks for one concrete thing."""

CLAIM_ID = "ask:claim"
"""Stands for the criterion of a follow-up on a statement that a point of the bank speaks against."""

COMES_NEAR = 0.6
"""Likeness of an answer's words to a point from which it is not asked for as if nothing had been said on it
(``AnswerGraded.nearest``)."""

SAYS_IT = 0.75
"""Likeness from which words are never followed by the point's own question, whatever the mark: they may well say it."""

NEAR_EVEN = 0.25
"""Credit from which a point that seems missing may have been made (``make follow-up-bench``,
docs/benchmarks/conversation.md)."""

LACKING = 0.45
"""How much of a point has to be wanting for it to be asked for (``rubric.model.lacking``): a half is, of what is surely
half made.

In interviews that were labeled, 11 % of the points that are asked for after an answer had been made, 17 % without this
limit, and as many gaps are asked for (docs/benchmarks/interviews.md)."""

HARDLY_SAID = 0.1
"""Credit below which a point is asked for that the judge, unsurely, holds to be contradicted: of 14 such points of
first answers in interviews three had been made; of 53 with more, 25 (docs/benchmarks/interviews.md)."""


class FollowUp(NamedTuple):
    """A point worth another question."""

    kind: FollowUpKind
    criterion_id: str


def next_follow_up(
    question: Question,
    grade: Grade | None,
    *,
    drilled: Collection[str],
    left: int,
    said: str = "",
    answered: bool = True,
    deeper: int | None = None,
    text: str = "",
    nearest: Sequence[NearestWords] = (),
    spoken: bool = False,
    doubted: bool = False,
) -> FollowUp | None:
    """The point to drill next, or ``None`` when there is nothing left to ask.

    What was contradicted comes first, then a statement that the bank's text speaks against, once a question, then what
    may have been misheard, then what is missing, then one concrete thing where the answer was vague, then what is
    partly there, what the judge is unsure of, or what the answer comes near to, then what could not be scored. What
    was likelier said than not is not asked for (``likely_said``). Among equals the stage of a design or a story that
    nothing was said on comes first, then what is most surely wanting, then the heaviest, then the first in the rubric.
    Where nothing is left to ask for, the heaviest point is taken further.

    Args:
        question: with its rubric; without one there is nothing to drill.
        grade: the mark of all that was said so far; ``None`` when it could not be graded, then the heaviest
            point that has a probe of its own is tried.
        drilled: ids of the criteria that were drilled already; none is drilled twice.
        left: how many follow-ups the question may still get.
        said: all that was said so far, where it is to be asked about when it is vague.
        answered: whether anything was said; where nothing was, all is missing.
        deeper: how often the question was taken further; ``None`` where that is not wanted.
        text: all that was said so far.
        nearest: the words of it that come nearest to each point.
        spoken: whether a word that recognition may have misheard is asked about: the last answer was spoken, and none
            was asked about on this question.
        doubted: whether a point of the bank speaks against a statement of the answer, whatever the point is of.

    """
    if question.rubric is None or left <= 0:
        return None
    verdicts = {criterion.id: _verdict(grade, criterion.id) for criterion in question.rubric.criteria}
    kinds = {name: _kind(verdict, answered=answered, spoken=spoken) for name, verdict in verdicts.items()}
    near = {each.criterion_id for each in nearest if each.likeness >= COMES_NEAR}
    told = {
        point.id
        for point in question.rubric.criteria
        if told_on(question.kind, point, text) and (point.id in near or not nearest)
    }
    if question.kind is Kind.BEHAVIORAL:
        # Nobody contradicts the facts by telling what they did.
        wrong = FollowUpKind.CONTRADICTION
        kinds = {name: FollowUpKind.MISSING if kind is wrong else kind for name, kind in kinds.items()}
    kinds = {
        name: _unless_said(kind, verdicts[name], near=name in near, told=name in told) for name, kind in kinds.items()
    }
    kinds = {
        name: kind if kind is FollowUpKind.CONTRADICTION or not likely_said(verdicts[name]) else None
        for name, kind in kinds.items()
    }
    open_for = [criterion for criterion in question.rubric.criteria if kinds[criterion.id] is not None]
    open_contradiction = any(kind is FollowUpKind.CONTRADICTION and name not in drilled for name, kind in kinds.items())
    if doubted and CLAIM_ID not in drilled and not open_contradiction:
        return FollowUp(FollowUpKind.CLAIM, CLAIM_ID)
    if not open_for:
        return _deeper(question.rubric, verdicts, drilled, deeper)
    covered = {
        stage_of(question.kind, criterion)
        for criterion in question.rubric.criteria
        if kinds[criterion.id] in {None, FollowUpKind.PARTIAL, FollowUpKind.UNSURE}
    }

    asked_stages = {
        stage_of(question.kind, criterion) for criterion in question.rubric.criteria if criterion.id in drilled
    }

    def urgency(criterion: Criterion) -> tuple[float, ...]:
        kind, verdict = kinds[criterion.id] or FollowUpKind.UNGRADED, verdicts[criterion.id]
        stage = stage_of(question.kind, criterion)
        steered = (stage in covered or stage in asked_stages, ORDER[stage]) if stage else (False, 0)
        unprobed = kind is FollowUpKind.UNGRADED and not criterion.probe
        known = verdict is not None and verdict.credit is not None
        wanting = lacking(verdict.credit, verdict.contradicted) if verdict and known else LACKING
        return rule_of(kind).rank, unprobed, *steered, -wanting, -criterion.weight

    open_points = sorted((criterion for criterion in open_for if criterion.id not in drilled), key=urgency)
    first = FollowUp(kinds[open_points[0].id] or FollowUpKind.UNGRADED, open_points[0].id) if open_points else None
    vague = grade is not None and bool(said) and EVIDENCE_ID not in drilled and is_vague(said)
    if vague and (first is None or rule_of(first.kind).rank > rule_of(FollowUpKind.EVIDENCE).rank):
        return FollowUp(FollowUpKind.EVIDENCE, EVIDENCE_ID)
    return first


def was_missed(question: Question, grade: Grade | None, criterion_id: str, *, answered: bool = True) -> bool:
    """Whether a point is known not to be met: what could not be scored is not."""
    kind = _kind(_verdict(grade, criterion_id), answered=answered)
    known = {FollowUpKind.CONTRADICTION, FollowUpKind.MISHEARD, FollowUpKind.MISSING, FollowUpKind.PARTIAL}
    rubric = question.rubric
    return rubric is not None and any(point.id == criterion_id for point in rubric.criteria) and kind in known


def likely_said(verdict: CriterionVerdict | None) -> bool:
    """Whether a point was likelier said than not, so that it is not asked for; who said the opposite surely did not."""
    if verdict is None or verdict.credit is None:
        return False
    if verdict.verdict is Verdict.CONTRADICTED:
        return not verdict.sure and verdict.credit >= HARDLY_SAID
    return lacking(verdict.credit, verdict.contradicted) < LACKING


def says_it(nearest: Sequence[NearestWords], criterion_id: str, kind: Kind = Kind.CONCEPT) -> bool:
    """Whether words come so near to a point that they may well make it, whatever the mark; a story's need less."""
    enough = COMES_NEAR if kind is Kind.BEHAVIORAL else SAYS_IT
    return any(each.likeness >= enough for each in nearest if each.criterion_id == criterion_id)


def comes_near_enough_to_quote(nearest: Sequence[NearestWords], criterion_id: str) -> bool:
    """Whether the words nearest to a point have so much to do with it that its question may follow them."""
    near = [each.likeness for each in nearest if each.criterion_id == criterion_id]
    return not near or max(near) >= _QUOTABLE


_QUOTABLE = 0.7
"""Likeness below which most quotations of interviews had little to do with the question that followed them."""


def seems_contradicted(grade: Grade, criterion_id: str) -> bool:
    """Whether the judge holds it for likeliest that the opposite of a point was said, be it sure of that or not."""
    verdict = _verdict(grade, criterion_id)
    return verdict is not None and verdict.verdict is Verdict.CONTRADICTED


def is_vague(text: str) -> bool:
    """Whether an answer names nothing that could be checked: no figure, no name out of code, few words with content.

    Few are fewer than five that are neither function words nor the words in which people hedge.
    """
    if _CONCRETE.search(text):
        return False
    words = [word for word in re.findall(r"[a-z][a-z'-]+", text.lower()) if word not in EMPTY]
    return len(set(words)) < _FEW_WORDS


_FEW_WORDS = 5
_CONCRETE = re.compile(r"\d|`|\w[._]\w|\w\(|[a-z][A-Z]|\b[A-Z]{2,}\b")


def _deeper(
    rubric: Rubric, verdicts: Mapping[str, CriterionVerdict | None], drilled: Collection[str], times: int | None
) -> FollowUp | None:
    """The heaviest met point that nothing was asked about yet."""
    if times is None or times >= _MOST_DEPTH:
        return None
    met = [point for point in rubric.criteria if point.id not in drilled and not _waived(verdicts[point.id])]
    heaviest = max(met, key=lambda point: point.weight, default=None)
    return FollowUp(FollowUpKind.DEPTH, heaviest.id) if heaviest else None


def misheard(grade: Grade, criterion_id: str) -> str:
    """The field's term in a criterion that recognition most likely took for another; empty where there is none."""
    return _misheard(_verdict(grade, criterion_id))


def _misheard(verdict: CriterionVerdict | None) -> str:
    return next(filter(is_field_term, verdict.doubtful), "") if verdict is not None else ""


def _unless_said(
    kind: FollowUpKind | None, verdict: CriterionVerdict | None, *, near: bool, told: bool
) -> FollowUpKind | None:
    """What is missing by the judge, but may have been said, is taken up and not asked for.

    What is met by the judge, without being sure, is left where words of the answer come near to it.
    """
    if verdict is not None and verdict.verdict is Verdict.MET and near:
        return None
    if told and kind in {FollowUpKind.MISSING, FollowUpKind.PARTIAL}:
        return FollowUpKind.UNSURE
    if kind is not FollowUpKind.MISSING or verdict is None or verdict.credit is None:
        return kind
    return (
        FollowUpKind.UNSURE if near or verdict.credit >= NEAR_EVEN or verdict.verdict is Verdict.CONTRADICTED else kind
    )


def _verdict(grade: Grade | None, criterion_id: str) -> CriterionVerdict | None:
    if grade is None:
        return None
    return next((verdict for verdict in grade.criteria if verdict.id == criterion_id), None)


def _waived(verdict: CriterionVerdict | None) -> bool:
    return verdict is not None and verdict.waived


def _kind(verdict: CriterionVerdict | None, *, answered: bool, spoken: bool = False) -> FollowUpKind | None:
    if _waived(verdict):
        return None
    if not answered:
        return FollowUpKind.MISSING
    if verdict is None or verdict.verdict is Verdict.UNSCORED:
        return FollowUpKind.UNGRADED
    if verdict.verdict is Verdict.MET:
        return None if verdict.sure else FollowUpKind.UNSURE
    missing = FollowUpKind.MISHEARD if spoken and _misheard(verdict) else FollowUpKind.MISSING
    opposite = verdict.sure and (verdict.contradicted is None or verdict.contradicted >= OPPOSITE)
    return {
        Verdict.CONTRADICTED: FollowUpKind.CONTRADICTION if opposite else missing,
        Verdict.MISSING: missing,
        Verdict.PARTIAL: FollowUpKind.PARTIAL,
    }[verdict.verdict]
