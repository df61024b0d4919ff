"""What is kept of regraded interviews in the folder of a home: the same as PostgreSQL keeps, and gone with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from interviewer.storage.results import regrade_folder
from interviewer.storage.results.regrade_folder import RegradeFolder

ODD = "../\udcff\n"
"""An id that came with somebody's file."""


@pytest.mark.parametrize("session", ["one", ODD, "x" * 500])
def test_what_ended_is_not_taken_again_until_it_is_forgotten(tmp_path: Path, session: str) -> None:
    folder = RegradeFolder(tmp_path)
    assert folder.take([session, "other", "bad"]) == [session, "other", "bad"]
    assert folder.keep(session, "outcome")
    folder.give_up("bad", "It is damaged.")
    later = RegradeFolder(tmp_path)
    named = [session, "other", "bad"]
    assert later.take(named) == ["other"]
    assert later.outcomes(named) == {session: "outcome"}
    assert later.failures(named) == {"bad": "It is damaged."}
    assert later.outcomes(["other"]) == {}
    regrade_folder.delete(tmp_path, session)
    assert later.take(named) == [session, "other"]
    assert later.take(named, again=True) == named
    regrade_folder.delete(tmp_path)
    regrade_folder.delete(tmp_path, session)


def test_tries_count_until_one_is_put_off(tmp_path: Path) -> None:
    folder = RegradeFolder(tmp_path)
    assert [folder.begin("one"), folder.begin("one"), folder.begin("two")] == [1, 2, 1]
    folder.put_off("one")
    assert folder.begin("one") == 1


def test_a_file_that_is_damaged_is_made_again(tmp_path: Path) -> None:
    folder = RegradeFolder(tmp_path)
    folder.keep("one", "outcome")
    (file,) = (tmp_path / "regrades").iterdir()
    file.write_text("{")
    assert folder.take(["one"]) == ["one"]
