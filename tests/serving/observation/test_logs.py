"""Logs as JSON: one object a line, with the interview's id and the trace's, and never with what somebody said."""

from __future__ import annotations

import io
import json
import logging
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from serving import traces
from serving.observation.logs import JsonFormatter
from serving.observation.trace_export import TraceExport
from tests.collector import collecting
from tests.locations import ROOT

LOGS = """
import logging, sys, threading, warnings
from serving.observation import logs
logs.use_json()
logging.getLogger("a").warning("two\\nlines")
warnings.warn("this is old", DeprecationWarning, stacklevel=1)
compile("platypus is 'platypus'", "<submission>", "exec")
thread = threading.Thread(target=lambda: 1 / 0)
thread.start()
thread.join()
raise ValueError("platypus")
"""


def logged(message: str, *given: object, wrong: BaseException | None = None) -> dict[str, Any]:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonFormatter())
    log = logging.Logger("interviewer.somewhere")
    log.addHandler(handler)
    log.warning(message, *given, exc_info=wrong)
    (line,) = stream.getvalue().splitlines()
    row: dict[str, Any] = json.loads(line)
    return row


def test_a_line_has_the_interview_and_the_trace_where_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    plain = logged("It is %s.\nReally.", "so")
    assert plain.pop("time").endswith("+00:00")
    assert plain == {"level": "warning", "logger": "interviewer.somewhere", "message": "It is so.\nReally."}
    with traces.about("one"):
        assert logged("at it")["interview"] == "one"
    with collecting() as collector:
        export = TraceExport(collector.url, "page")
        with traces.span("work"):
            row = logged("at it")
        export.close()
        (span,) = collector.spans
    assert (row["trace_id"], row["span_id"]) == (span.trace, span.id)


def test_an_exception_is_told_without_its_words() -> None:
    try:
        int("platypus")
    except ValueError as error:
        row = logged("it broke", wrong=error)
    assert row["error"]["type"] == "ValueError"
    assert "test_logs.py" in row["error"]["at"][-1]
    assert "platypus" not in json.dumps(row)


def test_whatever_python_says_itself_is_json_too_and_quotes_nothing(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(LOGS)
    command = [sys.executable, "-W", "always", str(tmp_path / "program.py")]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    rows = [json.loads(line) for line in done.stderr.splitlines()]
    assert done.returncode == 1
    assert [row["message"].rpartition(": ")[2] for row in rows] == [
        "two\nlines",
        "this is old",
        "SyntaxWarning",
        "A thread ended with a fault.",
        "The program ended with a fault.",
    ]
    assert [row["error"]["type"] for row in rows if "error" in row] == ["ZeroDivisionError", "ValueError"]
    assert "platypus" not in done.stderr
