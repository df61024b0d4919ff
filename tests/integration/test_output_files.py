"""Commands that write a file: only a regular one is replaced, and numbers that cannot be are told as what they are."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from interviewer.cli.main import main
from interviewer.engine.service import InterviewService
from interviewer.session.plan import Plan
from interviewer.storage.sqlite_journal import Journal
from serving import paths
from tests.interviewer.builders import KeywordGrader, Shelf, question

SESSIONS = ("one", "two")


@pytest.fixture
def run(home, monkeypatch, capfd):
    home.mkdir()
    with (
        Journal(paths.journal()) as journal,
        InterviewService(journal, Shelf([question("q1")]), KeywordGrader(), patience_s=None) as service,
    ):
        for session in SESSIONS:
            service.start(Plan(length=1), session)
            service.answer(session, "It has alpha and beta.", "a1")
            service.end(session, "e1")

    def run(*arguments):
        monkeypatch.setattr("sys.argv", ["app.py", *map(str, arguments)])
        status = main()
        written = capfd.readouterr()
        return status, written.out, " ".join(written.err.split())

    return run


WRITE = {
    "report": ("report", "one", "--format", "md", "-o"),
    "pdf": ("report", "one", "--format", "pdf", "-o"),
    "compare": ("compare", *SESSIONS, "-o"),
    "regrade": ("regrade", "one", "--llm-url", "http://127.0.0.1:9", "-o"),
    "regrades": ("regrade", "--all", "--llm-url", "http://127.0.0.1:9", "-o"),
    "samples": ("sessions", "--assessments", "-o"),
    "anki": ("export-study", "one", "--anki"),
    "calendar": ("export-study", "one", "--calendar"),
    "export": ("data", "export"),
    "template": ("loop", "template", "new graduate", "-o"),
    "interview": ("interview", "--llm-url", "http://127.0.0.1:9", "--report"),
}


@pytest.mark.parametrize("command", WRITE)
def test_a_device_a_pipe_a_link_and_a_folder_are_left_as_they_are(run, tmp_path, command):
    pipe, link, target = tmp_path / "pipe", tmp_path / "link", tmp_path / "target"
    os.mkfifo(pipe)
    target.write_text("kept")
    link.symlink_to(target)
    for path in (Path("/dev/null"), pipe, link, tmp_path):
        before = path.lstat()
        status, out, err = run(*WRITE[command], path)
        assert (status, out) == (2, "")
        assert "and was left as it is. Name a file" in err
        assert (path.lstat().st_ino, path.lstat().st_mode) == (before.st_ino, before.st_mode)
    assert target.read_text() == "kept"
    assert sorted(path.name for path in tmp_path.iterdir() if path.name != "home") == ["link", "pipe", "target"]


@pytest.mark.parametrize("command", sorted(WRITE.keys() - {"regrade", "regrades", "interview"}))
def test_a_file_that_is_there_is_replaced_and_keeps_its_permissions(run, tmp_path, command):
    path = tmp_path / "file"
    path.write_text("old")
    path.chmod(0o640)
    status, _, err = run(*WRITE[command], path)
    assert status == 0, err
    assert path.read_bytes() != b"old"
    assert path.stat().st_mode & 0o777 == 0o640
    assert [each.name for each in tmp_path.iterdir() if each.name != "home"] == ["file"]


@pytest.mark.parametrize("command", WRITE)
def test_a_folder_that_is_not_there_is_told_before_any_work(run, tmp_path, command):
    status, _, err = run(*WRITE[command], tmp_path / "no" / "file")
    assert status == 2
    assert "does not exist" in err


@pytest.mark.parametrize("port", ["99999", "65536", "0", "-1"])
def test_a_port_that_cannot_be_is_called_that(run, port):
    status, _, err = run("serve", "--port", port)
    assert status == 2
    assert f"There is no port {port}. Ports are numbered from 1 to 65535." in err


def test_numbers_out_of_their_range_are_told(run):
    for arguments in (
        ("serve", "--port", "many"),
        ("search", "x", "-k", "0"),
        ("search", "x", "-k", "1001"),
        ("interview", "--length", "51"),
        ("interview", "--minutes", "4"),
        ("interview", "--follow-ups", "-1"),
        ("interview", "--seed", "x"),
    ):
        status, out, err = run(*arguments)
        assert (status, out) == (2, "")
        assert f"Invalid value for '{arguments[-2]}" in err


def test_a_level_of_the_log_that_is_none_stops_nothing(run, monkeypatch):
    monkeypatch.setenv("INTERVIEWER_LOG", "loud")
    status, out, err = run("sessions")
    assert status == 0
    assert "one" in out
    assert "INTERVIEWER_LOG is set to LOUD, which is not a log level" in err
