"""A realistic interview for the tests, as events: answered, drilled, hinted, skipped, contradicted and ungraded."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import zip_longest

from interviewer.session.events import (
    AnswerGiven,
    AnswerGraded,
    ClarificationGiven,
    ConfidenceStated,
    CriterionSelfAssessed,
    DisputeGraded,
    Event,
    FollowUpAsked,
    GradingFailed,
    HintGiven,
    InterviewEnded,
    InterviewerReplied,
    InterviewStarted,
    MarkDisputed,
    MarkOverridden,
    OwnVerdict,
    PersonSpoke,
    QuestionAsked,
    QuestionClosed,
    QuestionRepeated,
    QuestionSkipped,
    SegmentClosed,
    SegmentOpened,
    TimeCalled,
)
from interviewer.session.follow_up_kinds import FollowUpKind
from interviewer.session.plan import Confidence, Plan, SegmentKind
from interviewer.session.queries import asked_by_id, said_so_far
from interviewer.session.reducer import fold
from interviewer.session.state import State
from knowledge.model import Kind, Level, Question, Source
from rubric.model import Criterion, CriterionVerdict, Engine, Grade, Rubric, Verdict

START = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
DIGEST = "5f2c" * 16


def question(
    question_id: str,
    criteria: Sequence[tuple[str, str, float]],
    *,
    topic: str = "autograd",
    proofs: Sequence[str] = (),
    **fields: object,
) -> Question:
    """A question with a rubric of (id, text, weight), and proofs of the first criteria."""
    rubric = Rubric(
        criteria=tuple(
            Criterion(id=cid, text=text, weight=weight, proof=proof)
            for (cid, text, weight), proof in zip_longest(criteria, proofs, fillvalue="")
        ),
        origin="bank",
    )
    given = {
        "text": "What does it do?",
        "spoken": "What does it do?",
        "source": Source(path="sample.md", line=1),
        "rubric": rubric,
        "level": Level.MID,
    } | fields
    return Question(id=question_id, topic=topic, **given)


class Telling:
    """Tells an interview event by event; a minute passes between any two."""

    def __init__(self, plan: Plan | None = None) -> None:
        self.events: list[Event] = []
        self._questions: dict[str, Question] = {}
        self._answers: dict[str, list[AnswerGiven]] = {}
        self._add(InterviewStarted, "start", plan=plan or Plan())

    @property
    def state(self) -> State:
        """The interview as it stands."""
        return fold(self.events)

    def ask(self, asked: Question) -> str:
        """Put a question and give the id of the asking."""
        number = len(self._questions) + 1
        asked_id = f"q{number}"
        self._questions[asked_id] = asked
        self._answers[asked_id] = []
        self._add(QuestionAsked, asked_id, number=number, question=asked, said=asked.spoken)
        return asked_id

    def call_time(self, asked_id: str) -> None:
        """Say that the time for a question is used up."""
        self._add(TimeCalled, f"{asked_id}:time", asked_id=asked_id, said="Our time for this one is used up.")

    def answer(self, asked_id: str, text: str, follow_up_id: str | None = None) -> str:
        """Answer and give the answer's id."""
        answer_id = f"{asked_id}-a{len(self._answers[asked_id]) + 1}"
        self._add(AnswerGiven, answer_id, asked_id=asked_id, follow_up_id=follow_up_id, text=text)
        self._answers[asked_id].append(self.events[-1])  # type: ignore[arg-type]
        return answer_id

    def sure(self, asked_id: str, answer_id: str, level: Confidence) -> None:
        """Say how sure one is of an answer."""
        name = f"{answer_id}:sure{len(self.events)}"
        self._add(ConfidenceStated, name, asked_id=asked_id, answer_id=answer_id, level=level)

    def talk(self, part: SegmentKind, opening: str, *said: tuple[str, str, str]) -> None:
        """A part without marks: what the person says, what they are told, and where that is from."""
        name = f"talk-{part.name.lower()}"
        self._add(SegmentOpened, name, part=part, said=opening)
        for number, (words, reply, place) in enumerate(said, 1):
            self._add(PersonSpoke, f"{name}-{number}", part=part, text=words)
            if reply:
                to = f"{name}-{number}"
                self._add(InterviewerReplied, f"{to}-r", part=part, to_id=to, said=reply, place=place)
        self._add(SegmentClosed, f"{name}-closed", part=part)

    def grade(
        self,
        asked_id: str,
        answer_id: str,
        marks: Sequence[tuple[Verdict, float | None, str]],
        *,
        unsure: Sequence[str] = (),
    ) -> None:
        """Grade up to an answer; one (verdict, credit, words the evidence is) for each criterion."""
        rubric = self._questions[asked_id].rubric
        assert rubric is not None
        text = said_so_far(asked_by_id(self.state, asked_id), answer_id)
        verdicts = []
        for criterion, (verdict, credit, words) in zip(rubric.criteria, marks, strict=True):
            at = text.index(words)
            unscored = verdict is Verdict.UNSCORED
            verdicts.append(
                CriterionVerdict(
                    id=criterion.id,
                    verdict=verdict,
                    credit=credit,
                    sure=not unscored and criterion.id not in unsure,
                    contradicted=0.9 if verdict is Verdict.CONTRADICTED else None,
                    evidence=((at, at + len(words)),) if words else (),
                    reason="the judge gave no usable answer" if unscored else "",
                )
            )
        earned = [(v.credit, c.weight) for v, c in zip(verdicts, rubric.criteria, strict=True)]
        total = sum(weight for _, weight in earned)
        whole = all(credit is not None for credit, _ in earned)
        score = sum((credit or 0.0) * weight for credit, weight in earned) / total if whole else None
        grade = Grade(
            score=score,
            criteria=tuple(verdicts),
            engine=Engine(judge="state-head/1", model="sample-1.5b", digest=DIGEST, rubric_version=rubric.version),
            seconds=2.5,
        )
        self._add(
            AnswerGraded,
            f"{answer_id}-grade",
            asked_id=asked_id,
            answer_id=answer_id,
            graded_text=text,
            grade=grade,
        )

    def fail(self, asked_id: str, answer_id: str, reason: str) -> None:
        """A grading failed."""
        event_id = f"{answer_id}-failed-{len(self.events)}"
        self._add(GradingFailed, event_id, asked_id=asked_id, answer_id=answer_id, reason=reason)

    def follow_up(self, asked_id: str, kind: FollowUpKind, criterion_id: str, said: str) -> str:
        """Drill a point and give the follow-up's id."""
        event_id = f"{asked_id}-f{len(self.events)}"
        self._add(FollowUpAsked, event_id, asked_id=asked_id, kind=kind, criterion_id=criterion_id, said=said)
        return event_id

    def clarify(self, asked_id: str, words: str, said: str) -> None:
        """Ask what the question means or requires, and be told."""
        self._add(ClarificationGiven, f"{asked_id}-c{len(self.events)}", asked_id=asked_id, words=words, said=said)

    def hint(self, asked_id: str, said: str) -> None:
        """Give a hint."""
        self._add(HintGiven, f"{asked_id}-h{len(self.events)}", asked_id=asked_id, said=said)

    def repeat(self, asked_id: str) -> None:
        """Repeat the question."""
        said = self._questions[asked_id].spoken
        self._add(QuestionRepeated, f"{asked_id}-r{len(self.events)}", asked_id=asked_id, said=said)

    def skip(self, asked_id: str) -> None:
        """Skip the question."""
        self._add(QuestionSkipped, f"{asked_id}-s", asked_id=asked_id)
        self.close(asked_id)

    def close(self, asked_id: str) -> None:
        """Ask nothing more on it."""
        self._add(QuestionClosed, f"{asked_id}-closed", asked_id=asked_id)

    def self_assess(self, asked_id: str, criterion_id: str, verdict: OwnVerdict) -> None:
        """Settle a point that the judge left open."""
        event_id = f"{asked_id}-o{len(self.events)}"
        self._add(CriterionSelfAssessed, event_id, asked_id=asked_id, criterion_id=criterion_id, verdict=verdict)

    def dispute(self, asked_id: str, criterion_id: str, reason: str = "") -> MarkDisputed:
        """Hold a mark to be wrong."""
        event_id = f"{asked_id}-d{len(self.events)}"
        self._add(MarkDisputed, event_id, asked_id=asked_id, criterion_id=criterion_id, reason=reason)
        event = self.events[-1]
        assert isinstance(event, MarkDisputed)
        return event

    def second(
        self,
        dispute: MarkDisputed,
        passage: str,
        verdict: Verdict,
        credit: float,
        *,
        meets: str = "",
        opposes: str = "",
    ) -> None:
        """Judge a disputed point again, on a passage of what was said."""
        text = "\n\n".join(answer.text for answer in self._answers[dispute.asked_id])
        at = text.index(passage)
        span = (at, at + len(passage))
        earned = verdict in {Verdict.MET, Verdict.PARTIAL, Verdict.CONTRADICTED}
        self._add(
            DisputeGraded,
            f"{dispute.id}:second",
            asked_id=dispute.asked_id,
            criterion_id=dispute.criterion_id,
            dispute_id=dispute.id,
            graded_text=text,
            passage=(span,),
            verdict=CriterionVerdict(
                id=dispute.criterion_id, verdict=verdict, credit=credit, sure=True, evidence=(span,) if earned else ()
            ),
            engine=Engine(judge="state-head/1", model="sample-1.5b", digest=DIGEST, rubric_version="1"),
            meets=meets,
            opposes=opposes,
        )

    def override(self, asked_id: str, criterion_id: str, verdict: OwnVerdict, by: str, note: str = "") -> None:
        """Put a verdict in the judge's place."""
        self._add(
            MarkOverridden,
            f"{asked_id}-m{len(self.events)}",
            asked_id=asked_id,
            criterion_id=criterion_id,
            verdict=verdict,
            by=by,
            note=note,
        )

    def end(self, reason: str = "completed") -> None:
        """End the interview."""
        self._add(InterviewEnded, "end", reason=reason)

    def _add(self, event: type[Event], event_id: str, **fields: object) -> None:
        at = START + timedelta(minutes=len(self.events))
        self.events.append(event(id=event_id, at=at, **fields))  # type: ignore[arg-type]


LEAF = question(
    "autograd-leaf-grad",
    [
        ("leaves", "Only leaf tensors that require grad keep their gradient after backward.", 3),
        ("freed", "Gradients of intermediate tensors are freed as soon as they have been used.", 2),
        ("retain", "Calling retain_grad on an intermediate tensor before backward keeps its gradient.", 2),
        ("hook", "A hook on the tensor sees the gradient without keeping it.", 1),
    ],
    text="Why is `y.grad` `None` for an intermediate tensor `y` after `loss.backward()`?",
    spoken="You print the grad of an intermediate tensor and it is None. Why is that, and how would you get at it?",
    reference=(
        "## Why\n\nAutograd fills `.grad` for **leaf** tensors that require grad and for nothing else. "
        "What flows through the tensors in between is used for the next step of the chain rule and then freed, "
        "since keeping it would cost as much memory as the activations.\n\n"
        "Ask for it before the backward pass:\n\n```python\ny = x * 2\ny.retain_grad()\ny.sum().backward()\n"
        "print(y.grad)\n```\n\nA hook sees the same gradient and keeps nothing."
    ),
    why_it_matters="People who debug vanishing gradients print the wrong tensor and chase a fault that is not there.",
    misconception="That None means that no gradient flowed through the tensor.",
    source=Source(path="autograd.md", line=12, section=("Autograd", "Leaf tensors and .grad")),
    reading=("PyTorch documentation: Autograd mechanics",),
)
BUCKETS = question(
    "ddp-buckets",
    [
        ("average", "Each process averages its gradients with all others by an all-reduce.", 3),
        ("buckets", "Gradients are put into buckets, so that few large messages are sent.", 2),
        ("overlap", "A bucket is reduced while backward still computes the gradients of earlier layers.", 2),
    ],
    topic="distributed training",
    text="How does DistributedDataParallel keep replicas in step, and why is it fast?",
    spoken="How does distributed data parallel keep its replicas in step, and what makes it fast?",
    reference="Every process holds a full replica and averages gradients with an all-reduce, bucket by bucket.",
    why_it_matters="A hook or an unused parameter that stops the overlap can halve the throughput of a whole cluster.",
    misconception="That one process collects the gradients and sends the new weights around.",
    minutes=6,
    source=Source(path="distributed.md", line=40, section=("Distributed training", "DDP")),
)
LOADER = question(
    "loader-workers",
    [
        ("blocked", "The training loop waits for data when loading is slower than the step.", 2),
        ("pinned", "Pinned memory lets copies to the device run beside computation.", 1),
    ],
    topic="data loading",
    text="The GPU is at thirty per cent. How do you find out whether the data loader is to blame?",
    spoken="The GPU is at thirty per cent. How do you find out whether the data loader is to blame?",
    reference="Time the loop with synthetic data that already sits on the device; if it is fast, loading is to blame.",
    kind=Kind.DEBUGGING,
    source=Source(path="data.md", line=3),
)
CONFLICT = question(
    "behavioural-deadline",
    [("own", "Names what they themselves decided.", 1), ("outcome", "Names a result that can be measured.", 1)],
    topic="working with people",
    text="Tell me about a model that you decided not to ship.",
    spoken="Tell me about a model that you decided not to ship.",
    kind=Kind.BEHAVIORAL,
    level=Level.SENIOR,
    source=Source(path="people.md", line=9),
)
MIXED = question(
    "amp-scaling",
    [
        ("underflow", "Small gradients become zero in float16.", 2),
        ("scale", "The loss is scaled up before backward and gradients are scaled down before the step.", 2),
        ("bf16", "bfloat16 has the range of float32 and needs no scaling.", 1),
    ],
    topic="training",
    text="Why does mixed precision training scale the loss?",
    spoken="Why does mixed precision training scale the loss?",
    reference="float16 has few exponent bits, so small gradients vanish unless the loss is scaled up first.",
    source=Source(path="training.md", line=77),
)


def telling() -> Telling:
    """Five questions: drilled well, contradicted, hinted, skipped, and one that could not be graded."""
    met, partial, missing = Verdict.MET, Verdict.PARTIAL, Verdict.MISSING
    tell = Telling(Plan(topics=("autograd", "distributed training"), level=Level.MID, length=5, seed=7))

    q = tell.ask(LEAF)
    a = tell.answer(
        q,
        "PyTorch only fills dot grad for the leaves of the graph, so parameters and inputs that you asked for. "
        "Everything in between is computed on the way and thrown away again. "
        "You could probably put a hook on it somehow.",
    )
    leaves = "PyTorch only fills dot grad for the leaves of the graph, so parameters and inputs that you asked for."
    freed = "Everything in between is computed on the way and thrown away again."
    hook = "You could probably put a hook on it somehow."
    tell.grade(
        q,
        a,
        [(met, 0.96, leaves), (met, 0.88, freed), (missing, 0.06, ""), (partial, 0.47, hook)],
        unsure=["hook"],
    )
    f = tell.follow_up(q, FollowUpKind.MISSING, "retain", "Could you have it kept, if you knew beforehand?")
    a = tell.answer(q, "Yes, call retain grad on that tensor before you run backward.", f)
    tell.grade(
        q,
        a,
        [
            (met, 0.96, leaves),
            (met, 0.89, freed),
            (met, 0.93, "Yes, call retain grad on that tensor before you run backward."),
            (partial, 0.49, hook),
        ],
        unsure=["hook"],
    )
    tell.close(q)

    q = tell.ask(BUCKETS)
    tell.repeat(q)
    a = tell.answer(
        q,
        "Rank zero collects the gradients from everybody, takes the step and broadcasts the new weights. "
        "It groups gradients into buckets, so there are fewer calls.",
    )
    wrong = "Rank zero collects the gradients from everybody, takes the step and broadcasts the new weights."
    buckets = "It groups gradients into buckets, so there are fewer calls."
    tell.grade(q, a, [(Verdict.CONTRADICTED, 0.04, wrong), (met, 0.9, buckets), (missing, 0.08, "")])
    f = tell.follow_up(
        q, FollowUpKind.CONTRADICTION, "average", "If rank zero did all of that, what would happen with 512 GPUs?"
    )
    a = tell.answer(q, "It would get slow, so you would buy a faster network.", f)
    tell.grade(q, a, [(Verdict.CONTRADICTED, 0.05, wrong), (met, 0.9, buckets), (missing, 0.09, "")])
    tell.close(q)

    q = tell.ask(LOADER)
    tell.hint(q, "Take one of the two suspects out of the picture.")
    a = tell.answer(q, "I would feed the same batch again and again. If it flies, the loop was waiting for data.")
    tell.grade(q, a, [(met, 0.91, "If it flies, the loop was waiting for data."), (missing, 0.03, "")])
    tell.close(q)

    q = tell.ask(CONFLICT)
    tell.skip(q)

    q = tell.ask(MIXED)
    a = tell.answer(q, "Half precision has a small range, so tiny gradients turn into zero.")
    tell.fail(q, a, "The model server stopped answering.")
    tell.close(q)
    tell.end()
    return tell
