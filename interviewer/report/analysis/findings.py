"""An interview's state -> what a report says about it. Pure: no clock, no disk, no model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TypedDict

from interviewer.planning.ability import standing as ability
from interviewer.policy.question_returns import awaited
from interviewer.report.analysis.calibration import confidence
from interviewer.report.analysis.contested_marks import without_contested
from interviewer.report.analysis.delivery import manner
from interviewer.report.analysis.highlights import first_fix, fix_first, gaps, strengths
from interviewer.report.analysis.questions import question_finding
from interviewer.report.analysis.standing import is_graded, judged_interval, standing
from interviewer.report.analysis.study_plan import study_plan
from interviewer.report.analysis.ungraded_segments import talks
from interviewer.report.schema.findings import EarlierScore, Findings, Tally, TopicTally
from interviewer.report.schema.provenance import HowMade, JudgeUsed, PhrasedByModel, RubricUsed
from interviewer.report.schema.question import QuestionFinding, QuestionStatus, Turn, TurnKind
from interviewer.session.queries import beyond_plan
from interviewer.session.state import AskedQuestion, State
from knowledge.model import Level, Question
from rubric.grading.trust_card import TrustCard
from rubric.model import Interval, Verdict


def findings(
    session_id: str,
    state: State,
    cards: Sequence[TrustCard] = (),
    library: Collection[Question] = (),
    earlier: Sequence[EarlierScore] = (),
    *,
    replies: Mapping[str, str] | None = None,
) -> Findings:
    """All that a report says about an interview, ended or not.

    Args:
        session_id: the interview's id, shown so that the report can be made again.
        state: the interview, folded from its journal.
        cards: what was measured of judges, those that gave no mark here included.
        library: the questions there are, to name some to try next; without any, those of the interview are named.
        earlier: what earlier interviews came to (``earlier.py``), topics that were not asked about here included.
        replies: what was replied to answers beside thanks, by the answer's id, for the transcript.

    Returns:
        the findings; the same state always gives the same ones.

    """
    told = [_uncredited(question_finding(asked), asked, state) for asked in state.asked]
    pairs = [(asked, _with_replies(each, replies or {})) for asked, each in zip(state.asked, told, strict=True)]
    questions = [finding for _, finding in pairs]
    to_fix = fix_first(pairs)
    overall, topics = Tally(**_tally(questions)), _by_topic(questions)
    counted = [without_contested(question) for question in questions]
    level = state.plan.level if state.plan else Level.MID
    times = [turn.at for question in questions for turn in question.transcript]
    times += [state.ended.at] if state.ended else []
    study, left_out = study_plan(pairs, library, max(times).date(), to_fix) if times else ((), 0)
    return Findings(
        session_id=session_id,
        plan=state.plan,
        started=min([*times, *(turn.at for segment in state.segments for turn in segment.turns)], default=None),
        last=max(times, default=None),
        seconds=(max(times) - min(times)).total_seconds() if times else 0.0,
        ended=state.ended.reason if state.ended else None,
        overall=overall,
        topics=topics,
        strengths=strengths(pairs),
        gaps=gaps(pairs),
        fix_first=to_fix,
        fix=first_fix(to_fix[0] if to_fix else None, pairs),
        study=study,
        study_left_out=left_out,
        questions=tuple(questions),
        made=_made(state.asked, questions, cards),
        manner=manner(state.asked),
        talks=talks(state),
        confidence=confidence(state.asked),
        notes=state.notes,
        damaged=state.damaged,
        standing=standing(
            counted,
            _by_topic(counted),
            _mean(counted, lambda q: q.final),
            level,
            ability(state).estimate.overall,
            left_out=_contested(questions),
        ),
        earlier=tuple(sorted((e for e in earlier if e.topic in {t.topic for t in topics}), key=lambda e: e.started)),
    )


def _uncredited(found: QuestionFinding, asked: AskedQuestion, state: State) -> QuestionFinding:
    """The question as it counts: one that was skipped earns nothing.

    It does not count where it is still to be asked again, or was no part of the plan.
    """
    beyond = state.plan is not None and beyond_plan(asked, state.plan) and asked.skipped
    if found.status is not QuestionStatus.SKIPPED or beyond or awaited(asked, state):
        return found
    return found.model_copy(
        update={"unaided": 0.0, "unaided_note": "", "final": 0.0, "final_note": "", "interval": (0.0, 0.0)}
    )


def _with_replies(found: QuestionFinding, replies: Mapping[str, str]) -> QuestionFinding:
    """The question with what was replied to its answers, by the answer's id."""
    turns: list[Turn] = []
    for turn in found.transcript:
        turns.append(turn)
        if turn.kind is TurnKind.ANSWER and (said := replies.get(turn.event_id)):
            name = f"{turn.event_id}:reply"
            turns.append(Turn(kind=TurnKind.REPLY, event_id=name, speaker="interviewer", at=turn.at, text=said))
    return found.model_copy(update={"transcript": tuple(turns)})


def _by_topic(questions: Sequence[QuestionFinding]) -> tuple[TopicTally, ...]:
    return tuple(
        TopicTally(topic=topic, **_tally([q for q in questions if q.topic == topic]))
        for topic in dict.fromkeys(q.topic for q in questions)
    )


def _contested(questions: Sequence[QuestionFinding]) -> int:
    return sum(found.contested for question in questions for found in question.criteria)


class _Totals(TypedDict):
    asked: int
    graded: int
    graded_unaided: int
    skipped: int
    without_mark: int
    unaided: float | None
    final: float | None
    self_assessed: float | None
    graded_self_assessed: int
    interval: Interval | None


def _tally(questions: Sequence[QuestionFinding]) -> _Totals:
    unmarked = {QuestionStatus.PARTLY_GRADED, QuestionStatus.UNGRADED}
    settled = questions if any(q.self_assessed is not None for q in questions) else ()
    return _Totals(
        asked=len(questions),
        graded=sum(is_graded(q) for q in questions),
        graded_unaided=sum(q.unaided is not None for q in questions),
        skipped=sum(q.status is QuestionStatus.SKIPPED for q in questions),
        without_mark=sum(q.status in unmarked for q in questions),
        unaided=_mean(questions, lambda q: q.unaided),
        final=_mean(questions, lambda q: q.final),
        self_assessed=_mean(settled, _with_own),
        graded_self_assessed=sum(_with_own(q) is not None for q in settled),
        interval=judged_interval(questions),
    )


def _with_own(question: QuestionFinding) -> float | None:
    return question.final if question.self_assessed is None else question.self_assessed


def _mean(questions: Sequence[QuestionFinding], score: Callable[[QuestionFinding], float | None]) -> float | None:
    """Mean over the questions that have the score, weighted by minutes; ``None`` where none was graded."""
    if not any(map(is_graded, questions)):
        return None
    scored = [(value, q.minutes) for q in questions if (value := score(q)) is not None]
    if not scored:
        return None
    return min(sum(value * minutes for value, minutes in scored) / sum(m for _, m in scored), 1.0)


def _made(asked: Sequence[AskedQuestion], questions: Sequence[QuestionFinding], cards: Sequence[TrustCard]) -> HowMade:
    grades = [graded.grade for question in asked for graded in question.grades]
    measured = {(card.judge, card.model): card for card in cards}
    judges = dict.fromkeys((g.engine.judge, g.engine.model, g.engine.digest) for g in grades)
    # What nobody asked for has no mark that counts, neither here nor beside the questions.
    criteria = [found for question in questions for found in question.criteria if not found.never_asked]
    return HowMade(
        judges=tuple(
            JudgeUsed(judge=judge, model=model, digest=digest, card=measured.get((judge, model)))
            for judge, model, digest in judges
        ),
        rubrics=tuple(
            _rubric(question, version)
            for question in asked
            for version in dict.fromkeys(graded.grade.engine.rubric_version for graded in question.grades)
        ),
        criteria_judged=len(criteria),
        criteria_unsure=sum(not c.sure and c.verdict is not Verdict.UNSCORED for c in criteria),
        criteria_self_assessed=sum(c.self_assessed is not None for c in criteria),
        criteria_disputed=sum(c.dispute is not None for c in criteria),
        criteria_overridden=sum(c.overridden is not None for c in criteria),
        overridden_by=tuple(dict.fromkeys(c.overridden.by for c in criteria if c.overridden)),
        unscored=tuple(item for question in questions for item in question.ungraded),
        grading_seconds=sum(grade.seconds for grade in grades),
        phrased=_phrased(asked),
    )


def _phrased(asked: Sequence[AskedQuestion]) -> PhrasedByModel | None:
    tried = [turn.phrased for question in asked for turn in question.follow_ups if turn.phrased is not None]
    if not tried:
        return None
    return PhrasedByModel(
        models=tuple(dict.fromkeys(each.model for each in tried)),
        asked=len(tried),
        replaced=tuple(Counter(each.replaced for each in tried if each.replaced is not None).most_common()),
    )


def _rubric(asked: AskedQuestion, version: str) -> RubricUsed:
    rubric = asked.question.rubric
    return RubricUsed(
        number=asked.number,
        question_id=asked.question.id,
        version=version,
        origin=rubric.origin if rubric else None,
        as_asked=bool(rubric and rubric.version == version),
    )
