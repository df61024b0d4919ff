"""Assignments on the command line: given, listed, begun in a candidate's home, and changed."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from unittest.mock import patch

import pytest

from interviewer.assignments.progress import Stage
from interviewer.cli.commands.assign import start_of
from interviewer.cli.commands.interview import named_topics
from interviewer.session.events import InterviewEnded, InterviewStarted
from interviewer.storage.registry import open_journal
from interviewer.web.sign_in.people import People, Person
from knowledge.bank.parser import load_bank
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


def test_a_misspelt_topic_of_ones_own_interview_is_refused_and_other_words_are_searched_for() -> None:
    bank = load_bank()
    with pytest.raises(BadInputError, match=r"Did you mean autograd\?"):
        named_topics(["autogard"], bank)
    with patch("interviewer.cli.commands.interview.err") as told:
        assert named_topics(["Autograd", "gradient clipping"], bank) == ("autograd", "gradient clipping")
    assert "There is no topic gradient clipping; questions" in told.print.call_args.args[0]


def given_by_grace(tmp_path: Path, accounts: Path, *more: object) -> str:
    (agenda := tmp_path / "agenda.txt").write_text("autograd, concept, 5\ntensors, any, 4\n")
    due = f"{datetime.now(UTC) + timedelta(days=2):%Y-%m-%d %H:%M}"
    given = ("assign", "Autograd", "--due", due, "--by", "grace", "--auth-file", accounts, "--agenda", agenda)
    return run(*given, *more).strip()


def test_who_cannot_give_or_do_an_assignment_is_told_why(
    tmp_path: Path, home: Path, accounts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, file = given_by_grace(tmp_path, accounts), ["--auth-file", accounts]
    lacking = "No file of accounts was given, and nobody has signed in at this page as"
    assert f"{lacking} grace. Give --auth-file FILE" in run("assignments", "--by", "grace", status=2)
    assert f"ada is a candidate in {accounts}" in run("assignments", "--by", "ada", *file, status=2)
    assert f"There is no account gracie in {accounts}" in run("assignments", "--by", "gracie", *file, status=2)
    for own, given, told in (
        ("ada", [], f"{lacking} ada. Give --auth-file FILE"),
        ("eve", file, "eve is in no group"),
        ("grace", file, "grace is a mentor"),
    ):
        monkeypatch.setenv(paths.HOME_VARIABLE, str(home / paths.PROFILES / own))
        with pytest.raises(BadInputError) as refused:
            start_of(one, accounts if given else None, None, 7)
        assert told in str(refused.value)
        assert own == "grace" or told in run("assignments", *given, status=2)
    People(home / paths.PROFILES).sign_in("cy", Person(subject="1", groups=frozenset({"autumn"})))
    monkeypatch.setenv(paths.HOME_VARIABLE, str(home))
    assert "cy is a candidate: that is how they last signed in." in run("assignments", "--by", "cy", status=2)


def test_an_assignment_is_shown_with_all_that_was_assigned(
    tmp_path: Path, home: Path, accounts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = given_by_grace(tmp_path, accounts, "--note", "Read first.", "--tries", 2, "--level", "senior", "--exam")
    shown = run("assignments", one, "--by", "grace", "--auth-file", accounts)
    monkeypatch.setenv(paths.HOME_VARIABLE, str(home / paths.PROFILES / "ada"))
    for told in (shown, run("assignments", one, "--auth-file", accounts)):
        for part in ("senior level, neutral tone, exam", "2 interviews each", "Note: Read first.", "about 13 minutes"):
            assert part in told
        assert "    1. autograd, concept, 5 min\n    2. tensors, any, 4 min\n" in told
    assert "Agenda" not in run("assignments", "--auth-file", accounts)
    assert json.loads(run("assignments", one, "--auth-file", accounts, "--json"))["id"] == one
    assert "no such assignment" in run("assignments", "f" * 32, "--auth-file", accounts, status=2)


def test_an_interview_that_is_in_progress_goes_on(
    tmp_path: Path, home: Path, accounts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = given_by_grace(tmp_path, accounts, "--tries", 1)
    monkeypatch.setenv(paths.HOME_VARIABLE, str(home / paths.PROFILES / "ada"))
    with open_journal(None) as journal:
        started = InterviewStarted(id="s", at=datetime.now(UTC), plan=start_of(one, accounts, None, 7).plan)
        journal.append("a" * 32, started)
    assert start_of(one, accounts, None, 7).session == "a" * 32
    monkeypatch.setenv(paths.HOME_VARIABLE, str(home))
    run("assignments", one, "--close", "--by", "grace", "--auth-file", accounts)
    monkeypatch.setenv(paths.HOME_VARIABLE, str(home / paths.PROFILES / "ada"))
    assert start_of(one, accounts, None, 7).session == "a" * 32


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
    plan, going = start_of(one, accounts, url, 7)
    assert going is None
    assert (plan.assignment, plan.seed) == (one, 7)
    with open_journal(url) as journal:
        now = datetime.now(UTC)
        journal.append("a" * 32, InterviewStarted(id="s", at=now, plan=plan))
        journal.append("a" * 32, InterviewEnded(id="e", at=now, reason="ended by the person"))
    assert "ended early, 0 of 1 answered" in run("assignments", one, *named)
    with pytest.raises(BadInputError, match="You have begun 1 interview"):
        start_of(one, accounts, url, 7)
    assert "This is the home of ada" in run("assign", "Mine", *given, "--agenda", agenda, status=2)

    monkeypatch.setenv(paths.HOME_VARIABLE, str(home))
    (row,) = json.loads(run("assignments", one, "--by", "grace", "--json", *named))["progress"]
    assert (row["candidate"], row["stage"], row["late"]) == ("ada", Stage.ENDED_EARLY.value, False)
    assert [(each["answered"], each["questions"]) for each in row["interviews"]] == [(0, 1)]
    assert "0 of 1 done, 1 ended early" in run("assignments", "--by", "grace", *named)
    told = run("assignments", one, "--extend", due, "--zone", "UTC", "--by", "grace", *named)
    assert "ada: ended early, 0 of 1 answered" in told
    assert "closed" in run("assignments", one, "--close", "--by", "grace", *named)
    assert "withdrawn" in run("assignments", one, "--withdraw", "--by", "grace", *named)
    monkeypatch.setenv(paths.HOME_VARIABLE, str(home / paths.PROFILES / "ada"))
    assert len(run("assignments", *named).splitlines()) == 1


def test_listing_assignments_imports_no_page(accounts: Path) -> None:
    program = (
        "import sys; from interviewer.cli.main import main\n"
        f"sys.argv = ['app.py', 'assignments', '--by', 'grace', '--auth-file', {str(accounts)!r}]\n"
        "try: main()\n"
        "finally: print([name for name in sys.modules if name == 'gradio'])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert "There are no assignments" in done.stderr, done.stderr
    assert done.stdout.strip() == "[]"
