"""What becomes of a document, from what is known of it here and there."""

from __future__ import annotations

import pytest

from interviewer.storage.files.document_state import Action, Entry, Local, decide, is_name, key_of

HERE, OLD, OTHER = Local(digest="a", at=2.0), Local(digest="a", at=0.5), Local(digest="c", at=2.0)
SAME, NEWER, GONE = (Entry(digest=digest, name=name, at=1.0) for digest, name in (("a", "n"), ("b", "n"), ("", "")))


@pytest.mark.parametrize(
    ("local", "there", "before", "removed", "action"),
    [
        # New on one side.
        (HERE, None, None, False, Action.SEND),
        (None, SAME, None, False, Action.FETCH),
        (HERE, SAME, None, False, Action.NOTE),
        (HERE, SAME, "a", False, Action.NOTHING),
        (None, None, None, False, Action.NOTHING),
        # Changed on one side.
        (HERE, NEWER, "a", False, Action.FETCH),
        (OTHER, SAME, "a", False, Action.SEND),
        # Changed on both: the newer one counts.
        (HERE, NEWER, "x", False, Action.SEND),
        (OLD, NEWER, "x", False, Action.FETCH),
        (OLD, NEWER, None, False, Action.FETCH),
        # Removed there.
        (HERE, GONE, "a", False, Action.DROP),
        (OTHER, GONE, "a", False, Action.SEND),
        (HERE, GONE, None, False, Action.SEND),
        (HERE, GONE, "", False, Action.SEND),
        (None, GONE, "a", False, Action.NOTHING),
        # Removed here.
        (None, SAME, "a", True, Action.REMOVE),
        (None, NEWER, "a", True, Action.FETCH),
        (None, GONE, "a", True, Action.REMOVE),
        (HERE, SAME, "a", True, Action.NOTHING),
        # Deleted by hand, or a store that is empty: nobody removed anything.
        (None, SAME, "a", False, Action.FETCH),
        (HERE, None, "a", False, Action.SEND),
    ],
)
def test_what_is_to_be_done(
    local: Local | None, there: Entry | None, before: str | None, removed: bool, action: Action
) -> None:
    assert decide(local, there, before, removed=removed) is action


OUT = ["", ".", "..", "../x.md", "/etc/passwd", "a/b.md", "a\\b.md", ".hidden", "a\0", "x" * 256]


@pytest.mark.parametrize("name", OUT)
def test_a_name_that_leads_out_of_the_folder_is_none(name: str) -> None:
    assert not is_name(name)


def test_a_name_is_whatever_a_person_calls_a_file() -> None:
    assert all(map(is_name, ["notes.md", "Über uns (2).pdf", "a..b", "~x.md", "x" * 255]))
    assert key_of("notes.md") != key_of("Notes.md")
