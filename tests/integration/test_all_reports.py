"""``report --all``: a file for each interview, written once, and again where its interview went on."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from interviewer.cli.bulk import report_folder
from interviewer.storage.sqlite_journal import Journal
from serving import paths
from tests.integration.commands import in_process
from tests.interviewer.report.sample_session import telling

ODD = "../odd"


@pytest.fixture
def told(home: Path) -> Path:
    """A journal with the sample interview, three times."""
    with Journal(paths.journal()) as journal:
        for session in ("one", "two", ODD):
            for event in telling().events:
                journal.append(session, event)
    return home


def test_each_report_is_what_the_command_gives_for_its_interview(told: Path, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "reports"
    status, out, err = in_process("report", "--all", "--format", "md", "-o", folder)
    assert (status, out, err) == (0, "", "3 reports written.")
    assert len(list(folder.iterdir())) == 3
    assert (folder / "two.md").read_text() == in_process("report", "two", "--format", "md")[1]
    in_process("report", "--all", "--format", "md", "--view", "interviewer", "-o", folder)
    assert (folder / "two.interviewer.md").read_text() != (folder / "two.md").read_text()


def test_an_interrupted_one_continues_and_what_went_on_is_written_again(
    told: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ("report", "--all", "--format", "json", "-o", tmp_path)
    whole = report_folder.write_atomic

    def interrupted(path: Path, content: bytes | str) -> None:
        whole(path, content)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(report_folder, "write_atomic", interrupted)
        assert in_process(*command)[0] == 130
    assert in_process(*command)[2] == "2 reports written, 1 there already."
    assert in_process(*command)[2] == "0 reports written, 3 there already."
    os.utime(tmp_path / "two.json", (0, 0))
    assert in_process(*command)[2] == "1 report written, 2 there already."


def test_a_damaged_interview_is_told_and_the_others_are_written(
    told: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from serving.errors import DamagedError

    def damaged(journal: Journal, folder: Path) -> None:
        def make(session: str) -> str:
            if session == "two":
                raise DamagedError("It is damaged.")
            return session

        report_folder.write_all(journal, folder, ".md", make)

    with Journal(paths.journal()) as journal:
        damaged(journal, tmp_path)
    assert sorted(each.read_text() for each in tmp_path.iterdir() if each.suffix == ".md") == [ODD, "one"]


def test_what_is_no_folder_is_left_as_it_is(told: Path, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("kept")
    status, _, err = in_process("report", "--all", "-o", file)
    assert status == 2
    assert "is not a folder" in err
    assert file.read_text() == "kept"
    assert in_process("report", "--all", "-o", file / "below")[0] in {2, 3}
