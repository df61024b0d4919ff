"""How a judge server fares, as it tells itself or as a page has noticed."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

import httpx
from pydantic import ValidationError

from serving.frozen import FrozenModel

LOOK_S = 3.0
"""Seconds within which a judge has to say how it fares."""

JudgeState = Literal["answering", "stopping", "not answering"]


class JudgeHealth(FrozenModel):
    """How a judge server fares.

    Attributes:
        url: where it is.
        state: whether it takes answers; one that is stopping finishes those that it has begun.
        since: when that began; ``None`` where nobody knows.
        answers_in_flight: answers that it has begun and not finished: those of all pages where it tells itself, those
            of one page where that tells it; ``None`` where nobody knows.

    """

    url: str
    state: JudgeState
    since: datetime | None = None
    answers_in_flight: int | None = None


class _Told(FrozenModel, extra="ignore"):
    """What a judge says of itself."""

    state: JudgeState
    since: datetime
    answers_in_flight: int


def look_at(url: str) -> JudgeHealth:
    """Ask a judge how it fares. A server of another kind, such as vLLM's own, tells only that it answers.

    Args:
        url: of the server, without a path.

    """
    try:
        response = httpx.get(f"{url}/health", timeout=LOOK_S, trust_env=False)
    except (httpx.HTTPError, httpx.InvalidURL):
        return JudgeHealth(url=url, state="not answering")
    try:
        return JudgeHealth(url=url, **_Told.model_validate_json(response.content).model_dump())
    except ValidationError:
        return JudgeHealth(url=url, state="answering" if response.is_success else "not answering")
