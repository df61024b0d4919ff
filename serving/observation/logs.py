"""Logs for a program that collects them: one JSON object a line, with the interview's id and never its text.

An exception is told by its class and the places that it came through: its own sentence, and the lines of source that a
traceback shows, may hold what somebody said.
"""

from __future__ import annotations

import json
import logging
import sys
import threading
import traceback
import warnings
from datetime import UTC, datetime
from typing import TextIO

from serving import traces

_in_json = False


class JsonFormatter(logging.Formatter):
    """Formats a record as one line of JSON.

    Its fields: ``time`` (UTC, ISO 8601), ``level``, ``logger``, ``message``; where they are known ``interview`` (its
    id), ``trace_id`` and ``span_id`` (hexadecimal, as in the exported traces), and ``error`` (``type`` and ``at``, the
    places that it came through, the innermost last).
    """

    def format(self, record: logging.LogRecord) -> str:
        """Returns the line."""
        row: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage().strip(),
        }
        if interview := traces.interview():
            row["interview"] = interview
        if (ids := traces.ids()) is not None:
            row["trace_id"], row["span_id"] = ids
        if record.exc_info and record.exc_info[0] is not None:
            kind, _, trace = record.exc_info
            frames = traceback.extract_tb(trace)
            places = [f"{frame.filename}:{frame.lineno} in {frame.name}" for frame in frames]
            row["error"] = {"type": kind.__name__, "at": places}
        return json.dumps(row, ensure_ascii=False)


def in_json() -> bool:
    """Whether this process logs JSON."""
    return _in_json


def use_json(stream: TextIO | None = None) -> None:
    """Have everything that this process logs written as JSON, what Python itself has to say included.

    Args:
        stream: where to; standard error if left out.

    """
    global _in_json  # noqa: PLW0603 - one for the process, like Python's own loggers
    _in_json = True
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonFormatter())
    logging.getLogger().handlers[:] = [handler]
    log = logging.getLogger(__name__)

    def crashed(kind: type[BaseException], error: BaseException, trace: object) -> None:
        log.critical("The program ended with a fault.", exc_info=(kind, error, trace))  # type: ignore[arg-type]

    def thread_crashed(found: threading.ExceptHookArgs) -> None:
        if found.exc_type is not SystemExit:
            told = (found.exc_type, found.exc_value, found.exc_traceback)
            log.error("A thread ended with a fault.", exc_info=told)  # type: ignore[arg-type]

    def warned(  # noqa: PLR0917 - as Python calls it
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        del file, line
        # What is compiled from a text, such as submitted code, is quoted in what Python says of it.
        said = category.__name__ if filename.startswith("<") else f"{category.__name__}: {message}"
        logging.getLogger("py.warnings").warning("%s:%d: %s", filename, lineno, said)

    sys.excepthook, threading.excepthook, warnings.showwarning = crashed, thread_crashed, warned


def take_over(library: str) -> None:
    """Have what a library logs with handlers of its own logged as everything else is."""
    named = [
        name for name in logging.getLogger().manager.loggerDict if name == library or name.startswith(f"{library}.")
    ]
    for name in named:
        logging.getLogger(name).handlers.clear()
        logging.getLogger(name).propagate = True
