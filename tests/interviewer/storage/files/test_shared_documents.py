"""Two pages with homes and indexes of their own and one store: what one takes in, the other asks."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread
from typing import NamedTuple

import pytest

from interviewer.storage.files import keys
from interviewer.storage.files.document_state import Entry, Told, key_of
from interviewer.storage.files.opening import Files, open_files
from interviewer.storage.files.page_documents import PageDocuments
from interviewer.storage.files.store import AwayError, open_store
from knowledge.index.question_index import QuestionIndex
from knowledge.ingestion.own_documents import OwnDocuments
from knowledge.ingestion.pipeline import ingest
from serving.encoders.sentence_encoder import Embedder
from tests.s3 import S3Server


class Page(NamedTuple):
    """A page of one person, on a machine of its own."""

    home: Path
    files: Files
    documents: PageDocuments

    def add(self, name: str, *questions: str) -> None:
        """As the page takes in what is given to it."""
        path = self.home / "documents" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"# {question}\n\nBecause of it.\n\n" for question in questions))
        self.documents.read([path])

    def remove(self, name: str) -> None:
        self.documents.listed.remove(str(self.home.resolve() / "documents" / name))

    def asks(self) -> dict[str, list[str]]:
        return {each.name: [question.text for question in each.questions] for each in self.documents.listed.all()}

    def kept(self) -> set[str]:
        return {path.name for path in (self.home / "documents").glob("*")}

    def open(self) -> list[Told]:
        return list(self.documents.catch_up())

    def send(self) -> int:
        return self.files.send(self.home)


Make = Callable[..., Page]


@pytest.fixture
def page(tmp_path: Path, embedder: Embedder) -> Iterator[Make]:
    opened: list[Files] = []

    def make(url: str, machine: str, account: str = "ada") -> Page:
        home = tmp_path / machine / "profiles" / account
        home.mkdir(parents=True, exist_ok=True)
        index = QuestionIndex.open(home / "index", embedder)
        opened.append(open_files(url))
        listed = OwnDocuments(index, home / "documents")
        return Page(home, opened[-1], opened[-1].documents(home, listed, lambda given: ingest(given, index)))

    yield make
    for files in opened:
        files.close()


WHY, HOW, WHEN = "Why is a hook useful?", "How does a hook work?", "When is a hook called?"


def test_what_one_page_takes_in_the_other_asks_and_what_it_removes_is_gone(page: Make, url: str) -> None:
    first, second = page(url, "a"), page(url, "b")
    first.add("hooks.md", WHY, HOW)
    assert first.send() == 0
    assert second.open() == [Told("Reading hooks.md (1 of 1)")]
    assert second.asks() == first.asks() == {"hooks.md": [WHY, HOW]}
    assert (first.open(), second.open()) == ([], [])

    second.add("hooks.md", WHEN)
    second.add("more.md", HOW)
    second.send()
    assert {each.said.split()[1] for each in first.open()} == {"hooks.md", "more.md"}
    assert first.asks() == second.asks() == {"hooks.md": [WHEN], "more.md": [HOW]}

    first.remove("hooks.md")
    first.send()
    assert second.open() == [Told("Removing hooks.md (1 of 1)")]
    assert second.asks() == first.asks() == {"more.md": [HOW]}
    assert second.kept() == first.kept() == {"more.md"}
    store = open_store(url, os.environ)
    assert len(store.below(f"{keys.documents(first.home)}/contents")) == 1

    # Given again, it is there again.
    first.add("hooks.md", WHY)
    first.send()
    second.open()
    assert second.asks() == {"more.md": [HOW], "hooks.md": [WHY]}


def test_while_the_store_is_away_pages_go_on_and_meet_afterwards(page: Make, s3: S3Server) -> None:
    url = s3.bucket()
    first, second = page(url, "a"), page(url, "b")
    first.add("old.md", WHY)
    first.send()
    second.open()
    with s3.away():
        first.remove("old.md")
        first.add("new.md", HOW)
        second.add("other.md", WHEN)
        assert (first.send(), second.send()) == (2, 1)
        with pytest.raises(AwayError):
            second.open()
        assert second.asks() == {"old.md": [WHY], "other.md": [WHEN]}
    # The pages were started again meanwhile.
    first, second = page(url, "a"), page(url, "b")
    assert (first.send(), second.send()) == (0, 0)
    first.open()
    second.open()
    assert first.asks() == second.asks() == {"new.md": [HOW], "other.md": [WHEN]}


def test_each_person_has_their_own_and_a_store_that_is_emptied_takes_nothing_away(page: Make, url: str) -> None:
    ada, ben = page(url, "a", "ada"), page(url, "a", "ben")
    ada.add("hooks.md", WHY)
    ada.send()
    assert ben.open() == []
    store = open_store(url, os.environ)
    store.delete(store.below("accounts"))
    assert ada.open() == []
    assert ada.asks() == {"hooks.md": [WHY]}
    assert store.below("accounts")


def test_what_others_put_into_the_store_reaches_no_other_folder(page: Make, url: str, tmp_path: Path) -> None:
    first, store = page(url, "a"), open_store(url, os.environ)
    place = keys.documents(first.home)
    for name in ("../../evil.md", "/evil.md", ".evil.md", "..", "ok.md"):
        entry = Entry(digest="../../x" if name == "ok.md" else "0" * 64, name=name, at=1.0)
        store.put(f"{place}/manifest/{key_of(name)}", entry.model_dump_json().encode())
        store.put(f"{place}/contents/{key_of(name)}/{'0' * 64}", b"# Evil?")
    store.put(f"{place}/manifest/{key_of('a.md')}", b"no entry")
    store.put(
        f"{place}/manifest/{key_of('b.md')}", Entry(digest="1" * 64, name="b.md", at=1.0).model_dump_json().encode()
    )
    first.open()
    assert first.asks() == {}
    assert list(tmp_path.rglob("*.md")) == []


def test_a_document_that_cannot_be_read_here_is_told_once(page: Make, url: str) -> None:
    first, second = page(url, "a"), page(url, "b")
    first.add("hooks.md", WHY)
    (first.home / "documents" / "broken.pdf").write_bytes(b"no PDF")
    first.send()
    told = second.open()
    assert [each.said[:10] for each in told if each.refused] == ["broken.pdf"]
    assert second.asks() == {"hooks.md": [WHY]}
    assert second.open() == []


def test_two_pages_with_one_folder_and_a_third_at_the_same_time(page: Make, url: str) -> None:
    pages = [page(url, "a"), page(url, "a"), page(url, "b")]
    for number, each in enumerate(pages):
        each.add(f"of-{number}.md", (WHY, HOW, WHEN)[number])
    threads = [Thread(target=each.send) for each in pages] + [Thread(target=each.open) for each in pages]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for each in (pages[0], pages[2]):
        each.open()
        assert each.asks() == {"of-0.md": [WHY], "of-1.md": [HOW], "of-2.md": [WHEN]}


def test_all_documents_are_exported_without_an_index(page: Make, url: str) -> None:
    first, second = page(url, "a"), page(url, "b")
    first.add("hooks.md", WHY)
    first.send()
    second.files.fetch_documents(second.home)
    assert second.kept() == {"hooks.md"}
    assert second.open() == [Told("Reading hooks.md (1 of 1)")]
    assert second.asks() == {"hooks.md": [WHY]}
