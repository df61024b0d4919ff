"""The client against real HTTP servers that answer well, badly or not at all."""

import base64
import json
import math
import threading
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

from serving.errors import BadInputError, ProtocolError, ServerGoneError
from serving.llm import client as client_module
from serving.llm.client import (
    ChatPrompt,
    ChatReply,
    ModelServerClient,
    read_logprobs,
    read_reply,
    read_states,
    remote_endpoint,
)
from serving.llm.server_state import Endpoint, answers
from serving.llm.vllm_server import free_port


@pytest.fixture
def server():
    """Starts a server that gives a fixed answer; ``seen`` collects what it was asked."""
    running = []

    def start(status, body, seen=None):
        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                asked = self.rfile.read(int(self.headers["Content-Length"]))
                if seen is not None:
                    seen.append((self.path, self.headers["Authorization"], json.loads(asked)))
                self.reply()

            def do_GET(self):
                self.reply()

            def reply(self):
                data = body if isinstance(body, bytes) else json.dumps(body).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_):
                """Keep quiet."""

        http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=http.serve_forever, daemon=True).start()
        running.append(http)
        return f"http://127.0.0.1:{http.server_address[1]}"

    yield start
    for http in running:
        http.shutdown()
        http.server_close()


def client(url):
    return ModelServerClient(lambda: Endpoint(url=url, key="secret", model="judge"), lambda: "")


def embedding(vector):
    return base64.b64encode(np.array(vector, dtype="<f4").tobytes()).decode()


def test_prompts_of_one_program_share_a_salt_of_their_own(server):
    seen = []
    url = server(200, {"data": [{"index": 0, "embedding": embedding([1, 2])}]}, seen)
    ours = client(url)
    assert ours.states(["a"]).tolist() == [[1, 2]]
    assert ours.states(["b"]).tolist() == [[1, 2]]
    client(url).states(["c"])
    paths, keys, bodies = zip(*seen, strict=True)
    assert (set(paths), set(keys)) == ({"/v1/embeddings"}, {"Bearer secret"})
    assert [body["input"] for body in bodies] == ["a", "b", "c"]
    salts = [body["cache_salt"] for body in bodies]
    assert salts[0] == salts[1] != salts[2]


def test_what_a_failure_may_have_left_in_the_cache_is_not_read_from(server):
    seen = []
    ours = client(server(503, {}, seen))
    for prompt in ("a", "b"):
        with pytest.raises(ServerGoneError):
            ours.states([prompt])
    first, second = (body["cache_salt"] for _, _, body in seen)
    assert first != second


def test_prompts_are_read_one_at_a_time_whoever_sends_them(server):
    inside, most = [], []

    class Watched(list):
        def append(self, item):
            inside.append(item)
            most.append(len(inside))
            time.sleep(0.02)
            inside.pop()

    ours = client(server(200, {"data": [{"index": 0, "embedding": embedding([1])}]}, Watched()))
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda prompt: ours.states([prompt]), "abcdefgh"))
    assert len(most) == 8
    assert set(most) == {1}


@pytest.mark.parametrize(
    "answer",
    [
        {},
        {"data": []},
        {"data": "nonsense"},
        {"data": [{"index": 0, "embedding": "***"}]},
        {"data": [{"index": 0, "embedding": ""}]},
        {"data": [{"index": 0, "embedding": embedding([math.nan])}]},
        {"data": [{"index": 0, "embedding": embedding([1.0])}, {"index": 1, "embedding": embedding([1.0])}]},
    ],
)
def test_what_is_no_state_is_an_error_and_never_a_number(answer):
    with pytest.raises(ProtocolError):
        read_states(answer, 1)


def test_on_a_card_the_prompts_of_an_answer_are_one_request(server):
    seen, taken = [], []
    rows = [{"index": place, "embedding": embedding([place])} for place in (1, 0, 2)]
    url = server(200, {"data": rows}, seen)
    asked = ModelServerClient(lambda: Endpoint(url=url, key="k", model="judge"), lambda: "", at_once=64)
    asked.on_read = taken.append
    assert asked.states(["a", "b", "c"]).tolist() == [[0], [1], [2]]
    assert [body["input"] for _, _, body in seen] == [["a", "b", "c"]]
    assert len(taken) == 1
    asked.close()


@pytest.mark.parametrize(
    "indices", [(0,), (0, 0), (0, 2), (0, 1, 2)], ids=["too few", "twice the same", "one left out", "too many"]
)
def test_a_batch_with_other_states_than_were_asked_for_is_an_error(indices):
    rows = [{"index": place, "embedding": embedding([1.0])} for place in indices]
    with pytest.raises(ProtocolError):
        read_states({"data": rows}, 2)


@pytest.mark.parametrize("answer", [{}, {"choices": []}, {"choices": [{"logprobs": None}]}])
def test_what_holds_no_logprobs_is_an_error(answer):
    with pytest.raises(ProtocolError):
        read_logprobs(answer)


def test_logprobs_are_read(server):
    rows = [{"token": "Yes", "logprob": -0.1}, {"token": "No", "logprob": -2.4}]
    answer = {"choices": [{"logprobs": {"content": [{"top_logprobs": rows}]}}]}
    found = client(server(200, answer)).next_tokens([ChatPrompt(system="s", user="u")] * 3)
    assert found == [{"Yes": -0.1, "No": -2.4}] * 3


def test_replies_come_with_their_tokens_counted(server):
    seen = []
    answer = {"choices": [{"message": {"content": "Seven."}}], "usage": {"prompt_tokens": 40, "completion_tokens": 3}}
    found = client(server(200, answer, seen)).replies([ChatPrompt(system="s", user="u")] * 2, 24)
    assert found == [ChatReply(text="Seven.", read=40, written=3)] * 2
    assert {(path, body["max_tokens"], body["temperature"]) for path, _, body in seen} == {
        ("/v1/chat/completions", 24, 0.0)
    }


@pytest.mark.parametrize("answer", [{}, {"choices": [{"message": {"content": None}}]}, {"choices": [{"message": 1}]}])
def test_what_holds_no_reply_is_an_error(answer):
    with pytest.raises(ProtocolError):
        read_reply(answer)


@pytest.mark.parametrize("status", [429, 500, 503])
def test_trouble_that_may_pass_is_retryable(server, status):
    with pytest.raises(ServerGoneError) as caught:
        client(server(status, {})).states(["a"])
    assert caught.value.retryable


def test_a_refusal_is_not_retryable(server):
    with pytest.raises(ProtocolError) as caught:
        client(server(400, {})).states(["a"])
    assert not caught.value.retryable


@pytest.mark.parametrize("body", [b"<html>", b"[1]"])
def test_an_answer_that_is_no_json_object_is_an_error(server, body):
    with pytest.raises(ProtocolError):
        client(server(200, body)).states(["a"])


def test_a_server_that_is_not_there_is_retryable():
    with pytest.raises(ServerGoneError, match="does not answer"):
        client(f"http://127.0.0.1:{free_port()}").states(["a"])


def test_a_client_that_was_closed_loses_no_answer(server):
    closed = client(server(200, {"data": [{"index": 0, "embedding": embedding([1.0])}]}))
    assert closed.states(["a"]).shape == (1, 1)
    closed.close()
    with pytest.raises(ServerGoneError, match="closed here"):
        closed.states(["b"])


def test_no_endpoint_yet_says_why():
    waiting = ModelServerClient(lambda: None, lambda: "The model is still warming up.")
    with pytest.raises(ServerGoneError, match="warming up"):
        waiting.states(["a"])


def test_a_named_server_tells_its_model(server):
    url = server(200, {"data": [{"id": "small"}, {"id": "large"}]})
    assert remote_endpoint(url + "/v1/", None).model == "small"
    assert remote_endpoint(url, "large").model == "large"
    with pytest.raises(BadInputError, match="does not serve huge"):
        remote_endpoint(url, "huge")


@pytest.mark.parametrize("proxy", ["socks5://127.0.0.1:9", "http://127.0.0.1:9"])
def test_a_proxy_that_the_environment_names_stands_between_nobody(server, monkeypatch, proxy):
    monkeypatch.setenv("ALL_PROXY", proxy)
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    away = Endpoint(url=f"http://127.0.0.1:{free_port()}", key="", model="m")
    assert not answers(away, timeout_s=1.0)
    test_a_named_server_tells_its_model(server)
    with pytest.raises(ServerGoneError):
        remote_endpoint(away.url, None)


def test_a_wrong_url_is_told_plainly(server):
    with pytest.raises(BadInputError, match="not the address"):
        remote_endpoint("localhost:8000", None)
    for url in ("http://127.0.0.1:99999", "http://127.0.0.1:0", "http://127.0.0.1:many", "http://[::1"):
        with pytest.raises(BadInputError, match="not the address of a model server"):
            remote_endpoint(url, None)
    with pytest.raises(BadInputError, match="not an OpenAI-compatible"):
        remote_endpoint(server(404, b"nope"), None)
    with pytest.raises(BadInputError, match=r"refuses the key\. Set INTERVIEWER_LLM_KEY"):
        remote_endpoint(server(401, b"nope"), None)
    with pytest.raises(ServerGoneError, match="Nothing answers"):
        remote_endpoint(f"http://127.0.0.1:{free_port()}", None)


def test_two_that_come_at_once_to_a_new_server_share_its_lane(server, monkeypatch):
    made = []

    class Slow(client_module._Lane):
        def __init__(self):
            time.sleep(0.05)
            super().__init__()
            made.append(self)

    ours = client(server(200, {"data": [{"index": 0, "embedding": embedding([1])}]}))
    monkeypatch.setattr(ours, "_lanes", defaultdict(Slow))
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda prompt: ours.states([prompt]), "abcd"))
    assert len(made) == 1
