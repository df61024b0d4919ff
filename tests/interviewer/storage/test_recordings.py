"""The sound of answers on the disk, and how it goes."""

import pytest

from interviewer.storage import recordings
from interviewer.storage.sqlite_journal import Journal
from serving import paths
from serving.errors import StorageError
from tests.integration.commands import run
from tests.interviewer.report.sample_session import telling


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


def test_what_lay_together_comes_to_the_person_whose_it_is(tmp_path):
    ada, bob = tmp_path / "profiles" / "ada", tmp_path / "profiles" / "bob"
    hers = recordings.keep(tmp_path, "one", b"hers")
    recordings.keep(tmp_path, "two", b"his")
    new = recordings.keep(ada, "one", b"new")
    assert recordings.bring_home(ada, lambda: ["one", "three"]) == 1
    assert sorted(path.read_bytes() for path in recordings.kept(ada, "one")) == [b"hers", b"new"]
    assert not hers.parent.exists()
    assert new.exists()
    assert recordings.bring_home(ada, lambda: ["one"]) == 0
    assert recordings.delete(ada) == 2
    assert recordings.bring_home(bob, lambda: ["two"]) == 1
    assert recordings.kept(tmp_path) == ()
    assert [path.read_bytes() for path in recordings.kept(bob)] == [b"his"]


def test_nothing_is_moved_out_of_a_home_that_is_nobodys_profile(tmp_path):
    recordings.keep(tmp_path, "one", b"a")
    assert recordings.bring_home(tmp_path / "elsewhere" / "ada", lambda: ["one"]) == 0
    assert len(recordings.kept(tmp_path, "one")) == 1


def test_with_an_interview_goes_its_sound_that_an_earlier_version_kept_elsewhere(tmp_path, monkeypatch):
    ada = tmp_path / "profiles" / "ada"
    ada.mkdir(parents=True)
    with Journal(ada / "journal.db") as journal:
        for event in telling().events:
            journal.append("one", event)
    recordings.keep(tmp_path, "one", b"hers")
    others = recordings.keep(tmp_path, "two", b"somebody else's")
    monkeypatch.setenv(paths.HOME_VARIABLE, str(ada))
    done = run("data", "delete", "one")
    assert (done.returncode, done.stderr.strip()) == (0, "1 interview deleted.")
    assert recordings.kept(tmp_path) == (others,)
    assert recordings.kept(ada) == ()
