"""What a good answer is (rubric, criteria) and how good one was (verdicts, grade)."""

from __future__ import annotations

import hashlib
import json
from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from rubric.estimates import Estimate
from serving.frozen import FrozenModel

Unit = Annotated[float, Field(ge=0.0, le=1.0)]
"""A number from 0 to 1."""

Interval = tuple[Unit, Unit]
"""Lower and upper end of what a score may truly be, with a probability of 0.9."""

Span = tuple[int, int]
"""Start and end of a piece of an answer, in characters of the answer, end excluded."""


class Verdict(StrEnum):
    """What an answer does with one criterion."""

    MET = "met"
    PARTIAL = "partial"
    MISSING = "missing"
    CONTRADICTED = "contradicted"
    UNSCORED = "unscored"


EARNS: dict[Verdict, float] = {
    Verdict.MET: 1.0,
    Verdict.PARTIAL: 0.5,
    Verdict.MISSING: 0.0,
    Verdict.CONTRADICTED: 0.0,
}
"""Credit of a verdict that is certain; an unscored one has none."""


class Examples(FrozenModel):
    """Statements a person might make about a criterion, written without sight of any graded answer.

    Attributes:
        met: say what the criterion asks for.
        contradicted: say the opposite of it.
        near: are about the same thing and say neither.

    """

    met: tuple[str, ...] = ()
    contradicted: tuple[str, ...] = ()
    near: tuple[str, ...] = ()


class AskedBy(StrEnum):
    """What asks a person for a point."""

    OPENING = "opening"
    """The question as it is first put."""
    PROBE = "probe"
    """Its own follow-up alone: who was never asked has not missed it."""
    CHANGE = "change"
    """The change of requirements that is put half-way through a design round."""
    FIRST_DIVE = "first deep dive"
    """The first of the two parts of a design of which the person chooses one to go into."""
    SECOND_DIVE = "second deep dive"


DEEP_DIVES = (AskedBy.FIRST_DIVE, AskedBy.SECOND_DIVE)
"""The two parts of a design of which the person chooses one."""


class DesignStage(StrEnum):
    """A part of a design discussion, in the order in which it is best told."""

    REQUIREMENTS = "requirements"
    ESTIMATE = "estimate"
    HIGH_LEVEL = "high level"
    DEEP_DIVE = "deep dive"
    FAILURE = "failure and operations"
    TRADE_OFFS = "trade-offs"


class Criterion(FrozenModel):
    """One atomic point of a rubric, checkable from the words of an answer alone.

    Attributes:
        id: unique within its rubric.
        text: the point, as one statement.
        weight: its share of the score relative to its siblings, above 0.
        asked_by: what asks for it.
        stage: of a design, the part that it belongs to; ``None`` where nobody tagged it.
        estimate: of a design, the number that an answer has to come to; ``None`` where none belongs to it.
        probe: the follow-up question that gives the person another chance at this point without
            giving it away; empty where nobody wrote one.
        examples: statements that meet, contradict or come near it.
        proof: a few lines of Python that print what the point claims and assert it; empty where nobody wrote any.

    """

    id: str = Field(min_length=1)
    text: str = Field(min_length=1)
    weight: float = Field(default=1.0, gt=0.0, le=100.0)
    asked_by: AskedBy = AskedBy.OPENING
    stage: DesignStage | None = None
    estimate: Estimate | None = None
    probe: str = ""
    examples: Examples = Examples()
    proof: str = ""


class Rubric(FrozenModel):
    """The criteria an answer is graded against.

    Attributes:
        criteria: at least one, ids unique.
        origin: ``bank`` and ``given`` were written by a person, ``derived`` was made from a reference answer.

    """

    criteria: tuple[Criterion, ...] = Field(min_length=1)
    origin: Literal["bank", "given", "derived"] = "given"

    @model_validator(mode="after")
    def _ids_are_unique(self) -> Self:
        ids = [criterion.id for criterion in self.criteria]
        if len(set(ids)) != len(ids):
            raise ValueError(f"criterion ids repeat: {', '.join(sorted(ids))}")
        return self

    @property
    def version(self) -> str:
        """Twelve hex digits that change whenever anything does that a mark may depend on.

        That is all but proofs, what asks for a point, its stage, and its arithmetic, which is compared without a judge.
        """
        left_out = {"proof", "asked_by", "stage", "estimate"}
        told = self.model_dump(mode="json", exclude={"criteria": {"__all__": left_out}})
        data = json.dumps(told, sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(data.encode()).hexdigest()[:12]

    def criterion(self, criterion_id: str) -> Criterion:
        """The criterion of that id.

        Raises:
            KeyError: there is none.

        """
        for criterion in self.criteria:
            if criterion.id == criterion_id:
                return criterion
        raise KeyError(criterion_id)


LIKELY_MADE = 0.75
"""Credit from which a point that is unsurely called met is told as likely met: of 61 such points of interviews 50 had
been made in full, nine in part (interviews of docs/benchmarks/interviews.md)."""


def lacking(credit: float | None, contradicted: float | None) -> float:
    """How much of a point is wanting: the probability that it was not said, and half of that of a part; 0 to 1.

    It is what is left of all odds without the credit and without a contradiction, which is claimed far more often than
    made.

    Args:
        credit: of a verdict.
        contradicted: of the same.

    """
    return max(0.0, 1.0 - (credit or 0.0) - (contradicted or 0.0))


class CriterionVerdict(FrozenModel):
    """How one answer fared on one criterion.

    Attributes:
        id: the criterion's id.
        credit: expected credit, 0 to 1; ``None`` exactly when the verdict is ``unscored``.
        verdict: what is displayed; thresholds on the probabilities decide it, they never touch the credit.
        sure: whether the probability is far enough from even to be stated as a finding.
        contradicted: probability that the answer says the opposite; ``None`` when unscored.
        evidence: the words of the answer that earned (or lost) the credit; at least one span for
            ``met``, ``partial`` and ``contradicted``.
        reason: why it is unscored, why the answer claims nothing (``rubric.grading.claims``), or what else than words
            it rests on; empty otherwise.
        waived: whether it is unscored because the reference behind it is not to be trusted; it is then no part
            of the score.
        doubtful: terms of a criterion that seems not to be met which recognition may have misheard, the likeliest
            first (``rubric.grading.misheard_terms``); nothing is credited for them.

    """

    id: str
    credit: Unit | None
    verdict: Verdict
    sure: bool
    contradicted: Unit | None = None
    evidence: tuple[Span, ...] = ()
    reason: str = ""
    waived: bool = False
    doubtful: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _credit_needs_evidence(self) -> Self:
        if (self.credit is None) != (self.verdict is Verdict.UNSCORED):
            raise ValueError("a verdict has a credit exactly when it is scored")
        if self.waived and self.credit is not None:
            raise ValueError(f"{self.id}: waived, and yet scored")
        needs = self.verdict in {Verdict.MET, Verdict.PARTIAL, Verdict.CONTRADICTED}
        if needs and not self.evidence:
            raise ValueError(f"{self.id}: {self.verdict} without evidence")
        if any(start < 0 or end <= start for start, end in self.evidence):
            raise ValueError(f"{self.id}: an evidence span is empty or negative")
        return self


class Engine(FrozenModel):
    """Who made a mark: enough to make it again.

    Attributes:
        judge: name and version of the judge, for example ``state-head/1``.
        model: the model's name.
        digest: SHA-256 of the model's weights or of the file they were made from; empty when a
            remote server did not tell.
        rubric_version: ``Rubric.version`` of the rubric used.
        spread: standard errors that the score's interval has on either side; ``None`` where the judge was never
            measured, so that no interval is known.

    """

    judge: str
    model: str
    digest: str
    rubric_version: str
    spread: float | None = Field(default=None, gt=0.0)


class Grade(FrozenModel):
    """The marks of one answer.

    Attributes:
        score: weighted mean of the credits, 0 to 1, of the criteria that are not waived; ``None`` when any of
            these is unscored, since a part of a mark is not a mark, or when none is left.
        interval: what the score may truly be; ``None`` where there is no score, or the judge was never measured.
        criteria: one verdict a criterion, in the rubric's order.
        engine: who made it.
        seconds: time it took, wall clock.

    """

    score: Unit | None
    interval: Interval | None = None
    criteria: tuple[CriterionVerdict, ...]
    engine: Engine
    seconds: float = Field(ge=0.0)

    def verdict(self, criterion_id: str) -> CriterionVerdict:
        """The verdict on that criterion.

        Raises:
            KeyError: it was not graded.

        """
        for verdict in self.criteria:
            if verdict.id == criterion_id:
                return verdict
        raise KeyError(criterion_id)
