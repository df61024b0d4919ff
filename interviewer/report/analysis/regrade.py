"""An interview graded again with the judge at hand now, beside what its journal says. Pure.

The rubric stays the one that each question was asked with; what may differ is the judge, its model and the code.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from interviewer.report.phrases.common import VERDICTS
from interviewer.scoring.grade_requests import grade_request, without_flagged_contradictions
from interviewer.session.credit_accumulation import accumulated
from interviewer.session.events import AnswerGiven, AnswerGraded, Event
from interviewer.session.reducer import fold
from interviewer.session.state import AskedQuestion
from interviewer.text import count, percent, visible
from rubric.grading.grader import GradeRequest
from rubric.model import CriterionVerdict, Engine, Grade, Unit, Verdict
from serving.frozen import FrozenModel


class RegradeRequest(FrozenModel):
    """One answer that is to be graded again.

    Attributes:
        answer_id: the ``AnswerGiven`` event.
        request: the text that was graded, or would have been, and the rubric the question was asked with.

    """

    answer_id: str
    request: GradeRequest


class RegradedCriterion(FrozenModel):
    """One criterion, as it was judged and as it is judged now.

    Attributes:
        text: the criterion.
        old: as the journal has it; ``None`` where the answer was ungraded.
        new: as it is judged now.
        changed: whether the verdict is another one; never where there was none.

    """

    id: str
    text: str
    old: CriterionVerdict | None
    new: CriterionVerdict
    changed: bool


class RegradedAnswer(FrozenModel):
    """One answer with both its marks.

    Attributes:
        number: the question's place in the interview, from 1.
        answer: the answer's place among those to the question, from 1.
        answer_id: the ``AnswerGiven`` event.
        old_engine: who made the old mark; ``None`` where the answer was ungraded.
        old_score, new_score: ``None`` where there is no such score.
        change: new less old score; ``None`` unless there are both.

    """

    number: int
    answer: int
    asked_id: str
    answer_id: str
    question_id: str
    question: str
    old_engine: Engine | None
    new_engine: Engine
    old_score: Unit | None
    new_score: Unit | None
    change: float | None
    criteria: tuple[RegradedCriterion, ...]


class Changes(FrozenModel):
    """How much the marks made now differ from those before.

    Attributes:
        scores_compared: answers that have both scores.
        mean_absolute_change: of the scores, over these; ``None`` where there are none.
        verdicts_compared: criteria of answers that were graded before.
        verdicts_changed: how many of these have another verdict.
        share_changed: the share of these; ``None`` where there are none.
        newly_graded: answers that were ungraded and are graded now.

    """

    scores_compared: int
    mean_absolute_change: float | None
    verdicts_compared: int
    verdicts_changed: int
    share_changed: Unit | None
    newly_graded: int


class Regrade(Changes):
    """A whole interview with both its marks.

    Attributes:
        answers: in the order they were given.

    """

    answers: tuple[RegradedAnswer, ...]


class RegradedInterview(Regrade):
    """One interview of several, with both its marks.

    Attributes:
        session: names the interview.

    """

    session: str


class RegradedTerm(Changes):
    """Several interviews with both their marks, and what changed in all of them together.

    Attributes:
        interviews: those that were graded again, by their ids.
        failed: why the others were not, by their ids.

    """

    interviews: tuple[RegradedInterview, ...]
    failed: dict[str, str]


def due(events: Iterable[Event]) -> tuple[RegradeRequest, ...]:
    """Every answer of an interview, graded or not, as it is to be graded again.

    Raises:
        DamagedError: a question was stored without its rubric.

    """
    return tuple(
        RegradeRequest(answer_id=answer.id, request=_request(asked, answer.id))
        for asked in fold(events).asked
        for answer in asked.answers
    )


def compare(events: Iterable[Event], grades: Mapping[str, Grade]) -> Regrade:
    """The marks of an interview beside those made now.

    Args:
        events: the interview's journal.
        grades: the new grade by answer id, for each of ``due(events)``.

    """
    return _compared(tuple(answer for asked in fold(events).asked for answer in _answers(asked, grades)))


def term(done: Mapping[str, Regrade], failed: Mapping[str, str]) -> RegradedTerm:
    """Several interviews together.

    Args:
        done: interviews that were graded again, by their ids.
        failed: why others were not, by their ids.

    """
    interviews = tuple(
        RegradedInterview(session=session, **{name: getattr(each, name) for name in Regrade.model_fields})
        for session, each in sorted(done.items())
    )
    total = _compared(tuple(answer for each in interviews for answer in each.answers))
    return RegradedTerm(
        interviews=interviews, failed=dict(sorted(failed.items())), **total.model_dump(exclude={"answers"})
    )


def _compared(answers: tuple[RegradedAnswer, ...]) -> Regrade:
    changes = [abs(answer.change) for answer in answers if answer.change is not None]
    compared = [point for answer in answers for point in answer.criteria if point.old is not None]
    changed = sum(point.changed for point in compared)
    return Regrade(
        answers=answers,
        scores_compared=len(changes),
        mean_absolute_change=sum(changes) / len(changes) if changes else None,
        verdicts_compared=len(compared),
        verdicts_changed=changed,
        share_changed=changed / len(compared) if compared else None,
        newly_graded=sum(answer.old_engine is None for answer in answers),
    )


def lines(regrade: Regrade) -> Iterator[str]:
    """The difference in words, a line at a time."""
    for answer in regrade.answers:
        yield f"Question {answer.number}, answer {answer.answer} ({_line(answer.question)}): {_scores(answer)}"
        if answer.old_engine is not None:
            yield f"  old: {_engine(answer.old_engine)}"
        yield f"  new: {_engine(answer.new_engine)}"
        for point in answer.criteria:
            if point.old is None:
                yield f"  {_verdict(point.new)}: {_line(point.text)}"
            elif point.changed:
                yield f"  {_verdict(point.old)} -> {_verdict(point.new)}: {_line(point.text)}"
    yield _totals(regrade) if regrade.answers else "Nothing was answered in this interview."


def term_lines(regraded: RegradedTerm) -> Iterator[str]:
    """The difference in several interviews in words, a line at a time."""
    for interview in regraded.interviews:
        yield f"Interview {_line(interview.session)}"
        yield from (f"  {line}" for line in lines(interview))
    for session, why in regraded.failed.items():
        yield f"Interview {_line(session)} was not graded again: {_line(why)}"
    told = _totals(regraded) if any(each.answers for each in regraded.interviews) else "Nothing was answered."
    yield f"{count(len(regraded.interviews), 'interview')} graded again. {told}"


def _request(asked: AskedQuestion, answer_id: str) -> GradeRequest:
    request = grade_request(asked, answer_id)
    graded = next((graded.graded_text for graded in asked.grades if graded.answer_id == answer_id), request.answer)
    return request.model_copy(update={"answer": graded})


def _answers(asked: AskedQuestion, grades: Mapping[str, Grade]) -> Iterator[RegradedAnswer]:
    before = {graded.answer_id: graded.grade for graded in asked.grades}
    anew = [
        _graded(asked, answer, without_flagged_contradictions(grades[answer.id], asked.question))
        for answer in asked.answers
    ]
    counted = accumulated(asked.question.rubric, asked.answers, asked.follow_ups, anew)
    for place, (answer, graded) in enumerate(zip(asked.answers, counted, strict=True), start=1):
        old, new = before.get(answer.id), graded.grade
        old_score = old.score if old else None
        known = old_score is not None and new.score is not None
        yield RegradedAnswer(
            number=asked.number,
            answer=place,
            asked_id=asked.asked_id,
            answer_id=answer.id,
            question_id=asked.question.id,
            question=asked.question.spoken,
            old_engine=old.engine if old else None,
            new_engine=new.engine,
            old_score=old_score,
            new_score=new.score,
            change=(new.score or 0.0) - (old_score or 0.0) if known else None,
            criteria=tuple(_criterion(asked, old, verdict) for verdict in new.criteria),
        )


def _graded(asked: AskedQuestion, answer: AnswerGiven, grade: Grade) -> AnswerGraded:
    """A grade made now, as it would stand in the journal."""
    return AnswerGraded(
        id=f"{answer.id}:graded",
        at=answer.at,
        asked_id=asked.asked_id,
        answer_id=answer.id,
        graded_text=_request(asked, answer.id).answer,
        grade=grade,
    )


def _criterion(asked: AskedQuestion, old: Grade | None, new: CriterionVerdict) -> RegradedCriterion:
    rubric = asked.question.rubric
    found = next((verdict for verdict in old.criteria if verdict.id == new.id), None) if old else None
    return RegradedCriterion(
        id=new.id,
        text=rubric.criterion(new.id).text if rubric else new.id,
        old=found,
        new=new,
        changed=found is not None and found.verdict is not new.verdict,
    )


def _scores(answer: RegradedAnswer) -> str:
    old = "not graded" if answer.old_engine is None else _score(answer.old_score)
    return f"{old} -> {_score(answer.new_score)}"


def _score(score: float | None) -> str:
    return "not graded in full" if score is None else f"{percent(score)} of 100"


def _verdict(verdict: CriterionVerdict) -> str:
    sure = "" if verdict.sure or verdict.verdict is Verdict.UNSCORED else ", the judge was unsure"
    credit = f", credit {percent(verdict.credit)} of 100" if verdict.credit is not None else ""
    return f"{VERDICTS[verdict.verdict]}{sure}{credit}"


def _engine(engine: Engine) -> str:
    digest = f"fingerprint {engine.digest[:12]}" if engine.digest else "fingerprint not reported"
    rubric = f"rubric version {_line(engine.rubric_version)}"
    return f"{_line(engine.judge)} on {_line(engine.model)}, {_line(digest)}, {rubric}"


def _totals(regrade: Changes) -> str:
    parts = []
    if regrade.mean_absolute_change is not None:
        change = f"{100 * regrade.mean_absolute_change:.1f} of 100"
        parts.append(f"Mean absolute change in score: {change} over {count(regrade.scores_compared, 'answer')}.")
    if regrade.share_changed is not None:
        of_all = f"{regrade.verdicts_changed} of {count(regrade.verdicts_compared, 'mark')}"
        parts.append(f"Marks that changed: {of_all} ({percent(regrade.share_changed)}%).")
    if regrade.newly_graded:
        parts.append(f"Not graded before: {count(regrade.newly_graded, 'answer')}.")
    return " ".join(parts)


def _line(text: str) -> str:
    """Somebody's words as one line that a terminal shows and does not obey."""
    return visible(" ".join(text.split()))
