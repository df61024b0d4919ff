"""Assignments on the command line: given, listed, begun in a candidate's home, and changed."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from interviewer.assignments.progress import Stage
from interviewer.cli.commands.assign import plan_for
from interviewer.session.events import InterviewEnded, InterviewStarted
from interviewer.storage.registry import open_journal
from serving import paths
from serving.errors import BadInputError
from tests.integration.commands import in_process
from tests.interviewer.web.mentor.group import LINES


@pytest.fixture
def accounts(tmp_path: Path, home: Path) -> Path:
    file = tmp_path / "accounts"
    file.write_text("\n".join(LINES))
    file.chmod(0o600)
    return file


def run(*arguments: object, status: int = 0) -> str:
    ended, out, err = in_process(*map(str, arguments))
    assert ended == status, err
    return out if status == 0 else err


def test_a_misspelt_topic_or_role_is_refused_with_the_nearest(tmp_path: Path, accounts: Path) -> None:
    (agenda := tmp_path / "agenda.txt").write_text("autogard, concept, 5\n")
    due = f"{datetime.now(UTC) + timedelta(days=2):%Y-%m-%d %H:%M}"
    given = ["assign", "Autograd", "--due", due, "--by", "grace", "--auth-file", accounts]
    assert "There is no topic autogard. Did you mean autograd?" in run(*given, "--agenda", agenda, status=2)
    assert "There is no topic autogard. Did you mean autograd?" in run(*given, "--topic", "autogard", status=2)
    assert "There is no role ML enginer. Did you mean ML engineer" in run(*given, "--role", "ML enginer", status=2)
    assert run("assignments", "--by", "grace", "--auth-file", accounts) == ""
    assert "Did you mean autograd?" in run("interview", "--topic", "autogard", status=2)


@pytest.mark.parametrize("kind", ["files", "PostgreSQL"])
def test_it_is_given_listed_begun_and_changed(
    kind: str,
    tmp_path: Path,
    home: Path,
    accounts: Path,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    url = request.getfixturevalue("postgres").database() if kind == "PostgreSQL" else None
    named = ["--auth-file", accounts, *(["--database", url] if url else [])]
    (agenda := tmp_path / "agenda.txt").write_text("autograd, concept, 5\n")
    due = f"{datetime.now(UTC) + timedelta(days=2):%Y-%m-%d %H:%M}"
    given = ["--due", due, "--by", "grace", *named]
    one = run("assign", "Autograd", *given, "--agenda", agenda, "--candidate", "ada", "--tries", 1).strip()
    drawn = json.loads(run("assign", "More", *given, "--topic", "autograd", "--minutes", 15, "--exam", "--json"))
    assert {item["topic"] for item in drawn["interview"]["agenda"]} == {"autograd"}
    assert drawn["interview"]["mode"] == "exam"
    assert [row["id"] for row in json.loads(run("assignments", "--by", "grace", "--json", *named))] == [
        drawn["id"],
        one,
    ]
    assert run("assignments", "--by", "alan", *named) == ""

    monkeypatch.setenv(paths.HOME_VARIABLE, str(home / paths.PROFILES / "ada"))
    assert len(run("assignments", *named).splitlines()) == 2
    plan = plan_for(one, accounts, url, 7)
    assert (plan.assignment, plan.seed) == (one, 7)
    with open_journal(url) as journal:
        now = datetime.now(UTC)
        journal.append("a" * 32, InterviewStarted(id="s", at=now, plan=plan))
        journal.append("a" * 32, InterviewEnded(id="e", at=now, reason="ended by the person"))
    with pytest.raises(BadInputError, match="You have begun 1 interview"):
        plan_for(one, accounts, url, 7)
    assert "This is the home of ada" in run("assign", "Mine", *given, "--agenda", agenda, status=2)

    monkeypatch.setenv(paths.HOME_VARIABLE, str(home))
    (row,) = json.loads(run("assignments", one, "--by", "grace", "--json", *named))["progress"]
    assert (row["candidate"], row["stage"], row["late"]) == ("ada", Stage.DONE.value, False)
    assert "ada: done" in run("assignments", one, "--extend", due, "--zone", "UTC", "--by", "grace", *named)
    assert "closed" in run("assignments", one, "--close", "--by", "grace", *named)
    assert "withdrawn" in run("assignments", one, "--withdraw", "--by", "grace", *named)
    monkeypatch.setenv(paths.HOME_VARIABLE, str(home / paths.PROFILES / "ada"))
    assert len(run("assignments", *named).splitlines()) == 1
