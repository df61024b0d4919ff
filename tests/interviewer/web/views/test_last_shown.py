"""What a page was shown last: a refresh that something else overtook is told to be late, any other is not."""

from __future__ import annotations

import pytest

from interviewer.web.views.last_shown import LastShown


def test_a_refresh_is_overtaken_by_another_interview_and_by_what_the_person_did() -> None:
    shown = LastShown()
    shown.note("page", "first")
    begun = shown.of("page")
    assert not shown.is_overtaken("page", "first", begun)
    shown.note("page", "first")
    assert shown.is_overtaken("page", "first", begun)
    shown.note("page", "second")
    assert shown.is_overtaken("page", "first", shown.of("page"))
    assert not shown.is_overtaken("page", "second", shown.of("page"))


def test_pages_do_not_concern_each_other_and_an_unknown_page_is_refreshed() -> None:
    shown = LastShown()
    shown.note("one", "first")
    shown.note("", "nameless")
    assert not shown.is_overtaken("other", "second", shown.of("other"))
    assert shown.of("") is None


def test_of_very_many_pages_the_oldest_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interviewer.web.views.last_shown._PAGES", 2)
    shown = LastShown()
    for page in ("one", "two", "one", "three"):
        shown.note(page, "session")
    assert [page for page in ("one", "two", "three") if shown.of(page)] == ["one", "three"]
