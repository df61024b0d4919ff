from __future__ import annotations

from pathlib import Path

import pytest

from tests.interviewer.web.mentor.group import Groups


@pytest.fixture(params=["files", "PostgreSQL"])
def groups(request: pytest.FixtureRequest, tmp_path: Path, home: Path) -> Groups:
    url = request.getfixturevalue("postgres").database() if request.param == "PostgreSQL" else None
    made = Groups(tmp_path / "shared", url)
    made.fill()
    return made
