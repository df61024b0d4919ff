"""Which strengths and gaps to name, and what to do first."""

from __future__ import annotations

from collections.abc import Iterable

from interviewer.report.analysis.quotes import opening, reply
from interviewer.report.schema.question import CriterionFinding, QuestionFinding, Quote
from interviewer.report.schema.study import Fix, Highlight
from interviewer.scoring.assistance import help_before
from interviewer.scoring.likely_contradictions import likely_contradicted
from interviewer.scoring.outcomes import AssistanceLevel
from interviewer.session.state import AskedQuestion
from rubric.model import Verdict

_MOST = 3
_LIKELY_MISSING = 0.1
"""Credit below which a point called missing most likely is: 90 % of such points were, 3 % contradicted, none made
(``tests/benchmarks/judged_bank.csv``)."""

_Ranked = tuple[tuple[float, ...], Highlight]


def strengths(pairs: Iterable[tuple[AskedQuestion, QuestionFinding]]) -> tuple[Highlight, ...]:
    """At most three criteria that were surely met without a hint, with the words that met them.

    Unaided ones come first, of these the ones of which it is clear which words met them, then those that weigh most;
    different questions before a second one of the same.
    """
    ranked: list[_Ranked] = []
    for asked, finding in pairs:
        before = help_before(asked)
        for found in finding.criteria:
            rank = {AssistanceLevel.UNAIDED: 0, AssistanceLevel.AFTER_FOLLOW_UP: 1}.get(found.reached)
            if rank is None or not found.sure or not found.quotes or found.contested:
                continue
            worth = found.share * finding.minutes * (found.credit or 0.0)
            # Words that came after help cannot show what was made without, nor the other way round.
            quotes = tuple(quote for quote in found.quotes if before.get(quote.answer_id) is found.reached)
            if quotes:
                ranked.append(((rank, not _clear(asked, found.id), -worth), _highlight(finding, found, quotes)))
    return _best(ranked)


def gaps(pairs: Iterable[tuple[AskedQuestion, QuestionFinding]]) -> tuple[Highlight, ...]:
    """At most three criteria that were surely contradicted, missing or partly met, in the order of ``fix_first``."""
    return _best([(rank, found) for rank, found in _wanting(pairs) if found.sure])


def fix_first(pairs: Iterable[tuple[AskedQuestion, QuestionFinding]]) -> tuple[Highlight, ...]:
    """At most three criteria to fix, each with a quotation.

    First come sure contradictions, of these the ones that stayed after the person was asked about them; then what is
    surely missing; then likely contradictions, which are doubts; then what was surely made in part; what is likely
    missing comes last. Within each, what costs most comes first, and different questions before a second point of the
    same.
    """
    return _best(_wanting(pairs))


def _wanting(pairs: Iterable[tuple[AskedQuestion, QuestionFinding]]) -> list[_Ranked]:
    """All criteria that may stand among what to fix.

    A question with an answer that is still ungraded gives none, since that answer may hold what seems to be missing;
    nor does a point that is contested, or that nobody asked for.
    """
    ranked: list[_Ranked] = []
    for asked, finding in pairs:
        if not finding.graded_all_said:
            continue
        for found in finding.criteria:
            rank = _rank(asked, found)
            if rank is None or found.credit is None or found.contested or found.never_asked:
                continue
            quotes, said = _gap_quotes(asked, found)
            if not quotes:
                continue
            cost = found.share * finding.minutes * (1.0 - found.credit)
            ranked.append(((rank, -cost), _highlight(finding, found, quotes, said)))
    return ranked


def _rank(asked: AskedQuestion, found: CriterionFinding) -> int | None:
    """Which group of what to fix a point belongs to, the first one 0; ``None`` for none."""
    sure = _is_sure(found)
    match found.settled:
        case Verdict.CONTRADICTED if sure:
            return 0 if _asked_about(asked, found) else 1
        case Verdict.MISSING if sure:
            return 2
        case Verdict.CONTRADICTED if likely_contradicted(asked, found.id) and _clear(asked, found.id):
            return 3
        case Verdict.PARTIAL if sure:
            return 4
        case Verdict.MISSING if (found.credit or 0.0) < _LIKELY_MISSING:
            return 5
        case _:
            return None


def _clear(asked: AskedQuestion, criterion_id: str) -> bool:
    """Whether it is clear which words of the answers bear on a point, so that the quotation is the right one."""
    nearest = asked.grades[-1].nearest if asked.grades else ()
    return all(near.clear for near in nearest if near.criterion_id == criterion_id)


def _is_sure(found: CriterionFinding) -> bool:
    """Whether a mark may be told as sure: by the judge, or because the person settled it."""
    return found.sure or found.self_assessed is not None


def first_fix(gap: Highlight | None, pairs: Iterable[tuple[AskedQuestion, QuestionFinding]]) -> Fix | None:
    """What to do about the first thing to fix, in the words of the question's own rubric and sources."""
    for asked, finding in pairs:
        if gap is None or asked.asked_id != gap.asked_id:
            continue
        rubric = asked.question.rubric
        probes = [c.probe for c in rubric.criteria if c.id == gap.criterion_id] if rubric else []
        contradicted = gap.verdict is Verdict.CONTRADICTED and gap.sure
        return Fix(
            number=gap.number,
            criterion_id=gap.criterion_id,
            say=gap.text,
            misconception=asked.question.misconception if contradicted else "",
            practise=next(filter(None, probes), asked.question.spoken),
            source=finding.source,
            reading=finding.reading,
        )
    return None


def _asked_about(asked: AskedQuestion, found: CriterionFinding) -> bool:
    """Whether the mark stood up to more than one reading: after a reply on this very point, or by somebody's hand."""
    drilled = {event.id for event in asked.follow_ups if event.criterion_id == found.id}
    return found.overridden is not None or any(answer.follow_up_id in drilled for answer in asked.answers)


def _gap_quotes(asked: AskedQuestion, found: CriterionFinding) -> tuple[tuple[Quote, ...], str]:
    """What to quote for a gap, and the follow-up it replies to, if it does.

    The evidence where there is some; else the reply to a follow-up about this very point; else how the
    answer began in which the point does not occur.
    """
    if found.quotes:
        return found.quotes, ""
    drilled = {event.id: event for event in asked.follow_ups if event.criterion_id == found.id}
    for answer in reversed(asked.answers):
        follow_up = drilled.get(answer.follow_up_id or "")
        quote = reply(answer) if follow_up else None
        if follow_up and quote:
            return (quote,), follow_up.said
    first = next(filter(None, map(opening, asked.answers)), None)
    return ((first,) if first else ()), ""


def _highlight(
    finding: QuestionFinding, found: CriterionFinding, quotes: tuple[Quote, ...], asked: str = ""
) -> Highlight:
    return Highlight(
        number=finding.number,
        asked_id=finding.asked_id,
        criterion_id=found.id,
        topic=finding.topic,
        text=found.text,
        verdict=found.settled,
        reached=found.reached,
        quotes=quotes,
        asked=asked,
        point=found.number,
        sure=_is_sure(found),
    )


def _best(ranked: list[_Ranked]) -> tuple[Highlight, ...]:
    """The best three; of equal rank no question twice, unless there are too few questions."""
    chosen: list[Highlight] = []
    for rank in sorted({key[0] for key, _ in ranked}):
        same = [found for key, found in sorted(ranked, key=lambda item: item[0]) if key[0] == rank]
        picked: list[Highlight] = []
        for again in (False, True):
            for found in same:
                seen = {other.asked_id for other in (*chosen, *picked)}
                room = len(chosen) + len(picked) < _MOST
                if room and found not in picked and (again or found.asked_id not in seen):
                    picked.append(found)
        chosen += [found for found in same if found in picked]
    return tuple(chosen)
