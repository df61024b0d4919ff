"""What operators see of a command that runs for long: the options that several commands share, put to use."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from interviewer.cli.options import LogFormat
from interviewer.cli.output import err
from serving import metrics, traces
from serving.observation.process import Observation

if TYPE_CHECKING:
    from interviewer.storage.jobs import Work

_log = logging.getLogger("interviewer.cli.output")


def observed(
    service: str,
    traces_url: str | None,
    log_format: LogFormat,
    metrics_port: int | None,
    host: str,
    environment: Mapping[str, str] = os.environ,
) -> Observation:
    """Have a command seen as its options say; what it prints on stderr is logged where it logs JSON.

    Args:
        service: what the command is, as traces name it.
        traces_url: of a collector.
        log_format: how it logs.
        metrics_port: where Prometheus is answered.
        host: address at which it is.
        environment: where OpenTelemetry's variables are.

    Raises:
        BadInputError: there is no such port or collector.
        ServiceMissingError: the port is in use.

    """
    if log_format is LogFormat.JSON:
        log_what_is_printed()
    return Observation(
        service,
        traces_url=traces_url,
        log_format=log_format.value,
        metrics_port=metrics_port,
        host=host,
        environment=environment,
    )


def log_what_is_printed() -> None:
    """Have sentences for whoever started the command logged, whatever the level of the log, and no progress shown."""
    _log.setLevel(logging.INFO)
    err.quiet = True
    err.instead = _logged


def _logged(said: str, wrong: bool) -> None:
    # The end of a progress bar prints an empty line.
    if said.strip():
        _log.log(logging.ERROR if wrong else logging.INFO, "%s", said)


def as_job(kind: str, work: Work) -> Work:
    """Work that is counted, timed, and traced as a job of a kind."""

    def do(owner: str, session: str) -> None:
        told = {"messaging.system": "procrastinate", "messaging.operation.type": "process", "job.kind": kind}
        with (
            metrics.JOBS_AT_WORK.track_inprogress(),
            metrics.JOB_S.labels(kind).time(),
            traces.about(session),
            traces.span(f"process {kind}", told, "consumer"),
        ):
            work(owner, session)

    return do
