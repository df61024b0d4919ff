"""How a runner fares, as it tells itself or as a page has noticed."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

import httpx
from pydantic import ValidationError

from serving.frozen import FrozenModel
from serving.sandbox.remote import protocol
from serving.sandbox.remote.protocol import About

LOOK_S = 3.0
"""Seconds within which a runner has to say how it fares."""

MOST_TOLD = 8192
"""Bytes that it may say."""

RunnerState = Literal["answering", "stopping", "not answering", "refuses the key", "other version", "no runner"]


class RunnerHealth(FrozenModel):
    """How a runner fares.

    Attributes:
        url: where it is.
        state: whether it takes jobs, and why not.
        since: when that began; ``None`` where nobody knows.
        jobs_in_flight: jobs that it has taken and not finished: those of all pages where it tells itself, those of one
            page where that tells it; ``None`` where nobody knows.

    """

    url: str
    state: RunnerState
    since: datetime | None = None
    jobs_in_flight: int | None = None


class _Told(FrozenModel, extra="ignore"):
    """What a runner says of itself to everybody."""

    state: Literal["answering", "stopping"]
    since: datetime
    jobs_in_flight: int


def look_at(url: str, key: str) -> tuple[RunnerHealth, About | None]:
    """Ask a runner how it fares, and what it says of itself, where it says it.

    Args:
        url: of the runner, without a path.
        key: what it wants to be brought.

    """
    try:
        with httpx.Client(timeout=LOOK_S, trust_env=False, headers=authorization(key)) as http:
            told = _Told.model_validate_json(_read(http, f"{url}/health")[1])
            health = RunnerHealth(url=url, **told.model_dump())
            status, body = _read(http, f"{url}/about")
            if status in {401, 403}:
                return health.model_copy(update={"state": "refuses the key"}), None
            about = About.model_validate_json(body)
    except (httpx.HTTPError, httpx.InvalidURL):
        return RunnerHealth(url=url, state="not answering"), None
    except ValidationError:
        return RunnerHealth(url=url, state="no runner"), None
    if about.version != protocol.version():
        return health.model_copy(update={"state": "other version"}), about
    return health, about


def authorization(key: str) -> dict[bytes, bytes]:
    """The header that brings a key; none where there is no key."""
    return {b"authorization": f"Bearer {key}".encode()} if key else {}


def _read(http: httpx.Client, url: str) -> tuple[int, bytes]:
    """The status and the first bytes of what answers, however much that is."""
    body = bytearray()
    with http.stream("GET", url, headers={"accept-encoding": "identity"}) as response:
        for part in response.iter_raw():
            body += part
            if len(body) > MOST_TOLD:
                break
    return response.status_code, bytes(body)
