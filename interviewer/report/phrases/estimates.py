"""The wording of a design's estimates."""

from __future__ import annotations

from interviewer.session.estimate_check import read_in
from rubric.estimates import EstimateState, number_shown
from rubric.model import Criterion


def arithmetic(criterion: Criterion, text: str, given: str) -> str:
    """What the arithmetic of a criterion gives and what the person said; empty where it has no estimate.

    Args:
        criterion: a point of a design.
        text: all that the person said.
        given: text of the question.

    """
    if criterion.estimate is None:
        return ""
    worked_out = f"The arithmetic: {criterion.estimate.shown}."
    found = read_in(criterion, text, given)
    if found.said is None:
        return f"{worked_out} No matching number was found in your answer."
    said = f"{number_shown(found.said)} {criterion.estimate.units[0]}"
    if found.state is EstimateState.AGREES:
        return f"{worked_out} You said {said}, which agrees."
    return f"{worked_out} You said {said}, which differs by more than {criterion.estimate.tolerance:.0%}."
