"""The judges there are, by the name that a profile calls them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from rubric.grading import prompt_calibration
from rubric.grading.device_head import head_for
from rubric.grading.judges.base import Judge
from rubric.grading.judges.prompted import PromptJudge
from rubric.grading.judges.state_head import StateJudge
from serving.frozen import FrozenModel
from serving.llm.cached_states import CachedStates
from serving.llm.judge_service import JudgeService
from serving.models import catalogue


class JudgeContext(FrozenModel, arbitrary_types_allowed=True):
    """What a judge may be made from.

    Attributes:
        service: the model server, and what it serves.
        measured: folder with what was measured of models that judge by prompt.

    """

    service: JudgeService
    measured: Path


def embedded(context: JudgeContext) -> Judge:
    """Returns the trained head on the states of the embedded model."""
    model = catalogue.EMBEDDED
    client = CachedStates(context.service.client)
    return StateJudge(client, head_for(context.service.profile), model=model.name, digest=model.sha256)


def prompted(context: JudgeContext) -> Judge:
    """Returns a judge that asks the model behind a URL, calibrated where that model was measured."""
    model = context.service.served_model
    found = prompt_calibration.find(model, context.measured)
    return PromptJudge(context.service.client, model=model, calibration=found.calibration if found else None)


JUDGES: Mapping[str, Callable[[JudgeContext], Judge]] = {"embedded": embedded, "prompted": prompted}
"""Makes a judge, by name. A judge asks its server when it grades, not when it is made."""
