"""What to study next, in order, and how: every sentence by a fixed template from a verdict and its rubric. Pure."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, timedelta
from math import log

from interviewer.report.analysis.review_schedule import first_review
from interviewer.report.schema.question import CriterionFinding, QuestionFinding, QuestionStatus
from interviewer.report.schema.study import Doubt, Highlight, Retry, StudyItem
from interviewer.session.state import AskedQuestion
from knowledge.model import Kind, Question, levels_apart
from rubric.coding.result import CodeStatus
from rubric.model import Criterion, DesignStage, Verdict
from rubric.words import content_words
from serving.frozen import FrozenModel

MOST = 12
"""Points in a plan: more than an hour's worth would not be read."""

A_DAY = 4
"""Points to study on one day: with a question answered again each, about half an hour."""

CODE = "code"
"""Stands for the criterion where code does not pass its tests."""

_RELATED = 0.4
"""Share of what a point's words tell that one point of another question has to mention to be worth trying for it.

A topic of the bank is wide: a question on attention and one on sound as tokens are of the same one.
"""

_WANTING = {Verdict.CONTRADICTED, Verdict.MISSING, Verdict.PARTIAL}
_HEDGED = re.compile(r"\b(?:I'm|I am|I think|I guess|I believe|I'd say|fairly|probably|maybe|somehow)\b")
_ORDER = {Verdict.CONTRADICTED: 0, Verdict.MISSING: 1, Verdict.PARTIAL: 2, Verdict.MET: 3}
_NOTHING_SAID = {QuestionStatus.SKIPPED, QuestionStatus.UNANSWERED}

_DO = {
    Kind.CONCEPT: "Answer aloud in two minutes, for someone new to the topic",
    Kind.CODING: "Answer aloud in two minutes, and point to the lines of code that matter",
    Kind.DEBUGGING: "Answer aloud in two minutes, and say how you would check it",
    Kind.SYSTEM_DESIGN: "Answer aloud in two minutes, and give the reason for your choice",
    Kind.BEHAVIORAL: "Answer aloud in two minutes, with a name, a date, or a figure",
}
"""What to do for a point: it has to fit every point of the kind, be it on a metric, a cause, or a part of a design."""

_DO_OF_STAGE = {
    DesignStage.REQUIREMENTS: "Answer aloud in two minutes, and say how it shapes your design",
    DesignStage.ESTIMATE: "Do the arithmetic aloud in two minutes, with units",
}
"""The same for a point that belongs to a part of a design whose points are all alike."""

_FIRST = {
    Verdict.CONTRADICTED: "say in one sentence why what you said is wrong",
    Verdict.PARTIAL: "make the whole point in one sentence",
    Verdict.MISSING: "start with the point itself, in one sentence",
    Verdict.MET: "make the whole point in one sentence",
}
_CHECK = "compare what you said with the reference answer"

_FIX_CODE = "Fix your code until this test passes; explain the fix in one sentence."


class _Missed(FrozenModel):
    """A point that was missed, and what missing it cost."""

    finding: QuestionFinding
    criterion: Criterion
    verdict: Verdict | None
    sure: bool
    cost: float

    @property
    def rank(self) -> tuple[float, ...]:
        """What comes first: sure before unsure, then what was wrong, absent, and partly made, then what cost most."""
        kind = 1 if self.verdict is None or self.criterion.id == CODE else _ORDER[self.verdict]
        return (not self.sure, kind, -self.cost, self.finding.number)


def study_plan(
    pairs: Iterable[tuple[AskedQuestion, QuestionFinding]],
    library: Collection[Question],
    today: date,
    first: Sequence[Highlight] = (),
) -> tuple[tuple[StudyItem, ...], int]:
    """What to study next.

    The points to fix first come first, in their order; then what was surely contradicted, what is missing, what was
    partly made, and what the judge was unsure of. A question with an answer that is still ungraded gives none, since
    that answer may hold what seems to be missing; nor does a point whose mark the person contests.

    Args:
        pairs: the questions of the interview with what was found on each.
        library: questions to choose from for another try; without any, the same question is named.
        today: the day of the interview.
        first: the points to fix first, which the plan begins with.

    Returns:
        At most ``MOST`` points in order, and how many more were missed.

    """
    pairs = list(pairs)
    questions = {asked.asked_id: asked.question for asked, _ in pairs}
    gaps = {(gap.asked_id, gap.criterion_id): gap for gap in first}
    places = {key: place for place, key in enumerate(gaps)}
    missed = sorted(
        (found for asked, finding in pairs for found in _missed(asked, finding, gaps)),
        key=lambda m: (places.get((m.finding.asked_id, m.criterion.id), len(places)), *m.rank),
    )
    asked_ids = {question.id for question in questions.values()}
    fresh = [question for question in library if question.id not in asked_ids]
    rare = _rarities(fresh)
    items: list[StudyItem] = []
    for place, found in enumerate(missed[:MOST]):
        used = {item.retry.question_id for item in items}
        question = questions[found.finding.asked_id]
        retry = _retry(found.criterion, question, [other for other in fresh if other.id not in used], rare)
        items.append(_item(found, question, retry, today + timedelta(days=place // A_DAY)))
    return tuple(items), max(0, len(missed) - MOST)


def key_of(question_id: str, criterion_id: str) -> str:
    """Sixteen hex digits that name a point of a question in every interview it is asked in."""
    return hashlib.sha256(f"{question_id}\0{criterion_id}".encode()).hexdigest()[:16]


def _missed(
    asked: AskedQuestion, finding: QuestionFinding, first: Mapping[tuple[str, str], Highlight]
) -> Iterable[_Missed]:
    rubric = asked.question.rubric
    if finding.status in _NOTHING_SAID and rubric is not None:
        heaviest = max(rubric.criteria, key=lambda criterion: criterion.weight)
        share = heaviest.weight / sum(criterion.weight for criterion in rubric.criteria)
        yield _Missed(finding=finding, criterion=heaviest, verdict=None, sure=True, cost=share * finding.minutes)
    if finding.graded_all_said:
        criteria = {criterion.id: criterion for criterion in rubric.criteria} if rubric else {}
        for found in finding.criteria:
            if found.contested:
                continue
            gap = first.get((finding.asked_id, found.id))
            wanted = found.settled in _WANTING or gap is not None
            if wanted and found.id in criteria and found.share > 0:
                candid = gap is not None and gap.doubt is Doubt.NOT_KNOWN
                yield _Missed(
                    finding=finding,
                    criterion=criteria[found.id],
                    verdict=Verdict.MISSING
                    if candid and not found.decided and _credit(found) < _HALF
                    else found.settled,
                    sure=candid or found.decided,
                    cost=found.share * finding.minutes * (1.0 - _credit(found)),
                )
    failing = _failing(finding)
    if failing:
        yield _Missed(
            finding=finding,
            criterion=Criterion(id=CODE, text=f"Your code should pass every test, including “{failing}”."),
            verdict=Verdict.PARTIAL if finding.code and finding.code.credit else Verdict.MISSING,
            sure=True,
            cost=finding.minutes * (1.0 - ((finding.code and finding.code.credit) or 0.0)) / 2,
        )


_HALF = 0.5


def _credit(found: CriterionFinding) -> float:
    if found.self_assessed is not None or found.credit is None:
        return 0.5 if found.settled is Verdict.PARTIAL else 0.0
    return found.credit


def _failing(finding: QuestionFinding) -> str:
    """Title of the first test that submitted code fails; empty where there is none."""
    if finding.code is None or not finding.code.submitted:
        return ""
    tests = finding.code.result.tests
    return next((test.title for test in tests if test.status is not CodeStatus.PASSED), "")


def _rarities(library: Collection[Question]) -> Mapping[str, float]:
    """How much each word of the library tells about what a question is on: the more, the fewer questions use it."""
    used = Counter(word for question in library for word in frozenset().union(*_told(question)))
    return {word: log(1 + len(library) / questions) for word, questions in used.items()}


def _told(question: Question) -> list[frozenset[str]]:
    """The content words of each of a question's points, with those of the question itself."""
    asked = content_words(question.spoken)
    return [asked | content_words(point.text) for point in (question.rubric.criteria if question.rubric else ())]


def _retry(criterion: Criterion, question: Question, library: Sequence[Question], rare: Mapping[str, float]) -> Retry:
    """Another question of the bank that is on the same point, as near in kind and level as there is; else the same.

    How far one is on the point is told by the share of the point's content words that one of its own points mentions
    together with the question, rare words counting most.
    """
    most = log(2 + len(library))
    wanted = {word: rare.get(word, most) for word in content_words(criterion.text)}
    whole = sum(wanted.values()) or 1.0

    def touches(other: Question) -> float:
        return max((sum(wanted[word] for word in wanted.keys() & said) / whole for said in _told(other)), default=0.0)

    related = [
        (other.kind is question.kind, share, -levels_apart(other.level, question.level), other)
        for other in library
        if other.topic == question.topic and _of_the_bank(other) and (share := touches(other)) >= _RELATED
    ]
    # A point of a story is told in that story: another one has others.
    if criterion.id == CODE or question.kind is Kind.BEHAVIORAL or not related:
        return Retry(question_id=question.id, spoken=question.spoken, same=True)
    other = max(related, key=lambda found: (*found[:3], found[3].id))[3]
    return Retry(question_id=other.id, spoken=other.spoken, same=False)


def _of_the_bank(question: Question) -> bool:
    return question.rubric is not None and question.rubric.origin == "bank"


def _item(found: _Missed, question: Question, retry: Retry, day: date) -> StudyItem:
    finding, criterion = found.finding, found.criterion
    prompt = criterion.probe or question.spoken
    first = _first_step(found, question.kind)
    wanted = content_words(criterion.text)
    # Of several ways to say the point the plainest: nothing is hedged, and it is near to the point.
    said = sorted(criterion.examples.met, key=lambda e: (bool(_HEDGED.search(e)), -len(wanted & content_words(e))))
    return StudyItem(
        key=key_of(question.id, criterion.id),
        number=finding.number,
        asked_id=finding.asked_id,
        question_id=question.id,
        topic=question.topic,
        criterion_id=criterion.id,
        say=criterion.text,
        verdict=found.verdict,
        sure=found.sure,
        why=question.why_it_matters or _why(found),
        misconception=question.misconception if found.verdict is Verdict.CONTRADICTED and found.sure else "",
        exercise=_FIX_CODE if criterion.id == CODE else f"{_exercise(criterion, question.kind)}; {first}.",
        prompt=prompt,
        # The facts of somebody else's story are nothing to say.
        example=said[0] if said and question.kind is not Kind.BEHAVIORAL else "",
        retry=retry,
        study_on=day,
        review_on=first_review(found.verdict, day),
        source=question.source,
    )


def _first_step(found: _Missed, kind: Kind) -> str:
    """What to do first for a point, by how it was missed; nothing in somebody's story is wrong."""
    if not found.sure:
        return _CHECK
    missed = found.verdict or Verdict.MISSING
    told = missed is Verdict.CONTRADICTED and kind is Kind.BEHAVIORAL
    return _FIRST.get(Verdict.MISSING if told else missed, _FIRST[Verdict.MISSING])


def _exercise(criterion: Criterion, kind: Kind) -> str:
    """What to do for a point of a question of some kind."""
    if criterion.estimate is not None:
        return _DO_OF_STAGE[DesignStage.ESTIMATE]
    return _DO_OF_STAGE.get(criterion.stage, _DO[kind]) if criterion.stage is not None else _DO[kind]


def _why(found: _Missed) -> str:
    """What stands where nobody wrote why a question matters."""
    if found.criterion.id == CODE:
        return "The tests decide half of the question’s score."
    return "A good answer to this question makes this point."
