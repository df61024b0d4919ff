"""What every judge keeps to, and how one is added."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from interviewer.cli.container import Container
from rubric.grading.judges import registry
from rubric.grading.judges.registry import JUDGES, JudgeContext
from serving import machine
from serving.llm.judge_service import JudgeService
from tests.rubric.doubles import FixedJudge


def service(url: str | None) -> JudgeService:
    here = machine.inspect("/")
    return JudgeService(here, machine.choose(here, url), llm_url=url, model="some-model")


@pytest.mark.parametrize(("url", "name"), [(None, "embedded"), ("http://127.0.0.1:9/v1", "prompted")])
def test_a_profile_names_a_judge_that_says_what_it_is(url: str | None, name: str, tmp_path: Path) -> None:
    lent = service(url)
    if url is None and lent.profile.judge != name:
        pytest.skip("this machine serves the judge in another way")
    assert lent.profile.judge == name
    judge = JUDGES[name](JudgeContext(service=lent, measured=tmp_path))
    assert judge.name
    assert judge.model
    limits = judge.limits
    assert 0 < limits.denial < 0.5 < limits.credit < 1
    assert limits.opposed < 0.5 <= limits.contradiction < 1


def test_every_judge_can_be_chosen_by_a_profile() -> None:
    names = {machine.Profile(name="remote", device=device, reasons=()).judge for device in ("cpu", "cuda", "remote")}
    assert names == set(JUDGES)


def test_a_registered_judge_grades(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    made: list[Any] = []

    def small(context: JudgeContext) -> FixedJudge:
        made.append(context)
        return FixedJudge()

    monkeypatch.setattr(registry, "JUDGES", {"embedded": small, "prompted": small})
    container = Container()
    assert (
        container.grader._judge.probabilities("", "", [None], []).tolist()
        == np.float32([[0.7, 0.1, 0.1, 0.1]]).tolist()
    )
    assert made[0].service is container.judge_service
