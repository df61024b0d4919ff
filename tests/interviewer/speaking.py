"""A model server for tests that says what it is told to, well or badly: it speaks the protocol over real HTTP."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

from serving.llm.client import ModelServerClient
from serving.llm.server_state import Endpoint

Answer = tuple[int, bytes]
"""Status and body of a response."""


def says(text: str) -> Answer:
    """A response of the protocol with that reply."""
    return 200, json.dumps({"choices": [{"message": {"content": text}}]}).encode()


class SpeakingServer:
    """Serves ``answer``, which gets what the model was asked; close it when done.

    Args:
        answer: makes a response of the user's part of a chat; may wait.

    """

    def __init__(self, answer: Callable[[str], Answer]) -> None:
        self.asked: list[dict[str, Any]] = []
        asked = self.asked

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                asked.append(request)
                status, body = answer(request["messages"][-1]["content"])
                try:
                    self.send_response(status)
                    self.send_header("Content-Length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)
                except OSError:
                    """Nobody waited for it."""

            def log_message(self, *_: object) -> None:
                """Keep quiet."""

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        threading.Thread(target=self._http.serve_forever, daemon=True).start()
        self.client = ModelServerClient(lambda: Endpoint(url=self.url, key="", model="speaker"), lambda: "")

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.client.close()
        self._http.shutdown()
        self._http.server_close()
