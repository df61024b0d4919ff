"""What the program counts of its own work, for Prometheus: numbers only, never a text or an id of a person.

Counting is always on and costs microseconds. Nothing is offered to anybody before ``serve`` is called.
"""

from __future__ import annotations

import logging
from wsgiref.simple_server import WSGIServer

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, start_http_server

from serving.errors import BadInputError, ServiceMissingError

REGISTRY = CollectorRegistry()
"""All that is counted."""

EVENTS = Counter("interviewer_events", "Events stored in interviews.", ["type"], registry=REGISTRY)
GRADING_S = Histogram(
    "interviewer_grading_seconds",
    "Seconds that an answer's grading took, repeated tries included.",
    buckets=(0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 32, 64),
    registry=REGISTRY,
)
GRADING_OPEN = Gauge(
    "interviewer_answers_in_grading", "Answers that are being graded or wait for it.", registry=REGISTRY
)
CODE_S = Histogram(
    "interviewer_code_seconds",
    "Seconds that a submission's tests took.",
    buckets=(0.25, 0.5, 1, 2, 4, 8, 16, 32, 64),
    registry=REGISTRY,
)
JUDGE_CALL_S = Histogram(
    "interviewer_judge_call_seconds",
    "Seconds that a call of a model server took, by what was called.",
    ["call"],
    buckets=(0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 32, 64),
    registry=REGISTRY,
)
JOB_S = Histogram(
    "interviewer_job_seconds",
    "Seconds that a worker took over a job, by the kind of the job.",
    ["job"],
    buckets=(0.5, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512),
    registry=REGISTRY,
)
JOBS = Counter(
    "interviewer_jobs", "Jobs of a worker, by kind and by how they ended.", ["job", "outcome"], registry=REGISTRY
)
JOBS_AT_WORK = Gauge("interviewer_jobs_at_work", "Jobs that a worker has in hand.", registry=REGISTRY)
PROMPT_S = Histogram(
    "interviewer_prompt_seconds",
    "Seconds that a judge took to read the prompts of a request, once it was their turn.",
    buckets=(0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 16),
    registry=REGISTRY,
)
PROMPTS_OPEN = Gauge(
    "interviewer_prompts_in_hand", "Requests that a judge reads or that wait for it.", registry=REGISTRY
)
REFUSED = Counter("interviewer_judge_refused", "Requests that a judge refused, by why.", ["why"], registry=REGISTRY)
JUDGES = Gauge(
    "interviewer_judges", "Judges elsewhere that a process was told of, by how they fare.", ["state"], registry=REGISTRY
)
RUNNERS = Gauge(
    "interviewer_runners", "Runners that a page was told of, by how they fare.", ["state"], registry=REGISTRY
)
LOGGED = Counter("interviewer_log_messages", "Warnings and errors logged.", ["level"], registry=REGISTRY)


class _LogCounter(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        LOGGED.labels(record.levelname.lower()).inc()


class MetricsServer:
    """Answers Prometheus on a port of its own, away from what else is served.

    Args:
        port: to listen on; 0 takes a free one.
        host: address to listen on.

    Attributes:
        port: that is listened on.

    Raises:
        BadInputError: there is no port of that number.
        ServiceMissingError: the port is in use, or the host is not one of this machine's.

    """

    def __init__(self, port: int, host: str = "127.0.0.1") -> None:
        if not 0 <= port < 2**16:
            raise BadInputError(f"There is no port {port}.", hint="Ports are numbered from 1 to 65535.")
        try:
            self._server: WSGIServer
            self._server, self._thread = start_http_server(port, host, REGISTRY)
        except OSError as error:
            raise ServiceMissingError(
                f"Metrics cannot be served on {host}:{port}: {error.strerror or error}.",
                hint="Choose another port with --metrics-port.",
            ) from error
        self.port = int(self._server.server_port)
        self._counter = _LogCounter(logging.WARNING)
        logging.getLogger().addHandler(self._counter)

    def close(self) -> None:
        """Answer no more."""
        logging.getLogger().removeHandler(self._counter)
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
