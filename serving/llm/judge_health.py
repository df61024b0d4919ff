"""How a judge server fares, as it tells itself or as a page has noticed."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

import httpx
from pydantic import ValidationError

from serving.frozen import FrozenModel
from serving.llm.server_key import REFUSED

LOOK_S = 3.0
"""Seconds within which a judge has to say how it fares."""

JudgeState = Literal["answering", "stopping", "not answering", "refuses the key", "other version", "no judge"]


class JudgeHealth(FrozenModel):
    """How a judge server fares.

    Attributes:
        url: where it is.
        state: whether it takes answers, and why not; one that is stopping finishes those that it has begun.
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

    state: Literal["answering", "stopping"]
    since: datetime
    answers_in_flight: int


class _Row(FrozenModel, extra="ignore"):
    id: str


class _Models(FrozenModel, extra="ignore"):
    """What a model server says that it serves."""

    data: tuple[_Row, ...]


def look_at(url: str, key: str = "", digest: str | None = None) -> JudgeHealth:
    """Ask a judge how it fares, whether it takes the key, and what it serves.

    A server of another kind, such as vLLM's own, does not tell since when it answers, nor what it has begun.

    Args:
        url: of the server, without a path.
        key: what it wants to be brought.
        digest: of the judge that it should serve; ``None`` where any will do.

    """
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    try:
        with httpx.Client(timeout=LOOK_S, trust_env=False) as http:
            health = _told(url, http.get(f"{url}/health"))
            if health.state == "not answering":
                return health
            models = http.get(f"{url}/v1/models", headers=headers)
    except (httpx.HTTPError, httpx.InvalidURL, UnicodeEncodeError):
        return JudgeHealth(url=url, state="not answering")
    wrong = _wrong(models, digest)
    return health if wrong is None else health.model_copy(update={"state": wrong})


def _told(url: str, response: httpx.Response) -> JudgeHealth:
    """What a server says of itself."""
    try:
        return JudgeHealth(url=url, **_Told.model_validate_json(response.content).model_dump())
    except ValidationError:
        return JudgeHealth(url=url, state="answering" if response.is_success else "not answering")


def _wrong(models: httpx.Response, digest: str | None) -> JudgeState | None:
    """Why a server that answers cannot be used by whoever asked; ``None`` where it can."""
    if models.status_code in REFUSED:
        return "refuses the key"
    if digest is None:
        return None
    try:
        served = {row.id for row in _Models.model_validate_json(models.content).data}
    except ValidationError:
        return "no judge"
    return None if digest in served else "other version"
