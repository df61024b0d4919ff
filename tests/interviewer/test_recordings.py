"""The sound of answers on the disk, and how it goes."""

import pytest

from interviewer import recordings
from serving.errors import StorageError
from tests.integration.commands import run


def test_the_recordings_of_an_interview_go_and_the_others_stay(tmp_path):
    first = recordings.keep(tmp_path, "one", b"a")
    recordings.keep(tmp_path, "one", b"b")
    other = recordings.keep(tmp_path, "two", b"c")
    assert first.read_bytes() == b"a"
    assert len(recordings.kept(tmp_path)) == 3
    assert recordings.delete(tmp_path, "one") == 2
    assert recordings.kept(tmp_path) == (other,)
    assert recordings.delete(tmp_path, "one") == 0
    assert recordings.delete(tmp_path) == 1


@pytest.mark.parametrize("session", ["..", ".", "", "../documents", "/etc", "a/b"])
def test_an_id_that_is_a_path_reaches_nothing_outside(tmp_path, session):
    (tmp_path / "documents").mkdir()
    recordings.keep(tmp_path, "one", b"a")
    assert recordings.delete(tmp_path, session) == 0
    assert (tmp_path / "documents").is_dir()
    assert len(recordings.kept(tmp_path)) == 1
    assert (tmp_path / "recordings") in recordings.keep(tmp_path, session, b"x").parents


def test_a_full_disk_is_told(tmp_path):
    (tmp_path / "recordings").write_text("in the way")
    with pytest.raises(StorageError, match="recordings"):
        recordings.keep(tmp_path, "one", b"a")


def test_the_command_deletes_sounds_alone(home):
    recordings.keep(home, "one", b"a")
    recordings.keep(home, "two", b"b")
    done = run("data", "delete", "one", "--recordings")
    assert (done.returncode, done.stderr.strip()) == (0, "1 recording deleted.")
    assert len(recordings.kept(home)) == 1
    assert run("data", "delete", "--recordings").returncode == 0
    assert recordings.kept(home) == ()
