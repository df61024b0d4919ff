"""Which follow-up comes next."""

from __future__ import annotations

import pytest

from interviewer.drill import next_drill, quotation
from interviewer.events import FollowUpKind
from rubric.model import Criterion, CriterionVerdict, Engine, Grade, Rubric, Verdict
from tests.interviewer.parts import criterion, question

ENGINE = Engine(judge="j", model="m", digest="", rubric_version="v")


def verdict(name: str, said: Verdict, *, sure: bool = True) -> CriterionVerdict:
    scored = said is not Verdict.UNSCORED
    needs = said in {Verdict.MET, Verdict.PARTIAL, Verdict.CONTRADICTED}
    return CriterionVerdict(
        id=name,
        credit=0.5 if scored else None,
        verdict=said,
        sure=sure,
        evidence=((0, 4),) if needs else (),
    )


def grade(*verdicts: CriterionVerdict) -> Grade:
    return Grade(score=None, criteria=verdicts, engine=ENGINE, seconds=0.0)


def rubric(*weights: float) -> Rubric:
    return Rubric(criteria=tuple(Criterion(id=f"c{n}", text="x", weight=w) for n, w in enumerate(weights)))


ALL = (Verdict.UNSCORED, Verdict.MET, Verdict.PARTIAL, Verdict.MISSING, Verdict.CONTRADICTED)


def test_kinds_come_in_order_and_no_criterion_twice() -> None:
    asked = question("q", rubric=rubric(5, 4, 3, 2, 1))
    marks = grade(*(verdict(f"c{n}", said, sure=said is not Verdict.MET) for n, said in enumerate(ALL)))
    order: list[tuple[FollowUpKind, str]] = []
    while (drill := next_drill(asked, marks, drilled={name for _, name in order}, left=5)) is not None:
        order.append((drill.kind, drill.criterion_id))
    assert order == [
        (FollowUpKind.CONTRADICTION, "c4"),
        (FollowUpKind.MISSING, "c3"),
        (FollowUpKind.PARTIAL, "c2"),
        (FollowUpKind.UNSURE, "c1"),
        (FollowUpKind.UNGRADED, "c0"),
    ]


def test_the_heaviest_missing_point_comes_first_then_the_surest() -> None:
    asked = question("q", rubric=rubric(1, 3, 3))
    marks = grade(
        verdict("c0", Verdict.MISSING),
        verdict("c1", Verdict.MISSING, sure=False),
        verdict("c2", Verdict.MISSING),
    )
    first = next_drill(asked, marks, drilled=(), left=1)
    second = next_drill(asked, marks, drilled={"c2"}, left=1)
    assert first == (FollowUpKind.MISSING, "c2")
    assert second == (FollowUpKind.MISSING, "c1")


def test_nothing_is_drilled_when_all_is_met_or_no_follow_up_is_left() -> None:
    asked = question("q", rubric=rubric(1))
    assert next_drill(asked, grade(verdict("c0", Verdict.MET)), drilled=(), left=5) is None
    assert next_drill(asked, grade(verdict("c0", Verdict.MISSING)), drilled=(), left=0) is None


def test_without_a_mark_the_heaviest_point_with_a_probe_is_tried() -> None:
    points = (
        criterion("alpha", weight=3, probe=""),
        criterion("beta", weight=1),
        criterion("gamma", weight=2),
    )
    asked = question("q", rubric=Rubric(criteria=points))
    order = [next_drill(asked, None, drilled=drilled, left=1) for drilled in ((), ("c-gamma",), ("c-gamma", "c-beta"))]
    assert order == [
        (FollowUpKind.UNGRADED, "c-gamma"),
        (FollowUpKind.UNGRADED, "c-beta"),
        (FollowUpKind.UNGRADED, "c-alpha"),
    ]


@pytest.mark.parametrize(
    ("said", "span", "quote"),
    [
        ("well, the leaf keeps it, I think", (6, 23), "the leaf keeps it"),
        ("one two three four five six seven eight nine ten eleven twelve thirteen", (0, 70), None),
        ("loss.backward() does it", (0, 23), ""),
        ("<b>x</b>", (0, 8), ""),
    ],
)
def test_a_quotation_is_short_and_can_be_said(said: str, span: tuple[int, int], quote: str | None) -> None:
    marks = grade(CriterionVerdict(id="c0", credit=0.5, verdict=Verdict.PARTIAL, sure=True, evidence=(span,)))
    wanted = " ".join(said.split()[:12]) if quote is None else quote
    assert quotation(marks, "c0", said) == wanted


def test_what_has_no_evidence_has_no_quotation() -> None:
    assert quotation(None, "c0", "words") == ""
    assert quotation(grade(verdict("c0", Verdict.MISSING)), "c0", "words") == ""
