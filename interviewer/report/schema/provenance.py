"""Models of how a report was made: judges, rubrics, paraphrases."""

from __future__ import annotations

from typing import Literal

from interviewer.report.schema.question import Ungraded
from interviewer.session.events import FallbackReason
from rubric.grading.trust_card import TrustCard
from serving.frozen import FrozenModel


class JudgeUsed(FrozenModel):
    """Who gave marks, and how far they can be trusted.

    Attributes:
        judge: name and version.
        model: the model behind it.
        digest: of the model's weights; empty when a server did not tell.
        card: what was measured of this judge; ``None`` where nothing was.

    """

    judge: str
    model: str
    digest: str
    card: TrustCard | None = None


class RubricUsed(FrozenModel):
    """The rubric a question was graded with.

    Attributes:
        version: the version named by the marks.
        origin: who wrote it; ``None`` when the question carries none.
        as_asked: whether it is the very version that the question carried when asked.

    """

    number: int
    question_id: str
    version: str
    origin: Literal["bank", "given", "derived"] | None
    as_asked: bool


class PhrasedByModel(FrozenModel):
    """The follow-ups that a model was asked to word.

    Attributes:
        models: which, in the order in which they were asked.
        asked: how many follow-ups.
        replaced: how many were said in the bank's own words instead, by the reason, the most frequent first.

    """

    models: tuple[str, ...]
    asked: int
    replaced: tuple[tuple[FallbackReason, int], ...] = ()


class HowMade(FrozenModel):
    """How the marks came about.

    Attributes:
        criteria_judged: current verdicts, unscored ones included.
        criteria_unsure: of these, scored ones too close to even to be stated as a finding.
        criteria_self_assessed: those the person settled themselves, unscored ones included.
        criteria_disputed: those whose mark the person holds to be wrong.
        criteria_overridden: those whose mark somebody else put in the judge's place.
        overridden_by: who, in the order of the marks.
        unscored: what has no mark, and why.
        grading_seconds: time all marks took together, wall clock.
        phrased: the follow-ups that a model was asked to word; ``None`` where all are the bank's.

    """

    judges: tuple[JudgeUsed, ...]
    rubrics: tuple[RubricUsed, ...]
    criteria_judged: int
    criteria_unsure: int
    criteria_self_assessed: int = 0
    criteria_disputed: int = 0
    criteria_overridden: int = 0
    overridden_by: tuple[str, ...] = ()
    unscored: tuple[Ungraded, ...]
    grading_seconds: float
    phrased: PhrasedByModel | None = None
