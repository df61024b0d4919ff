"""A collector of traces: takes what comes by OTLP over HTTP, as any collector does, and keeps it to be looked at."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from opentelemetry.proto.common.v1.common_pb2 import AnyValue

PATIENCE_S = 60.0


class Told(NamedTuple):
    """A span as it came.

    Attributes:
        name: its name.
        service: what the process called itself.
        trace, id, parent: in hexadecimal digits; a span without a parent has none.
        kind: by the protocol's number.
        attributes: by name.
        failed: whether its status is that of an error.
        seconds: how long it took.

    """

    name: str
    service: str
    trace: str
    id: str
    parent: str
    kind: int
    attributes: dict[str, Any]
    failed: bool
    seconds: float


class Collector:
    """Takes spans until it is closed.

    Args:
        port: to listen on; 0 takes a free one.
        status: what it answers with.

    Attributes:
        url: where it answers.
        raw: the bodies that came, unpacked.
        headers: those of the last request.

    """

    def __init__(self, port: int = 0, status: int = 200) -> None:
        self._came = threading.Condition()
        self._spans: list[Told] = []
        self.raw: list[bytes] = []
        self.headers: dict[str, str] = {}
        self.status = status
        collector = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                collector.headers = {name.lower(): value for name, value in self.headers.items()}
                if self.headers.get("Content-Encoding") == "gzip":
                    body = gzip.decompress(body)
                taken = collector.status == 200 and self.path == "/v1/traces"
                if taken:
                    collector.take(body)
                reply = ExportTraceServiceResponse().SerializeToString()
                self.send_response(200 if taken else collector.status if collector.status != 200 else 404)
                self.send_header("Content-Length", str(len(reply)))
                self.end_headers()
                self.wfile.write(reply)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        self._thread.start()

    def take(self, body: bytes) -> None:
        request = ExportTraceServiceRequest.FromString(body)
        with self._came:
            self.raw.append(body)
            for each in request.resource_spans:
                service = next(a.value.string_value for a in each.resource.attributes if a.key == "service.name")
                self._spans += [_told(span, service) for scope in each.scope_spans for span in scope.spans]
            self._came.notify_all()

    @property
    def spans(self) -> list[Told]:
        """What came so far."""
        with self._came:
            return list(self._spans)

    def until(self, holds: Callable[[list[Told]], object]) -> list[Told]:
        """What came when something first holds of it."""
        with self._came:
            assert self._came.wait_for(lambda: holds(self._spans), PATIENCE_S), sorted(s.name for s in self._spans)
            return list(self._spans)

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@contextmanager
def collecting(status: int = 200) -> Iterator[Collector]:
    collector = Collector(status=status)
    try:
        yield collector
    finally:
        collector.close()


def _told(span: Any, service: str) -> Told:
    return Told(
        name=span.name,
        service=service,
        trace=span.trace_id.hex(),
        id=span.span_id.hex(),
        parent=span.parent_span_id.hex(),
        kind=span.kind,
        attributes={each.key: _value(each.value) for each in span.attributes},
        failed=span.status.code == 2,
        seconds=(span.end_time_unix_nano - span.start_time_unix_nano) / 1e9,
    )


def _value(value: AnyValue) -> Any:
    return getattr(value, str(value.WhichOneof("value")))
