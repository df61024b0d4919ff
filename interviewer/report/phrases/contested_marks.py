"""The words for marks that were disputed or overridden; each chosen by a fact in the findings."""

from __future__ import annotations

from collections.abc import Iterator

from interviewer.report.phrases import common
from interviewer.report.schema.findings import Findings
from interviewer.report.schema.question import CriterionFinding, Override, SecondGrading
from interviewer.text import percent
from rubric.model import Verdict

NO_SECOND = "The second reading has not been made yet: the judge could not be reached."
HOW_DISPUTED = (
    "A mark you dispute stays as it is. The same judge graded that point alone a second time, reading only the "
    "sentences nearest to it instead of the whole answer. Both readings are shown; the question’s score uses "
    "the first. The judge did not see your reason. You can also settle a disputed point yourself."
)


def how_disputed(findings: Findings) -> str:
    """What a second reading is, and what it was measured to be worth."""
    return " ".join([HOW_DISPUTED, *worth(findings)])


def worth(findings: Findings) -> tuple[str, ...]:
    """What the second readings of this interview's judges were measured to be worth, a sentence or two each."""
    cards = [judge.card for judge in findings.made.judges if judge.card is not None]
    return tuple(card.second.sentence for card in cards if card.second is not None)


def judged(overridden: Override) -> str:
    """What the judge had said of a mark that was overridden."""
    said = _reading(overridden.judged, overridden.judged_credit, sure=overridden.judged_sure)
    return f"the judge had said: {said}"


def first_reading(found: CriterionFinding) -> str:
    """The judge's own mark of a disputed point, whoever overrode it."""
    if found.overridden is not None:
        return _reading(found.overridden.judged, found.overridden.judged_credit, sure=found.overridden.judged_sure)
    return _reading(found.verdict, found.credit, sure=found.sure)


def second_read(second: SecondGrading) -> str:
    """What the judge read the second time."""
    if second.whole:
        return "of everything you said, again, since it is a single sentence"
    if len(second.read) == 1:
        return "of the one sentence nearest to the point"
    return f"of the {len(second.read)} sentences nearest to the point"


def reading_result(second: SecondGrading) -> str:
    """What the second reading found."""
    return _reading(second.verdict, second.credit, sure=second.sure)


def readings_compared(found: CriterionFinding) -> str:
    """What the two readings of a disputed point come to together."""
    second = found.dispute.second if found.dispute else None
    if second is None:
        return NO_SECOND
    first = found.overridden.judged if found.overridden else found.verdict
    if second.whole:
        return "The answer is a single sentence, so the second reading adds nothing."
    if second.verdict is Verdict.UNSCORED:
        return "The second reading gave no mark."
    if second.verdict is first:
        return "Both readings agree."
    counts = "the overriding mark" if found.overridden else "the first reading"
    return f"The readings differ. Compare what was read and judge for yourself; the score uses {counts}."


def _reading(verdict: Verdict, credit: float | None, *, sure: bool) -> str:
    parts = [common.VERDICTS[verdict]]
    parts += [f"credit {percent(credit)} of 100"] if credit is not None else []
    parts += [common.UNSURE] if not sure and verdict is not Verdict.UNSCORED else []
    return ", ".join(parts)


def named_first_reading(found: CriterionFinding) -> str:
    """The first reading of a disputed point, named beside the second one; without a full stop."""
    return f"First reading, of everything you said: {first_reading(found)}"


def both_readings(found: CriterionFinding) -> Iterator[str]:
    """The two readings of a disputed point beside each other, a line each, for a terminal."""
    yield f"Point {found.number}: {found.text}"
    yield named_first_reading(found)
    second = found.dispute.second if found.dispute else None
    if second is not None:
        yield f"Second reading, {second_read(second)}: {reading_result(second)}"
        yield from (f"  read: {quote.text}" for quote in second.read)
    yield readings_compared(found)


def how_overridden(findings: Findings) -> str:
    """That marks were overridden, how many and by whom."""
    made = findings.made
    number = made.criteria_overridden
    were, theirs, shown = "marks were", "these", "are shown beside them"
    if number == 1:
        were, theirs, shown = "mark was", "it", "is shown beside it"
    return (
        f"{number} {were} overridden by hand, by {', '.join(made.overridden_by)}. The scores count {theirs} instead of "
        f"the judge’s, which {shown}."
    )
