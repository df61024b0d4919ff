"""The form that a report is written in where none is named."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from interviewer.cli.commands import reports


class Out(io.StringIO):
    def __init__(self, *, terminal: bool) -> None:
        super().__init__()
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal


@pytest.mark.parametrize(
    ("terminal", "asked", "form"), [(True, None, "md"), (False, None, "html"), (True, "html", "html")]
)
def test_a_terminal_gets_what_can_be_read_there(
    terminal: bool, asked: str | None, form: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reports, "rendered", lambda journal, session, form, view, recordings: form)
    out = Out(terminal=terminal)
    with monkeypatch.context() as patch:
        patch.setattr("sys.stdout", out)
        reports.report("a" * 32, form=asked, view="person")  # type: ignore[arg-type]
    assert out.getvalue().strip() == form
