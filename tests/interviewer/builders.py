"""Parts the tests of the interview share: questions, a library, and a grader that needs no model."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from interviewer.engine.service import InterviewService
from interviewer.session.events import (
    AnswerGiven,
    AnswerGraded,
    Event,
    FollowUpAsked,
    InterviewEnded,
    InterviewStarted,
    QuestionAsked,
    QuestionClosed,
    QuestionSkipped,
)
from interviewer.session.follow_up_kinds import FollowUpKind
from interviewer.session.plan import Plan
from interviewer.session.reducer import fold
from interviewer.session.state import State
from knowledge.model import Hit, Kind, Level, Question, Source
from rubric.grading.grader import GradeRequest
from rubric.model import Criterion, CriterionVerdict, Engine, Grade, Rubric, Verdict

START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)


def at(seconds: float) -> datetime:
    return START + timedelta(seconds=seconds)


def criterion(keyword: str, *, weight: float = 1.0, probe: str | None = None) -> Criterion:
    """A criterion that an answer meets by naming its keyword."""
    asked = f"What about the thing after {keyword[:1]}?" if probe is None else probe
    return Criterion(id=f"c-{keyword}", text=f"The answer names {keyword}.", weight=weight, probe=asked)


def question(
    name: str,
    *,
    keywords: Sequence[str] = ("alpha", "beta"),
    topic: str = "autograd",
    kind: Kind = Kind.CONCEPT,
    level: Level | None = Level.MID,
    text: str | None = None,
    **fields: Any,
) -> Question:
    shown = text or f"What is {name}?"
    weights = range(len(keywords), 0, -1)
    values: dict[str, Any] = {
        "reference": f"Secret reference of {name}.",
        "rubric": Rubric(criteria=tuple(criterion(k, weight=w) for k, w in zip(keywords, weights, strict=True))),
        **fields,
    }
    return Question(
        id=name,
        text=shown,
        spoken=values.pop("spoken", shown),
        topic=topic,
        kind=kind,
        level=level,
        source=Source(path="bank.md", line=1),
        **values,
    )


def words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text.lower()))


def say(service: InterviewService, session: str, *texts: str) -> State:
    """What a person says in one turn after the other, and the interview after all of it."""
    for text in texts:
        state = service.state(session)
        said = sum(len(asked.turns) for asked in state.asked) + len(state.others)
        service.answer(session, text, f"r{said}")
        service.advance(session)
    return service.state(session)


class Watch:
    """A clock that goes when it is told to."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now

    def wait(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


class Shelf:
    """A library in memory; two texts are as alike as the words they share."""

    def __init__(self, questions: Iterable[Question]) -> None:
        self._questions = tuple(questions)

    def questions(self) -> tuple[Question, ...]:
        return self._questions

    def leads(self) -> tuple[Question, ...]:
        return self._questions

    def near(self, question: Question) -> frozenset[str]:
        hits = self.search(question.text, 10)
        return frozenset(hit.question.id for hit in hits if hit.similarity >= 0.85)

    @property
    def complete(self) -> bool:
        return True

    def search(self, text: str, k: int) -> list[Hit]:
        wanted = words(text)
        hits = [
            Hit(question=q, score=share, similarity=share)
            for q in self._questions
            for found in [words(f"{q.text} {q.topic}")]
            for share in [len(wanted & found) / min(len(wanted), len(found))]
        ]
        return sorted(hits, key=lambda hit: -hit.score)[:k]


def keyword_grade(request: GradeRequest) -> Grade:
    """Marks by keywords: named is met, "never" before it contradicts it, "perhaps" before it is half."""
    verdicts = tuple(_verdict(c, request.answer) for c in request.rubric.criteria)
    weights = [c.weight for c in request.rubric.criteria]
    total = sum((v.credit or 0.0) * w for v, w in zip(verdicts, weights, strict=True))
    engine = Engine(judge="keywords/1", model="none", digest="", rubric_version=request.rubric.version)
    return Grade(score=total / sum(weights), criteria=verdicts, engine=engine, seconds=0.0)


def _verdict(point: Criterion, answer: str) -> CriterionVerdict:
    keyword = point.id.removeprefix("c-")
    found = re.search(rf"\b(never |perhaps )?{re.escape(keyword)}\b", answer)
    if found is None:
        return CriterionVerdict(id=point.id, credit=0.0, verdict=Verdict.MISSING, sure=True, contradicted=0.0)
    verdict, credit = {
        "never ": (Verdict.CONTRADICTED, 0.0),
        "perhaps ": (Verdict.PARTIAL, 0.5),
        None: (Verdict.MET, 1.0),
    }[found.group(1)]
    opposite = float(verdict is Verdict.CONTRADICTED)
    return CriterionVerdict(
        id=point.id, credit=credit, verdict=verdict, sure=True, contradicted=opposite, evidence=(found.span(),)
    )


class KeywordGrader:
    """A grader without a model; ``before`` runs first and may raise or wait."""

    def __init__(self, before: Callable[[GradeRequest], None] = lambda request: None) -> None:
        self._before = before
        self._lock = threading.Lock()
        self.requests: list[GradeRequest] = []
        self.prepared: list[tuple[str, Sequence[Criterion]]] = []
        self.ahead: list[GradeRequest] = []

    def grade(self, request: GradeRequest) -> Grade:
        with self._lock:
            self.requests.append(request)
        self._before(request)
        return keyword_grade(request)

    def prepare(self, question: str, criteria: Sequence[Criterion]) -> None:
        self.prepared.append((question, criteria))

    def read_ahead(self, request: GradeRequest, stop: Callable[[], bool]) -> None:
        self.ahead.append(request)


def interview(
    *held: tuple[Question, Sequence[str]], plan: Plan | None = None, begin: float = 0.0, grade: bool = True
) -> State:
    """An ended interview: of each question the first answer and the answers to a follow-up on the second keyword.

    Args:
        held: questions with what was said on each; nothing said is a question skipped.
        plan: as in ``Plan()`` where left out.
        begin: seconds after ``START`` at which it begins.
        grade: whether the answers are graded.

    """
    seconds = iter(range(10_000))

    def when() -> datetime:
        return at(begin + next(seconds))

    events: list[Event] = [InterviewStarted(id="s", at=when(), plan=plan or Plan())]
    for number, (asked, answers) in enumerate(held, 1):
        name = f"question:{number}"
        events.append(QuestionAsked(id=name, at=when(), number=number, question=asked, said="?"))
        for turn, text in enumerate(answers):
            assert asked.rubric is not None
            if turn:
                point = asked.rubric.criteria[1].id
                kind = FollowUpKind.MISSING
                follow_up = FollowUpAsked(
                    id=f"{name}:f{turn}", at=when(), asked_id=name, kind=kind, criterion_id=point, said="And?"
                )
                events.append(follow_up)
            given = AnswerGiven(id=f"a{number}-{turn}", at=when(), asked_id=name, text=text)
            events.append(given)
            said = "\n\n".join(answers[: turn + 1])
            request = GradeRequest(question=asked.text, rubric=asked.rubric, answer=said)
            graded = AnswerGraded(
                id=f"{given.id}:graded",
                at=when(),
                asked_id=name,
                answer_id=given.id,
                graded_text=said,
                grade=keyword_grade(request),
            )
            events += [graded] if grade else []
        if not answers:
            events.append(QuestionSkipped(id=f"skip-{number}", at=when(), asked_id=name))
        events.append(QuestionClosed(id=f"{name}:closed", at=when(), asked_id=name))
    return fold([*events, InterviewEnded(id="e", at=when(), reason="completed")])


def timeless(events: Iterable[Event]) -> list[dict[str, Any]]:
    """What happened, but for when."""
    return [event.model_dump(mode="json", exclude={"at"}) for event in events]
