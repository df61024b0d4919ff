"""Calls of model servers as they are seen from outside: their spans, and how long they take."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

import httpx

from serving import metrics, traces
from serving.llm.server_state import Endpoint

_Given = TypeVar("_Given")
_Reply = TypeVar("_Reply")


@contextmanager
def calling(target: Endpoint, path: str) -> Iterator[traces.Span]:
    """A call of a server; the span says what OpenTelemetry's conventions for HTTP and for generative AI name.

    Args:
        target: the server.
        path: what is called there.

    """
    operation = "embeddings" if path.endswith("embeddings") else "chat"
    server = httpx.URL(target.url)
    attributes: dict[str, traces.Value] = {
        "http.request.method": "POST",
        "server.address": server.host,
        "server.port": server.port or (443 if server.scheme == "https" else 80),
        "gen_ai.operation.name": operation,
        "gen_ai.request.model": target.model,
    }
    with metrics.JUDGE_CALL_S.labels(operation).time(), traces.span(f"POST {path}", attributes, "client") as call:
        yield call


def at_once(ask: Callable[[_Given], _Reply], asked: Sequence[_Given], most: int) -> list[_Reply]:
    """The reply to each of several, asked at the same time, as parts of what is done here.

    Args:
        ask: asks one.
        asked: what is asked.
        most: how many are asked at the same time.

    """
    place = traces.here()

    def one(each: _Given) -> _Reply:
        with traces.back_at(place):
            return ask(each)

    with ThreadPoolExecutor(max_workers=most) as pool:
        return list(pool.map(one, asked))
