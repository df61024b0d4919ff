from __future__ import annotations

from pathlib import Path

import pytest

from interviewer.web.uploads import kept, read_once
from serving.errors import BadInputError, StorageError


def given(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "notes.md"
    file.write_text(text)
    return file


def test_a_document_is_kept_under_its_name(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    with kept([given(tmp_path / "upload", "new")], home) as files:
        assert files == [home / "notes.md"]
    assert (home / "notes.md").read_text() == "new"


def test_a_newer_one_takes_the_place_of_the_older(tmp_path: Path) -> None:
    home = tmp_path / "home"
    given(home, "old")
    with kept([given(tmp_path / "upload", "new")], home):
        pass
    assert (home / "notes.md").read_text() == "new"


@pytest.mark.parametrize("before", ["old", None])
def test_what_cannot_be_read_leaves_the_folder_as_it_was(tmp_path: Path, before: str | None) -> None:
    home = tmp_path / "home"
    home.mkdir()
    if before:
        given(home, before)
    with pytest.raises(BadInputError), kept([given(tmp_path / "upload", "new")], home):
        raise BadInputError("not a document")
    assert [file.read_text() for file in home.iterdir()] == ([before] if before else [])


def test_a_folder_that_is_gone_is_told(tmp_path: Path) -> None:
    with pytest.raises(StorageError), kept([given(tmp_path / "upload", "new")], tmp_path / "nowhere"):
        pass


def test_what_is_only_read_is_deleted_whatever_came_of_it(tmp_path: Path) -> None:
    first, second = given(tmp_path / "a", "mine"), given(tmp_path / "b", "mine")
    with read_once([first]):
        assert first.read_text() == "mine"
    with pytest.raises(BadInputError), read_once([second, first]):
        raise BadInputError("It cannot be read.")
    assert not first.exists()
    assert not second.exists()
