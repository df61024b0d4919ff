"""The interview as a fold over its journal, and what should happen next. Pure."""

from __future__ import annotations

from collections import Counter

from interviewer.policy.actions import (
    Action,
    AskFollowUp,
    AskQuestion,
    CloseQuestion,
    CloseSegment,
    EndInterview,
    GradeAnswer,
    Listen,
    Nothing,
    OpenSegment,
    Reply,
    ReturnTo,
    ShowCriterion,
)
from interviewer.policy.answer_stages import stage_of
from interviewer.policy.code_follow_ups import next_code_follow_up
from interviewer.policy.design_rounds import EXTRA, next_in_round
from interviewer.policy.follow_ups import FollowUp, next_follow_up, was_missed
from interviewer.policy.question_returns import Refusal, choose, noted, offered, wanted
from interviewer.policy.ungraded_follow_ups import follow_up_before_the_mark
from interviewer.session.clock import allowance_s, another_fits, is_over, spare_minutes
from interviewer.session.design_round import is_round
from interviewer.session.events import (
    AnswerDeclined,
    AnswerGiven,
    AsideTaken,
    CodeRan,
    CriterionShown,
    DeclineReason,
    Event,
    FollowUpAsked,
    PersonSpoke,
    QuestionReturned,
    ReturnWished,
    SegmentOpened,
)
from interviewer.session.follow_up_kinds import FollowUpKind
from interviewer.session.plan import Plan, SegmentKind
from interviewer.session.queries import late_mark, planned_length, said_so_far
from interviewer.session.state import AskedQuestion, Segment, State
from interviewer.understanding.intent import Intent
from interviewer.understanding.segment_cues import asks_to_finish, only_asks, wants_no_more, wants_to_end
from interviewer.understanding.turn_parts import declines_to_write
from knowledge.model import Kind, Question
from rubric.coding.result import CodeStatus
from rubric.model import Verdict

MOST_REPLIES = 10
"""How many questions of the person are answered at the end; most say before that that they have no more."""

_MOST_WAITED = 3
"""How often words that say neither yes nor no are waited for."""


def next_action(state: State) -> Action:
    """What should happen next in an interview that stands like this."""
    if state.plan is None or state.ended is not None or state.paused:
        return Nothing()
    if state.current is not None and state.segment is None:
        return _next_on(state.current, state.plan)
    back = wanted(state)
    if back is not None:
        return ReturnTo(asked_id=back.asked_id)
    if state.segment is not None:
        return (
            _next_in_way_back(state, state.segment)
            if state.segment.part is SegmentKind.WAY_BACK
            else _next_in_segment(state.segment)
        )
    return _next_part(state, state.plan)


def _next_part(state: State, plan: Plan) -> Action:
    """What comes when nothing is open."""
    if plan.talks and not state.segments and not state.asked:
        return OpenSegment(part=SegmentKind.WARM_UP)
    more = len(state.asked) < planned_length(plan)
    if more and (another_fits(state) or not state.asked):
        return AskQuestion(number=len(state.asked) + 1)
    back = noted(state)
    if back is not None:
        return ReturnTo(asked_id=back.asked_id)
    ending = ending_part(state, plan)
    talked = any(segment.part is not SegmentKind.WARM_UP for segment in state.segments)
    if not more and not talked and spare_minutes(state) and not _asked_to_finish(state.asked[-1]):
        return AskQuestion(number=len(state.asked) + 1)
    return EndInterview(reason="time is up" if more else "completed") if ending is None else ending


def _asked_to_finish(question: AskedQuestion) -> bool:
    """Whether the person wanted no question after it."""
    return any(
        (isinstance(turn, AsideTaken) and turn.intent is Intent.END) or asks_to_finish(turn.person_words or "")
        for turn in question.turns
    )


def ending_part(state: State, plan: Plan) -> OpenSegment | None:
    """What comes when all questions were asked, before the interview ends; ``None`` where nothing does."""
    if plan.talks and all(segment.part is not SegmentKind.THEIR_QUESTIONS for segment in state.segments):
        return OpenSegment(part=SegmentKind.THEIR_QUESTIONS)
    if not plan.talks and offered(state) is not None and not _asked_to_finish(state.asked[-1]):
        return OpenSegment(part=SegmentKind.WAY_BACK)
    return None


def _next_in_segment(segment: Segment) -> Action:
    last = segment.turns[-1]
    if isinstance(last, ReturnWished):
        return Reply(part=segment.part, to_id=last.id)
    if not isinstance(last, PersonSpoke):
        return Listen() if len(segment.spoken) < MOST_REPLIES else CloseSegment(part=segment.part)
    if segment.part is SegmentKind.WARM_UP:
        # Whoever asks how it is meant is told once, and has told nothing yet.
        asks = len(segment.spoken) == 1 and only_asks(last.text) and not wants_to_end(last.text)
        return Reply(part=segment.part, to_id=last.id) if asks else CloseSegment(part=segment.part)
    if wants_no_more(last.text):
        return CloseSegment(part=segment.part)
    return Reply(part=segment.part, to_id=last.id)


def _next_in_way_back(state: State, segment: Segment) -> Action:
    """Who says neither yes nor no is asked again; after coming back, there may be another question to go back to."""
    last = segment.turns[-1]
    if isinstance(last, PersonSpoke):
        done = wants_to_end(last.text) or len(segment.spoken) >= _MOST_WAITED
        return CloseSegment(part=segment.part) if done else Reply(part=segment.part, to_id=last.id)
    if not isinstance(last, SegmentOpened) and isinstance(choose(state), Refusal):
        return CloseSegment(part=segment.part)
    return Reply(part=segment.part, to_id=last.id) if isinstance(last, ReturnWished) else Listen()


def awaits_code(question: AskedQuestion, plan: Plan) -> bool:
    """Whether the person writes and runs code for this question."""
    return plan.editor and question.question.task is not None


def still_awaits_code(question: AskedQuestion, plan: Plan) -> bool:
    """Whether they write it, have submitted none yet, and have not said that they would rather talk about it."""
    return (
        awaits_code(question, plan)
        and question.submission is None
        and not any(declines_to_write(answer.text) for answer in question.answers)
    )


def _next_on(question: AskedQuestion, plan: Plan) -> Action:
    if question.skipped or question.finished:
        return _ungraded_answer(question) or CloseQuestion(asked_id=question.asked_id)
    turn = _last_move(question, plan)
    if turn is None or _leaves_the_turn(turn, question):
        return Listen()
    if isinstance(turn, AnswerGiven) and _due(question, turn):
        return GradeAnswer(asked_id=question.asked_id, answer_id=turn.id)
    # A design has stages: who knows nothing on two of them is still asked about the others.
    staged = question.question.kind is Kind.SYSTEM_DESIGN
    if not plan.drill and not staged and _given_up(question) >= _MOST_DECLINED:
        return _last_grade(question) or CloseQuestion(asked_id=question.asked_id)
    if awaits_code(question, plan):
        return _next_on_code(question, plan)
    return _drill(question, plan)


_MOST_DECLINED = 2
"""How often a person says on one question that they do not know before the interview moves on."""

_MOVES = (AnswerGiven, AnswerDeclined, FollowUpAsked, CriterionShown, QuestionReturned)


def _last_move(question: AskedQuestion, plan: Plan) -> Event | None:
    """The last thing that happened on a question and bears on what comes next; repairs do not."""
    kinds = (*_MOVES, CodeRan) if awaits_code(question, plan) else _MOVES
    moves = (turn for turn in reversed(question.turns) if isinstance(turn, kinds))
    return next((turn for turn in moves if not isinstance(turn, CodeRan) or turn.submitted), None)


def _leaves_the_turn(turn: Event, question: AskedQuestion) -> bool:
    """Whether it is the person who speaks next: they were asked or offered something, or have not finished."""
    match turn:
        case FollowUpAsked() | QuestionReturned() | AnswerGiven(unfinished=True):
            return True
        case AnswerDeclined(floor=True):
            return True
        case AnswerDeclined(follow_up_id=None):
            return _given_up(question) < _MOST_DECLINED
        case _:
            return False


def _given_up(question: AskedQuestion) -> int:
    """How often something was left for good."""
    return sum(declined.reason is not DeclineReason.LATER for declined in question.declined)


def _due(question: AskedQuestion, answer: AnswerGiven) -> bool:
    """Whether an answer is still to be graded, and was not tried in vain."""
    known = {grade.answer_id for grade in question.grades} | {failure.answer_id for failure in question.failures}
    return answer.id not in known


def _ungraded_answer(question: AskedQuestion) -> GradeAnswer | None:
    """The last answer of a finished coding question, where its mark is still to come: what was said counts."""
    return _last_grade(question) if question.finished else None


def _last_grade(question: AskedQuestion) -> GradeAnswer | None:
    """The last answer, where its mark is still to come."""
    if not question.answers or not _due(question, question.answers[-1]):
        return None
    return GradeAnswer(asked_id=question.asked_id, answer_id=question.answers[-1].id)


def _next_on_code(question: AskedQuestion, plan: Plan) -> Action:
    """Words may come before, between and after submissions; the interviewer asks when there is something to ask about.

    As long as the tests do not pass, the question stays open: the person may always try again, or finish.
    """
    submitted = question.submission
    if submitted is None:
        return Listen() if still_awaits_code(question, plan) else _drill(question, plan)
    point = next_code_follow_up(question)
    if point is not None:
        return AskFollowUp(asked_id=question.asked_id, kind=point.kind, criterion_id=point.topic)
    if submitted.result.status is not CodeStatus.PASSED:
        return Listen()
    return _drill(question, plan)


def _drill(question: AskedQuestion, plan: Plan) -> Action:
    last = question.answers[-1] if question.answers else None
    graded = next((grade for grade in question.grades if last and grade.answer_id == last.id), None)
    grade = graded.grade if graded else None
    # A word that was checked is no follow-up: its point may still be asked about, and it takes nobody's place.
    checked = [asked for asked in question.follow_ups if asked.kind is FollowUpKind.MISHEARD]
    about_words = [asked for asked in question.follow_ups if not asked.about_run and asked not in checked]
    if question.time_called or is_over(question, plan):
        return CloseQuestion(asked_id=question.asked_id)
    tried = [asked.criterion_id for asked in about_words if asked.kind is not FollowUpKind.DEPTH]
    tried += [declined.criterion_id for declined in question.declined if declined.criterion_id]
    if plan.drill:
        later = put_off(question)
        told = {shown.criterion_id for shown in question.shown} | ({later.criterion_id} if later else set())
        untold = (name for name in tried if name not in told)
        missed = next(
            (name for name in untold if was_missed(question.question, grade, name, answered=bool(last))), None
        )
        if missed is not None:
            return ShowCriterion(asked_id=question.asked_id, criterion_id=missed)
    left = _limit(question, plan) - len(about_words)
    drilled = frozenset([*tried, *(asked.criterion_id for asked in about_words)])
    late = late_mark(question)
    deeper = sum(asked.kind is FollowUpKind.DEPTH for asked in about_words)
    led = is_round(question.question)
    asks_for_more = not plan.drill and not led

    def find(among: Question) -> FollowUp | None:
        if late is not None:
            return follow_up_before_the_mark(
                among,
                question.grades[-1].grade if question.grades else None,
                nearest=late.nearest,
                text=said_so_far(question, late.answer_id),
                drilled=frozenset(tried),
                left=left,
                deeper=plan.depth and not led and not deeper,
            )
        return next_follow_up(
            among,
            grade,
            drilled=drilled,
            left=left,
            said=graded.graded_text if graded and asks_for_more and _last_move(question, plan) is last else "",
            answered=last is not None,
            deeper=deeper if plan.depth and not led else None,
            text=graded.graded_text if graded else "",
            nearest=graded.nearest if graded else (),
            spoken=last is not None and last.spoken is not None and not checked and not led,
            doubted=bool(graded and any(claim.quotable for claim in graded.claims)) and not led,
        )

    return _follow_up(
        question,
        next_in_round(question, plan, tried=drilled, left=left, find=find) if led else find(question.question),
    )


def _follow_up(question: AskedQuestion, drill: FollowUp | None) -> Action:
    if drill is None:
        later = put_off(question)
        if later is None:
            return CloseQuestion(asked_id=question.asked_id)
        return AskFollowUp(asked_id=question.asked_id, kind=later.kind, criterion_id=later.criterion_id)
    return AskFollowUp(asked_id=question.asked_id, kind=drill.kind, criterion_id=drill.criterion_id)


def put_off(question: AskedQuestion) -> FollowUpAsked | None:
    """The follow-up that the person wanted to come back to; ``None`` where there is none, or it was asked again.

    A point that was met meanwhile is not asked for.
    """
    marks = question.grades[-1].grade.criteria if question.grades else ()
    met = {each.id for each in marks if each.verdict is Verdict.MET and (each.credit or 0.0) >= _LIKELY_MET}
    later = {declined.follow_up_id for declined in question.declined if declined.reason is DeclineReason.LATER}
    asked = Counter((each.kind, each.criterion_id) for each in question.follow_ups)
    waiting = (each for each in question.follow_ups if each.id in later and asked[each.kind, each.criterion_id] == 1)
    return next((each for each in waiting if each.kind is FollowUpKind.DEPTH or each.criterion_id not in met), None)


_LIKELY_MET = 0.65
"""Credit from which a point that is called met is not asked for once more."""


def _limit(question: AskedQuestion, plan: Plan) -> int:
    """Most follow-ups that a question may get.

    While drilling, and in a design round, one for each of its criteria; so may a shorter design by the clock, which
    uses its time, and without one it gets as many as it has stages. By the clock any other question gets two more
    while half of its time is left.
    """
    rubric = question.question.rubric
    if rubric and plan.follow_ups and is_round(question.question):
        return len(rubric.criteria) + EXTRA
    if rubric and plan.follow_ups and question.question.kind is Kind.SYSTEM_DESIGN:
        stages = {stage_of(Kind.SYSTEM_DESIGN, point) for point in rubric.criteria}
        return max(len(rubric.criteria) if plan.minutes else len(stages), plan.follow_ups)
    most = max(len(rubric.criteria), plan.follow_ups) if plan.drill and rubric else plan.follow_ups
    early = plan.minutes is not None and question.active_s < _EARLY * allowance_s(question, plan)
    return most + _MORE_WHILE_EARLY if plan.follow_ups and not plan.drill and early else most


_EARLY = 0.5
"""Share of its time up to which a question is followed up further: with points still open nobody moves on so soon."""
_MORE_WHILE_EARLY = 2
