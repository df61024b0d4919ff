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
from rubric.model import Criterion, CriterionVerdict, Grade, Rubric, Verdict

# A question has one harder question that follows on it: after that the next question tells more.
_MOST_DEPTH = 1

MADE_ENOUGH = 0.75
"""Credit from which a point counts as made although the judge is not sure: of 32 such points with less than it
is sure from, 25 had been made, one half (``tests/benchmarks/judged_bank.csv``)."""

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
"""Credit from which a point that seems missing may have been made (``make follow-up-bench``, docs/benchmarks.md)."""

NEAR_EVEN_OPPOSITE = 0.2
"""Credit from which a point that seems contradicted may have been made: of 83 points below it six had been, in
part, of the 16 between it and ``NEAR_EVEN`` three (``tests/benchmarks/judged_bank.csv``)."""

IN_ITS_WORDING = 0.66
"""Likeness in wording from which a point that may be said is not asked for: of 44 such points 36 had been made, 22 of
them in part; of all 584 that would be asked for 165, 110 in part (``tests/benchmarks/bank_answers.jsonl``)."""

NEAR_SAID = 0.2
"""Credit below which no wording speaks for a point."""


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
    may have been misheard, then what is missing, then what is partly
    there, then one concrete thing where the answer was vague, then what the judge is unsure of or what the answer comes
    near to, what was most likely not made before the rest, then what could not be scored. What was most likely said is
    not asked for (``likely_said``). Among equals the stage of a design or a story that nothing was said on, the
    heaviest, the surest, the first in the rubric.
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
        name: kind if kind is FollowUpKind.CONTRADICTION or not likely_said(verdicts[name], nearest) else None
        for name, kind in kinds.items()
    }
    wanting = [criterion for criterion in question.rubric.criteria if kinds[criterion.id] is not None]
    open_contradiction = any(kind is FollowUpKind.CONTRADICTION and name not in drilled for name, kind in kinds.items())
    if doubted and CLAIM_ID not in drilled and not open_contradiction:
        return FollowUp(FollowUpKind.CLAIM, CLAIM_ID)
    if not wanting:
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
        likely_made = kind is FollowUpKind.UNSURE and not (grade and likely_missed(grade, criterion.id, nearest))
        return (
            rule_of(kind).rank,
            unprobed,
            likely_made,
            *steered,
            -criterion.weight,
            verdict is not None and not verdict.sure,
        )

    open_points = sorted((criterion for criterion in wanting if criterion.id not in drilled), key=urgency)
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


def likely_missed(grade: Grade, criterion_id: str, nearest: Sequence[NearestWords]) -> bool:
    """Whether a point was most likely not made: it is missing or contradicted, and its credit is well below even odds.

    It comes before the other points that the judge is unsure of. Of a missing point these words must not all
    but say it; of a contradicted one they are those nearest to its opposite. How many such points had been made after
    all stands in docs/benchmarks.md (``make follow-up-bench``).

    Args:
        grade: the mark of all that was said so far.
        criterion_id: of the point.
        nearest: the words of it that come nearest to each point.

    """
    verdict = _verdict(grade, criterion_id)
    if verdict is None or verdict.credit is None:
        return False
    if verdict.verdict is Verdict.CONTRADICTED:
        return verdict.credit < NEAR_EVEN_OPPOSITE
    return verdict.verdict is Verdict.MISSING and verdict.credit < NEAR_EVEN and not says_it(nearest, criterion_id)


def likely_said(verdict: CriterionVerdict | None, nearest: Sequence[NearestWords]) -> bool:
    """Whether a point that the judge is unsure of was most likely said.

    It is held for met with even odds, or a sentence comes near to its wording, or it is held for contradicted and its
    credit is not well below even odds: people contradict far fewer points than the answers the judge was fitted to.
    Of ten points of the last kind that were asked for in interviews, five had been said in full, four in part
    (docs/benchmarks.md).
    """
    if verdict is None or verdict.credit is None:
        return False
    if verdict.verdict in {Verdict.MET, Verdict.CONTRADICTED}:
        enough = _EVEN if verdict.verdict is Verdict.MET else NEAR_EVEN_OPPOSITE
        return not verdict.sure and verdict.credit >= enough
    worded = any(each.wording >= IN_ITS_WORDING for each in nearest if each.criterion_id == verdict.id)
    return worded and may_be_said(verdict)


def may_be_said(verdict: CriterionVerdict) -> bool:
    """Whether a point that the judge does not hold for made may have been said after all."""
    open_still = verdict.verdict is not Verdict.MET or not verdict.sure
    even = verdict.contradicted is None or verdict.contradicted < _EVEN
    return open_still and even and verdict.credit is not None and verdict.credit >= NEAR_SAID


_EVEN = 0.5


def says_it(nearest: Sequence[NearestWords], criterion_id: str, kind: Kind = Kind.CONCEPT) -> bool:
    """Whether words come so near to a point that they may well make it, whatever the mark; a story's need less."""
    enough = COMES_NEAR if kind is Kind.BEHAVIORAL else SAYS_IT
    return any(each.likeness >= enough for each in nearest if each.criterion_id == criterion_id)


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
        return None if verdict.sure or (verdict.credit or 0.0) >= MADE_ENOUGH else FollowUpKind.UNSURE
    missing = FollowUpKind.MISHEARD if spoken and _misheard(verdict) else FollowUpKind.MISSING
    opposite = verdict.sure and (verdict.contradicted is None or verdict.contradicted >= OPPOSITE)
    return {
        Verdict.CONTRADICTED: FollowUpKind.CONTRADICTION if opposite else missing,
        Verdict.MISSING: missing,
        Verdict.PARTIAL: FollowUpKind.PARTIAL,
    }[verdict.verdict]
