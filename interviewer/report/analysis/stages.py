"""The parts that a story or a design has, and what became of each: computed from the verdicts. Pure.

A story is told as situation, task, action and result (STAR), and ends best with what was learned; a design goes from
its requirements over an estimate and the large picture into depth, to failure and operations, and to trade-offs. Which
part a criterion asks for stands in its entry, or in ``stages.yaml``. Only marks that are decided tell what became of a
part. Of one that the rubric asks nothing of nothing can be said, since the person may well have told it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from interviewer.report.schema.question import CriterionFinding, Stage, StageState
from knowledge.model import Kind, Question
from rubric.answer_kinds import dimension_of
from rubric.model import Verdict

_PARTS_OF = {Kind.BEHAVIORAL: "story", Kind.SYSTEM_DESIGN: "design"}
_NUMBERED = re.compile(r"-\d+$")


def stages(question: Question, criteria: Sequence[CriterionFinding]) -> tuple[Stage, ...]:
    """What became of each part of an answer, in the order in which it is told.

    Args:
        question: as it was asked.
        criteria: what was found on each of its criteria.

    Returns:
        One stage a part; none for other kinds of question, and where nothing is graded or no criterion could be
        told to ask for a part.

    """
    if question.kind not in _PARTS_OF or not criteria:
        return ()
    told = parts_of(question, criteria)
    if not told:
        return ()
    return tuple(
        _stage(name, [found for found in criteria if told.get(found.id) == name])
        for name in _data()[_PARTS_OF[question.kind]]["parts"]
    )


def parts_of(question: Question, criteria: Iterable[CriterionFinding]) -> Mapping[str, str]:
    """The part that each criterion asks for, by the criterion's id; those that ask for none are left out."""
    if question.kind not in _PARTS_OF or question.rubric is None:
        return {}
    tagged = {point.id: str(point.stage) for point in question.rubric.criteria if point.stage is not None}
    if len(tagged) == len(question.rubric.criteria):
        return tagged
    data = _data()[_PARTS_OF[question.kind]]
    ids: dict[str, str] = data["ids"]
    written: dict[str, str] = data["questions"].get(question.id, {})
    # A document may have a question of the same id: the table speaks of the bank's alone.
    if question.rubric.origin == "bank" and written.keys() == {point.id for point in question.rubric.criteria}:
        return written
    found = {}
    for point in criteria:
        part = ids.get(_NUMBERED.sub("", point.id))
        if part is None and question.kind is Kind.SYSTEM_DESIGN:
            part = ids[dimension_of(point.text).replace(" ", "-")]
        if part is not None:
            found[point.id] = part
    return found


def _stage(name: str, criteria: Sequence[CriterionFinding]) -> Stage:
    asked = [found for found in criteria if not found.never_asked]
    scored = [found for found in asked if found.settled is not Verdict.UNSCORED]
    decided = [found for found in scored if found.decided]
    wanting = [found for found in decided if found.settled is not Verdict.MET]
    if not asked:
        state = StageState.NOT_ASKED
    elif not scored:
        state = StageState.NOT_SCORED
    elif any(found.settled in {Verdict.MET, Verdict.PARTIAL} for found in decided) and wanting:
        state = StageState.PARTLY
    elif len(decided) < len(scored):
        state = StageState.UNSURE
    else:
        state = StageState.MISSING if wanting else StageState.MADE
    return Stage(
        name=name,
        state=state,
        criteria=tuple(found.id for found in criteria),
        wanting=tuple(found.id for found in wanting),
    )


@cache
def _data() -> dict[str, Any]:
    read: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("stages.yaml").read_text(encoding="utf-8"))
    return read
