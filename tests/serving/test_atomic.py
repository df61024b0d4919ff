"""Files are replaced whole or not at all, and nothing but a regular file is replaced."""

from __future__ import annotations

import errno
import os
import resource
import socket
import stat
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from interviewer.web.uploads import kept
from serving.atomic import need_writable, replacement, write_atomic
from serving.errors import BadInputError, InterviewerError, StorageError


def test_a_file_is_made_and_replaced(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    need_writable(path)
    write_atomic(path, "Größe")
    assert path.read_text(encoding="utf-8") == "Größe"
    need_writable(path)
    write_atomic(path, b"\x00\xff")
    assert path.read_bytes() == b"\x00\xff"
    assert os.listdir(tmp_path) == ["report.html"]


def test_permissions_are_those_of_the_file_that_is_replaced_or_those_asked_for(tmp_path: Path) -> None:
    path, other, new = tmp_path / "a", tmp_path / "b", tmp_path / "c"
    path.write_text("old")
    path.chmod(0o440)
    write_atomic(path, "new")
    write_atomic(other, "new", mode=0o600)
    before = os.umask(0o027)
    try:
        write_atomic(new, "new")
    finally:
        os.umask(before)
    assert [stat.S_IMODE(each.stat().st_mode) for each in (path, other, new)] == [0o440, 0o600, 0o640]


def no_files(folder: Path) -> dict[str, Path]:
    """One of each thing that is no regular file."""
    (folder / "folder").mkdir()
    (folder / "target").write_text("kept")
    (folder / "link").symlink_to("target")
    (folder / "dangling").symlink_to("nowhere")
    os.mkfifo(folder / "pipe")
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(folder / "socket"))
    names = ("folder", "link", "dangling", "pipe", "socket")
    return {name: folder / name for name in names} | {"device": Path("/dev/null")}


@pytest.mark.parametrize("name", ["folder", "link", "dangling", "pipe", "socket", "device"])
def test_what_is_no_regular_file_is_left_as_it_is(tmp_path: Path, name: str) -> None:
    path = no_files(tmp_path)[name]
    before = path.lstat()
    for put in (lambda: write_atomic(path, "x"), lambda: need_writable(path)):
        with pytest.raises(BadInputError, match=r"is a .* and was left as it is"):
            put()
    after = path.lstat()
    assert (after.st_ino, after.st_mode) == (before.st_ino, before.st_mode)
    assert (tmp_path / "target").read_text() == "kept"


def test_a_folder_that_is_not_there_and_a_name_that_is_too_long_are_told(tmp_path: Path) -> None:
    for put in (need_writable, lambda path: write_atomic(path, "x")):
        with pytest.raises(BadInputError, match="does not exist"):
            put(tmp_path / "no" / "report")
        with pytest.raises(StorageError, match="too long"):
            put(tmp_path / ("x" * 300))
    write_atomic(tmp_path / ("x" * 255), "the longest name there is")


_FULL = """
import resource, sys
from pathlib import Path
from serving.atomic import write_atomic
from serving.errors import StorageError

resource.setrlimit(resource.RLIMIT_FSIZE, (1000, resource.RLIM_INFINITY))
try:
    write_atomic(Path(sys.argv[1]), b"x" * 5000)
except StorageError as error:
    print(error)
"""


def test_a_write_that_is_cut_short_leaves_the_old_file_and_nothing_beside_it(tmp_path: Path) -> None:
    assert resource.RLIMIT_FSIZE is not None
    path = tmp_path / "report"
    path.write_text("old")
    done = subprocess.run([sys.executable, "-c", _FULL, str(path)], check=True, capture_output=True, text=True)
    assert "cannot be written" in done.stdout
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["report"]


def test_a_disk_that_turns_out_full_when_it_is_synchronized_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "report"
    path.write_text("old")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(StorageError, match="No space left") as caught:
            write_atomic(path, "new")
    assert "Make room" in caught.value.hint
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["report"]


def test_many_writers_leave_one_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "report"
    texts = [letter * 200_000 for letter in "abcdefgh"]
    threads = [threading.Thread(target=write_atomic, args=(path, text)) for text in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert path.read_text() in texts
    assert os.listdir(tmp_path) == ["report"]


def test_what_a_killed_run_left_under_a_name_of_its_own_is_overwritten(tmp_path: Path) -> None:
    path, left = tmp_path / "model", tmp_path / "model.partial"
    left.write_text("half of a")
    with replacement(path, partial=left) as partial:
        assert partial == left
        assert partial.read_bytes() == b""
        partial.write_text("whole")
    assert path.read_text() == "whole"
    assert not left.exists()


def test_documents_are_as_they_were_when_the_disk_refuses_the_second(tmp_path: Path) -> None:
    given, folder = tmp_path / "given", tmp_path / "documents"
    given.mkdir()
    folder.mkdir()
    for name in ("a.md", "b.md"):
        (given / name).write_text("new")
    (folder / "a.md").write_text("old")
    os.mkfifo(folder / "b.md")
    with pytest.raises(InterviewerError), kept([given / "a.md", given / "b.md"], folder):
        pass
    assert (folder / "a.md").read_text() == "old"
    (folder / "b.md").unlink()
    with suppress(ZeroDivisionError), kept([given / "a.md", given / "b.md"], folder) as copies:
        assert [copy.read_text() for copy in copies] == ["new", "new"]
        raise ZeroDivisionError
    assert sorted(os.listdir(folder)) == ["a.md"]
    with kept([given / "a.md", given / "b.md"], folder):
        pass
    assert {path.name: path.read_text() for path in folder.iterdir()} == {"a.md": "new", "b.md": "new"}
