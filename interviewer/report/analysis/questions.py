"""What the report says about one question."""

from __future__ import annotations

from collections.abc import Mapping

from interviewer.report.analysis.attribution import how_reached
from interviewer.report.analysis.code import code_finding, interval_with_code, with_code
from interviewer.report.analysis.contested_marks import disputes, overrides
from interviewer.report.analysis.quotes import GradedText, carrying, doubted_statements, overlap
from interviewer.report.analysis.reference_marks import reference_sentences
from interviewer.report.analysis.stages import stages
from interviewer.report.phrases.code import code_summary
from interviewer.report.phrases.estimates import arithmetic
from interviewer.report.schema.question import (
    Addition,
    Correction,
    CriterionFinding,
    Mark,
    Override,
    QuestionFinding,
    QuestionStatus,
    Quote,
    Turn,
    TurnKind,
    Ungraded,
)
from interviewer.scoring.assistance import outcomes, said_alone, unaided_grade
from interviewer.scoring.code_credit import first_credit
from interviewer.scoring.outcomes import AssistanceLevel, CriterionOutcome
from interviewer.scoring.overrides import with_overrides
from interviewer.scoring.self_assessment import final_grade, own_verdicts, score_with_own
from interviewer.scoring.unasked_points import unasked, without_unasked
from interviewer.scoring.withdrawn import stays_taken_back, taken_back_by
from interviewer.session.design_round import is_round
from interviewer.session.events import (
    AnswerDeclined,
    AnswerGiven,
    AnswerGraded,
    AsideTaken,
    ClarificationGiven,
    CodeRan,
    CorrectionRaised,
    CriterionShown,
    DeclineReason,
    Event,
    FollowUpAsked,
    HintGiven,
    PersonCutShort,
    QuestionAsked,
    QuestionRepeated,
    QuestionReturned,
    QuestionSkipped,
    ReturnWished,
    Said,
    TimeCalled,
)
from interviewer.session.plan import Confidence
from interviewer.session.queries import as_said, graded_words
from interviewer.session.state import AskedQuestion
from knowledge.model import Kind, Question
from rubric.model import Criterion, CriterionVerdict, Grade, Verdict

NOT_YET = "it had not been graded yet when this report was made"
HELP_CAME_FIRST = "help was given before the first answer"
NOTHING_SAID = "nothing was answered"
LED = "the interviewer leads a design round stage by stage"

_SAID_AS: dict[type[Event], TurnKind] = {
    QuestionAsked: TurnKind.QUESTION,
    FollowUpAsked: TurnKind.FOLLOW_UP,
    HintGiven: TurnKind.HINT,
    QuestionRepeated: TurnKind.REPEAT,
    AnswerDeclined: TurnKind.REPLY,
    ClarificationGiven: TurnKind.REPLY,
    AsideTaken: TurnKind.REPLY,
    CriterionShown: TurnKind.SHOWN,
    TimeCalled: TurnKind.TIME,
    PersonCutShort: TurnKind.REPLY,
    ReturnWished: TurnKind.REPLY,
    QuestionReturned: TurnKind.QUESTION,
    CorrectionRaised: TurnKind.REPLY,
}
_WANTING = {Verdict.MISSING, Verdict.PARTIAL, Verdict.CONTRADICTED}


def question_finding(asked: AskedQuestion) -> QuestionFinding:
    """All that can be said about one question from what happened on it; overriding marks are applied."""
    question = asked.question
    overridden = overrides(asked)
    asked = with_overrides(asked)
    current = asked.grades[-1] if asked.grades else None
    whole = final_grade(asked)
    scored = without_unasked(asked, whole.grade) if whole else None
    criteria = _criteria(asked, current, overridden)
    ungraded = _ungraded(asked, current)
    unaided, unaided_note = _unaided(asked)
    code = code_finding(asked)
    credit = code.credit if code else None
    final = with_code(scored.score if scored else None, credit if whole or not asked.answers else None)
    unaided = with_code(unaided, first_credit(asked) if unaided is not None or not asked.answers else None)
    own = score_with_own(asked)
    wrong = [
        quote for found in criteria if found.sure and found.verdict is Verdict.CONTRADICTED for quote in found.quotes
    ]
    doubted = [each for each in doubted_statements(asked) if not any(overlap(each.quote, quote) for quote in wrong)]
    return QuestionFinding(
        asked_id=asked.asked_id,
        number=asked.number,
        question_id=question.id,
        text=question.text,
        spoken=question.spoken,
        topic=question.topic,
        kind=question.kind,
        level=question.level,
        minutes=question.minutes,
        status=_status(asked, final),
        unaided=unaided,
        unaided_note=unaided_note if unaided is None else "",
        final=final,
        final_note=_final_note(asked, final, ungraded),
        interval=interval_with_code(scored.interval if scored else None, credit),
        self_assessed=with_code(own, credit) if own is not None else None,
        code=code,
        skipped=asked.left,
        hinted=asked.hinted,
        transcript=_transcript(asked, criteria, ungraded),
        criteria=criteria,
        stages=stages(question, criteria),
        to_add=tuple(
            Addition(
                criterion_id=found.id,
                text=found.text,
                verdict=found.verdict,
                sure=found.sure,
                self_assessed=found.self_assessed,
            )
            for found in criteria
            if (found.self_assessed or found.verdict) in _WANTING
        ),
        corrections=tuple(
            Correction(
                criterion_id=found.id,
                right=found.text,
                misconception=question.misconception,
                sure=found.sure,
                quotes=found.quotes,
                proof=_criterion(question, found.id).proof,
            )
            for found in criteria
            if found.verdict is Verdict.CONTRADICTED
            # What is so in somebody's story nobody else knows.
            and question.kind is not Kind.BEHAVIORAL
            and found.quotes
            and not found.taken_back
            and found.self_assessed in {None, Verdict.CONTRADICTED}
            and (found.self_assessed or found.overridden or found.sure)
        ),
        graded_all_said=whole is not None,
        ungraded=ungraded,
        why_it_matters=question.why_it_matters,
        reference=question.reference,
        flags=question.flags,
        source=question.source,
        reading=question.reading,
        reference_sentences=reference_sentences(criteria, question),
        came_back=asked.returned is not None,
        drawing=asked.drawing if asked.drawing and asked.drawing.boxes else None,
        of_bank=question.rubric is not None and question.rubric.origin == "bank",
        has_task=question.task is not None,
        doubted=tuple(each.quote for each in doubted if each.told),
    )


def _status(asked: AskedQuestion, final: float | None) -> QuestionStatus:
    if not asked.answers and final is None:
        return QuestionStatus.SKIPPED if asked.left else QuestionStatus.UNANSWERED
    if final is not None:
        return QuestionStatus.GRADED
    return QuestionStatus.PARTLY_GRADED if asked.grades else QuestionStatus.UNGRADED


def _unaided(asked: AskedQuestion) -> tuple[float | None, str]:
    if not asked.answers:
        return None, NOTHING_SAID
    if is_round(asked.question):
        return None, LED
    graded = unaided_grade(asked)
    if graded is not None:
        score = without_unasked(asked, graded).score
        return score, "" if score is not None else _unscored_note(graded)
    points = asked.question.rubric.criteria if asked.question.rubric else ()
    alone = {answer_id for point in points for answer_id in said_alone(asked, point.id)}
    ungraded = [answer.id for answer in asked.answers if answer.id in alone or not points]
    return None, _why_ungraded(asked, ungraded[0]) if ungraded else HELP_CAME_FIRST


def _final_note(asked: AskedQuestion, final: float | None, ungraded: tuple[Ungraded, ...]) -> str:
    if final is not None:
        return ""
    if not asked.answers:
        return NOTHING_SAID
    whole = [item for item in ungraded if item.criterion_id is None]
    return whole[-1].reason if whole else _unscored_note(asked.grades[-1].grade)


def _unscored_note(grade: Grade) -> str:
    unscored = [verdict for verdict in grade.criteria if verdict.verdict is Verdict.UNSCORED]
    reasons = "; ".join(dict.fromkeys(verdict.reason for verdict in unscored if verdict.reason))
    points = "1 point" if len(unscored) == 1 else f"{len(unscored)} points"
    return f"{points} could not be scored" + (f": {reasons}" if reasons else "")


def _why_ungraded(asked: AskedQuestion, answer_id: str) -> str:
    reasons = [failure.reason for failure in asked.failures if failure.answer_id == answer_id]
    return reasons[-1] if reasons else NOT_YET


def _ungraded(asked: AskedQuestion, current: AnswerGraded | None) -> tuple[Ungraded, ...]:
    """Answers that no mark covers, and criteria of the current grade that could not be scored."""
    covered = current is not None
    found = []
    for answer in asked.answers:
        if not covered:
            reason = _why_ungraded(asked, answer.id)
            found.append(Ungraded(number=asked.number, answer_id=answer.id, criterion_id=None, reason=reason))
        if current and answer.id == current.answer_id:
            covered = False
    if current:
        found += [
            Ungraded(
                number=asked.number,
                answer_id=current.answer_id,
                criterion_id=verdict.id,
                reason=verdict.reason,
            )
            for verdict in current.grade.criteria
            if verdict.verdict is Verdict.UNSCORED
        ]
    return tuple(found)


def _criteria(
    asked: AskedQuestion, current: AnswerGraded | None, overridden: Mapping[str, Override]
) -> tuple[CriterionFinding, ...]:
    if current is None:
        return ()
    text = GradedText(current.graded_text, graded_words(asked))
    first = unaided_grade(asked)
    before = {verdict.id: verdict.verdict for verdict in first.criteria} if first else {}
    points = [_criterion(asked.question, verdict.id) for verdict in current.grade.criteria]
    judged = list(zip(points, current.grade.criteria, strict=True))
    silent = unasked(asked, current.grade)
    weights = [0.0 if verdict.waived or verdict.id in silent else point.weight for point, verdict in judged]
    whole = sum(weights) or 1.0
    own, disputed = own_verdicts(asked), disputes(asked)
    findings = []
    for number, ((point, verdict), weight) in enumerate(zip(judged, weights, strict=True), start=1):
        by_hand = point.id in overridden or point.id in own
        quotes, back = _evidence(asked, point, text.quotes(_merged(verdict)), verdict, by_hand=by_hand)
        findings.append(
            CriterionFinding(
                id=point.id,
                number=number,
                text=point.text,
                share=min(weight / whole, 1.0),
                verdict=verdict.verdict,
                credit=verdict.credit,
                contradicted=verdict.contradicted,
                sure=verdict.sure and verdict.verdict is not Verdict.UNSCORED and not back,
                first_verdict=before.get(point.id),
                reached=how_reached(asked, point, overridden),
                quotes=quotes,
                reason=verdict.reason,
                self_assessed=own.get(point.id),
                dispute=disputed.get(point.id),
                overridden=overridden.get(point.id),
                never_asked=point.id in silent,
                taken_back=back,
                arithmetic=arithmetic(point, current.graded_text, asked.question.text),
            )
        )
    return tuple(findings)


def _evidence(
    asked: AskedQuestion, point: Criterion, found: tuple[Quote, ...], verdict: CriterionVerdict, *, by_hand: bool
) -> tuple[tuple[Quote, ...], bool]:
    """What to quote for a verdict, and whether what it contradicts was taken back.

    Words by which something wrong is put right do not show that it was said.
    """
    sure = verdict.sure or by_hand
    if verdict.verdict is not Verdict.CONTRADICTED:
        return carrying(found, point, sure=sure), False
    mending = taken_back_by(asked, point.id)
    wrong = tuple(quote for quote in found if quote.answer_id not in mending)
    back = not by_hand and stays_taken_back(asked, mending, {quote.answer_id for quote in wrong})
    return carrying(wrong, point, sure=sure and not back), back


def _criterion(question: Question, criterion_id: str) -> Criterion:
    """The criterion as it was when the question was asked; its id alone where the rubric has it no more."""
    rubric = question.rubric
    for criterion in rubric.criteria if rubric else ():
        if criterion.id == criterion_id:
            return criterion
    return Criterion(id=criterion_id, text=criterion_id)


def _merged(verdict: CriterionVerdict) -> list[tuple[int, int]]:
    """The spans in reading order, those that touch or overlap made one."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(verdict.evidence):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _transcript(
    asked: AskedQuestion, criteria: tuple[CriterionFinding, ...], ungraded: tuple[Ungraded, ...]
) -> tuple[Turn, ...]:
    why = {item.answer_id: item.reason for item in ungraded if item.criterion_id is None}
    sure = {stated.answer_id: stated.level for stated in asked.stated}
    turns = (turn for event in as_said(asked.turns) for turn in (_wish(event), _turn(event, criteria, why, sure)))
    became = outcomes(asked)
    points = {found.id: found for found in criteria}
    return tuple(_with_outcome(turn, became, points) for turn in turns if turn is not None)


def _with_outcome(
    turn: Turn,
    became: Mapping[str, tuple[CriterionOutcome, tuple[str, ...]]],
    points: Mapping[str, CriterionFinding],
) -> Turn:
    """A turn with what became of it; that it helped with a point only where that is how the point was made."""
    if turn.event_id not in became or turn.kind not in {TurnKind.FOLLOW_UP, TurnKind.HINT}:
        return turn
    outcome, better = became[turn.event_id]
    gained = tuple(points[name].number for name in better if name in points and points[name].reached in _BY_HELP)
    if outcome is CriterionOutcome.HELPED and not gained:
        outcome = CriterionOutcome.UNKNOWN
    return turn.model_copy(update={"outcome": outcome, "gained": gained})


_BY_HELP = {AssistanceLevel.AFTER_FOLLOW_UP, AssistanceLevel.AFTER_HINT, AssistanceLevel.NOT_MET}
"""How a point may have been reached that help is said to have helped with; one of which part was made is not met."""


def _wish(event: Event) -> Turn | None:
    """What the person said to bring an event about, where that was no answer."""
    said = event.person_words
    if said is None or isinstance(event, AnswerGiven):
        return None
    unknown = isinstance(event, AnswerDeclined) and event.reason is DeclineReason.UNKNOWN
    kind = TurnKind.DECLINED if unknown else TurnKind.WISH
    return Turn(kind=kind, event_id=event.id, speaker="person", at=event.at, text=said)


def _turn(
    event: Event, criteria: tuple[CriterionFinding, ...], why: Mapping[str, str], sure: Mapping[str, Confidence]
) -> Turn | None:
    """The turn an event is; ``None`` for what happens behind the scenes, such as grading."""
    match event:
        case _ if isinstance(event, Said):
            drilled = event if isinstance(event, FollowUpAsked) else None
            return Turn(
                kind=_SAID_AS[type(event)],
                event_id=event.id,
                speaker="interviewer",
                at=event.at,
                text=event.said,
                follow_up_kind=drilled.kind if drilled else None,
                criterion_id=drilled.criterion_id if drilled else None,
            )
        case AnswerGiven():
            return Turn(
                kind=TurnKind.ANSWER,
                event_id=event.id,
                speaker="person",
                at=event.at,
                text=event.text,
                marks=_marks(event.id, criteria),
                ungraded=why.get(event.id, ""),
                sure=sure.get(event.id),
                later=bool(event.meanwhile),
            )
        case CodeRan(submitted=True):
            return Turn(kind=TurnKind.CODE, event_id=event.id, speaker="person", at=event.at, text=code_summary(event))
        case QuestionSkipped():
            back = event.later
            return Turn(kind=TurnKind.SKIP, event_id=event.id, speaker="person", at=event.at, text="", returns=back)
        case _:
            return None


def _marks(answer_id: str, criteria: tuple[CriterionFinding, ...]) -> tuple[Mark, ...]:
    marks = [
        Mark(
            start=quote.start,
            end=quote.end,
            criterion_id=found.id,
            number=found.number,
            verdict=found.verdict,
            sure=found.sure,
            credit=found.credit,
        )
        for found in criteria
        for quote in found.quotes
        if quote.answer_id == answer_id
    ]
    return tuple(sorted(marks, key=lambda mark: (mark.start, mark.end, mark.number)))
