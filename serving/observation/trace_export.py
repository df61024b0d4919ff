"""Sends spans to a collector: OTLP over HTTP, by OpenTelemetry's own SDK.

Imported only where traces are asked for. A collector that is away costs nothing but the spans: they wait in a queue of
bounded length, from which a thread of its own sends them, and what finds the queue full takes the place of the oldest.
"""

from __future__ import annotations

import logging
import re
import threading
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import cast
from urllib.parse import urlsplit

from opentelemetry import context as otel_context
from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from serving import traces
from serving.errors import BadInputError
from serving.traces import INTERVIEW, Attributes, Kind, Span, Value

log = logging.getLogger(__name__)

PATH = "/v1/traces"
"""Where a collector takes spans, by the OTLP specification."""

CLOSE_S = 2.0
"""Seconds at the end in which what is still in the queue is sent."""

_NAME = re.compile(r"[A-Za-z0-9_.:@/+<>-]{1,200}")
"""What a string has to look like to be exported: an id, a name, a path. Words of people have spaces between them."""

_NO_NAME = "withheld"

_KINDS = {
    "internal": trace.SpanKind.INTERNAL,
    "server": trace.SpanKind.SERVER,
    "client": trace.SpanKind.CLIENT,
    "consumer": trace.SpanKind.CONSUMER,
}

_PROTOCOL = "http/protobuf"


def wanted(url: str | None, environment: Mapping[str, str]) -> bool:
    """Whether traces are asked for, by a URL or by OpenTelemetry's own variables.

    Raises:
        BadInputError: the URL is none, or the variables ask for a protocol that is not spoken here.

    """
    given = url or _given(environment)
    if not given:
        return False
    protocol = environment.get("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL") or environment.get("OTEL_EXPORTER_OTLP_PROTOCOL")
    if protocol not in {None, "", _PROTOCOL}:
        raise BadInputError(
            f"Traces cannot be sent as {protocol}.",
            hint=f"Set OTEL_EXPORTER_OTLP_PROTOCOL to {_PROTOCOL}, or unset it.",
        )
    _check(given)
    return True


def _given(environment: Mapping[str, str]) -> str:
    """The collector that the variables name; nothing where they turn traces off."""
    off = environment.get("OTEL_SDK_DISABLED", "").strip().lower() == "true"
    if off or environment.get("OTEL_TRACES_EXPORTER", "").strip() == "none":
        return ""
    return environment.get("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") or environment.get("OTEL_EXPORTER_OTLP_ENDPOINT") or ""


def _check(url: str) -> None:
    try:
        parts = urlsplit(url)
        right = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        right = False
    if not right:
        # What stands before an @ may be a password.
        raise BadInputError(
            f"{url.rpartition('@')[2]} is not the address of a collector of traces.",
            hint="It looks like http://127.0.0.1:4318.",
        )


class TraceExport:
    """Has spans recorded and sent until it is closed.

    Args:
        url: of the collector, with or without the path that takes spans; ``None`` for what OpenTelemetry's variables
            name. They also tell headers, certificates, the sampling, and how large the queue is.
        service: what the spans are of.

    Raises:
        BadInputError: the URL is none.

    """

    def __init__(self, url: str | None, service: str) -> None:
        if url:
            _check(url)
        # It tells of every try; we tell once.
        logging.getLogger("opentelemetry").setLevel(logging.CRITICAL + 1)
        exporter = OTLPSpanExporter(endpoint=_endpoint(url) if url else None)
        self._exporter = _ToldOnce(exporter, url or "OTEL_EXPORTER_OTLP_ENDPOINT")
        resource = Resource.create({"service.namespace": "torch-interviewer", "service.instance.id": str(uuid.uuid4())})
        if str(resource.attributes.get("service.name", "")).startswith("unknown_service"):
            resource = resource.merge(Resource({"service.name": service}))
        # Not the provider of the whole process: libraries that would record something of their own find none.
        self._provider = TracerProvider(resource=resource, shutdown_on_exit=False)
        self._provider.add_span_processor(BatchSpanProcessor(self._exporter))
        traces.use(_OtelTracer(self._provider.get_tracer("torch-interviewer")))

    def close(self) -> None:
        """Record nothing more, and send what is waiting, for ``CLOSE_S`` seconds at most."""
        traces.use(None)
        # Its own limit is half a minute, which a collector that is away would use up.
        sending = threading.Thread(target=self._provider.shutdown, name="traces", daemon=True)
        sending.start()
        sending.join(CLOSE_S)
        self._exporter.give_up()


def _endpoint(url: str) -> str:
    base = url.rstrip("/")
    return base if base.endswith(PATH) else base + PATH


def _shown(url: str) -> str:
    """A URL without what may be a secret in it."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}" if parts.scheme else url


class _ToldOnce(SpanExporter):
    """Tells once that a collector takes nothing, and once that it does again."""

    def __init__(self, inner: OTLPSpanExporter, url: str) -> None:
        self._inner, self._url = inner, _shown(url)
        self._away = self._given_up = False

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        result = SpanExportResult.FAILURE if self._given_up else self._inner.export(spans)
        away = result is not SpanExportResult.SUCCESS
        if away and not self._away and not self._given_up:
            log.warning("The collector at %s takes no traces; they are dropped until it does.", self._url)
        elif self._away and not away:
            log.warning("The collector at %s takes traces again.", self._url)
        self._away = away
        return result

    def shutdown(self) -> None:
        self.give_up()

    def give_up(self) -> None:
        """Send nothing more; what waits for its next try is not tried again."""
        if not self._given_up:
            self._given_up = True
            self._inner.shutdown()  # type: ignore[no-untyped-call]


class _OtelTracer:
    """See ``serving.traces.Tracer``."""

    def __init__(self, tracer: trace.Tracer) -> None:
        self._tracer = tracer
        self._propagator = TraceContextTextMapPropagator()

    @contextmanager
    def span(self, name: str, kind: Kind, attributes: Attributes, received: Mapping[str, str] | None) -> Iterator[Span]:
        parent = self._propagator.extract(received) if received is not None else None
        with self._tracer.start_as_current_span(
            name,
            context=parent,
            kind=_KINDS[kind],
            attributes=_with_interview(attributes),
            # An error's sentence may quote what was given.
            record_exception=False,
            set_status_on_exception=False,
        ) as opened:
            try:
                yield _OtelSpan(opened)
            except BaseException as error:
                opened.set_attribute("error.type", type(error).__name__)
                opened.set_status(trace.StatusCode.ERROR)
                raise

    def past(self, name: str, begun: int, attributes: Attributes) -> None:
        self._tracer.start_span(name, attributes=_with_interview(attributes), start_time=begun).end()

    def here(self) -> object:
        return otel_context.get_current()

    @contextmanager
    def back_at(self, place: object) -> Iterator[None]:
        token = otel_context.attach(cast("Context", place))
        try:
            yield
        finally:
            otel_context.detach(token)

    def headers(self) -> dict[str, str]:
        told: dict[str, str] = {}
        self._propagator.inject(told)
        return told

    def ids(self) -> tuple[str, str] | None:
        opened = trace.get_current_span().get_span_context()
        if not opened.is_valid:
            return None
        return trace.format_trace_id(opened.trace_id), trace.format_span_id(opened.span_id)


class _OtelSpan:
    """See ``serving.traces.Span``."""

    def __init__(self, opened: trace.Span) -> None:
        self._opened = opened

    def set(self, name: str, value: Value) -> None:
        self._opened.set_attribute(name, _exported(value))


def _with_interview(attributes: Attributes) -> dict[str, Value]:
    told = {name: _exported(value) for name, value in attributes.items()}
    interview = traces.interview()
    return {INTERVIEW: _exported(interview), **told} if interview else told


def _exported(value: Value) -> Value:
    """A value as it may leave this program: a string only if it can be an id or a name."""
    return _NO_NAME if isinstance(value, str) and not _NAME.fullmatch(value) else value
