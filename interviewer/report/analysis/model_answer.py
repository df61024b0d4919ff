"""A strong answer built on what the person said: their credited sentences kept, what is missing added. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from interviewer.report.schema.question import CriterionFinding, Quote, StrongPart
from rubric.model import Criterion, Rubric, Verdict

_KEPT = {Verdict.MET, Verdict.PARTIAL}
_ADDED = {Verdict.PARTIAL, Verdict.MISSING, Verdict.CONTRADICTED}


def strong_answer(criteria: Sequence[CriterionFinding], rubric: Rubric | None) -> tuple[StrongPart, ...]:
    """The answer in the order of the rubric, in parts that are the person's or ours.

    A sentence that earned several points stands once, at the first of them. A sentence by which a point was
    contradicted is left out, whatever else it earned. Ours are the rubric's example statements, or the criterion
    itself where it has none; they come where a point is missing, wrong, only partly made, or unsure.

    Args:
        criteria: of one question, with the current verdicts; the person's own verdict decides where there is one.
        rubric: as it was when the question was asked.

    """
    points = {point.id: point for point in rubric.criteria} if rubric else {}
    wrong = [quote for found in criteria if _settled(found) is Verdict.CONTRADICTED for quote in found.quotes]
    parts: list[StrongPart] = []
    for found in criteria:
        if _settled(found) in _KEPT:
            for quote in found.quotes:
                if not any(_overlap(quote, other) for other in wrong):
                    _keep(parts, quote, found.number)
        doubtful = not found.sure and found.self_assessed is None and _settled(found) is Verdict.MET
        if _settled(found) in _ADDED or doubtful:
            parts.append(StrongPart(text=_ours(found, points.get(found.id)), origin="ours", numbers=(found.number,)))
    return tuple(parts)


def _settled(found: CriterionFinding) -> Verdict:
    return found.self_assessed or found.verdict


def _ours(found: CriterionFinding, point: Criterion | None) -> str:
    return point.examples.met[0] if point and point.examples.met else found.text


def _keep(parts: list[StrongPart], quote: Quote, number: int) -> None:
    """Add the person's words, or only the point's number to those that stand there already."""
    for at, part in enumerate(parts):
        if part.quote is not None and _overlap(part.quote, quote):
            parts[at] = part.model_copy(update={"numbers": tuple(dict.fromkeys([*part.numbers, number]))})
            return
    parts.append(StrongPart(text=quote.text, origin="yours", numbers=(number,), quote=quote))


def _overlap(one: Quote, other: Quote) -> bool:
    return one.answer_id == other.answer_id and one.start < other.end and other.start < one.end
