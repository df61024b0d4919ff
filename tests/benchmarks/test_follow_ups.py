"""How a point is asked about is told apart as an interview would ask about it."""

from __future__ import annotations

from pathlib import Path

import pytest

from interviewer.session.events import NearestWords
from rubric.model import Criterion, CriterionVerdict, Engine, Grade, Verdict
from rubric.training.labeled_answers import Answer
from tests.benchmarks.follow_ups import AskedAs, Heard, Point, asked_as, heard_before, keep, table
from tests.interviewer.builders import question

ANSWER = Answer(
    question_id="q",
    question="What keeps a gradient?",
    criteria=(Criterion(id="leaf", text="Leaves keep it."), Criterion(id="other", text="Others do not.")),
    style="plain",
    family="bank",
    text="A leaf keeps its gradient.",
    labels=(Verdict.MET, Verdict.MISSING),
)


def heard(verdict: Verdict, *, credit: float, sure: bool, opposite: float, likeness: float) -> Heard:
    marks = tuple(
        CriterionVerdict(
            id=name,
            verdict=verdict,
            credit=credit,
            sure=sure,
            contradicted=opposite,
            evidence=() if verdict is Verdict.MISSING else ((0, 6),),
        )
        for name in ("leaf", "other")
    )
    return Heard(
        key="k",
        grade=Grade(
            score=credit,
            criteria=marks,
            engine=Engine(judge="j", model="m", digest="", rubric_version="v"),
            seconds=0.0,
        ),
        nearest=(NearestWords(criterion_id="leaf", span=(0, 6), likeness=likeness),),
    )


@pytest.mark.parametrize(
    ("given", "way"),
    [
        (heard(Verdict.MET, credit=0.9, sure=True, opposite=0.0, likeness=0.9), AskedAs.NOT),
        (heard(Verdict.MET, credit=0.8, sure=False, opposite=0.0, likeness=0.9), AskedAs.NOT),
        (heard(Verdict.MET, credit=0.7, sure=False, opposite=0.0, likeness=0.7), AskedAs.NOT),
        (heard(Verdict.MET, credit=0.6, sure=False, opposite=0.0, likeness=0.5), AskedAs.NOT),
        (heard(Verdict.MET, credit=0.4, sure=False, opposite=0.0, likeness=0.5), AskedAs.PROBE_AFTER),
        (heard(Verdict.MISSING, credit=0.1, sure=True, opposite=0.0, likeness=0.9), AskedAs.WORDS),
        (heard(Verdict.PARTIAL, credit=0.5, sure=False, opposite=0.0, likeness=0.9), AskedAs.PARTIAL),
        (heard(Verdict.MISSING, credit=0.1, sure=True, opposite=0.0, likeness=0.2), AskedAs.PROBE),
        (heard(Verdict.MISSING, credit=0.1, sure=True, opposite=0.0, likeness=0.7), AskedAs.PROBE_AFTER),
        (heard(Verdict.MISSING, credit=0.4, sure=False, opposite=0.0, likeness=0.2), AskedAs.PROBE_AFTER),
        (heard(Verdict.CONTRADICTED, credit=0.1, sure=True, opposite=0.8, likeness=0.2), AskedAs.CONTRADICTION),
    ],
)
def test_each_way_of_asking_is_told(given: Heard, way: AskedAs) -> None:
    assert asked_as(question("q"), ANSWER, given, "leaf") is way


def test_the_table_says_how_much_of_each_was_made() -> None:
    points = [Point(label=label, asked_as=AskedAs.PROBE) for label in (Verdict.MET, Verdict.MISSING)]
    last = table(points).splitlines()[-1]
    assert last == "| by its own question | 2 | 50% | 0% | 50% | 0% |"


def test_what_was_graded_is_read_again(tmp_path: Path) -> None:
    one = heard(Verdict.MISSING, credit=0.1, sure=True, opposite=0.0, likeness=0.2)
    assert heard_before(tmp_path / "kept.jsonl") == {}
    keep(tmp_path / "kept.jsonl", one)
    assert heard_before(tmp_path / "kept.jsonl") == {"k": one}
