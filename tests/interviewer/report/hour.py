"""An hour's interview out of the bank's own questions, told with the bank's example statements. No judge is needed."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import cache

from interviewer.session.events import CodeRan, QuestionFinished
from interviewer.session.follow_up_kinds import FollowUpKind
from interviewer.session.plan import Confidence, Plan, SegmentKind
from knowledge.bank.parser import load_bank
from knowledge.model import Level, Question
from rubric.coding.result import CodeResult, CodeStatus, CodeTest, FailingCase, Timing
from rubric.coding.task import CodeTestKind
from rubric.grading.uncertainty import score_interval
from rubric.model import Criterion, Verdict
from tests.interviewer.report.sample_session import START, Telling

MET, PARTIAL, MISSING, CONTRADICTED = Verdict.MET, Verdict.PARTIAL, Verdict.MISSING, Verdict.CONTRADICTED
CREDITS = {MET: 0.93, PARTIAL: 0.52, MISSING: 0.06, CONTRADICTED: 0.04}
SPREAD = 1.9

QUESTIONS = {
    "autograd-leaf-grad": "MMMPm",
    "autograd-accumulate-zero-grad": "MMMMM",
    "autograd-engine-graph": "MMPmM",
    "training-mixed-precision": "MMMPm",
    "ddp-gradient-sync": "CPmmM",
    "distributed-dataparallel-or-ddp": "mPmCm",
    "distributed-ring-all-reduce": "mmPmm",
    "kv-cache-memory": "MPMMm",
    "serving-ptq-or-qat": "PMMm?",
    "inference-optimisation-steps": "MPMMm",
    "autograd-vmap-per-sample": "MMPm",
    "serving-drift-detection": "",
}
"""Questions of the bank, and what becomes of their first criteria before help: met, partial, missing (m), contradicted.

``?`` is unsure. An empty text is a question that is skipped.
"""
_READ = {"M": MET, "P": PARTIAL, "m": MISSING, "C": CONTRADICTED, "?": PARTIAL}


class Hour(Telling):
    """Tells an interview with the seconds that pass between its events, and with intervals of its scores."""

    def __init__(self, plan: Plan | None = None, start: datetime = START) -> None:
        self._now = start
        super().__init__(plan)

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self._now += timedelta(seconds=seconds)

    def _add(self, event: type, event_id: str, **fields: object) -> None:
        if "grade" in fields:
            grade, asked = fields["grade"], self._questions[str(fields["asked_id"])]
            engine = grade.engine.model_copy(update={"spread": SPREAD})
            reach = score_interval(asked.rubric, grade.criteria, SPREAD)
            fields["grade"] = grade.model_copy(update={"engine": engine, "interval": reach})
        self.wait(3)
        self.events.append(event(id=event_id, at=self._now, **fields))

    def ran(self, asked_id: str, source: str, outcome: CodeResult, *, submitted: bool) -> None:
        """Code was run or submitted."""
        name = f"{asked_id}-run{len(self.events)}"
        self._add(CodeRan, name, asked_id=asked_id, source=source, submitted=submitted, result=outcome)

    def finish(self, asked_id: str) -> None:
        """The person is done with the code."""
        self._add(QuestionFinished, f"{asked_id}-finished", asked_id=asked_id)


def hour(questions: dict[str, str] | None = None, start: datetime = START) -> Hour:
    """Twelve questions in about an hour: drilled, hinted, coded, skipped, one pause in between."""
    chosen = QUESTIONS if questions is None else questions
    bank = _bank()
    topics = tuple(dict.fromkeys(bank[each].topic for each in chosen))
    tell = Hour(Plan(topics=topics, level=Level.MID, length=len(chosen), editor=True), start)
    tell.talk(
        SegmentKind.WARM_UP, "Hello. What have you worked on lately?", ("A recommender for a small shop.", "", "")
    )
    for number, (question_id, first) in enumerate(chosen.items()):
        if number == 7:
            tell.wait(13 * 60)
        _tell(tell, _cut(bank[question_id], len(first)), first, number)
    asked = ("What is a leaf tensor?", "One that you made yourself and that requires grad.", "autograd.md, line 12")
    tell.talk(SegmentKind.THEIR_QUESTIONS, "What would you like to ask?", asked, ("No, thank you.", "", ""))
    tell.end()
    return tell


@cache
def _bank() -> dict[str, Question]:
    return {question.id: question for question in load_bank()}


def _cut(question: Question, criteria: int) -> Question:
    """The question with its first criteria, so that the answers stay short."""
    rubric = question.rubric
    kept = rubric.model_copy(update={"criteria": rubric.criteria[: criteria or None]})
    return question.model_copy(update={"rubric": kept})


def _words(criterion: Criterion, verdict: Verdict) -> str:
    examples = criterion.examples
    found = {MET: examples.met, PARTIAL: examples.near, CONTRADICTED: examples.contradicted}.get(verdict, ())
    return found[0] if found else ""


def _tell(tell: Hour, question: Question, first: str, number: int) -> None:
    asked = tell.ask(question)
    if not first:
        tell.wait(25)
        tell.skip(asked)
        return
    if number == 4:
        tell.wait(12)
        tell.repeat(asked)
    if number == 8:
        tell.wait(50)
        tell.hint(asked, question.hint)
    if question.task:
        _code(tell, asked, question)
    criteria = question.rubric.criteria
    verdicts = [_READ[letter] for letter in first]
    unsure = [criterion.id for criterion, letter in zip(criteria, first, strict=True) if letter == "?"]
    words = [_words(criterion, verdict) for criterion, verdict in zip(criteria, verdicts, strict=True)]
    opening = "Let me think for a moment. "
    said = opening + " ".join(filter(None, words))
    tell.wait(60 + 11 * len(said.split()) / 10 + 7 * number)
    answer = tell.answer(asked, said)
    if number % 4 != 3:
        tell.sure(asked, answer, list(Confidence)[(number * 7 + 3) % 4])
    tell.grade(asked, answer, _marks(verdicts, words), unsure=unsure)
    wanting = [at for at, verdict in enumerate(verdicts) if verdict in {CONTRADICTED, MISSING}]
    for drilled, at in enumerate(sorted(wanting, key=lambda at: verdicts[at] is MISSING)[:2]):
        criterion, helped = criteria[at], (number + drilled) % 3 != 1 and verdicts[at] is MISSING
        kind = FollowUpKind.CONTRADICTION if verdicts[at] is CONTRADICTED else FollowUpKind.MISSING
        follow_up = tell.follow_up(asked, kind, criterion.id, criterion.probe or "Could you say more on that?")
        reply = _words(criterion, MET) if helped else "I am not sure about that, I would have to look it up."
        tell.wait(28 + 9 * drilled)
        answer = tell.answer(asked, reply, follow_up)
        tell.sure(asked, answer, Confidence.RATHER_SURE if helped else Confidence.GUESS)
        if helped:
            verdicts[at], words[at] = MET, reply
        tell.grade(asked, answer, _marks(verdicts, words), unsure=unsure)
    tell.close(asked)


def _marks(verdicts: list[Verdict], words: list[str]) -> list[tuple[Verdict, float | None, str]]:
    return [
        (verdict, CREDITS[verdict], said if verdict is not MISSING else "")
        for verdict, said in zip(verdicts, words, strict=True)
    ]


def _code(tell: Hour, asked: str, question: Question) -> None:
    task = question.task
    example = CodeTest(name="example", kind=CodeTestKind.EXAMPLE, title="a small example", status=CodeStatus.PASSED)
    case = FailingCase(
        put_in="x = tensor([[0., 0., 0.]]), bound = 1.0",
        expected="tensor([[0., 0., 0.]])",
        got="tensor([[nan, nan, nan]])",
    )
    wrong = CodeTest(
        name="property",
        kind=CodeTestKind.PROPERTY,
        title="a sample whose gradient is zero",
        status=CodeStatus.MISMATCH,
        message="Every number is nan where zeros were expected.",
        cases=8,
        failing=(case,),
    )
    right = CodeTest(name="edge", kind=CodeTestKind.PROPERTY, title="one sample", status=CodeStatus.PASSED)
    slow = Timing(
        title="the number of samples",
        sizes=(64, 128, 256),
        seconds=(0.01, 0.04, 0.16),
        ours=(0.01, 0.02, 0.04),
        exponent=2.0,
        our_exponent=1.0,
    )
    half = CodeResult(status=CodeStatus.MISMATCH, tests=(example, wrong, right), isolation="bubblewrap")
    first = task.solution.replace(" + 1e-", " + 2e-").replace("return", "return  ", 1)
    tell.wait(150)
    tell.ran(asked, task.starter + "\n# first try\n", half, submitted=False)
    tell.wait(100)
    tell.ran(asked, first, half.model_copy(update={"timing": (slow,)}), submitted=True)
    tell.wait(90)
    better = CodeResult(
        status=CodeStatus.MISMATCH, tests=(example, right, wrong, right), isolation="bubblewrap", timing=(slow,)
    )
    tell.ran(asked, task.solution, better, submitted=True)
    tell.finish(asked)
