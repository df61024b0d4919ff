from __future__ import annotations

import io
from pathlib import Path

import pytest

from interviewer.storage.account_file import Role, parse, read_lines
from tests.integration.commands import in_process

PASSWORD = "correct horse"


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{PASSWORD}\n"))


@pytest.mark.usefixtures("typed")
def test_a_line_is_printed_without_the_password() -> None:
    status, out, err = in_process("account", "ada", "--role", "mentor", "--group", "autumn")
    account = parse(out.strip())
    assert (status, account.name, account.role, account.group) == (0, "ada", Role.MENTOR, "autumn")
    assert account.password.matches(PASSWORD)
    assert PASSWORD not in out + err


@pytest.mark.usefixtures("typed")
def test_an_account_in_a_file_keeps_its_role_and_group_with_a_new_password(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "accounts"
    assert in_process("account", "ada", "--role", "mentor", "--group", "autumn", "--auth-file", file)[0] == 0
    monkeypatch.setattr("sys.stdin", io.StringIO("battery staple\n"))
    assert in_process("account", "ada", "--auth-file", file)[0] == 0
    (account,) = map(parse, read_lines(file))
    assert (account.role, account.group) == (Role.MENTOR, "autumn")
    assert account.password.matches("battery staple")


@pytest.mark.parametrize(("lines", "status"), [("{0}\n{0}\n", 0), ("{0}", 0), ("{0}\nother words\n", 2), ("", 2)])
def test_a_password_through_a_pipe_is_one_line_or_twice_the_same(
    lines: str, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(lines.format(PASSWORD)))
    ended, out, err = in_process("account", "ada")
    assert ended == status, err
    assert ("several lines that differ" in err) == ("other" in lines)
    assert not out or parse(out.strip()).password.matches(PASSWORD)


def test_plain_passwords_of_a_file_are_hashed_without_being_typed_again(tmp_path: Path) -> None:
    file = tmp_path / "accounts"
    file.write_text(f"ada:{PASSWORD}\n")
    file.chmod(0o600)
    assert "1 password hashed" in in_process("account", "--auth-file", file)[2]
    assert PASSWORD not in file.read_text()
    assert "hashed already" in in_process("account", "--auth-file", file)[2]


@pytest.mark.usefixtures("typed")
@pytest.mark.parametrize(
    ("given", "told"),
    [
        ((), "Nobody is named"),
        (("Ada",), "cannot be read"),
        (("ada", "--role", "mentor"), "has no group"),
        (("ada", "--role", "boss"), "boss"),
        (("ada", "--group", "A B"), "group of ada cannot be read"),
    ],
)
def test_what_is_no_account_is_told_before_a_password_is_asked_for(given: tuple[str, ...], told: str) -> None:
    import sys

    status, out, err = in_process("account", *given)
    assert (status, out) == (2, "")
    assert told in err
    assert sys.stdin.readline() == f"{PASSWORD}\n"
