from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from interviewer.storage import account_file
from interviewer.storage.account_file import IN_MEMORY, STORED, Role, hash_all, hashed, made, parse, put, read_lines
from serving.errors import BadInputError

PASSWORD = "correct horse"
CHEAP = account_file.Cost(4, 8, 1)
"""What tests that make many hashes pay."""


@pytest.fixture
def _cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(account_file.hashed, "__defaults__", (CHEAP,))


def test_a_line_says_the_account_again_and_not_the_password() -> None:
    account = made("ada", PASSWORD, Role.MENTOR, "autumn")
    assert parse(account.line) == account
    assert PASSWORD not in account.line
    assert account.password.cost == STORED
    assert account.password.matches(PASSWORD)
    assert not account.password.matches("correct horsf")
    assert made("ada", PASSWORD).line != made("ada", PASSWORD).line, "the salt is another one each time"


def test_the_hash_is_that_of_the_standard() -> None:
    """RFC 7914, in the form that passlib reads too."""
    salt = b"0123456789abcdef"
    digest = hashlib.scrypt(PASSWORD.encode(), salt=salt, n=16, r=8, p=1, dklen=32)
    line = f"ada:{account_file.PasswordHash(CHEAP, salt, digest)}"
    assert line.startswith("ada:$scrypt$ln=4,r=8,p=1$MDEyMzQ1Njc4OWFiY2RlZg$")
    assert parse(line).password.matches(PASSWORD)


@pytest.mark.usefixtures("_cheap")
@pytest.mark.parametrize(
    ("more", "role", "group"),
    [("", Role.CANDIDATE, ""), (":candidate", Role.CANDIDATE, ""), (":candidate:x", Role.CANDIDATE, "x"),
     (":mentor:x", Role.MENTOR, "x"), ("::x", Role.CANDIDATE, "x")],
)  # fmt: skip
def test_a_line_may_give_a_role_and_a_group(more: str, role: Role, group: str) -> None:
    account = parse(f"ada:{hashed(PASSWORD)}{more}")
    assert (account.role, account.group, account.plain) == (role, group, False)


def test_a_password_as_it_is_is_read_with_all_its_colons() -> None:
    account = parse("ada:a:mentor:autumn")
    assert account.plain
    assert (account.role, account.group) == (Role.CANDIDATE, "")
    assert account.password.cost == IN_MEMORY
    assert account.password.matches("a:mentor:autumn")


@pytest.mark.usefixtures("_cheap")
@pytest.mark.parametrize(
    "line",
    ["ada:$scrypt$", "ada:$scrypt$ln=4,r=8,p=1$AAAA$AAAA", "ada:{hash}:boss", "ada:{hash}:mentor", "ada:{hash}:mentor:",
     "ada:{hash}:candidate:A", "ada:{hash}:mentor:x:y", "Ada:{hash}", "ada:{large}", "ada:{hash}x"],
)  # fmt: skip
def test_what_is_no_account_is_refused(line: str) -> None:
    kept = str(hashed(PASSWORD))
    with pytest.raises(BadInputError) as caught:
        parse(line.format(hash=kept, large=kept.replace("ln=4", "ln=40")))
    assert kept.rpartition("$")[2] not in str(caught.value)


@pytest.mark.usefixtures("_cheap")
def test_a_file_keeps_its_order_and_remarks(tmp_path: Path) -> None:
    file = tmp_path / "accounts"
    put(file, made("ada", PASSWORD))
    assert file.stat().st_mode & 0o777 == 0o600
    file.write_text(f"# who may\nada:{PASSWORD}\n\nben:battery staple\n")
    put(file, made("ada", "another word", Role.MENTOR, "autumn"))
    put(file, made("cy", PASSWORD))
    lines = read_lines(file)
    assert [line.partition(":")[0] for line in lines] == ["# who may", "ada", "", "ben", "cy"]
    assert parse(lines[1]).password.matches("another word")
    assert hash_all(file) == 1
    assert hash_all(file) == 0
    assert "battery" not in file.read_text()
    assert parse(read_lines(file)[3]).password.matches("battery staple")
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_file_that_others_read_is_left_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "accounts"
    file.write_text(f"ada:{PASSWORD}\n")
    file.chmod(0o644)
    for work in (lambda: hash_all(file), lambda: put(file, made("ben", PASSWORD))):
        with pytest.raises(BadInputError, match="Others on this machine can read"):
            work()
    assert file.read_text() == f"ada:{PASSWORD}\n"
