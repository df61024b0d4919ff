"""What is seen of a running process from outside: its metrics, its traces, and its logs; off by default."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

from serving.metrics import MetricsServer
from serving.observation import logs

if TYPE_CHECKING:
    from serving.observation.trace_export import TraceExport

LogFormat = Literal["text", "json"]

_COLLECTORS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")


def traces_wanted(url: str | None, environment: Mapping[str, str] = os.environ) -> bool:
    """Whether traces are to be sent, as a URL or OpenTelemetry's own variables say.

    Raises:
        BadInputError: what they say cannot be done.

    """
    if not url and not any(environment.get(name) for name in _COLLECTORS):
        return False
    from serving.observation.trace_export import wanted  # noqa: PLC0415 - half a second that nobody else waits for

    return wanted(url, environment)


class Observation:
    """Has a process seen until it is closed.

    Args:
        service: what the process is, as traces name it.
        traces_url: of a collector that takes spans by OTLP over HTTP; left out, OpenTelemetry's variables may name one.
        log_format: how it logs; ``json`` for one JSON object a line.
        metrics_port: where Prometheus is answered; nowhere if left out, at a free port if 0.
        host: address at which it is.
        environment: where the variables are.

    Raises:
        BadInputError: there is no such port or collector.
        ServiceMissingError: the port is in use.

    """

    def __init__(
        self,
        service: str,
        *,
        traces_url: str | None = None,
        log_format: LogFormat = "text",
        metrics_port: int | None = None,
        host: str = "127.0.0.1",
        environment: Mapping[str, str] = os.environ,
    ) -> None:
        if log_format == "json":
            logs.use_json()
        wanted = traces_wanted(traces_url, environment)
        self._metrics = MetricsServer(metrics_port, host) if metrics_port is not None else None
        self._traces: TraceExport | None = None
        if wanted:
            from serving.observation.trace_export import TraceExport  # noqa: PLC0415 - as above

            self._traces = TraceExport(traces_url, service)

    def close(self) -> None:
        """Send what is left of the traces, and answer no more."""
        for part in (self._traces, self._metrics):
            if part is not None:
                part.close()
