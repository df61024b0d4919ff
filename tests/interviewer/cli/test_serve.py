from __future__ import annotations

from pathlib import Path

import pytest

from serving import paths
from tests.integration.commands import in_process


def test_the_page_limits_its_heaps_before_anything_begins_threads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limited = []
    monkeypatch.setenv(paths.HOME_VARIABLE, str(tmp_path))
    monkeypatch.setattr("interviewer.cli.commands.serve.limit_heaps", lambda: limited.append(True))
    status, _, told = in_process("serve", "--port", "99999")
    assert status == 2
    assert "99999" in told
    assert limited == [True]
