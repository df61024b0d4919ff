"""Which follow-up comes next."""

from __future__ import annotations

import pytest

from interviewer.policy.follow_ups import (
    CLAIM_ID,
    COMES_NEAR,
    EVIDENCE_ID,
    HARDLY_SAID,
    LACKING,
    NEAR_EVEN,
    is_vague,
    next_follow_up,
    was_missed,
)
from interviewer.session.events import NearestWords
from interviewer.session.follow_up_kinds import FollowUpKind
from knowledge.bank.parser import load_bank
from knowledge.model import Kind
from rubric.model import Criterion, CriterionVerdict, Engine, Grade, Rubric, Verdict
from tests.interviewer.builders import criterion, question

ENGINE = Engine(judge="j", model="m", digest="", rubric_version="v")


def verdict(name: str, said: Verdict, *, sure: bool = True) -> CriterionVerdict:
    scored = said is not Verdict.UNSCORED
    needs = said in {Verdict.MET, Verdict.PARTIAL, Verdict.CONTRADICTED}
    return CriterionVerdict(
        id=name,
        credit={Verdict.MISSING: 0.1}.get(said, 0.5) if scored else None,
        verdict=said,
        sure=sure,
        evidence=((0, 4),) if needs else (),
    )


def open_still(name: str) -> CriterionVerdict:
    """Likelier met than anything else, with less than even odds."""
    return verdict(name, Verdict.MET, sure=False).model_copy(update={"credit": 0.45})


def grade(*verdicts: CriterionVerdict) -> Grade:
    return Grade(score=None, criteria=verdicts, engine=ENGINE, seconds=0.0)


def rubric(*weights: float) -> Rubric:
    return Rubric(criteria=tuple(Criterion(id=f"c{n}", text="x", weight=w) for n, w in enumerate(weights)))


ALL = (Verdict.UNSCORED, Verdict.MET, Verdict.PARTIAL, Verdict.MISSING, Verdict.CONTRADICTED)


def test_kinds_come_in_order_and_no_criterion_twice() -> None:
    asked = question("q", rubric=rubric(5, 4, 3, 2, 1))
    marks = grade(
        *(open_still(f"c{n}") if said is Verdict.MET else verdict(f"c{n}", said) for n, said in enumerate(ALL))
    )
    order: list[tuple[FollowUpKind, str]] = []
    while (drill := next_follow_up(asked, marks, drilled={name for _, name in order}, left=5)) is not None:
        order.append((drill.kind, drill.criterion_id))
    assert order == [
        (FollowUpKind.CONTRADICTION, "c4"),
        (FollowUpKind.MISSING, "c3"),
        (FollowUpKind.UNSURE, "c1"),
        (FollowUpKind.PARTIAL, "c2"),
        (FollowUpKind.UNGRADED, "c0"),
    ]


def test_the_point_that_is_most_surely_missing_comes_first_then_the_heaviest() -> None:
    asked = question("q", rubric=rubric(1, 3, 2))
    likelier = verdict("c2", Verdict.MISSING).model_copy(update={"credit": 0.05})
    marks = grade(verdict("c0", Verdict.MISSING), verdict("c1", Verdict.MISSING, sure=False), likelier)
    order = [next_follow_up(asked, marks, drilled=drilled, left=1) for drilled in ((), ("c2",), ("c2", "c1"))]
    assert order == [(FollowUpKind.MISSING, name) for name in ("c2", "c1", "c0")]


def test_nothing_is_drilled_when_all_is_met_or_no_follow_up_is_left() -> None:
    asked = question("q", rubric=rubric(1))
    assert next_follow_up(asked, grade(verdict("c0", Verdict.MET)), drilled=(), left=5) is None
    assert next_follow_up(asked, grade(verdict("c0", Verdict.MISSING)), drilled=(), left=0) is None


def test_without_a_mark_the_heaviest_point_with_a_probe_is_tried() -> None:
    points = (
        criterion("alpha", weight=3, probe=""),
        criterion("beta", weight=1),
        criterion("gamma", weight=2),
    )
    asked = question("q", rubric=Rubric(criteria=points))
    order = [
        next_follow_up(asked, None, drilled=drilled, left=1) for drilled in ((), ("c-gamma",), ("c-gamma", "c-beta"))
    ]
    assert order == [
        (FollowUpKind.UNGRADED, "c-gamma"),
        (FollowUpKind.UNGRADED, "c-beta"),
        (FollowUpKind.UNGRADED, "c-alpha"),
    ]


def test_only_who_likely_said_the_opposite_is_confronted_with_it() -> None:
    asked = question("q", rubric=rubric(1))
    said = verdict("c0", Verdict.CONTRADICTED)
    kinds = {}
    for chance in (None, 0.49, 0.5):
        first = next_follow_up(asked, grade(said.model_copy(update={"contradicted": chance})), drilled=(), left=1)
        kinds[chance] = first.kind if first else None
    wrong = FollowUpKind.CONTRADICTION
    assert kinds == {None: wrong, 0.49: FollowUpKind.UNSURE, 0.5: wrong}


def test_an_unsure_contradiction_is_never_put_to_the_person() -> None:
    asked = question("q", rubric=rubric(1))
    unsure = {"contradicted": 0.85, "credit": HARDLY_SAID - 0.01}
    said = verdict("c0", Verdict.CONTRADICTED, sure=False).model_copy(update=unsure)
    assert next_follow_up(asked, grade(said), drilled=(), left=1) == (FollowUpKind.UNSURE, "c0")


def near(name: str, likeness: float) -> NearestWords:
    return NearestWords(criterion_id=name, span=(0, 4), likeness=likeness)


def test_what_the_answer_comes_near_to_is_not_asked_for_while_another_point_is_missing() -> None:
    asked = question("q", rubric=rubric(3, 1))
    marks = grade(verdict("c0", Verdict.MISSING), verdict("c1", Verdict.MISSING))
    close = (near("c0", COMES_NEAR), near("c1", COMES_NEAR - 0.01))
    first = next_follow_up(asked, marks, drilled=(), left=2, nearest=close)
    second = next_follow_up(asked, marks, drilled={"c1"}, left=1, nearest=close)
    assert first == (FollowUpKind.MISSING, "c1")
    assert second == (FollowUpKind.UNSURE, "c0")
    assert next_follow_up(asked, marks, drilled=(), left=2) == (FollowUpKind.MISSING, "c0")


def test_a_missing_point_near_the_boundary_is_taken_up_and_not_asked_for() -> None:
    asked = question("q", rubric=rubric(3, 1))
    even = verdict("c0", Verdict.MISSING, sure=False).model_copy(update={"credit": NEAR_EVEN})
    marks = grade(even, verdict("c1", Verdict.MISSING))
    assert next_follow_up(asked, marks, drilled=(), left=2) == (FollowUpKind.MISSING, "c1")
    assert next_follow_up(asked, marks, drilled={"c1"}, left=1) == (FollowUpKind.UNSURE, "c0")


def test_of_two_open_points_the_one_that_more_is_wanting_of_comes_first() -> None:
    asked = question("q", rubric=rubric(3, 1))
    half = verdict("c0", Verdict.PARTIAL)
    near_it = verdict("c1", Verdict.MISSING)
    order = [
        next_follow_up(asked, grade(half, near_it), drilled=drilled, left=1, nearest=(near("c1", COMES_NEAR),))
        for drilled in ((), ("c1",))
    ]
    assert order == [(FollowUpKind.UNSURE, "c1"), (FollowUpKind.PARTIAL, "c0")]


STORY = (
    "Last spring our nightly training job had started to take nine hours. I profiled it, wrote a small cache for the "
    "decoded images and rolled it out with the data team. In the end it went from nine hours to three. "
    "Next time I would measure before I touch anything."
)


def test_nobody_is_asked_what_they_did_who_has_just_told_it() -> None:
    points = (
        Criterion(id="ownership", text="Tells their own part.", weight=3),
        Criterion(id="situation", text="Describes one particular occasion.", weight=2),
        Criterion(id="result", text="Names a measured result.", weight=2),
        Criterion(id="reflection", text="Says what they learned.", weight=2),
        Criterion(id="task", text="Says what was expected of them.", weight=1),
    )
    asked = question("q", kind=Kind.BEHAVIORAL, rubric=Rubric(criteria=points))
    marks = grade(*(verdict(point.id, Verdict.MISSING) for point in points))
    told = {next_follow_up(asked, marks, drilled=(), left=2, text=STORY)}
    assert {follow_up.kind for follow_up in told if follow_up} == {FollowUpKind.UNSURE}
    first = next_follow_up(asked, marks, drilled=(), left=2, text="A team should talk to each other.")
    assert first is not None
    assert first.kind is FollowUpKind.MISSING


@pytest.mark.parametrize(("credit", "asked_for"), [(HARDLY_SAID, False), (HARDLY_SAID - 0.01, True)])
def test_what_only_seems_contradicted_was_most_likely_said(credit: float, asked_for: bool) -> None:
    asked = question("q", rubric=rubric(3, 1, 1))
    doubted = verdict("c1", Verdict.CONTRADICTED, sure=False).model_copy(update={"credit": credit})
    marks = grade(verdict("c0", Verdict.MISSING), doubted, verdict("c2", Verdict.CONTRADICTED))
    assert next_follow_up(asked, marks, drilled=(), left=3) == (FollowUpKind.CONTRADICTION, "c2")
    assert next_follow_up(asked, marks, drilled={"c2"}, left=2) == (FollowUpKind.MISSING, "c0")
    last = next_follow_up(asked, marks, drilled={"c0", "c2"}, left=1)
    assert last == ((FollowUpKind.UNSURE, "c1") if asked_for else None)


def test_instead_of_what_was_most_likely_said_the_question_is_taken_further() -> None:
    asked = question("q", rubric=rubric(3, 1))
    doubted = verdict("c1", Verdict.CONTRADICTED, sure=False)
    marks = grade(verdict("c0", Verdict.MET), doubted)
    assert next_follow_up(asked, marks, drilled=(), left=1, deeper=0) == (FollowUpKind.DEPTH, "c0")


@pytest.mark.parametrize("said", [Verdict.MET, Verdict.PARTIAL, Verdict.MISSING])
def test_what_was_likelier_said_than_not_is_not_asked_for(said: Verdict) -> None:
    asked = question("q", rubric=rubric(1))
    for wanting, asked_for in ((LACKING - 0.01, False), (LACKING + 0.01, True)):
        mark = verdict("c0", said, sure=False).model_copy(update={"credit": 1.0 - wanting})
        found = next_follow_up(asked, grade(mark), drilled=(), left=1)
        assert (found is not None) == asked_for


def test_a_story_is_never_drilled_as_a_contradiction() -> None:
    marks = grade(verdict("c0", Verdict.MISSING), verdict("c1", Verdict.CONTRADICTED))
    told = {kind: question("q", kind=kind, rubric=rubric(2, 1)) for kind in (Kind.CONCEPT, Kind.BEHAVIORAL)}
    first = {kind: next_follow_up(asked, marks, drilled=(), left=1) for kind, asked in told.items()}
    assert first[Kind.CONCEPT] == (FollowUpKind.CONTRADICTION, "c1")
    assert first[Kind.BEHAVIORAL] == (FollowUpKind.MISSING, "c0")


def test_a_vague_answer_is_asked_for_one_concrete_thing_once_before_what_is_only_unsure() -> None:
    asked = question("q", rubric=rubric(2, 1))
    marks = grade(verdict("c0", Verdict.MISSING), open_still("c1"))
    order: list[FollowUpKind] = []
    drilled: set[str] = set()
    while (drill := next_follow_up(asked, marks, drilled=drilled, left=5, said="It depends.")) is not None:
        order.append(drill.kind)
        drilled.add(drill.criterion_id)
    assert order == [FollowUpKind.MISSING, FollowUpKind.EVIDENCE, FollowUpKind.UNSURE]
    assert EVIDENCE_ID in drilled


def test_what_is_all_met_is_never_called_vague() -> None:
    asked = question("q", rubric=rubric(1))
    assert next_follow_up(asked, grade(verdict("c0", Verdict.MET)), drilled=(), left=5, said="It depends.") is None


def test_when_all_is_met_the_heaviest_point_is_taken_further_once() -> None:
    asked = question("q", rubric=rubric(1, 3, 2))
    marks = grade(*(verdict(f"c{n}", Verdict.MET) for n in range(3)))
    order = [next_follow_up(asked, marks, drilled=drilled, left=5, deeper=len(drilled)) for drilled in ((), ("c1",))]
    assert order == [(FollowUpKind.DEPTH, "c1"), None]
    assert next_follow_up(asked, marks, drilled=(), left=0, deeper=0) is None


def test_where_something_is_wanting_nothing_is_taken_further() -> None:
    asked = question("q", rubric=rubric(1, 1))
    marks = grade(verdict("c0", Verdict.MET), verdict("c1", Verdict.MISSING))
    assert next_follow_up(asked, marks, drilled=("c1",), left=5, deeper=0) is None


def test_where_nothing_was_said_all_is_missing() -> None:
    asked = question("q", rubric=rubric(1, 3))
    assert next_follow_up(asked, None, drilled=(), left=1, answered=False) == (FollowUpKind.MISSING, "c1")
    assert was_missed(asked, None, "c0", answered=False)
    assert not was_missed(asked, None, "c0")
    assert not was_missed(asked, None, "ask:evidence", answered=False)


@pytest.mark.parametrize(
    ("text", "vague"),
    [
        ("It depends.", True),
        ("You use the standard technique for that, it generally works well.", True),
        ("Better data and a better model would help a lot.", True),
        ("Normally things like that improve performance, so it is good.", True),
        ("Divide by 8.", False),
        ("Call x.detach first.", False),
        ("With DDP.", False),
        ("The optimiser keeps two moving averages per weight, which costs memory, so the footprint triples.", False),
        ("`zero_grad`", False),
    ],
)
def test_vague_answers_name_nothing(text: str, vague: bool) -> None:
    assert is_vague(text) is vague


def test_hardly_any_statement_that_meets_a_point_of_the_bank_is_vague() -> None:
    met = [
        statement
        for asked in load_bank()
        for point in (asked.rubric.criteria if asked.rubric else ())
        for statement in point.examples.met
    ]
    assert sum(map(is_vague, met)) / len(met) < 0.15


def test_a_doubted_statement_is_asked_about_once_after_what_was_surely_contradicted() -> None:
    asked = question("q", rubric=rubric(2, 1))
    missing = grade(verdict("c0", Verdict.MISSING), verdict("c1", Verdict.MISSING))
    assert next_follow_up(asked, missing, drilled=(), left=2, doubted=True) == (FollowUpKind.CLAIM, CLAIM_ID)
    then = next_follow_up(asked, missing, drilled=(CLAIM_ID,), left=1, doubted=True)
    assert then == (FollowUpKind.MISSING, "c0")
    wrong = grade(verdict("c0", Verdict.MISSING), verdict("c1", Verdict.CONTRADICTED))
    before = next_follow_up(asked, wrong, drilled=(), left=2, doubted=True)
    assert before == (FollowUpKind.CONTRADICTION, "c1")
    assert next_follow_up(asked, wrong, drilled=("c1",), left=1, doubted=True) == (FollowUpKind.CLAIM, CLAIM_ID)
