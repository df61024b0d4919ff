"""Serves the states of the judge's model on a CPU: vLLM's engine and the three routes that are used, in one process.

vLLM's own server keeps its engine in a process apart from its web server, and both import everything: 1.0 GB and some
fifteen seconds more (docs/benchmarks/memory.md). Here a prompt is read at a time, so there is nothing to overlap.
``python -m serving.llm.state_server --model FOLDER --name judge --port 8000``; the key is in ``VLLM_API_KEY``.
"""

from __future__ import annotations

import argparse
import base64
import contextlib
import itertools
import logging
import os
import sys
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import uvicorn
from pydantic import Field, ValidationError
from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from tokenizers import Tokenizer

from serving import heap, metrics, traces
from serving.arrays import FloatArray
from serving.frozen import FrozenModel
from serving.llm import engine_memory
from serving.llm.answer_headers import STOPPING
from serving.llm.draining import AnswersInFlight
from serving.observation import logs
from serving.observation.process import Observation
from serving.servers.access import brings
from serving.servers.draining import DrainingServer

if TYPE_CHECKING:
    from vllm.inputs import TokensPrompt

log = logging.getLogger(__name__)

LONGEST = 8192
"""Tokens a prompt may have."""

BLOCK = 32
"""Tokens of a block: what prompts begin alike with is shared in whole blocks only, and answers are short."""

STATES = "/v1/embeddings"
"""Where states are asked for."""

CACHE = 160 * 2**20
"""Bytes of keys and values that are kept: 10,000 tokens, the points of ten questions and what was said on them."""


class StateEngine(Protocol):
    """Reads prompts."""

    def states(self, prompts: Sequence[str], salt: str | None) -> list[FloatArray]:
        """The state of each prompt's last token after the last layer, [hidden] each.

        Args:
            prompts: read one after the other.
            salt: only what was read with the same one is shared.

        Raises:
            ValueError: a prompt is empty or too long.

        """


class VllmEngine:
    """vLLM's engine, in this process. All calls have to come from the thread that made it: its threads are bound there.

    Args:
        model: folder of the checkpoint.
        cache: bytes of keys and values that are kept.

    """

    def __init__(self, model: str, cache: int = CACHE) -> None:
        # They take seconds, and the routes are tested without them.
        from vllm import EngineArgs, LLMEngine, PoolingParams, PoolingRequestOutput  # noqa: PLC0415
        from vllm.config import PoolerConfig  # noqa: PLC0415

        self._tokenizer = Tokenizer.from_file(str(Path(model) / "tokenizer.json"))
        arguments = EngineArgs(
            model=model,
            # It would load two, and a list of all words with each.
            skip_tokenizer_init=True,
            runner="pooling",
            convert="embed",
            pooler_config=PoolerConfig(pooling_type="LAST", use_activation=False),
            max_model_len=LONGEST,
            max_num_batched_tokens=LONGEST,
            max_num_seqs=1,
            # No prompt is cut in two by the scheduler, so what else is being read changes no state.
            enable_chunked_prefill=False,
            enable_prefix_caching=True,
            block_size=BLOCK,
            kv_cache_memory_bytes=cache,
            # Compiling wins little for prompts that are read once and costs two minutes of each start.
            enforce_eager=True,
            disable_log_stats=True,
            use_tqdm_on_load=not logs.in_json(),
        )
        with engine_memory.embedding_as_loaded():
            self._engine = LLMEngine.from_engine_args(arguments)
        self._wanted, self._reading = PoolingParams(task="embed"), PoolingRequestOutput
        self._numbers = itertools.count()

    def states(self, prompts: Sequence[str], salt: str | None) -> list[FloatArray]:
        """See ``StateEngine.states``."""
        return [self._state(prompt, salt) for prompt in prompts]

    def _state(self, prompt: str, salt: str | None) -> FloatArray:
        tokens = self._tokenizer.encode(prompt).ids
        # vLLM's own refusal is no ValueError.
        if not 0 < len(tokens) <= LONGEST:
            raise ValueError(f"A prompt may have 1 to {LONGEST} tokens, and this one has {len(tokens)}.")
        given: TokensPrompt = {"prompt_token_ids": tokens}
        if salt:
            given["cache_salt"] = salt
        self._engine.add_request(str(next(self._numbers)), given, self._wanted)
        states = []
        while self._engine.has_unfinished_requests():
            states += [read.outputs.data for read in self._engine.step() if isinstance(read, self._reading)]
        (state,) = states
        return np.asarray(state.float(), dtype=np.float32)


class _Wanted(FrozenModel, extra="ignore"):
    """Body of a request for states; fields that are not used are let through, as vLLM's own server does."""

    input: str | tuple[str, ...]
    cache_salt: str | None = Field(default=None, max_length=200)

    @property
    def prompts(self) -> tuple[str, ...]:
        return (self.input,) if isinstance(self.input, str) else self.input


def routes(
    engine: StateEngine,
    names: Sequence[str],
    key: str,
    thread: ThreadPoolExecutor,
    answers: AnswersInFlight | None = None,
) -> Starlette:
    """The web application.

    Args:
        engine: reads prompts.
        names: what the model is called.
        key: what every request has to bring; empty where anybody may ask.
        thread: of one thread, on which the engine is called.
        answers: counts those in flight.

    """
    flight = answers or AnswersInFlight()

    def refused(request: Request) -> Response | None:
        if brings(request.headers.get("authorization", ""), key):
            return None
        metrics.REFUSED.labels("key").inc()
        return _problem(401, "The key is missing or wrong.")

    async def health(_: Request) -> Response:
        return JSONResponse(flight.told(), 503 if flight.stopping else 200)

    async def models(request: Request) -> Response:
        rows = [{"id": name, "object": "model"} for name in names]
        return refused(request) or JSONResponse({"object": "list", "data": rows})

    async def states(request: Request) -> Response:
        attributes = {"http.request.method": "POST", "http.route": STATES, "gen_ai.operation.name": "embeddings"}
        with traces.span(f"POST {STATES}", attributes, "server", request.headers) as served:
            response = await answered(request)
            served.set("http.response.status_code", response.status_code)
        return response

    async def answered(request: Request) -> Response:
        if (problem := refused(request)) is not None:
            return problem
        if not flight.takes(request.headers):
            metrics.REFUSED.labels("stopping").inc()
            return _problem(503, "This judge is stopping and takes no new answers.", headers={STOPPING: "1"})
        try:
            wanted = _Wanted.model_validate_json(await request.body())
        except ValidationError as error:
            return _problem(
                400, f"This is no request for states: {error.error_count()} fields are not as they must be."
            )
        try:
            with flight.reading(request.headers), metrics.PROMPTS_OPEN.track_inprogress():
                read = thread.submit(_read, engine, wanted, traces.here(), traces.now())
                found = await run_in_threadpool(read.result)
        except ValueError as error:
            return _problem(400, str(error))
        except Exception:
            # What an engine is worth after a fault of its own nobody knows; whoever watches over this starts another.
            log.exception("the engine broke")
            return _problem(500, "The engine broke and is being started again.", BackgroundTask(_end))
        return JSONResponse({"object": "list", "data": [_row(place, state) for place, state in enumerate(found)]})

    return Starlette(
        routes=[
            Route("/health", health),
            Route("/v1/models", models),
            Route(STATES, states, methods=["POST"]),
        ]
    )


def _read(engine: StateEngine, wanted: _Wanted, place: traces.Place, since: int) -> list[FloatArray]:
    """The states of what was asked for, on the engine's thread, after whatever came before it."""
    with traces.back_at(place):
        traces.past("prompt.wait", since)
        with metrics.PROMPT_S.time(), traces.span("prompt.read", {"prompt.count": len(wanted.prompts)}):
            return engine.states(wanted.prompts, wanted.cache_salt)


def _row(place: int, state: FloatArray) -> dict[str, Any]:
    return {"index": place, "embedding": base64.b64encode(state.astype("<f4").tobytes()).decode()}


def _problem(
    status: int, words: str, then: BackgroundTask | None = None, headers: Mapping[str, str] | None = None
) -> Response:
    return JSONResponse({"error": {"message": words, "code": status}}, status, headers, background=then)


def serve(
    engine: StateEngine,
    names: Sequence[str],
    key: str,
    thread: ThreadPoolExecutor,
    *,
    host: str,
    port: int,
    drain_s: float = 0.0,
) -> None:
    """Serve until this process is told to end.

    Args:
        engine: reads prompts.
        names: what the model is called.
        key: what every request has to bring; empty where anybody may ask.
        thread: of one thread, on which the engine is called.
        host: address to listen on.
        port: port to listen on.
        drain_s: longest time that answers which have begun are waited for at the end; with 0, only prompts are.

    """
    answers = AnswersInFlight()
    application = routes(engine, names, key, thread, answers)
    config = uvicorn.Config(application, host=host, port=port, access_log=False, log_level="warning")
    if logs.in_json():
        logs.take_over("uvicorn")
    server = DrainingServer(config, answers, drain_s) if drain_s else uvicorn.Server(config)
    with contextlib.suppress(KeyboardInterrupt):
        server.run()


def _end() -> None:
    os._exit(1)


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve until this process is told to end."""
    parser = argparse.ArgumentParser(description="Serves the states of a model.")
    parser.add_argument("--model", required=True)
    parser.add_argument("--name", action="append", default=[])
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--cache", type=int, default=CACHE)
    parser.add_argument("--drain", type=float, default=0.0)
    parser.add_argument("--log-format", choices=["text", "json"], default="text")
    parser.add_argument("--traces-url")
    parser.add_argument("--metrics-port", type=int)
    chosen = parser.parse_args(arguments)
    seen = Observation(
        "judge",
        traces_url=chosen.traces_url,
        log_format=chosen.log_format,
        metrics_port=chosen.metrics_port,
        host=chosen.host,
        # A page's own judge has the page's variables, and nobody asked it to be seen.
        environment={} if chosen.traces_url is None else os.environ,
    )
    heap.limit_heaps()
    engine_memory.leave_out()
    thread = ThreadPoolExecutor(1, thread_name_prefix="engine")
    engine = thread.submit(VllmEngine, chosen.model, chosen.cache).result()
    threading.Thread(target=heap.keep_small, args=(threading.Event(),), daemon=True).start()
    key = os.environ.get("VLLM_API_KEY", "")
    serve(engine, chosen.name, key, thread, host=chosen.host, port=chosen.port, drain_s=chosen.drain)
    seen.close()
    # The engine's threads would keep the process for seconds.
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
