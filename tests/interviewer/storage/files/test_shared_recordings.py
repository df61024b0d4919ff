"""Two pages with homes of their own and one store: what one keeps the other plays; nothing is lost or comes back."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from interviewer.storage import recordings as local
from interviewer.storage.files import keys
from interviewer.storage.files.opening import Files, SharedFiles, open_files
from interviewer.storage.files.recordings import Playable
from interviewer.storage.files.store import AwayError, FileStore, open_store
from tests.s3 import S3Server

SESSION = "one"


class Page(NamedTuple):
    """A page of one person, on a machine of its own."""

    home: Path
    files: Files

    def keep(self, content: bytes, session: str = SESSION) -> str:
        return self.files.recordings(self.home).keep(session, content)

    def playable(self, *places: str, session: str = SESSION) -> Playable:
        return self.files.recordings(self.home).playable(session, places)

    def plays(self, *places: str) -> list[bytes]:
        folder = self.playable(*places).folder
        return [(folder / Path(place).name).read_bytes() for place in places if (folder / Path(place).name).exists()]

    def send(self) -> int:
        return self.files.send(self.home)

    def delete(self, session: str | None = SESSION) -> int:
        return self.files.recordings(self.home).delete(session)


@pytest.fixture
def page(tmp_path: Path, url: str) -> Iterator[Callable[..., Page]]:
    opened: list[Files] = []

    def make(machine: str, account: str = "ada") -> Page:
        opened.append(open_files(url))
        home = tmp_path / machine / "profiles" / account
        home.mkdir(parents=True)
        return Page(home, opened[-1])

    yield make
    for files in opened:
        files.close()


def eventually(holds: Callable[[], bool]) -> None:
    while not holds():
        time.sleep(0.02)


def test_what_one_page_records_the_other_plays(page: Callable[..., Page], url: str) -> None:
    first, second = page("a"), page("b")
    place = first.keep(b"sound")
    assert first.plays(place) == [b"sound"]  # at once, before it was sent
    assert second.playable(place).note.startswith("The recording of one of your answers cannot be played yet: it is ")
    assert first.send() == 0
    assert local.kept(first.home) == ()
    assert place.startswith((url, Path(url).as_uri() if url.startswith("/") else url))
    for one in (first, second):
        assert one.plays(place) == [b"sound"]
        assert one.playable(place)[1:] == (1, "")
        assert one.files.recordings(one.home).count() == 1
        assert list(one.files.recordings(one.home).all()) == [(SESSION, Path(place).name, b"sound")]


def test_what_is_deleted_at_one_page_is_gone_at_the_other(page: Callable[..., Page]) -> None:
    first, second = page("a"), page("b")
    place, other = first.keep(b"sound"), first.keep(b"other", "two")
    first.send()
    second.plays(place)
    folder = second.playable(place).folder
    assert second.delete() == 1
    assert not folder.exists()
    assert first.playable(place)[1:] == (0, "")
    assert first.plays(place) == second.plays(place) == []
    assert list(first.files.recordings(first.home).all()) == [("two", Path(other).name, b"other")]
    assert first.delete(None) == 1
    assert second.files.recordings(second.home).count() == 0


@pytest.mark.parametrize("session", [SESSION, None])
def test_what_was_deleted_elsewhere_before_it_was_sent_does_not_come_back(
    page: Callable[..., Page], session: str | None
) -> None:
    first, second = page("a"), page("b")
    gone = first.keep(b"before")
    assert second.delete(session) == 0
    later = first.keep(b"after")
    assert first.send() == 0
    assert local.kept(first.home) == ()
    assert second.plays(gone, later) == [b"after"]


def test_what_is_deleted_while_it_is_sent_does_not_come_back(
    page: Callable[..., Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = page("a"), page("b")
    place = first.keep(b"sound")
    put = FileStore.put

    def put_after_deletion(self: FileStore, key: str, content: bytes) -> None:
        if key.endswith(".webm"):
            second.delete()
        put(self, key, content)

    monkeypatch.setattr(FileStore, "put", put_after_deletion)
    assert first.send() == 0
    assert second.plays(place) == first.plays(place) == []
    assert second.files.recordings(second.home).count() == 0


def test_each_person_has_their_own(page: Callable[..., Page]) -> None:
    ada, ben = page("a", "ada"), page("a", "ben")
    hers = ada.keep(b"hers")
    ada.send()
    assert ben.plays(hers) == []
    assert ben.delete(None) == 0
    assert ada.plays(hers) == [b"hers"]


@pytest.mark.parametrize("session", ["..", "", "../../ben/recordings/one", "a/b", "~every", "\0", "Ä"])
def test_an_id_that_is_a_path_reaches_nobody_elses(page: Callable[..., Page], session: str) -> None:
    ada, ben = page("a", "ada"), page("b", "ben")
    his = ben.keep(b"his")
    ben.send()
    assert ada.delete(session) == 0
    hers = ada.keep(b"hers", session)
    assert ada.send() == 0
    assert [each.read_bytes() for each in ada.playable(hers, session=session).folder.iterdir()] == [b"hers"]
    assert ada.playable("../../ben/recordings/one/" + Path(his).name, "s3://x/..", session=session).known == 1
    assert ada.delete(session) == 1
    assert ben.plays(his) == [b"his"]


def test_what_others_put_into_the_store_is_left_alone(page: Callable[..., Page], url: str) -> None:
    first = page("a")
    store = open_store(url, os.environ)
    place = keys.recordings(first.home, SESSION)
    for name in ("notes.txt", "..webm", "A" * 16 + ".webm"):
        store.put(f"{place}/{name}", b"no recording")
    store.put(keys.deletion(first.home, SESSION), b"no time")
    kept = first.keep(b"sound")
    first.send()
    assert first.playable(kept, "s3://x/notes.txt").known == 1
    assert first.plays(kept, "s3://x/notes.txt") == [b"sound"]
    assert [content for *_, content in first.files.recordings(first.home).all()] == [b"sound"]


def test_recordings_of_before_there_was_a_store_are_sent_too(page: Callable[..., Page]) -> None:
    first, second = page("a"), page("b")
    before = str(local.keep(first.home, SESSION, b"before"))
    assert second.playable(before)[1:] == (0, "")
    first.send()
    assert second.plays(before) == [b"before"]


def test_a_store_that_is_away_loses_nothing_and_holds_nobody_up(tmp_path: Path, s3: S3Server) -> None:
    url = s3.bucket()
    with open_files(url) as files, open_files(url) as others:
        first, second = Page(tmp_path / "a", files), Page(tmp_path / "b", others)
        early = first.keep(b"early")
        first.send()
        assert first.plays(early) == second.plays(early) == [b"early"]
        with s3.away():
            late = first.keep(b"late")
            assert first.send() == 1
            assert first.plays(early, late) == [b"early", b"late"]
            told = second.playable(early, late)
            assert told.note.startswith("1 recording of your answers cannot be played now. The store s3://")
            assert (told.folder / Path(early).name).read_bytes() == b"early"
            with pytest.raises(AwayError, match=r"cannot be deleted now: The store .* Try again once it does"):
                first.delete()
            assert [each.files.recordings(each.home).count() for each in (first, second)] == [1, 0]
    # The page was stopped meanwhile; the next one goes on, by itself.
    with open_files(url) as again, open_files(url) as others:
        again.start(lambda: [first.home])
        eventually(lambda: not local.kept(first.home))
        assert Page(second.home, others).plays(early, late) == [b"early", b"late"]


def test_a_page_sends_by_itself_what_it_keeps(page: Callable[..., Page], monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = page("a"), page("b")
    assert isinstance(first.files, SharedFiles)
    first.files.start(lambda: [first.home])
    places = [first.keep(bytes([number])) for number in range(3)]
    eventually(lambda: not local.kept(first.home))
    assert second.plays(*places) == [b"\0", b"\1", b"\2"]


def test_a_page_tells_of_an_outage_once_and_goes_on(
    tmp_path: Path, s3: S3Server, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("interviewer.storage.files.sender._PAUSES_S", (0.01,))
    monkeypatch.setattr("interviewer.storage.files.store._LEFT_ALONE_S", 0.0)
    with open_files(s3.bucket()) as files:
        page = Page(tmp_path, files)
        with s3.away():
            page.keep(b"sound")
            files.start(lambda: [page.home])
            eventually(lambda: bool([each for each in caplog.records if each.name.endswith("sender")]))
        eventually(lambda: not local.kept(page.home))
    assert [each.getMessage()[:55] for each in caplog.records if each.name.endswith("sender")] == [
        "Recordings or documents wait on this machine to be sent"
    ]


def test_of_what_was_fetched_only_the_latest_interviews_stay(
    page: Callable[..., Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("interviewer.storage.files.shared_recordings._MOST_FETCHED", 2)
    first = page("a")
    for session in ("one", "two", "three", "four"):
        place = first.keep(b"sound", session)
        first.send()
        folder = first.playable(place, session=session).folder
    assert len(list(folder.parent.iterdir())) == 2
    assert folder.exists()
