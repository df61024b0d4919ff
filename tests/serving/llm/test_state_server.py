"""The server of states answers as vLLM's own does, and gives nothing to whoever has no key."""

import base64
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import numpy as np
import pytest
from starlette.testclient import TestClient

from serving.llm import state_server
from serving.llm.answer_headers import ANSWER, LEFT, STOPPING
from serving.llm.client import ModelServerClient, remote_endpoint
from serving.llm.judge_health import look_at
from serving.llm.state_server import routes
from serving.llm.vllm_server import free_port
from tests.locations import ROOT

KEY = {"Authorization": "Bearer secret"}


class Lengths:
    """An engine whose states are the lengths of prompts."""

    def __init__(self):
        self.asked, self.error = [], None

    def states(self, prompts, salt):
        if self.error:
            raise self.error
        self.asked.append((prompts, salt))
        return [np.array([len(prompt), 0.5], dtype=np.float32) for prompt in prompts]


@pytest.fixture
def engine():
    return Lengths()


@pytest.fixture
def http(engine):
    with ThreadPoolExecutor(1) as thread, TestClient(routes(engine, ("judge", "digest"), "secret", thread)) as client:
        yield client


def test_states_come_in_the_order_of_their_prompts_under_the_salt_that_was_sent(http, engine):
    body = {"model": "judge", "input": ["a", "bbb"], "encoding_format": "base64", "cache_salt": "s"}
    rows = http.post("/v1/embeddings", json=body, headers=KEY).json()["data"]
    assert [row["index"] for row in rows] == [0, 1]
    assert [np.frombuffer(base64.b64decode(row["embedding"]), "<f4").tolist() for row in rows] == [[1, 0.5], [3, 0.5]]
    assert engine.asked == [(("a", "bbb"), "s")]


def test_the_client_of_all_model_servers_understands_it(http, monkeypatch):
    monkeypatch.setattr("httpx.get", lambda url, headers, **options: http.get(url, headers=headers))
    found = remote_endpoint("http://judge.example", "digest", "secret")
    client = ModelServerClient(lambda: found, lambda: "")
    monkeypatch.setattr(client, "_http", http)
    assert client.states(["aa", "b"]).tolist() == [[2, 0.5], [1, 0.5]]


@pytest.mark.parametrize("headers", [{}, {"Authorization": "secret"}, {"Authorization": "Bearer wrong"}])
def test_without_the_key_nothing_is_read_or_told(http, engine, headers):
    assert http.get("/v1/models", headers=headers).status_code == 401
    assert http.post("/v1/embeddings", json={"input": "a"}, headers=headers).status_code == 401
    assert http.get("/health", headers=headers).status_code == 200
    assert engine.asked == []


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"{}", b'{"input": 3}', b'{"input": [1, 2]}', b'{"input": null}'])
def test_what_is_no_request_is_refused(http, engine, body):
    assert http.post("/v1/embeddings", content=body, headers=KEY).status_code == 400
    assert engine.asked == []


def test_a_prompt_that_is_too_long_is_refused_and_the_next_one_is_read(http, engine):
    engine.error = ValueError("The prompt has 9,000 tokens.")
    refused = http.post("/v1/embeddings", json={"input": "a"}, headers=KEY)
    assert (refused.status_code, refused.json()["error"]["message"]) == (400, "The prompt has 9,000 tokens.")
    engine.error = None
    assert http.post("/v1/embeddings", json={"input": "a"}, headers=KEY).status_code == 200


def test_with_an_engine_that_broke_the_process_ends(http, engine, monkeypatch):
    ended = []
    monkeypatch.setattr(state_server, "_end", lambda: ended.append("now"))
    engine.error = RuntimeError("out of memory")
    assert http.post("/v1/embeddings", json={"input": "a"}, headers=KEY).status_code == 500
    assert ended == ["now"]


_PROGRAM = """
import sys
from serving.llm import state_server
from tests.serving.llm.test_state_server import Lengths
state_server.VllmEngine = lambda model, cache: Lengths()
state_server.main(sys.argv[1:])
"""


@pytest.mark.parametrize("drain", ["60", "0"])
def test_the_program_waits_for_the_rest_of_an_answer_only_where_it_serves_other_machines(drain):
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    command = [sys.executable, "-c", _PROGRAM, "--model", "none", "--name", "judge", "--port", str(port)]
    program = subprocess.Popen([*command, "--drain", drain], cwd=ROOT)
    try:
        end = time.monotonic() + 120
        while look_at(url).state != "answering":
            assert time.monotonic() < end
            time.sleep(0.05)
        begun = {ANSWER: "a", LEFT: "1"}
        assert httpx.post(f"{url}/v1/embeddings", json={"input": "a"}, headers=begun, timeout=60).status_code == 200
        program.terminate()
        if drain == "0":
            assert program.wait(60) in {0, -signal.SIGTERM}
            return
        while look_at(url).state != "stopping":
            assert time.monotonic() < end
            time.sleep(0.05)
        refused = httpx.post(f"{url}/v1/embeddings", json={"input": "b"}, timeout=60)
        assert (refused.status_code, STOPPING in refused.headers) == (503, True)
        last = httpx.post(f"{url}/v1/embeddings", json={"input": "a"}, headers={**begun, LEFT: "0"}, timeout=60)
        assert last.status_code == 200
        assert program.wait(60) == 0
    finally:
        program.kill()
        program.wait()
