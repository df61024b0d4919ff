"""What a person said alone, and what came after help."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from interviewer.scoring.claiming import asks_back
from interviewer.scoring.grade_requests import begins_at
from interviewer.scoring.outcomes import AssistanceLevel, CriterionOutcome
from interviewer.session.code_proof import PROVEN
from interviewer.session.events import (
    AnswerDeclined,
    AnswerGiven,
    AnswerGraded,
    CodeRan,
    CriterionShown,
    DeclineReason,
    Event,
    FollowUpAsked,
    HintGiven,
    QuestionReturned,
)
from interviewer.session.follow_up_kinds import rule_of
from interviewer.session.state import AskedQuestion
from rubric.coding.result import CodeStatus
from rubric.grading.grader import rescored
from rubric.model import CriterionVerdict, Grade, Verdict

_ORDER = {Verdict.CONTRADICTED: 0, Verdict.MISSING: 0, Verdict.PARTIAL: 1, Verdict.MET: 2}
"""Which verdict is better. Who takes back what was wrong has not made the point yet."""

_BY_HELP = {
    0: AssistanceLevel.UNAIDED,
    1: AssistanceLevel.AFTER_FOLLOW_UP,
    2: AssistanceLevel.AFTER_HINT,
    3: AssistanceLevel.AFTER_ANSWER,
}


def help_before(asked: AskedQuestion, point: str) -> dict[str, AssistanceLevel]:
    """For each answer, by its id, the strongest help with a point that came before it.

    A follow-up or a hint helps with what it asked about: what is said in reply on anything else, nobody asked for.

    Args:
        asked: the question.
        point: the id of the criterion.

    """
    helps = _helps(asked.turns, point)
    return {event.id: _BY_HELP[strongest] for event, strongest in helps if isinstance(event, AnswerGiven)}


def _helps(turns: Sequence[Event], point: str) -> Iterator[tuple[Event, int]]:
    """Each event, and the strongest help with a point up to it, as a key of ``_BY_HELP``."""
    strongest, open_point = 0, ""
    for event in turns:
        strongest = _with(event, strongest, point, open_point)
        yield event, strongest
        if isinstance(event, FollowUpAsked):
            open_point = event.criterion_id
        elif isinstance(event, AnswerGiven | AnswerDeclined | CriterionShown):
            open_point = ""


def _with(event: Event, strongest: int, point: str, open_point: str) -> int:
    """The strongest help with a point after an event; a hint is on the point of the follow-up that is open, if any."""
    match event:
        # A question about a run says nothing on the points of the rubric.
        # Nor does what is part of a design round: the change of requirements, the choice of a deep dive.
        case FollowUpAsked(about_run=False) if rule_of(event.kind).gives_help and event.criterion_id == point:
            # A hint helps with what was open when it was given; the follow-up after it asks something else.
            return 3 if strongest == 3 else 1
        # Whoever did not know the whole question was offered a smaller piece of it, from which all the rest follows.
        case AnswerDeclined(follow_up_id=None):
            return max(strongest, 1)
        case HintGiven() if open_point in {"", point}:
            return max(strongest, 2)
        case CriterionShown() if event.criterion_id == point:
            return max(strongest, 2)
        case AnswerGiven(seen=True):
            return 3
        case _:
            return strongest


def _help_before_passing(asked: AskedQuestion, point: str) -> AssistanceLevel:
    """The strongest help before the program first passed all tests: what it proves, it proves from then on."""
    strongest = 0
    for event, so_far in _helps(asked.turns, point):
        if isinstance(event, CodeRan) and event.submitted and event.result.status is CodeStatus.PASSED:
            break
        strongest = so_far
    return _BY_HELP[strongest]


def said_alone(asked: AskedQuestion, point: str) -> tuple[str, ...]:
    """Ids of the answers that were given before any help with a point, in order."""
    before = help_before(asked, point)
    return tuple(answer.id for answer in asked.answers if before.get(answer.id) is AssistanceLevel.UNAIDED)


def unaided_grade(asked: AskedQuestion) -> Grade | None:
    """The grade of what was said without help: of each point the last mark before somebody helped with it.

    A point that help came to before the first answer has no part in it.

    Returns:
        ``None`` where every point was helped with first, and where what was said alone on one is ungraded.

    """
    rubric = asked.question.rubric
    if rubric is None or not asked.grades:
        return None
    chosen: list[CriterionVerdict] = []
    used: list[Grade] = []
    for verdict in asked.grades[-1].grade.criteria:
        alone = said_alone(asked, verdict.id)
        graded = next((each.grade for each in reversed(asked.grades) if each.answer_id in alone), None)
        if alone and graded is None:
            return None
        mark = next((each for each in graded.criteria if each.id == verdict.id), None) if graded else None
        used += [graded] if graded and mark else []
        chosen.append(mark or verdict.model_copy(update={"waived": True}))
    if not used:
        return None
    if [each.id for each in chosen] != [each.id for each in rubric.criteria]:
        return used[0]
    if all(grade is used[0] for grade in used) and len(used) == len(chosen):
        return used[0]
    return rescored(used[-1], rubric, tuple(chosen))


def reached(asked: AskedQuestion, criterion_id: str) -> AssistanceLevel:
    """How the person came to a criterion: with the help that came before the words that earned it.

    These are the words of the first grade from which on it stayed met and that was sure of it, or else of the last
    grade: marks change when a judge is unsure, and what was said does not. Where its words stand in several answers,
    each of them says it, but for those after which a grade was sure that it was not made. Where a grade names no words,
    the grades tell: then a criterion that an earlier, ungraded answer may have met already is ``HELP_UNKNOWN`` once
    there was help.
    """
    verdicts = _verdicts_on(asked, criterion_id)
    if not verdicts or verdicts[-1][1].verdict is Verdict.UNSCORED:
        return AssistanceLevel.UNSCORED
    if verdicts[-1][1].verdict is not Verdict.MET:
        return AssistanceLevel.NOT_MET
    if verdicts[-1][1].reason == PROVEN:
        return _help_before_passing(asked, criterion_id)
    before = help_before(asked, criterion_id)
    if said_in := made_in(asked, criterion_id):
        return before[said_in]
    first = _met_since(verdicts)
    order = [answer.id for answer in asked.answers]
    at = order.index(verdicts[first][0].answer_id)
    judged_before = verdicts[first - 1] if first > 0 else None
    known_until = order.index(judged_before[0].answer_id) if judged_before else -1
    if judged_before and judged_before[1].verdict is Verdict.UNSCORED:
        known_until -= 1
    helps = {before[answer_id] for answer_id in order[known_until + 1 : at + 1]}
    return helps.pop() if len(helps) == 1 else AssistanceLevel.HELP_UNKNOWN


def made_in(asked: AskedQuestion, criterion_id: str) -> str:
    """The id of the answer whose words earned a criterion; empty where it is not met, or no grade names such words."""
    verdicts = _verdicts_on(asked, criterion_id)
    if not verdicts or verdicts[-1][1].verdict is not Verdict.MET:
        return ""
    first = _met_since(verdicts)
    graded, met = next(((graded, found) for graded, found in verdicts[first:] if found.sure), verdicts[-1])
    lacked = next((graded.answer_id for graded, found in reversed(verdicts[:first]) if found.sure), "")
    return _said_in(asked, graded, met, after=lacked)


def prompted(asked: AskedQuestion) -> frozenset[str]:
    """Ids of the answers that came after anything with which the interviewer led on, be it about another point."""
    led, found = False, []
    for event in asked.turns:
        led = led or isinstance(event, FollowUpAsked | HintGiven | CriterionShown | AnswerDeclined)
        if led and isinstance(event, AnswerGiven):
            found.append(event.id)
    return frozenset(found)


_Judged = Sequence[tuple[AnswerGraded, CriterionVerdict]]


def _verdicts_on(asked: AskedQuestion, criterion_id: str) -> _Judged:
    """The grades with their verdicts on a criterion, in order."""
    return [
        (graded, verdict) for graded in asked.grades for verdict in graded.grade.criteria if verdict.id == criterion_id
    ]


def _met_since(verdicts: _Judged) -> int:
    """The place of the first verdict from which on a criterion stayed met."""
    first = len(verdicts) - 1
    while first > 0 and verdicts[first - 1][1].verdict is Verdict.MET:
        first -= 1
    return first


def _said_in(asked: AskedQuestion, graded: AnswerGraded, verdict: CriterionVerdict, *, after: str) -> str:
    """The id of the first answer after another that holds words of a verdict; empty where none does."""
    begin, found, counts = 0, "", not after
    for answer in asked.answers:
        start = graded.graded_text.find(answer.text, begin)
        if start < 0:
            return ""
        begin = start + len(answer.text)
        if counts and not found and any(start <= place < begin for place, _ in verdict.evidence):
            found = answer.id
        counts = counts or answer.id == after
        if answer.id == graded.answer_id:
            break
    return found


def outcomes(asked: AskedQuestion) -> dict[str, tuple[CriterionOutcome, tuple[str, ...]]]:
    """For each hint and each follow-up about a point, by its id: whether it helped, and the points that gained.

    What was said between it and the next one is its answer, unless something else came between, such as a smaller
    question, or the point itself; who only asks back has not answered. Where the question was left and asked again in
    between, nobody knows whether it helped. It helped when that answer's grade has a better verdict than the grade of
    all that was said before, both are sure of it, and the better one rests on words of the answer: of a follow-up on
    the point that it asked about, of a hint on any. Where a hint came before the answer to a follow-up, the hint
    helped; what became of the follow-up alone nobody knows. What leads from one part of a design to the next is no
    help.
    """
    grades = {graded.answer_id: graded for graded in asked.grades}
    texts = {answer.id: answer.text for answer in asked.answers}
    said: list[str] = []
    found: dict[str, tuple[list[str], list[str]]] = {}
    points: dict[str, str] = {}
    unknown: set[str] = set()
    current: list[str] | None = None
    for event in asked.turns:
        match event:
            case AnswerDeclined(reason=DeclineReason.SAID):
                # Whoever holds that they have answered it before is not told that they have not.
                found = {name: turns for name, turns in found.items() if turns[1] is not current}
                current = None
            case QuestionReturned() if current == []:
                # What was asked last is asked once more, with the whole question: nobody knows what helped then.
                unknown.update(name for name, turns in found.items() if turns[1] is current)
            case FollowUpAsked(about_run=True) | AnswerDeclined() | CriterionShown() | QuestionReturned():
                current = None
            case FollowUpAsked() | HintGiven():
                if isinstance(event, HintGiven) and current == []:
                    # What the hint was on is still open: the next answer is one to both.
                    unknown.update(name for name, turns in found.items() if turns[1] is current)
                else:
                    current = []
                found[event.id] = (list(said), current)
                points[event.id] = getattr(event, "criterion_id", "")
                if isinstance(event, FollowUpAsked) and not rule_of(event.kind).gives_help:
                    unknown.add(event.id)
            case AnswerGiven():
                said.append(event.id)
                if event.meanwhile:
                    current = None
                if current is not None and not asks_back(event.text):
                    current.append(event.id)
            case _:
                pass
    told = {event_id: _outcome(grades, texts, *turns, points[event_id]) for event_id, turns in found.items()}
    left = CriterionOutcome.UNANSWERED
    return {
        event_id: (CriterionOutcome.UNKNOWN, ()) if event_id in unknown and outcome[0] is not left else outcome
        for event_id, outcome in told.items()
    }


def _outcome(
    grades: Mapping[str, AnswerGraded],
    texts: Mapping[str, str],
    before: Sequence[str],
    after: Sequence[str],
    point: str,
) -> tuple[CriterionOutcome, tuple[str, ...]]:
    """What help did, told by the grades of the last answer before it and of the last one to it."""
    if not after:
        return CriterionOutcome.UNANSWERED, ()
    old, new = grades.get(before[-1]) if before else None, grades.get(after[-1])
    if old is None or new is None:
        return CriterionOutcome.UNKNOWN, ()
    was = {verdict.id: verdict for verdict in old.grade.criteria if verdict.verdict in _ORDER}
    begins = begins_at(new.graded_text, texts[after[0]])
    better = [
        verdict
        for verdict in new.grade.criteria
        if verdict.id in was
        and point in {"", verdict.id}
        and _ORDER.get(verdict.verdict, 0) > _ORDER[was[verdict.id].verdict]
        and any(end > begins for _, end in verdict.evidence)
    ]
    gained = tuple(verdict.id for verdict in better if verdict.sure and was[verdict.id].sure)
    if better and not gained:
        return CriterionOutcome.UNKNOWN, ()
    return (CriterionOutcome.HELPED if gained else CriterionOutcome.DID_NOT_HELP), gained
