"""Spans reach a collector by OTLP as they were, none with a text; a collector that is away holds nobody up."""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from serving import traces
from serving.errors import BadInputError
from serving.llm.vllm_server import free_port
from serving.observation.process import Observation, traces_wanted
from serving.observation.trace_export import TraceExport
from tests.collector import Collector, Told, collecting
from tests.locations import ROOT

SERVER, CLIENT = 2, 3

WITHOUT_ANY = """
import sys
from interviewer.cli.commands import judge, serve, worker
from interviewer.engine.service import InterviewService
from serving import traces
from serving.llm import state_server
from serving.observation.process import Observation
seen = Observation("page")
with traces.span("a", {"b": 1}) as span:
    span.set("c", 2)
assert traces.headers() == {} and traces.ids() is None
seen.close()
loaded = sorted(name for name in sys.modules if name.partition(".")[0] == "opentelemetry")
print(loaded)
"""


@pytest.fixture(autouse=True)
def own_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    """None of OpenTelemetry's variables, and no proxy before this machine."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    for name in ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_SDK_DISABLED"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def collector() -> Iterator[Collector]:
    with collecting() as made:
        yield made


def sent(collector: Collector, url: str | None = "", service: str = "page") -> list[Told]:
    """What comes of some work."""
    export = TraceExport(collector.url if url == "" else url, service)
    try:
        with traces.about("one"), traces.span("outer", {"count": 2}, "server") as outer:
            outer.set("share", 0.5)
            with traces.span("inner"):
                pass
    finally:
        export.close()
    return collector.spans


def test_without_the_option_opentelemetry_is_not_even_imported() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT_ANY], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "[]", done.stdout + done.stderr


def test_spans_come_with_their_parents_and_the_interview(collector: Collector) -> None:
    inner, outer = sent(collector)
    assert (outer.name, outer.service, outer.kind, outer.parent, outer.failed) == ("outer", "page", SERVER, "", False)
    assert outer.attributes == {"interview.id": "one", "count": 2, "share": 0.5}
    assert (inner.name, inner.parent, inner.trace) == ("inner", outer.id, outer.trace)
    # Nothing is recorded afterwards.
    with traces.span("late"):
        assert traces.ids() is None


def test_an_error_is_told_by_its_class_and_a_text_is_withheld(collector: Collector) -> None:
    export = TraceExport(collector.url, "page")

    def fail() -> None:
        with traces.about("an interview of platypus"), traces.span("work", {"said": "a platypus"}) as work:
            work.set("more", "platypus platypus")
            raise ValueError("platypus")

    with pytest.raises(ValueError, match="platypus"):
        fail()
    export.close()
    (told,) = collector.spans
    assert told.failed
    assert told.attributes == {
        "interview.id": "withheld",
        "said": "withheld",
        "more": "withheld",
        "error.type": "ValueError",
    }
    assert b"platypus" not in b"".join(collector.raw)


def test_work_is_gone_on_with_in_another_thread_and_behind_a_request(collector: Collector) -> None:
    export = TraceExport(collector.url, "page")
    with traces.about("one"), traces.span("request"):
        place, headers = traces.here(), traces.headers()
        begun = traces.now()
        opened = traces.ids()

    def elsewhere() -> str:
        with traces.back_at(place):
            traces.past("wait", begun)
            with traces.part("part"):
                return traces.interview()

    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(elsewhere).result() == "one"
    with traces.span("served", kind="server", received=headers), traces.part("below"):
        pass
    with traces.part("of nothing"):
        pass
    export.close()
    spans = {span.name: span for span in collector.spans}
    request = spans["request"]
    assert opened == (request.trace, request.id)
    assert headers["traceparent"].startswith(f"00-{request.trace}-{request.id}-")
    assert {spans[name].parent for name in ("wait", "part", "served")} == {request.id}
    assert spans["below"].parent == spans["served"].id
    assert "of nothing" not in spans


def test_opentelemetrys_own_variables_are_followed(collector: Collector, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url)
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", "x-team=interviews")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_COMPRESSION", "gzip")
    monkeypatch.setenv("OTEL_SERVICE_NAME", "mocks")
    assert traces_wanted(None)
    assert {span.service for span in sent(collector, None)} == {"mocks"}
    assert collector.headers["x-team"] == "interviews"
    assert collector.headers["content-encoding"] == "gzip"
    monkeypatch.setenv("OTEL_TRACES_SAMPLER", "always_off")
    before = len(collector.spans)
    sent(collector, f"{collector.url}/v1/traces")
    assert len(collector.spans) == before
    monkeypatch.setenv("OTEL_TRACES_EXPORTER", "none")
    assert not traces_wanted(None)
    monkeypatch.delenv("OTEL_TRACES_EXPORTER")
    monkeypatch.setenv("OTEL_SDK_DISABLED", "true")
    assert not traces_wanted(None)
    assert traces_wanted(collector.url)


@pytest.mark.parametrize("url", ["collector:4318", "ftp://collector", "http://", "http://[", "http://a:70000"])
def test_what_is_no_collectors_address_is_refused(url: str) -> None:
    with pytest.raises(BadInputError, match="not the address of a collector"):
        Observation("page", traces_url=url)
    with pytest.raises(BadInputError, match="not the address"):
        traces_wanted(None, {"OTEL_EXPORTER_OTLP_ENDPOINT": url})


def test_another_protocol_than_ours_is_refused() -> None:
    told = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4317", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}
    with pytest.raises(BadInputError, match="cannot be sent as grpc"):
        traces_wanted(None, told)
    assert traces_wanted(None, {**told, "OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf"})


def test_a_collector_that_is_away_is_told_of_once_and_its_spans_are_dropped(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTEL_BSP_MAX_QUEUE_SIZE", "8")
    monkeypatch.setenv("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "4")
    monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "10")
    # What one try may take, not how long this waits.
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "0.2")
    port = free_port()
    told = threading.Semaphore(0)
    monkeypatch.setattr("serving.observation.trace_export.log.warning", _noted(told))
    with caplog.at_level(logging.WARNING):
        export = TraceExport(f"http://ada:secret@127.0.0.1:{port}", "page")
        for _ in range(100):
            with traces.span("work"):
                pass
        assert told.acquire(timeout=60)
        collector = Collector(port)
        try:
            with traces.span("back"):
                pass
            collector.until(lambda spans: any(span.name == "back" for span in spans))
            assert told.acquire(timeout=60)
            export.close()
            assert len(collector.spans) <= 12
        finally:
            collector.close()
    assert not told.acquire(blocking=False)
    away, again = (record.getMessage() for record in caplog.records)
    assert "takes no traces; they are dropped" in away
    assert "takes traces again" in again
    assert "secret" not in away + again


def _noted(told: threading.Semaphore):  # type: ignore[no-untyped-def]
    log = logging.getLogger("serving.observation.trace_export")

    def warning(*given: object) -> None:
        log.log(logging.WARNING, *given)  # type: ignore[arg-type]
        told.release()

    return warning


def test_a_collector_that_never_answers_holds_nobody_up(collector: Collector, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTEL_BSP_MAX_QUEUE_SIZE", "8")
    monkeypatch.setenv("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "4")
    monkeypatch.setattr("serving.observation.trace_export.CLOSE_S", 0.1)
    came, go_on = threading.Event(), threading.Event()

    def take(_: bytes) -> None:
        came.set()
        go_on.wait(60)

    monkeypatch.setattr(collector, "take", take)
    export = TraceExport(collector.url, "page")
    try:
        for _ in range(100):
            with traces.span("work"):
                pass
        assert came.wait(60)
        for _ in range(100):
            with traces.span("work"):
                pass
        export.close()
        # All of this happened while it had not answered once.
        assert not go_on.is_set()
    finally:
        go_on.set()
