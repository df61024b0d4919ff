"""What is told to whom, and that without the option nothing is there."""

from __future__ import annotations

from pathlib import Path

import pytest

from interviewer.storage.assignments.registry import open_assignments
from interviewer.web.accounts import Accounts
from interviewer.web.mentor import phrases
from interviewer.web.mentor.access import MentorAccess
from interviewer.web.mentor.pages import readers_html
from serving.errors import BadInputError
from tests.integration.commands import in_process
from tests.interviewer.web.mentor.group import LINES, PASSWORD


def told_to(access: MentorAccess, name: str | None, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr("interviewer.web.mentor.access.present", lambda: name)
    return access.readers()


def test_candidates_are_told_and_mentors_find_the_way(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    access = MentorAccess(Accounts(LINES), None, on=True, store=open_assignments(tmp_path))
    assert [route.path for route in access.routes()] == [
        *("/group", "/group/interview", "/group/override"),
        *("/group/assignments", "/group/assignment", "/group/assign", "/group/give", "/group/agenda", "/group/change"),
    ]
    assert access.assignments is not None
    told = {name: told_to(access, name, monkeypatch) for name in ("ada", "ben", "grace", "eve", None)}
    assert "The mentor of your group (grace) can read every interview you hold here" in told["ada"]
    assert "(alan)" in told["ben"]
    assert 'href="group"' in told["grace"]
    assert 'href="group/assignments"' in told["grace"]
    assert told["eve"] == told[None] == ""
    assert "The mentors of your group (grace and joan) can" in phrases.told(["grace", "joan"])
    assert "&lt;b&gt;" in readers_html(["<b>"], is_mentor=False)


def test_it_is_off_unless_the_server_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    for accounts in (Accounts(LINES), None):
        off = MentorAccess(accounts, None, on=False, store=None)
        assert off.routes() == []
        assert off.assignments is None
        off.close()
        assert {told_to(off, name, monkeypatch) for name in ("ada", "grace", None)} == {""}


def test_without_a_mentor_it_cannot_be_on() -> None:
    for accounts in (Accounts([f"ada:{PASSWORD}"]), None):
        with pytest.raises(BadInputError, match="No account is a mentor's"):
            MentorAccess(accounts, None, on=True, store=None)
    status, _, told = in_process("serve", "--mentors")
    assert status == 2
    assert "--role mentor" in told
