"""The doctor asks judges elsewhere how they fare."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
import uvicorn

from serving.diagnostics.doctor import examine
from serving.llm.answer_headers import ANSWER, LEFT
from serving.llm.draining import AnswersInFlight
from serving.llm.judge_health import look_at
from serving.llm.server_key import KEY_VARIABLE
from serving.llm.state_server import routes
from serving.llm.vllm_server import free_port
from serving.models import catalogue
from tests.serving.llm.test_state_server import Lengths


def told(*urls: str) -> list[str]:
    return [item.line() for item in examine(urls).items if item.name.startswith("Judge http")]


def test_each_judge_is_asked_and_told_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    answers, port, away = AnswersInFlight(), free_port(), f"http://127.0.0.1:{free_port()}"
    url = f"http://127.0.0.1:{port}"
    with ThreadPoolExecutor(1) as thread:
        application = routes(Lengths(), ("judge", catalogue.judge_digest()), "secret", thread, answers)
        server = uvicorn.Server(uvicorn.Config(application, host="127.0.0.1", port=port, log_level="error"))
        running = threading.Thread(target=server.run)
        running.start()
        try:
            while not server.started:
                running.join(0.01)
            with answers.reading({ANSWER: "a", LEFT: "1"}):
                monkeypatch.setenv(KEY_VARIABLE, "secret")
                well = told(f"{url}/v1/", away)
                monkeypatch.setenv(KEY_VARIABLE, "another")
                (refused,) = told(url)
                other = look_at(url, "secret", "e2" * 32)
                answers.stop()
                leaving = look_at(url, "secret")
        finally:
            server.should_exit = True
            running.join()
    assert well[0].startswith(f"\u2713 Judge {url}/v1/: answering since 20")
    assert well[0].endswith(", answers in flight: 1")
    assert well[1] == f"\u2717 Judge {away}: not answering \u2192 `python app.py judge` starts it there."
    assert refused == (
        f"\u2717 Judge {url}: refuses the key, answers in flight: 1 \u2192 "
        "Set INTERVIEWER_LLM_KEY to the same secret, here and there."
    )
    assert other.state == "other version"
    assert (leaving.state, leaving.answers_in_flight) == ("stopping", 1)
    assert not told()


@pytest.mark.parametrize(
    ("body", "status", "state"),
    [
        (b"", 200, "answering"),
        (b"{}", 200, "answering"),
        (b"<html>", 502, "not answering"),
        (b'{"state": "dancing", "since": "x", "answers_in_flight": -1}', 500, "not answering"),
    ],
)
def test_a_server_that_says_nothing_of_itself_answers_or_does_not(body: bytes, status: int, state: str) -> None:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Keep quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        threading.Thread(target=http.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{http.server_address[1]}"
        found, judging = look_at(url), look_at(url, digest="d1" * 32)
        http.shutdown()
    assert (found.state, found.since, found.answers_in_flight) == (state, None, None)
    assert judging.state == ("no judge" if state == "answering" else state)


@pytest.mark.parametrize("url", ["", "nonsense", "ftp://x", "http://[::1", "http://127.0.0.1:99999"])
def test_what_is_no_address_does_not_answer(url: str) -> None:
    assert look_at(url).state == "not answering"
