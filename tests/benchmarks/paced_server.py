"""Stands in for the judge's model server: its protocol and its measured pace, with states that say nothing.

``python -m tests.benchmarks.paced_server PORT [PACE]``; a pace of 0.1 takes a tenth of the time. One prompt at a
time, as two cores do them; the first of a question takes longer than those that share its beginning. The pace gives the
measured turn of 2.2 s for five criteria (docs/benchmarks.md). States are made of the prompt's digest, so the same
prompt gets the same marks.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import sys

import numpy as np
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from rubric.grading.state_head import load
from serving.models import catalogue

FIRST_S, NEXT_S = 0.86, 0.33
_REMEMBERED = 1_000


class PacedServer:
    """Answers for states at a fixed pace.

    Args:
        pace: share of the measured time that it takes.

    """

    def __init__(self, pace: float = 1.0) -> None:
        self._pace = pace
        state = load().state
        self._mean, self._scale = state.mean, state.scale
        self._read: dict[tuple[str, str], None] = {}
        self._one = asyncio.Lock()

    def app(self) -> Starlette:
        """The server."""
        routes = [
            Route("/health", lambda _: Response()),
            Route("/v1/models", lambda _: JSONResponse({"data": [{"id": "judge"}, {"id": catalogue.judge_digest()}]})),
            Route("/v1/embeddings", self._states, methods=["POST"]),
        ]
        return Starlette(routes=routes)

    async def _states(self, request: Request) -> Response:
        asked = await request.json()
        prompt = asked["input"]
        shared = asked["cache_salt"], prompt.partition("\n\n")[0]
        async with self._one:
            await asyncio.sleep(self._pace * (NEXT_S if shared in self._read else FIRST_S))
            self._read[shared] = None
            while len(self._read) > _REMEMBERED:
                self._read.pop(next(iter(self._read)))
        seed = int.from_bytes(hashlib.sha256(prompt.encode()).digest()[:8], "big")
        state = self._mean + self._scale * np.random.default_rng(seed).standard_normal(self._mean.shape)
        encoded = base64.b64encode(state.astype("<f4").tobytes()).decode()
        return JSONResponse({"object": "list", "data": [{"index": 0, "embedding": encoded}]})


async def _serve(port: int, pace: float = 1.0) -> None:
    config = uvicorn.Config(PacedServer(pace).app(), host="127.0.0.1", port=port, log_level="warning")
    await uvicorn.Server(config).serve()


if __name__ == "__main__":
    asyncio.run(_serve(int(sys.argv[1]), *map(float, sys.argv[2:])))
