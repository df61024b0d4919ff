"""Which strengths and gaps to name, and what to do first."""

from __future__ import annotations

from collections.abc import Iterable

from interviewer.report.analysis.quotes import (
    GradedText,
    bears_on,
    claims_something,
    doubted_statements,
    nearness,
    opening,
    overlap,
    reply,
    shows,
)
from interviewer.report.schema.question import CriterionFinding, QuestionFinding, Quote, QuoteRole
from interviewer.report.schema.study import Doubt, Fix, Highlight
from interviewer.scoring.assistance import help_before, prompted
from interviewer.scoring.outcomes import AssistanceLevel
from interviewer.scoring.own_gaps import OwnGap, own_gaps
from interviewer.scoring.withdrawn import put_right_by, taken_back_by
from interviewer.session.code_proof import PROVEN
from interviewer.session.queries import graded_words
from interviewer.session.state import AskedQuestion
from knowledge.model import Kind
from rubric.grading.evidence import sentences
from rubric.model import Criterion, Verdict, lacking

_MOST = 3
_LIKELY_WANTING, _PERHAPS_WANTING = 0.5, 0.3
"""How much of a point has to be wanting (``rubric.model.lacking``) for it to be told as likely missing, and as one to
be looked at, where the mark is not sure. In interviews that were labeled, of 42 points with the first 39 were not made
in full, of 48 between them 32 (interviews of docs/benchmarks/interviews.md)."""

_Ranked = tuple[tuple[float, ...], Highlight]


def strengths(pairs: Iterable[tuple[AskedQuestion, QuestionFinding]]) -> tuple[Highlight, ...]:
    """At most three criteria that were surely met without a hint, with the words that met them.

    Words that do not show the point, or that are doubted, are no praise: another point is named then. Unaided ones
    come first, of these the ones of which it is clear which words met them, then those that weigh most; different
    questions before a second one of the same.
    """
    ranked: list[_Ranked] = []
    for asked, finding in pairs:
        rubric = asked.question.rubric
        points = {point.id: point for point in rubric.criteria} if rubric else {}
        doubted = [each.quote for each in doubted_statements(asked)]
        for found in finding.criteria:
            rank = _OWN_MERIT.get(found.reached)
            unhelped = found.reached is not AssistanceLevel.HELP_UNKNOWN or not finding.hinted
            if rank is None or not unhelped or not found.sure or not found.quotes or found.contested:
                continue
            worth = found.share * finding.minutes * (found.credit or 0.0)
            quotes = _of_then(asked, found)
            point = points.get(found.id)
            quotes = tuple(
                quote
                for quote in quotes
                if (point is None or _shows(asked, found, point, quote))
                and not any(overlap(quote, each) for each in doubted)
            )
            quotes = _nearest_first(asked, point, quotes)
            if quotes:
                order = (rank, not _clear(asked, found.id), -worth)
                ranked.append((order, _highlight(finding, found, quotes)))
    return _best(ranked)


_OWN_MERIT = {
    AssistanceLevel.UNAIDED: 0,
    AssistanceLevel.LATER: 0,
    AssistanceLevel.HELP_UNKNOWN: 0,
    AssistanceLevel.AFTER_FOLLOW_UP: 1,
}
"""Which strengths come first, by how a point was reached."""


def _of_then(asked: AskedQuestion, found: CriterionFinding) -> tuple[Quote, ...]:
    """The quotations of when a point was made: words after help cannot show what was made without, nor the reverse."""
    if found.reached is AssistanceLevel.HELP_UNKNOWN:
        return found.quotes
    before, later = help_before(asked, found.id), prompted(asked)
    if found.reached in {AssistanceLevel.UNAIDED, AssistanceLevel.LATER}:
        then = found.reached is AssistanceLevel.LATER
        alone = {name for name, level in before.items() if level is AssistanceLevel.UNAIDED}
        return tuple(quote for quote in found.quotes if quote.answer_id in alone and (quote.answer_id in later) is then)
    return tuple(quote for quote in found.quotes if before.get(quote.answer_id) is found.reached)


def _shows(asked: AskedQuestion, found: CriterionFinding, point: Criterion, quote: Quote) -> bool:
    """Whether words show a point that was met: by what they name, or because it is clear that they are meant."""
    proven = found.reason == PROVEN
    if shows(quote.text, point, proven=proven):
        return True
    return not proven and claims_something(quote.text) and any(overlap(quote, each) for each in _meant(asked, point))


def gaps(pairs: Iterable[tuple[AskedQuestion, QuestionFinding]]) -> tuple[Highlight, ...]:
    """At most three criteria that were surely contradicted, missing or partly met, in the order of ``fix_first``."""
    return _best([(rank, found) for rank, found in _wanting(pairs) if found.sure and found.verdict is not Verdict.MET])


def fix_first(pairs: Iterable[tuple[AskedQuestion, QuestionFinding]]) -> tuple[Highlight, ...]:
    """At most three criteria to fix, each with a quotation where words of the person's are near to it.

    What the person said they do not know comes before all, unless it was likely made all the same. Then come sure
    contradictions, of these the ones that stayed after the person was asked about them; then what is surely missing;
    then what is likely missing; then what was surely made in part. Of what the judge holds for contradicted without
    being sure, nothing is told: people make more of these points than they contradict. Within each, what costs most
    comes first, and different questions before a second point of the same.

    Where nothing of that is wrong or missing, what may be missing is to be looked at again. What was likely made is no
    advice, nor what was made or contradicted, the judge cannot tell which, nor what the person put right themselves.
    """
    ranked = _wanting(pairs)
    ranks = {rank for (rank, *_), _ in ranked}
    if ranks & _PLAIN:
        ranked = [item for item in ranked if item[0][0] < _UNDECIDED]
    return _best(ranked)


def _wanting(pairs: Iterable[tuple[AskedQuestion, QuestionFinding]]) -> list[_Ranked]:
    """All criteria that may stand among what to fix.

    A question with an answer that is still ungraded gives none, since that answer may hold what seems to be missing;
    nor does a point that is contested, or that nobody asked for.
    """
    ranked: list[_Ranked] = []
    for asked, finding in pairs:
        if not finding.graded_all_said:
            continue
        rubric = asked.question.rubric
        points = {point.id: point for point in rubric.criteria} if rubric else {}
        candid = _said_of(asked, finding)
        for found in finding.criteria:
            if found.credit is None or found.contested or found.never_asked:
                continue
            cost = (
                found.share
                * finding.minutes
                * (1.0 - found.credit if found.decided else lacking(found.credit, found.contradicted))
            )
            own = candid.get(found.id)
            rank, doubt = _rank(asked, found, own)
            if rank is None:
                continue
            quotes, said = _own_words(asked, own) if own and doubt in _CANDID else _gap_quotes(asked, found, doubt)
            silent = said and not quotes and doubt not in _CANDID
            if (silent and not found.decided) or (not quotes and doubt is None and not said):
                # Who asked back and was given no second chance to answer is told only of what is sure.
                continue
            quotes = _nearest_first(asked, points.get(found.id), quotes)
            ranked.append(((rank, -cost), _highlight(finding, found, quotes, said, doubt)))
    return ranked


_OWN, _STOOD, _WRONG, _ABSENT, _LIKELY_ABSENT, _IN_PART, _UNDECIDED = range(7)
"""The groups of what to fix, the first one first."""

_PLAIN = {_STOOD, _WRONG, _ABSENT, _LIKELY_ABSENT}
"""The groups beside which nothing is advised that the judge could not decide."""

_CANDID = {Doubt.NOT_KNOWN, Doubt.LEFT}

_BARELY_MADE = 0.65
"""Credit below which a point that was left unanswered is named."""


def _rank(asked: AskedQuestion, found: CriterionFinding, own: OwnGap | None) -> tuple[int | None, Doubt | None]:
    """Which group of what to fix a point belongs to, ``None`` for none, and why where the verdict does not say it."""
    if own and not own.left and found.settled is not Verdict.MET:
        return _OWN, Doubt.NOT_KNOWN
    if not found.decided:
        return _doubtful_rank(found, left=own is not None, put_right=bool(put_right_by(asked, found.id)))
    wrong = _STOOD if _asked_about(asked, found) else _WRONG
    groups = {Verdict.CONTRADICTED: wrong, Verdict.MISSING: _ABSENT, Verdict.PARTIAL: _IN_PART}
    return groups.get(found.settled), None


def _doubtful_rank(found: CriterionFinding, *, left: bool, put_right: bool) -> tuple[int | None, Doubt | None]:
    """The same for a mark that the judge is unsure of."""
    by_words = Doubt.IN_PART if found.quotes else Doubt.NO_WORDS
    missing, wanting = found.settled is Verdict.MISSING, lacking(found.credit, found.contradicted)
    if put_right:
        return None, None
    if found.settled is Verdict.CONTRADICTED and found.taken_back:
        return _UNDECIDED, Doubt.TAKEN_BACK
    if left and found.settled is not Verdict.CONTRADICTED and (found.credit or 0.0) < _BARELY_MADE:
        return _IN_PART, Doubt.LEFT
    if wanting >= _LIKELY_WANTING:
        return _LIKELY_ABSENT, None if missing else by_words
    if wanting >= _PERHAPS_WANTING:
        return _UNDECIDED, Doubt.NO_WORDS if missing else by_words
    return None, None


def _said_of(asked: AskedQuestion, finding: QuestionFinding) -> dict[str, OwnGap]:
    """By criterion id, what the person said they do not know, or left unanswered.

    It is said of the point that the follow-up before it was on, and of none where that asked for more than the points.
    Where nothing on the question is, it is said of the point that its words are near to, or of the one that cost most;
    in a story, of none.
    """
    rubric = asked.question.rubric
    points = {point.id: point for point in rubric.criteria} if rubric else {}
    asked_for = [found for found in finding.criteria if not found.never_asked and found.id in points]
    said: dict[str, OwnGap] = {}
    every = own_gaps(asked)
    told = any(own.criterion_id in points for own in every)
    for own in every:
        name = own.criterion_id
        if name not in points:
            if told or own.asked or asked.question.kind is Kind.BEHAVIORAL:
                continue
            words = "".join(quote.text for quote in _own_words(asked, own)[0])
            near = [found for found in asked_for if points[found.id].examples.met and bears_on(words, points[found.id])]
            lacking = [found for found in near or asked_for if found.settled is not Verdict.MET]
            costly = max(lacking, key=lambda found: found.share * (1.0 - (found.credit or 0.0)), default=None)
            name = costly.id if costly else ""
        if name and (name not in said or not own.left):
            said[name] = own
    return said


def _own_words(asked: AskedQuestion, own: OwnGap) -> tuple[tuple[Quote, ...], str]:
    """The sentence that says so, and the follow-up that it answers, or that was not answered."""
    answer = next((answer for answer in asked.answers if answer.id == own.answer_id), None)
    if answer is None:
        return (), own.asked
    start, end = own.span
    role = QuoteRole.REPLY if own.asked else QuoteRole.EVIDENCE
    return (Quote(answer_id=answer.id, start=start, end=end, text=answer.text[start:end], role=role),), own.asked


def _clear(asked: AskedQuestion, criterion_id: str) -> bool:
    """Whether it is clear which words of the answers bear on a point, so that the quotation is the right one."""
    nearest = asked.grades[-1].nearest if asked.grades else ()
    return all(near.clear for near in nearest if near.criterion_id == criterion_id)


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


def _gap_quotes(asked: AskedQuestion, found: CriterionFinding, doubt: Doubt | None) -> tuple[tuple[Quote, ...], str]:
    """What to quote for a gap, and the follow-up it replies to, if it does.

    The evidence where there is some; else the reply to a follow-up about this very point, or that alone where nothing
    was said in reply; else how the answer began in which the point does not occur, unless it is in doubt that it does
    not.
    """
    if doubt is Doubt.TAKEN_BACK:
        return _mending(asked, found), ""
    if found.quotes:
        return found.quotes, ""
    drilled = {event.id: event for event in asked.follow_ups if event.criterion_id == found.id}
    replies = [
        (answer, drilled[answer.follow_up_id or ""]) for answer in asked.answers if answer.follow_up_id in drilled
    ]
    for answer, follow_up in reversed(replies):
        if quote := reply(answer):
            return (quote,), follow_up.said
    if replies:
        return (), replies[-1][1].said
    first = next(filter(None, map(opening, asked.answers)), None) if doubt is None else None
    return ((first,) if first else ()), ""


def _mending(asked: AskedQuestion, found: CriterionFinding) -> tuple[Quote, ...]:
    """What the person said when they took back what contradicted a point: the sentences that are near to it."""
    by = taken_back_by(asked, found.id)
    rubric = asked.question.rubric
    point = next((each for each in rubric.criteria if each.id == found.id), None) if rubric else None
    return tuple(
        Quote(answer_id=answer.id, start=start, end=end, text=answer.text[start:end])
        for answer in asked.answers
        if answer.id in by[-1:]
        for start, end in sentences(answer.text)
        if claims_something(answer.text[start:end]) and (point is None or bears_on(answer.text[start:end], point))
    )


def _nearest_first(asked: AskedQuestion, point: Criterion | None, quotes: tuple[Quote, ...]) -> tuple[Quote, ...]:
    """Quotations for a point, first the one that it is clear is meant, then those that are nearest to the point."""
    if point is None:
        return quotes
    meant = _meant(asked, point)

    def rank(quote: Quote) -> tuple[bool, tuple[int, float]]:
        return any(overlap(quote, other) for other in meant), nearness(quote.text, point)

    return tuple(sorted(quotes, key=rank, reverse=True))


def _meant(asked: AskedQuestion, point: Criterion) -> tuple[Quote, ...]:
    """The words that the sentence encoder clearly found nearest to a point; none where none are."""
    if not asked.grades:
        return ()
    graded = asked.grades[-1]
    clear = [near.span for near in graded.nearest if near.criterion_id == point.id and near.clear]
    return GradedText(graded.graded_text, graded_words(asked)).quotes(clear)


def _highlight(
    finding: QuestionFinding,
    found: CriterionFinding,
    quotes: tuple[Quote, ...],
    asked: str = "",
    doubt: Doubt | None = None,
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
        sure=found.decided,
        doubt=doubt,
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
